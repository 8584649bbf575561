"""docs/add-a-format.md does what it says: its blocks, put where it says, make a format that is read, asked for and shown."""

from __future__ import annotations

import json
import re
from pathlib import Path

from scripts.write_formats import PAGE_TABLE, ROOT
from tests.support import format_probe
from tests.support.repository_copy import code_files, copy_packages, run_python, write_new
from tests.unit import test_extract_formats_page as declaration_checks

PAGE = (ROOT / "docs" / "add-a-format.md").read_text(encoding="utf-8")
_FILES = code_files(PAGE)
_CHECKS = (Path(declaration_checks.__file__), Path(format_probe.__file__))
_ROW = re.findall(r"^```markdown\n(\|.*\n)```", PAGE, re.M)


def test_what_the_page_shows_is_a_format(tmp_path: Path) -> None:
    files = (*_CHECKS, PAGE_TABLE)
    copied = ("pyproject.toml", "docs/formats.md", *(str(file.relative_to(ROOT)) for file in files))
    copy_packages(tmp_path, ("agents", "core", "ingestion", "scripts"), copied)
    (_, _), (test, _) = _FILES
    write_new(tmp_path, _FILES)
    run_python(tmp_path, "-m", "scripts.write_formats")
    formats = (tmp_path / "docs" / "formats.md").read_text(encoding="utf-8")
    (tmp_path / "docs" / "formats.md").write_text(re.sub(r"(?m)^\| Plain text .*\n", lambda line: line[0] + _ROW[0], formats), encoding="utf-8")
    run_python(tmp_path, "-m", "pytest", "-q", "-p", "no:cacheprovider", test, str(_CHECKS[0].relative_to(ROOT)), "-k", "subtitles or reader")
    told = json.loads(run_python(tmp_path, "-m", "tests.support.format_probe", ".srt"))
    assert told["srt files"] == [".srt"]
    assert ".srt" in told["text files"]
    assert told["viewers"] == ["text"]
    assert json.loads((tmp_path / PAGE_TABLE.relative_to(ROOT)).read_text(encoding="utf-8"))["views"][".srt"] == "text"
