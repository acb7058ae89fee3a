(() => {
  "use strict";
  const root = document.getElementById("images");
  if (!root) return;
  const data = JSON.parse(document.getElementById("images-data").textContent);
  const SVG = "http://www.w3.org/2000/svg";
  const find = (name) => root.querySelector(`[data-${name}]`);
  const view = find("view"), pick = find("pick"), where = find("where");
  const hidden = new Set();
  let place = 0, chosen = -1;

  const made = (tag, attributes, parent) => {
    const node = document.createElementNS(SVG, tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (parent) parent.append(node);
    return node;
  };
  const named = (label) => (label < 0 ? "(no label)" : data.labels[label]);
  /* more annotators than hues: those of one image are told apart */
  const hue = (who) => {
    if (data.annotators.length <= data.palette.length) return data.palette[who];
    return data.palette[data.images[place].a.indexOf(who) % data.palette.length];
  };
  const number = (value) => (value === null ? "–" : value.toFixed(3));

  const draw = () => {
    const image = data.images[place];
    const [x, y, w, h] = image.f;
    view.replaceChildren();
    view.setAttribute("viewBox", `${x} ${y} ${w} ${h}`);
    view.setAttribute("preserveAspectRatio", "xMidYMid meet");
    const title = made("title", {}, view);
    title.textContent = image.n;
    made("rect", { class: "frame", x, y, width: w, height: h }, view);
    if (image.i) {
      const picture = { href: image.i, preserveAspectRatio: "none" };
      if (image.known) Object.assign(picture, { x: 0, y: 0, width: w, height: h });
      made("image", picture, view);
    }
    const alone = find("alone").checked, labels = find("labels").checked;
    /* text of one size on the screen, whatever the image's unit */
    const scale = Math.max(w / Math.max(1, view.clientWidth), h / Math.max(1, view.clientHeight || 600));
    image.g.forEach((group, k) => {
      const holder = made("g", { "data-group": k }, view);
      if (k === chosen) holder.classList.add("chosen");
      else if (chosen >= 0) holder.classList.add("faint");
      const single = group.s.length === 1;
      if (alone && !single) return;
      for (const shape of group.s) {
        if (hidden.has(shape[0])) continue;
        const points = shape[6] || [[shape[2], shape[3]], [shape[4], shape[3]], [shape[4], shape[5]], [shape[2], shape[5]]];
        const d = `M${points.map((p) => p.join(",")).join("L")}Z`;
        if (image.i) made("path", { class: "halo", d }, holder);
        const colour = hue(shape[0]);
        const path = made("path", { class: `shape${single ? " alone" : ""}`, d, stroke: colour, fill: colour }, holder);
        const tip = made("title", {}, path);
        tip.textContent = `${data.annotators[shape[0]]}: ${named(shape[1])} (${shape.slice(2, 6).join(", ")})`;
        path.addEventListener("click", () => { chosen = chosen === k ? -1 : k; show(); });
      }
      const first = group.s.find((s) => !hidden.has(s[0]));
      if (labels && first && data.labels.length) {
        const words = [...new Set(group.s.map((s) => named(s[1])))].join(" / ");
        const text = made("text", { x: first[2] + 3 * scale, y: first[3] - 4 * scale, "font-size": 12 * scale }, holder);
        text.style.fontSize = `${12 * scale}px`;
        text.style.strokeWidth = `${3 * scale}px`;
        if (first[3] - 16 * scale < y) text.setAttribute("y", first[3] + 14 * scale);
        text.textContent = words;
      }
    });
  };

  const legend = () => {
    const list = find("legend"), image = data.images[place];
    list.replaceChildren();
    for (const who of image.a) {
      const count = image.g.reduce((n, g) => n + g.s.filter((s) => s[0] === who).length, 0);
      const item = document.createElement("li"), label = document.createElement("label");
      const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: !hidden.has(who) });
      box.addEventListener("change", () => { if (box.checked) hidden.delete(who); else hidden.add(who); draw(); });
      const swatch = document.createElement("span");
      swatch.className = "swatch";
      swatch.style.borderColor = hue(who);
      const name = document.createElement("span");
      name.textContent = data.annotators[who];
      const much = document.createElement("span");
      much.className = "count";
      much.textContent = String(count);
      label.append(box, swatch, name, much);
      item.append(label);
      list.append(item);
    }
  };

  const groups = () => {
    const list = find("groups"), image = data.images[place];
    list.replaceChildren();
    const order = image.g.map((g, k) => [g.d, k]).sort((a, b) => b[0] - a[0]);
    for (const [disorder, k] of order) {
      const group = image.g[k];
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.setAttribute("aria-pressed", String(k === chosen));
      const words = document.createElement("span");
      const labels = data.labels.length ? `${[...new Set(group.s.map((s) => named(s[1])))].join(" / ")}, ` : "";
      const alike = group.s.length > 1 ? `${group.s.length} shapes, IoU ≥ ${group.u.toFixed(2)}` : "without counterpart";
      words.textContent = labels + alike;
      const value = document.createElement("span");
      value.className = "num";
      value.textContent = number(disorder);
      button.append(words, value);
      button.addEventListener("click", () => { chosen = chosen === k ? -1 : k; show(); });
      item.append(button);
      list.append(item);
    }
  };

  const show = () => {
    const image = data.images[place];
    pick.value = String(place);
    where.textContent = `${place + 1} / ${data.images.length} · disorder ${number(image.d)}`;
    legend();
    groups();
    draw();
  };
  const go = (to) => {
    place = Math.min(Math.max(to, 0), data.images.length - 1);
    chosen = -1;
    show();
  };

  data.images.forEach((image, k) => {
    pick.append(new Option(`${image.n} (${number(image.d)})`, String(k)));
  });
  pick.addEventListener("change", () => go(Number(pick.value)));
  for (const button of root.querySelectorAll("[data-step]")) {
    button.addEventListener("click", () => go(place + Number(button.dataset.step)));
  }
  for (const name of ["labels", "alone"]) find(name).addEventListener("change", draw);
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea") || event.ctrlKey || event.metaKey || event.altKey) return;
    const image = data.images[place];
    if (event.key === "ArrowRight" || event.key === "j") go(place + 1);
    else if (event.key === "ArrowLeft" || event.key === "k") go(place - 1);
    else if (event.key === "0") { hidden.clear(); show(); }
    else if (/^[1-9]$/.test(event.key) && image.a[Number(event.key) - 1] !== undefined) {
      hidden.clear();
      for (const who of image.a) if (who !== image.a[Number(event.key) - 1]) hidden.add(who);
      show();
    } else return;
    event.preventDefault();
  });
  window.addEventListener("resize", draw);
  if (data.images.length) show();
})();
