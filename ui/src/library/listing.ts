import type { Filters, LedgerLine } from "../api/types";
import { navigate } from "../shell/router";
import formats from "../source/formats.json";
import { formatDay } from "../text/format";
import { mark, t } from "../text/language";

const { pdf, word, spreadsheet, presentation, mail, image, text, web, book, markup, data } = formats.kinds;

/** Groups of file types, as a person thinks of them. */
export const KINDS: readonly [name: string, label: string, types: readonly string[]][] = [
  ["pdf", mark("PDF"), pdf],
  ["word", mark("Text documents"), word],
  ["sheet", mark("Spreadsheets"), spreadsheet],
  ["slides", mark("Presentations"), presentation],
  ["mail", mark("Mail"), mail],
  ["picture", mark("Pictures"), image],
  ["notes", mark("Notes and web pages"), [...text, ...web, ...book, ...markup, ...data]],
];

export type Sort = "name" | "changed" | "added" | "size" | "type";
const SORTS: readonly Sort[] = ["name", "changed", "added", "size", "type"];

/** Files that are no documents, because they could not be read: the list shows what the ledger says of them. */
export const UNREAD = "unread";
const STATES = ["partial", UNREAD] as const;

/** Which documents are listed, and how. Days are `2025-03-31`. */
export interface Listing {
  text: string;
  kind: string;
  folder: string;
  state: string;
  since: string;
  until: string;
  sort: Sort;
  descending: boolean;
}

export const ALL_DOCUMENTS: Listing = { text: "", kind: "", folder: "", state: "", since: "", until: "", sort: "name", descending: false };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const asDay = (text: string | null): string => (text && DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : "");

/** The listing that an address names; what it does not understand is left out. */
export function parseListing(search: URLSearchParams): Listing {
  const sort = SORTS.find((one) => one === search.get("sort")) ?? "name";
  const kind = KINDS.find(([name]) => name === search.get("kind"))?.[0] ?? "";
  return {
    text: search.get("name") ?? "",
    kind,
    folder: search.get("folder") ?? "",
    state: STATES.find((state) => state === search.get("state")) ?? "",
    since: asDay(search.get("since")),
    until: asDay(search.get("until")),
    sort,
    descending: search.get("order") === "down",
  };
}

/** Keeps the listing in the address, so that it can be gone back to and sent to somebody. */
export function showListing(listing: Listing): void {
  const search = new URLSearchParams();
  if (listing.text) search.set("name", listing.text);
  for (const name of ["kind", "folder", "state", "since", "until"] as const) if (listing[name]) search.set(name, listing[name]);
  if (listing.sort !== "name") search.set("sort", listing.sort);
  if (listing.descending) search.set("order", "down");
  navigate(search.size ? `/app/library?${search}` : "/app/library", { replace: true });
}

export const isNarrowed = ({ text, kind, folder, state, since, until }: Listing): boolean =>
  [text, kind, folder, state, since, until].some((value) => value.trim() !== "");

/** Midnight here, as the server's UTC. */
const startOf = (day: string, later = 0): string => {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
};

/** The same narrowing in a question; null where nothing is left out. */
export function toFilters({ kind, folder, since, until }: Pick<Listing, "kind" | "folder" | "since" | "until">): Partial<Filters> | null {
  if (!kind && !folder && !since && !until) return null;
  return {
    ...(folder ? { path_prefix: folder } : {}),
    ...(kind ? { file_types: [...(KINDS.find(([name]) => name === kind)?.[2] ?? [])] } : {}),
    ...(since ? { modified_after: startOf(since) } : {}),
    ...(until ? { modified_before: startOf(until, 1) } : {}),
  };
}

/** In words, for a question that is restricted; empty where only the folder is. */
export function describeFilters({ kind, since, until }: Pick<Listing, "kind" | "since" | "until">): string {
  const label = KINDS.find(([name]) => name === kind)?.[1] ?? "";
  const days = [since && t("from {day}", { day: formatDay(since) }), until && t("until {day}", { day: formatDay(until) })].filter(Boolean).join(" ");
  return [t(label), days].filter(Boolean).join(", ");
}

/** Whether a file of the ledger is of the type and of the days that the list is narrowed to. One whose day is unknown is of no day. */
export function matchesListing(
  line: Pick<LedgerLine, "path" | "modified_at">,
  { kind, since, until }: Pick<Listing, "kind" | "since" | "until">,
): boolean {
  const types = KINDS.find(([name]) => name === kind)?.[2];
  if (types && !types.some((type) => line.path.toLowerCase().endsWith(type))) return false;
  if (!since && !until) return true;
  const changed = Date.parse(line.modified_at ?? "");
  return (!since || changed >= Date.parse(startOf(since))) && (!until || changed < Date.parse(startOf(until, 1)));
}

/** The query string of GET /documents. */
export function toQuery(listing: Listing): Record<string, string | readonly string[] | undefined> {
  return {
    text: listing.text.trim(),
    file_type: KINDS.find(([name]) => name === listing.kind)?.[2],
    path_prefix: listing.folder,
    state: listing.state,
    modified_after: listing.since ? startOf(listing.since) : "",
    modified_before: listing.until ? startOf(listing.until, 1) : "",
    sort: listing.sort,
    descending: listing.descending ? "true" : "",
  };
}
