/* Units: the text around the group, the annotators' units on lanes, and borders to drag. */
import { el, svg, paint, number } from "./dom.js";

const LANE = 22, GAP = 6, GUTTER = 96, PAD = 10;

/* the passage, what the decision would mark highlighted, every annotator's unit underlined */
export function passage(around, value) {
  if (around.text === null || around.text === undefined) return null;
  const low = Math.floor(around.low), text = around.text;
  const marks = around.rows.flatMap((r) => r.marks.filter((m) => m.mine).map((m) => ({ ...m, who: r.annotator })));
  const cuts = new Set([0, text.length]);
  const clip = (x) => Math.min(text.length, Math.max(0, Math.round(x - low)));
  for (const m of [...marks, ...(value ? [value] : [])]) { cuts.add(clip(m.start)); cuts.add(clip(m.end)); }
  const edges = [...cuts].sort((a, b) => a - b), out = el("p", { class: "passage" });
  for (let i = 1; i < edges.length; i++) {
    const a = edges[i - 1], b = edges[i], piece = text.slice(a, b);
    const on = marks.filter((m) => clip(m.start) < b && clip(m.end) > a);
    const chosen = value && clip(value.start) < b && clip(value.end) > a;
    if (!on.length && !chosen) { out.append(piece); continue; }
    const span = el(chosen ? "mark" : "span", {}, piece);
    const lines = on.slice(0, 6);
    span.style.backgroundImage = lines.map((m) => { const h = paint(m.label)[0]; return `linear-gradient(${h},${h})`; }).join(",");
    span.style.backgroundSize = "100% 3px";
    span.style.backgroundPosition = lines.map((m, k) => "0 calc(100% - " + (lines.length - 1 - k) * 4 + "px)").join(",");
    span.style.paddingBottom = lines.length * 4 - 1 + "px";
    out.append(span);
  }
  return out;
}

function lanes(marks) {
  const ends = [];
  return marks.map((m) => {
    let lane = ends.findIndex((e) => e <= m.start);
    if (lane < 0) lane = ends.length;
    ends[lane] = m.end;
    return lane;
  });
}

/* one row per annotator, the card's own units bright, and the decision to be made at the top */
export function drawing(around, value, { change }) {
  const box = el("div", { class: "lanes" });
  const state = { value: value ? { ...value } : null };
  const tidy = (v) => (around.integral ? Math.round(v) : Math.round(v * 1000) / 1000);
  const paintAll = () => {
    const [low, high] = around.zoom, span = high - low || 1;
    const width = Math.max(300, box.clientWidth || 700), gutter = width < 520 ? 70 : GUTTER;
    const px = (v) => gutter + ((v - low) / span) * (width - gutter - PAD);
    const back = (x) => low + ((x - gutter) / (width - gutter - PAD)) * span;
    const root = svg("svg", { width, role: "group", "aria-label": summary(around) });
    let y = 4;
    const name = (text, top, strong) => root.append(svg("text", { x: gutter - 8, y: top + LANE / 2 + 4, "text-anchor": "end", class: strong ? "strong" : "soft" }, text.length > (gutter < 80 ? 8 : 14) ? text.slice(0, gutter < 80 ? 7 : 13) + "…" : text));
    const unit = (m, top, extra) => {
      if (m.end < low || m.start > high) return;
      const [hue, ink] = paint(m.label), x = Math.max(gutter, px(m.start)), w = Math.max(2, Math.min(px(m.end), width - PAD) - x);
      const g = svg("g", { class: extra }, svg("rect", { x, y: top, width: w, height: LANE - 3, rx: 3, fill: hue }));
      const room = Math.floor((w - 6) / 6.5), label = m.label ?? "";
      if (room >= 2) g.append(svg("text", { x: x + w / 2, y: top + 14, "text-anchor": "middle", fill: ink, class: "label" }, label.length > room ? label.slice(0, room - 1) + "…" : label));
      root.append(g);
    };
    const top = y;
    name("decision", y, true);
    root.append(svg("rect", { x: gutter, y, width: width - gutter - PAD, height: LANE - 3, class: "track" }));
    for (const m of around.decided || []) if (m.item !== around.id) unit(m, y, "other");
    if (state.value) {
      unit(state.value, y, "chosen");
      for (const side of ["start", "end"]) root.append(handle(side, px, back, top));
    }
    y += LANE + GAP;
    for (const row of around.rows) {
      const at = lanes(row.marks), rows = Math.max(1, ...at.map((l) => l + 1));
      name(row.annotator, y);
      root.append(svg("rect", { x: gutter, y, width: width - gutter - PAD, height: LANE * rows - 3, class: "track" }));
      row.marks.forEach((m, k) => unit(m, y + LANE * at[k], m.mine ? "mine" : "other"));
      y += LANE * rows + GAP;
    }
    root.append(svg("text", { x: gutter, y: y + 10, class: "soft" }, number(tidy(low))));
    root.append(svg("text", { x: width - PAD, y: y + 10, "text-anchor": "end", class: "soft" }, number(tidy(high))));
    root.setAttribute("height", y + 16);
    root.setAttribute("viewBox", `0 0 ${width} ${y + 16}`);
    box.replaceChildren(root);
  };
  function move(side, to) {
    const v = state.value, least = around.integral ? 1 : 0.001;
    to = Math.min(around.extent[1], Math.max(around.extent[0], tidy(to)));
    if (side === "start") v.start = Math.min(to, v.end - least); else v.end = Math.max(to, v.start + least);
    change({ ...v });
    paintAll();
  }
  function handle(side, px, back, top) {
    const x = px(state.value[side]);
    const node = svg("g", { class: "handle", tabindex: 0, role: "slider", "data-side": side, "aria-label": side === "start" ? "Where it begins" : "Where it ends", "aria-valuenow": state.value[side], "aria-valuemin": around.extent[0], "aria-valuemax": around.extent[1] },
      svg("rect", { x: side === "start" ? x - 8 : x, y: top - 2, width: 8, height: LANE + 1, rx: 3 }));
    node.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      const left = box.getBoundingClientRect().left;
      const to = (e) => move(side, back(e.clientX - left));
      const up = () => { removeEventListener("pointermove", to); removeEventListener("pointerup", up); };
      addEventListener("pointermove", to);
      addEventListener("pointerup", up);
    });
    node.addEventListener("keydown", (event) => {
      const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      move(side, state.value[side] + by * (around.integral ? 1 : (around.zoom[1] - around.zoom[0]) / 200));
      box.querySelector(`[data-side="${side}"]`).focus();
    });
    return node;
  }
  box.show = (v) => { state.value = v ? { ...v } : null; paintAll(); };
  new ResizeObserver(paintAll).observe(box);
  paintAll();
  return box;
}

const summary = (around) => around.rows.map((r) => r.annotator + ": " + (r.marks.filter((m) => m.mine).map((m) => (m.label ?? "no label") + " from " + number(m.start) + " to " + number(m.end)).join(", ") || "nothing")).join("; ");
