"""What a search request takes from the settings where it says nothing."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from pydantic import ValidationError

from core.search_schemas import SearchRequest
from server.routers.search_router import complete_request
from server.services import Services
from settings import SearchSettings, Settings


def services(home: Path) -> Services:
    settings = Settings(home=home, search=SearchSettings(rerank_top_k=9))
    return cast("Services", SimpleNamespace(settings=settings))  # nothing else of the services is read here


def test_the_settings_fill_what_is_not_named(tmp_path: Path) -> None:
    filled = complete_request(SearchRequest(query="x"), services(tmp_path))
    assert filled.top_k == 9  # whether words are searched for beside the meaning is a feature of the tenant


def test_what_the_request_names_stays(tmp_path: Path) -> None:
    filled = complete_request(SearchRequest(query="x", top_k=5, use_hybrid=True), services(tmp_path))
    assert (filled.top_k, filled.use_hybrid) == (5, True)


@pytest.mark.parametrize("asked", ["..", ".", "/", "notes/..", "a\\..", " "])
def test_what_names_no_file_is_refused_at_once(asked: str) -> None:
    with pytest.raises(ValidationError, match="is no file"):
        SearchRequest(query="x", attached_documents=[asked])
