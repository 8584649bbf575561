import { describe, expect, it } from "vitest";
import type { MemoryUsed, Step } from "../api/types";
import { progressOf } from "./attached";
import { memoryLine, weight } from "./memoryUsed";
import { asksAgain } from "./reask";
import { stretches } from "./Timeline";

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

describe("progressOf", () => {
  it("follows each file through its agents, and lets one that cannot be read hold up no other", () => {
    const files = progressOf([
      step("🏛️ Daedalus (The Architect)", ""),
      step("🔥 Prometheus (The Illuminator)", "a.pdf"),
      step("🔥 Prometheus (The Illuminator)", "b.pdf", { outcome: "failed", details: "The file is empty." }),
      step("📚 Hypatia (The Scholar)", "a.pdf", { outcome: "running", duration_ms: null }),
      step("🔥 Prometheus (The Illuminator)", "c.pdf"),
      step("📚 Hypatia (The Scholar)", "c.pdf"),
      step("🧠 Mnemosyne (The Keeper)", "c.pdf"),
    ]);
    expect(files.map((file) => [file.name, file.state])).toEqual([
      ["a.pdf", "working"],
      ["b.pdf", "failed"],
      ["c.pdf", "done"],
    ]);
    expect(files[1]?.says).toBe("The file is empty.");
  });
});

describe("stretches", () => {
  it("sets the steps of each subject together where they were worked on at the same time", () => {
    const found = stretches([
      step("Zeus", ""),
      step("Zeus", "q1"),
      step("Zeus", "q2"),
      step("Apollo", "q1"),
      step("Odysseus", ""),
      step("Apollo", "q2"),
    ]);
    expect(found.map((stretch) => [stretch.subject, stretch.steps.length])).toEqual([
      ["", 1],
      ["q1", 2],
      ["q2", 1],
      ["", 1],
      ["q2", 1],
    ]);
  });
});

describe("memoryLine", () => {
  const note: MemoryUsed = { tier: "notes", item_id: "n", text: "x", used_for: "y", score: 0.8, change: {} };
  const clicks: MemoryUsed = { ...note, tier: "procedural", change: { dense: [0.7, 0.55], lexical: [0.3, 0.45] } };

  it("says how many memories were used and what clicks moved", () => {
    expect(memoryLine([note, note, clicks])).toBe("2 memories used; your clicks moved lexical .30 → .45");
    expect(memoryLine([note])).toBe("1 memory used");
    expect(memoryLine([clicks])).toBe("your clicks moved lexical .30 → .45");
    expect(memoryLine([])).toBe("");
  });

  it("does not speak of a move that the two digits do not show", () => {
    expect(memoryLine([{ ...clicks, change: { lexical: [0.301, 0.302] } }])).toBe("1 memory used");
  });

  it("writes a weight as the page does", () => expect([weight(0.3), weight(1), weight(0)]).toEqual([".30", "1.00", ".00"]));
});

describe("asksAgain", () => {
  it("knows the same question in other small words", () => {
    expect(asksAgain("How large is the deposit for Quay 7?", "how large was the deposit for Quay 7")).toBe(true);
    expect(asksAgain("How large is the deposit for Quay 7?", "Deposit, Quay 7: how large?")).toBe(true);
  });

  it("tells another month, a follow-up and an empty question apart", () => {
    expect(asksAgain("What did it cost in March?", "What did it cost in April?")).toBe(false);
    expect(asksAgain("How much notice must we give?", "And for the mezzanine?")).toBe(false);
    expect(asksAgain("", "")).toBe(false);
  });
});
