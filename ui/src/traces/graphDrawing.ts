import type { ZeusEdge, ZeusGraph, ZeusNode } from "../api/types";
import { assignLayers } from "./layers";

export type Point = readonly [x: number, y: number];

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface PlacedNode extends Box {
  node: ZeusNode;
}

export interface PlacedEdge {
  id: string;
  source: string;
  target: string;
  conditional: boolean;
  /** Joins a node with the graph inside of it; it is no edge of the graph. */
  inner: boolean;
  points: Point[];
}

export interface PlacedGroup extends Box {
  id: string;
  host: string | null;
}

export interface Drawing {
  nodes: PlacedNode[];
  edges: PlacedEdge[];
  groups: PlacedGroup[];
  width: number;
  height: number;
  /** Top to bottom, for a narrow page. */
  tall: boolean;
  /** Made to be shown small: a node says the name of its agent only. */
  brief: boolean;
}

/** Lengths along the way (`long`) and across it (`wide`): x and y where the drawing runs from left to right, y and x where it runs down. */
interface Sizes {
  long: number;
  wide: number;
  gap: number;
  lane: number;
  edge: number;
}

const flat: Sizes = { long: 124, wide: 64, gap: 24, lane: 14, edge: 16 };
/** For a drawing that is shown at BRIEF of its size. */
const small: Sizes = { long: 124, wide: 62, gap: 14, lane: 12, edge: 14 };
const tall: Sizes = { long: 62, wide: 98, gap: 24, lane: 8, edge: 6 };
const TRACK = 6;
const GUTTER = 12;
const HEAD = 40;
/** Room in the margin for the ways that change their row there. */
const MARGIN = 26;
export const MAIN = "zeus";
export const TALL_BELOW = 640;
export const BRIEF = 0.42;

/** A node in the grid: a row of columns (one row where the drawing runs down) and a lane across them. */
interface Slot {
  node: ZeusNode;
  row: number;
  column: number;
  lane: number;
}

/** Draws the graph for a page of this width: layers along the way, folded into rows, every graph inside of a node in a box below. */
export function drawGraph(graph: ZeusGraph, width: number, brief = false): Drawing {
  const down = width < TALL_BELOW;
  const sizes = down ? tall : brief ? small : flat;
  const fit = down ? Number.POSITIVE_INFINITY : Math.max(3, Math.floor((width - 2 * sizes.edge - MARGIN + sizes.gap) / (sizes.long + sizes.gap)));
  const { slots, heads } = arrange(graph, fit, down);
  const ends = graph.edges.filter((edge) => slots.has(edge.source) && slots.has(edge.target) && edge.source !== edge.target);
  const edges = [...ends.map((edge) => ({ edge, inner: false })), ...innerEdges(graph, ends).map((edge) => ({ edge, inner: true }))];
  const grid = new Grid([...slots.values()], heads, sizes, down, down ? 0 : width);
  const ways = edges.map(({ edge }) => grid.way(slots.get(edge.source) as Slot, slots.get(edge.target) as Slot));
  grid.settle();
  const turn = ([long, wide]: Point): Point => (down ? [wide, long] : [long, wide]);
  const nodes = [...slots.values()].map((slot) => ({ node: slot.node, ...box(turn(grid.corner(slot)), turn([sizes.long, sizes.wide])) }));
  return {
    nodes,
    edges: edges.map(({ edge, inner }, index) => ({
      id: `${edge.source}>${edge.target}`,
      source: edge.source,
      target: edge.target,
      conditional: edge.conditional,
      inner,
      points: grid.points(ways[index] as EdgeRoute).map(turn),
    })),
    groups: groupsOf(graph).map((id) => ({ id, host: hostOf(graph, id), ...surroundingBox(nodes.filter(({ node }) => node.group === id)) })),
    ...size(turn(grid.size())),
    tall: down,
    brief: brief && !down,
  };
}

const box = ([x, y]: Point, [width, height]: Point): Box => ({ x, y, width, height });
const size = ([width, height]: Point) => ({ width, height });
const groupsOf = (graph: ZeusGraph): string[] => [...new Set(graph.nodes.map((node) => node.group))].filter((group) => group !== MAIN);

/** The node of the main graph that a group belongs to: the one of the agent whose name the group has. */
const hostOf = (graph: ZeusGraph, group: string): string | null =>
  graph.nodes.find((node) => node.group === MAIN && node.name.toLowerCase() === group.toLowerCase())?.id ?? null;

function surroundingBox(inside: readonly PlacedNode[]): Box {
  const x = Math.min(...inside.map((node) => node.x)) - 12;
  const y = Math.min(...inside.map((node) => node.y)) - HEAD + 8;
  const right = Math.max(...inside.map((node) => node.x + node.width)) + 12;
  const bottom = Math.max(...inside.map((node) => node.y + node.height)) + 12;
  return { x, y, width: right - x, height: bottom - y };
}

/** Where the compiled graph does not say how a graph inside of a node is entered, the node itself leads to its first one. */
function innerEdges(graph: ZeusGraph, edges: readonly ZeusEdge[]): ZeusEdge[] {
  const groupOf = new Map(graph.nodes.map((node) => [node.id, node.group]));
  return groupsOf(graph).flatMap((group) => {
    const host = hostOf(graph, group);
    const crossing = edges.some((edge) => (groupOf.get(edge.source) === group) !== (groupOf.get(edge.target) === group));
    const first = assignLayers(
      graph.nodes.filter((node) => node.group === group),
      graph.edges,
    )[0];
    return host && first && !crossing ? [{ source: host, target: first.node.id, conditional: false }] : [];
  });
}

function arrange(graph: ZeusGraph, fit: number, down: boolean): { slots: Map<string, Slot>; heads: Set<number> } {
  const slots = new Map<string, Slot>();
  const heads = new Set<number>();
  let row = 0;
  let column = 0;
  for (const group of [MAIN, ...groupsOf(graph)]) {
    const cells = assignLayers(
      graph.nodes.filter((node) => node.group === group),
      graph.edges,
      !down,
    );
    if (cells.length === 0) continue;
    const layers = (cells.at(-1)?.layer ?? 0) + 1;
    const rows = Math.ceil(layers / fit);
    const each = rows > 1 ? Math.ceil(layers / rows) : layers;
    if (group !== MAIN) heads.add(down ? column : row);
    for (const { node, layer, lane } of cells)
      slots.set(node.id, { node, row: row + (down ? 0 : Math.floor(layer / each)), column: down ? column + layer : layer % each, lane });
    if (down) column += layers;
    else row += rows;
  }
  return { slots, heads };
}

/** How an edge goes: stations in the grid that become points once the tracks of all edges are known. */
type Station =
  | { at: "out" | "in"; slot: Slot }
  | { at: "gap"; row: number; column: number; key: string }
  | { at: "gutter"; row: number; key: string };
type EdgeRoute = Station[];

class Grid {
  private readonly lanes = new Map<number, [min: number, max: number]>();
  private readonly taken: Set<string>;
  private readonly gaps = new Map<string, string[]>();
  private readonly gutters = new Map<number, string[]>();
  private readonly tops = new Map<number, number>();
  private readonly rows: number;
  private readonly columns: number;
  private readonly gap: number;
  private total = 0;

  constructor(
    slots: readonly Slot[],
    private readonly heads: ReadonlySet<number>,
    private readonly sizes: Sizes,
    private readonly down: boolean,
    room: number,
  ) {
    this.taken = new Set(slots.map((slot) => `${slot.row}/${slot.column}/${slot.lane}`));
    for (const { row, lane } of slots) {
      const [min, max] = this.lanes.get(row) ?? [0, 0];
      this.lanes.set(row, [Math.min(min, lane), Math.max(max, lane)]);
    }
    this.rows = Math.max(0, ...slots.map((slot) => slot.row)) + 1;
    this.columns = Math.max(0, ...slots.map((slot) => slot.column)) + 1;
    const spare = (room - 2 * sizes.edge - MARGIN - this.columns * sizes.long) / Math.max(1, this.columns - 1);
    this.gap = room > 0 ? Math.min(Math.max(sizes.gap, spare), 90) : sizes.gap;
  }

  /** The stations between two nodes; notes which tracks they use, so that each gap and gutter becomes as wide as it must be. */
  way(from: Slot, to: Slot): EdgeRoute {
    const way = this.find(from, to);
    for (const station of way) {
      if (station.at === "gap") push(this.gaps, `${station.row}/${station.column}`, station.key);
      if (station.at === "gutter") push(this.gutters, station.row, station.key);
    }
    return way;
  }

  /** Straight on to the next column, else through the gutter beside the row, or along the margin to another row. */
  private find(from: Slot, to: Slot): EdgeRoute {
    const out: Station = { at: "out", slot: from };
    const into: Station = { at: "in", slot: to };
    const leave: Station = { at: "gap", row: from.row, column: from.column + 1, key: `out ${from.node.id}` };
    // What leads back has tracks of its own, so that a loop is seen as one; all other edges to a node share theirs.
    const key = from.row === to.row && to.column <= from.column ? `back to ${to.node.id}` : `to ${to.node.id}`;
    const arrive: Station = { at: "gap", row: to.row, column: to.column, key };
    if (from.row === to.row && to.column > from.column) {
      if (this.free(from.row, from.lane, from.column, to.column)) return from.lane === to.lane ? [out, into] : [out, arrive, into];
      if (this.free(from.row, to.lane, from.column, to.column)) return [out, leave, into];
    }
    const beside = to.row > from.row || (to.row === from.row && to.column > from.column) ? from.row : from.row - 1;
    const gutter: Station = { at: "gutter", row: beside, key };
    if (to.row === from.row || beside === to.row - 1 || beside === to.row) return [out, leave, gutter, arrive, into];
    const last: Station = { at: "gutter", row: to.row > from.row ? to.row - 1 : to.row, key };
    return [out, leave, gutter, { at: "gap", row: -1, column: 0, key }, last, arrive, into];
  }

  /** Whether nothing stands in a lane between two columns. */
  private free(row: number, lane: number, from: number, to: number): boolean {
    for (let column = from + 1; column < to; column++) if (this.taken.has(`${row}/${column}/${lane}`)) return false;
    return true;
  }

  /** Gives every row its place, once all ways are known. */
  settle(): void {
    for (const keys of this.gutters.values()) keys.sort((a, b) => Number(a.startsWith("back")) - Number(b.startsWith("back")));
    let at = this.sizes.edge;
    for (let row = -1; row < this.rows; row++) {
      if (row >= 0) {
        const [min, max] = this.lanes.get(row) ?? [0, 0];
        if (this.heads.has(row) && !this.down) at += HEAD;
        this.tops.set(row, at);
        at += (max - min + 1) * this.sizes.wide + (max - min) * this.sizes.lane;
      }
      const tracks = this.gutters.get(row)?.length ?? 0;
      this.tops.set(row + 0.5, at);
      at += tracks > 0 ? GUTTER * 1.5 + tracks * TRACK : row >= 0 && row < this.rows - 1 ? GUTTER * 2 : 0;
      if (this.heads.size > 0 && row === this.rows - 1) at += this.down ? 4 : GUTTER;
    }
    this.total = at + this.sizes.edge;
  }

  corner(slot: Slot): Point {
    const min = this.lanes.get(slot.row)?.[0] ?? 0;
    return [this.columnStart(slot.column), (this.tops.get(slot.row) ?? 0) + (slot.lane - min) * (this.sizes.wide + this.sizes.lane)];
  }

  private columnStart(column: number): number {
    const heads = this.down ? [...this.heads].filter((head) => head <= column).length : 0;
    return this.left() + column * (this.sizes.long + this.gap) + heads * HEAD;
  }

  /** The margin has room for the ways that change their row there. */
  private left(): number {
    return this.sizes.edge + (this.gaps.get("-1/0")?.length ?? 0) * TRACK + (this.down ? 0 : 4);
  }

  size(): Point {
    return [this.columnStart(this.columns - 1) + this.sizes.long + this.sizes.edge + (this.heads.size > 0 ? 8 : 0), this.total];
  }

  points(way: EdgeRoute): Point[] {
    const middle = (slot: Slot) => this.corner(slot)[1] + this.sizes.wide / 2;
    const first = way[0] as { slot: Slot };
    const points: Point[] = [[this.corner(first.slot)[0] + this.sizes.long, middle(first.slot)]];
    let across = middle(first.slot);
    for (const station of way.slice(1)) {
      const along = points.at(-1)?.[0] ?? 0;
      if (station.at === "gap") {
        points.push([this.gapAt(station.row, station.column, station.key), across]);
      } else if (station.at === "gutter") {
        across = this.gutterAt(station.row, station.key);
        points.push([along, across]);
      } else {
        across = middle(station.slot);
        points.push([along, across], [this.corner(station.slot)[0], across]);
      }
    }
    return points.filter((point, index) => index === 0 || point[0] !== points[index - 1]?.[0] || point[1] !== points[index - 1]?.[1]);
  }

  private gapAt(row: number, column: number, key: string): number {
    const keys = this.gaps.get(`${row}/${column}`) ?? [];
    if (row < 0) return this.sizes.edge / 2 + keys.indexOf(key) * TRACK;
    const end = column < this.columns ? this.columnStart(column) : this.columnStart(this.columns - 1) + this.sizes.long + this.sizes.edge;
    const room = column === 0 ? this.sizes.edge : column < this.columns ? this.gap : this.sizes.edge;
    return end - room + (room * (keys.indexOf(key) + 1)) / (keys.length + 1);
  }

  private gutterAt(row: number, key: string): number {
    return (this.tops.get(row + 0.5) ?? 0) + GUTTER * 0.75 + ((this.gutters.get(row)?.indexOf(key) ?? 0) + 0.5) * TRACK;
  }
}

function push<K>(lists: Map<K, string[]>, at: K, key: string): void {
  const list = lists.get(at) ?? [];
  if (!list.includes(key)) lists.set(at, [...list, key]);
}
