import type { MemoryUsed } from "../api/types";
import { mark, t, tn } from "../text/language";

/** A weight as the page writes it: .30 */
export const formatWeight = (value: number): string => value.toFixed(2).replace(/^0\./, ".");

/** "lexical .30 → .45" for each number that was moved and shows it. */
export const listWeightChanges = (used: MemoryUsed): string[] =>
  Object.entries(used.change ?? {}).flatMap(([name, [before, after]]) =>
    before !== undefined && after !== undefined && formatWeight(before) !== formatWeight(after)
      ? [`${name} ${formatWeight(before)} → ${formatWeight(after)}`]
      : [],
  );

/** What memory did to an answer, in one line: "2 memories used; your clicks moved lexical .30 → .45". */
export function summarizeMemoryUse(used: readonly MemoryUsed[]): string {
  const recalled = used.filter((one) => listWeightChanges(one).length === 0).length;
  const changes = used.flatMap(listWeightChanges);
  return [
    recalled > 0 ? tn(recalled, "{n} memory used", "{n} memories used", { n: recalled }) : "",
    // One of two weights says it: the other is what is left of 1.
    changes.length > 0 ? t("your clicks moved {what}", { what: changes.find((change) => change.startsWith("lexical")) ?? changes[0] ?? "" }) : "",
  ]
    .filter(Boolean)
    .join("; ");
}

/** The names of the tiers as a person would say them. */
export const tierWords: Record<MemoryUsed["tier"], string> = {
  working: mark("this run"),
  session: mark("this conversation"),
  episodic: mark("an earlier question"),
  procedural: mark("your clicks"),
  profile: mark("your profile"),
  notes: mark("a note"),
};
