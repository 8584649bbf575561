"""Encoders whose caller was stopped: its thread is still at work when the next one comes, who waits and gets vectors of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from core.ports import SentenceEncoder
from retrieval.embedders.transformer_models import MODELS
from retrieval.embedders.universal_encoder import MultilingualEncoder
from tests.support.embedding import shared_embedder, wait_until_busy


@dataclass(frozen=True)
class Encoding:
    """An encoder, and the lock that its thread has while it is at work."""

    encoder: SentenceEncoder
    lock: threading.Lock

    async def encode(self, text: str) -> NDArray[np.float32]:
        vector: NDArray[np.float32] = (await self.encoder.embed_passages([text])).vectors[0]
        return vector


def english(number: int) -> Encoding:
    encoder = shared_embedder(MODELS[number])
    return Encoding(encoder, encoder._prompt.lock)


def multilingual() -> Encoding:
    encoder = MultilingualEncoder(threads=1)
    assert encoder._network is not None
    return Encoding(encoder, encoder._network._lock)


@pytest.mark.parametrize("opened", [lambda: english(0), lambda: english(1), multilingual], ids=[MODELS[0].name, MODELS[1].name, "multilingual"])
async def test_who_comes_after_a_stopped_one_gets_vectors_of_its_own(opened: Callable[[], Encoding]) -> None:
    used = opened()
    expected = await used.encode("The tenant pays.")
    for number in range(3):
        stopped = asyncio.create_task(used.encoder.embed_passages([f"A long passage {number}. " * 60] * 8))
        await wait_until_busy(used.lock)
        stopped.cancel()
        found = await used.encode("The tenant pays.")
        assert stopped.cancelled()
        assert float(found @ expected) > 0.999
