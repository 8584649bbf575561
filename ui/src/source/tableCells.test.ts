import { describe, expect, it } from "vitest";
import { reduceText } from "./quoteLocation";
import { locateCells, type PageWords } from "./tableCells";

/** A page whose words stand in lines of height 10: each item is [words, line]. */
function page(items: readonly (readonly [string, number])[]): PageWords {
  const starts: number[] = [];
  let text = "";
  for (const [words] of items) {
    starts.push(text.length);
    text += `${words} `;
  }
  const lineAt = (offset: number) => items[starts.filter((start) => start <= offset).length - 1]?.[1] ?? 0;
  return { text, reduced: reduceText(text), heightOf: ([from, to]) => [lineAt(from) * 20, lineAt(to - 1) * 20 + 10] };
}

const columns = (rows: readonly (readonly string[])[]) =>
  page((rows[0] ?? []).flatMap((_cell, column) => rows.map((row, line) => [row[column] ?? "", line] as const)));

const said = (words: PageWords, row: string, hint = 0) => locateCells(words, row, hint).map((range) => words.text.slice(...range));

const crates = [
  ["Crate", "Goods", "Weight"],
  ["Q-001", "Tar", "1.25 kg"],
  ["Q-011", "Tar", "11.25 kg"],
  ["Q-111", "Rope", "1.25 kg"],
];

describe("cellsOf", () => {
  it("finds the cells of a row in a table that is drawn column by column", () => {
    const words = columns(crates);
    expect(said(words, "Q-011 | Tar | 11.25 kg")).toEqual(["Q-011", "Tar", "11.25 kg"]);
    const [, goods, weight] = locateCells(words, "Q-111 | Rope | 1.25 kg", 0);
    expect(words.text.slice(...(goods ?? [0, 0]))).toBe("Rope");
    // The second of the two cells that say so.
    expect(words.text.indexOf("1.25 kg", 0)).toBeLessThan(weight?.[0] ?? 0);
    expect(weight?.[0]).toBe(words.text.lastIndexOf("1.25 kg"));
  });

  it("takes no part of a longer word for a cell", () => {
    expect(said(columns([["112"], ["12"]]), "12")).toEqual(["12"]);
    expect(said(columns([["112"], ["212"]]), "12")).toEqual([]);
  });

  it("leaves out what stands at another height, and all where less than half is there", () => {
    expect(said(columns(crates), "Q-001 | Tar | 9.75 kg")).toEqual(["Q-001", "Tar"]);
    expect(said(columns(crates), "Q-001 | A very long name of goods | 9.75 kg")).toEqual([]);
    expect(said(columns(crates), " |  | ")).toEqual([]);
    expect(said(columns([]), "Q-001 | Tar")).toEqual([]);
  });

  it("takes the row nearest to its place in the text where several say the same", () => {
    const words = columns([
      ["Tar", "5"],
      ["Oil", "6"],
      ["Tar", "5"],
    ]);
    const middle = words.text.lastIndexOf("Tar") / words.text.length;
    expect(locateCells(words, "Tar | 5", middle)[0]?.[0]).toBe(words.text.lastIndexOf("Tar"));
    expect(locateCells(words, "Tar | 5", 0)[0]?.[0]).toBe(0);
  });

  it("joins a cell of several lines with the row that it stands in", () => {
    const words = page([
      ["North", 1],
      ["Ships may lie", 0],
      ["here for three days", 1],
      ["at most", 2],
      ["80.00", 1],
    ]);
    expect(said(words, "North | Ships may lie here for three days at most | 80.00")).toEqual([
      "North",
      "Ships may lie here for three days at most",
      "80.00",
    ]);
  });
});
