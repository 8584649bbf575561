"""Precedence between two statements about the same thing: the document that replaces or changes the other, the words, then the documents' own
days."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from core.claims import Claim, Stated
from core.documents import ReferenceKind
from core.figures import figures_of
from core.sameness import OVERRULING, alike, by_clause, same_value

_WITHDRAWN = re.compile(
    r"\b(?:withdrawn|superseded|obsolete|no\s+longer\s+valid|repealed|expired|archived|out\s+of\s+force|außer\s+kraft|aufgehoben|ungültig|veraltet|abgelöst)\b",
    re.I,
)
_SAME_WORDS = 3


@dataclass(frozen=True, slots=True)
class Relation:
    """The statement of the document `document_id` says of `other_id`, as it was found at ingestion."""

    document_id: str
    other_id: str
    kind: ReferenceKind


class Ground(StrEnum):
    """Why one of two statements holds."""

    CHANGED = "changed"
    RELATION = "relation"
    WITHDRAWN = "withdrawn"
    WORDS = "words"
    PERIOD = "period"
    DATE = "date"


def related(said: Stated, told: Stated, relations: Collection[Relation]) -> bool:
    """Return whether one of the documents replaces or changes the other."""
    return overrules(said, told, relations) or overrules(told, said, relations)


def overrules(said: Stated, told: Stated, relations: Collection[Relation]) -> bool:
    """Return whether the first document replaces or changes the second."""
    return any(each.document_id == said.document_id and each.other_id == told.document_id and each.kind in OVERRULING for each in relations)


def holds_over(one: Claim, other: Claim, said: Stated, told: Stated, relations: Collection[Relation] = ()) -> Ground | None:
    """Return why the first of two claims about the same thing holds and the second does so no more; None where it does not, or nobody can tell."""
    mine, theirs = _grounds(one, other, said, told, relations), _grounds(other, one, told, said, relations)
    for ground in Ground:
        if ground in mine or ground in theirs:
            return ground if ground in mine and ground not in theirs else None
    return None


def _grounds(one: Claim, other: Claim, said: Stated, told: Stated, relations: Collection[Relation]) -> set[Ground]:
    found = set()
    if one.before is not None and _is(one.before[0], other):
        found.add(Ground.CHANGED)
    if overrules(said, told, relations) and not (one.until and not other.until):
        found.add(Ground.RELATION)
    if _withdrawn(told) and not _withdrawn(said):
        found.add(Ground.WITHDRAWN)
    earlier = bool(said.dated and told.dated and said.dated < told.dated)
    if not earlier and ((one.renewed and not other.renewed) or (by_clause(one, other, said, told, related=False) and bool(one.changes))):
        found.add(Ground.WORDS)
    if _begins_later(one, other, told):
        found.add(Ground.PERIOD)
    if said.dated and told.dated and said.dated > told.dated and (alike(said, told) or _same_sentence(said, told, one, other)):
        found.add(Ground.DATE)
    return found


def _is(value: str, claim: Claim) -> bool:
    return same_value(claim, Claim(claim.kind, value, value, 0, 0, frozenset()))


def _withdrawn(stated: Stated) -> bool:
    return bool(_WITHDRAWN.search(f"{stated.title} {' '.join(stated.section)}"))


def _begins_later(one: Claim, other: Claim, told: Stated) -> bool:
    """Return whether the first begins where the second ends, or later than the second began or was written."""
    if other.until and one.since:
        return one.since >= other.until
    if one.until:
        return False
    if one.since and other.since:
        return one.since > other.since
    return bool(one.since and told.dated and one.since > told.dated.isoformat() and not other.since)


def _same_sentence(said: Stated, told: Stated, one: Claim, other: Claim) -> bool:
    """A sentence that is used again with another figure says the same thing again."""
    return one.words == other.words and len(one.words) >= _SAME_WORDS and _without_figures(said.text) == _without_figures(told.text)


def _without_figures(text: str) -> str:
    for figure in reversed(figures_of(text)):
        text = text[: figure.start] + "#" + text[figure.end :]
    return " ".join(re.findall(r"[\w#]+", text.casefold()))
