import { cpSync, readFileSync } from "node:fs";
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

export default defineConfig({
  plugins: [react(), tailwindcss(), pdfParts()],
  server: { port: 5173, proxy: Object.fromEntries(paths.map((path) => [path, { target: api, changeOrigin: true }])) },
  build: {
    outDir: "dist",
    assetsDir: "assets",
    sourcemap: false,
    target: "es2022",
    manifest: true,
    chunkSizeWarningLimit: 900,
    reportCompressedSize: false,
  },
  test: { include: ["src/**/*.test.{ts,tsx}"], environment: "happy-dom" },
});
