"""Fakes of `core.ports.multilingual_search`: a language for each question as a test names it, and an encoder that knows some words' translations."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.errors import Unavailable
from core.language.language_clues import ENCODER_LANGUAGES, LanguageGuess
from core.ports import Hit, IndexedDocument, Readiness, Translation
from core.search import Filters
from retrieval.vector_table import VectorTable
from tests.support.indexes import DIMENSION, vector_of

ENGLISH = LanguageGuess("en", 0.99, True, "English: the")
UNKNOWN = LanguageGuess("", 0.0, False, "no words that tell a language")
WORDS = {
    "wann": "when", "endet": "ends", "ende": "ends", "der": "the", "die": "the", "das": "the", "mietvertrag": "lease", "im": "in", "mai": "may",
    "märz": "march", "pumpe": "pump", "braucht": "needs", "öl": "oil", "ein": "a", "bail": "lease", "le": "the", "finit": "ends", "en": "in",
    "mars": "march", "hunde": "dogs", "sind": "are", "verboten": "forbidden", "miete": "rent", "bezahlt": "paid", "wird": "is",
    "monatlich": "monthly",
}  # fmt: skip


def language_guess(language: str, *, sure: bool = True) -> LanguageGuess:
    return LanguageGuess(language, 0.9, sure, f"{language}: its words")


def translate_words(text: str) -> str:
    """Word by word, by WORDS; other words stay."""
    plain = (word.strip(".,?").lower() for word in text.split())
    return " ".join(WORDS.get(word, word) for word in plain)


class FakeLanguages:
    """core.ports.QuestionLanguages: what a test wrote down for a question, English for any other. `asked` lists what was asked."""

    def __init__(self, told: Mapping[str, LanguageGuess] | None = None, otherwise: LanguageGuess = ENGLISH) -> None:
        self.told, self.otherwise = dict(told or {}), otherwise
        self.asked: list[str] = []

    async def detect_language(self, tenant: str, text: str) -> LanguageGuess:
        self.asked.append(text)
        return self.told.get(text, self.otherwise)


class FakeMultilingual:
    """core.ports.MultilingualSearch over some documents: a text and its translation by WORDS have the same vector.

    `unfilled` documents have no vectors yet; `problem` says why the encoder cannot be used; `broken`: it fails when it is asked all the same.
    `told` are questions in the library's own words, "" for all others. `calls` lists which methods were called, `started` what `ready` was told,
    `compared` the texts of `similarities`.
    """

    def __init__(self, documents: Sequence[IndexedDocument] = (), unfilled: Collection[str] = (), problem: str = "", broken: str = "") -> None:
        self.documents, self.unfilled, self.problem, self.broken = list(documents), set(unfilled), problem, broken
        self.told: dict[str, Translation] = {}
        self.calls: list[str] = []
        self.started: list[bool] = []
        self.filters: list[Filters] = []
        self.compared: list[str] = []

    async def other_languages(self, tenant: str) -> frozenset[str]:
        self.calls.append("other_languages")
        return (ENCODER_LANGUAGES - {"en"}) & {document.language for document in self._documents_of(tenant)}

    async def check_readiness(self, tenant: str, *, start: bool) -> Readiness:
        self.calls.append("ready")
        self.started.append(start)
        own = self._documents_of(tenant)
        filled = sum(document.id not in self.unfilled for document in own)
        return Readiness(problem=self.problem) if self.problem else Readiness(filled, len(own))

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        self._call("embed_query")
        return vector_of(translate_words(text))

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        self._call("search")
        self.filters.append(filters)
        return self._table().search(tenant, vector, filters, limit)

    async def cosines(self, tenant: str, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> dict[int, float]:
        self._call("cosines")
        return {number: float(row @ vector) for number, row in self._table().get(tenant, chunk_ids).items()}

    async def translate_question(self, tenant: str, text: str, language: str) -> Translation:
        self._call("translated")
        return self.told.get(text, Translation())

    async def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        self._call("similarities")
        self.compared += texts
        asked = vector_of(translate_words(question))
        return [float(vector_of(translate_words(text)) @ asked) for text in texts]

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.problem or self.broken:
            raise Unavailable(self.problem or self.broken)

    def _documents_of(self, tenant: str) -> list[IndexedDocument]:
        return [document for document in self.documents if document.tenant == tenant]

    def _table(self) -> VectorTable:
        table = VectorTable(DIMENSION, faiss_above=1_000_000)
        for document in self.documents:
            if document.id not in self.unfilled:
                chunks = tuple(replace(chunk, vector=vector_of(translate_words(chunk.text))) for chunk in document.chunks)
                table.upsert(replace(document, chunks=chunks))
        table.commit()
        return table
