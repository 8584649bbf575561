"""core.ports.Speller over the search index: a word that the library does not have becomes the nearest one that it has.

No dictionary of misspellings: the index finds the terms within one or two edits, the stored text says how the word is written. A word that the
embedding model's vocabulary has as one piece is a word of the language, however rare it is in the library, and so is a regular form of one
("competes", "maximised"): it stays, so that a question about what is not there is still answered by "not found", and none is turned into another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Protocol

from rapidfuzz.distance import OSA

from core.language.language_clues import known_word
from core.language.stop_words import SEARCH_STOP_WORDS as STOP_WORDS
from core.ports import Library, WordCorrection
from retrieval.vocabulary_words import SHORTEST_WORD

LOOKED_AT = 40  # passages in which the nearest word is looked for
_LONGEST = 30  # letters of a word that is corrected
_TWO_EDITS = 7  # letters from which a word may be two edits away
_MOST = 3  # corrections of one question: of more it is in another language, or no language
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_KEPT = re.compile(  # quotations, addresses, names of files, words with figures, key paths
    r'"[^"]*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»|`[^`]*`|(?<!\w)\'[^\']*\'(?!\w)|\S*[\d_@/\\#]\S*|\b\w+\.\w+\S*'
)
_SHORTEST_BASE = 3  # "fewest" of "few"
_ENDINGS = ("s", "es", "d", "ed", "ing", "ly", "r", "er", "ers", "st", "est")
_SHORT_STOP_WORDS = frozenset({"the", "and", "you"})  # of three letters few more: "won" is no "own"
_ABSENT = "qzxjvwkqzx"  # stands in no document, so its idf is that of every word that stands in none


class SpellingIndex(Protocol):
    """The part of the search index that spelling needs."""

    def terms(self, text: str) -> list[str]: ...
    async def idf(self, tenant: str, text: str) -> dict[str, float]: ...
    async def chunks_with_similar_term(self, tenant: str, term: str, distance: int, limit: int) -> list[int]:
        """Return ids of chunks with a term within so many edits of this one, in no order."""
        ...


class LibrarySpeller:
    """`known` are words that are right wherever they stand (lower case)."""

    def __init__(self, index: SpellingIndex, library: Library, known: frozenset[str]) -> None:
        self._index, self._library, self._known = index, library, known

    async def corrections(self, tenant: str, text: str) -> tuple[WordCorrection, ...]:
        odd = self._unknown_words(text)
        strange = await self._absent_words(tenant, odd)
        if len(strange) > _MOST:
            return ()
        found = [
            WordCorrection(*match.span(), match.group(), name)
            for match in odd[:_MOST]
            if match not in strange and match.group().endswith("s") and (name := await self._owner_name(tenant, match.group()))
        ]
        for match in strange:
            is_name = match.group()[0].isupper() and bool(text[: match.start()].strip(" \"'“‘(¿¡"))
            meant = await self._nearest_word(tenant, match.group().lower(), edits=1 if is_name else 2)
            if meant:
                written = match.group()
                shown = meant.capitalize() if written[0].isupper() and not meant[0].isupper() else meant
                found.append(WordCorrection(*match.span(), written, shown))
        return tuple(sorted(found, key=lambda each: each.start))

    def _unknown_words(self, text: str) -> list[re.Match[str]]:
        """Return the words that the language does not have; none in a question that is not English."""
        kept = [match.span() for match in _KEPT.finditer(text)]
        words = [match for match in _WORD.finditer(text) if not any(start < match.end() and match.start() < end for start, end in kept)]
        if any(_is_foreign(match.group()) for match in words):
            return []
        return [match for match in words if self._may_be_wrong(match.group())]

    async def _absent_words(self, tenant: str, odd: Sequence[re.Match[str]]) -> list[re.Match[str]]:
        """Return the words that the library does not have, either."""
        terms = {match.group(): self._index.terms(match.group()) for match in odd}
        if not odd:
            return []
        idf = await self._index.idf(tenant, " ".join([*terms, _ABSENT]))
        absent = max(idf.values(), default=0.0)
        return [match for match in odd if terms[match.group()] and all(idf.get(term, 0.0) >= absent for term in terms[match.group()])]

    def _may_be_wrong(self, word: str) -> bool:
        lower = word.lower()
        if len(word) < SHORTEST_WORD:
            return lower not in STOP_WORDS and bool(_transposed_stop_word(lower))
        if not SHORTEST_WORD <= len(word) <= _LONGEST or lower in STOP_WORDS or lower in self._known or word.isupper():
            return False
        return known_word(lower) is None and not any(base in self._known or base in STOP_WORDS for base in _base_forms(lower))

    async def _owner_name(self, tenant: str, word: str) -> str:
        """Return "Amina's" for "aminas": the name that the library always writes with a capital; "" where it has the word as it is, or no such
        name.
        """
        bare, terms = word.lower().removesuffix("s"), self._index.terms(word)
        if not terms:  # a stop word of the index
            return ""
        chunks = await self._library.chunks(tenant, await self._index.chunks_with_similar_term(tenant, terms[0], 1, LOOKED_AT))
        written = {match for chunk in chunks.values() for match in _WORD.findall(f"{chunk.prefix} {chunk.text}")}
        if bare in written or any(each.lower() == word.lower() for each in written):
            return ""
        return f"{bare.capitalize()}'s" if bare.capitalize() in written else ""

    async def _nearest_word(self, tenant: str, word: str, *, edits: int) -> str:
        """Return the library's nearest word within so many edits, of equally near ones the one in most passages; "" for none. A name that is two
        letters off is another name.
        """
        if meant := _transposed_stop_word(word):
            return meant
        (term, *_) = self._index.terms(word)
        for distance in range(1, (edits if len(word) >= _TWO_EDITS else 1) + 1):
            chunks = await self._library.chunks(tenant, await self._index.chunks_with_similar_term(tenant, term, distance, LOOKED_AT))
            counts: Counter[str] = Counter()
            for chunk in chunks.values():
                counts.update({match.lower() for match in _WORD.findall(f"{chunk.prefix} {chunk.text}")})
            near = [each for each in counts if _edit_distance(word, each) <= distance]
            if near:
                return min(near, key=lambda each: (_edit_distance(word, each), each[0] != word[0], -counts[each], each))
        return ""


@cache
def _stop_words_by_letters() -> dict[str, list[str]]:
    """Return sorted letters -> the words of every question that have them."""
    found: dict[str, list[str]] = {}
    for word in sorted(each for each in STOP_WORDS if len(each) >= SHORTEST_WORD or each in _SHORT_STOP_WORDS):
        found.setdefault("".join(sorted(word)), []).append(word)
    return found


def _transposed_stop_word(word: str) -> str:
    """Return the word of every question that these letters are in another order ("waht", "teh"); "" for none."""
    return next((each for each in _stop_words_by_letters().get("".join(sorted(word)), ()) if _edit_distance(word, each) == 1), "")


def _base_forms(word: str) -> set[str]:
    """Return the base forms of a word, in British or American spelling: "maximised" of "maximize", "fewest" of "few", "parties" of "party"."""
    spelt = {word, re.sub(r"is(?=(?:e[drs]?|ers|es|ing|ations?)$)", "iz", word), re.sub(r"our(?=(?:s|ed|ing)?$)", "or", word)}
    found = set(spelt)
    for each in spelt:
        for ending in _ENDINGS:
            bare = each.removesuffix(ending)
            if bare == each or len(bare) < _SHORTEST_BASE:
                continue
            found |= {bare, f"{bare}e"}
            if bare.endswith("i"):
                found.add(f"{bare[:-1]}y")
            if ending not in {"s", "es", "ly"} and bare[-1] == bare[-2]:
                found.add(bare[:-1])
    return found


def _edit_distance(one: str, other: str) -> int:
    """Return the number of letters left out, put in, changed or transposed."""
    return OSA.distance(one, other, score_cutoff=2)


def _is_foreign(word: str) -> bool:
    """Return whether a word is a function word of other languages than English: "ist", "der"."""
    known = known_word(word.lower())
    return known is not None and bool(known.function) and "en" not in known.function | known.content | known.particle
