import { describe, expect, it } from "vitest";
import type { TraceMove } from "../api/types";
import { buildChart, selectCandidates, stageNames } from "./candidateChart";

const move = (chunk: number, stages: Record<string, [number, number]>, cited: number | null = null): TraceMove =>
  ({ chunk_id: chunk, document_id: `d${chunk}`, label: `c${chunk}`, stages, cited_as: cited, ended: "" }) as unknown as TraceMove;

const moves = [
  move(1, { lexical: [1, 9], dense: [2, 0.7], fusion: [1, 0.9], rerank: [2, 1.2] }, 2),
  move(2, { dense: [1, 0.8], fusion: [2, 0.8], rerank: [1, 1.5] }, 1),
  move(3, { lexical: [2, 7], fusion: [3, 0.2] }),
  move(4, {}),
];

describe("stageNames", () => {
  it("puts the stages in the order in which they are passed", () => {
    expect(stageNames(moves)).toEqual(["lexical", "dense", "fusion", "rerank"]);
  });
});

describe("chart", () => {
  const drawn = buildChart(moves, 10);
  const rows = (chunk: number) => drawn.lines.find((line) => line.move.chunk_id === chunk)?.dots.map((dot) => dot.row);

  it("ends with the answer and leaves out what was never ranked", () => {
    expect(drawn.stages).toEqual(["lexical", "dense", "fusion", "rerank", "answer"]);
    expect(drawn.lines.map((line) => line.move.chunk_id)).toEqual([1, 2, 3]);
  });

  it("gives no two candidates the same place at a stage", () => {
    drawn.stages.forEach((_stage, column) => {
      const places = drawn.lines.flatMap((line) => line.dots.filter((dot) => dot.column === column).map((dot) => dot.row));
      expect(new Set(places).size).toBe(places.length);
    });
  });

  it("puts what a stage did not find below, and ends a line where it ended", () => {
    expect(rows(2)).toEqual([2, 0, 1, 0, 0]);
    expect(rows(1)).toEqual([0, 1, 0, 1, 1]);
    expect(rows(3)).toEqual([1, 2, 2]);
    expect(drawn.lines[1]?.dots[0]).toMatchObject({ rank: null, score: null });
  });
});

describe("chosen", () => {
  it("keeps what is cited when not all can be drawn", () => {
    const many = Array.from({ length: 30 }, (_unused, index) =>
      move(index, { lexical: [index + 1, 1], rerank: [index + 1, 1] }, index === 29 ? 1 : null),
    );
    const kept = selectCandidates(many, ["lexical", "rerank"], 6);
    expect(kept).toHaveLength(6);
    expect(kept.map((item) => item.chunk_id)).toEqual([0, 1, 2, 3, 4, 29]);
  });
});

describe("stageNames", () => {
  it("puts the stages of a whole run in their order, numbered hops one after the other", () => {
    const names = [
      "hop 10",
      "hop 2",
      "correct",
      "links",
      "graph",
      "passages",
      "rerank",
      "fusion",
      "multilingual",
      "dense",
      "lexical",
      "hops",
      "somewhere",
    ];
    const all = [move(1, Object.fromEntries(names.map((name) => [name, [1, 1] as [number, number]])))];
    expect(stageNames(all)).toEqual([
      "lexical",
      "dense",
      "graph",
      "multilingual",
      "fusion",
      "rerank",
      "links",
      "hops",
      "hop 2",
      "hop 10",
      "correct",
      "somewhere",
      "passages",
    ]);
  });
});
