import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, openTab, violations, visitAnew } from "./browser";
import { startMock } from "./mock";
import { firstVisit, german, inGerman, type View, views } from "./views";

/** What another person, a document or config.yaml says, in whatever language. */
const QUOTED = "[lang=en], [dir=auto], bdi, blockquote, code, kbd, [data-setting] option";
/** In German words and phrases that are English as well, or what a document of the mock is called. */
const ALSO_GERMAN = new Set(["Name", "Text", "Details"]);

/** Every text of the page: what is drawn, and what is said of a control. */
const textsOf = (page: Page): Promise<string[]> =>
  page.evaluate((quoted) => {
    const texts = new Set<string>([document.title.replace(/ · Vantage$/, "")]);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (node.parentElement && !node.parentElement.closest(`${quoted}, script, style`))
        texts.add((node.textContent ?? "").replace(/\s+/g, " ").trim());
    for (const name of ["aria-label", "title", "placeholder"])
      for (const element of document.querySelectorAll(`[${name}]`))
        if (!element.closest(quoted)) texts.add((element.getAttribute(name) ?? "").trim());
    return [...texts].filter((text) => /[A-Za-z]{2}/.test(text));
  }, QUOTED);

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** English texts that say something by themselves, as they would stand on the page: those of two words and more also with their places filled. */
const english = Object.entries(german).flatMap(([key, value]) =>
  key.split("|").flatMap((text, form) => {
    if (text === value.split("|")[form] || ALSO_GERMAN.has(text)) return [];
    const fixed = text.replace(/\{\w+\}/g, " ").match(/[A-Za-z]{2,}/g) ?? [];
    if (text.includes("{") && fixed.length < 2) return [];
    return [
      {
        key: text,
        pattern: new RegExp(
          `^${text
            .split(/\{\w+\}/)
            .map(escaped)
            .join(".+")}$`,
        ),
      },
    ];
  }),
);
const spoken = new Set(Object.values(german).flatMap((text) => text.split("|")));
const untranslated = (texts: readonly string[]): string[] =>
  texts.filter((text) => !spoken.has(text) && english.some(({ pattern }) => pattern.test(text)));

/** How many pixels the page, or its main part, is wider than its room: a table that scrolls by itself does not count. */
const tooWide = (page: Page): Promise<number> =>
  page.evaluate(() =>
    Math.max(...[document.documentElement, ...document.querySelectorAll("main")].map((part) => part.scrollWidth - part.clientWidth)),
  );

/** German words are long: the page is looked at where it has least room, and where it has most. */
const looks = [
  ["beside the rail", 1440, 900],
  ["on a phone", 390, 844],
] as const;

describe("the German page", () => {
  let browser: Browser;
  let mock: Awaited<ReturnType<typeof startMock>>;
  let empty: Awaited<ReturnType<typeof startMock>>;
  let page: Page;
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8987);
    empty = await startMock(8988, "--empty");
    ({ page } = await openTab(browser, "about:blank", { locale: "de-DE" }));
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });

  const look = async (from: string, view: View) => {
    const [, wide, high] = looks[0];
    await page.setViewportSize({ width: wide, height: high });
    await visitAnew(page, `${from}${view.path}`);
    const found: Record<string, unknown> = {};
    await view.reach(page, inGerman);
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("de");
    for (const [name, width, height] of looks) {
      await page.setViewportSize({ width, height });
      found[name] = { axe: await violations(page), tooWide: await tooWide(page), english: untranslated(await textsOf(page)) };
    }
    return found;
  };
  const nothing = Object.fromEntries(looks.map(([name]) => [name, { axe: [], tooWide: 0, english: [] }]));

  it.each(views.map((view) => [view.name, view] as const))("is whole, has room and nothing that axe finds: %s", async (_name, view) => {
    expect(await look(mock.url, view)).toEqual(nothing);
  });

  it("is whole, has room and nothing that axe finds: the first visit", async () => {
    expect(await look(empty.url, firstVisit)).toEqual(nothing);
  });
});
