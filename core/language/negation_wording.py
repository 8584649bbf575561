"""Whether a question or a statement is negated: by words ("not", "kein"), by words that hold a negation ("excluded", "verboten"), by a syllable.

Two negations in one clause make a statement again ("not excluded").
"""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from functools import cache
from typing import NamedTuple

from core.language.content_words import tokens
from core.language.stems import stem_of_either
from core.language.stop_words import KEYWORD_STOP_WORDS
from core.language.word_files import join_alternatives, read_word_file

_LANGUAGES = ("en", "de")
_CLAUSE_END = re.compile(r"[.;:!?](?:\s+|$)|,\s+|\s+[–—]\s+|\s+(?:but|whereas|while|although|aber|sondern|jedoch|während|obwohl)\s+", re.IGNORECASE)
_OPENING = 3  # words among which the asking one stands: "and for whom"
_FAMILY = 5  # letters that words of one family share: "beglaubigt", "Beglaubigung"


class NegationWords(NamedTuple):
    negators: frozenset[str]
    negative: frozenset[str]
    positive: frozenset[str]
    asking: frozenset[str]
    phrases: re.Pattern[str]


class AskedPolarity(NamedTuple):
    """Whether a question is negated, has a word whose opposite there is ("covered"), asks for those of which that holds ("who"), what it speaks of:
    families of words."""

    is_negated: bool
    has_opposite: bool
    asks_which: bool
    words: frozenset[str]

    @property
    def matters(self) -> bool:
        """True where a passage that says the opposite answers another question. A question without a negation has only its own words: who approved
        a thing is not told apart by every "nobody" beside an approval."""
        return self.asks_which and self.is_negated


@cache
def negation_words() -> NegationWords:
    """Return the words of all languages together: a question may be in one and a passage in another."""
    tables = [read_word_file(language, "negation") for language in _LANGUAGES]

    def join(name: str) -> frozenset[str]:
        return frozenset(word.replace("_", " ") for table in tables for word in table[name].split())

    spoken = join_alternatives(join("phrases"))
    return NegationWords(
        join("negators"),
        join("negative"),
        join("positive"),
        join("asking"),
        re.compile(rf"\b(?:{spoken})\b|\bno\b\.?(?=\s*\d)|(?-i:\bNO\b)", re.IGNORECASE),
    )


def read_question(text: str, *, also: str = "") -> AskedPolarity:
    """Return what a question asks about a statement and its opposite; `also` is the same question in other words."""
    lists = negation_words()
    said = tokens(lists.phrases.sub(" ", text))
    count = sum(map(_negates, said))
    opposite = any(word in lists.negative or word in lists.positive for word in said)
    words = frozenset(_family(word) for word in [*said, *tokens(also)] if _carries_content(word))
    return AskedPolarity(count % 2 == 1, opposite, any(word in lists.asking for word in said[:_OPENING]), words)


def count_shared(text: str, asked: AskedPolarity) -> int:
    """Return how many of the things that are asked about a text speaks of."""
    return len(asked.words & {_family(_bare(word, asked.words)) for word in tokens(text)})


def states_negation(text: str, asked: AskedPolarity) -> bool | None:
    """Return whether a clause negates what it says, of those that speak of what is asked as much as any, or half as much; None where none does. A
    word that has an opposite speaks of any other: "excluded" of "covered"."""
    lists, words = negation_words(), asked.words
    clauses = [tokens(clause) for clause in _CLAUSE_END.split(lists.phrases.sub(" ", text))]
    shared = [len(words & {_family(_bare(word, words)) for word in clause}) for clause in clauses]
    if not any(shared):
        return None
    if asked.has_opposite:
        opposites = lists.negative | lists.positive
        shared = [count + any(word in opposites for word in clause) for count, clause in zip(shared, clauses, strict=True)]
    near = [clause for clause, count in zip(clauses, shared, strict=True) if 2 * count >= max(shared)]
    return any(sum(_negates(word) or _bare(word, words) != word for word in clause) % 2 for clause in near)


def _negates(word: str) -> bool:
    lists = negation_words()
    return word in lists.negators or word in lists.negative or word.endswith("n't")


def _bare(word: str, words: AbstractSet[str]) -> str:
    """Return "paid" of "unpaid" where the question speaks of it, else the word."""
    plain = word.removeprefix("un")
    return plain if plain != word and not _negates(word) and _family(plain) in words else word


def _carries_content(word: str) -> bool:
    return word not in KEYWORD_STOP_WORDS and not _negates(word)


def _family(word: str) -> str:
    return word[:_FAMILY] if len(word) > _FAMILY else stem_of_either(word)
