import { describe, expect, it } from "vitest";
import type { EvaluationRun } from "../api/types";
import { placePoints } from "./placePoints";
import { describeSearch, formatChange, groupBySet, orderRuns } from "./runLabels";

const run = (id: string, set_name: string, started_at: string, ndcg?: number): EvaluationRun =>
  ({ id, set_name, started_at, metrics: ndcg === undefined ? {} : { ndcg } }) as unknown as EvaluationRun;
const runs = [run("c", "silver", "2026-11-25", 0.79), run("x", "offers", "2026-11-24", 1), run("a", "silver", "2026-11-22", 0.84)];

describe("the runs of the evaluation", () => {
  it("are grouped by their sets, and compared in the order of their times", () => {
    expect([...groupBySet(runs)].map(([name, group]) => [name, group.map((each) => each.id)])).toEqual([
      ["silver", ["c", "a"]],
      ["offers", ["x"]],
    ]);
    expect(orderRuns(runs, ["c", "a"])).toEqual(["a", "c"]);
    expect(orderRuns(runs, ["c"])).toBeNull();
  });

  it("say how they searched", () => {
    const how = { strategy: "auto", pipeline: "basic", without: ["rerank", "links"], settings: { "search.fusion": "rrf" } };
    expect(describeSearch(how)).toBe("auto (basic) · without rerank and links · search.fusion rrf");
    expect([formatChange(0.0312), formatChange(-0.5)]).toEqual(["+0.031", "−0.500"]);
  });
});

describe("the plot of a measure", () => {
  it("places the runs by time on a scale that holds them all", () => {
    const { points, ticks } = placePoints([...runs, run("none", "silver", "2026-11-23")], "ndcg");
    expect(points.map((point) => [point.run.id, point.across])).toEqual([
      ["a", 0],
      ["x", 0.5],
      ["c", 1],
    ]);
    expect(ticks[0]?.value).toBeLessThanOrEqual(0.79);
    expect(ticks.at(-1)?.value).toBeCloseTo(1);
    for (const point of points) expect(point.up).toBeGreaterThanOrEqual(0);
    for (const point of points) expect(point.up).toBeLessThanOrEqual(1);
  });

  it.each([0, 0.5, 1])("has room for one value, %s", (value) => {
    const { points, ticks } = placePoints([run("a", "silver", "2026-11-22", value)], "ndcg");
    expect(points[0]?.across).toBe(0.5);
    expect(points[0]?.up).toBeGreaterThanOrEqual(0);
    expect(points[0]?.up).toBeLessThanOrEqual(1);
    expect(ticks.length).toBeGreaterThan(1);
  });

  it("draws nothing without a run that has the measure", () => {
    expect(placePoints(runs, "mrr")).toEqual({ points: [], ticks: [] });
  });
});
