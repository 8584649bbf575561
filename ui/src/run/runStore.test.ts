import { describe, expect, it, vi } from "vitest";

vi.mock("../api/sse", () => ({ openRun: vi.fn(), openSearch: vi.fn(), readStream: () => new Promise(() => undefined) }));

const { runs } = await import("./runStore");

describe("a question that the server lists before its stream has begun", () => {
  it("is not followed twice", () => {
    runs.start({ query: "Who won?", conversation_id: "c" });
    runs.takeUp("r1", "c", { query: "Who won?" }, "2026-01-01T00:00:00Z");
    expect(runs.snapshot().map((run) => run.runId)).toEqual([null]);
  });

  it("is another one where the words or the conversation are others", () => {
    runs.takeUp("r2", "c", { query: "Who lost?" }, "2026-01-01T00:00:00Z");
    runs.takeUp("r3", "d", { query: "Who won?" }, "2026-01-01T00:00:00Z");
    expect(runs.snapshot().map((run) => run.runId)).toEqual([null, "r2", "r3"]);
  });
});
