"""The words of a turn that a search looks in: question and answer, in one case for both databases and every language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def turn_words(query: str, response: Mapping[str, Any]) -> str:
    return f"{query}\n{response.get('answer') or ''}".casefold()
