import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, type Opened, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** The states that need a script behind them: a model that writes, a run that fails, a lost connection, an empty library. */
describe("the states of a conversation", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  let empty: { url: string; stop: () => void };
  let opened: Opened;
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8931);
    empty = await startMock(8932, "--empty");
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });

  it("writes token by token and marks the sentence that no source bears out", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    const { page } = opened;
    await ask(page, "Let the model write slowly about notice, slow");
    await page.getByTestId("streaming").waitFor({ timeout: 30_000 });
    const early = await page.getByTestId("streaming").innerText();
    await answered(page);
    const unsupported = page.locator("[data-support=unsupported]");
    expect(await unsupported.count()).toBe(1);
    expect(await unsupported.innerText()).toContain("The landlord usually agrees");
    expect((await page.getByTestId("answer").innerText()).length).toBeGreaterThan(early.length);
    expect(await page.getByTestId("generated-by").innerText()).toContain("qwen3-vl:8b");
    expect(await page.locator(".answer strong").first().innerText()).toBe("six months");
    expect(await seriousViolations(page)).toEqual([]);
    expect(opened.errors).toEqual([]);
    await opened.close();
  });

  it("takes up a run whose connection was lost, without showing a step twice", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    await ask(opened.page, "The connection is lost, how much notice?");
    await answered(opened.page);
    await opened.page.getByTestId("run-line").click();
    expect(await opened.page.locator("[aria-label='What each agent did'] > li").count()).toBe(9);
    await opened.close();
  });

  it("takes up a run that was going on when the page was reloaded", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    const { page } = opened;
    await ask(page, "slow: how much notice?");
    await page.waitForURL(/\/app\/c\//);
    await page.getByTestId("run-line").getByText("Athena").waitFor();
    await page.reload();
    await page.locator("[data-testid=turn][data-state=live]").waitFor();
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await opened.close();
  });

  it("stops with Esc and shows what was found so far", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    const { page } = opened;
    await ask(page, "slow: how much notice?");
    await page.getByTestId("run-line").getByText("Proteus").waitFor();
    await page.keyboard.press("Escape");
    await answered(page, "stopped");
    expect(await page.getByTestId("turn").innerText()).toContain("Stopped. This is what was found so far.");
    await opened.close();
  });

  it("says what failed in its place and asks again on request", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    const { page } = opened;
    await ask(page, "please fail");
    await answered(page, "failed");
    const alert = page.getByRole("alert");
    expect(await alert.innerText()).toContain("The index is being rebuilt");
    expect(await alert.innerText()).toContain("Ask again in a minute.");
    expect(await seriousViolations(page)).toEqual([]);
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.locator("[data-testid=turn][data-state=live]").waitFor();
    await answered(page, "failed");
    expect(await page.getByTestId("turn").count()).toBe(1);
    await opened.close();
  });

  it("offers the choices of a question back, and answers with the one that is chosen", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    const { page } = opened;
    await ask(page, "Which? notice");
    await page.getByTestId("clarification").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "The mezzanine" }).click();
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await opened.close();
  });

  it("says what did not run", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    await ask(opened.page, "degraded: how much notice?");
    await answered(opened.page);
    expect(await opened.page.getByTestId("degraded").innerText()).toContain("Answered without language model");
    await opened.close();
  });

  it("sets cited rows as a table with its header and marks the cells", async () => {
    opened = await openTab(browser, `${mock.url}/app`);
    const { page } = opened;
    await ask(page, "What did it cost in March?");
    const table = page.getByTestId("answer-table");
    await table.waitFor();
    expect(await table.locator("th").allInnerTexts()).toEqual(expect.arrayContaining(["Month", "Rent", "Total"]));
    expect(await table.locator("td[data-marked=true]").allInnerTexts()).toEqual(["March", "5,555", "735", "1,290", "7,580"]);
    await page.locator(".cite").first().click();
    const row = page.locator("[data-testid=source-pane] tr[data-mark=quote]");
    await row.waitFor();
    expect(await row.innerText()).toContain("March");
    await opened.close();
  });

  it("asks one question on the first visit and reads the sample library", async () => {
    opened = await openTab(browser, `${empty.url}/`);
    const { page } = opened;
    await page.getByTestId("first-visit").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel("Path of the folder").fill("/missing/folder");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("alert").innerText()).toContain("There is no such folder");
    await page.getByRole("button", { name: "Try the sample library" }).click();
    await page.getByTestId("job").waitFor();
    await page.getByTestId("starters").waitFor({ timeout: 20_000 });
    expect(opened.errors.filter((error) => !error.includes("404"))).toEqual([]);
    await opened.close();
  });
});
