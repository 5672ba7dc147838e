// What all scripts of the page use.
const root = document.documentElement;
const all = (selector) => [...document.querySelectorAll(selector)];
const stored = (id) => JSON.parse(document.getElementById(id).textContent);
const say = (text) => { document.getElementById("page-status").textContent = text; };
const theme = () => root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");

// Boxes that scroll can be reached with the keyboard; the others are no stops on the way.
const markScrolling = () => {
  for (const box of all(".scroll, .frame")) {
    if (box.scrollWidth > box.clientWidth + 1 || box.scrollHeight > box.clientHeight + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "region");
      box.setAttribute("aria-labelledby", box.dataset.title);
    } else {
      for (const name of ["tabindex", "role", "aria-labelledby"]) box.removeAttribute(name);
    }
  }
};
