"""Where recognised words stand: on the page as a person sees it, in every position, askew, and in pictures on pages with text of their own."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pypdfium2
import pytest
from PIL import Image

from core.documents import ExtractedDocument
from core.recognized_lines import LinePlace, WordPlace, unpack_lines
from ingestion.ocr.line_places import PicturePlacement, place_on_page
from ingestion.ocr.tesseract import _lines
from ingestion.ocr.word_spacing import text_and_words
from ingestion.readers import images
from ingestion.readers.base.source import ExtractionLimits, OcrLimits, Source
from ingestion.readers.pdf import pdf_reader as pdf
from tests.support.pictures import LETTER, draw_lines, encode_picture, scanned_pdf
from tests.unit.test_ocr_engine import strip_of
from tests.unit.test_ocr_pictures_of_text import LETTER as LONGER
from tests.unit.test_ocr_pictures_of_text import with_picture_of

LIMITS = ExtractionLimits(ocr=OcrLimits(threads=1))
Corners = list[tuple[float, float]]


def read(data: bytes, name: str) -> ExtractedDocument:
    source = Source(data, name, LIMITS)
    return pdf.extract(source) if name.endswith(".pdf") else images.extract(source)


def places(document: ExtractedDocument) -> list[LinePlace]:
    return [line for page in document.places for line in unpack_lines(page.packed)]


def corners(line: LinePlace, word: WordPlace, paper: tuple[int, int]) -> Corners:
    """The corners of a word in pixels of a page of that size."""
    wide, high = paper
    x, y = (line.left + line.width / 2) * wide, (line.top + line.height / 2) * high
    turn = math.radians(line.angle)
    found = []
    for along, down in ((word.left, 0), (word.right, 0), (word.right, 1), (word.left, 1)):
        across, below = (along - 0.5) * line.width * wide, (down - 0.5) * line.height * high
        found.append((x + across * math.cos(turn) - below * math.sin(turn), y + across * math.sin(turn) + below * math.cos(turn)))
    return found


def ink(picture: Image.Image, shape: Corners) -> int:
    """Dark pixels within the bounds of a shape."""
    xs, ys = [x for x, _ in shape], [y for _, y in shape]
    box = (max(0, round(min(xs))), max(0, round(min(ys))), round(max(xs)), round(max(ys)))
    return int((np.array(picture.convert("L").crop(box)) < 128).sum())


def check_against(document: ExtractedDocument, picture: Image.Image, alone: Image.Image) -> None:
    """The boxes of all words together hold the ink of the picture, set upright; and that of "4,150" is about where it is in the straight picture."""
    upright = picture.rotate(-document.pages[0].turned, expand=True)
    found = {document.text[word.start : word.end]: corners(line, word, upright.size) for line in places(document) for word in line.words}
    assert set(found) == set(" ".join(LETTER).split())
    (x, y) = np.mean(found["4,150"], axis=0)
    middle, angle = np.array([picture.width, picture.height]) / 2, math.radians(-_skew(document))
    dx, dy = np.array([x, y]) - np.array(upright.size) / 2
    straight = np.array([dx * math.cos(angle) - dy * math.sin(angle), dx * math.sin(angle) + dy * math.cos(angle)]) + np.array(alone.size) / 2
    assert abs(straight[0] - 574) < 8, (straight, middle)
    assert abs(straight[1] - 59) < 8


def _skew(document: ExtractedDocument) -> float:
    return float(np.median([line.angle for line in places(document)]))


@pytest.mark.parametrize("degrees", [0, 90, 180, 270])
def test_words_of_a_picture_stand_on_the_picture_set_upright(degrees: int) -> None:
    picture = draw_lines().rotate(degrees, expand=True)
    document = read(encode_picture(picture), "letter.png")
    assert document.pages[0].turned == degrees
    check_against(document, picture, draw_lines())
    upright = picture.rotate(-degrees, expand=True)
    covered = sum(ink(upright, corners(line, word, upright.size)) for line in places(document) for word in line.words)
    assert covered >= 0.95 * ink(upright, [(0, 0), upright.size])


@pytest.mark.parametrize("angle", [-4, 6])
def test_words_of_a_page_that_is_askew_stand_on_the_page_as_it_is(angle: int) -> None:
    picture = draw_lines().rotate(angle, expand=True, fillcolor="white")
    document = read(encode_picture(picture), "letter.png")
    assert document.pages[0].turned == 0
    assert _skew(document) == pytest.approx(-angle, abs=0.8)
    check_against(document, picture, draw_lines())


def test_each_page_of_a_scan_has_its_places_and_its_turn() -> None:
    sheet = draw_lines(size=(1240, 1754))
    document = read(scanned_pdf([sheet, sheet.rotate(180)]), "scan.pdf")
    assert [page.turned for page in document.pages] == [0, 180]
    first, second = (unpack_lines(page.packed) for page in document.places)
    assert [page.page for page in document.places] == [1, 2]
    for one, other in zip(first, second, strict=True):
        assert (one.left, one.top, one.width) == pytest.approx((other.left, other.top, other.width), abs=0.006)
    assert document.text[second[0].start : second[0].end] == LETTER[0]
    assert second[0].start >= document.pages[1].start


@pytest.mark.parametrize("degrees", [0, 180])
def test_a_picture_on_a_page_with_text_has_places_on_the_page(degrees: int) -> None:
    picture = draw_lines(LONGER, (1100, 360)).rotate(degrees)
    data = with_picture_of(picture, "Above the picture stands this.", "Below the picture stands that.")
    document = read(data, "page.pdf")
    found = {document.text[line.start : line.end]: line for line in places(document)}
    assert set(found) == set(LONGER)
    assert document.pages[0].turned == 0
    opened = pypdfium2.PdfDocument(data)
    sheet = opened[0].render(scale=2).to_pil()
    opened.close()
    covered = sum(ink(sheet, corners(line, word, sheet.size)) for line in found.values() for word in line.words)
    # The picture is 1100 x 360 pixels at 150 dpi, its lower edge 330 points above the page's.
    whole = ink(sheet, [(80, 2 * (792 - 330 - 172.8)), (80 + 1056, 2 * (792 - 330))])
    assert 0.93 * whole <= covered <= 1.02 * whole


@pytest.mark.parametrize(("turned", "middle"), [(0, (30, 110)), (90, (20, 280)), (180, (190, 190)), (270, (100, 120))])
def test_places_in_a_picture_that_lies_on_its_side_are_turned_back(turned: int, middle: tuple[float, float]) -> None:
    """A line whose middle is at (20, 10) of a picture of 200 by 100 pixels set upright, one pixel a point, at (10, 100) of a page."""
    within = PicturePlacement((200, 100), turned, 1.0, (10, 100, 210, 300), (400, 800))
    line = place_on_page(LinePlace(0, 4, 0.05, 0.05, 0.1, 0.1), within)
    assert ((line.left + line.width / 2) * 400, (line.top + line.height / 2) * 800) == pytest.approx(middle)
    assert (line.width * 400, line.height * 800) == pytest.approx((20, 10))
    assert (line.angle + turned) % 360 == 0


def test_words_end_where_the_blank_between_them_begins() -> None:
    image, steps = strip_of(["Happy", "New", "Year"], 16)
    text, words = text_and_words(image, steps)
    wide = image.shape[1]
    assert [text[word.start : word.end] for word in words] == ["Happy", "New", "Year"]
    for before, after in pairwise(words):
        assert after.left * wide - before.right * wide == pytest.approx(16, abs=1)
    assert (words[0].left, words[-1].right) == (0.0, 1.0)


def test_each_character_of_chinese_writing_has_a_place() -> None:
    image, steps = strip_of(["中文", "字"], 20)
    text, words = text_and_words(image, steps)
    assert [text[word.start : word.end] for word in words] == ["中", "文", "字"]
    assert all(before.right <= after.left for before, after in pairwise(words))


def test_tesseract_tells_the_places_of_its_words() -> None:
    rows = ["level\tblock_num\tpar_num\tline_num\tleft\ttop\twidth\theight\tconf\ttext"]
    rows += ["5\t1\t1\t1\t100\t50\t80\t20\t90\tАренда", "5\t1\t1\t1\t200\t50\t100\t22\t90\tофиса"]
    (line,) = _lines("\n".join(rows))
    assert line.text == "Аренда офиса"
    assert line.words == (WordPlace(0, 6, 0.0, 0.4), WordPlace(7, 12, 0.5, 1.0))
