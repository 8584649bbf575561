"""The application in an environment that asks LangChain to report its runs elsewhere."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bootstrap import open_services
from core.search_schemas import SearchRequest
from settings import load_settings

pytestmark = [pytest.mark.integration, pytest.mark.slow]


@pytest.mark.parametrize("switch", ["LANGCHAIN_TRACING", "LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING"])
async def test_runs_go_on_and_nothing_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, switch: str) -> None:
    monkeypatch.setenv(switch, "true")
    settings = load_settings(environ={"VANTAGE_HOME": str(tmp_path), "VANTAGE_OLLAMA__ENABLED": "off"}, folder=tmp_path)
    async with open_services(settings, watch=False) as services:
        request = SearchRequest(query="Who holds the deposit?", use_memory=False)
        response = await services.runs.result("default", await services.runs.start(request, "default", "test"))
    assert response.status == "not_found"
    assert os.environ[switch] == "false"
