import type { Step } from "../api/types";

export interface AgentName {
  symbol: string;
  name: string;
  title: string;
}

/** Takes "🦉 Athena (The Strategist)" apart. A label of another form is the name. */
export function agentOf(label: string): AgentName {
  const match = /^(\S+)\s+(.+?)\s+\((.+)\)$/u.exec(label);
  if (!match) return { symbol: "•", name: label, title: "" };
  return { symbol: match[1] ?? "", name: match[2] ?? "", title: match[3] ?? "" };
}

/** The step that is going on now, or the last one. */
export const currentStep = (steps: readonly Step[]): Step | undefined => steps.findLast((step) => step.outcome === "running") ?? steps.at(-1);
