"""Kinds of documents that a question is limited to or leaves out, and what Athena and Sisyphus make of them."""

from __future__ import annotations

import pytest

from agents.query_classifier.agent import Athena, classify
from agents.query_classifier.kind_limits import find_kind_limits
from agents.retrieval_controller.agent import relax_filters
from agents.text.query_filters import ALL_SUFFIXES, ALL_TYPES, doc_types_in_words, kinds_in_words
from core.search import Filters, Query
from tests.support.ports import NOW


@pytest.mark.parametrize(
    ("question", "types", "left"),
    [
        ("What is the notice period in the contracts?", ["contract"], "What is the notice period?"),
        ("only invoices: painting of the crane", ["invoice"], "painting of the crane"),
        ("in our policies, who may sign?", ["policy"], "who may sign?"),
        ("Was steht in den Verträgen zur Kündigung?", ["contract"], "Was steht zur Kündigung?"),
        ("nur in den Rechnungen: Lackierung", ["invoice"], "Lackierung"),
    ],
)
def test_kinds_that_a_question_is_limited_to(question: str, types: list[str], left: str) -> None:
    found = find_kind_limits(question)
    assert (found.doc_types, found.file_types, found.text) == (types, [], left)


@pytest.mark.parametrize(
    ("question", "unwanted", "left"),
    [
        ("Who is the safety officer, not in the minutes?", "minutes", "Who is the safety officer?"),
        ("crane repairs without emails", "email", "crane repairs"),
        ("Kranreparatur ohne E-Mails", "email", "Kranreparatur"),
        ("nicht in den Protokollen: Wer zahlt?", "minutes", "Wer zahlt?"),
        ("Find the crane budget except in the reports", "report", "Find the crane budget"),
    ],
)
def test_kinds_that_a_question_leaves_out(question: str, unwanted: str, left: str) -> None:
    found = find_kind_limits(question)
    assert (set(ALL_TYPES) - set(found.doc_types), found.text) == ({unwanted}, left)


def test_files_that_a_question_leaves_out() -> None:
    found = find_kind_limits("deposit of Quay 7, not in the PDFs")
    assert (set(ALL_SUFFIXES) - set(found.file_types), found.text, found.notes) == ({".pdf"}, "deposit of Quay 7", ["No PDFs"])


@pytest.mark.parametrize(
    "question",
    [
        "Can I claim expenses without receipts?",
        "What happens in the minutes after the start?",
        "the rent in the contract with Halden",
        "Which loads may not be lifted?",
        "What do the contracts say about noise?",
        "What is said in the notes to the accounts?",
        "payments without invoices",
        "not in the minutes",
        "",
    ],
)
def test_questions_about_things(question: str) -> None:
    assert find_kind_limits(question) == ([], [], question, [])


async def test_athena_says_what_she_left_out() -> None:
    found = await classify(Query(text="Who approved the crane, without the emails?"), athena=Athena(llm=None, now=NOW))
    assert "email" not in found.filters.doc_types
    assert "No mails" in found.notes
    assert found.filters.file_types == []  # "the emails" alone would limit the search to mails


async def test_the_limits_of_the_request_win() -> None:
    asked = Query(text="notice in the contracts", filters=Filters(doc_types=["policy"]))
    assert (await classify(asked, athena=Athena(llm=None, now=NOW))).filters.doc_types == ["policy"]


def test_what_was_left_out_does_not_come_back() -> None:
    without_minutes = [each for each in ALL_TYPES if each != "minutes"]
    assert relax_filters(Filters(doc_types=without_minutes), Filters()) == []
    assert [change for _, change in relax_filters(Filters(doc_types=["contract"]), Filters())] == [
        "without the limit to documents of the kind contract"
    ]
    assert doc_types_in_words(without_minutes) == "documents of any kind but minutes"
    assert kinds_in_words([each for each in ALL_SUFFIXES if each != ".pdf"]) == "files other than PDFs"
