// @vitest-environment happy-dom
import { afterEach, describe, expect, it } from "vitest";
import type { Community, CommunityPage } from "../api/types";
import { loadLanguage } from "../text/language";
import { describeCoverage, describeTheme } from "./themeWords";

const page = (values: Partial<CommunityPage>): CommunityPage =>
  ({ communities: [], total: 7, covered_documents: 1016, documents: 1200, stale: false, reason: "", ...values }) as CommunityPage;
const theme = (values: Partial<Community>): Community => ({ documents: 8, entity_count: 21, ...values }) as Community;

describe("the themes of the library", () => {
  afterEach(() => loadLanguage("en"));

  it("say how much of the library they cover, in the language of the page", async () => {
    expect(describeCoverage(page({}))).toBe("7 themes · 1,016 of 1,200 documents");
    expect(describeCoverage(page({ total: 1, covered_documents: 1, documents: 1 }))).toBe("1 theme · 1 of 1 document");
    await loadLanguage("de");
    expect(describeCoverage(page({}))).toBe("7 Themen · 1.016 von 1.200 Dokumenten");
  });

  it("say how large each is", async () => {
    expect(describeTheme(theme({}))).toBe("8 documents · 21 names");
    expect(describeTheme(theme({ documents: 2, entity_count: 0 }))).toBe("2 documents");
    await loadLanguage("de");
    expect(describeTheme(theme({ documents: 1, entity_count: 1 }))).toBe("1 Dokument · 1 Name");
  });
});
