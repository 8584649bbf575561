import { describe, expect, it } from "vitest";
import type { Embedder } from "../api/types";
import { describeEmbedder } from "./modelSwitch";

const state = (changed: Partial<Embedder> = {}): Embedder => ({
  name: "embedder",
  state: "ok",
  detail: "small",
  advice: "",
  model: "small",
  choices: [],
  better: "",
  coming: "",
  filled: 0,
  documents: 0,
  note: "",
  ...changed,
});

describe("embedderLine", () => {
  it("says nothing where there is nothing to say", () => {
    expect(describeEmbedder(undefined)).toBeNull();
    expect(describeEmbedder(state())).toBeNull();
    expect(describeEmbedder(state({ note: "Questions that began before end with small." }))).toBeNull();
  });

  it("offers the better model", () => {
    const line = describeEmbedder(state({ better: "good", advice: "Switch with `vantage embedder good`." }));
    expect(line).toEqual({ text: ["A better model for finding passages is available: good."], model: "good", done: null });
  });

  it("says what to do first where no switch can begin", () => {
    const line = describeEmbedder(state({ advice: "Install it: `pip install good`. Then switch." }));
    expect(line?.text).toEqual(["There is a better model for finding passages. Install it: ", "pip install good", ". Then switch."]);
    expect(line?.model).toBe("");
  });

  it("counts the documents while a switch is under way", () => {
    const line = describeEmbedder(state({ coming: "good", filled: 1200, documents: 4000, note: "It takes over without a restart." }));
    expect(line?.text).toEqual(["good is being prepared: 1,200 of 4,000 documents. It takes over without a restart."]);
    expect(line?.done).toEqual([1200, 4000]);
  });
});
