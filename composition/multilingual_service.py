"""The multilingual encoder of a library and its vectors, made in the background.

Nothing of it is loaded while everything is English: the encoder is opened, and vectors are made, once the library holds a document in another of its
languages or somebody asks in one (`search.cross_language: auto`); with `always`, from the start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from answers.scoring.unit_vectors import UnitVectors
from composition.active_search import ActiveSearch
from composition.question_translation import GERMAN, read_in_english
from core.errors import Unavailable, VantageError
from core.language.language_clues import ENCODER_LANGUAGES
from core.ports import EncodedPassages, Hit, PieceEncoder, Readiness, SearchIndex, Translation
from core.ports.reembedding import UnfilledDocument
from core.search import Filters
from ingestion.indexing.document_reembedding import BATCH, DocumentReembedding
from retrieval.second_vectors import SecondVectors
from retrieval.word_translation import WordTranslator, translate_question
from server.schemas import Part
from settings import Settings
from storage.database import Database
from storage.document_vectors import has_multilingual_vectors, multilingual_store

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

OTHER_LANGUAGES = ENCODER_LANGUAGES - {"en"}
WAIT_SECONDS = 5.0  # seconds that a question waits for encoder, vectors and words: those of a few hundred passages are there in that time
_SENTENCES = 4000  # whose vectors are remembered: 4 MB
_CACHE_SECONDS = 5.0  # seconds that a translation is remembered: a run asks for it at several stages
_PAUSE_SHARE = 1.0  # of the time that a call of the encoder took is left to others while nobody waits
_POLL_SECONDS = 5.0  # seconds after which a library is looked at again
_RETRY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class MultilingualDependencies:
    """The dependencies of the encoder's service: `open_encoder` blocks for a second or two; `index` gives the present one."""

    database: Database
    open_encoder: Callable[[], PieceEncoder]
    index: Callable[[], SearchIndex]
    faiss_above: int
    is_always_on: bool = False


@dataclass(frozen=True, slots=True)
class _OpenedEncoder:
    encoder: PieceEncoder
    vectors: SecondVectors
    filling: DocumentReembedding
    translator: WordTranslator
    units: UnitVectors


class MultilingualService:
    """Implements `core.ports.MultilingualSearch`. `start` it in the running event loop, and `close` it before what it reaches."""

    def __init__(self, dependencies: MultilingualDependencies) -> None:
        self._dependencies = dependencies
        self._opened: _OpenedEncoder | None = None
        self._problem = ""
        self._was_asked = False
        self._wanted_now, self._progressed = asyncio.Event(), asyncio.Event()
        self._waiting = 0
        self._cached_counts: dict[str, tuple[int, tuple[int, int]]] = {}  # tenant -> how often was written before, filled and all documents
        self._cached_translations: dict[tuple[str, str, str], tuple[float, Translation]] = {}
        self._task: asyncio.Task[None] | None = None
        self._busy: Callable[[], bool] = lambda: False
        self._runs_unasked = self._has_all_words = False

    def start(self, busy: Callable[[], bool], *, unasked: bool) -> None:
        """Start the background work. `busy` says that files are being read: the background waits for their end, a question does not. With `unasked`
        vectors are made before anybody asks; without, as in a command that answers one question, only then.
        """
        self._busy, self._runs_unasked = busy, unasked
        self._task = asyncio.create_task(self._run(), name="multilingual-vectors")

    async def close(self) -> None:
        """Stop within a call of the encoder. What was made stays."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._opened is not None:
            self._opened.vectors.stop_following()
            await self._opened.encoder.close()

    # ------------------------------------------------------------------------------------------------------------------- searching
    async def other_languages(self, tenant: str) -> frozenset[str]:
        return OTHER_LANGUAGES & set(await self._dependencies.index().languages(tenant))

    async def check_readiness(self, tenant: str, *, start: bool) -> Readiness:
        if start:
            self._was_asked = True
            readiness = await self._readiness(tenant)
            if readiness.is_complete and not self._problem:  # one may have come up while the documents were counted
                return readiness  # the filling need not be woken: each time it looks through all documents for one without vectors
            self._waiting += 1
            self._wanted_now.set()
            try:
                with anyio.move_on_after(WAIT_SECONDS):
                    return await self._wait_until_complete(tenant)
            finally:
                self._waiting -= 1
        return await self._readiness(tenant)

    async def _wait_until_complete(self, tenant: str) -> Readiness:
        while True:
            self._progressed.clear()  # before looking: what moves meanwhile is not missed
            readiness = await self._readiness(tenant)
            if self._problem:  # it may have come up while the documents were counted
                return Readiness(problem=self._problem)
            if readiness.is_complete:
                return readiness
            await self._progressed.wait()

    async def _readiness(self, tenant: str) -> Readiness:
        if self._problem:
            return Readiness(problem=self._problem)
        if self._opened is None:
            documents = (await self._dependencies.index().languages(tenant)).values()
            return Readiness(0, sum(documents), has_words=False) if self._was_asked else Readiness()
        filled, every = await self._counts(tenant, self._opened)
        return Readiness(filled, every, has_words=self._has_all_words)

    async def _counts(self, tenant: str, opened: _OpenedEncoder) -> tuple[int, int]:
        """Return the numbers of filled and of all documents. They are counted again only where something was written since: a question asks for them
        at several stages.
        """
        changes = opened.vectors.changes
        at, counts = self._cached_counts.get(tenant, (-1, (0, 0)))
        if at != changes:
            counts = await multilingual_store(self._dependencies.database, opened.encoder.name, tenant).counts()
            self._cached_counts = {each: known for each, known in self._cached_counts.items() if known[0] == changes} | {tenant: (changes, counts)}
        return counts

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return await self._require_encoder().embed_query(text)

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        opened = self._require_opened()
        scaled = opened.encoder.scale.rescale
        found = await opened.vectors.search(tenant, vector, filters, limit)
        return tuple(Hit(hit.chunk_id, hit.document_id, scaled(hit.score)) for hit in found)

    async def cosines(self, tenant: str, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> dict[int, float]:
        opened = self._require_opened()
        found = await opened.vectors.get(tenant, chunk_ids)
        return {number: opened.encoder.scale.rescale(float(row @ vector)) for number, row in found.items()}

    async def translate_question(self, tenant: str, text: str, language: str) -> Translation:
        if not self._has_all_words:  # of half a vocabulary the nearest word is a wrong one
            return Translation()
        key = (tenant, text, language)
        at, translation = self._cached_translations.get(key, (0.0, Translation()))
        if time.monotonic() - at > _CACHE_SECONDS:
            index = self._dependencies.index()
            translation = await translate_question(self._require_opened().translator, index, tenant, text, language)
            if language == GERMAN and translation.words:
                translation = replace(translation, english=await read_in_english(index, tenant, text))
            self._cached_translations = {
                each: (when, found) for each, (when, found) in self._cached_translations.items() if time.monotonic() - when <= _CACHE_SECONDS
            }
            self._cached_translations[key] = (time.monotonic(), translation)
        return translation

    async def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        units = self._require_opened().units
        cosines = await units.encode(texts) @ await units.encode_question(question)
        return [float(value) for value in units.scale.rescale(cosines)]

    def _require_encoder(self) -> PieceEncoder:
        return self._require_opened().encoder

    def _require_opened(self) -> _OpenedEncoder:
        if self._opened is None:
            raise Unavailable(self._problem or "The multilingual encoder is still being opened. Ask again in a moment.")
        return self._opened

    # --------------------------------------------------------------------------------------------------------------------- filling
    async def _run(self) -> None:
        while True:
            pause = _POLL_SECONDS
            self._wanted_now.clear()  # before looking: who asks meanwhile is not kept waiting
            try:
                if await self._open_if_wanted():
                    pause = 0.0 if await self._fill() else _POLL_SECONDS
            except VantageError as error:
                self._problem, pause = str(error), _RETRY_SECONDS
                logger.warning("Vectors for other languages could not be made: %s It is tried again.", error)
                self._progressed.set()
            if pause:
                with anyio.move_on_after(pause):
                    await self._wanted_now.wait()

    async def _open_if_wanted(self) -> bool:
        """Return whether anybody needs it: somebody asked, now or before, or a document is in another language. Then it is opened."""
        if self._opened is not None:
            return bool(self._waiting) or not self._busy()
        wanted = self._was_asked or (self._runs_unasked and await self._is_expected())
        if wanted:
            self._opened = await self._open()
            self._problem = ""
            self._progressed.set()
        return wanted

    async def _is_expected(self) -> bool:
        """Return whether it will be needed: it was before, or a document is in another language."""
        if self._dependencies.is_always_on or await has_multilingual_vectors(self._dependencies.database):
            return True
        return bool(OTHER_LANGUAGES & await self._dependencies.index().all_languages())

    async def _open(self) -> _OpenedEncoder:
        encoder = await anyio.to_thread.run_sync(self._dependencies.open_encoder)
        try:
            return await self._build_vectors(encoder)
        except BaseException:
            await encoder.close()
            raise

    async def _build_vectors(self, encoder: PieceEncoder) -> _OpenedEncoder:
        """Open the multilingual index, with the vectors that were made before. The vectors come last: they follow the index from then on."""
        dependencies = self._dependencies
        store = multilingual_store(dependencies.database, encoder.name)
        await store.delete_other_embedders()
        translator = WordTranslator(encoder)
        for document in await store.list_filled():  # the others' words are read when they are filled
            await translator.learn_texts([text for _, text in await store.texts(document)])
        vectors = await SecondVectors.follow_index(dependencies.index, encoder.dimension, dependencies.faiss_above, store.iterate_vectors())
        filling = DocumentReembedding(store, partial(_embed_and_learn, encoder, translator), encoder.dimension, shown=partial(_put_vectors, vectors))
        return _OpenedEncoder(encoder, vectors, filling, translator, UnitVectors(encoder, capacity=_SENTENCES))

    async def _fill(self) -> bool:
        """Fill some documents; False when all have vectors."""
        opened = self._require_opened()
        filled = await opened.filling.fill(0.0 if self._waiting else _PAUSE_SHARE)
        words = await opened.translator.encode_learned() if filled < BATCH else 0
        self._has_all_words = not words and filled < BATCH  # what was filled may have brought no new word
        self._problem = ""
        self._progressed.set()
        return filled >= BATCH or words > 0

    # ---------------------------------------------------------------------------------------------------------------------- health
    async def health_part(self) -> Part:
        """Report the encoder for /health."""
        if self._problem:
            return Part(name=PART, state="degraded", detail=self._problem)
        if self._opened is None:
            return Part(name=PART, state="off", detail="everything is in English; the multilingual encoder is opened when something is not")
        filled, every = await self._opened.filling.counts()
        size = self._opened.vectors.memory_bytes / 1e6
        return Part(
            name=PART, state="ok", detail=f"{self._opened.encoder.name}; {filled:,} of {every:,} documents, {size:.0f} MB of vectors in memory"
        )


PART = "other languages"


async def multilingual_part(service: MultilingualService | None) -> Part:
    """Report the encoder for /health; "off" where the settings leave it out."""
    if service is None:
        return Part(
            name=PART, state="off", detail="search.cross_language is never: questions and passages in different languages do not find each other"
        )
    return await service.health_part()


async def _embed_and_learn(encoder: PieceEncoder, translator: WordTranslator, texts: Sequence[str]) -> EncodedPassages:
    await translator.learn_texts(texts)
    return await encoder.embed_passages(texts)


async def _put_vectors(vectors: SecondVectors, document: UnfilledDocument, made: NDArray[np.float16]) -> Any:
    await vectors.put_document(document.document_id, document.generation, made)


def open_multilingual(settings: Settings, database: Database, serving: ActiveSearch) -> MultilingualService | None:
    """Return the service, not loaded yet; None where the settings leave it out."""
    mode = settings.search.cross_language
    if mode == "never":
        return None

    def open_encoder() -> PieceEncoder:
        from retrieval.embedders.universal_encoder import MultilingualEncoder

        return MultilingualEncoder(precision=settings.embedding.precision, threads=settings.embedding.threads)

    dependencies = MultilingualDependencies(
        database, open_encoder, lambda: serving.engine.index, settings.search.faiss_above, is_always_on=mode == "always"
    )
    return MultilingualService(dependencies)
