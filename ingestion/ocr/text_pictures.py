"""Finds pictures with words on pages that have text of their own: screenshots, scanned letters, diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pypdfium2

from core.errors import LimitExceeded
from ingestion.ocr.rendering import DrawnPicture, Renderer, pictures_on
from ingestion.readers.base.page_lines import PageLine, PageText

_MAX_ON_PAGE = 8
_LEAST_AREA = 0.03  # of the page
_LEAST_PIXELS = (120, 40)
_WRITTEN_OVER = 0.03  # of the picture's area: more text on it is its own text layer, or it is a background
_WRITTEN_AREA = 0.15  # of the page: a smaller picture is not worth a second reading of the file
_LOOK_DPI = 100.0

PictureBox = tuple[float, float, float, float]  # left, top, right, bottom in points of the page as shown


def readable_pictures(document: Any, page: PageText) -> list[PictureBox]:
    """Return where pictures stand on a page that may hold text which the page itself does not have; the largest eight. Nothing is decoded."""
    if page.rotation or not page.width:
        return []
    try:
        drawn_page = document[page.number - 1]
    except pypdfium2.PdfiumError:
        return []
    try:
        places = [
            place
            for drawn in pictures_on(drawn_page)
            if drawn.width >= _LEAST_PIXELS[0] and drawn.height >= _LEAST_PIXELS[1] and (place := _box_as_shown(drawn_page, drawn))
        ]
    finally:
        drawn_page.close()
    paper = page.width * page.height
    large = {place for place in places if _area(place) >= _LEAST_AREA * paper and not _has_text_over(place, page.lines)}
    return sorted(sorted(large, key=_area)[-_MAX_ON_PAGE:], key=lambda place: (place[1], place[0]))


def pages_with_text_pictures(document: Any, pages: Sequence[PageText], decoded_bytes: int, most: int) -> list[int]:
    """Return the numbers of pages with text of their own on which a large picture looks like text that the page does not have.

    It costs a second reading of the file to find out, so photos and charts must not look so. Only the pictures of the first `most` pages with
    large ones are drawn.
    """
    found: list[int] = []
    looked_at = 0
    renderer = Renderer(decoded_bytes=decoded_bytes)
    for page in pages:
        large = [place for place in readable_pictures(document, page) if _area(place) >= _WRITTEN_AREA * page.width * page.height]
        if not large:
            continue
        looked_at += 1
        if looked_at > most:
            break
        if any(_picture_looks_like_text(renderer, document, page.number, place) for place in large):
            found.append(page.number)
    return found


def _picture_looks_like_text(renderer: Renderer, document: Any, number: int, place: PictureBox) -> bool:
    try:
        picture, _ = renderer.draw_part(document, number, place, _LOOK_DPI)
    except (LimitExceeded, pypdfium2.PdfiumError):
        return False
    from ingestion.ocr.text_likelihood import looks_like_text  # few files need what it imports

    return looks_like_text(picture)


def _box_as_shown(page: Any, drawn: DrawnPicture) -> PictureBox | None:
    """Return the picture's place on the page as it is shown, cut at the page's edges; None for pages that are turned."""
    if page.get_rotation():
        return None
    left, bottom, right, top = page.get_bbox()
    x0, y0, x1, y1 = drawn.box
    place = (max(x0, left) - left, top - min(y1, top), min(x1, right) - left, top - max(y0, bottom))
    return place if place[2] - place[0] >= 1 and place[3] - place[1] >= 1 else None


def _area(place: PictureBox) -> float:
    return (place[2] - place[0]) * (place[3] - place[1])


def _has_text_over(place: PictureBox, lines: Sequence[PageLine]) -> bool:
    covered = 0.0
    for line in lines:
        width = min(place[2], line.right) - max(place[0], line.left)
        height = min(place[3], line.y) - max(place[1], line.y - line.size)
        covered += max(0.0, width) * max(0.0, height)
    return covered > _WRITTEN_OVER * _area(place)
