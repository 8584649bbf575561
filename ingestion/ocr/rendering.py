"""Draws PDF pages as pictures: by poppler where it is installed, else by PDFium."""

from __future__ import annotations

import ctypes
import math
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium

from core.errors import LimitExceeded
from ingestion.ocr.recognizer import Picture, as_picture

_DPI, _MAX_DPI = 200.0, 300.0
_MAX_PIXELS = 12_000_000  # what a page becomes
_MAX_SIDE = 16_000
_MAX_COPIED = 64 << 20  # bytes of a file that is written anew for poppler at each page
_MAX_OBJECTS = 2_000
_POINTS = 72.0


@dataclass(frozen=True, slots=True)
class DrawnPicture:
    """A picture on a page: its place in points (left, bottom, right, top, as the file counts them) and its pixels."""

    box: tuple[float, float, float, float]
    width: int
    height: int
    bits: int
    jpeg_2000: bool = False

    @property
    def decoded_bytes(self) -> int:
        """The bytes that unpacking takes: other pictures are unpacked row by row, JPEG 2000 as a whole with four bytes for each sample."""
        return self.width * self.height * max(1, self.bits) // (2 if self.jpeg_2000 else 8)

    @property
    def area(self) -> float:
        return max(0.0, self.box[2] - self.box[0]) * max(0.0, self.box[3] - self.box[1])

    @property
    def dpi(self) -> float:
        return _POINTS * self.width / max(1.0, self.box[2] - self.box[0])


def pictures_on(page: Any) -> list[DrawnPicture]:
    """Return the pictures of a pypdfium2 page among its first 2,000 objects; nothing is decoded."""
    return list(_pictures(page, pdfium.FPDFPage_GetObject, pdfium.FPDFPage_CountObjects(page), page))


def _pictures(page: Any, get: Any, count: int, owner: Any, depth: int = 0) -> Iterator[DrawnPicture]:
    for index in range(min(count, _MAX_OBJECTS)):
        drawn = get(owner, index)
        kind = pdfium.FPDFPageObj_GetType(drawn)
        if kind == pdfium.FPDF_PAGEOBJ_IMAGE:
            yield _picture(page, drawn)
        elif kind == pdfium.FPDF_PAGEOBJ_FORM and depth < 3:
            # Pictures in a form have the form's own coordinates: their size counts, their place is the form's.
            place = _bounds(drawn)
            for inner in _pictures(page, pdfium.FPDFFormObj_GetObject, pdfium.FPDFFormObj_CountObjects(drawn), drawn, depth + 1):
                yield replace(inner, box=place)


def _picture(page: Any, drawn: Any) -> DrawnPicture:
    facts = pdfium.FPDF_IMAGEOBJ_METADATA()
    pdfium.FPDFImageObj_GetImageMetadata(drawn, page, facts)
    return DrawnPicture(_bounds(drawn), facts.width, facts.height, facts.bits_per_pixel, _is_jpeg_2000(drawn))


def _is_jpeg_2000(drawn: Any) -> bool:
    name = ctypes.create_string_buffer(32)
    count = min(8, pdfium.FPDFImageObj_GetImageFilterCount(drawn))
    return any(pdfium.FPDFImageObj_GetImageFilter(drawn, index, name, 32) <= 32 and name.value == b"JPXDecode" for index in range(count))


def _bounds(drawn: Any) -> tuple[float, float, float, float]:
    left, bottom, right, top = (ctypes.c_float() for _ in range(4))
    pdfium.FPDFPageObj_GetBounds(drawn, left, bottom, right, top)
    return left.value, bottom.value, right.value, top.value


@dataclass(frozen=True, slots=True)
class Renderer:
    """Draws pages of one file. `data` is for poppler, which opens the file itself: b"" for one with a password, which would stand in its command."""

    data: bytes = b""
    seconds: float = 30.0
    decoded_bytes: int = 400 << 20

    def draw_page(self, document: Any, number: int) -> tuple[Picture, float]:
        """Draw page `number` (from 1) as it is shown; also return its pixels per point.

        Raises:
            LimitExceeded: a picture on it unpacks to more than `decoded_bytes`.
            pypdfium2.PdfiumError: it cannot be loaded or drawn.
        """
        page = document[number - 1]
        try:
            pictures = pictures_on(page)
            check_picture_sizes(pictures, self.decoded_bytes)
            width, height = page.get_size()
            scale = _scale(width, height, pictures)
            picture = self._draw_by_poppler(number, max(8, round(width * scale)), max(8, round(height * scale)))
            return (draw_by_pdfium(page, scale) if picture is None else picture), scale
        finally:
            page.close()

    def draw_part(self, document: Any, number: int, place: tuple[float, float, float, float], dpi: float = _DPI) -> tuple[Picture, float]:
        """Draw what stands at `place` (left, top, right, bottom in points as shown) of page `number`. Raises as `draw_page` does."""
        page = document[number - 1]
        try:
            check_picture_sizes(pictures_on(page), self.decoded_bytes)
            width, height = page.get_size()
            left, top, right, bottom = place
            scale = _scale(right - left, bottom - top, []) * dpi / _DPI
            return draw_by_pdfium(page, scale, (left, height - bottom, width - right, top)), scale
        finally:
            page.close()

    def _draw_by_poppler(self, number: int, width: int, height: int) -> Picture | None:
        """Draw by poppler; None where it is not installed or fails: PDFium reads what it does not."""
        if not 0 < len(self.data) <= _MAX_COPIED or shutil.which("pdftoppm") is None:
            return None
        import pdf2image
        from pdf2image.exceptions import PDFInfoNotInstalledError, PDFPageCountError, PDFPopplerTimeoutError, PDFSyntaxError

        try:
            drawn = pdf2image.convert_from_bytes(
                self.data,
                first_page=number,
                last_page=number,
                size=(width, height),
                use_cropbox=True,
                timeout=round(self.seconds),
            )
        except (PDFInfoNotInstalledError, PDFPageCountError, PDFPopplerTimeoutError, PDFSyntaxError, OSError, ValueError):
            return None
        return np.array(drawn[0].convert("RGB"), np.uint8) if drawn else None


def check_picture_sizes(pictures: list[DrawnPicture], limit: int) -> None:
    """Raise LimitExceeded for a picture that takes more than `limit` bytes when it is unpacked."""
    for drawn in pictures:
        if drawn.decoded_bytes > limit:
            size = f"{drawn.width:,} × {drawn.height:,} pixels"
            raise LimitExceeded(f"A picture has {size}, {drawn.decoded_bytes >> 20:,} MiB in memory: too much for a reader (ingestion.memory_mb).")


def _scale(width: float, height: float, pictures: list[DrawnPicture]) -> float:
    """Return the pixels per point: 200 dpi, up to 300 where a picture fills the page and has as much, less where the page is very large."""
    width, height = max(1.0, width), max(1.0, height)
    filling = [drawn.dpi for drawn in pictures if drawn.area > 0.5 * width * height]
    dpi = min(_MAX_DPI, max([_DPI, *filling]))
    return min(dpi / _POINTS, math.sqrt(_MAX_PIXELS / (width * height)), _MAX_SIDE / max(width, height))


def draw_by_pdfium(page: Any, scale: float, crop: tuple[float, float, float, float] = (0, 0, 0, 0)) -> Picture:
    """Draw the page as shown; `crop` is what is cut off (left, bottom, right, top, in points)."""
    bitmap = page.render(scale=scale, crop=crop, rev_byteorder=True)
    try:
        pixels = bitmap.to_numpy()
        if pixels.ndim == 2:
            pixels = np.repeat(pixels[:, :, np.newaxis], 3, axis=2)
        return as_picture(np.ascontiguousarray(pixels[:, :, :3]).copy())
    except ValueError as error:
        raise pypdfium2.PdfiumError("The page cannot be drawn.") from error
    finally:
        bitmap.close()
