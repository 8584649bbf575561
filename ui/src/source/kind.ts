import { t } from "../text/language";

/** The clothes that a document is shown in. */
export type Clothes = "pdf" | "picture" | "sheet" | "slides" | "mail" | "code" | "text";

const extensions: Record<string, Clothes> = {
  ".pdf": "pdf",
  ".xlsx": "sheet",
  ".xlsm": "sheet",
  ".xls": "sheet",
  ".xlsb": "sheet",
  ".csv": "sheet",
  ".tsv": "sheet",
  ".ods": "sheet",
  ".pptx": "slides",
  ".ppt": "slides",
  ".odp": "slides",
  ".eml": "mail",
  ".mbox": "mail",
  ".msg": "mail",
  ".png": "picture",
  ".jpg": "picture",
  ".jpeg": "picture",
  ".gif": "picture",
  ".bmp": "picture",
  ".webp": "picture",
  ".tif": "picture",
  ".tiff": "picture",
};

/** What read a file knows better than its name what it is. */
const parsers: Record<string, Clothes> = {
  pdf: "pdf",
  "pdf-repair": "pdf",
  image: "picture",
  xlsx: "sheet",
  xlsb: "sheet",
  xls: "sheet",
  ods: "sheet",
  csv: "sheet",
  pptx: "slides",
  ppt: "slides",
  odp: "slides",
  email: "mail",
  msg: "mail",
};

const prose = new Set([
  ".md",
  ".markdown",
  ".txt",
  ".rst",
  ".html",
  ".htm",
  ".xhtml",
  ".docx",
  ".doc",
  ".odt",
  ".rtf",
  ".epub",
  ".org",
  ".json",
  ".jsonl",
  ".adoc",
  ".log",
  "",
]);

export const extensionOf = (filename: string): string => /\.[A-Za-z0-9]{1,9}$/.exec(filename)?.[0].toLowerCase() ?? "";

export function clothesOf(fileType: string, parser = ""): Clothes {
  const known = parsers[parser] ?? extensions[fileType.toLowerCase()];
  if (known) return known;
  return prose.has(fileType.toLowerCase()) ? "text" : "code";
}

/** "page 12", "slide 3", "sheet 2" — the word follows from the kind of file. */
export function pageWord(filename: string, page: number | null): string {
  if (page === null) return "";
  const clothes = clothesOf(extensionOf(filename));
  if (clothes === "slides") return t("slide {n}", { n: page });
  if (clothes === "sheet") return t("sheet {n}", { n: page });
  return t("page {n}", { n: page });
}
