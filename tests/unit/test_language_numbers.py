"""Numbers as people write them: one parser for running text, questions and cells, and the words for numbers and scales that each use takes."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.table_qa.table_question import number_in, parse_table_question
from core.language.amounts import AMOUNTS, parse_amount
from core.language.figures import figures_of, plain_number
from core.language.numbers import (
    NUMBER_WORDS,
    SCALE,
    SCALES,
    articles_for_one,
    find_decimal_marks,
    find_power,
    full_scales,
    number_words,
    ordinals,
    parse_digits,
    parse_number,
    parse_with_mark,
)
from ingestion.tables.cell_figures import read_figure
from ingestion.tables.column_names import unit_of


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.234,56", "1234.56"), ("1,234.56", "1234.56"), ("1.234", "1234"), ("1,234", "1234"), ("1.2345", "1.2345"), ("0,123", "0.123"),
        ("1'234.50", "1234.50"), ("1 234,5", "1234.5"), ("1\u202f234", "1234"), ("1,23,456", "123456"), ("1.234.567", "1234567"), (",5", "0.5"),
        ("-3,5", "-3.5"), ("−3.5", "-3.5"), ("+3", "3"), ("12 %", "12"), ("12%", "12"),
        ("3,5 Mio.", "3500000"), ("3,5 Mio", "3500000"), ("3.5 million", "3500000"), ("2 Mrd.", "2000000000"), ("5k", "5000"), ("7 Tsd.", "7000"),
        ("two million", "2000000"), ("zwei Millionen", "2000000"), ("eine Milliarde", "1000000000"), ("zwölf", "12"), ("Ninety", "90"),
        ("hundred", "100"),
    ],
)  # fmt: skip
def test_numbers_of_both_conventions(written: str, value: str) -> None:
    assert parse_number(written) == Decimal(value)


@pytest.mark.parametrize("written", ["", "k", "Mio.", "1.2.3", "1,2,3", "024,899.4", "1:30", "5 apples", "the million", "1.234,567.8", "12 % 3"])
def test_what_is_no_number(written: str) -> None:
    assert parse_number(written) is None


def test_a_lone_full_stop_of_english_is_the_decimal_mark() -> None:
    assert (parse_number("1.234"), parse_number("1.234", english=True)) == (Decimal(1234), Decimal("1.234"))
    assert parse_digits("1,234", english=True) == 1234
    assert parse_digits("1.234.567", english=True) == 1234567
    assert parse_digits("3,50", english=True) == Decimal("3.50")


def test_cells_say_under_which_mark_they_are_numbers() -> None:
    assert find_decimal_marks("1.234") == {".", ","}
    assert find_decimal_marks("1.23,4") == frozenset()
    assert find_decimal_marks("1.234,5") == {","}
    assert (parse_with_mark("1.234", "."), parse_with_mark("1.234", ","), parse_with_mark("1,2", "."), parse_with_mark("", ".")) == (
        Decimal("1.234"),
        Decimal(1234),
        None,
        None,
    )


@given(st.decimals(min_value=0, max_value=10**12, places=2))
def test_both_conventions_give_what_was_written(value: Decimal) -> None:
    english = f"{value:,.2f}"
    german = english.translate(str.maketrans(",.", ".,"))
    assert parse_digits(english) == parse_digits(german) == value


@given(st.text(alphabet="0123456789.,'- \u00a0kmMio%", max_size=60))
def test_any_text_is_a_number_or_none(text: str) -> None:
    value = parse_number(text)
    assert value is None or value.is_finite()


# -- "3,5 Mio. EUR" wherever numbers are read ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("written", ["3,5 Mio. EUR", "3,5 Mio. €", "3,5 Mio EUR", "EUR 3,5 Mio.", "€3.5 million", "3,5 Millionen Euro", "3.5m EUR"])
def test_millions_in_running_text(written: str) -> None:
    (figure,) = figures_of(f"Der Umsatz beträgt {written} im Jahr.")
    assert (figure.kind, figure.value) == ("sum EUR", "3500000")
    assert figure.text.startswith(written.rstrip("."))


def test_a_full_stop_behind_an_english_scale_ends_the_sentence() -> None:
    assert [each.text for each in figures_of("It costs £5 million. It costs £5m.")] == ["£5 million", "£5m"]


@pytest.mark.parametrize("written", ["3,5 Mio. EUR", "3,5 Mio EUR", "EUR 3,5 Mio.", "3.5 million EUR", "3,5 Millionen Euro"])
def test_millions_in_a_question_over_a_table(written: str) -> None:
    asked = parse_table_question(f"Which projects cost more than {written}?")
    assert asked is not None
    (comparison,) = asked.comparisons
    assert (comparison.low, comparison.currency) == (3_500_000, "EUR")


def test_thousands_between_two_bounds() -> None:
    asked = parse_table_question("Which offers are between 2 Tsd. EUR and 3,5 Tsd. EUR?")
    assert asked is not None
    (comparison,) = asked.comparisons
    assert (comparison.low, comparison.high) == (2000, 3500)


@pytest.mark.parametrize("cell", ["3,5 Mio. EUR", "3,5 Mio EUR", "EUR 3,5 Mio."])
def test_millions_in_a_cell(cell: str) -> None:
    figure = read_figure(cell)
    assert figure is not None
    assert (figure.value(","), figure.scale, figure.currency) == (Decimal("3.5"), 6, "EUR")


@pytest.mark.parametrize(
    ("name", "powers"), [("Umsatz in Mio. EUR", [6]), ("Revenue (EUR '000)", [3]), ("Umsatz (Tsd. EUR)", [3]), ("Width (mm)", [])]
)
def test_scales_in_the_heading_of_a_column(name: str, powers: list[int]) -> None:
    assert [power for word in unit_of(name).split() if (power := find_power(word))] == powers


# -- words --------------------------------------------------------------------------------------------------------------------------------


def test_words_for_numbers() -> None:
    assert number_words("en", least=2, most=4) == {"two": 2, "three": 3, "four": 4}
    assert number_words("es")["mil"] == 1000
    assert NUMBER_WORDS["eine"] == NUMBER_WORDS["eins"] == NUMBER_WORDS["one"] == 1
    assert not articles_for_one("en").keys() & NUMBER_WORDS.keys()
    assert ordinals("en", most=4) == {"first": 1, "second": 2, "third": 3, "fourth": 4}
    assert [plain_number(word) for word in ("six", "1,200", "1.5", "zwanzig", "apples")] == ["6", "1200", "1.5", "20", ""]


def test_scales() -> None:
    assert full_scales("de")["milliarden"] == 9
    assert (find_power("Mio."), find_power("mio"), find_power("k"), find_power("’000"), find_power("m.")) == (6, 6, 3, 3, 0)
    assert not SCALES.keys() & NUMBER_WORDS.keys()
    found = re.match(rf"5 (?P<scale>{SCALE})", "5 Mio. EUR", re.IGNORECASE)
    assert found is not None
    assert found["scale"] == "Mio."
    assert re.match(rf"(?:{SCALE})", "kg") is None


@pytest.mark.parametrize(
    ("written", "value"),
    [("1,000", 1000), ("1.000", 1), ("1.000,50", 1000.5), ("0,926", 0.926), ("3,5", 3.5), ("1’200", 1200), ("-7.", -7), ("..", None)],
)
def test_numbers_of_a_question(written: str, value: float | None) -> None:
    assert number_in(written) == value


def test_sums() -> None:
    assert [parse_amount(match) for pattern in AMOUNTS for match in pattern.finditer("£1,200.50, USD 3 bn and 12,5 %")] == [
        (1200.5, "GBP"), (3_000_000_000, "USD"), (12.5, "%"),
    ]  # fmt: skip
