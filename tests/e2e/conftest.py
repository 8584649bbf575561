"""One server with the sample library for all end-to-end tests that only ask; those that change it start their own."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest

from tests.support.sample_library import serve_sample
from tests.support.serving import ServedVantage


@pytest.fixture(scope="session")
def sample_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    served = serve_sample(tmp_path_factory.mktemp("sample") / "home")
    yield served
    served.stop()


@pytest.fixture
def client(sample_server: ServedVantage) -> Iterator[httpx.Client]:
    with sample_server.client() as made:
        yield made
