// Writes the pictures of the evaluation to docs/screenshots, light and dark, 1440 and 390 wide. VANTAGE_URL is a server with the sample library read,
// and with runs of `vantage eval run examples/sample-questions.csv`, with several strategies.
import { camera, tallSizes } from "./camera.mjs";

const { shots, close } = await camera(process.env.VANTAGE_URL);
const test = new URLSearchParams({
  q: "How much notice must we give to leave Quay 7?",
  k: "10",
  a: "hybrid",
  b: "hybrid_w-0.8-0.2-0-0_off-rerank-links",
});

for (const [suffix, options] of tallSizes)
  await shots(suffix, options, async ({ page, save, go }) => {
    await go("/app/evaluation", "[data-point]");
    await save("evaluation");
    await go(`/app/evaluation/test?${test}`, "[data-testid=test-result]");
    await page.getByTestId("test-result").evaluate((element) => element.scrollIntoView({ block: "start" }));
    await save("retrieval-test");
  });
await close();
