"""Recognises the text of one file: its pages and the pictures on them, within the limits of the settings."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import pypdfium2

from core.errors import ConfigurationError, LimitExceeded
from ingestion.ocr.engines import PictureText, read_picture
from ingestion.ocr.layout import TextPiece, lines_in_order
from ingestion.ocr.line_places import PicturePlacement, place_on_page
from ingestion.ocr.recognizer import Picture, TooSlow
from ingestion.ocr.rendering import Renderer
from ingestion.ocr.text_pictures import PictureBox, readable_pictures
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.base.source import MEBIBYTE, OcrLimits, Source

_MEMORY_SHARE = 0.4  # of what a worker may take, for a picture on a page
_GIVEN_UP = 3  # pages in a row that took too long: the rest would, too


@dataclass(slots=True)
class RecognitionBudget:
    """The pages and the time that recognition of one file may still take."""

    limits: OcrLimits
    pages_used: int = 0
    slow_in_a_row: int = 0

    @property
    def exhausted_reason(self) -> str:
        """Why no more may be read; "" while it may."""
        if self.pages_used >= self.limits.max_pages:
            return f"Text recognition reads at most {self.limits.max_pages:,} pages of a file (ingestion.ocr.max_pages)."
        if self.slow_in_a_row >= _GIVEN_UP:
            return (
                f"Text recognition gave up after pages that each took more than {self.limits.seconds_per_page:g} s (ingestion.ocr.seconds_per_page)."
            )
        return ""

    def read_on_budget(self, picture: Picture) -> PictureText:
        """Read one picture on the budget. Raises TooSlow, ConfigurationError."""
        self.pages_used += 1
        self.slow_in_a_row += 1
        reading = read_picture(picture, self.limits, time.monotonic() + self.limits.seconds_per_page)
        self.slow_in_a_row = 0
        return reading


class FileRecognition:
    """Reads pages of one file whose text is in pictures.

    `recognized` are the numbers of the pages that were read (also those on which nothing was found), `unread` those that were not; `warnings`
    has a sentence for each reason.
    """

    def __init__(self, source: Source) -> None:
        self.recognized: list[int] = []
        self.unread: list[int] = []
        self.engines: set[str] = set()
        self._reasons: dict[str, list[int]] = {}
        self._budget = RecognitionBudget(source.limits.ocr)
        self._renderer = Renderer(
            b"" if source.password else source.data, source.limits.ocr.seconds_per_page, int(_MEMORY_SHARE * source.limits.memory_mb) * MEBIBYTE
        )
        self._source = source

    def recognize_page(self, document: Any, number: int) -> PageText | None:
        """Recognise page `number` (from 1) of an open pypdfium2 document, upright and straight; None where it cannot be read."""
        return self._recognize_and_note(number, len(document), lambda: self._renderer.draw_page(document, number))

    def recognize_pictures(self, document: Any, page: PageText) -> list[tuple[PictureBox, list[PageLine]]]:
        """Recognise the lines in each picture of a page that has text of its own, with where the picture stands, in points of the page as shown."""
        found: list[tuple[PictureBox, list[PageLine]]] = []
        for place in readable_pictures(document, page):
            reading, scale, reason = self._try_reading(partial(self._renderer.draw_part, document, page.number, place))
            if reading is None:
                self._reasons.setdefault(reason, []).append(page.number)
                self.unread.append(page.number)
                break
            if reading.pieces:
                self.engines.add(reading.engine)
                within = PicturePlacement(reading.shown_size, reading.rotation, scale, place, (page.width, page.height))
                found.append((place, [_move_line(line, within) for line in page_text(reading, page.number, scale).lines]))
        if found:
            self.recognized.append(page.number)
        self._source.progress(page.number, len(document))
        return found

    def recognize_picture(self, picture: Picture, number: int, of: int, scale: float) -> PageText | None:
        """Recognise a picture that is page `number` of `of`, with `scale` pixels per point; None where it cannot be read."""
        return self._recognize_and_note(number, of, lambda: (picture, scale))

    def _recognize_and_note(self, number: int, of: int, draw: Callable[[], tuple[Picture, float]]) -> PageText | None:
        reading, scale, reason = self._try_reading(draw)
        self._source.progress(number, of)
        if reading is None:
            self.unread.append(number)
            self._reasons.setdefault(reason, []).append(number)
            return None
        self.recognized.append(number)
        self.engines.add(reading.engine)
        if reading.is_doubtful:
            self._reasons.setdefault(DOUBTFUL, []).append(number)
        return page_text(reading, number, scale)

    @property
    def warnings(self) -> list[str]:
        return [
            f"{_format_page_numbers(numbers).capitalize()} {reason}" if reason[0].islower() else f"{reason} Unread: {_format_page_numbers(numbers)}."
            for reason, numbers in self._reasons.items()
        ]

    def _try_reading(self, draw: Callable[[], tuple[Picture, float]]) -> tuple[PictureText | None, float, str]:
        """Return what was read, the pixels per point, and why nothing was."""
        if reason := self._budget.exhausted_reason:
            return None, 1.0, reason
        try:
            picture, scale = draw()
            return self._budget.read_on_budget(picture), scale, ""
        except TooSlow:
            return None, 1.0, f"A page took more than {self._source.limits.ocr.seconds_per_page:g} s (ingestion.ocr.seconds_per_page)."
        except (ConfigurationError, LimitExceeded) as error:
            return None, 1.0, str(error)
        except pypdfium2.PdfiumError:
            return None, 1.0, "A page cannot be drawn."


DOUBTFUL = (
    "could hardly be recognised. The built-in recognition reads Latin, Chinese and Japanese writing; for others install Tesseract with the "
    "language's pack and name the language in ingestion.ocr.languages."
)


def _move_line(line: PageLine, within: PicturePlacement) -> PageLine:
    """Move a line of a picture to where it stands on the page; that of a turned picture at most as far as the picture reaches."""
    left, top, right, bottom = within.box
    places = tuple((text, place_on_page(place, within)) for text, place in line.places)
    return replace(line, left=min(left + line.left, right), right=min(left + line.right, right), y=min(top + line.y, bottom), places=places)


def page_text(reading: PictureText, number: int, scale: float) -> PageText:
    """Return the lines of a reading in reading order; `scale` is pixels per point."""
    pieces = [
        TextPiece(piece.text, piece.left / scale, piece.top / scale, piece.right / scale, piece.bottom / scale, piece.sideways, piece.place)
        for piece in reading.pieces
    ]
    return PageText(number, reading.width / scale, reading.height / scale, lines_in_order(pieces, number), reading.rotation)


def _format_page_numbers(numbers: list[int]) -> str:
    """Return "Page 3" or "Pages 1-4, 9 and 12": at most ten of them."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    parts = [str(first) if first == last else f"{first}-{last}" for first, last in runs]
    if len(parts) > 10:
        parts = [*parts[:10], f"{len(parts) - 10} more"]
    joined = parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    return ("page " if len(numbers) == 1 else "pages ") + joined
