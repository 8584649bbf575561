// What is remembered of the invented person, with everything that the page may do to it.
const now = Date.now();
const ago = (minutes) => new Date(now - minutes * 60_000).toISOString();
const item = (id, tier, text, minutes, detail, editable = false) => ({
  id,
  tier,
  text,
  at: minutes === null ? null : ago(minutes),
  editable,
  detail,
});

const begin = () => [
  item(
    "n1",
    "notes",
    "For the mezzanine the notice period is three months when the Tenant gives notice.",
    200,
    {
      keywords: ["mezzanine", "notice"],
      tags: ["lease"],
      context: "How much notice must we give for the mezzanine?",
      source: "high_confidence",
      links: ["n2"],
      trace_id: "r0",
      document_ids: ["d2"],
      history: [
        {
          content: "The notice period is six months.",
          context: "",
          changed_at: ago(4000),
          reason: "The amendment of 18 November 2024 says otherwise.",
        },
      ],
    },
    true,
  ),
  item(
    "n2",
    "notes",
    "The yearly review of the rent is due in March.",
    3000,
    { keywords: ["rent", "review"], tags: [], source: "remember", links: ["n1"], history: [] },
    true,
  ),
  item("profile:weights", "profile", "Your clicks moved the weights to lexical 0.45, dense 0.55.", null, {}),
  item("profile:topic:notice", "profile", "You often ask about notice.", null, { topic: "notice" }),
  item("profile:document:d1", "profile", "You often use this document.", null, { document_id: "d1" }),
  item("o1", "procedural", "You opened a source of an answer that was found by words at 1 and by meaning at 6.", 30, {
    strategy: "hybrid",
    reward: 0.5,
  }),
  item("o2", "procedural", "You did not like an answer that was found not by words and by meaning at 2.", 90, { strategy: "semantic", reward: -1 }),
  item("r1", "episodic", "How much notice must we give?", 30, {
    intent: "document_search",
    search_strategy: "hybrid",
    response: "After the fixed term either party may end the lease with six months’ written notice to the end of a quarter.",
  }),
  item("r2", "episodic", "What did the workshop cost in March?", 90, {
    intent: "analysis",
    search_strategy: "precise",
    response: "March | 5,555 | 735 | 1,290 | 7,580",
  }),
  item("session:r1", "session", "How much notice must we give?", 30, { session_id: "c1", topic: "notice", answer: "Six months, in writing." }),
  item("session:r3", "session", "And for the mezzanine?", 28, { session_id: "c1", topic: "notice", answer: "Three months." }),
  item("session:r2", "session", "What did the workshop cost in March?", 90, { session_id: "c2", topic: "costs", answer: "7,580" }),
];
const TIERS = ["session", "episodic", "procedural", "profile", "notes"];

export function memoryRoutes({ json, problem, body }, empty) {
  let items = empty ? [] : begin();
  let consolidations = empty
    ? []
    : [
        {
          id: "k1",
          user_id: "local",
          at: ago(58),
          duration_ms: 14,
          sessions_read: 2,
          episodes_made: 3,
          observations_read: 2,
          profile_changed: true,
          notes_merged: 1,
          notes_pruned: 0,
          changes: ["3 turns became earlier questions.", "Two notes about the mezzanine became one."],
        },
      ];
  const sections = () =>
    Object.fromEntries(
      TIERS.map((tier) => [tier, { items: items.filter((one) => one.tier === tier), total: items.filter((one) => one.tier === tier).length }]),
    );
  const learned = () =>
    items.some((one) => one.tier === "procedural")
      ? {
          optimal_weights: { lexical: 0.45, dense: 0.55 },
          best_strategy: "hybrid",
          frequently_accessed: ["d1"],
          should_rerank: null,
          topics: ["notice"],
          evidence: 6.4,
          reason: "In 7 of 9 answers you opened what the words had found first.",
        }
      : { optimal_weights: null, best_strategy: null, frequently_accessed: [], should_rerank: null, topics: [], evidence: 0, reason: "" };
  const take = (gone) => {
    items = items.filter((one) => !gone.includes(one));
    const removed = Object.fromEntries(TIERS.map((tier) => [tier, gone.filter((one) => one.tier === tier).length]));
    return { user_id: "local", removed, items: gone };
  };
  return [
    [
      "GET",
      /^\/memory\/([^/]+)$/,
      (_request, response, [user_id]) => json(response, { user_id, ...sections(), preferences: learned(), consolidations }),
    ],
    [
      "DELETE",
      /^\/memory\/([^/]+)$/,
      (request, response) => {
        const session = new URL(request.url, "http://x").searchParams.get("session_id");
        return json(response, take(session ? items.filter((one) => one.detail.session_id === session) : [...items]));
      },
    ],
    [
      "POST",
      /^\/memory\/([^/]+)\/consolidate$/,
      (_request, response, [user_id]) => {
        const done = consolidations.length > 1 || items.length === 0;
        const changes = done ? [] : ["1 conversation that was over became an earlier question.", "Your profile was brought up to date."];
        const made = {
          ...(consolidations[0] ?? {}),
          id: `k${consolidations.length + 2}`,
          user_id,
          at: new Date().toISOString(),
          duration_ms: 9,
          changes,
        };
        consolidations = [made, ...consolidations];
        return json(response, [made]);
      },
    ],
    [
      "PATCH",
      /^\/memory\/([^/]+)\/items\/([^/]+)$/,
      async (request, response, [, id]) => {
        const found = items.find((one) => one.id === id);
        if (!found?.editable) return problem(response, 404, "No such note", id);
        const { text } = JSON.parse(await body(request));
        const before = { content: found.text, context: "", changed_at: new Date().toISOString(), reason: "You put it in other words." };
        Object.assign(found, { text, at: new Date().toISOString(), detail: { ...found.detail, history: [...(found.detail.history ?? []), before] } });
        return json(response, found);
      },
    ],
    [
      "DELETE",
      /^\/memory\/([^/]+)\/items\/([^/]+)$/,
      (_request, response, [, id]) => {
        const found = items.find((one) => one.id === id);
        if (!found) return problem(response, 404, "No such line", id);
        take([found]);
        return json(response, found);
      },
    ],
  ];
}
