import type { TraceNode, ZeusEdge, ZeusGraph, ZeusNode } from "../api/types";

/** For tests: a node of the graph, an edge "a>b", and a passing that begins at a millisecond. */
export const makeNode = (id: string, group = "zeus", kind: ZeusNode["kind"] = "node", name = "Zeus"): ZeusNode => ({
  id,
  kind,
  group,
  symbol: "⚡",
  name,
  title: "The Conductor",
  action: id,
});

export const makeEdges = (...texts: string[]): ZeusEdge[] =>
  texts.map((text) => {
    const [source = "", target = ""] = text.split(">");
    return { source, target, conditional: false };
  });

export const makePassing = (id: string, node: string, at: number, more: Partial<TraceNode> = {}): TraceNode => ({
  id,
  node,
  agent: "⚡ Zeus (The Conductor)",
  action: node,
  details: "",
  started_at: new Date(Date.UTC(2026, 0, 1) + at).toISOString(),
  duration_ms: 5,
  outcome: "ok",
  reads: {},
  writes: {},
  error: null,
  subject: "",
  ...more,
});

/** A small Zeus: a branch, a loop back to the search, and a graph inside of Daedalus. */
export const zeus: ZeusGraph = {
  nodes: [
    makeNode("__start__", "zeus", "start"),
    makeNode("load"),
    makeNode("attached", "zeus", "node", "Daedalus"),
    makeNode("classify"),
    makeNode("general"),
    makeNode("retrieve"),
    makeNode("rerank"),
    makeNode("correct"),
    makeNode("answer"),
    makeNode("check"),
    makeNode("__end__", "zeus", "end"),
    makeNode("daedalus:read", "daedalus"),
    makeNode("daedalus:analyse", "daedalus"),
  ],
  edges: makeEdges(
    "__start__>load",
    "load>attached",
    "load>classify",
    "attached>check",
    "classify>general",
    "classify>retrieve",
    "general>retrieve",
    "retrieve>rerank",
    "rerank>correct",
    "rerank>answer",
    "correct>retrieve",
    "answer>check",
    "check>__end__",
    "daedalus:read>daedalus:analyse",
  ),
  mermaid: "",
};
