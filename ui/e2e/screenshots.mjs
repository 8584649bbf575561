// Writes docs/screenshots: each view and state, light and dark, 1440 and 390 wide.
// VANTAGE_URL is a server with the sample library read, EMPTY_URL one with nothing in it, MOCK_URL is `npm run mock` for the states that need a script.
import { mkdirSync } from "node:fs";
import { chromium } from "playwright-core";

const base = process.env.VANTAGE_URL;
const mock = process.env.MOCK_URL;
const empty = process.env.EMPTY_URL;
const out = new URL("../../docs/screenshots/", import.meta.url).pathname;
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const over = "[data-testid=turn]:not([data-state=live])";
if (!base) throw new Error("VANTAGE_URL names the server to be photographed");
mkdirSync(out, { recursive: true });

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args });
const wanted = process.argv.slice(2);

async function shots(suffix, options, take) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en-GB", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const save = async (name, wait = 500) => {
    await page.mouse.move(4, 430);
    await page.waitForTimeout(wait);
    if (wanted.length === 0 || wanted.includes(name + suffix)) await page.screenshot({ path: `${out}${name}${suffix}.png` });
  };
  const ask = async (url, question, selector = over) => {
    await page.goto(`${url}/app`);
    await page.getByLabel("Your question").fill(question);
    await page.keyboard.press("Enter");
    await page.locator(selector).last().waitFor({ timeout: 60_000 });
    await page.waitForTimeout(300);
  };
  const go = async (address, selector) => {
    await page.goto(address.startsWith("http") ? address : base + address);
    await page.locator(selector).first().waitFor({ timeout: 30_000 });
  };
  await take({ page, save, ask, go });
  await context.close();
}

const marked = "[data-testid=source-pane] [data-mark=quote]";
const at = {};

await shots("", {}, async ({ page, save, ask, go }) => {
  await go("/app", "[data-testid=starters] button");
  await save("start");
  await ask(base, "Who stands in for Tobias Renn when he is on holiday?");
  await ask(base, "Who won the chess tournament of 1997 in Reykjavik?");
  await save("not-found");
  await ask(base, "it", "[data-testid=clarification]");
  await save("clarification");
  await ask(base, "How much was committed for the two reach trucks for Quay 7?");
  await page.locator("[data-testid=answer-table] tbody .cite").first().click();
  await page.locator("[data-testid=source-pane] tr[data-mark=quote]").waitFor();
  await save("table", 900);
  await ask(base, "How many litres of paint and solvents may we keep at Quay 7?");
  at.plain = page.url();
  at.trace = await page.getByRole("link", { name: "Trace", exact: true }).last().getAttribute("href");
  await page.getByTestId("run-line").click();
  await save("steps");
  await page.getByTestId("run-line").click();
  await page.locator(".answer .cite").first().click();
  await page.locator(marked).first().waitFor({ timeout: 30_000 });
  at.answer = page.url();
  await save("answer", 1500);
  await go("/app/library", "[data-testid=documents] tbody tr");
  await save("library");
  await page.setViewportSize({ width: 1440, height: 1120 });
  await go(at.trace, "[data-move]");
  await save("trace");
  await page.setViewportSize({ width: 1440, height: 900 });
  const documents = await page.evaluate(async () => (await (await fetch("/documents?limit=200")).json()).documents);
  const lease = documents.find((document) => document.filename === "Quay 7 warehouse lease.pdf") ?? documents[0];
  await go(`/app/library/${lease.id}`, "canvas");
  await save("document", 1500);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Open a document/).fill("crane");
  await save("palette");
});
await shots("-dark", { colorScheme: "dark" }, async ({ save, go }) => {
  await go(at.answer, marked);
  await save("answer", 1500);
  await go("/app/library", "[data-testid=documents] tbody tr");
  await save("library");
  await go(at.trace, "[data-move]");
  await save("trace");
});
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 1.5 };
await shots("-phone", phone, async ({ save, go }) => {
  await go(at.plain, ".answer");
  await save("answer");
  await go(at.answer, marked);
  await save("source", 1500);
  await go("/app/library", "[data-testid=documents] tbody tr");
  await save("library");
});
await shots("-phone-dark", { ...phone, colorScheme: "dark" }, async ({ save, go }) => {
  await go(at.plain, ".answer");
  await save("answer");
});
if (empty)
  await shots("", {}, async ({ page, save, go }) => {
    await go(`${empty}/app`, "[data-testid=first-visit]");
    await save("first-visit");
    await page.getByRole("button", { name: "Try the sample library" }).click();
    await page.getByTestId("job").or(page.getByTestId("indexing-note")).first().waitFor();
    await save("reading", 1200);
  });
if (mock)
  await shots("", {}, async ({ save, ask }) => {
    await ask(mock, "Let the model write about notice");
    await save("written");
    await ask(mock, "degraded: how much notice?");
    await save("degraded");
    await ask(mock, "please fail");
    await save("error");
  });
await browser.close();
console.log(`written to ${out}`);
