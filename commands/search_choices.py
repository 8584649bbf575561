"""Words that choose how a search goes, as the flags know them: `core.search_schemas` has the same, and takes longer to import."""

STRATEGIES = ("auto", "precise", "semantic", "exploratory", "temporal", "hybrid")
STAGES = (
    "lexical",
    "dense",
    "graph",
    "multilingual",
    "tree",
    "links",
    "rerank",
    "structure",
    "graph_rerank",
    "negation",
    "plan",
    "correct",
    "memory",
)
PIPELINES = ("basic", "hybrid", "graphrag", "raptor", "auto")
RAG_STRATEGIES = (*PIPELINES, *(each for each in STRATEGIES if each not in PIPELINES))
