"""The terms of a document: phrases of one to four words that say what it is about, by its title, its headings and what its sentences repeat.

No tagger is needed: a phrase ends at a function word, at a mark and at a word that is rarely part of a name for a thing. They are no names, so
nothing looks them up; communities are found with them, and named by them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from core.language.stop_words import COMMON_KEYWORDS, KEYWORD_STOP_WORDS
from graph.extraction_lines import ExtractionLine
from graph.gazetteer import GENERIC_HEADINGS

_LONGEST, _READ = 4, 400_000  # words of a term; characters of a document
_LEAST, _PER_TERM, _MOST = 4, 400, 24  # terms of a document: so many, one more for so many characters, never more than
_SPANS = 40
_ABBREVIATION = 3  # letters of one, at most
_WORD = re.compile(r"\w+(?:['’-]\w+)*")
_VERBAL = re.compile(r"(?<![^\W_])(?:to|may|must|can|will|should|not|who|you|they|we|i|nobody)\s$", re.I)
_CODE = re.compile(r"(?=.*\d).{5,}")
_BREAKS = frozenset(
    """shown found used using based given obtained made taken due such new present results result show shows presented discussed compared studied
    study studies investigated investigate investigation associated increased decreased reduced significant significantly high higher low lower
    large larger small smaller different several various many known called including include includes provide provides suggest suggests indicate
    indicates revealed demonstrated observed identified determined required related effect effects increase decrease like paper recent recently
    previous previously current currently first second third one two three four five six seven eight nine ten early late common possible able
    data number method methods analysis role total fully nobody everybody somebody square metre metres quarter quarters remark remarks
    mr mrs ms dr held must remain remains becomes became began begin includes led lead per""".split()
)
_STOPS = KEYWORD_STOP_WORDS | _BREAKS
_OPEN = COMMON_KEYWORDS | GENERIC_HEADINGS  # no term by themselves


class Term(NamedTuple):
    """A term of a document: its key, how it is written, and where."""

    key: str
    name: str
    spans: tuple[tuple[int, int], ...]


class _Word(NamedTuple):
    start: int
    end: int
    folded: str


_Phrase = list[_Word]
_Key = tuple[str, ...]


@dataclass(slots=True)
class _Candidate:
    """A phrase that may be a term; `told` says that a title or a heading consists of it."""

    told: bool
    names: Counter[str] = field(default_factory=Counter)
    spans: list[tuple[int, int]] = field(default_factory=list)
    verbs: int = 0  # uses as a verb


class _NameSpans:
    """The spans of names, in order, none inside another."""

    def __init__(self, spans: frozenset[tuple[int, int]]) -> None:
        self._ordered = sorted(spans)
        self._starts = [start for start, _ in self._ordered]

    def cut(self, start: int, end: int) -> bool:
        """Return whether the span is a part of a name, or begins with a part of one: a term may only go on behind a name ("Quay 7 lease")."""
        place = bisect_right(self._starts, start) - 1
        if place < 0 or start >= self._ordered[place][1]:
            return False
        return end <= self._ordered[place][1] or start > self._ordered[place][0]


@dataclass(frozen=True, slots=True)
class TermLimits:
    """What is no term: what lies inside `names` (spans), and in German what does not end in a noun."""

    names: frozenset[tuple[int, int]] = frozenset()
    german: bool = False


def find_terms(text: str, lines: Sequence[ExtractionLine], title: str, limits: TermLimits) -> list[Term]:
    """Return the terms of a document, the most telling first. Rows of tables are not read."""
    read = [(line.is_heading, _phrases(text, line.start, line.end, limits)) for line in lines if not line.cells and line.start < _READ]
    told = {_key(phrase) for is_heading, phrases in read if is_heading for phrase in phrases if len(phrase) <= _LONGEST}
    for phrase in _phrases(title, 0, len(title), TermLimits()):
        told.add(_key(phrase[-_LONGEST:]))
    found = _collect(text, read, told, _NameSpans(limits.names))
    kept = _without_parts({key: each for key, each in found.items() if _is_term(key, each)})
    order = sorted(kept, key=lambda key: (-_weight(key, kept[key]), kept[key].spans[0], key))
    most = min(_MOST, _LEAST + len(text) // _PER_TERM)
    return [Term(" ".join(key), _spelling(kept[key]), tuple(kept[key].spans[:_SPANS])) for key in order[:most]]


def _phrases(text: str, start: int, end: int, limits: TermLimits) -> list[_Phrase]:
    """Return the runs of words that a term may be made of; in German they end in a noun, which has a capital."""
    runs: list[_Phrase] = [[]]
    place = start
    for match in _WORD.finditer(text, start, end):
        first, last = match.span()
        written = match.group()
        folded = written.lower()
        if runs[-1] and text[place:first] != " ":
            runs.append([])
        place = last
        if folded in _STOPS or _breaks(text, folded, last, first=not runs[-1]):
            runs.append([])
            continue
        owner = folded.endswith(("'s", "’s"))
        runs[-1].append(_Word(first, last - 2 if owner else last, folded[:-2] if owner else folded))
    return [run for run in (_trim(text, each, german=limits.german) for each in runs) if run]


def _breaks(text: str, folded: str, end: int, *, first: bool) -> bool:
    """Return whether a term does not go on with a word: an adverb, a code, a letter, a quantity."""
    if folded.isalpha():
        return len(folded) < 2 or folded.endswith("ly")
    if folded.isdigit():
        return first or len(folded) > 2 or (text[end : end + 1] in {".", ","} and text[end + 1 : end + 2].isalnum())
    return _CODE.fullmatch(folded) is not None


def _trim(text: str, run: _Phrase, *, german: bool) -> _Phrase:
    while run and (run[-1].folded.endswith("ed") or (german and text[run[-1].start].islower())):
        run = run[:-1]
    return run


def _key(words: Sequence[_Word]) -> _Key:
    """Return what two spellings of a term share: small letters, the last word in the singular."""
    last = words[-1].folded
    if len(last) > 4 and last[-1] == "s" and last[-2] not in "sui":
        last = last[:-3] + "y" if last.endswith("ies") else last[:-1]
    return (*(each.folded for each in words[:-1]), last)


def _collect(text: str, read: Sequence[tuple[bool, list[_Phrase]]], told: set[_Key], names: _NameSpans) -> dict[_Key, _Candidate]:
    """Return the parts of phrases that are told or stand twice, as far as they are no part of a name."""
    parts = [
        (is_heading, part, _key(part))
        for is_heading, phrases in read
        for phrase in phrases
        for first in range(len(phrase))
        for part in (phrase[first:last] for last in range(first + 1, min(first + _LONGEST, len(phrase)) + 1))
    ]
    counts = Counter(key for _, _, key in parts)
    found: dict[_Key, _Candidate] = {}
    for is_heading, part, key in parts:
        start, end = part[0].start, part[-1].end
        if (key in told or (counts[key] > 1 and len(key) > 1)) and not names.cut(start, end):
            candidate = found.setdefault(key, _Candidate(key in told))
            candidate.spans.append((start, end))
            candidate.verbs += len(key) == 1 and _VERBAL.search(text, max(0, start - 8), start) is not None
            candidate.names[text[start:end]] += 1 if is_heading else 100  # a heading's capitals say nothing
    return found


def _is_term(key: _Key, each: _Candidate) -> bool:
    if all(word in _OPEN or word.isdigit() for word in key) or sum(map(len, key)) < 4:
        return False
    if len(key) == 1:
        return len(each.spans) > 1 and 4 * each.verbs < len(each.spans)
    return each.told or len(each.spans) > 1


def _without_parts(kept: dict[_Key, _Candidate]) -> dict[_Key, _Candidate]:
    """Return the terms without those that hardly stand but inside a longer one."""
    inside: Counter[_Key] = Counter()
    for key, each in kept.items():
        for first in range(len(key)):
            for last in range(first + 1, len(key) + 1):
                if last - first < len(key):
                    inside[key[first:last]] = max(inside[key[first:last]], len(each.spans))
    return {key: each for key, each in kept.items() if 4 * (len(each.spans) - inside[key]) > len(each.spans)}


def _weight(key: _Key, each: _Candidate) -> float:
    return len(each.spans) * (1 + 0.5 * min(len(key), 3)) * (3.0 if each.told else 1.0)


def _spelling(each: _Candidate) -> str:
    """Return the commonest spelling; of equal ones that with the fewest capitals. What is written in capitals alone, as headings are, gets small
    letters, but for words as short as abbreviations."""
    name = min(each.names, key=lambda name: (-each.names[name], sum(map(str.isupper, name)), name))
    if not name.isupper() or " " not in name:
        return name
    return " ".join(word if len(word) <= _ABBREVIATION else word.lower() for word in name.split(" "))
