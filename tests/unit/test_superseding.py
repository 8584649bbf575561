"""An amendment stands before the clause that it replaces."""

from __future__ import annotations

import pytest

from answers.extractive.composer import ExtractiveComposer
from answers.questions.answer_kinds import AnswerKind, answer_kind_of, holds_kind
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from tests.support.evidence import CountingEmbedder, WordIndex, evidence

OLD = "7.3 The Tenant has access to the warehouse from 06:00 to 20:00 on Mondays to Saturdays."
NEW = "Clause 7.3 is replaced by the following: The Tenant has access from 05:00 to 23:00 on every day of the week."


async def composed(*given: Evidence) -> Answer:
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds())
    return await composer.compose("default", "When has the tenant access to the warehouse on Mondays to Saturdays?", list(given))


async def test_the_newer_wording_is_there_and_first() -> None:
    lease = evidence(OLD, document="lease", title="Lease of Quay warehouse")
    answer = await composed(lease, evidence(NEW, document="amendment", title="Amendment to the lease of Quay warehouse", score=0.1))
    assert [citation.document_id for citation in answer.citations][:1] == ["amendment"]
    assert {citation.document_id for citation in answer.citations} == {"lease", "amendment"}
    assert all(citation.quote in (OLD.removeprefix("7.3 "), NEW) for citation in answer.citations)


async def test_another_contract_changes_nothing() -> None:
    lease = evidence(OLD, document="lease", title="Lease of Quay warehouse")
    answer = await composed(lease, evidence("Clause 7.3 is replaced by: pigs are fed at noon.", document="farm", title="Farm rules", score=0.1))
    assert [citation.document_id for citation in answer.citations] == ["lease"]


def test_the_number_of_a_clause_counts_nothing() -> None:
    assert not holds_kind(AnswerKind.NUMBER, "See clause 8.4 and section 5.", frozenset())
    assert holds_kind(AnswerKind.NUMBER, "5.1 The Tenant pays 6.5 per cent.", frozenset())


@pytest.mark.parametrize(
    ("question", "text", "held"),
    [
        ("What hours may we use the yard?", "The Tenant has access from 05:00 to 23:00 on every day.", True),
        ("what are the opening hours", "Open 9 am to noon.", True),
        ("Wie sind die Öffnungszeiten?", "Montags von 8 Uhr bis 16.30 Uhr.", True),
        ("What hours may we use the yard?", "A visit within four working hours.", False),
        ("What hours may we use the yard?", "7.15 The yard is 12.50 EUR a day.", False),
        ("What time does the ferry leave?", "The ferry leaves at 21:45.", True),
    ],
)
def test_hours_and_times_are_answered_by_the_clock(question: str, text: str, held: bool) -> None:
    assert answer_kind_of(question) is AnswerKind.CLOCK
    assert holds_kind(AnswerKind.CLOCK, text, frozenset()) is held


@pytest.mark.parametrize(
    ("question", "first"), [("How much notice must the tenant give to end the lease?", "lease"), ("When may the tenant end the lease?", "amendment")]
)
async def test_a_day_that_was_changed_stands_behind_a_figure_that_was_not(question: str, first: str) -> None:
    lease = evidence(
        "12.1 The tenant may end the lease on 30 April 2027 by giving at least nine months' notice.",
        document="lease",
        title="Lease of Quay warehouse",
    )
    changed = "In clause 12.1 the date 30 April 2027 is replaced by 30 April 2028."
    amendment = evidence(changed, document="amendment", title="Amendment to the lease of Quay warehouse", score=0.1)
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds())
    answer = await composer.compose("default", question, [lease, amendment])
    assert [citation.document_id for citation in answer.citations][:1] == [first]
    assert len(answer.citations) == 2
