"""Follow-ups against the conversation."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.query_classifier.agent import Athena, classify
from agents.query_classifier.followups import NextPage, asks_for_more, next_page, resolve_followup
from core.search import Query


def test_whose_boss_is_asked_for_next() -> None:
    assert resolve_followup("and his boss?", [("Who is Ada Holm's boss?", "Jon Ake [1]")]) == "Who is Jon Ake's boss?"


@pytest.mark.parametrize(
    ("earlier", "text", "read_as"),
    [
        (["What was the revenue in 2022?"], "and in 2023?", "What was the revenue in 2023?"),
        (["What was the revenue in 2022?", "and in 2023?"], "and 2024?", "What was the revenue in 2024?"),
        (["How high were the costs in Q1 2024?"], "what about Q2?", "How high were the costs in Q2 2024?"),
        (["What happened in March 2024?"], "and in April?", "What happened in April 2024?"),
        (["Who manages the Berlin office?"], "What about the Lyon office?", "Who manages the Lyon office?"),
        (["Who manages the Berlin office?"], "what about that?", "Who manages the Berlin office?"),
        (["When does the Halden lease end?"], "who signed it?", "who signed the Halden lease?"),
        (["Who signed the agreement with Norvik?"], "and its annex?", "its annex (Norvik)?"),
        (["What is the notice period of the lease?"], "how long has it been in force?", "how long has the notice period of the lease been in force?"),
        (["Who manages the Berlin office?"], "Is it possible to rent bikes?", "Is it possible to rent bikes?"),
        (["Who manages the Berlin office?"], "Which documents mention solar panels?", "Which documents mention solar panels?"),
        (["What does Dr Anna Weber work on?"], "where did she study?", "where did Dr Anna Weber study?"),
        (["What is the rent for Quay 7?", "and the deposit?"], "what about the service charge?", "the service charge (Quay 7)?"),
        (["What may hotels cost?"], "and trains?", "What may hotels cost, trains?"),
        ([], "and in 2023?", "and in 2023?"),
        (["What is the deposit?", "When is it returned?"], "And the rent?", "What is the rent?"),
        (["Compare the three quotes", "Which one is the cheapest?"], "What about delivery?", "Compare the three quotes on delivery"),
        (["Compare the quotes on price"], "and the warranty?", "Compare the quotes on the warranty"),
    ],
)
def test_reading(earlier: list[str], text: str, read_as: str) -> None:
    assert resolve_followup(text, [(question, "an answer") for question in earlier]) == read_as


@pytest.mark.parametrize(
    ("question", "answer", "text", "read_as"),
    [
        (
            "Who is the agent for Pier 4?",
            "Ms Ada Holm: works for Elver & Sons [1]\n\nAda Holm",
            "Which firm does she work for?",
            "Which firm does Ada Holm work for?",
        ),
        ("Who is Jon Ake?", "skipper of the Skua; reports to Mia Lund [1]", "What is his extension?", "What is Jon Ake's extension?"),
        ("When does the lease end?", "30 April 2028 [1]", "When was it signed?", "When was the lease signed?"),
        ("What is the speed limit inside the hall?", "8 km/h [1]", "What was it before?", "What was the speed limit inside the hall before?"),
        ("How large is the deposit for Pier 4?", "£80,000 [1]", "Who holds it?", "Who holds the deposit for Pier 4?"),
        ("how many crossings were late?", "3 [1]", "Which ones?", "Which crossings were late?"),
        ("Compare the three offers for boats: price.", "", "Which one was chosen?", "Which of the three offers for boats was chosen?"),
        ("What is the rent of Pier 4?", "£9,600 [1]", "since when?", "since when (rent Pier 4)?"),
        ("Does the landlord insure the hall?", "Yes [1]", "For how much?", "For how much (landlord insure hall)?"),
        ("total takings per skipper", "", "and per boat?", "total takings per boat"),
        ("What did Ada Holm find?", "a crack [1]", "And who examined the crane?", "And who examined the crane?"),
        ("What did Ada Holm find?", "a crack [1]", "Is it allowed to moor here?", "Is it allowed to moor here?"),
        ("Who painted the hall?", "The hall was painted twice. [1]", "When did he start?", "When did he start (painted hall)?"),
    ],
)
def test_what_a_pronoun_stands_for(question: str, answer: str, text: str, read_as: str) -> None:
    assert resolve_followup(text, [(question, answer)]) == read_as


@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=20)), max_size=12), st.text(max_size=100))
def test_any_history_is_read(history: list[tuple[str, str]], text: str) -> None:
    read = resolve_followup(text, history)
    assert read or not text


@given(st.text(max_size=100))
def test_without_a_history_nothing_changes(text: str) -> None:
    assert resolve_followup(text, []) == text


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("more", 10),
        ("More please", 10),
        ("show more", 10),
        ("next", 10),
        ("next page", 10),
        ("the next ten", 10),
        ("Show the next 3", 3),
        ("next five files", 5),
        ("one more", 1),
        ("Show one more", 1),
        ("any more?", 10),
        ("are there more?", 10),
        ("show me the rest", 50),
        ("and the others?", 50),
        ("all of them", 50),
        ("show all", 50),
        ("next 90", 50),
        ("next 0", 10),
        ("weitere", 10),
        ("mehr", 10),
        ("zeig mir mehr", 10),
        ("die nächsten zwanzig", 20),
        ("den Rest anzeigen", 50),
        ("tell me more", 0),
        ("more about the lease", 0),
        ("what is next?", 0),
        ("who else?", 0),
        ("how many more?", 0),
        ("next week", 0),
        ("", 0),
    ],
)
def test_more_of_a_list(text: str, number: int) -> None:
    assert asks_for_more(text) == number


def test_the_next_page_begins_where_the_last_one_ended() -> None:
    history = [("Who pays?", "The tenant."), ("my PDFs", "30 PDFs."), ("next five", "30 PDFs."), ("more", "30 PDFs.")]
    assert next_page("the next 4", history) == NextPage("my PDFs", 25, 4)
    assert next_page("more", [("documents from 2023", ""), ("and from 2024?", "")]) == NextPage("documents from 2024", 10, 10)
    assert next_page("more", []) is None
    assert next_page("Who pays?", history) is None


def test_a_question_after_more_is_read_against_the_list() -> None:
    history = [("documents from 2023", ""), ("more", "")]
    assert resolve_followup("and from 2024?", history) == "documents from 2024"
    assert resolve_followup("what about the spreadsheets?", [("show me the PDFs", "")]) == "the spreadsheets"


@pytest.mark.parametrize(("earlier", "listed"), [("my PDFs", True), ("Who pays the rent?", False)])
async def test_more_is_a_page_only_behind_a_list(earlier: str, listed: bool) -> None:
    found = await classify(Query(text="more", history=[(earlier, "")]), athena=Athena(llm=None, now=datetime(2026, 11, 23, tzinfo=UTC)))
    assert (found.documents is not None) is listed
    if found.documents is not None:
        assert (found.documents.kind, found.documents.offset, found.documents.number) == ("PDFs", 10, 10)
        assert found.read_as == "my PDFs"
