import { useSyncExternalStore } from "react";

export type Theme = "light" | "dark" | "system";
const KEY = "vantage.theme";
const listeners = new Set<() => void>();
const preference = window.matchMedia("(prefers-color-scheme: dark)");

function read(): Theme {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch (error) {
    console.info("The theme is not remembered: this browser denies storage.", error);
    return "system";
  }
}

let theme = read();

function apply(): void {
  const dark = theme === "dark" || (theme === "system" && preference.matches);
  document.documentElement.classList.toggle("dark", dark);
  document.querySelector('meta[name="theme-color"]')?.setAttribute("content", dark ? "#121417" : "#faf8f4");
}

preference.addEventListener("change", apply);
apply();

export function setTheme(next: Theme): void {
  theme = next;
  try {
    localStorage.setItem(KEY, next);
  } catch (error) {
    console.info("The theme is not remembered: this browser denies storage.", error);
  }
  apply();
  for (const listener of listeners) listener();
}

export const useTheme = (): Theme =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => theme,
  );
