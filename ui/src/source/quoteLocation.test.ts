import { describe, expect, it } from "vitest";
import { locate, reduceText } from "./quoteLocation";

const find = (page: string, quote: string, hint = 0) => {
  const found = locate(reduceText(page), page.length, quote, hint);
  return found && page.slice(...found);
};

describe("locate", () => {
  it("finds a quotation across line ends, hyphens and ligatures", () => {
    expect(find("8.2 The ofﬁce may be termi- nated by either party.\u00a08.3 Other", "The office may be\nterminated by either party.")?.trim()).toBe(
      "The ofﬁce may be termi- nated by either party.",
    );
  });

  it("treats quotation marks and cases alike", () => {
    expect(find("He said “Yes, it’s done” again", `"yes, it's done"`)?.trim()).toBe("“Yes, it’s done”");
  });

  it("takes the occurrence nearest to the hint", () => {
    const page = "Total 12 apples. In the middle stands more text of some length. Total 12 apples.";
    const reduced = reduceText(page);
    expect(locate(reduced, page.length, "Total 12 apples", 0)?.[0]).toBe(0);
    expect(locate(reduced, page.length, "Total 12 apples", 0.95)?.[0]).toBeGreaterThan(40);
  });

  it("keeps characters outside the basic plane whole", () => {
    expect(find("before 😀 the 𝔘niform after", "😀 the 𝔘niform")?.trim()).toBe("😀 the 𝔘niform");
  });

  it("finds most of a quotation when a footnote number stands inside", () => {
    const found = find(
      "The lease may be terminated by either party7 upon six months of notice, it says.",
      "The lease may be terminated by either party upon six months of notice",
    );
    expect(found?.startsWith("The lease")).toBe(true);
    expect(found?.trimEnd().endsWith("notice")).toBe(true);
  });

  it("says so when it is not there", () => {
    expect(find("Something else entirely stands here.", "The lease may be terminated by either party")).toBeNull();
    expect(find("anything", " - ")).toBeNull();
  });
});
