"use strict";
// Sorts tables, shows values under the mouse, and highlights one algorithm everywhere. The page is complete
// without it.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const create = (tag, properties) => Object.assign(document.createElement(tag), properties);

  // The algorithms of the tables. A name in a figure may be longer: `bsp, 2 threads`.
  const names = [...new Set(all("tbody [data-name]").map((row) => row.dataset.name))];
  const known = new Set(names);
  const algorithmOf = (name) => {
    for (let end = name.length; end > 0; end = name.lastIndexOf(", ", end - 1)) {
      if (known.has(name.slice(0, end))) return name.slice(0, end);
    }
    return null;
  };

  // ---- Tables

  // What a row is sorted by; null where it has no value.
  function key(row, column) {
    // A row without figures has one wide cell in their place.
    if (column > 0 && row.querySelector("[colspan]")) return null;
    const cell = row.cells[column];
    if ("sort" in cell.dataset) return Number(cell.dataset.sort);
    const text = cell.textContent.trim();
    return text === "-" ? null : text;
  }

  function compare(a, b) {
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", { numeric: true });
  }

  function sort(table, column) {
    const heads = [...table.tHead.rows[0].cells];
    const direction = heads[column].getAttribute("aria-sort") === "ascending" ? -1 : 1;
    const rows = [...table.tBodies[0].rows].map((row) => [key(row, column), row]);
    rows.sort(([a], [b]) => {
      // Without a value: at the end, in either direction.
      if (a === null || b === null) return (a === null) - (b === null);
      return direction * compare(a, b);
    });
    heads.forEach((head) => head.removeAttribute("aria-sort"));
    heads[column].setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    table.tBodies[0].append(...rows.map(([, row]) => row));
  }

  for (const table of all("table.sortable")) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = create("button", { type: "button", textContent: head.textContent.trim() });
      button.addEventListener("click", () => sort(table, column));
      head.replaceChildren(button);
    });
  }

  // ---- One algorithm, highlighted

  // Every element that belongs to an algorithm: rows, marks, curves, and names in figures.
  const owned = [];
  const own = (element, name) => name !== null && owned.push([element, name]);
  all("tbody [data-name]").forEach((row) => own(row, row.dataset.name));
  all("svg g[data-name]").forEach((group) => own(group, algorithmOf(group.dataset.name)));
  // A mark of its own; those of a curve follow it.
  all("svg g.value").filter((mark) => !mark.closest("g[data-name]")).forEach((mark) => {
    own(mark, algorithmOf(mark.querySelector("title").textContent.split("\n")[0].trim()));
  });
  for (const text of all("svg text")) {
    const name = algorithmOf(text.textContent.trim());
    if (name === null) continue;
    text.classList.add("known");
    text.addEventListener("click", () => toggle(name));
    if (!text.closest("g[data-name]")) own(text, name);
  }

  const select = create("select", { id: "highlight" });
  select.append(new Option("no algorithm", ""), ...[...names].sort().map((name) => new Option(name)));

  function highlight(name) {
    select.value = name;
    for (const [element, owner] of owned) {
      element.classList.toggle("lit", owner === name);
      element.classList.toggle("faint", name !== "" && owner !== name && !element.matches("tr"));
      element.querySelector("button")?.setAttribute("aria-pressed", owner === name);
      // Over the other curves.
      if (owner === name && element.matches("svg > g")) element.parentNode.append(element);
    }
  }
  const toggle = (name) => highlight(select.value === name ? "" : name);

  for (const row of all("tbody tr[data-name]")) {
    const name = row.dataset.name;
    const button = create("button", { type: "button", textContent: name, title: "Highlight everywhere" });
    button.setAttribute("aria-pressed", "false");
    button.addEventListener("click", () => toggle(name));
    row.cells[0].replaceChildren(button);
  }
  if (names.length > 0) {
    const label = create("label", { htmlFor: "highlight", textContent: "Highlight" });
    const hint = create("small", { textContent: "or click a name; Escape ends it. Headers of tables sort." });
    document.getElementById("controls").append(label, select, hint);
  }
  select.addEventListener("change", () => highlight(select.value));
  document.addEventListener("keydown", (event) => event.key === "Escape" && highlight(""));

  // ---- Values under the mouse

  // How near the mouse must be to a mark, pixels.
  const REACH = 18;
  const values = create("div", { id: "values", hidden: true });
  values.setAttribute("role", "status");
  document.body.append(values);

  for (const svg of all(".charts svg")) {
    const marks = all("g.value", svg);
    for (const mark of marks) {
      const title = mark.querySelector("title");
      // Else the browser shows it a second time.
      mark.setAttribute("role", "img");
      mark.setAttribute("aria-label", title.textContent);
      title.remove();
    }
    svg.addEventListener("pointermove", (event) => {
      const mark = event.target.closest("g.value") ?? nearest(marks, event.clientX, event.clientY);
      show(mark?.getAttribute("aria-label") ?? "", event);
    });
    svg.addEventListener("pointerleave", (event) => show("", event));
  }

  function nearest(marks, x, y) {
    let best = null;
    let least = REACH;
    for (const mark of marks) {
      if (mark.closest(".faint")) continue;
      const box = (mark.querySelector("rect") ?? mark.lastElementChild ?? mark).getBoundingClientRect();
      const distance = Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y);
      if (distance < least) [best, least] = [mark, distance];
    }
    return best;
  }

  function show(text, { clientX, clientY }) {
    values.hidden = text === "";
    if (text === "") return;
    values.textContent = text;
    const { width, height } = values.getBoundingClientRect();
    const left = Math.min(clientX + 14, innerWidth - width - 8);
    const above = clientY + 14 + height > innerHeight;
    values.style.left = `${Math.max(8, left)}px`;
    values.style.top = `${above ? clientY - height - 10 : clientY + 14}px`;
  }
})();
