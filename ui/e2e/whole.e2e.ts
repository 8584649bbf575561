import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, type Opened, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_URL ?? "";

/** Memory, names and terms, and a question back: the real server, with the sample library read. */
describe.skipIf(base === "")("the whole over the real server (VANTAGE_URL)", () => {
  let browser: Browser;
  const open = (path = "/app", options = {}): Promise<Opened> => openPage(browser, base + path, options);
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it("tells the offer that is asked for above the table that compares them", async () => {
    const { page, close, errors } = await open();
    await ask(page, "Which offer has the shortest delivery time?");
    await answered(page);
    expect(await page.getByTestId("lead").innerText()).toContain("six weeks");
    expect(await page.getByTestId("comparison").locator("tbody td").count()).toBe(3);
    expect(errors).toEqual([]);
    await close();
  });

  it("remembers what it is told, shows it, takes other words for it, and forgets it", async () => {
    const { page, errors, close } = await open();
    await ask(page, "Remember that the crane of Quay 7 is inspected in October");
    await answered(page);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Memory" }).click();
    const notes = page.locator("[data-section=notes]");
    const note = notes.locator("[data-memory]").filter({ hasText: "crane of Quay 7 is inspected" });
    await note.getByRole("button", { name: /^Edit/ }).click();
    await page.getByLabel("Text of the note").fill("The crane of Quay 7 is inspected in late October.");
    await page.getByRole("button", { name: "Save" }).click();
    const reworded = notes.locator("[data-memory]").filter({ hasText: "in late October" });
    await reworded.waitFor();
    expect(await page.locator("[data-section=episodic] [data-memory]").count()).toBeGreaterThan(0);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Consolidate now" }).click();
    await page.getByTestId("consolidated").waitFor();
    await reworded.getByRole("button", { name: /^Forget/ }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget it" }).click();
    await reworded.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Forget everything" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Forget everything" }).click();
    await page.getByText(/^Removed: /).waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).last().click();
    await page.getByTestId("memory-empty").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("finds a name of the library, what surrounds it, and the sentence that says so in its document", async () => {
    const { page, errors, close } = await open("/app/graph");
    await page.getByPlaceholder("A name, a place, a term").fill("merrow");
    await page
      .getByTestId("entities")
      .getByRole("link", { name: /Merrow Chandlers Ltd/ })
      .first()
      .click();
    await page.getByTestId("neighbours").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByTestId("relations").getByRole("button").first().click();
    await page.locator("[data-testid=source-pane] [data-mark]").first().waitFor({ timeout: 30_000 });
    expect(errors).toEqual([]);
    await close();
  });

  it("tests a question in two settings, opens a passage that was found, explains a missing file, and leaves no run behind", async () => {
    const { page, errors, close } = await open("/app/evaluation/test");
    const runs = () => page.evaluate(async () => (await (await fetch("/traces?limit=200")).json()).traces.length as number);
    const before = await runs();
    await page.getByRole("textbox", { name: "Question" }).fill("How large is the deposit for Quay 7?");
    await page.getByRole("button", { name: "Compare with a second setting" }).click();
    const right = page.getByRole("region", { name: "Right setting" });
    await right.getByLabel("Strategy").selectOption("precise");
    await right.getByRole("button", { name: "rerank", exact: true }).click();
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText("The right run skipped rerank.").waitFor({ timeout: 30_000 });
    const stages = page.getByRole("region", { name: "Results, stage by stage" });
    expect(await stages.locator("thead").innerText()).toMatch(/words[\s\S]*meaning[\s\S]*together[\s\S]*rerank/);
    expect(await page.getByRole("region", { name: "The share of each leg" }).innerText()).toMatch(/words\s+\d+ %/);
    expect(await seriousViolations(page)).toEqual([]);
    await stages.getByRole("button", { name: /Quay 7 warehouse lease\.pdf/ }).click();
    await page.getByTestId("source-pane").waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${page.url()}&why=${encodeURIComponent("Budget 2026.xlsx")}`);
    await page.getByTestId("explanation").waitFor({ timeout: 30_000 });
    expect(await runs()).toBe(before);
    expect(errors).toEqual([]);
    await close();
  });

  it("goes on with the same run when a question back is answered", async () => {
    const { page, errors, close } = await open();
    await ask(page, "it");
    await page.getByTestId("clarification").waitFor();
    await page.keyboard.press("1");
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await page.getByTestId("run-line").click();
    const steps = (await page.locator("[aria-label='What each agent did'] > li").allInnerTexts()).join("\n");
    for (const name of ["Socrates", "Hermes"]) expect(steps).toContain(name);
    expect(errors).toEqual([]);
    await close();
  });
});
