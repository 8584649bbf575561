"""Turns the detector's map of likelihoods into the boxes of lines: differentiable binarization (Liao et al. 2020, arXiv:1911.08947, section 3.4)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from ingestion.ocr.networks import TILE, Network, Tensor
from ingestion.ocr.recognizer import Picture, Points, as_picture

# The values that the model's makers publish with it.
_INSIDE = 0.3
_BOX_INSIDE = 0.5
_UNCLIP = 1.6  # the network learns shrunken boxes: area * ratio / perimeter is how far each side goes out again
_MAX_BOXES = 3_000
_MIN_SIDE = 3.0
_OVERLAP = 96


def text_boxes(picture: Picture, detector: Network, longest: int) -> list[Points]:
    """Return the boxes of the lines in `picture`, which is shrunk for the search until its longer side has at most `longest` pixels."""
    height, width = picture.shape[:2]
    scale = min(1.0, longest / max(height, width))
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    shrunk = as_picture(cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
    stretch = np.array([width / size[0], height / size[1]], np.float32)
    return [box * stretch for box in _boxes(_likelihood_map(shrunk, detector))]


def _likelihood_map(picture: Picture, detector: Network) -> Tensor:
    """Return the detector's map of the picture, put together from tiles that overlap; of each only what is not near its edge is taken."""
    height, width = picture.shape[:2]
    likely = np.empty((height, width), np.float32)
    for top, upper, lower in _tiles(height, TILE[0]):
        for left, near, far in _tiles(width, TILE[1]):
            tile = picture[top : top + TILE[0], left : left + TILE[1]]
            missing = (TILE[0] - tile.shape[0], TILE[1] - tile.shape[1])
            whole = as_picture(cv2.copyMakeBorder(tile, 0, missing[0], 0, missing[1], cv2.BORDER_REPLICATE))
            seen = detector(normalise_picture(whole)[np.newaxis])[0][0, 0]
            likely[upper:lower, near:far] = seen[upper - top : lower - top, near - left : far - left]
    return likely


def _tiles(length: int, tile: int) -> list[tuple[int, int, int]]:
    """Return for each tile along one side where it starts, and the stretch that is taken from it."""
    count = max(1, -(-(length - _OVERLAP) // (tile - _OVERLAP)))
    starts = [min(place * (tile - _OVERLAP), max(0, length - tile)) for place in range(count)]
    cuts = [0, *((before + tile + after) // 2 for before, after in pairwise(starts)), length]
    return [(start, cuts[place], cuts[place + 1]) for place, start in enumerate(starts)]


def normalise_picture(picture: Picture) -> Tensor:
    """Convert [height, width, 3] in red green blue to [3, height, width] in blue green red, -1..1, as both networks were trained."""
    turned: Tensor = picture[:, :, ::-1].transpose(2, 0, 1).astype(np.float32) / np.float32(127.5) - np.float32(1)
    return turned


def _boxes(likely: Tensor) -> list[Points]:
    mask = cv2.dilate((likely > _INSIDE).astype(np.uint8), np.ones((2, 2), np.uint8))
    contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    found = []
    for contour in sorted(contours, key=len, reverse=True)[:_MAX_BOXES]:
        centre, (width, height), angle = cv2.minAreaRect(contour)
        if min(width, height) < _MIN_SIDE:
            continue
        corners = _corners(centre, width, height, angle)
        if _mean_inside(likely, corners) < _BOX_INSIDE:
            continue
        out = width * height * _UNCLIP / (width + height)  # twice the distance: both sides go out
        found.append(sort_clockwise(_corners(centre, width + out, height + out, angle)))
    return found


def _corners(centre: Sequence[float], width: float, height: float, angle: float) -> Points:
    return np.asarray(cv2.boxPoints((centre, (width, height), angle)), np.float32)


def _mean_inside(likely: Tensor, corners: NDArray[np.float32]) -> float:
    height, width = likely.shape
    low = np.clip(np.floor(corners.min(axis=0)).astype(int), 0, [width - 1, height - 1])
    high = np.clip(np.ceil(corners.max(axis=0)).astype(int), 0, [width - 1, height - 1])
    mask = np.zeros((high[1] - low[1] + 1, high[0] - low[0] + 1), np.uint8)
    cv2.fillPoly(mask, [(corners - low).astype(np.int32)], 1)
    return float(cv2.mean(likely[low[1] : high[1] + 1, low[0] : high[0] + 1], mask)[0])


def sort_clockwise(corners: NDArray[np.float32]) -> Points:
    """Sort corners clockwise from the upper left: the two on the left by their height, then the two on the right."""
    by_x = corners[np.argsort(corners[:, 0], kind="stable")]
    left = by_x[:2][np.argsort(by_x[:2, 1], kind="stable")]
    right = by_x[2:][np.argsort(by_x[2:, 1], kind="stable")]
    return np.array([left[0], right[0], right[1], left[1]], np.float32)
