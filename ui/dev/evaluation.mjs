// Invented tests of the search and kept runs over sets, for the pages of the evaluation. A question with "counts" searches nothing.
import { results } from "./answers.mjs";
import { explained, moves, reports } from "./traces.mjs";

const legs = { lexical: 0.3, dense: 0.7 };

function sharesOf(weights, without, found) {
  const used = Object.entries(weights).filter(([leg]) => !without.includes(leg));
  const total = used.reduce((sum, [, weight]) => sum + weight, 0);
  return used.map(([leg, weight]) => ({
    leg,
    weight,
    share: weight / total,
    found: leg === "time" ? null : 50,
    results: leg === "time" ? null : found.filter((result) => result.stages[leg]).length,
  }));
}

/** What one setting comes to: without the rerank, or with most weight on the words, the order is another one. */
function searched(query, setting) {
  const without = setting.without ?? [];
  const weights = setting.pipeline === "basic" ? { dense: 1 } : (setting.weights ?? legs);
  const none = query.includes("counts");
  const rows = moves(!without.includes("rerank"));
  const changed = without.includes("rerank") || (weights.lexical ?? 0) > 0.5;
  const found = none ? [] : results().map((result, index) => withStages(result, rows, index));
  if (changed) found.reverse();
  return {
    strategy: none
      ? null
      : {
          name: setting.strategy === "auto" ? "hybrid" : setting.strategy,
          lexical: 0.3,
          dense: 0.7,
          reason: "Nothing in the words speaks for another one.",
        },
    text: none ? "" : query,
    shares: none ? [] : sharesOf(weights, without, found),
    results: found,
    moves: none ? [] : rows,
    reports: none ? [] : reports,
    steps_ms: { classify: 6, retrieve: 34, rerank: 48 },
    duration_ms: 112,
    routing_path: "Athena → Proteus",
    degraded: [],
  };
}

/** The result with the places of its best passage, of which it is made. */
function withStages(result, rows, index) {
  const row = rows.find((each) => each.document_id === result.id);
  const stages = Object.entries(row?.stages ?? { fusion: [index + 1, 0.4] }).map(([name, [rank, score]]) => [name, { rank, score }]);
  return { ...result, passages: result.passages.map((each) => ({ ...each, chunks: [row?.chunk_id ?? 1] })), stages: Object.fromEntries(stages) };
}

function tested({ query, left, right }) {
  const [one, other] = [searched(query, left), right ? searched(query, right) : null];
  const places = (outcome) => new Map(outcome.results.map((result, index) => [result.id, index + 1]));
  const shifts = other
    ? one.results.map((result) => ({
        document_id: result.id,
        filename: result.filename,
        left_rank: places(one).get(result.id),
        right_rank: places(other).get(result.id) ?? null,
      }))
    : [];
  const skipped = right?.without ?? [];
  const differences = skipped.length > 0 ? [`The right run skipped ${skipped.join(", ")}.`] : ["Nothing differs but the times."];
  return { left: one, right: other, differences: other ? differences : [], results: shifts };
}

const asked = [
  "How much notice must we give?",
  "Who is the landlord of Juniper Street?",
  "What did the workshop cost in March?",
  "Who feeds the zebras?",
];
const run = (id, set_name, day, scores, how = {}) => ({
  id,
  set_name,
  started_at: new Date(Date.UTC(2026, 10, day, 9, 5)).toISOString(),
  k: 10,
  strategy: "auto",
  pipeline: "auto",
  without: [],
  settings: {},
  embedder: "granite-embedding-30m-english",
  documents: 6,
  questions: 12,
  judged: 11,
  asked_back: 0,
  metrics: { "ndcg@10": scores[0], "recall@10": scores[1], "precision@10": 0.118, mrr: scores[2] },
  refusals: { unanswerable_questions: 1, unanswerable_refused: 1, answerable_questions: 11, answerable_refused: 0.091 },
  diversity: { questions: 12, total: 120, unique: 77, ratio: 0.642, identical_sets: 0, pairs: 66, identical_sets_percentage: 0 },
  times_ms: {
    classify: { mean: 41.8, p95: 74.3, questions: 12 },
    retrieve: { mean: 105.8, p95: 156.8, questions: 12 },
    rerank: { mean: 116, p95: 158.6, questions: 12 },
    "whole question": { mean: 393.7, p95: 975.7, questions: 12 },
  },
  degraded: [],
  ...how,
});
const runs = [
  run("20261125-090500-silver", "silver", 25, [0.782, 1, 0.715], { strategy: "precise", without: ["rerank"] }),
  run("20261124-090500-silver", "silver", 24, [0.837, 1, 0.776]),
  run("20261122-090500-silver", "silver", 22, [0.801, 0.955, 0.741], { settings: { "search.fusion": "rrf" } }),
  run("20261123-090500-offers", "offers", 23, [0.911, 1, 0.9]),
];
const weakest = asked.map((text, index) => ({
  id: `q${index + 1}`,
  text,
  scores: { "ndcg@10": index * 0.3, mrr: index * 0.25 },
  ms: 380 + index,
  refused: null,
  answerable: true,
  rule: index % 2 ? "field" : "known_item",
}));

function compared(before, after) {
  const measures = Object.keys(before.metrics).map((name, index) => {
    const difference = after.metrics[name] - before.metrics[name];
    const reach = [0.02, 0.05, 0, 0.08][index] ?? 0.03;
    const [low, high] = [difference - reach, difference + reach];
    return { name, before: before.metrics[name], after: after.metrics[name], difference, low, high, certain: low > 0 || high < 0 };
  });
  return {
    before,
    after,
    questions: 11,
    level: 0.95,
    resamples: 2000,
    measures,
    moved_by: "ndcg@10",
    moved: [
      { id: "q1", text: asked[0], before: 0.631, after: 0.5 },
      { id: "q2", text: asked[1], before: 0.5, after: 0.92 },
    ],
  };
}

/** The routes of the evaluation; `empty`: nothing was measured yet. */
export function evaluationRoutes({ json, problem, body }, empty) {
  const missing = (response) => problem(response, 404, "Not found", "There is no such run.");
  const find = (id) => (empty ? undefined : runs.find((each) => each.id === id));
  return [
    ["POST", /^\/evaluation\/test$/, async (request, response) => json(response, tested(JSON.parse(await body(request))))],
    [
      "POST",
      /^\/evaluation\/explain$/,
      async (request, response) => json(response, explained({ id: "test" }, JSON.parse(await body(request)).document)),
    ],
    [
      "GET",
      /^\/evaluation\/runs$/,
      (_request, response) =>
        json(response, empty ? { runs: [], total: 0, unreadable: [] } : { runs, total: runs.length, unreadable: ["20261101-old"] }),
    ],
    [
      "GET",
      /^\/evaluation\/runs\/compare$/,
      (request, response) => {
        const { searchParams } = new URL(request.url, "http://x");
        const [before, after] = ["before", "after"].map((name) => find(searchParams.get(name)));
        if (!before || !after) return missing(response);
        if (before.set_name !== after.set_name)
          return problem(response, 422, "The request is not valid", `${before.id} and ${after.id} have no question in common.`);
        return json(response, compared(before, after));
      },
    ],
    [
      "GET",
      /^\/evaluation\/runs\/([^/]+)$/,
      (_request, response, [id]) => (find(id) ? json(response, { run: find(id), measured_by: "ndcg@10", weakest }) : missing(response)),
    ],
    [
      "GET",
      /^\/evaluation\/sets$/,
      (_request, response) =>
        json(response, {
          sets: empty
            ? []
            : [
                { name: "silver", questions: 12, judged: 11, unanswerable: 1, rules: { known_item: 6, field: 3, paraphrase: 3 }, problem: "" },
                { name: "torn", questions: 0, judged: 0, unanswerable: 0, rules: {}, problem: "queries.jsonl does not exist." },
              ],
        }),
    ],
  ];
}
