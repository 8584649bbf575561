"""The parts of a run by themselves: digests, clipped blocks, folders, the adapter's promises, events."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.answers import Answer
from core.documents import Block, BlockKind, ExtractedDocument, Metadata, PageUnit
from core.runs import ZEUS, Outcome
from core.search import Candidate, Degradation, Query, Retrieval, StageScore
from core.search_schemas import SearchRequest
from orchestration.events import EventLog, RunRecord
from orchestration.evidence import blocks_within, gather_evidence, make_results, unquoted_sections
from orchestration.folder_lookup import find_folder
from orchestration.node_adapter import Node, NodeResult, NodeRow, run_node
from orchestration.response import filters_in_words
from orchestration.state import State
from orchestration.trace_summary import summarize_value
from tests.support.ports import NOW, FakeRetriever, make_dependencies, sample_library
from tests.support.stores import THEN

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=400),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=10), inner, max_size=10),
    max_leaves=40,
)


@given(JSON)
def test_a_digest_is_small_json(value: Any) -> None:
    text = json.dumps(summarize_value(value))
    assert len(text) <= len(json.dumps(value)) + 300


def test_a_digest_counts_and_names() -> None:
    candidates = [Candidate(chunk_id=number, document_id="d", score=0.5, stages={"fusion": StageScore(rank=1, score=0.5)}) for number in range(30)]
    found = summarize_value(Retrieval(candidates=candidates, signals={"coverage": 0.123456}))
    assert found == {"candidates": {"count": 30, "first": list(range(10))}, "signals": {"coverage": 0.1235}}
    assert summarize_value("x" * 1000).endswith("… (1000 characters)")


@given(st.lists(st.integers(1, 9), min_size=1, max_size=20), st.integers(0, 200), st.integers(0, 200))
def test_blocks_are_clipped_to_the_passage(sizes: list[int], first: int, second: int) -> None:
    start, end = min(first, second), max(first, second)
    blocks, position = [], 0
    for size in sizes:
        blocks.append(Block(BlockKind.PARAGRAPH, position, position + size))
        position += size + 1
    document = ExtractedDocument("x" * position, tuple(blocks), (), (), (), PageUnit.NONE, Metadata(), "fake")
    found = {index for block in blocks_within(document, start, end) for index in range(block.start, block.end)}
    assert found == {index for block in blocks for index in range(block.start, block.end) if start <= index < end}


@pytest.mark.parametrize(
    ("name", "path"),
    [("legal", "/library/legal"), ("Legal", "/library/legal"), ("library", "/library"), ("attic", None), ("LEGAL", "/library/legal")],
)
async def test_folders_by_name(name: str, path: str | None) -> None:
    assert await find_folder(sample_library(), "default", name) == path
    assert await find_folder(sample_library(), "other", name) is None


async def test_results_are_one_per_document_with_scores_in_bounds() -> None:
    deps = make_dependencies()
    assert isinstance(deps.retriever, FakeRetriever)
    from agents.strategy.agent import STRATEGIES
    from core.search import RetrievalRequest

    request = RetrievalRequest(text="roof tenant hotels", strategy=STRATEGIES["hybrid"])
    passages, _ = await deps.retriever.assemble_passages(request, await deps.retriever.retrieve(request), 10)
    raised = [passage.model_copy(update={"anchor_score": passage.anchor_score * 3}) for passage in passages]
    gathered = await gather_evidence(raised, "default", deps.library)
    results = make_results(raised, gathered.documents, 2)
    assert len(results) == 2
    assert len({result.id for result in results}) == 2
    assert all(0 <= result.score <= 1 for result in results)
    sections = unquoted_sections(results, gathered, Answer(text="x"))
    assert {section.document_id for section in sections} <= {result.id for result in results}


def test_filters_are_said_in_words() -> None:
    from core.search import Filters

    filters = Filters(file_types=[".pdf"], path_prefix="/library/legal", modified_after=THEN)
    assert filters_in_words(filters) == "PDFs in /library/legal changed since 2026-05-04"


# ---------------------------------------------------------------------------------------------------------------- the adapter
def record() -> RunRecord:
    return RunRecord(id="r", tenant="default", user_id="ann", request=SearchRequest(query="x"), started_at=NOW)


def row(node: Node, **changes: Any) -> NodeRow:
    return NodeRow("retrieve", ZEUS, "Searching", "Searching", lambda *_: node, **{"reads": ("query",), "writes": ("answer",), **changes})


async def run(made: NodeRow, kept: RunRecord) -> dict[str, Any]:
    state = State(request=kept.request, query=Query(text="x"))
    return await run_node(made, state, make_dependencies(), kept)


async def test_a_node_sees_only_what_it_declares() -> None:
    seen: list[set[str]] = []

    async def look(state: State) -> NodeResult:
        seen.append(set(state))
        return NodeResult({}, "Looked.")

    await run(row(look), record())
    assert seen == [{"query"}]


async def test_an_undeclared_write_is_an_error() -> None:
    async def overwrite(state: State) -> NodeResult:
        return NodeResult({"query": Query(text="other")}, "Done.")

    with pytest.raises(KeyError, match="does not declare"):
        await run(row(overwrite), record())


async def test_growing_keys_are_mirrored_as_they_are_reduced() -> None:
    async def lose(state: State) -> NodeResult:
        return NodeResult({"answer": Answer(text="a")}, "Half.", (Degradation(part="p", reason="r"),), tokens={"input": 2}, prompts={"p": "1"})

    kept = record()
    for _ in range(2):
        await run(row(lose), kept)
    assert kept.state["tokens"] == {"input": 4}
    assert len(kept.state["degraded"]) == 2
    assert [node.outcome for node in kept.nodes] == [Outcome.DEGRADED, Outcome.DEGRADED]
    assert [step.outcome for step in kept.steps] == [Outcome.DEGRADED, Outcome.DEGRADED]


async def test_a_stopped_run_enters_no_further_node() -> None:
    async def never(state: State) -> NodeResult:
        raise AssertionError("entered")

    kept = record()
    kept.stopping = True
    with pytest.raises(asyncio.CancelledError):
        await run(row(never), kept)
    assert kept.nodes == []


# ---------------------------------------------------------------------------------------------------------------- events
@given(st.lists(st.sampled_from(["step", "token", "sources"]), max_size=30), st.lists(st.integers(-3, 40), max_size=5))
async def test_every_reader_sees_all_events_behind_its_place(kinds: list[Any], places: list[int]) -> None:
    log = EventLog()

    async def read(after: int) -> list[int]:
        return [event.id async for event in log.follow(after)]

    readers = [asyncio.create_task(read(after)) for after in places]
    for kind in kinds:
        log.append(kind, {})
        await asyncio.sleep(0)
    log.close()
    assert await asyncio.gather(*readers) == [list(range(max(0, after) + 1, len(kinds) + 1)) for after in places]
    assert log.readers == 0
