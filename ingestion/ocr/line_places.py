"""Computes where recognised lines stand on the page that a person sees."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np

from core.recognized_lines import LinePlace
from ingestion.ocr.deskew import UprightPicture, box_size
from ingestion.ocr.recognizer import Points, RecognizedLine

_SIDEWAYS = 1.5  # a box so many times higher than wide is read from its top downwards, as `ingestion.ocr.rapidocr_engine.cut_out_line` lays it flat


@dataclass(frozen=True, slots=True)
class PicturePlacement:
    """Where a picture stands on a page: its size in pixels once it is turned upright by `rotation` degrees clockwise, `scale` pixels per point, its
    place (left, top, right, bottom) and the page's size in points."""

    size: tuple[int, int]
    rotation: int
    scale: float
    box: tuple[float, float, float, float]
    page_size: tuple[float, float]


def line_place(line: RecognizedLine, upright: UprightPicture) -> LinePlace:
    """Return the place of a line of a picture on that picture turned upright, but not straightened. Its span counts in its own text."""
    corners = _text_corners(line.box)
    if upright.inverse_matrix is not None:
        corners = np.asarray(cv2.transform(corners[np.newaxis], upright.inverse_matrix)[0], np.float32)
    length, height = box_size(corners)
    across, down = (corners[1] + corners[2] - corners[0] - corners[3]).tolist()
    x, y = corners.mean(axis=0).tolist()
    angle = math.degrees(math.atan2(down, across))
    return _as_fractions((x, y), (length, height), upright.shown_size, LinePlace(0, len(line.text), 0.0, 0.0, 0.0, 0.0, angle, line.words))


def place_on_page(line: LinePlace, within: PicturePlacement) -> LinePlace:
    """Return the place of a picture's line on the page that the picture stands on, which is not turned."""
    wide, high = within.size
    x, y = (line.left + line.width / 2) * wide, (line.top + line.height / 2) * high
    match within.rotation:
        case 90:
            x, y = y, wide - x
        case 180:
            x, y = wide - x, high - y
        case 270:
            x, y = high - y, x
    middle = (within.box[0] + x / within.scale, within.box[1] + y / within.scale)
    size = (line.width * wide / within.scale, line.height * high / within.scale)
    angle = (line.angle - within.rotation + 180) % 360 - 180
    return _as_fractions(middle, size, within.page_size, replace(line, angle=angle))


def _text_corners(box: Points) -> Points:
    """Return the corners of a box, clockwise from where its text begins at the top of its letters."""
    width, height = box_size(box)
    return np.roll(box, -1, axis=0) if height >= _SIDEWAYS * width else box


def _as_fractions(middle: tuple[float, float], size: tuple[float, float], paper: tuple[float, float], line: LinePlace) -> LinePlace:
    """Return `line` with the fractions of its box; all sizes in one unit."""
    wide, high = max(1.0, paper[0]), max(1.0, paper[1])
    left, top = (middle[0] - size[0] / 2) / wide, (middle[1] - size[1] / 2) / high
    return replace(line, left=left, top=top, width=size[0] / wide, height=size[1] / high)
