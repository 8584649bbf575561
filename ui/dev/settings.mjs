/** The settings of the mock: a few of each sort, which may be changed; `VANTAGE_ANSWERS__MAX_SENTENCES` is "set by the environment". */
const setting = (key, kind, value, change, more = {}) => ({
  key,
  kind,
  value,
  active: value,
  default: value,
  source: "default",
  change,
  environment: `VANTAGE_${key.toUpperCase().replaceAll(".", "__")}`,
  line: `${key.split(".").slice(0, -1).join(":\n  ")}:\n    ${key.split(".").at(-1)}: ${JSON.stringify(value)}`,
  choices: null,
  minimum: null,
  maximum: null,
  ...more,
});
const days = (kind) => setting(`storage.${kind}_days`, "integer", 0, "now", { minimum: 0, maximum: 36500 });

const fresh = () => [
  setting("server.port", "integer", 8000, "file", { minimum: 0, maximum: 65535 }),
  setting("storage.traces_days", "integer", 90, "now", { minimum: 1 }),
  setting("storage.traces_mb", "integer", 512, "now", { minimum: 1 }),
  ...["conversations", "feedback", "episodes", "jobs", "uploads"].map(days),
  setting("search.spelling", "boolean", true, "now"),
  setting("search.cross_language", "string", "auto", "start", { choices: ["auto", "always", "never"] }),
  setting("answers.max_words", "integer", 120, "now", { minimum: 20, maximum: 1000 }),
  setting("answers.max_sentences", "integer", 4, "now", { minimum: 1, maximum: 30, default: 6, source: "environment" }),
  setting("ollama.enabled", "string", "auto", "start", { choices: ["auto", "on", "off"] }),
  setting("ollama.unified_model.name", "string", "qwen3-vl:8b", "start"),
  setting("ollama.base_url", "string", "http://localhost:11434", "file"),
  setting("memory.enabled", "boolean", true, "start"),
  setting("memory.agentic_memory.enabled", "boolean", true, "start"),
  setting("ingestion.ocr.languages", "array", [], "start"),
  setting("ingestion.watch.enabled", "boolean", true, "file"),
];

let rows = fresh();
const started = fresh();

const state = () => ({ may_change: true, why_not: "", config_file: "", settings: rows, keys: null });

function change(key, value) {
  const first = started.find((row) => row.key === key);
  const next = value === null ? first.default : value;
  rows = rows.map((row) =>
    row.key === key ? { ...row, value: next, active: row.change === "now" ? next : first.value, source: value === null ? "default" : "page" } : row,
  );
}

const feature = (name, key, effect, more = {}) => {
  const enabled = more.enabled ?? true;
  const why = enabled ? "" : `${key} is false`;
  return { name, setting: key, effect, enabled, running: !why, why, default: enabled, source: "default", switch: "now", ...more };
};

/** One of each sort: switched now, kept off, on and not able to run, switched at a start, set by the environment, refused. */
let features = [
  feature("rerank", "search.rerank.enabled", "The first candidates are ordered anew by late interaction or a cross-encoder."),
  feature("structure", "search.structure.enabled", "The first candidates are ordered anew by where they stand in their documents.", {
    enabled: false,
  }),
  feature("language_model", "llm.enabled", "A language model writes answers.", { running: false, why: "Ollama does not answer" }),
  feature("watching", "ingestion.watch.enabled", "Indexed folders keep themselves current.", { switch: "start" }),
  feature("many_sentences", "answers.max_sentences", "Answers may be long.", { source: "environment" }),
  feature("cross_language", "search.cross_language", "Questions and passages in different languages find each other.", { enabled: false }),
];

function switchFeature(name, value) {
  features = features.map((row) => {
    if (row.name !== name) return row;
    const enabled = value ?? row.default;
    const why = enabled ? "" : `${row.setting} is false`;
    return { ...row, enabled, running: enabled, why, source: value === null ? "default" : "tenant" };
  });
}

export const settingsRoutes = ({ json, body, problem }) => [
  ["GET", /^\/settings$/, (_request, response) => json(response, state())],
  [
    "PATCH",
    /^\/settings$/,
    async (request, response) => {
      const { values } = JSON.parse(await body(request));
      if (values["answers.max_words"] === 999)
        return problem(response, 422, "These settings cannot be used", "answers.max_words: not 999.", "Choose another number.");
      for (const [key, value] of Object.entries(values)) change(key, value);
      json(response, state());
    },
  ],
  ["GET", /^\/settings\/features$/, (_request, response) => json(response, { features })],
  [
    "PATCH",
    /^\/settings\/features$/,
    async (request, response) => {
      const sent = JSON.parse(await body(request)).features;
      if (sent.cross_language) return problem(response, 409, "Conflict", "What cross_language needs is not there.", "Start the server anew.");
      for (const [name, value] of Object.entries(sent)) switchFeature(name, value);
      json(response, { features });
    },
  ],
  ["GET", /^\/settings\/models$/, (_request, response) => json(response, { reachable: true, models: ["qwen3-vl:8b", "small:1b"], detail: "" })],
  [
    "POST",
    /^\/settings\/models\/test$/,
    (_request, response) => {
      const model = rows.find((row) => row.key === "ollama.unified_model.name").value;
      const there = model === "qwen3-vl:8b";
      json(response, { model, answered: there, seconds: 1.24, reply: there ? "ready" : "", detail: there ? "" : `${model} took too long.` });
    },
  ],
];
