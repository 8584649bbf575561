import { t } from "../text/language";
import formats from "./formats.json";

/** How a document is shown. */
export type DocumentKind = "pdf" | "picture" | "sheet" | "slides" | "mail" | "code" | "text";

// Written by `python -m scripts.write_formats` from what the readers declare.
const views: Readonly<Record<string, string>> = formats.views;
/** What read a file knows better than its name what it is. */
const parsers: Readonly<Record<string, string>> = formats.parsers;

export const fileExtension = (filename: string): string => /\.[A-Za-z0-9]{1,9}$/.exec(filename)?.[0].toLowerCase() ?? "";

export function documentKind(fileType: string, parser = ""): DocumentKind {
  const known = parsers[parser] ?? views[fileType.toLowerCase()];
  if (known) return known as DocumentKind;
  return fileType ? "code" : "text";
}

/** "page 12", "slide 3", "sheet 2" — the word follows from the kind of file. */
export function formatPage(filename: string, page: number | null): string {
  if (page === null) return "";
  const kind = documentKind(fileExtension(filename));
  if (kind === "slides") return t("slide {n}", { n: page });
  if (kind === "sheet") return t("sheet {n}", { n: page });
  return t("page {n}", { n: page });
}
