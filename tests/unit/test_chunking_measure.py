from __future__ import annotations

import pytest

from evaluation.chunking import Fit, fit, mean_fit, precision_omega


def test_a_chunk_that_is_the_passage_fits_wholly() -> None:
    assert fit([(10, 20)], [(10, 20)]) == Fit(1.0, 1.0, 1.0)


def test_reading_more_costs_precision_and_reading_less_costs_recall() -> None:
    assert fit([(10, 20)], [(0, 40)]) == Fit(1.0, 0.25, 0.25)
    assert fit([(10, 20)], [(10, 15)]) == Fit(0.5, 1.0, 0.5)


def test_what_is_read_twice_counts_twice_as_read_and_once_as_found() -> None:
    assert fit([(0, 10)], [(0, 10), (0, 10)]) == Fit(1.0, 0.5, 0.5)


def test_passages_that_overlap_count_once() -> None:
    assert fit([(0, 10), (5, 15)], [(0, 15)]) == Fit(1.0, 1.0, 1.0)


def test_nothing_read_finds_nothing() -> None:
    assert fit([(0, 10)], []) == Fit(0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="passage"):
        fit([], [(0, 1)])


def test_the_mean_is_over_questions() -> None:
    assert mean_fit([Fit(1.0, 0.5, 0.5), Fit(0.0, 0.0, 0.0)]) == Fit(0.5, 0.25, 0.25)


def test_precision_omega_reads_every_chunk_that_holds_a_part_and_no_other() -> None:
    assert precision_omega([(10, 20)], [(0, 10), (10, 20), (20, 30)]) == 1.0
    assert precision_omega([(5, 15)], [(0, 10), (10, 20), (20, 30)]) == 0.5
    assert precision_omega([(5, 15)], [(20, 30)]) == 0.0
