"""Written answers in the whole graph: when a model is asked, and when the quoted answer takes the place of what it wrote."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from core.answers import Answer, Evidence, Lead
from core.model_time import model_seconds_left
from core.ports import ModelMessage, ModelReply
from core.search_schemas import SearchRequest, SearchResponse
from orchestration.run_registry import Runs
from orchestration.zeus import Dependencies, Options, Zeus
from tests.support.models import ScriptedModel, ScriptedWriter
from tests.support.ports import FakeComposer, make_dependencies

NOTICE = "How much notice must the tenant give?"


class LedComposer(FakeComposer):
    """Quotes as the one it inherits from, with a lead; with none at all it finds nothing."""

    def __init__(self, lead: str | None) -> None:
        super().__init__()
        self.lead = lead

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        answer = await super().compose(tenant, question, evidence)
        if self.lead is None:
            return answer.model_copy(update={"found": False, "text": "", "sentences": [], "citations": []})
        return answer.model_copy(update={"lead": Lead(text=self.lead, kind="span", citation=1, start=0, end=1), "signals": {"coverage": 0.8}})


async def ask(deps: Dependencies, query: str = NOTICE) -> SearchResponse:
    runs = Runs(Zeus(deps))
    return await runs.result("default", await runs.start(SearchRequest(query=query), "default", "ann"))


def dependencies(lead: str | None, writer: ScriptedWriter) -> Dependencies:
    return make_dependencies(composer=LedComposer(lead), model=ScriptedModel(), writer=writer, options=Options(use_llm_fallback=False))


async def test_where_the_documents_are_silent_no_model_is_asked() -> None:
    writer = ScriptedWriter(["The salary is £20,000."], Answer(text="The salary is £20,000.", generated_by="scripted"))
    response = await ask(dependencies(None, writer))
    assert response.status == "not_found"
    assert "20,000" not in response.model_dump_json()
    assert response.generated_by != "scripted"


@pytest.mark.parametrize(
    ("lead", "written"),
    [
        ("six months", "The notice is three months."),
        ("8 km/h since 1 January 2026 (before: 10 km/h)", "The limit is 10 km/h."),
        ("£341,500", "The rent is £321,760 a year."),
        ("1 May 2026", "It was signed on 3 May 2026."),
        ("No", "Yes, the tenant may."),
    ],
)
async def test_a_text_that_states_another_figure_gives_way_to_the_quotes(lead: str, written: str) -> None:
    writer = ScriptedWriter([written], Answer(text=written, generated_by="scripted"))
    response = await ask(dependencies(lead, writer))
    assert response.generated_by == "extractive"
    assert written not in response.answer
    assert "differs from" in response.degraded[0].reason


@pytest.mark.parametrize(
    ("lead", "written"),
    [
        ("six months", "The tenant must give 6 months of notice [1]."),
        ("six months", "Written notice is needed [1]."),
        ("8 km/h since 1 January 2026 (before: 10 km/h)", "It is 8 km/h; until 2025 it was 10 km/h [1]."),
        ("the Agent", "The Agent holds it, with £80,000 [1]."),
    ],
)
async def test_a_text_that_agrees_is_told_with_what_the_quotes_know(lead: str, written: str) -> None:
    writer = ScriptedWriter([written], Answer(text=written, generated_by="scripted"))
    response = await ask(dependencies(lead, writer))
    assert (response.generated_by, response.answer, response.degraded) == ("scripted", written, [])


async def test_one_of_the_figures_that_are_to_be_compared_does_not_veto_what_a_model_worked_out() -> None:
    written = "It is three months longer [1]."
    writer = ScriptedWriter([written], Answer(text=written, generated_by="scripted"))
    response = await ask(dependencies("six months", writer), "By how many months does the notice of the tenant exceed three months?")
    assert (response.generated_by, response.answer, response.degraded, response.answer_notes) == ("scripted", written, [], [])


class Clocked(ScriptedModel):
    """Keeps how many seconds each call was given."""

    def __init__(self, *replies: str | Exception) -> None:
        super().__init__(*replies)
        self.seconds: list[float | None] = []

    async def complete(self, messages: Sequence[ModelMessage], **options: Any) -> ModelReply:
        self.seconds.append(model_seconds_left())
        return await super().complete(messages, **options)


class LedByWords(FakeComposer):
    """Each question is led by its last word."""

    async def compose(self, tenant: str, question: str, evidence: Sequence[Evidence]) -> Answer:
        answer = await super().compose(tenant, question, evidence)
        lead = Lead(text=question.strip(" ?").rsplit(maxsplit=1)[-1], kind="span", citation=1, start=0, end=1)
        return answer.model_copy(update={"lead": lead, "signals": {"coverage": 0.8}})


@pytest.mark.parametrize(
    ("written", "by"), [("The tenant may give it.", "extractive"), ("The tenant may give it; the lease has an end.", "scripted")]
)
async def test_a_text_that_leaves_out_one_of_two_questions_gives_way(written: str, by: str) -> None:
    writer = ScriptedWriter([written], Answer(text=written, generated_by="scripted"))
    deps = make_dependencies(composer=LedByWords(), model=ScriptedModel(), writer=writer, options=Options(use_llm_fallback=False))
    response = await ask(deps, "How much notice must the tenant give and when does the lease end?")
    assert response.generated_by == by


async def test_all_calls_of_a_run_share_its_time_and_a_short_one_gets_a_part_of_it() -> None:
    model = Clocked('{"intent": "document_search", "confidence": 0.9, "search_text": "notice tenant"}')
    await ask(make_dependencies(model=model, options=Options(model_seconds=40.0)))
    assert len(model.seconds) == 1
    assert model.seconds[0] is not None
    assert 9.0 < model.seconds[0] <= 10.0
    assert model_seconds_left() is None
