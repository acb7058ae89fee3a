/* Segments: boundaries on the text, one line per annotator, and the decision to be made. */
import { el, svg, number } from "./dom.js";

const ROW = 22, GUTTER = 96, PAD = 10;

export function passage(around, value) {
  if (!around.atoms) return null;
  const out = el("p", { class: "passage cut" }), gap = around.characters ? "" : " ";
  const votes = new Map();
  for (const row of around.rows) for (const m of row.marks) votes.set(m.position, (votes.get(m.position) || 0) + 1);
  around.atoms.forEach((atom, k) => {
    const at = around.low + k;
    if (k && (votes.has(at) || at === value)) {
      out.append(el("span", { class: "boundary" + (at === value ? " chosen" : ""), title: (votes.get(at) || 0) + " of " + around.rows.length }, "|"), gap);
    }
    out.append(atom, gap);
  });
  return out;
}

export function drawing(around, value, { change }) {
  const box = el("div", { class: "lanes" });
  let chosen = value;
  const draw = () => {
    const width = Math.max(300, box.clientWidth || 700), gutter = width < 520 ? 62 : GUTTER;
    const px = (v) => gutter + ((v - around.low) / (around.high - around.low || 1)) * (width - gutter - PAD);
    const root = svg("svg", { width, role: "group", "aria-label": around.rows.map((r) => r.annotator + ": " + (r.marks.filter((m) => m.mine).map((m) => m.position).join(", ") || "no boundary here")).join("; ") });
    let y = 4;
    const line = (text, strong) => {
      root.append(svg("text", { x: gutter - 8, y: y + 13, "text-anchor": "end", class: strong ? "strong" : "soft" }, text.length > 13 ? text.slice(0, 12) + "…" : text));
      root.append(svg("rect", { x: gutter, y, width: width - gutter - PAD, height: ROW - 6, class: "track" }));
    };
    line("decision", true);
    if (chosen !== null && chosen !== undefined) {
      const node = svg("g", { class: "handle", tabindex: 0, role: "slider", "data-side": "position", "aria-label": "Where the boundary is", "aria-valuenow": chosen, "aria-valuemin": 1, "aria-valuemax": around.extent[1] - 1 },
        svg("rect", { x: px(chosen) - 5, y: y - 2, width: 10, height: ROW - 2, rx: 3 }));
      const move = (to) => { chosen = Math.min(around.extent[1] - 1, Math.max(1, Math.round(to))); change(chosen); draw(); };
      node.addEventListener("keydown", (event) => {
        const by = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: 1, ArrowDown: -1 }[event.key];
        if (!by) return;
        event.preventDefault();
        event.stopPropagation();
        move(chosen + by);
        box.querySelector("[data-side]").focus();
      });
      node.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        const left = box.getBoundingClientRect().left;
        const to = (e) => move(around.low + ((e.clientX - left - gutter) / (width - gutter - PAD)) * (around.high - around.low));
        const up = () => { removeEventListener("pointermove", to); removeEventListener("pointerup", up); };
        addEventListener("pointermove", to);
        addEventListener("pointerup", up);
      });
      root.append(node);
    }
    y += ROW + 4;
    for (const row of around.rows) {
      line(row.annotator);
      for (const m of row.marks) root.append(svg("rect", { x: px(m.position) - 2, y: y - 1, width: 4, height: ROW - 4, class: m.mine ? "cut mine" : "cut other" }));
      y += ROW;
    }
    root.append(svg("text", { x: gutter, y: y + 10, class: "soft" }, number(around.low)), svg("text", { x: width - PAD, y: y + 10, "text-anchor": "end", class: "soft" }, number(around.high)));
    root.setAttribute("height", y + 16);
    box.replaceChildren(root);
  };
  box.show = (v) => { chosen = typeof v === "number" ? v : null; draw(); };
  new ResizeObserver(draw).observe(box);
  draw();
  return box;
}
