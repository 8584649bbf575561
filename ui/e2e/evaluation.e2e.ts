import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launch, type Opened, openPage, seriousViolations } from "./browser";
import { startMock } from "./mock";

/** The test of the search and the pages of kept runs, over an invented server. */
describe("the pages of the evaluation", () => {
  let browser: Browser;
  let mock: Awaited<ReturnType<typeof startMock>>;
  let empty: Awaited<ReturnType<typeof startMock>>;
  beforeAll(async () => {
    browser = await launch();
    mock = await startMock(8917);
    empty = await startMock(8918, "--empty");
  });
  afterAll(async () => {
    await browser?.close();
    mock?.stop();
    empty?.stop();
  });

  const open = (path: string, options: Parameters<typeof openPage>[2] = {}, from = mock): Promise<Opened> =>
    openPage(browser, `${from.url}${path}`, options);
  const both = "/app/evaluation/test?q=How+much+notice&k=10&a=hybrid_w-0.3-0.7-0-0&b=precise_off-rerank";
  const narrow = { viewport: { width: 360, height: 780 }, isMobile: true, hasTouch: true };

  it("tests a question in two settings with the keyboard, and keeps them in the address", async () => {
    const { page, errors, close } = await open("/app/evaluation");
    await page.getByRole("link", { name: "Test the search" }).press("Enter");
    await page.getByRole("textbox", { name: "Question" }).fill("How much notice must we give?");
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "Results, stage by stage" }).waitFor();
    expect(new URL(page.url()).searchParams.get("b")).toBeNull();
    await page.getByRole("button", { name: "Compare with a second setting" }).press("Enter");
    const right = page.getByRole("region", { name: "Right setting" });
    await right.getByLabel("Strategy").selectOption("precise");
    await right.getByLabel("Weights of its own").press("Space");
    await right.getByRole("slider", { name: /words/ }).focus();
    for (let step = 0; step < 10; step++) await page.keyboard.press("ArrowRight");
    await right.getByRole("button", { name: "rerank", exact: true }).press("Enter");
    await page.getByRole("button", { name: "Search", exact: true }).press("Enter");
    await page.getByText("The right run skipped rerank.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain("Search");
    const search = new URL(page.url()).searchParams;
    expect([search.get("q"), search.get("a"), search.get("b")]).toEqual([
      "How much notice must we give?",
      "auto",
      "precise_w-0.8-0.7-0-0_off-rerank",
    ]);
    await page.goBack();
    await right.waitFor({ state: "detached" });
    await page.goForward();
    await page.reload();
    await page.getByText("The right run skipped rerank.").waitFor();
    expect(await right.getByRole("button", { name: "rerank", exact: true }).getAttribute("aria-pressed")).toBe("true");
    expect(errors).toEqual([]);
    await close();
  });

  it("draws how results moved, and shows each at every stage with the share of each leg, for both sides", async () => {
    const { page, errors, close } = await open(both);
    const moved = page.getByRole("region", { name: "Results of both runs" });
    await moved.waitFor();
    expect(await moved.locator("path[vector-effect]").count()).toBe(3);
    expect(await page.getByRole("region", { name: "The share of each leg" }).innerText()).toMatch(/words\s+30 %[\s\S]*meaning\s+70 %/);
    const first = page.getByRole("region", { name: "Results, stage by stage" }).locator("tbody tr").first();
    expect(await first.innerText()).toMatch(/Juniper Street lease\.pdf[\s\S]*9\.4/);
    const chart = page.getByRole("group", { name: "How the candidates moved" });
    expect(await chart.textContent()).toContain("result");
    await page.getByRole("tab", { name: "Right setting" }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get("side")).toBe("right");
    expect(await first.innerText()).toContain("Notice for the mezzanine.eml");
    await first.getByRole("button").press("Enter");
    await page.getByTestId("source-pane").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await close();
  });

  it("tells why a file is missing in the side that is shown", async () => {
    const { page, close } = await open(`${both}&side=right`);
    const asked = page.waitForRequest((request) => request.url().endsWith("/evaluation/explain"));
    const field = page.getByPlaceholder("A file's name, its path or its id");
    await field.fill("rent.py");
    await page
      .getByRole("option", { name: /rent\.py/ })
      .first()
      .waitFor();
    await field.press("Enter");
    expect((await asked).postDataJSON()).toMatchObject({ query: "How much notice", setting: { strategy: "precise", without: ["rerank"] } });
    await page.getByTestId("explanation").getByText("dropped at the fusion", { exact: false }).first().waitFor();
    expect(new URL(page.url()).searchParams.has("why")).toBe(true);
    await close();
  });

  it("refuses weights that find nothing before it asks, and says where a question searches nothing", async () => {
    const { page, close } = await open("/app/evaluation/test?q=counts&k=10&a=auto_w-0.05-0-0-1");
    await page.getByText("This question needed no documents", { exact: false }).waitFor();
    await page.getByRole("slider", { name: /words/ }).press("ArrowLeft");
    await page.getByRole("alert").getByText("Time finds nothing by itself", { exact: false }).waitFor();
    expect(await page.getByRole("button", { name: "Search", exact: true }).isDisabled()).toBe(true);
    await close();
  });

  it("plots the runs of a set, opens one, and compares two with their interval", async () => {
    const { page, errors, close } = await open("/app/evaluation");
    await page.locator("[data-point]").first().waitFor();
    expect(await page.locator("[data-point]").count()).toBe(3);
    await page.getByLabel("Measure").selectOption("mrr");
    await expect.poll(() => new URL(page.url()).searchParams.get("by")).toBe("mrr");
    await page.getByText("No runs of this version: 20261101-old").waitFor();
    expect(await seriousViolations(page)).toEqual([]);
    await page.locator("[data-point]").first().press("Enter");
    await page.getByTestId("evaluation-run").getByText("without an answer").or(page.getByText("77 of 120 retrieved texts")).waitFor();
    expect(await page.getByRole("region", { name: "Where the time went" }).innerText()).toMatch(/retrieve\s+106 ms\s+157 ms/);
    expect(await seriousViolations(page)).toEqual([]);
    await page.goBack();
    for (const box of [0, 1]) await page.locator("[data-run]").nth(box).getByRole("checkbox").press("Space");
    await page.getByRole("button", { name: "Compare", exact: true }).press("Enter");
    await page.getByTestId("evaluation-comparison").waitFor();
    const address = new URL(page.url()).searchParams;
    expect([address.get("before"), address.get("after")]).toEqual(["20261124-090500-silver", "20261125-090500-silver"]);
    expect(await page.locator("[data-measure='ndcg@10']").innerText()).toMatch(/−0\.055[\s\S]*−0\.075 to −0\.035[\s\S]*worse/);
    expect(await page.locator("[data-measure=mrr]").innerText()).toContain("may be chance");
    expect(await seriousViolations(page)).toEqual([]);
    await page.getByRole("link", { name: "How much notice must we give?" }).click();
    await page.getByTestId("test-result").waitFor();
    expect(errors).toEqual([]);
    await close();
  });

  it("says what is not there: runs of other sets, an unknown run, no run at all", async () => {
    const { page, close } = await open("/app/evaluation/compare?before=20261124-090500-silver&after=20261123-090500-offers");
    await page.getByRole("alert").getByText("have no question in common", { exact: false }).waitFor();
    await page.goto(`${mock.url}/app/evaluation/runs/nothing`);
    await page.getByRole("alert").getByText("There is no such run.").waitFor();
    await page.goto(`${empty.url}/app/evaluation`);
    await page.getByTestId("no-runs").waitFor();
    await page.getByRole("button", { name: "Copy the command vantage eval make" }).waitFor();
    await close();
  });

  it.each([
    both,
    "/app/evaluation",
    "/app/evaluation/runs/20261125-090500-silver",
    "/app/evaluation/compare?before=20261124-090500-silver&after=20261125-090500-silver",
  ])("has room at 360 pixels in both themes: %s", async (path) => {
    const { page, close } = await open(path, narrow);
    await page.locator("main h1").waitFor();
    await page.waitForTimeout(300);
    expect(await page.locator("main").evaluate((main) => main.scrollWidth - main.clientWidth)).toBe(0);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await seriousViolations(page)).toEqual([]);
    await close();
  });
});
