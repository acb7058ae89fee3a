"use strict";
/* Entities of two sides over one text. A pair (a, b the names) has documents: n name, t its text (-1: none),
   k and r the sides, e the differences, v the score. A side: m mentions ([start, end, …] or a name), x their
   words, n the entity of each, p the twin of each on the other side (-1: none), y their types, c the colour of
   each entity, l its label. A difference: c class, s side (0 or 1), m mentions of that side, z size, y type.
   The text (chains_text.js) and the entities (chains_entities.js) are drawn by listeners to "opened", "drawn"
   and "lit". */
(function () {
  const root = document.getElementById("chains");
  if (!root) return;
  const data = JSON.parse(document.getElementById("chains-data").textContent);
  const $ = (query) => root.querySelector(query);
  const list = $(".documents ol"), boxes = $("#filter-classes"), table = $(".drill table"), by = $("#count-by");
  const differences = $(".differences"), undo = $("[data-do=all]");
  const MOST = 300;
  const hidden = new Set();
  let pair = data.pairs[0], doc = null, at = -1, only = null;

  function html(name, parent, text, className) {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (className) node.className = className;
    if (parent) parent.appendChild(node);
    return node;
  }
  function button(parent, text, className, act) {
    const node = html("button", parent, text, className);
    node.type = "button";
    node.addEventListener("click", act);
    return node;
  }
  const tell = (name, detail) => root.dispatchEvent(new CustomEvent(name, { detail }));
  const plural = (n, what) => n + " " + (n === 1 ? what : what === "entity" ? "entities" : what + "s");
  const sizes = [[1, "1"], [2, "2"], [4, "3–4"], [8, "5–8"], [16, "9–16"], [Infinity, "17 and more"]];
  const groups = {
    document: (d) => d.n,
    type: (d, e) => e.y || "no type",
    size: (d, e) => sizes.find(([most]) => e.z <= most)[1],
  };
  const titles = { document: "document", type: "type of the mention", size: "size of the entity" };

  /* what is counted: the class is shown, and the difference belongs to the row that was chosen */
  const counts = (d, e) => !hidden.has(e.c) && (!only || (groups[only.by](d, e) === only.row && (only.c === undefined || only.c === e.c)));
  const chosen = (d) => d.e.filter((e) => counts(d, e));

  /* documents */
  function listDocuments() {
    const wanted = $("#find-text").value.trim().toLowerCase(), order = $("#order-texts").value;
    const most = Math.max(1, ...pair.documents.map((d) => d.e.length));
    const found = pair.documents.filter((d) => d.n.toLowerCase().includes(wanted) && (!only || d === doc || chosen(d).length));
    if (order === "name") found.sort((a, b) => a.n.localeCompare(b.n, undefined, { numeric: true }));
    else if (order === "mentions") found.sort((a, b) => b.k.m.length - a.k.m.length);
    else found.sort((a, b) => chosen(b).length - chosen(a).length);
    list.replaceChildren();
    for (const d of found.slice(0, MOST)) {
      const node = button(html("li", list), undefined, "", () => open(d)), n = chosen(d).length;
      html("span", node, d.n, "name").title = d.n;
      html("span", node, n, "amount");
      const bar = html("i", html("span", node, undefined, "meter"));
      bar.style.width = (100 * n) / most + "%";
      bar.style.background = "var(--warm)";
      node.setAttribute("aria-label", d.n + ", " + plural(n, "difference"));
      if (d === doc) node.setAttribute("aria-current", "true");
    }
    $(".documents [role=status]").textContent = found.length > MOST
      ? "The first " + MOST + " of " + found.length + "; type a name to find others."
      : plural(found.length, "document");
    return found;
  }

  function open(d, error) {
    doc = d; at = error === undefined ? -1 : chosen(d).indexOf(error);
    $(".title").textContent = d.n;
    $(".about").textContent = plural(d.k.m.length, "mention") + " in " + plural(d.k.c.length, "entity") + " · " +
      plural(d.r.m.length, "mention") + " in " + plural(d.r.c.length, "entity") + (d.v === null ? "" : " · " + data.measure + " " + d.v.toFixed(3));
    tell("opened", { doc, text: d.t < 0 ? null : data.texts[d.t] });
    refresh();
    if (at >= 0) show(at);
  }
  function refresh() {
    listDocuments(); classes(); drill(); listDifferences();
    tell("drawn", { doc, shown: chosen(doc) });
    place();
  }

  /* classes of differences: the bars are the filter */
  function classes() {
    const all = pair.documents.flatMap((d) => d.e.filter((e) => !only || only.by === "class" || groups[only.by](d, e) === only.row));
    const amounts = data.classes.map((c, i) => all.filter((e) => e.c === i).length), most = Math.max(1, ...amounts);
    boxes.querySelectorAll("label").forEach((l) => l.remove());
    data.classes.forEach((name, c) => {
      const label = html("label", boxes, undefined, amounts[c] ? "" : "never"), input = html("input", label);
      input.type = "checkbox"; input.checked = !hidden.has(c);
      input.addEventListener("change", () => { input.checked ? hidden.delete(c) : hidden.add(c); at = -1; refresh(); });
      html("span", label, name).title = data.meanings[c];
      const bar = html("i", html("span", label, undefined, "meter"));
      bar.style.width = (100 * amounts[c]) / most + "%";
      html("span", label, amounts[c], "amount");
    });
  }
  function drill() {
    const rows = new Map(), key = by.value;
    for (const d of pair.documents) {
      for (const e of d.e) {
        const row = groups[key](d, e);
        if (!rows.has(row)) rows.set(row, data.classes.map(() => 0));
        rows.get(row)[e.c]++;
      }
    }
    const total = (r) => rows.get(r).reduce((a, b) => a + b, 0);
    const order = key === "size" ? sizes.map((s) => s[1]).filter((s) => rows.has(s)) : [...rows.keys()].sort((a, b) => total(b) - total(a)).slice(0, 100);
    const most = Math.max(1, ...order.flatMap((r) => rows.get(r)));
    const used = data.classes.map((_, c) => c).filter((c) => order.some((r) => rows.get(r)[c]));
    table.replaceChildren();
    html("caption", table, "Differences by " + titles[key] + "; choose a number to see them", "hidden");
    const head = html("tr", html("thead", table));
    html("th", head, titles[key]).scope = "col";
    for (const c of used) { const th = html("th", head, data.classes[c], "num"); th.scope = "col"; }
    html("th", head, "all", "num").scope = "col";
    const body = html("tbody", table);
    for (const row of order) {
      const tr = html("tr", body);
      html("th", tr, row.length > 36 ? row.slice(0, 35) + "…" : row).scope = "row";
      tr.firstChild.title = row;
      for (const c of [...used, undefined]) {
        const n = c === undefined ? total(row) : rows.get(row)[c], td = html("td", tr, undefined, "num");
        if (!n) { td.textContent = "·"; continue; }
        const cell = button(td, n, "", () => narrow({ by: key, row, c }));
        if (c !== undefined) cell.style.background = "color-mix(in srgb, var(--warm) " + Math.round(8 + (44 * n) / most) + "%, transparent)";
        cell.setAttribute("aria-label", n + " " + (c === undefined ? "differences" : data.classes[c]) + ", " + row);
        cell.setAttribute("aria-pressed", String(!!only && only.by === key && only.row === row && only.c === c));
      }
    }
    undo.hidden = !only;
  }
  function narrow(choice) {
    const same = only && choice && only.by === choice.by && only.row === choice.row && only.c === choice.c;
    only = same ? null : choice; at = -1;
    if (only && only.c !== undefined) hidden.delete(only.c);
    if (only && !chosen(doc).length) { const next = pair.documents.find((d) => chosen(d).length); if (next) return open(next); }
    refresh();
  }

  /* every difference, in words */
  const quoted = (side, members) => members.slice(0, 6).map((m) => "“" + side.x[m] + "”").join(", ") + (members.length > 6 ? " and " + (members.length - 6) + " more" : "");
  const together = (side, entity, without) => side.n.map((e, i) => i).filter((i) => side.n[i] === entity && !without.includes(i));
  function said(d, e) {
    const own = e.s ? d.r : d.k, other = e.s ? d.k : d.r, name = data.classes[e.c], words = quoted(own, e.m);
    if (name === "span") return words + " is “" + other.x[own.p[e.m[0]]] + "” in " + pair.b;
    const rest = together(own, own.n[e.m[0]], e.m);
    if (name.endsWith("entity") || !rest.length) return words;
    if (name.endsWith("mention")) return words + " with " + quoted(own, rest);
    return words + (name === "conflated" ? " does not belong with " : " belongs with ") + quoted(own, rest);
  }
  function listDifferences() {
    const shown = chosen(doc);
    $("h4 .amount").textContent = shown.length;
    differences.replaceChildren();
    shown.slice(0, MOST).forEach((e, i) => {
      const node = button(html("li", differences), undefined, "", () => show(i));
      html("span", node, data.classes[e.c], "kind");
      html("span", node, said(doc, e));
      if (e.y) html("span", node, e.y, "aside");
    });
    if (!shown.length) html("li", differences, "No difference of the classes shown.", "aside");
    if (shown.length > MOST) html("li", differences, "and " + (shown.length - MOST) + " more", "aside");
  }
  function show(i) {
    const shown = chosen(doc);
    if (!shown.length) return;
    at = (i + shown.length) % shown.length;
    const e = shown[at];
    tell("lit", { side: e.s, mention: e.m[0], mentions: e.m, scroll: true });
    place();
  }
  function place() {
    differences.querySelectorAll("button").forEach((b, i) => {
      if (i === at) { b.setAttribute("aria-current", "true"); const box = differences; if (b.offsetTop < box.scrollTop || b.offsetTop > box.scrollTop + box.clientHeight - 40) box.scrollTop = b.offsetTop - box.offsetTop - 40; }
      else b.removeAttribute("aria-current");
    });
    const n = chosen(doc).length;
    $(".at").textContent = at < 0 ? plural(n, "difference") + " here" : at + 1 + " of " + n;
  }
  function step(by_) {
    const shown = chosen(doc);
    if (shown.length && at + by_ >= 0 && at + by_ < shown.length) return show(at + by_);
    const rows = listDocuments().filter((d) => chosen(d).length), here = rows.indexOf(doc);
    const next = rows[(here + (by_ > 0 ? 1 : -1) + rows.length) % rows.length];
    if (next) { open(next); show(by_ > 0 ? 0 : chosen(next).length - 1); }
  }
  function neighbour(by_) {
    const rows = listDocuments(), next = rows[rows.indexOf(doc) + by_];
    if (next) open(next);
  }

  /* which two are compared */
  const choice = $("#chosen-pair");
  data.pairs.forEach((p, i) => { html("option", choice, p.a + " and " + p.b).value = i; });
  $(".pairs").hidden = data.pairs.length < 2;
  function compare(i) {
    pair = data.pairs[i]; only = null; hidden.clear();
    root.querySelectorAll(".first").forEach((node) => { node.textContent = pair.a; });
    root.querySelectorAll(".second").forEach((node) => { node.textContent = pair.b; });
    const typed = pair.documents.some((d) => d.e.some((e) => e.y));
    by.replaceChildren();
    for (const key of ["document", ...(typed ? ["type"] : []), "size"]) html("option", by, titles[key]).value = key;
    doc = [...pair.documents].sort((a, b) => b.e.length - a.e.length)[0];
    if (doc) open(doc);
  }
  choice.addEventListener("change", () => compare(+choice.value));
  by.addEventListener("change", drill);
  $("#find-text").addEventListener("input", listDocuments);
  $("#order-texts").addEventListener("change", listDocuments);
  root.addEventListener("click", (event) => {
    const act = event.target.closest && event.target.closest("[data-do]");
    if (act) ({ next: () => step(1), previous: () => step(-1), all: () => narrow(null) })[act.dataset.do]?.();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const typing = event.target.closest && event.target.closest("input[type=search], select, textarea");
    if (typing) return;
    const act = { n: () => step(1), p: () => step(-1), j: () => neighbour(1), k: () => neighbour(-1) }[event.key];
    if (act) { event.preventDefault(); act(); }
  });

  root.chains = { html, button, tell, data, plural, quoted, together, pair: () => pair, doc: () => doc };
  root.start = () => compare(0);
})();
