/* Around the card: the list, progress, export. */
import { $, el, number } from "./dom.js";
import { load } from "./state.js";
import { decided, words } from "./versions.js";

const ORDERS = { gain: "most to gain first", disorder: "most disorder first", document: "as in the documents", confusion: "by confusion", category: "by category", pair: "by pair of annotators" };
const STATUSES = { open: "to be decided", decided: "decided", conflict: "decided in two ways", flagged: "flagged", changed: "changed since", all: "all" };

export function fillChoices(about) {
  const fill = (id, values, names) => $(id).append(...values.map((v) => el("option", { value: v }, names ? names[v] || v : v)));
  fill("#order", about.orders, ORDERS);
  fill("#status", about.statuses, STATUSES);
  for (const c of about.confusions) $("#confusion").append(el("option", { value: c.confusion }, c.confusion + " (" + c.cards + ")"));
  fill("#document", about.documents);
  fill("#format", about.formats);
  for (const id of ["confusion", "document"]) {
    if ($("#" + id).options.length < 2) { $("#" + id).hidden = true; $(`label[for=${id}]`).hidden = true; }
  }
  $("#format").addEventListener("change", () => { $("#reference").href = "/api/reference?format=" + encodeURIComponent($("#format").value); });
  for (const who of about.annotators.slice(0, 60)) $("#annotators").append(el("a", { href: "/discussion?annotator=" + encodeURIComponent(who), target: "_blank", rel: "noopener" }, who), " ");
  if (about.annotators.length) $("#annotators").prepend("One page each: ");
}

/* the cards around the one that is open */
export function listCards(cards, at, open) {
  const list = $("#cards");
  const first = Math.max(0, at - 6), shown = cards.slice(first, first + 40);
  list.start = first + 1;
  list.replaceChildren(...shown.map((card, k) => {
    const label = card.decision ? decided(card.decision) : card.proposal === null ? "" : words(card.proposal);
    const button = el("button", { type: "button", onclick: () => open(first + k), "aria-current": first + k === at ? "true" : null },
      el("span", { class: "name" }, card.id), el("span", { class: "mark " + (card.done ? "done" : card.status) }, card.done || card.status === "decided" ? "✓" : card.flagged ? "⚑" : ""), el("small", {}, label));
    return el("li", {}, button);
  }));
}

export async function showProgress() {
  const p = await load("/api/progress");
  const whole = p.cards || 1;
  $("#done").max = whole;
  $("#done").value = p.decided;
  const extra = [p.conflicts && p.conflicts + " in conflict", p.changed && p.changed + " changed", p.flagged && p.flagged + " flagged"].filter(Boolean);
  $("#counts").textContent = [p.decided + " decided, " + p.left + " left (" + p.disputed_left + " disputed)", ...extra].join(" · ");
  const people = Object.entries(p.by);
  $("#people").replaceChildren(people.length
    ? el("table", {}, el("caption", {}, "Decisions in force"), el("tbody", {}, ...people.map(([w, n]) => el("tr", {}, el("th", { scope: "row" }, w), el("td", { class: "num" }, String(n))))))
    : el("p", { class: "aside" }, "Nobody has decided anything yet."));
  if (p.aside.length) $("#people").append(el("p", { class: "aside" }, p.aside.length + " decisions are on what the data no longer have; they are kept aside: " + p.aside.slice(0, 5).join(", ")));
  return p;
}

/* asked for once, when the panel is opened; then it comes by itself whenever it was measured again */
export async function askAgreement() {
  const box = $("#agreement");
  if (box.dataset.asked) return;
  box.dataset.asked = "yes";
  box.textContent = "Measuring agreement…";
  try { showAgreement(await load("/api/agreement")); } catch (problem) { box.textContent = problem.message; delete box.dataset.asked; }
}
export function showAgreement(a) {
  const box = $("#agreement");
  const say = (x) => (x.value === null ? "undefined (" + x.undefined + ")" : number(x.value.toFixed(3)));
  box.replaceChildren(
    el("p", {}, `${a.measure}: ${say(a.before)} before, ${say(a.after)} with what is decided.`),
    el("p", {}, a.adjudicators.items ? `Adjudicators: alpha ${say(a.adjudicators)} on ${a.adjudicators.items} cards.` : "No card was decided by two people, each by themselves."),
    el("p", {}, `${a.changes.count} ${a.changes.count === 1 ? "card differs" : "cards differ"} from the proposal.`),
    el("p", { class: "aside" }, `As of ${a.decisions} ${a.decisions === 1 ? "decision" : "decisions"}.`));
}
