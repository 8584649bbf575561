import { describe, expect, it } from "vitest";
import type { Citation, Content } from "../api/types";
import { CodePoints } from "../text/codepoints";
import { findQuote, markCitation } from "./citationMarks";

const content = (text: string, start = 0): Content => ({
  document_id: "d",
  generation: 2,
  start,
  end: start + Array.from(text).length,
  total: start + Array.from(text).length,
  text,
  blocks: [],
  sections: [],
  pages: [],
  tables: [],
});

const source = { document: "d", start: 0, end: 10, run: "r", number: 1, tab: null };
const cited = (quote: string, start: number, more: Partial<Citation> = {}): Citation =>
  ({
    number: 1,
    document_id: "d",
    generation: 1,
    filename: "a.txt",
    page: null,
    start,
    end: start + Array.from(quote).length,
    quote,
    ...more,
  }) as Citation;

const marked = (text: string, quote: string, start = 0, offset = 0): string[] => {
  const given = content(text, offset);
  const points = new CodePoints(text);
  return markCitation(source, cited(quote, start), given, points).map((span) => points.slice(span.start - offset, span.end - offset));
};

describe("marksOf", () => {
  it("marks the quotation and its passage where they were cited", () => {
    const text = "One. The rent is 900. Three.";
    const spans = markCitation(source, cited("The rent is 900.", 5, { passage_start: 0, passage_end: 21 }), content(text), new CodePoints(text));
    expect(spans).toEqual([
      { start: 5, end: 21, kind: "quote" },
      { start: 0, end: 21, kind: "passage" },
    ]);
  });

  it("finds words that moved, also with other white space, soft hyphens and quotation marks", () => {
    expect(marked("New first line. The rent is 900.", "The rent is 900.")).toEqual(["The rent is 900."]);
    expect(marked("😀 So: The  rent\nis\u00a0900. More", "The rent is 900.")).toEqual(["The  rent\nis\u00a0900."]);
    expect(marked("The Miet\u00advertrag ends “soon”.", 'The Mietvertrag ends "soon".', 40)).toEqual(["The Miet\u00advertrag ends “soon”."]);
    expect(marked("The Mietvertrag ends.", "The Miet\u00adver-\ntrag ends.", 40)).toEqual(["The Mietvertrag ends."]);
  });

  it("takes of several places the one nearest to where the words stood", () => {
    const text = "Total 12. And then some more words stand here, and more. Total 12. End";
    const given = content(text, 1000);
    const last = text.lastIndexOf("Total");
    expect(findQuote(given, new CodePoints(text), "Total 12.", 1060)).toEqual([1000 + last, 1009 + last]);
    expect(findQuote(given, new CodePoints(text), "Total 12.", 1003)).toEqual([1000, 1009]);
    expect(findQuote(given, new CodePoints(text), "Total  12.", 1060)).toEqual([1000 + last, 1009 + last]);
  });

  it("marks nothing where the words are gone, and the place as it is where there is no citation", () => {
    expect(marked("Something else.", "The rent is 900.")).toEqual([]);
    expect(markCitation({ ...source, number: null }, null, content("Some words"), new CodePoints("Some words"))).toEqual([
      { start: 0, end: 10, kind: "passage" },
    ]);
    expect(markCitation(source, null, content("Some words"), new CodePoints("Some words"))[0]?.kind).toBe("quote");
    expect(markCitation({ ...source, start: null }, null, content("Some words"), new CodePoints("Some words"))).toEqual([]);
  });
});
