// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import { loadLanguage } from "../text/language";
import { describeSearchScope } from "./searchScope";

describe("documentsAsked", () => {
  afterEach(() => loadLanguage("en"));

  it("counts the whole library, and says how much of it a narrowed question was asked of", async () => {
    expect(describeSearchScope({ documents: 6, asked: 1480, library: 1480 })).toBe("1,480 documents");
    expect(describeSearchScope({ documents: 6, asked: 12, library: 480 })).toBe("12 of 480 documents");
    expect(describeSearchScope({ asked: 0, library: 1 })).toBe("0 of 1 document");
    await loadLanguage("de");
    expect(describeSearchScope({ asked: 12, library: 480 })).toBe("12 von 480 Dokumenten");
  });

  it("says nothing for answers that know only the documents of their passages", () => {
    expect([describeSearchScope({ documents: 6, passages: 61 }), describeSearchScope({}), describeSearchScope(undefined)]).toEqual(["", "", ""]);
  });
});
