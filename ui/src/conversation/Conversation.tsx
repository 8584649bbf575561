import { Suspense, useCallback, useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { queryClient, useConversation, useHealth } from "../api/queries";
import type { SearchRequest, SearchResponse, StoredTurn } from "../api/types";
import { describeJob } from "../library/JobProgress";
import { useRunningJob } from "../library/jobs";
import { ErrorMessage } from "../parts/ErrorMessage";
import { isBeginning, isLive, type Run } from "../run/runState";
import { runs, useRuns } from "../run/runStore";
import { lazyPart } from "../shell/lazyPart";
import { conversationPath, navigate } from "../shell/router";
import { showToast } from "../shell/Toasts";
import { useTitle } from "../shell/title";
import { t } from "../text/language";
import { Announcer } from "./Announcer";
import { Composer } from "./Composer";
import { buildRequest, focusComposer, getDraft, setDraft } from "./draft";
import { sendFeedback } from "./feedback";
import { isRepeatedQuestion } from "./repeatedQuestion";
import type { TurnView } from "./turnView";
import { FirstVisit, Starters } from "./Welcome";

/** Not needed before there is a question; fetched with the page where its address names a conversation. */
export const Turn = lazyPart(() => import("./Turn").then((module) => module.Turn));

/** The run that belongs to the empty page until its conversation has an address. */
let unsavedRun: string | null = null;

const toTurnView = (run: Run): TurnView => ({
  key: run.key,
  query: run.request.query,
  askedAt: run.askedAt,
  request: run.request,
  steps: run.steps,
  text: run.text,
  response: isLive(run) ? null : run.response,
  problem: run.problem,
  live: isLive(run),
  interrupted: false,
  note: run.stopping ? t("Stopping…") : run.reconnecting ? t("Reconnecting…") : "",
  runId: run.runId,
});

/** A turn as it is stored; one that another window asked is shown as running until it is followed here. */
function toStoredTurnView(item: StoredTurn): TurnView {
  const response = "status" in item.response ? (item.response as unknown as SearchResponse) : null;
  return {
    key: item.id,
    query: item.query,
    askedAt: item.created_at,
    request: toRequest(item),
    steps: response?.steps ?? [],
    text: "",
    response,
    problem: item.state === "failed" ? new Problem(item.problem ?? {}) : null,
    live: item.state === "running",
    interrupted: item.state === "interrupted",
    note: item.state === "running" ? t("Being answered in another window") : "",
    runId: item.trace_id,
  };
}

const toRequest = (item: StoredTurn): SearchRequest => ({ ...item.request, query: item.query });

export function Conversation({ id }: { id: string | null }) {
  const all = useRuns();
  const stored = useConversation(id);
  useTitle(stored.data?.title ?? "");
  const health = useHealth();
  const job = useRunningJob();
  const live = useMemo(
    () => all.filter((run) => (id === null ? run.key === unsavedRun && run.conversationId === null : run.conversationId === id)),
    [all, id],
  );
  const turns = useMemo(() => mergeTurns(stored.data?.items ?? [], live), [stored.data, live]);
  const current = live.findLast(isLive);
  useEffect(() => {
    for (const item of stored.data?.items ?? [])
      if (item.state === "running" && id !== null) runs.takeUp(item.trace_id, id, toRequest(item), item.created_at);
  }, [stored.data, id]);
  const scroller = useScroll(turns);

  useEffect(() => {
    const begun = all.find((run) => run.key === unsavedRun);
    if (id === null && begun?.conversationId) {
      unsavedRun = null;
      navigate(`/app/c/${encodeURIComponent(begun.conversationId)}`, { replace: true });
    }
  }, [all, id]);

  const before = turns.at(-1);
  const ask = useCallback(
    (query: string, change: Partial<SearchRequest> = {}) => {
      // Asked again because memory was to be left out, or because the first was never answered, says nothing about what was found.
      if (
        before?.response?.results.length &&
        before.runId &&
        change.use_memory !== false &&
        change.correct_spelling !== false &&
        isRepeatedQuestion(before.query, query)
      )
        sendFeedback({ trace_id: before.runId, kind: "reask" });
      const request = { ...buildRequest(query, id, getDraft()), ...change };
      const key = runs.start(request);
      if (id === null) unsavedRun = key;
      setDraft({ text: "" });
    },
    [id, before],
  );
  /** The same question in its place, asked of the same files and with the same narrowing. */
  const again = (turn: TurnView) => {
    if (live.some((run) => run.key === turn.key) || !turn.runId || !turn.request) return runs.retry(turn.key);
    runs.start({ ...turn.request, conversation_id: id, explain: true, replaces: turn.runId }, turn.askedAt);
    return undefined;
  };
  const branchAt = (turn: TurnView) => {
    const item = stored.data?.items.find((one) => one.trace_id === turn.runId);
    if (!item || !id || turn.live) return null;
    return () =>
      void api.branchConversation(id, item.id).then(
        (made) => {
          void queryClient.invalidateQueries({ queryKey: ["conversations"] });
          navigate(conversationPath(made.id));
          setDraft({ text: turn.query });
          focusComposer();
        },
        (problem: unknown) => showToast(Problem.from(problem).detail, "bad"),
      );
  };
  const stop = useCallback(() => current && runs.stop(current.key), [current]);

  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && current && !document.querySelector("[role=dialog],[role=menu]"))
        runs.stop(current.key);
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [current]);

  const documents = health.data?.library.documents ?? null;
  const emptyLibrary = documents === 0 && turns.length === 0;
  const last = turns.at(-1);
  return (
    <main className="flex h-full min-w-0 flex-col overflow-y-auto" ref={scroller} data-testid="conversation">
      <h1 className="sr-only">{stored.data?.title || t("New question")}</h1>
      {turns.length === 0 && id === null && emptyLibrary && <FirstVisit />}
      {turns.length === 0 && id === null && !emptyLibrary && documents !== null && <Starters documents={documents} onAsk={ask} />}
      {turns.length === 0 && id === null && documents === null && health.error && (
        <div className="mx-auto w-full max-w-[560px] px-5 pt-[18vh]">
          <ErrorMessage error={health.error} onRetry={() => void health.refetch()} />
        </div>
      )}
      {stored.error && id !== null && turns.length === 0 && (
        <div className="mx-auto w-full max-w-[560px] px-5 pt-[18vh]">
          <ErrorMessage error={stored.error} onRetry={() => void stored.refetch()} />
        </div>
      )}
      {turns.length > 0 && (
        <div className="mx-auto flex w-full max-w-[720px] flex-col gap-12 px-7 pt-[34px] pb-6 max-sm:px-4 max-sm:pt-5">
          {turns.map((turn, index) => (
            <div key={turn.key} data-turn className={index === turns.length - 1 && live.length > 0 ? "min-h-[calc(100dvh-210px)]" : ""}>
              <Suspense fallback={null}>
                <Turn turn={turn} last={index === turns.length - 1} onAsk={ask} onRetry={() => again(turn)} onBranch={branchAt(turn)} />
              </Suspense>
            </div>
          ))}
        </div>
      )}
      {!(emptyLibrary && id === null) && (
        <div className="sticky bottom-0 z-10 mt-auto bg-gradient-to-b from-transparent to-30% to-paper px-7 pt-6 pb-[max(18px,env(safe-area-inset-bottom))] max-sm:px-3 max-sm:pb-3">
          {job && (
            <p className="num mx-auto mb-1.5 max-w-[664px] px-3 text-[12.5px] text-ink-2" data-testid="indexing-note">
              <span aria-hidden className="mr-2 inline-block size-[7px] animate-breathe rounded-full bg-accent" />
              {t("Still reading: {what}. Answers use what has been read so far.", { what: describeJob(job) })}
            </p>
          )}
          <Composer live={current !== undefined} lastQuestion={last?.query ?? null} onSend={ask} onStop={stop} />
        </div>
      )}
      <Announcer turn={last} />
    </main>
  );
}

/** What is stored, then what this page asked; a run that is also stored stands where it was asked. */
function mergeTurns(items: readonly StoredTurn[], live: readonly Run[]): TurnView[] {
  const mine = new Set(live.flatMap((run) => [run.runId, run.request.replaces]));
  const asked = (item: StoredTurn) => item.state === "running" && live.some((run) => isBeginning(run, item.query));
  const old = items.filter((item) => !mine.has(item.trace_id) && !asked(item)).map(toStoredTurnView);
  return [...old, ...live.map(toTurnView)].sort((a, b) => Date.parse(a.askedAt) - Date.parse(b.askedAt));
}

/** A new question comes to the top of the view; afterwards the reader's place is left alone. */
function useScroll(turns: readonly TurnView[]) {
  const node = useRef<HTMLElement>(null);
  const seen = useRef<string | null>(null);
  const key = turns.at(-1)?.key ?? null;
  useLayoutEffect(() => {
    if (key === null || key === seen.current || !node.current) return;
    const first = seen.current === null;
    seen.current = key;
    const all = node.current.querySelectorAll<HTMLElement>("[data-turn]");
    const target = all[all.length - 1];
    if (!target) return;
    const calm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    node.current.scrollTo({ top: all.length === 1 ? 0 : target.offsetTop - 28, behavior: first || calm ? "instant" : "smooth" });
  }, [key]);
  return node;
}
