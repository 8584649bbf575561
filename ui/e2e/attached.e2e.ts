import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, MOVING, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

const file = (name: string) => ({ name, mimeType: "application/octet-stream", buffer: Buffer.from(name) });

/** Files with a question: their way through the three agents, one that cannot be read, and what was found in each. */
describe("attached files", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8961);
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
  });

  const ready = (page: Page, count: number) =>
    expect.poll(() => page.locator("[data-testid=attachment][data-state=ready]").count(), { timeout: 15_000 }).toBe(count);
  const attachLease = async (page: Page) => {
    await page.getByRole("button", { name: "Ask only some files" }).click();
    await page.getByRole("menuitem", { name: "Ask only …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: "Juniper Street lease.pdf" }).check();
    await dialog.getByRole("button", { name: "Ask", exact: true }).click();
  };

  it("shows each file's own progress, says why one failed, and goes on with the others", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app`, MOVING);
    await page.getByTestId("starters").waitFor();
    await page.getByTestId("file-input").setInputFiles([file("broken.pdf"), file("Minutes.docx")]);
    await ready(page, 2);
    await attachLease(page);
    await ask(page, "slow: what is in these?");
    const progress = page.getByTestId("attached-progress");
    const failed = progress.locator("[data-file='broken.pdf'][data-state=failed]");
    await failed.waitFor();
    expect(await failed.innerText()).toContain("The file ends in the middle of a page");
    await progress.locator("[data-file='Minutes.docx'][data-state=done]").waitFor({ timeout: 30_000 });
    expect(await seriousViolations(page)).toEqual([]);
    await answered(page);
    const cards = page.getByTestId("attached").locator("article");
    expect(await cards.count()).toBe(3);
    expect(await cards.first().innerText()).toContain("The answer uses the other files.");
    expect(errors).toEqual([]);
    await close();
  });

  it("shows summary, key points, tasks and questions of each, and opens the source at a line", async () => {
    for (const options of [{}, { colorScheme: "dark" as const }, { viewport: { width: 390, height: 844 } }]) {
      const { page, errors, close } = await openTab(browser, `${mock.url}/app`, { ...MOVING, ...options });
      await page.getByTestId("starters").waitFor();
      await attachLease(page);
      await ask(page, "What is in this?");
      await answered(page);
      const card = page.locator("[data-testid=attached] [data-file='Juniper Street lease.pdf']");
      for (const words of [
        "The lease begins on 1 March 2022",
        "Key points",
        "Action items",
        "due on leaving",
        "neutral",
        "4 sections, 1 table, 2 pages",
      ])
        expect((await card.innerText()).toLowerCase()).toContain(words.toLowerCase());
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
      expect(await seriousViolations(page)).toEqual([]);
      await card.getByRole("button", { name: /payable monthly in advance/ }).click();
      await page.locator("[data-testid=source-pane] [data-mark]").first().waitFor({ timeout: 20_000 });
      expect(errors).toEqual([]);
      await close();
    }
  });

  it("takes files that are dropped and pasted", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`, MOVING);
    await page.getByTestId("starters").waitFor();
    await page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["a"], "Dropped.md"));
      for (const kind of ["dragenter", "dragover", "drop"])
        window.dispatchEvent(new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true }));
      const pasted = new DataTransfer();
      pasted.items.add(new File(["b"], "Pasted.md"));
      document.querySelector("textarea")?.dispatchEvent(new ClipboardEvent("paste", { clipboardData: pasted, bubbles: true, cancelable: true }));
    });
    await ready(page, 2);
    expect((await page.getByTestId("attachment").allInnerTexts()).join(" ")).toMatch(/Dropped\.md[\s\S]*Pasted\.md/);
    await close();
  });
});
