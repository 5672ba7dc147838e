// Sorting by the buttons in the heads, and a table as CSV.
const isMissing = (cell) => "missing" in cell.dataset;
const raw = (cell) => cell.dataset.value ?? cell.textContent;
const number = (cell) => {
  const first = raw(cell).split(" ")[0];
  return first === "inf" ? Infinity : first === "-inf" ? -Infinity : Number(first);
};
const compared = (head) =>
  ["text", "truth"].includes(head.dataset.kind)
    ? (one, other) => raw(one).localeCompare(raw(other), "en", { numeric: true })
    : (one, other) => number(one) - number(other);
const firstOrder = (head) => (head.dataset.kind === "text" ? "ascending" : "descending");
const nextOrder = (head) => {
  const orders = ["none", firstOrder(head), firstOrder(head) === "ascending" ? "descending" : "ascending"];
  return orders[(orders.indexOf(head.getAttribute("aria-sort")) + 1) % 3];
};
const sort = (button) => {
  const head = button.closest("th");
  const body = head.closest("table").tBodies[0];
  const order = nextOrder(head);
  for (const other of head.parentElement.cells) other.setAttribute("aria-sort", other === head ? order : "none");
  const compare = compared(head);
  const direction = order === "descending" ? -1 : 1;
  const rows = [...body.rows].sort((one, other) => {
    if (order === "none") return one.dataset.place - other.dataset.place;
    const [left, right] = [one.cells[head.cellIndex], other.cells[head.cellIndex]];
    if (isMissing(left) || isMissing(right)) return isMissing(left) - isMissing(right);
    return direction * compare(left, right) || one.dataset.place - other.dataset.place;
  });
  body.append(...rows);
  say(order === "none" ? "In the first order" : `Sorted by ${button.textContent}, ${order}`);
};
const isInterval = (kind) => ["interval", "share_interval"].includes(kind);
const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  const keys = heads.flatMap(({ dataset: { key, kind } }) => (isInterval(kind) ? [`${key}_low`, `${key}_high`] : [key]));
  const values = (row) => [...row.cells].flatMap((cell, place) => {
    const interval = isInterval(heads[place]?.dataset.kind);
    if (isMissing(cell)) return interval ? ["", ""] : [""];
    return interval ? raw(cell).split(" ") : [raw(cell)];
  });
  const rows = [...table.tBodies[0].rows].filter((row) => row.cells.length === heads.length);
  return [keys, ...rows.map(values)].map((row) => row.map(quoted).join(",") + "\n").join("");
};
all("tbody").forEach((body) => [...body.rows].forEach((row, place) => { row.dataset.place = place; }));
