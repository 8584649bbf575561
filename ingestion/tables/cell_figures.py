"""Reads figures in the cells of tables: number, sign, currency, unit and percent, in both decimal conventions.

Which of "." and "," is the decimal mark is not decided here for a cell alone: "1.234" is one thing in a German table and another in an English
one. `Figure.readings` says what a cell can be; `ingestion.tables.typed_columns` decides for the whole column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal

from core.language.numbers import DecimalMark, find_decimal_marks, find_power, parse_with_mark
from core.language.units import CURRENCY_ABBREVIATIONS, CURRENCY_CODES, CURRENCY_SIGNS, SHARED_CURRENCY_SIGNS, currency_names

LONGEST = 48  # characters of a cell that may be a figure: whatever is longer is text
_MOST_DIGITS = 15  # more are an identifier (an account, a barcode); a float holds no more exactly
# Of the names that are written out the euro's alone: dollars are of several countries, and pounds are weighed, too.
_NAMED = CURRENCY_ABBREVIATIONS | {name: code for name, code in currency_names("en").items() if code == "EUR"}
EMPTY = (
    frozenset(
        "- – — − -- --- ‐ . .. ... … ./. * ? n/a n.a. n.a na nan null nil none n.d. nd k.a. k.a entfällt tbd tbc t.b.d. pending "
        "#n/a #div/0! #ref! #value!".split()
    )
    | {"free", "free of charge", "included", "incl.", "gratis", "kostenlos", "inklusive", "k. a.", "n. a."}
    | {f"not {word}" for word in "applicable available done measured tested determined reported recorded".split()}
    | {"no data"}
)
_EMPTY_IN_TEXT = frozenset("- – — − -- --- … ... n/a n.a. #n/a".split())

_SPACE = " \u00a0\u2007\u2009\u202f"
_FOOTNOTE = re.compile(r"(?<=[\d%)€$£])\s?(?:\*{1,3}|[†‡§]{1,2}|[¹²³⁰⁴⁵⁶⁷⁸⁹]{1,3}\)?|\[\w{1,3}\]|\([a-z]\))$")
_SIGN_OUTSIDE = re.compile(r"^([$€£¥])\s?\((.*)\)$")
_UNIT_OUTSIDE = re.compile(r"^\(([^()]*)\)\s?(%|€|£|\$|[A-Z]{3})$")
_PLAIN = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?")
_POWER = re.compile(r"(?P<sign>[-−])?(?P<digits>\d{1,3}(?:\.\d{1,12})?)[eE](?P<power>[+-]?\d{1,2})")  # "5.39E-05"
_FIGURE = re.compile(
    rf"""
        (?P<open>\()?\s?(?P<sign>[-+−–])?\s?(?P<before>[^\W\d_]{{1,4}}\.?\$?|[$€£¥₹₽₺₴₪₩])?\s?(?P<inner>[-−–])?\s?
        (?P<digits>\d[\d.,'’{_SPACE}]{{0,30}}\d|\d|[.,]\d{{1,12}})(?P<behind>[-−](?=\s?(?:[^\W\d]|[€$£]|$)))?\s?
        (?P<after>[^\d\s()\-−]{{1,10}}(?:\s[^\d\s()\-−]{{1,10}})?)?(?P<trailing>[-−])?\s?(?P<close>\))?
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class CellFigure:
    """A cell that holds one figure. `digits` are its figures with their marks, without spaces and apostrophes; `currency` and `unit` as read from
    the cell ("" where it has none), "%" a unit; `scale` the power of ten that a word behind it means ("1.2m": 6)."""

    digits: str
    negative: bool = False
    currency: str = ""
    unit: str = ""
    scale: int = 0

    def value(self, mark: DecimalMark) -> Decimal | None:
        """Return the number with this decimal mark; None where the digits cannot be read so."""
        number = parse_with_mark(self.digits, mark)
        return -number if number is not None and self.negative else number

    @property
    def possible_marks(self) -> frozenset[DecimalMark]:
        """The decimal marks under which the cell is a number; of no use as evidence where both give the same one."""
        return find_decimal_marks(self.digits)

    @property
    def decisive_mark(self) -> DecimalMark | None:
        """The only mark under which this is a number, as evidence for its column; None where both or none are."""
        readings = self.possible_marks
        return next(iter(readings)) if len(readings) == 1 else None


def is_empty(cell: str) -> bool:
    """Return whether a cell holds nothing, or one of the signs that people write for nothing in a column of figures or dates."""
    return not cell or cell.casefold() in EMPTY


def is_blank(cell: str) -> bool:
    """Return whether a cell holds nothing, or a sign for it that is no word, as it may stand in a column of text."""
    return not cell or cell.casefold() in _EMPTY_IN_TEXT


def read_figure(cell: str) -> CellFigure | None:
    """Return the figure that a cell holds, None for text, identifiers (leading zeros, more than 15 digits) and several numbers in one cell."""
    if _PLAIN.fullmatch(cell) and len(cell) <= _MOST_DIGITS:
        return CellFigure(cell.lstrip("-"), negative=cell[0] == "-")
    if powers := _POWER.fullmatch(cell):
        return CellFigure(powers["digits"], bool(powers["sign"]), scale=int(powers["power"]))
    if len(cell) > LONGEST or not any(character.isdigit() for character in cell):
        return None
    match = _FIGURE.fullmatch(_UNIT_OUTSIDE.sub(r"(\1\2)", _SIGN_OUTSIDE.sub(r"(\1\2)", _FOOTNOTE.sub("", cell))))
    return _measured_figure(match) if match is not None and bool(match["open"]) == bool(match["close"]) else None


def _measured_figure(match: re.Match[str]) -> CellFigure | None:
    """Return the figure with its currency, unit and scale; "6 Total" and "12 Main" are words behind a figure, not its unit."""
    digits = _join_digit_groups(match["digits"])
    currency, unit, scale = _measure(match["before"] or "", match["after"] or "")
    if digits is None or (match["before"] and not currency) or (len(unit) > 3 and not unit.islower()):
        return None
    signs = [match["open"], match["sign"] in {"-", "−", "–"}, match["inner"], match["behind"], match["trailing"]]
    return CellFigure(digits, bool(any(signs)), currency, unit, scale)


def _join_digit_groups(digits: str) -> str | None:
    """Return the digits without spaces and apostrophes, which must part groups of three; None for identifiers and for what is not one number."""
    parts = re.split(rf"[{_SPACE}'’]", digits)
    if len(parts) > 1 and not (
        1 <= len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:-1]) and re.match(r"\d{3}(?:[.,]\d*)?$", parts[-1])
    ):
        return None
    packed = "".join(parts)
    if sum(character.isdigit() for character in packed) > _MOST_DIGITS or re.match(r"0\d", packed) or not packed.isascii():
        return None
    return packed if find_decimal_marks(packed) else None


def _measure(before: str, after: str) -> tuple[str, str, int]:
    """Return currency, unit and scale from the words around the digits."""
    currency = currency_of(before)
    words = after.split()
    scale = 0
    if words and find_power(words[0]) and (currency or len(words) > 1 or words[0].casefold() not in {"m"}):
        scale, words = find_power(words[0]), words[1:]
    elif words and (found := re.fullmatch(r"(k|m|bn|mn)([€$£])", words[0].casefold())):
        scale, words = find_power(found[1]), [found[2], *words[1:]]
    if words and (named := currency_of(words[-1])):
        currency, words = currency or named, words[:-1]
        if words and find_power(words[0]) and not scale:
            scale, words = find_power(words[0]), words[1:]
    unit = " ".join(words)
    return currency, "%" if unit.casefold() in {"%", "percent", "per cent", "prozent", "pct", "pct."} else unit, scale


def currency_of(word: str) -> str:
    """Return the currency that a word or sign names: a code of three letters, "$" or "¥" where the sign does not say whose; "" for no currency."""
    if word in CURRENCY_CODES:
        return word
    if word in CURRENCY_SIGNS:
        return CURRENCY_SIGNS[word]
    return word if word in SHARED_CURRENCY_SIGNS else _NAMED.get(word.casefold(), "")
