import type { ZeusEdge, ZeusNode } from "../api/types";

/** Where a node of one graph stands: its layer (how far it is from the start at most) and its lane (0 is the longest way, the others lie beside). */
export interface Cell {
  node: ZeusNode;
  layer: number;
  lane: number;
}

/** The edges that lead back on a way that is being walked: those close the loops. Depth first, in the order of the nodes and edges. */
export function findBackEdges(ids: readonly string[], edges: readonly ZeusEdge[]): Set<ZeusEdge> {
  const out = groupBySource(edges);
  const entered = new Set(edges.map((edge) => edge.target));
  const state = new Map<string, "open" | "done">();
  const back = new Set<ZeusEdge>();
  for (const root of [...ids.filter((id) => !entered.has(id)), ...ids]) {
    if (state.has(root)) continue;
    state.set(root, "open");
    const stack = [{ id: root, next: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1] as { id: string; next: number };
      const edge = out.get(top.id)?.[top.next++];
      if (!edge) {
        state.set(top.id, "done");
        stack.pop();
      } else if (state.get(edge.target) === "open") back.add(edge);
      else if (!state.has(edge.target)) {
        state.set(edge.target, "open");
        stack.push({ id: edge.target, next: 0 });
      }
    }
  }
  return back;
}

function groupBySource(edges: readonly ZeusEdge[]): Map<string, ZeusEdge[]> {
  const out = new Map<string, ZeusEdge[]>();
  for (const edge of edges) out.set(edge.source, [...(out.get(edge.source) ?? []), edge]);
  return out;
}

/** The length of the longest way to each node over `edges`, which have no loop. */
function depths(ids: readonly string[], edges: readonly ZeusEdge[]): Map<string, number> {
  const depth = new Map(ids.map((id) => [id, 0]));
  const waiting = new Map(ids.map((id) => [id, edges.filter((edge) => edge.target === id).length]));
  const out = groupBySource(edges);
  const ready = ids.filter((id) => waiting.get(id) === 0);
  for (let at = 0; at < ready.length; at++) {
    const id = ready[at] as string;
    for (const { target } of out.get(id) ?? []) {
      depth.set(target, Math.max(depth.get(target) ?? 0, (depth.get(id) ?? 0) + 1));
      const left = (waiting.get(target) ?? 1) - 1;
      waiting.set(target, left);
      if (left === 0) ready.push(target);
    }
  }
  return depth;
}

/** The longest way through the graph, from its first node to its last. */
function longestWay(layers: Map<string, number>, edges: readonly ZeusEdge[]): string[] {
  const rest = depths(
    [...layers.keys()],
    edges.map((edge) => ({ ...edge, source: edge.target, target: edge.source })),
  );
  const out = groupBySource(edges);
  const length = (id: string) => (layers.get(id) === 0 ? (rest.get(id) ?? 0) : -1);
  let at = [...layers.keys()].reduce<string | null>((best, id) => (best === null || length(id) > length(best) ? id : best), null);
  const way: string[] = [];
  while (at !== null) {
    way.push(at);
    const here: string = at;
    const next: string[] = (out.get(here) ?? []).map((edge) => edge.target).filter((id) => layers.get(id) === (layers.get(here) ?? 0) + 1);
    at = next.reduce<string | null>((best, id) => (best === null || (rest.get(id) ?? 0) > (rest.get(best) ?? 0) ? id : best), null);
  }
  return way;
}

/** The straight line of the drawing: the longest way, without what an edge along it passes by. Those layers keep their middle free for that edge. */
function straightLine(way: readonly string[], edges: readonly ZeusEdge[]): Set<string> {
  const place = new Map(way.map((id, index) => [id, index]));
  const far = way.map((_id, index) => index + 1);
  for (const { source, target } of edges) {
    const [from, to] = [place.get(source), place.get(target)];
    if (from !== undefined && to !== undefined) far[from] = Math.max(far[from] ?? 0, to);
  }
  const line = new Set<string>();
  for (let at = 0; at < way.length; at = far[at] ?? way.length) line.add(way[at] as string);
  return line;
}

/**
 * Puts every node of a graph into a layer and a lane. What follows a node beside the line stays on its side; else what leads back lies above the line
 * and the other branches on the emptier side. `straight` keeps the middle free where an edge passes nodes by; a narrow page has no room for that.
 */
export function assignLayers(nodes: readonly ZeusNode[], all: readonly ZeusEdge[], straight = true): Cell[] {
  const ids = nodes.map((node) => node.id);
  const known = new Set(ids);
  const edges = all.filter((edge) => known.has(edge.source) && known.has(edge.target) && edge.source !== edge.target);
  const back = findBackEdges(ids, edges);
  const forward = edges.filter((edge) => !back.has(edge));
  const layers = depths(ids, forward);
  const way = longestWay(layers, forward);
  const onWay = new Set(way);
  const line = straight ? straightLine(way, forward) : onWay;
  const loops = new Set([...back].map((edge) => edge.source));
  const lanes = new Map<string, number>();
  const ends = new Map<number, { above: number; below: number }>();
  const layerOf = (node: ZeusNode) => layers.get(node.id) ?? 0;
  const ordered = [...nodes].sort((a, b) => layerOf(a) - layerOf(b) || Number(onWay.has(b.id)) - Number(onWay.has(a.id)));
  for (const { id } of ordered) {
    const layer = layers.get(id) ?? 0;
    const taken = ends.get(layer);
    const side = taken ?? { above: 0, below: 0 };
    ends.set(layer, side);
    if (!taken && (line.has(id) || !onWay.has(id))) {
      lanes.set(id, 0);
      continue;
    }
    const before = forward.filter((edge) => edge.target === id).reduce((sum, edge) => sum + Math.sign(lanes.get(edge.source) ?? 0), 0);
    const above = before < 0 || (before === 0 && (loops.has(id) || side.below > side.above));
    lanes.set(id, above ? -++side.above : ++side.below);
  }
  return ordered.map((node) => ({ node, layer: layerOf(node), lane: lanes.get(node.id) ?? 0 })).sort((a, b) => a.layer - b.layer || a.lane - b.lane);
}
