// @vitest-environment happy-dom
import { readdirSync, readFileSync } from "node:fs";
import ts from "typescript";
import { afterEach, describe, expect, it } from "vitest";
import { german as begun } from "./de";
import { evaluation } from "./de.evaluation";
import { trace } from "./de.trace";
import { dayGroup, formatAge, formatBytes, formatCount, formatDateTime, formatPlural, formatSeconds } from "./format";
import { loadLanguage, preferredLanguage, t, tn, withTexts } from "./language";

const german = { ...begun, ...trace, ...evaluation };
const SOURCE = `${process.cwd()}/src/`;
/** The areas whose every text has a German entry. What others say is wrapped area by area, and then named here. */
const DONE = [
  "api",
  "app.tsx",
  "conversation",
  "evaluation",
  "graph",
  "library",
  "main.tsx",
  "memory",
  "parts",
  "run",
  "settings",
  "shell",
  "source",
  "text",
  "traces",
];

const files = (readdirSync(SOURCE, { recursive: true }) as string[]).filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
const sources = files.map((file) => ({
  file,
  tree: ts.createSourceFile(file, readFileSync(SOURCE + file, "utf8"), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX),
}));
const inDone = (file: string) => DONE.some((area) => file === area || file.startsWith(`${area}/`));

const literal = (node: ts.Node | undefined): string | null => (node && ts.isStringLiteralLike(node) ? node.text : null);

/** The keys that a call of t, mark, tn or plural asks the catalogue for. */
function keyOf(node: ts.Node): string | null {
  if (!ts.isCallExpression(node)) return null;
  const name = node.expression.getText();
  const [first, second, third] = node.arguments;
  if (name === "t" || name === "mark") return literal(first);
  if (name !== "tn" && name !== "plural") return null;
  const one = literal(second);
  return one === null ? null : `${one}|${literal(third) ?? `${one}s`}`;
}

const SPOKEN = new Set(["aria-label", "title", "placeholder", "label", "heading", "description"]);

/** A text that is written straight into what is drawn. */
function bare(node: ts.Node): string | null {
  if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer) return literal(node.initializer);
  if (!ts.isJsxText(node)) return null;
  const tag = ts.isJsxElement(node.parent) ? node.parent.openingElement.tagName.getText() : "";
  return tag === "code" || tag === "kbd" || tag === "option" ? null : node.text.trim();
}

function found(tree: ts.SourceFile, of: (node: ts.Node) => string | null): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = of(node);
    if (text !== null && /[A-Za-z]{2}/.test(text)) texts.push(text);
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return texts;
}

const PROPER = new Set(["Vantage", "config.yaml", "CSV", "Markdown"]);

describe("the German catalogue", () => {
  it("has an entry for every text of the areas that are done", () => {
    const keys = sources.filter(({ file }) => inDone(file)).flatMap(({ tree }) => found(tree, keyOf));
    expect(keys.length).toBeGreaterThan(150);
    expect([...new Set(keys)].filter((key) => !(key in german))).toEqual([]);
  });

  it("is asked for every text that these areas draw", () => {
    const texts = sources.filter(({ file }) => inDone(file)).flatMap(({ tree }) => found(tree, bare));
    expect(texts.filter((text) => !PROPER.has(text))).toEqual([]);
  });

  it("keeps the places and forms of each text", () => {
    const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
    for (const [key, text] of Object.entries(german)) {
      expect(text.split("|").length, key).toBe(key.split("|").length);
      expect(places(text), key).toEqual(places(key));
    }
  });
});

describe("the language of the page", () => {
  afterEach(() => loadLanguage("en"));

  it("is the browser's first that the page speaks", () => {
    expect([
      preferredLanguage(["de-AT", "en"]),
      preferredLanguage(["fr", "de"]),
      preferredLanguage(["en-GB", "de"]),
      preferredLanguage(["fr"]),
      preferredLanguage([]),
    ]).toEqual(["de", "de", "en", "en", "en"]);
  });

  it("changes texts, plural forms, numbers and dates, and the language of the document", async () => {
    await loadLanguage("en");
    expect([t("Settings"), tn(2, "{n} file", "{n} files", { n: 2 }), document.documentElement.lang]).toEqual(["Settings", "2 files", "en"]);
    await loadLanguage("de");
    expect(document.documentElement.lang).toBe("de");
    expect([t("Settings"), t("Reading · {n} left", { n: formatCount(1204) })]).toEqual(["Einstellungen", "Lesen · noch 1.204"]);
    expect([formatPlural(1, "file"), formatPlural(1204, "file"), formatBytes(1500), formatSeconds(0.412)]).toEqual([
      "1 Datei",
      "1.204 Dateien",
      "1,5 kB",
      "0,41 s",
    ]);
    const now = new Date(2026, 4, 20, 12, 0, 0);
    expect(formatAge(new Date(now.getTime() - 3 * 3_600_000).toISOString(), now.getTime())).toBe("vor 3 Stunden");
    expect(dayGroup(new Date(2026, 4, 19, 23, 30).toISOString(), now)).toBe("Gestern");
    expect(formatDateTime(new Date(2026, 4, 20, 9, 5).toISOString())).toContain("20. Mai 2026");
  });

  it("brings the texts of a view with the view, and again when the language comes back", async () => {
    await loadLanguage("de");
    expect(t("Swap sides")).toBe("Swap sides");
    expect(await withTexts("trace", Promise.resolve("the script"))).toBe("the script");
    expect([t("Swap sides"), t("Settings")]).toEqual(["Seiten tauschen", "Einstellungen"]);
    await loadLanguage("en");
    expect(t("Swap sides")).toBe("Swap sides");
    await loadLanguage("de");
    expect(t("Swap sides")).toBe("Seiten tauschen");
  });

  it("shows a text without an entry in English", async () => {
    await loadLanguage("de");
    expect(t("Nobody has translated {this}", { this: "it" })).toBe("Nobody has translated it");
  });
});
