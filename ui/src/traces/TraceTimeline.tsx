import { ChevronRight } from "lucide-react";
import { useMemo } from "react";
import type { Trace, TraceNode } from "../api/types";
import { Tag, type Tone } from "../parts/Tag";
import { agentOf } from "../run/agents";
import { formatDateTime, formatMilliseconds, formatPlural, formatSeconds } from "../text/format";
import { mark, t } from "../text/language";
import { FactList } from "./FactList";
import { sortByStart } from "./runPath";
import { type Stretch, timeScale } from "./timeScale";

const outcomeTag: Partial<Record<TraceNode["outcome"], [Tone, string]>> = {
  skipped: ["calm", mark("skipped")],
  degraded: ["warn", mark("in part")],
  failed: ["bad", mark("failed")],
  cancelled: ["warn", mark("stopped")],
};
const barColour: Partial<Record<TraceNode["outcome"], string>> = { degraded: "bg-warn", failed: "bg-bad", cancelled: "bg-warn" };

/** Who did what, in the order of the beginning: agent, decision, when and how long. A line opens to what its node wrote, and from what it read. */
export function TraceTimeline({ trace, open, onOpen }: { trace: Trace; open: string | null; onOpen: (id: string | null) => void }) {
  const nodes = useMemo(() => sortByStart(trace.nodes), [trace.nodes]);
  const passes = useMemo(() => numberPassings(nodes), [nodes]);
  const scale = useMemo(() => timeScale(nodes), [nodes]);
  if (nodes.length === 0) return <p className="px-2 py-3 text-ink-2">{t("No node ran: the run was over before it began.")}</p>;
  const longest = Math.max(1, ...nodes.map((node) => node.duration_ms));
  return (
    <ol>
      {nodes.map((node) => (
        <NodeRow
          key={node.id}
          node={node}
          pass={passes.get(node.id) ?? null}
          stretch={scale.stretches.get(node.id) ?? { left: 0, width: 0 }}
          waited={scale.waits.get(node.id) ?? 0}
          weight={node.duration_ms / longest}
          expanded={open === node.id}
          onToggle={() => onOpen(open === node.id ? null : node.id)}
        />
      ))}
    </ol>
  );
}

/** Which passing of how many a node of the trace is, where the same node ran more than once for the same subject. */
function numberPassings(nodes: readonly TraceNode[]): Map<string, string> {
  const groups = new Map<string, TraceNode[]>();
  for (const node of nodes) groups.set(`${node.node} ${node.subject}`, [...(groups.get(`${node.node} ${node.subject}`) ?? []), node]);
  const words = new Map<string, string>();
  for (const group of groups.values()) {
    if (group.length < 2) continue;
    for (const [index, node] of group.entries())
      words.set(node.id, t(node.node === "correct" ? mark("try {n} of {all}") : mark("pass {n} of {all}"), { n: index + 1, all: group.length }));
  }
  return words;
}

interface LineProps {
  node: TraceNode;
  pass: string | null;
  stretch: Stretch;
  /** How long nothing ran before it, where that is long. */
  waited: number;
  weight: number;
  expanded: boolean;
  onToggle: () => void;
}

function NodeRow({ node, pass, stretch, waited, weight, expanded, onToggle }: LineProps) {
  const agent = agentOf(node.agent);
  const tag = outcomeTag[node.outcome];
  return (
    <li id={`node-${node.id}`} className="scroll-my-4 border-line border-t first:border-t-0">
      {waited > 0 && (
        <p className="num px-1.5 pt-2 text-[12.5px] text-ink-3 md:pl-[62px]">
          {t("Waited {time} until an answer came", { time: formatSeconds(waited / 1000) })}
        </p>
      )}
      <button
        type="button"
        aria-expanded={expanded}
        onClick={onToggle}
        data-testid="timeline-line"
        className="grid w-full grid-cols-[16px_24px_minmax(0,1fr)_64px] items-start gap-x-2.5 rounded-1 px-1.5 py-2.5 text-left text-[14px] transition-colors duration-150 hover:bg-sunken md:grid-cols-[16px_24px_minmax(150px,190px)_minmax(0,1fr)_minmax(90px,190px)_64px]"
      >
        <ChevronRight size={14} aria-hidden className={`mt-1 text-ink-3 transition-transform duration-150 ${expanded ? "rotate-90" : ""}`} />
        <span aria-hidden className="text-center text-[17px] leading-[22px]">
          {agent.symbol}
        </span>
        <span className="min-w-0">
          <span className="block truncate">
            <b className="font-semibold">{agent.name}</b> <span className="text-[12.5px] text-ink-3">{t(agent.title)}</span>
          </span>
          <span className="block truncate text-[12.5px] text-ink-3">{t(node.action)}</span>
        </span>
        <span className="min-w-0 text-ink-2 max-md:order-last max-md:col-span-2 max-md:col-start-3">
          {node.subject && <span className="mr-1.5 rounded-1 bg-sunken px-1.5 py-px text-[12.5px] text-ink-2">{node.subject}</span>}
          <span className={expanded ? "" : "line-clamp-2"}>{t(node.details)}</span>
          {(tag || pass) && (
            <span className="mt-1 flex flex-wrap gap-1.5">
              {tag && <Tag tone={tag[0]}>{t(tag[1])}</Tag>}
              {pass && <Tag>{pass}</Tag>}
            </span>
          )}
        </span>
        <span aria-hidden className="relative mt-[7px] h-2 rounded-full bg-sunken max-md:order-last max-md:col-span-2 max-md:col-start-3">
          <i
            className={`absolute h-2 min-w-1 rounded-full ${barColour[node.outcome] ?? "bg-accent"}`}
            style={{ left: `${stretch.left}%`, width: `${stretch.width}%`, opacity: 0.4 + 0.6 * weight }}
          />
        </span>
        <span className="num text-right text-ink-3">{node.outcome === "skipped" ? "–" : formatMilliseconds(node.duration_ms)}</span>
      </button>
      {expanded && <NodeDetails node={node} />}
    </li>
  );
}

function NodeDetails({ node }: { node: TraceNode }) {
  return (
    <div className="animate-appear px-2 pt-1 pb-5 text-[13px] md:pl-[60px]" data-testid="opened">
      {node.error && (
        <p role="note" className="mb-3 rounded-1 border border-[color-mix(in_srgb,var(--bad)_35%,var(--line))] px-3 py-2 text-bad">
          {node.error}
        </p>
      )}
      <div className="grid gap-x-8 gap-y-4 md:grid-cols-2">
        <FactList title={t("Wrote")} facts={node.writes ?? {}} />
        <FactList title={t("Read")} facts={node.reads ?? {}} />
      </div>
      <p className="num mt-3 text-ink-3">
        <code className="font-mono text-[12px]">{node.node}</code> · {t("began {time}", { time: formatDateTime(node.started_at) })} ·{" "}
        {formatMilliseconds(node.duration_ms)}
      </p>
    </div>
  );
}

interface Report {
  stage: string;
  entered: number;
  left: number;
  duration_ms: number;
  note?: string;
  parameters?: Record<string, unknown>;
}

/** The search from the inside: what every stage let in and out. */
export function Stages({ reports }: { reports: readonly Record<string, unknown>[] }) {
  const rows = reports as unknown as Report[];
  if (rows.length === 0) return null;
  const most = Math.max(1, ...rows.map((row) => Math.max(row.entered, row.left)));
  return (
    <details className="mt-3 border-line border-t pt-3 text-[13px]">
      <summary className="cursor-pointer text-ink-2 hover:text-ink">{t("The search, stage by stage ({n})", { n: rows.length })}</summary>
      <div className="mt-2 overflow-x-auto">
        <table className="num w-full min-w-[560px] border-collapse">
          <thead className="text-left text-[12px] text-ink-3">
            <tr>
              <th className="py-1 pr-4 font-medium">{t("Stage")}</th>
              <th className="py-1 pr-4 text-right font-medium">{t("In")}</th>
              <th className="py-1 pr-4 text-right font-medium">{t("Out")}</th>
              <th aria-hidden className="w-[130px]" />
              <th className="py-1 pr-4 text-right font-medium">{t("Took")}</th>
              <th className="py-1 font-medium">{t("With")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index} className="border-line border-t align-top">
                <td className="py-1.5 pr-4 font-semibold">{t(row.stage)}</td>
                <td className="py-1.5 pr-4 text-right">{row.entered}</td>
                <td className="py-1.5 pr-4 text-right">{row.left}</td>
                <td aria-hidden className="py-1.5 pr-4">
                  <span className="block h-1.5 rounded-full bg-accent-soft" style={{ width: `${(Math.max(row.entered, row.left) / most) * 100}%` }}>
                    <span
                      className="block h-1.5 rounded-full bg-accent"
                      style={{ width: `${(row.left / Math.max(1, row.entered, row.left)) * 100}%` }}
                    />
                  </span>
                </td>
                <td className="py-1.5 pr-4 text-right text-ink-3">{formatMilliseconds(row.duration_ms)}</td>
                <td className="py-1.5 text-ink-2">{row.note || parameters(row.parameters ?? {})}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  );
}

const parameters = (values: Record<string, unknown>): string =>
  Object.entries(values)
    .filter(([, value]) => typeof value !== "object")
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${value}`)
    .join(", ");

/** Which prompts a model got, by the hash of their text, and what it read and wrote. */
export function ModelUse({ trace }: { trace: Trace }) {
  const prompts = Object.entries(trace.prompts ?? {});
  const tokens = Object.entries(trace.tokens ?? {});
  if (prompts.length === 0 && tokens.length === 0) return null;
  return (
    <section className="card px-[18px] py-4 text-[13.5px]" aria-label={t("The model")}>
      <h2 className="eyebrow mb-2">{t("What the model was given")}</h2>
      {tokens.length > 0 && (
        <p className="num text-ink-2">
          {tokens.map(([name, value]) => formatPlural(value, `${name.replaceAll("_", " ").replace(/ ?tokens?$/, "")} token`)).join(" · ")}
        </p>
      )}
      {prompts.length > 0 && (
        <ul className="mt-1.5 flex flex-wrap gap-x-6 gap-y-1">
          {prompts.map(([name, hash]) => (
            <li key={name} className="text-ink-2">
              {t("prompt “{name}”", { name })}{" "}
              <code className="font-mono text-[12px] text-ink-3" title={hash}>
                {hash.slice(0, 12)}
              </code>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
