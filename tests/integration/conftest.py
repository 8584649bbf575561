"""What services in a test's own process compile is kept where all tests of the run find it, as it is for served ones (`share_networks`)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from composition import model_factories
from retrieval.embedders.compiled_networks import CompiledNetworks
from settings import Settings
from tests.support.warm_start import SHARED


@pytest.fixture(scope="session", autouse=True)
def shared_networks() -> Iterator[None]:
    """Compiling is more than half of the processor seconds that it takes to open services over a new home."""
    shared = CompiledNetworks(Path(os.environ[SHARED]) / "compiled")

    def choose(settings: Settings) -> CompiledNetworks:
        return shared if settings.embedding.keep_compiled else CompiledNetworks()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(model_factories, "compiled_networks", choose)
        yield
