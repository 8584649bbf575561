"""Whether the sources of an answer say the same: figures and dates that several documents state in sentences about the same thing.

Two statements are about the same thing where they share most of the content words of the shorter, the figures left out, or where the question's own
words stand in both; they agree where they share a figure of one kind, and disagree where both state one figure of that kind and it differs.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import combinations

from pydantic import Field

from agents.statements import plain, stems
from core.answers import Answer
from core.search import Frozen

_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_KINDS: dict[str, re.Pattern[str]] = {
    "sum": re.compile(r"[£$€¥]\s?(?P<value>\d[\d.,]*\d|\d)"),
    "date": re.compile(rf"\b(?P<value>\d{{1,2}}\s+(?:{_MONTHS})(?:\s+\d{{4}})?)\b"),
    "time": re.compile(r"\b(?P<value>\d{1,2}:\d\d\s+(?:to|until|and|-|–)\s+\d{1,2}:\d\d)\b"),
    "measure": re.compile(
        r"(?P<value>\d[\d.,]*)\s?(?P<unit>%|per\s?cent|kg|tonnes?|km/h|mm|cm|metres?|litres?|hours?|days?|weeks?|months?|years?|°C)\b", re.IGNORECASE
    ),
}
_ABOUT = 0.6  # of the shorter statement's words
_ALIKE, _SAME = 2, 3  # words that two statements share at least: to agree, and to disagree, which is claimed less lightly
_ASKED = 0.6  # of the question's words in both


class Conflict(Frozen):
    """Two documents that state different figures for the same thing, with the citations that say so."""

    one: int
    other: int
    one_says: str
    other_says: str


class Agreement(Frozen):
    """`value` in 0..1: 1 where several documents state the same, .5 where only one speaks, 0 where all that can be compared differ."""

    value: float
    agreeing: int = 0
    conflicts: list[Conflict] = Field(default_factory=list)


def agreement(question: str, answer: Answer) -> Agreement:
    """Over every two citations of different documents."""
    told = [(citation, figures(citation.quote), stems(_without_figures(citation.quote))) for citation in answer.citations]
    asked = stems(_without_figures(question))
    agreeing, conflicts = 0, []
    for (one, left, words), (other, right, others) in combinations(told, 2):
        shared = _shared(words, others, asked) if one.document_id != other.document_id else 0
        for kind in set(left) & set(right):
            if left[kind] & right[kind]:
                agreeing += shared >= _ALIKE
            elif len(left[kind]) == len(right[kind]) == 1 and shared >= _SAME:
                conflicts.append(Conflict(one=one.number, other=other.number, one_says=min(left[kind]), other_says=min(right[kind])))
    compared = agreeing + len(conflicts)
    return Agreement(value=agreeing / compared if compared else 0.5, agreeing=agreeing, conflicts=conflicts)


def figures(text: str) -> dict[str, frozenset[str]]:
    """The figures of a text by their kind; a measure's kind is its unit."""
    found: dict[str, set[str]] = {}
    for kind, pattern in _KINDS.items():
        for match in pattern.finditer(text):
            unit = f" {match['unit'].lower().rstrip('s').replace(' ', '')}" if kind == "measure" else ""
            found.setdefault(f"{kind}{unit}", set()).add(" ".join(plain(match["value"].rstrip(".,")).split()))
    return {kind: frozenset(values) for kind, values in found.items()}


def _shared(one: frozenset[str], other: frozenset[str], asked: frozenset[str]) -> int:
    """How many content words speak for two statements being about the same thing, 0 where they do not."""
    both = len(one & other)
    if len(asked) >= 2 and min(len(asked & one), len(asked & other)) >= _ASKED * len(asked):
        return max(both, _SAME)
    return both if both >= _ABOUT * min(len(one), len(other)) else 0


def _without_figures(text: str) -> str:
    for pattern in _KINDS.values():
        text = pattern.sub(" ", text)
    return re.sub(r"\d[\d.,:/]*", " ", text)


def in_words(found: Agreement, answer: Answer, dated: Mapping[str, str]) -> str:
    """The first conflict with its files, and which of the two is newer where their dates (`dated`: document id -> ISO date) tell; "" for none."""
    if not found.conflicts:
        return ""
    first = found.conflicts[0]
    cited = {citation.number: citation for citation in answer.citations}
    one, other = cited[first.one], cited[first.other]
    newer = _newer(dated.get(one.document_id, ""), dated.get(other.document_id, ""))
    which = f" The newer of the two is {(one, other)[newer].filename}." if newer is not None else ""
    return f"Two sources disagree: {first.one_says} ({one.filename}) and {first.other_says} ({other.filename}).{which}"


def _newer(one: str, other: str) -> int | None:
    if not one or not other or one[:10] == other[:10]:
        return None
    return 0 if one > other else 1
