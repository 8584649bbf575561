import type { StageName, Trace } from "../api/types";
import type { Tone } from "../parts/Tag";

/** What a run came to, as a tag shows it. */
export const statusTag: Record<string, [Tone, string]> = {
  success: ["good", "answered"],
  not_found: ["warn", "not found"],
  clarification_needed: ["calm", "asked back"],
  stopped: ["warn", "stopped"],
  failed: ["bad", "failed"],
};

export const statusOf = (status: string): [Tone, string] => statusTag[status] ?? ["calm", status];

/** The stages that a replay can leave out, in the order in which a question meets them. */
export const stages: readonly { name: StageName; word: string; what: string }[] = [
  { name: "memory", word: "memory", what: "nothing remembered is used" },
  { name: "plan", word: "plan", what: "one search instead of several" },
  { name: "graph", word: "graph", what: "no related names and terms" },
  { name: "lexical", word: "keyword search", what: "no search by exact words" },
  { name: "dense", word: "meaning search", what: "no search by meaning" },
  { name: "multilingual", word: "other languages", what: "no search across languages" },
  { name: "links", word: "links", what: "no neighbours of what was found" },
  { name: "rerank", word: "rerank", what: "the order of the first search" },
  { name: "correct", word: "second tries", what: "no correction of a weak search" },
];

const stageWord = new Map<string, string>(stages.map((stage) => [stage.name, stage.word]));
export const stageNamed = (name: string): string => stageWord.get(name) ?? name.replaceAll("_", " ");

const ends: Record<string, string> = {
  "lexical and dense": "not found by keyword or meaning search",
  not_indexed: "not in the library",
  filters: "excluded by the filters",
};

/** Where a file was lost, in words: the stage's name, or what happened there. */
export const droppedAt = (stage: string): string => ends[stage] ?? `dropped at ${stageNamed(stage)}`;

const writers: Record<string, string> = { extractive: "Quotes only", memory: "Notes", none: "" };

/** Who wrote an answer: the model's name, or that no model did. */
export const writtenBy = (generatedBy: string): string => writers[generatedBy] ?? generatedBy;

/** "words", "words and meaning", "words, meaning and links". */
export function listed(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** The stages that a run was asked to leave out. */
export function withoutOf(request: Record<string, unknown>): string[] {
  const without = request.without;
  return Array.isArray(without) ? without.filter((item): item is string => typeof item === "string") : [];
}

/** A number that a reader can compare: four digits that count, no zeros behind them. */
export function score(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value
    .toPrecision(Math.abs(value) >= 1000 ? 6 : 3)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

/** Who of the administrators looked at a run, in the order of the first look. */
export function viewers(looks: NonNullable<Trace["viewed_by"]>): { who: string; times: number; last: string }[] {
  return [...new Set(looks.map((look) => look.user_id))].map((who) => {
    const own = looks.filter((look) => look.user_id === who);
    return { who, times: own.length, last: own.at(-1)?.at ?? "" };
  });
}
