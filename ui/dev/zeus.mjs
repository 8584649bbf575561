// Zeus for developing the page: the sixteen agents and the shape of the compiled graph.
const agents = [
  ["⚡", "Zeus", "The Conductor"],
  ["🦉", "Athena", "The Strategist"],
  ["🏛️", "Daedalus", "The Architect"],
  ["🔥", "Prometheus", "The Illuminator"],
  ["📚", "Hypatia", "The Scholar"],
  ["🧠", "Mnemosyne", "The Keeper"],
  ["🌐", "Apollo", "The Illuminated"],
  ["🧭", "Odysseus", "The Navigator"],
  ["🔮", "Proteus", "The Shape-Shifter"],
  ["⚖️", "Themis", "The Just"],
  ["🤔", "Socrates", "The Inquirer"],
  ["📊", "Aristotle", "The Analyst"],
  ["📜", "Thoth", "The Scribe"],
  ["📨", "Hermes", "The Messenger"],
  ["🔍", "Diogenes", "The Critic"],
  ["🔄", "Sisyphus", "The Persistent"],
];
const AGENTS = Object.fromEntries(agents.map(([symbol, name, title]) => [name, { symbol, name, title }]));

export const agentOf = (name) => AGENTS[name] ?? AGENTS.Zeus;
const main = [
  ["load_context", "Zeus", "Loading Context"],
  ["attached_documents", "Daedalus", "Studying the Attached Files"],
  ["classify", "Athena", "Analyzing Intent"],
  ["choose_strategy", "Proteus", "Choosing Strategy"],
  ["plan", "Odysseus", "Planning"],
  ["expand_graph", "Apollo", "Expanding the Graph"],
  ["retrieve", "Zeus", "Searching"],
  ["rerank", "Zeus", "Reranking"],
  ["correct", "Sisyphus", "Trying Again"],
  ["hop", "Odysseus", "Taking a Step"],
  ["join_hops", "Odysseus", "Joining the Steps"],
  ["document_search", "Zeus", "Composing the Answer"],
  ["analyze", "Aristotle", "Comparing"],
  ["summarize", "Thoth", "Summarising"],
  ["general_answer", "Zeus", "Answering"],
  ["clarify", "Socrates", "Asking Back"],
  ["quality_check", "Diogenes", "Checking Quality"],
  ["explain", "Hermes", "Explaining Results"],
  ["score_confidence", "Themis", "Scoring Confidence"],
  ["generate_response", "Zeus", "Preparing the Response"],
  ["remember", "Zeus", "Remembering"],
];
const inner = [
  ["read", "Prometheus", "Reading"],
  ["analyse", "Hypatia", "Analyzing the Document"],
  ["find_insights", "Mnemosyne", "Keeping What Matters"],
];
const row = (group) => (item) => {
  const [id, name, action] = item;
  const agent = agentOf(name);
  return { id, kind: "node", group, symbol: agent.symbol, name, title: agent.title, action };
};
const end = (id, kind, group) => ({ id, kind, group, symbol: "", name: "", title: "", action: "" });
const edge = (source, ...targets) => targets.map((target) => ({ source, target, conditional: targets.length > 1 }));

export const graph = {
  nodes: [
    end("__start__", "start", "zeus"),
    ...main.map(row("zeus")),
    end("__end__", "end", "zeus"),
    ...inner.map(row("daedalus")).map((node) => ({ ...node, id: `daedalus:${node.id}` })),
  ],
  edges: [
    ...edge("__start__", "load_context"),
    ...edge("load_context", "attached_documents", "classify"),
    ...edge("attached_documents", "quality_check"),
    ...edge("classify", "choose_strategy", "general_answer", "clarify"),
    ...edge("clarify", "classify", "choose_strategy", "generate_response"),
    ...edge("general_answer", "choose_strategy", "generate_response"),
    ...edge("choose_strategy", "plan"),
    ...edge("plan", "expand_graph"),
    ...edge("expand_graph", "retrieve"),
    ...edge("retrieve", "rerank"),
    ...edge("rerank", "correct", "hop", "document_search", "analyze", "summarize"),
    ...edge("correct", "retrieve"),
    ...edge("hop", "join_hops"),
    ...edge("join_hops", "hop", "document_search", "analyze"),
    ...edge("document_search", "quality_check"),
    ...edge("analyze", "quality_check"),
    ...edge("summarize", "quality_check"),
    ...edge("quality_check", "explain"),
    ...edge("explain", "score_confidence"),
    ...edge("score_confidence", "generate_response"),
    ...edge("generate_response", "remember"),
    ...edge("remember", "__end__"),
    ...edge("attached_documents", "daedalus:read"),
    ...edge("daedalus:read", "daedalus:analyse"),
    ...edge("daedalus:analyse", "daedalus:find_insights"),
  ],
  mermaid: "graph TD",
};

/** The nodes by their names. */
export const rows = new Map([...main, ...inner].map((item) => [item[0], item]));
