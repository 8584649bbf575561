"""The library as a whole: which questions ask for it, and what is told."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agents.document_requests.library_overview import overview
from agents.general_answer.agent import answer_about_system
from agents.overview.agent import OverviewQuestion
from agents.query_classifier.agent import Athena, classify
from agents.query_routing.overview_questions import overview_aspect
from core.documents import Document
from core.search import Intent, Query
from tests.support.ports import make_document, sample_library


@pytest.mark.parametrize(
    "question",
    [
        "What are the main themes of these documents?",
        "what topics are covered in my documents",
        "Which topics do these documents cover?",
        "What are these documents about?",
        "What is this library about?",
        "what kinds of documents are there?",
        "Give me an overview of the library",
        "Worum geht es in diesen Dokumenten?",
        "Gib mir einen Überblick über meine Unterlagen",
        "Was sind die wichtigsten Themen in den Dokumenten?",
        "What are the main themes?",
        "what are the key topics here",
        "Was sind die Hauptthemen?",
        "Summarise all documents",
        "Please summarize all of my files.",
        "Fasse alle Dokumente zusammen",
    ],
)
async def test_it_is_asked_for(question: str) -> None:
    assert overview_aspect(question) == "themes"
    found = await classify(Query(text=question), athena=Athena(llm=None, now=datetime(2026, 5, 6, tzinfo=UTC)))
    assert (found.intent, found.rule) == (Intent.SYSTEM_META, "overview")


@pytest.mark.parametrize(
    "question",
    [
        "What is the lease about?",
        "What are the main themes of the autumn review?",
        "Give me an overview of the offers",
        "What topics did the meeting of 6 October cover?",
        "What documents do I need for the visa?",
        "Which documents mention Pallas?",
        "What is the folder structure of the archive server about to become?",
        "Worum geht es in der Besprechung?",
        "Summarise the documents about the crane",
        "Summarise all documents about the crane",
        "What are the main themes of chapter 3?",
        "What are the main topics for the meeting?",
        "Summarise all the offers",
        "What are the subjects of the study?",
        "What do the documents say about rent?",
    ],
)
def test_a_question_about_one_thing_is_none(question: str) -> None:
    assert overview_aspect(question) == ""


def document(name: str, doc_type: str, day: int = 1, topics: tuple[str, ...] = ()) -> Document:
    made, _ = make_document(name, f"/library/{name}.txt", name.capitalize(), [("A", "b")])
    return made.model_copy(update={"doc_type": doc_type, "modified_at": datetime(2026, 1, day, tzinfo=UTC), "topics": list(topics)})


def test_a_line_for_each_kind_with_its_newest_and_the_topics_that_are_shared() -> None:
    quotes = [document(f"offer {number}", "quote", number, ("freight", "Sheet1")) for number in range(1, 6)]
    told = overview(
        [*quotes, document("lease", "contract", topics=("Freight", "rent")), document("rules", "policy"), document("safety", "policy")], 8
    )
    assert told == (
        "8 documents of 3 kinds:\n- 5 quotes: Offer 5; Offer 4; Offer 3; and 2 more\n- 2 policies: Rules; Safety\n- 1 contract: Lease\n\n"
        "Topics that several of them share: freight (6)."
    )


def test_what_was_not_looked_at_is_said() -> None:
    assert overview([document("lease", "contract")], 9_000).startswith("9,000 documents of 1 kind; the first 1 were looked at:")
    assert overview([], 0) == "The library is empty: no folder is indexed yet."


async def test_it_is_told_of_ones_own_library_alone() -> None:
    mine = await answer_about_system(
        "What are these documents about?", tenant="default", library=sample_library(), model_name=None, overview=OverviewQuestion("themes", "default")
    )
    assert "Halden lease" in mine.answer.text
    assert mine.answer.found
    theirs = await answer_about_system(
        "What are these documents about?", tenant="other", library=sample_library(), model_name=None, overview=OverviewQuestion("themes", "other")
    )
    assert theirs.answer.text == "The library is empty: no folder is indexed yet."
