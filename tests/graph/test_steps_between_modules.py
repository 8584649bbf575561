"""How often control comes back to one module of orchestration while `document_search` answers: nobody can follow a way that goes to and fro."""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

import orchestration
from orchestration.nodes import ROWS
from tests.graph.test_steps_and_tries import people, state_of, with_keys
from tests.support.nodes import make_run
from tests.support.ports import make_dependencies

MOST = 5
_FOLDER = f"{Path(orchestration.__file__).parent}{os.sep}"


def _module(frame: FrameType | None) -> str:
    """The nearest module of orchestration that is called, or called."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(_FOLDER):
            return frame.f_code.co_filename.removeprefix(_FOLDER)
        frame = frame.f_back
    return ""


@pytest.mark.parametrize("question", ["Who approved the Kestrel quote?", "How many days has the Kestrel quote?", "Who feeds the zebras?"])
async def test_document_search_comes_back_to_a_module_at_most_five_times(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async def one_by_one(*waiting: Any) -> list[Any]:
        return [await each for each in waiting]

    monkeypatch.setattr("asyncio.gather", one_by_one)  # what waits is resumed from outside, which is no step of the way
    deps = make_dependencies(people())
    state = state_of(question)
    state = with_keys(state, retrieval=await deps.retriever.retrieve(state["retrieval_request"]))
    node = next(row for row in ROWS if row.name == "document_search").bind(deps, make_run(), print)
    passed: list[str] = []

    def follow(frame: FrameType, event: str, _: Any) -> None:
        if event in {"call", "return"}:
            module = _module(frame if event == "call" else frame.f_back)
            if module and module != (passed[-1] if passed else ""):
                passed.append(module)

    answering = node(state)
    sys.setprofile(follow)
    try:
        done = await answering
    finally:
        sys.setprofile(None)
    returns = {module: times - 1 for module, times in Counter(passed).items()}
    assert "answer" in done.writes
    assert returns["nodes/library_search.py"] >= 3  # it is followed at all
    assert max(returns.values()) <= MOST, returns
