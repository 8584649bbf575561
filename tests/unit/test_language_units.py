"""Units of measure, time and money, and that each use takes the names that it can bear."""

from __future__ import annotations

import pytest

from core.language.figures import UNITS, figures_of
from core.language.units import (
    COLUMN_ENDINGS,
    COLUMN_UNITS,
    CURRENCY_CODES,
    CURRENCY_CODES_IN_TEXT,
    CURRENCY_CODES_THAT_ARE_WORDS,
    CURRENCY_SIGNS,
    SHARED_CURRENCY_SIGNS,
    currency_names,
    measures,
    periods,
    times,
)
from ingestion.tables.cell_figures import currency_of
from ingestion.tables.column_names import unit_of


def test_names_lead_to_one_sign() -> None:
    assert measures("en", "de")["metres a second"] == measures("de")["meter pro sekunde"] == "m/s"
    assert times("en", "de")["wochen"] == "week"
    assert periods("en", "de")["jährlich"] == periods("en")["annually"] == "year"
    assert currency_names("en", "de")["franken"] == "CHF"


def test_codes_of_text_are_no_words() -> None:
    assert CURRENCY_CODES_IN_TEXT < CURRENCY_CODES
    assert not {code.lower() for code in CURRENCY_CODES_IN_TEXT} & CURRENCY_CODES_THAT_ARE_WORDS
    assert set(CURRENCY_SIGNS.values()) | set(SHARED_CURRENCY_SIGNS.values()) | set(currency_names("en", "de").values()) <= CURRENCY_CODES


def test_what_may_end_a_heading_may_stand_in_brackets_too() -> None:
    assert COLUMN_ENDINGS <= COLUMN_UNITS
    assert [unit_of(name) for name in ("Weight kg", "Weight (lbs)", "Time in hours", "Lives all", "Price TRY")] == ["kg", "lbs", "hours", "", ""]


def test_a_quarter_is_a_part_and_quarters_are_of_a_year() -> None:
    assert "quarter" not in UNITS
    assert UNITS["quarters"] == "quarter"


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [("12 Prozent", "measure %", "12"), ("3 por ciento", "measure %", "3"), ("nine kilograms", "measure kg", "9"), ("CHF 5", "sum CHF", "5"),
     ("7 Franken", "sum CHF", "7"), ("8 yen", "sum JPY", "8"), ("at most 5 m/s", "measure m/s", "5"), ("PHP 8", "", "")],
)  # fmt: skip
def test_units_in_running_text(text: str, kind: str, value: str) -> None:
    assert [(each.kind, each.value) for each in figures_of(text)] == ([(kind, value)] if kind else [])


@pytest.mark.parametrize(
    ("word", "currency"), [("€", "EUR"), ("euros", "EUR"), ("$", "$"), ("US$", "USD"), ("руб.", "RUB"), ("pounds", ""), ("PHP", "PHP")]
)
def test_currencies_of_cells(word: str, currency: str) -> None:
    assert currency_of(word) == currency
