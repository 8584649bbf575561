"""Pages of pictures for the browser: as recognition sees them, within the limits, and nothing that is no picture."""

from __future__ import annotations

import io
from pathlib import Path
from typing import IO

import numpy as np
import pytest
from PIL import Image

from core.errors import LimitExceeded, Malformed, NotFound, Unsupported
from ingestion.readers.base.source import ExtractionLimits
from ingestion.workers.page_images import draw_page
from tests.support.pictures import draw_lines, encode_picture

LIMITS = ExtractionLimits()


def shown(data: bytes) -> Image.Image:
    picture = Image.open(io.BytesIO(data))
    assert picture.format == "JPEG"
    return picture.convert("L")


def alike(one: Image.Image, other: Image.Image) -> bool:
    if one.size != other.size:
        return False
    return bool(np.abs(np.asarray(one, np.float64) - np.asarray(other.convert("L"), np.float64)).mean() < 4)


def test_each_page_of_a_tiff_is_drawn(tmp_path: Path) -> None:
    first, second = draw_lines(), draw_lines(("The second page of a fax.",), (1200, 300))
    path = tmp_path / "fax.tiff"
    first.convert("1").save(path, "TIFF", save_all=True, append_images=[second.convert("1")], compression="group4")
    assert alike(shown(draw_page(path, 1, LIMITS)), first)
    assert alike(shown(draw_page(path, 2, LIMITS)), second)
    with pytest.raises(NotFound, match="2 pages, and no page 3"):
        draw_page(path, 3, LIMITS)


def test_a_picture_is_drawn_as_it_is_to_be_held(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    exif = Image.Exif()
    exif[0x0112] = 6  # turned against the clock by a quarter
    draw_lines().rotate(90, expand=True).save(path, exif=exif)
    assert alike(shown(draw_page(path, 1, LIMITS)), draw_lines())
    with pytest.raises(NotFound, match="one page only"):
        draw_page(path, 2, LIMITS)


def test_a_large_picture_is_made_smaller(tmp_path: Path) -> None:
    path = tmp_path / "plan.bmp"
    draw_lines(size=(4000, 2500)).save(path)
    assert shown(draw_page(path, 1, LIMITS)).width * shown(draw_page(path, 1, LIMITS)).height <= 6_010_000


def test_a_member_of_an_archive_is_drawn_from_its_bytes(tmp_path: Path) -> None:
    data = encode_picture(draw_lines(), "TIFF")

    def member(target: IO[bytes]) -> int:
        return target.write(data)

    assert alike(shown(draw_page(tmp_path / "a.zip", 1, LIMITS, member)), draw_lines())


def test_what_is_no_picture_or_too_large_or_damaged_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.tiff").write_text("These are words, whatever the name says.")
    with pytest.raises(NotFound, match="no picture"):
        draw_page(tmp_path / "a.tiff", 1, LIMITS)
    (tmp_path / "b.tiff").write_bytes(b"\0\xff\0\xfe" * 40)
    with pytest.raises((NotFound, Unsupported, Malformed)):
        draw_page(tmp_path / "b.tiff", 1, LIMITS)
    broken = encode_picture(draw_lines(), "PNG")
    (tmp_path / "c.png").write_bytes(broken[:30])
    with pytest.raises(Malformed):
        draw_page(tmp_path / "c.png", 1, LIMITS)
    Image.new("1", (60_000, 60_000)).save(tmp_path / "d.tiff", compression="group4")
    with pytest.raises(LimitExceeded, match="60,000"):
        draw_page(tmp_path / "d.tiff", 1, LIMITS)
