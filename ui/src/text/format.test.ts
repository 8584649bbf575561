import { describe, expect, it } from "vitest";
import { dayGroup, formatAge, formatBytes, formatMilliseconds, formatPlural, formatSeconds, shortenPath } from "./format";
import { findMatchingWords } from "./words";

describe("format", () => {
  it("says sizes and times as a person reads them", () => {
    expect([formatBytes(999), formatBytes(1500), formatBytes(212_400_000)]).toEqual(["999 B", "1.5 kB", "212 MB"]);
    expect([formatSeconds(0.412), formatSeconds(31.4), formatSeconds(200)]).toEqual(["0.41 s", "31 s", "3 min"]);
    expect([formatMilliseconds(0.4), formatMilliseconds(41.6), formatMilliseconds(2300)]).toEqual(["<1 ms", "42 ms", "2.30 s"]);
    expect([formatPlural(1, "file"), formatPlural(1204, "file")]).toEqual(["1 file", "1,204 files"]);
    expect(shortenPath("/home/ada/Documents/Contracts", 16)).toBe("…ments/Contracts");
  });

  it("says times relative to now, and groups days", () => {
    const now = new Date(2026, 4, 20, 12, 0, 0);
    expect(formatAge(new Date(now.getTime() - 20_000).toISOString(), now.getTime())).toBe("just now");
    expect(formatAge(new Date(now.getTime() - 3 * 3_600_000).toISOString(), now.getTime())).toBe("3 hours ago");
    const at = (days: number) => new Date(2026, 4, 20 - days, 23, 30).toISOString();
    expect([0, 1, 3, 12].map((days) => dayGroup(at(days), now))).toEqual(["Today", "Yesterday", "Last 7 days", "Last 30 days"]);
  });
});

describe("matchingWords", () => {
  it("marks words of the question in other forms, by code points, and leaves common words alone", () => {
    const text = "😀 The notices were given; notice of 6 months.";
    const found = findMatchingWords(text, "How much notice must be given, and is it 6 months?").map((span) =>
      Array.from(text).slice(span.start, span.end).join(""),
    );
    expect(found).toEqual(["notices", "given", "notice", "months"]);
  });
});
