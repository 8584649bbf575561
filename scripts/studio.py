"""The graph for LangGraph Studio: `langgraph.json` names `zeus`, so `langgraph dev` in this folder draws and opens the graph that the server runs.

It is built from the same settings as `vantage serve` and owns the library meanwhile: stop the server first. No checkpointer is compiled in, for
the Studio's server brings its own.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from bootstrap import open_services
from orchestration.adapter import Context
from orchestration.inspection import TraceInspector
from orchestration.state import RunInput, State
from settings import load_settings

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

_opened = AsyncExitStack()
_lock = asyncio.Lock()
_graphs: list[CompiledStateGraph[State, Context, RunInput, State]] = []


async def zeus() -> CompiledStateGraph[State, Context, RunInput, State]:
    """The compiled graph over the library of the settings, opened at the first call and kept."""
    async with _lock:
        if not _graphs:
            services = await _opened.enter_async_context(open_services(load_settings(), resume_jobs=False))
            if not isinstance(services.inspector, TraceInspector):
                raise TypeError("the inspector of the stored runs has no graph")
            _graphs.append(services.inspector.compiled())
        return _graphs[0]


async def close() -> None:
    """Let the library go."""
    async with _lock:
        _graphs.clear()
        await _opened.aclose()
