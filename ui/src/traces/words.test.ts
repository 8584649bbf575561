import { describe, expect, it } from "vitest";
import { droppedAt, writtenBy } from "./words";

describe("words of a trace", () => {
  it("says where a file was lost", () => {
    expect(["lexical and dense", "not_indexed", "filters", "rerank", "dense"].map(droppedAt)).toEqual([
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
});
