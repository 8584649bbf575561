// The embedding model of the invented library: with --older-model a better one is there, and a switch to it takes three seconds.
const BETTER = "granite-embedding-30m-english";
const DOCUMENTS = 40;
const MILLISECONDS = 3000;

let model = process.argv.includes("--older-model") ? "all-MiniLM-L6-v2" : BETTER;
let begun = 0;

function state() {
  const share = begun ? (Date.now() - begun) / MILLISECONDS : 0;
  if (share >= 1) [model, begun] = [BETTER, 0];
  const older = model !== BETTER;
  return {
    name: "embedder",
    state: "ok",
    detail: model,
    advice: older && !begun ? `Switch with \`vantage embedder ${BETTER}\`, or on the library page; questions are answered meanwhile.` : "",
    model,
    better: older && !begun ? BETTER : "",
    coming: begun ? BETTER : "",
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
      await body(request);
      begun = Date.now();
      json(response, state(), 202);
    },
  ],
];
