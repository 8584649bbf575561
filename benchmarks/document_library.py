"""The library of `benchmarks.document_finding`: 150 files of the shared `documents` set by lot, named as people name them, each with a known day."""

from __future__ import annotations

import csv
import os
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

# Files of each folder of the set: about a third of it, and most where it holds few. Hostile ones are left out.
FILES_BY_FOLDER = {
    "pdf": 24, "pdf_tables": 10, "pdf_tables_icdar2013": 11, "pdf_scanned": 5, "docx": 23, "pptx": 17, "xlsx": 20, "csv": 8, "html": 12,
    "legacy_office": 4, "odf": 4, "email": 11, "epub_rtf": 1,
}  # fmt: skip
SEED = 7
RECENT_FILES = 5  # tables and web pages, which give no day of their own, that the disk has from last week
_FIRST_DAY, _DAYS = datetime(2023, 1, 1, 12, tzinfo=UTC), 900  # the others lie between these


def chosen_files(data: Path) -> list[str]:
    """Names under `data` ("pdf/tika__testPDF_rotated.pdf"), the same on every machine."""
    with (data / "manifest.csv").open(encoding="utf-8", newline="") as file:
        ordinary = sorted(row["file"] for row in csv.DictReader(file) if not row["hostile"] and not row["password"])
    lot = random.Random(SEED)
    return [
        name
        for folder, number in FILES_BY_FOLDER.items()
        for name in lot.sample([each for each in ordinary if each.startswith(f"{folder}/")], number)
    ]


def copy_files(data: Path, folder: Path, now: datetime) -> list[str]:
    """Copy the files without the name of the project that they came from; returns the names in `folder`. The times of the files are set: of
    `RECENT_FILES` by lot seven days ago, which is always last week, of the others a day of 2023 to 2025."""
    lot = random.Random(SEED)
    names = chosen_files(data)
    recent = set(lot.sample([name for name in names if name.startswith(("csv/", "html/"))], RECENT_FILES))
    laid = []
    for name in names:
        kind, _, file = name.partition("/")
        target = folder / kind / file.partition("__")[2]
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(data / name, target)
        day = now - timedelta(days=7) if name in recent else _FIRST_DAY + timedelta(days=lot.randrange(_DAYS))
        os.utime(target, (day.timestamp(), day.timestamp()))
        laid.append(f"{kind}/{target.name}")
    if len(set(laid)) < len(names):
        raise ValueError("two of the chosen files have one name")
    return laid
