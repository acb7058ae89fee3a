/* Decisions that the server has not acknowledged stay here, in the browser, and are sent again. */
import { ask, memory } from "./state.js";

export class Outbox {
  constructor({ stored, refused, conflict, changed }) {
    Object.assign(this, { stored, refused, conflict, changed });
    this.place = "outbox:" + location.host;
    this.waiting = memory.get(this.place, []);
    this.busy = false;
    window.addEventListener("online", () => this.send());
    setInterval(() => this.send(), 3000);
    this.changed(this.waiting.length);
    this.send();
  }
  put(record) {
    this.waiting.push(record);
    this.keep();
    this.send();
  }
  /* take back what was not sent yet */
  take(key) {
    const at = this.waiting.findIndex((r) => r.key === key);
    if (at < 0 || (at === 0 && this.busy)) return false;
    this.waiting.splice(at, 1);
    this.keep();
    return true;
  }
  keep() {
    memory.set(this.place, this.waiting);
    this.changed(this.waiting.length, this.failing);
  }
  async send() {
    if (this.busy) return;
    this.busy = true;
    try {
      while (this.waiting.length) {
        const record = this.waiting[0];
        let answer;
        try { answer = await ask("/api/decisions", record); } catch { this.failing = true; break; }
        if (answer.status >= 500 || answer.status === 401) { this.failing = true; break; }
        this.failing = false;
        this.waiting.shift();
        this.keep();
        if (answer.status === 201) this.stored(record, answer.body);
        else if (answer.status === 409) this.conflict(record, answer.body);
        else this.refused(record, answer.body);
      }
    } finally {
      this.busy = false;
      this.changed(this.waiting.length, this.failing);
    }
  }
}
