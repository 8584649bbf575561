// Invented runs for the trace pages: a search that was corrected and planned, its replay, attached files, and runs that went wrong.
import { library } from "./library.mjs";
import { agentOf, graph, rows } from "./zeus.mjs";

/** A line of a run: node, what it decided, milliseconds, and what differs from an ordinary passing. `gap` is the time between its beginning and the end before. */
function passings(lines, started) {
  let at = started;
  return lines.map(([node, details, milliseconds, more = {}], index) => {
    const [, name, action] = rows.get(node);
    const agent = agentOf(name);
    const begun = more.beside ? at - more.beside : at;
    at = Math.max(at, begun + milliseconds) + 0.4;
    return {
      id: `${node}-${index + 1}`,
      node,
      agent: `${agent.symbol} ${agent.name} (${agent.title})`,
      action,
      details,
      started_at: new Date(begun).toISOString(),
      duration_ms: milliseconds,
      outcome: more.outcome ?? "ok",
      reads: more.reads ?? { query: { text: "the question as it was asked" } },
      writes: more.writes ?? {},
      error: more.error ?? null,
      subject: more.subject ?? "",
    };
  });
}

const question = "How much notice must we give to leave Juniper Street, and who has to be told?";
const chunks = (count, first) => ({ count, first });
const planned = (rerank = true, tries = true) => [
  ["load_context", "Two earlier turns; 1 memory recalled.", 3, { writes: { recalled: { turns: 2 }, memory: { used: 1 } } }],
  [
    "classify",
    "A question to the documents (.85), by the rule for possessive and document words.",
    6,
    {
      reads: { query: { text: question }, model: "none" },
      writes: { classification: { intent: "document_search", confidence: 0.85, rule: "possessive", entities: ["Juniper Street"], by: "rules" } },
    },
  ],
  [
    "choose_strategy",
    "Hybrid: words .45, meaning .55. Your clicks moved words from .40.",
    2,
    { writes: { strategy: { name: "hybrid", lexical: 0.45, dense: 0.55, graph: 0.2, hops: 1, min_score: 0.3 } } },
  ],
  [
    "plan",
    "Moderate: two sub-questions, the second after the first.",
    4,
    {
      writes: {
        plan: { complexity: "moderate", kind: "conjunction", score: 4, sub_queries: chunks(2, ["sq1", "sq2"]), indicators: ["and", "two questions"] },
      },
    },
  ],
  [
    "expand_graph",
    "Juniper Street is a place; 3 documents lie one step away.",
    9,
    { writes: { expansion: { entities: ["Juniper Street"], documents: chunks(3, ["d1", "d2", "d5"]) } } },
  ],
  [
    "retrieve",
    "50 by words, 50 by meaning, 3 by the graph, 61 together.",
    34,
    { writes: { retrieval: { candidates: chunks(61, [11, 12, 13, 14]), reports: chunks(4, []) } } },
  ],
  [
    "rerank",
    rerank ? "61 compared word by word." : "Left out: this replay keeps the order of the first search.",
    rerank ? 48 : 0,
    rerank ? {} : { outcome: "skipped" },
  ],
  ...(tries
    ? [
        [
          "correct",
          "Weak (.34 of .50): the notice is named by another word. Asked again with “termination” and without the year.",
          5,
          {
            writes: {
              attempts: [{ quality: 0.34, change: "", duration_ms: 83.2 }],
              retrieval_request: { text: "termination notice Juniper Street", filters: { relaxed: "year" } },
            },
          },
        ],
        [
          "retrieve",
          "48 by words, 50 by meaning, 3 by the graph, 57 together.",
          29,
          { writes: { retrieval: { candidates: chunks(57, [11, 12, 15]) } } },
        ],
        ["rerank", "57 compared word by word; this try is the better one (.71).", 41, { writes: { quality: 0.71 } }],
      ]
    : []),
  [
    "hop",
    "Six months, to the end of a quarter; 12 passages.",
    61,
    { subject: "How much notice must we give to leave Juniper Street?", writes: { hops: { quality: 0.71, bridge: "the Landlord" } } },
  ],
  [
    "hop",
    "The landlord, Trevanion & Holt; 9 passages.",
    57,
    { subject: "Who has to be told?", beside: 40, writes: { hops: { quality: 0.66, bridge: "" } } },
  ],
  ["join_hops", "Both parts have evidence; no further hop.", 1],
  ["document_search", "3 sentences from 2 documents.", 14, { writes: { answer: { sentences: 3, citations: 3, by: "extractive" } } }],
  [
    "quality_check",
    "Every sentence stands in its source.",
    5,
    { writes: { critique: { supported: 3, unsupported: 0, probability_answerable: 0.88 } } },
  ],
  [
    "explain",
    rerank ? "3 results explained; the reranker moved the first one up 4." : "3 results explained.",
    3,
    rerank ? {} : { outcome: "degraded", error: "TimeoutError: The explanations took longer than 50 ms." },
  ],
  [
    "score_confidence",
    rerank ? ".86, high: two documents agree." : ".71, medium: the best passage is less close.",
    2,
    { writes: { confidence: { value: 0.86 } } },
  ],
  ["generate_response", "Answer, 3 sources, 3 follow-ups.", 2],
  ["remember", "Kept as an episode; one note linked.", 6],
];

const attached = [
  ["load_context", "No earlier turns.", 2],
  ["attached_documents", "2 of 3 files studied; one could not be read.", 420, { outcome: "degraded", writes: { attached: { files: 3, read: 2 } } }],
  ["read", "2 pages, 4,120 characters.", 92, { subject: "Juniper Street lease.pdf", beside: 410 }],
  [
    "read",
    "The file asks for a password.",
    12,
    { subject: "Old budget.xlsx", beside: 410, outcome: "degraded", error: "EncryptedFile: The file asks for a password. Save a copy without one." },
  ],
  ["read", "1 page, 980 characters.", 70, { subject: "Amendment 2024.docx", beside: 405 }],
  ["analyse", "A lease: formal, 8 sections, complex.", 120, { subject: "Juniper Street lease.pdf", beside: 318 }],
  ["analyse", "An amendment: formal, 2 sections, simple.", 80, { subject: "Amendment 2024.docx", beside: 330 }],
  ["find_insights", "5 key points, 2 action items, 1 open question.", 140, { subject: "Juniper Street lease.pdf", beside: 190 }],
  ["find_insights", "2 key points, 1 action item.", 60, { subject: "Amendment 2024.docx", beside: 180 }],
  ["quality_check", "Every sentence stands in its source.", 5],
  ["explain", "2 results explained.", 3],
  ["score_confidence", ".81, high.", 2],
  ["generate_response", "Answer, 2 sources.", 2],
  ["remember", "Kept as an episode.", 5],
];

const failed = [
  ["load_context", "No earlier turns.", 2],
  ["classify", "A question to the documents (.60), by default.", 5],
  ["choose_strategy", "Hybrid: words .40, meaning .60.", 2],
  ["plan", "Simple: one search.", 1],
  ["expand_graph", "No entity of the question is in the graph.", 2, { outcome: "skipped" }],
  [
    "retrieve",
    "The index is being rebuilt.",
    8,
    {
      outcome: "failed",
      error: "IndexUnavailable: Its files were missing when the server started, so it is read again from the library. Ask again in a minute.",
    },
  ],
];

const move = (chunk_id, document_id, label, stages, cited_as = null, ended = "") => ({ chunk_id, document_id, label, stages, cited_as, ended });
export const moves = (rerank = true) => {
  const stage = (ranks) => {
    const names = ["lexical", "dense", "graph", "fusion", "links", "rerank", "correct", "hops"];
    return Object.fromEntries(
      names.flatMap((name, index) =>
        ranks[index] && (rerank || name !== "rerank") ? [[name, [ranks[index], Number((9.4 / (ranks[index] + index)).toFixed(3))]]] : [],
      ),
    );
  };
  return [
    move(11, "d1", "Juniper Street lease.pdf › 3 Term and notice", stage([1, 5, 2, 2, 2, 1, 1, 1]), 1, "cited as [1]"),
    move(12, "d2", "Amendment 2024.docx › Notice", stage([6, 4, 0, 5, 1, 2, 3, 2]), 2, "cited as [2]"),
    move(13, "d1", "Juniper Street lease.pdf › 9 Addresses", stage([0, 9, 1, 6, 4, 6, 2, 3]), 3, "cited as [3]"),
    move(14, "d4", "Moving the workshop.md › What we know", stage([2, 8, 0, 4, 5, 5]), null, "below the minimum .42 with .31"),
    move(15, "d5", "Notice for the mezzanine.eml", stage([0, 1, 3, 1, 3, 3, 4]), null, "says the same as citation 2"),
    move(16, "d3", "Workshop costs.xlsx › 2025", stage([4, 0, 0, 7]), null, "below the minimum .30 with .21"),
    move(17, "d6", "rent.py", stage([0, 2, 0, 8]), null, "below the minimum .30 with .19"),
    move(18, "d1", "Juniper Street lease.pdf › 4 Alterations", stage([3, 3, 0, 3, 6, 4, 6]), null, "read, not cited"),
    move(19, "d4", "Moving the workshop.md › Costs", {}, null, "dropped at fusion: below the minimum .30 with .12"),
  ];
};
const report = (stage, entered, left, duration_ms, parameters, note = "") => ({ stage, entered, left, duration_ms, parameters, dropped: [], note });
export const reports = [
  report("lexical", 72, 50, 4.2, { weight: 0.45, k1: 0.9 }),
  report("dense", 72, 50, 11.8, { weight: 0.55 }),
  report("graph", 3, 3, 0.4, { weight: 0.2, hops: 1 }),
  report("fusion", 61, 55, 0.9, { min_score: 0.3 }, "6 below the minimum .30"),
  report("rerank", 55, 55, 41.1, { model: "late interaction" }),
];

const hour = 3_600_000;
function trace(id, query, status, lines, before, more = {}) {
  const started = Date.now() - before;
  const nodes = passings(lines, started);
  const last = nodes.reduce((most, node) => Math.max(most, Date.parse(node.started_at) + node.duration_ms), started);
  return {
    id,
    tenant: "default",
    user_id: "local",
    conversation_id: null,
    query,
    status,
    started_at: new Date(started).toISOString(),
    duration_ms: last - started + 3,
    generated_by: "extractive",
    routing_path: [...new Set(nodes.map((node) => node.agent.split(" ")[1]))].join(" → "),
    request: { query },
    response: { answer: "", citations: [], results: [] },
    nodes,
    moves: [],
    reports: [],
    degraded: [],
    tokens: {},
    prompts: {},
    replay_of: null,
    ...more,
  };
}

const answer =
  "After the fixed term either party may end the lease with six months’ written notice to the end of a quarter. [1] Notice is given to the Landlord in writing. [2]";
export const recorded = () => [
  trace("t-failed", "What did the crane inspection find?", "failed", failed, 50 * hour, { generated_by: "none" }),
  trace("t-unclear", "What about the notice?", "clarification_needed", failed.slice(0, 2), 26 * hour, { generated_by: "none" }),
  trace("t-attached", "What do these three files ask of us?", "success", attached, 3 * hour, {
    degraded: [{ part: "Old budget.xlsx", reason: "the file asks for a password. Save a copy without one and attach that." }],
    generated_by: "qwen3-vl:8b",
    tokens: { input: 3204, output: 311 },
    prompts: { insights: "9c1e77ab20d45f10a2", answer: "51f0c2de7781aa90be" },
  }),
  trace("t-planned", question, "success", planned(), 22 * 60_000, { moves: moves(), reports, response: { answer, citations: [], results: [] } }),
  trace("t-replay", question, "success", planned(false, false), 6 * 60_000, {
    moves: moves(false),
    reports: reports.slice(0, 4),
    replay_of: "t-planned",
    request: { query: question, without: ["rerank", "correct"] },
    response: { answer: "Notice is given to the Landlord in writing. [1]", citations: [], results: [] },
  }),
];

export const lineOf = (item) => ({
  id: item.id,
  query: item.query,
  status: item.status,
  started_at: item.started_at,
  duration_ms: item.duration_ms,
  generated_by: item.generated_by,
  routing_path: item.routing_path,
  conversation_id: item.conversation_id,
  replay_of: item.replay_of ?? null,
});

export function compared(left, right) {
  const passing = (item, node) => item.nodes.filter((each) => each.node === node);
  const names = [...new Set([...left.nodes, ...right.nodes].map((node) => node.node))];
  const same = left.response.answer === right.response.answer;
  const differences = [
    ...(right.request.without?.length ? [`The right run skipped ${right.request.without.join(", ")}.`] : []),
    "The lease falls from place 1 to place 2; the amendment takes its place.",
    "The letter about the mezzanine is new on the right; the costs of the workshop are gone.",
    `The right run took ${Math.round(right.duration_ms)} ms instead of ${Math.round(left.duration_ms)} ms.`,
  ];
  const result = (document_id, left_rank, right_rank) => ({
    document_id,
    filename: library.find((item) => item.document.id === document_id).document.filename,
    left_rank,
    right_rank,
  });
  return {
    left: lineOf(left),
    right: lineOf(right),
    differences: left.id === right.id ? [] : differences,
    results: [result("d1", 1, 2), result("d2", 2, 1), result("d4", 3, 3), result("d3", 4, null), result("d5", null, 4)],
    nodes: names.map((node) => {
      const [before, after] = [passing(left, node), passing(right, node)];
      const sum = (items) => (items.length ? items.reduce((total, item) => total + item.duration_ms, 0) : null);
      return {
        node,
        agent: [...before, ...after][0].agent,
        left_ms: sum(before),
        right_ms: sum(after),
        left_details: before.at(-1)?.details ?? "",
        right_details: after.at(-1)?.details ?? "",
      };
    }),
    same_answer: same,
  };
}

export function explained(item, name) {
  const found = library.find(({ document }) => [document.id, document.filename, document.file_path].includes(name))?.document;
  const standing = (stage, rank, score, needed, passed, sentence) => ({ stage, rank, score, needed, passed, sentence });
  const base = { trace_id: item.id, document_id: found?.id ?? null, filename: found?.filename ?? name };
  if (!found)
    return {
      ...base,
      shown: false,
      rank: null,
      fell_at: "not_indexed",
      sentence: `No document called “${name}” is in the library.`,
      help: "Add its folder in the library, then ask again.",
      stages: [],
    };
  const legs = [
    standing("lexical", 4, 8.2, 5.1, true, "Its best passage, “2025”, has 3 of the 7 words."),
    standing("dense", 61, 0.31, 0.36, false, "61st by meaning; the first 50 go on."),
  ];
  if (found.id === "d1")
    return {
      ...base,
      shown: true,
      rank: 1,
      fell_at: null,
      sentence: "It is here: the first result, cited as [1].",
      help: "",
      stages: [
        standing("lexical", 1, 12.4, 5.1, true, "Has 6 of the 7 words."),
        standing("dense", 5, 0.61, 0.36, true, "5th by meaning."),
        standing("rerank", 1, 1.62, 0.42, true, "The closest of all 57."),
      ],
    };
  return {
    ...base,
    shown: false,
    rank: null,
    fell_at: "fusion",
    sentence: "It was found by its words, but was dropped at the fusion: .21, where .30 was needed.",
    help: "Ask with the words of the file (“rent”, “electricity”), or lower the minimum score to .20.",
    stages: [...legs, standing("fusion", 41, 0.21, 0.3, false, "Found by one search only, and below the minimum.")],
  };
}

/** The routes of the trace pages over the runs in `traces`. */
export function traceRoutes(traces, { json, problem, body }) {
  const missing = (response, id) =>
    problem(response, 404, "There is no such trace", `Nothing is kept under ${id}. It may have been pruned, or deleted with its conversation.`);
  return [
    [
      "GET",
      /^\/traces$/,
      (_request, response) =>
        json(response, { traces: [...traces.values()].sort((a, b) => b.started_at.localeCompare(a.started_at)).map(lineOf), next_cursor: null }),
    ],
    ["GET", /^\/traces\/graph$/, (_request, response) => json(response, graph)],
    [
      "GET",
      /^\/traces\/compare$/,
      (request, response) => {
        const { searchParams } = new URL(request.url, "http://x");
        const ids = [searchParams.get("left"), searchParams.get("right")];
        const lost = ids.find((id) => !traces.has(id));
        return lost === undefined ? json(response, compared(...ids.map((id) => traces.get(id)))) : missing(response, lost);
      },
    ],
    ["GET", /^\/traces\/([^/]+)$/, (_request, response, [id]) => (traces.has(id) ? json(response, traces.get(id)) : missing(response, id))],
    [
      "POST",
      /^\/traces\/([^/]+)\/replay$/,
      async (request, response, [id]) => {
        const { without } = JSON.parse(await body(request));
        const old = traces.get(id);
        if (["lexical", "dense", "graph"].every((stage) => without.includes(stage)))
          return problem(response, 422, "Nothing would be left to search with", "Words, meaning and graph are all left out.", "Keep one of them.");
        const again = {
          ...trace(`t-again-${traces.size}`, old.query, "success", planned(!without.includes("rerank"), !without.includes("correct")), 0),
          moves: moves(false),
          replay_of: id,
          request: { query: old.query, without },
        };
        traces.set(again.id, again);
        return json(response, { trace_id: again.id, status: "success" });
      },
    ],
    [
      "POST",
      /^\/explain$/,
      async (request, response) => {
        const asked = JSON.parse(await body(request));
        return traces.has(asked.trace_id) ? json(response, explained(traces.get(asked.trace_id), asked.document)) : missing(response, asked.trace_id);
      },
    ],
  ];
}
