"""The parts that verdicts are made of: what is asked, figures with their limits, parts of a sentence, its stance, words and their opposites."""

from __future__ import annotations

import pytest

from answers.questions.question_parts import split_yes_or_no
from answers.verdicts.asked_statement import Sense, read_asked_statement
from answers.verdicts.figure_ranges import compare_ranges, ranges_of
from answers.verdicts.statement_sense import Stance, count_denials, segments_of, stance_of
from answers.verdicts.table_rows import read_number
from answers.verdicts.verdict_words import LANGUAGES, say_verdict
from answers.verdicts.word_match import Match, compare_words


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        ("Was any of the land treated?", ("", "Was any of the land treated?")),
        ("Travel policy: may I fly?", ("Travel policy", "may I fly?")),
        ("In the survey, did men answer?", ("In the survey", "did men answer?")),
        ("Does it close at 18:00?", ("", "Does it close at 18:00?")),
        ("Is this the firm which built the pier?", ("", "Is this the firm which built the pier?")),
        ("¿Se permite comer?", ("", "¿Se permite comer?")),
        ("Les chiens sont-ils admis ?", ("", "Les chiens sont-ils admis ?")),
        ("Was ist rot?", ("", "")),
        ("Can you say who signed?", ("", "")),
        ("Who signed it, and is it valid?", ("", "")),
        ("¿Cuándo se puede entrar?", ("", "")),
    ],
)
def test_what_asks_for_yes_or_no_and_what_stands_in_front(question: str, parts: tuple[str, str]) -> None:
    assert split_yes_or_no(question) == parts


@pytest.mark.parametrize(
    ("question", "sense"),
    [
        ("Is the boat insured?", Sense.FACT),
        ("May guests swim?", Sense.PERMISSION),
        ("Is swimming forbidden?", Sense.PERMISSION),
        ("Must guests register?", Sense.DUTY),
        ("Should the oven be opened?", Sense.ADVICE),
    ],
)
def test_in_what_sense_something_is_asked(question: str, sense: Sense) -> None:
    asked = read_asked_statement(question)
    assert asked is not None
    assert asked.sense is sense


@pytest.mark.parametrize("question", ["Is the boat not insured?", "Who insured the boat?", "Is it?"])
def test_what_is_no_question_for_a_statement(question: str) -> None:
    assert read_asked_statement(question) is None


def test_a_comparison_has_two_sides_and_a_degree() -> None:
    asked = read_asked_statement("In the survey, did male students score higher than female ones on affect?")
    assert asked is not None
    assert asked.comparison is not None
    assert (asked.comparison.first, asked.comparison.second, asked.comparison.degree) == (("male", "students", "score"), ("female",), "higher")
    assert [word.word for word in asked.context] == []  # a survey is a document
    assert "affect" in {word.word for word in asked.terms}


@pytest.mark.parametrize(
    ("asked", "said", "inside"),
    [
        ("more than half", "54 percent", True),
        ("more than half", "12% of them", False),
        ("at least one year", "24 months", True),
        ("more than 140 euros", "up to 140 euros", False),
        ("100 euros", "up to 140 euros", True),
        ("200 euros", "up to 140 euros", False),
        ("more than 100 euros", "up to 140 euros", None),
        ("at least 99 per cent", "99.5 per cent", True),
        ("less than 10 kg", "6,400 g", True),
        ("more than 10 kg", "10 kg", False),
        ("at least 10 kg", "10 kg", True),
        ("most of them", "a minority of 31%", False),
        ("more than 3 days", "5 kg", None),
    ],
)
def test_figures_within_limits(asked: str, said: str, *, inside: bool | None) -> None:
    assert compare_ranges(ranges_of(asked)[0], ranges_of(said)[-1]) is inside


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Members use the hall, and the garage is insured by the town", ["Members use the hall", "and the garage is insured by the town"]),
        ("The pump weighs 6.4 kg and runs on 230 V", ["The pump weighs 6.4 kg and runs on 230 V"]),
        ("They approved the budget, the plan and the roof", ["They approved the budget, the plan and the roof"]),
    ],
)
def test_parts_of_a_sentence_with_subjects_of_their_own(text: str, parts: list[str]) -> None:
    assert [text[start:end].strip() for start, end in segments_of(text)] == parts


@pytest.mark.parametrize(
    ("clause", "stance"),
    [
        ("Dogs may be brought", Stance.PERMITS),
        ("Dogs must not be brought", Stance.FORBIDS),
        ("Smoking is prohibited", Stance.FORBIDS),
        ("Fishing is not forbidden", Stance.PERMITS),
        ("Guests must register", Stance.OBLIGES),
        ("A deposit is not required", Stance.FREES),
        ("Do not open the door", Stance.FORBIDS),
        ("No se permite comer", Stance.FORBIDS),
        ("Haustiere sind erlaubt", Stance.PERMITS),
        ("The door is green", Stance.STATES),
    ],
)
def test_what_a_clause_says_to_whether_one_may_or_must(clause: str, stance: Stance) -> None:
    assert stance_of(clause, count_denials(clause, 0)) is stance


@pytest.mark.parametrize(
    ("asked", "said", "match"),
    [
        ("insure", "insures", Match.SAME),
        ("kept", "retained", Match.SAME),
        ("accepted", "rejected", Match.OPPOSITE),
        ("lost", "kept", Match.OPPOSITE),
        ("suitable", "unsuitable", Match.OPPOSITE),
        ("contract", "contractor", None),
        ("azotobacter", "azetobactor", Match.SAME),
        ("boat", "coat", None),
    ],
)
def test_words_that_say_the_same_or_the_opposite(asked: str, said: str, match: Match | None) -> None:
    assert compare_words(asked, said) is match


@pytest.mark.parametrize(("cell", "number"), [("1,240", 1240.0), ("12 ha", 12.0), ("£5.50", 5.5), ("(8)", None), ("5J to 7", None), ("", None)])
def test_the_number_that_a_cell_is(cell: str, number: float | None) -> None:
    assert read_number(cell) == number


def test_yes_and_no_in_each_language() -> None:
    assert [(say_verdict(holds=True, language=each), say_verdict(holds=False, language=each)) for each in LANGUAGES] == [
        ("Yes", "No"),
        ("Ja", "Nein"),
        ("Oui", "Non"),
        ("Sí", "No"),
    ]
