"""Zeus: the graph. Read from top to bottom, this is how a question travels."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from langgraph.graph import END, START, StateGraph
from langgraph.types import Command
from langsmith import tracing_context

from agents.clarification.agent import Clarification
from core.leases import Leases
from orchestration.checkpoints import make_checkpoints, pack_checkpoint, unpack_checkpoint
from orchestration.dependencies import Dependencies, Options
from orchestration.node_adapter import NodeRow, RunContext, make_graph_node
from orchestration.nodes import ROWS
from orchestration.routers import (
    ANSWER_NODES,
    NODES_AFTER_RETRIEVAL,
    after_clarify,
    after_classify,
    after_context,
    after_correct,
    after_general_answer,
    after_hops,
    after_rerank,
)
from orchestration.state import STATE_KEYS, ClarificationReply, RunInput, State

if TYPE_CHECKING:
    from collections.abc import Callable

    from langchain_core.runnables import RunnableConfig
    from langgraph.checkpoint.base import BaseCheckpointSaver
    from langgraph.graph.state import CompiledStateGraph

STEPS = 80  # supersteps: far above the longest way, so that a loop that does not end is an error and not a hang
__all__ = ["Dependencies", "Options", "Zeus", "build_graph"]


def build_graph(
    deps: Callable[[], Dependencies], checkpointer: BaseCheckpointSaver[Any] | None = None, rows: tuple[NodeRow, ...] = ROWS
) -> CompiledStateGraph[State, RunContext, RunInput, State]:
    """Compile the graph over the rows of `nodes.ROWS`. `deps` gives what a node is built from where its run brings none of its own. Asking back
    needs a checkpointer; other `rows` of the same names are for tests."""
    graph = StateGraph(State, context_schema=RunContext, input_schema=RunInput)
    for row in rows:
        graph.add_node(row.name, make_graph_node(row, deps))
    graph.add_edge(START, "load_context")
    graph.add_conditional_edges("load_context", after_context)
    # Reading the question: what it wants, and how it is searched.
    graph.add_conditional_edges("classify", after_classify)
    graph.add_conditional_edges("clarify", after_clarify)
    graph.add_conditional_edges("general_answer", after_general_answer)
    graph.add_edge("choose_strategy", "plan")
    graph.add_edge("plan", "expand_graph")
    # Searching: tries until one is good enough, then the hops of the plan, side by side where they can be.
    graph.add_edge("expand_graph", "retrieve")
    graph.add_edge("retrieve", "rerank")
    graph.add_conditional_edges("rerank", after_rerank, ["correct", *NODES_AFTER_RETRIEVAL])
    graph.add_conditional_edges("correct", after_correct, ["retrieve", *NODES_AFTER_RETRIEVAL])
    graph.add_edge("hop", "join_hops")
    graph.add_conditional_edges("join_hops", after_hops, list(NODES_AFTER_RETRIEVAL))
    # Answering and judging.
    for answering in (*ANSWER_NODES, "attached_documents"):
        graph.add_edge(answering, "quality_check")
    names = [row.name for row in rows]
    for step, following in pairwise([*names[names.index("quality_check") :], END]):  # judged, told and remembered in the order of the table
        graph.add_edge(step, following)
    return graph.compile(name="zeus", checkpointer=checkpointer)


class Zeus:
    """The conductor: the compiled graph with what it was built from. `leases` exchanges that while runs go on: each run keeps its own."""

    def __init__(self, deps: Dependencies, rows: tuple[NodeRow, ...] = ROWS) -> None:
        self.leases = Leases(deps)
        self._checkpoints = make_checkpoints()
        self.graph = build_graph(lambda: self.leases.value, self._checkpoints, rows)

    @property
    def deps(self) -> Dependencies:
        """Those of the present moment; a run takes a lease of them."""
        return self.leases.value

    async def conduct(self, given: RunInput | ClarificationReply, context: RunContext) -> Clarification | None:
        """Run the graph, or go on where it asked back; what the nodes write is mirrored in the run's record.

        Returns what is asked back when the graph was interrupted, None when it came to its end. Raises what a required node raises.
        """
        config: RunnableConfig = {"configurable": {"thread_id": context.run.id}, "recursion_limit": STEPS}
        entry: Any = Command(resume=given._asdict()) if isinstance(given, ClarificationReply) else given
        with tracing_context(enabled=False):  # LangSmith would send questions and documents away where the environment asks for it
            ended = await self.graph.ainvoke(entry, config, context=context, durability="exit")
        asked = ended.get("__interrupt__")
        return Clarification.model_validate(asked[0].value) if asked else None

    def forget(self, run_id: str) -> None:
        """Drop the checkpoint of a run that is over."""
        self._checkpoints.delete_thread(run_id)

    def pack(self, run_id: str) -> bytes:
        """Return the checkpoint of a run that waits, for another process."""
        return pack_checkpoint(self._checkpoints, run_id)

    def unpack(self, run_id: str, packed: bytes) -> dict[str, Any]:
        """Take over a run that waits; return the state as it stood."""
        return {key: value for key, value in unpack_checkpoint(self._checkpoints, run_id, packed).items() if key in STATE_KEYS}
