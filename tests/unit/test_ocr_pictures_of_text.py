"""Pictures of text on PDF pages that have text of their own: found cheaply, read, and put where they stand."""

from __future__ import annotations

import io
from itertools import pairwise

import numpy as np
import pypdf
import pytest
from PIL import Image, ImageDraw

from core.documents import ExtractedDocument
from ingestion.ocr.recognizer import Picture
from ingestion.ocr.text_likelihood import looks_like_text
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.base.source import ExtractionLimits, OcrLimits, Source
from ingestion.readers.pdf.pdf_reader import extract
from ingestion.readers.pdf.recognized_pages import insert_picture_lines
from tests.support.pictures import draw_lines, scanned_pdf

LETTER = (
    "The rent of the Halden office rises to 4,150 kroner in March.",
    "Notice is given in writing, three months ahead of its end.",
    "Signed in Oslo by Marit Lunde for the tenants of the house.",
    "The keys are handed over at noon of the last working day.",
    "Repairs of the roof and of the windows are paid by the owner.",
)


def pixels(picture: Image.Image) -> Picture:
    return np.array(picture.convert("RGB"), np.uint8)


def chart() -> Image.Image:
    """Bars and lines, with a few words."""
    picture = draw_lines(("Tons of coal", "1980    1990    2000"), (1100, 500), 18)
    draw = ImageDraw.Draw(picture)
    for bar in range(12):
        draw.rectangle((80 + 80 * bar, 450 - 25 * bar, 130 + 80 * bar, 450), fill="navy")
    return picture


def photo() -> Image.Image:
    """Light and shade without any paper."""
    noise = np.random.default_rng(3).normal(0, 30, (400, 600))
    slope = np.linspace(0, 255, 600)[np.newaxis, :] * np.linspace(0.4, 1, 400)[:, np.newaxis]
    return Image.fromarray(np.clip(slope + noise, 0, 255).astype(np.uint8))


def with_picture_of(picture: Image.Image, above: str, below: str) -> bytes:
    """A page 792 points high with a picture in its middle and a sentence above and below it."""
    base = pypdf.PdfReader(io.BytesIO(scanned_pdf([picture], 150)))
    page = pypdf.PageObject.create_blank_page(width=612, height=792)
    page.merge_translated_page(base.pages[0], 40, 330)
    writer = pypdf.PdfWriter()
    added = writer.add_page(page)
    text = pypdf.generic.DecodedStreamObject()
    text.set_data(f"BT /F1 11 Tf 50 720 Td ({above}) Tj 0 -470 Td ({below}) Tj ET".encode())
    name, fonts = pypdf.generic.NameObject, pypdf.generic.DictionaryObject()
    kinds = (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica"))
    fonts[name("/F1")] = pypdf.generic.DictionaryObject({name("/" + key): name("/" + value) for key, value in kinds})
    resources = added["/Resources"]
    assert isinstance(resources, pypdf.generic.DictionaryObject)
    resources[name("/Font")] = fonts
    old = added.get_contents()
    assert old is not None
    whole = pypdf.generic.DecodedStreamObject()
    whole.set_data(b"q\n" + old.get_data() + b"\nQ\n" + text.get_data())
    added[name("/Contents")] = writer._add_object(whole)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


ABOVE = "The letter below came to the harbour office on the third of May in that year."
BELOW = "Nobody has answered it since then, as far as the books of the office tell it."


def read(data: bytes, *, recognize: bool) -> ExtractedDocument:
    return extract(Source(data, "a.pdf", ExtractionLimits(ocr=OcrLimits(threads=1)), recognize=recognize))


def test_pictures_of_text_look_so_and_others_do_not() -> None:
    text = draw_lines(LETTER, (1100, 400), 20)
    assert looks_like_text(pixels(text))
    assert looks_like_text(pixels(draw_lines(LETTER, (1100, 400), 20, dark=True)))
    assert not looks_like_text(pixels(chart()))
    assert not looks_like_text(pixels(photo()))
    assert not looks_like_text(pixels(Image.new("RGB", (500, 500), "white")))
    assert not looks_like_text(pixels(draw_lines(("A few words",), (600, 200), 20)))


def test_a_picture_of_text_waits_for_recognition_and_is_then_read_where_it_stands() -> None:
    data = with_picture_of(draw_lines(LETTER, (1100, 500)), ABOVE, BELOW)
    waiting = read(data, recognize=False)
    assert waiting.unread_pages == (1,)
    assert waiting.warnings == ("1 of 1 pages hold a picture of text that was not read.",)
    document = read(data, recognize=True)
    assert (document.unread_pages, document.recognized_pages, document.warnings) == ((), (1,), ())
    places = [document.text.index(sentence) for sentence in (ABOVE, *LETTER, BELOW)]
    assert all(before < after for before, after in pairwise(places))


@pytest.mark.parametrize("picture", [chart(), photo()])
def test_charts_and_photos_do_not_wait(picture: Image.Image) -> None:
    document = read(with_picture_of(picture.resize((1000, 500)), ABOVE, BELOW), recognize=False)
    assert (document.unread_pages, document.warnings) == ((), ())


def line(text: str, left: float, y: float, width: float = 200) -> PageLine:
    return PageLine(text, 1, left, left + width, y, 10.0, bold=False)


def test_what_the_page_says_itself_is_not_said_twice() -> None:
    page = PageText(1, 600, 800, [line("What stands above", 50, 90), line("Harbour office of Halden", 300, 120), line("What stands below", 50, 400)])
    found = [line("Harbour  Office of Halden", 60, 150), line("The rent rises in March", 60, 170), line("laid over it", 300, 121)]
    merged = insert_picture_lines(page, (50, 100, 290, 300), found)
    assert [one.text for one in merged.lines] == ["What stands above", "The rent rises in March", "Harbour office of Halden", "What stands below"]


def test_a_picture_that_nothing_stands_above_comes_before_what_is_below_it() -> None:
    page = PageText(1, 600, 800, [line("Another column", 400, 90), line("What stands below", 50, 400)])
    merged = insert_picture_lines(page, (50, 100, 290, 300), [line("The rent rises in March", 60, 170)])
    assert [one.text for one in merged.lines] == ["Another column", "The rent rises in March", "What stands below"]
    assert insert_picture_lines(page, (50, 100, 290, 300), []).lines == page.lines
