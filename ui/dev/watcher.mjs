// Invented answers of the watcher, the ledger's summary, tables and references, for developing the page without the server.
const now = () => new Date().toISOString();
const ROOT = "/home/ada/Workshop";

export const queue = { waiting: 0, files_per_second: 0, chunks_per_second: 0, seconds_left: null, current: "", jobs: [] };

export const watching = { watch: "watching", watch_reason: "" };

/** Folders that were added while the mock ran. */
export const added = new Map();

export const addFolder = (path, files) =>
  added.set(path, {
    path,
    collection: "default",
    files,
    indexed: files,
    partial: 0,
    failed: 0,
    skipped: 0,
    last_indexed_at: now(),
    missing: false,
    job_id: null,
    ...watching,
  });

let enabled = true;
const status = () => ({
  enabled,
  folders: [
    {
      path: ROOT,
      collection: "default",
      state: enabled ? "watching" : "off",
      reason: "",
      waiting: 0,
      last_event_at: now(),
      last_compared_at: now(),
    },
  ],
  waiting: 0,
  recent: [
    { at: now(), change: "changed", path: `${ROOT}/Budget 2026.xlsx`, moved_from: null, seconds: 1.4 },
    { at: now(), change: "moved", path: `${ROOT}/old/Lease.pdf`, moved_from: `${ROOT}/Lease.pdf`, seconds: 0.9 },
  ],
});

/** The rows of the mock's table of routes; `json` answers, `ledger` gives the ledger, `find` a document's parts by its id. */
export const watchingRoutes = ({ json, body, ledger, find }) => [
  [
    "DELETE",
    /^\/ledger\/roots$/,
    (request, response) => {
      const path = new URL(request.url, "http://x").searchParams.get("path");
      added.delete(path);
      json(response, { path, documents: 6, files: 6 });
    },
  ],
  ["GET", /^\/watcher\/status$/, (_request, response) => json(response, status())],
  [
    "POST",
    /^\/watcher\/(enable|disable)$/,
    async (request, response, [word]) => {
      await body(request);
      enabled = word === "enable";
      json(response, status());
    },
  ],
  [
    "GET",
    /^\/ledger\/summary$/,
    (_request, response) => {
      const { counts, roots, lines } = ledger();
      const bad = lines.filter((line) => line.reason);
      const codes = [...new Set(bad.map((line) => line.code))];
      json(response, {
        sentence: `${counts.askable} of ${counts.seen} files, ${bad.length} need attention`,
        counts,
        with_reasons: bad.length,
        reasons: codes.map((code) => {
          const of = bad.filter((line) => line.code === code);
          return {
            code,
            files: of.length,
            states: [...new Set(of.map((line) => line.state))],
            reason: of[0].reason,
            examples: of.map((line) => line.path),
          };
        }),
        queue,
        roots,
      });
    },
  ],
  ["GET", /^\/ledger\/folders$/, (_request, response) => json(response, { under: ROOT, folders: [], files: 3, truncated: false })],
  ["GET", /^\/ledger\/exclusions$/, (_request, response) => json(response, { exclusions: [] })],
  ["GET", /^\/documents\/([^/]+)\/places$/, (_request, response, [id]) => json(response, { document_id: id, generation: 1, pages: [] })],
  ["GET", /^\/documents\/([^/]+)\/references$/, (_request, response, [id]) => json(response, { document_id: id, refers_to: [], referred_by: [] })],
  [
    "GET",
    /^\/documents\/([^/]+)\/tables$/,
    (_request, response, [id]) =>
      json(response, { document_id: id, tables: (find(id)?.tables ?? []).map((table, ordinal) => stored(id, table, ordinal)) }),
  ],
  [
    "GET",
    /^\/documents\/([^/]+)\/tables\/(\d+)$/,
    (_request, response, [id, ordinal]) => {
      const table = find(id)?.tables[Number(ordinal)];
      const body = table.rows.slice(1).map((cells, row) => ({
        ordinal: row,
        kind: "data",
        start: table.row_spans[row + 1][0],
        end: table.row_spans[row + 1][1],
        cells,
        values: cells,
      }));
      json(response, { ...stored(id, table, Number(ordinal)), first_row: 0, body });
    },
  ],
];

const stored = (id, table, ordinal) => ({
  document_id: id,
  generation: 1,
  ordinal,
  caption: table.caption,
  section: [],
  page: table.page,
  last_page: null,
  start: table.start,
  end: table.end,
  header: [table.rows[0]],
  columns: table.rows[0].map((name) => ({ name, type: "text", unit: "" })),
  rows: table.rows.length - 1,
  kept: table.rows.length - 1,
  note: "",
  spans: [],
});
