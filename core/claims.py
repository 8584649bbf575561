"""Claims of a sentence: which figure or which name, under which label, since when, and what it says it was before.

"The speed limit is 8 km/h inside the building and 15 km/h in the yard" claims two things: 8 km/h of {speed, limit, building}, 15 km/h of
{speed, limit, yard}. Claims of two documents can be compared where their kinds and labels are the same (`core.claim_comparison`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import pairwise, zip_longest

from core.claim_words import APPROXIMATION, BOUND_PATTERNS, CLAUSE_CHANGE, CLAUSE_HEADING, NUMBERED_CLAUSE, RENEWAL, label_words, marks_of
from core.language.figures import NUMERAL, StatedFigure, figures_of, plain_number
from core.language.months import MONTH
from core.language.sentences import split_sentences
from core.office_claims import find_office_holders
from core.time_bounds import TimeBounds, find_time_bounds


@dataclass(frozen=True, slots=True)
class DocumentStatement:
    """A sentence, or a row of a table with its cells between "|" (`header` names their columns), as a document states it. `document_date` is the day
    that
    the document gives as its own, never the file's."""

    text: str
    document_id: str
    title: str = ""
    section: tuple[str, ...] = ()
    document_date: date | None = None
    header: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """`value` of a `kind` (those of `core.language.figures.StatedFigure`, "name", or "clause" for the whole of a numbered clause) under the label
    `label`, at
    [start, end) of the sentence. `marks` tell things of one kind apart ("room 12", "year 2026"). `since` and `until` are ISO days, "" where none
    is said; `since_words` as they stand. `former_value` is what the sentence itself says that it was: (value, words).

    `clause` is the number that stands in front of it, `changed_clause` the number of another document's clause that it changes; `is_renewed`: it
    says of
    itself that it is new. `bound` is "most" or "least", `is_approximate` means "about"."""

    kind: str
    value: str
    text: str
    start: int
    end: int
    label: frozenset[str]
    marks: frozenset[tuple[str, str]] = frozenset()
    since: str = ""
    since_words: str = ""
    until: str = ""
    former_value: tuple[str, str] | None = None
    clause: str = ""
    changed_clause: str = ""
    is_renewed: bool = False
    bound: str = ""
    is_approximate: bool = False


_COORDINATOR = re.compile(r"[,;:]|\b(?:and|or|but|while|und|oder|aber|sowie)\b", re.I)
_VERB = re.compile(
    r"""
        \b(?:
              is|are|was|were|will|shall|must|may|has|have|costs?|amounts?|takes?|lasts?|ends?|begins?|starts?|ist|sind
            | war|wird|werden|hat|beträgt|betragen|kostet|dauert|endet|beginnt|gilt
        )\b
    """,
    re.I | re.VERBOSE,
)
_BEHIND = re.compile(
    r"""
          [,;:()]|\.(?:\s|$)
        | \b(?:
                and|or|but|which|that|who|while|where|when|whenever|if|unless|provided|because|instead|rather|so|until
              | till|since|und|oder|aber|wenn|sofern|falls|bis|seit|statt|anstatt
          )\b
    """,
    re.I | re.VERBOSE,
)
_CHANGING = re.compile(
    r"""
        \b(?:
              rais|increas|rise|rose|reduc|lower|cut|chang|extend|shorten|mov|postpon|drop|fell|fall|adjust|went|goes
            | up\b|down\b|erhöh|angehob|gesenk|senk|verkürz|verläng|verschob|steig|stieg|sink|geänder|änder
        )
    """,
    re.I | re.VERBOSE,
)
_FIRST_OLD = re.compile(
    rf"""
        \b(?:from|von|vom)\s+(?P<old>{NUMERAL}|[£€$]?\d[\d.,:]*|\d{{1,2}}\.?\s+(?:{MONTH})\s+\d{{4}})[^\d]{{0,24}}?\s(?:to|auf|zu)\s+$
    """,
    re.I | re.VERBOSE,
)
_OLD_BEHIND = re.compile(
    rf"""
        ^[^.;]{{0,60}}?(?:
              \binstead\s+of\s+|\brather\s+than\s+|\banstelle\s+von\s+|\b(?:an)?statt\s+|\bup\s+from\s+|\bdown\s+from\s+
            | \bnot\s+
            | [(,–]\s*(?:before|previously|formerly|until\s+now|was|so\s+far|bisher|vorher|früher|zuvor|bislang)[:\s]+
        )(?:every\s+|alle\s+|the\s+|den\s+)?(?P<old>{NUMERAL}|[£€$]?\d[\d.,:]*)
    """,
    re.I | re.VERBOSE,
)
_REPLACED_BY = re.compile(
    r"^\s*(?:\w+\s+)?(?:is|are|was|shall\s+be|wird|werden)\s+(?:hereby\s+)?(?:replaced\s+(?:by|with)|changed\s+to|durch)\s+$", re.I
)
_NOT_BUT = re.compile(r"\b(?:no\s+longer|not|nicht\s+mehr|nicht)\s+(?:on\s+|am\s+)?$", re.I)
_CELL = re.compile(r"\s*\|\s*")
_BARE = re.compile(r"[-\d][\d.,'’ ]*\d|\d")
_UNIT_IN_NAME = re.compile(r"[£€$]|%|\b(?:EUR|GBP|USD|CHF|kg|km/h|mm|cm|litres|days|hours|months|years)\b")


@lru_cache(maxsize=4096)
def claims_of(stated: DocumentStatement) -> tuple[Claim, ...]:
    """Return the claims of a statement in the order of its text."""
    if "|" in stated.text:
        return tuple(_claims_of_row(stated))
    found: list[Claim] = []
    headed = _clause_of_heading(stated.section)
    for start, end in split_sentences(stated.text):
        sentence = stated.text[start:end]
        numbered = NUMBERED_CLAUSE.match(sentence)
        clause = numbered["number"] if numbered else ""
        skip = numbered.end() if numbered else 0
        changed = CLAUSE_CHANGE.search(sentence)
        changes = changed["number"] if changed else headed if RENEWAL.search(sentence) or found else ""
        told = _claims_of_sentence(sentence[skip:], replaces=bool(changes))
        found += [replace(each, start=each.start + start + skip, end=each.end + start + skip, clause=clause, changed_clause=changes) for each in told]
        if clause or changed:
            whole = (sentence[skip:].casefold(), sentence[skip:])
            found.append(Claim("clause", *whole, start + skip, end, frozenset(), clause=clause, changed_clause=changed["number"] if changed else ""))
    return tuple(found)


def _clause_of_heading(section: tuple[str, ...]) -> str:
    """Return the number of the clause that the nearest heading names: "Clause 7.3: hours of access"."""
    match = CLAUSE_HEADING.match(section[-1]) if section else None
    return match["number"] if match else ""


def _claims_of_sentence(sentence: str, *, replaces: bool) -> Iterator[Claim]:
    figures = figures_of(sentence)
    periods = find_time_bounds(sentence, dates_are_values=all(each.kind == "date" for each in figures))
    told = [each for each in figures if not periods.covers(each.start)]
    told, before = _separate_old_figures(sentence, told)
    masked = _mask_spans(sentence, [*((each.start, each.end) for each in figures), *periods.spans])
    for place, figure in enumerate(told):
        around = _label_text(masked, told, place)
        since, words, until = periods.bounds_near(
            figure.start, told[place - 1].end if place else 0, told[place + 1].start if place + 1 < len(told) else None
        )
        lead = sentence[max(0, figure.start - 30) : figure.start]
        bound = next((name for name, pattern in BOUND_PATTERNS if pattern.search(lead)), "")
        yield Claim(
            figure.kind, figure.value, figure.text.strip(), figure.start, figure.end, label_words(around), marks_of(around), since, words, until,
            before.get(figure), is_renewed=replaces or bool(RENEWAL.search(sentence)), bound=bound, is_approximate=bool(APPROXIMATION.search(lead)),
        )  # fmt: skip
    for office in find_office_holders(sentence):
        since, words, until = periods.bounds_near(office.start, 0, None)
        yield Claim(
            "name", office.name.casefold(), office.name, office.start, office.end, label_words(office.label), marks_of(office.label), since, words,
            until, (office.predecessor.casefold(), office.predecessor) if office.predecessor else None, is_renewed=bool(RENEWAL.search(sentence)),
        )  # fmt: skip


def _mask_spans(text: str, spans: Sequence[tuple[int, int]]) -> str:
    out = text
    for start, end in spans:
        out = out[:start] + " " * (end - start) + out[end:]
    return out


def _label_text(masked: str, figures: Sequence[StatedFigure], place: int) -> str:
    """Return the words that say what the figure is of: its sentence's subject, what stands right in front of it, and what follows up to the next
    pause."""
    figure = figures[place]
    subject = masked[: figures[0].start]
    for earlier, later in pairwise(figures[: place + 1]):
        pieces = _COORDINATOR.split(masked[earlier.end : later.start])
        own = pieces[-1]
        if len(pieces) > 1 and _VERB.search(own):
            subject = own
        elif later is figure:
            subject = f"{subject} {own}"
    behind = masked[figure.end : figures[place + 1].start if place + 1 < len(figures) else len(masked)]
    pause = _BEHIND.search(behind)
    return f"{subject} {behind[: pause.start()] if pause else behind}"


def _separate_old_figures(sentence: str, figures: Sequence[StatedFigure]) -> tuple[list[StatedFigure], dict[StatedFigure, tuple[str, str]]]:
    """Return the figures without those that the sentence calls the old ones, and for each that has one what it was before."""
    before: dict[StatedFigure, tuple[str, str]] = {}
    old: set[StatedFigure] = set()
    for figure, follower in zip_longest(figures, figures[1:]):
        if figure in old:
            continue
        if (pair := _old_and_new(sentence, figure, follower)) is not None:
            former, present = pair
            before[present] = (former.value, former.text)
            old.add(former)
        elif figure not in before and (bare := _former_value(sentence, figure)):
            before[figure] = bare
            old |= {each for each in figures if each.kind == "count" and each.value == bare[0] and each is not figure}
    return [each for each in figures if each not in old], before


def _old_and_new(sentence: str, figure: StatedFigure, follower: StatedFigure | None) -> tuple[StatedFigure, StatedFigure] | None:
    """Return the old and the new one of two figures that follow each other, where the sentence calls one of them so."""
    if follower is None or follower.kind != figure.kind:
        return None
    if _is_replaced_by(sentence, figure, follower):
        return figure, follower
    return (follower, figure) if _is_former_value(sentence[figure.end : follower.end], follower.text) else None


def _is_replaced_by(sentence: str, old: StatedFigure, new: StatedFigure) -> bool:
    """Return whether `old` becomes `new`: "is replaced by", "from X to Y", "no longer X but Y"."""
    between = sentence[old.end : new.start]
    if _REPLACED_BY.match(between):
        return True
    if re.match(r"^\s*(?:to|auf|zu)\s+$", between, re.I) and re.search(r"\b(?:from|von|vom)\s+$", sentence[: old.start], re.I):
        return bool(_CHANGING.search(sentence))
    return bool(_NOT_BUT.search(sentence[: old.start]) and re.match(r"^[^.;]{0,40}[,;]?\s*\b(?:but|sondern)\b", between, re.I))


def _is_former_value(between: str, old: str) -> bool:
    match = _OLD_BEHIND.match(between)
    return match is not None and old.casefold().startswith(match["old"].casefold().rstrip(".,"))


def _former_value(sentence: str, figure: StatedFigure) -> tuple[str, str] | None:
    """Return an old figure that leaves its unit to the new one: "from 4 to 7 minutes", "every three years instead of every five"."""
    from_old = _FIRST_OLD.search(sentence[: figure.start]) if _CHANGING.search(sentence) else None
    match = from_old or _OLD_BEHIND.match(sentence[figure.end :])
    if match is None or figure.kind in {"date", "hours", "time"}:
        return None
    written = match["old"].strip("£€$").rstrip(".,:")
    value = plain_number(written)
    unit = re.sub(rf"^(?:{NUMERAL})", "", figure.text, flags=re.I) if figure.kind.startswith("measure") else ""
    return (value, f"{match['old'].rstrip('.,:')}{unit}") if value and value != figure.value else None


def _claims_of_row(stated: DocumentStatement) -> Iterator[Claim]:
    """Yield the cells of a row under the row's first cell and the names of their columns."""
    cells = [each.strip() for each in _CELL.split(stated.text.strip().strip("|"))]
    names = stated.header if len(stated.header) == len(cells) else ()
    if len(cells) > 2 and not names:
        return
    place = 0
    for number, cell in enumerate(cells):
        place = max(0, stated.text.find(cell, place))
        if number and cell:
            name = names[number] if names else ""
            yield from (replace(each, start=place, end=place + len(cell)) for each in _claims_of_cell(cells[0], name, cell))
        place += len(cell)


def _claims_of_cell(label: str, name: str, cell: str) -> Iterator[Claim]:
    shown = _add_unit(cell, name)
    periods: TimeBounds = find_time_bounds(name, dates_are_values=False)
    around = _mask_spans(f"{label} : {name}", [(start + len(label) + 3, end + len(label) + 3) for start, end in periods.spans])
    if _BARE.fullmatch(shown):
        shown = f": {shown}"
    since, words, until = periods.bounds_near(0, 0, None)
    figures = figures_of(shown)
    told, before = _separate_old_figures(shown, figures)
    for figure in told[:1]:
        behind = label_words(shown[figure.end :]) if not figures[1:] else frozenset()
        yield Claim(
            figure.kind, figure.value, figure.text, 0, 0, label_words(around) | behind, marks_of(around), since, words, until, before.get(figure)
        )  # fmt: skip
    if not figures:
        for office in find_office_holders(f"{label}: {cell}"):
            yield Claim("name", office.name.casefold(), office.name, 0, 0, label_words(around), marks_of(around), since, words, until)


def _add_unit(cell: str, name: str) -> str:
    """Return a bare number with the unit that its column's name holds ("£ per year")."""
    unit = _UNIT_IN_NAME.search(name)
    if unit is None or not _BARE.fullmatch(cell):
        return cell
    return f"{unit.group()}{cell}" if unit.group() in "£€$" else f"{cell} {unit.group()}"
