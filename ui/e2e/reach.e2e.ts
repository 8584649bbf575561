import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, MOVING, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

const picked = (name: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from("Notice is three months.") });
const upload = (page: Page, name: string) => page.locator("input[type=file]").first().setInputFiles(picked(name));
/** Lets the server finish the files that it holds. */
const release = (mock: { url: string }) => fetch(`${mock.url}/mock/release`, { method: "POST" });
const shot = async (page: Page, name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` });
};

/** The server goes and comes back; files take their time. */
describe("waiting", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8942);
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
  });

  it("asks a question as soon as its file is read", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`, MOVING);
    await upload(page, "held report.txt");
    await ask(page, "How much notice?");
    const queued = page.getByTestId("queued");
    await queued.waitFor();
    expect(await queued.innerText()).toContain("Will be asked as soon as held report.txt is read");
    expect(await page.getByTestId("turn").count()).toBe(0);
    expect(await seriousViolations(page)).toEqual([]);
    await shot(page, "queued");
    await release(mock);
    await answered(page);
    expect(await queued.count()).toBe(0);
    expect(await page.getByTestId("turn").innerText()).toContain("How much notice?");
    await close();
  });

  it("lets the question be taken back", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`, MOVING);
    await upload(page, "held report.txt");
    await ask(page, "How much notice?");
    await page.getByTestId("queued").waitFor();
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousViolations(page)).toEqual([]);
    await shot(page, "queued-dark");
    await page.getByRole("button", { name: "Take back" }).press("Enter");
    await page.getByTestId("queued").waitFor({ state: "detached" });
    expect(await page.getByLabel("Your question").inputValue()).toBe("How much notice?");
    await page.getByLabel("Your question").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByTestId("queued").waitFor();
    await page.getByLabel("Your question").press("Escape");
    await page.getByTestId("queued").waitFor({ state: "detached" });
    expect(await page.getByLabel("Your question").inputValue()).toBe("How much notice?");
    await close();
  });

  it("does not ask about a file that could not be read, and keeps the question", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`, MOVING);
    await upload(page, "held unreadable.txt");
    await ask(page, "How much notice?");
    await page.getByTestId("queued").waitFor();
    await release(mock);
    await page.getByText("because held unreadable.txt could not be read").first().waitFor();
    await expect.poll(() => page.getByLabel("Your question").inputValue()).toBe("How much notice?");
    expect(await page.getByTestId("turn").count()).toBe(0);
    await close();
  });

  it("shows that the server is gone, and is there again when the server is", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app`, MOVING);
    const status = page.getByTestId("status");
    await status.getByText("On this machine").waitFor();
    await ask(page, "slow: how much notice?");
    await page.getByTestId("run-line").getByText("Athena").waitFor();
    mock.stop();
    await status.getByText("Reconnecting…").waitFor();
    await page.getByTestId("run-line").getByText("Reconnecting…").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await shot(page, "reconnecting");
    await page.emulateMedia({ colorScheme: "dark" });
    await shot(page, "reconnecting-dark");
    mock = await startMock(Number(new URL(mock.url).port));
    await status.getByText("On this machine").waitFor();
    await page.getByTestId("run-line").getByText("Reconnecting…").waitFor({ state: "detached" });
    await page.goto(`${mock.url}/app`);
    await page.getByTestId("starters").getByRole("button").first().waitFor();
    await close();
  });
});
