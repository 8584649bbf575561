import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { answered, ask, launch, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

const remembered = "How did the amendment change the notice, do you remember?";

/** What is remembered of a person, where it is shown and how it is taken back. */
describe("memory", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  let empty: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    empty = await startMock(8942, "--empty");
  });
  beforeEach(async () => {
    mock?.stop();
    mock = await startMock(8941);
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });
  const section = (page: Page, name: string) => page.locator(`[data-section=${name}]`);

  it("is shown by tier, with what was learned and why, in both themes and on a phone", async () => {
    for (const options of [{}, { colorScheme: "dark" as const }, { viewport: { width: 390, height: 844 } }]) {
      const { page, errors, close } = await openTab(browser, `${mock.url}/app/memory`, options);
      await page.getByTestId("weights").waitFor();
      expect(await page.getByTestId("weights").innerText()).toContain("In 7 of 9 answers you opened what the words had found first.");
      for (const [name, words] of [
        ["notes", "For the mezzanine the notice period"],
        ["profile", "You often ask about notice."],
        ["procedural", "You opened a source of an answer"],
        ["episodic", "What did the workshop cost in March?"],
        ["session", "And for the mezzanine?"],
      ] as const)
        expect(await section(page, name).innerText()).toContain(words);
      expect(await page.getByTestId("consolidations").innerText()).toContain("Two notes about the mezzanine became one.");
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await seriousViolations(page)).toEqual([]);
      expect(errors).toEqual([]);
      await close();
    }
  });

  it("lets a note be put in other words and keeps the old ones in its history", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/memory`);
    await page.getByRole("button", { name: /Edit “For the mezzanine/ }).click();
    const field = page.getByLabel("Text of the note");
    await field.fill("Three months for the mezzanine, in writing.");
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    const note = section(page, "notes").locator("[data-memory=n1]");
    await note.getByText("Three months for the mezzanine, in writing.").waitFor();
    await note.getByRole("button", { name: "More" }).click();
    expect(await note.innerText()).toContain("Before: “For the mezzanine the notice period is three months when the Tenant gives notice.”");
    await close();
  });

  it("forgets a line only after it was asked", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/memory`);
    const line = page.locator("[data-memory=r2]");
    await line.getByRole("button", { name: /^Forget/ }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.innerText()).toContain("What did the workshop cost in March?");
    await dialog.getByRole("button", { name: "Keep it" }).click();
    expect(await line.count()).toBe(1);
    await line.getByRole("button", { name: /^Forget/ }).click();
    await dialog.getByRole("button", { name: "Forget it" }).click();
    await line.waitFor({ state: "detached" });
    await close();
  });

  it("forgets one conversation, then everything, and says what went", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/memory`);
    await page
      .locator("[data-session=c1]")
      .getByRole("button", { name: /More about the conversation/ })
      .click();
    await page.getByRole("menuitem", { name: "Forget this conversation" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Forget it" }).click();
    await dialog.getByText("Removed: 2 turns of a conversation.").waitFor();
    expect(await page.getByTestId("removed").innerText()).toContain("And for the mezzanine?");
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.locator("[data-session=c1]").waitFor({ state: "detached" });
    expect(await page.locator("[data-session=c2]").count()).toBe(1);

    await page.getByRole("button", { name: "Forget everything" }).click();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Forget everything" }).click();
    await dialog.getByText(/^Removed: 1 turn of a conversation, 2 earlier questions/).waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
    await page.getByTestId("memory-empty").waitFor();
    await close();
  });

  it("consolidates on request and says what changed, then that nothing is left to do", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/memory`);
    await page.getByRole("button", { name: "Consolidate now" }).click();
    await page.getByTestId("consolidated").getByText("Your profile was brought up to date.").waitFor();
    await page.getByRole("button", { name: "Consolidate now" }).click();
    await page.getByTestId("consolidated").getByText("Nothing to tidy up").waitFor();
    await close();
  });

  it("is empty at first, and says how it fills", async () => {
    const { page, errors, close } = await openTab(browser, `${empty.url}/app/memory`);
    await page.getByTestId("memory-empty").waitFor();
    expect(await page.getByRole("button", { name: "Forget everything" }).count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("says in an answer what it did, and is undone by asking without it", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`);
    await ask(page, remembered);
    await answered(page);
    const used = page.getByTestId("memory-used");
    expect(await used.innerText()).toContain("2 memories used; your clicks moved lexical .30 → .45");
    await used.getByRole("button", { name: /2 memories used/ }).click();
    expect(await used.innerText()).toContain("Shown beside what the documents say.");
    expect(await seriousViolations(page)).toEqual([]);
    await used.getByRole("button", { name: "Answer without memory" }).click();
    await page.getByTestId("without-memory").waitFor();
    await expect.poll(() => page.getByTestId("turn").count()).toBe(2);
    expect(await page.getByTestId("memory-used").count()).toBe(1);
    await close();
  });

  it("hears of citations, results, thumbs, corrections and of a question that is asked again", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`);
    const heard = (): Promise<{ kind: string; correction?: string }[]> => page.evaluate(async () => (await fetch("/mock/feedback")).json());
    await ask(page, "How much notice must we give?");
    await answered(page);
    await page.locator(".answer .cite").first().click();
    await page.getByRole("button", { name: /considered, not cited/ }).click();
    await page
      .getByTestId("sources")
      .getByRole("button", { name: /Notice for the mezzanine.eml/ })
      .first()
      .click();
    await page.getByRole("button", { name: "This answer is not good" }).click();
    await page.getByLabel("What would be right?").fill("Three months for the mezzanine.");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Noted, thank you").waitFor();
    await page.getByRole("button", { name: "This answer is good" }).click();
    await ask(page, "how much notice must we give");
    await expect
      .poll(async () => (await heard()).map((one) => one.kind))
      .toEqual(["open_citation", "click", "thumbs_down", "correction", "thumbs_up", "reask"]);
    expect((await heard()).find((one) => one.kind === "correction")?.correction).toBe("Three months for the mezzanine.");
    await close();
  });

  it("is reached from the rail and from the palette", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Memory" }).click();
    await page.getByTestId("memory").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/Open a document/).fill("people, places");
    await page.keyboard.press("Enter");
    await page.getByTestId("graph").waitFor();
    await close();
  });
});
