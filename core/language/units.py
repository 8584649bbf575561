"""Units of measure, time and money, and how people write them. What is the same in every language stands under "mul"."""

from __future__ import annotations

from collections.abc import Mapping

from core.language.word_files import read_word_file

EVERY_LANGUAGE = "mul"


def _names(table: str, *languages: str) -> dict[str, str]:
    """Return the names of a table, with spaces, each with what it names."""
    tables: list[Mapping[str, str]] = [read_word_file(language, "units").get(table, {}) for language in languages]
    return {name.replace("_", " "): unit for rows in tables for unit, names in rows.items() for name in names.split()}


def measures(*languages: str) -> dict[str, str]:
    """Return the names and signs of units of measure in lower case, each with its sign: "metres a second" is "m/s"."""
    return _names("measures", EVERY_LANGUAGE, *languages)


def times(*languages: str) -> dict[str, str]:
    """Return the names of units of time, each with the English word for one: "wochen" is "week"."""
    return _names("time", *languages)


def periods(*languages: str) -> dict[str, str]:
    """Return the words for what comes back after a time, each with that time: "annually" is "year"."""
    return _names("periods", *languages)


def currency_names(*languages: str) -> dict[str, str]:
    """Return the names of currencies, each with its code: "euros" is "EUR"."""
    return _names("currencies", *languages)


def _listed(table: str, row: str) -> frozenset[str]:
    return frozenset(read_word_file(EVERY_LANGUAGE, "units")[table][row].split())


def _rows(table: str) -> dict[str, str]:
    return dict(read_word_file(EVERY_LANGUAGE, "units")[table])


CURRENCY_CODES = _listed("currencies", "codes")
# A code in capitals is another word in some texts: "TRY", "PHP". These are surely meant.
CURRENCY_CODES_IN_TEXT = _listed("currencies", "codes_in_text")
CURRENCY_SIGNS = _rows("signs")
SHARED_CURRENCY_SIGNS = _rows("shared_signs")  # several countries write their currency so
CURRENCY_ABBREVIATIONS = _rows("abbreviations")
# Of the heading of a column: behind its name in brackets or after "in"; and those that may also end it without.
COLUMN_UNITS = _listed("columns", "units")
COLUMN_ENDINGS = _listed("columns", "endings")
CURRENCY_CODES_THAT_ARE_WORDS = _listed("columns", "currencies_that_are_words")
