"""Names a table's columns from its header rows, and reads the units that the names carry."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.documents import Table
from core.language.numbers import find_power
from core.language.units import COLUMN_ENDINGS, COLUMN_UNITS, CURRENCY_CODES, CURRENCY_CODES_THAT_ARE_WORDS
from ingestion.tables.cell_figures import currency_of, read_figure
from ingestion.tables.summary_rows import numbers_columns

LEVELS = " › "
_LONGEST = 300  # characters of a name
_MOST_HEADER_ROWS = 6
_CAPTION = 60
_BRACKETED = re.compile(r"[(\[]\s*(?:in\s+)?([^()\[\]]{1,24})\s*[)\]]\W*$", re.I)
_SAID_OF_ALL = re.compile(r"(?:,|\s[-–:])\s*in\s+([^\s,]{1,12}(?:\s[^\s,]{1,12}){0,2})\W*$", re.I)
_SAID = re.compile(r"(?:,|\s[-–]|\bin)\s+([^\s,]{1,12}(?:\s[^\s,]{1,12})?)$", re.I)
_LED = re.compile(r"^[(\[]?\s*in\s+((?:[^\s,()\[\]]{1,12}\s?){1,3})[)\]]?$", re.I)  # a heading that is only a unit: "In millions of CHF"
_REFERENCE = re.compile(r"(?<=\S)\s?(?:\[(?:\d{1,3}|[a-z])\]|[*†‡]{1,3}|[¹²³⁰⁴⁵⁶⁷⁸⁹]{1,3}(?<![mMft][²³]))+$")  # a mark of a note behind a name
_RATIO_OF_UNITS = re.compile(r"[(\[]?[A-Za-zµμΩ°]{1,4}\s?/\s?[A-Za-zµμ]{1,4}\s?[²³\d]?[)\]]?")
_LEAST_UNITS = 2
_LEAST_PARTS = 2  # cells of a second row that stand below one name
_GLUED = re.compile(r"(?P<scale>k|t|m|mn|bn)?(?P<currency>EUR|USD|GBP|CHF|[€$£¥])(?P<behind>k|m|mn|bn)?")


def header_rows(table: Table) -> int:
    """Return how many first rows name the columns: as the reader of the file found, or more or fewer where the cells say so clearly.

    A header of years ("Region | 2022 | 2023") looks like data to a reader, and the lower row of a header in two levels like a first row of text.
    """
    rows, found = table.rows, min(table.header_rows, len(table.rows), _MOST_HEADER_ROWS)
    if found == 0 and len(rows) > 2 and _names_years(rows):
        return 1
    if found == 1 and len(rows) > 2 and (_holds_units(rows[1]) or (len(rows) > 3 and (_continues_header(rows) or _names_parts(rows)))):
        return 2
    if 1 < found < len(rows) and _is_group(rows[found - 1], rows[found - 2]):
        return found - 1
    return found if found < len(rows) else 0


def _is_group(row: Sequence[str], above: Sequence[str]) -> bool:
    """Return whether a row has nothing but its first cell below a row that names every column: it is the heading of the rows below it, no name."""
    return bool(row and row[0].strip()) and not any(cell.strip() for cell in row[1:]) and len(above) == len(row) and all(map(str.strip, above))


def _names_parts(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the second row has only the parts of one name above it: "Accuracy | Time" below "Results | ", and nothing below the others."""
    first, second, third = ([cell.strip() for cell in row] for row in rows[:3])
    filled = [place for place, cell in enumerate(second) if cell]
    if len(filled) < _LEAST_PARTS or filled != list(range(filled[0], filled[-1] + 1)) or filled[0] == 0:
        return False
    over = [*first, *[""] * len(second)][filled[0] : filled[-1] + 1]
    gaps = {place for place, cell in enumerate(first) if not cell}
    is_covered = bool(over[0]) and not any(over[1:]) and gaps <= set(filled)
    return is_covered and _are_filled(third, [0, *filled]) and not any(_is_figure(second[place]) for place in filled)


def _are_filled(row: Sequence[str], places: Sequence[int]) -> bool:
    return all(place < len(row) and row[place] for place in places)


def _holds_units(row: Sequence[str]) -> bool:
    """Return whether a row has nothing but the units of the columns above it: "- | N/mm² | N/mm² | %"."""
    cells = [cell.strip() for cell in row if cell.strip(" -–—.")]
    return len(cells) >= _LEAST_UNITS and all(_RATIO_OF_UNITS.fullmatch(cell) or _parse_unit(cell.strip("()[] ")) for cell in cells)


def _names_years(rows: Sequence[Sequence[str]]) -> bool:
    first = [cell.strip() for cell in rows[0]]
    years = [cell for cell in first if re.fullmatch(r"(?:19|20)\d{2}", cell)]
    below = [cell.strip() for cell in rows[1]]
    return len(years) >= 2 and len(years) + sum(not _is_figure(cell) for cell in first) == len(first) and not any(cell in years for cell in below)


def _continues_header(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether the second row names columns, too: the first leaves gaps or repeats itself, the second is all words, and figures begin below
    it."""
    first, second, third = ([cell.strip() for cell in row] for row in rows[:3])
    if not _has_gaps(first) or not any(second[1:]) or not all(_is_name_or_year(cell) for cell in second):
        return False
    covered = [place for place, cell in enumerate(third) if _is_figure(cell) and not _is_named_alone(first, place)]
    named = [place for place in covered if place < len(second) and second[place]]
    return len(covered) >= 2 and len(named) == len(covered) and len(set(second[1:])) > 1


def _is_named_alone(row: Sequence[str], place: int) -> bool:
    """Return whether a cell is filled and stands once in its row: it needs no name below it."""
    return place < len(row) and row[place] != "" and row.count(row[place]) == 1


def _has_gaps(row: Sequence[str]) -> bool:
    """Return whether a cell behind the first is empty, or a text stands there twice."""
    filled = [cell for cell in row if cell]
    return not all(row[1:]) or len(set(filled)) < len(filled)


def _is_name_or_year(cell: str) -> bool:
    return not _is_figure(cell) or re.fullmatch(r"(?:19|20)\d{2}", cell) is not None


def _is_figure(cell: str) -> bool:
    return bool(cell) and read_figure(cell) is not None


def column_names(table: Table, rows: int) -> list[str]:
    """Return a name for each column, no two alike.

    It is made of the header rows from above joined with " › ", a cell over several columns standing for each of them, without a row that only
    numbers the columns; the caption for the only column without a name, else "column 3".
    """
    width = max((len(row) for row in table.rows), default=0)
    levels = _levels(table, rows, width)
    names = []
    for place in range(width):
        parts = list(dict.fromkeys(_REFERENCE.sub("", level[place]) for level in levels if level[place]))
        names.append(LEVELS.join(parts)[:_LONGEST])
    unnamed = [place for place, name in enumerate(names) if not name]
    caption = " ".join(table.caption.split())
    for place in unnamed:
        alone = len(unnamed) == 1 and place > 0 and 0 < len(caption) <= _CAPTION and caption not in names
        names[place] = caption if alone else f"column {place + 1}"
    return make_distinct(names)


def _levels(table: Table, rows: int, width: int) -> list[list[str]]:
    """Return the texts of the header rows, but for rows that number the columns below others."""
    named = [row for row in range(rows) if rows == 1 or not _numbers_all_columns(table.rows[row])] or list(range(rows))
    return [_level(table, row, width, last=row == named[-1]) for row in named]


def _numbers_all_columns(row: Sequence[str]) -> bool:
    """Return whether a row numbers the columns from the first on; "1 | 2 | 3" below "Lead time (years)" are names."""
    cells = [cell.strip() for cell in row]
    return cells[:1] != [""] and numbers_columns(cells)


def _level(table: Table, row: int, width: int, *, last: bool) -> list[str]:
    """Return the texts of one header row, each over all the columns that it covers."""
    cells = [" ".join(cell.split()) for cell in table.rows[row]]
    cells += [""] * (width - len(cells))
    for top, left, height, breadth in table.spans:
        if top <= row < top + max(1, height) and 0 <= left < width and 0 <= top < len(table.rows) and left < len(table.rows[top]):
            text = " ".join(table.rows[top][left].split())
            for place in range(left, min(width, left + max(1, breadth))):
                cells[place] = cells[place] or text
    return cells if last else _fill_gaps(cells, [" ".join(cell.split()) for cell in table.rows[row + 1]])


def _fill_gaps(cells: list[str], below: Sequence[str]) -> list[str]:
    """Fill gaps in an upper row with the text on their left, if both stand over names of their own."""
    for place in range(1, len(cells)):
        held = place < len(below) and below[place] and below[place - 1]
        if not cells[place] and cells[place - 1] and held:
            cells[place] = cells[place - 1]
    return cells


def make_distinct(names: Sequence[str]) -> list[str]:
    """Return the names, those that were there already with " (2)", " (3)" …"""
    seen: dict[str, int] = {}
    taken = set(names)
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        fresh = name
        while seen[name] > 1 and fresh in taken:
            fresh = f"{name} ({seen[name]})"
            seen[name] += fresh in taken
        taken.add(fresh)
        found.append(fresh)
    return found


def unit_of(name: str) -> str:
    """Return the unit at the end of a column's name ("Revenue (EUR m)" -> "EUR m", "Weight [kg]" -> "kg", "Net price EUR" -> "EUR"); "" for none."""
    last = name.rsplit(LEVELS, 1)[-1].replace("_", " ").strip()
    for match in (_BRACKETED.search(last), _LED.search(last), _SAID.search(last)):
        if match and (unit := _parse_unit(match[1])):
            return unit
    words = last.split()
    if not words:
        return ""
    if "%" in words or last.endswith("%"):
        return "%"
    if len(words) > 1 and (unit := _unit_of_last_word(words[-1])):
        return unit
    if len(words) > 1 and currency_of(words[0]):
        return currency_of(words[0])  # "£ per year"
    return unit_of(name.rsplit(LEVELS, 1)[0]) if LEVELS in name else ""


def table_unit(table: Table, names: Sequence[str]) -> str:
    """Return a currency, or a scale of figures, that the heading of the first column or the end of the caption gives for the whole table ("in
    thousand EUR", "In millions of CHF"); "" for none."""
    found = [_LED.search(names[0])] if names else []
    found += [_BRACKETED.search(table.caption), _SAID_OF_ALL.search(table.caption)]
    for match in found:
        unit = _parse_unit(match[1]) if match else ""
        if unit and (is_currency(unit) or all(find_power(word) for word in unit.split())):
            return unit
    return ""


def _unit_of_last_word(word: str) -> str:
    """Return the unit that a name ends with wherever it may: "Net price EUR", "freight_gbp", "weight kg"."""
    if word.casefold() in COLUMN_ENDINGS:
        return word
    if len(word) == 1:
        return currency_of(word)
    return word.upper() if word.upper() in CURRENCY_CODES and word.casefold() not in CURRENCY_CODES_THAT_ARE_WORDS else ""


def _parse_unit(words: str) -> str:
    """Return words as a unit: "€m" -> "EUR m", "thousands of EUR"; "" where a word is neither currency, scale nor unit."""
    read = []
    for word in re.split(r"\s+(?:of\s+)?|\s*/\s*(?=t\b)", words.strip()):
        glued = _GLUED.fullmatch(word)
        if currency_of(word):
            read.append(currency_of(word))
        elif glued and (glued["scale"] or glued["behind"]):
            read += [currency_of(glued["currency"]), (glued["scale"] or glued["behind"]).replace("t", "k").replace("T", "k")]
        elif find_power(word) or word.casefold() in COLUMN_UNITS:
            read.append("%" if word.casefold() in {"percent", "prozent", "pct"} else word)
        else:
            return ""
    currencies = [word for word in read if word in CURRENCY_CODES or word in "$¥"]
    return " ".join([*currencies, *(word for word in read if word not in currencies)])


def is_currency(unit: str) -> bool:
    """Return whether a unit begins with a currency ("EUR", "EUR m")."""
    return bool(unit) and bool(currency_of(unit.split(maxsplit=1)[0]))
