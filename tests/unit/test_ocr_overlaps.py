"""Boxes of one line that reach into each other are set apart at the blank between their letters; all others stay as they are."""

from __future__ import annotations

import numpy as np
import pytest

from ingestion.ocr.overlaps import separate_boxes
from ingestion.ocr.recognizer import Picture, Points


def box(left: float, right: float, top: float = 20, bottom: float = 50) -> Points:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)


def page(*inked: tuple[int, int], light_on_dark: bool = False) -> Picture:
    """A line of marks from 25 to 45 down, each from a column to a column; a third of it is ink, as of letters."""
    pixels = np.full((80, 400, 3), 255, np.uint8)
    for left, right in inked:
        pixels[25:45:3, left:right] = 0
    return 255 - pixels if light_on_dark else pixels


@pytest.mark.parametrize("light_on_dark", [False, True])
def test_two_boxes_that_share_a_letter_part_in_the_blank_behind_it(light_on_dark: bool) -> None:
    picture = page((20, 140), (160, 300), light_on_dark=light_on_dark)
    left, right = separate_boxes(picture, [box(10, 146), box(130, 310)])
    assert left[1, 0] == left[2, 0] == right[0, 0] == right[3, 0] == 150
    assert (left[0, 0], right[1, 0]) == (10, 310)


def test_the_order_of_the_boxes_stays_and_what_was_given_is_not_changed() -> None:
    given = [box(130, 310), box(10, 146)]
    right, left = separate_boxes(page((20, 140), (160, 300)), given)
    assert (right[0, 0], left[1, 0]) == (150, 150)
    assert (given[0][0, 0], given[1][1, 0]) == (130, 146)


def test_without_a_blank_they_part_in_the_middle_of_what_they_share() -> None:
    left, right = separate_boxes(page((5, 395)), [box(10, 150), box(140, 310)])
    assert left[1, 0] == right[0, 0] == 145


@pytest.mark.parametrize(
    "other",
    [
        box(160, 310),  # beside it
        box(130, 310, 55, 85),  # a line below
        box(60, 120),  # within it
        box(100, 310),  # deeper in it than a letter is high
        np.array([[130, 20], [310, 70], [310, 100], [130, 50]], np.float32),  # rising
        np.array([[130, 20], [150, 20], [150, 79], [130, 79]], np.float32),  # upright
    ],
)
def test_what_is_no_neighbour_on_the_line_stays(other: Points) -> None:
    given = [box(10, 150), other]
    assert all(np.array_equal(before, after) for before, after in zip(given, separate_boxes(page((20, 300)), given), strict=True))
