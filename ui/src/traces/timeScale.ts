import type { TraceNode } from "../api/types";

/** A place on the time axis of a run, in percent of its width. */
export interface Stretch {
  left: number;
  width: number;
}

export interface Scale {
  stretches: Map<string, Stretch>;
  /** How long nothing ran before a node began, in milliseconds: a person was asked, for instance. Only pauses that were cut short are named. */
  waits: Map<string, number>;
}

/** Pauses that are longer than this are cut short, so that the bars of the work stay readable. */
const PAUSE = 1000;

/** The time axis of a run over its nodes, which are in the order of their beginning. */
export function timeScale(nodes: readonly TraceNode[]): Scale {
  const waits = new Map<string, number>();
  const begins = new Map<string, number>();
  let cut = 0;
  let end = nodes[0] ? Date.parse(nodes[0].started_at) : 0;
  const start = end;
  const worked = nodes.reduce((sum, node) => sum + node.duration_ms, 0);
  const kept = Math.max(1, worked * 0.04);
  for (const node of nodes) {
    const begin = Date.parse(node.started_at);
    const idle = begin - end;
    if (idle > PAUSE && idle > kept) {
      waits.set(node.id, idle);
      cut += idle - kept;
    }
    begins.set(node.id, begin - start - cut);
    end = Math.max(end, begin + node.duration_ms);
  }
  const span = Math.max(1, end - start - cut);
  const stretches = new Map(
    nodes.map((node) => {
      const left = Math.min(99, Math.max(0, ((begins.get(node.id) ?? 0) / span) * 100));
      return [node.id, { left, width: Math.min(100 - left, (node.duration_ms / span) * 100) }];
    }),
  );
  return { stretches, waits };
}
