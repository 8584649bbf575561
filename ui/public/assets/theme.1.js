// Runs before the first paint, so that a dark room stays dark. Assets are cached for good: a change here needs another number in the name.
try {
  const theme = localStorage.getItem("vantage.theme") || "system";
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.classList.toggle("dark", dark);
} catch (error) {
  console.info("The theme is not remembered: this browser denies storage.", error);
}
