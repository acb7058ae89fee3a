"use strict";
/* The alignment explorer. Each document: n name, w annotators, s starts, e ends, l labels (-1: none),
   r rows, z lanes, h lanes of each row, k unitary alignments (unit numbers), d their disorders,
   o disorder (q of the relations), g gap, x extent, t text, b gaps within units [unit, from, to],
   a relations [from, to, label], m recording (f address, v film, s seconds, p loudness 0–99).
   The text (words.js) and the recording (recording.js) are drawn by listeners to "drawn", which says what is
   shown, and "chosen", which says from where to where the chosen alignment goes. */
(function () {
  const root = document.getElementById("explorer");
  if (!root) return;
  const data = JSON.parse(document.getElementById("explorer-data").textContent);
  const $ = (query) => root.querySelector(query);
  const list = $(".documents ol"), canvas = $(".canvas"), plane = $(".plane svg");
  const overview = $(".overview"), details = $(".details");
  const slider = $("#least-disorder");
  const LANE = 24, LINK = 26, GUTTER = 110, STRIP = 46, AXIS = 26;
  const NS = "http://www.w3.org/2000/svg";
  const patterns = ["", "stripes", "dots", "grid"];
  const hiddenCategories = new Set(), hiddenAnnotators = new Set();
  let doc = null, group = [], view = [0, 1], lit = -1, pinned = false, waiting = false;
  const most = Math.max(1e-9, ...data.documents.map((d) => Math.max(0, ...d.d)));
  /* the disorder that documents are listed by: of the relations where there are some */
  const main = (d) => (d.q === undefined ? d.o : d.q);
  const most_o = Math.max(1e-9, ...data.documents.map((d) => main(d) || 0));
  const disorder = (d) => (main(d) === null ? "no unit" : main(d).toFixed(3));

  function svg(name, attributes, parent, text) {
    const node = document.createElementNS(NS, name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    if (text !== undefined) node.textContent = text;
    if (parent) parent.appendChild(node);
    return node;
  }
  function html(name, parent, text, className) {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    if (parent) parent.appendChild(node);
    return node;
  }
  function heat(share) {
    const t = Math.min(1, Math.max(0, share)), a = [138, 146, 153], b = [213, 94, 0];
    return "rgb(" + a.map((v, i) => Math.round(v + (b[i] - v) * t)).join(",") + ")";
  }
  const look = (label) => (label < 0 ? data.bare : data.looks[label]);
  const called = (label) => (label < 0 ? "no label" : data.categories[label]);
  /* a name loses its middle: its end tells it from others */
  const short = (text, room) => {
    if (text.length <= room) return text;
    const left = Math.max(1, room - 1), tail = left < 4 ? 0 : Math.floor(left / 2);
    return text.slice(0, left - tail) + "…" + (tail ? text.slice(-tail) : "");
  };
  const scale = { s: 1, ms: 1000 }[data.time];
  /* minutes and seconds where the axis is time */
  function tidy(v) {
    if (!scale) return String(+v.toPrecision(7));
    const seconds = v / scale, whole = Math.floor(seconds), rest = (seconds - whole).toFixed(3).replace(/0+$/, "").slice(1);
    const two = (n) => String(n).padStart(2, "0"), hours = Math.floor(whole / 3600);
    return (hours ? hours + ":" + two(Math.floor(whole / 60) % 60) : Math.floor(whole / 60)) + ":" + two(whole % 60) + (rest === "." ? "" : rest);
  }

  /* documents */
  function listDocuments() {
    const wanted = $("#find-document").value.trim().toLowerCase(), order = $("#order-documents").value;
    const found = data.documents.filter((d) => d.n.toLowerCase().includes(wanted));
    if (order === "name") found.sort((a, b) => a.n.localeCompare(b.n, undefined, { numeric: true }));
    else if (order === "units") found.sort((a, b) => b.s.length - a.s.length);
    else found.sort((a, b) => (main(b) || 0) - (main(a) || 0));
    list.replaceChildren();
    for (const d of found.slice(0, 300)) {
      const button = html("button", html("li", list));
      button.type = "button";
      html("span", button, d.n, "name").title = d.n;
      html("span", button, disorder(d), "amount");
      const bar = html("i", html("span", button, undefined, "meter"));
      bar.style.width = (100 * main(d)) / most_o + "%";
      bar.style.background = heat(main(d) / most_o);
      button.setAttribute("aria-label", d.n + ", disorder " + disorder(d));
      if (d === doc) button.setAttribute("aria-current", "true");
      button.addEventListener("click", () => open(d));
    }
    $(".documents [role=status]").textContent = found.length > 300
      ? "The first 300 of " + found.length + "; type a name to find others."
      : found.length + (found.length === 1 ? " document" : " documents");
    return found;
  }

  function open(d) {
    const first = doc === null;
    doc = d; lit = -1; pinned = false; view = start(d);
    group = d.s.map(() => []);
    d.k.forEach((members, k) => members.forEach((i) => group[i].push(k)));
    const alone = d.k.filter((m) => m.length === 1).length;
    $(".title").textContent = d.n;
    const of = d.q === undefined ? "" : "disorder of the relations " + disorder(d) + " · ";
    $(".about").textContent = of + (d.o === null ? "nobody marked a unit here" : (of ? "of the units " : "disorder ") + d.o.toFixed(3)) + (d.o === null ? "" : d.g > 0 ? " (within " + d.g.toPrecision(2) + " of the best)" : " (proven best)") +
      " · " + d.s.length + " units at " + d.k.length + " places · " + alone + " alone";
    for (const b of list.querySelectorAll("button")) {
      if (b.querySelector(".name").textContent === d.n) b.setAttribute("aria-current", "true");
      else b.removeAttribute("aria-current");
    }
    $(".relations").hidden = !d.a;
    filters();
    explain(-1);
    draw();
    if (window.parent !== window) window.parent.postMessage({ accord: "opened", document: d.n, first }, "*");
  }

  /* a notebook that holds this page in a frame may ask for a document */
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || !event.data || event.data.accord !== "open") return;
    const wanted = data.documents.find((d) => d.n === event.data.document);
    if (wanted && wanted !== doc) open(wanted);
  });
  /* a card that holds this page in a frame says which alignment it is about */
  window.addEventListener("message", (event) => {
    if (event.source !== window.parent || event.origin !== location.origin || !event.data || event.data.accord !== "choose") return;
    const wanted = data.documents.find((d) => d.n === event.data.document), k = event.data.group;
    if (!wanted || !wanted.k[k]) return;
    if (wanted !== doc) open(wanted);
    const low = Math.min(...doc.k[k].map((i) => doc.s[i])), high = Math.max(...doc.k[k].map((i) => doc.e[i]));
    const room = Math.max(1.5 * (high - low), (doc.x[1] - doc.x[0]) / Math.max(1, doc.k.length));
    look_at(low - room, high + room);
    lit = -1;
    pinned = true;
    explain(k);
  });
  /* a page opened from a file, or a notebook kept as one, has no origin: there is no card to tell */
  const toCard = (said) => { if (window.parent !== window && location.origin !== "null") window.parent.postMessage(said, location.origin); };

  /* a long document opens on its first forty alignments; the overview shows the rest */
  function start(d) {
    const [low, high] = d.x;
    if (d.k.length <= 60) return [low, high];
    // a part of it, from where the first unit is: people may have begun late
    const wide = ((high - low) * 40) / d.k.length, first = d.s.reduce((least, s) => Math.min(least, s), high);
    const from = first < low + wide / 2 ? low : Math.min(first - wide / 20, high - wide);
    return [from, from + wide];
  }

  /* filters */
  function filters() {
    const counts = new Map();
    doc.l.forEach((l) => counts.set(l, (counts.get(l) || 0) + 1));
    fill($("#filter-categories"), [...counts.keys()].sort((a, b) => a - b).map((l) => [l, called(l), counts.get(l)]), hiddenCategories, true);
    fill($("#filter-annotators"), doc.w.map((w) => [w, w]), hiddenAnnotators, false);
  }
  function fill(box, entries, hidden, coloured) {
    box.querySelectorAll("label").forEach((l) => l.remove());
    for (const [key, name, count] of entries) {
      const label = html("label", box), input = html("input", label);
      input.type = "checkbox"; input.checked = !hidden.has(key);
      input.addEventListener("change", () => { input.checked ? hidden.delete(key) : hidden.add(key); draw(); });
      if (coloured) {
        const s = svg("svg", { class: "swatch", viewBox: "0 0 13 13", "aria-hidden": "true" }, label);
        box2(s, 0, 0, 13, 13, look(key), 2);
      }
      html("span", label, short(name, 28)).title = name;
      if (count) html("span", label, count, "amount");
    }
    if (entries.length > 4) {
      const label = html("label", box), every = html("button", label, hidden.size ? "all" : "none", "every");
      every.type = "button";
      every.setAttribute("aria-label", (hidden.size ? "Show all " : "Hide all ") + (coloured ? "categories" : "annotators"));
      every.addEventListener("click", () => { if (hidden.size) hidden.clear(); else entries.forEach(([key]) => hidden.add(key)); filters(); draw(); });
    }
  }
  function box2(parent, x, y, w, h, style, rx, extra) {
    svg("rect", { x, y, width: w, height: h, rx, fill: style[0], class: "box" + (extra || "") }, parent);
    if (style[1]) svg("rect", { x, y, width: w, height: h, rx, fill: "url(#x-" + patterns[style[1]] + ")" }, parent);
  }

  /* drawing */
  const least = () => (slider.value / 100) * most;
  const faint = (k) => doc.d[k] < least();
  function draw() { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; paint(); }); } }
  function paint() {
    if (!doc) return;
    const width = Math.max(320, canvas.clientWidth), rows = doc.w.map((w, i) => i).filter((i) => !hiddenAnnotators.has(doc.w[i]));
    const gutter = width < 560 ? 64 : GUTTER;
    const px = (v) => gutter + ((v - view[0]) / (view[1] - view[0])) * (width - gutter - 12);
    const tops = {};
    let y = doc.a ? 26 : 12;
    for (const r of rows) { tops[r] = y; y += LANE * doc.h[r] + LINK; }
    const letters = doc.t !== undefined && (width - gutter) / (view[1] - view[0]) >= 6;
    const base = y - LINK + 6 + (letters ? 20 : 0), height = base + AXIS + STRIP;
    const canvasNode = document.createDocumentFragment();
    const behind = svg("g", {}, canvasNode), links = svg("g", {}, canvasNode), boxes = svg("g", {}, canvasNode), front = svg("g", {}, canvasNode);
    for (const r of rows) {
      svg("rect", { x: gutter, y: tops[r] - 2, width: width - gutter - 12, height: LANE * doc.h[r] + 2, rx: 3, class: "row" }, behind);
    }
    const seen = (i) => doc.e[i] >= view[0] && doc.s[i] <= view[1];
    const shownGroups = [];
    const dense = doc.k.length * (view[1] - view[0]) / (doc.x[1] - doc.x[0]) > width / 4;
    doc.k.forEach((members, k) => {
      const there = members.filter((i) => tops[doc.r[i]] !== undefined);
      if (!there.some(seen)) return;
      shownGroups.push([k, there]);
      const dim = faint(k) || there.every((i) => hiddenCategories.has(doc.l[i]));
      for (let m = 1; m < there.length; m++) {
        const i = there[m - 1], j = there[m];
        const x1 = px((doc.s[i] + doc.e[i]) / 2), x2 = px((doc.s[j] + doc.e[j]) / 2);
        const y1 = tops[doc.r[i]] + LANE * doc.z[i] + LANE - 3, y2 = tops[doc.r[j]] + LANE * doc.z[j], half = (y1 + y2) / 2;
        const attributes = { d: `M${x1.toFixed(1)},${y1}C${x1.toFixed(1)},${half} ${x2.toFixed(1)},${half} ${x2.toFixed(1)},${y2}`, stroke: heat(doc.d[k] / most), class: "link" + (dim ? " dim" : "") + (k === lit ? " lit" : "") };
        if (rows.indexOf(doc.r[j]) - rows.indexOf(doc.r[i]) > 1) attributes["stroke-dasharray"] = "3 3";
        if (dense) attributes["stroke-width"] = 0.6;
        svg("path", attributes, links);
      }
    });
    for (let i = 0; i < doc.s.length; i++) {
      const top = tops[doc.r[i]];
      if (top === undefined || !seen(i)) continue;
      const x = px(doc.s[i]), w = Math.max(1.5, px(doc.e[i]) - x), uy = top + LANE * doc.z[i], style = look(doc.l[i]);
      const alone = group[i].every((k) => doc.k[k].length === 1);
      const dim = hiddenCategories.has(doc.l[i]) || group[i].every(faint);
      const g = svg("g", { class: "unit" + (dim ? " dim" : "") + (group[i].includes(lit) ? " lit" : ""), "data-unit": i }, boxes);
      box2(g, x.toFixed(1), uy, w.toFixed(1), LANE - 3, style, Math.min(3, w / 3), alone ? " alone" : "");
      for (const [, begin, stop] of (doc.b || []).filter((gap) => gap[0] === i)) {
        // what a unit leaves out is a thin line
        for (const low of [-1, (LANE - 3) / 2 + 2]) svg("rect", { x: px(begin).toFixed(1), y: uy + low, width: Math.max(0, px(stop) - px(begin)).toFixed(1), height: (LANE - 7) / 2, class: "gap" }, g);
      }
      const from = Math.max(x, gutter), to = Math.min(x + w, width - 12), room = Math.floor((to - from - 6) / 6.6);
      if (room >= 3 && doc.l[i] >= 0) {
        svg("text", { x: (from + to) / 2, y: uy + 15, "text-anchor": "middle", class: "small", style: `fill:${style[2]};stroke:${style[0]};stroke-width:3px;paint-order:stroke` }, g, short(called(doc.l[i]), room));
      }
    }
    if (doc.a && $("#show-relations").checked) relations(boxes, px, tops, seen);
    if (letters) {
      let a = Math.max(0, Math.ceil(view[0])), b = Math.min(doc.t.length, Math.floor(view[1]));
      const inside = (k) => k > 0 && k < doc.t.length && /\S/.test(doc.t[k - 1]) && /\S/.test(doc.t[k]), whole = [a, b];
      // half a word at an edge reads like another word
      while (a < b && inside(a)) a++;
      while (b > a && inside(b)) b--;
      if (a === b) [a, b] = whole;
      svg("text", { x: px(a), y: base - 7, class: "letters", textLength: px(b) - px(a) }, boxes, doc.t.slice(a, b).replace(/\s/g, "\u00a0"));
    }
    // what lies left of the plane must not show through the names
    svg("rect", { x: 0, y: 0, width: gutter - 1, height, class: "paper" }, front);
    svg("rect", { x: width - 12, y: 0, width: 12, height, class: "paper" }, front);
    for (const r of rows) {
      svg("text", { x: gutter - 10, y: tops[r] + (LANE * doc.h[r]) / 2 + 3, "text-anchor": "end" }, front, short(doc.w[r], gutter < 80 ? 7 : 15));
    }
    axis(front, px, base, width, gutter);
    strip(front, shownGroups, px, base + AXIS, gutter, width, dense);
    plane.replaceChildren(canvasNode);
    definitions();
    plane.setAttribute("viewBox", `0 0 ${width} ${height}`);
    plane.setAttribute("height", height);
    profile(width, gutter);
    toCard({ accord: "size", height: document.body.scrollHeight + 24 });
    tell("drawn", { doc, view, width, gutter, group, lit, hiddenAnnotators, hiddenCategories });
  }
  function tell(what, detail) { root.dispatchEvent(new CustomEvent(what, { detail })); }
  /* relations of one annotator: arcs over the boxes, an arrow head at the target */
  function relations(parent, px, tops, seen) {
    for (const [from, to, label] of doc.a) {
      const top = tops[doc.r[from]];
      if (top === undefined || !(seen(from) || seen(to)) || hiddenCategories.has(doc.l[from]) || hiddenCategories.has(doc.l[to])) continue;
      const middle = (i) => px((doc.s[i] + doc.e[i]) / 2), y = (i) => top + LANE * doc.z[i] + 1;
      const x1 = middle(from), x2 = middle(to), y1 = y(from), y2 = y(to), rise = Math.min(y1, y2) - Math.min(16, 6 + Math.abs(x2 - x1) / 12);
      const on = group[from].includes(lit) || group[to].includes(lit);
      const g = svg("g", { class: "relation" + (on ? " lit" : "") }, parent);
      svg("path", { d: `M${x1.toFixed(1)},${y1}C${x1.toFixed(1)},${rise} ${x2.toFixed(1)},${rise} ${x2.toFixed(1)},${y2}`, "marker-end": "url(#x-arrow)" }, g);
      if (Math.abs(x2 - x1) > 7 * label.length + 16) svg("text", { x: (x1 + x2) / 2, y: rise + 7, "text-anchor": "middle", class: "small" }, g, label);
      svg("title", {}, g, called(doc.l[from]) + " → " + label + " → " + called(doc.l[to]));
    }
  }
  function axis(parent, px, y, width, gutter) {
    svg("path", { d: `M${gutter},${y}H${width - 12}`, class: "axis" }, parent);
    const raw = (view[1] - view[0]) / Math.max(3, (width - gutter) / 110), power = 10 ** Math.floor(Math.log10(raw));
    const step = [1, 2, 2.5, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.9999);
    for (let i = Math.ceil(view[0] / step - 1e-9); i * step <= view[1] * (1 + 1e-12); i++) {
      svg("path", { d: `M${px(i * step)},${y}v4`, class: "axis" }, parent);
      svg("text", { x: px(i * step), y: y + 17, "text-anchor": "middle", class: "soft small" }, parent, tidy(i * step));
    }
  }
  const middle = (members) => members.reduce((t, i) => t + (doc.s[i] + doc.e[i]) / 2, 0) / members.length;
  function strip(parent, groups, px, y, gutter, width, dense) {
    svg("text", { x: gutter - 10, y: y + STRIP - 14, "text-anchor": "end", class: "soft small" }, parent, "disorder");
    svg("path", { d: `M${gutter},${y + STRIP - 10}H${width - 12}`, class: "grid" }, parent);
    for (const [k, members] of groups) {
      const x = px(middle(members)), share = doc.d[k] / most, foot = y + STRIP - 10, top = foot - share * (STRIP - 18);
      if (x < gutter || x > width - 12) continue;
      const g = svg("g", { class: (faint(k) ? "dim " : "") + "stem", "data-group": k }, parent);
      svg("path", { d: `M${x},${foot}V${top}`, stroke: heat(share), "stroke-width": k === lit ? 4 : dense ? 1 : 2 }, g);
      if (dense && k !== lit) continue;
      svg("circle", { cx: x, cy: top, r: k === lit ? 5 : 3, stroke: heat(share), "stroke-width": 1.5, class: members.length === 1 ? "paper" : "", fill: heat(share) }, g);
    }
  }
  function profile(width, gutter) {
    const [low, high] = doc.x, ox = (v) => gutter + ((v - low) / (high - low)) * (width - gutter - 12);
    overview.replaceChildren();
    overview.setAttribute("viewBox", `0 0 ${width} 34`);
    overview.setAttribute("preserveAspectRatio", "none");
    doc.k.forEach((members, k) => {
      const x = ox(middle(members)).toFixed(1), share = doc.d[k] / most;
      svg("path", { d: `M${x},31V${(31 - share * 26).toFixed(1)}`, stroke: heat(share), "stroke-width": 1.5, class: faint(k) ? "dim" : "" }, overview);
    });
    svg("rect", { x: ox(view[0]), y: 1, width: Math.max(3, ox(view[1]) - ox(view[0])), height: 32, rx: 3, class: "window" }, overview);
  }
  function definitions() {
    const defs = svg("defs", {});
    const shapes = { stripes: ["path", { d: "M-1,1l2,-2M0,6l6,-6M5,7l2,-2", "stroke-width": 1.4 }], dots: ["circle", { cx: 3, cy: 3, r: 1.2, stroke: "none", fill: "#000" }], grid: ["path", { d: "M0,3H6M3,0V6" }] };
    for (const name in shapes) {
      const p = svg("pattern", { id: "x-" + name, width: 6, height: 6, patternUnits: "userSpaceOnUse", stroke: "#000", "stroke-opacity": 0.55, "fill-opacity": 0.55 }, defs);
      svg(shapes[name][0], shapes[name][1], p);
    }
    const arrow = svg("marker", { id: "x-arrow", viewBox: "0 0 8 8", refX: 6, refY: 4, markerWidth: 6, markerHeight: 6, orient: "auto" }, defs);
    svg("path", { d: "M0,0L8,4L0,8Z", class: "head" }, arrow);
    plane.prepend(defs);
  }

  /* details of one unitary alignment */
  function explain(k) {
    if (k === lit && k >= 0) return;
    lit = k;
    if (k < 0) { details.replaceChildren(html("p", null, "Point at a unit, or press n, to see what is aligned with it. Drag to move; hold Ctrl and turn the wheel to zoom.", "aside")); tell("chosen", null); draw(); return; }
    const members = doc.k[k], box = document.createDocumentFragment();
    html("h4", box, "Place " + (k + 1) + " of " + doc.k.length + " · disorder " + doc.d[k].toFixed(3) + (members.length === 1 ? " · alone" : ""));
    const table = html("table", box), head = html("tr", html("thead", table)), body = html("tbody", table);
    ["annotator", "label", "from", "to"].concat(doc.t === undefined ? [] : ["text"]).forEach((h) => { html("th", head, h).scope = "col"; });
    doc.w.forEach((w, r) => {
      const row = html("tr", body), i = members.find((m) => doc.r[m] === r);
      html("th", row, w).scope = "row";
      if (i === undefined) { const cell = html("td", row, "nothing", "none"); cell.colSpan = doc.t === undefined ? 3 : 4; return; }
      html("td", row, called(doc.l[i])); html("td", row, tidy(doc.s[i]), "num"); html("td", row, tidy(doc.e[i]), "num");
      if (doc.t !== undefined) html("td", row, short(doc.t.slice(doc.s[i], doc.e[i]), 90), "quote");
    });
    const linked = (doc.a || []).filter(([from, to]) => members.includes(from) || members.includes(to));
    if (linked.length) {
      const list = html("ul", box, undefined, "linked");
      for (const [from, to, label] of linked) html("li", list, doc.w[doc.r[from]] + ": " + what(from) + " → " + label + " → " + what(to));
    }
    details.replaceChildren(box);
    tell("chosen", { from: Math.min(...members.map((i) => doc.s[i])), to: Math.max(...members.map((i) => doc.e[i])) });
    draw();
  }
  const what = (i) => (doc.t === undefined ? called(doc.l[i]) + " " + tidy(doc.s[i]) + "–" + tidy(doc.e[i]) : "“" + short(doc.t.slice(doc.s[i], doc.e[i]), 40) + "”");
  function go(k) {
    pinned = true;
    const members = doc.k[k], low = Math.min(...members.map((i) => doc.s[i])), high = Math.max(...members.map((i) => doc.e[i]));
    const span = view[1] - view[0];
    if (low < view[0] || high > view[1]) { const c = (low + high) / 2; look_at(c - span / 2, c + span / 2); }
    explain(k);
  }
  const allowed = () => doc.k.map((m, k) => k).filter((k) => !faint(k) && !doc.k[k].every((i) => hiddenCategories.has(doc.l[i]) || hiddenAnnotators.has(doc.w[doc.r[i]])));
  function walk(by) {
    const order = allowed().sort((a, b) => middle(doc.k[a]) - middle(doc.k[b]));
    if (!order.length) return;
    const at = order.indexOf(lit);
    go(order[at < 0 ? (by > 0 ? 0 : order.length - 1) : (at + by + order.length) % order.length]);
  }
  function worse() {
    const order = allowed().sort((a, b) => doc.d[b] - doc.d[a] || a - b);
    if (order.length) go(order[(order.indexOf(lit) + 1) % order.length]);
  }

  /* moving */
  function look_at(low, high) {
    const [a, b] = doc.x, whole = b - a, span = Math.min(whole, Math.max(high - low, whole / 4000));
    low = Math.min(Math.max(a, low), b - span);
    view = [low, low + span];
    draw();
  }
  function zoom(factor, share) {
    const span = view[1] - view[0], at = view[0] + span * share;
    look_at(at - span * factor * share, at + span * factor * (1 - share));
  }
  const share = (event) => { const r = canvas.getBoundingClientRect(), g = r.width < 560 ? 64 : GUTTER; return Math.min(1, Math.max(0, (event.clientX - r.left - g) / (r.width - g - 12))); };
  const actions = { in: () => zoom(0.6, 0.5), out: () => zoom(1 / 0.6, 0.5), fit: () => look_at(...doc.x), next: () => walk(1), previous: () => walk(-1), worse };
  root.querySelectorAll("[data-do]").forEach((b) => b.addEventListener("click", actions[b.dataset.do].bind(null)));
  canvas.addEventListener("wheel", (event) => {
    if (event.ctrlKey || event.metaKey) { event.preventDefault(); zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, share(event)); }
    else if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      event.preventDefault();
      const by = ((event.deltaX || event.deltaY) / canvas.clientWidth) * (view[1] - view[0]);
      look_at(view[0] + by, view[1] + by);
    }
  }, { passive: false });
  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    const over = event.target.closest(".overview");
    drag = { x: event.clientX, view: view.slice(), over: !!over, moved: false };
    if (over) centre(event);
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const by = event.clientX - drag.x;
    if (Math.abs(by) > 3) { drag.moved = true; canvas.classList.add("moving"); }
    if (drag.over) { centre(event); return; }
    const g = canvas.clientWidth < 560 ? 64 : GUTTER, d = (-by / (canvas.clientWidth - g - 12)) * (drag.view[1] - drag.view[0]);
    if (drag.moved) look_at(drag.view[0] + d, drag.view[1] + d);
  });
  window.addEventListener("pointerup", () => { canvas.classList.remove("moving"); setTimeout(() => { drag = null; }, 0); });
  function centre(event) {
    const span = view[1] - view[0], at = doc.x[0] + share(event) * (doc.x[1] - doc.x[0]);
    look_at(at - span / 2, at + span / 2);
  }
  function groupAt(target) {
    const unit = target.closest && target.closest("[data-unit]"), stem = target.closest && target.closest("[data-group]");
    return unit ? group[+unit.dataset.unit][0] : stem ? +stem.dataset.group : -1;
  }
  plane.addEventListener("pointerover", (event) => { if (drag || pinned) return; const k = groupAt(event.target); if (k >= 0) explain(k); });
  plane.addEventListener("click", (event) => {
    if (drag && drag.moved) return;
    const k = groupAt(event.target);
    pinned = k >= 0;
    if (k >= 0) { lit = -1; explain(k); } else explain(-1);
    const unit = event.target.closest && event.target.closest("[data-unit]");
    if (unit) { const i = +unit.dataset.unit; toCard({ accord: "unit", document: doc.n, group: k, start: doc.s[i], end: doc.e[i], label: doc.l[i] < 0 ? null : called(doc.l[i]) }); }
  });
  document.addEventListener("keydown", (event) => {
    /* typing, choosing and the slider keep their own keys */
    const own = event.target.closest && event.target.closest("input, select, textarea, audio, video");
    if (event.ctrlKey || event.metaKey || event.altKey || own) return;
    const step = (view[1] - view[0]) / 8;
    const keys = { ArrowLeft: () => look_at(view[0] - step, view[1] - step), ArrowRight: () => look_at(view[0] + step, view[1] + step), "+": actions.in, "=": actions.in, "-": actions.out, 0: actions.fit, n: actions.next, p: actions.previous, w: worse, Escape: () => { pinned = false; explain(-1); toCard({ accord: "leave" }); } };
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  root.explorer = { data, scale, html, svg, look, called, tidy, show: look_at, redraw: draw };
  $("#show-relations").addEventListener("change", draw);
  slider.addEventListener("input", () => { $("output").textContent = least().toFixed(2); draw(); });
  $("#find-document").addEventListener("input", listDocuments);
  $("#order-documents").addEventListener("change", listDocuments);
  new ResizeObserver(draw).observe(canvas);
  /* the scripts that follow listen once the page is parsed */
  const begin = () => { const first = listDocuments(); if (first.length) open(first[0]); };
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", begin); else setTimeout(begin, 0);
})();
