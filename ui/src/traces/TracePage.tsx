import { ArrowLeft, ChevronRight } from "lucide-react";
import { Fragment, useState } from "react";
import { useTrace } from "../api/queries";
import type { SearchResponse, Trace, TraceMove, TraceNode } from "../api/types";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { Trouble } from "../parts/Trouble";
import { agentOf } from "../run/agents";
import { conversationPath, Link, openSource } from "../shell/router";
import { useTitle } from "../shell/title";
import { exact, milliseconds } from "../text/format";
import { BumpChart } from "./BumpChart";
import { statusTag } from "./Traces";

/** How an answer came about: the path, the movement of the candidates, and what each node read and wrote. */
export function TracePage({ id }: { id: string }) {
  const trace = useTrace(id);
  useTitle(trace.data ? `Trace: ${trace.data.query}` : "Trace");
  const [open, setOpen] = useState<string | null>(null);
  if (trace.error)
    return (
      <main className="h-full overflow-y-auto p-[38px] max-sm:p-4">
        <Trouble error={trace.error} onRetry={() => void trace.refetch()} />
      </main>
    );
  if (!trace.data) return <main className="h-full" aria-busy />;
  const data = trace.data;
  const show = (node: string) => {
    setOpen(node);
    setTimeout(() => document.getElementById(`node-${node}`)?.scrollIntoView({ block: "nearest" }), 0);
  };
  return (
    <main className="h-full overflow-y-auto" data-testid="trace">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[26px] max-sm:px-4 max-sm:py-5">
        <Head trace={data} />
        <section className="card px-4 py-4" aria-label="The path of this run">
          <PathLine nodes={data.nodes} open={open} onOpen={show} />
        </section>
        <section className="card px-[18px] py-4" aria-label="Where the results moved">
          <h2 className="eyebrow mb-3">Where the results moved</h2>
          <BumpChart moves={data.moves} onOpen={(move) => openMove(data, move)} />
          <Dropped moves={data.moves} />
        </section>
        <section className="card px-3 py-2" aria-label="Timeline">
          <Timeline trace={data} open={open} onOpen={setOpen} />
        </section>
      </div>
    </main>
  );
}

function Head({ trace }: { trace: Trace }) {
  const [tone, word] = statusTag[trace.status] ?? ["calm", trace.status];
  return (
    <header>
      <Link href="/app/traces" className="quietly -ml-1.5 inline-flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]">
        <ArrowLeft size={14} aria-hidden /> Traces
      </Link>
      <div className="mt-2 flex flex-wrap items-baseline gap-x-3.5 gap-y-1">
        <h1>How this answer came about</h1>
        <span className="num text-ink-3" title={exact(trace.started_at)}>
          <Time at={trace.started_at} /> · {milliseconds(trace.duration_ms)} · {trace.generated_by}
        </span>
        <Tag tone={tone}>{word}</Tag>
        {trace.conversation_id && (
          <Link href={conversationPath(trace.conversation_id)} className="link ml-auto text-[13.5px]">
            Back to the conversation
          </Link>
        )}
      </div>
      <p className="mt-2 break-words text-ink-2">“{trace.query}”</p>
      {(trace.degraded ?? []).map((item) => (
        <p key={item.part} className="mt-1.5 text-[13.5px] text-warn">
          Without {item.part}: {item.reason}
        </p>
      ))}
    </header>
  );
}

const shortNames: Record<string, string> = {
  load_context: "Context",
  document_search: "Answer",
  general_answer: "Answer",
  generate_response: "Respond",
};

/** Zeus's own nodes are named by what they do; the others by who does it. */
function nameOf(node: TraceNode): string {
  const agent = agentOf(node.agent);
  if (agent.name !== "Zeus") return agent.name;
  const short = shortNames[node.node];
  if (short) return short;
  const plain = node.node.replaceAll("_", " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

const lit: Record<string, string> = {
  ok: "border-accent bg-accent-soft",
  skipped: "border-line border-dashed bg-surface",
  degraded: "border-warn bg-[color-mix(in_srgb,var(--warn)_9%,var(--surface))]",
  failed: "border-bad bg-[color-mix(in_srgb,var(--bad)_9%,var(--surface))]",
  cancelled: "border-warn bg-surface",
};

function PathLine({ nodes, open, onOpen }: { nodes: TraceNode[]; open: string | null; onOpen: (id: string) => void }) {
  return (
    <ol className="flex flex-wrap items-center gap-y-3">
      {nodes.map((node, index) => {
        const agent = agentOf(node.agent);
        return (
          <Fragment key={node.id}>
            {index > 0 && <li aria-hidden className={`h-0.5 w-2.5 ${node.outcome === "skipped" ? "bg-line" : "bg-accent"}`} />}
            <li>
              <button
                type="button"
                onClick={() => onOpen(node.id)}
                aria-expanded={open === node.id}
                title={node.details}
                className={`flex h-[46px] min-w-[74px] max-w-[132px] flex-col items-center justify-center rounded-[9px] border px-2 leading-tight transition-shadow duration-150 hover:shadow-calm ${lit[node.outcome] ?? "border-line"} ${open === node.id ? "ring-2 ring-accent" : ""}`}
              >
                <span className="max-w-full truncate text-[12.5px] font-semibold">
                  <span aria-hidden className="mr-1 font-normal">
                    {agent.symbol}
                  </span>
                  {nameOf(node)}
                </span>
                <span className="num max-w-full truncate text-[11px] text-ink-3">
                  {node.outcome === "ok" ? milliseconds(node.duration_ms) : node.outcome}
                </span>
              </button>
            </li>
          </Fragment>
        );
      })}
    </ol>
  );
}

function Timeline({ trace, open, onOpen }: { trace: Trace; open: string | null; onOpen: (id: string | null) => void }) {
  const begin = Math.min(...trace.nodes.map((node) => Date.parse(node.started_at)));
  const whole = Math.max(1, trace.duration_ms, ...trace.nodes.map((node) => Date.parse(node.started_at) - begin + node.duration_ms));
  const longest = Math.max(1, ...trace.nodes.map((node) => node.duration_ms));
  return (
    <ol>
      {trace.nodes.map((node) => {
        const left = ((Date.parse(node.started_at) - begin) / whole) * 100;
        const width = Math.max(0.6, (node.duration_ms / whole) * 100);
        const agent = agentOf(node.agent);
        const expanded = open === node.id;
        return (
          <li key={node.id} id={`node-${node.id}`} className="border-line border-b last:border-0">
            <button
              type="button"
              aria-expanded={expanded}
              onClick={() => onOpen(expanded ? null : node.id)}
              className="grid w-full grid-cols-[16px_minmax(0,150px)_minmax(0,1fr)_64px] items-center gap-3 rounded-1 px-2 py-2.5 text-left text-[14px] hover:bg-[color-mix(in_srgb,var(--sunken)_60%,transparent)] md:grid-cols-[16px_170px_minmax(0,1fr)_64px_minmax(0,300px)]"
            >
              <ChevronRight size={14} aria-hidden className={`text-ink-3 transition-transform duration-150 ${expanded ? "rotate-90" : ""}`} />
              <span className="min-w-0">
                <b className="block truncate font-semibold">
                  <span aria-hidden className="mr-1.5 font-normal">
                    {agent.symbol}
                  </span>
                  {nameOf(node)}
                </b>
                <span className="block truncate text-[12.5px] text-ink-3">{node.action}</span>
              </span>
              <span aria-hidden className="relative h-2.5">
                <i
                  className="absolute h-2.5 rounded-full bg-accent"
                  style={{
                    left: `${Math.min(99, left)}%`,
                    width: `${Math.min(100 - Math.min(99, left), width)}%`,
                    opacity: 0.35 + 0.65 * (node.duration_ms / longest),
                  }}
                />
              </span>
              <span className="num text-right text-ink-3">{milliseconds(node.duration_ms)}</span>
              <span className="min-w-0 text-[13px] text-ink-2 max-md:hidden">
                <span className="line-clamp-2">{node.details}</span>
              </span>
            </button>
            {expanded && <Opened node={node} />}
          </li>
        );
      })}
    </ol>
  );
}

function Opened({ node }: { node: TraceNode }) {
  return (
    <div className="grid animate-appear gap-5 px-9 pt-1 pb-4 text-[13px] md:grid-cols-2">
      <p className="text-ink-2 md:col-span-2">
        {node.details} {node.error && <span className="text-bad">{node.error}</span>}
      </p>
      <Facts title="Read" facts={node.reads ?? {}} />
      <Facts title="Wrote" facts={node.writes ?? {}} />
    </div>
  );
}

function Facts({ title, facts }: { title: string; facts: Record<string, unknown> }) {
  const entries = Object.entries(facts);
  return (
    <div className="min-w-0">
      <h3 className="eyebrow mb-1.5">{title}</h3>
      {entries.length === 0 && <p className="text-ink-3">nothing</p>}
      <dl className="num grid grid-cols-[minmax(90px,auto)_minmax(0,1fr)] gap-x-4 gap-y-1">
        {entries.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name.replaceAll("_", " ")}</dt>
            <dd className="min-w-0 break-words">
              <Value value={value} depth={0} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** A value as a person reads it: small things in a line, larger ones as a list. */
function Value({ value, depth }: { value: unknown; depth: number }) {
  if (value === null || value === undefined || value === "") return <span className="text-ink-3">–</span>;
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toPrecision(4).replace(/\.?0+$/, "");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return value.length > 400 ? `${value.slice(0, 400)}…` : value;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="text-ink-3">none</span>;
    if (value.every((item) => typeof item !== "object" || item === null))
      return value.slice(0, 40).join(", ") + (value.length > 40 ? ` … (${value.length})` : "");
    return (
      <ul className="flex flex-col gap-1">
        {value.slice(0, 12).map((item, index) => (
          <li key={index} className="border-line border-l pl-2">
            <Value value={item} depth={depth + 1} />
          </li>
        ))}
        {value.length > 12 && <li className="text-ink-3">and {value.length - 12} more</li>}
      </ul>
    );
  }
  if (depth > 2) return <code className="font-mono text-[12px]">{JSON.stringify(value).slice(0, 300)}</code>;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-0.5">
      {Object.entries(value as Record<string, unknown>).map(([name, inner]) => (
        <span key={name} className="min-w-0 max-w-full">
          <span className="text-ink-3">{name.replaceAll("_", " ")}</span> <Value value={inner} depth={depth + 1} />
        </span>
      ))}
    </span>
  );
}

/** Candidates that a stage let go before they were ranked. */
function Dropped({ moves }: { moves: readonly TraceMove[] }) {
  const dropped = moves.filter((move) => Object.keys(move.stages).length === 0);
  if (dropped.length === 0) return null;
  return (
    <details className="mt-2 text-[13px] text-ink-2">
      <summary className="cursor-pointer text-ink-3 hover:text-ink">{dropped.length} let go on the way</summary>
      <ul className="mt-1.5 flex flex-col gap-0.5">
        {dropped.map((move) => (
          <li key={move.chunk_id}>
            {move.label} <span className="text-ink-3">· {move.ended}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Opens what a candidate stands for: its citation, else the passage that it became part of, else its document. */
function openMove(trace: Trace, move: TraceMove): void {
  const response = trace.response as unknown as Partial<SearchResponse>;
  const citation = response.citations?.find((item) => item.number === move.cited_as && item.document_id === move.document_id);
  if (citation) {
    openSource({ document: citation.document_id, start: citation.start, end: citation.end, run: trace.id, number: citation.number });
    return;
  }
  const passage = response.results
    ?.flatMap((result) => result.passages)
    .find((item) => item.document_id === move.document_id && item.chunks.includes(move.chunk_id));
  openSource({ document: move.document_id, start: passage?.start ?? null, end: passage?.end ?? null });
}
