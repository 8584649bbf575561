"""Headings in one language, asked for in another."""

from __future__ import annotations

import pytest

from benchmarks.table_answers import ask, take_in_hand
from benchmarks.table_questions import MadeTable, parse_rows

GERMAN = take_in_hand(
    MadeTable(
        "Laden.csv",
        parse_rows("Artikel | Preis (€) | Bestand | Lieferant\nKerze | 4,50 | 12 | Wachsmann\nDocht | 1,20 | 90 | Garnhof"),
        language="de",
    ),
    "laden",
)
SPANISH = take_in_hand(
    MadeTable(
        "bodega.csv", parse_rows("Producto | Precio (€) | Existencias | Almacén\nVino | 8.50 | 30 | Jerez\nSidra | 3.20 | 70 | Gijón"), language="es"
    ),
    "bodega",
)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Which articles come from Garnhof?", "“Artikel” where “Lieferant” is “Garnhof”: Docht."),
        ("What is the price of the Kerze?", "“Preis (€)” where “Artikel” is “Kerze”: 4,50."),
        ("Which products in Gijón cost less than 5 euros?", "“Producto” where “Almacén” is “Gijón” and “Precio (€)” is less than 5 EUR: Sidra."),
        ("total stock in Jerez", "“Existencias” where “Almacén” is “Jerez”: 30."),
        ("Was ist der Preis von Vino?", "“Precio (€)” where “Producto” is “Vino”: 8.50."),
    ],
)
def test_a_heading_is_known_by_its_word_of_another_language(question: str, sentence: str) -> None:
    found = [each.calculation.sentence for each in ask(question, [GERMAN, SPANISH])]
    assert [each.split(" (1 row")[0].rstrip(".") for each in found] == [sentence.rstrip(".")]


def test_what_no_heading_says_is_not_found_in_another_language() -> None:
    assert ask("What is the weight of the Kerze?", [GERMAN, SPANISH]) == []
