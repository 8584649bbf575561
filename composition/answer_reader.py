"""The reader as answers use it: opened in the background, once, and reported as missing where it cannot be."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence

import anyio

from core.errors import ConfigurationError, Unavailable
from core.ports import AnswerReader, PassageReading
from retrieval.readers.openvino_reader import OpenVinoReader
from server.schemas import Part

logger = logging.getLogger(__name__)
_NAME = "reader"


class ReaderService:
    """Implements `core.ports.AnswerReader`. `open_it` blocks and raises ConfigurationError; the first call runs it, `start` runs it before."""

    def __init__(self, open_it: Callable[[], OpenVinoReader]) -> None:
        self._open_it = open_it
        self._opening: asyncio.Task[OpenVinoReader] | None = None
        self._failure = ""
        self._closed = False

    @property
    def name(self) -> str:
        opened = self._ready_reader
        return opened.name if opened is not None else _NAME

    @property
    def _ready_reader(self) -> OpenVinoReader | None:
        opening = self._opening
        there = opening is not None and opening.done() and not opening.cancelled() and opening.exception() is None
        return opening.result() if opening is not None and there else None

    def start(self) -> asyncio.Task[OpenVinoReader]:
        """Open it in the background, once."""
        if self._opening is None:
            self._opening = asyncio.create_task(anyio.to_thread.run_sync(self._open_it), name="open the reader")
            self._opening.add_done_callback(self._log_failure)
        return self._opening

    def _log_failure(self, opening: asyncio.Task[OpenVinoReader]) -> None:
        error = None if opening.cancelled() else opening.exception()
        if error is not None:
            self._failure = str(error)
            logger.warning("The reader was not opened: %s", error)

    async def read_passages(self, question: str, passages: Sequence[str]) -> tuple[PassageReading, ...]:
        """Read the passages. Raises Unavailable with the reason where the reader could not be opened, and once it is closed."""
        return await (await self._require_reader()).read_passages(question, passages)

    async def _require_reader(self) -> AnswerReader:
        if self._closed and self._opening is None:
            raise Unavailable("The reader is closed: the process is shutting down.")
        try:
            return await asyncio.shield(self.start())
        except ConfigurationError as error:
            raise Unavailable(str(error)) from error

    async def close(self) -> None:
        self._closed = True
        if self._opening is None:
            return
        try:
            opened = await self._opening
        except ConfigurationError:
            return  # it was logged when it happened
        await opened.close()

    def health_part(self) -> Part:
        """Report the reader for /health."""
        if self._failure:
            return Part(name=_NAME, state="degraded", detail=f"{self._failure} Answers are chosen by words and meaning alone meanwhile.")
        return Part(name=_NAME, state="ok", detail=self.name if self._ready_reader is not None else "opened with the first question")


def reader_part(reader: ReaderService, *, enabled: bool) -> Part:
    return reader.health_part() if enabled else Part(name=_NAME, state="off", detail="answers.reader_enabled is false")
