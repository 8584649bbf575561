"""Recognition over one PDF: scanned pages, pictures on pages with text, and the limits of the settings."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pypdfium2
import pytest
from PIL import Image

from core.errors import LimitExceeded
from ingestion.ocr import page_recognition as pages_module
from ingestion.ocr.engines import PictureText
from ingestion.ocr.page_recognition import FileRecognition, _format_page_numbers
from ingestion.ocr.recognizer import TooSlow
from ingestion.ocr.rendering import DrawnPicture, Renderer, check_picture_sizes, pictures_on
from ingestion.ocr.text_pictures import readable_pictures
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.base.source import ExtractionLimits, OcrLimits, Source
from tests.support.pictures import LETTER, draw_lines, scanned_pdf


@pytest.fixture(params=["as installed", "pdfium"])
def renderer(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once with whatever draws pages here, once with PDFium alone."""
    if request.param == "pdfium":
        monkeypatch.setattr("ingestion.ocr.rendering.shutil.which", lambda name: None)


def opened(data: bytes) -> Iterator[Any]:
    document = pypdfium2.PdfDocument(data)
    try:
        yield document
    finally:
        document.close()


@pytest.fixture
def scan() -> Iterator[Any]:
    yield from opened(SCAN)


SCAN = scanned_pdf([draw_lines(size=(1240, 1754)), draw_lines(size=(1240, 1754)).rotate(180), Image.new("RGB", (1240, 1754), "white")])


def source(**ocr: Any) -> Source:
    return Source(SCAN, "scan.pdf", ExtractionLimits(ocr=OcrLimits(threads=1, **ocr)))


@pytest.mark.usefixtures("renderer")
def test_scanned_pages_become_lines_in_points(scan: Any) -> None:
    told: list[tuple[int, int]] = []
    recognition = FileRecognition(replace(source(), progress=lambda done, of: told.append((done, of))))
    first, second, third = (recognition.recognize_page(scan, number) for number in (1, 2, 3))
    assert first is not None
    assert second is not None
    assert third is not None
    assert [line.text for line in first.lines] == list(LETTER)
    assert (round(first.width), round(first.height), first.rotation) == (595, 842, 0)
    assert first.lines[0].left == pytest.approx(40 * 72 / 150, abs=4)
    assert first.lines[0].y < first.lines[1].y < first.lines[2].y < 100
    assert (second.rotation, [line.text for line in second.lines]) == (180, list(LETTER))
    assert third.lines == []
    assert told == [(1, 3), (2, 3), (3, 3)]
    assert (recognition.recognized, recognition.unread, recognition.warnings) == ([1, 2, 3], [], [])


def test_pages_over_the_limit_stay_unread_and_the_setting_is_named(scan: Any) -> None:
    recognition = FileRecognition(source(max_pages=1))
    assert recognition.recognize_page(scan, 1) is not None
    assert [recognition.recognize_page(scan, number) for number in (2, 3)] == [None, None]
    assert recognition.unread == [2, 3]
    assert recognition.warnings == ["Text recognition reads at most 1 pages of a file (ingestion.ocr.max_pages). Unread: pages 2-3."]


def test_slow_pages_stay_unread_and_after_three_it_gives_up(scan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[int] = []

    def slow(*_: object) -> None:
        calls.append(1)
        raise TooSlow

    monkeypatch.setattr(pages_module, "read_picture", slow)
    recognition = FileRecognition(source(seconds_per_page=5))
    for number in (1, 2, 3, 1, 2):
        assert recognition.recognize_page(scan, number) is None
    assert len(calls) == 3
    assert any("ingestion.ocr.seconds_per_page" in warning and "gave up" in warning for warning in recognition.warnings)


def test_pages_in_a_script_that_no_engine_reads_are_named(scan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages_module, "read_picture", lambda *_: PictureText([], 100, 100, 0, "rapidocr", is_doubtful=True))
    recognition = FileRecognition(source())
    assert recognition.recognize_page(scan, 2) is not None
    (warning,) = recognition.warnings
    assert warning.startswith("Page 2 could hardly be recognised.")
    assert "install Tesseract" in warning


def test_an_engine_that_is_missing_is_said_and_nothing_fails(scan: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingestion.ocr.engines.installed_packs", frozenset)
    recognition = FileRecognition(source(engine="tesseract"))
    assert recognition.recognize_page(scan, 1) is None
    assert "Tesseract is not installed" in recognition.warnings[0]


def test_a_picture_that_would_fill_the_memory_is_not_drawn() -> None:
    check_picture_sizes([DrawnPicture((0, 0, 1, 1), 9_000, 9_000, 24)], 400 << 20)
    for bomb in (DrawnPicture((0, 0, 1, 1), 100_000, 100_000, 1), DrawnPicture((0, 0, 1, 1), 9_000, 9_000, 24, jpeg_2000=True)):
        with pytest.raises(LimitExceeded, match=r"pixels.*ingestion\.memory_mb"):
            check_picture_sizes([bomb], 400 << 20)


@pytest.mark.parametrize(("width", "height"), [(14_400, 14_400), (14_400, 1), (1, 14_400), (3, 3), (595, 842)])
def test_pages_of_any_size_become_pictures_of_bounded_size(width: float, height: float) -> None:
    document = pypdfium2.PdfDocument.new()
    try:
        document.new_page(width, height)
        picture, scale = Renderer().draw_page(document, 1)
    finally:
        document.close()
    assert picture.shape[0] * picture.shape[1] < 13_000_000
    assert max(picture.shape[:2]) <= 16_001
    assert scale > 0


def test_resolution_follows_the_picture_that_fills_the_page() -> None:
    def pixels_of(dpi: float, size: tuple[int, int]) -> int:
        document = pypdfium2.PdfDocument(scanned_pdf([Image.new("RGB", size, "white")], dpi))
        try:
            return int(Renderer().draw_page(document, 1)[0].shape[1])
        finally:
            document.close()

    assert pixels_of(100, (500, 500)) == pytest.approx(1000, abs=2)  # 5 inches at 200 dpi
    assert pixels_of(250, (1250, 1250)) == pytest.approx(1250, abs=2)
    assert pixels_of(600, (3000, 3000)) == pytest.approx(1500, abs=2)  # at most 300 dpi


def mixed() -> bytes:
    """A page with a picture of a letter in its middle."""
    return scanned_pdf([draw_lines(size=(1000, 260))], 200)


def test_writing_in_a_picture_on_a_page_with_text_of_its_own_is_found() -> None:
    for document in opened(mixed()):
        page = document[0]
        assert len(pictures_on(page)) == 1
        page.close()
        text = PageText(1, 360.0, 93.6, [PageLine("A caption", 1, 10, 80, 93, 8.0, bold=False)])
        assert len(readable_pictures(document, text)) == 1
        found = FileRecognition(Source(mixed(), "a.pdf", ExtractionLimits(ocr=OcrLimits(threads=1)))).recognize_pictures(document, text)
        assert [line.text for _, lines in found for line in lines] == list(LETTER)
        assert all(0 <= line.left < line.right <= 361 and 0 < line.y <= 94 for _, lines in found for line in lines)


def test_a_picture_under_a_text_layer_is_left_as_it_is() -> None:
    for document in opened(mixed()):
        layer = [PageLine(text, 1, 14, 250, 25 + 16 * row, 11.0, bold=False) for row, text in enumerate(LETTER)]
        assert readable_pictures(document, PageText(1, 360.0, 93.6, layer)) == []


def test_page_numbers_are_told_as_runs() -> None:
    assert _format_page_numbers([3]) == "page 3"
    assert _format_page_numbers([1, 2, 3, 7, 9, 10]) == "pages 1-3, 7 and 9-10"
    assert _format_page_numbers(list(range(1, 60, 2))).endswith("19 and 20 more")
