import type { Step } from "../api/types";

export interface AgentName {
  symbol: string;
  name: string;
  title: string;
}

const agent = (symbol: string, name: string, title: string): AgentName => ({ symbol, name, title });

/** The sixteen, as the server names them (core/runs.py). */
export const AGENTS: readonly AgentName[] = [
  agent("⚡", "Zeus", "The Conductor"),
  agent("🦉", "Athena", "The Strategist"),
  agent("🏛️", "Daedalus", "The Architect"),
  agent("🔥", "Prometheus", "The Illuminator"),
  agent("📚", "Hypatia", "The Scholar"),
  agent("🧠", "Mnemosyne", "The Keeper"),
  agent("🌐", "Apollo", "The Illuminated"),
  agent("🧭", "Odysseus", "The Navigator"),
  agent("🔮", "Proteus", "The Shape-Shifter"),
  agent("⚖️", "Themis", "The Just"),
  agent("🤔", "Socrates", "The Inquirer"),
  agent("📊", "Aristotle", "The Analyst"),
  agent("📜", "Thoth", "The Scribe"),
  agent("📨", "Hermes", "The Messenger"),
  agent("🔍", "Diogenes", "The Critic"),
  agent("🔄", "Sisyphus", "The Persistent"),
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
