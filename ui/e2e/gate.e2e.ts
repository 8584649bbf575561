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
    await page.getByLabel("Key", { exact: true }).fill("not the key at all");
    // The server is asked again meanwhile: what was typed stays.
    for (let answers = 0; answers < 2; answers++) await page.waitForResponse((response) => response.url().endsWith("/health"));
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    expect(await page.getByLabel("Key", { exact: true }).inputValue()).toBe("not the key at all");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("This key is not valid").waitFor();
    await page.getByLabel("Key", { exact: true }).fill(key);
    await page.keyboard.press("Enter");
    await page.getByTestId("first-visit").waitFor();
    expect(await page.evaluate(() => document.cookie)).toBe("");
    const shown = JSON.stringify(await page.context().cookies());
    expect(shown).toContain("vantage_session");
    expect(shown).not.toContain(key);
    await page.reload();
    await page.getByTestId("first-visit").waitFor();
    await close();
  });

  it("signs out: the gate again, and nothing is left that opens it", async () => {
    const { page, close } = await openPage(browser, `${base}/app`);
    await page.getByTestId("gate").waitFor();
    await page.getByLabel("Key", { exact: true }).fill(key);
    await page.keyboard.press("Enter");
    await page.getByTestId("first-visit").waitFor();
    const kept = await page.context().cookies();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByTestId("gate").waitFor();
    expect(await page.context().cookies()).toEqual([]);
    await page.context().addCookies(kept);
    await page.reload();
    await page.getByTestId("gate").waitFor();
    await close();
  });
});
