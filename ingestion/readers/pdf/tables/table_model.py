"""The data of the table reader: words, lines, rules, tables.

Coordinates are points in the frame in which the page's text stands upright: x from the left, y from the top edge downwards.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ingestion.readers.pdf.tables.text_direction import words_in_reading_order

Box = tuple[float, float, float, float]  # left, top, right, bottom
Span = tuple[int, int, int, int]  # row, column, rows, columns


class PageWord:
    """A word with its box: one em high, standing on its baseline, and its middle (`x`, `y`). A page has thousands: what is asked of each often is
    worked out once."""

    __slots__ = ("bold", "bottom", "height", "left", "right", "text", "top", "x", "y")

    def __init__(self, text: str, left: float, top: float, right: float, bottom: float, bold: bool = False) -> None:
        self.text = text
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
        self.bold = bold
        self.height = bottom - top
        self.x, self.y = (left + right) / 2, (top + bottom) / 2

    def is_inside(self, box: Box) -> bool:
        """Return whether its middle lies in `box`."""
        return box[1] <= self.y < box[3] and box[0] <= self.x < box[2]


class Segment:
    """Words of one line without a wide gap between them, from the left."""

    __slots__ = ("left", "right", "words")

    def __init__(self, words: list[PageWord]) -> None:
        self.words = words
        self.left = words[0].left
        self.right = max([word.right for word in words]) if len(words) > 1 else words[0].right

    @property
    def bottom(self) -> float:
        return max([word.bottom for word in self.words])

    @property
    def text(self) -> str:
        return " ".join(words_in_reading_order([word.text for word in self.words]))

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def width(self) -> float:
        return self.right - self.left


class WordLine:
    """The words on one height, from the left, and the segments that wide gaps divide them into; `size` is their median height (an em)."""

    __slots__ = ("bottom", "left", "middle", "right", "segments", "size", "top", "words")

    def __init__(self, words: list[PageWord], segments: list[Segment], size: float) -> None:
        self.words = words
        self.segments = segments
        self.size = size
        self.top = min([word.top for word in words])
        self.bottom = max([word.bottom for word in words])
        self.left = words[0].left
        self.right = max([word.right for word in words])
        self.middle = (self.top + self.bottom) / 2

    @property
    def text(self) -> str:
        return " ".join(words_in_reading_order([word.text for word in self.words]))


class Rule(NamedTuple):
    """A drawn line along one axis: `position` is its place on the other axis, from `start` to `end`."""

    horizontal: bool
    position: float
    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start


@dataclass(slots=True)
class PageGeometry:
    """All of a page that tables are made of. `strong_rules` rules are drawn lines and boxes, `weak_rules` ones the sides of shaded areas.

    `rotation` is the clockwise turn (0, 90, 180, 270) that sets the page's text upright, `shown_rotation` the turn with which the page is shown;
    `box` is the page's box in its own coordinates; `crooked_boxes` are the boxes of curves and slanted lines; `truncated` says that there was
    more on the page than is considered.
    """

    words: list[PageWord]
    strong_rules: list[Rule]
    weak_rules: list[Rule]
    box: Box
    rotation: int = 0
    shown_rotation: int = 0
    crooked_boxes: list[Box] = field(default_factory=list)
    truncated: bool = False


@dataclass(slots=True)
class TableGrid:
    """A table on one page: its texts row by row ("" where a cell is empty), its spans, its box in the upright frame.

    `is_ruled` says that lines were drawn around its cells; `heading_rows` is the number of rows that the reader took for the heading (None: not
    known); `bold_rows` says of each row whether all of it is set bold; `title` is a caption that stood inside the rules; `column_sides` are left and
    right of each column; `filled_share` is the part of the drawn cells that hold words."""

    rows: list[list[str]]
    spans: list[Span]
    box: Box
    is_ruled: bool = False
    heading_rows: int | None = None
    bold_rows: list[bool] = field(default_factory=list)
    title: str = ""
    column_sides: list[tuple[float, float]] = field(default_factory=list)
    filled_share: float = 1.0

    @property
    def width(self) -> int:
        return len(self.rows[0]) if self.rows else 0

    def drop_covered_spans(self) -> None:
        """Leave out spans over cells that have texts of their own, or that another spans."""
        taken: set[tuple[int, int]] = set()
        kept = []
        for row, column, rows, columns in sorted(self.spans):
            cells = {(r, c) for r in range(row, row + rows) for c in range(column, column + columns)}
            if not cells & taken and not any(self.rows[r][c] for r, c in cells - {(row, column)}):
                taken |= cells
                kept.append((row, column, rows, columns))
        self.spans = kept

    def mirror_columns(self) -> None:
        """Turn the columns around: the first one stands at the right."""
        width = self.width
        self.rows = [row[::-1] for row in self.rows]
        self.column_sides = self.column_sides[::-1]
        self.spans = [(row, width - column - columns, rows, columns) for row, column, rows, columns in self.spans]
        for row, column, _, columns in self.spans:  # a spanning cell has its text in its first place
            self.rows[row][column : column + columns] = self.rows[row][column : column + columns][::-1]


@dataclass(frozen=True, slots=True)
class FoundTable:
    """A table of a PDF.

    `page` counts from 1; `bbox` is (left, top, right, bottom) in points of the page as it is shown, from its upper left corner; `rows` are its
    cell texts ("" where a cell is empty), all of one length; `spans` are cells over several rows or columns as (row, column, rows, columns),
    their text in the first place; the first `header_rows` rows name the columns; `last_page` is the page on which a table ends that goes on
    over several, else None; `boxes` are the places of all its parts as (page, box), `rows_per_part` how many of `rows` each of them has (none: all).
    `repeated_headings` are the texts of the heading that stands again at the head of a part, by the place of the part in `boxes`.
    """

    page: int
    bbox: Box
    rows: list[list[str]]
    spans: list[Span] = field(default_factory=list)
    header_rows: int = 0
    caption: str = ""
    last_page: int | None = None
    boxes: list[tuple[int, Box]] = field(default_factory=list)
    rows_per_part: list[int] = field(default_factory=list)
    repeated_headings: dict[int, list[str]] = field(default_factory=dict)
