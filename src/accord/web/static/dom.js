/* Making elements; text is always text. */
const NS = "http://www.w3.org/2000/svg";

export function el(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(node.dataset, value);
    else if (key in node && typeof value === "boolean") node[key] = value;
    else node.setAttribute(key, value);
  }
  node.append(...children.filter((c) => c !== null && c !== undefined));
  return node;
}

export function svg(name, attributes = {}, ...children) {
  const node = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

export const $ = (query, root = document) => root.querySelector(query);

/* Okabe and Ito's hues, as in all of accord's drawings. */
const HUES = ["#56B4E9", "#E69F00", "#009E73", "#CC79A7", "#F0E442", "#0072B2", "#D55E00", "#9A9A9A"];
const INK = ["#000", "#000", "#000", "#000", "#000", "#fff", "#000", "#000"];
export function paint(labels, label) {
  const at = labels.indexOf(label);
  return at < 0 ? ["#D7D7D2", "#000"] : [HUES[at % HUES.length], INK[at % INK.length]];
}

export const number = (v) => String(+(+v).toPrecision(12));
