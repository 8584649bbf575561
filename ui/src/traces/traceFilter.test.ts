import { describe, expect, it } from "vitest";
import type { TraceLine } from "../api/types";
import { sortByRelation } from "./CompareMenu";
import { rise } from "./ResultShifts";
import { filterTraces, sortByTime, toggleMark } from "./traceFilter";
import { formatScore, joinList, omittedStages, stageLabel } from "./traceLabels";

const line = (id: string, more: Partial<TraceLine> = {}): TraceLine => ({
  id,
  user_id: "ann",
  query: "How much notice?",
  status: "success",
  started_at: `2026-01-0${id}T00:00:00Z`,
  duration_ms: 10,
  generated_by: "extractive",
  routing_path: "Zeus → Athena",
  conversation_id: null,
  replay_of: null,
  ...more,
});

describe("the list of traces", () => {
  const lines = [line("1", { query: "Deposit of the LEASE" }), line("2", { status: "failed" }), line("3", { replay_of: "1", generated_by: "qwen" })];

  it("finds runs by every word, whatever their case, and by what they came to", () => {
    const found = (text: string, kind: string) => filterTraces(lines, { text, kind }).map((item) => item.id);
    expect(found("", "")).toEqual(["1", "2", "3"]);
    expect(found("lease  deposit", "")).toEqual(["1"]);
    expect(found("athena qwen", "")).toEqual(["3"]);
    expect(found("", "failed")).toEqual(["2"]);
    expect(found("", "replay")).toEqual(["3"]);
    expect(found("notice", "not_found")).toEqual([]);
  });

  it("marks two runs at most, and compares the older one first", () => {
    expect(toggleMark(toggleMark(toggleMark([], "1"), "2"), "3")).toEqual(["2", "3"]);
    expect(toggleMark(["1", "2"], "1")).toEqual(["2"]);
    expect(sortByTime(lines, ["3", "1"])).toEqual(["1", "3"]);
  });

  it("offers what belongs to a run first, and never the run itself", () => {
    const others = [line("4", { query: "Something else" }), line("5", { query: " how much NOTICE?" }), line("6", { replay_of: "1" }), line("1")];
    expect(sortByRelation({ id: "1", query: "How much notice?", replay_of: null }, others).map((item) => item.id)).toEqual(["6", "5", "4"]);
  });
});

describe("words", () => {
  it("say how a result moved, and keep what is new or gone apart from it", () => {
    const shift = (left_rank: number | null, right_rank: number | null) => rise({ document_id: "d", filename: "f", left_rank, right_rank });
    expect([shift(3, 1), shift(1, 3), shift(2, 2), shift(null, 1), shift(1, null)]).toEqual([2, -2, 0, null, null]);
  });

  it("read as sentences", () => {
    expect([joinList([]), joinList(["a"]), joinList(["a", "b"]), joinList(["a", "b", "c"])]).toEqual(["", "a", "a and b", "a, b and c"]);
    expect(stageLabel("lexical")).toBe("keyword search");
    expect(stageLabel("multilingual")).toBe("other languages");
    expect(stageLabel("not_indexed")).toBe("not indexed");
    expect([formatScore(0.3), formatScore(12), formatScore(0.31415), formatScore(0), formatScore(-0.2), formatScore(1234.5)]).toEqual([
      "0.3",
      "12",
      "0.314",
      "0",
      "-0.2",
      "1234.5",
    ]);
  });

  it("read the stages that a run left out from any request", () => {
    expect(omittedStages({ without: ["rerank", 3] })).toEqual(["rerank"]);
    expect(omittedStages({})).toEqual([]);
  });
});
