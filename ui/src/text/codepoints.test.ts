import { describe, expect, it } from "vitest";
import { CodePoints, splitAtSpans } from "./codepoints";

const samples = [
  "",
  "plain ascii",
  "Ünïcödé £ 日本語",
  "a😀b",
  "😀😀😀",
  "🏛️ Daedalus ⚖️",
  "x𝔘y𝔙z — 𐍈",
  "\ud83d alone",
  "tail \ude00",
  "family 👨‍👩‍👧‍👦 end",
];

describe("CodePoints", () => {
  it.each(samples)("agrees with iteration over code points: %j", (text) => {
    const points = new CodePoints(text);
    const units = Array.from(text);
    expect(points.length).toBe(units.length);
    let offset = 0;
    units.forEach((unit, index) => {
      expect(points.toUtf16(index)).toBe(offset);
      expect(points.toCodePoint(offset)).toBe(index);
      offset += unit.length;
    });
    expect(points.toUtf16(units.length)).toBe(text.length);
    expect(points.toCodePoint(text.length)).toBe(units.length);
  });

  it.each(samples)("slices as an array of code points is sliced: %j", (text) => {
    const points = new CodePoints(text);
    const units = Array.from(text);
    for (let start = 0; start <= units.length; start++)
      for (let end = start; end <= units.length; end++) expect(points.slice(start, end)).toBe(units.slice(start, end).join(""));
  });

  it("clamps what lies outside and never splits a pair", () => {
    const points = new CodePoints("a😀b");
    expect(points.toUtf16(-3)).toBe(0);
    expect(points.toUtf16(99)).toBe(4);
    expect(points.slice(2, 1)).toBe("");
    expect(points.toCodePoint(2)).toBe(1);
    expect(points.slice(1, 2)).toBe("😀");
  });

  it("holds for a long text with pairs far apart", () => {
    const text = `${"x".repeat(5000)}😀${"y".repeat(5000)}𝔘${"z".repeat(10)}`;
    const points = new CodePoints(text);
    expect(points.slice(5000, 5001)).toBe("😀");
    expect(points.slice(10001, 10002)).toBe("𝔘");
    expect(points.slice(10002, 10012)).toBe("z".repeat(10));
  });
});

describe("cut", () => {
  const points = new CodePoints("😀 After the term 𝔘 ends.");

  it("gives every piece the kinds that cover it and loses nothing", () => {
    const pieces = splitAtSpans(points, 0, points.length, [
      { start: 2, end: 16, kind: "passage" },
      { start: 8, end: 11, kind: "quote" },
    ]);
    expect(pieces.map((piece) => piece.text).join("")).toBe(points.text);
    expect(pieces.find((piece) => piece.kinds.includes("quote"))).toMatchObject({ text: "the", kinds: ["passage", "quote"] });
  });

  it("clips spans to the range and ignores empty ones", () => {
    const pieces = splitAtSpans(points, 2, 7, [
      { start: 0, end: 4, kind: "quote" },
      { start: 5, end: 5, kind: "passage" },
      { start: 40, end: 50, kind: "passage" },
    ]);
    expect(pieces.map((piece) => [piece.text, piece.kinds.length])).toEqual([
      ["Af", 1],
      ["ter", 0],
    ]);
  });
});
