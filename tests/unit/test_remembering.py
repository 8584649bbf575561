"""What a person asks to be kept, and results that a question points at by their rank."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.query_classifier.agent import Athena, classify
from agents.query_classifier.followups import find_referred_results
from agents.query_classifier.memory_requests import remember_request
from core.search import Intent, Query


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Remember that the crane is called Bertha.", "the crane is called Bertha."),
        ("please remember: invoices go to Hanna", "invoices go to Hanna"),
        ("Can you remember that I work at Quay 7?", "I work at Quay 7"),
        ("don’t forget that the audit is in May", "the audit is in May"),
        ("make a note that Ann is on leave", "Ann is on leave"),
        ("remember when the lease ends?", ""),
        ("Do you remember that crane?", ""),
        ("What must I remember about the alarm?", ""),
        ("remember that", ""),
        ("remember that " + "x " * 2000, ""),
        ("", ""),
    ],
)
def test_what_shall_be_kept(text: str, kept: str) -> None:
    assert remember_request(text) == kept


async def test_athena_has_a_rule_for_it() -> None:
    found = await classify(Query(text="Remember that Ann is on leave"), athena=Athena(llm=None, now=datetime(2026, 5, 6, tzinfo=UTC)))
    assert (found.intent, found.rule) == (Intent.SYSTEM_META, "remember")


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("summarise the second one", ["b"]),
        ("compare it with the second one", ["a", "b"]),
        ("compare the first document with the third result", ["a", "c"]),
        ("compare them", ["a", "b", "c"]),
        ("compare both", ["a", "b"]),
        ("open the last one", ["c"]),
        ("the fifth one", []),
        ("what does result 2 say", ["b"]),
        ("who came second in the race", []),
        ("what is the second quarter's freight", []),
    ],
)
def test_results_by_their_rank(text: str, ids: list[str]) -> None:
    assert find_referred_results(text, ["a", "b", "c"]) == ids
    assert find_referred_results(text, []) == []


async def test_results_by_their_rank_restrict_the_search() -> None:
    athena = Athena(llm=None, now=datetime(2026, 5, 6, tzinfo=UTC))
    found = await classify(Query(text="compare it with the second one", last_results=["a", "b"]), athena=athena)
    assert (found.intent, found.filters.document_ids) == (Intent.COMPARISON, ["a", "b"])
