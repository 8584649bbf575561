"""The best spans of a passage, from the logits of its windows' tokens."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.ports import AnswerSpan

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_SPAN_TOKENS = 40  # tokens of a span
MAX_SPANS = 5
_NEVER = np.float32(-np.inf)


def span_scores(logits: NDArray[np.float32], null: float) -> NDArray[np.float32]:
    """Return [tokens, MAX_SPAN_TOKENS]: in row i and column w the score of the span from token i to token i + w, its start logit and end logit less
    `null`, the sum of both of the first token of the window. `logits` [tokens, 2] are start and end of the passage's tokens.
    """
    scores: NDArray[np.float32] = logits[:, :1] + _following_values(logits[:, 1], _NEVER) - np.float32(null)
    return scores


def merged_scores(parts: Sequence[tuple[int, NDArray[np.float32]]], tokens: int) -> NDArray[np.float32]:
    """Return [tokens, MAX_SPAN_TOKENS] of a whole passage, from those of its windows, each with the passage's token at which it begins: of a span
    that stands in two windows the greater score; -inf for one that stands in none.
    """
    merged = np.full((tokens, MAX_SPAN_TOKENS), _NEVER, np.float32)
    for first, scores in parts:
        rows = merged[first : first + len(scores)]
        np.maximum(rows, scores, out=rows)
    return merged


def best_spans(scores: NDArray[np.float32], offsets: NDArray[np.int32], text: str) -> tuple[AnswerSpan, ...]:
    """Return at most MAX_SPANS that do not overlap, best first; the earlier and shorter one of equals. `offsets` [tokens, 2] lead from tokens to the
    text. No span begins or ends with a token of white space. `scores` is used up.
    """
    _exclude_blank_spans(scores, blank_tokens(offsets, text))
    chosen: list[AnswerSpan] = []
    while len(chosen) < MAX_SPANS and scores.size:
        first, width = divmod(int(scores.argmax()), MAX_SPAN_TOKENS)
        score = float(scores[first, width])
        if score == -np.inf:
            break
        start, end = strip_span(text, int(offsets[first, 0]), int(offsets[first + width, 1]))
        chosen.append(AnswerSpan(start, end, score))
        _exclude_overlapping(scores, offsets, start, end)
    return tuple(chosen)


def blank_tokens(offsets: NDArray[np.int32], text: str) -> NDArray[np.bool_]:
    """Return [tokens]: which hold nothing but white space."""
    return np.array([not text[start:end].strip() for start, end in offsets.tolist()], np.bool_)


def strip_span(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the range without the white space at both ends (a token of a byte-level vocabulary may hold the space before its word)."""
    words = text[start:end]
    return start + len(words) - len(words.lstrip()), start + len(words.rstrip())


def _exclude_blank_spans(scores: NDArray[np.float32], blank: NDArray[np.bool_]) -> None:
    """Exclude every span that begins or ends with a blank token."""
    if blank.any():
        scores[blank] = _NEVER
        scores[_following_values(blank, np.False_)] = _NEVER


def _following_values(values: NDArray[Any], past: Any) -> NDArray[Any]:
    """Return [tokens, MAX_SPAN_TOKENS]: the value of each token and of those after it; `past` stands for those after the last."""
    filled = np.append(values, np.full(MAX_SPAN_TOKENS, past, values.dtype))
    return np.lib.stride_tricks.sliding_window_view(filled, MAX_SPAN_TOKENS)[: len(values)]


def _exclude_overlapping(scores: NDArray[np.float32], offsets: NDArray[np.int32], start: int, end: int) -> None:
    """Exclude every span with a token that has a character of text[start:end]; two tokens may share one."""
    taken = np.flatnonzero((offsets[:, 0] < end) & (offsets[:, 1] > start))
    low, high = int(taken[0]), int(taken[-1])
    first = max(0, low - MAX_SPAN_TOKENS + 1)
    rows = np.arange(first, high + 1)[:, None]
    scores[first : high + 1][np.arange(MAX_SPAN_TOKENS) >= low - rows] = _NEVER
