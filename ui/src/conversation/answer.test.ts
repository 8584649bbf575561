import { describe, expect, it } from "vitest";
import type { AnswerSentence, Citation, Content, SearchResponse, TableOut } from "../api/types";
import { markCells } from "./AnswerTable";
import { groupSentences } from "./AnswerText";
import { buildRequest } from "./draft";
import { formatAnswerWithSources } from "./plainText";
import { findSeparateLead } from "./turnView";

const sentence = (text: string, kind: AnswerSentence["kind"], paragraph = 0): AnswerSentence => ({
  text,
  kind,
  paragraph,
  citations: [],
  support: "quoted",
  score: 1,
  highlight: null,
});

describe("grouped", () => {
  it("keeps sentences of a paragraph together, lists and tables as one, and paragraphs apart", () => {
    const groups = groupSentences([
      sentence("a", "paragraph"),
      sentence("b", "paragraph"),
      sentence("c", "paragraph", 1),
      sentence("d", "list_item", 1),
      sentence("e", "list_item", 2),
      sentence("f", "table", 2),
      sentence("g", "table", 3),
    ]);
    expect(groups.map((group) => [group.kind, group.sentences.map((item) => item.text).join("")])).toEqual([
      ["prose", "ab"],
      ["prose", "c"],
      ["list", "de"],
      ["table", "fg"],
    ]);
  });
});

describe("leadApart", () => {
  const told = (answer: string, lead: string, first: string) =>
    findSeparateLead({ answer, lead: { text: lead }, answer_sentences: [sentence(first, "paragraph")] } as unknown as SearchResponse)?.text ?? "";

  it("is the lead in front of its sentence, not one that is the sentence or stands inside it", () => {
    expect(told("8 km/h [1]\n\nThe limit is 8 km/h. [1]", "8 km/h", "The limit is 8 km/h.")).toBe("8 km/h");
    expect(told("Tenant: Skua Ltd [1]", "Tenant: Skua Ltd", "Tenant: Skua Ltd")).toBe("");
    expect(told("Skua Ltd is the tenant. [1]", "Skua Ltd", "Skua Ltd is the tenant.")).toBe("");
  });
});

describe("markedCells", () => {
  const text = "😀 Costs\nMonth | Rent\nMarch | 5,555 | 5,555";
  const start = Array.from("😀 Costs\nMonth | Rent\n").length;
  const table = {
    rows: [
      ["Month", "Rent", "Total"],
      ["March", "5,555", "5,555"],
    ],
    row_spans: [
      [8, 20],
      [start, Array.from(text).length],
    ],
    header_rows: 1,
  } as unknown as TableOut;
  const content = { text, start: 0 } as Content;

  it("marks the cells that a range touches, and tells equal cells apart", () => {
    expect(markCells(content, table, 1, { start, end: start + 5 })).toEqual([true, false, false]);
    expect(markCells(content, table, 1, { start: start + 16, end: start + 21 })).toEqual([false, false, true]);
    expect(markCells(content, table, 1, { start, end: start + 40 })).toEqual([true, true, true]);
  });

  it("counts from where the content begins", () => {
    const later = { text: text.slice(text.indexOf("March")), start } as Content;
    expect(markCells(later, table, 1, { start: start + 8, end: start + 13 })).toEqual([false, true, false]);
  });
});

describe("answerWithSources", () => {
  it("gives the answer and one line for each source", () => {
    const citation = {
      number: 1,
      filename: "Lease.pdf",
      page: 2,
      section: ["Lease", "6 Deposit"],
      quote: "The Tenant pays\na deposit.",
    } as unknown as Citation;
    expect(formatAnswerWithSources({ answer: "A deposit is paid. [1]\n", citations: [citation] } as SearchResponse)).toBe(
      "A deposit is paid. [1]\n\n[1] Lease.pdf, page 2, 6 Deposit: “The Tenant pays a deposit.”",
    );
  });

  it("is the bare answer when nothing is cited", () => {
    expect(formatAnswerWithSources({ answer: "There are 16.", citations: [] as Citation[] } as SearchResponse)).toBe("There are 16.");
  });
});

describe("requestOf", () => {
  const draft = {
    text: "",
    attachments: [],
    folder: null,
    only: { kind: "", since: "", until: "" },
    strategy: "auto",
    mode: "auto",
    queued: null,
  } as const;

  it("asks everything unless it is restricted", () => {
    expect(buildRequest("q", "c1", draft)).toEqual({ query: "q", conversation_id: "c1", strategy: "auto", mode: "auto", explain: true });
  });

  it("restricts to attached documents that are ready, and to a folder", () => {
    const attachments = [
      { key: "a", name: "a", documentId: "d1", jobId: null, state: "ready", note: "" },
      { key: "b", name: "b", documentId: null, jobId: "j", state: "failed", note: "" },
    ] as const;
    expect(buildRequest("q", null, { ...draft, attachments, folder: "/home/ada" })).toMatchObject({
      attached_documents: ["d1"],
      filters: { path_prefix: "/home/ada" },
    });
  });
});
