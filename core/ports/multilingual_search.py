"""Questions and passages in different languages: what a question is asked in, and a second search by an encoder that knows many languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from core.language.language_clues import LanguageGuess
from core.ports.search_index import Hit
from core.search import Filters

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class QuestionLanguages(Protocol):
    """The language in which somebody asks."""

    async def detect_language(self, tenant: str, text: str) -> LanguageGuess: ...


class QuestionTranslator(Protocol):
    """Questions in another language, in that of a library whose documents are all in one."""

    async def translate_to_english(self, tenant: str, text: str) -> str:
        """Return the question in English; "" where it is in English, where documents are in other languages, and where a word of it is not known."""
        ...


@dataclass(frozen=True, slots=True)
class Readiness:
    """The state of the encoder: how many of the library's documents have vectors of the multilingual encoder, and whether their `has_words` are there
    to translate a question into; `problem` says why it cannot be used at all, "" where it can."""

    filled_documents: int = 0
    documents: int = 0
    problem: str = ""
    has_words: bool = True

    @property
    def is_complete(self) -> bool:
        return not self.problem and self.has_words and self.filled_documents >= self.documents


@dataclass(frozen=True, slots=True)
class Translation:
    """`words` in the library's own ("" where none is near); `translated_words` of the question's words are in no document and have a near one; `near`
    gives for each word (lower case) those of the library nearest to it with their cosines; `english` is the whole question in English where every
    word of it is known."""

    words: str = ""
    translated_words: int = 0
    near: Mapping[str, tuple[tuple[str, float], ...]] = field(default_factory=dict, compare=False)
    english: str = field(default="", compare=False)


class MultilingualSearch(Protocol):
    """Search by an encoder that gives a text and its translation nearly the same vector. All cosines are scaled (see SimilarityScale)."""

    async def other_languages(self, tenant: str) -> frozenset[str]:
        """Return the languages other than English, of those that the encoder knows, that the tenant's documents are in."""
        ...

    async def check_readiness(self, tenant: str, *, start: bool) -> Readiness:
        """Return what the encoder can be used for now, since somebody asks: with `start` vectors that are missing are made at once, and waited for a
        moment. Never raises for a missing model."""
        ...

    async def embed_query(self, text: str) -> NDArray[np.float32]: ...
    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]: ...
    async def cosines(self, tenant: str, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> dict[int, float]:
        """Return the cosines of those of the chunks that have a vector with this one."""
        ...

    async def translate_question(self, tenant: str, text: str, language: str) -> Translation:
        """Return the question in the words of the tenant's documents: each that carries its topic by those nearest in meaning, numbers as they
        are."""
        ...

    async def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        """Return the question's similarity with each text, embedded on the fly; the question as `embed_query` has it."""
        ...
