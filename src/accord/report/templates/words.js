"use strict";
/* The text under the alignment explorer: all annotators together, a line for each below the words, or two of
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
    const fragment = document.createDocumentFragment();
    words.classList.toggle("two", mode.checked);
    if (mode.checked) for (const r of [+left.value, +right.value]) column(fragment, r, r === +left.value ? +right.value : +left.value);
    else together(fragment);
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

  /* every annotator has lanes of his own under each line, however many there are */
  function together(fragment) {
    const [a, b] = part(), there = (w) => !shown.hiddenAnnotators.has(w), first = [];
    let lanes = 0;
    doc.w.forEach((w, r) => { first.push(lanes); if (there(w)) lanes += doc.h[r]; });
    words.style.lineHeight = "calc(1.5em + " + lanes * 5 + "px)";
    const legend = html("p", fragment, undefined, "lanes");
    html("span", legend, "lines below the text, from the top: ");
    html("b", legend, doc.w.filter(there).join(", "));
    pieces(a, b, visible(a, b, (i) => there(doc.w[doc.r[i]])), (piece, on) => {
      if (!on.length) { fragment.append(piece); return; }
      on.sort((i, j) => doc.r[i] - doc.r[j]);
      const span = html("span", fragment, piece);
      span.style.backgroundImage = on.map((i) => { const h = look(doc.l[i])[0]; return `linear-gradient(${h},${h})`; }).join(",");
      span.style.backgroundSize = "100% 4px";
      span.style.backgroundPosition = on.map((i) => "0 calc(100% - " + (lanes - 1 - first[doc.r[i]] - doc.z[i]) * 5 + "px)").join(",");
      span.style.paddingBottom = lanes * 5 + "px";
      if (chosen(on)) span.className = "lit";
      span.title = on.map((i) => doc.w[doc.r[i]] + ": " + called(doc.l[i])).join("\n");
    });
  }

  /* one annotator's version; what is aligned with nothing of the other's is marked as such */
  function column(fragment, r, other) {
    words.style.lineHeight = "";
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
