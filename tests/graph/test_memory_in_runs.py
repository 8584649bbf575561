"""What memory changes in a run: a note where the documents are silent, beside them where they speak, and nothing when it is not wanted."""

from __future__ import annotations

from core.memory import RecalledMemory, Recollection
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Zeus
from tests.support.plain_memory import PlainMemory
from tests.support.ports import make_dependencies

SILENT, SPEAKS = "Who feeds the zebras?", "How much notice must the tenant give?"
NOTE = RecalledMemory(tier="notes", item_id="n1", text="Amina feeds the zebras at seven.", score=0.8, source="remember")


async def ask(deps: Dependencies, query: str, **fields: object) -> SearchResponse:
    runs = Runs(Zeus(deps))
    run_id = await runs.start(SearchRequest.model_validate({"query": query, **fields}), "default", "ann")
    return await runs.result("default", run_id)


def remembering(note: RecalledMemory = NOTE) -> tuple[Dependencies, PlainMemory]:
    memory = PlainMemory(Recollection(notes=[note]))
    return make_dependencies(memory=memory), memory


async def test_a_note_answers_where_the_documents_are_silent() -> None:
    deps, memory = remembering()
    response = await ask(deps, SILENT)
    assert (response.status, response.answer, response.generated_by) == ("success", NOTE.text, "memory")
    assert response.citations == []
    assert response.memory_used
    assert [used.item_id for used in response.memory_used] == ["n1"]
    assert response.quality_evaluation
    assert response.quality_evaluation["verdict"] == "weak"
    assert memory.kept[0].from_memory  # so that it is never stored again as new


async def test_a_note_that_is_far_away_answers_nothing() -> None:
    deps, memory = remembering(NOTE.model_copy(update={"score": 0.3}))
    response = await ask(deps, SILENT)
    assert (response.status, response.memory_used) == ("not_found", None)
    assert not memory.kept[0].from_memory


async def test_a_note_from_documents_never_answers() -> None:
    deps, _ = remembering(NOTE.model_copy(update={"source": "high_confidence"}))
    assert (await ask(deps, SILENT)).status == "not_found"


async def test_documents_come_before_memory_and_what_was_told_stands_beside() -> None:
    deps, _ = remembering()
    response = await ask(deps, SPEAKS)
    assert response.generated_by == "extractive"
    assert NOTE.text not in response.answer
    assert response.memory_used
    assert "told me" in response.memory_used[0].used_for


async def test_without_memory_nothing_is_recalled_or_kept() -> None:
    for undo in ({"use_memory": False}, {"without": ["memory"]}):
        deps, memory = remembering()
        response = await ask(deps, SILENT, **undo)
        assert (response.status, response.memory_used, memory.kept) == ("not_found", None, [])


async def test_an_episode_holds_what_was_asked_and_found() -> None:
    deps, memory = remembering()
    response = await ask(deps, SPEAKS, session_id="s")
    episode = memory.kept[0].episode
    assert (episode.user_id, episode.session_id, episode.query) == ("ann", "s", SPEAKS)
    assert (episode.episode_id, episode.confidence) == (response.trace_id, response.confidence)
    assert episode.results == [each.id for each in response.results]
    assert episode.cited
    assert any("Athena" in step for step in episode.thinking_steps)
