import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_MARKS_URL ?? "";
const password = process.env.VANTAGE_MARKS_PASSWORD ?? "";

/** The sheets of `tests/support/marked_files.py`: their size, and where their lines of text stand once they are upright. */
const SHEET = { width: 1240, height: 1754 };
const LINE = { left: 120, top: 260, step: 44, letters: 27 };

interface Area {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** The real server over a folder of scans, a table, a locked file and mails. */
describe.skipIf(base === "")("citations open at the right place (VANTAGE_MARKS_URL)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(async () => {
    await browser?.close();
  });

  const cited = async (question: string): Promise<{ page: Page; pane: Locator; errors: string[]; close: () => Promise<void> }> => {
    const { page, errors, close } = await openPage(browser, `${base}/app`);
    await ask(page, question);
    await answered(page);
    await page.locator(".cite").first().click();
    const pane = page.getByTestId("source-pane");
    await pane.locator("[data-mark=quote]").first().waitFor({ timeout: 30_000 });
    return { page, pane, errors, close };
  };

  /** What is marked strongly on a drawn page, as fractions of it. */
  const markedOn = (pane: Locator, number: number): Promise<Area> =>
    pane.locator(`[data-page="${number}"]`).evaluate((sheet) => {
      const frame = sheet.getBoundingClientRect();
      const marks = [...sheet.querySelectorAll("[data-mark=quote]")].map((mark) => mark.getBoundingClientRect());
      return {
        left: (Math.min(...marks.map((mark) => mark.left)) - frame.left) / frame.width,
        top: (Math.min(...marks.map((mark) => mark.top)) - frame.top) / frame.height,
        right: (Math.max(...marks.map((mark) => mark.right)) - frame.left) / frame.width,
        bottom: (Math.max(...marks.map((mark) => mark.bottom)) - frame.top) / frame.height,
      };
    });

  /** Whether the mark lies over line `line` of a sheet, from its beginning on, and over no other. */
  const expectLine = (area: Area, line: number): void => {
    const top = LINE.top + LINE.step * line;
    expect(area.left * SHEET.width).toBeGreaterThan(LINE.left - 14);
    expect(area.left * SHEET.width).toBeLessThan(LINE.left + 4);
    expect(area.top * SHEET.height).toBeGreaterThan(top - 12);
    expect(area.top * SHEET.height).toBeLessThan(top + 10);
    expect(area.bottom * SHEET.height).toBeGreaterThan(top + LINE.letters - 4);
    expect(area.bottom * SHEET.height).toBeLessThan(top + LINE.letters + 16);
  };

  const inView = (pane: Locator): Promise<boolean> =>
    pane
      .locator("[data-mark=quote]")
      .first()
      .evaluate((mark) => {
        const own = mark.getBoundingClientRect();
        const frame = mark.closest("[role=tabpanel]")?.getBoundingClientRect();
        return frame !== undefined && own.top >= frame.top && own.bottom <= frame.bottom;
      });

  it("marks the sentence on a scanned page, and sets a page upright that stands on its head", async () => {
    const first = await cited("Why is the pilot boat Kestrel laid up?");
    await expect.poll(() => first.pane.locator("header").innerText()).toContain("1 / 2");
    expectLine(await markedOn(first.pane, 1), 1);
    expect(await first.pane.locator("[role=note]").count()).toBe(0);
    expect(await seriousViolations(first.page)).toEqual([]);
    expect(first.errors).toEqual([]);
    await first.close();
    const second = await cited("To how much is the fee for the narrows raised?");
    await expect.poll(() => second.pane.locator("header").innerText()).toContain("2 / 2");
    expectLine(await markedOn(second.pane, 2), 1);
    await expect.poll(() => inView(second.pane)).toBe(true);
    // The page itself has not been scrolled away under it.
    expect(await second.page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
    await second.close();
  });

  it("shows the pages of a fax, each set upright, with the mark on the picture", async () => {
    const { pane, errors, close } = await cited("What does manila rope cost a fathom?");
    await pane.getByRole("tab", { name: "Picture", selected: true }).waitFor();
    await expect.poll(() => pane.locator("header").innerText()).toContain("2 / 2");
    expectLine(await markedOn(pane, 2), 1);
    // The ink of the sentence lies under the mark: the picture was drawn upright, too.
    const dark = await pane.locator('[data-page="2"]').evaluate((sheet) => {
      const canvas = sheet.querySelector("canvas") as HTMLCanvasElement;
      const [frame, mark] = [sheet, sheet.querySelector("[data-mark=quote]") as Element].map((node) => node.getBoundingClientRect());
      if (!frame || !mark) return 0;
      const scale = canvas.width / frame.width;
      const area = [mark.left - frame.left, mark.top - frame.top, mark.width, mark.height].map((value) => Math.round(value * scale));
      const pixels = canvas.getContext("2d")?.getImageData(area[0] ?? 0, area[1] ?? 0, area[2] ?? 1, area[3] ?? 1).data ?? [];
      return Array.from(pixels).filter((value, index) => index % 4 === 0 && value < 128).length / (pixels.length / 4);
    });
    expect(dark).toBeGreaterThan(0.05);
    expect(errors).toEqual([]);
    await close();
  });

  it("says when a picture was read before places were kept, and reads it again on a click", async () => {
    const { pane, errors, close } = await cited("When is high water at the pier on Saturday?");
    await pane.getByRole("tab", { name: "Text", selected: true }).waitFor();
    expect(await pane.locator("[role=note]").innerText()).toContain("read before positions of words were stored");
    await pane.getByRole("button", { name: "Read it again" }).click();
    await pane.locator("[data-page] [data-mark=quote]").first().waitFor({ timeout: 60_000 });
    expectLine(await markedOn(pane, 1), 0);
    expect(errors).toEqual([]);
    await close();
  });

  it("marks the row of a table on its page, also where the file draws it column by column", async () => {
    const { pane, errors, close } = await cited("What is the weight of crate Q-085?");
    await expect.poll(() => pane.locator("header").innerText()).toContain("3 / 3");
    const area = await markedOn(pane, 3);
    // Crate 85 is row 21 below the names of the columns; rows are 20 points high, the first begins 720 points above the edge of 792.
    const middle = (792 - 720 + 20 * 20 + 10) / 792;
    expect(Math.abs((area.top + area.bottom) / 2 - middle)).toBeLessThan(0.008);
    expect(area.bottom - area.top).toBeLessThan(0.03);
    expect(area.left * 612).toBeLessThan(70);
    expect(area.right * 612).toBeGreaterThan(440);
    await expect.poll(() => inView(pane)).toBe(true);
    await pane.getByRole("tab", { name: "Text" }).click();
    await expect.poll(() => pane.locator("mark.quote").allInnerTexts()).toEqual(["Q-085 | Cargo 13 | 5.25 kg | S4-85"]);
    await expect.poll(() => inView(pane)).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  it("marks the text of a locked file, and its page once the password was given", async () => {
    const { pane, errors, close } = await cited("With which number does the vault of the boathouse open?");
    await pane.getByRole("tab", { name: "Text", selected: true }).waitFor();
    expect(await pane.locator("[role=note]").innerText()).toContain("its password is not stored");
    expect(await pane.locator("mark.quote").innerText()).toContain("7921");
    await pane.getByRole("tab", { name: "Page" }).click();
    await pane.getByLabel("Password of the file").fill("wrong");
    await pane.getByRole("button", { name: "Show the pages" }).click();
    await pane.getByRole("alert").waitFor();
    await pane.getByLabel("Password of the file").fill(password);
    await pane.getByRole("button", { name: "Show the pages" }).click();
    await pane.locator("[data-page] [data-mark=quote]").first().waitFor();
    await pane.getByRole("tab", { name: "Text" }).click();
    await pane.getByRole("tab", { name: "Page" }).click();
    await pane.locator("[data-page] [data-mark=quote]").first().waitFor();
    expect(await pane.getByLabel("Password of the file").count()).toBe(0);
    expect(errors).toEqual([]);
    await close();
  });

  it("opens a mail in an archive, and what is attached to another", async () => {
    const mail = await cited("When does the regatta start?");
    await mail.pane.getByRole("tab", { name: "Mail", selected: true }).waitFor();
    expect(await mail.pane.locator("mark.quote").innerText()).toContain("half past nine");
    expect(await mail.pane.innerText()).toContain("Ada Quill");
    await mail.close();
    const offer = await cited("What does the jetty cost in larch wood?");
    expect(await offer.pane.locator("header").innerText()).toContain("offer.docx");
    expect(await offer.pane.locator("mark.quote").innerText()).toContain("18,350");
    await offer.close();
  });
});
