// Opens a page in headless Chromium and prints what it found as JSON; page_check.py calls it.
// Arguments: the page, Chromium, the folder of npm packages, the folder for screenshots or "".
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const [page, executablePath, modules, screenshots] = process.argv.slice(2);
const required = createRequire(`${modules}/`);
const { chromium } = required("playwright-core");
const axe = readFileSync(required.resolve("axe-core/axe.min.js"), "utf-8");
const address = pathToFileURL(page).href;
const PATIENCE = 60000;

const undrawn = () =>
  [...document.querySelectorAll("[data-figure]")]
    .filter((place) => {
      const size = place.querySelector("svg, canvas")?.getBoundingClientRect();
      const isEmpty = !place.querySelector("canvas, svg .role-mark path, svg .role-mark line, svg .role-mark text");
      return !size || size.width < 40 || size.height < 20 || isEmpty;
    })
    .map((place) => place.dataset.figure);

// Titles of axes that run into each other, and cells of long columns in a table that scrolls sideways anyway.
const crowded = () => {
  const LINES = 5;
  const found = [];
  for (const place of document.querySelectorAll("[data-figure]")) {
    const boxes = [...place.querySelectorAll("svg .role-axis-title text")].map((text) => text.getBoundingClientRect());
    const touch = (one, other) =>
      Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
      Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 3;
    if (boxes.some((one, place) => boxes.slice(place + 1).some((other) => touch(one, other)))) {
      found.push(`titles of axes run into each other: ${place.dataset.figure}`);
    }
  }
  for (const table of document.querySelectorAll("table[data-name]")) {
    const box = table.parentElement;
    if (box.scrollWidth <= box.clientWidth + 1) continue;
    const lines = [...table.querySelectorAll("tbody :is(th, td):not(.long)")].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().height / parseFloat(getComputedStyle(cell).lineHeight);
    });
    const most = Math.round(Math.max(0, ...lines));
    if (most >= LINES) found.push(`cells of ${most} lines in a table that scrolls: ${table.dataset.name}`);
  }
  return found;
};

// What runs over the right edge of a sheet, by pixels: upright A4, or on its side where the style asks for it.
const SHEETS = { upright: 673, lying: 1002 };
const cutOnPaper = async (opened, viewport) => {
  await opened.emulateMedia({ media: "print" });
  const cut = [];
  for (const [sheet, width] of Object.entries(SHEETS)) {
    await opened.setViewportSize({ width, height: 1000 });
    const over = await opened.evaluate((isLying) => {
      const edge = document.documentElement.clientWidth;
      return [...document.querySelectorAll("table[data-name]")]
        .filter((table) => (getComputedStyle(table).page !== "auto") === isLying)
        .map((table) => [table.dataset.name, Math.round(table.getBoundingClientRect().right - edge)])
        .filter(([, pixels]) => pixels > 1);
    }, sheet === "lying");
    cut.push(...over.map(([name, pixels]) => `${name} by ${pixels} pixels`));
  }
  await opened.emulateMedia({ media: "screen" });
  await opened.setViewportSize(viewport);
  return cut;
};

const checked = async (browser, name, viewport, colorScheme) => {
  const context = await browser.newContext({ colorScheme, viewport, reducedMotion: "reduce" });
  const opened = await context.newPage();
  const view = { name, console: [], warnings: [], requests: [] };
  opened.on("console", (message) => {
    if (message.type() === "error") view.console.push(message.text());
    if (message.type() === "warning") view.warnings.push(message.text());
  });
  opened.on("pageerror", (error) => view.console.push(String(error)));
  opened.on("request", (request) => {
    if (request.url() !== address && !/^(data|blob):/.test(request.url())) view.requests.push(request.url());
  });
  await opened.goto(address);
  await opened
    .waitForFunction(() => document.documentElement.dataset.figures === "drawn", null, { timeout: PATIENCE })
    .catch(() => view.console.push(`the page was not done with its figures after ${PATIENCE / 1000} s`));
  view.undrawn = await opened.evaluate(undrawn);
  view.drawn = (await opened.locator("[data-figure]").count()) - view.undrawn.length;
  view.overflow = await opened.evaluate(() => {
    const root = document.documentElement;
    return Math.max(root.scrollWidth, document.body.scrollWidth) - root.clientWidth;
  });
  if (screenshots) {
    await opened.screenshot({ path: `${screenshots}/${name}-top.png` });
    await opened.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
  }
  view.crowded = await opened.evaluate(crowded);
  view.cut = await cutOnPaper(opened, viewport);
  // Through the debugger, which the page's own policy does not concern.
  const debuggerSession = await context.newCDPSession(opened);
  await debuggerSession.send("Runtime.evaluate", { expression: axe });
  const { violations } = await opened.evaluate(() => globalThis.axe.run());
  view.findings = violations.map(({ id, impact, help, nodes }) => ({
    id,
    impact,
    help,
    count: nodes.length,
    example: nodes[0].html.slice(0, 200),
  }));
  await context.close();
  return view;
};

// Root, as in containers, has no sandbox in Chromium.
const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
const browser = await chromium.launch({ executablePath, args });
const views = [];
for (const [size, viewport] of Object.entries({ wide: { width: 1440, height: 1000 }, narrow: { width: 360, height: 740 } })) {
  for (const scheme of ["light", "dark"]) views.push(await checked(browser, `${size}-${scheme}`, viewport, scheme));
}
await browser.close();
process.stdout.write(JSON.stringify(views));
