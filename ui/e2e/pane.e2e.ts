import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, type Opened, openPage, seriousViolations } from "./browser";

const base = process.env.VANTAGE_PANE_URL ?? "";

interface Place {
  name: string;
  id: string;
  text: string;
}

/** Opens fifteen documents, one after the other. */
const LONG = 240_000;
const PHONE = { viewport: { width: 390, height: 800 } };

/** The real server over the files of `tests/support/pane_files.py`. */
describe.skipIf(base === "")("the source pane over files of every kind (VANTAGE_PANE_URL)", () => {
  let browser: Browser;
  const places = new Map<string, Place>();
  beforeAll(async () => {
    browser = await launch();
    const list = (await (await fetch(`${base}/documents?limit=200`)).json()) as { documents: { id: string; filename: string }[] };
    for (const document of list.documents) {
      const content = (await (await fetch(`${base}/documents/${document.id}/content`)).json()) as { text: string };
      places.set(document.filename, { name: document.filename, id: document.id, text: content.text });
    }
  });
  afterAll(async () => {
    await browser?.close();
  });

  const known = (name: string): Place => {
    const place = places.get(name);
    if (!place) throw new Error(`${name} is not in the library: ${[...places.keys()].join(", ")}`);
    return place;
  };

  /** The address of words in a document, as a citation or as a hit of the search has it. */
  const addressOf = (name: string, words: string, quoted = true, tab = ""): string => {
    const { id, text } = known(name);
    const at = text.indexOf(words);
    if (at < 0) throw new Error(`${name} does not say ${words}`);
    const from = Array.from(text.slice(0, at)).length;
    const search = new URLSearchParams({ doc: id, from: String(from), to: String(from + Array.from(words).length) });
    if (quoted) search.set("n", "1");
    if (tab) search.set("tab", tab);
    return `${base}/app?${search}`;
  };

  /** Whether one of the elements lies in what is seen of the pane, and is not cut off by what it stands in. */
  const inSight = (found: Locator): Promise<boolean> =>
    found.evaluateAll((nodes) =>
      nodes.some((node) => {
        const own = node.getBoundingClientRect();
        for (let box = node.parentElement; box; box = box.parentElement) {
          if (getComputedStyle(box).overflowX === "visible") continue;
          const frame = box.getBoundingClientRect();
          if (own.right <= frame.left + 2 || own.left >= frame.right - 2 || own.bottom <= frame.top + 2 || own.top >= frame.bottom - 2) return false;
          if (box.getAttribute("role") === "tabpanel") break;
        }
        return own.width > 0 && own.bottom > 0 && own.top < innerHeight;
      }),
    );

  const quoted = (page: Page): Locator =>
    page.locator("[data-testid=source-pane] :is([data-mark=quote] [data-cell], mark[data-mark=quote], [data-page] [data-mark=quote])");
  const current = (page: Page): Locator => page.locator("[data-testid=source-pane] [data-hit=current]");

  const CITED: [string, string][] = [
    ["diary.txt", "The Hafengebühr of the Café at the pier was raised to 41 crowns."],
    ["diary.txt", "kept by 899 hands."],
    ["dues.xlsx", "South | 150"],
    ["dues.xlsx", "Quay | Dues"],
    ["dues.xlsx", "Captain 2"],
    ["berths.csv", "Remark 29"],
    ["berths.csv", "Measure of the harbour master 15"],
    ["deck.pptx", "Point 7.30 is about the mole and what it will cost us."],
    ["chandlery.docx", "Item 118 is delivered within 118 days of the order."],
    ["chandlery.docx", "39.50"],
    ["races.eml", "Race 88 starts at buoy 264."],
    ["races.eml", "The regatta of the spring"],
    ["tides.py", "def tide_390():"],
    ["log.pdf", "The watch of day 57 was kept by hand 33."],
    ["guild.pdf", "The pilot boat Kestrel is laid up for repairs."],
  ];

  it.each([
    ["wide", {}],
    ["a phone", PHONE],
  ])(
    "marks what was clicked in every kind of view, in sight: %s",
    async (_width, options) => {
      const opened = await openPage(browser, `${base}/app`, options);
      const { page } = opened;
      for (const [name, words] of CITED) {
        await page.goto(addressOf(name, words));
        await expect.poll(() => inSight(quoted(page)), { message: `${name}: ${words}` }).toBe(true);
        expect(await page.locator("[data-testid=source-pane] [role=note]").count(), `${name}: ${words}`).toBe(0);
      }
      expect(opened.errors).toEqual([]);
      await opened.close();
    },
    LONG,
  );

  it(
    "marks a hit of the search in every kind of view",
    async () => {
      const { page, close } = await openPage(browser, `${base}/app`);
      for (const [name, words] of CITED) {
        await page.goto(addressOf(name, words, false));
        await expect.poll(() => inSight(page.locator("[data-testid=source-pane] [data-mark=passage]")), { message: `${name}: ${words}` }).toBe(true);
      }
      await close();
    },
    LONG,
  );

  it(
    "marks the same place in the text as it was read",
    async () => {
      const { page, close } = await openPage(browser, `${base}/app`);
      for (const [name, words] of CITED) {
        await page.goto(addressOf(name, words, true, "text"));
        await expect.poll(() => inSight(quoted(page)), { message: `${name}: ${words}` }).toBe(true);
      }
      await close();
    },
    LONG,
  );

  it("leaves the reader's place alone once they scroll", async () => {
    const { page, close } = await openPage(browser, addressOf("diary.txt", "kept by 650 hands."));
    await expect.poll(() => inSight(quoted(page))).toBe(true);
    const panel = page.locator("[role=tabpanel][data-state=active]");
    await panel.hover();
    await page.mouse.wheel(0, -4000);
    await expect.poll(() => inSight(quoted(page))).toBe(false);
    await page.setViewportSize({ width: 1300, height: 800 });
    await page.waitForTimeout(300);
    expect(await inSight(quoted(page))).toBe(false);
    await close();
  });

  /** Opens a document and looks for words with the keyboard alone. */
  const searching = async (name: string, words: string): Promise<Opened> => {
    const opened = await openPage(browser, `${base}/app?doc=${known(name).id}`);
    const { page } = opened;
    await page.locator("[role=tabpanel][data-state=active]").focus();
    await page.getByTestId("view-page").waitFor();
    await page.keyboard.press("Control+f");
    await page.keyboard.type(words);
    return opened;
  };
  const placeIn = (page: Page): Promise<string> => page.getByTestId("find-place").innerText();

  it.each([
    ["diary.txt", "hafengebuhr OF the cafe", "1 of 1"],
    ["dues.xlsx", "captain 2", "1 of 111"],
    ["berths.csv", "remark 29", "1 of 1"],
    ["deck.pptx", "POINT 7.30", "1 of 1"],
    ["chandlery.docx", "rope 39", "1 of 1"],
    ["races.eml", "subject", "1 of 1"],
    ["tides.py", "TIDE_390", "1 of 1"],
    ["log.pdf", "beacon", "1 of 6"],
    ["guild.pdf", "kestrel", "1 of 1"],
  ])("finds words in %s", async (name, words, place) => {
    const { page, errors, close } = await searching(name, words);
    await expect.poll(() => placeIn(page)).toBe(place);
    await expect.poll(() => inSight(current(page)), { message: name }).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  it("goes on with Enter, back with Shift+Enter, and closes with Escape", async () => {
    const { page, errors, close } = await searching("log.pdf", "Beacon");
    await expect.poll(() => placeIn(page)).toBe("1 of 6");
    await page.keyboard.press("Enter");
    await expect.poll(() => placeIn(page)).toBe("2 of 6");
    await expect.poll(() => page.getByTestId("source-pane").locator("header").innerText()).toContain("20 / 60");
    await page.keyboard.press("Shift+Enter");
    await page.keyboard.press("Shift+Enter");
    await expect.poll(() => placeIn(page)).toBe("6 of 6");
    await expect.poll(() => inSight(page.locator('[data-page="60"] [data-hit=current]'))).toBe(true);
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByLabel("Search in this document").last().fill("nowhere at all");
    await expect.poll(() => placeIn(page)).toBe("Not found");
    await page.keyboard.press("Escape");
    expect(await page.getByTestId("find-bar").count()).toBe(0);
    expect(await page.locator("[data-hit]").count()).toBe(0);
    // The pane itself stays, and the magnifier opens the search again.
    await page.getByRole("button", { name: "Search in this document" }).click();
    await page.keyboard.type("watch");
    await expect.poll(() => placeIn(page)).toMatch(/^\d+ of 60$/);
    await page.getByRole("button", { name: "Next match" }).click();
    await page.getByRole("tab", { name: "Text" }).click();
    await expect.poll(() => inSight(current(page))).toBe(true);
    expect(errors).toEqual([]);
    await close();
  });

  it("counts the matches beside a citation, and goes on from there", async () => {
    const { page, close } = await openPage(browser, addressOf("log.pdf", "The watch of day 57 was kept by hand 33."));
    await expect.poll(() => inSight(quoted(page))).toBe(true);
    await page.getByRole("button", { name: "Search in this document" }).click();
    await page.keyboard.type("beacon");
    await expect.poll(() => placeIn(page)).toBe("6 of 6");
    await expect.poll(() => inSight(current(page))).toBe(true);
    await close();
  });

  it("shows the row numbers and column letters of the sheet itself", async () => {
    const { page, close } = await openPage(browser, addressOf("dues.xlsx", "South | 150"));
    const gutter = page.locator("[data-testid=source-pane] table.cells tr > th.gutter:first-child");
    await expect.poll(() => gutter.allInnerTexts()).toEqual(["4", "5", "6", "9"]);
    expect(await page.locator("[data-testid=source-pane] table.cells thead tr:first-child th").allInnerTexts()).toEqual(["B", "C"]);
    await page.goto(addressOf("berths.csv", "Remark 29"));
    await expect.poll(() => gutter.allInnerTexts()).toEqual(["1", "3", ...Array.from({ length: 29 }, (_unused, index) => String(index + 4))]);
    await close();
  });

  it("shows thumbnails of the pages in sight only, and goes to a page by key or click", async () => {
    const { page, errors, close } = await openPage(browser, `${base}/app?doc=${known("log.pdf").id}`);
    await page.getByRole("img", { name: "Page 1", exact: true }).waitFor();
    expect(await page.locator("[data-thumbnail]").count()).toBe(0);
    await page.getByRole("button", { name: "Page thumbnails" }).click();
    const drawn = page.locator("[data-thumbnail][data-state=drawn]");
    await expect.poll(() => drawn.count()).toBeGreaterThan(3);
    await page.locator("[data-thumbnail='1'][aria-current=page]").focus();
    for (let step = 0; step < 3; step++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator("[data-thumbnail][aria-current=page]").getAttribute("data-thumbnail")).toBe("4");
    expect(await drawn.count()).toBeLessThan(20);
    expect(await page.locator("[data-thumbnail='40']").getAttribute("data-state")).toBe("");
    await page.locator("[data-thumbnail='4']").focus();
    await page.keyboard.press("End");
    await expect.poll(() => page.locator("[data-thumbnail='60']").getAttribute("data-state")).toBe("drawn");
    await page.locator("[data-thumbnail='60']").click();
    await expect.poll(() => page.getByTestId("source-pane").locator("header").innerText()).toContain("60 / 60");
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("fits slides to their card, however long they are", async () => {
    for (const options of [{}, PHONE]) {
      const { page, close } = await openPage(browser, `${base}/app?doc=${known("deck.pptx").id}`, options);
      await page.getByRole("region", { name: "Slide 8" }).waitFor();
      const overflow = await page
        .locator("section[aria-label^=Slide]")
        .evaluateAll((cards) => cards.filter((card) => card.scrollHeight > card.clientHeight + 1 || card.scrollWidth > card.clientWidth + 1).length);
      expect(overflow).toBe(0);
      await close();
    }
  });
});
