"""docs/add-an-agent.md does what it says: its blocks, put where it says, make an agent that takes part in runs, and no more than six files change."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

from tests.support.repository_copy import ROOT, code_files, copy_packages, run_python, write_new

PAGE = (ROOT / "docs" / "add-an-agent.md").read_text(encoding="utf-8")
_NEW = code_files(PAGE)
_INSERTED = re.findall(r"^`([\w/.-]+)`, before (`+)(.+?)\2:\n\n```\w+\n(.*?)^```", PAGE, re.M | re.S)
_PACKAGES = [package.parent.name for package in ROOT.glob("*/__init__.py")]  # all: an installed one would be another version
_COPIED = (*_PACKAGES, "tests/support", "tests/graph/snapshots", "ui/src/text")
_CHECKS = ("tests/unit/test_agents.py", "tests/unit/test_page_words.py", "tests/graph/test_zeus.py")
_ALONE = ("pyproject.toml", "tests/conftest.py", "docs/how-a-question-travels.md", *_CHECKS)


def _copy(folder: Path) -> None:
    copy_packages(folder, _COPIED, _ALONE)
    for test in (ROOT / "tests" / "unit").glob("test_*.py"):
        (folder / "tests" / "unit" / test.name).touch()  # the check of all agents looks whether the others' are there


def _insert(file: Path, anchor: str, block: str) -> None:
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    places = [place for place, line in enumerate(lines) if line.startswith(anchor)]
    assert len(places) == 1, f"{anchor!r} begins {len(places)} lines of {file.name}"
    file.write_text("".join([*lines[: places[0]], block, *lines[places[0] :]]), encoding="utf-8")


def test_what_the_page_shows_is_an_agent(tmp_path: Path) -> None:
    _copy(tmp_path)
    write_new(tmp_path, _NEW)
    for path, _, anchor, block in _INSERTED:
        _insert(tmp_path / path, anchor, block)
    touched = sorted({path for path, *_ in [*_NEW, *_INSERTED]})
    print(f"{len(touched)} files touched: {', '.join(touched)}")  # noqa: T201 # what the page promises
    assert len(touched) == 6
    tests = [path for path, _ in _NEW if path.startswith("tests/")]
    environment = {**os.environ, "VANTAGE_SNAPSHOTS": "write"}
    run_python(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests, *_CHECKS, environment=environment)
    edges = json.loads((tmp_path / "tests/graph/snapshots/topology.json").read_text(encoding="utf-8"))
    assert ["quality_check", "check_age", False] in edges
    assert ["check_age", "explain", False] in edges
