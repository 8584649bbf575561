import { describe, expect, it } from "vitest";
import { compareKeys, sortByStart, traceRunPath } from "./runPath";
import { makePassing, zeus } from "./traceFixture";

describe("light", () => {
  it("follows a run with a second try around its loop", () => {
    const lit = traceRunPath(zeus, [
      makePassing("1", "load", 0),
      makePassing("2", "classify", 10),
      makePassing("3", "retrieve", 20),
      makePassing("4", "rerank", 30),
      makePassing("5", "correct", 40),
      makePassing("6", "retrieve", 50, { outcome: "degraded" }),
      makePassing("7", "rerank", 60),
      makePassing("8", "answer", 70),
      makePassing("9", "check", 80),
    ]);
    expect(Object.fromEntries(lit.edges)).toEqual({
      "__start__>load": 1,
      "load>classify": 1,
      "classify>retrieve": 1,
      "retrieve>rerank": 2,
      "rerank>correct": 1,
      "correct>retrieve": 1,
      "rerank>answer": 1,
      "answer>check": 1,
      "check>__end__": 1,
    });
    expect(lit.visits.get("retrieve")).toEqual({ places: [3, 6], ids: ["3", "6"], outcome: "degraded", milliseconds: 10 });
    expect(lit.visits.has("general")).toBe(false);
  });

  it("takes the passings in the order of their beginning, not of the list", () => {
    const nodes = [makePassing("b", "classify", 10), makePassing("a", "load", 0)];
    expect(sortByStart(nodes).map((node) => node.id)).toEqual(["a", "b"]);
    expect(traceRunPath(zeus, nodes).edges.get("load>classify")).toBe(1);
  });

  it("keeps the files apart that are studied at the same time, and finds the inner nodes by their own names", () => {
    const file = (id: string, node: string, at: number, subject: string) => makePassing(id, node, at, { subject });
    const lit = traceRunPath(zeus, [
      makePassing("1", "load", 0),
      makePassing("2", "attached", 10, { duration_ms: 100 }),
      file("3", "read", 11, "a.pdf"),
      file("4", "read", 12, "locked.pdf"),
      file("5", "read", 13, "b.pdf"),
      file("6", "analyse", 20, "a.pdf"),
      file("7", "analyse", 21, "b.pdf"),
      makePassing("8", "check", 120),
    ]);
    expect(lit.visits.get("daedalus:read")?.places).toEqual([3, 4, 5]);
    expect(lit.edges.get("daedalus:read>daedalus:analyse")).toBe(2);
    expect(lit.edges.get("attached>check")).toBe(1);
  });

  it("lights what joins after running beside each other", () => {
    const graph = { ...zeus, edges: [...zeus.edges, { source: "rerank", target: "check", conditional: true }] };
    const lit = traceRunPath(graph, [
      makePassing("1", "answer", 0, { duration_ms: 50 }),
      makePassing("2", "rerank", 1),
      makePassing("3", "check", 60),
    ]);
    expect(lit.edges.get("answer>check")).toBe(1);
    expect(lit.edges.get("rerank>check")).toBe(1);
  });

  it("has nothing to say of a run that did not begin, and passes over a node that the graph no longer has", () => {
    expect(traceRunPath(zeus, []).edges.size).toBe(0);
    const lit = traceRunPath(zeus, [makePassing("1", "load", 0), makePassing("2", "retired", 5), makePassing("3", "classify", 10)]);
    expect([...lit.visits.keys()]).toEqual(["load", "classify"]);
    expect(lit.edges.get("load>classify")).toBe(1);
  });
});

describe("sides", () => {
  it("says which of two runs came by", () => {
    const of = (...keys: string[]) => new Map(keys.map((key) => [key, 1]));
    expect(Object.fromEntries(compareKeys(of("a", "b"), of("b", "c")))).toEqual({ a: "left", b: "both", c: "right" });
  });
});
