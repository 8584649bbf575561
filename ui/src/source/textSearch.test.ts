import { describe, expect, it } from "vitest";
import { CodePoints } from "../text/codepoints";
import { findAll, findFirstHit, findHits, foldText, limitHits } from "./textSearch";

const said = (text: string, query: string) => findAll(foldText(text), query).map(([from, to]) => text.slice(from, to));

describe("findAll", () => {
  it("takes large and small letters alike, and letters with and without accents", () => {
    expect(said("Kaution, KAUTION und kaution", "kaution")).toEqual(["Kaution", "KAUTION", "kaution"]);
    expect(said("Café, cafe\u0301 and CAFE", "cafe")).toEqual(["Café", "cafe\u0301", "CAFE"]);
    expect(said("Über die Straße", "uber die strasse")).toEqual(["Über die Straße"]);
    expect(said("Uber die Strasse", "Über die Straße")).toEqual(["Uber die Strasse"]);
    expect(said("Łódź Ørsted ΟΔΟΣ", "lodz orsted οδος")).toEqual(["Łódź Ørsted ΟΔΟΣ"]);
  });

  it("crosses line ends, blanks that do not break, soft hyphens, ligatures and typographic quotation marks", () => {
    expect(said("the\n  rent\u00a0rises", "the rent rises")).toEqual(["the\n  rent\u00a0rises"]);
    expect(said("Miet\u00advertrag", "mietvertrag")).toEqual(["Miet\u00advertrag"]);
    expect(said("the oﬃce it’s in", "office it's")).toEqual(["oﬃce it’s"]);
  });

  it("finds each place once, in order, and nothing for nothing", () => {
    expect(findAll(foldText("aaaa"), "aa")).toEqual([
      [0, 2],
      [2, 4],
    ]);
    expect(said("anything", "  ")).toEqual([]);
    expect(said("", "a")).toEqual([]);
    expect(said("anything", "other")).toEqual([]);
  });

  it("reads vowel signs as letters, and points of Hebrew as none", () => {
    expect(said("की का", "की")).toEqual(["की"]);
    expect(said("שָׁלוֹם", "שלום")).toHaveLength(1);
  });
});

describe("hitsIn", () => {
  it("counts in code points of the document", () => {
    const text = "😀 a rent and 𝔘 a Rent";
    const points = new CodePoints(text);
    const hits = findHits(points, foldText(text), "rent", 100);
    expect(hits.map((hit) => points.slice(hit.start - 100, hit.end - 100))).toEqual(["rent", "Rent"]);
  });
});

describe("what is drawn of many", () => {
  const hits = Array.from({ length: 1000 }, (_unused, index) => ({ start: index * 10, end: index * 10 + 1, kind: "hit" as const }));

  it("is what stands around the current one", () => {
    const drawn = limitHits(hits, 500);
    expect([drawn.length, drawn[0]?.start, drawn.filter((hit) => hit.kind === "current").map((hit) => hit.start)]).toEqual([401, 3000, [5000]]);
    expect(limitHits(hits, 0)[0]?.kind).toBe("current");
    expect(limitHits([], 0)).toEqual([]);
  });

  it("begins at the reader's place, and at the top behind the last one", () => {
    expect([findFirstHit(hits, 4995), findFirstHit(hits, 0), findFirstHit(hits, 99_999), findFirstHit([], 5)]).toEqual([500, 0, 0, 0]);
  });
});
