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
# The pipelines that SPEC names and Vantage has, and the strategies of a question.
RAG_STRATEGIES = ("basic", "hybrid", "graphrag", "raptor", "auto", "precise", "semantic", "exploratory", "temporal")
