import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, MOVING, type Opened, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_URL ?? "";
const deposit = "How large is the deposit for Quay 7 and who holds it?";

/** What lies under the marks of the drawn page: the words of its text layer that the marks cover. */
const wordsUnderMarks = (page: Page, kind: string): Promise<string> =>
  page.evaluate((wanted) => {
    const marks = [...document.querySelectorAll(`[data-page] [data-mark=${wanted}]`)].map((mark) => mark.getBoundingClientRect());
    const words: string[] = [];
    for (const span of document.querySelectorAll(".pdf-words span")) {
      const node = span.firstChild;
      const text = node?.textContent ?? "";
      let covered = "";
      for (let i = 0; node && i < text.length; i++) {
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getBoundingClientRect();
        const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
        if (marks.some((mark) => x >= mark.left && x <= mark.right && y >= mark.top && y <= mark.bottom)) covered += text[i];
      }
      if (covered.trim()) words.push(covered);
    }
    return words.join(" ").replace(/\s+/g, " ");
  }, kind);

/** The real server with the sample library, in its order: the first test fills the library that the others ask. */
describe.skipIf(base === "")("the page over the real server (VANTAGE_URL)", () => {
  let browser: Browser;
  let folder: string;
  const open = (path = "/app", options = {}): Promise<Opened> => openPage(browser, base + path, { ...MOVING, ...options });
  beforeAll(async () => {
    browser = await launch();
    folder = await mkdtemp(join(tmpdir(), "vantage-page-"));
  });
  afterAll(async () => {
    await browser?.close();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  it("has the sample library read, from the first visit on", async () => {
    const { page, close, errors } = await open("/");
    const first = page.getByTestId("first-visit");
    await first.or(page.getByTestId("starters")).waitFor();
    if (await first.isVisible()) {
      expect(await seriousViolations(page)).toEqual([]);
      await page.getByRole("button", { name: "Try the sample library" }).click();
    }
    await page.getByTestId("starters").waitFor({ timeout: 60_000 });
    await expect.poll(() => page.evaluate(async () => (await (await fetch("/health")).json()).jobs_running.length), { timeout: 120_000 }).toBe(0);
    await page.reload();
    await page.getByTestId("starters").getByRole("button").first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  }, 200_000);

  it("answers with citations, shows its steps, and marks the quoted words on the page of the PDF", async () => {
    const { page, close, errors } = await open();
    await ask(page, deposit);
    await answered(page);
    await page.waitForURL(/\/app\/c\//);
    expect(await page.getByTestId("answer").innerText()).toContain("£80,000");

    await page.getByTestId("run-line").click();
    const steps = await page.locator("[aria-label='What each agent did'] > li").allInnerTexts();
    for (const name of ["Athena", "Proteus", "Diogenes", "Themis", "Hermes"]) expect(steps.join("\n")).toContain(name);
    await page.getByTestId("run-line").click();

    const tab = page.locator(".answer .cite").first();
    await tab.hover();
    const tip = page.getByRole("tooltip");
    await tip.waitFor();
    expect(await tip.innerText()).toContain("£80,000");

    await tab.click();
    const pane = page.getByTestId("source-pane");
    await pane.locator("[data-page] [data-mark=quote]").first().waitFor({ timeout: 30_000 });
    expect(await pane.innerText()).toContain("Quay 7 warehouse lease.pdf");
    const marked = await wordsUnderMarks(page, "quote");
    expect(marked).toContain("deposit of £80,000");
    expect(marked).not.toContain("service charge");
    expect(await pane.locator("[data-page] [data-mark=quote]").first().isVisible()).toBe(true);

    await pane.getByRole("tab", { name: "Text" }).click();
    const quoted = pane.locator("mark[data-mark=quote]").first();
    await quoted.waitFor();
    expect(await quoted.innerText()).toContain("£80,000");
    expect(await seriousViolations(page)).toEqual([]);

    await page.reload();
    await pane.locator("mark[data-mark=quote]").first().waitFor();
    expect(await page.getByTestId("answer").innerText()).toContain("£80,000");
    expect(errors).toEqual([]);
    await close();
  });

  it("goes from citation to citation with n and p, and closes the source with Esc", async () => {
    const { page, close } = await open();
    await ask(page, "What is the rent of Quay 7?");
    await answered(page);
    await page.locator(".answer .cite").first().click();
    const place = page.getByTestId("citation-place");
    await expect.poll(() => place.innerText()).toMatch(/^1\//);
    await page.locator("[data-testid=source-pane] header b").click();
    await page.keyboard.press("n");
    await expect.poll(() => place.innerText()).toMatch(/^2\//);
    await page.keyboard.press("p");
    await expect.poll(() => place.innerText()).toMatch(/^1\//);
    await page.keyboard.press("Escape");
    await page.getByTestId("source-pane").waitFor({ state: "detached" });
    await close();
  });

  it("says which word was read as which, and asks for what was written on demand", async () => {
    const { page, close } = await open();
    await ask(page, "wat is the depozit for Quay 7");
    await answered(page);
    expect(await page.getByTestId("spelling").innerText()).toContain("“depozit” was read as deposit");
    expect(await page.getByTestId("answer").innerText()).toContain("£80,000");
    await page.getByRole("button", { name: "Search for exactly what I typed" }).click();
    await page.getByTestId("turn").nth(1).locator("[data-testid=not-found], [data-testid=answer]").first().waitFor();
    expect(await page.getByTestId("spelling").count()).toBe(1);
    await close();
  });

  it("lists all rows that match, and says what of a question was not found", async () => {
    const { page, close } = await open();
    await ask(page, "List all shipments to Karlshavn");
    await answered(page);
    expect(await page.getByTestId("answer").innerText()).toContain("10 rows of 60");
    await expect.poll(() => page.getByTestId("answer").locator("tbody tr").count()).toBe(10);
    await ask(page, "How large is the deposit for Quay 7 and who is the astronaut's surgeon?");
    await expect.poll(() => page.locator("[data-testid=turn][data-state=success]").count()).toBe(2);
    expect(await page.getByTestId("notes").innerText()).toContain("Nothing was found about");
    await close();
  });

  it("lists the documents that are asked for, with the passage that says so, and opens it", async () => {
    const { page, close, errors } = await open();
    await ask(page, "Which documents mention Pallas?");
    await answered(page);
    expect(await page.getByTestId("listing").innerText()).toMatch(/^\d+ documents with “Pallas”\.$/);
    const items = page.locator(".answer .cite");
    await expect.poll(() => items.count()).toBeGreaterThan(2);
    expect(await page.locator("body").innerText()).toContain("times in its text");
    await items.first().click();
    await expect.poll(() => page.locator("[data-mark]").first().innerText()).toContain("Pallas");
    expect(errors).toEqual([]);
    await close();
  });

  it("says yes, and which of two questions has which answer", async () => {
    const { page, close } = await open();
    await ask(page, "Does the landlord insure the building?");
    await answered(page);
    expect((await page.locator(".answer").innerText()).trim()).toMatch(/^Yes/);
    await ask(page, deposit);
    await expect.poll(() => page.locator(".answer").last().innerText(), { timeout: 20_000 }).toContain("£80,000; the Agent");
    await close();
  });

  it("shows every format of the sample library in a view of its kind", async () => {
    const { page, close, errors } = await open();
    const documents = await page.evaluate(
      async () => (await (await fetch("/documents?limit=200")).json()).documents as { id: string; filename: string; file_type: string }[],
    );
    const own = documents.filter((item) => !item.filename.includes("gannet"));
    const ofEachKind = [...new Map(own.map((item) => [item.file_type, item])).values()];
    for (const document of ofEachKind) {
      await page.goto(`${base}/app/library/${document.id}`);
      const view = page.getByTestId("view-page");
      await view.waitFor();
      if (document.file_type === ".pdf") await view.locator("canvas").first().waitFor();
      else expect((await view.innerText()).trim().length, document.filename).toBeGreaterThan(40);
      if (document.file_type === ".xlsx" || document.file_type === ".csv")
        expect(await view.locator("table.cells tbody tr").count(), document.filename).toBeGreaterThan(2);
      if (document.file_type === ".eml") expect(await view.locator("dl").innerText()).toContain("Subject");
    }
    expect(ofEachKind.length).toBeGreaterThanOrEqual(9);
    expect(errors).toEqual([]);
    await close();
  }, 120_000);

  it("says what was searched when it finds nothing, and offers to search wider", async () => {
    const { page, close } = await open();
    await ask(page, "Who won the chess tournament of 1997 in Reykjavik?");
    await answered(page, "not_found");
    expect(await page.getByTestId("not-found").innerText()).toMatch(/Searched: \d+ documents/);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Search wider" }).click();
    await expect.poll(() => page.getByTestId("turn").count()).toBe(2);
    await close();
  });

  it("sets cited rows as a table and marks the row in the sheet", async () => {
    const { page, close } = await open();
    await ask(page, "How much was committed for the two reach trucks for Quay 7?");
    const table = page.getByTestId("answer-table").first();
    await table.waitFor();
    expect(await table.locator("th").allInnerTexts()).toEqual(expect.arrayContaining(["Item", "Committed"]));
    expect(await table.locator("td[data-marked=true]").allInnerTexts()).toEqual(expect.arrayContaining(["79930"]));
    await table.locator("tbody .cite").first().click();
    const row = page.locator("[data-testid=source-pane] tr[data-mark=quote]");
    await row.waitFor();
    expect(await row.innerText()).toContain("Two reach trucks for Quay 7");
    expect(await page.locator("[data-testid=source-pane] [role=tab][aria-selected=true]").allInnerTexts()).toContain("Capital");
    await close();
  });

  it("says when the server cannot be reached, keeps the question, and asks again", async () => {
    const { page, close } = await open();
    await page.getByTestId("starters").waitFor();
    await page.context().setOffline(true);
    await ask(page, deposit);
    const alert = page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.innerText()).toContain("cannot be reached");
    await page.context().setOffline(false);
    await alert.getByRole("button", { name: "Try again" }).click();
    await answered(page);
    expect(await page.getByTestId("answer").innerText()).toContain("£80,000");
    await close();
  });

  it("takes a file, reads it, and asks only it", async () => {
    const file = join(folder, "gannet note.txt");
    await writeFile(
      file,
      "The gannet buoy was repainted by Orla Finch on 3 May 2026.\n\nIts lamp is changed every second year by the harbour crew.\n",
    );
    const { page, close } = await open();
    await page.getByLabel("Your question").waitFor();
    await page.getByTestId("file-input").setInputFiles(file);
    await page.locator("[data-testid=attachment][data-state=ready]").waitFor({ timeout: 60_000 });
    expect(await seriousViolations(page)).toEqual([]);
    await ask(page, "Who repainted the gannet buoy?");
    await answered(page);
    expect(await page.getByTestId("answer").innerText()).toContain("Orla Finch");
    expect(await page.getByTestId("sources").innerText()).toContain("gannet note.txt");
    await close();
  }, 90_000);

  it("has a folder read, and says what is wrong with one that is not there", async () => {
    await writeFile(
      join(folder, "tide tables.md"),
      "# Tide tables\n\n## Spring tides\n\nAt Port Elver the spring tide rises to 5.9 metres in the last week of March.\n",
    );
    const { page, close } = await open("/app/library");
    await page.getByTestId("documents").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Add folder" }).click();
    await page.getByLabel("Path of the folder").fill(join(folder, "is not there"));
    await page.keyboard.press("Enter");
    await page.getByRole("alert").or(page.locator("[data-testid=job][data-state=failed]")).first().waitFor();
    await page.getByLabel("Path of the folder").fill(folder);
    await page.keyboard.press("Enter");
    await page.getByRole("cell", { name: folder }).first().waitFor({ timeout: 60_000 });
    await page.getByLabel("Find a document by its name").fill("tide");
    await page.getByRole("link", { name: "tide tables.md" }).waitFor({ timeout: 60_000 });
    await page.getByRole("link", { name: "tide tables.md" }).click();
    await page.getByTestId("view-page").getByText("5.9 metres").waitFor();
    await close();
  }, 120_000);

  it("opens a trace: path, movement of the candidates, and what a node read and wrote", async () => {
    const { page, close, errors } = await open();
    await ask(page, deposit);
    await answered(page);
    await page.getByRole("link", { name: "Trace", exact: true }).last().click();
    await page.getByTestId("trace").waitFor();
    const lines = page.locator("[data-move]");
    expect(await lines.count()).toBeGreaterThan(3);
    await lines.first().focus();
    await expect.poll(() => page.getByTestId("move-detail").innerText()).toMatch(/meaning|words/);
    await page
      .getByRole("region", { name: "Timeline" })
      .getByRole("button", { name: /Athena/ })
      .click();
    await page.getByRole("heading", { name: "Wrote" }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await lines.last().press("Enter");
    await page.getByTestId("source-pane").waitFor();
    await page.goto(`${base}/app/traces`);
    await page.getByTestId("traces").getByRole("link", { name: deposit }).first().waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("stores feedback and copies the answer with its sources", async () => {
    const { page, close } = await open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await ask(page, deposit);
    await answered(page);
    await page.getByRole("button", { name: "This answer is good" }).click();
    await page.getByText("Stored, thank you").waitFor();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied).toContain("£80,000");
    expect(copied).toMatch(/\[1\] Quay 7 warehouse lease\.pdf, page 2/);
    await close();
  });

  it("renames and deletes a conversation", async () => {
    const { page, close } = await open();
    await ask(page, deposit);
    await answered(page);
    const rail = page.getByRole("navigation", { name: "Main" });
    const more = rail.locator("div:has(> a[aria-current=page]) > button");
    await more.click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByLabel("Title").fill("The deposit of Quay 7");
    await page.keyboard.press("Enter");
    await rail.getByRole("link", { name: "The deposit of Quay 7" }).waitFor();
    await rail.getByRole("button", { name: "More about “The deposit of Quay 7”" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/app");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => rail.getByRole("link", { name: "The deposit of Quay 7" }).count()).toBe(0);
    await close();
  });

  it("obeys the keyboard: palette, commands, ↑, Shift+Enter, ?, and the theme", async () => {
    const { page, close } = await open();
    const field = page.getByLabel("Your question");
    await ask(page, deposit);
    await answered(page);
    await field.press("ArrowUp");
    expect(await field.inputValue()).toBe(deposit);
    await field.press("Shift+Enter");
    expect(await field.inputValue()).toBe(`${deposit}\n`);
    await field.fill("/dar");
    await page.getByRole("option", { name: /dark/ }).waitFor();
    await field.press("Enter");
    await expect.poll(() => page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    expect(await page.evaluate(() => document.documentElement.classList.contains("dark"))).toBe(true);
    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/Open a document/).fill("warehouse lease");
    await page.keyboard.press("Enter");
    await page.getByTestId("document").waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await close();
  });

  it("fits a phone: the source is a sheet from below and nothing scrolls sideways", async () => {
    const { page, close } = await open("/app", { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    await ask(page, deposit);
    await answered(page);
    const wide = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect(await wide()).toBe(0);
    await page.locator(".answer .cite").first().click();
    const pane = page.getByTestId("source-pane");
    await pane.locator("[data-mark=quote]").first().waitFor({ timeout: 30_000 });
    const box = await pane.boundingBox();
    expect(box?.width).toBe(360);
    expect(box?.y).toBeGreaterThan(80);
    expect(await seriousViolations(page)).toEqual([]);
    for (const path of ["/app/library", "/app/traces"]) {
      await page.goto(base + path);
      await page.locator("main table").first().waitFor();
      expect(await wide(), path).toBe(0);
    }
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog", { name: "Menu" }).getByRole("link", { name: "Library" }).waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await close();
  });

  it("does not move what is read while an answer comes", async () => {
    const { page, close } = await open();
    await page.evaluate(() => {
      const record = window as unknown as { shift: number };
      record.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
          const shift = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
          if (!shift.hadRecentInput) record.shift += shift.value;
        }
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.getByTestId("starters").getByRole("button").first().waitFor();
    await ask(page, deposit);
    await answered(page);
    await page.waitForTimeout(400);
    expect(await page.evaluate(() => (window as unknown as { shift: number }).shift)).toBeLessThan(0.1);
    await close();
  });
});
