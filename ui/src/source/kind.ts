import { t } from "../text/language";
import formats from "./formats.json";

/** The clothes that a document is shown in. */
export type Clothes = "pdf" | "picture" | "sheet" | "slides" | "mail" | "code" | "text";

// Written by `python -m scripts.write_formats` from what the readers declare.
const views: Readonly<Record<string, string>> = formats.views;
/** What read a file knows better than its name what it is. */
const parsers: Readonly<Record<string, string>> = formats.parsers;

export const extensionOf = (filename: string): string => /\.[A-Za-z0-9]{1,9}$/.exec(filename)?.[0].toLowerCase() ?? "";

export function clothesOf(fileType: string, parser = ""): Clothes {
  const known = parsers[parser] ?? views[fileType.toLowerCase()];
  if (known) return known as Clothes;
  return fileType ? "code" : "text";
}

/** "page 12", "slide 3", "sheet 2" — the word follows from the kind of file. */
export function pageWord(filename: string, page: number | null): string {
  if (page === null) return "";
  const clothes = clothesOf(extensionOf(filename));
  if (clothes === "slides") return t("slide {n}", { n: page });
  if (clothes === "sheet") return t("sheet {n}", { n: page });
  return t("page {n}", { n: page });
}
