"""Finds the words of a line: the network leaves out spaces between words that are set close, the picture shows them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import zip_longest

import cv2
import numpy as np
from numpy.typing import NDArray

from core.recognized_lines import WordPlace
from ingestion.ocr.recognizer import Picture, as_picture

STEP = 8  # pixels of a strip for each step of the network
_SPACE = 0.17  # of a strip's height: narrower blanks lie between letters
_SPACE_OF_SIGNS = 0.27  # behind a full stop or a comma, which leave a blank of their own, and between figures
_WIDER = 2.2  # how many times wider than the blanks between its letters a line's spaces are
_CLOSING = frozenset(".,;:!?)]}%'’”»")


def insert_spaces(image: Picture, steps: list[tuple[int, str]]) -> str:
    """Return the characters of a strip with spaces where the picture shows them; each comes with its step.

    A space is put in wherever a blank as wide as one lies between two letters or figures, and taken out of a number ("4, 150") without one.
    """
    return text_and_words(image, steps)[0]


def text_and_words(image: Picture, steps: list[tuple[int, str]]) -> tuple[str, tuple[WordPlace, ...]]:
    """Return the text as `insert_spaces` does, and the place of each word along the strip; in scripts without spaces each character is a word."""
    unspaced = any(_is_unspaced(character) for _, character in steps)
    blanks = _blanks(image)
    spaced = steps if unspaced or not blanks else _space_steps(steps, blanks, image.shape[0])
    characters = [(step, each) for step, character in spaced for each in to_plain_letters(character)]
    while characters and characters[0][1].isspace():
        del characters[0]
    while characters and characters[-1][1].isspace():
        del characters[-1]
    return "".join(character for _, character in characters), tuple(_words(characters, blanks, image.shape[1]))


def _space_steps(steps: list[tuple[int, str]], blanks: list[tuple[int, int]], height: int) -> list[tuple[int, str]]:
    text = "".join(character for _, character in steps)
    wide = _space_width(blanks, height)
    found: list[tuple[int, str]] = []
    for place, (step, character) in enumerate(steps):
        if character == " " and _is_in_number(text, place):
            if _widest_blank(blanks, steps[place - 1][0], steps[place + 1][0]) < _SPACE_OF_SIGNS * height:
                continue
        elif place and _may_stand_apart(text[place - 1], character):
            signs = text[place - 1] in _CLOSING or text[place - 1 : place + 1].isdigit()
            if _widest_blank(blanks, steps[place - 1][0], step) >= max(wide, _SPACE_OF_SIGNS * height if signs else 0.0):
                found.append((step, " "))
        found.append((step, character))
    return found


def _words(characters: Sequence[tuple[int, str]], blanks: list[tuple[int, int]], width: int) -> Iterator[WordPlace]:
    """Yield each word from where the blank before it ends to where the one behind it begins."""
    spans: list[tuple[int, int]] = []
    for place, (_, character) in enumerate(characters):
        if character.isspace():
            continue
        goes_on = spans and spans[-1][1] == place and not _is_unspaced(character) and not _is_unspaced(characters[place - 1][1])
        if goes_on:
            spans[-1] = (spans[-1][0], place + 1)
        else:
            spans.append((place, place + 1))
    left = 0.0
    for (start, end), following in zip_longest(spans, spans[1:]):
        gap = _gap(blanks, characters[end - 1][0], characters[following[0]][0]) if following else (float(width), float(width))
        yield WordPlace(start, end, left / width, gap[0] / width)
        left = gap[1]


def _gap(blanks: list[tuple[int, int]], before: int, after: int) -> tuple[float, float]:
    """Return the widest blank between the characters of two steps; the middle between them where none is seen."""
    low, high = STEP * (before + 0.5), STEP * (after + 0.5)
    inside = [blank for blank in blanks if low < sum(blank) / 2 < high]
    middle = (low + high) / 2
    start, end = max(inside, key=lambda blank: blank[1] - blank[0], default=(middle, middle))
    return start, end


def _is_in_number(text: str, place: int) -> bool:
    """Return whether a space stands between the comma or point of a number and the figures behind it."""
    return place >= 2 and text[place - 1] in ",." and text[place - 2].isdigit() and text[place + 1 : place + 2].isdigit()


def _widest_blank(blanks: list[tuple[int, int]], before: int, after: int) -> int:
    """Return the width of the widest blank between the characters of two steps."""
    low, high = STEP * (before + 0.5), STEP * (after + 0.5)
    return max((end - start for start, end in blanks if low < (start + end) / 2 < high), default=0)


def to_plain_letters(text: str) -> str:
    """Return letters of the Latin script for the full-width forms and Roman numerals of the Chinese one, which look alike."""
    return "".join(
        unicodedata.normalize("NFKC", character) if "\u2160" <= character <= "\u217f" or "\uff01" <= character <= "\uff5e" else character
        for character in text
    )


def _is_unspaced(character: str) -> bool:
    """Return whether a character is of Chinese or Japanese writing, which has no spaces between words."""
    return "\u3040" <= character <= "\u30ff" or "\u3400" <= character <= "\u9fff"


def _may_stand_apart(before: str, after: str) -> bool:
    return (before.isalnum() or before in _CLOSING) and after.isalnum() and not (before in ".,:" and after.isdigit())


def _space_width(blanks: list[tuple[int, int]], height: int) -> float:
    """Return the pixels from which on a blank is a space: in letters set wide apart ("T O T A L") it must stand out from the others."""
    usual = float(np.median([end - start for start, end in blanks]))
    return max(_SPACE * height, min(_WIDER * usual, 0.6 * height))


def _blanks(image: Picture) -> list[tuple[int, int]]:
    """Return runs of columns without ink, between the first and the last column that has some."""
    grey = as_picture(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
    _, ink = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    inked: NDArray[np.bool_] = np.asarray(ink).mean(axis=0) > 0.02
    if inked.mean() > 0.9:  # light on dark
        inked = np.asarray(ink).mean(axis=0) < 0.98
    edges = np.flatnonzero(np.diff(np.concatenate(([0], inked.astype(np.int8), [0]))))
    return [(int(end), int(start)) for end, start in zip(edges[1:-1:2], edges[2::2], strict=True)]
