/** The colours of the graph: an outcome of one run, or the side of a comparison ("left", "right", "both"). */
const nodes: Record<string, string> = {
  ok: "border-accent bg-accent-soft",
  both: "border-accent bg-accent-soft",
  left: "border-links border-2 border-dashed bg-surface",
  right: "border-lexical border-2 bg-surface",
  skipped: "border-line-strong border-dashed bg-surface",
  degraded: "border-warn bg-[color-mix(in_srgb,var(--warn)_9%,var(--surface))]",
  failed: "border-bad bg-[color-mix(in_srgb,var(--bad)_9%,var(--surface))]",
  cancelled: "border-warn bg-surface",
  running: "border-accent bg-surface",
};

const edges: Record<string, { colour: string; dash?: string }> = {
  lit: { colour: "var(--accent)" },
  both: { colour: "var(--accent)" },
  left: { colour: "var(--links)", dash: "5 4" },
  right: { colour: "var(--lexical)" },
};

export const nodeTone = (tone: string | undefined): string => (tone === undefined ? "border-line bg-surface" : (nodes[tone] ?? "border-accent"));
export const edgeTone = (tone: string | undefined): { colour: string; dash?: string } =>
  tone === undefined ? { colour: "var(--line-strong)" } : (edges[tone] ?? { colour: "var(--accent)" });
