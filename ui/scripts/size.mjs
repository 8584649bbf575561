// The page's script, gzipped, must stay under the budget before pdf.js and the graph views, which are loaded when they are opened and are counted
// apart. What belongs to whom is read from the bundler's manifest: a chunk counts when it can be reached without opening one of those.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGET = 250_000;
const dist = new URL("../dist/", import.meta.url).pathname;
const manifest = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, "utf8"));
const OPENED = {
  PdfView: "when a PDF is opened",
  Neighbours: "when a graph is opened",
  GraphPage: "when a graph is opened",
  TracePage: "when a graph is opened",
  ComparePage: "when a graph is opened",
  GraphView: "when a graph is opened",
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
const counted = reached("index.html", new Set(Object.values(keys)));
const apart = new Map();
for (const [name, when] of Object.entries(OPENED)) for (const chunk of reached(keys[name], counted)) apart.set(chunk, when);
const rows = [...counted, ...apart.keys()].map((key) => ({ file: manifest[key].file, bytes: sizeOf(key), when: apart.get(key) ?? "" }));
for (const { bytes, file, when } of rows.sort((a, b) => b.bytes - a.bytes))
  console.log(`${String(bytes).padStart(8)}  ${file}${when ? `  (${when})` : ""}`);
const sum = (chunks) => [...chunks].reduce((total, key) => total + sizeOf(key), 0);
console.log(`${String(sum(first)).padStart(8)}  in the first script`);
console.log(`${String(sum(counted)).padStart(8)}  of ${BUDGET} bytes gzipped before pdf.js and the graph views`);
if (sum(counted) > BUDGET) {
  console.error(`The page's script is ${sum(counted) - BUDGET} bytes over its budget.`);
  process.exit(1);
}
