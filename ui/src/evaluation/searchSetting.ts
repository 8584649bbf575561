import type { SearchSetting, StageName } from "../api/types";
import { mark } from "../text/language";
import { stages } from "../traces/traceLabels";

/** The strategies of a question, and the search by meaning alone. */
export const strategies = [
  ["auto", mark("as the question asks")],
  ["hybrid", mark("words and meaning")],
  ["precise", mark("the exact words")],
  ["semantic", mark("mostly by meaning")],
  ["exploratory", mark("with the knowledge graph")],
  ["temporal", mark("the recent first")],
  ["basic", mark("by meaning alone")],
] as const;
export const fusions = ["weighted", "min_max", "z_score", "rrf"] as const;
export const weighed = ["lexical", "dense", "graph", "time"] as const;

export type StrategyName = (typeof strategies)[number][0];
export type Weights = Record<(typeof weighed)[number], number>;

/** One way to search, as the page edits it; `fusion` "" and `rerank` null leave the server's. */
export interface Setting {
  strategy: StrategyName;
  weights: Weights | null;
  without: readonly StageName[];
  fusion: (typeof fusions)[number] | "";
  rerank: number | null;
  variety: number;
}

export const ordinary: Setting = { strategy: "auto", weights: null, without: [], fusion: "", rerank: null, variety: 0 };
/** Where own weights begin. */
export const firstWeights: Weights = { lexical: 0.3, dense: 0.7, graph: 0, time: 0 };
export const LARGEST_RERANK = 10;

/** A setting in an address: "hybrid_w-0.3-0.7-0-0_off-rerank-links_fusion-min.max_rerank-2_variety-0.5". */
export function writeSetting(setting: Setting): string {
  const { strategy, weights, without, fusion, rerank, variety } = setting;
  return [
    strategy,
    weights && `w-${weighed.map((name) => weights[name]).join("-")}`,
    without.length > 0 && `off-${without.join("-")}`,
    fusion && `fusion-${fusion.replace("_", ".")}`,
    rerank !== null && `rerank-${rerank}`,
    variety > 0 && `variety-${variety}`,
  ]
    .filter(Boolean)
    .join("_");
}

/** The setting of an address; what it cannot mean is left as it is by itself. */
export function readSetting(text: string): Setting {
  const [first = "", ...parts] = text.split("_");
  const said = new Map(parts.map((part) => [part.split("-")[0] ?? "", part.split("-").slice(1)]));
  return {
    strategy: strategies.find(([name]) => name === first)?.[0] ?? "auto",
    weights: readWeights(said.get("w") ?? []),
    without: stages.map((stage) => stage.name).filter((name) => said.get("off")?.includes(name)),
    fusion: fusions.find((name) => name.replace("_", ".") === said.get("fusion")?.[0]) ?? "",
    rerank: readNumber(said.get("rerank")?.[0], LARGEST_RERANK),
    variety: readNumber(said.get("variety")?.[0], 1) ?? 0,
  };
}

function readNumber(text: string | undefined, most: number): number | null {
  const value = text ? Number(text) : Number.NaN;
  return value >= 0 && value <= most ? value : null;
}

function readWeights(texts: readonly string[]): Weights | null {
  const values = texts.map((text) => readNumber(text, 1));
  if (values.length !== weighed.length || values.includes(null)) return null;
  return Object.fromEntries(weighed.map((name, index) => [name, values[index]])) as Weights;
}

/** What is asked of the server. A search by meaning alone has one leg, and nothing to weigh. */
export function toRequest({ strategy, weights, without, fusion, rerank, variety }: Setting): SearchSetting {
  return {
    strategy: strategy === "basic" ? "auto" : strategy,
    pipeline: strategy === "basic" ? "basic" : "auto",
    weights: strategy === "basic" ? null : weights,
    diversity_weight: variety,
    without: [...without],
    settings: { ...(fusion && { "search.fusion": fusion }), ...(rerank !== null && { "search.rerank.weight": rerank }) },
  };
}

/** At least one leg that finds something has a weight. */
export const canSearch = ({ strategy, weights }: Setting): boolean =>
  strategy === "basic" || weights === null || weights.lexical + weights.dense + weights.graph > 0;
