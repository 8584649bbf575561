"""The multilingual encoder of a library and its vectors, made in the background.

Nothing of it is loaded while everything is English: the encoder is opened, and vectors are made, once the library holds a document in another of its
languages or somebody asks in one (`search.cross_language: auto`); with `always`, from the start.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from answers.vectors import UnitVectors
from composition.serving import Serving
from core.errors import Unavailable, VantageError
from core.languages import CROSS_LANGUAGE
from core.ports import Encoded, Hit, PieceEncoder, Readiness, Translation
from core.ports.refilling import Unfilled
from core.search import Filters
from ingestion.refilling import BATCH, VectorFilling
from retrieval.embedded_index import EmbeddedIndex
from retrieval.second_vectors import SecondVectors
from retrieval.word_translation import WordTranslator, translate
from server.schemas import Part
from settings import Settings
from storage.document_vectors import has_multilingual_vectors, multilingual_store
from storage.engine import Database

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

logger = logging.getLogger(__name__)

OTHERS = CROSS_LANGUAGE - {"en"}
WAIT = 5.0  # seconds that a question waits for encoder, vectors and words: those of a few hundred passages are there in that time
_SENTENCES = 4000  # whose vectors are remembered: 4 MB
_TOLD = 5.0  # seconds that a translation is remembered: a run asks for it at several stages
_REST = 1.0  # of the time that a call of the encoder took is left to others while nobody waits
_LOOK = 5.0  # seconds after which a library is looked at again
_RETRY = 30.0


@dataclass(frozen=True, slots=True)
class Reached:
    """What the encoder works on: `open_encoder` blocks for a second or two; `index` gives the present one."""

    database: Database
    open_encoder: Callable[[], PieceEncoder]
    index: Callable[[], EmbeddedIndex]
    faiss_above: int
    always: bool = False


@dataclass(frozen=True, slots=True)
class _Opened:
    encoder: PieceEncoder
    vectors: SecondVectors
    filling: VectorFilling
    translator: WordTranslator
    units: UnitVectors


class MultilingualService:
    """Implements `core.ports.MultilingualSearch`. `start` it in the running event loop, and `close` it before what it reaches."""

    def __init__(self, reached: Reached) -> None:
        self._reached = reached
        self._opened: _Opened | None = None
        self._problem = ""
        self._asked = False
        self._hurry, self._moved = asyncio.Event(), asyncio.Event()
        self._waiting = 0
        self._counted: dict[str, tuple[int, tuple[int, int]]] = {}  # tenant -> how often was written before, filled and all documents
        self._told: dict[tuple[str, str, str], tuple[float, Translation]] = {}
        self._task: asyncio.Task[None] | None = None
        self._busy: Callable[[], bool] = lambda: False
        self._unasked = self._settled = False

    def start(self, busy: Callable[[], bool], *, unasked: bool) -> None:
        """`busy` says that files are being read: the background waits for their end, a question does not. With `unasked` vectors are made before
        anybody asks; without, as in a command that answers one question, only then."""
        self._busy, self._unasked = busy, unasked
        self._task = asyncio.create_task(self._run(), name="multilingual-vectors")

    async def close(self) -> None:
        """Stop within a call of the encoder. What was made stays."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._opened is not None:
            self._opened.vectors.leave()
            await self._opened.encoder.close()

    # ------------------------------------------------------------------------------------------------------------------- searching
    async def other_languages(self, tenant: str) -> frozenset[str]:
        return OTHERS & set(await self._reached.index().languages(tenant))

    async def ready(self, tenant: str, *, start: bool) -> Readiness:
        if start:
            self._asked = True
            readiness = await self._readiness(tenant)
            if readiness.complete and not self._problem:  # one may have come up while the documents were counted
                return readiness  # the filling need not be woken: each time it looks through all documents for one without vectors
            self._waiting += 1
            self._hurry.set()
            try:
                with anyio.move_on_after(WAIT):
                    return await self._when_complete(tenant)
            finally:
                self._waiting -= 1
        return await self._readiness(tenant)

    async def _when_complete(self, tenant: str) -> Readiness:
        while True:
            self._moved.clear()  # before looking: what moves meanwhile is not missed
            readiness = await self._readiness(tenant)
            if self._problem:  # it may have come up while the documents were counted
                return Readiness(problem=self._problem)
            if readiness.complete:
                return readiness
            await self._moved.wait()

    async def _readiness(self, tenant: str) -> Readiness:
        if self._problem:
            return Readiness(problem=self._problem)
        if self._opened is None:
            documents = (await self._reached.index().languages(tenant)).values()
            return Readiness(0, sum(documents), words=False) if self._asked else Readiness()
        filled, every = await self._counts(tenant, self._opened)
        return Readiness(filled, every, words=self._settled)

    async def _counts(self, tenant: str, opened: _Opened) -> tuple[int, int]:
        """Filled and all documents. They are counted again only where something was written since: a question asks for them at several stages."""
        changes = opened.vectors.changes
        at, counts = self._counted.get(tenant, (-1, (0, 0)))
        if at != changes:
            counts = await multilingual_store(self._reached.database, opened.encoder.name, tenant).counts()
            self._counted = {each: known for each, known in self._counted.items() if known[0] == changes} | {tenant: (changes, counts)}
        return counts

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        return await self._encoder().embed_query(text)

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        opened = self._ready()
        scaled = opened.encoder.scale.scaled
        found = await opened.vectors.search(tenant, vector, filters, limit)
        return tuple(Hit(hit.chunk_id, hit.document_id, scaled(hit.score)) for hit in found)

    async def cosines(self, tenant: str, vector: NDArray[np.float32], chunk_ids: Sequence[int]) -> dict[int, float]:
        opened = self._ready()
        found = await opened.vectors.get(tenant, chunk_ids)
        return {number: opened.encoder.scale.scaled(float(row @ vector)) for number, row in found.items()}

    async def translated(self, tenant: str, text: str, language: str) -> Translation:
        if not self._settled:  # of half a vocabulary the nearest word is a wrong one
            return Translation()
        key = (tenant, text, language)
        at, told = self._told.get(key, (0.0, Translation()))
        if time.monotonic() - at > _TOLD:
            told = await translate(self._ready().translator, self._reached.index(), tenant, text, language)
            self._told = {each: (when, found) for each, (when, found) in self._told.items() if time.monotonic() - when <= _TOLD}
            self._told[key] = (time.monotonic(), told)
        return told

    async def similarities(self, question: str, texts: Sequence[str]) -> list[float]:
        units = self._ready().units
        cosines = await units.of(texts) @ await units.query(question)
        return [float(value) for value in units.scale.scaled(cosines)]

    def _encoder(self) -> PieceEncoder:
        return self._ready().encoder

    def _ready(self) -> _Opened:
        if self._opened is None:
            raise Unavailable(self._problem or "The multilingual encoder is still being opened. Ask again in a moment.")
        return self._opened

    # --------------------------------------------------------------------------------------------------------------------- filling
    async def _run(self) -> None:
        while True:
            pause = _LOOK
            self._hurry.clear()  # before looking: who asks meanwhile is not kept waiting
            try:
                if await self._wanted():
                    pause = 0.0 if await self._fill() else _LOOK
            except VantageError as error:
                self._problem, pause = str(error), _RETRY
                logger.warning("Vectors for other languages could not be made: %s It is tried again.", error)
                self._moved.set()
            if pause:
                with anyio.move_on_after(pause):
                    await self._hurry.wait()

    async def _wanted(self) -> bool:
        """Whether anybody needs it: somebody asked, now or before, or a document is in another language. Then it is opened."""
        if self._opened is not None:
            return bool(self._waiting) or not self._busy()
        wanted = self._asked or (self._unasked and await self._expected())
        if wanted:
            self._opened = await self._open()
            self._problem = ""
            self._moved.set()
        return wanted

    async def _expected(self) -> bool:
        """Whether it will be needed: it was before, or a document is in another language."""
        if self._reached.always or await has_multilingual_vectors(self._reached.database):
            return True
        return bool(OTHERS & await self._reached.index().every_language())

    async def _open(self) -> _Opened:
        encoder = await anyio.to_thread.run_sync(self._reached.open_encoder)
        try:
            return await self._beside(encoder)
        except BaseException:
            await encoder.close()
            raise

    async def _beside(self, encoder: PieceEncoder) -> _Opened:
        """What stands beside the index, with what was made before. The vectors come last: they follow the index from then on."""
        reached = self._reached
        store = multilingual_store(reached.database, encoder.name)
        await store.forget_others()
        translator = WordTranslator(encoder)
        for document in await store.done():  # the others' words are read when they are filled
            await translator.learn([text for _, text in await store.texts(document)])
        vectors = await SecondVectors.beside(reached.index, encoder.dimension, reached.faiss_above, store.filled())
        filling = VectorFilling(store, partial(_embed, encoder, translator), encoder.dimension, shown=partial(_show, vectors))
        return _Opened(encoder, vectors, filling, translator, UnitVectors(encoder, capacity=_SENTENCES))

    async def _fill(self) -> bool:
        """Fill some documents; False when all have vectors."""
        opened = self._ready()
        filled = await opened.filling.fill(0.0 if self._waiting else _REST)
        words = await opened.translator.settle() if filled < BATCH else 0
        self._settled = not words and filled < BATCH  # what was filled may have brought no new word
        self._problem = ""
        self._moved.set()
        return filled >= BATCH or words > 0

    # ---------------------------------------------------------------------------------------------------------------------- health
    async def part(self) -> Part:
        """What /health says of it."""
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
    """What /health says; "off" where the settings leave it out."""
    if service is None:
        return Part(
            name=PART, state="off", detail="search.cross_language is never: questions and passages in different languages do not find each other"
        )
    return await service.part()


async def _embed(encoder: PieceEncoder, translator: WordTranslator, texts: Sequence[str]) -> Encoded:
    await translator.learn(texts)
    return await encoder.embed_passages(texts)


async def _show(vectors: SecondVectors, document: Unfilled, made: NDArray[np.float16]) -> Any:
    await vectors.put(document.document_id, document.generation, made)


def open_multilingual(settings: Settings, database: Database, serving: Serving) -> MultilingualService | None:
    """None where the settings leave it out. Nothing is loaded yet."""
    mode = settings.search.cross_language
    if mode == "never":
        return None

    def open_encoder() -> PieceEncoder:
        from retrieval.embedders.use_multilingual import MultilingualEncoder

        return MultilingualEncoder(precision=settings.embedding.precision, threads=settings.embedding.threads)

    reached = Reached(database, open_encoder, lambda: serving.engine.index, settings.search.faiss_above, always=mode == "always")
    return MultilingualService(reached)
