import { describe, expect, it } from "vitest";
import { documentKind, formatPage } from "./documentKind";

describe("the view of a document", () => {
  it("is what the readers declare for its suffix, code for other names, text without one", () => {
    const views = [".PDF", ".xlsb", ".pptm", ".msg", ".tiff", ".docm", ".rst", ".py", ".unknown", ""].map((type) => documentKind(type));
    expect(views).toEqual(["pdf", "sheet", "slides", "mail", "picture", "text", "text", "code", "code", "text"]);
  });

  it("follows what read the file where the name says something else", () => {
    expect([documentKind(".bin", "pdf-repair"), documentKind(".txt", "csv"), documentKind(".xml", "ods")]).toEqual(["pdf", "sheet", "sheet"]);
    expect([documentKind(".py", "text"), documentKind(".html", "html")]).toEqual(["code", "text"]);
  });

  it("has a word for its pages", () => {
    expect([formatPage("a.pptx", 3), formatPage("a.fods", 2), formatPage("a.pdf", 12), formatPage("a.pdf", null)]).toEqual([
      "slide 3",
      "sheet 2",
      "page 12",
      "",
    ]);
  });
});
