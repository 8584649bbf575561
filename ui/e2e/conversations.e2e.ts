import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, type Opened, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};
const rail = (page: Page) => page.getByRole("navigation", { name: "Main" });
const titles = (page: Page) => rail(page).locator("section a").allInnerTexts();

/** In their order: the first test asks what the others find, pin, branch and delete. */
describe("conversations", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  let opened: Opened;
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8943);
    opened = await openTab(browser, `${mock.url}/app`);
  });
  afterAll(async () => {
    await opened?.close();
    await browser?.close();
    mock?.stop();
  });

  it("answers a question again in its place", async () => {
    const { page } = opened;
    await ask(page, "How much notice?");
    await answered(page);
    await ask(page, "And the rent in March?");
    await expect.poll(() => page.locator("[data-testid=turn][data-state=success]").count()).toBe(2);
    await page.getByTestId("turn").first().getByRole("button", { name: "Answer again" }).press("Enter");
    await page.locator("[data-testid=turn][data-state=live]").waitFor();
    await expect.poll(() => page.locator("[data-testid=turn][data-state=success]").count()).toBe(2);
    await page.reload();
    await expect.poll(() => page.locator("[data-testid=turn][data-state=success]").count()).toBe(2);
    expect(await page.getByTestId("turn").first().innerText()).toContain("How much notice?");
  });

  it("branches at an earlier question, whose words are there to be changed", async () => {
    const { page } = opened;
    const before = page.url();
    await page.getByTestId("turn").last().hover();
    await shot(page, "turn-actions");
    await page.getByTestId("turn").last().getByRole("button", { name: "Branch here" }).press("Enter");
    await expect.poll(() => page.url()).not.toBe(before);
    await expect.poll(() => page.getByTestId("turn").count()).toBe(1);
    await expect.poll(() => page.getByLabel("Your question").inputValue()).toBe("And the rent in March?");
    expect(await page.getByTestId("turn").innerText()).toContain("How much notice?");
    await page.goto(before);
    await expect.poll(() => page.getByTestId("turn").count()).toBe(2);
  });

  it("pins a conversation in front of the others, and exports it", async () => {
    const { page } = opened;
    await page.goto(`${mock.url}/app`);
    await ask(page, "degraded: how much notice?");
    await answered(page);
    await expect.poll(() => titles(page)).toHaveLength(3);
    const last = (await titles(page)).at(-1) ?? "";
    await rail(page)
      .getByRole("button", { name: `More about “${last}”` })
      .last()
      .press("Enter");
    await shot(page, "conversation-menu");
    const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("menuitem", { name: "Export as Markdown" }).press("Enter")]);
    expect(readFileSync(await file.path(), "utf8")).toContain(`# ${last}`);
    await page.keyboard.press("Escape");
    await rail(page)
      .getByRole("button", { name: `More about “${last}”` })
      .last()
      .press("Enter");
    await page.getByRole("menuitem", { name: "Pin" }).press("Enter");
    const pinned = rail(page).getByRole("region", { name: "Pinned" });
    await pinned.waitFor();
    await expect.poll(async () => (await titles(page))[0]).toBe(last);
    await shot(page, "pinned");
  });

  it("finds conversations by their words, and deletes several at once", async () => {
    const { page } = opened;
    await rail(page).getByRole("button", { name: "Conversations" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Conversations" });
    await dialog.getByText("3 conversations").waitFor();
    await dialog.getByLabel("Search questions and answers").fill("RENT march");
    await dialog.getByText("1 conversation", { exact: true }).waitFor();
    expect(await dialog.getByRole("listitem").innerText()).toContain("And the rent in March?");
    expect(await seriousViolations(page)).toEqual([]);
    await shot(page, "conversations");
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousViolations(page)).toEqual([]);
    await shot(page, "conversations-dark");
    await dialog.getByLabel("Search questions and answers").fill("nothing of that kind");
    await dialog.getByText("No conversation has these words.").waitFor();
    await dialog.getByLabel("Search questions and answers").fill("");
    await dialog.getByText("3 conversations").waitFor();
    for (const box of await dialog
      .getByRole("checkbox")
      .all()
      .then((all) => all.slice(0, 2)))
      await box.press("Space");
    await dialog.getByRole("button", { name: "Delete 2 conversations" }).press("Enter");
    await dialog.getByRole("button", { name: "Yes, delete 2 conversations" }).press("Enter");
    await dialog.getByText("1 conversation", { exact: true }).waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => titles(page)).toHaveLength(1);
    expect(opened.errors).toEqual([]);
  });
});
