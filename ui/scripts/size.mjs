// Three budgets, gzipped: the script that the page begins with, all of it before pdf.js, the graph views and the Markdown of written answers, which
// are loaded when they are needed and counted apart, and the German texts, which only who reads the page in German loads. What belongs to whom is read from the bundler's manifest: a chunk counts when it can be reached
// without opening one of those.
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const FIRST = 150_000;
const ALL = 240_000;
const GERMAN = 27_000;
const dist = new URL("../dist/", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8"));
const OPENED = {
  PdfView: "when a PDF is opened",
  Neighbours: "when a graph is opened",
  GraphPage: "when a graph is opened",
  TracePage: "when a graph is opened",
  ComparePage: "when a graph is opened",
  GraphView: "when a graph is opened",
  RetrievalTestPage: "when the evaluation is opened",
  EvaluationPage: "when the evaluation is opened",
  EvaluationRunPage: "when the evaluation is opened",
  EvaluationComparisonPage: "when the evaluation is opened",
  Markdown: "when a model has written",
  "de.trace": "when a graph is opened, in German",
  "de.evaluation": "when the evaluation is opened, in German",
  de: "when the page is read in German",
};
const keys = Object.fromEntries(Object.keys(OPENED).map((name) => [name, Object.keys(manifest).find((key) => manifest[key].name === name)]));

const sizeOf = (key) => gzipSync(readFileSync(dist + manifest[key].file), { level: 9 }).length;

/** Every chunk that `key` brings with it, then what may be loaded later, without passing one of `stops`. */
function reached(key, stops, later = true, found = new Set()) {
  if (found.has(key) || stops.has(key)) return found;
  found.add(key);
  const { imports = [], dynamicImports = [] } = manifest[key];
  for (const next of [...imports, ...(later ? dynamicImports : [])]) reached(next, stops, later, found);
  return found;
}

const first = reached("index.html", new Set(), false);
const early = Object.keys(OPENED).filter((name) => !keys[name] || first.has(keys[name]));
if (early.length > 0) throw new Error(`Not loaded on demand any more: ${early.join(", ")}`);
const unpacked = [...first].filter((key) => ![".br", ".gz"].every((suffix) => existsSync(dist + manifest[key].file + suffix)));
if (unpacked.length > 0) throw new Error(`Without a compressed form beside it: ${unpacked.join(", ")}`);
const counted = reached("index.html", new Set(Object.values(keys)));
const apart = new Map();
for (const [name, when] of Object.entries(OPENED)) for (const chunk of reached(keys[name], counted)) apart.set(chunk, when);
const rows = [...counted, ...apart.keys()].map((key) => ({ file: manifest[key].file, bytes: sizeOf(key), when: apart.get(key) ?? "" }));
for (const { bytes, file, when } of rows.sort((a, b) => b.bytes - a.bytes))
  console.log(`${String(bytes).padStart(8)}  ${file}${when ? `  (${when})` : ""}`);
const sum = (chunks) => [...chunks].reduce((total, key) => total + sizeOf(key), 0);
const budgets = [
  [sum(first), FIRST, "in the first script"],
  [sum(counted), ALL, "before pdf.js, the graph views and written answers"],
  [sum([keys.de, keys["de.trace"], keys["de.evaluation"]]), GERMAN, "of German texts"],
];
for (const [bytes, budget, what] of budgets) console.log(`${String(bytes).padStart(8)}  of ${budget} bytes gzipped ${what}`);
const over = budgets.filter(([bytes, budget]) => bytes > budget);
for (const [bytes, budget, what] of over) console.error(`${bytes - budget} bytes over the budget of what is loaded ${what}.`);
process.exit(over.length > 0 ? 1 : 0);
