import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { AGENTS, agentNamed, agentOf } from "./agents";

describe("the agents", () => {
  it("are those of the server, in its order", () => {
    const table = readFileSync("../core/runs.py", "utf8").matchAll(/^[A-Z]+ = Agent\("(.+?)", "(.+?)", "(.+?)"\)$/gm);
    expect(AGENTS).toEqual([...table].map(([, name, symbol, title]) => ({ symbol, name, title })));
    expect(AGENTS).toHaveLength(16);
  });

  it("are read from a label, from a bare name, and from a label of another form", () => {
    expect(agentOf("⚖️ Themis (The Just)")).toEqual({ symbol: "⚖️", name: "Themis", title: "The Just" });
    expect(agentOf("Sisyphus")).toEqual(agentNamed("sisyphus"));
    expect(agentOf("Somebody else")).toEqual({ symbol: "•", name: "Somebody else", title: "" });
  });
});
