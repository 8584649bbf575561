import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, MOVING, type Opened, openTab, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** The pages of the traces over recorded runs: a planned search with a second try, its replay, attached files, and runs that went wrong. */
describe("the pages of the traces", () => {
  let browser: Browser;
  let mock: { url: string; stop: () => void };
  let empty: { url: string; stop: () => void };
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8933);
    empty = await startMock(8934, "--empty");
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });

  const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
  const open = (path: string, options: Parameters<typeof openTab>[2] = {}, from = mock): Promise<Opened> =>
    openTab(browser, `${from.url}${path}`, options);
  const node = (page: Page, id: string) => page.locator(`[data-graph-node="${id}"]`);
  const line = (page: Page, name: RegExp) => page.getByRole("region", { name: "Timeline" }).getByRole("button", { name });

  /** Nothing is wider than the page, so that it never moves sideways. */
  const overflow = (page: Page) => page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth);

  it("draws the graph with the way of the run lit: visits, the loop, and what was passed by", async () => {
    const { page, errors, close } = await open("/app/traces/t-planned");
    await node(page, "retrieve").waitFor();
    expect(await page.locator("[data-graph-node]").count()).toBe(24);
    expect(await node(page, "retrieve").innerText()).toContain("×2");
    expect(await node(page, "retrieve").textContent()).toContain("2 times, as steps 6, 9");
    expect(await node(page, "correct").innerText()).toMatch(/Sisyphus\s+The Persistent/);
    expect(await node(page, "summarize").getAttribute("data-tone")).toBe("unlit");
    expect(await node(page, "summarize").isDisabled()).toBe(true);
    expect(await page.locator("[data-graph-edge=lit]").count()).toBeGreaterThan(16);
    await page.getByText("Inside Daedalus").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("shows the graph on a quarter of the screen with the whole chart below, and large on request", async () => {
    const { page, close } = await open("/app/traces/t-planned");
    await node(page, "retrieve").waitFor();
    const graph = page.getByTestId("graph");
    const high = () => graph.evaluate((element) => element.clientHeight / window.innerHeight);
    expect(await high()).toBeLessThan(0.26);
    const chart = await page.getByRole("group", { name: "How the candidates moved" }).boundingBox();
    expect((chart?.y ?? 0) + (chart?.height ?? 900)).toBeLessThan(900);
    await page.getByRole("button", { name: "Show the graph large" }).press("Enter");
    await expect.poll(high).toBeGreaterThan(0.6);
    expect(await node(page, "retrieve").innerText()).toContain("Searching");
    await page.getByRole("button", { name: "Show the graph small" }).press("Enter");
    await expect.poll(high).toBeLessThan(0.26);
    await close();
  });

  it("opens a node from the graph with the keyboard, then its next passing, and keeps it in the address", async () => {
    const { page, close } = await open("/app/traces/t-planned");
    await node(page, "retrieve").focus();
    await page.keyboard.press("Enter");
    await page.locator("#node-retrieve-6 [data-testid=opened]").waitFor();
    await page.keyboard.press("Enter");
    await page.locator("#node-retrieve-9 [data-testid=opened]").waitFor();
    expect(await page.getByTestId("opened").count()).toBe(1);
    expect(page.url()).toContain("node=retrieve-9");
    await page.reload();
    await page.locator("#node-retrieve-9 [data-testid=opened]").waitFor();
    await close();
  });

  it("names agent, symbol, title and decision in every line, and opens to what a node read and wrote", async () => {
    const { page, close } = await open("/app/traces/t-planned");
    await page.getByTestId("timeline-line").first().waitFor();
    const lines = await page.getByTestId("timeline-line").allInnerTexts();
    expect(lines).toHaveLength(19);
    for (const text of lines) expect(text).toMatch(/\S+\s+[A-Z][a-z]+ The [A-Z][\w-]+[\s\S]+[a-z]+[\s\S]*(ms|–)/);
    await line(page, /Athena/).click();
    const wrote = page.getByTestId("opened");
    await wrote.getByRole("heading", { name: "Read" }).waitFor();
    expect(await wrote.innerText()).toMatch(/classification\s+intent\s+document_search\s+confidence\s+0\.85/);
    expect(await wrote.innerText()).not.toContain("{");
    expect(await line(page, /Who has to be told/).innerText()).toContain("Odysseus");
    expect(await line(page, /57 compared word by word/).innerText()).toContain("pass 2 of 2");
    await close();
  });

  it("shows errors, prompts by their hash, tokens, and each attached file by its name", async () => {
    const { page, close } = await open("/app/traces/t-attached");
    await line(page, /Old budget\.xlsx.*asks for a password/s).click();
    await page.getByTestId("opened").getByText("EncryptedFile: The file asks for a password.").waitFor();
    const model = page.getByRole("region", { name: "The model" });
    expect(await model.innerText()).toMatch(/3,204 input tokens · 311 output tokens[\s\S]*51f0c2de7781/);
    expect(await node(page, "daedalus:read").getAttribute("data-tone")).toBe("degraded");
    expect(await node(page, "daedalus:read").innerText()).toContain("×3");
    expect(await seriousViolations(page)).toEqual([]);
    await page.goto(`${mock.url}/app/traces/t-failed`);
    expect(await node(page, "retrieve").getAttribute("data-tone")).toBe("failed");
    await page.getByText("No candidate was ranked in this run.").waitFor();
    await close();
  });

  it("moves the candidates through graph, links, hops and second tries, with scores on focus and the passage on Enter", async () => {
    const { page, close } = await open("/app/traces/t-planned");
    const chart = page.getByRole("group", { name: "How the candidates moved" });
    await chart.waitFor();
    for (const stage of ["words", "meaning", "graph", "together", "rerank", "links", "hops", "second try", "answer"])
      await chart.getByText(stage, { exact: true }).waitFor();
    await page.getByText("The search, stage by stage (5)").click();
    await page.getByText("6 below the minimum .30").waitFor();
    await page.locator('[data-move="12"]').focus();
    await expect
      .poll(() => page.getByTestId("move-detail").innerText())
      .toMatch(/Amendment 2024.*cited as \[2\][\s\S]*words 6 \(1\.57\)[\s\S]*links 1/);
    await page.keyboard.press("Enter");
    await page.getByTestId("source-pane").waitFor();
    await close();
  });

  it("tells why a file is not here, with the stage, the score beside the needed one, and what helps", async () => {
    const { page, errors, close } = await open("/app/traces/t-planned");
    await page.getByRole("button", { name: "Why is a file missing?" }).click();
    await page.getByPlaceholder("A file's name, its path or its id").fill("cost");
    await page.getByRole("option", { name: /Workshop costs/ }).waitFor();
    await page.keyboard.press("Enter");
    const told = page.getByTestId("explanation");
    await told.getByText("dropped at fusion").waitFor();
    expect(await told.innerText()).toMatch(/scored 0\.21\s+needed 0\.3/);
    expect(await told.innerText()).toContain("lower the minimum score to .20");
    expect(await told.getByRole("listitem").count()).toBe(3);
    expect(page.url()).toContain("why=d3");
    expect(await seriousViolations(page)).toEqual([]);
    await page.reload();
    await expect.poll(() => page.getByPlaceholder("A file's name, its path or its id").inputValue()).toBe("Workshop costs.xlsx");
    await page.getByRole("button", { name: "Clear" }).click();
    await told.waitFor({ state: "detached" });
    await page.getByPlaceholder("A file's name, its path or its id").fill("nowhere.pdf");
    await page.getByRole("option", { name: /as typed/ }).click();
    await told.getByText("No document called “nowhere.pdf” is in the library.").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("replays without the stages that are chosen, and opens old and new side by side", async () => {
    const { page, close } = await open("/app/traces/t-planned");
    await page.getByRole("button", { name: "Replay without…" }).click();
    expect(await page.getByRole("menuitem", { name: "Choose what to skip" }).getAttribute("aria-disabled")).toBe("true");
    expect(await page.getByRole("menuitemcheckbox").count()).toBe(13);
    await page.getByRole("menuitemcheckbox", { name: /^rerank/ }).press("Enter");
    await page.getByRole("menuitem", { name: "Replay without rerank" }).click();
    await page.waitForURL(/\/app\/traces\/compare\?left=t-planned&right=t-again/);
    await page.getByRole("article", { name: "Right run" }).getByText("without rerank").waitFor();
    await page.goto(`${mock.url}/app/traces/t-planned`);
    await page.getByRole("button", { name: "Replay without…" }).click();
    for (const name of [/^keyword search/, /^meaning search/, /^graph(?! order)/]) await page.getByRole("menuitemcheckbox", { name }).click();
    await page.getByRole("menuitem", { name: "Replay without graph, keyword search and meaning search" }).click();
    await page.getByText("Nothing would be left to search with").waitFor();
    await close();
  });

  it("compares two runs: sentences first, then ranks, both ways and the times", async () => {
    const { page, errors, close } = await open("/app/traces");
    await page
      .getByRole("checkbox", { name: /^Compare: How much notice/ })
      .nth(0)
      .check();
    expect(await page.getByRole("button", { name: "Compare", exact: true }).isDisabled()).toBe(true);
    await page
      .getByRole("checkbox", { name: /^Compare: How much notice/ })
      .last()
      .check();
    await page.getByRole("button", { name: "Compare", exact: true }).click();
    await page.waitForURL(/\/app\/traces\/compare\?left=t-planned&right=/);
    await page.goto(`${mock.url}/app/traces/compare?left=t-planned&right=t-replay`);
    await page.getByText("the answers differ").waitFor();
    expect(await page.getByRole("region", { name: "What differs" }).innerText()).toContain("The lease falls from place 1 to place 2");
    const results = page.getByRole("region", { name: "Results of both runs" });
    expect(await results.innerText()).toMatch(/gone[\s\S]*new/);
    await node(page, "correct").waitFor();
    expect(await node(page, "correct").getAttribute("data-tone")).toBe("left");
    expect(await node(page, "retrieve").getAttribute("data-tone")).toBe("both");
    expect(await page.getByRole("region", { name: "Times of both runs" }).innerText()).toContain("did not run");
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Swap sides" }).click();
    await page.waitForURL(/left=t-replay&right=t-planned/);
    await node(page, "correct").and(page.locator("[data-tone=right]")).waitFor();
    await node(page, "correct").click();
    await page.waitForURL(/\/app\/traces\/t-planned\?node=correct-8/);
    expect(errors).toEqual([]);
    await close();
  });

  it("offers the replay of a run first where it is compared with another one", async () => {
    const { page, close } = await open("/app/traces/t-planned");
    await page.getByRole("button", { name: "Compare with…" }).click();
    await page.getByRole("option").first().getByText("replay").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/compare\?left=t-planned&right=t-/);
    await page.goto(`${mock.url}/app/traces/compare`);
    await page.getByRole("link", { name: "Choose from the traces" }).click();
    await page.waitForURL(/\/app\/traces$/);
    await close();
  });

  it("lists the runs: filtered by words and outcome, replays marked, times exact on hover, the filter in the address", async () => {
    const { page, errors, close } = await open("/app/traces");
    const rows = page.locator("[data-testid=traces] tbody tr");
    await rows.first().waitFor();
    const all = await rows.count();
    expect(await rows.locator("time").first().getAttribute("title")).toMatch(/\d{4}, \d\d:\d\d/);
    await page.getByRole("button", { name: "failed" }).click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(page.url()).toContain("kind=failed");
    await page.getByRole("button", { name: "All" }).click();
    await page.getByLabel("Find a run by its question").fill("three FILES");
    await expect.poll(() => rows.count()).toBe(1);
    await page.reload();
    await expect.poll(() => rows.count()).toBe(1);
    await page.getByLabel("Find a run by its question").fill("nobody asked this");
    await page.getByText(`None of ${all} runs matches.`).waitFor();
    await page.getByLabel("Find a run by its question").fill("");
    await page.getByRole("button", { name: "replays" }).click();
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
    for (const row of await rows.all()) expect(await row.innerText()).toContain("replay");
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("draws its empty state and its errors on purpose", async () => {
    const nothing = await open("/app/traces", {}, empty);
    await nothing.page.getByTestId("no-traces").getByText("No question has been asked yet").waitFor();
    expect(await seriousViolations(nothing.page)).toEqual([]);
    await nothing.close();
    const { page, close } = await open("/app/traces/gone");
    await page.getByRole("alert").getByText("There is no such trace").waitFor();
    await page.goto(`${mock.url}/app/traces/compare?left=t-planned&right=gone`);
    await page.getByRole("alert").getByText("It may have been pruned").waitFor();
    await page.route("**/traces/graph", (route) =>
      route.fulfill({ status: 503, contentType: "application/problem+json", body: '{"title":"Not now"}' }),
    );
    await page.goto(`${mock.url}/app/traces/t-planned`);
    await page.getByRole("alert").getByText("Not now").waitFor({ timeout: 20_000 });
    await page.getByTestId("timeline-line").first().waitFor();
    await close();
  });

  it.each([
    ["dark", { ...MOVING, colorScheme: "dark" as const }],
    ["phone", { ...MOVING, ...phone }],
    ["phone, dark, without motion", { ...phone, colorScheme: "dark" as const }],
  ])("holds in %s: no serious violation, nothing wider than the page", async (_name, options) => {
    const { page, errors, close } = await open("/app/traces", options);
    for (const path of [
      "/app/traces",
      "/app/traces/t-planned?node=correct-8&why=d3",
      "/app/traces/t-attached",
      "/app/traces/compare?left=t-planned&right=t-replay",
    ]) {
      await page.goto(`${mock.url}${path}`);
      await page
        .locator(path === "/app/traces" ? "tbody tr" : "[data-graph-node]")
        .first()
        .waitFor();
      expect(await seriousViolations(page), path).toEqual([]);
      expect(await overflow(page), path).toBeLessThanOrEqual(0);
    }
    expect(errors).toEqual([]);
    await close();
  });

  it("shifts nothing while the canvas of the graph is loaded", async () => {
    const { page, close } = await open("/app/traces");
    await page.evaluate(() => {
      const seen = window as unknown as { shifted: number };
      seen.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shifted += (entry as unknown as { value: number }).value;
      }).observe({ type: "layout-shift", buffered: false });
    });
    await page.route("**/GraphView-*.js", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 600));
      await route.continue();
    });
    await page.getByRole("link", { name: "What do these three files ask of us?" }).click();
    await node(page, "daedalus:read").waitFor();
    await page.waitForTimeout(200);
    expect(await page.evaluate(() => (window as unknown as { shifted: number }).shifted)).toBeLessThan(0.01);
    await close();
  });
});
