import { lazy, type ReactNode, Suspense, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { TraceNode, ZeusGraph } from "../api/types";
import { formatMilliseconds, formatPlural } from "../text/format";
import { mark, t } from "../text/language";
import type { NodeState } from "./GraphView";
import { BRIEF, drawGraph, TALL_BELOW } from "./graphDrawing";
import { compareKeys, type RunPath, type Side, traceRunPath, type Visit } from "./runPath";

const GraphView = lazy(() => import("./GraphView"));

/** The width that a card has now; measured before the first paint, so that what it holds has its height from the beginning. */
function useWidth(): [React.RefObject<HTMLDivElement | null>, number] {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    setWidth(Math.floor(element.clientWidth));
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

interface Props {
  graph: ZeusGraph;
  nodes: ReadonlyMap<string, NodeState>;
  edges: ReadonlyMap<string, NodeState>;
  open?: string | null;
  onOpen: (id: string) => void;
  label: string;
  children?: ReactNode;
  /** Small, so that what follows is in sight; a narrow page has no room for that. */
  brief?: boolean;
}

/** The graph in a card. The drawing is made here; the canvas is loaded when it is needed, into room that is kept for it. */
function GraphCard({ graph, nodes, edges, open = null, onOpen, label, children, brief = false }: Props) {
  const [ref, width] = useWidth();
  const small = brief && width >= TALL_BELOW;
  const drawing = useMemo(() => (width > 0 ? drawGraph(graph, small ? width / BRIEF : width, small) : null), [graph, width, small]);
  const scale = drawing ? Math.min(1, width / drawing.width) : 1;
  return (
    <section className="card px-3 pt-3.5 pb-2" aria-label={label}>
      {children}
      <div ref={ref} style={{ height: drawing ? Math.ceil(drawing.height * scale) : undefined }} data-testid="graph">
        {drawing && (
          <Suspense fallback={null}>
            <GraphView drawing={drawing} nodes={nodes} edges={edges} scale={scale} open={open} onOpen={onOpen} />
          </Suspense>
        )}
      </div>
    </section>
  );
}

const outcomes: Record<string, string> = {
  ok: "",
  skipped: mark("skipped"),
  degraded: mark("ran with limits"),
  failed: mark("failed"),
  cancelled: mark("stopped"),
  running: mark("running"),
};

function words(visit: Visit): string {
  const places = visit.places.length > 4 ? `${visit.places.slice(0, 4).join(", ")} …` : visit.places.join(", ");
  const often =
    visit.places.length > 1
      ? t("{times}, as steps {places}", { times: formatPlural(visit.places.length, "time"), places })
      : t("Step {place}", { place: places });
  return [often, formatMilliseconds(visit.milliseconds), t(outcomes[visit.outcome] ?? "")].filter(Boolean).join(" · ");
}

const toNodeStates = (lit: RunPath): Map<string, NodeState> =>
  new Map(
    [...lit.visits].map(([id, visit]) => [id, { tone: visit.outcome, count: visit.places.length, place: visit.places[0], words: words(visit) }]),
  );

/** Start and end are lit with the edges that touch them. */
function addEnds(graph: ZeusGraph, nodes: Map<string, NodeState>, edges: ReadonlyMap<string, NodeState>): Map<string, NodeState> {
  for (const { id, kind } of graph.nodes) {
    if (kind === "node") continue;
    const edge = [...edges].find(([key]) => key.startsWith(`${id}>`) || key.endsWith(`>${id}`))?.[1];
    if (edge) nodes.set(id, { ...edge, count: 1, words: "" });
  }
  return nodes;
}

/** One run in the graph. A node opens the first of its passings, then the next one each time. */
export function RunGraph({
  graph,
  nodes,
  open,
  onOpen,
}: {
  graph: ZeusGraph;
  nodes: TraceNode[];
  open: string | null;
  onOpen: (id: string) => void;
}) {
  const lit = useMemo(() => traceRunPath(graph, nodes), [graph, nodes]);
  const [whole, setWhole] = useState(false);
  const edges = useMemo(() => new Map([...lit.edges].map(([id, count]) => [id, { tone: "lit", count, words: "" }])), [lit]);
  const shown = useMemo(() => addEnds(graph, toNodeStates(lit), edges), [graph, lit, edges]);
  const openNode = [...lit.visits].find(([, visit]) => open !== null && visit.ids.includes(open))?.[0] ?? null;
  const next = (id: string) => {
    const ids = lit.visits.get(id)?.ids ?? [];
    const following = ids[(open === null ? -1 : ids.indexOf(open)) + 1] ?? ids[0];
    if (following) onOpen(following);
  };
  return (
    <GraphCard graph={graph} nodes={shown} edges={edges} open={openNode} onOpen={next} label={t("Path of this run")} brief={!whole}>
      <div className="flex flex-wrap items-baseline gap-x-4 px-1.5">
        <h2 className="eyebrow">
          {t("Path of this run")}{" "}
          <span className="font-normal normal-case tracking-normal">
            · {t("{nodes} of the graph", { nodes: formatPlural(lit.visits.size, "node") })}
          </span>
        </h2>
        <button type="button" className="link ml-auto text-[12.5px] max-md:hidden" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? t("Show the graph small") : t("Show the graph large")}
        </button>
      </div>
    </GraphCard>
  );
}

const sideWords: Record<Side, string> = { both: mark("In both runs"), left: mark("Only in the left run"), right: mark("Only in the right run") };

/** Two runs in one graph: what both did, and what only one of them did. */
export function PairGraph({
  graph,
  left,
  right,
  onOpen,
}: {
  graph: ZeusGraph;
  left: TraceNode[];
  right: TraceNode[];
  onOpen: (side: "left" | "right", id: string) => void;
}) {
  const { nodes, edges, choose } = useMemo(() => {
    const [first, second] = [traceRunPath(graph, left), traceRunPath(graph, right)];
    const did = (lit: RunPath) => new Map([...lit.visits].filter(([, visit]) => visit.outcome !== "skipped"));
    const standing = (side: Side, count: number, more: string): NodeState => ({
      tone: side,
      count,
      words: more ? `${t(sideWords[side])}: ${more}` : "",
    });
    const twice = (id: string) => t("{left} and {right} visits", { left: count(first, id), right: count(second, id) });
    const nodes = new Map([...compareKeys(did(first), did(second))].map(([id, side]) => [id, standing(side, 1, twice(id))]));
    const edges = new Map([...compareKeys(first.edges, second.edges)].map(([id, side]) => [id, standing(side, 1, "")]));
    const choose = (id: string) => {
      const [there, here] = [first.visits.get(id)?.ids[0], second.visits.get(id)?.ids[0]];
      if (here) onOpen("right", here);
      else if (there) onOpen("left", there);
    };
    return { nodes: addEnds(graph, nodes, edges), edges, choose };
  }, [graph, left, right, onOpen]);
  return (
    <GraphCard graph={graph} nodes={nodes} edges={edges} onOpen={choose} label={t("The paths of both runs")}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-1.5">
        <h2 className="eyebrow">{t("Both paths")}</h2>
        <Key className="border-accent bg-accent-soft">{t("both runs")}</Key>
        <Key className="border-2 border-links border-dashed">{t("only the left")}</Key>
        <Key className="border-2 border-lexical">{t("only the right")}</Key>
      </div>
    </GraphCard>
  );
}

const count = (lit: RunPath, id: string): number => lit.visits.get(id)?.places.length ?? 0;

const Key = ({ className, children }: { className: string; children: ReactNode }) => (
  <span className="flex items-center gap-1.5 text-[12.5px] text-ink-2">
    <i aria-hidden className={`inline-block h-3 w-5 rounded-[4px] border ${className}`} /> {children}
  </span>
);
