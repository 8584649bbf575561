import type { ConsolidationRecord, Forgotten, MemoryItem, MemoryOverview } from "../api/types";
import { formatPlural } from "../text/format";
import { mark, t, tn } from "../text/language";

export type SectionName = "notes" | "profile" | "procedural" | "episodic" | "session";

/** The tiers in the order of what a person would look for first, in plain words. */
export const SECTIONS: readonly { name: SectionName; title: string; says: string; empty: string }[] = [
  {
    name: "notes",
    title: mark("Notes"),
    says: mark("What was learned, in sentences. They are offered to later questions; you can edit them."),
    empty: mark("No notes yet. One is made from an answer that you like, from what you correct, and when you write “remember that …”."),
  },
  {
    name: "profile",
    title: mark("Profile"),
    says: mark("What your questions and clicks have in common."),
    empty: mark("Nothing yet. Topics and documents come up when you have asked about them more than once."),
  },
  {
    name: "procedural",
    title: mark("What worked"),
    says: mark("What you opened, liked or asked again. It slowly adjusts how much keywords and meaning count."),
    empty: mark("Nothing yet. Open a citation or rate an answer."),
  },
  {
    name: "episodic",
    title: mark("Earlier questions"),
    says: mark("Finished questions with their answers. Similar ones help to plan the next."),
    empty: mark("Nothing has been asked yet."),
  },
  {
    name: "session",
    title: mark("Recent conversations"),
    says: mark("The last ten turns of each conversation; they are gone after an hour."),
    empty: mark("No conversation in the last hour."),
  },
];

export const isMemoryEmpty = (overview: MemoryOverview): boolean => SECTIONS.every(({ name }) => overview[name].total === 0);

const removedOf: Record<string, (number: number) => string> = {
  session: (number) => formatPlural(number, "turn of a conversation", "turns of a conversation"),
  sessions: (number) => formatPlural(number, "turn of a conversation", "turns of a conversation"),
  episodic: (number) => formatPlural(number, "earlier question", "earlier questions"),
  procedural: (number) => formatPlural(number, "sign of what worked", "signs of what worked"),
  profile: (number) => formatPlural(number, "line of the profile", "lines of the profile"),
  notes: (number) => formatPlural(number, "note", "notes"),
};

/** "3 notes, 12 earlier questions and 1 turn of a conversation" */
export function describeRemoved(forgotten: Forgotten): string {
  const parts = Object.entries(forgotten.removed)
    .filter(([, number]) => number > 0)
    .map(([tier, number]) => removedOf[tier]?.(number) ?? `${number} ${tier}`);
  if (parts.length === 0) return t("nothing: there was nothing to remove");
  const last = parts.pop() as string;
  return parts.length > 0 ? t("{first} and {last}", { first: parts.join(", "), last }) : last;
}

/** What consolidation changed, in its own sentences; empty where there was nothing to do. */
export const changesOf = (records: readonly ConsolidationRecord[]): string[] => records.flatMap((record) => record.changes ?? []);

/** The sessions that have lines, newest first, with what was asked first in each. */
export function sessionsOf(items: readonly MemoryItem[]): { id: string; items: MemoryItem[] }[] {
  const found = new Map<string, MemoryItem[]>();
  for (const item of items) {
    const id = String(item.detail?.session_id ?? "");
    found.set(id, [...(found.get(id) ?? []), item]);
  }
  return [...found].map(([id, list]) => ({ id, items: list }));
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const list = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : []);

const sources: Record<string, string> = {
  high_confidence: mark("from a well supported answer"),
  positive_feedback: mark("from an answer you liked"),
  remember: mark("you asked to remember it"),
  correction: mark("from your correction"),
};

/** The small print of a line: where it comes from and what it was. */
export function listDetails(item: MemoryItem): string[] {
  const detail = item.detail ?? {};
  if (item.tier === "notes") {
    const versions = Array.isArray(detail.history) ? detail.history.length : 0;
    const links = list(detail.links).length;
    return [
      t(sources[text(detail.source)] ?? ""),
      versions > 0 ? tn(versions, "reworded once", "reworded {n} times", { n: versions }) : "",
      links > 0 ? tn(links, "linked to {n} note", "linked to {n} notes", { n: links }) : "",
    ].filter(Boolean);
  }
  if (item.tier === "episodic") return [t(text(detail.intent).replaceAll("_", " ")), t(text(detail.search_strategy))].filter(Boolean);
  if (item.tier === "session") return [text(detail.topic)].filter(Boolean);
  if (item.tier === "procedural")
    return [
      t(text(detail.strategy)),
      typeof detail.reward === "number" ? (detail.reward >= 0 ? t("counts for it") : t("counts against it")) : "",
    ].filter(Boolean);
  return [];
}

/** What lies below a line: the answer of a question, the context of a note. */
export const itemBody = (item: MemoryItem): string =>
  text(item.detail?.response) || text(item.detail?.answer) || (item.tier === "notes" ? text(item.detail?.context) : "");

export const traceOf = (item: MemoryItem): string => text(item.detail?.trace_id) || (item.tier === "episodic" ? item.id : "");

export const tagsOf = (item: MemoryItem): string[] =>
  item.tier === "notes" ? [...new Set([...list(item.detail?.tags), ...list(item.detail?.keywords)])].slice(0, 6) : [];

export interface Wording {
  content: string;
  reason: string;
  at: string;
}

/** Earlier wordings of a note, newest first. */
export function wordingsOf(item: MemoryItem): Wording[] {
  const history = Array.isArray(item.detail?.history) ? (item.detail.history as Record<string, unknown>[]) : [];
  return history.map((one) => ({ content: text(one.content), reason: text(one.reason), at: text(one.changed_at) })).reverse();
}
