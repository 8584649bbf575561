"""The lines of a PDF page, with just enough geometry to tell what they are."""

from __future__ import annotations

from dataclasses import dataclass

from core.recognized_lines import LinePlace


@dataclass(slots=True)
class PageLine:
    """A line of text. Coordinates are points on the page as it is shown, x from the left and y from the top edge down to the line's bottom;
    `size` is the height of its letters' boxes, `hyphenated` says that its last word goes on in the next line, `gap` is the widest space between
    two words in units of `size` (measured only in lines that may be headings, where it tells the names of a table's columns from a title, and
    in a sample of the others).

    A `note` is a footnote; `sideways` lines do not run as most of the page does, `hidden` ones cannot be seen by a reader. `text_start` is the line's
    place in the page's text and `text_length` the characters that it takes there (0 where it does not come from there). A line with a `table` has no
    text: it holds the place of that table. `places` are the recognised pieces that the line is made of, each with its text; `words` are those of
    a line that hangs over the edge of a table.
    """

    text: str
    page: int
    left: float
    right: float
    y: float
    size: float
    bold: bool
    hyphenated: bool = False
    gap: float = 0.0
    furniture: bool = False
    level: int = 0
    note: bool = False
    sideways: bool = False
    hidden: bool = False
    text_start: int = 0
    text_length: int = 0
    table: int | None = None
    font: str = ""
    places: tuple[tuple[str, LinePlace], ...] = ()
    words: tuple[PageLine, ...] = ()


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link that leads out of the file: its box (left, top, right, bottom), the text below it, where it leads as the file writes it."""

    box: tuple[float, float, float, float]
    anchor: str
    target: str


@dataclass(frozen=True, slots=True)
class PageText:
    """A page: its number from 1, its size in points, its lines in the order of the file. `rotation` is the clockwise turn (0, 90, 180, 270) of the
    page as shown that sets its text upright: size and lines are those of the page turned so. `undecoded_share` is the part of its letters of which
    the file does not say what they are; `tabular` says that the page may hold a table, `annotated` that it has form fields or notes. `object_count`
    counts what is drawn on it, `picture_share` is the part of the paper that the largest picture (or the largest group of drawings) covers."""

    number: int
    width: float
    height: float
    lines: list[PageLine]
    rotation: int = 0
    undecoded_share: float = 0.0
    tabular: bool = False
    annotated: bool = False
    links: tuple[PageLink, ...] = ()
    object_count: int = 0
    picture_share: float = 0.0
