"""Measures of how well chunks fit the passages that answer questions: token recall, precision and intersection over union.

The measure of Smith & Troynikov, "Evaluating Chunking Strategies for Retrieval", Chroma 2024
(https://research.trychroma.com/evaluating-chunking): with t_e the tokens of the passages that answer a question and t_r those of the chunks
that were retrieved for it,

    recall = |t_e & t_r| / |t_e|      precision = |t_e & t_r| / |t_r|      IoU = |t_e & t_r| / |t_e | t_r|

where a token that several retrieved chunks hold counts each time in t_r. Precision omega is the precision of reading exactly the chunks that
hold a part of the passages: what the boundaries alone allow, whatever finds the chunks. Here the "tokens" are characters, as in their code, so
that no tokenizer decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class ChunkFit:
    """Of one question, or the mean of many."""

    recall: float
    precision: float
    iou: float


def chunk_fit(expected: Sequence[Span], retrieved: Sequence[Span]) -> ChunkFit:
    """Score `retrieved` chunks against `expected` passages, both as half-open spans of one text. Raises ValueError for no passage."""
    wanted = sum(end - start for start, end in _union(expected))
    if not wanted:
        raise ValueError("A question needs a passage that answers it.")
    shared = sum(end - start for start, end in _union(_intersections(expected, retrieved)))
    read = sum(end - start for start, end in retrieved)
    return ChunkFit(shared / wanted, shared / read if read else 0.0, shared / (wanted + read - shared))


def precision_omega(expected: Sequence[Span], chunks: Sequence[Span]) -> float:
    """Return the precision of retrieving every one of `chunks` (all of one text) that holds a part of `expected`, and no other."""
    return chunk_fit(expected, [chunk for chunk in chunks if any(chunk[0] < end and start < chunk[1] for start, end in expected)]).precision


def mean_chunk_fit(fits: Sequence[ChunkFit]) -> ChunkFit:
    count = len(fits)
    return ChunkFit(sum(f.recall for f in fits) / count, sum(f.precision for f in fits) / count, sum(f.iou for f in fits) / count)


def _intersections(left: Sequence[Span], right: Sequence[Span]) -> list[Span]:
    pairs = [(max(a, c), min(b, d)) for a, b in left for c, d in right]
    return [(start, end) for start, end in pairs if start < end]


def _union(spans: Sequence[Span]) -> list[Span]:
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
