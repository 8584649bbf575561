import { describe, expect, it } from "vitest";
import { timeScale } from "./timeScale";
import { makePassing } from "./traceFixture";

describe("timeScale", () => {
  it("lays the nodes out over the time that the run took", () => {
    const { stretches, waits } = timeScale([makePassing("a", "load", 0, { duration_ms: 20 }), makePassing("b", "retrieve", 20, { duration_ms: 80 })]);
    expect(stretches.get("a")).toEqual({ left: 0, width: 20 });
    expect(stretches.get("b")).toEqual({ left: 20, width: 80 });
    expect(waits.size).toBe(0);
  });

  it("cuts the time short in which a person was asked, and names it", () => {
    const { stretches, waits } = timeScale([
      makePassing("a", "clarify", 0, { duration_ms: 50 }),
      makePassing("b", "clarify", 90_050, { duration_ms: 50 }),
    ]);
    expect(waits.get("b")).toBe(90_000);
    expect(stretches.get("b")?.width).toBeGreaterThan(45);
  });

  it("keeps what runs beside each other together, and everything inside of the axis", () => {
    const { stretches } = timeScale([
      makePassing("a", "attached", 0, { duration_ms: 100 }),
      makePassing("b", "read", 10, { duration_ms: 30 }),
      makePassing("c", "read", 10, { duration_ms: 0 }),
      makePassing("d", "check", 100, { duration_ms: 0 }),
    ]);
    expect(stretches.get("b")).toEqual({ left: 10, width: 30 });
    for (const { left, width } of stretches.values()) expect(left + width).toBeLessThanOrEqual(100);
    expect(stretches.get("d")?.left).toBe(99);
    expect(timeScale([]).stretches.size).toBe(0);
  });
});
