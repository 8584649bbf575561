import { describe, expect, it } from "vitest";
import type { Step } from "../api/types";
import { groupSteps } from "./StepTimeline";

const step = (agent: string, subject: string, more: Partial<Step> = {}): Step => ({
  type: "step",
  agent,
  action: "At work",
  details: `${agent} ${subject}`,
  timestamp: "2026-01-01T00:00:00Z",
  node: agent.toLowerCase(),
  id: `${agent} ${subject}`,
  started_at: "2026-01-01T00:00:00Z",
  duration_ms: 1,
  outcome: "ok",
  subject,
  ...more,
});

describe("groupSteps", () => {
  it("sets the steps of each subject together where they were worked on at the same time", () => {
    const found = groupSteps([
      step("Zeus", ""),
      step("Zeus", "q1"),
      step("Zeus", "q2"),
      step("Apollo", "q1"),
      step("Odysseus", ""),
      step("Apollo", "q2"),
    ]);
    expect(found.map((group) => [group.subject, group.steps.length])).toEqual([
      ["", 1],
      ["q1", 2],
      ["q2", 1],
      ["", 1],
      ["q2", 1],
    ]);
  });
});
