"""A library whose search engine is an OpenSearch, opened in this process with a made-up model."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

from bootstrap import open_services
from server.services import Services
from settings import load_settings
from tests.support.model_switch import ModelOpener


@asynccontextmanager
async def open_opensearch_library(home: Path, index_name: str, reached: Mapping[str, str]) -> AsyncIterator[Services]:
    """Open the library under `home`; `reached` are the variables that say where OpenSearch is."""
    environ = {
        "VANTAGE_HOME": str(home / "home"),
        "VANTAGE_OLLAMA__ENABLED": "off",
        "VANTAGE_EMBEDDING__KEEP_COMPILED": "false",
        "VANTAGE_EMBEDDING__MODEL": "alpha",
        "VANTAGE_INGESTION__WATCH__ENABLED": "false",
        "VANTAGE_SEARCH__ENGINE": "opensearch",
        "VANTAGE_OPENSEARCH__INDEX_NAME": index_name,
        **reached,
    }
    async with open_services(load_settings(environ=environ, folder=home), make=ModelOpener({"alpha": 128})) as services:
        yield services
