import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** A question back, a comparison, sub-questions, and the names and terms of the documents. */
describe("the answers of the specialists", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8951);
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
  });
  const open = (path = "/app", options = {}) => openTab(browser, mock.url + path, options);

  it("goes on with the same run when a choice is pressed by its number", async () => {
    const { page, errors, close } = await open();
    await ask(page, "Which? notice");
    await page.getByTestId("clarification").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.keyboard.press("2");
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await page.getByTestId("run-line").click();
    const steps = await page.locator("[aria-label='What each agent did'] > li").allInnerTexts();
    expect(steps.filter((step) => step.includes("Socrates")).length).toBe(1);
    expect(steps.at(-1)).toContain("Hermes");
    expect(errors).toEqual([]);
    await page.reload();
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await close();
  });

  it("takes other words, and the question as it stands, also after a reload", async () => {
    const { page, close } = await open();
    await ask(page, "Which? notice");
    await page.getByLabel("Say it in other words").fill("the yard");
    await page.keyboard.press("Enter");
    await answered(page);
    await ask(page, "Which? notice again");
    await page.getByTestId("clarification").waitFor();
    await page.reload();
    await page.getByRole("button", { name: "Search anyway" }).click();
    await expect.poll(() => page.locator("[data-testid=turn][data-state=success]").count()).toBe(2);
    expect(await page.getByTestId("turn").count()).toBe(2);
    await close();
  });

  it("says of a result how near it is in the graph and what happened of late", async () => {
    const { page, errors, close } = await open();
    await ask(page, "How long is the notice period?");
    await answered(page);
    const said = await page.getByTestId("sources").getByTestId("graph-context").allInnerTexts();
    expect(said).toEqual(["Graph: 2 steps away, 7 recent events", "Graph: not linked, 1 recent event"]);
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("does not take a digit that is being written for a choice", async () => {
    const { page, close } = await open();
    await ask(page, "Which? notice");
    await page.getByTestId("clarification").waitFor();
    await page.getByLabel("Your question").fill("");
    await page.getByLabel("Your question").press("2");
    expect(await page.getByLabel("Your question").inputValue()).toBe("2");
    expect(await page.getByTestId("clarification").count()).toBe(1);
    await close();
  });

  it("says when a run does not wait any more, and asks what was chosen as a question", async () => {
    const { page, close } = await open();
    await ask(page, "Which? stale notice");
    await page.getByRole("button", { name: "The mezzanine" }).click();
    await page.getByTestId("no-longer-waiting").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Ask what I chose" }).click();
    await answered(page);
    expect(await page.getByTestId("turn").last().innerText()).toContain("The mezzanine");
    await close();
  });

  it("names the agent that is at work with its title, live", async () => {
    const { page, close } = await open();
    await ask(page, "slow: how much notice?");
    const now = page.getByTestId("now");
    await now.getByText("The Strategist").waitFor();
    expect(await now.innerText()).toMatch(/🦉\s*Athena The Strategist/);
    await page.keyboard.press("Escape");
    await answered(page, "stopped");
    await close();
  });

  it("sets a comparison as a table, each cell with its source", async () => {
    for (const options of [{}, { colorScheme: "dark" as const }, { viewport: { width: 390, height: 844 } }]) {
      const { page, errors, close } = await open("/app", options);
      await ask(page, "Compare the lease with its amendment");
      await answered(page);
      const table = page.getByTestId("comparison");
      expect(await table.locator("thead th[scope=col]").allInnerTexts()).toEqual(
        expect.arrayContaining([expect.stringContaining("Lease"), expect.stringContaining("Amendment 2024")]),
      );
      expect(await table.locator("tbody th[scope=row]").count()).toBe(3);
      expect(await table.getByText("not found", { exact: true }).count()).toBe(2);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await seriousViolations(page)).toEqual([]);
      await table.locator(".cite").nth(1).click();
      await page.locator("[data-testid=source-pane] [data-mark=quote]").first().waitFor();
      expect(await page.getByTestId("source-pane").innerText()).toContain("Amendment 2024.docx");
      expect(errors).toEqual([]);
      await close();
    }
  });

  it("keeps the side and the attribute of a comparison in view on a phone", async () => {
    const { page, close } = await open("/app", { viewport: { width: 390, height: 844 } });
    await ask(page, "Compare the lease with its amendment");
    await answered(page);
    const frame = page.getByTestId("comparison").locator("section");
    await frame.evaluate((node) => node.scrollTo({ left: 400 }));
    const [box, row] = [await frame.boundingBox(), await frame.locator("tbody th").first().boundingBox()];
    expect(Math.abs((row?.x ?? 0) - (box?.x ?? 0))).toBeLessThan(4);
    await close();
  });

  it("shows sub-questions with what each found, and folds how they came together", async () => {
    const { page, close } = await open();
    await ask(page, "How did the amendment change the notice?");
    await answered(page);
    expect(await page.getByTestId("run-line").innerText()).toContain("2 sub-questions");
    await page.getByTestId("run-line").click();
    const part = page.locator("[data-subject='What does the amendment say about notice?']");
    expect(await part.innerText()).toContain("the amendment shortens the notice for the mezzanine");
    const reasoning = page.getByTestId("reasoning");
    await reasoning.getByRole("button", { name: /2 sub-questions/ }).click();
    expect(await reasoning.innerText()).toContain("What does the lease say about notice?");
    expect(await seriousViolations(page)).toEqual([]);
    await reasoning.locator(".cite").first().click();
    await page.locator("[data-testid=source-pane] [data-mark=quote]").first().waitFor();
    await close();
  });

  it("leaves numbers and codes aside until they are asked for", async () => {
    const { page, close } = await open("/app/graph");
    const found = page.getByTestId("entities").getByRole("link");
    await page.getByText("10 that your documents mention.").waitFor();
    expect(await found.count()).toBe(10);
    expect(await found.filter({ hasText: /€ 4,160|1 March 2022/ }).count()).toBe(0);
    await page.getByLabel("Numbers and codes too").press("Space");
    await page.getByText("12 that your documents mention.").waitFor();
    expect(await found.filter({ hasText: /€ 4,160|1 March 2022/ }).count()).toBe(2);
    expect(page.url()).toContain("numbers=1");
    await page.getByLabel("Numbers and codes too").press("Space");
    await page.getByText("10 that your documents mention.").waitFor();
    await page.getByRole("button", { name: "Amounts" }).click();
    await expect.poll(() => found.count()).toBe(1);
    await close();
  });

  it("finds names and terms by name and kind, and keeps both in the address", async () => {
    const { page, errors, close } = await open("/app/graph");
    await page.getByTestId("entities").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "People" }).click();
    await page.getByPlaceholder("A name, a place, a term").fill("imke");
    await expect.poll(() => page.getByTestId("entities").getByRole("link").count()).toBe(1);
    await page.waitForURL(/type=PERSON.*q=imke|q=imke.*type=PERSON/);
    await page.reload();
    await expect.poll(() => page.getByTestId("entities").getByRole("link").count()).toBe(1);
    await page.getByPlaceholder("A name, a place, a term").fill("zzz");
    await page.getByTestId("no-entities").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("draws what surrounds a name, with the sentence behind each line, and says it in a list", async () => {
    for (const options of [{}, { colorScheme: "dark" as const }, { viewport: { width: 390, height: 844 } }]) {
      const { page, errors, close } = await open("/app/graph/e3", options);
      const drawn = page.getByTestId("neighbours");
      await drawn.waitFor();
      await drawn.getByRole("link", { name: /First amendment/ }).focus();
      await drawn.getByText("“First amendment to the lease of 14 Juniper Street”").waitFor();
      expect(await page.getByTestId("relations").getByRole("listitem").count()).toBe(8);
      expect(await seriousViolations(page)).toEqual([]);
      await page
        .getByTestId("relations")
        .getByRole("button", { name: /First amendment amends 14 Juniper Street/ })
        .click();
      await page.locator("[data-testid=source-pane] [data-mark]").first().waitFor();
      await page.keyboard.press("Escape");
      await drawn.getByRole("link", { name: /First amendment/ }).click();
      await page.getByRole("heading", { level: 1, name: /First amendment/ }).waitFor();
      expect(errors).toEqual([]);
      await close();
    }
  });

  it("shows the classes that ontologies give to a name, each with the sentence that says so", async () => {
    const { page, errors, close } = await open("/app/graph/e1");
    const classes = page.getByTestId("classes");
    await classes.getByText("Landlord", { exact: true }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await classes.getByRole("button", { name: /^Landlord: “.*Alder & Finch/ }).click();
    await page.locator("[data-testid=source-pane] [data-mark]").first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("marks the mentions of a name in a document, one after the other", async () => {
    const { page, errors, close } = await open("/app/library/d1");
    const names = page.getByTestId("document-entities");
    const street = names.getByRole("button", { name: /14 Juniper Street/ });
    await street.click();
    const view = page.getByTestId("view-text");
    await expect.poll(() => view.locator("mark").count()).toBe(2);
    const first = await view.locator("mark[data-mark=quote]").evaluate((node) => node.getBoundingClientRect().top);
    await street.click();
    await expect.poll(() => street.innerText()).toContain("2/2");
    expect(await view.locator("mark[data-mark=quote]").evaluate((node) => node.getBoundingClientRect().top)).not.toBe(first);
    await page.getByTestId("neighbours").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("names the documents that are linked to a source, and why", async () => {
    const { page, close } = await open("/app/library?doc=d1&tab=linked");
    const linked = page.getByTestId("linked");
    await linked.getByText("Amendment 2024.docx").waitFor();
    expect(await linked.innerText()).toContain("Both mention");
    expect(await seriousViolations(page)).toEqual([]);
    await linked.getByRole("button", { name: "Amendment 2024.docx" }).click();
    await page.waitForURL(/doc=d2/);
    await close();
  });
});
