import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openPage, violations, visitAnew } from "./browser";
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

  describe.each(layouts)("%s", (_, options, looks) => {
    const nothing = Object.fromEntries(looks.map(([name]) => [name, []]));
    let page: Page;
    let close: () => Promise<void>;
    beforeAll(async () => {
      ({ page, close } = await openPage(browser, "about:blank", options));
    });
    afterAll(() => close?.());

    const look = async (from: string, view: View) => {
      const [, width, height, colorScheme] = looks[0] as Look;
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height });
      await visitAnew(page, `${from}${view.path}`);
      await view.reach(page, inEnglish);
      const found: Record<string, Awaited<ReturnType<typeof violations>>> = {};
      for (const [name, wide, high, scheme] of looks) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.setViewportSize({ width: wide, height: high });
        found[name] = await violations(page);
      }
      return found;
    };

    it.each(views.map((view) => [view.name, view] as const))("has nothing that axe finds: %s", async (_name, view) => {
      expect(await look(mock.url, view)).toEqual(nothing);
    });

    it("has nothing that axe finds: the first visit", async () => {
      expect(await look(empty.url, firstVisit)).toEqual(nothing);
    });
  });
});
