import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answered, ask, launch, MOVING, openPage } from "./browser";

const base = process.env.VANTAGE_WRITTEN_URL ?? "";
const deposit = "What does the lease of Quay 7 say about the deposit, and who holds it?";

/** Every text that the answer had while it was written, in order: a look from outside comes too late on a busy machine. */
async function recordStreaming(page: Page): Promise<() => Promise<string[]>> {
  const states = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const look = () => {
      const text = document.querySelector<HTMLElement>("[data-testid=streaming]")?.innerText ?? "";
      if (text !== "" && text !== seen.at(-1)) seen.push(text);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  return () => states.jsonValue();
}

/** The real server with a scripted model that speaks Ollama's protocol: it states what the lease bears out, and then what nothing does. */
describe.skipIf(base === "")("a written answer (VANTAGE_WRITTEN_URL)", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch();
  });
  afterAll(() => browser?.close());

  it("comes sentence by sentence, cites, and leaves out what its source does not bear out", async () => {
    const { page, errors, close } = await openPage(browser, `${base}/app`, MOVING);
    await page.getByTestId("starters").waitFor();
    const shown = await recordStreaming(page);
    await ask(page, deposit);
    await answered(page);
    const states = await shown();
    expect(states[0]).toContain("£80,000");
    expect(states[0]).not.toContain("client account");
    expect(states.at(-1)).toContain("client account");
    expect(states.join("\n")).not.toContain("two cats");
    const answer = page.getByTestId("answer");
    expect(await answer.innerText()).toContain("£80,000");
    expect(await page.getByTestId("turn").innerText()).not.toContain("two cats");
    expect(await page.getByTestId("turn").innerText()).toContain("1 sentence that the model wrote was left out");
    expect(await page.getByTestId("generated-by").innerText()).toContain("qwen3-vl:8b");
    await answer.locator(".cite").first().click();
    const pane = page.getByTestId("source-pane");
    await pane.locator("[data-mark=quote]").first().waitFor({ timeout: 30_000 });
    await pane.getByRole("tab", { name: "Text" }).click();
    await expect.poll(() => pane.locator("mark[data-mark=quote]").first().innerText()).toContain("£80,000");
    expect(errors).toEqual([]);
    await close();
  });

  it("keeps what was written when it is stopped", async () => {
    const { page, close } = await openPage(browser, `${base}/app`, MOVING);
    await page.getByTestId("starters").waitFor();
    await ask(page, deposit);
    await page.getByTestId("streaming").getByText("80,000").waitFor({ timeout: 30_000 });
    await page.keyboard.press("Escape");
    await answered(page, "stopped");
    expect(await page.getByTestId("turn").innerText()).toContain("without its citations");
    expect(await page.getByTestId("streaming").innerText()).toContain("£80,000");
    await close();
  });

  // Here and not with the extractive answers: those are over before a hand could reach the button.
  it("stops at the button as well", async () => {
    const { page, close } = await openPage(browser, `${base}/app`, MOVING);
    await page.getByTestId("starters").waitFor();
    await ask(page, deposit);
    await page.getByTestId("streaming").getByText("80,000").waitFor({ timeout: 30_000 });
    await page.getByRole("button", { name: "Stop" }).click();
    await answered(page, "stopped");
    expect(await page.getByTestId("turn").innerText()).toContain("Stopped");
    await close();
  });
});
