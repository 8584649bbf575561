"""Socrates before a search: he asks only where several documents answer and nothing in the question tells them apart."""

from __future__ import annotations

import pytest

from agents.clarification import Ambiguity, needs_clarification
from core.search import Filters, Intent
from tests.support.ports import FakeLibrary, make_document


def library() -> FakeLibrary:
    return FakeLibrary(
        [
            make_document("1", "/library/travel v1.md", "Travel policy, version 1", [("Hotels", "Hotels are paid up to 120 euros a night.")]),
            make_document("2", "/library/travel v2.md", "Travel policy", [("Hotels", "Hotels are paid up to 140 euros a night.")]),
            make_document("f", "/library/fire.md", "Fire policy", [("Alarm", "The alarm is tested every Monday.")]),
            make_document("l", "/library/lease.pdf", "Lease of Quay 7", [("Term", "The lease ends in 2031.")]),
            make_document("a", "/library/amendment.pdf", "Amendment to the lease of Quay 7", [("Term", "The lease now ends in 2032.")]),
        ]
    )


async def asked(question: str, intent: Intent = Intent.DOCUMENT_SEARCH, filters: Filters | None = None) -> list[str]:
    found = await needs_clarification(Ambiguity(question=question, intent=intent, filters=filters or Filters()), tenant="default", library=library())
    return found.questions if found else []


async def test_a_kind_that_several_documents_are() -> None:
    assert await asked("What does the policy say about hotels at night?") == [
        "What does the policy “Travel policy, version 1” say about hotels at night?",
        "What does the policy “Travel policy” say about hotels at night?",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What does the fire policy say about the alarm?",
        "What does the policy say about the alarm?",
        "When does the lease end?",
        "Which policy is the newest?",
        "How much is paid for hotels?",
        "What does the policy say?",
        "",
        "the " * 500,
    ],
)
async def test_what_can_be_answered_is_not_interrupted(question: str) -> None:
    assert await asked(question) == []


async def test_comparisons_filters_and_other_tenants_are_left_alone() -> None:
    question = "What does the policy say about hotels at night?"
    assert await asked(question, Intent.COMPARISON) == []
    assert await asked(question, filters=Filters(document_ids=["2"])) == []
    other = await needs_clarification(Ambiguity(question=question, intent=Intent.DOCUMENT_SEARCH), tenant="other", library=library())
    assert other is None
