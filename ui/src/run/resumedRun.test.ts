import { describe, expect, it } from "vitest";
import type { ServerEvent } from "../api/sse";
import type { Step } from "../api/types";
import { newRun, reduce, resumeRun, skipQuestion } from "./runState";

const event = (kind: string, data: unknown): ServerEvent => ({ id: undefined, kind, data });
const asked = { status: "clarification_needed", steps: [], citations: [], results: [] };
const answer = { status: "success", steps: [], citations: [], results: [] };
const step = (id: string) => ({ id, outcome: "ok" }) as unknown as Step;

describe("a run that asked back", () => {
  it("goes on with its steps, and ends with the answer", () => {
    let run = newRun("k", { query: "q" }, "2026");
    for (const one of [event("step", step("a")), event("answer", asked), event("done", {})]) run = reduce(run, one);
    expect(run.phase).toBe("done");
    run = resumeRun(run);
    expect([run.phase, run.response, run.steps.length]).toEqual(["running", null, 1]);
    for (const one of [event("step", step("b")), event("answer", answer), event("done", {})]) run = reduce(run, one);
    expect([run.phase, run.response?.status, run.steps.length]).toEqual(["done", "success", 2]);
  });

  it("is read again without its question, once", () => {
    const past = skipQuestion();
    const said = [
      event("run", {}),
      event("step", {}),
      event("answer", asked),
      event("done", asked),
      event("step", {}),
      event("answer", asked),
      event("done", asked),
    ];
    expect(said.map(past)).toEqual([false, false, true, true, false, false, false]);
    const plain = skipQuestion();
    expect([event("answer", answer), event("done", answer)].map(plain)).toEqual([false, false]);
  });
});
