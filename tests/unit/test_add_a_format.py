"""docs/add-a-format.md does what it says: its blocks, put where it says, make a format that is read, asked for and shown."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add-a-format.md").read_text(encoding="utf-8")
_FILES = re.findall(r"^`([\w/]+\.py)`:\n\n```python\n(.*?)^```", PAGE, re.M | re.S)
_ROW = re.findall(r"^```markdown\n(\|.*\n)```", PAGE, re.M)
_PROBE = """
import json
from agents.document_kinds import kind_at_start
from core.format_table import FORMATS
found, _ = kind_at_start("srt files")
text, _ = kind_at_start("text files")
viewers = [each.viewer for each in FORMATS if ".srt" in each.suffixes]
print(json.dumps({"srt files": found.file_types, "text files": text.file_types, "viewers": viewers}))
"""


def _run(folder: Path, *arguments: str) -> str:
    done = subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def _copy(folder: Path) -> None:
    for package in ("agents", "core", "ingestion", "scripts"):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for file in ("pyproject.toml", "docs/formats.md", "tests/unit/test_extract_formats_page.py", "ui/src/source/formats.json"):
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, folder / file)


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
    _run(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, "tests/unit/test_extract_formats_page.py", "-k", "subtitles or reader")
    told = json.loads(_run(tmp_path, "-c", _PROBE))
    assert told["srt files"] == [".srt"]
    assert ".srt" in told["text files"]
    assert told["viewers"] == ["text"]
    assert json.loads((tmp_path / "ui/src/source/formats.json").read_text(encoding="utf-8"))["views"][".srt"] == "text"
