"""Sets boxes of one line apart that reach into each other: the letter between them would be read twice ("when the e winter")."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from ingestion.ocr.recognizer import Picture, Points

# In heights of the lower box, but for the shares.
_DEEPEST = 1.0  # what reaches further into another box is no neighbour of it
_SAME_ROW = 0.6  # share of the lower height that both cover
_FLAT = 0.25  # how far a box may rise from one end to the other
_INK = 0.02  # share of a column: less is dust


def separate_boxes(picture: Picture, boxes: Sequence[Points]) -> list[Points]:
    """Return the boxes; two neighbours on a line that overlap end and begin in the middle of the blank between their letters."""
    apart = [box.copy() for box in boxes]
    flat = sorted((place for place, box in enumerate(apart) if _is_flat(box)), key=lambda place: float(apart[place][0, 0]))
    grey: NDArray[np.uint8] | None = None
    for number, left in enumerate(flat):
        for right in flat[number + 1 :]:
            if _left_of(apart[right]) >= _right_of(apart[left]):
                break  # all others begin further right
            if not _are_neighbours(apart[left], apart[right]):
                continue
            if grey is None:
                grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY), np.uint8)
            border = _border(grey, apart[left], apart[right])
            apart[left][[1, 2], 0] = border
            apart[right][[0, 3], 0] = border
    return apart


def _is_flat(box: Points) -> bool:
    height = _height(box)
    return height > 0 and _right_of(box) - _left_of(box) >= height and abs(float(box[1, 1] - box[0, 1])) <= _FLAT * height


def _are_neighbours(left: Points, right: Points) -> bool:
    """Return whether `right` begins within the end of `left`, on the same line."""
    lower = min(_height(left), _height(right))
    shared = min(float(left[:, 1].max()), float(right[:, 1].max())) - max(float(left[:, 1].min()), float(right[:, 1].min()))
    overlap = _right_of(left) - _left_of(right)
    narrower = min(_right_of(left) - _left_of(left), _right_of(right) - _left_of(right))
    return shared >= _SAME_ROW * lower and 0 < overlap <= min(_DEEPEST * lower, narrower / 2) and _right_of(right) > _right_of(left)


def _border(grey: NDArray[np.uint8], left: Points, right: Points) -> float:
    """Return the middle of the widest blank within a letter's height of the overlap; the overlap's own middle where there is none."""
    reach = min(_height(left), _height(right))
    middle = (_right_of(left) + _left_of(right)) / 2
    begin = max(0, round(max(_left_of(left), _left_of(right) - reach)))
    end = min(grey.shape[1], round(min(_right_of(right), _right_of(left) + reach)))
    top, bottom = max(float(left[:, 1].min()), float(right[:, 1].min())), min(float(left[:, 1].max()), float(right[:, 1].max()))
    margin = (bottom - top) / 8  # letters of the lines above and below reach into it
    area = grey[max(0, round(top + margin)) : max(1, round(bottom - margin)), begin:end]
    if area.size == 0:
        return middle
    _, ink = cv2.threshold(area, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    dark = np.asarray(ink)
    if dark.mean() > 0.5:  # light on dark
        dark = 1 - dark
    edges = np.flatnonzero(np.diff(np.concatenate(([0], (dark.mean(axis=0) <= _INK).astype(np.int8), [0]))))
    blanks = list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))  # one at the area's end goes on beyond it
    if not blanks:
        return middle
    start, stop = max(blanks, key=lambda blank: blank[1] - blank[0])
    return float(begin + (start + stop) / 2)


def _height(box: Points) -> float:
    return float(np.linalg.norm(box[3] - box[0]))


def _left_of(box: Points) -> float:
    return float(min(box[0, 0], box[3, 0]))


def _right_of(box: Points) -> float:
    return float(max(box[1, 0], box[2, 0]))
