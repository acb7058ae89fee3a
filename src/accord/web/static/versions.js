/* What was said, in words. */
import { el, number } from "./dom.js";

export function words(value) {
  if (value === null || value === undefined) return "nothing here";
  if (typeof value === "object" && !Array.isArray(value)) return (value.label ?? "no label") + " " + number(value.start) + "–" + number(value.end);
  if (typeof value === "number") return "boundary at " + number(value);
  return String(value);
}

export function decided(decision) {
  if (decision.kind === "reject") return "rejected";
  if (decision.kind === "none") return "nothing here";
  if (decision.kind === "withdraw") return "withdrawn";
  return words(decision.value);
}

export const same = (a, b) => {
  if (a === b) return true;
  if (a && b && typeof a === "object" && typeof b === "object") return a.start === b.start && a.end === b.end && a.label === b.label;
  return a !== null && b !== null && String(a) === String(b);
};

/* the text of a unit, when there is one */
export function quote(value, around) {
  if (!around || !value || typeof value !== "object" || around.text === null || around.text === undefined) return "";
  const from = Math.max(0, Math.floor(value.start - Math.floor(around.low))), to = Math.floor(value.end - Math.floor(around.low));
  const cut = around.text.slice(from, to);
  return cut.length > 90 ? cut.slice(0, 60) + " … " + cut.slice(-25) : cut;
}

export function when(text) {
  const at = new Date(text);
  return isNaN(at) ? text : at.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

export function history(decisions) {
  if (!decisions || !decisions.length) return null;
  const list = el("ol", { class: "history" });
  for (const d of [...decisions].reverse()) {
    list.append(el("li", {}, el("b", {}, decided(d)), " ", d.who + ", " + when(d.when), d.why ? ": " + d.why : ""));
  }
  return el("section", {}, el("h3", {}, "Earlier decisions"), list);
}
