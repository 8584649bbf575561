"""The names of the days of the week, in lower case."""

from __future__ import annotations

from core.language.word_files import join_alternatives, read_numbered_words, read_word_file


def weekdays(*languages: str) -> tuple[str, ...]:
    """Return the names in full, from Monday on."""
    return tuple(name for language in languages for name in read_numbered_words(language, "calendar", "weekdays"))


def short_weekdays(*languages: str) -> tuple[str, ...]:
    """Return the shortened names without the full stop behind them: "mon", "mo"."""
    return tuple(name for language in languages for name in read_numbered_words(language, "calendar", "weekdays_short"))


def english_weekday_of(language: str) -> dict[str, str]:
    """Return the weekdays of a language, each with its English name: "montag" is "Monday"."""
    english = [name.capitalize() for name in read_word_file("en", "calendar")["weekdays"].values()]
    return {name: english[number - 1] for name, number in read_numbered_words(language, "calendar", "weekdays").items()}


WEEKDAY = join_alternatives(weekdays("en", "de"))  # in full, as a pattern
# In full or shortened, with or without its full stop: the beginning that the forms of a day share, at most eight letters behind it.
WEEKDAY_BEGINNING = f"(?:{'|'.join(short_weekdays('en', 'de'))})"
