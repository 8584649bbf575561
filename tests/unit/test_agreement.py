"""Whether sources agree, and what is said where they do not."""

from __future__ import annotations

import pytest

from agents.confidence.agreement import CitedDocuments, agreement, describe_agreement
from core.answers import Answer, Citation
from core.claim_precedence import Relation
from core.documents import ReferenceKind


def answer(*quotes: tuple[str, str]) -> Answer:
    citations = [
        Citation(number=number, document_id=document, generation=1, filename=f"{document}.pdf", page=None, start=0, end=len(quote), quote=quote)
        for number, (document, quote) in enumerate(quotes, 1)
    ]
    return Answer(text="…", citations=citations)


def test_the_same_figure_in_two_documents() -> None:
    found = agreement("How much is the repair?", answer(("a", "The repair of the joint costs £7,900."), ("b", "Repair of the joint: £7900.")))
    assert (found.value, found.agreeing, found.conflicts) == (1.0, 1, [])


def test_a_conflict_is_said_with_the_newer_source() -> None:
    made = answer(("report", "The repair of the joint costs £7,900."), ("mail", "The repair of the joint costs £8,200."))
    found = agreement("How much is the repair of the joint?", made)
    assert (found.value, found.agreeing) == (0.0, 0)
    said = describe_agreement(found, made, {"report": "2026-09-16", "mail": "2026-10-01"})
    assert said == "Two sources disagree: £7,900 (report.pdf) and £8,200 (mail.pdf). The newer of the two is mail.pdf."
    assert describe_agreement(found, made, {}).endswith("£8,200 (mail.pdf).")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The deposit for the warehouse is £80,000.", "Seal kits for shafts are sold at £45."),
        ("The deposit of the boat shed is £500.", "The yearly insurance of the crane is £500."),  # equal by chance
        ("The deposit for room 3 is £500.", "The deposit for room 4 is £500."),
        ("The speed limit in the hall is 8 km/h.", "The speed limit in the yard is 8 km/h."),
        ("The net price of the pump is £980.", "The gross price of the pump is £980."),
        ("Our stand costs £500.", "The band costs £500."),
    ],
)
def test_an_equal_figure_of_another_thing_is_no_agreement(one: str, other: str) -> None:
    found = agreement("What is the deposit?", answer(("a", one), ("b", other)))
    assert (found.value, found.agreeing, found.conflicts, found.settled) == (0.5, 0, [], [])


def test_one_document_alone_agrees_with_nobody() -> None:
    assert agreement("?", answer(("a", "The deposit is £80."), ("a", "The deposit is £90."))).value == 0.5
    assert agreement("", answer()).value == 0.5
    assert describe_agreement(agreement("", answer()), answer(), {}) == ""


def test_of_two_versions_the_earlier_is_neither_agreement_nor_conflict() -> None:
    made = answer(
        ("old", "The limit is 12 km/h in the shed and 20 km/h on the quay."), ("new", "The limit is 9 km/h in the shed and 20 km/h on the quay.")
    )
    known = CitedDocuments({"old": "Harbour rules, version 1", "new": "Harbour rules"}, {"old": "2020-02-01", "new": "2024-05-01"})
    found = agreement("What is the limit in the shed?", made, known)
    assert (len(found.settled), found.conflicts, found.agreeing, found.value) == (1, [], 0, 0.5)
    assert describe_agreement(found, made, {}) == "9 km/h holds (new.pdf); before it was 12 km/h (old.pdf)."


def test_what_a_document_says_of_another_settles_what_differs() -> None:
    made = answer(("a", "The berthing fee is €14."), ("b", "The berthing fee is €19."))
    assert len(agreement("fee?", made, CitedDocuments({"a": "Letter", "b": "Notice"})).conflicts) == 1
    known = CitedDocuments({"a": "Letter", "b": "Notice"}, relations=[Relation("b", "a", ReferenceKind.AMENDS)])
    (settled,) = agreement("fee?", made, known).settled
    assert (settled.one_says, settled.other_says) == ("€19", "€14")
