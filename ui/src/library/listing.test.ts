import { describe, expect, it } from "vitest";
import { everything, fileFits, filtersOf, isNarrowed, listingOf, narrowedWords, queryOf } from "./listing";
import { extended, range } from "./selection";
import { windowOf } from "./window";

describe("which documents are listed", () => {
  it("is read from the address, without what it does not know", () => {
    const search = new URLSearchParams("name=lease&kind=pdf&since=2024-13-01&until=2024-03-31&sort=size&order=down&state=eaten");
    expect(listingOf(search)).toEqual({ ...everything, text: "lease", kind: "pdf", until: "2024-03-31", sort: "size", descending: true });
    expect(listingOf(new URLSearchParams("sort=colour&kind=stone"))).toEqual(everything);
  });

  it("asks for whole days: the last one with all its hours", () => {
    const query = queryOf({ ...everything, kind: "mail", since: "2024-03-01", until: "2024-03-31" });
    expect(query.file_type).toContain(".eml");
    expect(Date.parse(String(query.modified_before)) - Date.parse(String(query.modified_after))).toBeGreaterThan(30.9 * 86_400_000);
    expect(new Date(String(query.modified_before)).getDate()).toBe(1);
  });

  it("restricts a question the same way, and says so", () => {
    expect(filtersOf(everything)).toBeNull();
    const only = { ...everything, kind: "pdf", until: "2024-03-31" };
    expect(filtersOf({ ...only, folder: "/docs" })).toEqual({
      path_prefix: "/docs",
      file_types: [".pdf"],
      modified_before: queryOf(only).modified_before,
    });
    expect(narrowedWords(only)).toBe("PDF, until 31 Mar 2024");
    expect(narrowedWords(everything)).toBe("");
  });

  it("can be the files that were not read, of the same types and days", () => {
    expect(listingOf(new URLSearchParams("state=unread")).state).toBe("unread");
    const file = { path: "/docs/Plans.zip!/Site.PDF", modified_at: new Date(2024, 2, 31, 18).toISOString() };
    const fits = (change: object, line = file) => fileFits(line, { ...everything, ...change });
    expect([fits({}), fits({ kind: "pdf" }), fits({ kind: "mail" })]).toEqual([true, true, false]);
    expect([fits({ until: "2024-03-31" }), fits({ since: "2024-03-31" }), fits({ until: "2024-03-30" })]).toEqual([true, true, false]);
    const undated = { path: "/docs/a.pdf", modified_at: null as unknown as string };
    expect([fits({}, undated), fits({ since: "2024-03-31" }, undated)]).toEqual([true, false]);
  });

  it("knows whether anything is left out", () => {
    expect(isNarrowed({ ...everything, sort: "size", descending: true })).toBe(false);
    expect(isNarrowed({ ...everything, folder: "/docs" })).toBe(true);
  });
});

describe("the rows that are drawn", () => {
  it("are those in view and some around them, whatever the number", () => {
    expect(windowOf({ count: 2000, row: 50, above: -100, height: 900 })).toEqual([0, 24]);
    expect(windowOf({ count: 2000, row: 50, above: 50_000, height: 900 })).toEqual([992, 1026]);
    expect(windowOf({ count: 2000, row: 50, above: 100_000, height: 900 })).toEqual([1992, 2000]);
    expect(windowOf({ count: 3, row: 50, above: 0, height: 900 })).toEqual([0, 3]);
    expect(windowOf({ count: 0, row: 50, above: 0, height: 900 })).toEqual([0, 0]);
  });
});

describe("several rows at once", () => {
  const ids = ["a", "b", "c", "d", "e"];
  it("go from the row that was chosen last to this one, both ways", () => {
    expect(range(ids, "b", "d")).toEqual(["b", "c", "d"]);
    expect(range(ids, "d", "b")).toEqual(["b", "c", "d"]);
    expect(range(ids, "gone", "d")).toEqual(["d"]);
  });
  it("are added to what is chosen, or taken out of it", () => {
    expect([...extended(new Set(["a"]), ["c", "d"], true)]).toEqual(["a", "c", "d"]);
    expect([...extended(new Set(["a", "c"]), ["c", "d"], false)]).toEqual(["a"]);
  });
});
