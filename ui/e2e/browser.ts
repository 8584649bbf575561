import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from "playwright-core";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export const launch = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });

export interface Opened {
  page: Page;
  /** What went wrong in the page: errors in the console and exceptions. */
  errors: string[];
  close: () => Promise<void>;
}

const VIEWPORT = { width: 1440, height: 900 };
/** What a tab is given that must show its transitions: each change of colours is painted ten times then, a fifth of what a look takes. */
export const MOVING = { reducedMotion: "no-preference" } as const;

/** A tab without motion, unless it is asked for. */
async function newTab(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ viewport: VIEWPORT, locale: "en-GB", reducedMotion: "reduce", ...options });
  return context.newPage();
}

/** The requests of a tab whose answer has not begun. A stream has answered once it is open. */
const unanswered = new WeakMap<Page, Set<Request>>();

function followRequests(page: Page): void {
  const waiting = new Set<Request>();
  unanswered.set(page, waiting);
  page.on("request", (request) => waiting.add(request));
  page.on("response", (response) => waiting.delete(response.request()));
  page.on("requestfailed", (request) => waiting.delete(request));
}

async function visit(page: Page, url: string): Promise<string[]> {
  const errors: string[] = [];
  followRequests(page);
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(url);
  return errors;
}

export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const page = await newTab(browser, options);
  return { page, errors: await visit(page, url), close: () => page.context().close() };
}

/** Emptied tabs by what they were opened with. */
const emptied = new WeakMap<Browser, Map<string, Page[]>>();

/**
 * The page in a tab that an earlier test is done with, if there is one: a third of the processor seconds that a new context takes. What a test leaves
 * there other than storage, cookies, routes and looks, it takes back itself.
 */
export async function openTab(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Opened> {
  const tabs = emptied.get(browser) ?? new Map<string, Page[]>();
  emptied.set(browser, tabs);
  const kind = JSON.stringify(options);
  const page = tabs.get(kind)?.pop() ?? (await newTab(browser, options));
  const errors = await visit(page, url);
  const close = async () => {
    await emptyTab(page, options);
    tabs.set(kind, [...(tabs.get(kind) ?? []), page]);
  };
  return { page, errors, close };
}

async function emptyTab(page: Page, options: BrowserContextOptions): Promise<void> {
  page.removeAllListeners();
  await page.unrouteAll();
  await visitAnew(page, "about:blank");
  await page.context().clearCookies();
  await page.setViewportSize(options.viewport ?? VIEWPORT);
  await page.emulateMedia({ colorScheme: options.colorScheme ?? "light" });
}

/** Another address in the same tab, with nothing that the page kept before. A new tab takes a process, which reads the page's script from the start. */
export async function visitAnew(page: Page, url: string): Promise<void> {
  if (page.url() !== "about:blank")
    await page.evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    });
  await page.goto(url);
}

export async function ask(page: Page, question: string, field = "Your question"): Promise<void> {
  await page.getByLabel(field).fill(question);
  await page.keyboard.press("Enter");
}

/** The last turn, once it is over. */
export async function answered(page: Page, state = "success"): Promise<void> {
  const inState = page.locator(`[data-state=${state}]`);
  await page.getByTestId("turn").last().and(inState).waitFor({ timeout: 90_000 });
}

interface Violation {
  id: string;
  impact: string;
  nodes: string[];
}

/** The violations that axe calls serious or critical. */
export const seriousViolations = async (page: Page): Promise<Violation[]> =>
  (await violations(page)).filter((violation) => violation.impact === "serious" || violation.impact === "critical");

/** Milliseconds. */
const QUIET = 100;
const LONGEST = 350;

/** Until no transition runs: in the middle of one, colours have contrasts that nobody is shown. What turns for ever does not count. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await page.waitForFunction(() =>
    document.getAnimations().every((each) => each.playState !== "running" || each.effect?.getComputedTiming().endTime === Infinity),
  );
}

/** Until no request waits for an answer and nothing has changed in the document for QUIET, or LONGEST is over: some views never rest. */
async function rested(page: Page): Promise<void> {
  const end = Date.now() + LONGEST;
  do {
    await page.evaluate(
      ([quiet, longest]) =>
        new Promise<void>((rest) => {
          const end = () => {
            changes.disconnect();
            rest();
          };
          let timer = setTimeout(end, quiet);
          setTimeout(end, longest);
          const changes = new MutationObserver(() => {
            clearTimeout(timer);
            timer = setTimeout(end, quiet);
          });
          changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
        }),
      [QUIET, Math.max(end - Date.now(), 0)] as const,
    );
  } while (unanswered.get(page)?.size && Date.now() < end);
}

/** Everything that axe finds, also what it calls moderate or minor. */
export async function violations(page: Page): Promise<Violation[]> {
  await rested(page);
  await settled(page);
  // The page's policy forbids script from outside; evaluate is the browser's own door.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeSource);
  return page.evaluate(async () => {
    interface Axe {
      run: (
        context: unknown,
        options: unknown,
      ) => Promise<{ violations: { id: string; impact: string; nodes: { html: string; failureSummary: string }[] }[] }>;
    }
    const { axe } = window as unknown as { axe: Axe };
    const found = await axe.run(document, { resultTypes: ["violations"] });
    return found.violations.map((violation) => ({
      id: violation.id,
      impact: violation.impact,
      nodes: violation.nodes.map((node) => `${node.html.slice(0, 160)} :: ${node.failureSummary.slice(0, 200)}`),
    }));
  });
}
