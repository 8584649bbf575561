"""docs/add-a-language.md does what it says: its calendar, put where it says, is read; and its table names the files that there are."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from tests.support.repository_copy import ROOT, copy_packages, run_python

PAGE = (ROOT / "docs" / "add-a-language.md").read_text(encoding="utf-8")
_FILES = re.findall(r"`([\w/]+\.toml)`:\n\n```toml\n(.*?)^```", PAGE, re.M | re.S)
_LISTED = re.compile(r"^CALENDAR_LANGUAGES = \(", re.M)


def test_the_calendar_of_the_page_is_read(tmp_path: Path) -> None:
    ((path, calendar),) = _FILES
    copy_packages(tmp_path, ("core", "ingestion"))
    (tmp_path / path).parent.mkdir(exist_ok=True)
    (tmp_path / path).write_text(calendar, encoding="utf-8")
    months = tmp_path / "core" / "language" / "months.py"
    code = _LISTED.sub('CALENDAR_LANGUAGES = ("da", ', months.read_text(encoding="utf-8"))
    months.write_text(code, encoding="utf-8")
    asked = "from ingestion.tables.cell_dates import read_date; moment = read_date('3. marts 2024'); print(moment.iso() if moment else None)"
    assert run_python(tmp_path, "-c", asked).strip() == "2024-03-03"


def test_every_kind_of_file_is_told() -> None:
    kinds = {file.name for folder in files("core.language").joinpath("data").iterdir() for file in folder.iterdir()}
    assert kinds == set(re.findall(r"^\| `([\w]+\.toml)`", PAGE, re.M))
