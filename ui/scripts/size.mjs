// The page's script, gzipped, must stay under the budget. pdf.js and the canvas of the graph views are loaded when they are opened and are counted apart.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET = 250_000;
const folder = new URL("../dist/assets/", import.meta.url).pathname;
/** The canvas of the graph views is known by what it draws, wherever the bundler puts it; in the first script it would be counted. */
const whenOf = (name, script) =>
  /^pdf/i.test(name) ? "when a PDF is opened" : !/^index/.test(name) && script.includes("react-flow__viewport") ? "when a graph is opened" : "";
const rows = readdirSync(folder)
  .filter((name) => /\.m?js$/.test(name))
  .map((name) => ({ name, script: readFileSync(join(folder, name)) }))
  .map(({ name, script }) => ({ name, bytes: gzipSync(script, { level: 9 }).length, when: whenOf(name, script) }));
const counted = rows.filter((row) => !row.when).reduce((sum, row) => sum + row.bytes, 0);
for (const row of rows.sort((a, b) => b.bytes - a.bytes))
  console.log(`${String(row.bytes).padStart(8)}  ${row.name}${row.when ? `  (${row.when})` : ""}`);
console.log(`${String(counted).padStart(8)}  of ${BUDGET} bytes gzipped before pdf.js and the graph views`);
if (counted > BUDGET) {
  console.error(`The page's script is ${counted - BUDGET} bytes over its budget.`);
  process.exit(1);
}
