import type { Feature, LanguageModels, ModelTest, Settings } from "../settings/settingValues";
import { Problem, problemOf } from "./problem";
import type {
  CommunityPage,
  ConsolidationRecord,
  Content,
  Conversation,
  ConversationDetail,
  ConversationList,
  Deleted,
  Doc,
  DocumentEntities,
  DocumentList,
  Embedder,
  EntityPage,
  EvaluationComparison,
  EvaluationRunDetail,
  EvaluationRunList,
  EvaluationSetList,
  ExclusionList,
  Feedback,
  FileExplanation,
  FolderChoices,
  FolderList,
  Forgotten,
  Health,
  Job,
  Ledger,
  LedgerSummary,
  MemoryItem,
  MemoryOverview,
  Neighbourhood,
  Places,
  References,
  RetrievalTest,
  RunAnswer,
  SearchResponse,
  SearchSetting,
  Session,
  StageName,
  StarterList,
  TableList,
  TableWithRows,
  Trace,
  TraceComparison,
  TraceList,
  Upload,
  Watcher,
  ZeusGraph,
} from "./types";

type Query = Record<string, string | number | readonly string[] | undefined | null>;

function address(path: string, query: Query = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null || value === "") continue;
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one));
  }
  const text = search.toString();
  return text ? `${path}?${text}` : path;
}

async function call<T>(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  let response: Response;
  const headers: Record<string, string> = { Accept: "application/json" };
  if (body !== undefined && !(body instanceof FormData)) headers["Content-Type"] = "application/json";
  try {
    response = await fetch(path, {
      method,
      headers,
      body: body === undefined ? undefined : body instanceof FormData ? body : JSON.stringify(body),
      signal: signal ?? null,
    });
  } catch (error) {
    throw error instanceof DOMException && error.name === "AbortError" ? error : Problem.unreachable();
  }
  if (!response.ok) throw await problemOf(response);
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

const id = encodeURIComponent;

/** A file itself, also one in a locked archive: a password goes in the body, never in an address. Without one only its first byte comes. */
async function openFile(url: string, password = ""): Promise<Response> {
  const form = new FormData();
  form.append("password", password);
  const response = await fetch(url, password ? { method: "POST", body: form } : { headers: { Range: "bytes=0-0" } });
  if (!response.ok) throw await problemOf(response);
  return response;
}

export const api = {
  /** The server promises it within a second: one that says nothing in two is taken for gone. */
  health: (signal: AbortSignal) => call<Health>("GET", "/health", undefined, AbortSignal.any([signal, AbortSignal.timeout(2000)])),
  embedder: (signal?: AbortSignal) => call<Embedder>("GET", "/embedder", undefined, signal),
  /** The answer comes when the model is open; its vectors are made afterwards. */
  switchEmbedder: (model: string) => call<Embedder>("POST", "/embedder", { model }),
  starters: (signal?: AbortSignal) => call<StarterList>("GET", "/starters", undefined, signal),
  documents: (query: Query, signal?: AbortSignal) => call<DocumentList>("GET", address("/documents", query), undefined, signal),
  document: (document: string, signal?: AbortSignal) => call<Doc>("GET", `/documents/${id(document)}`, undefined, signal),
  content: (document: string, range: { start?: number; end?: number } = {}, signal?: AbortSignal) =>
    call<Content>("GET", address(`/documents/${id(document)}/content`, range), undefined, signal),
  fileUrl: (document: string) => `/documents/${id(document)}/file`,
  openFile,
  /** A page of a picture that browsers do not draw by themselves. */
  pictureUrl: (document: string, page: number) => `/documents/${id(document)}/pages/${page}/picture`,
  places: (document: string, range: { start: number; end: number }, signal?: AbortSignal) =>
    call<Places>("GET", address(`/documents/${id(document)}/places`, range), undefined, signal),
  deleteDocument: (document: string) => call<Deleted>("DELETE", `/documents/${id(document)}`),
  conversations: (signal?: AbortSignal, text = "") => call<ConversationList>("GET", address("/conversations", { text }), undefined, signal),
  conversation: (conversation: string, signal?: AbortSignal) =>
    call<ConversationDetail>("GET", `/conversations/${id(conversation)}`, undefined, signal),
  createConversation: (title: string) => call<Conversation>("POST", "/conversations", { title }),
  renameConversation: (conversation: string, title: string) => call<Conversation>("PATCH", `/conversations/${id(conversation)}`, { title }),
  pinConversation: (conversation: string, pinned: boolean) => call<Conversation>("PATCH", `/conversations/${id(conversation)}`, { pinned }),
  branchConversation: (conversation: string, before: string) => call<Conversation>("POST", `/conversations/${id(conversation)}/branch`, { before }),
  exportUrl: (conversation: string, format: "markdown" | "json") => address(`/conversations/${id(conversation)}/export`, { format }),
  deleteConversations: (ids: readonly string[]) => call<unknown>("DELETE", address("/conversations", { id: ids })),
  deleteConversation: (conversation: string) => call<void>("DELETE", `/conversations/${id(conversation)}`),
  ledger: (query: Query, signal?: AbortSignal) => call<Ledger>("GET", address("/ledger", query), undefined, signal),
  ledgerSummary: (signal?: AbortSignal) => call<LedgerSummary>("GET", "/ledger/summary", undefined, signal),
  folders: (under: string, signal?: AbortSignal) => call<FolderList>("GET", address("/ledger/folders", { under }), undefined, signal),
  /** The folders of this machine that may be added, on loopback without keys. */
  folderChoices: (under: string | null, signal?: AbortSignal) => call<FolderChoices>("GET", address("/folders", { under }), undefined, signal),
  exclusions: (signal?: AbortSignal) => call<ExclusionList>("GET", "/ledger/exclusions", undefined, signal),
  exclude: (path: string) => call<{ documents: number; files: number }>("POST", "/ledger/exclude", { path }),
  include: (path: string) => call<{ job_id: string | null }>("DELETE", address("/ledger/exclude", { path })),
  ledgerFileUrl: (path: string) => address("/ledger/file", { path }),
  /** A password is used for this reading alone and kept nowhere. */
  retry: (path: string, password = "") => call<Job>("POST", "/ledger/retry", password ? { path, password } : { path }),
  index: (path: string, force = false, password = "") => call<Job>("POST", "/index", password ? { path, force, password } : { path, force }),
  watcher: (signal?: AbortSignal) => call<Watcher>("GET", "/watcher/status", undefined, signal),
  /** Follow the changes of one folder, or of all, or stop that. */
  watch: (on: boolean, path?: string) => call<Watcher>("POST", on ? "/watcher/enable" : "/watcher/disable", path ? { path } : {}),
  removeRoot: (path: string) => call<{ path: string; documents: number; files: number }>("DELETE", address("/ledger/roots", { path })),
  job: (job: string, signal?: AbortSignal) => call<Job>("GET", `/jobs/${id(job)}`, undefined, signal),
  cancelJob: (job: string) => call<unknown>("POST", `/jobs/${id(job)}/cancel`),
  answerRun: (run: string, answer: RunAnswer) => call<{ run_id: string }>("POST", `/runs/${id(run)}/answer`, { ...answer, wait: false }),
  cancelRun: (run: string) => call<unknown>("POST", `/runs/${id(run)}/cancel`),
  traces: (query: Query, signal?: AbortSignal) => call<TraceList>("GET", address("/traces", query), undefined, signal),
  trace: (trace: string, signal?: AbortSignal) => call<Trace>("GET", `/traces/${id(trace)}`, undefined, signal),
  traceGraph: (signal?: AbortSignal) => call<ZeusGraph>("GET", "/traces/graph", undefined, signal),
  compareTraces: (left: string, right: string, signal?: AbortSignal) =>
    call<TraceComparison>("GET", address("/traces/compare", { left, right }), undefined, signal),
  replay: (trace: string, without: readonly StageName[]) => call<SearchResponse>("POST", `/traces/${id(trace)}/replay`, { without }),
  explain: (trace: string, document: string, signal?: AbortSignal) =>
    call<FileExplanation>("POST", "/explain", { trace_id: trace, document }, signal),
  testSearch: (question: { query: string; top_k: number }, left: SearchSetting, right: SearchSetting | null, signal?: AbortSignal) =>
    call<RetrievalTest>("POST", "/evaluation/test", { ...question, left, right }, signal),
  explainTest: (question: { query: string; top_k: number }, setting: SearchSetting, document: string, signal?: AbortSignal) =>
    call<FileExplanation>("POST", "/evaluation/explain", { ...question, setting, document }, signal),
  evaluationRuns: (signal?: AbortSignal) => call<EvaluationRunList>("GET", "/evaluation/runs", undefined, signal),
  evaluationRun: (run: string, signal?: AbortSignal) => call<EvaluationRunDetail>("GET", `/evaluation/runs/${id(run)}`, undefined, signal),
  compareEvaluations: (before: string, after: string, signal?: AbortSignal) =>
    call<EvaluationComparison>("GET", address("/evaluation/runs/compare", { before, after }), undefined, signal),
  evaluationSets: (signal?: AbortSignal) => call<EvaluationSetList>("GET", "/evaluation/sets", undefined, signal),
  memory: (person: string, signal?: AbortSignal) => call<MemoryOverview>("GET", address(`/memory/${id(person)}`, { limit: 500 }), undefined, signal),
  forget: (person: string, what: { session_id?: string; document_id?: string } = {}) =>
    call<Forgotten>("DELETE", address(`/memory/${id(person)}`, what)),
  consolidate: (person: string) => call<ConsolidationRecord[]>("POST", `/memory/${id(person)}/consolidate`),
  editMemory: (person: string, item: string, text: string) => call<MemoryItem>("PATCH", `/memory/${id(person)}/items/${id(item)}`, { text }),
  removeMemory: (person: string, item: string) => call<MemoryItem>("DELETE", `/memory/${id(person)}/items/${id(item)}`),
  references: (document: string, signal?: AbortSignal) => call<References>("GET", `/documents/${id(document)}/references`, undefined, signal),
  tables: (document: string, signal?: AbortSignal) => call<TableList>("GET", `/documents/${id(document)}/tables`, undefined, signal),
  tableRows: (document: string, ordinal: number, first: number, limit: number, signal?: AbortSignal) =>
    call<TableWithRows>("GET", address(`/documents/${id(document)}/tables/${ordinal}`, { first, limit }), undefined, signal),
  tableUrl: (document: string, ordinal: number, format: "csv" | "markdown") => address(`/documents/${id(document)}/tables/${ordinal}`, { format }),
  documentEntities: (document: string, signal?: AbortSignal) =>
    call<DocumentEntities>("GET", `/documents/${id(document)}/entities`, undefined, signal),
  communities: (query: Query, signal?: AbortSignal) => call<CommunityPage>("GET", address("/graph/communities", query), undefined, signal),
  refreshCommunities: () => call<Job>("POST", "/graph/communities/refresh"),
  entities: (query: Query, signal?: AbortSignal) => call<EntityPage>("GET", address("/graph/entities", query), undefined, signal),
  neighbourhood: (entity: string, query: Query, signal?: AbortSignal) =>
    call<Neighbourhood>("GET", address(`/graph/entities/${id(entity)}/neighbourhood`, query), undefined, signal),
  session: (signal?: AbortSignal) => call<Session>("GET", "/session", undefined, signal),
  closeSession: () => call<void>("DELETE", "/session"),
  settings: (signal?: AbortSignal) => call<Settings>("GET", "/settings", undefined, signal),
  changeSettings: (values: Record<string, unknown>) => call<Settings>("PATCH", "/settings", { values }),
  features: (signal?: AbortSignal) => call<{ features: Feature[] }>("GET", "/settings/features", undefined, signal),
  switchFeatures: (features: Record<string, boolean | null>) => call<{ features: Feature[] }>("PATCH", "/settings/features", { features }),
  languageModels: (signal?: AbortSignal) => call<LanguageModels>("GET", "/settings/models", undefined, signal),
  testModel: (model: string) => call<ModelTest>("POST", "/settings/models/test", { model }),
  openSession: (key: string) => call<void>("POST", "/session", { api_key: key }),
  feedback: (feedback: Feedback) => call<{ id: string; stored: boolean }>("POST", "/feedback", feedback),
  upload: (files: File[], password = "") => {
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    if (password) form.append("password", password);
    return call<Upload>("POST", "/upload", form);
  },
};
