"""docs/add-a-leg.md does what it says: its blocks, put where it says, make a leg that is run, fused, told and left out."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from textwrap import indent

from scripts.write_legs import ROOT
from tests.support.repository_copy import code_files, copy_search, fenced, run_python, write_new

PAGE = (ROOT / "docs" / "add-a-leg.md").read_text(encoding="utf-8")
_FILES = code_files(PAGE)
_ROW = next(block for block in fenced(PAGE, "python") if block.startswith("Leg("))
_GERMAN = re.findall(r'^  "?([^":]+)"?: "', "".join(fenced(PAGE, "ts")), re.M)
_ASKED = """
from agents.explanation.agent import ResultTrace, phrase_of, sentence_of
from core.search_schemas import SearchRequest
from core.search import StageScore
journey = ResultTrace(document_id="d", rank=1, stages={"names": StageScore(rank=3, score=1.0)})
print(phrase_of(journey), "|", sentence_of(journey), "|", *SearchRequest(query="x", without=["names"]).without)
"""


def test_what_the_page_shows_is_a_leg(tmp_path: Path) -> None:
    copy_search(tmp_path, "tests/unit/test_leg_table.py")
    (module, _), (test, _) = _FILES
    write_new(tmp_path, _FILES)
    table = tmp_path / "retrieval" / "leg_table.py"
    rows = table.read_text(encoding="utf-8")
    assert rows.endswith("\n)\n")
    imported = "from retrieval.multilingual_leg import add_others, crosses_languages, search_across_languages\n"
    rows = rows.removesuffix(")\n") + indent(_ROW.rstrip("\n"), "    ") + ",\n)\n"
    table.write_text(rows.replace(imported, f"{imported}from retrieval.names_leg import has_names, search_names\n"), encoding="utf-8")
    run_python(tmp_path, "-m", "scripts.write_legs")
    run_python(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, "tests/unit/test_leg_table.py")
    told = run_python(tmp_path, "-c", _ASKED).strip().split(" | ")
    assert told == ["found by the names in it", "3rd by the names in it; not quoted.", "names"]
    page = (tmp_path / "ui" / "src" / "traces" / "legTable.ts").read_text(encoding="utf-8")
    assert set(re.findall(r'mark\("([^"]+)"\)', page.splitlines()[-2])) == set(_GERMAN)
    formatted = subprocess.run([sys.executable, "-m", "ruff", "format", "--check", module, test], cwd=tmp_path, capture_output=True, check=False)
    assert formatted.returncode == 0, "the page's blocks are not formatted"
