"""The port of text recognition: a picture goes in, lines of text with their places come out."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from core.recognized_lines import WordPlace

Picture = NDArray[np.uint8]  # [height, width, 3], red green blue
Points = NDArray[np.float32]  # [4, 2]: the corners of a line's box in pixels (x, y), clockwise from where its text begins at the top


class TooSlow(Exception):
    """Raised when recognition of a picture passed its deadline."""


@dataclass(frozen=True, slots=True, eq=False)
class RecognizedLine:
    """A line, or the part of one between wide gaps. `confidence` is the mean certainty of its letters, 0..1; the spans of `words` count in `text`."""

    text: str
    box: Points
    confidence: float
    words: tuple[WordPlace, ...] = ()


class Recognizer(Protocol):
    """Port of a reader of pictures. `name` goes into the document's `parser`."""

    @property
    def name(self) -> str: ...
    def recognize(self, picture: Picture, deadline: float) -> list[RecognizedLine]:
        """Return the lines of a picture that stands upright, in no particular order. `deadline` is a `time.monotonic`.

        Raises:
            TooSlow: the deadline passed.
        """
        ...


def check_deadline(deadline: float) -> None:
    """Raise TooSlow when `deadline` (`time.monotonic`) is over."""
    if time.monotonic() > deadline:
        raise TooSlow


def as_picture(array: Any) -> Picture:
    """Return the array as OpenCV gives it, whose stubs leave its type open; nothing is copied."""
    return np.asarray(array, np.uint8)
