"""Agreement between the sources of an answer: what several documents state of the same thing, under the same label, and where they differ.

Two equal figures alone agree in nothing. Statements are compared by what they claim (`core.claims`, `core.claim_comparison`); of two that differ the
one that holds is distinguished from the earlier one where documents, words or dates say so (`core.claim_precedence`), and stays a conflict elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import combinations

from pydantic import Field

from core.answers import Answer, Citation
from core.claim_comparison import is_same_thing, is_same_value
from core.claim_precedence import Relation, are_related, precedence_ground
from core.claim_words import label_words
from core.claims import Claim, DocumentStatement, claims_of
from core.references import title_from_name
from core.search import FrozenModel


@dataclass(frozen=True, slots=True)
class CitedDocuments:
    """Facts about the cited documents besides the quotes: titles and own days (ISO) by their ids, and what they say of each other."""

    titles: Mapping[str, str] = field(default_factory=dict)
    dates: Mapping[str, str] = field(default_factory=dict)
    relations: Sequence[Relation] = ()


class SourceConflict(FrozenModel):
    """Two documents that state different things of the same thing, with the citations that say so."""

    one: int
    other: int
    one_says: str
    other_says: str


class Agreement(FrozenModel):
    """`value` in 0..1: 1 where several documents state the same, .5 where only one speaks, 0 where all that can be compared differ.

    `settled` are differences of which it is known that `one` holds and `other` did before; they count neither for nor against.
    """

    value: float
    agreeing: int = 0
    conflicts: list[SourceConflict] = Field(default_factory=list)
    settled: list[SourceConflict] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _CitedClaim:
    citation: Citation
    statement: DocumentStatement
    claim: Claim


def agreement(question: str, answer: Answer, library: CitedDocuments | None = None) -> Agreement:
    """Compare every two citations of different documents, and measure how far they agree."""
    known = library or CitedDocuments()
    told = [each for citation in answer.citations for each in _claims_of_citation(citation, known)]
    asked = label_words(question)
    equal, conflicts, settled = list[tuple[int, int]](), list[SourceConflict](), list[SourceConflict]()
    for one, other in combinations(told, 2):
        if not _are_comparable(one, other, known.relations):
            continue
        if is_same_value(one.claim, other.claim):
            equal += [(one.citation.number, other.citation.number)] if not asked or asked & (one.claim.label | other.claim.label) else []
        elif one.claim.kind != "clause":
            if precedence_ground(one.claim, other.claim, one.statement, other.statement, known.relations):
                settled.append(_make_conflict(one, other))
            elif precedence_ground(other.claim, one.claim, other.statement, one.statement, known.relations):
                settled.append(_make_conflict(other, one))
            else:
                conflicts.append(_make_conflict(one, other))
    # Two sentences that differ in one figure do not agree because another one is the same.
    apart = {frozenset((each.one, each.other)) for each in (*conflicts, *settled)}
    agreeing = sum(frozenset(pair) not in apart for pair in equal)
    compared = agreeing + len(conflicts)
    return Agreement(value=agreeing / compared if compared else 0.5, agreeing=agreeing, conflicts=conflicts, settled=settled)


def _claims_of_citation(citation: Citation, library: CitedDocuments) -> Iterator[_CitedClaim]:
    named = library.titles.get(citation.document_id) or title_from_name(citation.filename)
    stated = DocumentStatement(
        citation.quote, citation.document_id, named, tuple(citation.section), _day(library.dates.get(citation.document_id, ""))
    )
    return (_CitedClaim(citation, stated, claim) for claim in claims_of(stated))


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written[:10])
    except ValueError:
        return None


def _are_comparable(one: _CitedClaim, other: _CitedClaim, relations: Sequence[Relation]) -> bool:
    if one.statement.document_id == other.statement.document_id:
        return False
    close = are_related(one.statement, other.statement, relations)
    return is_same_thing(one.claim, other.claim, one.statement, other.statement, related=close)


def _make_conflict(one: _CitedClaim, other: _CitedClaim) -> SourceConflict:
    return SourceConflict(one=one.citation.number, other=other.citation.number, one_says=one.claim.text, other_says=other.claim.text)


def describe_agreement(found: Agreement, answer: Answer, dated: Mapping[str, str]) -> str:
    """Return the first conflict with its files, and which of the two is newer where their own days (`dated`: document id -> ISO) tell; else the first
    difference of which it is known what holds; "" for none."""
    cited = {citation.number: citation for citation in answer.citations}
    if found.conflicts:
        first = found.conflicts[0]
        one, other = cited[first.one], cited[first.other]
        newer = _index_of_newer(dated.get(one.document_id, ""), dated.get(other.document_id, ""))
        which = f" The newer of the two is {(one, other)[newer].filename}." if newer is not None else ""
        return f"Two sources disagree: {first.one_says} ({one.filename}) and {first.other_says} ({other.filename}).{which}"
    if found.settled:
        first = found.settled[0]
        return f"{first.one_says} holds ({cited[first.one].filename}); before it was {first.other_says} ({cited[first.other].filename})."
    return ""


def _index_of_newer(one: str, other: str) -> int | None:
    if not one or not other or one[:10] == other[:10]:
        return None
    return 0 if one > other else 1
