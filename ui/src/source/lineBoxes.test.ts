import { describe, expect, it } from "vitest";
import type { LinePlace } from "../api/types";
import { findLineBoxes, measureCoverage } from "./lineBoxes";

/** "The rent rises" at 100 of the text, in three words. */
const line = (angle = 0): LinePlace => ({
  start: 100,
  end: 114,
  left: 0.1,
  top: 0.2,
  width: 0.6,
  height: 0.03,
  angle,
  words: [
    { start: 100, end: 103, left: 0, right: 0.2 },
    { start: 104, end: 108, left: 0.25, right: 0.5 },
    { start: 109, end: 114, left: 0.55, right: 1 },
  ],
});

const rounded = (boxes: ReturnType<typeof findLineBoxes>) =>
  boxes.map(({ left, top, width, height }) => [left, top, width, height].map((x) => +x.toFixed(3)));

describe("boxesOn", () => {
  it("marks the words of a line that a quotation reaches into, as one box", () => {
    expect(rounded(findLineBoxes([line()], 104, 114, "quote"))).toEqual([[25, 20, 45, 3]]);
    expect(rounded(findLineBoxes([line()], 0, 500, "passage"))).toEqual([[10, 20, 60, 3]]);
    expect(rounded(findLineBoxes([line()], 106, 107, "quote"))).toEqual([[25, 20, 15, 3]]);
  });

  it("marks nothing where no word of the line is quoted", () => {
    expect(findLineBoxes([line()], 114, 120, "quote")).toEqual([]);
    expect(findLineBoxes([line()], 103, 104, "quote")).toEqual([]);
    expect(findLineBoxes([], 0, 500, "quote")).toEqual([]);
  });

  it("takes the whole line where its words are not known", () => {
    expect(rounded(findLineBoxes([{ ...line(), words: [] }], 104, 105, "quote"))).toEqual([[10, 20, 60, 3]]);
  });

  it("turns a part of a line that is askew about the line's own middle", () => {
    const [box] = findLineBoxes([line(4)], 104, 114, "quote");
    // The line's middle (0.5) is a third of the way from 0.25 to 1.
    expect(box?.angle).toBe(4);
    expect(Number.parseFloat(box?.origin ?? "")).toBeCloseTo(33.33, 1);
    expect(findLineBoxes([line()], 104, 114, "quote")[0]?.angle).toBeUndefined();
  });
});

describe("shareIn", () => {
  it("says how much of a quotation was recognised", () => {
    expect(measureCoverage([line()], 100, 114)).toBe(1);
    expect(measureCoverage([line()], 86, 114)).toBe(0.5);
    expect(measureCoverage([], 100, 114)).toBe(0);
    expect(measureCoverage([line()], 100, 100)).toBe(0);
  });
});
