"use strict";
/* Downloads of the tables embedded in the page. */
(function () {
  const holder = document.getElementById("report-tables");
  if (!holder) return;
  const tables = JSON.parse(holder.textContent);
  const cell = (v) => {
    if (v === null || v === undefined) return "";
    const text = typeof v === "object" ? JSON.stringify(v) : String(v);
    return /[",\n\r]/.test(text) ? '"' + text.replace(/"/g, '""') + '"' : text;
  };
  function made(name, as) {
    const t = tables[name];
    if (as === "csv") return [t.columns, ...t.rows].map((r) => r.map(cell).join(",")).join("\n") + "\n";
    return JSON.stringify(t.rows.map((r) => Object.fromEntries(t.columns.map((c, i) => [c, r[i]]))), null, 1);
  }
  window.accordTable = made;
  for (const button of document.querySelectorAll("[data-table]")) {
    button.addEventListener("click", () => {
      const { table, as } = button.dataset, link = document.createElement("a");
      link.href = URL.createObjectURL(new Blob([made(table, as)], { type: as === "csv" ? "text/csv" : "application/json" }));
      link.download = table + "." + as;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    });
  }
})();
/* A cell of a matrix opens the examples it leads to. */
(function () {
  function show() {
    const goal = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (goal && goal.tagName === "DETAILS") { goal.open = true; goal.scrollIntoView({ block: "center" }); goal.querySelector("summary").focus(); }
  }
  window.addEventListener("hashchange", show);
  show();
})();
