// Writes the pictures of the trace pages to docs/screenshots, light and dark, 1440 and 390 wide. VANTAGE_URL is a server with the sample library read.
import { camera, tallSizes } from "./camera.mjs";

const base = process.env.VANTAGE_URL;
const { shots, close } = await camera(base);

async function post(path, body) {
  const response = await fetch(base + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const asked = async (query) => (await post("/search", { query })).trace_id;
await asked("Who won the chess tournament of 1997 in Reykjavik?");
await asked("How many documents are there?");
await asked("Compare the three quotes for the reach trucks");
const trace = await asked("How much notice must we give to leave Quay 7, and who signed the lease?");
const replay = (await post(`/traces/${trace}/replay`, { without: ["plan", "rerank"] })).trace_id;
const { documents } = await (await fetch(`${base}/documents?limit=200`)).json();
const budget = documents.find((document) => document.filename === "Budget 2026.xlsx") ?? documents[0];
const node = "[data-graph-node]";

for (const [suffix, options] of tallSizes)
  await shots(suffix, options, async ({ page, save, go }) => {
    await go("/app/traces", "tbody tr");
    await save("traces");
    await go(`/app/traces/${trace}`, node);
    await save("trace");
    await page
      .getByRole("region", { name: "Timeline" })
      .getByRole("button", { name: /Odysseus/ })
      .first()
      .click();
    await page.getByRole("region", { name: "Timeline" }).scrollIntoViewIfNeeded();
    await page.getByRole("region", { name: "Timeline" }).evaluate((element) => element.scrollIntoView({ block: "start" }));
    await save("trace-timeline");
    await go(`/app/traces/${trace}?why=${budget.id}`, "[data-testid=explanation]");
    await page.getByTestId("explanation").evaluate((element) => element.scrollIntoView({ block: "end" }));
    await save("trace-why");
    await go(`/app/traces/compare?left=${trace}&right=${replay}`, node);
    await save("compare");
  });
await close();
