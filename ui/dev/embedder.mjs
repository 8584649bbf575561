// The embedding model of the invented library: with --older-model a better one is there, and a switch takes six seconds.
const BETTER = "granite-embedding-30m-english";
const SMALLER = "all-MiniLM-L6-v2";
const DOCUMENTS = 40;
const MILLISECONDS = 6000; // looked at by axe meanwhile, which takes seconds on a busy machine

let model = process.argv.includes("--older-model") ? SMALLER : BETTER;
let coming = "";
let begun = 0;

function state() {
  const share = begun ? (Date.now() - begun) / MILLISECONDS : 0;
  if (share >= 1) [model, begun] = [coming, 0];
  const older = model !== BETTER;
  return {
    name: "embedder",
    state: "ok",
    detail: model,
    advice: older && !begun ? `Switch with \`vantage embedder ${BETTER}\`, or on the library page; questions are answered meanwhile.` : "",
    model,
    choices: [BETTER, SMALLER],
    better: older && !begun ? BETTER : "",
    coming: begun ? coming : "",
    filled: begun ? Math.floor(share * DOCUMENTS) : 0,
    documents: begun ? DOCUMENTS : 0,
    note: begun ? "It takes over when that is complete, without a restart." : "",
  };
}

/** The rows of the mock's table of routes. */
export const embedderRoutes = ({ json, body }) => [
  ["GET", /^\/embedder$/, (_request, response) => json(response, state())],
  [
    "POST",
    /^\/embedder$/,
    async (request, response) => {
      coming = JSON.parse(await body(request)).model;
      begun = Date.now();
      json(response, state(), 202);
    },
  ],
];
