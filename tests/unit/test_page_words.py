"""What the server says in fixed words has a German entry in the page's catalogue (`ui/src/text/de.server.ts`)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from orchestration import daedalus
from orchestration.nodes import ROWS
from server.error_responses import FIXES, STATUS

TEXT = Path(__file__).resolve().parents[2] / "ui/src/text"
ENTRY = re.compile(r'^  (?:"((?:[^"\\]|\\.)*)"|(\w+)):', re.MULTILINE)


def _entries() -> set[str]:
    found: set[str] = set()
    for catalogue in TEXT.glob("de.*.ts"):
        for quoted, bare in ENTRY.findall(catalogue.read_text(encoding="utf-8")):
            found.add(bare or json.loads(f'"{quoted}"'))
    return found


def test_problems_are_spoken_in_german() -> None:
    said = {title for _, _, title in STATUS} | {fix for fix in FIXES.values() if fix}
    assert said - _entries() == set()


def test_the_steps_of_a_run_are_spoken_in_german() -> None:
    rows = (*ROWS, *daedalus.STUDY_ROWS)
    said = {row.action for row in rows} | {row.progress_text for row in rows} | {row.name.replace("_", " ") for row in rows}
    assert len(said) > 60
    assert said - _entries() == set()


def test_what_nodes_read_and_write_is_named_in_german() -> None:
    rows = (*ROWS, *daedalus.STUDY_ROWS)
    keys = {key.replace("_", " ") for row in rows for key in (*row.reads, *row.writes)}
    named = {"request", "retrieval request", "retrieval", "hop query"}  # the page has other words for these: traces/Facts.tsx
    assert keys - named - _entries() == set()
