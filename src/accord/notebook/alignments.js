/* The explorer is a page of its own: a frame keeps its style and its keys apart from the notebook's. */
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Alignments";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.style.cssText = "width:100%;border:0;height:" + model.get("height") + "px";
  frame.srcdoc = model.get("page");
  const tell = () => {
    const name = model.get("document");
    if (name) frame.contentWindow?.postMessage({ accord: "open", document: name }, "*");
  };
  const heard = (event) => {
    if (event.source !== frame.contentWindow || !event.data || event.data.accord !== "opened") return;
    // a page that has just been loaded (again: notebooks take cells out of sight away) opens its first
    // document; the one that was open, or that Python asked for, comes before that
    if (event.data.first && model.get("document")) tell();
    else if (event.data.document !== model.get("document")) {
      model.set("document", event.data.document);
      model.save_changes();
    }
  };
  window.addEventListener("message", heard);
  model.on("change:document", tell);
  el.appendChild(frame);
  return () => {
    window.removeEventListener("message", heard);
    model.off("change:document", tell);
  };
}
export default { render };
