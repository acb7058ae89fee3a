"use strict";
/* Sound or film beside the alignment: the browser's own player, a waveform under the axis at the same scale, a
   line where it plays. Space plays and stops; Enter plays the chosen alignment. */
(function () {
  const root = document.getElementById("explorer");
  if (!root || !root.explorer) return;
  const { svg, html, scale, show, tidy } = root.explorer;
  const box = root.querySelector(".recording"), wave = box.querySelector("svg"), place = box.querySelector(".player");
  const button = box.querySelector("button"), needle = root.querySelector(".needle");
  let shown = null, doc = null, player = null, chosen = null, until = null;

  root.addEventListener("chosen", (event) => { chosen = event.detail; button.disabled = !chosen; });
  root.addEventListener("drawn", (event) => {
    shown = event.detail;
    if (doc !== shown.doc) { doc = shown.doc; load(); }
    if (doc.m) { waveform(); follow(); }
  });
  function load() {
    if (player) player.pause();
    player = null; needle.hidden = true;
    box.hidden = !doc.m;
    place.replaceChildren();
    if (!doc.m) return;
    player = html(doc.m.v ? "video" : "audio", place);
    player.controls = true; player.preload = "metadata"; player.src = doc.m.f;
    player.setAttribute("aria-label", "Recording of " + doc.n);
    player.addEventListener("timeupdate", follow);
    player.addEventListener("seeked", follow);
    player.addEventListener("play", () => requestAnimationFrame(smoothly));
    player.addEventListener("error", () => { place.replaceChildren(html("p", null, "The recording " + decodeURI(doc.m.f) + " cannot be played here: it must lie where it lay when this page was made, in a form this browser knows.", "aside")); });
  }
  const px = (v) => shown.gutter + ((v - shown.view[0]) / (shown.view[1] - shown.view[0])) * (shown.width - shown.gutter - 12);
  function waveform() {
    wave.replaceChildren();
    const loud = doc.m.p;
    wave.style.display = loud ? "" : "none";
    if (!loud) return;
    const height = 56, half = height / 2;
    wave.setAttribute("viewBox", `0 0 ${shown.width} ${height}`);
    wave.setAttribute("height", height);
    /* one column a pixel, the loudest of what falls on it */
    const per = loud.length / (doc.m.s * scale);
    let path = "";
    for (let x = shown.gutter; x < shown.width - 12; x++) {
      const at = shown.view[0] + ((x - shown.gutter) / (shown.width - shown.gutter - 12)) * (shown.view[1] - shown.view[0]);
      const wide = (shown.view[1] - shown.view[0]) / (shown.width - shown.gutter - 12);
      let peak = -1;
      for (let c = Math.floor(at * per), last = Math.max(c, Math.ceil((at + wide) * per) - 1); c <= last && c < loud.length; c++) if (c >= 0 && loud[c] > peak) peak = loud[c];
      if (peak < 0) continue;
      const tall = Math.max(0.5, (peak / 99) * (half - 3));
      path += `M${x},${(half - tall).toFixed(1)}V${(half + tall).toFixed(1)}`;
    }
    svg("text", { x: shown.gutter - 10, y: half + 4, "text-anchor": "end", class: "soft small" }, wave, "sound");
    svg("path", { d: path, class: "sound" }, wave);
  }
  function smoothly() { follow(); if (player && !player.paused) requestAnimationFrame(smoothly); }
  function follow() {
    if (!player || !shown) return;
    const at = player.currentTime * scale;
    if (until !== null && at >= until) { player.pause(); until = null; }
    if (!player.paused && (at < shown.view[0] || at > shown.view[1])) { const span = shown.view[1] - shown.view[0]; show(at, at + span); }
    needle.hidden = at < shown.view[0] || at > shown.view[1];
    needle.style.left = px(at) + "px";
    needle.title = tidy(at);
  }
  function play(from, to) { if (!player) return; until = to; player.currentTime = from / scale; player.play(); }
  const playChosen = () => { if (chosen) play(chosen.from, chosen.to); };
  button.addEventListener("click", playChosen);
  wave.addEventListener("click", (event) => {
    const r = wave.getBoundingClientRect(), x = ((event.clientX - r.left) / r.width) * shown.width;
    if (player && x > shown.gutter) { until = null; player.currentTime = Math.max(0, (shown.view[0] + ((x - shown.gutter) / (shown.width - shown.gutter - 12)) * (shown.view[1] - shown.view[0])) / scale); }
  });
  document.addEventListener("keydown", (event) => {
    const own = event.target.closest && event.target.closest("input, select, textarea, button, audio, video, a");
    if (!player || own || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " ") { event.preventDefault(); until = null; player.paused ? player.play() : player.pause(); }
    else if (event.key === "Enter" && chosen) { event.preventDefault(); playChosen(); }
  });
})();
