"""Thoth: how long, of which documents, and which sentences."""

from __future__ import annotations

import pytest

from agents.summarization.agent import task_of
from agents.summarization.document_choice import choose_documents, topic_of
from agents.summarization.sentence_choice import choose_sentences, heading_of
from agents.summarization.summary_length import SummaryLength, length_of, share_of, source_length
from core.documents import Document
from core.language.sentences import word_count
from tests.support.graphs import make_paragraphs
from tests.support.ports import make_document

MINUTES = make_paragraphs(
    "# 1. Crane",
    "Ann reported on the examination of 14 September, which found four defects in the hoist. The signs were put up on the same day.",
    "# 2. Trucks",
    "Ben presented the three offers for the new trucks and their prices. Decision: the order goes to Alder for two trucks at £79,930 net.",
    "The order for the trucks was discussed at some length by all who came. The order of the trucks was discussed at some length by all present.",
    "# 3. Freight",
    "Freight from July to September was £29,800 above the budget, most of it for parts that went by air.",
)


def named(document_id: str, filename: str, title: str, doc_type: str = "text") -> Document:
    return make_document(document_id, f"/library/{filename}", title, [("Heading", "Text.")])[0].model_copy(update={"doc_type": doc_type})


@pytest.mark.parametrize(
    ("question", "length"),
    [
        ("summarise the lease", SummaryLength(120)),
        ("summarise the lease in three sentences", SummaryLength(135, 3)),
        ("the lease in 200 words", SummaryLength(200)),
        ("give me a 5-point summary", SummaryLength(225, 5)),
        ("a short summary", SummaryLength(60)),
        ("a detailed summary", SummaryLength(300)),
        ("in 999999 words", SummaryLength(120)),
        ("in 1 word", SummaryLength(20)),
    ],
)
def test_the_length_that_is_asked_for(question: str, length: SummaryLength) -> None:
    assert length_of(question) == length


def test_sentences_keep_within_the_length_and_the_order() -> None:
    lines = choose_sentences(MINUTES, "Operations meeting", SummaryLength(60))
    assert 0 < sum(word_count(line.text) for line in lines) <= 60
    assert [line.start for line in lines] == sorted(line.start for line in lines)
    assert any(line.text.startswith("Decision:") for line in lines)
    assert len(choose_sentences(MINUTES, "", SummaryLength(500, 2))) == 2
    assert all(MINUTES.text[line.start : line.end].split() == line.text.split() for line in lines)


def test_sections_are_covered_and_nothing_is_said_twice() -> None:
    lines = choose_sentences(MINUTES, "", SummaryLength(300))
    assert {line.section[-1] for line in lines} == {"1. Crane", "2. Trucks", "3. Freight"}
    assert sum("discussed at some length" in line.text for line in lines) <= 1


def test_an_empty_document_has_no_summary() -> None:
    assert choose_sentences(make_paragraphs(), "", SummaryLength()) == []
    assert choose_sentences(make_paragraphs("# Only a heading"), "", SummaryLength()) == []


def test_the_documents_that_are_meant() -> None:
    lease, amendment = named("l", "lease.pdf", "Lease of Quay 7"), named("a", "amendment.docx", "Amendment to the lease of Quay 7")
    first, second = named("1", "policy v1.md", "Travel policy, version 1", "policy"), named("2", "policy v2.md", "Travel policy", "policy")
    every = [amendment, lease, first, second]
    assert [each.id for each in choose_documents("summarise the lease", every, ["a", "l"])] == ["l"]
    assert [each.id for each in choose_documents("summarise the travel policy", every, ["1", "2"])] == ["2"]
    assert [each.id for each in choose_documents("sum up the policies", every, ["1", "2", "l"])] == ["1", "2"]
    assert [each.id for each in choose_documents("what is it about in short", every, ["a"])] == ["a"]
    assert [each.id for each in choose_documents("summarise these", [first, lease], [], given=True)] == ["1", "l"]
    assert choose_documents("summarise", [], []) == []
    meeting = named("m", "Operations 2026-10-06.md", "Operations meeting, 6 October 2026")
    assert [each.id for each in choose_documents("summarise the minutes", [lease, meeting], ["l", "m"])] == ["m"]


def test_topics_and_headings() -> None:
    assert topic_of("Summarise the minutes in three sentences") == "the minutes in"
    assert heading_of(["2. Crane C2"], "Ann reported.") == "Crane C2"
    assert heading_of(["Crane"], "The crane was examined.") == ""
    assert heading_of([], "Text.") == ""
    assert share_of(SummaryLength(120, 4), 2) == SummaryLength(60, 2)


@pytest.mark.parametrize(
    ("length", "read"),
    [
        (SummaryLength(120), SummaryLength(360)),
        (SummaryLength(45, 1), SummaryLength(135)),
        (SummaryLength(300), SummaryLength(600)),
        (SummaryLength(600), SummaryLength(600)),
    ],
)
def test_a_model_reads_more_than_it_writes(length: SummaryLength, read: SummaryLength) -> None:
    assert source_length(length) == read


def test_the_task_names_the_length_and_several_documents() -> None:
    assert task_of("q", SummaryLength(90, 2), 1) == "q\nLength: at most 90 words, in 2 sentences."
    assert task_of("q", SummaryLength(120), 3) == "q\nLength: at most 120 words.\nDocuments: 3, a paragraph for each."
