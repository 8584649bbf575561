"""Hits as MultiHop-RAG counts them: a retrieved text that holds one of the gold texts (Tang & Yang 2024, https://arxiv.org/abs/2401.15391)."""

from __future__ import annotations

from collections.abc import Sequence


def holds_gold(retrieved: Sequence[str], gold: Sequence[str], k: int) -> float:
    """Return 1 where one of the first `k` retrieved texts holds one of the gold texts, spaces and line breaks left out, else 0."""
    wanted = [bare for bare in map(_remove_spaces, gold) if bare]
    return float(any(each in text for text in map(_remove_spaces, retrieved[:k]) for each in wanted))


def _remove_spaces(text: str) -> str:
    return "".join(text.split())
