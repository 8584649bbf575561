import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** The list of a library of 2,000 documents, over the mock. */
describe("the list of documents", () => {
  let browser: Browser;
  let mock: Awaited<ReturnType<typeof startMock>>;
  beforeAll(async () => {
    mock = await startMock(8971, "--many");
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
  });

  const rows = (page: Page) => page.getByTestId("documents").locator("tbody tr[data-place]");
  const first = (page: Page) => rows(page).first().getByRole("link").innerText();
  const open = async (address = "/app/library", options = {}) => {
    const opened = await openTab(browser, `${mock.url}${address}`, options);
    await rows(opened.page).first().waitFor();
    return opened;
  };

  it("draws the rows in view alone, whatever is scrolled to, and says how many there are", async () => {
    const { page, errors, close } = await open();
    await expect.poll(() => page.getByTestId("documents").getByRole("heading").innerText()).toContain("2,000");
    expect(await rows(page).count()).toBeLessThan(60);
    expect(await page.getByRole("table", { name: "Documents" }).getAttribute("aria-rowcount")).toBe("2001");
    await page.getByTestId("library").evaluate((node) => node.scrollTo(0, node.scrollHeight));
    await page.getByRole("link", { name: "2000 " }).waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    expect(await rows(page).last().getAttribute("aria-rowindex")).toBe("2001");
    const heights = await rows(page).evaluateAll((all) => all.map((row) => Math.round(row.getBoundingClientRect().height)));
    expect(new Set(heights)).toEqual(new Set([58]));
    expect(errors).toEqual([]);
    await close();
  });

  it("stands below the themes, which are found anew by a press where the documents changed", async () => {
    const { page, errors, close } = await open();
    const themes = page.getByTestId("themes");
    await themes.getByRole("heading", { name: "Alder & Finch Properties, 14 Juniper Street" }).waitFor();
    expect(await themes.innerText()).toContain("lease, notice");
    expect(await themes.getByRole("button", { name: /Between Alder & Finch Properties/ }).count()).toBe(1);
    expect(await seriousViolations(page)).toEqual([]);
    const anew = themes.getByRole("button", { name: "Find them anew" });
    await anew.click();
    await anew.waitFor({ state: "detached" });
    expect(errors).toEqual([]);
    await close();
  });

  it("sorts by its heads both ways, and keeps that in the address", async () => {
    const { page, close } = await open();
    const head = page.getByRole("columnheader", { name: "Changed" });
    expect(await page.getByRole("columnheader", { name: "Name" }).getAttribute("aria-sort")).toBe("ascending");
    await head.getByRole("button").click();
    await expect.poll(() => first(page)).toMatch(/^0001/);
    expect(await head.getAttribute("aria-sort")).toBe("descending");
    await head.getByRole("button").click();
    await expect.poll(() => first(page)).toMatch(/^2000/);
    expect(page.url()).toContain("sort=changed");
    await page.reload();
    await expect.poll(() => first(page)).toMatch(/^2000/);
    await close();
  });

  it("is narrowed by name, type, folder, state and day, and shows all again", async () => {
    const { page, close } = await open();
    const total = () => page.getByTestId("documents").getByRole("heading").innerText();
    await page.getByLabel("Type", { exact: true }).selectOption("mail");
    await expect.poll(total).toContain("333");
    expect(await first(page)).toContain(".eml");
    await page.getByLabel("State", { exact: true }).selectOption("partial");
    await expect.poll(total).not.toContain("333");
    await rows(page).first().getByText("partly read").waitFor();
    await page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(total).toContain("2,000");
    await page.getByLabel("Folder", { exact: true }).selectOption("/home/ada/Workshop");
    await expect.poll(() => page.url()).toContain("folder=");
    await expect.poll(total).toContain("2,000");
    await page.getByLabel("Changed from").fill("2025-12-30");
    await page.getByLabel("Changed until").fill("2025-12-31");
    await expect.poll(total).toMatch(/Documents\s*[23]$/);
    await page.getByLabel("Find a document by its name").fill("nothing is called that");
    await page.getByText("No document is like that.").waitFor();
    await close();
  });

  it("shows the files that were not read, with the reason and what helps, narrowed like the others", async () => {
    const { page, errors, close } = await open();
    const list = page.getByTestId("documents");
    await page.getByLabel("State", { exact: true }).focus();
    await page.getByLabel("State", { exact: true }).selectOption("unread");
    const files = list.locator("[data-file]");
    await expect.poll(() => files.count()).toBe(3);
    expect(await page.getByLabel("State", { exact: true }).evaluate((node) => node === document.activeElement)).toBe(true);
    expect(page.url()).toContain("state=unread");
    expect(await list.getByRole("heading").innerText()).toMatch(/Documents\s*3$/);
    const locked = files.filter({ hasText: "Old budget.xlsx" });
    await locked.getByRole("cell", { name: /^The file asks for a password/ }).waitFor();
    expect(await locked.getByRole("button").allInnerTexts()).toEqual(["Password", "Retry", "Exclude"]);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel("Type", { exact: true }).selectOption("pdf");
    await expect.poll(() => files.count()).toBe(1);
    await page.getByLabel("Type", { exact: true }).selectOption("mail");
    await list.getByText("No file is like that.").waitFor();
    await page.getByLabel("Type", { exact: true }).selectOption("");
    await page.getByLabel("Find a document by its name").fill("site");
    await expect.poll(() => files.allInnerTexts()).toEqual([expect.stringContaining("site.dwg")]);
    await page.getByRole("button", { name: "Show all" }).click();
    await rows(page).first().waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("chooses several with Shift and with the keyboard, and deletes them", async () => {
    const { page, errors, close } = await open();
    const box = (name: string) => page.getByRole("checkbox", { name: new RegExp(`^Choose ${name}`) });
    await box("0003").click();
    await box("0006").click({ modifiers: ["Shift"] });
    const bar = page.getByTestId("chosen");
    await bar.getByText("4 chosen").waitFor();
    await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.press("Shift+ArrowDown");
    await bar.getByText("6 chosen").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await bar.getByText("7 chosen").waitFor();
    expect(await box("0009").evaluate((node) => node === document.activeElement)).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await bar.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("7 documents are out of the library.").waitFor();
    await expect.poll(() => page.getByTestId("documents").getByRole("heading").innerText()).toContain("1,993");
    expect(await box("0003").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("chooses all, also those that were not loaded, and asks only the chosen ones", async () => {
    const { page, close } = await open("/app/library?kind=slides");
    await rows(page).first().getByRole("checkbox").click();
    const bar = page.getByTestId("chosen");
    await bar.getByRole("button", { name: /Choose all/ }).click();
    await bar.getByText(/^33\d chosen/).waitFor();
    expect(await bar.getByRole("button", { name: "Ask only these" }).isDisabled()).toBe(true);
    await bar.getByRole("button", { name: "Choose none" }).click();
    await rows(page).nth(0).getByRole("checkbox").click();
    await rows(page).nth(1).getByRole("checkbox").click();
    await bar.getByRole("button", { name: "Ask only these" }).click();
    await expect.poll(() => page.getByTestId("attachment").count()).toBe(2);
    await close();
  });

  it("adds a folder that is gone to with the keyboard", async () => {
    const { page, errors, close } = await open();
    await page.getByRole("button", { name: "Add folder" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Choose from this computer" }).press("Enter");
    for (const name of ["ada", "Documents", "2024"]) await dialog.getByRole("button", { name }).press("Enter");
    await expect.poll(() => dialog.getByLabel("Path of the folder").inputValue()).toBe("/home/ada/Documents/2024");
    await dialog.getByText("No folders in here.").waitFor();
    await dialog.getByRole("button", { name: "Up" }).press("Enter");
    await expect.poll(() => dialog.getByLabel("Path of the folder").inputValue()).toBe("/home/ada/Documents");
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("asks only documents out of the whole library, of a type, a folder and days", async () => {
    const { page, errors, close } = await openTab(browser, `${mock.url}/app`);
    await page.getByRole("button", { name: "Ask only some files" }).click();
    await page.getByRole("menuitem", { name: "Ask only …" }).click();
    const dialog = page.getByRole("dialog");
    const { total } = (await (await fetch(`${mock.url}/documents?limit=1`)).json()) as { total: number }; // the tests before delete some
    await dialog.getByText(`${total.toLocaleString("en-GB")} documents will be asked`).waitFor();
    await dialog.getByLabel("Find documents").fill("1999");
    await dialog.getByRole("checkbox", { name: /^1999/ }).check();
    await dialog.getByLabel("Find documents").fill("");
    await dialog.getByLabel("Type").selectOption("pdf");
    await dialog.getByLabel("Changed from").fill("2025-03-01");
    await dialog.getByLabel("Folder").selectOption("/home/ada/Workshop");
    expect(await seriousViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByTestId("narrowed").getByText("Only PDF, from 1 Mar 2025").waitFor();
    await page.getByLabel("Your question").fill("What is the rent?");
    const sent = page.waitForRequest((request) => request.url().endsWith("/search/stream"));
    await page.keyboard.press("Enter");
    const asked = (await sent).postDataJSON();
    expect(asked.attached_documents).toEqual(["m1999"]);
    expect(asked.filters).toMatchObject({ path_prefix: "/home/ada/Workshop", file_types: [".pdf"] });
    expect(new Date(asked.filters.modified_after).getDate()).toBe(1);
    expect(errors).toEqual([]);
    await close();
  });

  it("holds on a phone, dark: nothing wider than the page, no serious violation", async () => {
    const { page, close } = await open("/app/library", { viewport: { width: 390, height: 844 }, colorScheme: "dark" });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await seriousViolations(page)).toEqual([]);
    await close();
  });
});
