"""The names of months and weekdays: every language has them all, each name means one month, and each use takes the languages that it can bear."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from core.language.months import (
    CALENDAR_LANGUAGES,
    ENGLISH_MONTHS,
    FULL_MONTH_BUT_MAY,
    MAY,
    MONTH,
    MONTHS,
    english_month_of,
    full_months,
    months_in_cells,
    short_months,
)
from core.language.weekdays import WEEKDAY, WEEKDAY_BEGINNING, english_weekday_of, weekdays
from core.language.word_files import join_alternatives
from ingestion.tables.cell_dates import read_date


@pytest.mark.parametrize("language", CALENDAR_LANGUAGES)
def test_a_language_names_each_month(language: str) -> None:
    assert set(full_months(language).values()) == set(range(1, 13))
    assert all(name == name.casefold() for name in full_months(language) | short_months(language))


def test_every_calendar_is_listed() -> None:
    folders = files("core.language").joinpath("data").iterdir()
    assert sorted(CALENDAR_LANGUAGES) == sorted(folder.name for folder in folders if folder.joinpath("calendar.toml").is_file())


def test_a_name_means_the_same_month_in_every_language() -> None:
    every = months_in_cells()
    assert all(every[name] == number for language in CALENDAR_LANGUAGES for name, number in (full_months(language) | short_months(language)).items())


def test_short_names_of_text_are_english_and_german_alone() -> None:
    assert {"jan", "mrz", "okt", "sept"} <= MONTHS.keys()
    assert not {"set", "out", "ago", "gen", "lug", "janv"} & MONTHS.keys()
    assert {"set", "out", "ago", "gen", "lug", "janv"} <= months_in_cells().keys()


def test_the_longest_name_is_tried_first() -> None:
    assert re.match(MONTH, "september") is not None
    assert join_alternatives({"jan", "january", "janvier"}) == "january|janvier|jan"
    found = re.match(MONTH, "september")
    assert found is not None
    assert found.group() == "september"


def test_may_is_a_month_with_its_capital_only() -> None:
    pattern = re.compile(rf"\b(?:{FULL_MONTH_BUT_MAY}|{MAY})\b", re.IGNORECASE)
    assert pattern.findall("In May it may rain, in JUNE and im Mai too") == ["May", "JUNE", "Mai"]


def test_english_names_of_german_ones() -> None:
    assert english_month_of("de")["jänner"] == "January"
    assert english_month_of("de")["dezember"] == ENGLISH_MONTHS[11] == "December"
    assert english_weekday_of("de")["sonnabend"] == english_weekday_of("de")["samstag"] == "Saturday"


def test_weekdays() -> None:
    assert weekdays("en")[0] == "monday"
    assert weekdays("fr") == ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche")
    assert re.fullmatch(WEEKDAY, "donnerstag") is not None
    assert re.match(rf"{WEEKDAY_BEGINNING}\w{{0,8}}\.,", "Do., 3.4.2025", re.IGNORECASE) is not None


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("3 March 2024", "2024-03-03"), ("Mi., 3. Mrz. 2024", "2024-03-03"), ("3 mars 2024", "2024-03-03"), ("3 de marzo de 2024", "2024-03-03"),
        ("3 set 2024", "2024-09-03"), ("3 września 2024", "2024-09-03"), ("3. novembra 2024", "2024-11-03"), ("3 mart 2024", "2024-03-03"),
    ],
)  # fmt: skip
def test_dates_in_cells(cell: str, day: str) -> None:
    moment = read_date(cell)
    assert moment is not None
    assert moment.iso() == day
