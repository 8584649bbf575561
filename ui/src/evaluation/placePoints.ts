import type { EvaluationRun } from "../api/types";

interface PlotPoint {
  run: EvaluationRun;
  value: number;
  /** The place from left to right and from below upwards, each 0 to 1. */
  across: number;
  up: number;
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5];

/** The runs that have the measure, oldest first, at even distances, and the scale: it ends at round values that hold all points. */
export function placePoints(runs: readonly EvaluationRun[], measure: string): { points: PlotPoint[]; ticks: { value: number; share: number }[] } {
  const found = runs
    .flatMap((run) => (run.metrics[measure] === undefined ? [] : [{ run, value: run.metrics[measure] }]))
    .sort((a, b) => a.run.started_at.localeCompare(b.run.started_at));
  if (found.length === 0) return { points: [], ticks: [] };
  const values = found.map(({ value }) => value);
  const span = Math.max(...values) - Math.min(...values);
  const step = STEPS.find((each) => each * 4 >= span) ?? 0.5;
  const low = Math.max(0, Math.floor(Math.min(...values) / step - 1e-9) * step);
  const high = Math.min(1, Math.max(low + step, Math.ceil(Math.max(...values) / step + 1e-9) * step));
  const base = Math.min(low, high - step);
  const share = (value: number) => (value - base) / (high - base);
  const count = Math.round((high - base) / step);
  return {
    points: found.map(({ run, value }, index) => ({ run, value, across: found.length === 1 ? 0.5 : index / (found.length - 1), up: share(value) })),
    ticks: Array.from({ length: count + 1 }, (_, index) => base + index * step).map((value) => ({ value, share: share(value) })),
  };
}
