// Writes docs/screenshots: each view and state, light and dark, 1440 and 390 wide.
// VANTAGE_URL is a server with the sample library read, EMPTY_URL one with nothing in it, MOCK_URL is `npm run mock` for the states that need a script.
import { camera, phone } from "./camera.mjs";

const base = process.env.VANTAGE_URL;
const mock = process.env.MOCK_URL;
const empty = process.env.EMPTY_URL;
const { shots, close } = await camera(base);

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
  await page.getByTestId("run-line").click();
  await save("steps");
  await page.getByTestId("run-line").click();
  await page.locator(".answer .cite").first().click();
  await page.locator(marked).first().waitFor({ timeout: 30_000 });
  at.answer = page.url();
  await save("answer", 1500);
  await ask(base, "Which carrier had the highest average freight?");
  await page.locator("[data-testid=answer-table] tbody .cite").first().click();
  await page.locator("[data-testid=source-pane] tr[data-mark=quote]").waitFor();
  await save("computed", 900);
  await go("/app/library", "[data-testid=documents] tbody tr");
  await save("library");
  const documents = await page.evaluate(async () => (await (await fetch("/documents?limit=200")).json()).documents);
  const lease = documents.find((document) => document.filename === "Quay 7 warehouse lease.pdf") ?? documents[0];
  await go(`/app/library/${lease.id}`, "canvas");
  await save("document", 1500);
  const sheet = documents.find((document) => document.filename.endsWith(".csv"));
  if (sheet) {
    await go(`/app/library/${sheet.id}`, "[role=tab]");
    await page.getByRole("tab", { name: /table/ }).click();
    await page.getByTestId("tables").locator("tbody tr").first().waitFor();
    await save("tables", 900);
  }
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder(/Open a document/).fill("crane");
  await save("palette");
});
await shots("-dark", { colorScheme: "dark" }, async ({ save, go }) => {
  await go(at.answer, marked);
  await save("answer", 1500);
  await go("/app/library", "[data-testid=documents] tbody tr");
  await save("library");
});
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
/** Names and terms, what surrounds one of them, and memory after some questions. */
async function whole({ page, save, ask, go }) {
  await go("/app/graph", "[data-testid=entities]");
  await save("names");
  await go("/app/graph?q=quay%207", "[data-testid=entities] a");
  await page.getByTestId("entities").getByRole("link").first().click();
  await page.getByTestId("neighbours").getByRole("link").nth(1).focus();
  await save("name");
  if (mock) {
    await go(`${mock}/app/memory`, "[data-testid=weights]");
    await save("memory");
    await ask(mock, "Compare the lease with its amendment");
    await save("comparison");
    await ask(mock, "How did the amendment change the notice, do you remember?");
    await page.getByTestId("memory-used").getByRole("button").first().click();
    await save("memory-used");
    await go(`${mock}/app`, "[data-testid=starters]");
    await page.getByRole("button", { name: "Ask only some files" }).click();
    await page.getByRole("menuitem", { name: "Ask only …" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("checkbox", { name: "Juniper Street lease.pdf" }).check();
    await dialog.getByRole("button", { name: "Ask", exact: true }).click();
    await page.getByLabel("Your question").fill("What is in this file?");
    await page.keyboard.press("Enter");
    await page.getByTestId("attached").waitFor();
    await page.getByTestId("attached").scrollIntoViewIfNeeded();
    await save("attached");
  }
}
await shots("", {}, whole);
await shots("-dark", { colorScheme: "dark" }, whole);
await shots("-phone", phone, whole);
await shots("-phone-dark", { ...phone, colorScheme: "dark" }, whole);
if (mock)
  await shots("", {}, async ({ save, ask }) => {
    await ask(mock, "Let the model write about notice");
    await save("written");
    await ask(mock, "degraded: how much notice?");
    await save("degraded");
    await ask(mock, "please fail");
    await save("error");
  });
await close();
