import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, type Opened, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_LIBRARY_URL ?? "";
const folder = process.env.VANTAGE_LIBRARY_FOLDER ?? "";
const password = process.env.VANTAGE_LIBRARY_PASSWORD ?? "";

/** The real server over a folder with a locked file, a scan, a table over three pages and an archive of mails; the folder changes meanwhile. */
describe.skipIf(base === "")("the library and its watcher (VANTAGE_LIBRARY_URL)", () => {
  let browser: Browser;
  const open = (path: string): Promise<Opened> => openPage(browser, base + path);
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const library = async (): Promise<Opened> => {
    const opened = await open("/app/library");
    await opened.page.getByTestId("documents").locator("tbody tr").first().waitFor();
    return opened;
  };

  /** Asks, opens the first citation, and gives the words that are marked in the source pane with where they stand. */
  const cited = async (question: string): Promise<{ page: Page; marked: string; header: string; close: () => Promise<void> }> => {
    const { page, close } = await open("/app");
    await ask(page, question);
    await answered(page);
    await page.locator(".cite").first().click();
    const pane = page.getByTestId("source-pane");
    await pane.locator("[data-mark=quote]").first().waitFor({ timeout: 30_000 });
    const marked = (await pane.locator("[data-mark=quote]").allInnerTexts()).join(" ");
    return { page, marked, header: await pane.locator("header").innerText(), close };
  };

  it("says what was not read and why, and opens a locked file with its password", async () => {
    const { page, close, errors } = await library();
    const attention = page.getByTestId("attention");
    const line = attention.locator("tr", { hasText: "vault.pdf" });
    await line.waitFor();
    expect(await line.innerText()).toContain("password");
    expect(await seriousViolations(page)).toEqual([]);
    await line.getByRole("button", { name: "Password" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Password of the file").fill("wrong");
    await dialog.getByRole("button", { name: "Open and read" }).click();
    await dialog.getByRole("alert").waitFor({ timeout: 30_000 });
    await dialog.getByLabel("Password of the file").fill(password);
    await dialog.getByRole("button", { name: "Open and read" }).click();
    await dialog.waitFor({ state: "detached", timeout: 30_000 });
    await line.waitFor({ state: "detached" });
    await close();
    expect(errors).toEqual([]);
    const found = await cited("With which number does the vault of the boathouse open?");
    expect(found.header).toContain("vault.pdf");
    await found.close();
  });

  it("answers from a scan, from the third page of a table, and from what a mail in an archive carries", async () => {
    const scan = await cited("When was the lamp of the lighthouse replaced?");
    expect(scan.header).toContain("scan.pdf");
    // On the picture: the line stands 300 of 1,000 pixels below the upper edge.
    const top = await scan.page
      .locator("[data-page] [data-mark=quote]")
      .first()
      .evaluate((mark) => {
        const frame = mark.closest("[data-page]")?.getBoundingClientRect() ?? new DOMRect();
        return (mark.getBoundingClientRect().top - frame.top) / frame.height;
      });
    expect(Math.abs(top - 0.3)).toBeLessThan(0.02);
    await scan.close();
    const table = await cited("What is the fee for berth B-097?");
    expect(table.header).toContain("berths.pdf");
    expect(table.header).toMatch(/3 \/ 3|page 3|p\. 3/);
    await table.close();
    const mail = await cited("What does the jetty cost in larch wood?");
    expect(mail.header).toContain("offer.docx");
    expect(mail.marked).toContain("18,350");
    await mail.page.getByTestId("source-pane").getByRole("link", { name: "Show in the library" }).click();
    expect(await mail.page.getByTestId("holder").innerText()).toBe("Inside mails.zip › offer.eml");
    await mail.close();
  });

  it("shows the tables of a document and gives them out", async () => {
    const { page, close } = await library();
    await page.getByTestId("documents").getByRole("link", { name: "berths.pdf" }).first().click();
    await page.getByRole("tab", { name: "1 table" }).click();
    const tables = page.getByTestId("tables");
    await tables.locator("tbody tr").first().waitFor();
    expect(await tables.locator("thead").innerText()).toMatch(/Berth\s+Ship\s+Length\s+Fee/);
    expect(await tables.innerText()).toContain("102 rows");
    const address = await tables.getByRole("link", { name: "CSV" }).getAttribute("href");
    const sheet = await page.evaluate(async (path) => (await fetch(path)).text(), address ?? "");
    expect(sheet.trim().split("\n").length).toBe(103);
    expect(sheet).toContain("B-097,Gannet 97,16.5,497.00");
    await close();
  });

  it("follows what changes in a folder: new, renamed, gone, and excluded", async () => {
    const { page, close, errors } = await library();
    const documents = page.getByTestId("documents");
    const changes = page.getByTestId("watching");
    await writeFile(join(folder, "ferry.txt"), "The ferry to the island leaves from pier nineteen.\n");
    await documents.getByText("ferry.txt").waitFor({ timeout: 20_000 });
    await changes.getByText("ferry.txt").first().waitFor({ timeout: 20_000 });
    await mkdir(join(folder, "boats"), { recursive: true });
    await rename(join(folder, "ferry.txt"), join(folder, "boats", "island ferry.txt"));
    await documents.getByText("island ferry.txt").waitFor({ timeout: 20_000 });
    await page.getByTestId("folders").getByRole("button", { name: folder }).or(page.locator("[data-root] button[aria-expanded]")).first().click();
    const boats = page.locator(`[data-folder="${join(folder, "boats")}"]`);
    await boats.getByRole("button", { name: /Exclude/ }).click();
    await documents.getByText("island ferry.txt").waitFor({ state: "detached", timeout: 20_000 });
    await page.getByTestId("exclusions").getByRole("button", { name: "Read it again" }).click();
    await documents.getByText("island ferry.txt").waitFor({ timeout: 20_000 });
    await rm(join(folder, "boats"), { recursive: true });
    await documents.getByText("island ferry.txt").waitFor({ state: "detached", timeout: 20_000 });
    await close();
    expect(errors).toEqual([]);
  });

  it("stops following when told, and takes in what happened meanwhile when told again", async () => {
    const { page, close } = await library();
    const watching = page.getByTestId("watching");
    await watching.getByRole("switch").click();
    await watching.getByText("Folders are not followed.").waitFor();
    await writeFile(join(folder, "late.txt"), "The late boat is called Halcyon.\n");
    await page.waitForTimeout(3_000);
    expect(await page.getByTestId("documents").getByText("late.txt").count()).toBe(0);
    await watching.getByRole("switch").click();
    await page.getByTestId("documents").getByText("late.txt").waitFor({ timeout: 30_000 });
    await close();
  });
});
