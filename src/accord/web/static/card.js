/* One card: what it is about, what was said, and the ways to settle it. */
import { el, $, number, paint } from "./dom.js";
import * as units from "./units.js";
import * as segments from "./segments.js";
import * as chains from "./chains.js";
import { decided, history, quote, same, when, words } from "./versions.js";

export class Card {
  constructor(card, about, actions) {
    Object.assign(this, { card, about, actions });
    this.around = card.around || null;
    if (this.around) this.around.id = card.id;
    this.value = card.decision && card.decision.kind === "label" ? card.decision.value : card.proposal;
    if (typeof this.value === "string" && card.shape === "units" && card.place) this.value = { ...card.place, label: this.value, document: undefined };
    this.node = this.draw();
  }
  get labels() { return this.about.labels; }

  draw() {
    const { card } = this;
    const facts = [card.document && card.shape !== "ratings" ? card.document : "", card.added ? "" : Math.round(card.confidence * 100) + " % sure of the proposal", card.confusion].filter(Boolean);
    const head = el("header", { class: "cardhead" },
      el("h2", { tabindex: -1, id: "title" }, card.id),
      el("p", { class: "facts" }, facts.join(" · ")),
      this.badges());
    const node = el("article", { "aria-labelledby": "title", dataset: { id: card.id, status: card.status } }, head);
    const context = this.context();
    if (context) node.append(context);
    this.form = el("form", { class: "edit", hidden: true, "aria-label": "Edit", onsubmit: (e) => { e.preventDefault(); this.save(); }, onkeydown: (e) => { if (e.key === "Enter" && e.target.tagName === "SELECT") { e.preventDefault(); this.save(); } } });
    node.append(this.form, this.versions(), this.actionsBar(), this.reasons());
    if (card.guideline) node.append(el("section", {}, el("h3", {}, "Guideline"), el("p", { class: "guideline" }, card.guideline)));
    const earlier = history(card.history), notes = this.remarks();
    if (earlier) node.append(earlier);
    if (notes) node.append(notes);
    return node;
  }

  badges() {
    const { card } = this, box = el("p", { class: "badges" });
    const add = (text, kind) => box.append(el("span", { class: "badge " + kind }, text));
    if (card.status === "conflict") add("decided in two ways", "warm");
    if (card.changed) add("annotations changed since it was decided", "warm");
    if (card.flagged) add("flagged", "warm");
    if (card.double) add("asked of two people", "soft");
    if (card.added) add("added: no annotator marked it", "soft");
    if (card.decision) add(decided(card.decision) + " · " + card.decision.who, "good");
    for (const r of card.rivals || []) add(decided(r) + " · " + r.who, "warm");
    return box.childNodes.length ? box : null;
  }

  context() {
    const { card, around } = this;
    const box = el("div", { class: "context" });
    if (card.shape === "units" && around) {
      this.words = el("div", {});
      this.lanes = units.drawing(around, this.value, { change: (v) => this.edited(v) });
      box.append(this.words, this.lanes);
      this.repaint();
      if (!this.about.blind) box.append(el("p", { class: "links" }, el("a", { href: "/document?name=" + encodeURIComponent(card.document), target: "_blank", rel: "noopener" }, "The whole document in the explorer")));
    } else if (card.shape === "segments" && around) {
      this.words = el("div", {});
      this.lanes = segments.drawing(around, this.value, { change: (v) => this.edited(v) });
      box.append(this.words, this.lanes);
      this.repaint();
    } else if (card.shape === "chains" && around) {
      box.append(chains.sideBySide(around));
    } else if (card.context) {
      box.append(el("p", { class: "passage" }, card.context.before, el("mark", {}, card.context.inside), card.context.after));
      if (card.shape === "ratings") box.querySelector("mark").replaceWith(card.context.inside);
    }
    return box.childNodes.length ? box : null;
  }

  repaint() {
    if (!this.words) return;
    const drawn = this.card.shape === "units" ? units.passage(this.around, this.value) : segments.passage(this.around, this.value);
    this.words.replaceChildren(...(drawn ? [drawn] : []));
  }

  versions() {
    const { card } = this;
    const list = this.list = el("ol", { class: "versions", "aria-label": "Versions" });
    card.versions.forEach((v, k) => {
      const button = el("button", { type: "button", dataset: { version: k }, "aria-current": same(v.value, this.value) ? "true" : null, onclick: () => this.take(k) });
      if (k < 9) button.append(el("kbd", {}, String(k + 1)));
      const said = el("span", { class: "value" });
      if (card.shape === "units" && v.value) {
        const swatch = el("i", { class: "swatch" });
        swatch.style.background = paint(v.value.label)[0];
        said.append(swatch, v.value.label ?? "no label", el("small", {}, number(v.value.start) + "–" + number(v.value.end)));
        const text = quote(v.value, this.around);
        if (text) said.append(el("q", {}, text));
      } else if (card.shape === "chains" && v.value !== null) {
        said.append(v.value === card.place.mention ? "begins its entity" : "with " + chains.called(this.around, v.value));
      } else said.append(words(v.value));
      button.append(said);
      if (v.annotators) button.append(el("span", { class: "who" }, v.annotators.join(", ")));
      if (same(v.value, card.proposal)) button.append(el("span", { class: "proposed" }, "proposed"));
      list.append(el("li", {}, button));
    });
    return list;
  }

  actionsBar() {
    const { card, actions } = this;
    const button = (key, text, act, extra = "") => el("button", { type: "button", class: extra, "aria-keyshortcuts": key, onclick: act }, el("kbd", {}, key), " " + text);
    const proposal = card.shape === "chains" && card.proposal !== null
      ? (card.proposal === card.place.mention ? "begins its entity" : "with " + chains.called(this.around, card.proposal)) : words(card.proposal);
    const bar = el("div", { class: "actions", role: "group", "aria-label": "Decide" });
    bar.append(button("Enter", card.proposal === null && card.shape === "ratings" ? "no proposal" : "accept: " + proposal, () => this.accept(), "main"));
    bar.append(button("e", "edit", () => this.edit()), button("r", "reject", () => actions.decide("reject", null)), button("0", "nothing here", () => actions.decide("none", null)));
    if (card.shape === "units" || card.shape === "segments") bar.append(button("a", "add", () => this.add()));
    if (card.shape === "units" || card.shape === "chains") bar.append(button("m", "merge", () => this.merge()), button("t", "split", () => this.split()));
    if (card.decision) bar.append(button("x", "withdraw", () => this.withdraw()));
    bar.append(button("g", "group", actions.group), button("s", "skip", actions.skip), button("f", card.flagged ? "unflag" : "flag", actions.flag), button("u", "undo", actions.undo));
    return bar;
  }

  reasons() {
    const list = el("datalist", { id: "reasons" }, ...this.about.reasons.map((r) => el("option", { value: r })));
    this.why = el("input", { id: "why", list: "reasons", maxlength: 2000, autocomplete: "off", placeholder: "reason, kept with the decision" });
    this.comment = el("input", { id: "comment", maxlength: 5000, autocomplete: "off", placeholder: "comment, which decides nothing", onkeydown: (e) => { if (e.key === "Enter" && this.comment.value.trim()) { e.preventDefault(); this.actions.comment(this.comment.value); } } });
    return el("div", { class: "reasons" }, el("label", { for: "why" }, el("kbd", {}, "w"), " why"), this.why, list, el("label", { for: "comment" }, el("kbd", {}, "c"), " comment"), this.comment);
  }

  remarks() {
    const said = (this.card.remarks || []).filter((r) => r.text || r.kind === "flag");
    if (!said.length) return null;
    return el("section", {}, el("h3", {}, "Remarks"), el("ul", { class: "history" }, ...said.map((r) => el("li", {}, r.kind === "flag" ? "flagged: " : "", r.text, " — " + r.who + ", " + when(r.when)))));
  }

  /* deciding */
  take(k) {
    const version = this.card.versions[k];
    if (!version) return;
    if (version.value === null) this.actions.decide("none", null);
    else this.actions.decide("label", version.value);
  }
  accept() {
    if (!this.form.hidden) { this.save(); return; }
    const { card } = this;
    if (card.proposal === null) {
      if (card.shape === "ratings") this.actions.say("There is no proposal; choose a version or edit");
      else this.actions.decide("none", null);
    } else this.actions.decide("label", this.moved ? this.value : card.proposal);
  }
  /* a version chosen in the alignment: Enter takes it */
  choose({ start, end, label }) {
    const k = this.card.versions.findIndex((v) => v.value && v.value.start === start && v.value.end === end && v.value.label === label);
    if (k < 0 || !this.form.hidden) return;
    this.value = { ...this.card.versions[k].value };
    this.moved = true;
    if (this.lanes) this.lanes.show(this.value);
    this.repaint();
    this.current();
    this.actions.say("Version " + (k + 1) + " chosen: " + words(this.value) + ". Enter takes it");
  }
  current() {
    for (const button of this.list.querySelectorAll("[data-version]")) {
      if (same(this.card.versions[+button.dataset.version].value, this.value)) button.setAttribute("aria-current", "true"); else button.removeAttribute("aria-current");
    }
  }
  merge() {
    if (this.card.shape === "units") this.actions.merge(this.form.hidden ? this.value : this.read());
    else if (this.card.shape === "chains") { 
      this.edit();
      this.merging = true;
      $("h3", this.form).textContent = "Merge its entity with that of";
      // its own entity is no choice: begin with another one that somebody chose
      const others = [...this.card.versions.map((v) => v.value), ...this.around.mentions.map((m) => m.name)];
      const other = others.find((name) => name !== null && name !== this.card.proposal && name !== this.card.place.mention);
      if (other !== undefined) this.form.elements.joins.value = other;
    }
  }
  split() {
    if (this.card.shape === "units") { if (this.form.hidden || this.adding) this.edit(false); this.form.elements.split.focus(); }
    else if (this.card.shape === "chains") this.actions.decide("label", this.card.place.mention);
  }
  withdraw() { if (this.card.decision) this.actions.decide("withdraw", null); else this.actions.say("There is no decision to withdraw"); }
  edited(value) {
    this.value = value;
    this.current();
    this.moved = true;
    this.repaint();
    if (this.form.hidden) this.edit(false);
    const fields = this.form.elements;
    if (fields.start) { fields.start.value = value.start; fields.end.value = value.end; }
    if (fields.position) fields.position.value = value;
  }
  edit(focus = true, adding = false) {
    const { card, form } = this;
    this.adding = adding;
    this.merging = false;
    form.hidden = false;
    form.replaceChildren(el("h3", {}, adding ? "Add what everybody missed" : "Edit"));
    const field = (name, label, input) => { input.name = name; input.id = "edit-" + name; form.append(el("label", { for: input.id }, label), input); return input; };
    const choice = (options, now) => { const s = el("select", {}, ...options.map(([v, t]) => el("option", { value: v }, t))); if (now !== null && now !== undefined) s.value = now; return s; };
    let first;
    if (card.shape === "units") {
      const v = this.value || card.versions.map((x) => x.value).find(Boolean) || card.place;
      const step = this.around && this.around.integral ? 1 : "any";
      first = field("start", "From", el("input", { type: "number", step, required: true, value: adding ? "" : v.start }));
      field("end", "To", el("input", { type: "number", step, required: true, value: adding ? "" : v.end }));
      field("label", "Label", choice(this.labels.map((l) => [l, l]), v.label));
      if (!adding) field("split", "Split at (optional)", el("input", { type: "number", step }));
      for (const name of ["start", "end", "label"]) form.elements[name].addEventListener("input", () => this.typed());
    } else if (card.shape === "segments") {
      first = field("position", "Position", el("input", { type: "number", step: 1, required: true, value: adding ? "" : (this.value ?? card.place.position) }));
      first.addEventListener("input", () => { if (this.adding) return; this.value = +first.value; this.lanes.show(this.value); this.repaint(); });
    } else if (card.shape === "chains") {
      const names = this.around.mentions.map((m) => m.name);
      first = field("joins", "Together with", choice(names.map((n) => [n, n === card.place.mention ? "nobody before it: it begins its entity" : chains.called(this.around, n)]), card.proposal ?? card.place.mention));
    } else if (this.labels.length) {
      first = field("label", "Value", choice(this.labels.map((l) => [l, l]), this.value));
      if (this.about.kind === "numbers") field("other", "or another number", el("input", { type: "number", step: "any" }));
    } else first = field("label", "Value", el("input", { required: true, value: this.value ?? "" }));
    const row = el("div", { class: "row" }, el("button", { class: "main" }, adding ? "Add" : "Save"), el("button", { type: "button", onclick: () => this.leave() }, "Cancel"));
    if (card.shape === "units" && !adding) row.append(el("button", { type: "button", onclick: () => this.actions.merge(this.read()) }, "Merge with the next group"));
    if (card.shape === "chains") row.append(el("button", { type: "button", onclick: () => this.actions.mergeEntities(form.elements.joins.value) }, "Merge the two entities"));
    form.append(row, el("p", { class: "wrong", role: "alert" }));
    if (focus) first.focus();
  }
  add() { if (this.card.shape === "units" || this.card.shape === "segments") this.edit(true, true); }
  typed() {
    const v = this.read();
    if (!v || this.adding) return;
    this.value = v;
    this.moved = true;
    this.current();
    this.lanes.show(v);
    this.repaint();
  }
  read() {
    const f = this.form.elements;
    if (this.card.shape === "units") return f.start.value === "" || f.end.value === "" ? null : { start: +f.start.value, end: +f.end.value, label: f.label.value };
    if (this.card.shape === "segments") return +f.position.value;
    if (this.card.shape === "chains") return f.joins.value;
    return f.other && f.other.value !== "" ? f.other.value : f.label.value;
  }
  save() {
    const value = this.read(), split = this.form.elements.split;
    if (value === null) return;
    if (this.merging) this.actions.mergeEntities(value);
    else if (this.adding) this.actions.add(value);
    else if (split && split.value !== "") this.actions.split(value, +split.value);
    else this.actions.decide("label", value);
  }
  leave() {
    this.form.hidden = true;
    $("#title").focus();
  }
  wrong(text) {
    if (this.form.hidden) this.edit(false);
    $(".wrong", this.form).textContent = text;
  }
}
