import { describe, expect, it } from "vitest";
import type { ServerEvent } from "../api/sse";
import type { SearchResponse, Step } from "../api/types";
import { isLive, mergeStep, newRun, reduce } from "./runState";

const step = (id: string, outcome: Step["outcome"], duration: number | null = null): Step => ({
  type: "step",
  agent: "🦉 Athena (The Strategist)",
  action: "Analyzing Intent",
  details: "",
  subject: "",
  timestamp: "2026-01-01T00:00:00Z",
  node: "classify",
  id,
  started_at: "2026-01-01T00:00:00Z",
  duration_ms: duration,
  outcome,
});

const response = (status: SearchResponse["status"]) =>
  ({
    status,
    steps: [step("s1", "ok", 3)],
    citations: [],
    results: [],
    conversation_id: "c9",
    answer: "Six months. [1]",
  }) as unknown as SearchResponse;

const feed = (events: [string, unknown][]) =>
  events.reduce(
    (run, [kind, data], index) => reduce(run, { id: String(index + 1), kind, data } satisfies ServerEvent),
    newRun("k", { query: "q" }, "now"),
  );

describe("mergeStep", () => {
  it("replaces a step in its place when it ends", () => {
    const steps = mergeStep(mergeStep(mergeStep([], step("a", "running")), step("b", "running")), step("a", "ok", 4));
    expect(steps.map((item) => [item.id, item.outcome])).toEqual([
      ["a", "ok"],
      ["b", "running"],
    ]);
  });
});

describe("reduce", () => {
  it("goes from the question to the answer", () => {
    const run = feed([
      ["run", { run_id: "r1", trace_id: "r1", conversation_id: "c1", query: "q" }],
      ["step", step("s1", "running")],
      ["token", { text: "Six " }],
      ["token", { text: "months." }],
    ]);
    expect(run).toMatchObject({ phase: "writing", runId: "r1", conversationId: "c1", text: "Six months." });
    expect(isLive(run)).toBe(true);
    const over = reduce(reduce(run, { id: "5", kind: "answer", data: response("success") }), { id: "6", kind: "done", data: {} });
    expect(over).toMatchObject({ phase: "done", conversationId: "c9", problem: null });
    expect(over.steps[0]?.outcome).toBe("ok");
    expect(isLive(over)).toBe(false);
  });

  it("keeps what was found when it is stopped", () => {
    const run = feed([
      ["run", { run_id: "r1", conversation_id: null }],
      ["answer", response("stopped")],
      ["done", { status: "stopped" }],
    ]);
    expect(run.phase).toBe("done");
    expect(run.response?.status).toBe("stopped");
  });

  it("shows an error that the server sends and stays failed", () => {
    const run = feed([
      ["run", { run_id: "r1", conversation_id: null }],
      ["error", { title: "The index is being rebuilt", detail: "Wait.", fix: "Try again in a minute." }],
      ["done", { status: "failed" }],
    ]);
    expect(run.phase).toBe("failed");
    expect(run.problem?.fix).toBe("Try again in a minute.");
  });

  it("does not call it done when no answer came", () => {
    expect(feed([["done", {}]]).problem?.title).toBe("The run ended without an answer");
  });

  it("leaves a run alone when it does not know the event", () => {
    const run = newRun("k", { query: "q" }, "now");
    expect(reduce(run, { id: "1", kind: "later", data: {} })).toBe(run);
  });
});
