import { describe, expect, it } from "vitest";
import { canSearch, firstWeights, ordinary, readSetting, type Setting, toRequest, writeSetting } from "./searchSetting";

const full: Setting = {
  strategy: "exploratory",
  weights: { lexical: 0.25, dense: 0.5, graph: 0.3, time: 0 },
  without: ["links", "rerank"],
  fusion: "min_max",
  rerank: 2.5,
  variety: 0.4,
};

describe("a setting in an address", () => {
  it("is read as it was written", () => {
    for (const setting of [ordinary, full, { ...ordinary, rerank: 0 }]) expect(readSetting(writeSetting(setting))).toEqual(setting);
    expect(writeSetting(ordinary)).toBe("auto");
    expect(new URLSearchParams({ a: writeSetting(full) }).toString()).not.toContain("%");
  });

  it("leaves what it cannot mean", () => {
    expect(readSetting("")).toEqual(ordinary);
    expect(readSetting("raptor_w-1-2_off-nothing_fusion-best_rerank-99_variety--1")).toEqual(ordinary);
    expect(readSetting("auto_w-0.5-0.5-0-1.5").weights).toBeNull();
    expect(readSetting("auto_w-0.5-0.5-0-").weights).toBeNull();
  });
});

describe("what is asked of the server", () => {
  it("names the settings that differ alone", () => {
    expect(toRequest(ordinary)).toEqual({ strategy: "auto", pipeline: "auto", weights: null, diversity_weight: 0, without: [], settings: {} });
    expect(toRequest(full)).toMatchObject({
      strategy: "exploratory",
      weights: full.weights,
      settings: { "search.fusion": "min_max", "search.rerank.weight": 2.5 },
    });
  });

  it("weighs nothing in a search by meaning alone", () => {
    expect(toRequest({ ...ordinary, strategy: "basic", weights: firstWeights })).toMatchObject({
      strategy: "auto",
      pipeline: "basic",
      weights: null,
    });
  });

  it("needs a leg that finds something", () => {
    expect(canSearch({ ...ordinary, weights: { lexical: 0, dense: 0, graph: 0, time: 1 } })).toBe(false);
    expect(canSearch({ ...ordinary, weights: { lexical: 0, dense: 0, graph: 0.1, time: 0 } })).toBe(true);
  });
});
