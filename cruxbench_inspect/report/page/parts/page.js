// The theme, and what the buttons do.
const system = matchMedia("(prefers-color-scheme: dark)");
const themeButton = document.querySelector("[data-action=theme]");

const showTheme = () => {
  themeButton.hidden = false;
  themeButton.textContent = theme() === "dark" ? "Light theme" : "Dark theme";
  drawAll();
};
// The reader's system decides until the button is pressed, and again once both agree.
const changeTheme = () => {
  const chosen = theme() === "dark" ? "light" : "dark";
  const isOfSystem = chosen === (system.matches ? "dark" : "light");
  if (isOfSystem) delete root.dataset.theme;
  else root.dataset.theme = chosen;
  try {
    if (isOfSystem) localStorage.removeItem("cruxbench-theme");
    else localStorage.setItem("cruxbench-theme", chosen);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
  showTheme();
};
system.addEventListener("change", showTheme);

const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Some browsers give pages from disk no clipboard.
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
const tableOf = (button) => button.closest(".part").querySelector("table");
const placeOf = (button) => button.closest(".part").querySelector("[data-figure]");
const viewOf = (button) => drawn.get(placeOf(button)).view;

const actions = {
  sort,
  theme: changeTheme,
  "copy-csv": async (button) => {
    await copy(csv(tableOf(button)));
    const text = button.textContent;
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = text; }, 2000);
    say("Copied");
  },
  "save-csv": (button) =>
    save(new Blob([csv(tableOf(button))], { type: "text/csv" }), `${tableOf(button).dataset.name}.csv`),
  "save-svg": async (button) =>
    save(new Blob([await viewOf(button).toSVG()], { type: "image/svg+xml" }), `${placeOf(button).dataset.figure}.svg`),
  "save-png": async (button) => {
    const canvas = await viewOf(button).toCanvas(2);
    canvas.toBlob((image) => save(image, `${placeOf(button).dataset.figure}.png`), "image/png");
  },
};
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-action]");
  if (button) actions[button.dataset.action](button);
});
markScrolling();
addEventListener("resize", markScrolling);
showTheme();
