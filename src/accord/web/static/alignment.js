/* The alignment explorer beside a card: one frame per document, told which group the card is about. */
import { $, el } from "./dom.js";
import { memory } from "./state.js";

const LEAST = 220, MOST = 620;

export class Alignment {
  constructor(box, { unit, leave }) {
    Object.assign(this, { box, unit, leave, frame: null, document: null, wanted: null, opened: false });
    this.details = el("details", { open: memory.get("alignment", true) }, el("summary", {}, el("kbd", {}, "v"), " the alignment in its document"));
    this.details.addEventListener("toggle", () => { memory.set("alignment", this.details.open); this.load(); });
    box.append(this.details);
    addEventListener("message", (event) => {
      if (!this.frame || event.source !== this.frame.contentWindow || event.origin !== location.origin || !event.data) return;
      const said = event.data;
      if (said.accord === "opened") { this.opened = true; this.point(); }
      else if (said.accord === "size") this.frame.style.height = Math.min(MOST, Math.max(LEAST, said.height)) + "px";
      else if (said.accord === "unit" && this.wanted && said.document === this.document && said.group === this.wanted.group) this.unit(said);
      else if (said.accord === "leave") this.leave();
    });
  }
  /* a card without a group of its own (ratings, added units, blind work) has no alignment to show */
  show(card) {
    this.wanted = card && card.group !== undefined && card.group !== null ? { document: card.document, group: card.group } : null;
    this.box.hidden = !this.wanted;
    this.load();
  }
  load() {
    if (!this.wanted || !this.details.open) return;
    if (this.document !== this.wanted.document) {
      this.document = this.wanted.document;
      this.opened = false;
      if (this.frame) this.frame.remove();
      this.frame = el("iframe", { title: "The alignment of " + this.document, src: "/document?embedded=1&name=" + encodeURIComponent(this.document) });
      this.details.append(this.frame);
    } else this.point();
  }
  point() {
    if (this.opened && this.wanted) this.frame.contentWindow.postMessage({ accord: "choose", ...this.wanted }, location.origin);
  }
  focus() {
    if (this.box.hidden) return;
    this.details.open = true;
    this.load();
    this.frame.focus();
  }
}
