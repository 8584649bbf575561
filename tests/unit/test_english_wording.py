"""A question in another language in rough English words."""

from __future__ import annotations

import pytest

from core.language.english_wording import WORDED_LANGUAGES, word_in_english

NEAR = {
    "clé": [("key", 0.8), ("lock", 0.7)],
    "presupuesto": [("budget", 0.85), ("costs", 0.6)],
    "pumpe": [("pump", 0.9)],
    "suecia": [("sweden", 0.9)],
    "bremen": [("brakes", 0.55)],
    "détection": [("alarm", 0.7), ("detection", 0.65)],
    "kiste": [("crate", 0.62), ("box", 0.56)],
    "gris": [("fog", 0.55)],
}


@pytest.mark.parametrize(
    ("language", "question", "english"),
    [
        ("fr", "Combien de temps la clé reste-t-elle dans la zone de détection ?", "How long the key reste in the zone of detection?"),
        ("fr", "Qu'est-ce que l'entrée 4B-7 ?", "What the entrée 4B-7?"),
        ("fr", "ou est la clé", "Where is the key"),
        ("fr", "Quelle dose est admise en août ?", "What dose is admise in August?"),
        ("es", "¿Cuál era el presupuesto de NovaBox-3 en Los Angeles?", "What was the budget of NovaBox-3 in Los Angeles?"),
        ("es", "¿Cuántas pumpe hay en Suecia?", "How many pump is there in sweden?"),
        ("es", "¿Quién vende tres barcos?", "Who vende three barcos?"),
        ("de", "Nach wie vielen Tagen endet die Pumpe in Bremen?", "After how many days endet the pump in Bremen?"),
        ("de", "Wie hoch ist der Druck?", "How high is the Druck?"),
    ],
)
def test_a_question_is_worded(language: str, question: str, english: str) -> None:
    assert word_in_english(question, language, NEAR, {"tank"}) == english


def test_a_name_stays_unless_its_word_is_very_near() -> None:
    assert word_in_english("¿Dónde está Bremen?", "es", NEAR, ()) == "Where is Bremen?"


def test_a_word_of_the_passages_comes_before_a_nearer_one() -> None:
    assert word_in_english("Welche Kiste?", "de", NEAR, ()) == "Which crate?"
    assert word_in_english("Welche Kiste?", "de", NEAR, {"box"}) == "Which box?"
    assert word_in_english("Welche Kiste?", "de", NEAR, {"kiste"}) == "Which Kiste?"


def test_a_word_that_little_is_near_to_stays() -> None:
    assert word_in_english("¿Qué gris?", "es", NEAR, ()) == "What gris?"
    assert word_in_english("¿Qué gris?", "es", NEAR, {"fog"}) == "What fog?"


def test_a_language_without_a_list_has_no_wording() -> None:
    assert word_in_english("Dov'è la chiave?", "it", NEAR, ()) == ""


@pytest.mark.parametrize("language", sorted(WORDED_LANGUAGES))
def test_every_list_can_be_read(language: str) -> None:
    assert word_in_english("x", language, {}, ()) == "X"
