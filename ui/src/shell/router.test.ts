import { describe, expect, it } from "vitest";
import { conversationPath, parseRoute, parseSource, withSource } from "./router";

describe("addresses", () => {
  it.each([
    ["/", { view: "conversation", id: null }],
    ["/app", { view: "conversation", id: null }],
    ["/app/c/a%2Fb", { view: "conversation", id: "a/b" }],
    ["/app/library", { view: "library" }],
    ["/app/library/d1", { view: "document", id: "d1" }],
    ["/app/traces/t1", { view: "trace", id: "t1" }],
    ["/app/memory", { view: "memory" }],
    ["/app/memory/x", { view: "unknown" }],
    ["/app/settings", { view: "settings" }],
    ["/app/graph", { view: "graph", id: null }],
    ["/app/graph/e%2F1", { view: "graph", id: "e/1" }],
    ["/app/elsewhere", { view: "unknown" }],
    ["/nowhere", { view: "unknown" }],
  ])("%s", (path, route) => {
    expect(parseRoute(path)).toEqual(route);
  });

  it("brings a conversation's id there and back", () => {
    expect(parseRoute(conversationPath("ä/?#"))).toEqual({ view: "conversation", id: "ä/?#" });
  });

  it("brings the source pane back from its address", () => {
    const source = { document: "d 1&2", start: 0, end: 42, run: "r/1", number: 3, tab: "text" };
    const url = new URL(withSource("/app/c/1", source), "http://x");
    expect(url.pathname).toBe("/app/c/1");
    expect(parseSource(url.searchParams)).toEqual(source);
  });

  it("reads nonsense as nothing", () => {
    expect(parseSource(new URLSearchParams("from=1"))).toBeNull();
    expect(parseSource(new URLSearchParams("doc=d&from=-1&to=x&n=1e9"))).toMatchObject({ start: null, end: null, number: null });
    expect(withSource("/app", null)).toBe("/app");
  });
});
