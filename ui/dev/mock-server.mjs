// Development only: speaks the server's shapes over an invented library, so that every state of the page can be looked at.
// node dev/mock-server.mjs [port] [--empty] [--many] [--older-model]
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { answerTo, steps, traceOf } from "./answers.mjs";
import { foldersIn, listed, manyDocuments } from "./documents.mjs";
import { embedderRoutes } from "./embedder.mjs";
import { graphRoutes } from "./entities.mjs";
import { evaluationRoutes } from "./evaluation.mjs";
import { leasePdf, library } from "./library.mjs";
import { memoryRoutes } from "./memory.mjs";
import { settingsRoutes } from "./settings.mjs";
import { askingBack, attachedSteps, hopSteps, specialistFields } from "./specialists.mjs";
import { recorded, traceRoutes } from "./traces.mjs";
import { added, addFolder, queue, watching, watchingRoutes } from "./watcher.mjs";

const port = Number(process.argv[2] ?? 8765);
const dist = new URL("../dist/", import.meta.url).pathname;
const kinds = {
  ".js": "text/javascript",
  ".mjs": "text/javascript",
  ".css": "text/css",
  ".html": "text/html",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm",
};
const begun = () => (process.argv.includes("--many") ? manyDocuments(2000) : [...library]);
let documents = process.argv.includes("--empty") ? [] : begun();
const runs = new Map();
const jobs = new Map();
const conversations = new Map();
const traces = new Map(process.argv.includes("--empty") ? [] : recorded().map((trace) => [trace.id, trace]));
const feedback = [];
let counter = 0;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const now = () => new Date().toISOString();

const json = (response, body, status = 200) => {
  response.writeHead(status, { "Content-Type": status >= 400 ? "application/problem+json" : "application/json" });
  response.end(JSON.stringify(body));
};
const problem = (response, status, title, detail, fix = "") =>
  json(response, { type: "about:blank", title, status, detail, code: "mock", fix, instance: "", errors: [] }, status);

async function body(request) {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces);
}

function stream(response, record, after) {
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  const send = (event) => response.write(`id: ${event.id}\nevent: ${event.kind}\ndata: ${JSON.stringify(event.data)}\n\n`);
  for (const event of record.events) if (event.id > after) send(event);
  if (record.over) return response.end();
  const listener = (event) => {
    if (event) return void send(event);
    record.listeners.delete(listener);
    return void response.end();
  };
  record.listeners.add(listener);
  response.on("close", () => record.listeners.delete(listener));
  return undefined;
}

function record() {
  const made = { events: [], listeners: new Set(), over: false, cancelled: false };
  made.push = (kind, data) => {
    const event = { id: made.events.length + 1, kind, data };
    made.events.push(event);
    for (const listener of made.listeners) listener(event);
  };
  made.end = () => {
    made.over = true;
    for (const listener of made.listeners) listener(null);
  };
  return made;
}

/** The steps of a question: Socrates ends early, Odysseus and Daedalus take steps of their own. */
function stepsOf(ask) {
  if (/which\?/i.test(ask.query)) return askingBack();
  const [begin, end] = [steps().slice(0, 3), steps().slice(3)];
  if (ask.answered) return [...begin.slice(2), ...end];
  if (ask.attached_documents?.length) return [...begin.slice(0, 1), ...attachedSteps(ask.attached_documents, documents), ...end];
  return /amendment change|sub-question/i.test(ask.query) ? [...begin, ...hopSteps(), ...end.slice(1)] : [...begin, ...end];
}

async function play(run, id, ask, conversation) {
  const slow = /slow/i.test(ask.query) ? 900 : 90;
  run.ask = ask;
  run.conversation = conversation;
  if (!ask.answered) run.push("run", { run_id: id, trace_id: id, conversation_id: conversation?.id ?? null, query: ask.query });
  if (conversation) keepTurn(conversation, id, ask, "running");
  const answer = { ...answerTo(ask.query, id, conversation?.id ?? null), ...specialistFields(ask, id, documents) };
  const taken = stepsOf(ask);
  answer.steps = ask.answered ? [...askingBack(), ...taken] : taken;
  for (const step of taken) {
    if (run.cancelled) break;
    run.push("step", { ...step, outcome: "running", duration_ms: null });
    await wait(slow);
    if (/crash/i.test(ask.query) && step.node === "retrieve" && !ask.replaces) return breakOff(run, id, ask, conversation);
    if (/fail/i.test(ask.query) && step.node === "retrieve") {
      const failed = {
        type: "about:blank",
        title: "The index is being rebuilt",
        status: 503,
        detail: "Its files were missing when the server started, so it is read again from the library.",
        code: "index_unavailable",
        fix: "Ask again in a minute.",
      };
      if (conversation) keepTurn(conversation, id, ask, "failed", {}, failed);
      run.push("error", failed);
      run.push("done", { run_id: id, status: "failed" });
      return run.end();
    }
    run.push("step", { ...step, timestamp: now() });
    if (/lost/i.test(ask.query) && step.node === "retrieve") for (const listener of run.listeners) listener(null);
  }
  if (!run.cancelled && answer.generated_by !== "extractive" && answer.generated_by !== "none")
    for (const word of answer.answer.split(/(?<= )/)) {
      if (run.cancelled) break;
      run.push("token", { text: word });
      await wait(Math.min(slow / 2, 150));
    }
  const final = run.cancelled
    ? {
        ...answer,
        status: "stopped",
        answer_sentences: answer.answer_sentences.slice(0, 1),
        citations: answer.citations.slice(0, 1),
        suggested_followups: [],
      }
    : answer;
  run.push("sources", { citations: final.citations, results: final.results });
  run.push("answer", final);
  run.push("done", { run_id: id, status: final.status });
  run.end();
  run.waits = final.status === "clarification_needed" && !/stale/i.test(ask.query);
  traces.set(id, traceOf(ask.query, final));
  if (conversation) keepTurn(conversation, id, ask, "answered", final);
  return undefined;
}

/** The turn of a run in its conversation; one that is asked again keeps its place. */
function keepTurn(conversation, trace_id, { query, filters, attached_documents, replaces }, state, response = {}, failed = {}) {
  const before = conversation.items.find((item) => [trace_id, replaces].includes(item.trace_id));
  if (state !== "answered" && before?.state === "answered" && !response.status) return;
  const { id, created_at } = before ?? { id: `t${++counter}`, created_at: now() };
  const request = { ...(filters ? { filters } : {}), ...(attached_documents ? { attached_documents } : {}) };
  const turn = { id, query, created_at, trace_id, response, state, request, problem: failed };
  conversation.items = before ? conversation.items.map((item) => (item === before ? turn : item)) : [...conversation.items, turn];
  conversation.turns = conversation.items.length;
  conversation.updated_at = now();
}

/** The run goes as with its server: nobody hears of it again. */
function breakOff(run, id, ask, conversation) {
  runs.delete(id);
  if (conversation) keepTurn(conversation, id, ask, "interrupted");
  run.end();
}

/** Uploads that are read only once a test says so (`POST /mock/release`). */
const held = new Set();

async function work(id, then) {
  const { run, job } = jobs.get(id);
  for (let done = 0; done <= job.files_total; done++) {
    if (job.state === "cancelled") break;
    Object.assign(job, {
      state: "running",
      // A folder of this name has been read for five minutes already.
      started_at: new Date(Date.now() - (/a long time/.test(job.path) ? 300_000 : 0)).toISOString(),
      files_done: done,
      files_indexed: done,
      chunks: done * 9,
      rate: 84,
      seconds_left: (job.files_total - done) * 0.2,
      current: library[done % library.length].document.file_path,
    });
    run.push("job", { ...job });
    await wait(220);
    while (held.has(job.path) && done + 1 === job.files_total && job.state !== "cancelled") await wait(50);
  }
  if (job.state !== "cancelled") job.state = "done";
  job.finished_at = now();
  then();
  run.push("job", { ...job });
  run.push("done", { id });
  run.end();
}

function startJob(kind, path, total, then) {
  const id = `j${++counter}`;
  const job = {
    id,
    kind,
    state: "queued",
    path,
    created_at: now(),
    started_at: null,
    finished_at: null,
    files_total: total,
    files_done: 0,
    files_indexed: 0,
    files_unchanged: 0,
    files_partial: 0,
    files_skipped: 0,
    files_failed: 0,
    files_removed: 0,
    chunks: 0,
    rate: 0,
    seconds_left: null,
    current: "",
    error: null,
  };
  jobs.set(id, { run: record(), job });
  void work(id, then);
  return job;
}

const attention = () =>
  [
    ["Scan of the plan.pdf", "skipped", "needs_recognition", "All 3 pages are pictures without text. Reading scans is not built in yet."],
    ["Old budget.xlsx", "failed", "encrypted", "The file asks for a password. Save a copy without one."],
    ["site.dwg", "skipped", "unsupported", "There is no reader for this kind of file."],
  ].map(([name, state, code, reason]) => ({
    path: `/home/ada/Workshop/${name}`,
    root: "/home/ada/Workshop",
    state,
    reason,
    code,
    parser: "",
    content_hash: "",
    file_size: 120_000,
    modified_at: now(),
    seen_at: now(),
    attempts: 1,
    document_id: null,
  }));

const ledger = (state, text = "", under = "") => {
  const bad = documents.length ? attention() : [];
  const lines = [
    ...documents.map(({ document }) => ({
      path: document.file_path,
      root: "/home/ada/Workshop",
      state: document.state,
      reason: document.reason,
      code: "",
      parser: document.parser,
      content_hash: "",
      file_size: document.file_size,
      modified_at: document.modified_at,
      seen_at: now(),
      attempts: 1,
      document_id: document.id,
    })),
    ...bad,
  ]
    .filter((line) => !state?.length || state.includes(line.state))
    .filter((line) => line.path.toLowerCase().includes(text.toLowerCase()) && line.path.startsWith(under));
  return {
    counts: {
      seen: documents.length + bad.length,
      askable: documents.length,
      by_state: documents.length ? { indexed: documents.length, skipped: 2, failed: 1 } : {},
      by_reason: {},
    },
    roots: documents.length
      ? [
          {
            path: "/home/ada/Workshop",
            collection: "default",
            files: documents.length + bad.length,
            indexed: documents.length,
            partial: 0,
            failed: 1,
            skipped: 2,
            last_indexed_at: now(),
            missing: false,
            job_id: null,
            ...watching,
          },
          ...added.values(),
        ]
      : [],
    queue,
    lines: lines.slice(0, 50),
    total: lines.length,
    next_cursor: null,
  };
};

const pub = ({ items: _items, ...conversation }) => conversation;

const routes = [
  ["GET", /^\/folders$/, (request, response) => json(response, foldersIn(new URL(request.url, "http://x").searchParams.get("under")))],
  ...watchingRoutes({ json, body, ledger, find: (id) => documents.find((item) => item.document.id === id)?.content }),
  [
    "POST",
    /^\/search\/stream$/,
    async (request, response) => {
      const ask = JSON.parse(await body(request));
      if (!ask.query.trim()) return problem(response, 422, "The question is empty", "There is nothing to look for.", "Write a question.");
      const id = `r${++counter}`;
      const run = record();
      runs.set(id, run);
      stream(response, run, 0);
      return play(run, id, ask, conversations.get(ask.conversation_id));
    },
  ],
  [
    "GET",
    /^\/runs\/([^/]+)\/events$/,
    (request, response, [id]) =>
      runs.has(id) ? stream(response, runs.get(id), Number(request.headers["last-event-id"] ?? 0)) : problem(response, 404, "No such run", id),
  ],
  [
    "POST",
    /^\/runs\/([^/]+)\/answer$/,
    async (request, response, [id]) => {
      const run = runs.get(id);
      if (!run?.waits) return problem(response, 409, "This run does not wait", "This run does not wait for an answer. Ask the question again.");
      const given = JSON.parse(await body(request));
      const choices = ["The ground floor", "The mezzanine", "Both parts"];
      Object.assign(run, { waits: false, over: false });
      const query = given.skip ? "notice" : (given.text ?? choices[given.choice]);
      void play(run, id, { ...run.ask, query, answered: true, session_id: null }, run.conversation);
      return json(response, { run_id: id });
    },
  ],
  [
    "POST",
    /^\/runs\/([^/]+)\/cancel$/,
    (_request, response, [id]) => {
      const run = runs.get(id);
      if (run) run.cancelled = true;
      return json(response, { id, state: "cancelling" });
    },
  ],
  ["GET", /^\/jobs\/([^/]+)\/events$/, (_request, response, [id]) => stream(response, jobs.get(id).run, 0)],
  ["GET", /^\/jobs\/([^/]+)$/, (_request, response, [id]) => json(response, jobs.get(id).job)],
  [
    "POST",
    /^\/jobs\/([^/]+)\/cancel$/,
    (_request, response, [id]) => {
      jobs.get(id).job.state = "cancelled";
      return json(response, jobs.get(id).job);
    },
  ],
  [
    "POST",
    /^\/index$/,
    async (request, response) => {
      const { path } = JSON.parse(await body(request));
      if (/missing/.test(path))
        return problem(response, 404, "There is no such folder", `${path} does not exist.`, "Check the spelling, or drag the folder's path here.");
      return json(
        response,
        startJob("index", path, 6, () => {
          documents = [...library];
          if (/^\/home\/ada\/(?!Workshop)/.test(path)) addFolder(path, 6);
        }),
        202,
      );
    },
  ],
  [
    "POST",
    /^\/upload$/,
    async (request, response) => {
      const name = /filename="([^"]+)"/.exec((await body(request)).toString("latin1"))?.[1] ?? "file.txt";
      const path = `/home/ada/.vantage/uploads/${name}`;
      const source = library[1];
      if (/^held /.test(name)) held.add(path);
      return json(
        response,
        {
          job: startJob("upload", path, 1, () => {
            if (/unreadable/.test(name)) return;
            documents = [
              ...documents,
              { ...source, document: { ...source.document, id: `u${++counter}`, filename: name, file_path: path, paths: [path] } },
            ];
          }),
          files: [path],
        },
        202,
      );
    },
  ],
  [
    "POST",
    /^\/mock\/release$/,
    (_request, response) => {
      held.clear();
      return json(response, {});
    },
  ],
  ["GET", /^\/documents$/, (request, response) => json(response, listed(documents, new URL(request.url, "http://x").searchParams))],
  [
    "GET",
    /^\/documents\/([^/]+)\/content$/,
    (request, response, [id]) => {
      const found = documents.find((item) => item.document.id === id);
      if (!found) return problem(response, 404, "No such document", id);
      const { searchParams } = new URL(request.url, "http://x");
      const { content } = found;
      const start = Math.min(Number(searchParams.get("start") ?? 0), content.total);
      const end = Math.min(Number(searchParams.get("end") ?? content.total), content.total);
      const near = (item) => item.start < end && item.end > start;
      return json(response, {
        document_id: id,
        generation: 1,
        start,
        end,
        total: content.total,
        text: Array.from(content.text).slice(start, end).join(""),
        blocks: content.blocks.filter(near),
        sections: content.sections.filter(near),
        pages: content.pages.filter(near),
        tables: content.tables.filter(near),
      });
    },
  ],
  [
    "GET",
    /^\/documents\/([^/]+)\/file$/,
    (_request, response) => {
      response.writeHead(200, { "Content-Type": "application/pdf" });
      response.end(leasePdf());
    },
  ],
  [
    "GET",
    /^\/documents\/([^/]+)$/,
    (_request, response, [id]) => {
      const found = documents.find((item) => item.document.id === id);
      return found ? json(response, found.document) : problem(response, 404, "No such document", "It may have been deleted.");
    },
  ],
  [
    "DELETE",
    /^\/documents\/([^/]+)$/,
    (_request, response, [id]) => {
      documents = documents.filter((item) => item.document.id !== id);
      return json(response, { id, chunks: 12, files: [] });
    },
  ],
  [
    "GET",
    /^\/conversations$/,
    (request, response) => {
      const words = (new URL(request.url, "http://x").searchParams.get("text") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
      const textOf = (item) => `${item.query} ${item.response.answer ?? ""}`;
      const found = [...conversations.values()].flatMap((one) => {
        const hit = one.items.map(textOf).find((text) => words.every((word) => text.toLowerCase().includes(word)));
        if (words.length > 0 && hit === undefined) return [];
        return [{ ...pub(one), excerpt: words.length > 0 ? hit.slice(0, 160) : "" }];
      });
      return json(response, { conversations: found });
    },
  ],
  [
    "DELETE",
    /^\/conversations$/,
    (request, response) => {
      const ids = new URL(request.url, "http://x").searchParams.getAll("id");
      for (const id of ids) conversations.delete(id);
      return json(response, { conversations: ids.length, turns: ids.length });
    },
  ],
  [
    "POST",
    /^\/conversations\/([^/]+)\/branch$/,
    async (request, response, [from]) => {
      const source = conversations.get(from);
      const { before } = JSON.parse(await body(request));
      const items = source.items.slice(
        0,
        source.items.findIndex((item) => item.id === before),
      );
      const id = `c${++counter}`;
      conversations.set(id, { ...source, id, pinned: false, items: items.map((item) => ({ ...item, id: `t${++counter}` })), turns: items.length });
      return json(response, pub(conversations.get(id)), 201);
    },
  ],
  [
    "GET",
    /^\/conversations\/([^/]+)\/export$/,
    (_request, response, [id]) => {
      response.writeHead(200, { "Content-Type": "text/markdown", "Content-Disposition": `attachment; filename*=UTF-8''${id}.md` });
      response.end(`# ${conversations.get(id).title}`);
    },
  ],
  [
    "POST",
    /^\/conversations$/,
    async (request, response) => {
      const id = `c${++counter}`;
      conversations.set(id, {
        id,
        title: JSON.parse(await body(request)).title,
        created_at: now(),
        updated_at: now(),
        turns: 0,
        pinned: false,
        excerpt: "",
        items: [],
      });
      return json(response, pub(conversations.get(id)), 201);
    },
  ],
  [
    "GET",
    /^\/conversations\/([^/]+)$/,
    (_request, response, [id]) =>
      conversations.has(id) ? json(response, conversations.get(id)) : problem(response, 404, "No such conversation", "It may have been deleted."),
  ],
  [
    "PATCH",
    /^\/conversations\/([^/]+)$/,
    async (request, response, [id]) => {
      Object.assign(conversations.get(id), JSON.parse(await body(request)));
      return json(response, pub(conversations.get(id)));
    },
  ],
  [
    "DELETE",
    /^\/conversations\/([^/]+)$/,
    (_request, response, [id]) => {
      conversations.delete(id);
      response.writeHead(204);
      response.end();
    },
  ],
  [
    "GET",
    /^\/ledger$/,
    (request, response) => {
      const query = new URL(request.url, "http://x").searchParams;
      return json(response, ledger(query.getAll("state"), query.get("text") ?? "", query.get("under") ?? ""));
    },
  ],
  [
    "POST",
    /^\/ledger\/retry$/,
    async (request, response) =>
      json(
        response,
        startJob("index", JSON.parse(await body(request)).path, 1, () => undefined),
        202,
      ),
  ],
  [
    "GET",
    /^\/health$/,
    (_request, response) =>
      json(response, {
        status: "ok",
        live: true,
        ready: true,
        version: "0.1.0",
        uptime_seconds: 10,
        parts: [
          { name: "search index", state: "ok", detail: "72 passages" },
          { name: "language model", state: "off", detail: "answers are quoted" },
        ],
        library: {
          documents: documents.length,
          files: documents.length,
          chunks: documents.length * 12,
          vectors: documents.length * 12,
          bytes_on_disk: 2_400_000,
        },
        jobs_running: [...jobs.values()].filter(({ job }) => job.state === "running" || job.state === "queued").map(({ job }) => job.id),
      }),
  ],
  // Without keys nobody signs in.
  ["GET", /^\/session$/, (_request, response) => json(response, { signed_in: false, user_id: "local", role: "admin", tenant: "default" })],
  ...traceRoutes(traces, { json, problem, body }),
  ...evaluationRoutes({ json, problem, body }, process.argv.includes("--empty")),
  ...graphRoutes({ json, problem }),
  ...embedderRoutes({ json, body }),
  ...settingsRoutes({ json, body, problem }),
  ...memoryRoutes({ json, problem, body }, process.argv.includes("--empty")),
  [
    "GET",
    /^\/starters$/,
    (_request, response) =>
      json(response, {
        starters: [
          ["How much notice must we give?", "document_search"],
          ["Compare the lease with its amendment", "comparison"],
          ["What did the workshop cost in March?", "analysis"],
          ["Summarise the lease of Juniper Street", "summarization"],
          ["How many documents are there?", "system_meta"],
        ].map(([question, intent]) => ({ question, intent, document_id: null, why: "made from the titles in the index" })),
      }),
  ],
  [
    "POST",
    /^\/feedback$/,
    async (request, response) => {
      feedback.push(JSON.parse(await body(request)));
      return json(response, { id: `f${feedback.length}`, stored: true }, 201);
    },
  ],
  ["GET", /^\/mock\/feedback$/, (_request, response) => json(response, feedback)],
];

function page(response, path) {
  const file = normalize(join(dist, path));
  const found =
    file.startsWith(dist) && existsSync(file) && statSync(file).isFile()
      ? file
      : path === "/" || path.startsWith("/app")
        ? join(dist, "index.html")
        : null;
  if (!found) return problem(response, 404, "Nothing here", path);
  const kept = path.startsWith("/assets/") ? { "Cache-Control": "public, max-age=31536000, immutable" } : {};
  response.writeHead(200, { "Content-Type": kinds[extname(found)] ?? "application/octet-stream", ...kept });
  return createReadStream(found).pipe(response);
}

createServer((request, response) => {
  const { pathname } = new URL(request.url, "http://x");
  for (const [method, pattern, handle] of routes) {
    const match = request.method === method && pattern.exec(pathname);
    if (match)
      return void Promise.resolve(handle(request, response, match.slice(1).map(decodeURIComponent))).catch((error) =>
        problem(response, 500, "The mock failed", String(error)),
      );
  }
  return void page(response, pathname);
}).listen(port, "127.0.0.1", () => console.log(`mock on http://127.0.0.1:${port}`));
