import type { Step } from "../api/types";
import { agentOf } from "../run/agents";
import { mark } from "../text/language";

/** The agents that every attached file passes, in order, with what each does in a word. */
export const FILE_AGENTS = [
  ["Prometheus", mark("reads")],
  ["Hypatia", mark("analyses")],
  ["Mnemosyne", mark("finds what matters")],
] as const;

export type FileAgent = (typeof FILE_AGENTS)[number][0];

export interface FileProgress {
  name: string;
  /** The last step of each agent for this file; undefined where it has not begun. */
  at: Partial<Record<FileAgent, Step>>;
  state: "waiting" | "working" | "done" | "failed";
  /** Why it failed, or what is being done now. */
  says: string;
}

const isFileAgent = (name: string): name is FileAgent => FILE_AGENTS.some(([station]) => station === name);

/** How far each attached file is, in the order in which they were begun. */
export function trackFileProgress(steps: readonly Step[]): FileProgress[] {
  const files = new Map<string, FileProgress["at"]>();
  for (const step of steps) {
    const station = agentOf(step.agent).name;
    if (!step.subject || !isFileAgent(station)) continue;
    const at = files.get(step.subject) ?? {};
    at[station] = step;
    files.set(step.subject, at);
  }
  return [...files].map(([name, at]) => ({ name, at, ...findFileState(at) }));
}

function findFileState(at: FileProgress["at"]): Pick<FileProgress, "state" | "says"> {
  const known = FILE_AGENTS.flatMap(([station]) => at[station] ?? []);
  const working = known.find((step) => step.outcome === "running");
  if (working) return { state: "working", says: working.details || working.action };
  const read = at.Prometheus;
  if (read && (read.outcome === "failed" || (read.outcome === "degraded" && !at.Hypatia && !at.Mnemosyne)))
    return { state: "failed", says: read.details };
  if (at.Mnemosyne) return { state: "done", says: at.Mnemosyne.details };
  return { state: "waiting", says: known.at(-1)?.details ?? "" };
}
