/* Decisions that the server has not acknowledged stay here, in the browser, and are sent again.
   Each is a record of its own, kept for the store (and the account) it was made for, whatever is served at
   this address. The tab that made it sends it; what a tab that was closed left is sent by another. */
import { ask, newKey } from "./state.js";

const PREFIX = "accord:unsent:", TAB = "accord:tab:";
/* answers that end a decision's wait: it is stored, or can never be, for what it says */
const ENDS = new Set([201, 400, 409, 413, 422]);

export class Outbox {
  constructor({ store, title, stored, refused, conflict, changed }) {
    Object.assign(this, { store, title, stored, refused, conflict, changed, busy: false, sending: null, problem: null });
    this.tab = newKey();
    this.made = Date.now();
    /* key → what this tab waits for, in the browser's storage too where that has room */
    this.own = new Map();
    if (navigator.locks) navigator.locks.request(TAB + this.tab, () => new Promise(() => {}));
    addEventListener("online", () => this.send());
    addEventListener("storage", () => this.tell());
    addEventListener("beforeunload", (event) => { if (this.loose) event.preventDefault(); });
    setInterval(() => this.send(), 3000);
    this.send();
  }
  put(record) {
    this.keep({ record, store: this.store, title: this.title, tab: this.tab, made: (this.made = Math.max(this.made + 1, Date.now())) });
    this.tell();
    this.send();
  }
  keep(entry) {
    this.own.set(entry.record.key, entry);
    try { localStorage.setItem(PREFIX + entry.store + ":" + entry.record.key, JSON.stringify(entry)); entry.loose = false; } catch { entry.loose = true; }
  }
  drop(key) {
    this.own.delete(key);
    try { localStorage.removeItem(PREFIX + this.store + ":" + key); } catch { /* it was never there */ }
    this.tell();
  }
  /* take back what was not sent yet */
  take(key) {
    if (!this.own.has(key) || this.sending === key) return false;
    this.drop(key);
    return true;
  }
  get loose() { return [...this.own.values()].some((entry) => entry.loose); }
  /* everything that waits in this browser, for this store and for others */
  all() {
    const found = new Map();
    let places = [];
    try { places = Object.keys(localStorage).filter((place) => place.startsWith(PREFIX)); } catch { /* no storage */ }
    for (const place of places) {
      try { const entry = JSON.parse(localStorage.getItem(place)); found.set(entry.record.key, entry); } catch { /* not one of ours, or sent just now */ }
    }
    for (const [key, entry] of this.own) found.set(key, entry);
    return [...found.values()].sort((a, b) => a.made - b.made);
  }
  tell() {
    const all = this.all();
    this.changed({ waiting: all.filter((e) => e.store === this.store), elsewhere: all.filter((e) => e.store !== this.store), problem: this.problem, loose: this.loose });
  }
  /* what tabs that are no longer there left */
  async adopt() {
    if (!this.all().some((e) => e.store === this.store && !this.own.has(e.record.key))) return;
    const take = async () => {
      const held = navigator.locks ? (await navigator.locks.query()).held : [], open = new Set(held.map((lock) => lock.name));
      for (const entry of this.all()) {
        if (entry.store === this.store && !this.own.has(entry.record.key) && !open.has(TAB + entry.tab)) this.keep({ ...entry, tab: this.tab });
      }
    };
    if (navigator.locks) await navigator.locks.request(PREFIX + this.store, take); else await take();
  }
  async send() {
    if (this.busy) return;
    this.busy = true;
    try {
      await this.adopt();
      for (let entry; (entry = [...this.own.values()].sort((a, b) => a.made - b.made)[0]);) {
        const { record } = entry;
        let answer;
        this.sending = record.key;
        try { answer = await ask("/api/decisions", record); } catch { this.problem = ""; break; }
        if (!ENDS.has(answer.status)) { this.problem = answer.body.error || String(answer.status); break; }
        this.problem = null;
        /* it waits until whoever made it has seen what became of it */
        if (answer.status === 201) this.stored(record, answer.body);
        else if (answer.status === 409) await this.conflict(record, answer.body);
        else await this.refused(record, answer.body);
        this.drop(record.key);
      }
    } finally {
      this.busy = false;
      this.sending = null;
      this.tell();
    }
  }
}
