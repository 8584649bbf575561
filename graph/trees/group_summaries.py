"""A summary of a group without a model: the sentences nearest its centre that name what its passages have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.language.sentences import split_sentences
from core.trees import SummarySentence
from graph.communities.description import is_whole_sentence, keyword_words, telling_words

_SENTENCES = 3  # of a summary at most
_SAME = 0.6  # share of the words of the shorter one that make two sentences alike


@dataclass(frozen=True, slots=True)
class GroupText:
    """A text of a group: a passage, or a sentence of one that begins at `start`. `nearness` is its inner product with the group's centre."""

    chunk_id: int
    start: int
    text: str
    nearness: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a library, and how many a group has on average."""

    counts: Counter[str]
    average: float


def count_words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in keyword_words(text))


def choose_sentences(read: Sequence[GroupText], words: Counter[str], outside: Vocabulary) -> tuple[GroupText, ...]:
    """Return at most three whole sentences, no two alike, the best first: how many of the group's telling words each names, times how near its text
    lies to the centre. `words` are those of the whole group; without a whole sentence there is no summary.
    """
    telling = set(telling_words(words, outside.counts, outside.average))
    rated = []
    for text in read:
        for start, end in split_sentences(text.text):
            said = text.text[start:end]
            if is_whole_sentence(said) and (named := len(telling & set(keyword_words(said)))):
                rated.append((-round(named * max(text.nearness, 1e-6), 9), GroupText(text.chunk_id, text.start + start, said, text.nearness)))
    rated.sort(key=lambda each: (each[0], each[1].text, each[1].chunk_id))
    chosen: list[GroupText] = []
    for _, each in rated:
        if len(chosen) < _SENTENCES and all(_differ(each.text, other.text) for other in chosen):
            chosen.append(each)
    return tuple(chosen)


def sentence_places(chosen: Sequence[GroupText]) -> tuple[SummarySentence, ...]:
    return tuple(SummarySentence(each.chunk_id, each.start, each.start + len(each.text)) for each in chosen)


def _differ(one: str, other: str) -> bool:
    words, others = set(keyword_words(one)), set(keyword_words(other))
    return len(words & others) < _SAME * max(min(len(words), len(others)), 1)
