import { useSyncExternalStore } from "react";
import { api } from "../api/client";
import { Problem } from "../api/problem";
import { openRun, openSearch, readStream } from "../api/sse";
import type { RunAnswer, SearchRequest, SearchResponse } from "../api/types";
import { mark } from "../text/language";
import { isBeginning, isLive, newRun, type Run, reduce, resumeRun, skipQuestion } from "./runState";

/** A server that is started again is waited for, a quarter of an hour long. */
const WAITS = [250, 750, 1500, ...Array.from({ length: 450 }, () => 2000)];
const REMEMBERED = "vantage.runs";

interface StoredRun {
  runId: string;
  conversationId: string;
  request: SearchRequest;
  askedAt: string;
  /** It asked back and was answered: what it asked is passed over when it is read again. */
  answered?: boolean;
}

type Listener = () => void;

/** The runs of this page's life. They go on while the person looks at something else. */
class Runs {
  private runs: readonly Run[] = [];
  private readonly listeners = new Set<Listener>();
  /** The last event that was seen of each run: one that is answered is followed from there. */
  private readonly seen = new Map<string, string>();
  private readonly tried = new Set<string>();
  private readonly controllers = new Map<string, AbortController>();
  private scheduled = false;
  private counter = 0;
  onFinished: (run: Run) => void = () => undefined;
  onStarted: (run: Run) => void = () => undefined;

  readonly subscribe = (listener: Listener): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): readonly Run[] => this.runs;

  /** Asks. A question outside of a conversation begins one. Returns the key of the run. */
  start(request: SearchRequest, askedAt = new Date().toISOString()): string {
    const run = newRun(`run-${++this.counter}`, request, askedAt);
    this.runs = [...this.runs, run];
    this.tell();
    void this.follow(run.key, request, null);
    return run.key;
  }

  /** Asks the same question again in the place of a run that failed. */
  retry(key: string): void {
    const old = this.find(key);
    if (!old) return;
    // The server keeps the turn of what it began: the new answer takes its place. What it never heard of is asked for the first time.
    const replaces = old.runId && old.conversationId ? old.runId : (old.request.replaces ?? null);
    const request = { ...old.request, conversation_id: old.conversationId, replaces };
    this.update(key, () => newRun(key, request, old.askedAt));
    void this.follow(key, request, null);
  }

  /** Follows a run that another window began, or this browser before it was closed. Once: a run that the server does not know is over. */
  takeUp(runId: string, conversationId: string, request: SearchRequest, askedAt: string): void {
    if (this.tried.has(runId) || this.runs.some((run) => run.runId === runId)) return;
    // The server may list a question before its stream has told this page the id of the run.
    if (this.runs.some((run) => run.conversationId === conversationId && isBeginning(run, request.query))) return;
    this.tried.add(runId);
    const run = { ...newRun(`run-${++this.counter}`, { ...request, conversation_id: conversationId }, askedAt), runId };
    this.runs = [...this.runs, run];
    this.tell();
    void this.follow(run.key, run.request, runId);
  }

  /**
   * Answers what a run asked back; the same run goes on, followed from its last event. A run that this page did not ask is taken up with its steps.
   * Rejects where the run does not wait any more.
   */
  async answer(asked: AskedRun, answer: RunAnswer): Promise<void> {
    await api.answerRun(asked.runId, answer);
    let run = this.runs.find((known) => known.runId === asked.runId);
    if (!run) {
      run = { ...newRun(`run-${++this.counter}`, { query: asked.query }, asked.askedAt), ...restoreAskedRun(asked) };
      this.runs = [...this.runs, run];
    }
    const { key } = run;
    this.update(key, resumeRun);
    const now = this.find(key);
    if (now) storeRun(now, true);
    void this.follow(key, run.request, asked.runId, { answered: true, after: this.seen.get(key) ?? "" });
  }

  /** Asks the server to stop; the stream then ends with what was found. Before the run has an id there is nothing to keep. */
  stop(key: string): void {
    const run = this.find(key);
    if (!run || !isLive(run)) return;
    if (!run.runId) {
      this.controllers.get(key)?.abort();
      return;
    }
    this.update(key, (now) => ({ ...now, stopping: true }));
    api
      .cancelRun(run.runId)
      .catch((error: unknown) => this.update(key, (now) => ({ ...now, phase: "failed", stopping: false, problem: Problem.from(error) })));
  }

  /** Takes up the runs that were going on when the page was left. */
  restore(): void {
    for (const item of loadStoredRuns()) {
      if (this.runs.some((run) => run.runId === item.runId)) continue;
      const run = { ...newRun(`run-${++this.counter}`, item.request, item.askedAt), runId: item.runId, conversationId: item.conversationId };
      this.runs = [...this.runs, run];
      void this.follow(run.key, item.request, item.runId, { answered: item.answered ?? false });
    }
    this.tell();
  }

  forget(key: string): void {
    this.runs = this.runs.filter((run) => run.key !== key);
    this.tell();
  }

  private find(key: string): Run | undefined {
    return this.runs.find((run) => run.key === key);
  }

  private async follow(key: string, request: SearchRequest, runId: string | null, past: { answered?: boolean; after?: string } = {}): Promise<void> {
    const controller = new AbortController();
    this.controllers.set(key, controller);
    try {
      const asked = runId ? request : await this.inConversation(key, request);
      await readStream({
        open: (signal) => (runId ? openRun(runId, past.after ?? "", signal) : openSearch(asked, signal)),
        resume: (lastId, signal) => {
          const id = this.find(key)?.runId;
          return id ? openRun(id, lastId, signal) : null;
        },
        onEvent: (event) => {
          if (event.id) this.seen.set(key, event.id);
          this.update(key, (run) => reduce(run, event));
          const run = this.find(key);
          if (event.kind === "run" && run) {
            storeRun(run, past.answered);
            this.onStarted(run);
          }
        },
        onReconnecting: (lost) => this.update(key, (run) => ({ ...run, reconnecting: lost })),
        signal: controller.signal,
        last: "done",
        waits: WAITS,
        ...(past.answered && !past.after ? { skip: skipQuestion() } : {}),
      });
    } catch (error) {
      this.update(key, (run) => ({
        ...run,
        phase: "failed",
        reconnecting: false,
        stopping: false,
        problem: controller.signal.aborted ? stoppedProblem() : Problem.from(error),
      }));
    } finally {
      this.controllers.delete(key);
      const run = this.find(key);
      if (run) {
        forgetStoredRun(run.runId);
        this.onFinished(run);
        // A run that was over before the page came back, or went with its server, is in its conversation already.
        if (run.runId && run.conversationId && run.phase === "failed" && run.problem?.status === 404) this.forget(key);
      }
    }
  }

  private async inConversation(key: string, request: SearchRequest): Promise<SearchRequest> {
    if (request.conversation_id) return { ...request, session_id: request.conversation_id };
    const conversation = await api.createConversation(request.query.replace(/\s+/g, " ").trim().slice(0, 120));
    const asked = { ...request, conversation_id: conversation.id, session_id: conversation.id };
    this.update(key, (run) => ({ ...run, request: asked, conversationId: conversation.id }));
    const run = this.find(key);
    if (run) this.onStarted(run);
    return asked;
  }

  private update(key: string, change: (run: Run) => Run): void {
    this.runs = this.runs.map((run) => (run.key === key ? change(run) : run));
    this.tell();
  }

  /** Tokens come faster than a screen can show them: listeners hear of changes at most once a frame. */
  private tell(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setTimeout(() => {
      this.scheduled = false;
      for (const listener of this.listeners) listener();
    }, 12);
  }
}

/** A run that asked back, as the page shows it. */
export interface AskedRun {
  runId: string;
  query: string;
  askedAt: string;
  response: SearchResponse;
}

const restoreAskedRun = (asked: AskedRun): Partial<Run> => ({
  runId: asked.runId,
  conversationId: asked.response.conversation_id ?? null,
  steps: asked.response.steps,
});

const stoppedProblem = () =>
  new Problem({ title: mark("Stopped before it began"), detail: mark("Nothing had been searched yet. Your question is kept."), code: "stopped" });

function loadStoredRuns(): StoredRun[] {
  try {
    const list: unknown = JSON.parse(sessionStorage.getItem(REMEMBERED) ?? "[]");
    return Array.isArray(list) ? (list as StoredRun[]) : [];
  } catch (error) {
    console.info("Runs that were in progress are not resumed.", error);
    return [];
  }
}

function saveStoredRuns(list: StoredRun[]): void {
  try {
    sessionStorage.setItem(REMEMBERED, JSON.stringify(list.slice(-5)));
  } catch (error) {
    console.info("This run will not survive a reload: the browser denies storage.", error);
  }
}

function storeRun(run: Run, answered = false): void {
  if (!run.runId || !run.conversationId) return;
  const others = loadStoredRuns().filter((item) => item.runId !== run.runId);
  saveStoredRuns([...others, { runId: run.runId, conversationId: run.conversationId, request: run.request, askedAt: run.askedAt, answered }]);
}

function forgetStoredRun(runId: string | null): void {
  if (runId) saveStoredRuns(loadStoredRuns().filter((item) => item.runId !== runId));
}

export const runs = new Runs();

export const useRuns = (): readonly Run[] => useSyncExternalStore(runs.subscribe, runs.snapshot);
