"""Sentences that speak of another thing than the one that the question names."""

from __future__ import annotations

from answers.named_things import named_things
from answers.questions import normalised
from core.answers import Evidence
from tests.support.evidence import evidence

FALKE = evidence("Falke delivers in nine weeks.", document="falke", title="Offer of Falke Pumps")
MEVA = evidence("We deliver in four weeks. Meva pumps are light. mail: info@meva.example", document="meva", title="Offer of Meva Pumps")
MINUTES = evidence(
    "Falke is slow. Meva can deliver in four weeks. Hansen spoke. Then pumps were ordered by Hansen.", document="minutes", title="Minutes of May"
)
ALL = [FALKE, MEVA, MINUTES]


def left(question: str, text: str, item: Evidence, items: list[Evidence] = ALL) -> bool:
    return named_things(normalised(question), items).left_for_another(text, item)


def test_a_sentence_about_another_offer_is_left_out() -> None:
    assert left("How fast does Falke deliver?", "Meva can deliver in four weeks.", MINUTES)


def test_its_own_document_may_name_its_own_thing() -> None:
    assert not left("How fast does Falke deliver?", "Meva pumps are light.", MEVA)


def test_a_sentence_that_names_what_is_asked_stays() -> None:
    assert not left("How fast does Falke deliver?", "Meva is faster than Falke.", MINUTES)


def test_a_name_without_a_document_beside_what_is_asked_is_another_thing_too() -> None:
    assert left("How fast does Falke deliver?", "Hansen spoke.", MINUTES)
    assert not left("How fast does Falke deliver?", "Then pumps were ordered by Hansen.", MINUTES)


def test_a_question_that_names_no_document_leaves_nothing_out() -> None:
    assert not left("How fast is delivery?", "Meva can deliver in four weeks.", MINUTES)
