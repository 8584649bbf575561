"""The library of a set shares nothing with the person's own."""

from __future__ import annotations

import os
import time
from pathlib import Path

from commands.evaluation_library import _remove_unused, make_settings
from evaluation.corpus_files import NAMES
from settings import load_settings


def test_nothing_of_the_person_s_library_is_used(tmp_path: Path) -> None:
    environ = {
        "VANTAGE_HOME": str(tmp_path / "own"),
        "VANTAGE_STORAGE__URL": "postgresql+psycopg://localhost/own",
        "VANTAGE_SEARCH__ENGINE": "opensearch",
        "VANTAGE_SEARCH__FUSION": "rrf",
        "VANTAGE_MEMORY__SESSION__REDIS_URL": "redis://localhost",
        "VANTAGE_INGESTION__CHUNK_TOKENS": "128",
    }
    own = load_settings(environ=environ, folder=tmp_path)
    made = make_settings(own, tmp_path / "set")
    assert (made.home, made.storage.url, made.search.engine, made.memory.session.redis_url) == (tmp_path / "set", "", "embedded", "")
    assert (made.memory.enabled, made.ollama.enabled, made.llm.model) == (False, "off", "")
    assert (made.search.fusion, made.ingestion.chunk_tokens) == ("rrf", 128)


def test_a_library_that_nobody_asked_for_a_month_goes(tmp_path: Path) -> None:
    long_ago = time.time() - 40 * 86_400
    for name in ("old", "wanted", "new", "other"):
        (tmp_path / name).mkdir()
        if name != "other":  # no library of a set
            (tmp_path / name / NAMES).write_text("{}")
        if name != "new":
            os.utime(tmp_path / name, (long_ago, long_ago))
    _remove_unused(tmp_path, tmp_path / "wanted")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new", "other", "wanted"]
