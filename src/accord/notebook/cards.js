/* One card: its text, what the annotators said, a button each. Python stores the answer and sends the next. */
function render({ model, el }) {
  const make = (name, parent, text, css) => {
    const node = document.createElement(name);
    if (text !== undefined) node.textContent = text;
    if (css) node.style.cssText = css;
    if (parent) parent.appendChild(node);
    return node;
  };
  // Jupyter has keys of its own outside of editors (1 makes a heading of a cell): not on the card
  el.dataset.lmSuppressShortcuts = "true";
  // counted on from what was said before: a view that is drawn anew must not repeat a number
  const say = (told) => { model.set("said", { ...told, number: (model.get("said")?.number || 0) + 1 }); model.save_changes(); };
  function draw() {
    el.replaceChildren();
    const box = make("div", el, undefined, "border:1px solid currentColor;border-radius:6px;padding:.8em 1em;max-width:46em");
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "Card to decide");
    const card = model.get("card");
    make("div", box, model.get("decided") + " decided, " + model.get("left") + " left", "opacity:.72;font-size:.9em");
    if (!card) { make("p", box, "Nothing is left to decide."); return; }
    make("div", box, card.id, "margin:.4em 0;font-weight:600");
    if (card.context) {
      const text = make("p", box, undefined, "line-height:1.5;white-space:pre-wrap;max-height:12em;overflow:auto");
      const { before, after } = card.context;
      make("span", text, before.length > 160 ? "… " + before.slice(-160).replace(/^\S*\s/, "") : before);
      make("mark", text, card.context.inside);
      make("span", text, after.length > 160 ? after.slice(0, 160).replace(/\s\S*$/, "") + " …" : after);
    }
    if (card.guideline) make("p", box, card.guideline, "font-style:italic");
    const why = make("input", undefined, undefined, "width:100%;margin:.5em 0;box-sizing:border-box");
    why.placeholder = "why (optional)";
    why.setAttribute("aria-label", "Why");
    const row = make("div", box, undefined, "display:flex;flex-wrap:wrap;gap:.5em");
    card.versions.forEach((version, i) => {
      const who = version.annotators ? " · " + version.annotators.join(", ") : "";
      const button = make("button", row, i + 1 + "  " + version.shown + who, "padding:.4em .8em;cursor:pointer" + (version.shown === card.proposed ? ";font-weight:700" : ""));
      button.addEventListener("click", () => say(version.value === null
        ? { do: "answer", kind: "none", value: null, why: why.value }
        : { do: "answer", kind: "label", value: version.value, why: why.value }));
    });
    const skip = make("button", row, "later", "padding:.4em .8em;cursor:pointer;opacity:.8");
    skip.addEventListener("click", () => say({ do: "skip" }));
    box.appendChild(why);
    make("div", box, "proposed: " + card.proposed + " (confidence " + card.confidence.toFixed(2) + ")", "opacity:.72;font-size:.9em");
    const problem = model.get("problem");
    if (problem) make("p", box, problem, "color:#c0392b").setAttribute("role", "alert");
    el.tabIndex = 0;
    el.onkeydown = (event) => {
      if (event.target === why) return;
      const at = Number(event.key) - 1;
      if (card.versions[at]) row.children[at].click();
    };
  }
  // the counts come with the card: whatever arrives last is drawn
  const names = ["card", "decided", "left", "problem"].map((name) => "change:" + name);
  for (const name of names) model.on(name, draw);
  draw();
  return () => { for (const name of names) model.off(name, draw); };
}
export default { render };
