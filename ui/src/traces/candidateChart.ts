import type { TraceMove } from "../api/types";
import { legs } from "./legTable";

/** The stages in the order in which a candidate passes them; what is not named here comes before the passages. */
const order: string[] = [
  ...legs.map((leg) => leg.name),
  "fusion",
  "rerank",
  "links",
  "structure",
  "graph_rerank",
  "routing",
  "negation",
  "diversity",
  "hops",
  "correct",
  "passages",
];

/** "hop 2" stands with the hops, in the order of their numbers. */
function stageOrder(stage: string): number {
  const [, kind = stage, number = "0"] = /^(.*?)[\s_-]*(\d*)$/.exec(stage) ?? [];
  const at = order.indexOf(kind) >= 0 ? order.indexOf(kind) : order.indexOf(`${kind}s`);
  return (at >= 0 ? at : order.length - 1.5) + Number(number) / 1000;
}

export const ANSWER = "answer";

export interface ChartPoint {
  stage: string;
  column: number;
  /** The place among the candidates that are drawn, from 0. */
  row: number;
  rank: number | null;
  score: number | null;
}

export interface ChartLine {
  move: TraceMove;
  dots: ChartPoint[];
}

export interface CandidateChart {
  stages: string[];
  lines: ChartLine[];
  rows: number;
  hidden: number;
}

type Stages = Record<string, [number, number]>;
const stagesOf = (move: TraceMove): Stages => move.stages as unknown as Stages;

export function stageNames(moves: readonly TraceMove[]): string[] {
  const names = new Set(moves.flatMap((move) => Object.keys(move.stages)));
  return [...names].sort((a, b) => stageOrder(a) - stageOrder(b) || a.localeCompare(b));
}

/** The candidates worth drawing: all that are cited, then the best of the last stage and of each leg, up to `most`. */
export function selectCandidates(moves: readonly TraceMove[], stages: readonly string[], most: number): TraceMove[] {
  const drawable = moves.filter((move) => Object.keys(move.stages).length > 0);
  if (drawable.length <= most) return drawable;
  const picked = new Set(drawable.filter((move) => move.cited_as != null));
  const best = (stage: string) =>
    drawable.filter((move) => stagesOf(move)[stage]).sort((a, b) => (stagesOf(a)[stage]?.[0] ?? 0) - (stagesOf(b)[stage]?.[0] ?? 0));
  for (const stage of stages) for (const move of best(stage).slice(0, 2)) if (picked.size < most) picked.add(move);
  const last = [...stages].reverse().find((stage) => stage !== "passages" && best(stage).length > 0);
  if (last) for (const move of best(last)) if (picked.size < most) picked.add(move);
  return drawable.filter((move) => picked.has(move));
}

/**
 * Gives every candidate a row at every stage. Rows are places among the candidates that are drawn, so that lines never lie on each other; one that a
 * stage did not find stands below the others there, until the stage at which it ended.
 */
export function buildChart(moves: readonly TraceMove[], most: number): CandidateChart {
  const stages = stageNames(moves);
  const shown = selectCandidates(moves, stages, most);
  const anyCited = shown.some((move) => move.cited_as != null);
  const columns = anyCited ? [...stages, ANSWER] : stages;
  const rankAt = (move: TraceMove, stage: string): number | null =>
    stage === ANSWER ? (move.cited_as ?? null) : (stagesOf(move)[stage]?.[0] ?? null);
  const lastColumn = new Map(shown.map((move) => [move, columns.reduce((last, stage, index) => (rankAt(move, stage) === null ? last : index), 0)]));
  const lines = new Map<TraceMove, ChartPoint[]>(shown.map((move) => [move, []]));
  columns.forEach((stage, column) => {
    const alive = shown.filter((move) => (lastColumn.get(move) ?? 0) >= column);
    const place = (move: TraceMove) => rankAt(move, stage) ?? 1e6 + nextRank(move, columns, column, rankAt);
    [...alive]
      .sort((a, b) => place(a) - place(b))
      .forEach((move, row) => {
        const rank = rankAt(move, stage);
        lines.get(move)?.push({ stage, column, row, rank, score: stage === ANSWER ? null : (stagesOf(move)[stage]?.[1] ?? null) });
      });
  });
  return {
    stages: columns,
    lines: shown.map((move) => ({ move, dots: lines.get(move) ?? [] })),
    rows: shown.length,
    hidden: moves.filter((move) => Object.keys(move.stages).length > 0).length - shown.length,
  };
}

/** The rank at the next stage that has one: it orders the candidates that a stage did not find. */
function nextRank(move: TraceMove, columns: readonly string[], column: number, rankAt: (move: TraceMove, stage: string) => number | null): number {
  for (const stage of columns.slice(column + 1)) {
    const rank = rankAt(move, stage);
    if (rank !== null) return rank;
  }
  return 1e5;
}
