import type { Step } from "../api/types";
import { mark } from "../text/language";

export interface AgentName {
  symbol: string;
  name: string;
  title: string;
}

const agent = (symbol: string, name: string, title: string): AgentName => ({ symbol, name, title });

/** The sixteen, as the server names them (core/runs.py). */
export const AGENTS: readonly AgentName[] = [
  agent("⚡", "Zeus", mark("The Conductor")),
  agent("🦉", "Athena", mark("The Strategist")),
  agent("🏛️", "Daedalus", mark("The Architect")),
  agent("🔥", "Prometheus", mark("The Illuminator")),
  agent("📚", "Hypatia", mark("The Scholar")),
  agent("🧠", "Mnemosyne", mark("The Keeper")),
  agent("🌐", "Apollo", mark("The Illuminated")),
  agent("🧭", "Odysseus", mark("The Navigator")),
  agent("🔮", "Proteus", mark("The Shape-Shifter")),
  agent("⚖️", "Themis", mark("The Just")),
  agent("🤔", "Socrates", mark("The Inquirer")),
  agent("📊", "Aristotle", mark("The Analyst")),
  agent("📜", "Thoth", mark("The Scribe")),
  agent("📨", "Hermes", mark("The Messenger")),
  agent("🔍", "Diogenes", mark("The Critic")),
  agent("🔄", "Sisyphus", mark("The Persistent")),
];

const byName = new Map(AGENTS.map((item) => [item.name.toLowerCase(), item]));

/** The agent of that name, written in any case; undefined where there is none. */
export const agentNamed = (name: string): AgentName | undefined => byName.get(name.trim().toLowerCase());

/** Takes "🦉 Athena (The Strategist)" apart. A bare name of an agent is known; a label of another form is the name. */
export function agentOf(label: string): AgentName {
  const match = /^(\S+)\s+(.+?)\s+\((.+)\)$/u.exec(label);
  if (match) return { symbol: match[1] ?? "", name: match[2] ?? "", title: match[3] ?? "" };
  return agentNamed(label) ?? { symbol: "•", name: label, title: "" };
}

/** The step that is going on now, or the last one. */
export const currentStep = (steps: readonly Step[]): Step | undefined => steps.findLast((step) => step.outcome === "running") ?? steps.at(-1);
