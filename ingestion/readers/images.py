"""Pictures as documents: .png .jpg .gif .bmp .webp .tiff. Their text is what recognition finds; the pages of a TIFF are pages."""

from __future__ import annotations

import hashlib
import io
import struct
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PIL import ExifTags, Image, ImageFile, ImageOps

from core.documents import ExtractedDocument, Metadata, PageUnit
from core.errors import Empty, LimitExceeded, Malformed, NeedsRecognition, NotFound
from core.formats import FileKind, Format, Signature, Viewer
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line
from ingestion.readers.base.figure_collection import FigureCollector, PicturePosition
from ingestion.readers.base.page_lines import PageText
from ingestion.readers.base.source import MEBIBYTE, Source

if TYPE_CHECKING:
    from ingestion.ocr.recognizer import Picture

FORMATS = (
    Format(
        name="image",
        title="picture",
        kind=FileKind.IMAGE,
        viewer=Viewer.PICTURE,
        suffixes=(".png", ".jpg", ".jpeg", ".gif", ".bmp", ".webp", ".tiff", ".tif"),
        signatures=(
            Signature(b"\x89PNG\r\n\x1a\n"),
            Signature(b"\xff\xd8\xff"),
            Signature(b"GIF8"),
            Signature(b"II*\x00"),
            Signature(b"MM\x00*"),
            Signature(b"WEBP", 8),
        ),
        spoken_endings=("jpg", "jpeg", "png", "gif", "tiff"),
        spoken_with_files=("webp", "bmp"),
        inline=((".png", "image/png"), (".jpg", "image/jpeg"), (".jpeg", "image/jpeg"), (".gif", "image/gif"), (".webp", "image/webp")),
    ),
)
_FORMATS = ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"]
_MAX_PIXELS = 12_000_000
_MEMORY_SHARE = 0.25  # of what a worker may take, for a picture as it is decoded
_SMALL = 1_000  # pixels along the longer side, below which letters are drawn twice as large
_TINY = 16
_PAGE_OF_TEXT = 400  # letters on a page of a TIFF that is text, not a picture of something
_DPI = 150.0  # what is taken for pixels per inch: it only sets the size of letters
_DAMAGE = (OSError, SyntaxError, ValueError, EOFError, IndexError, OverflowError, ZeroDivisionError, struct.error)


def extract(source: Source) -> ExtractedDocument:
    """Read the text of a picture, or of the pages of a TIFF, by recognition.

    Raises:
        NeedsRecognition: recognition is not allowed now.
        Malformed: it cannot be decoded.
        LimitExceeded: it is too large to be decoded.
        Empty: recognition finds no text, or is switched off.
    """
    picture = _open_picture(source)
    if not source.recognize:  # also where recognition is switched off: the ledger says so, and switching it on brings the file back
        raise NeedsRecognition("It is a picture: what is written on it can be found once text recognition has read it.")
    if not source.limits.ocr.enabled:
        raise Empty("It is a picture, and text recognition is switched off (ingestion.ocr.enabled).")
    builder = DocumentBuilder("image", page_unit=PageUnit.PAGE, limit=source.limits.characters)
    builder.metadata = _metadata(picture)
    figures = FigureCollector(source, builder)
    pages = _recognize_pages(picture, source, builder, figures)
    figures.finish()
    _place_pages(builder, pages)
    if not builder.has_text and not builder.figures:
        raise Empty(" ".join([_nothing_found_reason(picture, len(pages)), *builder.warnings]))
    return builder.build()


def page_picture(source: Source, number: int) -> Image.Image:
    """Return page `number` (from 1) as recognition sees it: red, green and blue, at most 12 million pixels.

    Raises:
        NotFound: it has no such page; only a TIFF has more than one.
        Malformed: it cannot be decoded.
        LimitExceeded: it is too large to be decoded.
    """
    picture = _open_picture(source)
    pages = min(int(getattr(picture, "n_frames", 1)), source.limits.pages) if picture.format == "TIFF" else 1
    if not 1 <= number <= pages:
        raise NotFound(f"This picture has {pages:,} pages, and no page {number:,}." if pages > 1 else "This picture has one page only.")
    try:
        if number > 1:
            picture.seek(number - 1)
            _check_size(picture, source)
        return Image.fromarray(_pixels(picture, DocumentBuilder("image")))
    except _DAMAGE as error:
        raise Malformed("The picture is damaged: it cannot be decoded.") from error


def _open_picture(source: Source) -> Image.Image:
    Image.MAX_IMAGE_PIXELS = None  # the size is checked here, before anything is decoded
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            picture = Image.open(io.BytesIO(source.data), formats=_FORMATS)
    except _DAMAGE as error:
        raise Malformed("The picture is damaged: it cannot be opened.") from error
    _check_size(picture, source)
    return picture


def _check_size(picture: Image.Image, source: Source) -> None:
    size = picture.width * picture.height * max(1, len(picture.getbands()))
    if picture.format in ("JPEG", "MPO"):
        size //= 4 if picture.width * picture.height > 4 * _MAX_PIXELS else 1  # decoded at half its size
    limit = int(_MEMORY_SHARE * source.limits.memory_mb)
    if size > limit * MEBIBYTE:
        raise LimitExceeded(
            f"The picture has {picture.width:,} × {picture.height:,} pixels, {size // MEBIBYTE:,} MiB in memory; "
            f"the limit is {limit:,} MiB, a quarter of ingestion.memory_mb."
        )


def _recognize_pages(picture: Image.Image, source: Source, builder: DocumentBuilder, figures: FigureCollector) -> list[PageText]:
    from ingestion.ocr.page_recognition import FileRecognition

    recognition = FileRecognition(source)
    pages = []
    for number, (pixels, of) in enumerate(_pages(picture, source, builder), start=1):
        scale = _DPI / 72
        page = recognition.recognize_picture(pixels, number, of, scale) if min(pixels.shape[:2]) >= _TINY else None
        if of == 1 or page is None or sum(len(line.text) for line in page.lines) < _PAGE_OF_TEXT:
            digest = hashlib.sha256(pixels.tobytes()).hexdigest() if figures.enabled else ""
            figures.add_drawn((pixels.shape[1], pixels.shape[0]), digest, partial(Image.fromarray, pixels), PicturePosition(page=number))
        pages.append(page or PageText(number, pixels.shape[1] / scale, pixels.shape[0] / scale, []))
    builder.recognized_pages, builder.unread_pages = recognition.recognized, recognition.unread
    for sentence in recognition.warnings:
        builder.warn(sentence)
    return pages


def _pages(picture: Image.Image, source: Source, builder: DocumentBuilder) -> Iterator[tuple[Picture, int]]:
    """Yield the pixels of each page, and the number of pages. Of an animation only the first frame counts."""
    frames = int(getattr(picture, "n_frames", 1))
    count = min(frames, source.limits.pages) if picture.format == "TIFF" else 1
    if count < frames:
        what = "pages" if picture.format == "TIFF" else "frames of this animation"
        builder.warn(f"Only the first {count:,} of {frames:,} {what} " + ("were read." if count > 1 else "was read."))
    for index in range(count):
        try:
            if index:
                picture.seek(index)
                _check_size(picture, source)
            yield _pixels(picture, builder), count
        except _DAMAGE as error:
            if count == 1:
                raise Malformed("The picture is damaged: it cannot be decoded.") from error
            builder.warn("A page is damaged and could not be read.")
            yield np.zeros((1, 1, 3), np.uint8), count


def _pixels(picture: Image.Image, builder: DocumentBuilder) -> Picture:
    """Return red, green and blue as a viewer shows them, at most 12 million pixels."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if picture.format in ("JPEG", "MPO") and picture.width * picture.height > 4 * _MAX_PIXELS:
            picture.draft("RGB", (picture.width // 2, picture.height // 2))
        _load(picture, builder)
        shown = _flatten_on_paper(_shrink_to_bounds(picture))
        turned = ImageOps.exif_transpose(shown) if picture.format != "TIFF" or shown.getexif() else shown
    if max(turned.size) < _SMALL:
        turned = turned.resize((2 * turned.width, 2 * turned.height), Image.Resampling.BICUBIC)
    return np.array(turned, np.uint8)


def _load(picture: Image.Image, builder: DocumentBuilder) -> None:
    """Decode; of a file that breaks off, what is there."""
    try:
        picture.load()
    except OSError:
        ImageFile.LOAD_TRUNCATED_IMAGES = True
        try:
            picture.load()
        finally:
            ImageFile.LOAD_TRUNCATED_IMAGES = False
        builder.warn("The picture breaks off: only its first part could be read.")


def _shrink_to_bounds(picture: Image.Image) -> Image.Image:
    factor = (_MAX_PIXELS / (picture.width * picture.height)) ** 0.5
    if factor >= 1:
        return picture
    size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
    # Palettes and single bits cannot be averaged.
    smooth = picture.convert("L" if picture.mode == "1" else "RGBA" if "transparency" in picture.info else "RGB") if picture.mode in "1P" else picture
    smaller = smooth.resize(size, Image.Resampling.BOX)
    smaller.info = picture.info
    return smaller


def _flatten_on_paper(picture: Image.Image) -> Image.Image:
    """Flatten the picture: what is transparent becomes white, or black where what is drawn is light. Orientation stays in the metadata."""
    exif = picture.getexif()
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        whole = picture.convert("RGBA")
        opaque = np.array(whole)[..., 3] > 127
        light = opaque.any() and float(np.array(whole.convert("L"))[opaque].mean()) > 200
        paper = Image.new("RGBA", whole.size, "black" if light and not opaque.all() else "white")
        shown = Image.alpha_composite(paper, whole).convert("RGB")
    elif picture.mode.startswith("I;16") or picture.mode in ("I", "F"):
        levels = np.array(picture, np.float64)
        span = max(1.0, float(levels.max() - levels.min()))
        shown = Image.fromarray(((levels - levels.min()) * (255 / span)).astype(np.uint8)).convert("RGB")
    else:
        shown = picture.convert("RGB")
    shown.getexif().update(exif)
    return shown


def _place_pages(builder: DocumentBuilder, pages: list[PageText]) -> None:
    from ingestion.readers.pdf.blocks import PagePlacer
    from ingestion.readers.pdf.furniture import mark_furniture
    from ingestion.readers.pdf.paragraphs import LineJoiner
    from ingestion.readers.pdf.pdf_headings import body_of, mark_headings

    mark_furniture(pages)
    mark_headings(pages, [], body_of(pages))
    placer = PagePlacer(builder, LineJoiner([line for page in pages for line in page.lines]), [])
    for page in pages:
        builder.page()
        placer.place_page(page)


def _nothing_found_reason(picture: Image.Image, pages: int) -> str:
    if pages > 1:
        return f"No text was found on the {pages:,} pages of this picture."
    return f"No text was found in this picture ({picture.width:,} × {picture.height:,} pixels)."


def _metadata(picture: Image.Image) -> Metadata:
    """Return date taken, size, and what the picture says of itself. Where it was taken is nobody's business and left out."""
    extra = {"pixels": f"{picture.width} × {picture.height}"}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exif = picture.getexif()
            details = exif.get_ifd(ExifTags.IFD.Exif)
    except _DAMAGE:
        return Metadata(extra=extra)
    taken = _parse_date(details.get(ExifTags.Base.DateTimeOriginal)) or _parse_date(exif.get(ExifTags.Base.DateTime))
    if taken:
        extra["date taken"] = taken.date().isoformat()
    if description := _words(exif.get(ExifTags.Base.ImageDescription) or picture.info.get("Description")):
        extra["description"] = description
    author = _words(exif.get(ExifTags.Base.Artist) or picture.info.get("Author"))
    title = _words(picture.info.get("Title"))
    return Metadata(title=title, authors=(author,) if author else (), created_at=taken, extra=extra)


def _words(value: object) -> str:
    return clean_line(value)[:500] if isinstance(value, str) else ""


def _parse_date(value: object) -> datetime | None:
    """Parse an EXIF date, "2024:03:05 14:07:09", a clock's time without its zone."""
    try:
        return datetime.strptime(str(value).strip("\0 ")[:19], "%Y:%m:%d %H:%M:%S").replace(tzinfo=UTC)
    except ValueError:
        return None
