import { describe, expect, it } from "vitest";
import type { Step } from "../api/types";
import { trackFileProgress } from "./fileProgress";

const step = (agent: string, subject: string, more: Partial<Step> = {}): Step => ({
  type: "step",
  agent,
  action: "At work",
  details: `${agent} ${subject}`,
  timestamp: "2026-01-01T00:00:00Z",
  node: agent.toLowerCase(),
  id: `${agent} ${subject}`,
  started_at: "2026-01-01T00:00:00Z",
  duration_ms: 1,
  outcome: "ok",
  subject,
  ...more,
});

describe("trackFileProgress", () => {
  it("follows each file through its agents, and lets one that cannot be read hold up no other", () => {
    const files = trackFileProgress([
      step("🏛️ Daedalus (The Architect)", ""),
      step("🔥 Prometheus (The Illuminator)", "a.pdf"),
      step("🔥 Prometheus (The Illuminator)", "b.pdf", { outcome: "failed", details: "The file is empty." }),
      step("📚 Hypatia (The Scholar)", "a.pdf", { outcome: "running", duration_ms: null }),
      step("🔥 Prometheus (The Illuminator)", "c.pdf"),
      step("📚 Hypatia (The Scholar)", "c.pdf"),
      step("🧠 Mnemosyne (The Keeper)", "c.pdf"),
    ]);
    expect(files.map((file) => [file.name, file.state])).toEqual([
      ["a.pdf", "working"],
      ["b.pdf", "failed"],
      ["c.pdf", "done"],
    ]);
    expect(files[1]?.says).toBe("The file is empty.");
  });
});
