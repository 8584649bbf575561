"""Words of a question in the words of the library, by the multilingual encoder: "Kaution" is nearest to "deposit".

A dictionary that nobody has to write: the library's own words are encoded one by one, and a question's word is translated by those that lie
nearest to it. So the words of a question speak again where question and document are in different languages: for the search, for "not found", and
for the choice of sentences. The vocabulary lives in memory alone and is read from the library anew after a start: no word outlives its document on
the disk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import anyio.to_thread
import numpy as np

from core.language.language_clues import ELISIONS, known_word, own_words_of, words_of
from core.language.stop_words import SEARCH_STOP_WORDS as STOP_WORDS
from core.ports import PieceEncoder, SearchIndex, Translation
from retrieval.unspaced_words import blank_unspaced, is_unspaced, join_pieces

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST = 8000  # words: 8 MB of vectors, and some seconds of the encoder in the background
COUNTED = 100_000  # different words that are counted; beyond, those that were seen once are forgotten
NEAR, CLOSE = 0.52, 0.08  # the least cosine of a translation, and how far behind the nearest another may lie
SURELY = 0.7  # the least for a word that the library has itself: a document in another language may have it, too
TRANSLATIONS = 2
NEARBY = 32  # words looked at for each: those of other tenants' documents are among them
_LONGEST, _SHORTEST = 30, 3
_SLICE = 64  # words in one call of the encoder
_WORD = re.compile(r"[^\W\d_]+")
# And names with one: C2, Q-20417. Each run of letters is looked at once: a page without spaces, as in Chinese, takes no longer than any other.
_NUMBER = re.compile(r"(?<!\w)(?:[^\W\d]{1,4}-)?[^\W\d]*\d\w*(?:[.,/-][^\W\d]*\d\w*)*")
_ABSENT = "qzxjvwkqzx"  # stands in no document
NearWord = tuple[str, float]  # a word and its cosine


class WordTranslator:
    """`learn_texts` texts, `encode_learned` what was learned, ask for the `nearest_words` of words."""

    def __init__(self, encoder: PieceEncoder, most: int = MOST) -> None:
        self._encoder, self._most = encoder, most
        self._counts: Counter[str] = Counter()
        self._words: list[str] = []
        self._vectors: NDArray[np.float16] = np.zeros((0, encoder.dimension), np.float16)

    def __len__(self) -> int:
        return len(self._words)

    async def learn_texts(self, texts: Sequence[str]) -> None:
        """Count the words of some texts: each once a text."""

        def count() -> None:
            for text in texts:
                self._counts.update({word for word in _WORD.findall(text.lower()) if _SHORTEST <= len(word) <= _LONGEST and word not in STOP_WORDS})
            if len(self._counts) > COUNTED:
                self._counts = Counter({word: times for word, times in self._counts.items() if times > 1})

        await anyio.to_thread.run_sync(count)

    async def encode_learned(self) -> int:
        """Encode some of the most frequent words that are not encoded yet; returns how many, 0 when there are none."""
        room = self._most - len(self._words)
        if room <= 0:
            return 0
        known = set(self._words)
        fresh = [word for word, _ in self._counts.most_common(self._most) if word not in known][: min(room, _SLICE)]
        if fresh:
            encoded = await self._encoder.embed_passages(fresh)
            self._vectors = np.concatenate([self._vectors, encoded.vectors.astype(np.float16)])
            self._words = [*self._words, *fresh]
        return len(fresh)

    def split_words(self, word: str) -> list[str]:
        """Return the words of a run of letters in which no space parts them, and any other word by itself."""
        return join_pieces(self._encoder.pieces(word)) if is_unspaced(word) else [word]

    async def nearest_words(self, words: Sequence[str]) -> dict[str, list[NearWord]]:
        """Return for each word of `words` (as it was typed) the NEARBY nearest ones that were learned, in lower case, nearest first; itself among
        them where it was learned. A word that nothing is near to is left out.
        """
        if not self._words or not words:
            return {}
        # The encoder tells "Kaution", a noun, from "kaution", as people type it: where no capital tells, the better of both counts.
        typed = (await self._encoder.embed_passages(words)).vectors
        raised = (await self._encoder.embed_passages([word if word != word.lower() else word.capitalize() for word in words])).vectors
        found = await anyio.to_thread.run_sync(partial(self._nearest_of_rows, typed, raised))
        return {word: near for word, near in zip(words, found, strict=True) if near}

    def _nearest_of_rows(self, typed: NDArray[np.float32], raised: NDArray[np.float32]) -> list[list[NearWord]]:
        """Return the nearest words of each row."""
        own, vectors = self._words, self._vectors.astype(np.float32)
        cosines = np.maximum(vectors @ typed.T, vectors @ raised.T).T
        places = np.argsort(-cosines, axis=1)[:, :NEARBY]
        return [[(own[place], float(row[place])) for place in nearest if row[place] >= NEAR] for row, nearest in zip(cosines, places, strict=True)]


def translations(word: str, near: Sequence[NearWord]) -> list[str]:
    """Return the translations of a word in lower case, by those near it: the nearest first, before them itself where it is one of them."""
    known = any(each == word for each, _ in near)
    others = [(each, cosine) for each, cosine in near if each != word and cosine >= (SURELY if known else NEAR)]
    found = [each for each, cosine in others if cosine >= others[0][1] - CLOSE][:TRANSLATIONS]
    return [word, *found] if known else found


def topic_words(text: str, language: str) -> list[str]:
    """Return the words of a question that carry its topic, as they were typed, in order: without quotations, and without function words of its
    language; what is left of an article in front of another word is taken off ("l'assurance").
    """
    found = []
    for typed in dict.fromkeys(words_of(own_words_of(text))):
        before, _, after = typed.partition("'")
        word = after if after and language in ELISIONS.get(before.lower(), ()) else typed
        known = known_word(word.lower())
        if len(word) >= _SHORTEST and not (known is not None and language in known.function | known.particle):
            found.append(word)
    return found


async def translate_question(translator: WordTranslator, index: SearchIndex, tenant: str, text: str, language: str) -> Translation:
    """Return a question in the words of the tenant's documents: what it has of them itself, the nearest of them for its other words, and its
    numbers.
    """
    words = topic_words(text, language)
    apart = list(dict.fromkeys(part for word in words for part in translator.split_words(word)))
    found = await translator.nearest_words(apart)
    near = {word.lower(): found.get(word, []) for word in [*words, *apart]}
    asked = {word.lower() for word in words}  # a part of them is given by its translations alone: its run stands for it
    every = list(dict.fromkeys([*near, *(each for others in near.values() for each, _ in others)]))
    idf = await index.idf(tenant, " ".join([_ABSENT, *every]))
    absent = max(idf.values(), default=0.0)
    own = {each for each in every if any(idf.get(term, absent) < absent for term in index.terms(each))}
    # Before the nearest are chosen: words of another tenant's documents are not shown, and take no place from this one's.
    chosen = {word: translations(word, [each for each in others if each[0] in own]) for word, others in near.items()}
    chosen_words = list(
        dict.fromkeys(each for word, others in chosen.items() for each in ((word,) if word in asked else ()) + tuple(others) if each in own)
    )
    translated = sum(word not in own and bool(others) for word, others in chosen.items())
    words_and_numbers = " ".join([*chosen_words, *_NUMBER.findall(blank_unspaced(text))]) if chosen_words else ""
    known = {word: tuple(each for each in others if each[0] in own) for word, others in near.items()}
    return Translation(words_and_numbers, translated, known)
