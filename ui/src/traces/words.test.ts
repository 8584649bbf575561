import { afterEach, describe, expect, it } from "vitest";
import { loadLanguage, withTexts } from "../text/language";
import { droppedAt, endWord, listed, score, stageNamed, statusOf, writtenBy } from "./words";

const LOST = ["lexical and dense", "not_indexed", "filters", "rerank", "dense"];

describe("words of a trace", () => {
  afterEach(() => loadLanguage("en"));

  it("says where a file was lost", () => {
    expect(LOST.map(droppedAt)).toEqual([
      "not found by keyword or meaning search",
      "not in the library",
      "excluded by the filters",
      "dropped at rerank",
      "dropped at meaning search",
    ]);
  });

  it("says who wrote an answer", () => {
    expect(["extractive", "none", "qwen3-vl:8b"].map(writtenBy)).toEqual(["Quotes only", "", "qwen3-vl:8b"]);
  });

  it("says the same in German", async () => {
    await loadLanguage("de");
    expect(LOST.map(droppedAt)).toEqual([
      "weder von der Stichwort- noch von der Bedeutungssuche gefunden",
      "nicht in der Bibliothek",
      "durch die Filter ausgeschlossen",
      "ausgeschieden bei: Reranking",
      "ausgeschieden bei: Bedeutungssuche",
    ]);
    expect(["extractive", "none", "qwen3-vl:8b"].map(writtenBy)).toEqual(["Nur Zitate", "", "qwen3-vl:8b"]);
    expect([statusOf("not_found"), statusOf("odd")]).toEqual([
      ["warn", "nicht gefunden"],
      ["calm", "odd"],
    ]);
    expect(listed(["memory", "plan", "links"].map(stageNamed))).toBe("Gedächtnis, Plan und Verknüpfungen");
    expect([score(0.4125), score(12), score(0)]).toEqual(["0,413", "12", "0"]);
  });

  it("translates how a candidate ended, and keeps a reason that only the server knows", async () => {
    const ends = ["cited as [2]", "read, not cited", "left behind at place 9", "dropped at fusion: below 0.3", "something new"];
    expect(ends.map(endWord)).toEqual(ends);
    await loadLanguage("de");
    await withTexts("trace", Promise.resolve());
    expect(ends.map(endWord)).toEqual([
      "zitiert als [2]",
      "gelesen, nicht zitiert",
      "zurückgelassen auf Platz 9",
      "ausgeschieden bei: Fusion: below 0.3",
      "something new",
    ]);
  });
});
