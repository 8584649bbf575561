import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** A question is kept from the moment that it is sent: over a crash of the server, in another window, and with the reason why it failed. */
describe("a question that was sent", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8941);
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
  });

  it("is there as interrupted when its run went with the server, and is asked again in its place", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`);
    await ask(page, "crash: how much notice?");
    const kept = page.getByTestId("interrupted");
    await kept.waitFor({ timeout: 30_000 });
    expect(await page.getByTestId("turn").count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    await kept.waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousViolations(page)).toEqual([]);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/interrupted-dark.png` });
    await page.emulateMedia({ colorScheme: "light" });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/interrupted.png` });
    await kept.getByRole("button", { name: "Retry" }).press("Enter");
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await page.reload();
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await close();
  });

  it("is asked again of the same files after a reload", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles({ name: "report.txt", mimeType: "text/plain", buffer: Buffer.from("Notice.") });
    await ask(page, "crash: how much notice?");
    await page.getByTestId("interrupted").waitFor();
    await page.reload();
    const sent = page.waitForRequest("**/search/stream");
    await page.getByTestId("interrupted").getByRole("button", { name: "Retry" }).click();
    const body = (await sent).postDataJSON();
    expect(body).toMatchObject({ query: "crash: how much notice?", attached_documents: [expect.any(String)], replaces: expect.any(String) });
    expect(page.url()).toContain(body.conversation_id);
    await answered(page);
    expect(await page.getByTestId("turn").count()).toBe(1);
    await close();
  });

  it("is shown as running in another window, and ends there as well", async () => {
    const first = await openTab(browser, `${mock.url}/app`);
    await ask(first.page, "slow: how much notice?");
    await first.page.waitForURL(/\/app\/c\//);
    const second = await openTab(browser, first.page.url());
    await second.page.locator("[data-testid=turn][data-state=live]").waitFor();
    expect(await second.page.getByTestId("interrupted").count()).toBe(0);
    await answered(second.page);
    await answered(first.page);
    expect(await second.page.getByTestId("turn").count()).toBe(1);
    await first.close();
    await second.close();
  });

  it("keeps the reason of a failure over a reload, and is asked again in its place", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`);
    await ask(page, "please fail");
    await answered(page, "failed");
    await page.reload();
    await answered(page, "failed");
    expect(await page.getByRole("alert").innerText()).toContain("The index is being rebuilt");
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).click();
    await page.locator("[data-testid=turn][data-state=live]").waitFor();
    await answered(page, "failed");
    expect(await page.getByTestId("turn").count()).toBe(1);
    await close();
  });
});
