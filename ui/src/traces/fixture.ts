import type { TraceNode, ZeusEdge, ZeusGraph, ZeusNode } from "../api/types";

/** For tests: a node of the graph, an edge "a>b", and a passing that begins at a millisecond. */
export const place = (id: string, group = "zeus", kind: ZeusNode["kind"] = "node", name = "Zeus"): ZeusNode => ({
  id,
  kind,
  group,
  symbol: "⚡",
  name,
  title: "The Conductor",
  action: id,
});

export const ways = (...texts: string[]): ZeusEdge[] =>
  texts.map((text) => {
    const [source = "", target = ""] = text.split(">");
    return { source, target, conditional: false };
  });

export const passing = (id: string, node: string, at: number, more: Partial<TraceNode> = {}): TraceNode => ({
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
    place("__start__", "zeus", "start"),
    place("load"),
    place("attached", "zeus", "node", "Daedalus"),
    place("classify"),
    place("general"),
    place("retrieve"),
    place("rerank"),
    place("correct"),
    place("answer"),
    place("check"),
    place("__end__", "zeus", "end"),
    place("daedalus:read", "daedalus"),
    place("daedalus:analyse", "daedalus"),
  ],
  edges: ways(
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
