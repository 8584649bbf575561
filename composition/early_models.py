"""The models of a question, opened in threads while a command imports the rest of the application: reading and compiling them takes another core than
importing does. What is opened is a guess; a library that is searched by another model opens that one, as it would without this."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

# What the threads need is imported before they start: two threads that import the same packages may meet half-made modules.
import tokenizers  # noqa: F401

from composition.model_factories import make_embedder, reader_opener, shipped_model
from core.ports import Embedder
from retrieval.embedders import runtime, transformer_graph  # noqa: F401
from retrieval.readers.openvino_reader import OpenVinoReader
from settings import Settings

Opened = TypeVar("Opened")


class EarlyModels:
    """The embedding model that the settings name (where it is a shipped one) and the answer reader, opened in the background from the start.
    `make_embedder` and `open_reader` give each out once, with the error that opening it met; a second call opens another.
    """

    def __init__(self, settings: Settings) -> None:
        self._model = shipped_model(settings)
        self._embedder = _run_in_thread("open the embedding model", lambda: make_embedder(settings)) if self._model is not None else None
        self._open_reader = reader_opener(settings)
        self._reader = _run_in_thread("open the reader", self._open_reader) if settings.answers.reader_enabled else None

    def make_embedder(self, settings: Settings) -> Embedder:
        """Return the embedder; blocks until it is open. Raises as `composition.model_factories.make_embedder`."""
        if self._embedder is None or shipped_model(settings) != self._model:
            return make_embedder(settings)
        early, self._embedder = self._embedder, None
        return early.result()

    def open_reader(self) -> OpenVinoReader:
        """Return the reader; blocks until it is open. Raises as `retrieval.readers.openvino_reader.open_reader`."""
        if self._reader is None:
            return self._open_reader()
        early, self._reader = self._reader, None
        return early.result()


def _run_in_thread(name: str, work: Callable[[], Opened]) -> Future[Opened]:
    """Run the work in a daemon thread: the end of the process does not wait for it."""
    future = Future[Opened]()

    def run() -> None:
        try:
            future.set_result(work())
        except BaseException as error:  # noqa: BLE001  (it goes to who takes the model)
            future.set_exception(error)

    threading.Thread(target=run, name=name, daemon=True).start()
    return future
