"use strict";
/* The entities of a document, side against side: each mention of the first side in the colour of the entity
   that the second puts it in, what it lacks struck out, what it adds behind a plus. */
(function () {
  const root = document.getElementById("chains");
  if (!root || !root.chains) return;
  const { html, button, tell, data, plural, pair, badge } = root.chains;
  const $ = (query) => root.querySelector(query);
  const list = $(".entities"), only = $("#only-differing");
  const MOST = 200, SOME = 60;
  let doc = null, rows = new Map();

  root.addEventListener("drawn", (event) => { doc = event.detail.doc; draw(); });
  only.addEventListener("change", draw);
  root.addEventListener("entity", (event) => {
    for (const node of list.querySelectorAll("li.lit")) node.classList.remove("lit");
    const choice = event.detail;
    if (!choice) return;
    const node = rows.get(choice.side + ":" + choice.entity);
    if (!node) return;
    node.classList.add("lit");
    if (choice.scroll) list.scrollTop = node.offsetTop - list.offsetTop - 60;
  });

  const members = (side) => { const held = side.c.map(() => []); side.n.forEach((e, i) => held[e].push(i)); return held; };
  function chip(parent, side, s, i, colour, kind, title) {
    const node = button(parent, side.x[i], "chip" + kind, () => tell("lit", { side: s, mention: i, scroll: true }));
    if (colour !== null) node.style.setProperty("--hue", data.looks[colour % data.looks.length][0]);
    node.title = title;
    return node;
  }
  function draw() {
    if (!doc) return;
    const k = doc.k, r = doc.r, ours = members(k), theirs = members(r), names = [pair().a, pair().b];
    $(".legend").textContent = "Every entity of " + names[0] + ", its mentions in the colour of the entity " + names[1] +
      " puts them in; struck out what " + names[1] + " lacks, after a plus what it adds, ≈ where the spans differ.";
    list.replaceChildren(); rows = new Map();
    const entries = [];
    ours.forEach((own, e) => {
      const parts = new Map();
      own.forEach((i) => { const to = k.p[i] < 0 ? -1 : r.n[k.p[i]]; if (!parts.has(to)) parts.set(to, []); parts.get(to).push(i); });
      const partner = r.c.findIndex((c) => c === k.c[e]);
      const added = partner < 0 ? [] : theirs[partner].filter((j) => r.p[j] < 0 || k.n[r.p[j]] !== e);
      const near = own.some((i) => k.p[i] >= 0 && k.x[i] !== r.x[k.p[i]]);
      entries.push({ e, own, parts, partner, added, differs: parts.size > 1 || parts.has(-1) || added.length > 0 || near });
    });
    const shown = entries.filter((entry) => entry.differs || (!only.checked && entry.own.length > 1)), exact = entries.length - shown.length;
    for (const { e, own, parts, partner, added } of shown.slice(0, MOST)) {
      const li = html("li", list);
      rows.set("0:" + e, li);
      if (partner >= 0) rows.set("1:" + partner, li);
      badge(li, k, e);
      own.slice(0, SOME).forEach((i) => {
        const twin = k.p[i], other = twin < 0 ? null : r.n[twin];
        chip(li, k, 0, i, other === null ? null : r.c[other], twin < 0 ? " missing" : k.x[i] !== r.x[twin] ? " near" : "",
          twin < 0 ? "not a mention in " + names[1] : "entity " + r.l[other] + " in " + names[1] + (k.x[i] !== r.x[twin] ? ", as “" + r.x[twin] + "”" : ""));
      });
      if (own.length > SOME) html("span", li, "and " + (own.length - SOME) + " more", "aside");
      added.slice(0, SOME).forEach((j) => chip(li, r, 1, j, r.p[j] < 0 ? null : k.c[k.n[r.p[j]]], " extra",
        r.p[j] < 0 ? "not a mention in " + names[0] : "entity " + k.l[k.n[r.p[j]]] + " in " + names[0]));
      const torn = [...parts.keys()].filter((to) => to >= 0).length;
      html("span", li, [plural(own.length, "mention"), torn > 1 ? "in " + torn + " entities" : ""].filter(Boolean).join(", "), "aside");
    }
    theirs.forEach((own, e) => {
      if (own.some((j) => r.p[j] >= 0) || list.childElementCount > MOST) return;
      const li = html("li", list);
      rows.set("1:" + e, li);
      badge(li, r, e);
      own.slice(0, SOME).forEach((j) => chip(li, r, 1, j, null, " extra", "not a mention in " + names[0]));
      html("span", li, "only in " + names[1], "aside");
    });
    if (exact > 0) html("li", list, plural(exact, "entity") + (only.checked ? " are the same on both sides" : " of one mention are the same on both sides"), "aside");
    if (shown.length > MOST) html("li", list, "and " + (shown.length - MOST) + " more entities that differ", "aside");
  }
})();
document.getElementById("chains")?.start?.();
