"""A question's words matched with one table: the column that is meant, the cells that restrict the rows, and what is left unexplained.

A reading is trusted as far as it explains the question: every word that carries content is a part of the calculation, of a column, a cell, the
table's own names, or an ordinary verb of such questions. A name or a number that nothing explains rules the table out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from agents.table_qa.hands import LEVELS, TableInHand
from agents.table_qa.headings import CELL, is_same, name_stems, stemmed, tokens_of
from agents.table_qa.question import Asked, Word
from agents.table_qa.times import ORDINALS, Span
from agents.table_qa.words import (
    ADJECTIVES,
    BIRTHS,
    COUNTING,
    CURRENCIES,
    DATED,
    GENERIC,
    NUMBERS,
    OF_PEOPLE,
    OLD,
    PEOPLE,
    PRICES,
    SHORTENED,
    SPANS,
    WHO,
)
from core.tables import Column, ColumnType
from core.wording import stem, stems

NUMERIC = frozenset({ColumnType.INTEGER, ColumnType.NUMBER, ColumnType.AMOUNT, ColumnType.PERCENT})
_RESTRICTING = re.compile(r"\b(?:of|for|from|in|at|by|to|with|on|among|per|inside|within)\s+(?:(?:the|a|an|our|my|all|their|its)\s+)?$", re.I)
_LONG = 8  # words of a cell that may be named in a question
_NAMING = 18  # words of a caption that say what the table is
_BROKEN = 6  # letters of a word that may stand in two pieces in a heading
_UNNAMED = re.compile(r"column \d+")
_YEARS = 1800, 2200
_TEXTUAL = 60  # columns whose cells are
_IDENTIFIER = re.compile(
    r"(?:\b(?:id|nr|no|code|ref|reference|sku|ean|iban|zip|postcode|plz|phone|tel|fax|year|jahr|row|rank|position|pos)\W*$)"
    r"|^(?:\w+\s+)?(?:number|#|id|nummer)\W*$",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Named:
    """A column as the question names it: the share of its name that is named (1: all of it) by the words at `places`; `implied`: what
    is not named of it is what the table is called."""

    place: int
    column: Column
    share: float
    places: tuple[int, ...]
    implied: bool = False


@dataclass(frozen=True, slots=True)
class Cells:
    """A text of the question that cells of a column are (or, not `exact`, hold): `texts` are the cells."""

    place: int
    texts: frozenset[str]
    words: str
    places: tuple[int, ...]
    exact: bool


def _holds_run(tokens: tuple[str, ...], said: tuple[str, ...]) -> bool:
    """Return whether a longer cell holds the words one behind the other."""
    found = tuple(stem(token) for token in tokens) if len(tokens) > len(said) else ()
    return any(found[at : at + len(said)] == said for at in range(len(found) - len(said) + 1))


@dataclass
class Matching:
    """One question against one table. `free` are the places of its words that nothing has explained yet, `notes` what was taken for granted
    where the question left it open, `doubt` what that takes from the confidence."""

    asked: Asked
    hand: TableInHand
    free: set[int] = field(init=False)
    notes: list[str] = field(default_factory=list)
    doubt: float = 0.0

    def __post_init__(self) -> None:
        spent = [*self.asked.asks.used, *(each.at for each in self.asked.comparisons)]
        self.free = {
            at for at, word in enumerate(self.asked.words) if not word.plain and not any(span.meets((word.start, word.end)) for span in spent)
        }

    @property
    def words(self) -> tuple[Word, ...]:
        return self.asked.words

    @property
    def columns(self) -> list[Column]:
        return self.hand.table.columns

    @cached_property
    def names(self) -> list[frozenset[str]]:
        """The words of each column's name without its unit, by their stems."""
        own = [column.model_copy(update={"name": self.hand.name_of(place)}) for place, column in enumerate(self.columns)]
        return [self._mended(column, name_stems(column)) for column in own]

    def _mended(self, column: Column, names: frozenset[str]) -> frozenset[str]:
        """A long word of the question that a heading writes in two pieces ("Defi cit", as PDFs break them) or short ("Max Term") in their place."""
        name = column.name.casefold()
        asked = {word.text.casefold(): word.stem for word in self.words}
        shortened = {stem(short): asked[long] for short, long in SHORTENED.items() if long in asked and stem(short) in names}
        names = frozenset(shortened.get(each, each) for each in names)
        joined = re.sub(r"[\s\u00ad-]+", "", name)
        for word in self.words:
            text = word.text.casefold()
            if len(text) >= _BROKEN and text in joined and text not in name:
                names = frozenset(each for each in names if each not in text) | {word.stem}
        return names

    @cached_property
    def _lasts(self) -> list[frozenset[str]]:
        """The lowest level of each column's name, where it tells the column from all others; else the whole name."""
        lasts = [name_stems(column.model_copy(update={"name": column.name.rsplit(LEVELS, 1)[-1]})) for column in self.columns]
        return [last if lasts.count(last) == 1 else self.names[place] for place, last in enumerate(lasts)]

    @cached_property
    def context(self) -> frozenset[str]:
        """Words of what the table and its document are called."""
        return self.captioned | stems(" ".join([re.sub(r"[_\-.]", " ", self.hand.filename), self.hand.title]))

    @cached_property
    def captioned(self) -> frozenset[str]:
        """Words of what stands over the table itself; of a caption that is a paragraph only how it begins."""
        return stems(" ".join([*self.hand.table.caption.split()[:_NAMING], *self.hand.table.section, *self.hand.titles]))

    @cached_property
    def called(self) -> frozenset[str]:
        """Words that the rows may be called by: what stands over the table, and the document's name where it has no other table."""
        return self.context if self.hand.alone else self.captioned

    @cached_property
    def names_people(self) -> bool:
        """True if each row is a person's: a column of people's names ("Name", "Employee name", not "Shareholder name"), which measures nothing."""
        measures = set(self.measures())
        return any(names & WHO and names <= OF_PEOPLE for place, names in enumerate(self.names) if place not in measures)

    def takes(self, places: Iterable[int]) -> None:
        """Mark words as explained: nothing else may explain them."""
        self.free -= set(places)

    def places_in(self, span: Span | None) -> list[int]:
        """Return the places of the words in a span of the question."""
        return [at for at, word in enumerate(self.words) if span is not None and span.meets((word.start, word.end))]

    # -- columns ---------------------------------------------------------------------------------------------------------------------

    def named(self, among: Iterable[int], within: Sequence[int] | None = None) -> list[Named]:
        """Return the columns that the free words (or those `within`) name best; several where they fit equally well, [] where none is named."""
        found = [named for place in among if (named := self._named(place, within)) is not None]
        best = max(((each.share == 1, len(each.places), each.share) for each in found), default=None)
        chosen = [each for each in found if (each.share == 1, len(each.places), each.share) == best]
        if len(chosen) > 1:  # what stands in brackets tells them apart: "Share (1996)", "Share (1997)"
            chosen = self._told_apart(chosen)
            if len(chosen) == 1:
                return [self._completed(chosen[0])]
        if len(chosen) == 1 and chosen[0].share < 1 and (rivals := self._rivals(chosen[0], among)):
            return [*chosen, *rivals]
        if not chosen or not all(each.implied and each.share < 1 for each in chosen):
            return chosen
        # What the table is called completes several names alike: none of them is meant more than the others.
        return [each for each in found if each.implied and len(each.places) == len(chosen[0].places)]

    def _rivals(self, named: Named, among: Iterable[int]) -> list[Named]:
        """Other columns whose names hold the same word where that is less than the whole name of each: "cost" of "Indirect costs", "Total costs"."""
        said = {stem for at in named.places for stem in self._stems_at(at)} & self.names[named.place]
        others = [place for place in among if place != named.place and said <= self.names[place]]
        return [Named(place, self.columns[place], 0.0, named.places, implied=False) for place in others]

    def _completed(self, named: Named) -> Named:
        """A word that all the columns have which share what is named need not be said: it tells none of them from another."""
        said = {stem for at in named.places for stem in self._stems_at(at)}
        rivals = [names for names in self.names if names & said]
        return replace(named, implied=named.implied or (len(rivals) > 1 and self.names[named.place] - said <= frozenset.intersection(*rivals)))

    def _told_apart(self, found: list[Named]) -> list[Named]:
        words = {each.place: stemmed(each.column.name) - self.names[each.place] for each in found}
        more = {place: [at for at in sorted(self.free) if self.words[at].stem in wanted] for place, wanted in words.items()}
        most = max(map(len, more.values()))
        best = [each for each in found if len(more[each.place]) == most]
        return [replace(best[0], places=tuple(sorted({*best[0].places, *more[best[0].place]})))] if len(best) == 1 else found

    def _named(self, place: int, within: Sequence[int] | None) -> Named | None:
        wanted = self.names[place]
        pool = sorted(self.free) if within is None else within
        hits = {stem: at for at in pool for stem in self._stems_at(at) if stem in wanted}
        # "total assets" names the column "Total assets", though "total" may also be what is computed; what counts needs no word of its own.
        left = wanted - hits.keys() - self.computing - (NUMBERS if hits else frozenset())
        share = 1.0 if hits and not left else len(hits) / len(wanted)
        # What the table is called need not be said again: in "Budget 2026.xlsx" the column "Budget 2026" is the budget.
        implied = wanted - self.context <= hits.keys() or self._lasts[place] <= hits.keys()
        if not hits or (share < 0.33 and not implied):
            return None
        quarters = {at for at in pool if self._quarters.get(at) in wanted}
        return Named(place, self.columns[place], share, tuple(sorted({*hits.values(), *quarters})), implied)

    def _stems_at(self, at: int) -> tuple[str, ...]:
        """The word's stem, and what else it may be written as in a heading: "third quarter" as "Q3"."""
        return (self.words[at].stem, self._quarters[at]) if at in self._quarters else (self.words[at].stem,)

    @cached_property
    def _quarters(self) -> dict[int, str]:
        found = {}
        for at, (one, other) in enumerate(pairwise(self.words)):
            if other.text.casefold() == "quarter" and one.text.casefold() in ORDINALS:
                found[at] = found[at + 1] = f"q{ORDINALS[one.text.casefold()]}"
        return found

    @cached_property
    def computing(self) -> frozenset[str]:
        """Words of the question that say what is computed."""
        return frozenset(word.stem for word in self.words if any(span.meets((word.start, word.end)) for span in self.asked.asks.used))

    def basic(self, places: Sequence[int]) -> list[int]:
        """Return the column whose name is a part of all the others' names ("Amount" beside "Reimbursement amount"); else all."""
        found = [place for place in places if all(self.names[place] <= self.names[other] for other in places)]
        return found if len(found) == 1 else list(places)

    def counting(self) -> list[int]:
        """Return columns that are only called a number or a total ("Total (n)"): they count what the table is about."""
        whole = [place for place in self.measures() if self.columns[place].type is ColumnType.INTEGER]
        return [place for place in whole if self.names[place] <= COUNTING]

    def measures(self) -> list[int]:
        """Return columns of figures that can be added up or compared: no identifiers, no years."""
        return [place for place, column in enumerate(self.columns) if column.type in NUMERIC and not self._is_identifier(place)]

    def of_type(self, *types: ColumnType) -> list[int]:
        """Return the columns of one of the types."""
        return [place for place, column in enumerate(self.columns) if column.type in types]

    def _is_identifier(self, place: int) -> bool:
        column = self.columns[place]
        if column.type is not ColumnType.INTEGER or column.unit:
            return False
        if place == 0 and self._is_key(place):
            return True
        return (bool(_IDENTIFIER.search(column.name)) and not re.search(r"\bnumber\s+of\b", column.name, re.I)) or self.holds_years(place)

    def _is_key(self, place: int) -> bool:
        """A first column of whole numbers that only rise or only fall tells the rows apart, it measures nothing."""
        return len(self.columns) > 1 and self.hand.facts.columns[place].rises

    def tells_rows_apart(self, place: int) -> bool:
        """Return whether no two rows have the same cell there."""
        return self.hand.facts.tells_rows_apart(place)

    def is_unnamed(self, place: int) -> bool:
        """Return whether nothing names the column: its header was not found, and the first row may be it."""
        return _UNNAMED.fullmatch(self.columns[place].name) is not None

    def holds_years(self, place: int) -> bool:
        """Return whether a column holds whole numbers that are all years, under a name that is not itself a measure's."""
        unnamed = place == 0 and re.fullmatch(r"column 1", self.columns[place].name)
        named = unnamed or re.search(r"\byear|jahr|année|\baño|\banno\b|fy\b|period", self.columns[place].name, re.I)
        if self.columns[place].type is not ColumnType.INTEGER or not named or not self.hand.facts.rows:
            return False
        facts = self.hand.facts.columns[place]
        return facts.low is None or facts.high is None or (facts.low >= _YEARS[0] and facts.high <= _YEARS[1])

    def in_unit(self, among: Sequence[int]) -> list[int]:
        """Return columns whose unit the question says ("in EUR", "how many kilos" does not count)."""
        said = {self.words[at].text.casefold() for at in range(len(self.words))}
        said |= {CURRENCIES[word] for word in said if word in CURRENCIES}
        return [place for place in among if self.columns[place].unit and self.columns[place].unit.split()[0].casefold() in said]

    def suited(self, extreme: str) -> list[int]:
        """Return columns that an adjective speaks of ("most expensive": prices), by their names; dates for "latest"."""
        if extreme in DATED:
            if extreme not in {"oldest", "youngest"}:
                return self.of_type(ColumnType.DATE)
            ages = [place for place in self.measures() if self.names[place] & OLD]
            of_people = self.asked.who or any(self.words[at].stem in PEOPLE for at in range(len(self.words)))
            births = [place for place in self.of_type(ColumnType.DATE) if not of_people or self.names[place] & BIRTHS]
            return ages or births
        wanted = {stem(word) for word in ADJECTIVES.get(extreme.rsplit(maxsplit=1)[-1] if extreme else "", "").split()}
        named = [place for place in self.measures() if self.names[place] & wanted or self.columns[place].unit.casefold() in wanted]
        return named or (self.money() if wanted & PRICES else [])

    def money(self) -> list[int]:
        """Return the column of money, where there is one alone."""
        found = [place for place in self.measures() if self.columns[place].type is ColumnType.AMOUNT]
        return found if len(found) == 1 else []

    # -- cells -----------------------------------------------------------------------------------------------------------------------

    def cells(self) -> list[Cells]:
        """Return the cells that the question names, the longest first, each word once; a word may name cells of several columns (then all are
        given)."""
        texts = [word.text.casefold() for word in self.words]
        found = [each for place in self._textual() for each in self._cells_of(place, texts)]
        found.sort(key=lambda each: (-len(each.places), not each.exact))
        kept: list[Cells] = []
        for each in found:
            rivals = [other for other in kept if set(other.places) & set(each.places)]
            if all(other.places == each.places and other.exact == each.exact and other.place != each.place for other in rivals):
                kept.append(each)
        return kept

    def _textual(self) -> list[int]:
        return [place for place, column in enumerate(self.columns) if column.type in {ColumnType.TEXT, ColumnType.INTEGER}][:_TEXTUAL]

    def _cells_of(self, place: int, texts: Sequence[str]) -> Iterator[Cells]:
        known: dict[tuple[str, ...], set[str]] = {}
        for cell in [cell for cell in self.hand.facts.columns[place].texts if len(cell) <= CELL and self._openings.search(cell)]:
            known.setdefault(tokens_of(cell), set()).add(cell)
        asked = set(texts) | {stem(text) for text in texts}
        loose: dict[str, set[str]] = {}
        for tokens, cells in known.items():
            if 0 < len(tokens) <= _LONG and (tokens[0] in asked or stem(tokens[0]) in asked):
                yield from self._exact(place, tokens, cells, texts)
            for token in tokens if 1 < len(tokens) <= _LONG else ():
                if token in asked:
                    loose.setdefault(token, set()).update(cells)
        for places in self._phrases():
            said = tuple(stem(texts[at]) for at in places)
            if held := frozenset(cell for tokens, cells in known.items() if _holds_run(tokens, said) for cell in cells):
                yield Cells(place, held, self.asked.text[self.words[places[0]].start : self.words[places[-1]].end], places, exact=False)
        for at in sorted(self.free):
            word = self.words[at]
            is_name = len(texts[at]) > 2 and texts[at] not in self._said and not texts[at].isdigit() and word.stem not in SPANS
            if texts[at] in loose and is_name:
                yield Cells(place, frozenset(loose[texts[at]]), word.text, (at,), exact=False)

    def _phrases(self) -> list[tuple[int, ...]]:
        """Free words that stand side by side, of which a longer cell may hold all: "child neglect"."""
        free = [at for at in sorted(self.free) if not self.words[at].text.isdigit()]
        return [(one, other) for one, other in pairwise(free) if self.words[one].end + 1 == self.words[other].start]

    @cached_property
    def _openings(self) -> re.Pattern[str]:
        """How the words of the question begin: of a long column only cells that hold one of them are looked at closely."""
        return re.compile("|".join(sorted({re.escape(word.text[:4]) for word in self.words})) or "(?!)", re.I)

    @cached_property
    def _said(self) -> frozenset[str]:
        """Words that name columns or the table, or that such questions use anyway: a cell that only holds one of them is not meant."""
        stemmed = self.context | GENERIC | frozenset(name for names in self.names for name in names)
        return frozenset(word.text.casefold() for word in self.words if word.stem in stemmed)

    def _exact(self, place: int, tokens: tuple[str, ...], cells: set[str], texts: Sequence[str]) -> Iterator[Cells]:
        for at in range(len(texts) - len(tokens) + 1):
            places = tuple(range(at, at + len(tokens)))
            if not any(each in self.free for each in places) or not all(
                is_same(texts[each], token) for each, token in zip(places, tokens, strict=True)
            ):
                continue
            if self._is_meant(place, places, tokens):
                first, last = self.words[places[0]], self.words[places[-1]]
                yield Cells(place, frozenset(cells), self.asked.text[first.start : last.end], places, exact=True)

    def _is_meant(self, place: int, places: tuple[int, ...], tokens: tuple[str, ...]) -> bool:
        """Bare figures and single letters are cells only behind their column's name, or in a column of years."""
        if len(tokens) > 1 or (len(tokens[0]) > 1 and not tokens[0].isdigit()):
            return self.columns[place].type is ColumnType.TEXT
        if any(place in self.places_in(time.at) for time in self.asked.times for place in places):
            return False
        before = [self.words[at].stem for at in range(max(0, places[0] - 2), places[0])]
        return bool(set(before) & self.names[place]) or (self.holds_years(place) and tokens[0].isdigit())

    # -- what is left ----------------------------------------------------------------------------------------------------------------

    def _restricts(self, word: Word) -> bool:
        """Return whether the word says of what ("of the moon", "the latest epoch"): that cannot be passed over."""
        end = self.asked.asks.extreme_end
        led = bool(end) and end <= word.start and not self.asked.text[end : word.start].strip()
        return led or bool(_RESTRICTING.search(self.asked.text[: word.start]))

    def _ends_a_name(self, word: Word) -> bool:
        """Return whether a common word is a part of a name of which only the beginning was found ("Halcyon Lines")."""
        before = next((other for other in self.words if other.end + 1 == word.start), None)
        return word.name and not word.text.isupper() and before is not None and before.name and self.words.index(before) not in self.free

    def unexplained(self) -> tuple[list[Word], bool, int]:
        """Return the free words that nothing explains, whether one of them is a name, a number or a restriction ("of the moon"), and how many only
        the habit of asking explains."""
        known = self.context | frozenset(name for names in self.names for name in names)
        known |= PEOPLE if self.names_people else frozenset()
        times = [each.at for each in self.asked.times]
        left = [self.words[at] for at in sorted(self.free) if not {self.words[at].stem, self.words[at].text.casefold()} & known]
        left = [word for word in left if not any(span.meets((word.start, word.end)) for span in times)]
        strange = [word for word in left if word.stem not in GENERIC or self._ends_a_name(word)]
        fatal = any(word.name or self._restricts(word) for word in strange)
        return strange, fatal, len(left) - len(strange)
