"""Pages with columns, drawn and recognised: boxes are parted at the band between columns, and nowhere else."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from ingestion.ocr.engines import read_picture
from ingestion.ocr.gutters import split_at_gutters
from ingestion.ocr.page_recognition import page_text
from ingestion.ocr.recognizer import Picture, Points
from ingestion.readers.base.source import OcrLimits

STEP = 34
FONT = ImageFont.load_default(24)
LEFT = (
    "The rent of the Halden office",
    "rises to four thousand kroner",
    "when the winter has come to",
    "its end and the snow is gone",
    "from the roofs of the houses.",
    "Notice is given on paper and",
    "must be signed by the owner.",
)
RIGHT = (
    "Ships that call at the harbour",
    "pay for water, light and coal",
    "by the ton and by the hour of",
    "their stay, whatever they may",
    "bring to the town or take from",
    "it. The captain asks for a bill",
    "before the ship goes to sea.",
)
THIRD = (
    "Bread is baked at night and",
    "sold from five until noon of",
    "the day after, on which what",
    "is left goes to the hospital",
    "or to the school behind the",
    "church. Nobody may buy more",
    "than six loaves in one week.",
)


class Page:
    """A picture in which words are drawn, and the boxes of what was drawn."""

    def __init__(self, width: int = 1250, height: int = 600) -> None:
        self.image = Image.new("RGB", (width, height), "white")
        self._draw = ImageDraw.Draw(self.image)

    def line(self, x: float, row: int, text: str, width: float | None = None) -> tuple[float, float]:
        """Words from x on, set apart so that they fill `width`; where the line begins and ends."""
        words = text.split()
        lengths = [self._draw.textlength(word, font=FONT) for word in words]
        space = (width - sum(lengths)) / (len(words) - 1) if width else self._draw.textlength(" ", font=FONT)
        for word, length in zip(words, lengths, strict=True):
            self._draw.text((x, 40 + STEP * row), word, font=FONT, fill="black")
            x += length + space
        return x - space - sum(lengths) - space * (len(words) - 1), x - space

    def columns(self, *columns: Sequence[str], width: float, gutter: float, first: int = 0) -> list[Points]:
        """Columns of justified prose, and boxes that each reach over all of them."""
        boxes = []
        for row in range(min(map(len, columns))):
            for place, column in enumerate(columns):
                self.line(50 + place * (width + gutter), first + row, column[row], width)
            boxes.append(box(50, 50 + len(columns) * width + (len(columns) - 1) * gutter, first + row))
        return boxes

    @property
    def pixels(self) -> Picture:
        return np.array(self.image, np.uint8)


def box(left: float, right: float, row: int) -> Points:
    top = 40 + STEP * row
    return np.array([[left - 4, top - 1], [right + 4, top - 1], [right + 4, top + 32], [left - 4, top + 32]], np.float32)


def read(page: Page) -> list[str]:
    reading = read_picture(page.pixels, OcrLimits(engine="rapidocr", threads=1), time.monotonic() + 120)
    return [line.text for line in page_text(reading, 1, 200 / 72).lines]


@pytest.mark.parametrize("gutter", [20, 28, 60])
def test_boxes_over_two_columns_are_parted_at_the_gutter(gutter: int) -> None:
    page = Page()
    boxes = page.columns(LEFT, RIGHT, width=370, gutter=gutter)
    parts = split_at_gutters(page.pixels, boxes)
    assert len(parts) == 2 * len(boxes)
    for left, right in zip(parts[::2], parts[1::2], strict=True):
        assert 420 <= left[:, 0].max() < 420 + gutter
        assert 420 < right[:, 0].min() <= 420 + gutter


def test_boxes_over_three_columns_are_parted_twice() -> None:
    page = Page()
    boxes = page.columns(LEFT, RIGHT, THIRD, width=370, gutter=24)
    assert len(split_at_gutters(page.pixels, boxes)) == 3 * len(boxes)


def test_a_line_over_columns_that_are_boxes_of_their_own_is_parted() -> None:
    page = Page()
    boxes = page.columns(LEFT, RIGHT, width=370, gutter=24)
    ends = [side for row in range(6) for side in (box(50, 420, row), box(444, 814, row))]
    assert len(split_at_gutters(page.pixels, [*ends, boxes[6]])) == 14


def test_the_widest_spaces_of_one_column_are_no_band() -> None:
    page = Page()
    boxes = []
    for row, text in enumerate(LEFT + RIGHT + THIRD[:2]):
        boxes.append(box(*page.line(50, row, text, 370), row))
    assert len(split_at_gutters(page.pixels, boxes)) == len(boxes)


def test_a_wide_space_in_a_line_or_two_is_no_band() -> None:
    page = Page()
    boxes = [box(*page.line(50, row, text, 700), row) for row, text in enumerate(f"{left} {right}" for left, right in zip(LEFT, RIGHT, strict=True))]
    lonely = Page()
    lonely.line(50, 3, LEFT[0], 370)
    lonely.line(480, 3, RIGHT[0], 370)
    assert len(split_at_gutters(lonely.pixels, [box(50, 850, 3)])) == 1
    assert len(split_at_gutters(page.pixels, boxes)) == len(boxes)


def test_titles_above_columns_stay_whole() -> None:
    page = Page()
    title = box(*page.line(50, 0, "What the town council of Halden decided about rents, ships and bread"), 0)
    boxes = page.columns(LEFT, RIGHT, width=370, gutter=24, first=2)
    assert len(split_at_gutters(page.pixels, [title, *boxes])) == 1 + 2 * len(boxes)


def test_boxes_that_stand_on_end_and_empty_paper_are_left_alone() -> None:
    upright = np.array([[10, 10], [40, 10], [40, 400], [10, 400]], np.float32)
    blank = [box(50, 800, row) for row in range(9)]
    assert len(split_at_gutters(Page().pixels, [upright, *blank])) == 10
    assert split_at_gutters(Page().pixels, []) == []


def test_two_columns_with_a_narrow_gutter_are_read_below_their_title() -> None:
    page = Page(width=880)
    title = "What the town council of Halden decided about rents and ships"
    page.line(50, 0, title, 764)
    page.columns(LEFT, RIGHT, width=370, gutter=24, first=2)
    assert read(page) == [title, *LEFT, *RIGHT]


def test_three_columns_are_read_one_after_the_other() -> None:
    page = Page(width=1260)
    page.columns(LEFT, RIGHT, THIRD, width=370, gutter=24)
    assert read(page) == [*LEFT, *RIGHT, *THIRD]


def test_a_table_is_read_row_by_row() -> None:
    page = Page(width=1000)
    rows = [
        ("Berth", "Ship", "Tons"),
        *((f"North {n}", name, f"{n}40") for n, name in enumerate(("Anna", "Berta", "Clara", "Dora", "Erna", "Frida"), 1)),
    ]
    for row, cells in enumerate(rows):
        for place, cell in enumerate(cells):
            page.line(50 + 200 * place, row, cell)
    assert read(page) == [cell for cells in rows for cell in cells]


@pytest.mark.parametrize("width", [430, 435, 445, 480, 640])
def test_one_column_with_wide_spaces_is_read_line_by_line(width: int) -> None:
    """Also where such spaces happen to stand below one another in some lines, and where the detector's boxes share a letter beside one."""
    page = Page(width=760)
    for row, text in enumerate(LEFT + RIGHT):
        page.line(50, row, text, width)
    assert " ".join(read(page)) == " ".join(LEFT + RIGHT)
