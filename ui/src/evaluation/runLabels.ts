import type { EvaluationRun } from "../api/types";
import { formatDecimals } from "../text/format";
import { t } from "../text/language";
import { joinList, stageLabel } from "../traces/traceLabels";

/** How a run searched: its strategy, what it left out, and the settings that it had of its own. */
export function describeSearch(run: Pick<EvaluationRun, "strategy" | "pipeline" | "without" | "settings">): string {
  const strategy = run.pipeline === "auto" ? run.strategy : `${run.strategy} (${run.pipeline})`;
  const settings = Object.entries(run.settings).map(([name, value]) => `${name} ${value}`);
  const without = run.without.length > 0 ? [t("without {stages}", { stages: joinList(run.without.map(stageLabel)) })] : [];
  return [strategy, ...without, ...settings].join(" · ");
}

export const formatMeasure = (value: number): string => formatDecimals(value, 3);
export const formatChange = (value: number): string => `${value < 0 ? "−" : "+"}${formatDecimals(Math.abs(value), 3)}`;

/** The runs by their sets, the set with the newest run first. */
export function groupBySet(runs: readonly EvaluationRun[]): Map<string, EvaluationRun[]> {
  const groups = new Map<string, EvaluationRun[]>();
  for (const run of runs) groups.set(run.set_name, [...(groups.get(run.set_name) ?? []), run]);
  return groups;
}

/** The two runs in the order of their times: what came first is before. */
export function orderRuns(runs: readonly EvaluationRun[], marks: readonly string[]): [string, string] | null {
  const [before, after] = runs.filter((run) => marks.includes(run.id)).sort((a, b) => a.started_at.localeCompare(b.started_at));
  return before && after ? [before.id, after.id] : null;
}
