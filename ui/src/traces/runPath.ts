import type { TraceNode, ZeusEdge, ZeusGraph } from "../api/types";

type Outcome = TraceNode["outcome"];

/** What a run did at a node of the graph. */
export interface Visit {
  /** The passings in the order in which they began: places in the run (from 1) and the ids of the trace's nodes. */
  places: number[];
  ids: string[];
  /** The worst way in which a passing ended. */
  outcome: Outcome;
  milliseconds: number;
}

/** The way of a run through the graph: what it visited, and how often it took each edge ("source>target"). */
export interface RunPath {
  visits: Map<string, Visit>;
  edges: Map<string, number>;
}

const severity: Record<Outcome, number> = { failed: 5, cancelled: 4, degraded: 3, running: 2, ok: 1, skipped: 0 };
export const edgeId = (edge: Pick<ZeusEdge, "source" | "target">): string => `${edge.source}>${edge.target}`;

/** A node of the trace in the graph: by its name, else by the name behind the sign of the graph that it lies in ("daedalus:extract"). */
function finder(graph: ZeusGraph): (name: string) => string | undefined {
  const ids = new Set(graph.nodes.map((node) => node.id));
  const inner = new Map(graph.nodes.filter((node) => node.kind === "node").map((node) => [node.id.split(/[:./|]/).at(-1) ?? node.id, node.id]));
  return (name) => (ids.has(name) ? name : inner.get(name));
}

interface Passing {
  graphId: string;
  place: number;
  subject: string;
  end: number;
}

/**
 * Lights the way of a run. A passing was reached from the predecessor that ended last among those before it, of its own subject where there is one; a
 * passing that led to nothing by that rule (it ran beside another one) led to the next passing of one of its successors that is not about another subject.
 */
export function traceRunPath(graph: ZeusGraph, nodes: readonly TraceNode[]): RunPath {
  const find = finder(graph);
  const visits = new Map<string, Visit>();
  const passings: Passing[] = [];
  for (const node of sortByStart(nodes)) {
    const graphId = find(node.node);
    if (graphId === undefined) continue;
    const place = passings.length + 1;
    const start = Date.parse(node.started_at);
    passings.push({ graphId, place, subject: node.subject, end: start + node.duration_ms });
    const visit = visits.get(graphId);
    if (!visit) visits.set(graphId, { places: [place], ids: [node.id], outcome: node.outcome, milliseconds: node.duration_ms });
    else {
      visit.places.push(place);
      visit.ids.push(node.id);
      visit.milliseconds += node.duration_ms;
      if (severity[node.outcome] > severity[visit.outcome]) visit.outcome = node.outcome;
    }
  }
  return { visits, edges: countEdges(graph, passings) };
}

/** By the time of the beginning; what began at the same time stays in the order of the trace. */
export const sortByStart = (nodes: readonly TraceNode[]): TraceNode[] =>
  [...nodes].sort((a, b) => Date.parse(a.started_at) - Date.parse(b.started_at));

function countEdges(graph: ZeusGraph, passings: readonly Passing[]): Map<string, number> {
  const edges = new Map<string, number>();
  const take = (source: string, target: string) => edges.set(`${source}>${target}`, (edges.get(`${source}>${target}`) ?? 0) + 1);
  const before = new Map<string, Set<string>>();
  const after = new Map<string, Set<string>>();
  for (const { source, target } of graph.edges) {
    before.set(target, (before.get(target) ?? new Set()).add(source));
    after.set(source, (after.get(source) ?? new Set()).add(target));
  }
  const led = new Set<Passing>();
  passings.forEach((passing, index) => {
    const all = passings.slice(0, index).filter((other) => before.get(passing.graphId)?.has(other.graphId));
    const own = all.filter((other) => other.subject === passing.subject);
    const from = passing.subject && own.length > 0 ? own : all;
    const last = from.reduce<Passing | null>((best, other) => (best === null || other.end >= best.end ? other : best), null);
    if (!last) return;
    take(last.graphId, passing.graphId);
    led.add(last);
  });
  passings.forEach((passing, index) => {
    if (led.has(passing)) return;
    const fits = (other: Passing) => !passing.subject || !other.subject || other.subject === passing.subject;
    const next = passings.slice(index + 1).find((other) => after.get(passing.graphId)?.has(other.graphId) && fits(other));
    if (next) take(passing.graphId, next.graphId);
  });
  const first = passings[0];
  const last = passings.at(-1);
  for (const { id, kind } of graph.nodes) {
    if (first && kind === "start" && after.get(id)?.has(first.graphId)) take(id, first.graphId);
    if (last && kind === "end" && before.get(id)?.has(last.graphId)) take(last.graphId, id);
  }
  return edges;
}

export type Side = "left" | "right" | "both";

/** Which of two runs came by, for every key that one of them has. */
export function compareKeys(left: ReadonlyMap<string, unknown>, right: ReadonlyMap<string, unknown>): Map<string, Side> {
  const all = new Map<string, Side>();
  for (const key of left.keys()) all.set(key, right.has(key) ? "both" : "left");
  for (const key of right.keys()) if (!left.has(key)) all.set(key, "right");
  return all;
}
