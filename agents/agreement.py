"""Agreement between the sources of an answer: what several documents state of the same thing, under the same label, and where they differ.

Two equal figures alone agree in nothing. Statements are compared by what they claim (`core.claims`, `core.sameness`); of two that differ the
one that holds is told from the earlier one where documents, words or dates say so (`core.validity`), and stays a conflict elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations

from pydantic import Field

from core.answers import Answer, Citation
from core.claim_words import label_words
from core.claims import Claim, Stated, claims_of
from core.references import title_from_name
from core.sameness import same_thing, same_value
from core.search import Frozen
from core.validity import Relation, holds_over, related


@dataclass(frozen=True, slots=True)
class Library:
    """Facts about the cited documents besides the quotes: titles and own days (ISO) by their ids, and what they say of each other."""

    titles: Mapping[str, str] = field(default_factory=dict)
    dated: Mapping[str, str] = field(default_factory=dict)
    relations: Sequence[Relation] = ()


class Conflict(Frozen):
    """Two documents that state different things of the same thing, with the citations that say so."""

    one: int
    other: int
    one_says: str
    other_says: str


class Agreement(Frozen):
    """`value` in 0..1: 1 where several documents state the same, .5 where only one speaks, 0 where all that can be compared differ.

    `settled` are differences of which it is known that `one` holds and `other` did before; they count neither for nor against.
    """

    value: float
    agreeing: int = 0
    conflicts: list[Conflict] = Field(default_factory=list)
    settled: list[Conflict] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Told:
    citation: Citation
    stated: Stated
    claim: Claim


def agreement(question: str, answer: Answer, library: Library | None = None) -> Agreement:
    """Compare every two citations of different documents, and measure how far they agree."""
    known = library or Library()
    told = [each for citation in answer.citations for each in _told(citation, known)]
    asked = label_words(question)
    equal, conflicts, settled = list[tuple[int, int]](), list[Conflict](), list[Conflict]()
    for one, other in combinations(told, 2):
        if not _comparable(one, other, known.relations):
            continue
        if same_value(one.claim, other.claim):
            equal += [(one.citation.number, other.citation.number)] if not asked or asked & (one.claim.words | other.claim.words) else []
        elif one.claim.kind != "clause":
            if holds_over(one.claim, other.claim, one.stated, other.stated, known.relations):
                settled.append(_differ(one, other))
            elif holds_over(other.claim, one.claim, other.stated, one.stated, known.relations):
                settled.append(_differ(other, one))
            else:
                conflicts.append(_differ(one, other))
    # Two sentences that differ in one figure do not agree because another one is the same.
    apart = {frozenset((each.one, each.other)) for each in (*conflicts, *settled)}
    agreeing = sum(frozenset(pair) not in apart for pair in equal)
    compared = agreeing + len(conflicts)
    return Agreement(value=agreeing / compared if compared else 0.5, agreeing=agreeing, conflicts=conflicts, settled=settled)


def _told(citation: Citation, library: Library) -> Iterator[_Told]:
    named = library.titles.get(citation.document_id) or title_from_name(citation.filename)
    stated = Stated(citation.quote, citation.document_id, named, tuple(citation.section), _day(library.dated.get(citation.document_id, "")))
    return (_Told(citation, stated, claim) for claim in claims_of(stated))


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return None


def _comparable(one: _Told, other: _Told, relations: Sequence[Relation]) -> bool:
    if one.stated.document_id == other.stated.document_id:
        return False
    close = related(one.stated, other.stated, relations)
    return same_thing(one.claim, other.claim, one.stated, other.stated, related=close)


def _differ(one: _Told, other: _Told) -> Conflict:
    return Conflict(one=one.citation.number, other=other.citation.number, one_says=one.claim.shown, other_says=other.claim.shown)


def in_words(found: Agreement, answer: Answer, dated: Mapping[str, str]) -> str:
    """Return the first conflict with its files, and which of the two is newer where their own days (`dated`: document id -> ISO) tell; else the first
    difference of which it is known what holds; "" for none."""
    cited = {citation.number: citation for citation in answer.citations}
    if found.conflicts:
        first = found.conflicts[0]
        one, other = cited[first.one], cited[first.other]
        newer = _newer(dated.get(one.document_id, ""), dated.get(other.document_id, ""))
        which = f" The newer of the two is {(one, other)[newer].filename}." if newer is not None else ""
        return f"Two sources disagree: {first.one_says} ({one.filename}) and {first.other_says} ({other.filename}).{which}"
    if found.settled:
        first = found.settled[0]
        return f"{first.one_says} holds ({cited[first.one].filename}); before it was {first.other_says} ({cited[first.other].filename})."
    return ""


def _newer(one: str, other: str) -> int | None:
    if not one or not other or one[:10] == other[:10]:
        return None
    return 0 if one > other else 1
