"""What services in a test's own process compile and read is kept where all tests of the run find it, as it is for served ones (`share_networks`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from composition import model_factories
from retrieval.embedders.compiled_networks import CompiledNetworks
from settings import Settings
from tests.support.shared_tokenizers import share_tokenizers
from tests.support.warm_start import SHARED


@pytest.fixture(scope="session", autouse=True)
def shared_networks() -> Iterator[None]:
    """Compiling is more than half of the processor seconds of opening services over a new home, reading tokenizers a good part of the rest."""
    shared = CompiledNetworks(Path(os.environ[SHARED]) / "compiled")

    def choose(settings: Settings) -> CompiledNetworks:
        return shared if settings.embedding.keep_compiled else CompiledNetworks()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_factories, "compiled_networks", choose)
        share_tokenizers(patch.setattr)
        yield
