import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** The line that offers a better model for finding passages, over scripted servers. */
describe("a better embedding model", () => {
  let browser: Browser;
  let older: { url: string; stop: () => void };
  let newest: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    older = await startMock(8941, "--older-model");
    newest = await startMock(8942);
  });
  afterAll(async () => {
    await browser?.close();
    older?.stop();
    newest?.stop();
  });

  it("is offered, gets ready while the page is used, and is not spoken of afterwards", async () => {
    const { page, close, errors } = await openTab(browser, `${older.url}/app/library`);
    const line = page.getByTestId("embedder");
    await line.getByText("A better model for finding passages is available: granite-embedding-30m-english.").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await line.getByRole("button", { name: "Switch" }).click();
    await line.getByText(/is being prepared: \d+ of 40 documents\. It takes over when that is complete/).waitFor();
    expect(await line.getByRole("button").count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    const bar = line.getByRole("progressbar");
    const before = Number(await bar.getAttribute("aria-valuenow"));
    await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow")), { timeout: 10_000 }).toBeGreaterThan(before);
    await line.waitFor({ state: "detached", timeout: 15_000 });
    await close();
    expect(errors).toEqual([]);
  });

  it("is not spoken of where the library has it", async () => {
    const { page, close, errors } = await openTab(browser, `${newest.url}/app/library`);
    await page.getByTestId("documents").locator("tbody tr").first().waitFor();
    expect(await page.getByTestId("embedder").count()).toBe(0);
    await close();
    expect(errors).toEqual([]);
  });
});
