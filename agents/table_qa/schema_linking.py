"""A question's words matched with one table: the column that is meant, the cells that restrict the rows, and what is left unexplained.

A reading is trusted as far as it explains the question: every word that carries content is a part of the calculation, of a column, a cell, the
table's own names, or an ordinary verb of such questions. A name or a number that nothing explains rules the table out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from agents.table_qa.candidate_tables import LEVEL_SEPARATOR, CandidateTable
from agents.table_qa.heading_spellings import spell_as_headings
from agents.table_qa.heading_words import (
    LONGEST_CELL,
    cells_by_word,
    column_stems,
    holds_all,
    holds_run,
    is_same,
    leaves_only_year,
    stems_of_name,
    tokens_of,
)
from agents.table_qa.named_parts import NamedCells, NamedColumn
from agents.table_qa.table_question import QuestionWord, TableQuestion
from agents.table_qa.table_vocabulary import (
    ABBREVIATIONS,
    ADJECTIVES,
    AGE_WORDS,
    BIRTHS,
    COUNTING,
    CURRENCIES,
    DATE_SUPERLATIVES,
    EMPLOYEE_WORDS,
    GENERIC,
    NUMBERS,
    PEOPLE,
    PEOPLE_NAME_WORDS,
    PRICES,
    SPANS,
    TIME_STEMS,
    UNIT_PRICES,
)
from agents.table_qa.time_parser import Span
from core.language.content_words import stems
from core.language.stems import stem
from core.tables import Column, ColumnType

NUMERIC = frozenset({ColumnType.INTEGER, ColumnType.NUMBER, ColumnType.AMOUNT, ColumnType.PERCENT})
_MOST_CELL_WORDS = 8  # words of a cell that may be named in a question
_MOST_CAPTION_WORDS = 18  # words of a caption that say what the table is
_LEAST_BROKEN_LETTERS = 6  # letters of a word that may stand in two pieces in a heading
_UNNAMED_COLUMN = re.compile(r"column \d+")
_YEARS = 1800, 2200
_YEAR = re.compile(r"(?:1[89]|20)\d\d")
_MOST_TEXTUAL_COLUMNS = 60  # columns whose cells are
_IDENTIFIER = re.compile(
    r"(?:\b(?:id|nr|no|code|ref|reference|sku|ean|iban|zip|postcode|plz|phone|tel|fax|row|rank|position|pos|page|seite|página)\W*$)"
    r"|^(?:\w+\s+)?(?:number|#|id|nummer)\W*$",
    re.I,
)


@dataclass
class TableMatch:
    """One question against one table. `free_places` are the places of its words that nothing has explained yet, `notes` what was taken for granted
    where the question left it open, `doubt` what that takes from the confidence."""

    question: TableQuestion
    candidate: CandidateTable
    free_places: set[int] = field(init=False)
    notes: list[str] = field(default_factory=list)
    doubt: float = 0.0

    def __post_init__(self) -> None:
        spent = [*self.question.request.spans, *(each.span for each in self.question.comparisons)]
        self.free_places = {
            at for at, word in enumerate(self.question.words) if not word.is_plain and not any(span.meets((word.start, word.end)) for span in spent)
        }

    @property
    def words(self) -> tuple[QuestionWord, ...]:
        return self.question.words

    @property
    def columns(self) -> list[Column]:
        return self.candidate.table.columns

    @cached_property
    def name_stems(self) -> list[frozenset[str]]:
        """The words of each column's name without its unit, by their stems."""
        own = [column.model_copy(update={"name": self.candidate.column_name(place)}) for place, column in enumerate(self.columns)]
        return [self._repair_names(column, column_stems(column)) for column in own]

    def _repair_names(self, column: Column, names: frozenset[str]) -> frozenset[str]:
        """A long word of the question that a heading writes in two pieces ("Defi cit", as PDFs break them) or short ("Max Term") in their place."""
        name = column.name.casefold()
        asked = {word.text.casefold(): word.stem for word in self.words}
        shortened = {stem(short): asked[long] for short, long in ABBREVIATIONS.items() if long in asked and stem(short) in names}
        names = frozenset(shortened.get(each, each) for each in names)
        joined = re.sub(r"[\s\u00ad-]+", "", name)
        for word in self.words:
            text = word.text.casefold()
            if len(text) >= _LEAST_BROKEN_LETTERS and text in joined and text not in name:
                names = frozenset(each for each in names if each not in text) | {word.stem}
        return names

    @cached_property
    def _lowest_levels(self) -> list[frozenset[str]]:
        """The lowest level of each column's name, where it tells the column from all others; else the whole name."""
        lasts = [column_stems(column.model_copy(update={"name": column.name.rsplit(LEVEL_SEPARATOR, 1)[-1]})) for column in self.columns]
        return [last if lasts.count(last) == 1 else self.name_stems[place] for place, last in enumerate(lasts)]

    @cached_property
    def context_stems(self) -> frozenset[str]:
        """Words of what the table and its document are called."""
        names = " ".join([re.sub(r"[_\-.]", " ", self.candidate.filename), self.candidate.title, *self._names_of_totals()])
        return self.caption_stems | stems(names)

    def _names_of_totals(self) -> list[str]:
        """What the rows are together parts of: "ODISHA" is the last row below its districts."""
        return [next((cell for cell in row.cells if cell and not cell[0].isdigit()), "") for row in self.candidate.facts.total_rows]

    @cached_property
    def caption_stems(self) -> frozenset[str]:
        """Words of what stands over the table itself; of a caption that is a paragraph only how it begins."""
        over = " ".join([*self.candidate.table.caption.split()[:_MOST_CAPTION_WORDS], *self.candidate.table.section, *self.candidate.titles])
        return stems(over) | stems(over.replace("-", " "))  # "performance-based" is also said in two words

    @cached_property
    def row_name_stems(self) -> frozenset[str]:
        """Words that the rows may be called by: what stands over the table, and the document's name where it has no other table."""
        return self.context_stems if self.candidate.is_only_table else self.caption_stems

    @cached_property
    def names_people(self) -> bool:
        """True if each row is a person's: a column of people's names ("Name", "Employee name", not "Shareholder name"), which measures nothing."""
        measures = set(self.measures())
        return any(names & EMPLOYEE_WORDS and names <= PEOPLE_NAME_WORDS for place, names in enumerate(self.name_stems) if place not in measures)

    def mark_explained(self, places: Iterable[int]) -> None:
        """Mark words as explained: nothing else may explain them."""
        self.free_places -= set(places)

    def places_in(self, span: Span | None) -> list[int]:
        """Return the places of the words in a span of the question."""
        return [at for at, word in enumerate(self.words) if span is not None and span.meets((word.start, word.end))]

    # -- columns ---------------------------------------------------------------------------------------------------------------------

    def find_named(self, among: Iterable[int], within: Sequence[int] | None = None) -> list[NamedColumn]:
        """Return the columns that the free words (or those `within`) name best; several where they fit equally well, [] where none is named."""
        found = [named for place in among if (named := self._match_name(place, within)) is not None]
        best = max((each.fit for each in found), default=None)
        chosen = [each for each in found if each.fit == best]
        if len(chosen) > 1:  # what stands in brackets tells them apart: "Share (1996)", "Share (1997)"
            chosen = self._tell_apart(chosen)
            if len(chosen) == 1:
                return [self._complete_share(chosen[0])]
        if len(chosen) == 1 and chosen[0].share < 1 and (rivals := self._rivals(chosen[0], among)):
            return [*chosen, *rivals]
        # What the table is called completes several names alike: none of them is meant more than the others.
        is_implied = bool(chosen) and all(each.implied and each.share < 1 for each in chosen)
        return _completed_alike(found, chosen[0]) if is_implied else chosen

    def _rivals(self, named: NamedColumn, among: Iterable[int]) -> list[NamedColumn]:
        """Other columns whose names hold the same word where that is less than the whole name of each: "cost" of "Indirect costs", "Total costs"."""
        said = {stem for at in named.places for stem in self.stems_at(at)} & self.name_stems[named.place]
        others = [place for place in among if place != named.place and said <= self.name_stems[place]]
        return [NamedColumn(place, self.columns[place], 0.0, named.places, implied=False) for place in others]

    def _complete_share(self, named: NamedColumn) -> NamedColumn:
        """A word that all the columns have which share what is named need not be said: it tells none of them from another."""
        said = {stem for at in named.places for stem in self.stems_at(at)}
        rivals = [names for names in self.name_stems if names & said]
        return replace(named, implied=named.implied or (len(rivals) > 1 and self.name_stems[named.place] - said <= frozenset.intersection(*rivals)))

    def _tell_apart(self, found: list[NamedColumn]) -> list[NamedColumn]:
        words = {each.place: stems_of_name(each.column.name) - self.name_stems[each.place] for each in found}
        more = {place: [at for at in sorted(self.free_places) if self.words[at].stem in wanted] for place, wanted in words.items()}
        most = max(map(len, more.values()))
        best = [each for each in found if len(more[each.place]) == most]
        return [replace(best[0], places=tuple(sorted({*best[0].places, *more[best[0].place]})))] if len(best) == 1 else found

    def _match_name(self, place: int, within: Sequence[int] | None) -> NamedColumn | None:
        wanted = self.name_stems[place]
        pool = sorted(self.free_places) if within is None else within
        hits = {stem: at for at in pool for stem in self.stems_at(at) if stem in wanted}
        # "total assets" names the column "Total assets", though "total" may also be what is computed; what counts needs no word of its own.
        left = wanted - hits.keys() - self.computing_stems - (NUMBERS if hits else frozenset())
        share = 1.0 if hits and not left else len(hits) / len(wanted)
        # What the table is called need not be said again: in "Budget 2026.xlsx" the column "Budget 2026" is the budget.
        # Nor need the time of a heading be: "Actual Jan to Sep" is what is actual.
        implied = any(names - known <= hits.keys() for names, known in self._sayings_of(place)) and not self._names_other_years(wanted, hits.keys())
        if not hits or (share < 0.33 and not implied):
            return None
        quarters = {at for at in pool if set(self.stems_at(at)[1:]) & wanted}
        return NamedColumn(place, self.columns[place], share, tuple(sorted({*hits.values(), *quarters})), implied)

    def _names_other_years(self, wanted: Set[str], said: Set[str]) -> bool:
        """Return whether a heading is a span of years, of which only one is named: "2001-2011" is not the figure "in 2011"."""
        return len(wanted) > 1 and all(_YEAR.fullmatch(each) for each in wanted) and not wanted <= said

    def _sayings_of(self, place: int) -> list[tuple[Set[str], Set[str]]]:
        """What may be said of a column's name, and what of it need not be."""
        wanted = self.name_stems[place]
        doer = wanted & {name for spelled in self._spellings for name in spelled if name.endswith(("er", "or"))}
        return [
            (wanted, self.context_stems),
            (wanted, TIME_STEMS),
            (self._lowest_levels[place], frozenset()),
            *([(doer, frozenset())] if doer else []),
        ]

    def stems_at(self, at: int) -> tuple[str, ...]:
        """The word's stem, and what else it may be written as in a heading."""
        return self._spellings[at]

    @cached_property
    def _spellings(self) -> list[tuple[str, ...]]:
        return spell_as_headings(self.words, self.columns, asks_who=self.question.asks_who)

    @cached_property
    def computing_stems(self) -> frozenset[str]:
        """Words of the question that say what is computed."""
        return frozenset(word.stem for word in self.words if any(span.meets((word.start, word.end)) for span in self.question.request.spans))

    def find_basic(self, places: Sequence[int]) -> list[int]:
        """Return the column whose name is a part of all the others' names ("Amount" beside "Reimbursement amount"); else all."""
        found = [place for place in places if all(self.name_stems[place] <= self.name_stems[other] for other in places)]
        return found if len(found) == 1 else list(places)

    def counting_columns(self) -> list[int]:
        """Return columns that are only called a number or a total ("Total (n)"): they count what the table is about."""
        whole = [place for place in self.measures() if self.columns[place].type is ColumnType.INTEGER]
        return [place for place in whole if self.name_stems[place] <= COUNTING]

    def measures(self) -> list[int]:
        """Return columns of figures that can be added up or compared: no identifiers, no years."""
        return [place for place, column in enumerate(self.columns) if column.type in NUMERIC and not self._is_identifier(place)]

    def columns_of_type(self, *types: ColumnType) -> list[int]:
        """Return the columns of one of the types."""
        return [place for place, column in enumerate(self.columns) if column.type in types]

    def _is_identifier(self, place: int) -> bool:
        column = self.columns[place]
        if column.type is not ColumnType.INTEGER or column.unit:
            return False
        if place == 0 and self._is_key(place):
            return True
        if re.search(r"\b(?:year|jahr)\W*$", column.name, re.I) and (self.candidate.facts.columns[place].high or 0) <= _YEARS[1]:
            return True  # "Expected full year" is a year's figure
        return (bool(_IDENTIFIER.search(column.name)) and not re.search(r"\bnumber\s+of\b", column.name, re.I)) or self.holds_years(place)

    def _is_key(self, place: int) -> bool:
        """A first column of whole numbers that only rise or only fall tells the rows apart, it measures nothing."""
        return len(self.columns) > 1 and self.candidate.facts.columns[place].is_monotonic

    def tells_rows_apart(self, place: int) -> bool:
        """Return whether no two rows have the same cell there; of no column (a place below 0) they have none."""
        return place >= 0 and self.candidate.facts.tells_rows_apart(place)

    def is_unnamed(self, place: int) -> bool:
        """Return whether nothing names the column: its header was not found, and the first row may be it."""
        return _UNNAMED_COLUMN.fullmatch(self.columns[place].name) is not None

    def holds_years(self, place: int) -> bool:
        """Return whether a column holds whole numbers that are all years, under a name that is not itself a measure's."""
        unnamed = place == 0 and re.fullmatch(r"column 1", self.columns[place].name)
        named = unnamed or re.search(r"\byear|jahr|année|\baño|\banno\b|fy\b|period", self.columns[place].name, re.I)
        if self.columns[place].type is not ColumnType.INTEGER or not named or not self.candidate.facts.rows:
            return False
        facts = self.candidate.facts.columns[place]
        return facts.low is None or facts.high is None or (facts.low >= _YEARS[0] and facts.high <= _YEARS[1])

    def columns_in_unit(self, among: Sequence[int]) -> list[int]:
        """Return columns whose unit the question says ("in EUR", "how many kilos" does not count)."""
        said = {self.words[at].text.casefold() for at in range(len(self.words))}
        said |= {CURRENCIES[word] for word in said if word in CURRENCIES}
        return [place for place in among if self.columns[place].unit and self.columns[place].unit.split()[0].casefold() in said]

    def columns_suited_to(self, extreme: str) -> list[int]:
        """Return columns that an adjective speaks of ("most expensive": prices), by their names; dates for "latest"."""
        if extreme in {"oldest", "youngest"}:
            return self._columns_of_ages()
        if extreme in DATE_SUPERLATIVES:
            return self.columns_of_type(ColumnType.DATE)
        wanted = {stem(word) for word in ADJECTIVES.get(extreme.rsplit(maxsplit=1)[-1] if extreme else "", "").split()}
        named = [place for place in self.measures() if self.name_stems[place] & wanted or self.columns[place].unit.casefold() in wanted]
        return named or (self.money_columns() if wanted & PRICES else [])

    def _columns_of_ages(self) -> list[int]:
        """Ages, else dates: of people only those of their births."""
        ages = [place for place in self.measures() if self.name_stems[place] & AGE_WORDS]
        of_people = self.question.asks_who or any(word.stem in PEOPLE for word in self.words)
        births = [place for place in self.columns_of_type(ColumnType.DATE) if not of_people or self.name_stems[place] & BIRTHS]
        return ages or births

    def money_columns(self) -> list[int]:
        """Return the column of money, where there is one alone beside prices of a piece."""
        found = [place for place in self.measures() if self.columns[place].type is ColumnType.AMOUNT]
        found = found if len(found) == 1 else [place for place in found if not self.name_stems[place] & UNIT_PRICES]
        return found if len(found) == 1 else []

    # -- cells -----------------------------------------------------------------------------------------------------------------------

    def find_cells(self) -> list[NamedCells]:
        """Return the cells that the question names, the longest first, each word once; a word may name cells of several columns (then all are
        given)."""
        texts = [word.text.casefold() for word in self.words]
        found = [each for place in self._textual_columns() for each in self._find_cells_of(place, texts)]
        found.sort(key=lambda each: (-len(each.places), not each.is_exact))
        kept: list[NamedCells] = []
        for each in found:
            rivals = [other for other in kept if set(other.places) & set(each.places)]
            if all(other.places == each.places and other.is_exact == each.is_exact and other.place != each.place for other in rivals):
                kept.append(each)
        return kept

    def _textual_columns(self) -> list[int]:
        return [place for place, column in enumerate(self.columns) if column.type in {ColumnType.TEXT, ColumnType.INTEGER}][:_MOST_TEXTUAL_COLUMNS]

    def _find_cells_of(self, place: int, texts: Sequence[str]) -> Iterator[NamedCells]:
        known: dict[tuple[str, ...], set[str]] = {}
        for cell in self.candidate.facts.columns[place].texts:
            if len(cell) <= LONGEST_CELL and self._opening_pattern.search(cell):
                known.setdefault(tokens_of(cell), set()).add(cell)
        asked = set(texts) | {stem(text) for text in texts}
        short = {tokens: cells for tokens, cells in known.items() if 0 < len(tokens) <= _MOST_CELL_WORDS}
        for tokens, cells in short.items():
            if tokens[0] in asked or stem(tokens[0]) in asked:
                yield from self._find_exact_cells(place, tokens, cells, texts)
        yield from self._find_cells_with_phrase(place, known, texts)
        yield from self._find_cells_with_name(place, cells_by_word(known, asked), texts)

    def _find_cells_with_phrase(self, place: int, known: Mapping[tuple[str, ...], set[str]], texts: Sequence[str]) -> Iterator[NamedCells]:
        for places in self._list_phrases():
            said = tuple(stem(texts[at]) for at in places)
            holds = holds_all if all(self.words[at].is_name for at in places) else holds_run
            if held := frozenset(cell for tokens, cells in known.items() if holds(tokens, said) for cell in cells):
                yield NamedCells(place, held, self.question.text[self.words[places[0]].start : self.words[places[-1]].end], places, is_exact=False)

    def _find_cells_with_name(self, place: int, cells: Mapping[str, set[str]], texts: Sequence[str]) -> Iterator[NamedCells]:
        for at in sorted(self.free_places):
            text, word = texts[at], self.words[at]
            is_name = len(text) > 2 and text not in self._usual_stems and not text.isdigit() and word.stem not in SPANS
            if is_name and text in cells:
                yield NamedCells(place, frozenset(cells[text]), word.text, (at,), is_exact=leaves_only_year(text, cells[text]))

    def _list_phrases(self) -> list[tuple[int, ...]]:
        """Free words that stand side by side, of which a longer cell may hold all: "child neglect"; of names also three."""
        free = [at for at in sorted(self.free_places) if not self.words[at].text.isdigit()]
        pairs = [(one, other) for one, other in pairwise(free) if self.words[one].end + 1 == self.words[other].start]
        names = [pair for pair in pairs if all(self.words[at].is_name for at in pair)]
        return [*((*one, other[1]) for one, other in pairwise(names) if one[1] == other[0]), *pairs]

    @cached_property
    def _opening_pattern(self) -> re.Pattern[str]:
        """How the words of the question begin: of a long column only cells that hold one of them are looked at closely."""
        return re.compile("|".join(sorted({re.escape(word.text[:4]) for word in self.words})) or "(?!)", re.I)

    @cached_property
    def _usual_stems(self) -> frozenset[str]:
        """Words that name columns or the table, or that such questions use anyway: a cell that only holds one of them is not meant."""
        stemmed = self.context_stems | GENERIC | frozenset(name for names in self.name_stems for name in names)
        return frozenset(word.text.casefold() for word in self.words if word.stem in stemmed)

    def _find_exact_cells(self, place: int, tokens: tuple[str, ...], cells: set[str], texts: Sequence[str]) -> Iterator[NamedCells]:
        for at in range(len(texts) - len(tokens) + 1):
            places = tuple(range(at, at + len(tokens)))
            if not any(each in self.free_places for each in places) or not all(
                is_same(texts[each], token) for each, token in zip(places, tokens, strict=True)
            ):
                continue
            if self._is_meant(place, places, tokens):
                first, last = self.words[places[0]], self.words[places[-1]]
                yield NamedCells(place, frozenset(cells), self.question.text[first.start : last.end], places, is_exact=True)

    def _is_meant(self, place: int, places: tuple[int, ...], tokens: tuple[str, ...]) -> bool:
        """Bare figures and single letters are cells only behind their column's name, or in a column of years."""
        if len(tokens) > 1 or (len(tokens[0]) > 1 and not tokens[0].isdigit()):
            return self.columns[place].type is ColumnType.TEXT
        if any(place in self.places_in(time.span) for time in self.question.times for place in places):
            return False
        before = [self.words[at].stem for at in range(max(0, places[0] - 2), places[0])]
        return bool(set(before) & self.name_stems[place]) or (self.holds_years(place) and tokens[0].isdigit())


def _completed_alike(found: Sequence[NamedColumn], one: NamedColumn) -> list[NamedColumn]:
    return [each for each in found if each.implied and len(each.places) == len(one.places)]
