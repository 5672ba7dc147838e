"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, under = document) => [...under.querySelectorAll(selector)];
  const stored = (id) => JSON.parse(document.getElementById(id).textContent);
  const say = (text) => { document.getElementById("page-status").textContent = text; };

  // Theme: the reader's system decides until the button is pressed, and again once both agree.
  const system = matchMedia("(prefers-color-scheme: dark)");
  const systemTheme = () => (system.matches ? "dark" : "light");
  const theme = () => root.dataset.theme ?? systemTheme();
  const themeButton = document.querySelector("[data-action=theme]");

  const showTheme = () => {
    themeButton.hidden = false;
    themeButton.textContent = theme() === "dark" ? "Light theme" : "Dark theme";
    drawAll();
  };
  themeButton.addEventListener("click", () => {
    const chosen = theme() === "dark" ? "light" : "dark";
    const same = chosen === systemTheme();
    if (same) delete root.dataset.theme;
    else root.dataset.theme = chosen;
    try {
      if (same) localStorage.removeItem("cruxbench-theme");
      else localStorage.setItem("cruxbench-theme", chosen);
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
    showTheme();
  });
  system.addEventListener("change", showTheme);

  // Figures.
  const themes = stored("page-themes");
  const { specs, datasets } = stored("page-figures");
  const NARROW = 520;
  const WIDEST = 760;
  // A matrix scrolls in its own box where its cells would become too narrow for their numbers.
  const MATRIX = 600;
  const drawn = new Map();

  const rowsOf = ({ keys, rows, values }) =>
    values ?? rows.map((row) => Object.fromEntries(keys.map((key, place) => [key, row[place]])));
  const dataNames = (part, names = new Set()) => {
    for (const [key, value] of Object.entries(part ?? {})) {
      if (key === "data" && value && Object.hasOwn(datasets, value.name)) names.add(value.name);
      if (value && typeof value === "object") dataNames(value, names);
    }
    return names;
  };
  const isComposed = (spec) =>
    ["hconcat", "vconcat", "concat", "facet", "repeat"].some((key) => key in spec) ||
    ["facet", "row", "column"].some((key) => key in (spec.encoding ?? {}));
  const hasDiscrete = (spec, channel) =>
    ["nominal", "ordinal"].includes(spec.encoding?.[channel]?.type) ||
    (spec.layer ?? []).some((each) => hasDiscrete(each, channel));
  const isMatrix = (spec) => spec.width === "container" && hasDiscrete(spec, "x") && hasDiscrete(spec, "y");
  const stacked = (spec, inner) => {
    const { hconcat, ...result } = spec;
    if (hconcat) result.vconcat = hconcat;
    for (const key of ["vconcat", "concat"]) if (result[key]) result[key] = result[key].map((each) => stacked(each, inner));
    if (typeof result.spec === "object") result.spec = stacked(result.spec, inner);
    if (result.concat || "facet" in result || "repeat" in result) result.columns = 1;
    if (result.encoding?.facet) result.encoding = { ...result.encoding, facet: { ...result.encoding.facet, columns: 1 } };
    if (typeof result.width === "number") result.width = Math.min(result.width, inner);
    else if (!isComposed(result) && typeof result.width !== "object" && !hasDiscrete(result, "x")) result.width = inner;
    return result;
  };
  const fitted = (spec, width) => {
    if (isComposed(spec)) return width < NARROW ? stacked(spec, width - 90) : spec;
    if (isMatrix(spec)) return { ...spec, width: Math.min(WIDEST, Math.max(MATRIX, width)) };
    if (spec.width === "container") return { ...spec, width: Math.min(WIDEST, width) };
    if (typeof spec.width === "object" || (spec.width === undefined && hasDiscrete(spec, "x"))) return spec;
    return { ...spec, width: Math.min((spec.width ?? 640) + 90, width), autosize: { type: "fit-x", contains: "padding" } };
  };
  const looks = (colours, width) => {
    const { legend, axis, ...rest } = themes[colours];
    return width < NARROW ? { ...rest, legend: { ...legend, ...narrow.legend }, axis: { ...axis, ...narrow.axis } } : themes[colours];
  };
  const narrow = { legend: { columns: 2, labelLimit: 130, columnPadding: 10 }, axis: { labelLimit: 120 } };
  const widthOf = (place) => place.parentElement.clientWidth;
  const draw = async (place, colours = theme()) => {
    const width = widthOf(place);
    const spec = specs[place.dataset.figure];
    place.classList.toggle("matrix", isMatrix(spec));
    const whole = {
      ...fitted(spec, width),
      datasets: Object.fromEntries([...dataNames(spec)].map((name) => [name, rowsOf(datasets[name])])),
    };
    drawn.get(place)?.finalize();
    // The interpreter: the page forbids code made from text.
    const options = { config: looks(colours, width), mode: "vega-lite", renderer: "svg", actions: false, ast: true, defaultStyle: false };
    drawn.set(place, await vegaEmbed(place, whole, { ...options, tooltip: { disableDefaultStyle: true } }));
    // The description on the place around it stands for the whole drawing.
    place.querySelector("svg")?.setAttribute("aria-hidden", "true");
    place.dataset.drawn = `${colours} ${width}`;
  };
  let round = 0;
  const drawAll = async () => {
    const mine = ++round;
    for (const place of all("[data-figure]")) {
      if (place.dataset.drawn === `${theme()} ${widthOf(place)}`) continue;
      try {
        await draw(place);
      } catch (error) {
        console.error(`The figure ${place.dataset.figure} cannot be drawn.`, error);
      }
      // Lets the page answer between two figures.
      await new Promise((resume) => setTimeout(resume));
      if (mine !== round) return;
    }
    markScrolling();
    root.dataset.figures = "drawn";
  };
  let resized;
  addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => { markScrolling(); drawAll(); }, 150);
  });
  const closed = new Set();
  addEventListener("beforeprint", () => {
    for (const details of all("details:not([open])")) { details.open = true; closed.add(details); }
    if (theme() === "dark") for (const place of all("[data-figure]")) draw(place, "light");
  });
  addEventListener("afterprint", () => {
    for (const details of closed) details.open = false;
    closed.clear();
    drawAll();
  });

  // Tables.
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
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const csv = (table) => {
    const heads = [...table.tHead.rows[0].cells];
    const keys = heads.flatMap(({ dataset: { key, kind } }) => (kind === "interval" ? [`${key}_low`, `${key}_high`] : [key]));
    const values = (row) => [...row.cells].flatMap((cell, place) => {
      const interval = heads[place]?.dataset.kind === "interval";
      if (isMissing(cell)) return interval ? ["", ""] : [""];
      return interval ? raw(cell).split(" ") : [raw(cell)];
    });
    const rows = [...table.tBodies[0].rows].filter((row) => row.cells.length === heads.length);
    return [keys, ...rows.map(values)].map((row) => row.map(quoted).join(",") + "\n").join("");
  };
  all("tbody").forEach((body) => [...body.rows].forEach((row, place) => { row.dataset.place = place; }));
  const markScrolling = () => {
    for (const box of all(".scroll, .frame")) {
      const scrolls = box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1;
      box.tabIndex = scrolls ? 0 : -1;
    }
  };

  // Copies and downloads.
  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
  };
  const save = (content, name) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(content);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    say(`${name} is saved`);
  };
  const partOf = (button) => button.closest(".part");
  const tableOf = (button) => partOf(button).querySelector("table");
  const placeOf = (button) => partOf(button).querySelector("[data-figure]");
  const viewOf = (button) => drawn.get(placeOf(button)).view;
  const actions = {
    sort,
    "copy-csv": async (button) => {
      await copy(csv(tableOf(button)));
      const text = button.textContent;
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = text; }, 2000);
      say("Copied");
    },
    "save-csv": (button) => save(new Blob([csv(tableOf(button))], { type: "text/csv" }), `${tableOf(button).dataset.name}.csv`),
    "save-svg": async (button) =>
      save(new Blob([await viewOf(button).toSVG()], { type: "image/svg+xml" }), `${placeOf(button).dataset.figure}.svg`),
    "save-png": async (button) => {
      const canvas = await viewOf(button).toCanvas(2);
      canvas.toBlob((image) => save(image, `${placeOf(button).dataset.figure}.png`), "image/png");
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-action]");
    if (button && button.dataset.action in actions) actions[button.dataset.action](button);
  });
  markScrolling();
  showTheme();
})();
