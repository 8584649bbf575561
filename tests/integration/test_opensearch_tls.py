"""OpenSearch behind TLS and a password: nginx from Debian with a certificate of its own in front of a real one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from core.errors import ConfigurationError, Unavailable
from retrieval.opensearch.connection_options import OpenSearchOptions
from retrieval.search_engines import IndexOptions, open_index
from tests.support.indexes import DIMENSION, document, fill, near, words
from tests.support.nginx import run_nginx_with_password
from tests.support.opensearch_server import NoOpenSearchError, shared_server

PASSWORD = "geheim: 12#34"


@pytest.fixture
async def reached(tmp_path: Path) -> AsyncIterator[OpenSearchOptions]:
    try:
        url = await asyncio.to_thread(shared_server)
    except NoOpenSearchError as missing:
        pytest.skip(str(missing))
    folder = tmp_path / "nginx"
    folder.mkdir()
    with run_nginx_with_password(url, folder, f"vantage:{PASSWORD}") as proxy:
        port = urlsplit(proxy.url).port or 0
        yield OpenSearchOptions("127.0.0.1", port, f"tls-{port}", True, "vantage", PASSWORD, ca_file=str(proxy.certificate))


def _options(tmp_path: Path, reached: OpenSearchOptions) -> IndexOptions:
    return IndexOptions(tmp_path / "index", DIMENSION, 0.3, 1000, reached)


@pytest.mark.parametrize("trusted", [True, False], ids=["a known authority", "any certificate"])
async def test_it_is_used_over_tls_with_a_password(tmp_path: Path, reached: OpenSearchOptions, trusted: bool) -> None:
    chosen = reached if trusted else replace(reached, ca_file="", verify_certificate=False)
    index = await open_index("opensearch", _options(tmp_path, chosen))
    await fill(index, document("a", "The lease ends in March."), document("b", "The pump needs oil."))
    assert await words(index, "lease") == ["a"]
    assert (await near(index, "The pump needs oil."))[0] == "b"
    assert (await index.check_condition()).state == "ok"
    await index.close()


async def test_what_is_wrong_with_it_is_said_without_the_password(tmp_path: Path, reached: OpenSearchOptions) -> None:
    wrong = {
        "refuses the name and password": replace(reached, password="guessed"),
        "name its certificate authority in opensearch.ca_file": replace(reached, ca_file=""),
        "Check opensearch.use_ssl": replace(reached, use_ssl=False),
    }
    for said, options in wrong.items():
        with pytest.raises(Unavailable, match=said) as refused:
            await open_index("opensearch", _options(tmp_path, options))
        assert not any(secret in str(refused.value) + repr(options) for secret in (PASSWORD, "guessed"))
    with pytest.raises(ConfigurationError, match="ca_file"):
        await open_index("opensearch", _options(tmp_path, replace(reached, ca_file=str(tmp_path / "absent.pem"))))
