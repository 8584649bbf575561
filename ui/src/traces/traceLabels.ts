import type { StageName, Trace } from "../api/types";
import type { Tone } from "../parts/Tag";
import { locale, mark, t } from "../text/language";
import { legs } from "./legTable";

/** What a run came to, as a tag shows it. */
export const statusTag: Record<string, [Tone, string]> = {
  success: ["good", mark("answered")],
  not_found: ["warn", mark("not found")],
  clarification_needed: ["calm", mark("asked back")],
  stopped: ["warn", mark("stopped")],
  failed: ["bad", mark("failed")],
};

export function statusLabel(status: string): [Tone, string] {
  const [tone, word] = statusTag[status] ?? ["calm", status];
  return [tone, t(word)];
}

/** The graph is looked at before the search begins; its passages are found beside those of the other legs. */
const isEarly = (leg: (typeof legs)[number]) => leg.name === "graph";

/** The stages that a replay can leave out, in the order in which a question meets them. */
export const stages: readonly { name: StageName; word: string; what: string }[] = [
  { name: "memory", word: mark("memory"), what: mark("nothing remembered is used") },
  { name: "plan", word: mark("plan"), what: mark("one search instead of several") },
  ...legs.filter(isEarly),
  ...legs.filter((leg) => !isEarly(leg)),
  { name: "links", word: mark("links"), what: mark("no neighbours of what was found") },
  { name: "rerank", word: mark("rerank"), what: mark("the order of the first search") },
  { name: "structure", word: mark("structure"), what: mark("no look at headings and neighbours") },
  { name: "graph_rerank", word: mark("graph order"), what: mark("no look at nearness and recent events") },
  { name: "negation", word: mark("negation"), what: mark("“not covered” stands where “covered” does") },
  { name: "correct", word: mark("second tries"), what: mark("no correction of a weak search") },
];

const stageWord = new Map<string, string>(stages.map((stage) => [stage.name, stage.word]));
export const stageLabel = (name: string): string => t(stageWord.get(name) ?? name.replaceAll("_", " "));

const ends: Record<string, string> = {
  "lexical and dense": mark("not found by keyword or meaning search"),
  not_indexed: mark("not in the library"),
  filters: mark("excluded by the filters"),
};

/** Where a file was lost, in words: the stage's name, or what happened there. */
export const describeDrop = (stage: string): string => (ends[stage] ? t(ends[stage]) : t("dropped at {stage}", { stage: stageLabel(stage) }));

const writers: Record<string, string> = { extractive: mark("Quotes only"), memory: mark("Notes"), none: "" };

/** Who wrote an answer: the model's name, or that no model did. */
export const writerLabel = (generatedBy: string): string => t(writers[generatedBy] ?? generatedBy);

/** "words", "words and meaning", "words, meaning and links". */
export function joinList(items: readonly string[]): string {
  if (items.length < 2) return items[0] ?? "";
  return t("{first} and {last}", { first: items.slice(0, -1).join(", "), last: items.at(-1) ?? "" });
}

/** The stages that a run was asked to leave out. */
export function omittedStages(request: Record<string, unknown>): string[] {
  const without = request.without;
  return Array.isArray(without) ? without.filter((item): item is string => typeof item === "string") : [];
}

/** A number that a reader can compare: four digits that count, no zeros behind them. */
export function formatScore(value: number): string {
  const digits = Math.abs(value) >= 1000 ? 6 : 3;
  return new Intl.NumberFormat(locale(), { maximumSignificantDigits: digits, useGrouping: false }).format(value);
}

/** Who of the administrators looked at a run, in the order of the first look. */
export function listViewers(looks: NonNullable<Trace["viewed_by"]>): { who: string; times: number; last: string }[] {
  return [...new Set(looks.map((look) => look.user_id))].map((who) => {
    const own = looks.filter((look) => look.user_id === who);
    return { who, times: own.length, last: own.at(-1)?.at ?? "" };
  });
}

/** How a candidate ended, in the language that is shown; a reason that the server words by itself stays as it is. */
export function describeEnd(ended: string): string {
  const [, place] = /^left behind at place (\d+)$/.exec(ended) ?? [];
  if (place) return t("left behind at place {n}", { n: place });
  const [, number] = /^cited as \[(\d+)\]$/.exec(ended) ?? [];
  if (number) return t("cited as [{n}]", { n: number });
  const [, stage, reason] = /^dropped at ([^:]+): (.*)$/.exec(ended) ?? [];
  if (stage) return `${t("dropped at {stage}", { stage: t(stage) })}: ${reason}`;
  return t(ended === READ ? READ : ended);
}
const READ = mark("read, not cited");
