"""Parts boxes that reach over the blank band between two columns: the detector joins lines that stand close side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ingestion.ocr.recognizer import Picture, Points, as_picture

# All in heights of a box, which is a quarter higher than the letters in it.
_GUTTER = 0.45  # narrower blanks are spaces between words; in justified lines these are as wide,
_WIDER = 1.6  # what is so many times wider than the others is none
_LETTER_GAP = 0.12  # narrower blanks lie between letters
_COMMON = 0.3  # of a band must be left that is blank in all lines
_MARGIN = 0.15  # of a box around its letters
_ELONGATED = 4.0  # what is shorter holds no two columns
_ROWS = 6  # lines above and as many below that are looked at
_FEWEST = 3  # of them must have text on both sides of the band,
_FEWEST_ALIKE = 5  # where it is no wider than a space of that line; and most of them must begin where the band ends
_ALIGNED, _SLACK = 0.6, 0.25

Span = tuple[float, float]
_ONE_SIDED: Span = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class _Strip:
    """A box that lies flat: its extent on the page, and the blanks in it that are as wide as a space, from left to right."""

    box: Points
    left: float
    right: float
    middle: float
    height: float
    blanks: tuple[Span, ...]


def split_at_gutters(picture: Picture, boxes: Sequence[Points]) -> list[Points]:
    """Return the boxes, each one that holds text on both sides of a blank band, which goes on in the lines above or below it, as two or more."""
    grey = as_picture(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
    strips = sorted((strip for box in boxes if (strip := _make_strip(grey, box))), key=lambda strip: strip.middle)
    rows = _rows(strips)
    found = {id(strip.box): _split_strip(strip, bands) for place, row in enumerate(rows) for strip in row if (bands := _bands(strip, rows, place))}
    return [part for box in boxes for part in found.get(id(box), [box])]


def _make_strip(grey: NDArray[np.uint8], box: Points) -> _Strip | None:
    """Return a box as a strip, None where it stands upright."""
    width, height = float(np.linalg.norm(box[1] - box[0])), float(np.linalg.norm(box[3] - box[0]))
    if height < 4 or width < height:
        return None
    left, right = float((box[0, 0] + box[3, 0]) / 2), float((box[1, 0] + box[2, 0]) / 2)
    blanks = _blanks(grey, box, width, height) if width >= _ELONGATED * height else []
    return _Strip(box, left, right, float(box[:, 1].mean()), height, tuple((left + start, left + end) for start, end in blanks))


def _blanks(grey: NDArray[np.uint8], box: Points, width: float, height: float) -> list[Span]:
    """Return blanks as wide as a space between the first and the last ink of a box."""
    size = (round(width), round(height))
    flat = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    line = as_picture(cv2.warpPerspective(grey, cv2.getPerspectiveTransform(box, flat), size, borderMode=cv2.BORDER_REPLICATE))
    margin = size[1] // 8  # letters of the lines above and below reach into it
    line = as_picture(line[margin : size[1] - margin])
    _, ink = cv2.threshold(line, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    dark = np.asarray(ink)
    if dark.mean() > 0.5:  # light on dark
        dark = 1 - dark
    inked = dark.mean(axis=0) > 0.02
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    return [(float(end), float(start)) for end, start in zip(edges[1:-1:2], edges[2::2], strict=True) if start - end >= _LETTER_GAP * height]


def _rows(strips: Sequence[_Strip]) -> list[list[_Strip]]:
    """Group strips at one height; both from the top."""
    rows: list[list[_Strip]] = []
    for strip in strips:
        last = rows[-1] if rows else None
        if last and strip.middle - sum(other.middle for other in last) / len(last) < 0.5 * min(last[-1].height, strip.height):
            last.append(strip)
        else:
            rows.append([strip])
    return rows


def _bands(strip: _Strip, rows: Sequence[Sequence[_Strip]], place: int) -> list[Span]:
    """Return the blanks of a strip that are bands between columns."""
    spaces = sorted(end - start for start, end in strip.blanks)
    usual = spaces[(len(spaces) - 1) // 2] if len(spaces) > 2 else 0.0
    wide = [band for band in strip.blanks if band[1] - band[0] >= _GUTTER * strip.height]
    return [band for band in wide if _parts_columns(band, usual, strip, rows, place)]


def _parts_columns(band: Span, usual: float, strip: _Strip, rows: Sequence[Sequence[_Strip]], place: int) -> bool:
    """Return whether a blank goes on in the lines above and below. One that is as wide as the `usual` space may do so by chance in some of them."""
    beside = _rows_beside(band, strip, rows, place)
    if band[1] - band[0] >= _WIDER * usual:
        return len(beside) >= _FEWEST
    aligned = sum(_has_text_beginning_at(band[1], row) for row in beside)
    return len(beside) >= _FEWEST_ALIKE and aligned >= _ALIGNED * len(beside)


def _has_text_beginning_at(place: float, row: Sequence[_Strip]) -> bool:
    return any(
        abs(begin - place) <= _SLACK * strip.height
        for strip in row
        for begin in (strip.left + _MARGIN * strip.height, *(far for _, far in strip.blanks))
    )


def _rows_beside(band: Span, strip: _Strip, rows: Sequence[Sequence[_Strip]], place: int) -> list[Sequence[_Strip]]:
    """Return the lines right above and below that leave the band blank and have text on both sides of it."""
    having: list[Sequence[_Strip]] = []
    for near in (rows[max(0, place - _ROWS) : place][::-1], rows[place + 1 : place + 1 + _ROWS]):
        common = band
        for row in near:
            free = _free_band(row, common, _COMMON * strip.height)
            if free is None:
                break  # a title over both columns, a picture's words
            if free != _ONE_SIDED:
                common = free
                having.append(row)
    return having


def _free_band(row: Sequence[_Strip], band: Span, least: float) -> Span | None:
    """Return what a row leaves blank of a band between text on both sides; _ONE_SIDED where there is no text on one of them, None where text is in
    it."""
    start, end = band
    left = right = False
    for strip in row:
        margin = _MARGIN * strip.height
        if strip.right - margin <= start + least / 2:
            left = True
        elif strip.left + margin >= end - least / 2:
            right = True
        elif strip.left + margin < start and strip.right - margin > end:
            blank = max(((max(start, low), min(end, far)) for low, far in strip.blanks), key=lambda span: span[1] - span[0], default=(0.0, 0.0))
            if blank[1] - blank[0] < least:
                return None
            start, end = blank
            left = right = True
        else:  # it ends or begins in the band
            before = (strip.left + strip.right) / 2 < (start + end) / 2
            start, end = (max(start, strip.right - margin), end) if before else (start, min(end, strip.left + margin))
            left, right = left or before, right or not before
    if end - start < least:
        return None
    return (start, end) if left and right else _ONE_SIDED


def _split_strip(strip: _Strip, bands: Sequence[Span]) -> list[Points]:
    """Return the stretches of a box between bands, each with the margin around its letters."""
    length = max(1.0, strip.right - strip.left)
    margin = _MARGIN * strip.height
    edges = [0.0]
    for start, end in bands:
        reach = min(margin, (end - start) / 2)
        edges += [(start + reach - strip.left) / length, (end - reach - strip.left) / length]
    edges.append(1.0)
    upper, lower = strip.box[1] - strip.box[0], strip.box[2] - strip.box[3]
    return [
        np.array([strip.box[0] + near * upper, strip.box[0] + far * upper, strip.box[3] + far * lower, strip.box[3] + near * lower], np.float32)
        for near, far in zip(edges[::2], edges[1::2], strict=True)
    ]
