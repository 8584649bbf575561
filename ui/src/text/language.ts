import { useSyncExternalStore } from "react";

export type Language = "en" | "de";
export type Catalogue = Readonly<Record<string, string>>;
type Values = Readonly<Record<string, string | number>>;

const KEY = "vantage.language";
const listeners = new Set<() => void>();
let catalogue: Catalogue = {};

/** What the person chose; null leaves it to the browser. */
export function chosenLanguage(): Language | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "en" || kept === "de" ? kept : null;
  } catch (error) {
    console.info("The language is not remembered: this browser denies storage.", error);
    return null;
  }
}

/** The first language of the browser that the page speaks. */
export const preferredLanguage = (languages: readonly string[]): Language =>
  languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag): tag is Language => tag === "en" || tag === "de") ?? "en";

let language: Language = "en";

export const currentLanguage = (): Language => language;
/** For dates and numbers. */
export const locale = (): string => (language === "de" ? "de-DE" : "en-GB");

/** Texts of views that come when they are opened, and bring them along. */
const more = {
  trace: async (): Promise<Catalogue> => (await import("./de.trace")).trace,
  evaluation: async (): Promise<Catalogue> => (await import("./de.evaluation")).evaluation,
};
const opened = new Set<keyof typeof more>();

/** Brings the catalogue of the language that is to be shown; before the first render, so that no text changes under the reader's eyes. */
export async function loadLanguage(next: Language = chosenLanguage() ?? preferredLanguage(navigator.languages)): Promise<void> {
  const texts = next === "de" ? await Promise.all([import("./de").then(({ german }) => german), ...[...opened].map((part) => more[part]())]) : [];
  catalogue = Object.assign({}, ...texts);
  language = next;
  document.documentElement.lang = next;
  for (const listener of listeners) listener();
}

/** A view's script together with its texts in the language that is shown. */
export async function withTexts<Module>(part: keyof typeof more, script: Promise<Module>): Promise<Module> {
  opened.add(part);
  const [module, texts] = await Promise.all([script, language === "de" ? more[part]() : {}]);
  catalogue = { ...catalogue, ...texts };
  return module;
}

/** Shows the page in another language and remembers it; null takes the browser's again. */
export async function setLanguage(next: Language | null): Promise<void> {
  try {
    if (next === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, next);
  } catch (error) {
    console.info("The language is not remembered: this browser denies storage.", error);
  }
  await loadLanguage(next ?? preferredLanguage(navigator.languages));
}

export const useLanguage = (): Language =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => language,
  );

const filled = (text: string, values: Values): string => text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** The text in the language that is shown, English where the catalogue has none: `t("Searched {n} documents", { n })`. */
export const t = (text: string, values: Values = {}): string => filled(catalogue[text] ?? text, values);

/** A text that is translated where it is shown: for tables of texts that are made before the language is known. */
export const mark = (text: string): string => text;

/** The form for a number: `tn(n, "{n} file", "{n} files")`. The catalogue has both forms under "one|other". */
export function tn(value: number, one: string, other: string, values: Values = {}): string {
  const forms = (catalogue[`${one}|${other}`] ?? `${one}|${other}`).split("|");
  const form = new Intl.PluralRules(locale()).select(value) === "one" ? forms[0] : forms.at(-1);
  return filled(form ?? other, values);
}
