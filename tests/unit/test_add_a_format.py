"""docs/add-a-format.md does what it says: its blocks, put where it says, make a format that is read, asked for and shown."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.write_formats import PAGE_TABLE, ROOT
from tests.support import format_probe
from tests.unit import test_extract_formats_page as declaration_checks

PAGE = (ROOT / "docs" / "add-a-format.md").read_text(encoding="utf-8")
_FILES = re.findall(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```", PAGE, re.M | re.S)
_CHECKS = (Path(declaration_checks.__file__), Path(format_probe.__file__))
_ROW = re.findall(r"^```markdown\n(\|.*\n)```", PAGE, re.M)


def _run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _copy(folder: Path) -> None:
    for package in ("agents", "core", "ingestion", "scripts"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in (ROOT / "pyproject.toml", ROOT / "docs" / "formats.md", PAGE_TABLE, *_CHECKS):
        (folder / file.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, folder / file.relative_to(ROOT))


def test_what_the_page_shows_is_a_format(tmp_path: Path) -> None:
    _copy(tmp_path)
    (reader, code), (test, checks) = _FILES
    for path, text in ((reader, code), (test, checks)):
        assert not (tmp_path / path).exists()
        assert (tmp_path / path).parent.is_dir(), f"the page puts {path} into a folder that is not there"
        (tmp_path / path).write_text(text, encoding="utf-8")
    _run(tmp_path, "-m", "scripts.write_formats")
    formats = (tmp_path / "docs" / "formats.md").read_text(encoding="utf-8")
    (tmp_path / "docs" / "formats.md").write_text(re.sub(r"(?m)^\| Plain text .*\n", lambda line: line[0] + _ROW[0], formats), encoding="utf-8")
    _run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, str(_CHECKS[0].relative_to(ROOT)), "-k", "subtitles or reader")
    told = json.loads(_run(tmp_path, "-m", "tests.support.format_probe", ".srt"))
    assert told["srt files"] == [".srt"]
    assert ".srt" in told["text files"]
    assert told["viewers"] == ["text"]
    assert json.loads((tmp_path / PAGE_TABLE.relative_to(ROOT)).read_text(encoding="utf-8"))["views"][".srt"] == "text"
