"""Pictures of a document for a vision model: those that are worth a look, each once, as small copies. Nothing is touched unless it was asked for."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from PIL import Image, ImageOps

from core.documents import DocumentFigure
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.source import MEBIBYTE, Source

LONGEST_SIDE = 1_024
_LEAST_SIDE, _LEAST_AREA = 64, 20_000  # pixels: below this it is an icon, a bullet, a button
_THINNEST = 12  # times as long as high: a rule or a border
_DECORATION = 3  # times that the same picture stands in a document before it is its logo or background
_LOOKED_AT = 2_000  # pictures of one document
_LARGEST = 64 * MEBIBYTE  # bytes of one picture as it lies in the file
_MEMORY_SHARE = 0.25  # of what a worker may take, for a picture as it is decoded
_COPIED = 16 * MEBIBYTE  # bytes of all copies of one document
_CONTRAST = 16  # of 255, below which a picture shows nothing
_QUALITY = 88
_CAPTION = 600
_FORMATS = ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"]
PICTURE_ERRORS = (OSError, SyntaxError, ValueError, EOFError, IndexError, KeyError, TypeError, OverflowError, ZeroDivisionError, struct.error)


@dataclass(frozen=True, slots=True)
class PicturePosition:
    """The place of a picture that does not stand at the end of the text so far."""

    page: int | None = None
    caption: str = ""


class FigureCollector:
    """The pictures of one document in reading order. `finish` puts them into the builder.

    Where reading may not take its time now (`Source.recognize`), they are only counted, by what their heads say of their size.
    """

    def __init__(self, source: Source, builder: DocumentBuilder) -> None:
        ocr = source.limits.ocr
        self.enabled = ocr.describe_images and ocr.enabled
        self._builder, self._copies, self._most = builder, source.recognize, ocr.max_described
        self._memory = int(_MEMORY_SHARE * source.limits.memory_mb) * MEBIBYTE
        self._times: Counter[str] = Counter()
        self._found: list[DocumentFigure] = []
        self._unshown = self._copied = self._looked_at = 0

    def add_file(self, read: Callable[[], bytes], spot: PicturePosition = PicturePosition()) -> None:
        """Add a picture that lies in the document as a file of its own; `read` gives its bytes."""
        if not self._may_look_at_another():
            return
        try:
            data = read()
        except PICTURE_ERRORS:
            self._unshown += 1
            return
        digest = hashlib.sha256(data).hexdigest()
        if self._is_new(digest):
            self._add_figure(digest, lambda: self._open_picture(data), spot)

    def add_drawn(self, size: tuple[int, int], digest: str, draw: Callable[[], Image.Image], spot: PicturePosition = PicturePosition()) -> None:
        """Add a picture of `size` pixels that `draw` makes; `digest` is the same for the same picture."""
        if self._may_look_at_another() and _is_worth_a_look(*size) and self._is_new(digest):
            self._add_figure(digest, draw, spot)

    def finish(self) -> None:
        """Put the pictures into the builder, without those that are repeated as decoration is."""
        seen = [figure for figure in self._found if self._times[figure.digest] < _DECORATION]
        kept = [figure for figure in seen if figure.data or not self._copies]
        self._builder.figures = kept[: self._most]
        if len(seen) > self._most or self._looked_at > _LOOKED_AT:
            count = f"{min(self._most, len(kept)):,} of its {len(seen):,} pictures"
            self._builder.warn(f"Only the first {count} are shown to the vision model (ingestion.ocr.max_described).")
        if self._unshown:
            which = "One picture" if self._unshown == 1 else f"{self._unshown:,} pictures"
            self._builder.warn(f"{which} could not be decoded to be described.")

    # -- inside ----------------------------------------------------------------------------------------------------------------------

    def _may_look_at_another(self) -> bool:
        if not self.enabled:
            return False
        self._looked_at += 1
        return self._looked_at <= _LOOKED_AT

    def _is_new(self, digest: str) -> bool:
        self._times[digest] += 1
        return self._times[digest] == 1

    def _add_figure(self, digest: str, draw: Callable[[], Image.Image], spot: PicturePosition) -> None:
        try:
            data = self._make_copy(draw)
        except (*PICTURE_ERRORS, Image.DecompressionBombError):
            self._unshown += 1
            return
        if data is None:
            return
        offset, page = self._builder.position
        self._copied += len(data)
        self._found.append(DocumentFigure(offset, spot.page or page, clean_line(spot.caption)[:_CAPTION], data, digest=digest))

    def _make_copy(self, draw: Callable[[], Image.Image]) -> bytes | None:
        """Return the small copy, b"" where it is only counted, None for what is not worth a look. Raises what Pillow raises on damage."""
        enough = len(self._found) >= 2 * self._most or self._copied > _COPIED  # some of them may turn out to be decoration
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = draw()
            if not _is_worth_a_look(*picture.size):
                return None
            return b"" if enough or not self._copies else small_copy(picture)

    def _open_picture(self, data: bytes) -> Image.Image:
        """Open a picture. Raises ValueError for one that is too large to be decoded, and what Pillow raises on damage."""
        if len(data) > _LARGEST:
            raise ValueError("the picture is too large")
        picture = Image.open(io.BytesIO(data), formats=_FORMATS)
        if picture.format in ("JPEG", "MPO"):
            picture.draft("RGB", (2 * LONGEST_SIDE, 2 * LONGEST_SIDE))
        if picture.width * picture.height * max(1, len(picture.getbands())) > self._memory:
            raise ValueError("the picture is too large")
        return picture


def _is_worth_a_look(width: int, height: int) -> bool:
    short, long = sorted((width, height))
    return short >= _LEAST_SIDE and short * long >= _LEAST_AREA and long <= _THINNEST * short


def small_copy(picture: Image.Image) -> bytes | None:
    """Make a JPEG of the picture as a viewer shows it, on white paper and of at most 1,024 pixels a side, with nothing but its pixels: where and with
    what it was taken is nobody's business. None where it is of one colour."""
    shown = picture
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        whole = picture.convert("RGBA")
        shown = Image.alpha_composite(Image.new("RGBA", whole.size, "white"), whole)
    elif picture.mode.startswith("I") or picture.mode == "F":
        low, high = _extent(picture)
        scale = 255.0 / max(1.0, high - low)
        shown = picture.convert("F").point(lambda level: level * scale + -low * scale).convert("L")
    shown = ImageOps.exif_transpose(shown).convert("RGB")
    shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.LANCZOS)
    low, high = _extent(shown.convert("L"))
    if high - low < _CONTRAST:
        return None
    shown.info = {}
    file = io.BytesIO()
    shown.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()


def _extent(picture: Image.Image) -> tuple[float, float]:
    """Return the lowest and highest value of a picture of one band."""
    low, high = picture.getextrema()
    return float(low), float(high)  # type: ignore[arg-type]  # Pillow's type allows for several bands
