"""What can be asked of stored runs: the graph, the events, two side by side, one again, and why a file is where it is."""

from __future__ import annotations

import pytest

from core.errors import Conflict, NotFound
from core.runs import Outcome
from core.search_schemas import SearchRequest
from orchestration.daedalus import STUDY_ROWS as STUDY
from orchestration.nodes import ROWS
from orchestration.run_registry import Runs
from orchestration.trace_inspector import TraceInspector, differences
from orchestration.zeus import Dependencies, Zeus
from tests.support.plain_memory import PlainMemory
from tests.support.ports import FakeLibrary, make_dependencies, make_document

QUESTION = "How much notice must the tenant give?"


class Bench:
    def __init__(self, deps: Dependencies | None = None) -> None:
        self.deps = deps or make_dependencies()
        zeus = Zeus(self.deps)
        self.runs = Runs(zeus)
        self.inspector = TraceInspector(zeus, self.runs)

    async def ask(self, query: str = QUESTION, **fields: object) -> str:
        run_id = await self.runs.start(SearchRequest.model_validate({"query": query, **fields}), "default", "ann")
        await self.runs.result("default", run_id)
        return run_id


def test_the_graph_is_the_compiled_one_with_every_agent() -> None:
    found = Bench().inspector.graph()
    assert {node.id for node in found.nodes} == {"__start__", "__end__", *(row.name for row in ROWS), *(f"daedalus:{row.name}" for row in STUDY)}
    assert {node.name for node in found.nodes if node.kind == "node"} >= {"Zeus", "Daedalus", "Prometheus", "Hypatia", "Mnemosyne"}
    edges = {(edge.source, edge.target) for edge in found.edges}
    assert {("rerank", "document_search"), ("attached_documents", "daedalus:read"), ("daedalus:read", "daedalus:analyse")} <= edges
    assert all({edge.source, edge.target} <= {node.id for node in found.nodes} for edge in found.edges)
    assert "load_context" in found.mermaid


async def test_events_are_those_of_the_stream_without_its_tokens() -> None:
    bench = Bench()
    run_id = await bench.ask()
    streamed = [event async for event in bench.runs.events("default", run_id)]
    stored = (await bench.inspector.events("default", run_id)).events
    assert [event.id for event in stored] == list(range(1, len(stored) + 1))
    assert [event.kind for event in stored] == [event.kind for event in streamed if event.kind != "token"]
    ends = [[event.data["id"] for event in events if event.data.get("outcome", "running") != Outcome.RUNNING] for events in (stored, streamed)]
    assert ends[0] == ends[1] != []
    assert [event.data for event in stored if event.kind == "answer"] == [event.data for event in streamed if event.kind == "answer"]


async def test_a_replay_goes_without_the_stage_and_leaves_nothing_behind() -> None:
    memory = PlainMemory()
    bench = Bench(make_dependencies(memory=memory))
    made = await bench.deps.conversations.create("default", "ann", "")
    first = await bench.ask(conversation_id=made.id)
    response = await bench.inspector.replay("default", first, ["rerank"])
    assert response.trace_id != first
    trace = await bench.deps.traces.get("default", response.trace_id)
    assert (trace.replay_of, trace.user_id, trace.request["without"]) == (first, "ann", ["rerank"])
    assert next(node.outcome for node in trace.nodes if node.node == "rerank") is Outcome.SKIPPED
    _, turns = await bench.deps.conversations.get("default", made.id)
    assert [turn.trace_id for turn in turns] == [first]
    assert [run.episode.episode_id for run in memory.kept] == [first]


async def test_a_replayed_follow_up_is_read_as_it_was() -> None:
    bench = Bench()
    made = await bench.deps.conversations.create("default", "ann", "")
    await bench.ask("What may hotels cost?", conversation_id=made.id)
    second = await bench.ask("and trains?", conversation_id=made.id)
    await bench.ask("How much notice must the tenant give?", conversation_id=made.id)
    again = await bench.inspector.replay("default", second, ["rerank"])
    trace, before = [await bench.deps.traces.get("default", each) for each in (again.trace_id, second)]
    assert trace.retrieval_request["text"] == before.retrieval_request["text"] != "and trains?"


async def test_two_runs_side_by_side() -> None:
    bench = Bench()
    one, other = await bench.ask(), await bench.ask(strategy="precise", top_k=1)
    found = await bench.inspector.compare("default", one, other)
    assert any("strategy" in each and "precise" in each for each in found.differences)
    assert [each.left_rank for each in found.results if each.left_rank] == list(range(1, len([e for e in found.results if e.left_rank]) + 1))
    assert {node.node for node in found.nodes} >= {"classify", "retrieve"}
    same = await bench.inspector.compare("default", one, one)
    assert same.differences == ["Nothing differs but the times."]
    assert same.same_answer


async def test_what_a_run_went_without_is_said() -> None:
    bench = Bench()
    one = await bench.ask()
    other = (await bench.inspector.replay("default", one, ["rerank", "graph"])).trace_id
    traces = [await bench.deps.traces.get("default", each) for each in (one, other)]
    assert "The right run skipped graph, rerank." in differences(*traces)
    assert "The left run skipped graph, rerank." in differences(*traces[::-1])


# ------------------------------------------------------------------------------------------------------------------ why a file is not here
async def test_a_file_that_is_shown_has_its_way() -> None:
    bench = Bench()
    found = await bench.inspector.explain("default", await bench.ask(), "lease")
    assert (found.shown, found.rank, found.fell_at) == (True, 1, None)
    assert [each.stage for each in found.stages if each.passed][-1] == "rerank"


@pytest.mark.parametrize("named", ["notes", "/library/notes.txt", "notes.txt"])
async def test_a_file_that_no_leg_brought(named: str) -> None:
    bench = Bench()
    found = await bench.inspector.explain("default", await bench.ask("What may hotels cost?"), named)
    assert (found.document_id, found.shown) == ("notes", False)
    assert found.fell_at == "lexical and dense"
    assert found.help


async def test_a_file_behind_the_last_that_is_shown() -> None:
    bench = Bench()
    run_id = await bench.ask("What does the lease of the Halden building say of the roof and its hotels?", top_k=1)
    shown = (await bench.deps.traces.get("default", run_id)).response["results"][0]["id"]
    others = {"lease", "policy", "notes"} - {shown}
    found = [await bench.inspector.explain("default", run_id, each) for each in sorted(others)]
    behind = [each for each in found if each.fell_at == "results"]
    assert behind
    assert all("place 2" in each.sentence or "place 3" in each.sentence for each in behind)
    assert all(stage.needed is not None for each in behind for stage in each.stages if stage.stage == "results")


async def test_a_filter_is_named() -> None:
    bench = Bench()
    found = await bench.inspector.explain("default", await bench.ask(filters={"document_ids": ["lease"]}), "notes")
    assert found.fell_at == "filters"
    typed = await bench.inspector.explain("default", await bench.ask(filters={"file_types": [".pdf"]}), "notes")
    assert typed.fell_at == "filters"
    assert "only PDFs" in typed.sentence


async def test_a_file_that_was_never_seen_and_a_run_that_searched_nothing() -> None:
    bench = Bench()
    run_id = await bench.ask()
    missing = await bench.inspector.explain("default", run_id, "nowhere.pdf")
    assert (missing.fell_at, missing.document_id) == ("not_indexed", None)
    counted = await bench.inspector.explain("default", await bench.ask("How many PDFs are indexed?"), "lease")
    assert counted.fell_at == "search"


async def test_several_files_of_one_name_are_named() -> None:
    twins = [make_document(each, f"/library/{each}/plan.txt", "Plan", [("Plan", "The plan of the year.")]) for each in ("a", "b")]
    bench = Bench(make_dependencies(FakeLibrary(twins)))
    run_id = await bench.ask("the plan of the year")
    with pytest.raises(Conflict, match=r"/library/a/plan\.txt"):
        await bench.inspector.explain("default", run_id, "plan.txt")
    assert (await bench.inspector.explain("default", run_id, "/library/b/plan.txt")).document_id == "b"


async def test_runs_of_others_are_unknown() -> None:
    bench = Bench()
    run_id = await bench.ask()
    for call in (
        bench.inspector.events("other", run_id),
        bench.inspector.replay("other", run_id, ["rerank"]),
        bench.inspector.explain("other", run_id, "lease"),
        bench.inspector.compare("other", run_id, run_id),
    ):
        with pytest.raises(NotFound):
            await call
