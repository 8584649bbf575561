import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openPage, violations } from "./browser";
import { startMock } from "./mock";
import { firstVisit, inEnglish, type View, views } from "./views";

type Look = [name: string, width: number, height: number, colorScheme: "light" | "dark"];
/** Each view is reached once a layout, and looked at in two ways. At 200 % a window of 1440 by 900 has room for 720 by 450. */
const layouts: [string, BrowserContextOptions, Look[]][] = [
  [
    "beside the rail",
    {},
    [
      ["light", 1440, 900, "light"],
      ["dark", 1440, 900, "dark"],
    ],
  ],
  [
    "on a phone and at 200 %",
    { isMobile: true, hasTouch: true },
    [
      ["on a phone", 390, 844, "light"],
      ["at 200 %", 720, 450, "dark"],
    ],
  ],
];

/** axe finds nothing at all in any view. */
describe("every view", () => {
  let browser: Browser;
  let mock: Awaited<ReturnType<typeof startMock>>;
  let empty: Awaited<ReturnType<typeof startMock>>;
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8985);
    empty = await startMock(8986, "--empty");
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });

  const look = async (from: string, view: View, options: BrowserContextOptions, looks: Look[]) => {
    const [, width, height] = looks[0] as Look;
    const { page, close } = await openPage(browser, `${from}${view.path}`, { ...options, viewport: { width, height } });
    const found: Record<string, Awaited<ReturnType<typeof violations>>> = {};
    await view.reach(page, inEnglish);
    for (const [name, wide, high, colorScheme] of looks) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width: wide, height: high });
      found[name] = await violations(page);
    }
    await close();
    return found;
  };

  describe.each(layouts)("%s", (_, options, looks) => {
    const nothing = Object.fromEntries(looks.map(([name]) => [name, []]));

    it.each(views.map((view) => [view.name, view] as const))("has nothing that axe finds: %s", async (_name, view) => {
      expect(await look(mock.url, view, options, looks)).toEqual(nothing);
    });

    it("has nothing that axe finds: the first visit", async () => {
      expect(await look(empty.url, firstVisit, options, looks)).toEqual(nothing);
    });
  });
});
