"""Finds rows of a table that are sums over others, and rows that divide it: neither may be counted with the data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from core.tables import ColumnType, Value

_WORDS = (
    r"(?:totals?|sums?|sum\s+total|summe|gesamt(?:summe|betrag|ergebnis|wert|zahl)?|insgesamt|endsumme|zwischensumme|totale|totaux|totales|suma|somme|soma|totaal|"
    r"summa|yhteensä|razem|celkem|összesen|toplam|итого|всего|разом|合計|总计|總計|합계|σ|∑)"
)
_LABEL = re.compile(
    rf"\W*(?:(?:grand|overall|sub|running|net|gross|general|final)[\s-]*)?{_WORDS}(?:\s+(?:general|général|generale|net|gross|netto|brutto|overall))?"
    r"(?:\s*\([^)]{0,30}\)|\s+(?:19|20)\d{2}|\s+(?:in\s+)?(?:eur|usd|gbp|chf|%|€|\$|£))?\W*",
    re.I,
)
# What a page hands on to the next: the sum so far.
_CARRIED = re.compile(
    r"\W*(?:(?:balance|total|amount)\s+)?(?:(?:carried|brought)\s+(?:forward|over|down)|[cb]/f(?:wd)?|übertrag|à\s+reporter|suma\s+y\s+sigue|"
    r"suma\s+anterior|riporto|a\s+riportare|transporteren)(?:\s+(?:from|to|von|auf)\s.{1,20})?\W*",
    re.I,
)
_NAMED = re.compile(rf"\W*(?:(?:grand|overall|sub)[\s-]*)?{_WORDS}\b.{{1,80}}|.{{1,80}}\b{_WORDS}(?:\s*\([^)]{{0,30}}\))?\W*", re.I)
_ROUNDED = re.compile(r"\b(?:rounded|approx\w*|gerundet|arrondi\w*|redondead[oa]s?)\b", re.I)
_NEARLY = 0.005  # of a rounded total
_STATISTIC = re.compile(
    r"\W*(?:average|mean|median|avg\.?|min(?:imum)?|max(?:imum)?|std\.?\s?dev\.?|durchschnitt|mittelwert|moyenne|media|promedio)\W*", re.I
)
_CHARGE = re.compile(
    r"\b(?:vat|tax|taxes|mwst|ust|umsatzsteuer|tva|iva|btw|gst|moms|shipping|carriage|freight|delivery|postage|handling|versand(?:kosten)?|fracht|discount|"
    r"rabatt|skonto|duty|surcharge|rounding)\b",
    re.I,
)
_ALL = re.compile(
    r"\W*(?:(?:all|alle|tous|toutes|todos|todas|tutti|tutte)(?:\s+(?:the\s+|les\s+|los\s+|las\s+|i\s+|le\s+)?[^\W\d]+){0,3}"
    r"|overall|together|altogether|zusammen|world|both\s+sexes)\W*",
    re.I,
)
_NUMBERING = re.compile(r"\(?(\d{1,2})\)?\.?(?:\s?=.{1,40})?")  # "(3)", "6= (7 to 13)"
_NUMBERS = re.compile(r"\d{1,2}(?:\s+\d{1,2})+")  # two columns in one cell
_ADDED = frozenset({ColumnType.INTEGER, ColumnType.NUMBER, ColumnType.AMOUNT, ColumnType.PERCENT})
_TAIL = 5  # rows at the end of a table among which figures about it (an average, tax and a grand total) stand
_SURELY = 3  # columns and rows from which a last row that adds up in all of them is a total, whatever it is called ("ODISHA")
_MOST_HEADINGS = 0.34
_LEAST_GROUPS = 2  # headings in a list of two columns: a single row without a figure only lacks it
_LABELLED = 10_000  # rows of a table that are tried against the sum of others


def heading_rows(body: Sequence[Sequence[str]], header: Sequence[Sequence[str]]) -> frozenset[int]:
    """Return the rows that divide the body.

    They are those with one filled cell in a table of three columns and more (unless many have), those that say the same in every column, those
    that repeat the header (as on the next page), and a first one that numbers the columns.
    """
    width = max(map(len, body), default=0)
    named = {tuple(row) for row in header if any(row)}
    repeated = {place for place, row in enumerate(body) if tuple(row) in named}
    repeated |= {0} if body and numbers_columns(body[0]) else set()
    lone = {place for place, row in enumerate(body) if _is_lone(row) and place not in repeated}
    if width < 3:
        return frozenset(repeated | (lone if width == 2 and _divide_figures(body, lone) else set()))
    few = len(lone) <= _MOST_HEADINGS * len(body) or _names_stand_again(body, lone)
    return frozenset(repeated | (lone if few else set()))


def _names_stand_again(body: Sequence[Sequence[str]], lone: set[int]) -> bool:
    """Return whether the names of all other rows stand there twice and more, each time under another of these rows: they divide the body."""
    labels = {body[place][0] for place in lone}
    names = Counter(row[0] for place, row in enumerate(body) if place not in lone)
    return len(labels) == len(lone) and all(labels) and len(names) > 1 and min(names.values()) > 1


def _divide_figures(body: Sequence[Sequence[str]], lone: set[int]) -> bool:
    """Return whether the few names without a figure stand over rows that have one, the first row being one of them: they divide a list of two
    columns."""
    if 0 not in lone or len(lone) < _LEAST_GROUPS:
        return False
    rest = [row for place, row in enumerate(body) if place not in lone]
    named = all(body[place][0] and place + 1 < len(body) and place + 1 not in lone for place in lone)
    return named and len(lone) <= _MOST_HEADINGS * len(body) and all(row[0] and row[1][:1].isdigit() for row in rest)


def numbers_columns(row: Sequence[str]) -> bool:
    """Return whether a first row only numbers three columns and more: "(1) | (2) | (3)", "1 | 2 | 3=1+2"."""
    cells = [part for cell in row if cell for part in (cell.split() if _NUMBERS.fullmatch(cell) else [cell])]
    numbers = [int(match[1]) for cell in cells if (match := _NUMBERING.fullmatch(cell)) is not None]
    return len(cells) >= 3 and len(numbers) == len(cells) and numbers in (list(range(1, len(numbers) + 1)), list(range(len(numbers))))


def _is_lone(row: Sequence[str]) -> bool:
    filled = [cell for cell in row if cell]
    return len(filled) == 1 or (
        len(filled) > 2 and len(filled) == len(row) and len(set(filled)) == 1 and len(filled[0]) > 3 and not filled[0][0].isdigit()
    )


def total_rows(
    body: Sequence[Sequence[str]], values: Sequence[Sequence[Value]], types: Sequence[ColumnType], headings: frozenset[int]
) -> frozenset[int]:
    """Return the rows that are totals.

    They are rows that say of themselves that they are a total, those that are called a total of something and add up, a last row that adds up
    without a name or in several columns, and figures about the table (an average, the tax under a subtotal) in its last rows.
    """
    measured = [place for place, kind in enumerate(types) if kind in _ADDED]
    rows = [place for place in range(len(body)) if place not in headings]
    if not measured or len(rows) < 2:
        return frozenset()
    sums = _RunningSums(values, measured)
    found: set[int] = set()
    last = rows[-1]
    for place in rows:
        label = next((cell for cell in body[place] if cell), "")[:120]
        if not any(isinstance(values[place][column], float) for column in measured):
            continue
        at = _RowPosition(place == last, place >= rows[-min(_TAIL, len(rows))], bool(found), not body[place][0])
        if _is_total(label, place, sums, at):
            found.add(place)
            sums.restart_after(place)
        else:
            sums.add_row(place)
    found |= _find_first_row_total(body, values, measured, rows, found)
    return frozenset(found | _rows_between_totals(body, rows, found))


class _RowPosition(NamedTuple):
    """Where a row stands: the last one, one of the last, behind a total, without a label."""

    is_last: bool
    in_tail: bool
    follows_total: bool
    is_unlabelled: bool


def _is_total(label: str, place: int, sums: _RunningSums, at: _RowPosition) -> bool:
    if _LABEL.fullmatch(label) or _CARRIED.fullmatch(label):
        return True
    if _NAMED.fullmatch(label):
        return (at.is_last and (at.follows_total or (_ROUNDED.search(label) is not None and sums.nearly_matches_sum(place)))) or sums.matches_sum(
            place
        )
    if at.in_tail and _STATISTIC.fullmatch(label):
        return True
    if _ALL.fullmatch(label):
        return sums.matches_sum(place)
    return at.is_last and (at.is_unlabelled or sums.count_figures(place) >= _SURELY) and sums.matches_sum(place, all_of_them=True)


class _RunningSums:
    """Running sums of the data rows, over the whole table and since the last total."""

    def __init__(self, values: Sequence[Sequence[Value]], measured: Sequence[int]) -> None:
        self._values, self._measured = values, measured
        self._whole = dict.fromkeys(measured, 0.0)
        self._block = dict.fromkeys(measured, 0.0)
        self._rows = self._since = self._tried = 0

    def add_row(self, place: int) -> None:
        for column in self._measured:
            value = self._values[place][column]
            if isinstance(value, float):
                self._whole[column] += value
                self._block[column] += value
        self._rows += 1
        self._since += 1

    def restart_after(self, place: int) -> None:
        self._block = dict.fromkeys(self._measured, 0.0)
        self._since = 0

    def count_figures(self, place: int) -> int:
        """Return in how many columns a row has a figure, the first rows of a long table aside."""
        return sum(1 for column in self._measured if self._values[place][column]) if self._rows >= _SURELY else 0

    def matches_sum(self, place: int, *, all_of_them: bool = False) -> bool:
        """Return whether the row holds the sum of two rows and more above it, in one column at least or in all that it fills."""
        self._tried += 1
        if self._tried > _LABELLED:
            return False
        filled = [(column, value) for column in self._measured if isinstance(value := self._values[place][column], float) and value]
        for sums, rows in ((self._block, self._since), (self._whole, self._rows)):
            agreeing = [column for column, value in filled if rows >= 2 and adds_up(value, sums[column], rows)]
            if agreeing and (len(agreeing) == len(filled) or not all_of_them):
                return True
        return False

    def nearly_matches_sum(self, place: int) -> bool:
        """Return whether every figure of the row is the sum of those above it but for half a percent."""
        filled = [(column, value) for column in self._measured if isinstance(value := self._values[place][column], float) and value]
        return self._rows >= _SURELY and all(abs(value - self._whole[column]) <= _NEARLY * abs(value) for column, value in filled)


def adds_up(value: float, total: float, rows: int) -> bool:
    """Return whether two figures are equal up to the rounding of so many addends to the digits that `value` shows, at most half a percent."""
    text = f"{value:.6f}".rstrip("0")
    decimals = len(text.partition(".")[2])
    return abs(value - total) <= min(0.5 * 10.0**-decimals * max(1, rows // 2) + 1e-9 * abs(value), 0.005 * abs(value) + 1e-9)


def _find_first_row_total(
    body: Sequence[Sequence[str]], values: Sequence[Sequence[Value]], measured: Sequence[int], rows: Sequence[int], found: set[int]
) -> set[int]:
    """Return a first row that is called all or total of something, and holds the sum of those below."""
    first = rows[0]
    label = next((cell for cell in body[first] if cell), "")[:120]
    if first in found or not (_ALL.fullmatch(label) or _NAMED.fullmatch(label)):
        return set()
    below = _RunningSums(values, measured)
    for place in rows[1:]:
        if place not in found:
            below.add_row(place)
    return {first} if below.matches_sum(first) else set()


def _rows_between_totals(body: Sequence[Sequence[str]], rows: Sequence[int], found: set[int]) -> set[int]:
    """Return tax, carriage and the like between a subtotal and the total in the last rows: they are added to the sum, they are no data."""
    tail = list(rows[-_TAIL:])
    totals = [place for place in tail if place in found]
    if len(totals) < 2 or tail[-1] not in found:
        return set()
    between = [place for place in tail if totals[0] < place < totals[-1]]
    return {place for place in between if _CHARGE.search(next((cell for cell in body[place] if cell), ""))}
