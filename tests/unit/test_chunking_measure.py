from __future__ import annotations

import pytest

from evaluation.chunking_metrics import ChunkFit, chunk_fit, mean_chunk_fit, precision_omega


def test_a_chunk_that_is_the_passage_fits_wholly() -> None:
    assert chunk_fit([(10, 20)], [(10, 20)]) == ChunkFit(1.0, 1.0, 1.0)


def test_reading_more_costs_precision_and_reading_less_costs_recall() -> None:
    assert chunk_fit([(10, 20)], [(0, 40)]) == ChunkFit(1.0, 0.25, 0.25)
    assert chunk_fit([(10, 20)], [(10, 15)]) == ChunkFit(0.5, 1.0, 0.5)


def test_what_is_read_twice_counts_twice_as_read_and_once_as_found() -> None:
    assert chunk_fit([(0, 10)], [(0, 10), (0, 10)]) == ChunkFit(1.0, 0.5, 0.5)


def test_passages_that_overlap_count_once() -> None:
    assert chunk_fit([(0, 10), (5, 15)], [(0, 15)]) == ChunkFit(1.0, 1.0, 1.0)


def test_nothing_read_finds_nothing() -> None:
    assert chunk_fit([(0, 10)], []) == ChunkFit(0.0, 0.0, 0.0)
    with pytest.raises(ValueError, match="passage"):
        chunk_fit([], [(0, 1)])


def test_the_mean_is_over_questions() -> None:
    assert mean_chunk_fit([ChunkFit(1.0, 0.5, 0.5), ChunkFit(0.0, 0.0, 0.0)]) == ChunkFit(0.5, 0.25, 0.25)


def test_precision_omega_reads_every_chunk_that_holds_a_part_and_no_other() -> None:
    assert precision_omega([(10, 20)], [(0, 10), (10, 20), (20, 30)]) == 1.0
    assert precision_omega([(5, 15)], [(0, 10), (10, 20), (20, 30)]) == 0.5
    assert precision_omega([(5, 15)], [(20, 30)]) == 0.0
