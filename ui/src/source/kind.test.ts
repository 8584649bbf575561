import { describe, expect, it } from "vitest";
import { clothesOf, pageWord } from "./kind";

describe("the view of a document", () => {
  it("is what the readers declare for its suffix, code for other names, text without one", () => {
    const views = [".PDF", ".xlsb", ".pptm", ".msg", ".tiff", ".docm", ".rst", ".py", ".unknown", ""].map((type) => clothesOf(type));
    expect(views).toEqual(["pdf", "sheet", "slides", "mail", "picture", "text", "text", "code", "code", "text"]);
  });

  it("follows what read the file where the name says something else", () => {
    expect([clothesOf(".bin", "pdf-repair"), clothesOf(".txt", "csv"), clothesOf(".xml", "ods")]).toEqual(["pdf", "sheet", "sheet"]);
    expect([clothesOf(".py", "text"), clothesOf(".html", "html")]).toEqual(["code", "text"]);
  });

  it("has a word for its pages", () => {
    expect([pageWord("a.pptx", 3), pageWord("a.fods", 2), pageWord("a.pdf", 12), pageWord("a.pdf", null)]).toEqual([
      "slide 3",
      "sheet 2",
      "page 12",
      "",
    ]);
  });
});
