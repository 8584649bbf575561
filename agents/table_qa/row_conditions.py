"""Conditions that restrict the rows: cells that the question names, comparisons with numbers, times, and yes-or-no columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from agents.table_qa.named_parts import NamedCells
from agents.table_qa.operations import Operation, is_spending
from agents.table_qa.schema_linking import NUMERIC, TableMatch
from agents.table_qa.table_question import NumberComparison, number_in
from agents.table_qa.table_vocabulary import COUNTING
from agents.table_qa.time_parser import NamedTime, Span
from core.language.content_words import stems
from core.language.numbers import find_power
from core.table_queries import CellIs, DayWithin, TableCondition, TruthIs, ValueWithin
from core.tables import ColumnType

_NEGATED = re.compile(r"\b(?:not|n['’]t|never|non|un|kein\w*|nicht)\b[\s-]*(?:yet\s+)?(?:from|in|by|for|at|to|the)?\s*$", re.I)
# "after Elver College" asks for another row than Elver College's.
_NEIGHBOUR_WORDS = re.compile(
    r"\b(?:after|before|behind|following|below|beside|next\s+to|previous\s+to|prior\s+to|than|nach|vor|hinter|unter)\s+(?:the\s+)?$", re.I
)
_NOT_BOOLEAN = re.compile(r"(?:\b(?:not|n['’]t|never|nicht)\s+(?:yet\s+)?(?:been\s+)?|\bun)$", re.I)
_ORIGIN = {
    "from": frozenset("origin from sender source start departure supplier vendor".split()),
    "to": frozenset("destination to receiver target recipient end arrival customer".split()),
}
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
FIRST_DAY_DOUBT = 0.08  # what is taken from the confidence where one of several days is meant
_EXCEEDS = re.compile(r"^exceed(?:s|ed|ing)?\b", re.I)
_EQUALS = re.compile(r"\s*(?:(?:of|is|was|at|von|ist|=|:)\s*)?", re.I)  # between a column's name and the figure that its cell is
_NEAR_BEFORE, _NEAR_BEHIND = 40, 30  # characters around a comparison in which its column is named


class AmbiguousQuestion(Exception):
    """The question fits the table in two ways; the message says which."""


class UnfitTable(Exception):
    """The table does not hold what the question asks."""


@dataclass(frozen=True, slots=True)
class RowCondition:
    """`words` say it as a person reads it ("“Region” is “North”"); `place` is its column, `named` how many texts of it the question names, `several`
    whether one thing is named ("the crane") and several different cells hold its word ("Overhead crane C1", "Overhead crane C2"), `order` the cells
    as the question names them, where each is one, `phrase` whether the only cell is meant that holds several words side by side."""

    place: int
    words: str
    where: TableCondition
    exact: bool = True
    named: int = 1
    several: bool = False
    order: tuple[str, ...] = ()
    phrase: bool = False


def cell_conditions(matching: TableMatch, cells: Sequence[NamedCells]) -> list[RowCondition]:
    """Restrict rows by the cells that are named. Cells of one column are alternatives, those of different columns hold together. Raises
    AmbiguousQuestion where a text stands in two columns."""
    chosen: dict[int, list[NamedCells]] = {}
    last: NamedCells | None = None
    for places in sorted(dict.fromkeys(each.places for each in cells)):
        rivals = [each for each in cells if each.places == places]
        one = last = _choose_neighbour(matching, rivals, last) or _choose_column(matching, rivals)
        before = matching.question.text[: matching.words[places[0]].start]
        compares = matching.question.operation is Operation.DIFFERENCE or matching.question.request.of_two
        if _NEGATED.search(before) or (_NEIGHBOUR_WORDS.search(before) and not compares):
            raise UnfitTable
        chosen.setdefault(one.place, []).append(one)
        matching.mark_explained(one.places)
    return [_cells_condition(matching, place, found) for place, found in chosen.items()]


def _choose_neighbour(matching: TableMatch, rivals: list[NamedCells], last: NamedCells | None) -> NamedCells | None:
    """The cell of the same column as the one before, where "and" or "or" joins the two: "from Bilbao and Oslo"."""
    if last is None:
        return None
    between = matching.question.text[matching.words[last.places[-1]].end : matching.words[rivals[0].places[0]].start]
    joined = re.fullmatch(r"\s*(?:,|and|or|und|oder|,\s*and|,\s*or)\s*(?:from|to|in)?\s*", between)
    return next((each for each in rivals if each.place == last.place), None) if joined else None


def _choose_column(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells:
    """Return the cells that are meant where words name cells of several columns. Raises AmbiguousQuestion."""
    if len(rivals) == 1:
        return rivals[0]
    for choose in (_choose_by_name, _choose_by_word_before, _choose_key, _choose_same_rows):
        if (chosen := choose(matching, rivals)) is not None:
            return chosen
    matching.mark_explained(rivals[0].places)
    columns = " and ".join(f"“{matching.candidate.column_name(each.place)}”" for each in rivals)
    raise AmbiguousQuestion(f"“{rivals[0].words}” stands in the columns {columns}: say which is meant.")


def _choose_by_name(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    """Those of the column that is named; "Who does Ann report to?" asks for what stands in the column that the verb names."""
    named = matching.find_named([each.place for each in rivals], within=range(len(matching.words)))
    if len(named) == 1 and not matching.question.asks_of_subject:
        return next(each for each in rivals if each.place == named[0].place)
    others = [each for each in rivals if named and each.place != named[0].place]
    return others[0] if len(others) == 1 else None


def _choose_by_word_before(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    """ "From Bilbao": of the column of origins."""
    first = rivals[0].places[0]
    lead = matching.words[first - 1].text.casefold() if first else ""
    led = [each for each in rivals if matching.name_stems[each.place] & _ORIGIN.get(lead, frozenset())]
    return led[0] if len(led) == 1 else None


def _choose_key(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    """The extension of a person is that of the row that is the person's."""
    if matching.question.operation is not Operation.LOOKUP:
        return None
    keys = [each for each in rivals if matching.tells_rows_apart(each.place)]
    return keys[0] if len(keys) == 1 else None


def _choose_same_rows(matching: TableMatch, rivals: list[NamedCells]) -> NamedCells | None:
    return rivals[0] if len({_rows_of(matching, each) for each in rivals}) == 1 else None


def _rows_of(matching: TableMatch, cells: NamedCells) -> tuple[int, int]:
    """Equal for two texts that the same rows have."""
    same = [matching.candidate.facts.columns[cells.place].texts[text] for text in cells.texts]
    return sum(each.rows for each in same), sum(each.rows_checksum for each in same)


def _cells_condition(matching: TableMatch, place: int, found: Sequence[NamedCells]) -> RowCondition:
    texts = frozenset(text for each in found for text in each.texts)
    exact = all(each.is_exact for each in found)
    named = len({each.words.casefold() for each in found})
    order = tuple(dict.fromkeys(next(iter(each.texts)) for each in found if len(each.texts) == 1))
    words = _describe_cells(matching, place, found, exact=exact)
    if exact:
        return RowCondition(place, words, CellIs(place, texts), exact, named, several=False, order=order, phrase=False)
    singular = not any(matching.words[each.places[-1]].text.casefold().endswith("s") for each in found)
    phrase = len(texts) == 1 and all(len(each.places) > 1 for each in found)
    return RowCondition(place, words, CellIs(place, texts), exact, named, several=singular and len(texts) > len(found), order=order, phrase=phrase)


def _describe_cells(matching: TableMatch, place: int, found: Sequence[NamedCells], *, exact: bool) -> str:
    shown = " or ".join(dict.fromkeys(f"“{min(each.texts) if each.is_exact else each.words}”" for each in found))
    called = "the row" if matching.is_unnamed(place) else f"“{matching.candidate.column_name(place)}”"
    return f"{called} {'is' if exact else 'holds'} {shown}"


def comparison_conditions(matching: TableMatch, target: int | None) -> list[RowCondition]:
    """Restrict rows by comparisons with numbers. Raises AmbiguousQuestion where several columns could be compared with the number, UnfitTable where
    none can."""
    return [_comparison_condition(matching, each, target) for each in matching.question.comparisons]


def _comparison_condition(matching: TableMatch, comparison: NumberComparison, target: int | None) -> RowCondition:
    place = _column_of(matching, comparison, target)
    column = matching.columns[place]
    factor = 10.0 ** next((power for word in column.unit.split() if (power := find_power(word))), 0)
    factor = factor if comparison.currency or _largest(comparison) >= factor else 1.0
    low, high = (bound / factor if bound is not None else None for bound in (comparison.low, comparison.high))
    said = _EXCEEDS.sub("above", matching.question.text[comparison.span.start : comparison.span.end].strip())
    unit = f" {comparison.currency}" if comparison.currency and comparison.currency not in said else ""
    words = f"“{matching.candidate.column_name(place)}” is {said}{unit}"
    return RowCondition(place, words, ValueWithin(place, low, high, comparison.open_low, comparison.open_high))


def _largest(comparison: NumberComparison) -> float:
    return max(abs(each) for each in (comparison.low, comparison.high) if each is not None)


def _column_of(matching: TableMatch, comparison: NumberComparison, target: int | None) -> int:
    """Return the column whose figures are compared: the named one, else that of the unit, else the only one that it can be."""
    measures, start, end = matching.measures(), comparison.span.start, comparison.span.end
    near = matching.places_in(Span(start - _NEAR_BEFORE, start)) + matching.places_in(Span(end, end + _NEAR_BEHIND))
    named = matching.find_named(measures, within=[at for at in near if at in matching.free_places])
    if len(named) == 1:
        matching.mark_explained(named[0].places)
        return named[0].place
    word_behind = matching.places_in(Span(end, end + 12))[:1]
    fitting = _columns_of_unit(matching, comparison, word_behind) or _likely_columns(matching, target)
    if len(fitting) == 1:
        matching.mark_explained(word_behind)
        return fitting[0]
    if target is not None and target in fitting:
        return target
    if not fitting:
        raise UnfitTable
    names = ", ".join(f"“{matching.candidate.column_name(place)}”" for place in fitting[:4])
    raise AmbiguousQuestion(f"Several columns hold figures that could be meant ({names}): say which.")


def _columns_of_unit(matching: TableMatch, comparison: NumberComparison, word_behind: Sequence[int]) -> list[int]:
    """Return the columns in the currency of the comparison, or in the unit behind it. Raises UnfitTable where none is of the currency."""
    measures = matching.measures()
    if comparison.currency:
        money = [place for place in measures if _is_money(matching, place, comparison.currency)]
        money = money or [place for place in matching.columns_suited_to("much") if not matching.columns[place].unit]
        if not money:
            raise UnfitTable
        return money
    behind = {matching.words[at].text.casefold().rstrip("s") for at in word_behind}
    return [place for place in measures if behind & {word.rstrip("s") for word in matching.columns[place].unit.casefold().split()}]


def _likely_columns(matching: TableMatch, target: int | None) -> list[int]:
    measures = matching.measures()
    if target is not None and target in measures:
        return [target]
    return (matching.money_columns() if is_spending(matching.question.text) else []) or measures


def _is_money(matching: TableMatch, place: int, currency: str) -> bool:
    unit = matching.columns[place].unit.split()
    return bool(unit) and (unit[0] == currency or {unit[0], currency} <= {"$", "USD", "CAD", "AUD"})


def time_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by the times that neither a cell nor a column's name explains. Raises AmbiguousQuestion for several columns of dates,
    UnfitTable for none."""
    found = []
    for time in matching.question.times:
        places = [at for at in matching.places_in(time.span) if not matching.words[at].is_plain and not _is_lead(matching.words[at].text)]
        if not any(at in matching.free_places for at in places):
            continue
        condition = _time_condition(matching, time, places)
        matching.mark_explained(places)
        found += [condition] if condition is not None else []
    return found


def _is_lead(word: str) -> bool:
    return word.casefold() in {"before", "until", "till", "since", "after", "between", "during", "through", "quarter", "half", "end"}


def _time_condition(matching: TableMatch, time: NamedTime, places: Sequence[int]) -> RowCondition | None:
    """None where the table's own name says the time."""
    dated = _find_dated_columns(matching, places)
    if len(dated) > 1:  # the first one is the day of the thing itself, others are promised, due, delivered or paid
        others = ", ".join(f"“{matching.candidate.column_name(place)}”" for place in dated[1:])
        matching.notes.append(f"The time is taken by “{matching.candidate.column_name(dated[0])}”; other days of the table are {others}.")
        matching.doubt += FIRST_DAY_DOUBT
    if dated:
        within = DayWithin(dated[0], time.first_day, time.last_day, time.months)
        return RowCondition(dated[0], f"“{matching.candidate.column_name(dated[0])}” is {time.words}", within)
    years = [place for place in range(len(matching.columns)) if matching.holds_years(place)]
    time = _year_of(matching, time, places)
    if len(years) == 1 and _is_of_whole_years(time):
        return RowCondition(years[0], f"“{matching.candidate.column_name(years[0])}” is {time.words}", _years(years[0], time))
    said = ({matching.words[at].stem, matching.words[at].text.casefold()} for at in places)
    if all(words & matching.context_stems for words in said) and not _is_of_another_year(matching, time):
        return None
    raise UnfitTable


def _find_dated_columns(matching: TableMatch, places: Sequence[int]) -> list[int]:
    """The columns of days; of several those that are named."""
    dated = matching.columns_of_type(ColumnType.DATE)
    if len(dated) < 2:
        return dated
    named = matching.find_named(dated, within=sorted(matching.free_places | set(places)))
    matching.mark_explained(at for each in named for at in each.places)
    return [each.place for each in named] or dated


def _is_of_whole_years(time: NamedTime) -> bool:
    begins, ends = not time.first_day or time.first_day.endswith("01-01"), not time.last_day or time.last_day.endswith("12-31")
    return not time.months and begins and ends


def _is_of_another_year(matching: TableMatch, time: NamedTime) -> bool:
    """Return whether the caption names other years than are asked for, though the document is called after these."""
    years = set(_YEAR.findall(matching.candidate.table.caption))
    return bool(years) and years.isdisjoint({time.first_day[:4], time.last_day[:4]})


def _year_of(matching: TableMatch, time: NamedTime, places: Sequence[int]) -> NamedTime:
    """The year alone, where a column is the quarter or month that stands before it ("the third quarter of 2006" over "Q3")."""
    year = time.first_day[:4]
    if not year or year != time.last_day[:4] or all(at in matching.free_places for at in places):
        return time
    return replace(time, words=f"in {year}", first_day=f"{year}-01-01", last_day=f"{year}-12-31")


def _years(place: int, time: NamedTime) -> ValueWithin:
    first, last = (float(day[:4]) if day else None for day in (time.first_day, time.last_day))
    return ValueWithin(place, first, last)


def number_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by numbers in front of what a column of figures is called: "12 pallets"."""
    found = []
    for at in sorted(matching.free_places):
        word = matching.words[at]
        number = number_in(word.text) if word.text[0].isdigit() else None
        is_time = any(time.span.meets((word.start, word.end)) for time in matching.question.times)
        if number is None or is_time or at + 1 not in matching.free_places:
            continue
        noun = matching.words[at + 1].stem
        places = [place for place in matching.measures() if noun in matching.name_stems[place] - COUNTING]
        if len(places) == 1:
            name = matching.candidate.column_name(places[0])
            found.append(RowCondition(places[0], f"“{name}” is {word.text}", ValueWithin(places[0], number, number)))
            matching.mark_explained([at, at + 1])
    return found


def value_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by numbers behind what a column of figures is called: "at a dose of 10 g" over "Dose (g)"."""
    found = []
    for at in sorted(matching.free_places):
        word = matching.words[at]
        number = number_in(word.text) if word.text[0].isdigit() else None
        if number is None or any(time.span.meets((word.start, word.end)) for time in matching.question.times):
            continue
        run = _run_before(matching, at)
        named = matching.find_named(matching.columns_of_type(*NUMERIC), within=run) if run else []
        if len(named) == 1 and run[-1] in named[0].places:
            column = named[0].place
            found.append(RowCondition(column, f"“{matching.candidate.column_name(column)}” is {word.text}", ValueWithin(column, number, number)))
            matching.mark_explained([at, *named[0].places, *_unit_behind(matching, at, named[0].place)])
    return found


def explain_units(matching: TableMatch, cells: Sequence[NamedCells]) -> None:
    """Mark as explained the units behind the cells that the question names."""
    for each in cells:
        matching.mark_explained(_unit_behind(matching, each.places[-1], each.place))


def _unit_behind(matching: TableMatch, at: int, place: int) -> list[int]:
    """The word behind a figure where it is the unit of its column: "10 g"."""
    if at + 1 not in matching.free_places:
        return []
    said, column = matching.words[at + 1].text.casefold(), matching.columns[place]
    return [at + 1] if said == column.unit.casefold() or re.search(rf"[(\[]{re.escape(said)}[)\]]", column.name.casefold()) else []


def _run_before(matching: TableMatch, at: int) -> list[int]:
    """The free words that stand together in front of a number, with "of", "is" or "=" between it and them."""
    run: list[int] = []
    start = matching.words[at].start
    for place in range(at - 1, -1, -1):
        word = matching.words[place]
        if run and (matching.question.text[word.end : start].strip() or place not in matching.free_places):
            break
        if place in matching.free_places:
            if not _EQUALS.fullmatch(matching.question.text[word.end : start]):
                break
            run.insert(0, place)
            start = word.start
        elif not word.is_plain:
            break
    return run


def boolean_conditions(matching: TableMatch) -> list[RowCondition]:
    """Restrict rows by yes-or-no columns that the question names: "paid", "not paid", "unpaid"."""
    found = []
    for place in matching.columns_of_type(ColumnType.BOOLEAN):
        others = (names for other, names in enumerate(matching.name_stems) if other != place)
        wanted = matching.name_stems[place].difference(*others)  # a word that several columns have names none of them
        for at in sorted(matching.free_places):
            word = matching.words[at]
            negated = word.text.casefold().startswith("un") and bool(stems(word.text[2:]) & wanted)
            if word.stem in wanted or negated:
                says = not (negated or _NOT_BOOLEAN.search(matching.question.text[: word.start]))
                name = matching.candidate.column_name(place)
                found.append(RowCondition(place, f"“{name}” is {'yes' if says else 'no'}", TruthIs(place, says)))
                matching.mark_explained([at])
                break
    return found
