"""Recognition in a worker process under its limits, and beside a real Tesseract."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image, ImageDraw, ImageFont

from core.errors import NeedsRecognition
from ingestion.ocr.engines import read_picture
from ingestion.ocr.tesseract import installed_packs
from ingestion.readers.base.source import OcrLimits
from ingestion.workers.pool import ExtractionLimits, ExtractionPool
from ingestion.workers.worker_protocol import Demand
from tests.support.pictures import LETTER, draw_lines, encode_picture, scanned_pdf

pytestmark = pytest.mark.slow


async def test_scans_are_read_by_a_worker_within_its_memory(tmp_path: Path) -> None:
    """Pages of several sizes and positions, one file after another: the process lives and its memory stays under the limit."""
    sizes = ((1240, 1754), (1654, 1169), (900, 1400), (2000, 700))
    paths = []
    for place, size in enumerate(sizes):
        paths.append(tmp_path / f"scan {place}.pdf")
        paths[-1].write_bytes(scanned_pdf([draw_lines(size=size), draw_lines(size=size).rotate(90, expand=True)]))
    paths.append(tmp_path / "letter.png")
    paths[-1].write_bytes(encode_picture(draw_lines()))
    pool = ExtractionPool(1, ExtractionLimits(ocr=OcrLimits(seconds_per_page=120), seconds=240))
    try:
        peak = 0
        for path in paths:
            document = (await pool.extract(path)).document
            for line in LETTER:
                assert document.text.count(line) == len(document.pages)
            assert document.recognized_pages == tuple(range(1, len(document.pages) + 1))
            assert document.warnings == ()
            peak = max([peak, *(psutil.Process(pid).memory_info().rss for pid in pool.process_ids)])
        assert 0 < peak < 800 << 20
    finally:
        await pool.close()


async def test_where_it_may_not_take_its_time_a_picture_asks_for_recognition(tmp_path: Path) -> None:
    path = tmp_path / "letter.png"
    path.write_bytes(encode_picture(draw_lines()))
    pool = ExtractionPool(1)
    try:
        with pytest.raises(NeedsRecognition):
            await pool.extract(path, Demand(recognize=False))
    finally:
        await pool.close()


def cyrillic_font() -> ImageFont.FreeTypeFont:
    """Pillow's own font has no Cyrillic."""
    for folder in ("/usr/share/fonts", "/usr/local/share/fonts"):
        for path in sorted(Path(folder).rglob("DejaVuS*.ttf")):
            return ImageFont.truetype(str(path), 30)
    pytest.skip("no font with Cyrillic letters is installed (fonts-dejavu)")


@pytest.fixture
def russian() -> Image.Image:
    if not {"rus", "osd"} <= installed_packs():
        pytest.skip("Tesseract is not installed with its packs rus and osd")
    picture = Image.new("RGB", (1150, 300), "white")
    text = "Аренда офиса в Осло повышается до 4150 крон в марте.\nУведомление подаётся письменно за три месяца.\nПодписано владельцем здания."
    ImageDraw.Draw(picture).multiline_text((40, 40), text, font=cyrillic_font(), fill="black", spacing=16)
    return picture


@pytest.mark.integration
@pytest.mark.parametrize("languages", [(), ("ru",)])
def test_writing_that_the_model_does_not_know_is_read_by_tesseract(russian: Image.Image, languages: tuple[str, ...]) -> None:
    reading = read_picture(np.array(russian, np.uint8), OcrLimits(threads=1, languages=languages), time.monotonic() + 120)
    assert (reading.engine, reading.is_doubtful) == ("tesseract", False)
    found = " ".join(piece.text for piece in sorted(reading.pieces, key=lambda piece: piece.top))
    assert "Уведомление подаётся письменно за три месяца." in found
