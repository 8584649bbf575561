import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openPage, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

interface Desktop {
  shown: { title: string; body: string; tag: string }[];
  allow: "granted" | "denied";
  front: boolean;
  click: () => void;
}

/** A desktop that keeps what it is told to show, and a person who answers the browser as `allow` says. */
const desktop = () => {
  const state: Desktop = { shown: [], allow: "granted", front: false, click: () => undefined };
  class Shown {
    static permission: NotificationPermission = "default";
    static requestPermission = async () => {
      Shown.permission = state.allow;
      return Shown.permission;
    };
    onclick = () => undefined;
    constructor(title: string, { body = "", tag = "" }: NotificationOptions) {
      state.shown.push({ title, body, tag });
      state.click = () => this.onclick();
    }
    close() {}
  }
  Object.assign(window, { Notification: Shown, desktop: state });
  document.hasFocus = () => state.front;
};
const told = (page: Page) => page.evaluate(() => (window as unknown as { desktop: Desktop }).desktop.shown);

describe("settings and languages (the mock)", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  beforeAll(async () => {
    [browser, mock] = await Promise.all([launch(), startMock(8934)]);
  });
  afterAll(async () => {
    mock.stop();
    await browser.close();
  });
  const row = (key: string) => `[data-setting="${key}"]`;

  it("is reached from the rail and the palette, and changes a setting with its default and its place beside it", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app/memory`);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
    const words = page.locator(row("answers.max_words"));
    await words.getByLabel("Words in an answer").fill("80");
    await page.keyboard.press("Enter");
    await words.getByText("set on this page · default: 120").waitFor();
    await words.getByRole("button", { name: "Reset" }).click();
    await words.getByText("the default").waitFor();
    expect(await words.getByLabel("Words in an answer").inputValue()).toBe("120");
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/Open a document/).fill("settings");
    await page.getByRole("option", { name: "Open the settings" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("refuses what cannot be, keeps what was typed, and says what the environment has set", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/settings`);
    const words = page.locator(row("answers.max_words"));
    const field = words.getByLabel("Words in an answer");
    await field.fill("5");
    await words.getByRole("alert").getByText("A number from 20 to 1000.").waitFor();
    await page.keyboard.press("Escape");
    expect(await field.inputValue()).toBe("120");
    await field.fill("999");
    await page.keyboard.press("Enter");
    await words.getByRole("alert").getByText("answers.max_words: not 999.").waitFor();
    expect(await field.inputValue()).toBe("999");
    const sentences = page.locator(row("answers.max_sentences"));
    expect(await sentences.getByLabel("Sentences in an answer").isDisabled()).toBe(true);
    await sentences.getByText("VANTAGE_ANSWERS__MAX_SENTENCES sets this.").waitFor();
    await close();
  });

  it("chooses among the models that Ollama has, and tests the chosen one", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/settings`);
    await page.getByRole("button", { name: "Test the language model" }).click();
    const result = page.getByTestId("model-test");
    await result.getByText("qwen3-vl:8b replied after 1.24 s: “ready”").waitFor();
    const model = page.locator(row("ollama.unified_model.name"));
    await model.getByLabel("Language model").selectOption("small:1b");
    await model.getByText("Takes effect when the server is restarted; until then: qwen3-vl:8b").waitFor();
    await page.getByRole("button", { name: "Test the language model" }).click();
    await result.getByText("small:1b took too long.").waitFor();
    await close();
  });

  it("switches to another embedding model that is installed, while the page goes on", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app/settings`);
    const model = page.getByTestId("embedding-model");
    const choice = model.getByLabel("Embedding model");
    await choice.selectOption("all-MiniLM-L6-v2");
    await model.getByText("it takes over when all are ready").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await model.getByRole("button", { name: "Switch" }).click();
    await model.getByText(/all-MiniLM-L6-v2 is being prepared: \d+ of 40 documents\./).waitFor();
    expect(await choice.isDisabled()).toBe(true);
    await model.getByText("A better model for finding passages is available").waitFor({ timeout: 20_000 });
    expect([await choice.isDisabled(), await choice.inputValue()]).toEqual([false, "all-MiniLM-L6-v2"]);
    expect(errors).toEqual([]);
    await close();
  });

  it("adds a folder and forgets one", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app/settings`);
    const folders = page.getByTestId("settings-folders").getByRole("listitem");
    await folders.first().waitFor();
    const before = await folders.count();
    await page.getByRole("button", { name: "Add folder" }).click();
    await page.getByLabel("Path of the folder").fill("/home/ada/minutes");
    await page.keyboard.press("Enter");
    await expect.poll(() => folders.count(), { timeout: 15_000 }).toBe(before + 1);
    await page.getByRole("button", { name: "Forget /home/ada/minutes" }).click();
    const dialog = page.getByRole("dialog", { name: "Forget this folder?" });
    await dialog.getByText(/The files on the disk stay as they are/).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Forget it" }).click();
    await expect.poll(() => folders.count()).toBe(before);
    expect(errors).toEqual([]);
    await close();
  });

  it("shows what only config.yaml can change, with the line to write", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/settings`);
    const all = page.getByTestId("all-settings");
    await all.getByText(/^All settings/).click();
    await all.getByLabel("Find a setting").fill("port");
    await all.getByText("server.port").click();
    await all.getByText("VANTAGE_SERVER__PORT").waitFor();
    expect(await all.getByRole("listitem").count()).toBe(1);
    await close();
  });

  it("lists the features, says why one cannot run, switches those that may change now and takes a switch back", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app/settings`);
    const features = page.getByTestId("features");
    await features.getByText("Features").click();
    const rerank = features.locator("[data-feature=rerank]");
    const toggle = rerank.getByRole("switch", { name: "rerank" });
    await toggle.click();
    await rerank.getByText("search.rerank.enabled is false").waitFor();
    await rerank.getByText("set on this page").waitFor();
    expect(await toggle.isChecked()).toBe(false);
    await rerank.getByRole("button", { name: "Reset" }).click();
    await rerank.getByText("the default").waitFor();
    expect(await toggle.isChecked()).toBe(true);
    expect(await features.getByRole("switch", { name: "structure" }).isChecked()).toBe(false);
    await features.locator("[data-feature=language_model]").getByText("Ollama does not answer").waitFor();
    const watching = features.locator("[data-feature=watching]");
    await watching.getByText("Only config.yaml or the environment can change this.").waitFor();
    expect(await watching.getByRole("switch", { name: "watching" }).isDisabled()).toBe(true);
    const sentences = features.locator("[data-feature=many_sentences]");
    await sentences.getByText("VANTAGE_ANSWERS__MAX_SENTENCES sets this.").waitFor();
    expect(await sentences.getByRole("switch", { name: "many sentences" }).isDisabled()).toBe(true);
    expect(errors).toEqual([]);
    await features.getByRole("switch", { name: "cross language" }).click();
    await features.getByRole("alert").getByText("What cross_language needs is not there.").waitFor();
    expect(await features.getByRole("switch", { name: "cross language" }).isChecked()).toBe(false);
    expect(await seriousViolations(page)).toEqual([]);
    await close();
  });

  it("speaks German when it is chosen, keeps that over a reload, and comes back", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app/settings`);
    await page.getByLabel("Language of this page").selectOption("de");
    await page.getByRole("heading", { level: 1, name: "Einstellungen" }).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    await page.reload();
    await page.getByRole("navigation", { name: "Hauptnavigation" }).getByRole("link", { name: "Gedächtnis" }).click();
    await page.getByText(/Einträge über Sie/).waitFor();
    expect(await page.title()).toBe("Gedächtnis · Vantage");
    await page.goto(`${mock.url}/app/settings`);
    await page.getByLabel("Sprache dieser Seite").selectOption("en");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("asks on a click whether it may notify, and tells of a long indexing while the person looks elsewhere", async () => {
    const { page, errors, close } = await openPage(browser, "about:blank");
    await page.addInitScript(desktop);
    await page.goto(`${mock.url}/app/settings`);
    const rail = page.getByRole("navigation", { name: "Main" });
    const index = async (path: string) => {
      await rail.getByRole("link", { name: "Library" }).click();
      await page.getByRole("button", { name: "Add folder" }).click();
      await page.getByLabel("Path of the folder").fill(path);
      await page.keyboard.press("Enter");
      await page.getByText(/^Done: /).waitFor();
      await page.getByRole("button", { name: "Dismiss" }).last().click();
      await page.getByText(/^Done: /).waitFor({ state: "detached" });
    };
    await page.getByRole("switch", { name: "Notify me when a long indexing ends" }).click();
    await expect.poll(() => page.getByRole("switch", { name: "Notify me" }).isChecked()).toBe(true);
    await index("/home/ada/quick");
    expect(await told(page)).toEqual([]);
    await index("/home/ada/a long time");
    expect(await told(page)).toEqual([
      { title: "Reading has ended: a long time", body: "6 files read, nothing needs attention.", tag: expect.stringMatching(/^vantage-j/) },
    ]);
    await rail.getByRole("link", { name: "Memory" }).click();
    await page.evaluate(() => (window as unknown as { desktop: Desktop }).desktop.click());
    await expect.poll(() => new URL(page.url()).pathname).toBe("/app/library");
    await page.evaluate(() => Object.assign((window as unknown as { desktop: Desktop }).desktop, { front: true }));
    await index("/home/ada/a long time");
    expect(await told(page)).toHaveLength(1);
    expect(errors).toEqual([]);
    await close();
  });

  it("says what to do where the browser does not allow it", async () => {
    const { page, close } = await openPage(browser, "about:blank");
    await page.addInitScript(desktop);
    await page.goto(`${mock.url}/app/settings`);
    await page.evaluate(() => Object.assign((window as unknown as { desktop: Desktop }).desktop, { allow: "denied" }));
    await page.getByRole("switch", { name: "Notify me" }).click();
    await page.getByText("This browser does not let the page notify you.").waitFor();
    expect(await page.getByRole("switch", { name: "Notify me" }).isChecked()).toBe(false);
    expect(await seriousViolations(page)).toEqual([]);
    await close();
  });

  it("takes the browser's language at first", async () => {
    const { page, close } = await openTab(browser, `${mock.url}/app/graph`, { locale: "de-AT" });
    await page.getByRole("heading", { level: 1, name: "Namen und Begriffe" }).waitFor();
    await close();
  });

  it.each([
    ["English, light", {}],
    ["German, dark", { locale: "de-DE", colorScheme: "dark" as const }],
    ["German, phone", { locale: "de-DE", viewport: { width: 390, height: 844 } }],
  ])("has no serious violation: %s", async (_name, options) => {
    const { page, close } = await openTab(browser, `${mock.url}/app/settings`, options);
    await page.locator(row("answers.max_words")).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${_name.replace(/\W+/g, "-")}.png`, fullPage: false });
    await close();
  });
});
