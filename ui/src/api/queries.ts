import { keepPreviousData, QueryClient, useInfiniteQuery, useQueries, useQuery } from "@tanstack/react-query";
import { api } from "./client";
import { Problem } from "./problem";
import type { EntityType, FileExplanation } from "./types";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      refetchOnWindowFocus: true,
      retry: (failures, error) => failures < 2 && (!(error instanceof Problem) || error.status === 0 || error.status >= 500),
    },
  },
});

/** The library's numbers, and whether the server is there: asked so often that its going and coming is seen within five seconds. */
export const useHealth = () =>
  useQuery({
    queryKey: ["health"],
    queryFn: ({ signal }) => api.health(signal),
    refetchInterval: (query) => (query.state.error || !query.state.data?.ready || query.state.data.jobs_running.length > 0 ? 1500 : 2500),
    retry: false,
    networkMode: "always",
  });

/** Who is signed in here; changes only by signing in or out. */
export const useSession = () => useQuery({ queryKey: ["session"], queryFn: ({ signal }) => api.session(signal), staleTime: Infinity });
/** When the server comes back, what the page shows is asked for again. */
let serverAway = false;
queryClient.getQueryCache().subscribe(({ query, type }) => {
  if (type !== "updated" || query.queryKey[0] !== "health") return;
  const { status } = query.state;
  if (status === "success" && serverAway) void queryClient.invalidateQueries({ predicate: (other) => other.queryKey[0] !== "health" });
  if (status !== "pending") serverAway = status === "error";
});

/** By which model passages are found; asked more often while another one gets ready. */
export const useEmbedder = () =>
  useQuery({
    queryKey: ["embedder"],
    queryFn: ({ signal }) => api.embedder(signal),
    refetchInterval: (query) => (query.state.data?.coming ? 1500 : 15_000),
  });

export const useConversations = () => useQuery({ queryKey: ["conversations"], queryFn: ({ signal }) => api.conversations(signal) });

export const useConversation = (id: string | null) =>
  useQuery({ queryKey: ["conversation", id], queryFn: ({ signal }) => api.conversation(id ?? "", signal), enabled: id !== null });

export const useStarters = (enabled: boolean) =>
  useQuery({ queryKey: ["starters"], queryFn: ({ signal }) => api.starters(signal), enabled, staleTime: 60_000 });

export const useDocument = (id: string | null) =>
  useQuery({ queryKey: ["document", id], queryFn: ({ signal }) => api.document(id ?? "", signal), enabled: id !== null, staleTime: 30_000 });

/** A stretch of a document's text with its structure; the whole when no range is named. */
export const useContent = (id: string | null, start?: number, end?: number) =>
  useQuery({
    queryKey: ["content", id, start ?? null, end ?? null],
    queryFn: ({ signal }) => api.content(id ?? "", { ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) }, signal),
    enabled: id !== null,
    staleTime: 60_000,
    // Another stretch of the same document takes the place of the one that is shown only once it is there.
    placeholderData: (shown, query) => (query?.queryKey[1] === id ? shown : undefined),
  });

/** Where recognised text stands on the pages of a stretch of a document; `generation` asks anew once it was read again. */
export const usePlaces = (id: string | null, generation: number, start: number, end: number) =>
  useQuery({
    queryKey: ["places", id, generation, start, end],
    queryFn: ({ signal }) => api.places(id ?? "", { start, end }, signal),
    enabled: id !== null,
    staleTime: 60_000,
    retry: 1,
  });

export const useDocuments = (enabled = true) =>
  useQuery({
    queryKey: ["documents", "all"],
    queryFn: ({ signal }) => api.documents({ limit: 200 }, signal),
    enabled,
    placeholderData: keepPreviousData,
  });

/** The documents that pass `query` (GET /documents), 200 at a time. */
export const useDocumentPages = (query: Record<string, string | readonly string[] | undefined>, enabled = true) =>
  useInfiniteQuery({
    enabled,
    queryKey: ["documents", "pages", query],
    queryFn: ({ signal, pageParam }) => api.documents({ ...query, limit: 200, cursor: pageParam }, signal),
    placeholderData: keepPreviousData,
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

export const useLedger = () =>
  useQuery({ queryKey: ["ledger", "roots"], queryFn: ({ signal }) => api.ledger({ limit: 1 }, signal), placeholderData: keepPreviousData });

export interface LedgerFilter {
  state: readonly string[];
  code?: string;
  text?: string;
  under?: string;
}

export const useLedgerLines = (filter: LedgerFilter, enabled = true) =>
  useInfiniteQuery({
    enabled,
    queryKey: ["ledger", filter],
    queryFn: ({ signal, pageParam }) => api.ledger({ ...filter, limit: 50, cursor: pageParam }, signal),
    placeholderData: keepPreviousData,
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

/** What is not read and why, in one call: the reasons with their counts, and the queue. */
export const useLedgerSummary = () =>
  useQuery({ queryKey: ["ledger", "summary"], queryFn: ({ signal }) => api.ledgerSummary(signal), placeholderData: keepPreviousData });

export const useFolders = (under: string, enabled: boolean) =>
  useQuery({ queryKey: ["ledger", "folders", under], queryFn: ({ signal }) => api.folders(under, signal), enabled });

export const useExclusions = () => useQuery({ queryKey: ["ledger", "exclusions"], queryFn: ({ signal }) => api.exclusions(signal) });

/** What the watcher follows; looked at often, for a file may change at any moment. */
export const useWatcher = () => useQuery({ queryKey: ["watcher"], queryFn: ({ signal }) => api.watcher(signal), refetchInterval: 4_000 });

export const useReferences = (id: string | null) =>
  useQuery({ queryKey: ["references", id], queryFn: ({ signal }) => api.references(id ?? "", signal), enabled: id !== null, staleTime: 30_000 });

export const useTables = (id: string | null) =>
  useQuery({ queryKey: ["tables", id], queryFn: ({ signal }) => api.tables(id ?? "", signal), enabled: id !== null, staleTime: 60_000 });

const ROWS = 100;

export const useTableRows = (id: string, ordinal: number | null) =>
  useInfiniteQuery({
    queryKey: ["tables", id, ordinal],
    queryFn: ({ signal, pageParam }) => api.tableRows(id, ordinal ?? 0, pageParam, ROWS, signal),
    enabled: ordinal !== null,
    initialPageParam: 0,
    getNextPageParam: (last) => {
      const next = last.first_row + last.body.length;
      return last.body.length > 0 && next < (last.kept ?? last.rows) ? next : undefined;
    },
    staleTime: 60_000,
  });

export const useTraces = () =>
  useInfiniteQuery({
    queryKey: ["traces"],
    queryFn: ({ signal, pageParam }) => api.traces({ limit: 50, cursor: pageParam }, signal),
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

export const useTrace = (id: string | null) =>
  useQuery({ queryKey: ["trace", id], queryFn: ({ signal }) => api.trace(id ?? "", signal), enabled: id !== null, staleTime: 60_000 });

/** Zeus as he is compiled. He changes with the server's version only. */
export const useTraceGraph = () =>
  useQuery({ queryKey: ["trace-graph"], queryFn: ({ signal }) => api.traceGraph(signal), staleTime: Number.POSITIVE_INFINITY });

export const useComparison = (left: string, right: string) =>
  useQuery({
    queryKey: ["comparison", left, right],
    queryFn: ({ signal }) => api.compareTraces(left, right, signal),
    enabled: left !== "" && right !== "",
    staleTime: 60_000,
  });

/** A search in which files are looked for: what names it, and who is asked. */
export interface ExplainedSearch {
  key: readonly string[];
  ask: (document: string, signal: AbortSignal) => Promise<FileExplanation>;
}

/** Why a document is where it is in a search. Nothing is asked before a document was chosen. */
export const useExplanation = (search: ExplainedSearch, document: string | null) =>
  useQuery({
    queryKey: ["explanation", ...search.key, document],
    queryFn: ({ signal }) => search.ask(document ?? "", signal),
    enabled: document !== null,
    staleTime: 60_000,
  });

/** Whoever asks: the profile of this machine, or the person of the API key. */
export const PERSON = "me";

export const useMemory = () => useQuery({ queryKey: ["memory"], queryFn: ({ signal }) => api.memory(PERSON, signal) });

export const invalidateMemory = (): void => void queryClient.invalidateQueries({ queryKey: ["memory"] });

/** What a document mentions. Nothing is asked before its panel is looked at. */
export const useDocumentEntities = (id: string | null) =>
  useQuery({
    queryKey: ["entities", "document", id],
    queryFn: ({ signal }) => api.documentEntities(id ?? "", signal),
    enabled: id !== null,
    staleTime: 60_000,
  });

export const useEntityPages = (text: string, type: EntityType | "") =>
  useInfiniteQuery({
    queryKey: ["entities", "pages", text, type],
    queryFn: ({ signal, pageParam }) => api.entities({ text, entity_type: type, limit: 60, cursor: pageParam }, signal),
    placeholderData: keepPreviousData,
    initialPageParam: "",
    getNextPageParam: (last) => last.next_cursor ?? undefined,
  });

/** How many entities of these kinds there are; null until all of them are known. */
export const useEntityCount = (text: string, types: readonly EntityType[]): number | null =>
  useQueries({
    queries: types.map((type) => ({
      queryKey: ["entities", "count", text, type],
      queryFn: ({ signal }: { signal: AbortSignal }) => api.entities({ text, entity_type: type, limit: 1 }, signal),
    })),
    combine: (counts) => counts.reduce<number | null>((sum, { data }) => (sum === null || !data ? null : sum + data.total), 0),
  });

/** The themes of the library; asked more often while they are about to be found anew. */
export const useThemes = (limit: number) =>
  useQuery({
    queryKey: ["themes", limit],
    queryFn: ({ signal }) => api.communities({ themes: "true", limit }, signal),
    refetchInterval: (query) => (query.state.data?.stale ? 5_000 : 30_000),
    placeholderData: keepPreviousData,
  });

export const useNeighbourhood = (id: string | null) =>
  useQuery({
    queryKey: ["entities", "neighbourhood", id],
    queryFn: ({ signal }) => api.neighbourhood(id ?? "", { hops: 1, limit: 60 }, signal),
    enabled: id !== null,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
  });

const libraryKeys = ["health", "ledger", "documents", "document", "content", "starters", "entities", "themes", "references", "tables", "watcher"];

/** Everything that an indexing job may have changed is asked for again, but for `known`. */
export function invalidateLibrary(known: readonly string[] = []): void {
  for (const key of libraryKeys.filter((one) => !known.includes(one))) void queryClient.invalidateQueries({ queryKey: [key] });
}
