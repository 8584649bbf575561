"""The clock of a worker: pages that are done give time for those that follow."""

from __future__ import annotations

import pytest

from ingestion.readers.base.source import ExtractionLimits, OcrLimits
from ingestion.workers.deadline import PAGES_PER_FILE_TIME, ReadingDeadline

LIMITS = ExtractionLimits(seconds=60, pages=5_000, ocr=OcrLimits(seconds_per_page=30, max_pages=500))


def test_pages_that_are_read_give_time_for_more() -> None:
    clock = ReadingDeadline(LIMITS)
    clock.spend(59)
    clock.extend_for_pages(PAGES_PER_FILE_TIME, recognized=False)
    assert clock.seconds_left == 61
    clock.extend_for_pages(PAGES_PER_FILE_TIME, recognized=False)
    assert clock.seconds_left == 61, "a page counts once"
    clock.extend_for_pages(LIMITS.pages + 1, recognized=False)
    assert clock.seconds_left == 61, "no more than may be read"


def test_the_reason_names_the_page_and_the_time_that_it_had() -> None:
    clock = ReadingDeadline(LIMITS)
    assert clock.reason == "Reading it took longer than 60 s (ingestion.seconds_per_file)."
    clock.extend_for_pages(1_200, recognized=False)
    assert clock.reason == "Reading it stopped behind page 1,200: it took longer than 180 s (ingestion.seconds_per_file)."
    clock.restart()
    assert clock.reason == "Reading it took longer than 60 s (ingestion.seconds_per_file)."


def test_recognised_pages_have_a_time_of_their_own() -> None:
    clock = ReadingDeadline(LIMITS)
    clock.extend_for_pages(1, recognized=True)
    assert clock.seconds_left == pytest.approx(60 + 30 + 0.1)
    assert "behind page 1: what came next took longer than 30 s" in clock.reason


def test_time_that_recognised_pages_did_not_need_is_not_saved_up() -> None:
    clock = ReadingDeadline(LIMITS)
    for page in range(1, 101):
        clock.spend(2)
        clock.extend_for_pages(page, recognized=True)
    assert clock.seconds_left == pytest.approx(60 + 30 + 10)


def test_slow_recognised_pages_do_not_use_up_the_time_of_the_file() -> None:
    clock = ReadingDeadline(LIMITS)
    for page in range(1, 101):
        clock.spend(29)
        clock.extend_for_pages(page, recognized=True)
    assert clock.seconds_left == pytest.approx(60 + 30 + 10)


def test_pages_that_are_read_before_any_is_recognised_take_nothing_from_those() -> None:
    clock = ReadingDeadline(LIMITS)
    for page in range(10, 401, 10):
        clock.extend_for_pages(page, recognized=True)
    for page in range(1, 401):
        clock.spend(20)
        clock.extend_for_pages(page, recognized=True)
    assert clock.seconds_left == pytest.approx(60 + 30 + 40)
    assert "behind page 400" in clock.reason


def test_the_whole_is_bounded_however_many_pages() -> None:
    clock = ReadingDeadline(ExtractionLimits(seconds=60, most_seconds=100))
    clock.extend_for_pages(5_000, recognized=False)
    clock.spend(100)
    assert clock.seconds_left == 0
    assert "ingestion.max_seconds" in clock.reason
