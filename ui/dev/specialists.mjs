// Scripted answers of the specialists: what Socrates asks, a comparison, sub-questions, attached files, memory that changed an answer.
import { cite, library } from "./library.mjs";

const labels = {
  Zeus: "⚡ Zeus (The Conductor)",
  Athena: "🦉 Athena (The Strategist)",
  Socrates: "🤔 Socrates (The Inquirer)",
  Odysseus: "🧭 Odysseus (The Navigator)",
  Daedalus: "🏛️ Daedalus (The Architect)",
  Prometheus: "🔥 Prometheus (The Illuminator)",
  Hypatia: "📚 Hypatia (The Scholar)",
  Mnemosyne: "🧠 Mnemosyne (The Keeper)",
};
const step = (agent, node, action, details, more = {}) => ({
  type: "step",
  agent: labels[agent],
  action,
  details,
  node,
  id: `${node}-${more.subject ?? ""}-1`,
  timestamp: new Date().toISOString(),
  started_at: new Date().toISOString(),
  duration_ms: 12,
  outcome: "ok",
  subject: "",
  ...more,
});

const six = "After the fixed term either party may end the lease with six months’ written notice to the end of a quarter.";
const three = "For the mezzanine the notice period of section 3 is shortened to three months where the Tenant gives notice.";
const phone = "Notice given by telephone or by e-mail has no effect.";
const meter = "From 1 January 2025 the Tenant pays for electricity by its own meter.";

export const askingBack = () => [
  step("Zeus", "load", "Loading Context", "no earlier turns"),
  step("Athena", "classify", "Analyzing Intent", "the question names nothing to look for"),
  step("Socrates", "clarify", "Asking Back", "There are two notice periods. Waits for an answer."),
];

const hops = ["What does the lease say about notice?", "What does the amendment say about notice?"];
export const hopSteps = () => [
  step("Odysseus", "plan", "Planning", "2 sub-questions: one for each document"),
  ...hops.map((subject, index) =>
    step(
      "Zeus",
      "hop",
      "Searching",
      index ? "3 passages; the amendment shortens the notice for the mezzanine" : "4 passages; six months to the end of a quarter",
      {
        subject,
      },
    ),
  ),
  step("Odysseus", "join_hops", "Joining", "both sub-questions found something"),
];

const comparison = (numbers) => ({
  sides: [
    { name: "Lease", document_id: "d1", filename: "Juniper Street lease.pdf" },
    { name: "Amendment 2024", document_id: "d2", filename: "Amendment 2024.docx" },
  ],
  rows: [
    { attribute: "Notice", differs: true, cells: [cell(six, numbers[0]), cell(three, numbers[1])] },
    { attribute: "Form of the notice", differs: null, cells: [cell(phone, numbers[2]), none] },
    { attribute: "Electricity", differs: null, cells: [none, cell(meter, numbers[3])] },
  ],
  note: "Quoted from each document; nothing is concluded where one of them is silent.",
});
const cell = (text, number) => ({ text, citations: [number], found: true });
const none = { text: "", citations: [], found: false };

const lines = (id, quotes) =>
  quotes.map((quote) => ({ text: quote, start: cite(0, id, quote).start, end: cite(0, id, quote).end, page: cite(0, id, quote).page }));

function card({ document }, index) {
  const base = {
    document_id: document.id,
    filename: document.filename,
    state: "read",
    reason: "",
    generation: 1,
    generated_by: "rules",
    cached: index > 0,
  };
  const facts = { pages: document.pages, characters: document.characters };
  if (document.id === "d1")
    return {
      ...base,
      ...facts,
      analysis: {
        document_type: "contract",
        key_concepts: ["lease", "notice", "rent", "premises"],
        structure: "4 sections, 1 table, 2 pages",
        sentiment: "neutral",
        complexity: "moderate",
        complexity_note: "Flesch reading ease 48",
        measures: { words_per_sentence: 19.2 },
      },
      insights: {
        executive_summary: lines("d1", ["The lease begins on 1 March 2022 and runs for three years.", six]),
        key_points: lines("d1", [
          "The rent is payable monthly in advance, no later than the third working day.",
          phone,
          "The Tenant may fit machines and partitions that can be removed without damage.",
        ]),
        entities: ["Alder & Finch Properties", "Brightwater Instruments"],
        action_items: lines("d1", ["the Tenant returns the premises swept"]).map((line) => ({ ...line, owner: "the Tenant", due: "on leaving" })),
        questions_raised: [],
      },
    };
  return {
    ...base,
    ...facts,
    analysis: {
      document_type: document.doc_type,
      key_concepts: ["mezzanine", "notice"],
      structure: "2 sections",
      sentiment: "neutral",
      complexity: "simple",
      complexity_note: "",
      measures: {},
    },
    insights:
      document.id === "d4"
        ? {
            executive_summary: lines("d4", ["The new hall has 900 m² on one floor"]),
            key_points: [],
            entities: [],
            action_items: [],
            questions_raised: lines("d4", ["Who tells the insurer?", "Can the mezzanine be given up earlier?"]),
          }
        : { executive_summary: lines("d2", [three]), key_points: lines("d2", [meter]), entities: [], action_items: [], questions_raised: [] },
  };
}

/** Attached files by their ids; one of a name that says so cannot be read. */
function attachedFiles(ids, documents) {
  return ids.map((id, index) => {
    const found = documents.find((item) => item.document.id === id) ?? library[1];
    const hostile = /broken|hostile/i.test(found.document.filename);
    if (!hostile) return card(/^d[124]$/.test(id) ? found : { document: { ...library[1].document, id, filename: found.document.filename } }, index);
    const reason = "The file ends in the middle of a page: it was not copied to its end.";
    return {
      document_id: id,
      filename: found.document.filename,
      state: "failed",
      reason,
      generation: 0,
      pages: 0,
      characters: 0,
      cached: false,
      generated_by: "rules",
      analysis: null,
      insights: null,
    };
  });
}

export function attachedSteps(ids, documents) {
  const files = attachedFiles(ids, documents);
  const stations = [
    ["Prometheus", "read", "Reading the Document", (file) => (file.state === "failed" ? file.reason : `${file.pages || 1} pages read`)],
    ["Hypatia", "analyse", "Analyzing the Document", (file) => `${file.analysis?.document_type}, neutral, ${file.analysis?.complexity}`],
    ["Mnemosyne", "find_insights", "Keeping What Matters", (file) => `${file.insights?.key_points.length} key points`],
  ];
  const passed = stations.flatMap(([agent, node, action, details]) =>
    files
      .filter((file) => node === "read" || file.state !== "failed")
      .map((file) => step(agent, node, action, details(file), { subject: file.filename, outcome: file.state === "failed" ? "failed" : "ok" })),
  );
  return [
    step("Daedalus", "attached_documents", "Studying the Files", `${files.length} files, each through three agents`, { outcome: "ok" }),
    ...passed,
  ];
}

const changed = [
  {
    tier: "notes",
    item_id: "n1",
    text: "For the mezzanine the notice period is three months when the Tenant gives notice.",
    used_for: "Shown beside what the documents say.",
    score: 0.81,
    change: {},
  },
  {
    tier: "episodic",
    item_id: "r1",
    text: "How much notice must we give?",
    used_for: "A similar question was answered from the lease; it was looked at first.",
    score: 0.74,
    change: {},
  },
  {
    tier: "procedural",
    item_id: "",
    text: "In 7 of 9 answers you opened what the words had found first.",
    used_for: "Your choices moved the weight of words 0.30 → 0.45.",
    score: null,
    change: { lexical: [0.3, 0.45], dense: [0.7, 0.55] },
  },
];

/** What the specialists add to an answer, by the words of the question and by what was sent with it. */
export function specialistFields(ask, id, documents) {
  const more = {};
  if (/which\?/i.test(ask.query)) more.clarification_of = id;
  if (/compare/i.test(ask.query)) {
    const citations = [
      cite(1, "d1", six, ["3 Term and notice"]),
      cite(2, "d2", three, ["Notice"]),
      cite(3, "d1", phone, ["3 Term and notice"]),
      cite(4, "d2", meter, ["Energy"]),
    ];
    Object.assign(more, { intent: "comparison", citations, comparison_result: comparison([1, 2, 3, 4]) });
    more.answer_sentences = [
      {
        text: "The amendment shortens the notice for the mezzanine to three months; for the rest the lease’s six months stay.",
        citations: [1, 2],
        support: "quoted",
        score: 0.8,
        paragraph: 0,
        kind: "paragraph",
        highlight: null,
      },
    ];
  }
  if (/amendment change|sub-question/i.test(ask.query)) {
    more.reasoning = {
      complexity: "moderate",
      kind: "conjunction",
      by: "rules",
      confidence: 0.8,
      reasoning_trace: hops.map((asked, index) => ({
        id: `sq${index + 1}`,
        asked,
        purpose: index ? "what changed" : "what it was",
        found: index ? three : six,
        citations: [index + 1],
      })),
    };
  }
  if (ask.attached_documents?.length) {
    const files = attachedFiles(ask.attached_documents, documents);
    more.insights = { files, agents_used: ["Daedalus", "Prometheus", "Hypatia", "Mnemosyne"], thinking_steps: [] };
  }
  if (/remember|again/i.test(ask.query) && ask.use_memory !== false) more.memory_used = changed;
  return more;
}
