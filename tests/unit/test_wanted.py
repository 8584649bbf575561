"""What kind of answer a question wants, and which short answers are none of that kind."""

from __future__ import annotations

import pytest

from answers.questions.answer_kinds import (
    AnswerKind,
    answer_kind_of,
    find_wanted_span,
    holds_kind,
    is_of_another_kind,
    strip_asking_words,
    unit_behind,
    values_of,
)


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How long does the repair take?", AnswerKind.DURATION),
        ("How much notice must we give?", AnswerKind.DURATION),
        ("How much more time do the masons need?", AnswerKind.DURATION),
        ("What is the notice period of the mill's lease?", AnswerKind.DURATION),
        ("How long is the bridge?", AnswerKind.DURATION),
        ("Within what time must it be reported?", AnswerKind.DURATION),
        ("How old is the crane?", AnswerKind.AGE),
        ("How large is the yard?", AnswerKind.SIZE),
        ("How large is the deposit?", AnswerKind.MONEY),
        ("What share of the cost does the owner bear?", AnswerKind.SHARE),
        ("harbour fee percentage", AnswerKind.SHARE),
        ("How many crews were over the 1 percent limit?", AnswerKind.NUMBER),
        ("What percent of the crews was over the limit?", AnswerKind.SHARE),
        ("How much does the pump cost?", AnswerKind.MONEY),
        ("What does the pump cost?", AnswerKind.MONEY),
        ("How much water is lost?", AnswerKind.NUMBER),
        ("How often is the crane examined?", AnswerKind.FREQUENCY),
        ("How fast may one drive?", AnswerKind.SPEED),
        ("What is the speed limit in the yard?", AnswerKind.SPEED),
        ("Wie schnell darf man fahren?", AnswerKind.SPEED),
        ("How cold is the store?", AnswerKind.TEMPERATURE),
        ("How heavy is the pump?", AnswerKind.WEIGHT),
        ("What is Ada Holm's approval limit?", AnswerKind.NUMBER),
        ("Why did the pump stop?", AnswerKind.REASON),
        ("What was the cause of the fire?", AnswerKind.REASON),
        ("When does it end?", AnswerKind.TIME),
        ("Who signed, and how much was paid?", AnswerKind.NAME),
        ("How must a notice be sent?", AnswerKind.MEANS),
        ("How does the landlord want to receive notices?", AnswerKind.MEANS),
        ("Wie wird die Miete bezahlt?", AnswerKind.MEANS),
        ("How often is rent paid?", AnswerKind.FREQUENCY),
        ("How long is the price valid?", AnswerKind.DURATION),
        ("What warranty does Pallas give?", AnswerKind.DURATION),
        ("How did the siege end?", AnswerKind.ANYTHING),
        ("Tell me more.", AnswerKind.ANYTHING),
    ],
)
def test_the_kind_that_is_wanted(question: str, kind: AnswerKind) -> None:
    assert answer_kind_of(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        (AnswerKind.DURATION, "within thirty days", True),
        (AnswerKind.TIME, "directive AD 2018–23–51, docket FAA–2020–0686", False),
        (AnswerKind.TIME, "the mid-1990s", True),
        (AnswerKind.TIME, "2007–2013", True),
        (AnswerKind.DURATION, "on 4 May", False),
        (AnswerKind.AGE, "He was born in 1968.", True),
        (AnswerKind.AGE, "The crane is six years old.", True),
        (AnswerKind.AGE, "Her extension is 120.", False),
        (AnswerKind.SIZE, "a yard of 1,150 square metres", True),
        (AnswerKind.SIZE, "15 km/h in the yard", False),
        (AnswerKind.MONEY, "$1.5 million", True),
        (AnswerKind.MONEY, "in 1998", False),
        (AnswerKind.MONEY, "an area of 4,180 square metres", False),
        (AnswerKind.MONEY, "Harbour Street 14, 01632 960 108", False),
        (AnswerKind.MONEY, "call +44 1632 960108", False),
        (AnswerKind.MONEY, "38 400 in all", True),
        (AnswerKind.MONEY, "0.85 a kilo", True),
        (AnswerKind.SIZE, "ring 01632 960 108", False),
        (AnswerKind.NAME, "the KR16 with 48 V and 560 Ah", False),
        (AnswerKind.NAME, "a cable of 12 kWh and 4 Nm", False),
        (AnswerKind.NAME, "the 2 Harbour Street", True),
        (AnswerKind.NAME, "signed by Ann Low", True),
        (AnswerKind.SHARE, "two thirds of the price", True),
        (AnswerKind.FREQUENCY, "every six months", True),
        (AnswerKind.SPEED, "at 8 km/h in the yard", True),
        (AnswerKind.SPEED, "alone after 21:00", False),
        (AnswerKind.TEMPERATURE, "at most 8 °C", True),
        (AnswerKind.WEIGHT, "a load of 3.2 tonnes", True),
        (AnswerKind.TIME, "thirty days after delivery", True),
        (AnswerKind.TIME, "for thirty days", False),
        (AnswerKind.REASON, "It stopped because the valve stuck.", True),
        (AnswerKind.REASON, "It stopped on Monday.", False),
    ],
)
def test_what_a_text_holds(kind: AnswerKind, text: str, *, held: bool) -> None:
    assert holds_kind(kind, text, frozenset()) is held


@pytest.mark.parametrize(
    ("kind", "text", "another"),
    [
        (AnswerKind.MONEY, "0.4 mm", True),
        (AnswerKind.MONEY, "38,400", False),
        (AnswerKind.MONEY, "4,180 square metres", True),
        (AnswerKind.MONEY, "one million", False),
        (AnswerKind.MONEY, "within thirty days of the end of the lease", True),
        (AnswerKind.DURATION, "£400", True),
        (AnswerKind.DURATION, "120 km", False),
        (AnswerKind.DURATION, "three", False),
        (AnswerKind.SHARE, "£400", True),
        (AnswerKind.SPEED, "21:00", True),
        (AnswerKind.SPEED, "8", False),
        (AnswerKind.SPEED, "£400", True),
        (AnswerKind.TEMPERATURE, "-18.0", False),
        (AnswerKind.WEIGHT, "14 May 2026", True),
        (AnswerKind.NUMBER, "many", True),
        (AnswerKind.TIME, "in May 1998", False),
        (AnswerKind.TIME, "the mayor", True),
        (AnswerKind.NAME, "0.4 mm", False),
    ],
)
def test_a_figure_of_another_kind_is_no_answer(kind: AnswerKind, text: str, *, another: bool) -> None:
    assert is_of_another_kind(kind, text) is another


@pytest.mark.parametrize(
    ("kind", "text", "kept"),
    [
        (AnswerKind.DURATION, "30 September and nine weeks", "nine weeks"),
        (AnswerKind.DURATION, "nine weeks", "nine weeks"),
        (AnswerKind.DURATION, "two weeks and three days", "two weeks and three days"),
        (AnswerKind.TIME, "contract rates of the line until 31 December 2026", "31 December 2026"),
        (AnswerKind.TIME, "on 31 December 2026", "on 31 December 2026"),
        (AnswerKind.NAME, "Ada and nine weeks", "Ada and nine weeks"),
    ],
)
def test_what_stands_beside_the_answer_is_cut(kind: AnswerKind, text: str, kept: str) -> None:
    assert text[slice(*find_wanted_span(kind, text))] == kept


def test_words_that_only_ask_are_left_out() -> None:
    assert strip_asking_words("How long does it take?").split() == ["does", "it", "take?"]
    assert strip_asking_words("Which kind of pump?").split() == ["of", "pump?"]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("A notice is delivered by hand or by recorded delivery.", True),
        ("The rent is paid in four instalments.", True),
        ("Report it on the tablet at the gate.", True),
        ("The rent is due by 30 April.", False),
        ("Orders shipped rose by 6.8 per cent.", False),
        ("The agent may receive every notice on behalf of the landlord.", False),
    ],
)
def test_by_what_means_something_reaches_somebody(text: str, *, named: bool) -> None:
    assert holds_kind(AnswerKind.MEANS, text, frozenset()) is named


@pytest.mark.parametrize(
    ("kind", "text", "behind", "unit"),
    [
        (AnswerKind.DURATION, "60", " months from delivery", " months"),
        (AnswerKind.DURATION, "sixty days", " from delivery", ""),
        (AnswerKind.SPEED, "8", " km/h in the yard", " km/h"),
        (AnswerKind.NUMBER, "600", " litres", ""),
        (AnswerKind.WEIGHT, "3.2", " trucks", ""),
    ],
)
def test_the_unit_behind_a_figure(kind: AnswerKind, text: str, behind: str, unit: str) -> None:
    assert behind[: unit_behind(kind, text, behind)] == unit


@pytest.mark.parametrize(
    ("kind", "text", "values"),
    [
        (AnswerKind.DURATION, "36 months or 6,000 operating hours", ["36 months"]),
        (AnswerKind.MONEY, "a deposit of £80,000 and 1.250,50 EUR in fees", ["£80,000", "1.250,50 EUR"]),
        (AnswerKind.SHARE, "15 % of it, then 7.5 %", ["15 %", "7.5 %"]),
        (AnswerKind.NAME, "36 months", []),
    ],
)
def test_a_value_has_the_whole_of_its_number(kind: AnswerKind, text: str, values: list[str]) -> None:
    assert [text[start:end] for start, end in values_of(kind, text)] == values
