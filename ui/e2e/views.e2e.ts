import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, openPage, violations } from "./browser";
import { startMock } from "./mock";

interface View {
  name: string;
  path: string;
  /** Brings the page to what is looked at. */
  reach: (page: Page) => Promise<unknown>;
}

const role = (page: Page, kind: "button" | "link" | "dialog" | "menu", name: string | RegExp) => page.getByRole(kind, { name }).first();
const asked = async (page: Page, question: string) => {
  await ask(page, question);
  await answered(page);
};

/** The rail stands beside the content, or opens from the bar where the page is narrow. */
async function inRail(page: Page): Promise<void> {
  const menu = role(page, "button", /^Menu$/);
  if (await menu.isVisible()) await menu.click();
}

const views: View[] = [
  { name: "a new question", path: "/app", reach: (page) => page.getByTestId("starters").waitFor() },
  {
    name: "an answer with its reasoning and sources",
    path: "/app",
    reach: async (page) => {
      await asked(page, "How much notice must we give?");
      await page.getByTestId("run-line").click();
      await page.getByLabel("What each agent did").waitFor();
    },
  },
  {
    name: "a cited place",
    path: "/app",
    reach: async (page) => {
      await asked(page, "How much notice must we give?");
      await page.locator(".cite").first().click();
      await page.getByTestId("source-pane").locator("canvas").first().waitFor();
    },
  },
  { name: "a written answer", path: "/app", reach: (page) => asked(page, "Let the model write about notice") },
  { name: "a table as answer", path: "/app", reach: (page) => asked(page, "What did it cost in March?") },
  { name: "a comparison as answer", path: "/app", reach: (page) => asked(page, "Compare the lease with its amendment") },
  {
    name: "a question back",
    path: "/app",
    reach: async (page) => {
      await ask(page, "Which? notice");
      await page.getByTestId("clarification").waitFor();
    },
  },
  ...["page", "text", "about", "linked"].map((tab) => ({
    name: `the source pane: ${tab}`,
    path: `/app?doc=d1&tab=${tab}`,
    reach: (page: Page) => page.getByRole("tab", { selected: true }).waitFor(),
  })),
  { name: "a mail", path: "/app?doc=d5&tab=page", reach: (page) => page.getByTestId("view-page").waitFor() },
  { name: "a sheet", path: "/app?doc=d3&tab=page", reach: (page) => page.getByTestId("view-page").waitFor() },
  {
    name: "the library with a document chosen",
    path: "/app/library",
    reach: (page) => page.getByTestId("documents").getByRole("checkbox").nth(1).check(),
  },
  { name: "a document", path: "/app/library/d1", reach: (page) => page.locator("canvas").first().waitFor() },
  { name: "the traces", path: "/app/traces", reach: (page) => page.locator("tbody tr").first().waitFor() },
  {
    name: "a trace",
    path: "/app/traces/t-planned",
    reach: (page) => page.locator("[data-graph-node=retrieve]").waitFor(),
  },
  { name: "two traces", path: "/app/traces/compare?left=t-planned&right=t-replay", reach: (page) => page.locator("main h1").waitFor() },
  { name: "memory", path: "/app/memory", reach: (page) => page.getByTestId("weights").waitFor() },
  { name: "the settings", path: "/app/settings", reach: (page) => page.locator("main h1").waitFor() },
  { name: "names and terms", path: "/app/graph", reach: (page) => page.getByTestId("entities").waitFor() },
  { name: "a name", path: "/app/graph/e3", reach: (page) => page.locator("main h1").waitFor() },
  { name: "an address that does not exist", path: "/app/nothing", reach: (page) => page.getByText("This page does not exist.").waitFor() },
  {
    name: "the keys",
    path: "/app",
    reach: async (page) => {
      await page.getByTestId("starters").waitFor();
      await page.locator("body").press("Shift+?");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "the palette",
    path: "/app",
    reach: async (page) => {
      await page.getByTestId("starters").waitFor();
      await page.keyboard.press("Control+k");
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "the menu of a conversation",
    path: "/app",
    reach: async (page) => {
      await asked(page, "How much notice must we give?");
      await inRail(page);
      await role(page, "button", /^More about/).press("Enter");
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "the themes",
    path: "/app/library",
    reach: async (page) => {
      await inRail(page);
      await role(page, "button", "Theme").press("Enter");
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "all conversations",
    path: "/app",
    reach: async (page) => {
      await inRail(page);
      await role(page, "button", /^Conversations$/).click();
      await page.getByRole("dialog", { name: /onversations/ }).waitFor();
    },
  },
  {
    name: "a folder to be added",
    path: "/app/library",
    reach: async (page) => {
      await role(page, "button", /Add folder/).click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

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
    await view.reach(page);
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
      const first: View = { name: "", path: "/app", reach: (page) => page.getByTestId("first-visit").waitFor() };
      expect(await look(empty.url, first, options, looks)).toEqual(nothing);
    });
  });
});
