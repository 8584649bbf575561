"""Daedalus's sub-graph on fake ports: its shape, its steps, files that cannot be read, what is known from before, and stopping."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

import pytest

from agents.document_insights import agent as mnemosyne
from core.errors import Unavailable
from core.ports import DocumentContent
from core.ports.attached_files import Attachment, InsightKey
from core.runs import Outcome, Trace
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.daedalus import STUDY_ROWS, compile_daedalus
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Zeus
from tests.graph.test_zeus import compare, outline
from tests.support.models import ScriptedModel
from tests.support.ports import FakeLibrary, make_dependencies, make_document, sample_library
from tests.support.stores import MemoryTraces

QUESTION = "How much notice must the tenant give?"


class MemoryInsights:
    """core.ports.attached_files.InsightStore in memory; `fail` raises on every call."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, InsightKey], str] = {}
        self.fail = False

    async def get(self, tenant: str, key: InsightKey) -> str | None:
        if self.fail:
            raise Unavailable("The store does not answer.")
        return self.kept.get((tenant, key))

    async def put(self, tenant: str, key: InsightKey, body: str) -> None:
        if self.fail:
            raise Unavailable("The store does not answer.")
        self.kept[tenant, key] = body


async def ask(deps: Dependencies, query: str, attached: Sequence[str], **fields: Any) -> tuple[SearchResponse, Trace]:
    runs = Runs(Zeus(deps))
    run_id = await runs.start(SearchRequest(query=query, attached_documents=list(attached), **fields), "default", "ann")
    response = await runs.result("default", run_id)
    traces = deps.traces
    assert isinstance(traces, MemoryTraces)
    return response, await traces.get("default", run_id)


def studied(trace: Trace) -> list[tuple[str, str, str]]:
    """(subject, node, outcome) of the sub-graph's steps, by file."""
    names = {row.name for row in STUDY_ROWS}
    return sorted((node.subject, node.node, node.outcome.value) for node in trace.nodes if node.node in names)


def test_topology() -> None:
    graph = compile_daedalus().get_graph(xray=True)
    compare("daedalus_topology", sorted([edge.source, edge.target, edge.conditional] for edge in graph.edges))


@pytest.mark.parametrize("row", STUDY_ROWS, ids=lambda row: row.name)
def test_every_row_is_optional_and_says_what_is_missing(row: Any) -> None:
    assert row.is_optional
    assert row.loss_text.endswith(".")


async def test_a_question_over_attached_files() -> None:
    response, trace = await ask(make_dependencies(), QUESTION, ["lease", "notes", "nothing"])
    found = outline(response, trace)
    found["nodes"] = [node for node in found["nodes"] if node[0] not in {row.name for row in STUDY_ROWS}]  # branches end in any order
    assert response.insights is not None
    insights = response.insights.model_dump()
    insights["thinking_steps"].sort()  # as above
    compare("attached", {**found, "studied": studied(trace), "insights": insights})


async def test_each_file_goes_through_the_three_and_each_step_names_it() -> None:
    response, trace = await ask(make_dependencies(), QUESTION, ["lease", "notes"])
    assert studied(trace) == [
        ("halden-lease.pdf", "analyse", "ok"),
        ("halden-lease.pdf", "find_insights", "ok"),
        ("halden-lease.pdf", "read", "ok"),
        ("notes.txt", "analyse", "ok"),
        ("notes.txt", "find_insights", "ok"),
        ("notes.txt", "read", "ok"),
    ]
    assert response.insights is not None
    assert [file.filename for file in response.insights.files] == ["halden-lease.pdf", "notes.txt"]
    assert [name.split(" ")[1] for name in response.insights.agents_used] == ["Daedalus", "Prometheus", "Hypatia", "Mnemosyne"]
    assert len(response.insights.thinking_steps) == 6
    assert len({step.id for step in response.steps}) == len(response.steps)
    assert response.routing_path.startswith("Zeus → Daedalus")


@pytest.mark.parametrize(
    ("question", "cited"),
    [
        ("Summarise these files", ["lease", "policy"]),
        ("What are the action items?", ["lease", "policy"]),
        ("What are the open questions?", []),
    ],
)
async def test_what_is_asked_of_whole_files_is_answered_from_their_insights(question: str, cited: list[str]) -> None:
    library = tasks_library()
    response, _ = await ask(make_dependencies(library), question, ["lease", "policy"])
    assert list(dict.fromkeys(each.document_id for each in response.citations)) == cited
    assert response.status == ("success" if cited else "not_found")
    for each in response.citations:
        assert library.texts[each.document_id].text[each.start : each.end] == each.quote
    if not cited:
        assert "no open questions" in response.answer


def tasks_library() -> FakeLibrary:
    lease = make_document("lease", "/up/lease.pdf", "Lease", [("Duties", "The tenant must return the keys to the agent by 30 October 2026.")])
    policy = make_document("policy", "/up/policy.pdf", "Policy", [("Trips", "Every traveller must hand in receipts within fourteen days.")])
    return FakeLibrary([lease, policy])


async def test_nothing_readable_says_why_for_each() -> None:
    response, _ = await ask(make_dependencies(), QUESTION, ["one.pdf", "two.pdf"])
    assert response.status == "not_found"
    assert "one.pdf" in response.answer
    assert "two.pdf" in response.answer
    assert (response.results, response.citations) == ([], [])
    assert {each.part for each in response.degraded} == {"one.pdf", "two.pdf"}


async def test_another_filter_does_not_hide_what_was_attached_and_nothing_else_answers() -> None:
    from core.search import Filters

    response, _ = await ask(make_dependencies(), "roof", ["notes"], filters=Filters(file_types=[".pdf"]))
    assert {result.id for result in response.results} == {"notes"}


async def test_a_document_is_studied_once_under_its_names() -> None:
    response, _ = await ask(make_dependencies(), QUESTION, ["lease", "lease"])
    assert response.insights is not None
    assert [file.document_id for file in response.insights.files] == ["lease"]


@pytest.mark.parametrize("agent", ["agents.document_insights.agent.find_insights_by_rules", "agents.document_analyzer.agent.analyze_by_rules"])
async def test_an_agent_that_breaks_down_hurts_neither_the_file_nor_the_others(agent: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, _, name = agent.rpartition(".")
    whole = getattr(__import__(module, fromlist=[name]), name)

    def breaks(material: Any, entities: Any) -> Any:
        if material.document.id == "lease":
            raise RuntimeError("hostile")
        return whole(material, entities)

    monkeypatch.setattr(agent, breaks)
    response, trace = await ask(make_dependencies(), QUESTION, ["lease", "policy"])
    assert response.status == "success"
    assert {node.subject for node in trace.nodes if node.outcome is Outcome.DEGRADED} == {"halden-lease.pdf"}
    assert response.insights is not None
    assert response.insights.files[1].insights is not None


async def test_a_reader_that_breaks_down_fails_its_file_alone() -> None:
    class Breaking(FakeLibrary):
        async def content(self, tenant: str, document_id: str) -> DocumentContent:
            if document_id == "lease":
                raise RuntimeError("hostile")
            return await super().content(tenant, document_id)

    library = sample_library()
    breaking = Breaking([(library.by_id[each], library.texts[each]) for each in library.by_id])
    response, _ = await ask(make_dependencies(breaking), "roof of the Halden building", ["lease", "notes"])
    assert response.insights is not None
    assert [(file.state, bool(file.reason)) for file in response.insights.files] == [("failed", True), ("read", False)]
    assert {each.document_id for each in response.citations} == {"notes"}


# ---------------------------------------------------------------------------------------------------------------- known from before
async def test_a_content_is_studied_once() -> None:
    deps = make_dependencies(insights=MemoryInsights())
    first, _ = await ask(deps, QUESTION, ["lease"])
    second, trace = await ask(deps, QUESTION, ["lease"])
    assert first.insights is not None
    assert second.insights is not None
    assert [first.insights.files[0].cached, second.insights.files[0].cached] == [False, True]
    assert second.insights.files[0].model_copy(update={"cached": False}) == first.insights.files[0]
    assert sum("Known from before." in node.details for node in trace.nodes) == 2


async def test_a_changed_file_is_studied_again() -> None:
    library = sample_library()
    deps = make_dependencies(library, insights=MemoryInsights())
    await ask(deps, QUESTION, ["lease"])
    library.by_id["lease"] = library.by_id["lease"].model_copy(update={"content_hash": "f" * 64})
    response, _ = await ask(deps, QUESTION, ["lease"])
    assert response.insights is not None
    assert not response.insights.files[0].cached


async def test_another_model_is_another_result_and_a_models_failure_is_not_kept() -> None:
    store = MemoryInsights()
    analysis = json.dumps({"document_type": "lease", "key_concepts": ["tenant"]})
    found = json.dumps({"key_points": ["The tenant must give six months of written notice before the end of the lease."]})
    by_model = make_dependencies(insights=store, model=ScriptedModel(analysis, found))
    first, _ = await ask(by_model, "Give me the key points", ["lease"])
    again, _ = await ask(by_model, "Give me the key points", ["lease"])
    assert first.insights is not None
    assert again.insights is not None
    assert (first.insights.files[0].generated_by, again.insights.files[0].generated_by) == ("scripted", "scripted")
    assert (first.insights.files[0].cached, again.insights.files[0].cached) == (False, True)
    broken = make_dependencies(insights=store, model=ScriptedModel("x", "x", "x", "x", name="other"))
    failed, _ = await ask(broken, "Give me the key points", ["lease"])
    assert failed.insights is not None
    assert failed.insights.files[0].generated_by == "rules"
    assert {each.part for each in failed.degraded} >= {"analysis", "insights"}
    assert {key.model for _, key in store.kept} == {"scripted"}


async def test_a_store_that_does_not_answer_is_said_and_no_more() -> None:
    store = MemoryInsights()
    store.fail = True
    response, _ = await ask(make_dependencies(insights=store), QUESTION, ["lease"])
    assert response.status == "success"
    assert "insights" in {each.part for each in response.degraded}


# ---------------------------------------------------------------------------------------------------------------- stopping and waiting
class Waiting:
    """core.ports.attached_files.Attachments: an upload that is never indexed."""

    async def find_attachment(self, tenant: str, asked: str) -> Attachment | None:
        return Attachment("/up/slow.pdf", "slow.pdf", None, is_waiting=True)


async def test_progress_is_told_and_a_stop_ends_the_waiting_with_what_was_found() -> None:
    deps = make_dependencies(attachments=Waiting())
    runs = Runs(Zeus(deps))
    run_id = await runs.start(SearchRequest(query=QUESTION, attached_documents=["lease", "slow.pdf"]), "default", "ann")
    told = []
    async for event in runs.events("default", run_id):
        if event.kind == "step":
            told.append((event.data["subject"], event.data["details"], event.data["outcome"]))
        if event.kind == "step" and event.data["node"] == "find_insights" and event.data["outcome"] == "ok":
            break
    assert ("slow.pdf", "Waiting for it to be indexed (0 s).", "running") in told
    begun = time.perf_counter()
    assert await runs.cancel("default", run_id)
    response = await runs.result("default", run_id)
    assert response.status == "stopped"
    assert response.insights is not None
    assert [file.document_id for file in response.insights.files] == ["lease"]
    cancelled = {(step.node, step.subject) for step in response.steps if step.outcome is Outcome.CANCELLED}
    assert cancelled == {("read", "slow.pdf"), ("attached_documents", "")}
    assert time.perf_counter() - begun < 60  # it ended by the stop and not by the end of the waiting


async def test_a_stop_does_not_wait_for_rules_that_take_their_time(monkeypatch: pytest.MonkeyPatch) -> None:
    reached, release = asyncio.Event(), __import__("threading").Event()
    loop = asyncio.get_running_loop()

    def slow(material: Any, entities: Any) -> Any:
        loop.call_soon_threadsafe(reached.set)
        release.wait(30)
        raise RuntimeError("nobody waits for this")

    monkeypatch.setattr(mnemosyne, "find_insights_by_rules", slow)
    runs = Runs(Zeus(make_dependencies()))
    run_id = await runs.start(SearchRequest(query=QUESTION, attached_documents=["lease"]), "default", "ann")
    await asyncio.wait_for(reached.wait(), 30)
    assert await runs.cancel("default", run_id)
    response = await runs.result("default", run_id)
    assert not release.is_set()
    assert response.status == "stopped"
    release.set()


async def test_many_files_at_once_stay_apart() -> None:
    documents = [
        make_document(f"d{n}", f"/up/file{n}.txt", f"File {n}", [("Task", f"Bo must send report {n} by {n} May 2026.")]) for n in range(1, 31)
    ]
    response, trace = await ask(make_dependencies(FakeLibrary(documents)), "What are the action items?", [f"d{n}" for n in range(1, 31)])
    assert response.insights is not None
    assert [file.filename for file in response.insights.files] == [f"file{n}.txt" for n in range(1, 31)]
    assert [file.insights.action_items[0].due for file in response.insights.files if file.insights] == [f"{n} May 2026" for n in range(1, 31)]
    assert len(response.citations) == 30
    assert len({node.id for node in trace.nodes}) == len(trace.nodes)
    assert len(response.results) == 30
