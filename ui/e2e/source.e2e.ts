import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** What the source pane makes of a document, over the mock. */
describe("the source pane", () => {
  let browser: Browser;
  let mock: Awaited<ReturnType<typeof startMock>>;
  beforeAll(async () => {
    mock = await startMock(8981, "--many");
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
  });

  it("says that a page loads until it is drawn", async () => {
    const { page, close } = await openTab(browser, "about:blank");
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/documents/m1/file", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${mock.url}/app?doc=m1&tab=page`);
    await page.getByTestId("source-pane").getByRole("status").first().waitFor();
    answer();
    await page.getByRole("img", { name: "Page 1" }).waitFor();
    await expect.poll(() => page.getByText("Loading page 1 …").count()).toBe(0);
    await close();
  });

  it("lets each text take its own direction, and shows the whole of a long name", async () => {
    const { page, errors, close } = await openTab(browser, "about:blank", { viewport: { width: 390, height: 844 } });
    const name = `${"Mietvertrag_Lagerhalle_Hafenstrasse_".repeat(4)}Anlage.pdf`;
    await page.route("**/documents/m1", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ json: { ...(await response.json()), filename: name } });
    });
    await page.goto(`${mock.url}/app?doc=m1&tab=text`);
    const pane = page.getByTestId("source-pane");
    const title = pane.getByText(name);
    await title.waitFor();
    const [shown, line] = await title.evaluate((node) => [node.clientHeight, Number.parseFloat(getComputedStyle(node).lineHeight)] as const);
    expect(shown).toBeGreaterThan(1.8 * line);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await pane.getByTestId("view-text").locator("[dir=auto]").count()).toBeGreaterThan(3);
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });
});
