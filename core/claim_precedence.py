"""Precedence between two statements about the same thing: the document that replaces or changes the other, the words, then the documents' own
days."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum

from core.claim_comparison import OVERRULING_KINDS, are_states_of_one_thing, is_clause_changed, is_same_value
from core.claims import Claim, DocumentStatement
from core.documents import ReferenceKind
from core.language.figures import figures_of

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
    """The reason why one of two statements holds."""

    CHANGED = "changed"
    RELATION = "relation"
    WITHDRAWN = "withdrawn"
    WORDS = "words"
    PERIOD = "period"
    DATE = "date"


def are_related(stated: DocumentStatement, other_stated: DocumentStatement, relations: Collection[Relation]) -> bool:
    """Return whether one of the documents replaces or changes the other."""
    return overrules(stated, other_stated, relations) or overrules(other_stated, stated, relations)


def overrules(stated: DocumentStatement, other_stated: DocumentStatement, relations: Collection[Relation]) -> bool:
    """Return whether the first document replaces or changes the second."""
    return any(
        each.document_id == stated.document_id and each.other_id == other_stated.document_id and each.kind in OVERRULING_KINDS for each in relations
    )


def precedence_ground(
    one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement, relations: Collection[Relation] = ()
) -> Ground | None:
    """Return why the first of two claims about the same thing holds and the second does so no more; None where it does not, or nobody can tell."""
    mine, theirs = _find_grounds(one, other, stated, other_stated, relations), _find_grounds(other, one, other_stated, stated, relations)
    for ground in Ground:
        if ground in mine or ground in theirs:
            return ground if ground in mine and ground not in theirs else None
    return None


def _find_grounds(
    one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement, relations: Collection[Relation]
) -> set[Ground]:
    holds = {
        Ground.CHANGED: one.former_value is not None and _has_value(one.former_value[0], other),
        Ground.RELATION: overrules(stated, other_stated, relations) and not (one.until and not other.until),
        Ground.WITHDRAWN: _is_withdrawn(other_stated) and not _is_withdrawn(stated),
        Ground.WORDS: _is_newer_by_words(one, other, stated, other_stated),
        Ground.PERIOD: _begins_later(one, other, other_stated),
        Ground.DATE: _is_dated_later(stated, other_stated)
        and (are_states_of_one_thing(stated, other_stated) or _repeats_sentence(stated, other_stated, one, other)),
    }
    return {ground for ground, is_there in holds.items() if is_there}


def _is_dated_later(stated: DocumentStatement, other_stated: DocumentStatement) -> bool:
    return bool(stated.document_date and other_stated.document_date and stated.document_date > other_stated.document_date)


def _is_newer_by_words(one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement) -> bool:
    """Return whether the words say that something is new, in a document that is no older than the other."""
    if _is_dated_later(other_stated, stated):
        return False
    is_new = one.is_renewed and not other.is_renewed
    return is_new or (is_clause_changed(one, other, stated, other_stated, related=False) and bool(one.changed_clause))


def _has_value(value: str, claim: Claim) -> bool:
    return is_same_value(claim, Claim(claim.kind, value, value, 0, 0, frozenset()))


def _is_withdrawn(stated: DocumentStatement) -> bool:
    return bool(_WITHDRAWN.search(f"{stated.title} {' '.join(stated.section)}"))


def _begins_later(one: Claim, other: Claim, other_stated: DocumentStatement) -> bool:
    """Return whether the first begins where the second ends, or later than the second began or was written."""
    if other.until and one.since:
        return one.since >= other.until
    if one.until:
        return False
    if one.since and other.since:
        return one.since > other.since
    return bool(one.since and other_stated.document_date and one.since > other_stated.document_date.isoformat() and not other.since)


def _repeats_sentence(stated: DocumentStatement, other_stated: DocumentStatement, one: Claim, other: Claim) -> bool:
    """Return whether a sentence that is used again with another figure says the same thing again."""
    return one.label == other.label and len(one.label) >= _SAME_WORDS and _mask_figures(stated.text) == _mask_figures(other_stated.text)


def _mask_figures(text: str) -> str:
    for figure in reversed(figures_of(text)):
        text = text[: figure.start] + "#" + text[figure.end :]
    return " ".join(re.findall(r"[\w#]+", text.casefold()))
