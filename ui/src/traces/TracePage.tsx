import { ArrowLeft, CircleHelp, GitCompareArrows } from "lucide-react";
import { useCallback, useEffect } from "react";
import { api } from "../api/client";
import { useTrace, useTraceGraph } from "../api/queries";
import type { Trace, TraceMove } from "../api/types";
import { ErrorMessage } from "../parts/ErrorMessage";
import { Tag } from "../parts/Tag";
import { Time } from "../parts/Time";
import { comparisonPath, conversationPath, Link, tracePath, useAddress } from "../shell/router";
import { useTitle } from "../shell/title";
import { formatMilliseconds } from "../text/format";
import { t } from "../text/language";
import { BumpChart } from "./BumpChart";
import { CompareMenu } from "./CompareMenu";
import { explainCandidate, openCandidate } from "./candidateSource";
import { FileExplanationPanel } from "./FileExplanationPanel";
import { RunGraph } from "./GraphCard";
import { setQueryParameters } from "./queryParameters";
import { ReplayMenu } from "./ReplayMenu";
import { ModelUse, Stages, TraceTimeline } from "./TraceTimeline";
import { describeEnd, joinList, listViewers, omittedStages, stageLabel, statusLabel, writerLabel } from "./traceLabels";

/** How an answer came about: the path, the movement of the candidates, what each node read and wrote, and why a file is not there. */
export function TracePage({ id }: { id: string }) {
  const trace = useTrace(id);
  const graph = useTraceGraph();
  const { search } = useAddress();
  useTitle(trace.data ? t("Trace: {question}", { question: trace.data.query }) : t("Trace"));
  const open = search.get("node");
  const setOpen = useCallback((node: string | null) => setQueryParameters({ node }), []);
  const show = useCallback(
    (node: string) => {
      setOpen(node);
      setTimeout(() => reveal(`node-${node}`), 0);
    },
    [setOpen],
  );
  // A graph that does not come holds nothing up: the rest of the page is shown with the reason in its place.
  const waiting = graph.isPending && graph.failureCount === 0;
  const ready = trace.isSuccess && !waiting;
  useEffect(() => {
    if (!ready) return;
    const asked = new URLSearchParams(window.location.search);
    const target = asked.has("why") ? "why" : asked.has("node") ? `node-${asked.get("node")}` : null;
    if (target) setTimeout(() => reveal(target), 0);
  }, [ready]);
  if (trace.error)
    return (
      <main className="h-full overflow-y-auto p-[38px] max-sm:p-4">
        <ErrorMessage error={trace.error} onRetry={() => void trace.refetch()}>
          <Link href="/app/traces" className="link mt-2 inline-block">
            {t("All traces")}
          </Link>
        </ErrorMessage>
      </main>
    );
  if (!trace.data || waiting) return <main className="h-full" aria-busy />;
  const data = trace.data;
  return (
    <main className="h-full overflow-y-auto" data-testid="trace">
      <div className="mx-auto flex w-full max-w-[1180px] flex-col gap-[22px] px-[38px] py-[26px] max-sm:px-3.5 max-sm:py-5">
        <Head trace={data} />
        {graph.data ? (
          <RunGraph graph={graph.data} nodes={data.nodes} open={open} onOpen={show} />
        ) : (
          <ErrorMessage error={graph.error ?? graph.failureReason} onRetry={() => void graph.refetch()} />
        )}
        <section className="card px-[18px] py-4 max-sm:px-3.5" aria-label={t("How the results moved")}>
          <h2 className="eyebrow mb-3">{t("How the results moved")}</h2>
          <BumpChart moves={data.moves} onOpen={(move) => openCandidate(data, move)} whyOf={(move) => explainCandidate(data, move)} />
          <DroppedCandidates moves={data.moves} />
          <Stages reports={data.reports ?? []} />
        </section>
        <section className="card px-2.5 py-2" aria-label={t("Timeline")}>
          <h2 className="eyebrow px-2 pt-2 pb-1">{t("Who decided what")}</h2>
          <TraceTimeline trace={data} open={open} onOpen={setOpen} />
        </section>
        <ModelUse trace={data} />
        <FileExplanationPanel
          search={{ key: [data.id], ask: (document, signal) => api.explain(data.id, document, signal) }}
          document={search.get("why")}
        />
      </div>
    </main>
  );
}

function reveal(id: string): void {
  const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  document.getElementById(id)?.scrollIntoView({ block: "nearest", behavior: calm ? "auto" : "smooth" });
}

function Head({ trace }: { trace: Trace }) {
  const [tone, word] = statusLabel(trace.status);
  const without = omittedStages(trace.request);
  return (
    <header>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Link href="/app/traces" className="quietly -ml-1.5 inline-flex items-center gap-1.5 px-1.5 py-0.5 text-[13px]">
          <ArrowLeft size={14} aria-hidden /> {t("Traces")}
        </Link>
        {trace.conversation_id && (
          <Link href={conversationPath(trace.conversation_id)} className="link text-[13.5px]">
            {t("Back to the conversation")}
          </Link>
        )}
        <div className="ml-auto flex flex-wrap gap-2 max-md:ml-0 max-md:w-full">
          <CompareMenu trace={trace} />
          <ReplayMenu trace={trace.id} />
          <button
            type="button"
            className="chip inline-flex items-center gap-1.5"
            onClick={() => {
              reveal("why");
              document.getElementById("why-input")?.focus({ preventScroll: true });
            }}
          >
            <CircleHelp size={14} aria-hidden /> {t("Why is a file missing?")}
          </button>
        </div>
      </div>
      <div className="mt-2.5 flex flex-wrap items-center gap-x-3.5 gap-y-1.5">
        <h1>{t("How this answer came about")}</h1>
        <span className="num text-ink-3">
          <Time at={trace.started_at} /> · {[formatMilliseconds(trace.duration_ms), writerLabel(trace.generated_by)].filter(Boolean).join(" · ")}
          {trace.embedder && ` · ${t("searched by {model}", { model: trace.embedder })}`}
        </span>
        <Tag tone={tone}>{word}</Tag>
      </div>
      <p className="mt-2.5 break-words text-ink-2">{t("“{text}”", { text: trace.query })}</p>
      {listViewers(trace.viewed_by ?? []).map((viewer) => (
        <p key={viewer.who} className="mt-2 text-[13.5px] text-ink-2">
          {viewer.times > 1
            ? t("Viewed by the administrator {who}, {n} times, last", { who: viewer.who, n: viewer.times })
            : t("Viewed by the administrator {who},", { who: viewer.who })}{" "}
          <Time at={viewer.last} />
        </p>
      ))}
      {trace.replay_of && (
        <p className="mt-2 flex flex-wrap items-center gap-x-3 text-[13.5px] text-ink-2">
          <span>
            {without.length > 0 ? t("A replay without {stages} of", { stages: joinList(without.map(stageLabel)) }) : t("A replay of")}{" "}
            <Link href={tracePath(trace.replay_of)} className="link">
              {t("an earlier run")}
            </Link>
            .
          </span>
          <Link href={comparisonPath(trace.replay_of, trace.id)} className="link inline-flex items-center gap-1">
            <GitCompareArrows size={13} aria-hidden /> {t("Compare the two")}
          </Link>
        </p>
      )}
      {(trace.degraded ?? []).map((item) => (
        <p key={item.part} className="mt-1.5 text-[13.5px] text-warn">
          {t("Without {part}:", { part: t(item.part ?? "") })} {item.reason}
        </p>
      ))}
    </header>
  );
}

/** Candidates that a stage let go before they were ranked. */
function DroppedCandidates({ moves }: { moves: readonly TraceMove[] }) {
  const dropped = moves.filter((move) => Object.keys(move.stages).length === 0);
  if (dropped.length === 0) return null;
  return (
    <details className="mt-2 text-[13px] text-ink-2">
      <summary className="cursor-pointer text-ink-2 hover:text-ink">{t("{n} dropped along the way", { n: dropped.length })}</summary>
      <ul className="mt-1.5 flex flex-col gap-0.5">
        {dropped.map((move) => (
          <li key={move.chunk_id}>
            {move.label} <span className="text-ink-3">· {describeEnd(move.ended)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
