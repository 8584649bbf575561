import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_KEYED_URL ?? "";
const key = process.env.VANTAGE_KEYED_KEY ?? "";

describe.skipIf(base === "")("a server that wants a key (VANTAGE_KEYED_URL)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it("asks for it once, refuses a wrong one in words, and lets the right one in for good", async () => {
    const { page, close } = await openPage(browser, `${base}/app`);
    await page.getByTestId("gate").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel("Key").fill("not the key at all");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This key is not valid").waitFor();
    await page.getByLabel("Key").fill(key);
    await page.keyboard.press("Enter");
    await page.getByTestId("first-visit").waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    await page.reload();
    await page.getByTestId("first-visit").waitFor();
    await close();
  });
});
