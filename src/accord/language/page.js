"use strict";
/* What scripts write into a page later is translated when it appears, as accord.language does in Python:
   whole sentences, sentences with gaps, numbers. Needs accordWords: {words: {english: french}, keep: [names]}. */
(function () {
  const words = new Map(Object.entries(accordWords.words)), keep = new Set(accordWords.keep);
  const letters = /\p{L}{2,}/u, gap = /\{([a-z]\w*)\}/g, gapped = [], known = new Map();
  const cuts = [/((?<=[.!?]) |\n+)/, /((?<=[;:]) )/, /(, )/];
  const verbatim = "script, style, code, pre, textarea, kbd, [translate=no]";
  for (const [english, french] of words) {
    if (english.search(/\{[a-z]\w*\}/) < 0) continue;
    const names = [];
    const pattern = english.split(/\{[a-z]\w*\}/).map((s) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    for (const found of english.matchAll(gap)) names.push(found[1]);
    gapped.push([english.replace(gap, "").length, new RegExp("^" + pattern.join("([^]+?)") + "$"), names, french]);
  }
  gapped.sort((a, b) => b[0] - a[0]);
  const number = (text) => text
    .replace(/\[([^,[\]]*\d(?:\s?%)?), ([^[\]]*\d(?:\s?%)?)\]/g, "[$1\u00a0; $2]")
    .replace(/(?<![\w.|:-])([-−+±]?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w|]|\.\d)(\s?%)?/g, (_, sign, whole, rest, percent) =>
      sign + whole.replaceAll(",", "\u202f") + (rest || "").replace(".", ",") + (percent ? "\u202f%" : ""))
    .replace(/(?<![\w.])([-−+±]?)(\.\d+)(?![\w.])/g, (_, sign, rest) => sign + "0," + rest.slice(1));
  function find(text, pieces) {
    if (keep.has(text)) return text;
    if (words.has(text)) return words.get(text);
    if (/^“[^”]*”$/.test(text)) return text;
    if (!letters.test(text)) return number(text);
    if (text.includes(" · ")) {
      const known = text.split(" · ").map((part) => find(part, true));
      return known.includes(null) ? null : known.join(" · ");
    }
    for (const [own, pattern, names, french] of gapped) {
      const found = text.match(pattern);
      if (!found || (own < 14 && found.slice(1).some((f) => /\s/.test(f) && find(f, false) === null))) continue;
      const filled = {};
      names.forEach((name, i) => { filled[name] = fill(found[i + 1]); });
      return french.replace(gap, (_, name) => filled[name]);
    }
    const fact = text.match(/^(.+?) ([-−+±]?[\d.,]+\s?%?)$/);
    if (fact && (words.has(fact[1]) || keep.has(fact[1]))) return (words.get(fact[1]) || fact[1]) + " " + number(fact[2]);
    if (!pieces) return null;
    for (const [level, cut] of cuts.entries()) {
      const parts = text.split(cut);
      if (parts.length < 2) continue;
      const out = parts.map((part, i) => (i % 2 || !part ? part : find(part, level < cuts.length - 1)));
      if (!out.includes(null)) return out.join("").replace(/(?<=[^\s\d])([:;!?])(?= |$)/g, "\u00a0$1");
    }
    return null;
  }
  function fill(text) { const found = find(text, true); return found === null ? number(text) : found; }
  function translate(text) {
    const inner = text.trim();
    if (!inner) return text;
    const plain = inner.replace(/\s+/g, " ");
    if (!known.has(plain)) {
      const found = find(plain, true);
      if (found === null) missing.add(plain);
      known.set(plain, found === null ? plain : found.replace(/“([^”]*)”/g, "«\u00a0$1\u00a0»"));
    }
    const made = known.get(plain);
    return made === plain ? text : text.replace(inner, () => made);
  }
  // what the catalogue does not know: names of the data, or sentences to translate
  const written = new WeakMap(), missing = new Set();
  function node(text) {
    if (!text.parentElement || text.parentElement.closest(verbatim) || written.get(text) === text.data) return;
    const made = translate(text.data);
    written.set(text, made);
    if (made !== text.data) text.data = made;
  }
  const shown = ["title", "aria-label", "placeholder", "alt"];
  function attribute(element, name) {
    const value = element.getAttribute(name);
    if (value === null || element.closest(verbatim)) return;
    const made = translate(value);
    if (made !== value && !words.has(made)) element.setAttribute(name, made);
  }
  function all(root) {
    if (root.nodeType === Node.TEXT_NODE) { node(root); return; }
    if (root.nodeType !== Node.ELEMENT_NODE) return;
    shown.forEach((name) => attribute(root, name));
    for (const element of root.querySelectorAll(shown.map((n) => "[" + n + "]").join())) shown.forEach((n) => attribute(element, n));
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) node(text);
  }
  window.accordTranslate = Object.assign(translate, { missing });
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === "characterData") node(change.target);
      else if (change.type === "attributes") attribute(change.target, change.attributeName);
      else change.addedNodes.forEach(all);
    }
  }).observe(document.documentElement, { childList: true, subtree: true, characterData: true, attributes: true, attributeFilter: shown });
})();
