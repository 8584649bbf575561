"""Requests for documents: what is asked for, and questions that only speak of documents."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.document_requests import read_document_request
from agents.query_classifier import Athena, classify
from core.search import Intent, Query

NOW = datetime(2026, 11, 23, tzinfo=UTC)


def day(year: int, month: int, number: int) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "kind", "told"),
    [
        ("show me the spreadsheet about budget", "spreadsheets", {"topic": "budget"}),
        ("Which documents mention Pallas?", "documents", {"mentions": "Pallas"}),
        ('which document mentions "recorded delivery"?', "documents", {"mentions": "recorded delivery"}),
        ("list every PDF that contains the word asbestos", "PDFs", {"mentions": "asbestos"}),
        ("my contracts", "contracts", {}),
        ("my contracts since 2024", "contracts", {"after": day(2024, 1, 1)}),
        ("documents from last week", "documents", {"after": day(2026, 11, 16), "before": day(2026, 11, 23)}),
        ("last week's mails", "mails", {"after": day(2026, 11, 16)}),
        ("documents from Q2 2024", "documents", {"after": day(2024, 4, 1), "before": day(2024, 7, 1)}),
        ("everything from October 2026", "documents", {"after": day(2026, 10, 1), "before": day(2026, 11, 1)}),
        ("show me the invoices from Norland since March 2026", "invoices", {"topic": "Norland", "after": day(2026, 3, 1)}),
        ("which files are in German?", "documents", {"language": "de"}),
        ("show me all documents in French about demolition", "documents", {"topic": "demolition", "language": "fr"}),
        ("latest report", "reports", {"order": "newest", "one": True}),
        ("the newest policy", "policies", {"order": "newest", "one": True}),
        ("recent letters", "letters", {"order": "newest", "one": False}),
        ("do we have anything about insurance?", "documents", {"topic": "insurance"}),
        ("what emails do we have from Ines?", "mails", {"topic": "Ines"}),
        ("crane inspection reports", "reports", {"topic": "crane inspection"}),
        ("find the letter to the agent", "letters", {"topic": "agent"}),
        ("Could you please show me the minutes?", "minutes", {}),
        ("Zeige mir alle Verträge", "contracts", {}),
        ("Welche Dokumente erwähnen Pallas?", "documents", {"mentions": "Pallas"}),
    ],
)
def test_what_documents_are_asked_for(text: str, kind: str, told: dict[str, Any]) -> None:
    request = read_document_request(text, NOW)
    assert request is not None
    assert request.kind == kind
    assert {name: getattr(request, name) for name in told} == told


@pytest.mark.parametrize(
    "text",
    [
        "Which policy applies to visitors?",
        "What is the rent of Quay 7?",
        "give me the invoice number",
        "show me the rent",
        "Which contract ends in 2026?",
        "What documents are needed for the visa?",
        "list the reports that the landlord must provide",
        "find the report's author",
        "what does the policy say about speed?",
        "Who signed the contract?",
        "Which offer was chosen for the reach trucks, and at what price?",
        "policy",
        "Summarise the report",
        "What letter did the agent send?",
        "How many documents are there?",
        "Compare the offers",
        "What is the latest report about?",
        "List all shipments to Karlshavn",
        "show the total of the invoices",
        "",
        "?",
        "documents " * 30,
    ],
)
def test_a_question_about_what_stands_in_documents_asks_for_none(text: str) -> None:
    assert read_document_request(text, NOW) is None


@given(st.text(max_size=200))
def test_any_text_is_read_without_harm(text: str) -> None:
    read_document_request(text, NOW)


@pytest.mark.parametrize(
    ("text", "sought"), [("list all emails", True), ("what files do I have?", False), ("Which documents mention Pallas?", True), ("Who pays?", False)]
)
async def test_the_classifier_says_that_documents_are_asked_for(text: str, *, sought: bool) -> None:
    found = await classify(Query(text=text), athena=Athena(llm=None, now=NOW))
    assert (found.documents is not None) is sought
    assert not sought or (found.intent, found.rule) == (Intent.DOCUMENT_SEARCH, "documents")
