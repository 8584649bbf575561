"""The graph for `langgraph dev`: `langgraph.json` names `graph`, a question and its answer around the Zeus that the server runs (docs/traces.md).

The library of the settings is opened by the first question and owned from then on: stop `vantage serve` first. No checkpointer is compiled in, for
that server brings its own.
"""

from __future__ import annotations

import asyncio
import uuid
from contextlib import AsyncExitStack
from datetime import UTC, datetime

from langchain_core.runnables import RunnableConfig
from langgraph.graph import END, START, StateGraph
from langsmith import tracing_context
from typing_extensions import TypedDict  # that of Python 3.11 has no schema

from bootstrap import open_services
from core.search import Query
from core.search_schemas import SearchRequest
from orchestration.dependencies import Dependencies
from orchestration.events import RunRecord
from orchestration.node_adapter import RunContext
from orchestration.trace_inspector import TraceInspector
from orchestration.zeus import STEPS, build_graph
from settings import load_settings


class StudioQuestion(TypedDict):
    """The input of a run."""

    question: str


class StudioAnswer(StudioQuestion, total=False):
    """`documents` are the names of those that the answer cites."""

    answer: str
    documents: list[str]
    confidence: float


class _StudioLibrary:
    """The library of the settings from its first question on."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._opened = AsyncExitStack()
        self._deps: Dependencies | None = None

    @property
    def deps(self) -> Dependencies:
        if self._deps is None:
            raise RuntimeError("The library is opened by a question that is asked of the whole graph.")
        return self._deps

    async def open(self) -> None:
        async with self._lock:
            if self._deps is None:
                settings = await asyncio.to_thread(load_settings)
                services = await self._opened.enter_async_context(open_services(settings, resume_jobs=False))
                if not isinstance(services.inspector, TraceInspector):
                    raise TypeError("the inspector of the stored runs has no graph")
                self._deps = services.inspector.dependencies

    async def close(self) -> None:
        async with self._lock:
            self._deps = None
            await self._opened.aclose()


library = _StudioLibrary()
zeus = build_graph(lambda: library.deps)


async def ask(state: StudioQuestion, config: RunnableConfig) -> StudioAnswer:
    """Ask the local person's question of Zeus, whose steps are those of a graph within this one."""
    await library.open()
    request = SearchRequest(query=state["question"])
    run = RunRecord(id=uuid.uuid4().hex, tenant="default", user_id="local", request=request, started_at=datetime.now(UTC))
    query = Query(text=request.query, tenant=run.library, user_id=run.user_id)
    with tracing_context(enabled=False):  # LangSmith would send questions and documents away where the environment asks for it
        ended = await zeus.ainvoke({"request": request, "query": query}, {**config, "recursion_limit": STEPS}, context=RunContext(run))
    response = ended["response"]
    return {
        "question": request.query,
        "answer": response.answer,
        "documents": list(dict.fromkeys(each.filename for each in response.citations)),
        "confidence": response.confidence,
    }


_outer = StateGraph(StudioAnswer, input_schema=StudioQuestion)
_outer.add_node("zeus", ask)
_outer.add_edge(START, "zeus")
_outer.add_edge("zeus", END)
graph = _outer.compile(name="vantage")
