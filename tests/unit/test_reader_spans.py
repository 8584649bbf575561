"""The best spans of a passage against the plain definition, and the characters that they stand for."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from retrieval.embedders.openvino_embedder import make_tokenizer
from retrieval.embedders.transformer_models import TransformerModel
from retrieval.readers.spans import MAX_SPAN_TOKENS, MAX_SPANS, best_spans, merged_scores, span_scores, strip_span
from tests.support.random_reader import base_files, each_base


def plain(logits: NDArray[np.float32], null: float) -> list[tuple[float, int, int]]:
    """Every span (score, first, last), best first."""
    tokens = len(logits)
    pairs = [(first, last) for first in range(tokens) for last in range(first, min(tokens, first + MAX_SPAN_TOKENS))]
    return sorted(((float(logits[a, 0] + logits[b, 1] - np.float32(null)), a, b) for a, b in pairs), reverse=True)


def letters(tokens: int) -> tuple[str, NDArray[np.int32]]:
    """A text in which each letter is a token."""
    return "x" * tokens, np.stack([np.arange(tokens), np.arange(1, tokens + 1)], axis=1).astype(np.int32)


@pytest.mark.parametrize("tokens", [1, 3, MAX_SPAN_TOKENS, 90])
def test_spans_are_the_best_that_do_not_overlap(tokens: int) -> None:
    logits = np.random.default_rng(tokens).normal(0, 3, (tokens, 2)).astype(np.float32)
    expected: list[tuple[float, int, int]] = []
    for score, first, last in plain(logits, 0.7):
        if all(last < a or first > b for _, a, b in expected):
            expected.append((score, first, last))
    text, offsets = letters(tokens)
    found = best_spans(merged_scores([(0, span_scores(logits, 0.7))], tokens), offsets, text)
    assert [(span.start, span.end - 1) for span in found] == [(first, last) for _, first, last in expected[:MAX_SPANS]]
    np.testing.assert_allclose([span.score for span in found], [score for score, _, _ in expected[:MAX_SPANS]], rtol=1e-5)


def test_a_span_in_two_windows_has_the_greater_score() -> None:
    one, other = (np.random.default_rng(seed).normal(0, 3, (30, 2)).astype(np.float32) for seed in (1, 2))
    merged = merged_scores([(0, span_scores(one, 1.0)), (20, span_scores(other, -2.0))], 50)
    assert merged[22, 4] == max(one[22, 0] + one[26, 1] - 1, other[2, 0] + other[6, 1] + 2)
    assert merged[3, 2] == one[3, 0] + one[5, 1] - np.float32(1)
    assert merged[45, 1] == other[25, 0] + other[26, 1] + np.float32(2)
    assert merged[25, 5] == other[5, 0] + other[10, 1] + np.float32(2)  # reaches past the first window's end
    assert merged[0, 35] == -np.inf  # no window holds both ends
    assert merged[45, 5] == -np.inf  # past the passage's end


def test_no_tokens_no_spans() -> None:
    assert best_spans(merged_scores([(0, span_scores(np.empty((0, 2), np.float32), 0.0))], 0), np.empty((0, 2), np.int32), "") == ()


def test_spans_have_no_white_space_at_their_ends() -> None:
    assert strip_span("ab  cd \n", 2, 8) == (4, 6)
    text, offsets = "a   b", np.array([(0, 1), (1, 3), (3, 5)], np.int32)
    logits = np.array([(0, 0), (9, 9), (1, 1)], np.float32)  # the white space scores best
    found = best_spans(span_scores(logits, 0.0), offsets, text)
    assert [text[span.start : span.end] for span in found] == ["b", "a"]


def test_tokens_that_share_a_character_do_not_make_overlapping_spans() -> None:
    text, offsets = "😀 x", np.array([(0, 1), (0, 1), (1, 3)], np.int32)
    logits = np.array([(5, 5), (6, 6), (1, 1)], np.float32)
    found = best_spans(span_scores(logits, 0.0), offsets, text)
    assert [text[span.start : span.end] for span in found] == ["😀", "x"]


TEXT = "The lease\n\n ends on  31 March 2026; Überzahlung, naïve 😀 שלום עולם مرحبا بالعالم."


@each_base
@pytest.mark.parametrize("answer", ["The lease", "31 March 2026", "Überzahlung", "naïve", "שלום עולם", "مرحبا بالعالم"])
def test_a_span_at_known_tokens_is_the_answer_to_the_letter(base: TransformerModel, answer: str) -> None:
    encoding = make_tokenizer(base_files(base).tokenizer).encode(TEXT, add_special_tokens=False)
    offsets = np.array(encoding.offsets, np.int32)
    begin = TEXT.index(answer)
    inside = [place for place, (a, b) in enumerate(encoding.offsets) if b > begin and a < begin + len(answer) and TEXT[a:b].strip()]
    logits = np.zeros((len(offsets), 2), np.float32)
    logits[inside[0], 0] = logits[inside[-1], 1] = 9
    span = best_spans(span_scores(logits, 1.0), offsets, TEXT)[0]
    assert TEXT[span.start : span.end] == answer
    assert span.score == 17
