"""Zeus: the graph. Read from top to bottom, this is how a question travels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from langgraph.graph import END, START, StateGraph
from langsmith import tracing_context

from orchestration.adapter import Context, as_node
from orchestration.dependencies import Dependencies, Options
from orchestration.nodes import ROWS
from orchestration.routers import after_classify, after_general_answer
from orchestration.state import RunInput, State

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

__all__ = ["Dependencies", "Options", "Zeus", "build_graph"]


def build_graph(deps: Dependencies) -> CompiledStateGraph[State, Context, RunInput, State]:
    """The compiled graph over the rows of `nodes.ROWS`."""
    graph = StateGraph(State, context_schema=Context, input_schema=RunInput)
    for row in ROWS:
        graph.add_node(row.name, as_node(row, deps))
    graph.add_edge(START, "load_context")
    graph.add_edge("load_context", "classify")
    graph.add_conditional_edges("classify", after_classify)
    graph.add_edge("choose_strategy", "retrieve")
    graph.add_edge("retrieve", "rerank")
    graph.add_edge("rerank", "document_search")
    graph.add_edge("document_search", "quality_check")
    graph.add_edge("quality_check", "explain")
    graph.add_edge("explain", "score_confidence")
    graph.add_edge("score_confidence", "generate_response")
    graph.add_conditional_edges("general_answer", after_general_answer)
    graph.add_edge("clarify", "generate_response")
    graph.add_edge("generate_response", "remember")
    graph.add_edge("remember", END)
    return graph.compile(name="zeus")


class Zeus:
    """The conductor: the compiled graph with what it was built from."""

    def __init__(self, deps: Dependencies) -> None:
        self.deps = deps
        self.graph = build_graph(deps)

    async def conduct(self, given: RunInput, context: Context) -> None:
        """Run the graph once; what the nodes write is mirrored in the run's record. Raises what a required node raises."""
        with tracing_context(enabled=False):  # LangSmith would send questions and documents away where the environment asks for it
            await self.graph.ainvoke(given, context=context)
