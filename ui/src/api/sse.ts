import { createParser } from "eventsource-parser";
import { Problem, problemOf } from "./problem";

export interface ServerEvent {
  id: string | undefined;
  kind: string;
  data: unknown;
}

export interface StreamOptions {
  /** Opens the stream; called again by `resume` after a connection is lost. */
  open: (signal: AbortSignal) => Promise<Response>;
  /** Opens the stream after the event `lastId`; null when there is nothing to resume yet. */
  resume: (lastId: string, signal: AbortSignal) => Promise<Response> | null;
  onEvent: (event: ServerEvent) => void;
  /** The connection was lost and is being made again (true), or stands again (false). */
  onReconnecting?: (lost: boolean) => void;
  signal: AbortSignal;
  /** The kind of event after which nothing follows. */
  last: string;
  /** Events that are passed over: those of a part of the run that is known and past. */
  skip?: (event: ServerEvent) => boolean;
  /** Waits between attempts, in milliseconds; its length is the number of attempts. */
  waits?: readonly number[];
}

const WAITS = [250, 750, 1500, 3000, 6000] as const;

/**
 * Reads a stream of server-sent events to its last one. A connection that breaks is resumed after the last event that was seen; an event that was
 * seen before is not reported twice. Rejects with a Problem when the server refuses or stays away, and with AbortError when `signal` fires.
 */
export async function readStream(options: StreamOptions): Promise<void> {
  const waits = options.waits ?? WAITS;
  const state: Seen = { lastId: "", ended: false };
  let opening: (() => Promise<Response>) | null = () => options.open(options.signal);
  for (let attempt = 0; opening !== null; attempt++) {
    const before = state.lastId;
    await readOnce(opening, options, state, attempt > 0);
    if (state.ended) return;
    if (state.lastId !== before) attempt = 0;
    const wait = waits[attempt];
    if (wait === undefined || state.lastId === "") break;
    options.onReconnecting?.(true);
    await pause(wait, options.signal);
    const lastId = state.lastId;
    const resumed = options.resume(lastId, options.signal);
    opening = resumed === null ? null : () => resumed;
  }
  throw Problem.unreachable();
}

interface Seen {
  lastId: string;
  ended: boolean;
}

/** One connection, read until it ends or breaks. A refusal by the server and the person's stop are thrown, a broken connection is not. */
async function readOnce(opening: () => Promise<Response>, options: StreamOptions, state: Seen, again: boolean): Promise<void> {
  try {
    const response = await opening();
    if (!response.ok) throw await problemOf(response);
    if (again) options.onReconnecting?.(false);
    await readBody(response, options, state);
  } catch (error) {
    if (options.signal.aborted || error instanceof Problem) throw error;
  }
}

async function readBody(response: Response, options: StreamOptions, state: Seen): Promise<void> {
  if (!response.body) throw new TypeError("The stream has no body");
  const parser = createParser({
    onEvent: (event) => {
      if (state.ended || isSeen(event.id, state.lastId)) return;
      if (event.id) state.lastId = event.id;
      const kind = event.event ?? "message";
      const told: ServerEvent = { id: event.id, kind, data: parse(event.data) };
      if (options.skip?.(told)) return;
      options.onEvent(told);
      if (kind === options.last) state.ended = true;
    },
  });
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (state.ended) return;
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function isSeen(id: string | undefined, lastId: string): boolean {
  if (!id || !lastId) return false;
  const [now, last] = [Number(id), Number(lastId)];
  return Number.isFinite(now) && Number.isFinite(last) ? now <= last : id === lastId;
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    if (error instanceof SyntaxError) return data;
    throw error;
  }
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason instanceof Error ? signal.reason : new DOMException("Aborted", "AbortError"));
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

const headers = { Accept: "text/event-stream" };

export const openSearch = (body: unknown, signal: AbortSignal): Promise<Response> =>
  fetch("/search/stream", { method: "POST", headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body), signal });

export const openRun = (run: string, lastId: string, signal: AbortSignal): Promise<Response> =>
  fetch(`/runs/${encodeURIComponent(run)}/events`, { headers: lastId ? { ...headers, "Last-Event-ID": lastId } : headers, signal });

export const openJob = (job: string, lastId: string, signal: AbortSignal): Promise<Response> =>
  fetch(`/jobs/${encodeURIComponent(job)}/events`, { headers: lastId ? { ...headers, "Last-Event-ID": lastId } : headers, signal });
