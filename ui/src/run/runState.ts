import { Problem } from "../api/problem";
import type { ServerEvent } from "../api/sse";
import type { Citation, ProblemDocument, Result, SearchRequest, SearchResponse, Step } from "../api/types";
import { mark } from "../text/language";

export type Phase = "connecting" | "running" | "writing" | "done" | "failed";

/** One question on its way to its answer, as the page knows it. */
export interface Run {
  key: string;
  request: SearchRequest;
  conversationId: string | null;
  runId: string | null;
  phase: Phase;
  steps: Step[];
  /** What a model has written so far. */
  text: string;
  citations: Citation[];
  results: Result[];
  response: SearchResponse | null;
  problem: Problem | null;
  reconnecting: boolean;
  stopping: boolean;
  askedAt: string;
}

export const newRun = (key: string, request: SearchRequest, askedAt: string): Run => ({
  key,
  request,
  conversationId: request.conversation_id ?? null,
  runId: null,
  phase: "connecting",
  steps: [],
  text: "",
  citations: [],
  results: [],
  response: null,
  problem: null,
  reconnecting: false,
  stopping: false,
  askedAt,
});

/** The run goes on after it was answered: what it asked is past, its steps stay and grow. */
export const resumeRun = (run: Run): Run => ({ ...run, phase: "running", response: null, problem: null, text: "", stopping: false });

/**
 * Passes over what a run asked back, once: read again from its beginning, an answered run tells its question first, with an end that is none.
 */
export function skipQuestion(): (event: ServerEvent) => boolean {
  let past = false;
  return (event) => {
    if (past || (event.kind !== "answer" && event.kind !== "done")) return false;
    past = event.kind === "done";
    return (event.data as { status?: string }).status === "clarification_needed";
  };
}

export const isLive = (run: Run): boolean => run.phase !== "done" && run.phase !== "failed";

/** Whether a run asks this question and the server has not told its id yet. */
export const isBeginning = (run: Run, query: string): boolean => run.runId === null && isLive(run) && run.request.query === query;

/** A step comes twice with the same id, when it starts and when it ends: the second takes the place of the first. */
export function mergeStep(steps: readonly Step[], step: Step): Step[] {
  const at = steps.findIndex((known) => known.id === step.id);
  if (at < 0) return [...steps, step];
  const next = [...steps];
  next[at] = step;
  return next;
}

interface RunEvent {
  run_id: string;
  conversation_id: string | null;
}

/** What an event makes of a run. Pure; an event of an unknown kind changes nothing. */
export function reduce(run: Run, event: ServerEvent): Run {
  switch (event.kind) {
    case "run": {
      const data = event.data as RunEvent;
      return { ...run, runId: data.run_id, conversationId: data.conversation_id ?? run.conversationId, phase: "running" };
    }
    case "step":
      return { ...run, phase: run.phase === "connecting" ? "running" : run.phase, steps: mergeStep(run.steps, event.data as Step) };
    case "token":
      return { ...run, phase: "writing", text: run.text + (event.data as { text: string }).text };
    case "sources": {
      const data = event.data as { citations: Citation[]; results: Result[] };
      return { ...run, citations: data.citations, results: data.results };
    }
    case "answer":
      return finishWithAnswer(run, event.data as SearchResponse);
    case "error":
      return { ...run, phase: "failed", problem: new Problem(event.data as Partial<ProblemDocument>) };
    case "done":
      return finishRun(run);
    default:
      return run;
  }
}

function finishWithAnswer(run: Run, response: SearchResponse): Run {
  const steps = response.steps.length > 0 ? response.steps : run.steps;
  return {
    ...run,
    response,
    steps,
    citations: response.citations,
    results: response.results,
    conversationId: response.conversation_id ?? run.conversationId,
  };
}

function finishRun(run: Run): Run {
  if (run.phase === "failed" || run.response) return { ...run, phase: run.problem ? "failed" : "done", reconnecting: false, stopping: false };
  const problem = new Problem({
    title: mark("The run ended without an answer"),
    detail: mark("The server closed the run before an answer came."),
    fix: mark("Ask again."),
  });
  return { ...run, phase: "failed", problem, stopping: false };
}
