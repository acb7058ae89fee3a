"use strict";
/* The text under the alignment explorer: all annotators together, lanes with their names below each line, or two of
   them side by side, each with the units in the text and what only one of them marked made visible. */
(function () {
  const root = document.getElementById("explorer");
  if (!root || !root.explorer) return;
  const { html, look, called, redraw } = root.explorer;
  const $ = (query) => root.querySelector(query);
  const words = $(".words"), mode = $("#side-by-side"), pair = $(".pair"), left = $("#left-annotator"), right = $("#right-annotator");
  let shown = null, doc = null;

  root.addEventListener("drawn", (event) => {
    shown = event.detail;
    if (doc !== shown.doc) { doc = shown.doc; choices(); }
    $(".beside").hidden = doc.w.length < 2;
    words.hidden = doc.t === undefined && !mode.checked;
    if (words.hidden) return;
    words.classList.toggle("two", mode.checked);
    if (!mode.checked) { together(); return; }
    const fragment = document.createDocumentFragment();
    for (const r of [+left.value, +right.value]) column(fragment, r, r === +left.value ? +right.value : +left.value);
    words.replaceChildren(fragment);
  });
  function choices() {
    const kept = [left, right].map((s) => (s.selectedIndex < 0 ? null : s.options[s.selectedIndex].text));
    [left, right].forEach((select, at) => {
      select.replaceChildren();
      doc.w.forEach((w, r) => { const o = html("option", select, w); o.value = r; });
      const again = doc.w.indexOf(kept[at]);
      select.value = again >= 0 ? again : Math.min(at, doc.w.length - 1);
    });
  }
  const change = () => { pair.hidden = !mode.checked; redraw(); };
  [mode, left, right].forEach((control) => control.addEventListener("change", change));
  document.addEventListener("keydown", (event) => {
    const own = event.target.closest && event.target.closest("input, select, textarea, audio, video");
    if (event.key !== "s" || own || event.ctrlKey || event.metaKey || event.altKey || $(".beside").hidden) return;
    mode.checked = !mode.checked;
    change();
  });

  /* whole words of what is visible, a page of them at most */
  function part() {
    const text = doc.t;
    let a = Math.max(0, Math.floor(shown.view[0])), b = Math.min(text.length, Math.ceil(shown.view[1]), a + 6000);
    while (a > 0 && /\S/.test(text[a - 1])) a--;
    while (b < text.length && /\S/.test(text[b])) b++;
    return [a, b];
  }
  const visible = (a, b, wanted) => doc.s.map((s, i) => i).filter((i) => doc.e[i] > a && doc.s[i] < b && wanted(i) && !shown.hiddenCategories.has(doc.l[i]));
  /* the text cut wherever a unit begins or ends, with the units on each piece */
  function pieces(a, b, units, add) {
    const cuts = [...new Set([a, b, ...units.flatMap((i) => [Math.max(a, doc.s[i]), Math.min(b, doc.e[i])])])].sort((x, y) => x - y);
    for (let c = 1; c < cuts.length; c++) {
      add(doc.t.slice(cuts[c - 1], cuts[c]), units.filter((i) => doc.s[i] < cuts[c] && doc.e[i] > cuts[c - 1]), cuts[c - 1]);
    }
  }
  const chosen = (units) => units.some((i) => shown.group[i].includes(shown.lit));

  /* where the browser breaks the text into lines; asked again only when the part or the room changes */
  let measured = "", broken = [];
  function lines(a, b) {
    const key = [doc.n, a, b, words.clientWidth].join(" ");
    if (key === measured) return broken;
    const ruler = html("div", words, doc.t.slice(a, b), "ruler"), node = ruler.firstChild, range = document.createRange();
    ruler.dir = "auto";
    const tops = (from, to) => { range.setStart(node, from); range.setEnd(node, to); return [...range.getClientRects()].map((box) => box.top); };
    const starts = [0];
    let last = null;
    const see = (from, top) => { if (last !== null && top > last + 3) starts.push(from); if (last === null || top > last + 3) last = top; };
    for (const word of doc.t.slice(a, b).matchAll(/\S+/g)) {
      const found = tops(word.index, word.index + word[0].length);
      if (found.length < 2) { if (found.length) see(word.index, found[0]); continue; }
      // a word over several lines, or a script without spaces
      for (let k = word.index; k < word.index + word[0].length; k++) { const [top] = tops(k, k + 1); if (top !== undefined) see(k, top); }
    }
    ruler.remove();
    measured = key;
    broken = starts.map((from, k) => [a + from, k + 1 < starts.length ? a + starts[k + 1] : b]);
    return broken;
  }
  /* what of a unit is in a line, without its gaps */
  function stretches(i, from, to) {
    let kept = [[Math.max(from, doc.s[i]), Math.min(to, doc.e[i])]];
    for (const [unit, begin, stop] of doc.b || []) {
      if (unit === i) kept = kept.flatMap(([x, y]) => [[x, Math.min(y, begin)], [Math.max(x, stop), y]]).filter(([x, y]) => y > x);
    }
    return kept;
  }

  /* under each line the lanes of those who marked something in it, with their names: as many as it takes */
  function together() {
    const [a, b] = part(), there = (w) => !shown.hiddenAnnotators.has(w), fragment = document.createDocumentFragment(), drawn = [];
    for (const [from, to] of lines(a, b)) {
      const units = visible(from, to, (i) => there(doc.w[doc.r[i]])), line = html("div", fragment, undefined, "line");
      const said = html("div", line, doc.t.slice(from, to).replace(/\s+$/, "") || "\u00a0", "said");
      said.dir = "auto";
      doc.w.forEach((w, r) => {
        const own = units.filter((i) => doc.r[i] === r), used = [...new Set(own.map((i) => doc.z[i]))].sort((x, y) => x - y);
        if (!own.length) return;
        const row = html("div", line, undefined, "row");
        row.style.setProperty("--who", `hsl(${Math.round((360 * r) / doc.w.length)} 60% 50%)`);
        html("span", row, w, "who").title = w;
        const lane = html("div", row, undefined, "lane");
        lane.style.height = used.length * 7 + 3 + "px";
        drawn.push({ said, lane, own, used, from, to });
      });
    }
    words.replaceChildren(fragment);
    // (where letters stand is known once they are on the page)
    const range = document.createRange();
    for (const { said, lane, own, used, from, to } of drawn) {
      const node = said.firstChild, edge = lane.getBoundingClientRect().left, letters = node.data.length;
      for (const i of own) for (const [x, y] of stretches(i, from, to)) {
        range.setStart(node, Math.min(letters, x - from)); range.setEnd(node, Math.min(letters, y - from));
        const place = range.getBoundingClientRect();
        if (!place.width && y > x) continue;
        const bar = html("i", lane, undefined, chosen([i]) ? "lit" : "");
        bar.style.left = place.left - edge + "px"; bar.style.width = Math.max(2, place.width) + "px"; bar.style.top = 2 + 7 * used.indexOf(doc.z[i]) + "px";
        bar.style.background = look(doc.l[i])[0];
        bar.title = doc.w[doc.r[i]] + ": " + called(doc.l[i]);
      }
    }
  }

  /* one annotator's version; what is aligned with nothing of the other's is marked as such */
  function column(fragment, r, other) {
    const box = html("div", fragment, undefined, "version");
    html("h4", box, doc.w[r]);
    const alone = (i) => !shown.group[i].some((k) => doc.k[k].some((j) => doc.r[j] === other));
    if (doc.t === undefined) { listed(box, r, alone); return; }
    const [a, b] = part();
    pieces(a, b, visible(a, b, (i) => doc.r[i] === r), (piece, on, at) => {
      if (!on.length) { box.append(piece); return; }
      const i = on[on.length - 1], [hue, , ink] = look(doc.l[i]);
      const mark = html("mark", box, undefined, (chosen(on) ? "lit" : "") + (on.every(alone) ? " alone" : ""));
      mark.style.setProperty("--hue", hue); mark.style.setProperty("--on-hue", ink);
      mark.title = on.map((j) => called(doc.l[j]) + (alone(j) ? " (" + doc.w[other] + " has nothing here)" : "")).join("\n");
      for (const j of on) if (doc.s[j] === at || at === a) html("b", mark, called(doc.l[j]));
      mark.append(piece);
    });
  }
  /* without a text, the units of the visible part one below the other */
  function listed(box, r, alone) {
    const list = html("ol", box);
    for (const i of visible(shown.view[0], shown.view[1], (j) => doc.r[j] === r).slice(0, 400)) {
      const [hue, , ink] = look(doc.l[i]), item = html("li", list, undefined, (chosen([i]) ? "lit" : "") + (alone(i) ? " alone" : ""));
      const label = html("b", item, called(doc.l[i]));
      label.style.setProperty("--hue", hue); label.style.setProperty("--on-hue", ink);
      html("span", item, " " + root.explorer.tidy(doc.s[i]) + "–" + root.explorer.tidy(doc.e[i]));
    }
  }
})();
