"""Whether a word of a statement says the same as one that is asked, or its opposite."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from answers.verdicts.verdict_words import verdict_words
from core.language.related_words import has_related, other_forms, similar_words
from core.language.stems import stem, stem_of_either

_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")
_ASKING_ENDING = re.compile(r"-(?:t-)?(?:ils?|elles?|on|ce)$", re.IGNORECASE)
_ELIDED = re.compile(r"^(?:l|d|qu|n|s|j)['’]", re.IGNORECASE)
_DENYING_BEGINNINGS = ("un", "in", "im", "non", "non-", "il", "ir")
_DOER_ENDINGS = ("or", "ors", "er", "ers", "ee", "ees")
_LEAST_MISSPELT, _LEAST_ALIKE = 9, 0.8  # letters of a word that may be spelt a little otherwise, and how much of it must be alike


class StatementSurroundings(NamedTuple):
    """The words in lower case around a statement: `near` of its heading, label and document's name, and of the sentences in front of it where it
    begins with what was spoken of; `far` of its whole passage."""

    near: frozenset[str]
    far: frozenset[str]


class Match(Enum):
    """What a word says of another."""

    SAME = "same"
    OPPOSITE = "opposite"


@dataclass(frozen=True, slots=True)
class SaidWord:
    """A word of a text in lower case at [start:end]; `is_name`: it is written with a capital or holds a digit, and does not begin the text."""

    word: str
    start: int
    end: int
    is_name: bool

    @property
    def is_number(self) -> bool:
        return self.word[0].isdigit()


def read_tokens(text: str) -> list[SaidWord]:
    """Return the words of a text in their order, hyphens left out ("well-being" is "wellbeing")."""
    found = []
    for match in _WORD.finditer(text):
        written = _ASKING_ENDING.sub("", _ELIDED.sub("", match.group()))
        word = re.sub(r"(?<!\d)-|-(?!\d)", "", written.casefold().replace("’", "'").removesuffix("'s"))
        is_name = (written[:1].isupper() and bool(text[: match.start()].strip(" \"'“¿(*-"))) or any(map(str.isdigit, written))
        found.append(SaidWord(word, match.start(), match.end(), is_name))
    return found


@lru_cache(maxsize=20_000)
def compare_words(asked: str, said: str) -> Match | None:
    """Return what a word of a statement says of one that is asked, both in lower case; None where they have nothing to do with each other."""
    if asked == said:
        return Match.SAME
    one, other, lists = stem(asked), stem(said), verdict_words()
    ones, others = _forms(asked), _forms(said)
    if any(not others.isdisjoint(lists.opposites.get(each, ())) for each in ones) or _is_denied(asked, said) or _is_denied(said, asked):
        return Match.OPPOSITE
    if one == other or stem_of_either(asked) == stem_of_either(said) or any(not others.isdisjoint(lists.alike.get(each, ())) for each in ones):
        return Match.SAME
    if any(stem(word) == other for word in (*other_forms(asked), *similar_words(asked))):
        return Match.SAME
    return Match.SAME if _is_spelt_alike(asked, said) else None


def _forms(word: str) -> frozenset[str]:
    """Return the stems of a word and of its irregular forms."""
    return frozenset({stem(word), *(stem(each) for each in other_forms(word))})


def find_word(asked: str, tokens: Iterable[SaidWord]) -> tuple[SaidWord, Match] | None:
    """Return the first token that says a word or its opposite; one that says the same before one that says the opposite."""
    opposite = None
    for token in tokens:
        match = compare_words(asked, token.word)
        if match is Match.SAME:
            return token, match
        if match is Match.OPPOSITE and opposite is None:
            opposite = (token, match)
    return opposite


def holds_word(asked: str, words: Iterable[str]) -> bool:
    """Return whether one of the words says the same."""
    return any(compare_words(asked, word) is Match.SAME for word in words)


def count_held(words: Iterable[str], among: Iterable[str]) -> int:
    """Return how many of the words others say."""
    said = frozenset(among)
    return sum(holds_word(word, said) for word in words)


def holds_all(words: Iterable[str], among: Iterable[str]) -> bool:
    """Return whether others say each of the words."""
    said = frozenset(among)
    return all(holds_word(word, said) for word in words)


def words_in(texts: Sequence[str]) -> frozenset[str]:
    """Return the words of some texts."""
    return frozenset(token.word for text in texts for token in read_tokens(text))


def _is_denied(word: str, other: str) -> bool:
    """Return whether the other word is the first with a syllable that denies it: "suitable", "unsuitable"."""
    return len(word) >= 5 and any(other == beginning + word for beginning in _DENYING_BEGINNINGS)


def _is_spelt_alike(asked: str, said: str) -> bool:
    """Return whether two words are of one family by their beginning ("deliver", "delivery"), or the same but for some
    letters of a long one."""
    if any(map(str.isdigit, asked + said)) or asked[:1] != said[:1]:
        return False
    longer, shorter = sorted((_plain(asked), _plain(said)), key=len, reverse=True)
    if any(longer == shorter.removesuffix("e") + ending for ending in _DOER_ENDINGS):
        return False  # "contract" is no "contractor"
    if has_related(stem(shorter), frozenset({stem(longer)})):
        return True
    return len(shorter) >= _LEAST_MISSPELT and SequenceMatcher(None, longer, shorter, autojunk=False).ratio() >= _LEAST_ALIKE


def _plain(word: str) -> str:
    """Return a word without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", word) if not unicodedata.combining(letter))
