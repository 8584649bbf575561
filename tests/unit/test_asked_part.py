"""What a long question asks, without what it tells around that."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.questions.question_parts import LONG_QUESTION_WORDS, asked_part, move_place_behind
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.language.question_wording import strip_politeness
from core.language.sentences import word_count
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.extractive_answers import lead_text
from tests.support.word_reader import WordsReader

TOLD = "We rent the boathouse behind the lighthouse from the harbour trust since the spring of 2019 and keep two dinghies and a kayak in it."
AFTER = "I ask because the treasurer wants to plan the coming year, and nobody in the club could find the letter that said so."


@pytest.mark.parametrize(
    "question",
    [
        "When does the lease end?",
        "lease boathouse notice period",
        "",
        "Why?",
        "We moved in last week. How much is the deposit? Thanks a lot!",
    ],
)
def test_a_short_question_is_asked_whole(question: str) -> None:
    assert asked_part(question) == question


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (f"{TOLD} How much rent do we pay a year?", "How much rent do we pay a year?"),
        (f"How much rent do we pay a year? {AFTER}", "How much rent do we pay a year?"),
        (f"{TOLD} How much rent do we pay a year? {AFTER}", "How much rent do we pay a year?"),
        (f"{TOLD} How much is the rent a year? And when is it due each time? {AFTER}", "How much is the rent a year? And when is it due each time?"),
        (f"{TOLD} Tell me this. What rent do we pay a year. {AFTER}", "What rent do we pay a year."),  # without its question mark
    ],
)
def test_what_is_told_in_front_and_behind_is_left_out(question: str, asked: str) -> None:
    assert asked_part(question) == asked


def test_of_a_sentence_too_long_to_be_read_the_part_behind_its_last_question_word_is_asked() -> None:
    told = TOLD.rstrip(".")
    question = (
        f"{told}, and as the jetty was mended at our cost in the autumn after the great storm of that year, who pays for the new planks of the jetty?"
    )
    assert asked_part(question) == "who pays for the new planks of the jetty?"


@pytest.mark.parametrize("ending", ["Who pays?", "Why is that?", "Really?"])
def test_under_four_words_say_too_little(ending: str) -> None:
    question = f"{TOLD} {ending}"
    assert asked_part(question) == question


def test_without_a_question_all_of_it_is_asked() -> None:
    assert asked_part(f"{TOLD} {TOLD}") == f"{TOLD} {TOLD}"


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        (
            "Wir haben das Bootshaus hinter dem Leuchtturm seit dem Frühjahr 2019 vom Hafenverein gemietet und lagern darin zwei Jollen. "
            "Wie hoch ist die Jahresmiete für das Bootshaus?",
            "Wie hoch ist die Jahresmiete für das Bootshaus?",
        ),
        (
            "Wann endet der Mietvertrag für das Bootshaus? Ich frage, weil die Kassenwartin das kommende Jahr plant und niemand im Verein den Brief "
            "gefunden hat, in dem das alles einmal stand.",
            "Wann endet der Mietvertrag für das Bootshaus?",
        ),
        (
            "Wir haben das Bootshaus hinter dem Leuchtturm seit dem Frühjahr 2019 vom Hafenverein gemietet und lagern darin zwei Jollen, "
            "und weil der Steg nach dem großen Sturm im Herbst desselben Jahres auf unsere Kosten geflickt wurde, obwohl das niemand verlangt hatte, "
            "wer bezahlt nun die neuen Planken?",
            "wer bezahlt nun die neuen Planken?",
        ),
    ],
)
def test_german(question: str, asked: str) -> None:
    assert asked_part(question) == asked


@given(st.text(alphabet=st.sampled_from("who what the boat is. ?!,;\n—wer"), max_size=400))
@example("whats")
@example("please wer")
def test_what_is_asked_stands_in_the_question(question: str) -> None:
    asked, plain = asked_part(question), strip_politeness(question)
    assert asked == plain or word_count(plain) >= LONG_QUESTION_WORDS
    assert asked == plain or word_count(asked) >= 4
    place = 0
    for word in asked.split():
        place = plain.index(word, place) + len(word)


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("In the lease, how large is the deposit?", "How large is the deposit in the lease?"),
        ("According to the minutes of May, who was there", "Who was there according to the minutes of May"),
        ("In which year did it sink?", "In which year did it sink?"),
        ("In the survey, did males score higher?", "In the survey, did males score higher?"),
        ("In May, how much was paid, and by whom?", "In May, how much was paid, and by whom?"),
        ("How large is the deposit?", "How large is the deposit?"),
    ],
)
def test_what_stands_in_front_of_a_question_word_is_read_behind_the_question(question: str, read_as: str) -> None:
    assert move_place_behind(question) == read_as


async def test_the_reader_is_asked_with_the_document_behind_the_question() -> None:
    lease = evidence("The Tenant pays a deposit of £80,000 to the Agent.", document="lease", title="Lease of the hall")
    reader = WordsReader({"£80,000": 0.9})
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=reader))
    answer = await composer.compose("default", "In the lease, how large is the deposit?", [lease])
    assert lead_text(answer) == "£80,000"
    assert [question for question, _ in reader.asked] == ["How large is the deposit in the lease?"]
