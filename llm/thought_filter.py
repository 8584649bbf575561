"""Leaves out what a reasoning model thinks aloud between <think> and </think> at the start of its reply."""

from __future__ import annotations

_OPEN, _CLOSE = "<think>", "</think>"


class ThoughtFilter:
    """Feed it pieces as they come; it gives back what may be shown. One filter for each reply."""

    def __init__(self) -> None:
        self._held = ""
        self._state = "start"

    def feed(self, piece: str) -> str:
        if self._state == "shown":
            return piece
        self._held += piece
        if self._state == "start":
            begun = self._held.lstrip()
            if begun.startswith(_OPEN):
                self._state = "thinking"
            elif not _OPEN.startswith(begun):
                return self._show(self._held)
        if self._state == "thinking" and _CLOSE in self._held:
            return self._show(self._held.split(_CLOSE, 1)[1].lstrip())
        return ""

    def flush(self) -> str:
        """Return the text that is still held back when the reply ends; a thought that never ended is not shown."""
        return "" if self._state == "thinking" else self._show(self._held)

    def _show(self, text: str) -> str:
        self._state, self._held = "shown", ""
        return text
