import { describe, expect, it } from "vitest";
import type { MemoryItem } from "../api/types";
import { changesOf, describeRemoved, listDetails, sessionsOf, traceOf, wordingsOf } from "./memoryItems";

const item = (more: Partial<MemoryItem>): MemoryItem => ({ id: "i", tier: "notes", text: "t", at: null, editable: true, detail: {}, ...more });

describe("removedWords", () => {
  it("counts what went by tier and leaves out what had nothing", () => {
    expect(describeRemoved({ user_id: "local", removed: { session: 1, episodic: 12, procedural: 0, notes: 3 }, items: [] })).toBe(
      "1 turn of a conversation, 12 earlier questions and 3 notes",
    );
    expect(describeRemoved({ user_id: "local", removed: { notes: 1 }, items: [] })).toBe("1 note");
    expect(describeRemoved({ user_id: "local", removed: {}, items: [] })).toContain("nothing to remove");
  });
});

describe("a line", () => {
  it("says where a note comes from and how often it was reworded", () => {
    const note = item({ detail: { source: "correction", history: [{ content: "old", reason: "newer", changed_at: "2026" }], links: ["a", "b"] } });
    expect(listDetails(note)).toEqual(["from your correction", "reworded once", "linked to 2 notes"]);
    expect(wordingsOf(note)).toEqual([{ content: "old", reason: "newer", at: "2026" }]);
  });

  it("bears with detail of another shape", () => {
    expect(listDetails(item({ detail: { source: 3, history: "x", links: null } }))).toEqual([]);
    expect(traceOf(item({ tier: "episodic", id: "r1" }))).toBe("r1");
    expect(traceOf(item({}))).toBe("");
  });
});

it("gathers the turns of each conversation in their order", () => {
  const turns = ["a", "b", "a"].map((session_id, index) => item({ id: String(index), tier: "session", detail: { session_id } }));
  expect(sessionsOf(turns).map((session) => [session.id, session.items.map((one) => one.id)])).toEqual([
    ["a", ["0", "2"]],
    ["b", ["1"]],
  ]);
});

it("has nothing to say of a consolidation that changed nothing", () => {
  expect(changesOf([{ id: "k", user_id: "local", at: "2026", duration_ms: 1 } as never])).toEqual([]);
});
