// Runs before the page is drawn, so that it never flashes in the wrong theme.
(() => {
  document.documentElement.classList.add("scripted");
  if (location.protocol === "file:") document.documentElement.classList.add("from-disk");
  try {
    const theme = localStorage.getItem("cruxbench-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Some browsers keep no storage for pages from disk.
  }
})();
