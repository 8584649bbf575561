// The page's script, gzipped, must stay under the budget. pdf.js is loaded when a PDF is opened and is counted apart.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const BUDGET = 250_000;
const folder = new URL("../dist/assets/", import.meta.url).pathname;
const rows = readdirSync(folder)
  .filter((name) => /\.m?js$/.test(name))
  .map((name) => ({ name, bytes: gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, pdf: /^pdf/i.test(name) }));
const counted = rows.filter((row) => !row.pdf).reduce((sum, row) => sum + row.bytes, 0);
for (const row of rows.sort((a, b) => b.bytes - a.bytes))
  console.log(`${String(row.bytes).padStart(8)}  ${row.name}${row.pdf ? "  (when a PDF is opened)" : ""}`);
console.log(`${String(counted).padStart(8)}  of ${BUDGET} bytes gzipped before pdf.js`);
if (counted > BUDGET) {
  console.error(`The page's script is ${counted - BUDGET} bytes over its budget.`);
  process.exit(1);
}
