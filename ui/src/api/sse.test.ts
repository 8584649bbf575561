import { describe, expect, it, vi } from "vitest";
import { Problem } from "./problem";
import { readStream, type ServerEvent, type StreamOptions } from "./sse";

/** A response whose body arrives in the given pieces; the last one may break the connection. */
function stream(pieces: (string | "break")[]): Response {
  const encoder = new TextEncoder();
  const left = [...pieces];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = left.shift();
      if (piece === undefined) controller.close();
      else if (piece === "break") controller.error(new TypeError("network"));
      else controller.enqueue(encoder.encode(piece));
    },
  });
  return new Response(body, { status: 200 });
}

const event = (id: number, kind: string, data: unknown) => `id: ${id}\nevent: ${kind}\ndata: ${JSON.stringify(data)}\n\n`;

function collect(options: Partial<StreamOptions>) {
  const events: ServerEvent[] = [];
  const run = readStream({
    open: async () => stream([]),
    resume: () => null,
    onEvent: (item) => events.push(item),
    signal: new AbortController().signal,
    last: "done",
    waits: [0, 0],
    ...options,
  });
  return { events, run };
}

describe("readStream", () => {
  it("reads events that are cut anywhere, also inside a character", async () => {
    const whole = event(1, "run", { query: "naïve 😀?" }) + event(2, "token", { text: "ö" }) + event(3, "done", {});
    const bytes = new TextEncoder().encode(whole);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
        controller.close();
      },
    });
    const { events, run } = collect({ open: async () => new Response(body) });
    await run;
    expect(events.map((item) => item.kind)).toEqual(["run", "token", "done"]);
    expect(events[0]?.data).toEqual({ query: "naïve 😀?" });
  });

  it("ignores heartbeats and stops at the last event", async () => {
    const { events, run } = collect({ open: async () => stream([": ping\n\n", event(1, "done", {}), event(2, "step", {})]) });
    await run;
    expect(events).toHaveLength(1);
  });

  it("resumes after a break with the last id, without reporting an event twice", async () => {
    const resume = vi.fn(async (lastId: string) => {
      expect(lastId).toBe("2");
      return stream([event(2, "step", "again"), event(3, "answer", {}), event(4, "done", {})]);
    });
    const lost: boolean[] = [];
    const { events, run } = collect({
      open: async () => stream([event(1, "run", {}), event(2, "step", "once"), "break"]),
      resume,
      onReconnecting: (value) => lost.push(value),
    });
    await run;
    expect(events.map((item) => item.id)).toEqual(["1", "2", "3", "4"]);
    expect(lost).toEqual([true, false]);
    expect(resume).toHaveBeenCalledOnce();
  });

  it("resumes when the stream ends early without an error", async () => {
    const { events, run } = collect({ open: async () => stream([event(1, "run", {})]), resume: async () => stream([event(2, "done", {})]) });
    await run;
    expect(events.map((item) => item.kind)).toEqual(["run", "done"]);
  });

  it("gives up with a problem when the server stays away", async () => {
    const resume = vi.fn(async () => {
      throw new TypeError("network");
    });
    const { run } = collect({ open: async () => stream([event(1, "run", {}), "break"]), resume });
    await expect(run).rejects.toMatchObject({ code: "unreachable" });
    expect(resume).toHaveBeenCalledTimes(2);
  });

  it("does not ask again when nothing was begun", async () => {
    const open = vi.fn(async () => {
      throw new TypeError("refused");
    });
    const { run } = collect({ open });
    await expect(run).rejects.toBeInstanceOf(Problem);
    expect(open).toHaveBeenCalledOnce();
  });

  it("turns a refusal into its problem document", async () => {
    const body = JSON.stringify({
      title: "The question is empty",
      detail: "Write one.",
      status: 422,
      code: "invalid",
      type: "about:blank",
      fix: "Ask.",
    });
    const { run } = collect({ open: async () => new Response(body, { status: 422, headers: { "Content-Type": "application/problem+json" } }) });
    await expect(run).rejects.toMatchObject({ title: "The question is empty", fix: "Ask.", status: 422 });
  });

  it("ends with AbortError when the person stops", async () => {
    const controller = new AbortController();
    const { run } = collect({
      open: (signal) => new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new DOMException("Aborted", "AbortError")))),
      signal: controller.signal,
    });
    controller.abort();
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
  });
});
