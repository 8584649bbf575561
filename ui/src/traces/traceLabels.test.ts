// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { loadLanguage, withTexts } from "../text/language";
import { describeDrop, describeEnd, formatScore, joinList, stageLabel, statusLabel, writerLabel } from "./traceLabels";

const LOST = ["lexical and dense", "not_indexed", "filters", "rerank", "dense"];

describe("words of a trace", () => {
  afterEach(() => loadLanguage("en"));

  it("says where a file was lost", () => {
    expect(LOST.map(describeDrop)).toEqual([
      "not found by keyword or meaning search",
      "not in the library",
      "excluded by the filters",
      "dropped at rerank",
      "dropped at meaning search",
    ]);
  });

  it("says who wrote an answer", () => {
    expect(["extractive", "none", "qwen3-vl:8b"].map(writerLabel)).toEqual(["Quotes only", "", "qwen3-vl:8b"]);
  });

  it("says the same in German", async () => {
    await loadLanguage("de");
    expect(LOST.map(describeDrop)).toEqual([
      "weder von der Stichwort- noch von der Bedeutungssuche gefunden",
      "nicht in der Bibliothek",
      "durch die Filter ausgeschlossen",
      "ausgeschieden bei: Reranking",
      "ausgeschieden bei: Bedeutungssuche",
    ]);
    expect(["extractive", "none", "qwen3-vl:8b"].map(writerLabel)).toEqual(["Nur Zitate", "", "qwen3-vl:8b"]);
    expect([statusLabel("not_found"), statusLabel("odd")]).toEqual([
      ["warn", "nicht gefunden"],
      ["calm", "odd"],
    ]);
    expect(joinList(["memory", "plan", "links"].map(stageLabel))).toBe("Gedächtnis, Plan und Verknüpfungen");
    expect([formatScore(0.4125), formatScore(12), formatScore(0)]).toEqual(["0,413", "12", "0"]);
  });

  it("translates how a candidate ended, and keeps a reason that only the server knows", async () => {
    const ends = ["cited as [2]", "read, not cited", "left behind at place 9", "dropped at fusion: below 0.3", "something new"];
    expect(ends.map(describeEnd)).toEqual(ends);
    await loadLanguage("de");
    await withTexts("trace", Promise.resolve());
    expect(ends.map(describeEnd)).toEqual([
      "zitiert als [2]",
      "gelesen, nicht zitiert",
      "zurückgelassen auf Platz 9",
      "ausgeschieden bei: Fusion: below 0.3",
      "something new",
    ]);
  });
});
