import { describe, expect, it } from "vitest";
import type { MemoryUsed } from "../api/types";
import { formatWeight, summarizeMemoryUse } from "./memoryEffects";

describe("summarizeMemoryUse", () => {
  const note: MemoryUsed = { tier: "notes", item_id: "n", text: "x", used_for: "y", score: 0.8, change: {} };
  const clicks: MemoryUsed = { ...note, tier: "procedural", change: { dense: [0.7, 0.55], lexical: [0.3, 0.45] } };

  it("says how many memories were used and what clicks moved", () => {
    expect(summarizeMemoryUse([note, note, clicks])).toBe("2 memories used; your clicks moved lexical .30 → .45");
    expect(summarizeMemoryUse([note])).toBe("1 memory used");
    expect(summarizeMemoryUse([clicks])).toBe("your clicks moved lexical .30 → .45");
    expect(summarizeMemoryUse([])).toBe("");
  });

  it("does not speak of a move that the two digits do not show", () => {
    expect(summarizeMemoryUse([{ ...clicks, change: { lexical: [0.301, 0.302] } }])).toBe("1 memory used");
  });

  it("writes a weight as the page does", () => expect([formatWeight(0.3), formatWeight(1), formatWeight(0)]).toEqual([".30", "1.00", ".00"]));
});
