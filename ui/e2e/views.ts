import type { Page } from "playwright-core";
import { german as begun } from "../src/text/de";
import { evaluation } from "../src/text/de.evaluation";
import { trace } from "../src/text/de.trace";
import { answered, ask } from "./browser";

/** Every text that the page has in German. */
export const german = { ...begun, ...trace, ...evaluation };

export interface View {
  name: string;
  path: string;
  /** Brings the page to what is looked at. */
  reach: (page: Page, say: Say) => Promise<unknown>;
  /** Where the page is narrow, the way there leads through the menu. */
  narrowAnother?: true;
}

/** A text of the page in the language that it is opened in. */
export type Say = (text: string) => string;
export const inEnglish: Say = (text) => text;
export const inGerman: Say = (text) => (german as Record<string, string>)[text] ?? text;

/** A name that begins with the text, up to its first place. */
const beginning = (text: string): RegExp => new RegExp(`^${(text.split(/[{“„]/)[0] ?? "").trim()}`);

const role = (page: Page, kind: "button" | "link" | "dialog" | "menu", name: string | RegExp) => page.getByRole(kind, { name }).first();
const asked = async (page: Page, say: Say, question: string) => {
  await ask(page, question, say("Your question"));
  await answered(page);
};

/** The rail stands beside the content, or opens from the bar where the page is narrow. */
async function inRail(page: Page, say: Say): Promise<void> {
  const menu = page.getByRole("button", { name: say("Menu"), exact: true }).first();
  if (await menu.isVisible()) await menu.click();
}

export const views: View[] = [
  { name: "a new question", path: "/app", reach: (page) => page.getByTestId("starters").waitFor() },
  {
    name: "an answer with its reasoning and sources",
    path: "/app",
    reach: async (page, say) => {
      await asked(page, say, "How much notice must we give?");
      await page.getByTestId("run-line").click();
      await page.getByLabel(say("What each agent did")).waitFor();
    },
  },
  {
    name: "a cited place",
    path: "/app",
    reach: async (page, say) => {
      await asked(page, say, "How much notice must we give?");
      await page.locator(".cite").first().click();
      await page.getByTestId("source-pane").locator("canvas").first().waitFor();
    },
  },
  { name: "a written answer", path: "/app", reach: (page, say) => asked(page, say, "Let the model write about notice") },
  { name: "a table as answer", path: "/app", reach: (page, say) => asked(page, say, "What did it cost in March?") },
  { name: "a comparison as answer", path: "/app", reach: (page, say) => asked(page, say, "Compare the lease with its amendment") },
  {
    name: "a question back",
    path: "/app",
    reach: async (page, say) => {
      await ask(page, "Which? notice", say("Your question"));
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
  {
    name: "the files that were not read",
    path: "/app/library?state=unread",
    reach: (page) => page.getByTestId("documents").locator("[data-file]").first().waitFor(),
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
  {
    name: "the features",
    path: "/app/settings",
    reach: async (page, say) => {
      await page.getByTestId("features").getByText(say("Features")).click();
      await page.locator("[data-feature]").first().waitFor();
    },
  },
  {
    name: "a test of the search",
    path: "/app/evaluation/test?q=How+much+notice&k=10&a=hybrid_w-0.3-0.7-0-0&b=precise_off-rerank",
    reach: (page) => page.getByTestId("test-result").waitFor(),
  },
  { name: "the evaluation", path: "/app/evaluation", reach: (page) => page.locator("[data-point]").first().waitFor() },
  { name: "a run of a set", path: "/app/evaluation/runs/20261125-090500-silver", reach: (page) => page.locator("main h1").waitFor() },
  {
    name: "two runs of a set",
    path: "/app/evaluation/compare?before=20261124-090500-silver&after=20261125-090500-silver",
    reach: (page) => page.locator("[data-measure]").first().waitFor(),
  },
  { name: "names and terms", path: "/app/graph", reach: (page) => page.getByTestId("entities").waitFor() },
  { name: "a name", path: "/app/graph/e3", reach: (page) => page.locator("main h1").waitFor() },
  { name: "an address that does not exist", path: "/app/nothing", reach: (page, say) => page.getByText(say("This page does not exist.")).waitFor() },
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
    narrowAnother: true,
    path: "/app",
    reach: async (page, say) => {
      await asked(page, say, "How much notice must we give?");
      await inRail(page, say);
      await role(page, "button", beginning(say("More about “{title}”"))).press("Enter");
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "the themes",
    narrowAnother: true,
    path: "/app/library",
    reach: async (page, say) => {
      await inRail(page, say);
      await role(page, "button", say("Theme")).press("Enter");
      await page.getByRole("menu").waitFor();
    },
  },
  {
    name: "all conversations",
    narrowAnother: true,
    path: "/app",
    reach: async (page, say) => {
      await inRail(page, say);
      await page
        .getByRole("button", { name: say("Conversations"), exact: true })
        .first()
        .click();
      await page.getByRole("dialog").waitFor();
    },
  },
  {
    name: "a folder to be added",
    path: "/app/library",
    reach: async (page, say) => {
      await role(page, "button", say("Add folder")).click();
      await page.getByRole("dialog").waitFor();
    },
  },
];

export const firstVisit: View = { name: "the first visit", path: "/app", reach: (page) => page.getByTestId("first-visit").waitFor() };
