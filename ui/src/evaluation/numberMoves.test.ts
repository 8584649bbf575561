import { describe, expect, it } from "vitest";
import type { Result, TraceMove } from "../api/types";
import { numberMoves } from "./numberMoves";

const move = (chunk_id: number, document_id: string, ended = "read, not cited"): TraceMove => ({
  chunk_id,
  document_id,
  label: document_id,
  stages: {},
  cited_as: null,
  ended,
});
const result = (id: string, ...chunks: number[]): Result => ({ id, passages: [{ document_id: id, chunks }] }) as unknown as Result;

describe("the movements of a test", () => {
  it("end at the result that the passage became, once for each document", () => {
    const moves = [move(1, "lease"), move(2, "lease"), move(3, "plan"), move(4, "memo", "left behind at place 9")];
    const numbered = numberMoves(moves, [result("plan", 3), result("lease", 1, 2)]);
    expect(numbered.map((each) => [each.cited_as, each.ended])).toEqual([
      [2, ""],
      [null, ""],
      [1, ""],
      [null, "left behind at place 9"],
    ]);
  });

  it("leaves a passage without a number that is no part of its document's result", () => {
    expect(numberMoves([move(7, "lease", "left behind at place 12")], [result("lease", 1)])[0]).toMatchObject({
      cited_as: null,
      ended: "left behind at place 12",
    });
  });
});
