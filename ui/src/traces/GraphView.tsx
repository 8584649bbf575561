import {
  BaseEdge,
  type Edge,
  type EdgeProps,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  Panel,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useViewport,
} from "@xyflow/react";
import "@xyflow/react/dist/base.css";
import { Maximize, Minus, Plus } from "lucide-react";
import { useMemo } from "react";
import type { ZeusNode } from "../api/types";
import { agentNamed } from "../run/agents";
import { t } from "../text/language";
import type { Drawing, PlacedEdge, Point } from "./graphDrawing";
import { edgeTone, nodeTone } from "./graphTones";

/** How a node or an edge of the graph stands in the run (or in the two runs) that are shown. */
export interface NodeState {
  tone: string;
  count: number;
  /** Which step of the run the node was first, where one run is shown. */
  place?: number | undefined;
  /** What a person hears and what a pointer shows, behind the agent's name. */
  words: string;
}

export interface GraphViewProps {
  drawing: Drawing;
  nodes: ReadonlyMap<string, NodeState>;
  edges: ReadonlyMap<string, NodeState>;
  scale: number;
  open: string | null;
  onOpen: (id: string) => void;
}

interface AgentData extends Record<string, unknown> {
  node: ZeusNode;
  standing: NodeState | null;
  tall: boolean;
  brief: boolean;
  open: boolean;
  onOpen: (id: string) => void;
}
interface GroupData extends Record<string, unknown> {
  id: string;
  brief: boolean;
}
interface RoutedEdgeData extends Record<string, unknown> {
  points: Point[];
  brief: boolean;
  standing: NodeState | null;
  inner: boolean;
}

const nodeTypes = { agent: AgentNode, end: EndNode, workshop: GroupBox };
const edgeTypes = { way: RoutedEdge };

/** The graph on a canvas of its own: it fits the page, and can be made larger and moved. Nothing in it can be changed. */
export default function GraphView(props: GraphViewProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ drawing, nodes, edges, scale, open, onOpen }: GraphViewProps) {
  const flowNodes = useMemo(() => nodesOf(drawing, nodes, open, onOpen), [drawing, nodes, open, onOpen]);
  const flowEdges = useMemo(() => drawing.edges.map((edge) => edgeOf(edge, edges.get(edge.id) ?? null, drawing.brief)), [drawing, edges]);
  const { zoom } = useViewport();
  return (
    <ReactFlow
      key={`${drawing.width}/${scale}`}
      nodes={flowNodes}
      edges={flowEdges}
      nodeTypes={nodeTypes}
      edgeTypes={edgeTypes}
      defaultViewport={{ x: 0, y: 0, zoom: scale }}
      minZoom={Math.min(scale, 0.5)}
      maxZoom={2.5}
      nodesDraggable={false}
      nodesConnectable={false}
      nodesFocusable={false}
      edgesFocusable={false}
      elementsSelectable={false}
      disableKeyboardA11y
      panOnDrag={zoom > scale + 0.01}
      zoomOnScroll={false}
      zoomOnDoubleClick={false}
      preventScrolling={false}
      proOptions={{ hideAttribution: true }}
      aria-label={t("The graph of Zeus")}
    >
      <ZoomControls scale={scale} />
    </ReactFlow>
  );
}

function ZoomControls({ scale }: { scale: number }) {
  const { zoomIn, zoomOut, setViewport } = useReactFlow();
  const { zoom } = useViewport();
  const button = "quietly grid size-7 place-items-center disabled:opacity-40";
  return (
    <Panel position="bottom-right" className="m-0! flex rounded-1 border border-line bg-surface">
      <button
        type="button"
        className={button}
        aria-label={t("Smaller")}
        disabled={zoom <= scale + 0.01}
        onClick={() => void zoomOut({ duration: 150 })}
      >
        <Minus size={14} />
      </button>
      <button
        type="button"
        className={button}
        aria-label={t("Fit to the page")}
        disabled={Math.abs(zoom - scale) < 0.01}
        onClick={() => void setViewport({ x: 0, y: 0, zoom: scale }, { duration: 150 })}
      >
        <Maximize size={13} />
      </button>
      <button type="button" className={button} aria-label={t("Larger")} onClick={() => void zoomIn({ duration: 150 })}>
        <Plus size={14} />
      </button>
    </Panel>
  );
}

function nodesOf(drawing: Drawing, standings: ReadonlyMap<string, NodeState>, open: string | null, onOpen: (id: string) => void): Node[] {
  const groups: Node[] = drawing.groups.map((group) => ({
    id: `group ${group.id}`,
    type: "workshop",
    position: { x: group.x, y: group.y },
    width: group.width,
    height: group.height,
    zIndex: -1,
    data: { id: group.id, brief: drawing.brief } satisfies GroupData,
  }));
  const agents: Node[] = drawing.nodes.map(({ node, x, y, width, height }) => ({
    id: node.id,
    type: node.kind === "node" ? "agent" : "end",
    position: { x, y },
    width,
    height,
    data: {
      node,
      standing: standings.get(node.id) ?? null,
      tall: drawing.tall,
      brief: drawing.brief,
      open: open === node.id,
      onOpen,
    } satisfies AgentData,
  }));
  return [...groups, ...agents];
}

function edgeOf(edge: PlacedEdge, standing: NodeState | null, brief: boolean): Edge {
  const tone = edgeTone(standing?.tone);
  return {
    id: edge.id,
    source: edge.source,
    target: edge.target,
    type: "way",
    zIndex: standing ? 1 : 0,
    data: { points: edge.points, brief, standing, inner: edge.inner } satisfies RoutedEdgeData,
    style: {
      stroke: tone.colour,
      strokeWidth: (standing ? 2 : 1.1) * (brief ? 1.8 : 1),
      strokeDasharray: edge.inner ? "2 4" : (tone.dash ?? (edge.conditional && !standing ? "4 3" : undefined)),
    },
    ...(edge.inner ? {} : { markerEnd: { type: MarkerType.ArrowClosed, color: tone.colour, width: standing ? 11 : 13, height: standing ? 11 : 13 } }),
  };
}

const anchors = (
  <>
    <Handle type="target" position={Position.Left} isConnectable={false} className="pointer-events-none opacity-0" />
    <Handle type="source" position={Position.Right} isConnectable={false} className="pointer-events-none opacity-0" />
  </>
);

function AgentNode({ data }: NodeProps<Node<AgentData>>) {
  const { node, standing, open, onOpen, tall, brief } = data;
  const visited = standing !== null;
  return (
    <>
      {anchors}
      <button
        type="button"
        onClick={() => onOpen(node.id)}
        disabled={!visited}
        data-graph-node={node.id}
        data-tone={standing?.tone ?? "unlit"}
        title={standing?.words ?? t("{action}: not on the path of this run", { action: t(node.action) })}
        className={`nopan pointer-events-auto! relative flex size-full flex-col items-center justify-center rounded-[9px] border ${brief ? "" : "px-1.5"} text-center leading-[1.25] transition-shadow duration-150 enabled:hover:shadow-calm ${nodeTone(standing?.tone)} ${open ? "ring-2 ring-accent ring-offset-2 ring-offset-surface" : ""}`}
      >
        <span
          className={`max-w-full truncate ${brief ? "text-[21px]" : "text-[12.5px]"} ${visited ? "font-semibold text-ink" : "font-medium text-ink-3"}`}
        >
          <span aria-hidden className={`${brief ? "block text-center" : "mr-1"} font-normal ${visited ? "" : "opacity-60 grayscale"}`}>
            {node.symbol}
          </span>
          {node.name}
        </span>
        <span className={brief ? "sr-only" : "max-w-full truncate text-[10.5px] text-ink-3"}>{t(node.title)}</span>
        <span className={brief ? "sr-only" : `max-w-full truncate ${tall ? "text-[10px]" : "text-[11px]"} ${visited ? "text-ink-2" : "text-ink-3"}`}>
          {t(node.action)}
        </span>
        {!brief && standing?.place !== undefined && (
          <span aria-hidden className="num absolute top-[3px] left-[6px] text-[9.5px] text-ink-3">
            {standing.place}
          </span>
        )}
        <span className="sr-only">{standing?.words ?? t("Not on the path of this run.")}</span>
        {(standing?.count ?? 0) > 1 && (
          <span
            className={`num absolute -top-2 -right-1.5 rounded-full bg-accent px-1.5 py-px font-semibold text-accent-ink ${brief ? "text-[20px]" : "text-[10.5px]"}`}
          >
            ×{standing?.count}
          </span>
        )}
      </button>
    </>
  );
}

function EndNode({ data }: NodeProps<Node<AgentData>>) {
  const { node, standing, tall, brief } = data;
  return (
    <div
      className={`flex size-full ${tall ? `justify-center ${node.kind === "start" ? "items-end" : "items-start"}` : "items-center justify-start"}`}
    >
      {anchors}
      <span
        className={`rounded-full border px-3 py-1 ${brief ? "text-[22px]" : "text-[11.5px]"} ${standing ? "border-accent bg-surface font-semibold text-accent" : "border-line bg-surface text-ink-3"} ${tall ? "" : node.kind === "start" ? "ml-auto" : ""}`}
      >
        {node.kind === "start" ? t("start") : t("end")}
      </span>
    </div>
  );
}

function GroupBox({ data }: NodeProps<Node<GroupData>>) {
  const agent = agentNamed(data.id);
  return (
    <div className="size-full rounded-3 border border-line border-dashed bg-[color-mix(in_srgb,var(--sunken)_55%,transparent)] px-3 pt-1.5">
      <span className={`${data.brief ? "text-[22px] leading-[1.1]" : "text-[11.5px]"} text-ink-3`}>
        {agent ? (
          <>
            <span aria-hidden>{agent.symbol}</span> {t("Inside {name}: attached files", { name: agent.name })}
          </>
        ) : (
          data.id
        )}
      </span>
    </div>
  );
}

function RoutedEdge({ data, style, markerEnd }: EdgeProps<Edge<RoutedEdgeData>>) {
  if (!data) return null;
  const { points, standing, brief } = data;
  const [x, y] = labelAt(points);
  return (
    <g data-graph-edge={standing ? standing.tone : "unlit"}>
      <BaseEdge path={roundCorners(points, 7)} {...(style ? { style } : {})} {...(markerEnd ? { markerEnd } : {})} />
      {!brief && (standing?.count ?? 0) > 1 && (
        <text
          x={x}
          y={y - 5}
          textAnchor="middle"
          fontSize={10.5}
          fontWeight={600}
          fill="var(--accent)"
          stroke="var(--surface)"
          strokeWidth={3}
          paintOrder="stroke"
        >
          ×{standing?.count}
        </text>
      )}
    </g>
  );
}

/** A line through the points whose corners are round. */
function roundCorners(points: readonly Point[], radius: number): string {
  const [first, ...rest] = points;
  if (!first) return "";
  let path = `M${first[0]} ${first[1]}`;
  let from = first;
  rest.forEach((point, index) => {
    const next = rest[index + 1];
    const r = next ? Math.min(radius, distance(from, point) / 2, distance(point, next) / 2) : 0;
    const before = stepTowards(point, from, r);
    path += ` L${before[0]} ${before[1]}`;
    if (next) {
      const after = stepTowards(point, next, r);
      path += ` Q${point[0]} ${point[1]} ${after[0]} ${after[1]}`;
    }
    from = point;
  });
  return path;
}

const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);
function stepTowards(from: Point, to: Point, by: number): Point {
  const length = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) * by) / length, from[1] + ((to[1] - from[1]) * by) / length];
}

/** The middle of the longest piece. */
function labelAt(points: readonly Point[]): Point {
  let best: [Point, Point] = [points[0] ?? [0, 0], points[1] ?? [0, 0]];
  points.slice(1).forEach((point, index) => {
    const before = points[index] as Point;
    if (distance(before, point) > distance(...best)) best = [before, point];
  });
  return [(best[0][0] + best[1][0]) / 2, (best[0][1] + best[1][1]) / 2];
}
