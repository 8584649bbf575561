"""Comparison of two claims: whether they are about the same thing, that is the same kind of value, under the same label, of the same room, year,
contract or person.

Where in doubt they are not: a false version hides a statement that holds, one that was overlooked leaves two statements side by side as they are.
"""

from __future__ import annotations

import re
from functools import lru_cache

from core.claim_words import CLAUSE_HEADING, DISTINGUISHING_WORDS, label_words, marks_of
from core.claims import Claim, DocumentStatement
from core.documents import ReferenceKind
from core.language.dates import DATES
from core.language.stems import stem

_ROUGH = 0.1  # "about 30,000" and 29,800 are one figure
_ALIKE = 0.6  # of the words of the shorter title
_IDENTICAL = 3  # words of a label that speak for themselves, whatever the titles are
# Words of a title that say which state of a thing a document is, not of which thing.
_STATES = frozenset(
    map(
        stem,
        """amendment addendum supplement version draft final copy revised revision rev new old updated update signed scan nachtrag änderung
        fassung entwurf neufassung alt neu ergänzung stand edition issue no nr fw aw wg""".split(),
    )
)
# What is said of a time belongs to it: the budget of 2025 is no earlier version of that of 2026, as the price list of 2025 is.
_OF_A_TIME = re.compile(
    r"""
        \b(?:
              budgets?|accounts|results|forecasts?|turnover|sales|shipments?|balances?|statements?|statistics|payroll
            | invoices?|reports?|reviews?|surveys?|haushalt\w*|bilanz|jahresabschluss|abrechnung|umsatz|bericht
            | jahresbericht|rechnung
        )\b
    """,
    re.I | re.VERBOSE,
)
OVERRULING_KINDS = frozenset({ReferenceKind.SUPERSEDES, ReferenceKind.AMENDS})


def is_same_thing(one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement, *, related: bool) -> bool:
    """Return whether two claims are about the same thing. `stated` and `other_stated` are the statements that make the claims; `related`: one of the
    documents replaces or changes the other."""
    if is_clause_changed(one, other, stated, other_stated, related=related):
        return one.kind == other.kind
    if one.kind != other.kind or one.kind == "clause" or (one.bound and other.bound and one.bound != other.bound):
        return False
    if not one.label & other.label:
        return False
    near = related or are_states_of_one_thing(stated, other_stated)
    if not near and name_different_things(stated.title, other_stated.title):
        return False
    return _agree_in_marks(one, other, stated, other_stated) and _has_same_label(one, other, stated, other_stated, near=near)


def is_clause_changed(one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement, *, related: bool) -> bool:
    """Return whether one changes the very clause that the other is, in a document about the same."""
    if not any(a.changed_clause and a.changed_clause == b.clause and not b.changed_clause for a, b in ((one, other), (other, one))):
        return False
    return stated.document_id != other_stated.document_id and (related or are_states_of_one_thing(stated, other_stated))


def is_same_value(one: Claim, other: Claim) -> bool:
    """Return whether two claims state the same value: a day without its year is the same day of any year; where one is said to be rough, near is the
    same."""
    if one.value == other.value:
        return True
    if one.kind == "date" and "--" in {one.value[:2], other.value[:2]}:
        return one.value[-5:] == other.value[-5:]
    if one.kind == "name":
        return one.value.split()[-1] == other.value.split()[-1] and 1 in {len(one.value.split()), len(other.value.split())}
    if one.is_approximate or other.is_approximate:
        try:
            left, right = float(one.value), float(other.value)
        except ValueError:
            return False
        return abs(left - right) <= _ROUGH * max(abs(left), abs(right))
    return False


def are_states_of_one_thing(stated: DocumentStatement, other_stated: DocumentStatement) -> bool:
    """Return whether two documents are states of one thing: their titles share most words, and neither names another thing than the other."""
    if stated.document_id == other_stated.document_id:
        return True
    left, right = _title_words(stated.title), _title_words(other_stated.title)
    shared = left & right
    return bool(shared) and len(shared) >= _ALIKE * min(len(left), len(right)) and not name_different_things(stated.title, other_stated.title)


@lru_cache(maxsize=4096)
def name_different_things(one: str, other: str) -> bool:
    """Return whether two titles name two things of one kind: both have words that the other lacks ("Lease of Quay 7", "Lease of Skerry Lane"), or a
    different number or year by which such things are distinguished."""
    left, right = _title_words(one), _title_words(other)
    if _marks_clash(_title_marks(one), _title_marks(other)):
        return True
    return bool(left & right and left - right and right - left)


def _agree_in_marks(one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement) -> bool:
    return not _marks_clash(_all_marks(one, stated), _all_marks(other, other_stated))


@lru_cache(maxsize=8192)
def _all_marks(claim: Claim, stated: DocumentStatement) -> frozenset[tuple[str, str]]:
    """Return a claim's own marks, then those of the headings above it, then those of the title, for each kind of thing the nearest."""
    found = set(claim.marks)
    for text in (" ".join(each for each in stated.section if not CLAUSE_HEADING.match(each)), stated.title):
        kinds = {kind for kind, _ in found}
        found |= {mark for mark in (_title_marks(text)) if mark[0] not in kinds}
    return frozenset(found)


def _marks_clash(left: frozenset[tuple[str, str]], right: frozenset[tuple[str, str]]) -> bool:
    for kind in {kind for kind, _ in left} & {kind for kind, _ in right}:
        if not {value for name, value in left if name == kind} & {value for name, value in right if name == kind}:
            return True
    return False


@lru_cache(maxsize=4096)
def _title_marks(title: str) -> frozenset[tuple[str, str]]:
    times = {"year", "quarter", "month"}
    marks = marks_of(DATES.sub(" ", title))
    return marks if _OF_A_TIME.search(title) else frozenset(mark for mark in marks if mark[0] not in times)


@lru_cache(maxsize=4096)
def _title_words(title: str) -> frozenset[str]:
    """Return the words of what a title is about, without dates, versions and numbers."""
    bare = re.sub(r"\b(?:version|v|rev|no|nr)\.?\s*\d[\w.]*|^(?:\s*(?:re|aw|fw|fwd|wg)\s*:)+", " ", DATES.sub(" ", title), flags=re.I)
    return frozenset(word for word in label_words(bare) if word not in _STATES and not word[0].isdigit())


def _has_same_label(one: Claim, other: Claim, stated: DocumentStatement, other_stated: DocumentStatement, *, near: bool) -> bool:
    """Return whether the labels share what carries them; what only one of them says is explained by the other's title or headings, or is one word at
    most, where the documents are states of one thing. A word on either side that the other lacks makes two things of them."""
    shared = one.label & other.label
    mine, theirs = one.label - other.label - _context_words(other_stated), other.label - one.label - _context_words(stated)
    if not shared or (mine | theirs) & DISTINGUISHING_WORDS - {"year"} or (mine and theirs):
        return False
    if stated.document_id == other_stated.document_id:
        return one.label == other.label
    extra = len(mine | theirs)
    if near:
        return extra < len(shared) or (extra == 1 and len(shared) == 1 and len(one.label | other.label) <= 2)
    return len(shared) >= 2 and (extra == 0 or (extra == 1 and len(shared) >= _IDENTICAL))


@lru_cache(maxsize=4096)
def _context_words(stated: DocumentStatement) -> frozenset[str]:
    """Return the words that the place of a statement gives it: it need not repeat them."""
    return _title_words(stated.title) | label_words(" ".join(stated.section)) if stated.section else _title_words(stated.title)
