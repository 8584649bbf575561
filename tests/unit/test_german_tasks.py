"""German requests for comparisons and summaries, read as these agents read English ones; every other text stays as it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.comparison.comparison_request import parse_comparison
from agents.german.task_requests import translate_task
from agents.query_classifier.intent_rules import apply_rules
from core.search import Intent


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Vergleiche die drei Angebote", Intent.COMPARISON),
        ("Bitte vergleiche Kestrel und Pallas bei der Garantie", Intent.COMPARISON),
        ("Was ist der Unterschied zwischen der alten und der neuen Richtlinie?", Intent.COMPARISON),
        ("Worin unterscheiden sich die beiden Verträge?", Intent.COMPARISON),
        ("Stelle die Angebote gegenüber", Intent.COMPARISON),
        ("Fasse das Protokoll zusammen", Intent.SUMMARIZATION),
        ("Kannst du mir den Prüfbericht kurz zusammenfassen?", Intent.SUMMARIZATION),
        ("Gib mir einen Überblick über den Mietvertrag", Intent.SUMMARIZATION),
        ("Was sind die wichtigsten Punkte der Besprechung?", Intent.SUMMARIZATION),
        ("Wie hoch ist die Kaution?", Intent.DOCUMENT_SEARCH),
        ("Wer hat die Angebote unterschrieben?", Intent.DOCUMENT_SEARCH),
    ],
)
def test_what_is_to_be_done(text: str, intent: Intent) -> None:
    assert apply_rules(translate_task(text)).intent is intent


def test_sides_and_attributes_are_read() -> None:
    group = parse_comparison(translate_task("Vergleiche die drei Angebote hinsichtlich Lieferzeit und Garantie"))
    assert (group.group, group.count, group.attributes) == ("offer", 3, ("delivery time", "warranty"))
    named = parse_comparison(translate_task("Vergleiche Kestrel mit Pallas: Garantie"))
    assert (named.names, named.attributes) == (("Kestrel", "Pallas"), ("warranty",))
    versions = parse_comparison(translate_task("Was ist der Unterschied zwischen der alten und der neuen Richtlinie?"))
    assert versions.versions == ("old", "new")


@pytest.mark.parametrize("text", ["Compare the three offers", "Wie hoch ist die Miete für Quay 7?", "die Angebote für den Kran", ""])
def test_every_other_text_stays(text: str) -> None:
    assert translate_task(text) == text


@given(st.text(max_size=80))
def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(translate_task(f"Fasse {text} zusammen"), str)
