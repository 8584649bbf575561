import { describe, expect, it } from "vitest";
import type { ZeusGraph } from "../api/types";
import { type Box, type Drawing, drawGraph, TALL_BELOW } from "./graphDrawing";
import { assignLayers, findBackEdges } from "./layers";
import { makeEdges, makeNode, zeus } from "./traceFixture";

const touch = (a: Box, b: Box): boolean => a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** Whether a piece of a line goes through the inside of a box. Lines run along the axes. */
function crosses(from: readonly [number, number], to: readonly [number, number], box: Box): boolean {
  const line = {
    x: Math.min(from[0], to[0]),
    y: Math.min(from[1], to[1]),
    width: Math.abs(from[0] - to[0]) + 0.01,
    height: Math.abs(from[1] - to[1]) + 0.01,
  };
  return touch(line, { x: box.x + 1, y: box.y + 1, width: box.width - 2, height: box.height - 2 });
}

function faults(drawing: Drawing): string[] {
  const found: string[] = [];
  drawing.nodes.forEach((node, index) => {
    for (const other of drawing.nodes.slice(index + 1)) if (touch(node, other)) found.push(`${node.node.id} lies on ${other.node.id}`);
    if (node.x < 0 || node.y < 0 || node.x + node.width > drawing.width || node.y + node.height > drawing.height)
      found.push(`${node.node.id} lies outside`);
  });
  for (const edge of drawing.edges) {
    edge.points.forEach((point, index) => {
      if (point[0] < 0 || point[1] < 0 || point[0] > drawing.width || point[1] > drawing.height) found.push(`${edge.id} leaves the drawing`);
      const before = edge.points[index - 1];
      if (!before) return;
      if (before[0] !== point[0] && before[1] !== point[1]) found.push(`${edge.id} runs aslant`);
      for (const node of drawing.nodes) if (crosses(before, point, node)) found.push(`${edge.id} goes through ${node.node.id}`);
    });
  }
  return found;
}

/** A graph of `size` nodes with edges chosen by a small congruential generator: the same for the same seed. */
function random(seed: number, size: number): ZeusGraph {
  let state = seed;
  const next = (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  const nodes = Array.from({ length: size }, (_unused, index) => makeNode(`n${index}`, index > size * 0.8 ? "daedalus" : "zeus"));
  const edges = new Set<string>();
  for (let index = 0; index < size * 2; index++) edges.add(`n${next(size)}>n${next(size)}`);
  return { nodes, edges: makeEdges(...edges), mermaid: "" };
}

describe("layers", () => {
  it("finds the edges that close a loop, and no others", () => {
    const back = findBackEdges(
      zeus.nodes.map((node) => node.id),
      zeus.edges,
    );
    expect([...back].map((edge) => `${edge.source}>${edge.target}`)).toEqual(["correct>retrieve"]);
  });

  it("puts the main way on one line, what leads back above it, and a branch that is passed by beside it", () => {
    const cells = new Map(
      assignLayers(
        zeus.nodes.filter((node) => node.group === "zeus"),
        zeus.edges,
      ).map((cell) => [cell.node.id, cell]),
    );
    for (const id of ["load", "classify", "retrieve", "rerank", "answer", "check"]) expect(cells.get(id)?.lane).toBe(0);
    expect(cells.get("correct")?.lane).toBeLessThan(0);
    expect(cells.get("general")?.lane).not.toBe(0);
    expect(cells.get("retrieve")?.layer).toBe(4);
  });

  it("keeps a narrow page narrow: the longest way is the line then", () => {
    const cells = assignLayers(
      zeus.nodes.filter((node) => node.group === "zeus"),
      zeus.edges,
      false,
    );
    expect(cells.find((cell) => cell.node.id === "general")?.lane).toBe(0);
  });

  it("comes to an end on loops without a beginning", () => {
    const cells = assignLayers([makeNode("a"), makeNode("b")], makeEdges("a>b", "b>a", "a>a"));
    expect(cells.map((cell) => cell.layer)).toEqual([0, 1]);
  });
});

describe("draw", () => {
  it.each([1320, 1104, 700, 340])("lays nothing on anything else at %i pixels", (width) => {
    const drawing = drawGraph(zeus, width);
    expect(faults(drawing)).toEqual([]);
    expect(drawing.nodes).toHaveLength(zeus.nodes.length);
    expect(drawing.tall).toBe(width < TALL_BELOW);
  });

  it("fits the page where it folds, and scales little where it does not", () => {
    expect(drawGraph(zeus, 1104).width).toBeLessThanOrEqual(1104);
    expect(drawGraph(zeus, 340).width).toBeLessThan(420);
  });

  it("holds for graphs that nobody has drawn before", () => {
    for (let seed = 1; seed <= 60; seed++)
      for (const width of [1104, 340]) {
        const drawing = drawGraph(random(seed, 4 + (seed % 24)), width);
        expect(faults(drawing), `seed ${seed} at ${width}`).toEqual([]);
      }
  });

  it("puts Daedalus's graph into a box and ties it to his node", () => {
    const { groups, edges, nodes } = drawGraph(zeus, 1104);
    expect(groups).toHaveLength(1);
    expect(groups[0]).toMatchObject({ id: "daedalus", host: "attached" });
    const inside = nodes.filter((node) => touch(node, groups[0] as Box)).map((node) => node.node.id);
    expect(inside).toEqual(["daedalus:read", "daedalus:analyse"]);
    expect(edges.filter((edge) => edge.inner).map((edge) => edge.id)).toEqual(["attached>daedalus:read"]);
  });

  it("draws an empty graph, one node, and edges to nowhere", () => {
    expect(drawGraph({ nodes: [], edges: [], mermaid: "" }, 1104).nodes).toEqual([]);
    expect(faults(drawGraph({ nodes: [makeNode("only")], edges: makeEdges("only>gone", "only>only"), mermaid: "" }, 1104))).toEqual([]);
  });
});
