"""Sets a picture upright: pages that lie on their side or stand on their head are turned, small angles are straightened."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from ingestion.ocr.line_boxes import sort_clockwise
from ingestion.ocr.rapidocr_engine import RapidRecognizer
from ingestion.ocr.recognizer import Picture, Points, as_picture

_ELONGATED = 2.5  # how many times longer than high a box must be to say which way its text runs
_ASKED = 16  # lines that are shown to the classifier
_READ = 4  # lines that are read both ways where it thinks that the page stands on its head
_SUSPECT = 0.4  # the share of lines from which on that is tried
_STRAIGHT = 0.7  # degrees that may stay: the boxes follow the lines


@dataclass(frozen=True, slots=True)
class UprightPicture:
    """A picture and the boxes of its lines, after a clockwise turn of `rotation` degrees (0, 90, 180, 270); `angle` is what is left of the skew.

    `shown_size` is the width and height of the picture turned so, in pixels. Where it was straightened besides, `inverse_matrix` leads from the
    pixels of `picture` to those of the turned one, as a matrix [2, 3]."""

    picture: Picture
    boxes: list[Points]
    rotation: int
    angle: float
    shown_size: tuple[int, int]
    inverse_matrix: NDArray[np.float64] | None = None


def set_upright(picture: Picture, recognizer: RapidRecognizer, deadline: float) -> UprightPicture:
    """Turn a picture upright and straighten it. Raises TooSlow where `deadline` passes."""
    boxes = recognizer.boxes(picture)
    turned = 0
    if _runs_sideways(boxes):
        picture, turned = np.ascontiguousarray(np.rot90(picture, -1)), 90
        boxes = recognizer.boxes(picture)
    if _is_upside_down(picture, boxes, recognizer, deadline):
        picture, turned = np.ascontiguousarray(picture[::-1, ::-1]), (turned + 180) % 360
        boxes = [_turn_box_over(box, picture) for box in boxes]
    shown = (picture.shape[1], picture.shape[0])
    angle = _skew(boxes)
    back = None
    if abs(angle) > _STRAIGHT:
        picture, back = _straighten(picture, angle)
        boxes = recognizer.boxes(picture)
        angle = _skew(boxes)
    return UprightPicture(picture, boxes, turned, angle, shown, back)


def box_size(box: Points) -> tuple[float, float]:
    """Return width and height of a box in pixels, along its own edges."""
    width = max(float(np.linalg.norm(box[0] - box[1])), float(np.linalg.norm(box[2] - box[3])))
    height = max(float(np.linalg.norm(box[0] - box[3])), float(np.linalg.norm(box[1] - box[2])))
    return width, height


def _runs_sideways(boxes: Sequence[Points]) -> bool:
    along = {True: 0.0, False: 0.0}
    for width, height in map(box_size, boxes):
        if max(width, height) >= _ELONGATED * min(width, height):
            along[height > width] += max(width, height)
    return along[True] > along[False]


def _is_upside_down(picture: Picture, boxes: Sequence[Points], recognizer: RapidRecognizer, deadline: float) -> bool:
    """Return whether a picture stands on its head: the classifier asks the question, reading a few lines both ways answers it."""
    longest = sorted((box for box in boxes if box_size(box)[0] > box_size(box)[1]), key=lambda box: -box_size(box)[0])[:_ASKED]
    if recognizer.upside_down_share(picture, longest) < _SUSPECT:
        return False
    # Very long lines cost most and say no more.
    asked = longest[len(longest) // 4 :][:_READ] or longest[:1]
    turned_over = [np.roll(box, 2, axis=0) for box in asked]
    return _total_confidence(picture, turned_over, recognizer, deadline) > _total_confidence(picture, asked, recognizer, deadline)


def _total_confidence(picture: Picture, boxes: Sequence[Points], recognizer: RapidRecognizer, deadline: float) -> float:
    return sum(line.confidence * len(line.text) for line in recognizer.read_boxes(picture, boxes, deadline))


def _turn_box_over(box: Points, picture: Picture) -> Points:
    height, width = picture.shape[:2]
    return sort_clockwise(np.array([width, height], np.float32) - box)


def _skew(boxes: Sequence[Points]) -> float:
    """Return the angle of the lines in degrees, clockwise: the median of the long ones, each weighing as much as it is long."""
    angles, weights = [], []
    for box in boxes:
        width, height = box_size(box)
        if width >= 2 * _ELONGATED * height:
            across, down = (box[1] + box[2] - box[0] - box[3]).tolist()
            angles.append(math.degrees(math.atan2(down, across)))
            weights.append(width)
    if not angles:
        return 0.0
    order = np.argsort(angles)
    sums = np.cumsum(np.array(weights)[order])
    return float(angles[order[int(np.searchsorted(sums, sums[-1] / 2))]])


def _straighten(picture: Picture, angle: float) -> tuple[Picture, NDArray[np.float64]]:
    """Return the picture turned back by `angle`, on as much paper as it then needs; and the way back, as a matrix [2, 3]."""
    height, width = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), angle, 1.0)
    cosine, sine = abs(matrix[0, 0]), abs(matrix[0, 1])
    wide, high = round(width * cosine + height * sine), round(width * sine + height * cosine)
    matrix[:, 2] += ((wide - width) / 2, (high - height) / 2)
    straight = as_picture(cv2.warpAffine(picture, matrix, (wide, high), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return straight, np.asarray(cv2.invertAffineTransform(matrix), np.float64)
