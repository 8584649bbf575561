"""Pictures as documents."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from core.documents import ExtractedDocument, PageUnit
from core.errors import Empty, LimitExceeded, Malformed, NeedsRecognition, Unsupported
from ingestion.readers.base.source import ExtractionLimits, OcrLimits, Source
from ingestion.readers.registry import extract
from tests.support.pictures import LETTER, draw_lines, encode_picture

LIMITS = ExtractionLimits(ocr=OcrLimits(threads=1))


def read(data: bytes, name: str = "a.png", limits: ExtractionLimits = LIMITS, **options: Any) -> ExtractedDocument:
    return extract(Source(data, name, limits, **options))


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"])
def test_each_kind_of_picture_is_read(form: str) -> None:
    document = read(encode_picture(draw_lines(), form), f"letter.{form.lower()}")
    for line in LETTER:
        assert line in document.text
    assert (document.parser, document.page_unit, document.recognized_pages) == ("image", PageUnit.PAGE, (1,))
    assert document.metadata.extra["pixels"] == "1100 × 260"
    assert document.warnings == ()


def test_the_pages_of_a_tiff_are_pages() -> None:
    blank, last = Image.new("L", (800, 600), 255), draw_lines(["The second letter"]).convert("1")
    document = read(encode_picture(draw_lines(), "TIFF", save_all=True, append_images=[blank, last]), "fax.tiff")
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert document.text[document.pages[2].start : document.pages[2].end].strip() == "The second letter"
    assert document.pages[1].start == document.pages[1].end


def test_a_photo_is_turned_as_its_metadata_says_and_its_place_is_left_out() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010E] = "Receipt of the taxi"
    exif.get_ifd(0x8769)[0x9003] = "2024:03:05 14:07:09"
    exif.get_ifd(0x8825)[2] = (59.0, 54.0, 0.0)
    document = read(encode_picture(draw_lines().rotate(90, expand=True), "JPEG", exif=exif), "photo.jpg")
    assert LETTER[0] in document.text
    assert document.metadata.created_at == datetime(2024, 3, 5, 14, 7, 9, tzinfo=UTC)
    assert document.metadata.extra == {"pixels": "260 × 1100", "date taken": "2024-03-05", "description": "Receipt of the taxi"}


def test_light_letters_without_a_ground_are_read() -> None:
    picture = Image.new("RGBA", (1000, 120), (0, 0, 0, 0))
    ImageDraw.Draw(picture).text((40, 40), "White letters on nothing at all", font=ImageFont.load_default(30), fill="white")
    assert read(encode_picture(picture)).text == "White letters on nothing at all"


def test_small_print_of_a_screenshot_is_read() -> None:
    assert "Total amount due: 1,204.50 EUR" in read(encode_picture(draw_lines(["Total amount due: 1,204.50 EUR"], (420, 90), 12))).text


def test_of_an_animation_the_first_frame_is_read_and_that_is_said() -> None:
    document = read(encode_picture(draw_lines(), "GIF", save_all=True, append_images=[draw_lines(["Another frame"])]), "a.gif")
    assert LETTER[0] in document.text
    assert document.warnings == ("Only the first 1 of 2 frames of this animation was read.",)


def test_a_picture_without_text_is_empty() -> None:
    for size in ((800, 600), (8, 8)):
        with pytest.raises(Empty, match="No text was found in this picture"):
            read(encode_picture(Image.new("RGB", size, "white")))


def test_where_recognition_may_not_run_it_is_asked_for_or_said_to_be_off() -> None:
    with pytest.raises(NeedsRecognition, match="once text recognition has read it"):
        read(encode_picture(draw_lines()), recognize=False)
    with pytest.raises(Empty, match=r"ingestion\.ocr\.enabled"):
        read(encode_picture(draw_lines()), limits=ExtractionLimits(ocr=OcrLimits(enabled=False)), recognize=True)


def test_a_picture_that_would_fill_the_memory_is_not_decoded() -> None:
    with pytest.raises(LimitExceeded, match=r"20,000 × 20,000 pixels.*ingestion\.memory_mb"):
        read(encode_picture(Image.new("1", (20_000, 20_000))))


def outcome(data: bytes) -> str:
    """What became of a damaged picture; an error without a reason fails the test."""
    try:
        return "partial" if read(data).warnings else "whole"
    except (Empty, Malformed, LimitExceeded, Unsupported):
        return "refused"


@pytest.mark.parametrize("form", ["PNG", "JPEG", "GIF", "BMP", "WEBP", "TIFF"])
def test_a_picture_that_breaks_off_ends_with_what_is_there_or_a_reason(form: str) -> None:
    data = encode_picture(draw_lines(), form)
    for part in (0.002, 0.3, 0.6, 0.95):
        assert outcome(data[: max(24, int(part * len(data)))]) != "whole"


def test_damage_in_the_middle_ends_with_text_or_a_reason() -> None:
    for form in ("PNG", "JPEG", "GIF", "TIFF", "WEBP"):
        data = bytearray(encode_picture(draw_lines(), form))
        for at in range(20, len(data), max(1, len(data) // 12)):
            data[at] ^= 0xFF
        assert outcome(bytes(data)) in {"whole", "partial", "refused"}
