"""docs/add-a-search-engine.md does what it says: its blocks, put where it says, make an engine that settings choose and the contract accepts."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from tests.support.repository_copy import ROOT, copy_search, fenced, run_python

PAGE = (ROOT / "docs" / "add-a-search-engine.md").read_text(encoding="utf-8")
_ROW, _OPENING, _BACKEND = fenced(PAGE, "python")
_CONTRACT = ("tests/contract/test_search_index.py", "tests/contract/test_search_index_seams.py")
_OPENED = """
import asyncio
from pathlib import Path
from retrieval.search_engines import IndexOptions, open_index
from settings import load_settings
chosen = load_settings(environ={"VANTAGE_HOME": "home", "VANTAGE_SEARCH__ENGINE": "memory"}, folder=Path("home")).search.engine
print(type(asyncio.run(open_index(chosen, IndexOptions(Path("index"), 8, 0.3, 1000)))).__module__)
"""


def _with_row(path: Path, opening: str, row: str) -> None:
    """Put a row behind the last one of the table that `opening` begins."""
    text = path.read_text(encoding="utf-8")
    table = re.search(rf"^{re.escape(opening)}.*?(?=^[\]}}])", text, re.M | re.S)
    assert table is not None
    path.write_text(text[: table.end()] + row + text[table.end() :], encoding="utf-8")


def test_what_the_page_shows_is_an_engine(tmp_path: Path) -> None:
    copy_search(tmp_path, *_CONTRACT)
    (source, target), *_ = re.findall(r"^cp (\S+) (\S+)$", PAGE, re.M)
    shutil.copy(tmp_path / source, tmp_path / target)
    engines = tmp_path / "retrieval" / "search_engines.py"
    text = engines.read_text(encoding="utf-8").replace('Literal["embedded", ', 'Literal["memory", "embedded", ')
    engines.write_text(text.replace("SEARCH_ENGINES:", f"{_OPENING}\n\nSEARCH_ENGINES:", 1), encoding="utf-8")
    _with_row(engines, "SEARCH_ENGINES:", _ROW)
    _with_row(tmp_path / "tests" / "support" / "indexes.py", "BACKENDS", f"    {_BACKEND.rstrip()},\n")
    (tmp_path / "home").mkdir()
    assert run_python(tmp_path, "-c", _OPENED).strip() == target.removesuffix(".py").replace("/", ".")
    said = run_python(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *_CONTRACT, "-k", "memory and engine")
    assert int(re.findall(r"(\d+) passed", said)[0]) > 30


def test_only_retrieval_names_an_engine() -> None:
    product = [
        ROOT / "bootstrap.py",
        *(path for package in ("composition", "ingestion", "orchestration", "server") for path in (ROOT / package).rglob("*.py")),
    ]
    assert not [str(path) for path in product if "EmbeddedIndex" in path.read_text(encoding="utf-8")]
