// GET /documents of the mock: narrowed, sorted and paged as the server does it; and a library of as many documents as are asked for.
import { library } from "./library.mjs";

const KEYS = {
  name: (document) => document.filename.toLowerCase(),
  changed: (document) => document.modified_at ?? "",
  added: (document) => document.indexed_at,
  size: (document) => document.file_size,
  type: (document) => document.file_type,
};

/** `count` documents of the kinds of the invented library, changed on as many days. */
export function manyDocuments(count) {
  return Array.from({ length: count }, (_, number) => {
    const { document, content } = library[number % library.length];
    const name = `${String(number + 1).padStart(4, "0")} ${document.filename}`;
    const path = `/home/ada/Workshop/${number % 2 ? "archive" : "current"}/${name}`;
    const changed = new Date(Date.UTC(2026, 0, 1) - number * 86_400_000).toISOString();
    return {
      document: {
        ...document,
        id: `m${number + 1}`,
        filename: name,
        title: "",
        file_path: path,
        paths: [path],
        file_size: 1000 + ((number * 7919) % 900_000),
        modified_at: changed,
        state: number % 7 === 3 ? "partial" : "indexed",
      },
      content,
    };
  });
}

/** The page of the list that the query string asks for. */
export function listed(documents, query) {
  const text = (query.get("text") ?? "").toLowerCase();
  const [types, states] = [query.getAll("file_type"), query.getAll("state")];
  const [folder, after, before] = [query.get("path_prefix"), query.get("modified_after"), query.get("modified_before")];
  const key = KEYS[query.get("sort") ?? "name"];
  const turn = query.get("descending") === "true" ? -1 : 1;
  const found = documents
    .map((item) => item.document)
    .filter((document) => `${document.filename} ${document.title}`.toLowerCase().includes(text))
    .filter((document) => types.length === 0 || types.includes(document.file_type))
    .filter((document) => states.length === 0 || states.includes(document.state))
    .filter((document) => !folder || document.paths.some((path) => path === folder || path.startsWith(`${folder}/`)))
    .filter((document) => (!after || document.modified_at >= after) && (!before || document.modified_at < before))
    .sort((a, b) => turn * (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : KEYS.name(a) < KEYS.name(b) ? -1 : 1));
  const start = Number(query.get("cursor") ?? 0);
  const end = start + Number(query.get("limit") ?? 50);
  return { documents: found.slice(start, end), total: found.length, next_cursor: end < found.length ? String(end) : null };
}

const DISK = { "/home/ada": ["Documents", "Workshop"], "/home/ada/Documents": ["2024", "2025"], "/home/ada/Workshop": [] };

/** GET /folders of the mock: a small disk. */
export function foldersIn(under) {
  if (!under) return { under: null, above: null, folders: [{ path: "/home/ada", name: "ada" }], truncated: false };
  const names = DISK[under] ?? [];
  const above = under === "/home/ada" ? null : under.slice(0, under.lastIndexOf("/"));
  return { under, above, folders: names.map((name) => ({ path: `${under}/${name}`, name })), truncated: false };
}
