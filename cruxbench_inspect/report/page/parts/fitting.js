// Specs in the width that the page has for them.
const NARROW = 520;
const WIDEST = 760;
const SMALL_PANEL = 170;
const NARROW_PANEL = 240;
const WHOLE_LABEL = 240;
// Of the type of axes, in pixels, rather more than less.
const CHARACTER = 6.5;

const isComposed = (spec) =>
  ["hconcat", "vconcat", "concat", "facet", "repeat"].some((key) => key in spec) ||
  ["facet", "row", "column"].some((key) => key in (spec.encoding ?? {}));
const hasDiscrete = (spec, channel) =>
  ["nominal", "ordinal"].includes(spec.encoding?.[channel]?.type) ||
  (spec.layer ?? []).some((each) => hasDiscrete(each, channel));

// A matrix keeps its width, and scrolls in its own box: narrower cells have no room for their numbers.
const isMatrix = (spec) => !isComposed(spec) && hasDiscrete(spec, "x") && hasDiscrete(spec, "y");

const fitted = (spec, width) => {
  if (isMatrix(spec)) return spec.width === "container" ? { ...spec, width: WIDEST } : spec;
  if (isComposed(spec)) return width < NARROW ? stacked(spec, width - 90) : spec;
  const own = width < NARROW ? withoutLegendColumns(spec) : spec;
  if (own.width === "container") return { ...own, width: Math.min(WIDEST, width) };
  if (typeof own.width === "object" || (own.width === undefined && hasDiscrete(own, "x"))) return own;
  return { ...own, width: Math.min((own.width ?? 640) + 90, width), autosize: { type: "fit-x", contains: "padding" } };
};

// What stands side by side is put one below the other; small panels in two columns.
const stacked = (spec, inner) => {
  const { hconcat, ...result } = withoutLegendColumns(spec);
  if (hconcat) result.vconcat = hconcat;
  const panel = result.spec?.width;
  const columns = typeof panel === "number" && panel <= SMALL_PANEL ? 2 : 1;
  const share = columns === 2 ? (inner - 10) / 2 : inner;
  for (const key of ["vconcat", "concat"]) if (result[key]) result[key] = result[key].map((each) => stacked(each, inner));
  if (typeof result.spec === "object") result.spec = stacked(result.spec, share);
  if (result.concat || "facet" in result || "repeat" in result) result.columns = columns;
  if (result.encoding?.facet) result.encoding = { ...result.encoding, facet: { ...result.encoding.facet, columns: 1 } };
  if (isComposed(result) || typeof result.width === "object") return result;
  if (result.width !== undefined || !hasDiscrete(result, "x")) result.width = inner;
  return inner < NARROW_PANEL ? withNarrowAxis(result, inner) : result;
};
// Titles are broken into lines, and labels of groups slanted, before they run into those of the next panel.
const withNarrowAxis = (part, inner) => {
  const result = part.layer ? { ...part, layer: part.layer.map((each) => withNarrowAxis(each, inner)) } : { ...part };
  const x = part.encoding?.x;
  if (!x) return result;
  const axis = x.axis?.labelAngle === 0 ? { ...x.axis, labelAngle: -40 } : x.axis;
  const title = typeof x.title === "string" ? broken(x.title, Math.floor(inner / CHARACTER)) : x.title;
  result.encoding = { ...part.encoding, x: { ...x, ...(axis && { axis }), ...(title && { title }) } };
  return result;
};
const broken = (text, room) =>
  text.split(" ").reduce((lines, word) => {
    const line = lines.length ? `${lines.at(-1)} ${word}` : word;
    return line.length <= room ? [...lines.slice(0, -1), line] : [...lines, word];
  }, []).join("\n");
const withoutLegendColumns = (part) => {
  if (Array.isArray(part)) return part.map(withoutLegendColumns);
  if (part === null || typeof part !== "object") return part;
  const pairs = Object.entries(part).map(([key, value]) => {
    if (key !== "legend" || !value) return [key, withoutLegendColumns(value)];
    const { columns, labelLimit, ...legend } = value;
    // One below the other, they have room.
    return [key, columns === 1 ? { ...legend, columns, labelLimit: WHOLE_LABEL } : legend];
  });
  return Object.fromEntries(pairs);
};

// A legend or a label that juts out of a drawing of fixed width widens what is shown of it.
const showAll = (svg) => {
  const outer = svg.getBoundingClientRect();
  const scale = outer.width / svg.width.baseVal.value || 1;
  const texts = [...svg.querySelectorAll("text")].map((text) => text.getBoundingClientRect());
  const left = Math.max(0, ...texts.map((text) => outer.left - text.left)) / scale;
  const right = Math.max(0, ...texts.map((text) => text.right - outer.right)) / scale;
  if (left + right < 1) return;
  const [x, y, width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const whole = width + left + right + 4;
  svg.setAttribute("viewBox", `${x - left - 2} ${y} ${whole} ${height}`);
  svg.setAttribute("width", whole);
};
