"use strict";
/* The text of a document: the entities of the first side above the words, those of the second below. One
   colour is one entity on both sides where they are aligned; nested mentions have a line each. */
(function () {
  const root = document.getElementById("chains");
  if (!root || !root.chains) return;
  const { html, tell, data, plural, pair } = root.chains;
  const $ = (query) => root.querySelector(query);
  const reading = $(".reading"), details = $(".details"), pages = $(".pages");
  const sides = [$("#side-first"), $("#side-second")], only = $("#only-differing");
  const PAGE = 1500, LANES = 5, STEP = 5;
  let doc = null, text = null, shown = [], page = 0, units = [], pinned = null;

  root.addEventListener("opened", (event) => { ({ doc, text } = event.detail); page = 0; pinned = null; units = places(); explain(null); });
  root.addEventListener("drawn", (event) => { shown = event.detail.shown; draw(); });
  root.addEventListener("lit", (event) => {
    const { side, mention, scroll } = event.detail;
    pinned = event.detail;
    const own = side ? doc.r : doc.k;
    if (text && Array.isArray(own.m[mention])) {
      const there = Math.floor(units.findIndex((u) => u[0] >= own.m[mention][0]) / PAGE);
      if (there !== page && there >= 0) { page = there; draw(); }
    }
    light(event.detail, scroll);
    explain(event.detail);
  });

  /* words, and the empty nodes that are mentions, in order */
  function places() {
    if (!text) return [];
    const found = text.map((word, i) => [i, word]);
    const empty = new Set();
    for (const side of [doc.k, doc.r]) for (const m of side.m) {
      if (Array.isArray(m)) for (let i = 0; i < m.length; i += 2) if (m[i] % 1) empty.add(m[i]);
    }
    return [...found, ...[...empty].map((at) => [at, "∅"])].sort((a, b) => a[0] - b[0]);
  }
  const covers = (m, at) => { for (let i = 0; i < m.length; i += 2) if (m[i] <= at && at < m[i + 1]) return true; return false; };
  const first = (m) => m[0], last = (m) => m[m.length - 1];

  /* lanes: the longest mention lies farthest from the words */
  function lanes(side, wanted) {
    const order = side.m.map((m, i) => i).filter((i) => Array.isArray(side.m[i]) && wanted(i))
      .sort((a, b) => last(side.m[a]) - first(side.m[a]) - (last(side.m[b]) - first(side.m[b])));
    const taken = [], lane = new Map();
    for (const i of order) {
      let l = 0;
      while (taken[l] && taken[l].some(([s, e]) => s < last(side.m[i]) && first(side.m[i]) < e)) l++;
      (taken[l] = taken[l] || []).push([first(side.m[i]), last(side.m[i])]);
      lane.set(i, Math.min(l, LANES - 1));
    }
    return lane;
  }
  function draw() {
    if (!doc) return;
    reading.replaceChildren();
    pages.hidden = true;
    if (!text) { html("p", reading, "The words of this document are not known: its entities are below.", "aside"); return; }
    const differing = [new Set(), new Set()];
    for (const e of shown) for (const m of e.m) {
      differing[e.s].add(m);
      const twin = (e.s ? doc.r : doc.k).p[m];
      if (twin >= 0) differing[1 - e.s].add(twin);
    }
    const own = [doc.k, doc.r], kept = own.map((side, s) => lanes(side, (i) => sides[s].checked && (!only.checked || differing[s].has(i))));
    const from = page * PAGE, part = units.slice(from, from + PAGE);
    const low = part.length ? part[0][0] : 0, high = part.length ? part[part.length - 1][0] : 0;
    const near = own.map((side, s) => [...kept[s].keys()].filter((i) => first(side.m[i]) <= high && last(side.m[i]) > low));
    const starts = own.map((side, s) => { const map = new Map(); for (const i of near[s]) { const a = first(side.m[i]); if (!map.has(a)) map.set(a, []); map.get(a).push(i); } return map; });
    const p = html("p", reading);
    let open = [[], []], before = null;
    for (const [at, word] of part) {
      const now = own.map((side, s) => {
        const still = open[s].filter((i) => last(side.m[i]) > at);
        return [...still, ...(starts[s].get(at) || (before === null ? near[s].filter((i) => first(side.m[i]) < at && last(side.m[i]) > at) : []))];
      });
      if (before !== null) {
        const across = own.map((side, s) => now[s].filter((i) => open[s].includes(i) && covers(side.m[i], at) && covers(side.m[i], before)));
        piece(p, " ", across, kept);
      }
      const here = own.map((side, s) => now[s].filter((i) => covers(side.m[i], at)));
      for (const i of here[0]) if (first(doc.k.m[i]) === at) label(p, "sup", doc.k, i);
      const node = piece(p, word, here, kept);
      node.dataset.at = at;
      for (const i of here[1]) if (last(doc.r.m[i]) <= (at % 1 ? at + 0.02 : at + 1)) label(p, "sub", doc.r, i);
      open = now; before = at;
    }
    pages.hidden = units.length <= PAGE;
    pages.querySelector("span").textContent = "words " + (low + 1) + " to " + Math.floor(high + 1) + " of " + text.length;
    if (pinned) light(pinned, false);
  }
  function label(parent, name, side, i) {
    const node = html(name, parent, side.l[side.n[i]]);
    node.setAttribute("aria-hidden", "true");
  }
  function piece(parent, word, here, kept) {
    const node = html("span", parent, word);
    if (!here[0].length && !here[1].length) return node;
    node.className = "piece";
    node.dataset.k = here[0].join(" "); node.dataset.r = here[1].join(" ");
    const images = [], positions = [];
    here.forEach((members, s) => {
      const side = s ? doc.r : doc.k;
      for (const i of members) {
        const [hue] = data.looks[side.c[side.n[i]] % data.looks.length], alone = side.p[i] < 0;
        images.push(alone ? "repeating-linear-gradient(90deg," + hue + " 0 4px,transparent 4px 7px)" : "linear-gradient(" + hue + "," + hue + ")");
        const off = STEP * kept[s].get(i);
        positions.push(s ? "0 calc(100% - " + (LANES * STEP - STEP - off) + "px)" : "0 " + (LANES * STEP - STEP - off) + "px");
      }
    });
    node.style.backgroundImage = images.join(",");
    node.style.backgroundPosition = positions.join(",");
    node.style.backgroundSize = images.map(() => "100% 3px").join(",");
    node.style.paddingTop = node.style.paddingBottom = LANES * STEP - 3 + "px";
    return node;
  }

  /* the entity of a mention, with the one that is aligned with it */
  function entities(choice) {
    const own = choice.side ? doc.r : doc.k, colour = own.c[own.n[choice.mention]];
    return [doc.k, doc.r].map((side) => new Set(side.m.map((m, i) => i).filter((i) => side.c[side.n[i]] === colour)));
  }
  function light(choice, scroll) {
    const members = choice && entities(choice);
    const chosen = choice ? new Set(choice.mentions || [choice.mention]) : new Set();
    let target = null;
    for (const node of reading.querySelectorAll(".piece")) {
      const held = ["k", "r"].map((s) => (node.dataset[s] ? node.dataset[s].split(" ").map(Number) : []));
      const here = !!choice && held[choice.side].some((i) => chosen.has(i));
      node.classList.toggle("here", here);
      node.classList.toggle("lit", !here && !!choice && held.some((own, s) => own.some((i) => members[s].has(i))));
      if (here && !target) target = node;
    }
    if (scroll && target) reading.scrollTop = target.offsetTop - reading.clientHeight / 3;
    tell("entity", choice && { side: choice.side, entity: (choice.side ? doc.r : doc.k).n[choice.mention], scroll });
  }
  function explain(choice) {
    details.replaceChildren();
    if (!choice) { html("p", details, text ? "Point at a mention, or press n, to see its entity on both sides." : "Choose a mention below to see its entity on both sides.", "aside"); return; }
    const p = html("p", details);
    const names = [pair().a, pair().b], own = choice.side ? doc.r : doc.k, other = choice.side ? doc.k : doc.r;
    html("b", p, "“" + own.x[choice.mention] + "”");
    if (own.y[choice.mention]) html("span", p, " " + own.y[choice.mention], "aside");
    const twin = own.p[choice.mention];
    [[own, choice.mention, names[choice.side]], [other, twin, names[1 - choice.side]]].forEach(([side, i, name]) => {
      const line = html("p", details);
      html("span", line, name + ": ", "aside");
      if (i < 0) { html("span", line, "not a mention", "none"); return; }
      badge(line, side, side.n[i]);
      if (side === other && side.x[i] !== own.x[choice.mention]) html("span", line, "“" + side.x[i] + "” with ", "quote");
      const rest = root.chains.together(side, side.n[i], [i]);
      html("span", line, rest.length ? root.chains.quoted(side, rest) : "alone");
      html("span", line, " (" + plural(rest.length + 1, "mention") + ")", "aside");
    });
    const errors = doc.e.filter((e) => (e.s === choice.side && e.m.includes(choice.mention)) || (e.s !== choice.side && e.m.includes(twin)));
    if (errors.length) html("p", details, [...new Set(errors.map((e) => data.classes[e.c] + ": " + data.meanings[e.c]))].join("; "), "none");
  }
  function badge(parent, side, entity) {
    const node = html("span", parent, side.l[entity], "badge"), look = data.looks[side.c[entity] % data.looks.length];
    node.style.setProperty("--hue", look[0]); node.style.setProperty("--on-hue", look[1]);
    return node;
  }
  root.chains.badge = badge;

  /* the innermost mention under the pointer */
  function under(event) {
    const node = event.target.closest && event.target.closest(".piece");
    if (!node) return null;
    const found = [];
    ["k", "r"].forEach((s, side) => { if (node.dataset[s]) for (const i of node.dataset[s].split(" ").map(Number)) found.push({ side, mention: i }); });
    const size = (f) => { const m = (f.side ? doc.r : doc.k).m[f.mention]; return last(m) - first(m); };
    return found.sort((a, b) => size(a) - size(b) || a.side - b.side)[0] || null;
  }
  reading.addEventListener("mouseover", (event) => {
    const found = under(event);
    if (!pinned && found) { light(found, false); explain(found); }
  });
  reading.addEventListener("mouseleave", () => { if (!pinned) { light(null, false); explain(null); } });
  reading.addEventListener("click", (event) => { pinned = under(event); light(pinned, false); explain(pinned); });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest && event.target.closest("input[type=search], select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") { pinned = null; light(null, false); explain(null); }
    if (event.key === "1" || event.key === "2") { const box = sides[+event.key - 1]; box.checked = !box.checked; draw(); }
  });
  for (const control of [...sides, only]) control.addEventListener("change", draw);
  pages.addEventListener("click", (event) => {
    const way = { earlier: -1, later: 1 }[event.target.dataset && event.target.dataset.do];
    if (way) { page = Math.min(Math.max(0, page + way), Math.ceil(units.length / PAGE) - 1); draw(); reading.scrollTop = 0; }
  });
})();
