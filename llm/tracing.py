"""LangChain reports to LangSmith when the environment asks for it; Vantage sends nothing of anybody's documents anywhere."""

from __future__ import annotations

import os

from langsmith import configure

_SWITCHES = ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2")


def switch_tracing_off() -> None:
    """Turn LangSmith off for this process, whatever the environment said. Called at the start, and where an adapter is built."""
    for name in _SWITCHES:
        os.environ[name] = "false"
    configure(enabled=False)
