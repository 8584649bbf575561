import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, violations, visitAnew } from "./browser";
import { startMock } from "./mock";
import { firstVisit, inEnglish, type View, views } from "./views";

type Look = [name: string, width: number, height: number, colorScheme: "light" | "dark", touch?: boolean];
const BESIDE_THE_RAIL: Look[] = [
  ["light", 1440, 900, "light"],
  ["dark", 1440, 900, "dark"],
];
/** At 200 % a window of 1440 by 900 has room for 720 by 450. */
const NARROW: Look[] = [
  ["on a phone", 390, 844, "light", true],
  ["at 200 %", 720, 450, "dark", true],
];

/** axe finds nothing at all in any view. Each is reached once, and looked at wherever the way to it is the same. */
describe("every view", () => {
  let browser: Browser;
  let mock: Awaited<ReturnType<typeof startMock>>;
  let empty: Awaited<ReturnType<typeof startMock>>;
  let page: Page;
  let session: CDPSession;
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8985);
    empty = await startMock(8986, "--empty");
    ({ page } = await openTab(browser, "about:blank"));
    session = await page.context().newCDPSession(page);
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });

  const take = async ([, width, height, colorScheme, touch = false]: Look) => {
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: touch });
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height });
  };
  const look = async (from: string, view: View, looks: Look[]) => {
    await take(looks[0] as Look);
    await visitAnew(page, `${from}${view.path}`);
    await view.reach(page, inEnglish);
    const found: Record<string, Awaited<ReturnType<typeof violations>>> = {};
    for (const each of looks) {
      await take(each);
      found[each[0]] = await violations(page);
    }
    expect(found).toEqual(Object.fromEntries(looks.map(([name]) => [name, []])));
  };

  it.each(views.map((view) => [view.name, view] as const))("has nothing that axe finds: %s", async (_name, view) => {
    await look(mock.url, view, view.narrowAnother ? BESIDE_THE_RAIL : [...BESIDE_THE_RAIL, ...NARROW]);
  });

  it.each(views.filter((view) => view.narrowAnother).map((view) => [view.name, view] as const))(
    "has nothing that axe finds: narrow, %s",
    async (_name, view) => {
      await look(mock.url, view, NARROW);
    },
  );

  it("has nothing that axe finds: the first visit", async () => {
    await look(empty.url, firstVisit, [...BESIDE_THE_RAIL, ...NARROW]);
  });
});
