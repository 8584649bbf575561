"""Draws pages of pictures for a browser: TIFF and other kinds that it does not show by itself."""

from __future__ import annotations

import io
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import IO

from PIL import Image

from core.errors import NotFound
from core.format_table import FileType
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.detection import detect
from ingestion.readers.images import page_picture
from ingestion.workers.file_reading import ContentDigest, copied_source, file_source

_MAX_PIXELS = 6_000_000
_QUALITY = 88


def draw_page(path: Path, number: int, limits: ExtractionLimits, member: Callable[[IO[bytes]], int] | None = None) -> bytes:
    """Draw page `number` (from 1) of a picture as JPEG, at most 6 million pixels, as recognition sees it.

    `member` writes the bytes of a picture that lies in the file `path`.

    Raises:
        NotFound: it is no picture, or has no such page.
        ExtractionError: it cannot be read or decoded, or not within the limits.
    """

    shape = partial(_make_source, path.name, limits)
    opened = file_source(path, limits, ContentDigest(), shape) if member is None else copied_source(member, limits, ContentDigest(), shape)
    with opened as source:
        if detect(source) is not FileType.IMAGE:
            raise NotFound("This document is no picture: it has no pages to be drawn.")
        picture = page_picture(source, number)
    if picture.width * picture.height > _MAX_PIXELS:
        factor = (_MAX_PIXELS / (picture.width * picture.height)) ** 0.5
        picture = picture.resize((max(1, round(picture.width * factor)), max(1, round(picture.height * factor))), Image.Resampling.BOX)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=_QUALITY)
    return file.getvalue()


def _make_source(name: str, limits: ExtractionLimits, data: bytes, path: Path | None = None) -> Source:
    return Source(data, name, limits, path=path)
