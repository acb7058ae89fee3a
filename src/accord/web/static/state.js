/* Talking to the server. */

/* the store (and account) that this page was opened on: for another, the server refuses what is meant for this one */
let store = null;
export function setStore(given) { store = given; }

export async function ask(path, body) {
  const options = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const headers = { ...(store === null ? {} : { "Accord-Store": store }), ...(body === undefined ? {} : { "Content-Type": "application/json" }) };
  const answer = await fetch(path, { credentials: "same-origin", cache: "no-store", headers, ...options });
  let content = null;
  try { content = await answer.json(); } catch { content = { error: answer.statusText }; }
  return { status: answer.status, ok: answer.ok, body: content };
}

export async function load(path) {
  const { ok, body, status } = await ask(path);
  if (!ok) throw new Error(body.error || String(status));
  return body;
}

export const itemPath = (id, who) => "/api/items/" + encodeURIComponent(id) + "?who=" + encodeURIComponent(who);

export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

/* Something remembered by this browser; without storage, for as long as the page is open. */
const fallback = new Map();
export const memory = {
  get(key, otherwise = null) {
    try { return JSON.parse(localStorage.getItem("accord:" + key)) ?? otherwise; } catch { return fallback.get(key) ?? otherwise; }
  },
  set(key, value) {
    fallback.set(key, value);
    try { localStorage.setItem("accord:" + key, JSON.stringify(value)); } catch { /* kept in the page */ }
  },
};
