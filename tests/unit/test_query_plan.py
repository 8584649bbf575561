"""The plan of a search: kinds of documents, headings, wordings, limits and aim; and the file of words of one's own."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from agents.planner.search_plan import PlannedQuestion, make_query_plan
from agents.text.query_filters import ALL_TYPES
from core.errors import ConfigurationError
from core.language.document_vocabularies import read_vocabularies
from core.search import Classification, Filters, Intent, QueryPlan, StrategyName
from ingestion.enrichment.doc_types import _BY_PARSER, _BY_UNIT, _CUES

HELD = {"policy": 3, "contract": 2, "manual": 1, "minutes": 4}


async def plan_of(
    text: str, *, held: dict[str, int] | None = None, intent: Intent = Intent.DOCUMENT_SEARCH, strategy: StrategyName = "hybrid", own_file: str = ""
) -> QueryPlan:
    async def count(kind: str) -> int:
        return (HELD if held is None else held).get(kind, 0)

    read = Classification(intent=intent, confidence=0.6, rule="default", search_text=text)
    question = PlannedQuestion(original=text, classification=read, strategy=strategy)
    return await make_query_plan(question, vocabularies=read_vocabularies(own_file), count_documents=count)


@pytest.mark.parametrize(
    ("question", "types", "sections"),
    [
        ("Welche Klausel regelt die Haftung der Mieter?", ["contract"], {"vertragsgegenstand", "vergütung", "liability"}),
        ("Wer fällt unter die Regelung für Dienstreisen?", ["policy"], {"geltungsbereich", "pflichten", "scope"}),
        ("Which parameter of the interface sets the speed?", ["manual"], {"architecture", "schnittstellen"}),
        ("Was steht in der Kündigungsklausel?", ["contract"], {"kündigung"}),
        ("How heavy is the crane?", [], set()),
    ],
)
async def test_a_question_is_routed_by_its_words(question: str, types: list[str], sections: set[str]) -> None:
    made = await plan_of(question)
    assert made.document_types == types
    assert sections <= set(made.boost_sections)
    assert bool(made.reason) is bool(types)


async def test_a_kind_that_no_document_has_is_never_routed_to() -> None:
    made = await plan_of("Which clause of the agreement limits liability?", held={"policy": 1})
    assert (made.document_types, made.boost_sections, made.expanded_queries) == ([], [], [])


async def test_the_kind_with_most_words_wins() -> None:
    assert (await plan_of("Was beschloss die Sitzung laut Protokoll zum Vertrag?")).document_types == ["minutes"]


async def test_expanded_queries_add_words_of_the_kind_and_no_word_twice() -> None:
    (expanded,) = (await plan_of("Which clause ends the contract?")).expanded_queries
    assert expanded == "Which clause ends the contract? agreement party landlord"


@pytest.mark.parametrize(
    ("question", "intent", "strategy", "aim"),
    [
        ("Compare the two leases", Intent.COMPARISON, "hybrid", "comparative"),
        ("Summarise the safety policy", Intent.SUMMARIZATION, "hybrid", "exploratory"),
        ("anything related to cranes", Intent.DOCUMENT_SEARCH, "exploratory", "exploratory"),
        ("Gib mir einen Überblick der Wartung", Intent.DOCUMENT_SEARCH, "hybrid", "exploratory"),
        ("Who signs the lease?", Intent.DOCUMENT_SEARCH, "hybrid", "factual"),
    ],
)
async def test_the_aim(question: str, intent: Intent, strategy: StrategyName, aim: str) -> None:
    assert (await plan_of(question, intent=intent, strategy=strategy)).intent == aim


async def test_limits_stand_in_the_plan() -> None:
    since = datetime(2024, 3, 1, tzinfo=UTC)
    filters = Filters(collection="legal", doc_types=["contract"], file_types=[".pdf"], modified_after=since)
    read = Classification(
        intent=Intent.DOCUMENT_SEARCH, confidence=0.6, rule="default", search_text="deposit", filters=filters, must=["quay"], must_not=["crane"]
    )

    async def none(kind: str) -> int:
        return 0

    limits = (await make_query_plan(PlannedQuestion(original="?", classification=read), vocabularies=(), count_documents=none)).constraints
    assert (limits.must_include, limits.must_exclude, limits.collections) == (["quay"], ["crane"], ["legal"])
    assert (limits.types, limits.modified_after, limits.modified_before) == (["contract", ".pdf"], since, None)


async def test_a_file_of_ones_own_adds_words(tmp_path: Path) -> None:
    own = tmp_path / "words.toml"
    own.write_text('[crane_log]\ntypes = "minutes"\nwords = "jib_swing kranbuch"\nsections = "defects"\n', encoding="utf-8")
    made = await plan_of("Wann war die letzte Jib Swing Prüfung?", own_file=str(own))
    assert (made.document_types, made.boost_sections) == (["minutes"], ["defects"])


@pytest.mark.parametrize("text", ["[contract]\nwords = 3\n", "[contract]\nverbs = 'a'\n", "contract = 'x'\n", "[contract"])
def test_a_file_that_is_no_vocabulary_is_refused(text: str, tmp_path: Path) -> None:
    own = tmp_path / "words.toml"
    own.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"search\.routing\.vocabulary_file"):
        read_vocabularies(str(own))


def test_vocabularies_mean_types_that_documents_have() -> None:
    made = {"note", "document", *(name for name, _, _ in _CUES), *_BY_PARSER.values(), *_BY_UNIT.values()}
    assert set(ALL_TYPES) == made
    assert {kind for vocabulary in read_vocabularies() for kind in vocabulary.types} == made - {"document"}


async def test_not_is_no_note() -> None:
    assert (await plan_of("Who may not use the crane?", held={"note": 2})).document_types == []
    assert (await plan_of("Which note is about the crane?", held={"note": 2})).document_types == ["note"]
