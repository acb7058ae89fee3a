/* What a page of another origin tries, with the cookie that the browser may add; window.seen is what it got to see, once it is over. */
const [target, body] = arguments, seen = [], ways = [];
const said = (name) => (x) => { if (x !== undefined) seen.push([name, String(x).slice(0, 200)]); };
const way = (name, promise) => ways.push(Promise.race([promise, new Promise((r) => setTimeout(r, 4000))]).then(said(name), () => {}));
const posts = ["/api/decisions", "/api/batches", "/api/undo", "/api/remarks", "/login", "/logout"];
const gets = ["/api/about", "/api/queue", "/api/decisions", "/api/export", "/api/reference", "/language.js", "/", "/discussion", "/document?name=doc"];
for (const mode of ["cors", "no-cors", "same-origin"]) {
  for (const credentials of ["include", "omit"]) {
    for (const path of gets) way(mode + " " + path, fetch(target + path, { mode, credentials }).then((r) => r.text()));
    for (const path of posts) {
      for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded"]) {
        way(mode + " post " + path, fetch(target + path, { method: "POST", mode, credentials, body, headers: { "content-type": type } }).then((r) => r.text()));
      }
    }
  }
}
way("beacon", Promise.resolve(navigator.sendBeacon(target + "/api/decisions", new Blob([body], { type: "application/json" })) && ""));
way("events", new Promise((r) => { const e = new EventSource(target + "/api/events", { withCredentials: true }); e.onmessage = (m) => r(m.data); e.addEventListener("decisions", (m) => r(m.data)); }));
way("socket", new Promise((r) => { const s = new WebSocket(target.replace("http", "ws") + "/api/events"); s.onopen = () => r("open"); }));
for (const path of ["/language.js", "/api/about", "/static/app.js"]) {
  way("script " + path, new Promise((r) => {
    const s = document.createElement("script");
    s.src = target + path; s.onload = () => r(path.startsWith("/static") ? "" : "loaded " + (typeof accordWords)); document.head.append(s);
  }));
}
for (const path of ["/", "/discussion", "/document?embedded=1&name=doc"]) {
  way("frame " + path, new Promise((r) => {
    const f = document.createElement("iframe");
    f.src = target + path; f.onload = () => { try { r(f.contentDocument ? f.contentDocument.body.innerText : ""); } catch { r(""); } };
    document.body.append(f);
  }));
}
for (const path of posts) {
  const form = document.createElement("form"), field = document.createElement("input"), frame = document.createElement("iframe");
  frame.name = "to" + path; form.target = frame.name; form.action = target + path; form.method = "post"; form.enctype = "text/plain";
  field.name = body.slice(0, -1) + ', "x": "'; field.value = '"}';
  form.append(field); document.body.append(frame, form); form.submit();
}
Promise.all(ways).then(() => { window.seen = seen; });
