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
  await go("/app/library", "[data-testid=documents] tbody tr");
  await save("library");
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
