import { useSyncExternalStore } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import type { Doc, SearchRequest } from "../api/types";
import { jobs } from "../library/jobs";
import { type Listing, toFilters } from "../library/listing";
import { t } from "../text/language";

/** A file that the next question is restricted to. */
export interface Attachment {
  key: string;
  name: string;
  documentId: string | null;
  jobId: string | null;
  state: "uploading" | "reading" | "ready" | "failed";
  note: string;
}

export type StrategyChoice = NonNullable<SearchRequest["strategy"]>;
export type ModeChoice = NonNullable<SearchRequest["mode"]>;

export interface Draft {
  text: string;
  attachments: readonly Attachment[];
  /** The folder that the question is restricted to; null asks everything. */
  folder: string | null;
  /** The kind of files and the days (2025-03-31) that it is restricted to; empty asks all. */
  only: Pick<Listing, "kind" | "since" | "until">;
  strategy: StrategyChoice;
  mode: ModeChoice;
  /** A question that waits until these files (keys of attachments) are read. */
  queued: { text: string; files: readonly string[] } | null;
}

const empty: Draft = {
  text: "",
  attachments: [],
  folder: null,
  only: { kind: "", since: "", until: "" },
  strategy: "auto",
  mode: "auto",
  queued: null,
};
let draft: Draft = empty;
const listeners = new Set<() => void>();
let counter = 0;

export function setDraft(change: Partial<Draft>): void {
  draft = { ...draft, ...change };
  for (const listener of listeners) listener();
}

export const getDraft = (): Draft => draft;

export function subscribeToDraft(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useDraft = (): Draft => useSyncExternalStore(subscribeToDraft, getDraft);

const FOCUS = "vantage:focus-composer";
export const focusComposer = (): void => void setTimeout(() => window.dispatchEvent(new Event(FOCUS)), 0);
export function onFocusComposer(listener: () => void): () => void {
  window.addEventListener(FOCUS, listener);
  return () => window.removeEventListener(FOCUS, listener);
}

function change(key: string, part: Partial<Attachment>): void {
  setDraft({ attachments: draft.attachments.map((item) => (item.key === key ? { ...item, ...part } : item)) });
}

export const detach = (key: string): void => setDraft({ attachments: draft.attachments.filter((item) => item.key !== key) });

/** Restricts the next question to a document of the library. */
export function attach(document: Pick<Doc, "id" | "filename">): void {
  if (draft.attachments.some((item) => item.documentId === document.id)) return;
  const attachment: Attachment = {
    key: `attachment-${++counter}`,
    name: document.filename,
    documentId: document.id,
    jobId: null,
    state: "ready",
    note: "",
  };
  setDraft({ attachments: [...draft.attachments, attachment] });
}

/** Uploads files and attaches each as soon as it has been read. */
export async function attachFiles(files: File[]): Promise<void> {
  const added = files.map((file) => ({
    key: `attachment-${++counter}`,
    name: file.name,
    documentId: null,
    jobId: null,
    state: "uploading" as const,
    note: "",
  }));
  setDraft({ attachments: [...draft.attachments, ...added] });
  await Promise.all(added.map((item, index) => uploadOne(item.key, files[index] as File)));
}

async function uploadOne(key: string, file: File): Promise<void> {
  try {
    const upload = await api.upload([file]);
    change(key, { state: "reading", jobId: upload.job.id });
    const job = await jobs.follow(upload.job.id, upload.job);
    const document = await findUploaded(upload.files[0] ?? file.name);
    if (document && (document.state === "indexed" || document.state === "partial"))
      change(key, { state: "ready", documentId: document.id, note: document.reason });
    else change(key, { state: "failed", note: document?.reason || job?.error || (await reasonInLedger(upload.files[0] ?? file.name)) });
  } catch (error) {
    const problem = Problem.from(error);
    change(key, { state: "failed", note: problem.detail || problem.title });
  }
}

const sameFile = (path: string, wanted: string): boolean => path === wanted || path.endsWith(`/${wanted}`) || wanted.endsWith(`/${path}`);

async function findUploaded(path: string): Promise<Doc | null> {
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Awaited<ReturnType<typeof api.documents>> = await api.documents({ limit: 200, cursor });
    const found = page.documents.find((document) => [document.file_path, ...document.paths].some((known) => sameFile(known, path)));
    if (found) return found;
    cursor = page.next_cursor;
  }
  return null;
}

async function reasonInLedger(path: string): Promise<string> {
  for (const state of ["failed", "skipped", "quarantined"]) {
    const ledger = await api.ledger({ state, limit: 200 });
    const line = ledger.lines.find((item) => sameFile(item.path, path));
    if (line) return line.reason;
  }
  return t("It was saved but cannot be searched. The library shows the reason.");
}

/** The request that the draft stands for. */
export function buildRequest(text: string, conversationId: string | null, now: Draft): SearchRequest {
  const documents = now.attachments.flatMap((item) => (item.documentId ? [item.documentId] : []));
  const filters = toFilters({ ...now.only, folder: now.folder ?? "" });
  return {
    query: text,
    conversation_id: conversationId,
    strategy: now.strategy,
    mode: now.mode,
    explain: true,
    ...(documents.length > 0 ? { attached_documents: documents } : {}),
    ...(filters ? { filters } : {}),
  };
}
