"""Tells whether a picture looks like text, without reading it."""

from __future__ import annotations

import cv2
import numpy as np

from ingestion.ocr.recognizer import Picture, as_picture

_PAPER = 0.7  # of a picture of text is paper
_LETTERS = 150  # signs of a letter's size that a picture of text has at least
_LETTER = (3, 24)  # pixels that a letter is high at 100 dpi
_INK_OF_LETTERS = 0.5  # of what is not paper; charts, tables of pictures and drawings are lines and areas


def looks_like_text(picture: Picture) -> bool:
    """Return whether a picture, drawn at about 100 dpi, is most likely of text: paper of one colour, on it mostly signs of a letter's size."""
    grey = as_picture(cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY))
    _, threshold = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    ink = as_picture(threshold)
    if ink.mean() > 0.5:  # light on dark
        ink = as_picture(1 - ink)
    dark = int(ink.sum())
    if not 0 < dark <= (1 - _PAPER) * ink.size:
        return False
    _, _, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    widths, heights, areas = (np.asarray(stats)[1:, column] for column in (cv2.CC_STAT_WIDTH, cv2.CC_STAT_HEIGHT, cv2.CC_STAT_AREA))
    letters = (heights >= _LETTER[0]) & (heights <= _LETTER[1]) & (widths <= 6 * heights)
    return int(letters.sum()) >= _LETTERS and int(areas[letters].sum()) >= _INK_OF_LETTERS * dark
