"""Requests for documents: what is asked for, and questions that only speak of documents."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.document_requests.request_parser import read_document_request
from agents.query_classifier.agent import Athena, classify
from core.ports import WordCorrection
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
        ("Which documents mention tar but not rope?", "documents", {"mentions": "tar", "without": "rope"}),
        ("Which contracts mention tar and not “wire rope”?", "contracts", {"mentions": "tar", "without": "wire rope"}),
        ("Welche Dokumente erwähnen Teer, aber nicht Seil?", "documents", {"mentions": "Teer", "without": "Seil"}),
        ("files that mention payment without delay", "documents", {"mentions": "payment without delay", "without": ""}),
        # kinds
        ("csv files", "CSV files", {"file_types": (".csv",)}),
        ("can you list the excel files please", "Excel files", {"file_types": (".xlsx", ".xls", ".xlsm", ".xlsb")}),
        ("any pictures in here?", "pictures", {}),
        ("list teh powerpoint files", "PowerPoint files", {"topic": ""}),
        ("lsit my documnets", "documents", {}),
        ("do we have invoices or receipts", "invoices", {}),
        ("PDFs and spreadsheets from 2024", "PDFs and spreadsheets", {"after": day(2024, 1, 1)}),
        ("Hast du irgendwelche Tabellen?", "spreadsheets", {}),
        ("I want to see every Excel sheet we own", "Excel files", {}),
        ("which of my files are slides?", "presentations", {}),
        ("Bitte alle PDF-Dateien auflisten", "PDFs", {"mentions": "", "topic": ""}),
        # names
        ("budget_2026.xlsx", "documents", {"name": "budget_2026.xlsx", "tentative": True}),
        ("can you pull the doc titled 'Grouped images' for me", "documents", {"name": "Grouped images"}),
        ("where did i put the theater booking?", "documents", {"name": "theater booking", "tentative": True, "whole": True}),
        ("show me budget_2026.xlsx", "documents", {"name": "budget_2026.xlsx", "tentative": False}),
        ("which file is called grouped images", "documents", {"name": "grouped images", "tentative": False}),
        ("find the email titled Test Message", "mails", {"name": "Test Message"}),
        ("Zeige mir die Datei mit dem Namen merge_cells", "documents", {"name": "merge_cells"}),
        ("anything with budget in its name", "documents", {"name": "budget"}),
        ("find the file eng_spa", "documents", {"name": "eng_spa", "tentative": True}),
        ("find the teams chat", "documents", {"name": "teams chat", "tentative": True, "whole": True}),
        ("pull up the board agenda", "documents", {"name": "board agenda", "tentative": True, "whole": False}),
        ("the hexagon programmer's manual", "manuals", {"topic": "hexagon programmer's", "tentative": True}),
        ("show me the sample presentation", "presentations", {"definite": "sample presentation", "tentative": False}),
        # words in them
        ('the mail "Account password changed"', "mails", {"mentions": "Account password changed"}),
        ('find "born free"', "documents", {"mentions": "born free"}),
        ("obtain all papers that contain crane rope wear data", "papers", {"mentions": "crane rope wear data", "loose": True, "topic": ""}),
        ("files that contain “crane rope wear”", "documents", {"mentions": "crane rope wear", "loose": False}),
        ("files that contain the phrase crane rope wear", "documents", {"mentions": "crane rope wear", "loose": False}),
        ("in which documents does the word tar occur?", "documents", {"mentions": "tar"}),
        ("where is Pallas mentioned", "documents", {"mentions": "Pallas"}),
        ("is Pallas mentioned anywhere?", "documents", {"mentions": "Pallas"}),
        ("show me files where San Diego is named", "documents", {"mentions": "San Diego"}),
        ("files that have the word tar in them", "documents", {"mentions": "tar"}),
        ("Dokumente, in denen Pallas vorkommt", "documents", {"mentions": "Pallas"}),
        ('"Natural gas" - which file says that?', "documents", {"mentions": "Natural gas"}),
        ("Zeig mir Dateien, die das Wort Boston enthalten", "documents", {"mentions": "Boston"}),
        ("Dateien, die von Teer handeln", "documents", {"topic": "Teer"}),
        # what they are about
        ("got anything on tar?", "documents", {"topic": "tar"}),
        ("the email regarding the deposit", "mails", {"topic": "deposit", "tentative": False}),
        ("Dokumente zum Thema Teer", "documents", {"topic": "Teer"}),
        # time
        ("spreadsheets changed in 2017", "spreadsheets", {"changed": True, "after": day(2017, 1, 1)}),
        ("files modified in June 2026", "documents", {"changed": True, "before": day(2026, 7, 1)}),
        ("documents older than 2010", "documents", {"before": day(2010, 1, 1), "after": None}),
        ("documents from 12 March 2024", "documents", {"after": day(2024, 3, 12), "before": day(2024, 3, 13)}),
        ("mails since last week", "mails", {"after": day(2026, 11, 16), "before": None}),
        ("what came in last week?", "documents", {"after": day(2026, 11, 16)}),
        ("Dateien von letzter Woche", "documents", {"after": day(2026, 11, 16), "before": day(2026, 11, 23)}),
        ("letzte Woche geänderte Dateien", "documents", {"changed": True, "after": day(2026, 11, 16), "topic": ""}),
        ("Dokumente aus dem Jahr 2017", "documents", {"after": day(2017, 1, 1)}),
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
        "what changed in 2023?",
        "What is new in the policy?",
        "is the deposit mentioned in the lease?",
        "invoices and the landlord's address",
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


async def test_a_name_that_may_be_one_leaves_the_question_what_it_is() -> None:
    found = await classify(Query(text="find the notice period"), athena=Athena(llm=None, now=NOW))
    assert found.documents is not None
    assert found.documents.tentative
    assert found.rule != "documents"


class Hasty:
    """A speller that has something to say of every word."""

    async def corrections(self, tenant: str, text: str) -> tuple[WordCorrection, ...]:
        return tuple(WordCorrection(*match.span(), match.group(), "tar") for match in re.finditer(r"\w+", text))


@pytest.mark.parametrize(
    ("text", "corrected"), [("pdfs on corosion", {"corosion"}), ("Dateien von letzter Woche", set()), ("mails from 2022", set())]
)
async def test_only_what_documents_are_about_is_misspelt_in_a_request(text: str, corrected: set[str]) -> None:
    found = await classify(Query(text=text), athena=Athena(llm=None, now=NOW, speller=Hasty()))
    assert {each.written for each in found.corrections} == corrected
