"""Figures in sentences: their kinds, values and places."""

from __future__ import annotations

import pytest

from core.language.figures import figures_of


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "10 km/h on 3 May 2026 for £1,200.50, 06:00 to 20:00",
            [("measure km/h", "10"), ("date", "2026-05-03"), ("sum GBP", "1200.5"), ("hours", "06:00-20:00")],
        ),
        ("every five years, or after an accident", [("measure year", "5")]),
        ("at least nine months’ written notice", [("measure month", "9")]),
        ("sixty per cent by the owner, 40 % by the rest", [("measure %", "60"), ("measure %", "40")]),
        ("open from 9 am to 5.30 pm.", [("hours", "09:00-17:30")]),
        ("Geöffnet von 9 bis 17 Uhr", [("hours", "09:00-17:00")]),
        ("Die Miete beträgt 1.250,00 Euro", [("sum EUR", "1250")]),
        ("Maximum occupancy: 40", [("count", "40")]),
        ("Höchstens 30 Personen", [("count", "30")]),
        ("10 metres a second", [("measure m/s", "10")]),
        ("£5 million", [("sum GBP", "5000000")]),
        ("Clause 7.2 is replaced, see page 3 of version 2", []),
        ("In 2026 the yard was paved", []),
        ("on 7 August", [("date", "--08-07")]),
    ],
)
def test_kinds_and_values(text: str, found: list[tuple[str, str]]) -> None:
    figures = figures_of(text)
    assert [(each.kind, each.value) for each in figures] == found
    assert all(text[each.start : each.end] == each.text for each in figures)


def test_hostile_text_ends_soon() -> None:
    assert len(figures_of("1" * 20_000 + " 9:00 to " * 2_000 + "£" * 5_000)) <= 2_000
