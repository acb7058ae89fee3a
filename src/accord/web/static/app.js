/* Settling a campaign: one card after the other, by key or by pointer. */
import { $, el, setLooks } from "./dom.js";
import { ask, itemPath, load, memory, newKey, setStore } from "./state.js";
import { Outbox } from "./outbox.js";
import { listen } from "./events.js";
import { Card } from "./card.js";
import { Alignment } from "./alignment.js";
import { askAgreement, fillChoices, listCards, showAgreement, showProgress } from "./page.js";
import { decided, words } from "./versions.js";

// the token has done its work: it is in the cookie now, and need not stay in the address
if (location.search.includes("token=")) history.replaceState(null, "", "/");

const main = $("#card"), whoField = $("#who");
let about, cards = [], at = -1, open = null, more = true, loading = null, outbox, alignment;
const undoable = [], drafts = new Map(), ahead = new Map();

const who = () => whoField.value.trim();
function say(text) { const box = $("#said"); box.textContent = ""; requestAnimationFrame(() => { box.textContent = text; }); }

/* the queue */
function asked(after) {
  const form = new FormData($("#filters")), query = new URLSearchParams();
  for (const [k, v] of form) if (v) query.set(k, v);
  if (after) query.set("after", after);
  if (who()) query.set("who", who());
  query.set("limit", "50");
  return "/api/queue?" + query;
}
async function fetchMore() {
  if (!more) return;
  if (!loading) {
    loading = load(asked(cards.length ? cards[cards.length - 1].id : null)).then((page) => {
      const known = new Set(cards.map((c) => c.id));
      cards.push(...page.items.filter((c) => !known.has(c.id)));
      more = page.items.length === 50;
      $("#matching").textContent = page.matching + (page.matching === 1 ? " card" : " cards");
    }).finally(() => { loading = null; });
  }
  await loading;
}
async function restart() {
  cards = []; at = -1; more = true; ahead.clear();
  try { await fetchMore(); } catch (problem) { main.replaceChildren(el("p", { class: "wrong", role: "alert" }, problem.message)); return; }
  if (cards.length) await show(0); else done();
}
function done() {
  open = null;
  alignment.show(null);
  main.replaceChildren(el("article", { class: "empty" }, el("h2", { tabindex: -1, id: "title" }, "No card is left here"), el("p", {}, "Choose other cards on the left, or save the reference.")));
  listCards(cards, at, show);
  say("No card is left here");
}
function prefetch() {
  for (const card of cards.slice(at + 1, at + 4)) {
    if (!ahead.has(card.id) && !card.done) ahead.set(card.id, load(itemPath(card.id, who())).catch(() => { ahead.delete(card.id); }));
  }
}
async function show(index, { quiet = false } = {}) {
  at = index;
  const id = cards[at].id;
  const waiting = ahead.get(id);
  ahead.delete(id);
  let card = waiting ? await waiting : null;
  if (!card) card = await load(itemPath(id, who()));
  if (cards[at] === undefined || cards[at].id !== id) return;
  const draft = drafts.get(id);
  if (draft) card.decision = draft;
  Object.assign(cards[at], { decision: card.decision, flagged: card.flagged, status: card.status });
  open = new Card(card, about, actions);
  main.replaceChildren(open.node);
  alignment.show(card);
  listCards(cards, at, show);
  if (!quiet) {
    if (document.activeElement === document.body || main.contains(document.activeElement) || document.activeElement === null) $("#title").focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
    say(spoken(card));
  }
  prefetch();
  if (cards.length - at < 20) fetchMore().then(() => { listCards(cards, at, show); prefetch(); }).catch(() => {});
}
const spoken = (card) => card.id + ". " + card.versions.map((v, k) => k + 1 + ": " + words(v.value) + (v.annotators ? ", " + v.annotators.join(" and ") : "")).join(". ") + ". Proposed: " + words(card.proposal);

async function next({ same = null } = {}) {
  for (;;) {
    for (let k = at + 1; k < cards.length; k++) {
      if (!cards[k].done && (same === null || cards[k].document === same)) { await show(k); return; }
    }
    if (!more) break;
    await fetchMore();
  }
  const skipped = cards.findIndex((c, k) => !c.done && k !== at && (same === null || c.document === same));
  if (skipped >= 0) await show(skipped);
  else if (open && cards[at] && !cards[at].done) say("This is the only card left");
  else done();
}
async function previous() { if (at > 0) await show(at - 1); }

/* deciding */
function named() {
  if (about.role === "viewer") { say("viewers may look, not decide"); return false; }
  if (who()) return true;
  whoField.classList.add("missing");
  whoField.focus();
  say("Say who you are first");
  return false;
}
function post(item, kind, value, replaces, why) {
  const record = { key: newKey(), item, kind, value, who: who(), why, replaces };
  outbox.put(record);
  return record;
}
const actions = {
  say,
  decide(kind, value) {
    if (!open || !named()) return;
    const { card } = open, replaces = card.decision && !card.decision.draft ? card.decision.id : waitingId(card.id);
    const record = post(card.id, kind, value, replaces, open.why.value.trim());
    remember(open.why.value.trim());
    undoable.push({ keys: [record.key], item: card.id });
    mark(card.id, kind === "withdraw" ? null : { kind, value, who: who(), when: new Date().toISOString(), draft: true });
    say((kind === "label" ? words(value) : decided({ kind })) + " for " + card.id);
    next();
  },
  add(value) {
    if (!open || !named()) return;
    const record = post(open.card.document + ":+", "label", value, null, open.why.value.trim());
    undoable.push({ keys: [record.key], item: open.card.id });
    open.leave();
    say("Added " + words(value));
  },
  split(value, where) {
    if (!(value.start < where && where < value.end)) { open.wrong("Split between its beginning and its end"); return; }
    if (!named()) return;
    const why = open.why.value.trim() || "split";
    const second = post(open.card.document + ":+", "label", { ...value, start: where }, null, why);
    const first = post(open.card.id, "label", { ...value, end: where }, open.card.decision ? open.card.decision.id : null, why);
    undoable.push({ keys: [second.key, first.key], item: open.card.id });
    mark(open.card.id, { kind: "label", value: { ...value, end: where }, who: who(), draft: true });
    next();
  },
  async merge(value) {
    if (!open || !named() || !value) return;
    const { card } = open;
    const page = await load("/api/queue?order=document&status=all&limit=1&document=" + encodeURIComponent(card.document) + "&after=" + encodeURIComponent(card.id));
    const other = page.items[0];
    if (!other) { open.wrong("There is no group after this one in the document"); return; }
    const theirs = other.proposal || (other.versions.find((v) => v.value) || {}).value;
    const whole = { start: Math.min(value.start, theirs.start), end: Math.max(value.end, theirs.end), label: value.label };
    const why = open.why.value.trim() || "merged with " + other.id;
    const a = post(card.id, "label", whole, card.decision ? card.decision.id : null, why);
    const b = post(other.id, "reject", null, other.decision ? other.decision.id : null, "merged into " + card.id);
    undoable.push({ keys: [a.key, b.key], item: card.id });
    mark(card.id, { kind: "label", value: whole, who: who(), draft: true });
    mark(other.id, { kind: "reject", who: who(), draft: true });
    say("Merged: " + words(whole));
    next();
  },
  /* every mention of this card's entity joins the other one */
  async mergeEntities(target) {
    if (!open || !named()) return;
    const { card } = open, entity = card.proposal, around = open.around;
    const mine = (around.rows.flatMap((r) => r.entities).find((e) => e.entity === entity) || { mentions: [{ name: card.place.mention }] }).mentions;
    const keys = [];
    for (const m of mine) {
      if (m.name === target) continue;
      const id = card.document + ":" + m.name;
      const there = await load(itemPath(id, who())).catch(() => null);
      if (!there) continue;
      keys.push(post(id, "label", target, there.decision ? there.decision.id : null, open.why.value.trim() || "entities merged").key);
      mark(id, { kind: "label", value: target, who: who(), draft: true });
    }
    if (!keys.length) { open.wrong("Choose a mention of another entity"); return; }
    undoable.push({ keys, item: card.id });
    say("Merged " + keys.length + " mentions");
    next();
  },
  skip() { next(); },
  async flag() {
    if (!open || !named()) return;
    const { card } = open;
    card.flagged = !card.flagged;
    cards[at].flagged = card.flagged;
    await ask("/api/remarks", { item: card.id, kind: card.flagged ? "flag" : "unflag", text: card.flagged ? open.why.value.trim() : "", who: who() });
    say(card.flagged ? "Flagged" : "Not flagged any more");
    await show(at, { quiet: true });
  },
  async comment(text) {
    if (!open || !named()) return;
    const { ok, body } = await ask("/api/remarks", { item: open.card.id, kind: "comment", text, who: who() });
    say(ok ? "Comment kept" : body.error);
    await show(at, { quiet: true });
    $("#title").focus();
  },
  async undo() {
    const last = undoable.pop();
    if (!last) { say("There is nothing to undo"); return; }
    let back = 0;
    for (const key of [...last.keys].reverse()) {
      if (outbox.take(key)) { back++; continue; }
      const id = last.batch || stored.get(key);
      if (!id) { await settle(); }
      const { ok, body } = await ask("/api/undo", { id: last.batch || stored.get(key), who: who() });
      if (ok) back += body.undone; else say(body.error);
    }
    say(back + (back === 1 ? " decision" : " decisions") + " undone");
    drafts.delete(last.item);
    if (last.batch) { await restart(); return; }
    const where = cards.findIndex((c) => c.id === last.item);
    for (const c of cards) if (c.id === last.item) Object.assign(c, { done: false, decision: null, status: "open" });
    ahead.clear();
    if (where >= 0) await show(where, { quiet: true });
    refresh();
  },
  group() { if (open && named()) askGroup(); },
};
const stored = new Map();
const settle = () => new Promise((r) => setTimeout(r, 300));
const waitingId = (item) => (drafts.has(item) ? drafts.get(item).id ?? null : null);

function mark(item, decision) {
  for (const c of cards) if (c.id === item) Object.assign(c, { done: decision !== null, decision });
  if (decision) drafts.set(item, decision); else drafts.delete(item);
}
function remember(reason) {
  if (reason && !about.reasons.includes(reason)) about.reasons.unshift(reason);
}

/* decisions of several cards in one step */
async function askGroup() {
  const { card } = open, dialog = $("#group"), form = $("#group-form");
  card.similar = (await load(itemPath(card.id, who()))).similar;
  const kinds = [["form", card.similar.same_form, "of the same words, “" + card.similar.form.slice(0, 40) + "”"], ["confusion", card.similar.same_confusion, "with the same confusion, " + card.similar.confusion]].filter(([, n]) => n > 0);
  if (!kinds.length) { say("No other open card is like this one"); return; }
  const radio = (name, value, text, checked) => el("label", {}, el("input", { type: "radio", name, value, checked }), " " + text);
  const labels = card.shape === "units" ? [...new Set(card.versions.map((v) => v.value && v.value.label).filter(Boolean))] : card.shape === "ratings" || card.shape === "relations" ? card.versions.map((v) => v.value).filter((v) => v !== null) : [];
  form.replaceChildren(
    el("fieldset", {}, el("legend", {}, "Which cards"), ...kinds.map(([by, n, text], k) => radio("by", by, `this one and ${n} more ${text}`, k === 0))),
    el("fieldset", {}, el("legend", {}, "What they are"), ...labels.map((l, k) => radio("what", "label:" + l, l, k === 0)), radio("what", "proposal", "each as proposed", !labels.length), radio("what", "reject", "rejected", false), radio("what", "none", "nothing there", false)),
    el("div", { class: "row" }, el("button", { class: "main", value: "go" }, "Decide together"), el("button", { value: "no", formnovalidate: true }, "Cancel")));
  dialog.returnValue = "";
  dialog.showModal();
  form.querySelector("input:checked").focus();
  dialog.onclose = async () => {
    if (dialog.returnValue !== "go") return;
    const chosen = new FormData(form), what = chosen.get("what");
    const record = { like: card.id, by: chosen.get("by"), who: who(), why: open.why.value.trim() };
    if (what === "proposal") record.accept = "proposal";
    else if (what.startsWith("label:")) Object.assign(record, { kind: "label", value: what.slice(6) });
    else record.kind = what;
    await together(record);
  };
}
async function together(record) {
  const { ok, body } = await ask("/api/batches", record);
  if (!ok) { say(body.error); if (open) open.wrong(body.error); return; }
  if (body.batch) undoable.push({ keys: [body.batch], batch: body.batch });
  await restart();
  say(body.stored + " decided together" + (body.passed_over ? ", " + body.passed_over + " without a proposal passed over" : ""));
  refresh();
}

/* what comes back */
function onStored(record, body) {
  stored.set(record.key, body.id);
  const draft = drafts.get(record.item);
  if (draft) draft.id = body.id;
  for (const c of cards) if (c.id === record.item && c.decision) c.decision.id = body.id;
  refresh();
}
async function onRefused(record, body) {
  drafts.delete(record.item);
  for (const c of cards) if (c.id === record.item) Object.assign(c, { done: false, decision: null });
  const where = cards.findIndex((c) => c.id === record.item);
  say("Not stored: " + body.error);
  if (where >= 0) await show(where).catch(() => {});
  if (open) open.wrong(body.error);
}
/* done when a choice is made: one conflict after the other */
function onConflict(record, body) {
  const dialog = $("#conflict"), there = body.in_force;
  drafts.delete(record.item);
  $("#conflict-text").replaceChildren(el("p", {}, el("b", {}, record.item)), el("p", {}, there ? there.who + " says: " + decided(there) + (there.why ? " (" + there.why + ")" : "") : "The decision was withdrawn."), el("p", {}, "You said: " + (record.kind === "label" ? words(record.value) : decided(record))));
  const chosen = new Promise((done) => { dialog.onclose = done; });
  dialog.returnValue = "keep";
  if (!dialog.open) dialog.showModal();
  say("Somebody decided " + record.item + " in the meantime");
  return chosen.then(() => {
    if (dialog.returnValue === "replace") {
      outbox.put({ ...record, key: newKey(), replaces: there ? there.id : null });
      return;
    }
    mark(record.item, there);
    const where = cards.findIndex((c) => c.id === record.item);
    if (where >= 0) { cards[where].done = !!there; if (where === at) show(at, { quiet: true }); }
    refresh();
  });
}
/* what waits in this browser, and why */
function showUnsent({ waiting, elsewhere, problem, loose }) {
  const box = $("#unsent"), said = [];
  if (waiting.length && problem !== null) {
    said.push(waiting.length + (waiting.length === 1 ? " decision is" : " decisions are") + " not stored yet: kept in this browser and sent again.");
    if (problem) said.push(problem);
    said.push(el("small", { translate: "no" }, waiting.map((e) => e.record.item).slice(0, 12).join(", ") + (waiting.length > 12 ? ", …" : "")));
  }
  if (loose) said.push("The browser has no room to keep them: leave this page open.");
  if (elsewhere.length) said.push(elsewhere.length + (elsewhere.length === 1 ? " decision" : " decisions") + " of another campaign or account: kept in this browser until it is open here again.", el("small", { translate: "no" }, [...new Set(elsewhere.map((e) => e.title))].join(", ")));
  box.hidden = !said.length;
  box.replaceChildren(...said.map((text) => (typeof text === "string" ? el("span", {}, text + " ") : text)));
}
let refreshing = null;
function refresh() {
  if (refreshing) return;
  refreshing = setTimeout(() => { refreshing = null; showProgress().catch(() => {}); }, 250);
}
const heard = {
  decisions({ items }) {
    for (const id of items) ahead.delete(id);
    if (open && items.includes(open.card.id) && !drafts.has(open.card.id) && open.form.hidden) show(at, { quiet: true }).catch(() => {});
    for (const c of cards) if (items.includes(c.id) && !c.decision) c.stale = true;
    refresh();
  },
  remark() { refresh(); },
  agreement(found) { if ($("#agreement").dataset.asked) showAgreement(found); },
  reload() { restart(); },
};

/* keys */
const letters = {
  e: () => open.edit(), r: () => actions.decide("reject", null), 0: () => actions.decide("none", null), a: () => open.add(),
  s: () => actions.skip(), f: () => actions.flag(), n: () => next(), p: () => previous(), u: () => actions.undo(), w: () => open.why.focus(),
  m: () => open.merge(), t: () => open.split(), x: () => open.withdraw(), v: () => alignment.focus(),
  c: () => open.comment.focus(), g: () => actions.group(), d: () => next({ same: open.card.document }), "?": () => $("#keys").showModal(), "/": () => reveal("#choose", "#search"), q: () => reveal("#choose", "#order"), b: () => reveal("#sweep", "[data-sweep]"), o: () => reveal("#out", "#out summary"),
};
function reveal(panel, field) { $(panel).open = true; $(field).focus(); }
const anywhere = new Set(["?", "/", "u", "q", "b", "o"]);
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const inside = event.target.closest ? event.target.closest("input, select, textarea, dialog") : null;
  if (inside) {
    if (event.key === "Escape" && !inside.closest("dialog")) {
      event.preventDefault();
      if (open && open.form.contains(inside)) open.leave(); else ($("#title") || main).focus();
    } else if (event.key === "Enter" && inside.id === "why") { event.preventDefault(); $("#title").focus(); }
    return;
  }
  if (!$("#letters").checked) return;
  if (event.key === "Enter") {
    if (event.target.closest("button, a, summary")) return;
    if (open) { event.preventDefault(); open.accept(); }
    return;
  }
  if (anywhere.has(event.key)) { event.preventDefault(); letters[event.key](); return; }
  if (!open) return;
  if (/^[1-9]$/.test(event.key)) { event.preventDefault(); open.take(+event.key - 1); return; }
  if (letters[event.key]) { event.preventDefault(); letters[event.key](); }
});

/* begin */
async function begin() {
  about = await load("/api/about");
  setStore(about.store);
  setLooks(about.looks);
  fillChoices(about);
  whoField.value = about.who || memory.get("who", "");
  if (about.who) { whoField.readOnly = true; }
  whoField.addEventListener("input", () => { whoField.classList.remove("missing"); memory.set("who", who()); });
  whoField.addEventListener("keydown", (e) => { if (e.key === "Enter") { e.preventDefault(); ($("#title") || main).focus(); } });
  $("#letters").checked = memory.get("letters", true);
  $("#letters").addEventListener("change", () => memory.set("letters", $("#letters").checked));
  $("#help").addEventListener("click", () => $("#keys").showModal());
  $("#filters").addEventListener("change", restart);
  $("#filters").addEventListener("submit", (e) => { e.preventDefault(); restart(); });
  $("#out").addEventListener("toggle", () => { if ($("#out").open) askAgreement(); });
  alignment = new Alignment($("#alignment"), { unit: (said) => { if (open) open.choose(said); }, leave: () => ($("#title") || main).focus() });
  for (const b of document.querySelectorAll("[data-sweep]")) {
    b.addEventListener("click", () => {
      if (!named()) return;
      together({ filter: b.dataset.sweep === "sure" ? { confidence: $("#sure").value } : { disputed: "0" }, accept: "proposal", who: who(), why: b.dataset.sweep === "sure" ? "at least " + $("#sure").value + " sure" : "annotators agree" });
    });
  }
  outbox = new Outbox({ store: about.store, title: document.title, stored: onStored, refused: onRefused, conflict: onConflict, changed: showUnsent });
  if (matchMedia("(max-width: 52rem)").matches) $("#choose").open = false;
  listen(about.store, (kind, content) => heard[kind](content));
  refresh();
  await restart();
  if (!who()) whoField.focus();
}
begin().catch((problem) => main.replaceChildren(el("p", { class: "wrong", role: "alert" }, problem.message)));
