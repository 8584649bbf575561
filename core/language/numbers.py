"""Numbers as people write them: the words for them, the words that scale them, and the one parser of both decimal conventions.

parse_number("1.234,56")       -> 1234.56
parse_number("3,5 Mio.")       -> 3500000
parse_number("two million")    -> 2000000
parse_number("1.234")          -> 1234 in running text; 1.234 where English is surely meant
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Literal

from core.language.word_files import join_alternatives, read_numbered_words

DecimalMark = Literal[".", ","]

_HIGHEST_WORD = 1000


def number_words(*languages: str, least: int = 1, most: int = _HIGHEST_WORD) -> dict[str, int]:
    """Return the words for the numbers from `least` to `most` with their values: of up to twenty, of the tens and of a
    hundred, in some languages of a thousand."""
    return {
        word: number
        for language in languages
        for word, number in read_numbered_words(language, "numbers", "words").items()
        if least <= number <= most
    }


def articles_for_one(language: str) -> dict[str, int]:
    """Return the words for one that are articles, too."""
    return read_numbered_words(language, "numbers", "articles")


def ordinals(language: str, *, most: int) -> dict[str, int]:
    """Return the words for places from the first to the `most`th."""
    return {word: place for word, place in read_numbered_words(language, "numbers", "ordinals").items() if place <= most}


def full_scales(*languages: str) -> dict[str, int]:
    """Return the words that scale a number, in full, with the power of ten: "million" is 6."""
    return {word: power for language in languages for word, power in read_numbered_words(language, "numbers", "scales").items()}


def short_scales(*languages: str) -> dict[str, int]:
    """Return the shortened words that scale a number, without the full stop behind them: "mio" is 6."""
    return {word: power for language in languages for word, power in read_numbered_words(language, "numbers", "scales_short").items()}


# English and German, in text that may be in either.
NUMBER_WORDS = number_words("en", "de") | articles_for_one("de")
SCALES = full_scales("en", "de", "fr", "es") | short_scales("en", "de")
# One of them behind a number, in capitals or not: "million", "k"; of German ones that are shortened with their full stop, "Mio.".
SCALE = rf"(?i:(?:{join_alternatives(short_scales('de'))})\b\.?|(?:{join_alternatives(SCALES)})\b)"
# With the full stop of German short ones, and what stands for thousands in the heading of a column: "Mio.", "EUR '000".
_POWERS = SCALES | {f"{word}.": power for word, power in short_scales("de").items()} | dict.fromkeys(("000", "000s", "'000", "’000"), 3)

_SPACES = re.compile(r"['’\s\u2007]")
# A number with this decimal mark: groups of three, of India's two, or none.
_GROUPED: dict[DecimalMark, re.Pattern[str]] = {
    ".": re.compile(r"(?:[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})*,\d{3}|\d+)?(?:\.\d+)?"),
    ",": re.compile(r"(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+)?(?:,\d+)?"),
}
_MINUS = frozenset("-−–")
_SIGNS = _MINUS | {"+"}
_ONE_GROUP = re.compile(r"[1-9]\d{0,2}[,.]\d{3}")
_SCALED = re.compile(
    rf"""
    (?P<sign>[-+−–])?\s?
    (?P<number>[.,]?\d[\d.,'’\s]*|[^\W\d_]+(?:-[^\W\d_]+)*)
    (?:\s?(?P<scale>{SCALE}))?
    \s?(?P<share>%)?
    """,
    re.IGNORECASE | re.VERBOSE,
)


def find_decimal_marks(digits: str) -> frozenset[DecimalMark]:
    """Return the decimal marks under which digits, without spaces and apostrophes, are a number: both where neither stands in them."""
    marks: tuple[DecimalMark, ...] = (".", ",")
    return frozenset(mark for mark in marks if _GROUPED[mark].fullmatch(digits))


def parse_with_mark(digits: str, mark: DecimalMark) -> Decimal | None:
    """Return the number with this decimal mark; None where the digits cannot be read so."""
    if not digits or not _GROUPED[mark].fullmatch(digits):
        return None
    return Decimal(digits.replace("," if mark == "." else ".", "").replace(mark, "."))


def parse_digits(written: str, *, english: bool = False) -> Decimal | None:
    """Return the value of a number that is written in digits, with or without its sign, in either convention; None for what is none.

    A mark before exactly three digits parts thousands, another one is the decimal mark. `english`: a lone full stop is the decimal mark
    wherever it stands, for what is written in English.
    """
    digits = _SPACES.sub("", written)
    plain = digits[1:] if digits[:1] in _SIGNS else digits
    value = parse_with_mark(plain, _decimal_mark(plain, english=english))
    return -value if value is not None and digits[:1] in _MINUS else value


def _decimal_mark(digits: str, *, english: bool) -> DecimalMark:
    marks = [each for each in digits if each in ",."]
    if not marks or (english and marks == ["."]):
        return "."
    if len(set(marks)) == 2:
        return "," if marks[-1] == "," else "."
    parts_thousands = len(marks) > 1 or _ONE_GROUP.fullmatch(digits) is not None
    return "." if (marks[0] == ",") == parts_thousands else ","


def find_power(scale: str) -> int:
    """Return the power of ten that a word behind a number, or in the heading of a column, means: 6 of "Mio."; 0 for no such word."""
    return _POWERS.get(scale.casefold(), 0)


def parse_number(written: str, *, english: bool = False) -> Decimal | None:
    """Return the value of a number in digits or in one word, with its sign and the word that scales it; of "12 %" it is 12. None for what is
    no number. `english` as for `parse_digits`."""
    match = _SCALED.fullmatch(written.strip())
    if match is None:
        return None
    number = NUMBER_WORDS.get(match["number"].casefold())
    value = Decimal(number) if number is not None else parse_digits(match["number"].rstrip(), english=english)
    if value is None:
        return None
    value = value.scaleb(find_power(match["scale"] or ""))
    return -value if match["sign"] in _MINUS else value
