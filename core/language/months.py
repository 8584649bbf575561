"""The names of months, in lower case, with their numbers (January is 1)."""

from __future__ import annotations

from core.language.word_files import join_alternatives, read_numbered_words, read_word_file

# Those whose months are known; fewer have words of the other topics.
CALENDAR_LANGUAGES = ("en", "de", "fr", "es", "it", "nl", "pt", "pl", "cs", "ru", "uk", "fi", "tr", "ro", "hu", "sk", "sv")


def full_months(*languages: str) -> dict[str, int]:
    """Return the names in full, with their other cases and spellings: "märz", "maerz"."""
    return {name: number for language in languages for name, number in read_numbered_words(language, "calendar", "months").items()}


def short_months(*languages: str) -> dict[str, int]:
    """Return the shortened names without the full stop behind them: "jan", "mrz"."""
    return {name: number for language in languages for name, number in read_numbered_words(language, "calendar", "months_short").items()}


def months_in_cells() -> dict[str, int]:
    """Return every name of every language: where a whole cell is a date, no name is taken for another word."""
    return full_months(*CALENDAR_LANGUAGES) | short_months(*CALENDAR_LANGUAGES)


def english_month_of(language: str) -> dict[str, str]:
    """Return the months of a language, in full, each with its English name: "mai" is "May"."""
    return {name: ENGLISH_MONTHS[number - 1] for name, number in full_months(language).items()}


ENGLISH_MONTHS = tuple(name.capitalize() for name in read_word_file("en", "calendar")["months"].values())
ENGLISH_MONTH = join_alternatives(ENGLISH_MONTHS)  # as a pattern
# "may" is a verb where it has no capital: for patterns in which the case of letters counts for nothing else.
MAY = "(?-i:May)"
# Of running text. Short names of languages besides English and German are words of others: "set", "out", "ago", "gen".
MONTHS = full_months("en", "de", "fr", "es") | short_months("en", "de")
MONTH = join_alternatives(MONTHS)
# In full, without "may".
FULL_MONTH_BUT_MAY = join_alternatives(full_months("en", "de", "fr", "es").keys() - {"may"})
