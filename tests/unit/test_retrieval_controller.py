"""Sisyphus: what is tried next and in which order, in words, and which try is the best."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast

import pytest

from agents.retrieval_controller.agent import NextTry, WeakRetrieval, best_try, expansion_words, next_try, relax_filters
from core.errors import ModelUnavailable
from core.graph import Entity, EntityMatch, EntityType
from core.ports import KnowledgeGraph
from core.reasoning import Attempt
from core.search import Candidate, DroppedCandidate, Filters, QueryPlan, Retrieval, RetrievalRequest, StageReport, Strategy
from tests.support.models import ScriptedModel

HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.3)
SEMANTIC = Strategy(name="semantic", lexical=0.3, dense=0.7, min_score=0.3)
WEEK = datetime(2026, 5, 1, tzinfo=UTC)


def attempt(quality: float = 0.1, change: str = "", *, found: int = 1, dropped: bool = False, **request: Any) -> Attempt:
    asked = RetrievalRequest(**{"text": "Which goods are kept cold?", "strategy": HYBRID, **request})
    candidates = [Candidate(chunk_id=number, document_id="d", score=0.5) for number in range(found)]
    gone = [DroppedCandidate(chunk_id=9, document_id="d", stage="fusion", score=0.1, reason="below the minimum")] if dropped else []
    report = StageReport(stage="fusion", entered=found, left=found, duration_ms=1.0, dropped=gone)
    return Attempt(request=asked, retrieval=Retrieval(candidates=candidates, reports=[report]), quality=quality, change=change)


def case(first: Attempt, **changes: Any) -> WeakRetrieval:
    return WeakRetrieval(attempts=[first], hybrid=HYBRID, **changes)


async def all_tries(weak: WeakRetrieval, *, llm: ScriptedModel | None = None, graph: object = None) -> list[NextTry]:
    """Every try in order, each of them as weak as the first."""
    found: list[NextTry] = []
    while len(found) < 12:
        following = await next_try(weak, llm=llm, graph=cast(KnowledgeGraph, graph) if graph else None)
        if following is None:
            return found
        found.append(following)
        again = Attempt(request=following.request, retrieval=Retrieval(), quality=0.0, change=following.change)
        weak = weak.model_copy(update={"attempts": [*weak.attempts, again]})
    raise AssertionError("the tries do not end")


LIMITS = Filters(collection="a", document_ids=["d"], path_prefix="/library/legal", file_types=[".pdf"], modified_after=WEEK, languages=["en"])


def test_limits_of_the_words_come_off_one_at_a_time() -> None:
    found = relax_filters(LIMITS, Filters(collection="a", document_ids=["d"]))
    assert [change for _, change in found] == [
        "without the limit to the time of the files",
        "without the limit to PDFs",
        "without the limit to the folder /library/legal",
        "without the limit to the language en",
    ]
    for filters, _ in found:
        assert (filters.collection, filters.document_ids) == ("a", ["d"])
        assert sum(getattr(filters, name) != getattr(LIMITS, name) for name in Filters.model_fields) == 1


async def test_a_plan_that_may_move_things_offers_its_wording_first() -> None:
    plan = QueryPlan(original="?", expanded_queries=["Which goods are kept cold? storage policy"])
    first = attempt(found=4, query_plan=plan)
    offered = [each.change for each in await all_tries(case(first, routes=True))]
    told = "in the words of such documents: “Which goods are kept cold? storage policy”"
    assert told in offered
    assert offered.index(told) < next(place for place, change in enumerate(offered) if change.startswith("the key words alone"))
    assert told not in [each.change for each in await all_tries(case(first))]


def test_what_the_request_asked_for_stays() -> None:
    assert relax_filters(LIMITS, LIMITS) == []
    only_words = relax_filters(LIMITS, LIMITS.model_copy(update={"file_types": []}))
    assert [(filters.file_types, filters.modified_after) for filters, _ in only_words] == [([], WEEK)]


async def test_limits_first_then_strategy_then_words() -> None:
    first = attempt(strategy=SEMANTIC, filters=Filters(file_types=[".pdf"]), dropped=True)
    tries = await all_tries(case(first, texts=["The chiller keeps fish frozen.", "Fish and dairy: the chiller."]))
    assert [each.change for each in tries] == [
        "without the limit to PDFs",
        "hybrid instead of semantic",
        "wider: twice as deep, with half the minimum",
        "the key words alone: “goods kept cold”",
        "with words of the best passages: chiller, fish",
    ]
    assert tries[0].request.filters == Filters()
    assert tries[0].request.strategy == SEMANTIC
    assert tries[1].request.filters == first.request.filters
    assert tries[1].request.strategy.name == "hybrid"
    assert tries[2].request.mode == "recall"
    assert (tries[3].request.text, tries[3].request.question) == ("goods kept cold", "Which goods are kept cold?")
    assert tries[4].request.text == "Which goods are kept cold? chiller fish"


async def test_a_strategy_of_the_same_weights_is_not_tried() -> None:
    same = SEMANTIC.model_copy(update={"lexical": HYBRID.lexical, "dense": HYBRID.dense, "min_score": HYBRID.min_score})
    tries = await all_tries(case(attempt(strategy=same, dropped=True)))
    assert tries
    assert not any(each.change.startswith("hybrid instead") for each in tries)


async def test_where_nothing_came_it_is_widened_first() -> None:
    tries = await all_tries(case(attempt(strategy=SEMANTIC, found=0)))
    assert [each.change for each in tries[:2]] == ["wider: twice as deep, with half the minimum", "hybrid instead of semantic"]


async def test_what_the_person_chose_is_not_changed() -> None:
    tries = await all_tries(case(attempt(strategy=SEMANTIC, found=0), strategy_asked=True, mode_asked=True))
    assert [each.change for each in tries] == ["the key words alone: “goods kept cold”"]
    assert all(each.request.strategy == SEMANTIC and each.request.mode == "auto" for each in tries)


async def test_hybrid_leans_to_the_words_where_they_are_rare() -> None:
    tries = await all_tries(case(attempt(text="torque of M12-8840 bolts")))
    assert tries[0].change == "with more weight on the words"
    assert (tries[0].request.strategy.lexical, tries[0].request.strategy.dense) == (0.7, 0.3)
    dense = await all_tries(case(attempt(text="torque of M12-8840 bolts", use_hybrid=False)))
    assert not any(each.request.strategy.lexical == 0.7 for each in dense)


async def test_the_model_rewords_once_and_names_are_kept() -> None:
    model = ScriptedModel(json.dumps({"search_text": "temperature of stored goods"}))
    tries = await all_tries(case(attempt(text="Which goods does Norland keep cold?")), llm=model)
    reworded = next(each for each in tries if each.change.startswith("reworded by scripted"))
    assert reworded.request.text == "temperature of stored goods Norland"
    assert reworded.request.question == "Which goods does Norland keep cold?"
    assert reworded.tokens == {"input": 10, "output": 5}
    assert set(reworded.prompts) == {"retrieval_controller"}
    assert len(model.calls) == 1


async def test_a_failing_model_leaves_it_to_the_rules_and_says_so() -> None:
    following = await next_try(case(attempt()), llm=ScriptedModel(ModelUnavailable("The model is down.")))
    assert following is not None
    assert following.change.startswith("the key words alone")
    assert "The model is down. The question was reworded by rules." in following.degraded[0].reason


def nothing_nearer(quality: float = 0.3, reach: float = 0.3, *, found: int = 6, **request: Any) -> Attempt:
    return attempt(quality, found=found, dropped=True, **request).model_copy(update={"reach": reach})


async def test_where_no_other_passage_is_nearer_the_same_documents_are_not_searched_again() -> None:
    texts = ["The chiller keeps fish frozen.", "Fish and dairy: the chiller."]
    assert await all_tries(case(nothing_nearer(strategy=SEMANTIC), texts=texts)) == []
    limited = await all_tries(case(nothing_nearer(strategy=SEMANTIC, filters=Filters(file_types=[".pdf"])), texts=texts))
    assert [each.change for each in limited] == ["without the limit to PDFs"]  # other documents may hold it


async def test_a_misspelt_name_is_put_right_all_the_same() -> None:
    graph = Graph(known("Trevanion & Holt", "Trevannion", "fuzzy"), known("Norland Lift Trucks", "Norland", "alias", "NLT"))
    tries = await all_tries(case(nothing_nearer(text="letter of trevannion to Norland")), graph=graph)
    assert [each.request.text for each in tries] == ["letter of Trevanion & Holt to Norland"]


@pytest.mark.parametrize(
    ("quality", "reach", "worth"),
    [
        (0.3, 0.31, False),  # a hair better would not be kept
        (0.3, 0.33, True),
        (0.1, 0.4, False),  # silence becomes an answer only where it is sure
        (0.1, 0.5, True),
    ],
)
async def test_only_what_could_be_kept_is_tried(quality: float, reach: float, worth: bool) -> None:
    tries = await all_tries(case(nothing_nearer(quality, reach, strategy=SEMANTIC), silent_below=0.2, sure_above=0.45))
    assert bool(tries) == worth
    assert not any(each.change.startswith("wider") for each in tries)  # enough was found


async def test_a_try_that_has_come_as_far_as_it_goes_is_the_last() -> None:
    first = nothing_nearer(0.3, 0.4, strategy=SEMANTIC)
    following = await next_try(case(first), llm=None)
    assert following is not None
    second = Attempt(request=following.request, retrieval=first.retrieval, quality=0.4, change=following.change)
    assert await next_try(case(first).model_copy(update={"attempts": [first, second]}), llm=None) is None


class Graph:
    def __init__(self, *matches: EntityMatch) -> None:
        self.matches = matches

    async def match(self, tenant: str, names: Sequence[str], text: str, limit: int = 8) -> list[EntityMatch]:
        return list(self.matches)


def known(name: str, matched: str, how: str, *aliases: str) -> EntityMatch:
    entity = Entity(id="e", name=name, entity_type=EntityType.ORGANIZATION, aliases=list(aliases), created_at=WEEK)
    return EntityMatch(entity=entity, matched=matched, how=how, similarity=0.9)


async def test_names_as_the_library_writes_them() -> None:
    graph = Graph(known("Trevanion & Holt", "Trevannion", "fuzzy"), known("Norland Lift Trucks", "Norland", "alias", "NLT"))
    tries = await all_tries(case(attempt(text="letter of trevannion to Norland")), graph=graph)
    found = next(each for each in tries if each.change.startswith("names as"))
    assert found.request.text == "letter of Trevanion & Holt to Norland Norland Lift Trucks NLT"
    assert "“Trevanion & Holt” for “Trevannion”" in found.change
    assert "also “NLT”" in found.change


def test_expansion_takes_what_the_passages_share() -> None:
    assert expansion_words("cold goods", ["Fish is stored frozen.", "Frozen fish and cold goods.", "Frozen peas."]) == ["frozen", "fish"]
    assert expansion_words("cold", ["Only one passage speaks."]) == []
    assert expansion_words("", []) == []


@pytest.mark.parametrize(
    ("qualities", "limits", "best"),
    [
        ([0.3], [0], 0),
        ([0.3, 0.6, 0.5], [0, 0, 0], 1),  # the best, not the last
        ([0.3, 0.31, 0.2], [0, 0, 0], 0),  # a hair better is not better
        ([0.3, 0.38], [0, 1], 0),  # a limit is left out for a clear gain only
        ([0.3, 0.5], [0, 1], 1),
        ([0.1, 0.3], [0, 0], 0),  # the same documents do not turn silence into an answer by halves,
        ([0.1, 0.5], [0, 0], 1),  # only where it is sure
        ([0.0, 0.0, 0.0], [0, 0, 0], 0),
    ],
)
def test_the_best_try_wins(qualities: list[float], limits: list[int], best: int) -> None:
    tries = [
        attempt(quality, "" if place == 0 else f"try {place}", filters=Filters(languages=["en"]) if not limits[place] else Filters())
        for place, quality in enumerate(qualities)
    ]
    assert best_try(tries, silent_below=0.2, sure_above=0.45) == best


def test_where_nothing_came_anything_is_better() -> None:
    assert best_try([attempt(0.0, found=0), attempt(0.3, "wider")], silent_below=0.2, sure_above=0.45) == 1


@pytest.mark.parametrize("text", ["", "?", "\x00", "🜁" * 200, "the of and", "a" * 5000, '"quoted" "quoted"'])
async def test_any_text_comes_to_an_end(text: str) -> None:
    tries = await all_tries(case(attempt(text=text), texts=["", "x", text]))
    assert len({each.change for each in tries}) == len(tries)
    assert all(each.request.text.strip() for each in tries if each.request.question)
