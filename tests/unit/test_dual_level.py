"""Answers on two levels: passages with their entities, communities, and the synthesis of both by their weights."""

from __future__ import annotations

from pathlib import Path

import pytest

from agents.dual_level.agent import DualLevelAnswer, DualLevelOptions, answer_on_two_levels
from agents.lazy_rag.agent import GraphPorts, SummaryQuestion
from core.answers import Evidence
from core.communities import Community
from core.errors import ConfigurationError
from core.search import Filters, Passage
from settings import load_settings
from tests.support.graph_answers import TEXTS, harbour_library
from tests.unit.test_overview_answer import FakeCommunities, theme

QUESTION = "What do all documents say about Elver Lock?"
QUOTED = "Elver Lock is opened for large vessels twice a day."


def read_evidence() -> list[Evidence]:
    """The texts as passages, best first; anchors are the chunks of the graph: a heading and a paragraph for each document."""
    found = []
    library, _ = harbour_library()
    for place, name in enumerate(TEXTS):
        start = library.texts[name].text.index(TEXTS[name])
        passage = Passage(
            content=TEXTS[name], section=[], document_id=name, start=start, end=start + len(TEXTS[name]), chunks=[2 * place + 2], page=None,
            anchor=2 * place + 2, anchor_score=1.0, coherence_score=1.0,
        )  # fmt: skip
        found.append(Evidence(passage=passage, filename=f"{name}.txt", title=name, generation=1, score=1.0 - place / 10))
    return found


async def answer(question: str = QUESTION, options: DualLevelOptions | None = None, themes: list[Community] | None = None) -> DualLevelAnswer | None:
    library, view = harbour_library()
    lock = (await view.match("default", ["Elver Lock"], "", 1))[0].entity.id
    locks = theme("Locks and gates", 2, QUOTED).model_copy(update={"entity_ids": [lock]})
    ports = GraphPorts(view, library, FakeCommunities([locks] if themes is None else themes))
    asked = SummaryQuestion(text=question, tenant="default", names=[], filters=Filters(), candidates=[])
    return await answer_on_two_levels(asked, read_evidence(), ports=ports, options=options or DualLevelOptions())


async def test_each_theme_has_its_sentence_and_its_facts_under_it_all_cited() -> None:
    made = await answer()
    assert made is not None
    assert made.answer.text.splitlines() == [
        f"Locks and gates: “{QUOTED}” [1]",
        "- Mara Ellison found a crack in the gate of Elver Lock. [2]",
        "- Trevanion & Holt was late with the pump of Elver Lock. [3]",
    ]
    library, _ = harbour_library()
    for each in made.answer.citations[1:]:
        assert library.texts[each.document_id].text[each.start : each.end] == each.quote
    assert [(each.type, each.document_id) for each in made.low] == [("passage", name) for name in TEXTS]
    assert {each.name for each in made.low[0].entities} == {"Mara Ellison", "Elver Lock"}
    assert [(each.type, each.name, each.summary, each.entity_count) for each in made.high] == [("community", "Locks and gates", QUOTED, 1)]
    assert made.high[0].keywords == ["rent", "notice"]


@pytest.mark.parametrize(("low", "high", "facts", "quoted"), [(0.1, 0.9, 1, True), (0.0, 1.0, 0, True), (1.0, 0.0, 2, False)])
async def test_the_weights_split_the_sentences(low: float, high: float, facts: int, *, quoted: bool) -> None:
    made = await answer(options=DualLevelOptions(low_weight=low, high_weight=high))
    assert made is not None
    assert sum(line.startswith("- ") for line in made.answer.text.splitlines()) == facts
    assert (QUOTED in made.answer.text) == quoted


async def test_the_limits_bound_both_levels() -> None:
    many = [theme(f"Theme {number}", 2, QUOTED) for number in range(9)]
    made = await answer(options=DualLevelOptions(low_limit=1, high_limit=2), themes=many)
    assert made is not None
    assert (len(made.low), len(made.high)) == (1, 2)


async def test_without_communities_the_facts_stand_alone() -> None:
    made = await answer(themes=[])
    assert made is not None
    assert made.answer.text.startswith("From passages:\n- Mara Ellison")
    assert made.high == []


async def test_what_no_sentence_has_is_said_or_not_answered() -> None:
    made = await answer("Which cracks and unicorns do all documents see in Elver Lock?")
    assert made is not None
    assert made.answer.notes == ["No sentence that was read has: unicorns."]
    assert await answer("What do all documents say about unicorns at Elver Lock?") is None


def load(tmp_path: Path, low: str, high: str) -> None:
    environ = {"VANTAGE_HOME": str(tmp_path), "VANTAGE_DUAL_LEVEL__LOW_WEIGHT": low, "VANTAGE_DUAL_LEVEL__HIGH_WEIGHT": high}
    load_settings(environ=environ, folder=tmp_path)


@pytest.mark.parametrize(("low", "high"), [("0.7", "0.4"), ("0.5", "0.498"), ("1.1", "-0.1"), (".nan", ".nan")])
def test_weights_that_do_not_add_up_to_one_are_an_error_at_the_start(tmp_path: Path, low: str, high: str) -> None:
    with pytest.raises(ConfigurationError, match="dual_level"):
        load(tmp_path, low, high)


def test_weights_may_be_a_thousandth_off(tmp_path: Path) -> None:
    load(tmp_path, "0.667", "0.3335")
