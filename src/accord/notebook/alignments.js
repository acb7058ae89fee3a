/* The explorer is a page of its own: a frame keeps its style and its keys apart from the notebook's. */
function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.title = "Alignments";
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.style.cssText = "width:100%;border:0;height:" + model.get("height") + "px";
  frame.srcdoc = model.get("page");
  const tell = () => {
    const name = model.get("document");
    if (name) frame.contentWindow.postMessage({ accord: "open", document: name }, "*");
  };
  const heard = (event) => {
    if (event.source !== frame.contentWindow || !event.data || event.data.accord !== "opened") return;
    if (event.data.document !== model.get("document")) {
      model.set("document", event.data.document);
      model.save_changes();
    }
  };
  frame.addEventListener("load", tell);
  window.addEventListener("message", heard);
  model.on("change:document", tell);
  el.appendChild(frame);
  return () => window.removeEventListener("message", heard);
}
export default { render };
