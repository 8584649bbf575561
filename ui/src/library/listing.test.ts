import { describe, expect, it } from "vitest";
import { ALL_DOCUMENTS, describeFilters, isNarrowed, matchesListing, parseListing, toFilters, toQuery } from "./listing";
import { computeRowWindow } from "./rowWindow";
import { changeSelection, idsBetween } from "./selection";

describe("which documents are listed", () => {
  it("is read from the address, without what it does not know", () => {
    const search = new URLSearchParams("name=lease&kind=pdf&since=2024-13-01&until=2024-03-31&sort=size&order=down&state=eaten");
    expect(parseListing(search)).toEqual({ ...ALL_DOCUMENTS, text: "lease", kind: "pdf", until: "2024-03-31", sort: "size", descending: true });
    expect(parseListing(new URLSearchParams("sort=colour&kind=stone"))).toEqual(ALL_DOCUMENTS);
  });

  it("asks for whole days: the last one with all its hours", () => {
    const query = toQuery({ ...ALL_DOCUMENTS, kind: "mail", since: "2024-03-01", until: "2024-03-31" });
    expect(query.file_type).toContain(".eml");
    expect(Date.parse(String(query.modified_before)) - Date.parse(String(query.modified_after))).toBeGreaterThan(30.9 * 86_400_000);
    expect(new Date(String(query.modified_before)).getDate()).toBe(1);
  });

  it("restricts a question the same way, and says so", () => {
    expect(toFilters(ALL_DOCUMENTS)).toBeNull();
    const only = { ...ALL_DOCUMENTS, kind: "pdf", until: "2024-03-31" };
    expect(toFilters({ ...only, folder: "/docs" })).toEqual({
      path_prefix: "/docs",
      file_types: [".pdf"],
      modified_before: toQuery(only).modified_before,
    });
    expect(describeFilters(only)).toBe("PDF, until 31 Mar 2024");
    expect(describeFilters(ALL_DOCUMENTS)).toBe("");
  });

  it("can be the files that were not read, of the same types and days", () => {
    expect(parseListing(new URLSearchParams("state=unread")).state).toBe("unread");
    const file = { path: "/docs/Plans.zip!/Site.PDF", modified_at: new Date(2024, 2, 31, 18).toISOString() };
    const fits = (change: object, line = file) => matchesListing(line, { ...ALL_DOCUMENTS, ...change });
    expect([fits({}), fits({ kind: "pdf" }), fits({ kind: "mail" })]).toEqual([true, true, false]);
    expect([fits({ until: "2024-03-31" }), fits({ since: "2024-03-31" }), fits({ until: "2024-03-30" })]).toEqual([true, true, false]);
    const undated = { path: "/docs/a.pdf", modified_at: null as unknown as string };
    expect([fits({}, undated), fits({ since: "2024-03-31" }, undated)]).toEqual([true, false]);
  });

  it("knows whether anything is left out", () => {
    expect(isNarrowed({ ...ALL_DOCUMENTS, sort: "size", descending: true })).toBe(false);
    expect(isNarrowed({ ...ALL_DOCUMENTS, folder: "/docs" })).toBe(true);
  });
});

describe("the rows that are drawn", () => {
  it("are those in view and some around them, whatever the number", () => {
    expect(computeRowWindow({ count: 2000, row: 50, above: -100, height: 900 })).toEqual([0, 24]);
    expect(computeRowWindow({ count: 2000, row: 50, above: 50_000, height: 900 })).toEqual([992, 1026]);
    expect(computeRowWindow({ count: 2000, row: 50, above: 100_000, height: 900 })).toEqual([1992, 2000]);
    expect(computeRowWindow({ count: 3, row: 50, above: 0, height: 900 })).toEqual([0, 3]);
    expect(computeRowWindow({ count: 0, row: 50, above: 0, height: 900 })).toEqual([0, 0]);
  });
});

describe("several rows at once", () => {
  const ids = ["a", "b", "c", "d", "e"];
  it("go from the row that was chosen last to this one, both ways", () => {
    expect(idsBetween(ids, "b", "d")).toEqual(["b", "c", "d"]);
    expect(idsBetween(ids, "d", "b")).toEqual(["b", "c", "d"]);
    expect(idsBetween(ids, "gone", "d")).toEqual(["d"]);
  });
  it("are added to what is chosen, or taken out of it", () => {
    expect([...changeSelection(new Set(["a"]), ["c", "d"], true)]).toEqual(["a", "c", "d"]);
    expect([...changeSelection(new Set(["a", "c"]), ["c", "d"], false)]).toEqual(["a"]);
  });
});
