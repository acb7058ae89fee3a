/* Chains: the text with each version's entities coloured, side by side. */
import { el } from "./dom.js";

const HUES = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#D55E00", "#9A9A9A", "#7EC8A9"];

/* versions of the document: annotators who cut it alike share a column */
export function sideBySide(around) {
  const columns = new Map();
  for (const row of around.rows) {
    const key = JSON.stringify(row.entities.map((e) => e.mentions.map((m) => m.name)));
    if (!columns.has(key)) columns.set(key, { who: [], entities: row.entities });
    columns.get(key).who.push(row.annotator);
  }
  const box = el("div", { class: "sides" });
  for (const { who, entities } of columns.values()) {
    const column = el("section", { "aria-label": who.join(", ") }, el("h3", {}, who.join(", ")));
    column.append(around.atoms && around.mentions.some((m) => "start" in m) ? text(around, entities) : lists(around, entities));
    box.append(column);
  }
  return box;
}

const hue = (k) => HUES[k % HUES.length];

function text(around, entities) {
  const out = el("p", { class: "passage" });
  const spans = entities.flatMap((e, k) => e.mentions.map((m) => ({ ...m, k, entity: e })));
  const big = (e) => e.mentions.length > 1;
  for (let at = around.low; at < around.high; at++) {
    const word = around.atoms[at - around.low];
    const over = spans.filter((s) => s.start <= at && s.end > at).sort((a, b) => (b.end - b.start) - (a.end - a.start));
    for (const s of over.filter((s) => s.start === at)) out.append(el("sup", { class: "entity" }, String(s.k + 1)));
    if (!over.length) { out.append(word, " "); continue; }
    const inner = over[over.length - 1];
    const span = el(inner.name === around.mention || over.some((s) => s.name === around.mention) ? "mark" : "span", { class: "mention", title: "entity " + (inner.k + 1) }, word);
    if (big(inner.entity)) { span.style.backgroundColor = hue(inner.k); span.style.color = "#000"; }
    out.append(span, " ");
  }
  return out;
}

function lists(around, entities) {
  const list = el("ol", { class: "entities" });
  entities.forEach((e, k) => {
    const row = el("li");
    e.mentions.forEach((m, j) => {
      const chip = el(m.name === around.mention ? "mark" : "span", { class: "mention" }, m.name);
      if (e.mentions.length > 1) { chip.style.backgroundColor = hue(k); chip.style.color = "#000"; }
      row.append(j ? " " : "", chip);
    });
    list.append(row);
  });
  return list;
}

/* the words of a mention */
export function called(around, name) {
  const found = around.mentions.find((m) => m.name === name);
  if (!found || !around.atoms || !("start" in found)) return name;
  const words = around.atoms.slice(Math.max(0, found.start - around.low), Math.max(0, found.end - around.low)).join(" ");
  return words ? `${words} (${name})` : name;
}
