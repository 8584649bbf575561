import type { TraceLine } from "../api/types";

export interface TraceFilter {
  text: string;
  /** A status, "replay", or "" for all. */
  kind: string;
}

/** The runs whose question, way and maker hold every word, and that came to what is wanted. */
export function filterTraces(lines: readonly TraceLine[], wanted: TraceFilter): TraceLine[] {
  const words = wanted.text.toLowerCase().split(/\s+/).filter(Boolean);
  return lines.filter((line) => {
    if (wanted.kind === "replay" ? !line.replay_of : wanted.kind !== "" && line.status !== wanted.kind) return false;
    const text = `${line.query} ${line.routing_path} ${line.generated_by}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Marks a run, or takes its mark away. Only two can be marked: the first mark gives way to a third. */
export function toggleMark(now: readonly string[], id: string): string[] {
  if (now.includes(id)) return now.filter((item) => item !== id);
  return [...now, id].slice(-2);
}

/** Two runs in the order of time: the older one is compared as the first. */
export function sortByTime(lines: readonly TraceLine[], ids: readonly string[]): string[] {
  const at = new Map(lines.map((line) => [line.id, Date.parse(line.started_at)]));
  return [...ids].sort((a, b) => (at.get(a) ?? 0) - (at.get(b) ?? 0));
}
