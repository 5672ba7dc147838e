// Drawing of figures, again for another theme or another width.
const themes = stored("page-themes");
const { specs, datasets } = stored("page-figures");
const drawn = new Map();
const narrow = { legend: { columns: 2, labelLimit: 125, columnPadding: 10 }, axis: { labelLimit: 120 } };

const places = () => all("[data-figure]");
const widthOf = (place) => place.parentElement.clientWidth;
const configOf = (colours, width) => {
  const { legend, axis, ...rest } = themes[colours];
  if (width >= NARROW) return themes[colours];
  return { ...rest, legend: { ...legend, ...narrow.legend }, axis: { ...axis, ...narrow.axis } };
};
const rowsOf = ({ keys, rows, values }) =>
  values ?? rows.map((row) => Object.fromEntries(keys.map((key, place) => [key, row[place]])));
const dataNames = (part, names = new Set()) => {
  for (const [key, value] of Object.entries(part ?? {})) {
    if (key === "data" && value && Object.hasOwn(datasets, value.name)) names.add(value.name);
    if (value && typeof value === "object") dataNames(value, names);
  }
  return names;
};

const draw = async (place, colours) => {
  const width = widthOf(place);
  const spec = specs[place.dataset.figure];
  const whole = {
    ...fitted(spec, width),
    datasets: Object.fromEntries([...dataNames(spec)].map((name) => [name, rowsOf(datasets[name])])),
  };
  place.dataset.drawn = `${colours} ${width}`;
  place.classList.toggle("matrix", isMatrix(spec));
  drawn.get(place)?.finalize();
  drawn.set(
    place,
    await vegaEmbed(place, whole, {
      actions: false,
      // The interpreter: the page forbids code made from text.
      ast: true,
      config: configOf(colours, width),
      defaultStyle: false,
      mode: "vega-lite",
      renderer: "svg",
      tooltip: { disableDefaultStyle: true },
    }),
  );
  const svg = place.querySelector("svg");
  showAll(svg);
  // The description on the place around it stands for the whole drawing.
  svg.setAttribute("aria-hidden", "true");
};

let round = 0;
const drawAll = async () => {
  const mine = ++round;
  for (const place of places()) {
    if (place.dataset.drawn === `${theme()} ${widthOf(place)}`) continue;
    try {
      await draw(place, theme());
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
  resized = setTimeout(drawAll, 150);
});

// Paper is light, whatever the screen is, and shows all.
const opened = new Set();
addEventListener("beforeprint", () => {
  for (const details of all("details:not([open])")) {
    details.open = true;
    opened.add(details);
  }
  if (theme() === "dark") for (const place of places()) draw(place, "light");
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
  opened.clear();
  drawAll();
});
