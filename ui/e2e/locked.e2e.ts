import { readFile } from "node:fs/promises";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_LOCKED_URL ?? "";
const password = process.env.VANTAGE_LOCKED_PASSWORD ?? "";

/** The real server over an archive that was locked when it was read; Vantage keeps no passwords. */
describe.skipIf(base === "")("a document in a locked archive (VANTAGE_LOCKED_URL)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });

  it("shows its pages and the file itself once the password is given again", async () => {
    const { page, close } = await openPage(browser, `${base}/app`);
    await ask(page, "With which number does the safe of the lighthouse open?");
    await answered(page);
    await page.locator(".cite").first().click();
    const pane = page.getByTestId("source-pane");
    const locked = pane.getByTestId("locked");
    // Its words are there at once; its pages wait for the password.
    await pane.getByRole("note").filter({ hasText: "locked" }).waitFor({ timeout: 60_000 });
    await pane.getByRole("tab", { name: "Page" }).click();
    await locked.waitFor({ timeout: 60_000 });
    await locked.getByLabel("Password of the file").fill("wrong");
    await locked.getByRole("button", { name: "Show the pages" }).click();
    await locked.getByRole("alert").waitFor({ timeout: 60_000 });
    await locked.getByLabel("Password of the file").fill(password);
    await locked.getByRole("button", { name: "Show the pages" }).click();
    await pane.locator("[data-page] [data-mark=quote]").first().waitFor({ timeout: 60_000 });

    await pane.getByRole("link", { name: "Open the file itself" }).click();
    const dialog = page.getByRole("dialog", { name: "This file is locked" });
    await dialog.waitFor({ timeout: 60_000 });
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByLabel("Password of the file").fill("wrong");
    await dialog.getByRole("button", { name: "Download it" }).click();
    await dialog.getByRole("alert").waitFor({ timeout: 60_000 });
    const coming = page.waitForEvent("download", { timeout: 60_000 });
    await dialog.getByLabel("Password of the file").fill(password);
    await dialog.getByRole("button", { name: "Download it" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("safe.pdf");
    expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");
    await dialog.waitFor({ state: "detached" });
    await close();
  }, 240_000);
});
