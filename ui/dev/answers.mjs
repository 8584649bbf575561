// Scripted runs for developing the page: one for each state that it can show. Chosen by a word in the question.
import { cite, library } from "./library.mjs";

const agents = {
  load: ["⚡ Zeus (The Conductor)", "Loading Context", "no earlier turns"],
  classify: ["🦉 Athena (The Strategist)", "Analyzing Intent", "document_search by rule, .85"],
  choose_strategy: ["🔮 Proteus (The Shape-Shifter)", "Choosing a Strategy", "hybrid: lexical .4, dense .6"],
  retrieve: ["⚡ Zeus (The Conductor)", "Searching", "50 by words, 50 by meaning, 61 together"],
  rerank: ["⚡ Zeus (The Conductor)", "Reranking", "61 compared word by word, 6 passages kept"],
  answer: ["⚡ Zeus (The Conductor)", "Answering", "3 sentences from 2 documents"],
  critique: ["🔍 Diogenes (The Critic)", "Checking the Answer", "every sentence stands in its source"],
  score_confidence: ["⚖️ Themis (The Just)", "Scoring Confidence", ".86, high"],
  explain: ["📨 Hermes (The Messenger)", "Explaining the Results", "3 results explained"],
};
const durations = [2, 6, 3, 18, 41, 9, 5, 3, 4];

export const steps = () =>
  Object.entries(agents).map(([node, [agent, action, details]], index) => ({
    type: "step",
    agent,
    action,
    details,
    node,
    id: `${node}-1`,
    timestamp: new Date().toISOString(),
    started_at: new Date().toISOString(),
    duration_ms: durations[index],
    outcome: "ok",
  }));

const result = (id, why, bars, content, section, page, score = 0.8) => {
  const { document } = library.find((item) => item.document.id === id);
  const citation = cite(0, id, content);
  return {
    id,
    filename: document.filename,
    file_path: document.file_path,
    score,
    detailed_summary: document.detailed_summary,
    keywords: document.keywords,
    passages: [
      { content, section, document_id: id, start: citation.start, end: citation.end, chunks: [1], page, anchor_score: score, coherence_score: 1 },
    ],
    title: document.title,
    file_type: document.file_type,
    doc_type: document.doc_type,
    modified_at: document.modified_at,
    page_unit: document.page_unit,
    why,
    why_sentence: `${why}.`,
    bars,
    stages: {},
  };
};

const six = "After the fixed term either party may end the lease with six months’ written notice to the end of a quarter.";
const three = "For the mezzanine the notice period of section 3 is shortened to three months where the Tenant gives notice.";
const phone = "Notice given by telephone or by e-mail has no effect.";
const near = {
  episode_mentions: 7,
  min_distance: 2,
  episode_score: 0.7,
  distance_score: 0.3333,
  original_score: 1,
  graph_score: 0.5167,
  combined_score: 0.71,
};
const far = { ...near, episode_mentions: 1, min_distance: null, episode_score: 0.1, distance_score: 0 };
export const results = () => [
  {
    ...result("d1", "moved up 4 by the reranker", { lexical: 0.92, dense: 0.78, links: 0.2 }, six, ["3 Term and notice"], 2, 0.91),
    graph_context: near,
  },
  { ...result("d2", "matches by wording and meaning", { lexical: 0.64, dense: 0.83, links: 0 }, three, ["Notice"], null, 0.77), graph_context: far },
  result(
    "d5",
    "close in meaning",
    { lexical: 0.3, dense: 0.66, links: 0 },
    "the amendment of last November shortens the notice for the mezzanine to three months, so a letter by the end of June is early enough.",
    [],
    null,
    0.52,
  ),
];
const sentence = (text, citations, paragraph = 0, more = {}) => ({
  text,
  citations,
  support: "quoted",
  score: 0.8,
  paragraph,
  kind: "paragraph",
  highlight: null,
  ...more,
});
const at = (text, words) => {
  const start = Array.from(text.slice(0, text.indexOf(words))).length;
  return [start, start + Array.from(words).length];
};

function response(trace, conversation, more) {
  return {
    status: "success",
    response_message: "Two documents answer this.",
    answer: "",
    answer_sentences: [],
    generated_by: "extractive",
    citations: [],
    results: results(),
    count: 3,
    intent: "document_search",
    confidence: 0.86,
    confidence_label: "high",
    confidence_reason: "two documents say it, the best match is close",
    confidence_factors: { sources: 0.12, top_score: 0.18, length: 0.15, retrieval_quality: 0.17, certainty: 0.16, raw: 1 },
    search_time: 0.062,
    total_time: 0.091,
    routing_path: "Zeus → Athena → Proteus → Search → Diogenes → Themis → Hermes",
    steps: steps(),
    suggested_followups: ["What does the amendment say about electricity?", "When does the fixed term end?", "Summarise the lease"],
    degraded: [],
    trace_id: trace,
    conversation_id: conversation,
    searched: { documents: 6, asked: 6, library: 6, passages: 61, kept: 6, cited: 3 },
    clarification_questions: null,
    comparison_result: null,
    summary: null,
    explanations: null,
    insights: null,
    quality_evaluation: null,
    memory_used: null,
    ...more,
  };
}

export function answerTo(query, trace, conversation) {
  const base = (more) => response(trace, conversation, more);
  if (/unicorn/i.test(query))
    return base({
      status: "not_found",
      answer: "I did not find this in your documents.",
      response_message: "Nothing in the 6 documents answers this; these passages come nearest.",
      generated_by: "none",
      confidence: 0.12,
      confidence_label: "low",
      confidence_reason: "no passage covers the question",
      suggested_followups: [],
      searched: { documents: 6, asked: 6, library: 6, passages: 61, kept: 3, cited: 0 },
    });
  if (/which\?/i.test(query))
    return base({
      status: "clarification_needed",
      response_message: "There are two notice periods. Which part do you mean?",
      clarification_questions: ["The ground floor", "The mezzanine", "Both parts"],
      results: [],
      searched: {},
    });
  if (/cost|march/i.test(query)) {
    const citations = [cite(1, "d3", "March | 5,555 | 735 | 1,290 | 7,580", ["2025"]), cite(2, "d3", "1,290", ["2025"])];
    const rows = [sentence("March | 5,555 | 735 | 1,290 | 7,580", [1], 0, { kind: "table" })];
    return base({
      answer_sentences: [...rows],
      citations: citations.slice(0, 1),
      answer: "March | 5,555 | 735 | 1,290 | 7,580 [1]",
      results: [result("d3", "the row has the words", { lexical: 0.9, dense: 0.5, links: 0 }, "March | 5,555 | 735 | 1,290 | 7,580", ["2025"], 1)],
      searched: { documents: 6, asked: 6, library: 6, passages: 24, kept: 2, cited: 1 },
    });
  }
  if (/model|write/i.test(query)) {
    const citations = [cite(1, "d1", six, ["3 Term and notice"]), cite(2, "d2", three, ["Notice"])];
    const list = [
      sentence("Notice is **six months**, in writing, to the end of a quarter.", [1], 0, { support: "supported" }),
      sentence("For the mezzanine it is **three months** when you give it yourselves.", [2], 0, { support: "supported" }),
      sentence("The landlord usually agrees to a shorter period when asked.", [], 1, { support: "unsupported" }),
    ];
    return base({
      generated_by: "qwen3-vl:8b",
      answer_sentences: list,
      citations,
      answer: `${list[0].text} [1] ${list[1].text} [2]\n\n${list[2].text}`,
      confidence: 0.58,
      confidence_label: "medium",
      confidence_reason: "one sentence is not borne out",
      searched: { documents: 6, asked: 6, library: 6, passages: 61, kept: 6, cited: 2 },
    });
  }
  const citations = [cite(1, "d1", six, ["3 Term and notice"]), cite(2, "d2", three, ["Notice"]), cite(3, "d1", phone, ["3 Term and notice"])];
  const list = [
    sentence(six, [1], 0, { highlight: at(six, "six months’ written notice") }),
    sentence(three, [2], 0, { highlight: at(three, "three months") }),
    sentence(phone, [3], 1),
  ];
  const degraded = /degraded/i.test(query)
    ? [
        {
          part: "language model",
          reason:
            "the server at localhost:11434 did not answer within 5 s, so the answer is quoted instead of written. Start Ollama to have it written.",
        },
      ]
    : [];
  return base({ answer_sentences: list, citations, degraded, answer: list.map((item, index) => `${item.text} [${index + 1}]`).join(" ") });
}

export function traceOf(query, response) {
  const started = Date.now() - 60_000;
  let at = 0;
  const nodes = steps().map((step) => {
    const node = {
      id: step.id,
      node: step.node,
      agent: step.agent,
      action: step.action,
      details: step.details,
      started_at: new Date(started + at).toISOString(),
      duration_ms: step.duration_ms,
      outcome: "ok",
      reads: { query },
      writes: { details: step.details },
      error: null,
    };
    at += step.duration_ms;
    return node;
  });
  const move = (chunk, document, label, stages, cited, ended = "") => ({
    chunk_id: chunk,
    document_id: document,
    label,
    stages,
    cited_as: cited,
    ended,
  });
  return {
    id: response.trace_id,
    tenant: "default",
    user_id: "local",
    conversation_id: response.conversation_id,
    query,
    status: response.status,
    started_at: new Date(started).toISOString(),
    duration_ms: 91,
    generated_by: response.generated_by,
    routing_path: response.routing_path,
    request: { query },
    response,
    nodes,
    reports: [],
    degraded: [],
    tokens: {},
    prompts: {},
    moves: [
      move(
        11,
        "d1",
        "Juniper Street lease · 3 Term and notice",
        { lexical: [1, 12.4], dense: [5, 0.61], fusion: [2, 0.82], rerank: [1, 1.62], passages: [1, 1.62] },
        1,
      ),
      move(12, "d2", "Amendment 2024 · Notice", { lexical: [6, 7.1], dense: [4, 0.63], fusion: [5, 0.66], rerank: [2, 1.4], passages: [2, 1.4] }, 2),
      move(
        13,
        "d1",
        "Juniper Street lease · 4 Alterations",
        { lexical: [3, 9.9], dense: [3, 0.64], fusion: [3, 0.78], rerank: [3, 1.1], passages: [1, 1.62] },
        3,
      ),
      move(
        14,
        "d4",
        "Moving the workshop · What we know",
        { lexical: [2, 10.2], dense: [8, 0.4], fusion: [4, 0.7], rerank: [5, 0.8] },
        null,
        "below the minimum .42 with .31",
      ),
      move(15, "d5", "Notice for the mezzanine", { dense: [1, 0.72], fusion: [1, 0.84], rerank: [4, 0.9] }, null, "says the same as citation 2"),
      move(16, "d3", "Workshop costs · 2025", { lexical: [4, 8.2], fusion: [6, 0.4] }, null, "below the minimum .30 with .21"),
      move(17, "d6", "rent.py", { dense: [2, 0.66], fusion: [7, 0.38] }, null, "below the minimum .30 with .19"),
    ],
  };
}
