"""What kind of answer a question wants, and which short answers are none of that kind."""

from __future__ import annotations

import pytest

from answers.wanted import Wanted, holds, is_of_another_kind, only_wanted, unit_behind, wanted, without_asking_words


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How long does the repair take?", Wanted.DURATION),
        ("How much notice must we give?", Wanted.DURATION),
        ("How much more time do the masons need?", Wanted.DURATION),
        ("What is the notice period of the mill's lease?", Wanted.DURATION),
        ("How long is the bridge?", Wanted.DURATION),
        ("Within what time must it be reported?", Wanted.DURATION),
        ("How old is the crane?", Wanted.AGE),
        ("How large is the yard?", Wanted.SIZE),
        ("How large is the deposit?", Wanted.MONEY),
        ("What share of the cost does the owner bear?", Wanted.SHARE),
        ("harbour fee percentage", Wanted.SHARE),
        ("How much does the pump cost?", Wanted.MONEY),
        ("What does the pump cost?", Wanted.MONEY),
        ("How much water is lost?", Wanted.NUMBER),
        ("How often is the crane examined?", Wanted.FREQUENCY),
        ("How fast may one drive?", Wanted.SPEED),
        ("What is the speed limit in the yard?", Wanted.SPEED),
        ("Wie schnell darf man fahren?", Wanted.SPEED),
        ("How cold is the store?", Wanted.TEMPERATURE),
        ("How heavy is the pump?", Wanted.WEIGHT),
        ("What is Ada Holm's approval limit?", Wanted.NUMBER),
        ("Why did the pump stop?", Wanted.REASON),
        ("What was the cause of the fire?", Wanted.REASON),
        ("When does it end?", Wanted.TIME),
        ("Who signed, and how much was paid?", Wanted.NAME),
        ("How must a notice be sent?", Wanted.MEANS),
        ("How does the landlord want to receive notices?", Wanted.MEANS),
        ("Wie wird die Miete bezahlt?", Wanted.MEANS),
        ("How often is rent paid?", Wanted.FREQUENCY),
        ("How long is the price valid?", Wanted.DURATION),
        ("What warranty does Pallas give?", Wanted.DURATION),
        ("How did the siege end?", Wanted.ANYTHING),
        ("Tell me more.", Wanted.ANYTHING),
    ],
)
def test_the_kind_that_is_wanted(question: str, kind: Wanted) -> None:
    assert wanted(question) is kind


@pytest.mark.parametrize(
    ("kind", "text", "held"),
    [
        (Wanted.DURATION, "within thirty days", True),
        (Wanted.TIME, "directive AD 2018–23–51, docket FAA–2020–0686", False),
        (Wanted.TIME, "the mid-1990s", True),
        (Wanted.TIME, "2007–2013", True),
        (Wanted.DURATION, "on 4 May", False),
        (Wanted.AGE, "He was born in 1968.", True),
        (Wanted.AGE, "The crane is six years old.", True),
        (Wanted.AGE, "Her extension is 120.", False),
        (Wanted.SIZE, "a yard of 1,150 square metres", True),
        (Wanted.SIZE, "15 km/h in the yard", False),
        (Wanted.MONEY, "$1.5 million", True),
        (Wanted.MONEY, "in 1998", False),
        (Wanted.MONEY, "an area of 4,180 square metres", False),
        (Wanted.MONEY, "Harbour Street 14, 01632 960 108", False),
        (Wanted.MONEY, "call +44 1632 960108", False),
        (Wanted.MONEY, "38 400 in all", True),
        (Wanted.MONEY, "0.85 a kilo", True),
        (Wanted.SIZE, "ring 01632 960 108", False),
        (Wanted.NAME, "the KR16 with 48 V and 560 Ah", False),
        (Wanted.NAME, "a cable of 12 kWh and 4 Nm", False),
        (Wanted.NAME, "the 2 Harbour Street", True),
        (Wanted.NAME, "signed by Ann Low", True),
        (Wanted.SHARE, "two thirds of the price", True),
        (Wanted.FREQUENCY, "every six months", True),
        (Wanted.SPEED, "at 8 km/h in the yard", True),
        (Wanted.SPEED, "alone after 21:00", False),
        (Wanted.TEMPERATURE, "at most 8 °C", True),
        (Wanted.WEIGHT, "a load of 3.2 tonnes", True),
        (Wanted.TIME, "thirty days after delivery", True),
        (Wanted.TIME, "for thirty days", False),
        (Wanted.REASON, "It stopped because the valve stuck.", True),
        (Wanted.REASON, "It stopped on Monday.", False),
    ],
)
def test_what_a_text_holds(kind: Wanted, text: str, *, held: bool) -> None:
    assert holds(kind, text, frozenset()) is held


@pytest.mark.parametrize(
    ("kind", "text", "another"),
    [
        (Wanted.MONEY, "0.4 mm", True),
        (Wanted.MONEY, "38,400", False),
        (Wanted.MONEY, "4,180 square metres", True),
        (Wanted.MONEY, "one million", False),
        (Wanted.MONEY, "within thirty days of the end of the lease", True),
        (Wanted.DURATION, "£400", True),
        (Wanted.DURATION, "120 km", False),
        (Wanted.DURATION, "three", False),
        (Wanted.SHARE, "£400", True),
        (Wanted.SPEED, "21:00", True),
        (Wanted.SPEED, "8", False),
        (Wanted.SPEED, "£400", True),
        (Wanted.TEMPERATURE, "-18.0", False),
        (Wanted.WEIGHT, "14 May 2026", True),
        (Wanted.NUMBER, "many", True),
        (Wanted.TIME, "in May 1998", False),
        (Wanted.TIME, "the mayor", True),
        (Wanted.NAME, "0.4 mm", False),
    ],
)
def test_a_figure_of_another_kind_is_no_answer(kind: Wanted, text: str, *, another: bool) -> None:
    assert is_of_another_kind(kind, text) is another


@pytest.mark.parametrize(
    ("kind", "text", "kept"),
    [
        (Wanted.DURATION, "30 September and nine weeks", "nine weeks"),
        (Wanted.DURATION, "nine weeks", "nine weeks"),
        (Wanted.DURATION, "two weeks and three days", "two weeks and three days"),
        (Wanted.TIME, "contract rates of the line until 31 December 2026", "31 December 2026"),
        (Wanted.TIME, "on 31 December 2026", "on 31 December 2026"),
        (Wanted.NAME, "Ada and nine weeks", "Ada and nine weeks"),
    ],
)
def test_what_stands_beside_the_answer_is_cut(kind: Wanted, text: str, kept: str) -> None:
    assert text[slice(*only_wanted(kind, text))] == kept


def test_words_that_only_ask_are_left_out() -> None:
    assert without_asking_words("How long does it take?").split() == ["does", "it", "take?"]
    assert without_asking_words("Which kind of pump?").split() == ["of", "pump?"]


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
    assert holds(Wanted.MEANS, text, frozenset()) is named


@pytest.mark.parametrize(
    ("kind", "text", "behind", "unit"),
    [
        (Wanted.DURATION, "60", " months from delivery", " months"),
        (Wanted.DURATION, "sixty days", " from delivery", ""),
        (Wanted.SPEED, "8", " km/h in the yard", " km/h"),
        (Wanted.NUMBER, "600", " litres", ""),
        (Wanted.WEIGHT, "3.2", " trucks", ""),
    ],
)
def test_the_unit_behind_a_figure(kind: Wanted, text: str, behind: str, unit: str) -> None:
    assert behind[: unit_behind(kind, text, behind)] == unit
