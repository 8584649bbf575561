import { ArrowLeft, ArrowLeftRight, ArrowRight } from "lucide-react";
import { useCallback } from "react";
import { useComparison, useTrace, useTraceGraph } from "../api/queries";
import type { NodeShift, SearchResponse, Trace, TraceComparison, TraceLine } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { agentOf } from "../run/agents";
import { comparisonPath, Link, navigate, tracePath, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatMilliseconds } from "../text/format";
import { t } from "../text/language";
import { PairGraph } from "./GraphCard";
import { ResultShifts } from "./ResultShifts";
import { joinList, omittedStages, stageLabel, statusLabel, writerLabel } from "./traceLabels";

/** Two runs side by side: what differs in sentences, then the results, both ways through the graph, and the times. */
export function ComparePage() {
  const { search } = useAddress();
  const [left, right] = [search.get("left") ?? "", search.get("right") ?? ""];
  useTitle(t("Two runs"));
  const comparison = useComparison(left, right);
  const graph = useTraceGraph();
  const [first, second] = [useTrace(left || null), useTrace(right || null)];
  const open = useCallback(
    (side: "left" | "right", node: string) => navigate(`${tracePath(side === "left" ? left : right)}?node=${encodeURIComponent(node)}`),
    [left, right],
  );
  if (!left || !right) return <NoComparison />;
  if (comparison.error)
    return (
      <Frame>
        <ErrorMessage error={comparison.error} onRetry={() => void comparison.refetch()} />
      </Frame>
    );
  if (!comparison.data || (graph.isPending && graph.failureCount === 0) || first.isPending || second.isPending)
    return <main className="h-full" aria-busy />;
  const found = comparison.data;
  return (
    <Frame>
      <header className="-mt-3">
        <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2">
          <h1>{t("Two runs side by side")}</h1>
          <Tag tone={found.same_answer ? "good" : "warn"}>{found.same_answer ? t("the same answer") : t("the answers differ")}</Tag>
          <button type="button" className="chip ml-auto inline-flex items-center gap-1.5" onClick={() => navigate(comparisonPath(right, left))}>
            <ArrowLeftRight size={14} aria-hidden /> {t("Swap sides")}
          </button>
        </div>
        <div className="mt-3.5 grid gap-3.5 md:grid-cols-2">
          <Run line={found.left} trace={first.data} place={t("Left")} label={t("Left run")} mark="border-l-links" />
          <Run line={found.right} trace={second.data} place={t("Right")} label={t("Right run")} mark="border-l-lexical" />
        </div>
      </header>
      <div className="grid items-start gap-[22px] xl:grid-cols-2">
        <Differences sentences={found.differences} />
        <ResultShifts results={found.results} />
      </div>
      {graph.data && first.data && second.data && <PairGraph graph={graph.data} left={first.data.nodes} right={second.data.nodes} onOpen={open} />}
      <Times nodes={found.nodes} />
    </Frame>
  );
}

function Frame({ children }: { children: React.ReactNode }) {
  return (
    <main className="h-full overflow-y-auto" data-testid="comparison">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[26px] max-sm:px-3.5 max-sm:py-5">
        <Link href="/app/traces" className="quietly -ml-1.5 inline-flex items-center gap-1.5 self-start px-1.5 py-0.5 text-[13px]">
          <ArrowLeft size={14} aria-hidden /> {t("Traces")}
        </Link>
        {children}
      </div>
    </main>
  );
}

function NoComparison() {
  return (
    <Frame>
      <div className="card p-6">
        <h1>{t("Which two runs?")}</h1>
        <p className="mt-2 text-ink-2">{t("Select two runs in the list of traces, or open one and choose “Compare with…”.")}</p>
        <Link href="/app/traces" className="button mt-4">
          {t("Choose from the traces")} <ArrowRight size={14} aria-hidden />
        </Link>
      </div>
    </Frame>
  );
}

function Run({ line, trace, place, label, mark }: { line: TraceLine; trace: Trace | undefined; place: string; label: string; mark: string }) {
  const [tone, word] = statusLabel(line.status);
  const without = trace ? omittedStages(trace.request) : [];
  const answer = (trace?.response as Partial<SearchResponse> | undefined)?.answer ?? "";
  return (
    <article className={`card border-l-4 px-4 py-3.5 ${mark}`} aria-label={label}>
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-[13px] text-ink-3">
        <span className="eyebrow">{place}</span>
        <span className="num">
          <Time at={line.started_at} /> · {[formatMilliseconds(line.duration_ms), writerLabel(line.generated_by)].filter(Boolean).join(" · ")}
        </span>
        <Tag tone={tone}>{word}</Tag>
        {without.length > 0 ? (
          <Tag tone="warn">{t("without {stages}", { stages: joinList(without.map(stageLabel)) })}</Tag>
        ) : (
          line.replay_of && <Tag>{t("replay")}</Tag>
        )}
      </div>
      <Link
        href={tracePath(line.id)}
        className="mt-1.5 block break-words font-semibold hover:underline hover:decoration-line-strong hover:underline-offset-4"
      >
        {line.query}
      </Link>
      {answer && (
        <p className="mt-1.5 line-clamp-4 font-serif text-[15px] text-ink-2 leading-[1.55]" title={answer}>
          {answer}
        </p>
      )}
    </article>
  );
}

function Differences({ sentences }: { sentences: readonly string[] }) {
  return (
    <section className="card px-5 py-4" aria-label={t("What differs")}>
      <h2 className="eyebrow mb-2">{t("What differs")}</h2>
      {sentences.length === 0 ? (
        <p className="font-serif text-[17px]">{t("Nothing: the same path, the same results, the same answer.")}</p>
      ) : (
        <ul className="flex max-w-[76ch] flex-col gap-1.5 font-serif text-[17px] leading-[1.5]">
          {sentences.map((sentence) => (
            <li
              key={sentence}
              className="relative pl-4 before:absolute before:top-[0.62em] before:left-0 before:size-1.5 before:rounded-full before:bg-accent"
            >
              {sentence}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The time of every node in both runs, as bars that lean against each other. */
function Times({ nodes }: { nodes: TraceComparison["nodes"] }) {
  const longest = Math.max(1, ...nodes.flatMap((node) => [node.left_ms ?? 0, node.right_ms ?? 0]));
  return (
    <section className="card px-[18px] py-4" aria-label={t("Times of both runs")}>
      <h2 className="eyebrow mb-2">{t("Where the time went")}</h2>
      {nodes.length === 0 ? (
        <p className="text-ink-2">{t("No node ran in either run.")}</p>
      ) : (
        <ol>
          {nodes.map((node) => (
            <Pair key={node.node} node={node} longest={longest} />
          ))}
        </ol>
      )}
    </section>
  );
}

function Pair({ node, longest }: { node: NodeShift; longest: number }) {
  const agent = agentOf(node.agent);
  const same = node.left_details === node.right_details;
  return (
    <li className="grid gap-x-5 gap-y-1 border-line border-t py-2 text-[13.5px] first:border-t-0 md:grid-cols-[minmax(0,200px)_minmax(0,240px)_minmax(0,1fr)]">
      <span className="min-w-0 truncate" title={`${agent.name}, ${t(agent.title)}`}>
        <span aria-hidden className="mr-1.5">
          {agent.symbol}
        </span>
        <b className="font-semibold">{agent.name}</b> <span className="text-ink-3">{t(node.node.replaceAll("_", " "))}</span>
      </span>
      <span className="num flex flex-col gap-1.5 pt-1 text-[12.5px]">
        <Bar side={t("left run:")} value={node.left_ms} longest={longest} colour="bg-links" />
        <Bar side={t("right run:")} value={node.right_ms} longest={longest} colour="bg-lexical" />
      </span>
      {same ? (
        <span className="text-ink-3">{node.left_details}</span>
      ) : (
        <span className="grid gap-x-4 gap-y-1 text-ink-2 sm:grid-cols-2">
          <span className="border-links border-l-2 pl-2">{node.left_details || <span className="text-ink-3">{t("did not run")}</span>}</span>
          <span className="border-lexical border-l-2 pl-2">{node.right_details || <span className="text-ink-3">{t("did not run")}</span>}</span>
        </span>
      )}
    </li>
  );
}

function Bar({ side, value, longest, colour }: { side: string; value: number | null; longest: number; colour: string }) {
  return (
    <span className="grid grid-cols-[minmax(0,1fr)_58px] items-center gap-2">
      <span aria-hidden className="h-1.5 rounded-full bg-sunken">
        {value !== null && <i className={`block h-1.5 min-w-[3px] rounded-full ${colour}`} style={{ width: `${(value / longest) * 100}%` }} />}
      </span>
      <span className="text-right text-ink-2 leading-none">
        <span className="sr-only">{side} </span>
        {value === null ? "–" : formatMilliseconds(value)}
      </span>
    </span>
  );
}
