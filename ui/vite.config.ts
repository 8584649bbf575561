import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vitest/config";

/** Development only: the page is served by vite and every API path goes to a running Vantage (or to `npm run mock`). */
const api = process.env.VANTAGE_URL ?? "http://127.0.0.1:8765";
const paths = [
  "/search",
  "/runs",
  "/index",
  "/upload",
  "/documents",
  "/folders",
  "/conversations",
  "/ledger",
  "/health",
  "/embedder",
  "/traces",
  "/explain",
  "/starters",
  "/feedback",
  "/jobs",
  "/session",
  "/memory",
  "/settings",
  "/graph",
];

const pdfVersion = (JSON.parse(readFileSync("node_modules/pdfjs-dist/package.json", "utf8")) as { version: string }).version;

/** What pdf.js fetches when a PDF needs it: character maps, the standard fonts, the picture decoders. */
const pdfParts = () => ({
  name: "pdf-parts",
  apply: "build" as const,
  closeBundle() {
    for (const part of ["cmaps", "iccs", "standard_fonts", "wasm"])
      cpSync(`node_modules/pdfjs-dist/${part}`, `dist/assets/pdfjs-${pdfVersion}/${part}`, { recursive: true });
  },
});

/** Files that become smaller; fonts and pictures are packed already. */
const PACKED = /\.(?:m?js|css|html|svg|json|wasm)$/;

/** Writes .br and .gz beside what becomes at least a tenth smaller: the server sends them as they are (server/page_files.py). */
const compressed = () => ({
  name: "compressed",
  apply: "build" as const,
  enforce: "post" as const,
  closeBundle() {
    for (const entry of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
      if (!PACKED.test(entry) || entry.startsWith(".vite")) continue;
      const whole = readFileSync(join("dist", entry));
      for (const [suffix, packed] of [
        [".br", brotliCompressSync(whole)],
        [".gz", gzipSync(whole, { level: 9 })],
      ] as const)
        if (packed.length < whole.length * 0.9) writeFileSync(join("dist", entry + suffix), packed);
    }
  },
});

export default defineConfig({
  plugins: [react(), tailwindcss(), pdfParts(), compressed()],
  server: { port: 5173, proxy: Object.fromEntries(paths.map((path) => [path, { target: api, changeOrigin: true }])) },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    sourcemap: false,
    target: "es2022",
    manifest: true,
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
    // What the page begins with in one file: many small ones compress worse, and each costs a request.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: "first", tags: ["$initial"] }] } } },
  },
  // A document costs half a second in each file: those whose tests need one say so in their first line.
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "node", pool: "threads" },
});
