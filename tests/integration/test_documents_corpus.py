"""A sample of the evaluation documents, read by real workers: phrases found, hostile files ended, nothing locked returned as empty text."""

from __future__ import annotations

import asyncio
import csv

import pytest

from benchmarks.extraction import UNREADABLE_KINDS, ExtractionResult, documents_folder, has_right_pages, is_phrase_found, must_be_locked, read_files
from tests.unit.test_extract_builder import check_document

FOLDER = documents_folder()
pytestmark = pytest.mark.skipif(not (FOLDER / "manifest.csv").exists(), reason=f"no evaluation documents at {FOLDER}: set VANTAGE_DATA")


@pytest.fixture(scope="module")
def results() -> list[ExtractionResult]:
    """Every fourth ordinary file and every hostile or locked one."""
    with (FOLDER / "manifest.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for number, row in enumerate(csv.DictReader(file)) if row["hostile"] or number % 4 == 0]
    return asyncio.run(read_files([row for row in rows if int(row["bytes"]) < 2_000_000], FOLDER))


def test_every_file_ends_with_text_or_with_a_reason(results: list[ExtractionResult]) -> None:
    assert len(results) > 100
    assert [(result.row["file"], result.error) for result in results if result.error.startswith("!")] == []
    assert all(result.reason for result in results if result.error)


def test_what_is_read_keeps_the_promises_of_the_model(results: list[ExtractionResult]) -> None:
    for result in results:
        if result.document:
            check_document(result.document)


def test_nearly_all_sound_phrases_are_found(results: list[ExtractionResult]) -> None:
    sound = [r for r in results if r.row["format"] not in UNREADABLE_KINDS and r.expected.get("phrase") and not r.row["phrase_note"]]
    assert sum(map(is_phrase_found, sound)) >= 0.95 * len(sound)


def test_pages_slides_and_sheets_are_counted_right(results: list[ExtractionResult]) -> None:
    assert [result.row["file"] for result in results if has_right_pages(result) is False] == []


def test_no_locked_file_is_returned_as_text(results: list[ExtractionResult]) -> None:
    locked = [result for result in results if must_be_locked(result)]
    assert locked
    assert [result.row["file"] for result in locked if result.error not in ("Encrypted", "Sealed", "Unsupported")] == []
