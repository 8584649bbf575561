"""Which pictures of a document are offered to a vision model, and how small the copies are. Without the setting none is touched."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import docx
import pptx
import pytest
from PIL import Image

from core.documents import DocumentFigure, ExtractedDocument
from core.errors import Empty
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.figure_collection import FigureCollector, PicturePosition, small_copy
from ingestion.readers.base.source import ExtractionLimits, OcrLimits, Source
from ingestion.readers.registry import extract
from tests.support.office_files import docx_bytes, pptx_bytes
from tests.support.pdf_files import PdfFile, line_operators, text_operator
from tests.support.pictures import bar_chart, draw_lines, encode_picture, scanned_pdf

ON = ExtractionLimits(ocr=OcrLimits(threads=1, describe_images=True, max_described=3))
OFF = ExtractionLimits(ocr=OcrLimits(threads=1))


def read(data: bytes, name: str, limits: ExtractionLimits = ON, **options: Any) -> ExtractedDocument:
    return extract(Source(data, name, limits, **options))


def gathered(*pictures: bytes, limits: ExtractionLimits = ON, recognize: bool = True) -> tuple[list[DocumentFigure], tuple[str, ...]]:
    builder = DocumentBuilder("test")
    builder.paragraph("Some text.")
    figures = FigureCollector(Source(b"", "a", limits, recognize=recognize), builder)
    for data in pictures:
        figures.add_file(lambda data=data: data, PicturePosition())  # type: ignore[misc]
    figures.finish()
    return builder.figures, builder.warnings


def size_of(figure: DocumentFigure) -> tuple[int, int]:
    picture = Image.open(io.BytesIO(figure.data))
    assert picture.format == "JPEG"
    return picture.size


# -- what is gathered --------------------------------------------------------------------------------------------------------------------


def test_copies_are_small_and_keep_their_shape() -> None:
    figures, warnings = gathered(encode_picture(bar_chart(size=(4000, 1000))), encode_picture(bar_chart(size=(300, 200))))
    assert [size_of(figure) for figure in figures] == [(1024, 256), (300, 200)]
    assert warnings == ()
    assert all(len(figure.data) < 200_000 and len(figure.digest) == 64 for figure in figures)


def test_icons_rules_and_blank_areas_are_left_out() -> None:
    icon, rule, blank = bar_chart(size=(48, 48)), bar_chart(size=(2000, 70)), Image.new("RGB", (500, 500), "navy")
    assert gathered(encode_picture(icon), encode_picture(rule), encode_picture(blank)) == ([], ())


def test_the_same_picture_comes_once_and_a_logo_on_every_page_never() -> None:
    twice, logo = encode_picture(bar_chart(1)), encode_picture(bar_chart(2))
    figures, _ = gathered(logo, twice, logo, twice, logo)
    assert len(figures) == 1


def test_of_many_pictures_the_first_are_taken_and_the_document_says_so() -> None:
    figures, (warning,) = gathered(*(encode_picture(bar_chart(seed)) for seed in range(9)))
    assert len(figures) == 3
    assert all(figure.data for figure in figures)
    assert warning == "Only the first 3 of its 9 pictures are shown to the vision model (ingestion.ocr.max_described)."


def test_what_cannot_be_decoded_is_said() -> None:
    figures, (warning,) = gathered(b"no picture", encode_picture(bar_chart())[:900])
    assert figures == []
    assert warning == "2 pictures could not be decoded to be described."


def test_a_picture_that_unpacks_to_more_than_may_be_taken_is_not_decoded() -> None:
    huge = encode_picture(Image.new("1", (20_000, 20_000)))
    assert len(huge) < 200_000
    figures, warnings = gathered(huge)
    assert (figures, len(warnings)) == ([], 1)


@pytest.mark.parametrize("mode", ["1", "L", "P", "LA", "RGBA", "CMYK", "I;16", "F"])
def test_every_kind_of_pixels_becomes_a_copy(mode: str) -> None:
    grey = bar_chart().convert("L")
    picture = grey.convert("I").convert("I;16") if mode == "I;16" else grey.convert(mode)
    assert small_copy(picture) is not None


def test_what_is_drawn_on_nothing_stands_on_white_paper() -> None:
    clear = Image.new("RGBA", (400, 300), (0, 0, 0, 0))
    clear.paste((0, 0, 0, 255), (100, 100, 300, 200))
    data = small_copy(clear)
    assert data is not None
    copy = Image.open(io.BytesIO(data))
    assert copy.getpixel((5, 5)) == (255, 255, 255)
    assert copy.getpixel((200, 150)) == (0, 0, 0)


def test_a_copy_says_nothing_of_where_it_was_taken() -> None:
    exif = Image.Exif()
    exif[0x010E] = "Secret harbour"
    exif[0x0112] = 6
    data = small_copy(Image.open(io.BytesIO(encode_picture(bar_chart(), "JPEG", exif=exif, comment=b"Secret harbour"))))
    assert data is not None
    assert b"Secret" not in data
    copy = Image.open(io.BytesIO(data))
    assert (copy.size, dict(copy.getexif())) == ((400, 640), {})


def test_where_there_is_no_time_they_are_only_counted() -> None:
    figures, warnings = gathered(encode_picture(bar_chart(1)), encode_picture(bar_chart(2)), recognize=False)
    assert [figure.data for figure in figures] == [b"", b""]
    assert warnings == ()


def test_without_the_setting_nothing_is_even_read() -> None:
    figures = FigureCollector(Source(b"", "a", OFF), DocumentBuilder("test"))
    figures.add_file(lambda: pytest.fail("the picture was read"))
    figures.add_drawn((500, 500), "x", lambda: pytest.fail("the picture was drawn"))
    figures.finish()


# -- where they stand --------------------------------------------------------------------------------------------------------------------


def word_file() -> bytes:
    made = docx.Document()
    made.add_heading("Rents", 1)
    made.add_paragraph("The rents rose.")
    made.add_picture(io.BytesIO(encode_picture(bar_chart(1))))
    made.add_paragraph("Figure 1: Rents by year", style="Caption")
    made.add_table(1, 1).cell(0, 0).paragraphs[0].add_run().add_picture(io.BytesIO(encode_picture(bar_chart(2))))
    return docx_bytes(made)


def test_a_word_document_gives_its_pictures_where_they_stand_those_in_tables_too() -> None:
    document = read(word_file(), "a.docx")
    first, second = document.figures
    assert document.text[: first.offset].endswith("The rents rose.")
    assert document.text[first.offset :].strip().startswith("Figure 1")
    assert first.data != second.data
    without = read(word_file(), "a.docx", OFF)
    assert without.figures == ()
    assert replace(document, figures=()) == without


def test_a_slide_gives_its_pictures_with_what_their_author_says_of_them() -> None:
    made = pptx.Presentation()
    for number in range(2):
        slide = made.slides.add_slide(made.slide_layouts[5])
        slide.shapes.title.text = f"Slide {number + 1}"
    picture = slide.shapes.add_picture(io.BytesIO(encode_picture(bar_chart())), 0, 0)
    picture._element.nvPicPr.cNvPr.set("descr", "Rents of the last years")
    (figure,) = read(pptx_bytes(made), "a.pptx").figures
    assert (figure.page, figure.caption) == (2, "Rents of the last years")
    assert size_of(figure) == (640, 400)


def pdf_with_figure(caption: str = "Figure 3: Rents by year") -> bytes:
    """A page of prose, and a page with a picture between prose and its caption."""
    file = PdfFile()
    file.page(line_operators(72, 700, ["The first page speaks of the houses and of the people who live in them."] * 4))
    file.photo("Im1", encode_picture(bar_chart(), "JPEG"), (640, 400))
    operators = [
        *line_operators(72, 720, ["The second page tells how the rents rose in all of the years."] * 2),
        "q 320 0 0 200 150 420 cm /Im1 Do Q",
    ]
    file.page([*operators, text_operator(150, 400, caption), *line_operators(72, 350, ["More prose stands below the picture and goes on."] * 3)])
    return file.bytes()


def test_a_pdf_gives_its_pictures_with_their_page_and_caption() -> None:
    document = read(pdf_with_figure(), "a.pdf")
    (figure,) = document.figures
    assert (figure.page, figure.caption) == (2, "Figure 3: Rents by year")
    width, height = size_of(figure)
    assert 1.5 < width / height < 1.7
    assert "Figure 3: Rents by year" in document.text
    assert replace(document, figures=()) == read(pdf_with_figure(), "a.pdf", OFF)


PROSE = ["The second page tells how the rents rose in all of the years, in the towns and in the villages."] * 3


def chart_of_lines(left: float, bottom: float) -> list[str]:
    """Bars on an axis with labels, drawn as a program for figures does."""
    bars = [f"{left + 20 + 30 * bar} {bottom + 20} 20 {20 + 15 * bar} re f" for bar in range(7)]
    axes = [f"{left} {bottom + 20} m {left + 240} {bottom + 20} l S", f"{left} {bottom + 20} m {left} {bottom + 150} l S"]
    return ["0.2 0.4 0.7 rg", *bars, *axes, "0 g", *(text_operator(left + 20 + 30 * bar, bottom + 8, str(2019 + bar), size=7) for bar in range(7))]


@pytest.mark.parametrize("below", [True, False])
def test_a_chart_that_is_drawn_is_found_by_its_caption(below: bool) -> None:
    file = PdfFile()
    caption = text_operator(120, 432 if below else 612, "Figure 4: Rents by year in euros")
    file.page([*line_operators(72, 720, PROSE), *chart_of_lines(130, 450), caption, *line_operators(72, 380, PROSE)])
    (figure,) = read(file.bytes(), "a.pdf").figures
    assert (figure.page, figure.caption) == (1, "Figure 4: Rents by year in euros")
    copy = Image.open(io.BytesIO(figure.data))
    assert 1.3 < copy.width / copy.height < 2.4
    colours = copy.convert("RGB").quantize(8).convert("RGB").getcolors() or []
    assert any(count > 2000 and colour[2] > 120 > colour[0] for count, colour in colours), "the bars are in it"  # type: ignore[index]  # three bands


def test_rules_of_tables_and_frames_of_prose_are_no_charts() -> None:
    file = PdfFile()
    rules = [f"72 {600 - 20 * row} m 500 {600 - 20 * row} l S" for row in range(10)]
    rows = [
        text_operator(80, 605 - 20 * row, f"Row {row} of a table that speaks at length of rents and of houses in the towns") for row in range(1, 9)
    ]
    file.page([*line_operators(72, 720, PROSE), *rules, *rows, text_operator(72, 400, "Figure 5: Not a chart"), *line_operators(72, 350, PROSE)])
    file.page([*line_operators(72, 720, PROSE), text_operator(72, 600, "Figure 6 is spoken of, and nothing is drawn.")])
    assert read(file.bytes(), "a.pdf").figures == ()


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_on_pages_that_are_turned_the_copy_is_what_a_reader_sees(turn: int) -> None:
    file = PdfFile()
    left = Image.new("RGB", (400, 300), "white")
    left.paste("red", (0, 0, 200, 300))
    file.photo("Im1", encode_picture(left, "JPEG"), (400, 300))
    file.page(
        [*line_operators(72, 720, ["The second page tells how the rents rose in all of the years."] * 2), "q 240 0 0 180 100 100 cm /Im1 Do Q"],
        f"/Rotate {turn}",
    )
    (figure,) = read(file.bytes(), "a.pdf").figures
    copy = Image.open(io.BytesIO(figure.data)).convert("RGB")
    width, height = copy.size
    assert abs(width / height - (4 / 3 if turn in (0, 180) else 3 / 4)) < 0.05
    middle = {0: (width // 4, height // 2), 90: (width // 2, height // 4), 180: (3 * width // 4, height // 2), 270: (width // 2, 3 * height // 4)}
    red, green, _ = copy.getpixel(middle[turn])  # type: ignore[misc]  # a pixel of three bands
    assert red > 200
    assert green < 100


def test_a_scanned_page_of_text_is_no_picture_of_something() -> None:
    page = draw_lines(["The tenant gives notice in writing, three months ahead of the end."] * 14, (1240, 1754), 32)
    document = read(scanned_pdf([page]), "scan.pdf")
    assert "three months ahead" in document.text
    assert document.figures == ()


def test_a_pdf_of_nothing_but_a_picture_is_offered_and_empty_without_the_setting() -> None:
    data = scanned_pdf([Image.effect_noise((900, 700), 60).convert("RGB")])
    document = read(data, "a.pdf")
    assert [figure.page for figure in document.figures] == [1]
    with pytest.raises(Empty):
        read(data, "a.pdf", OFF)


def test_a_picture_file_is_offered_without_a_word_on_it() -> None:
    photo = Image.effect_noise((600, 400), 60).convert("RGB")
    document = read(encode_picture(photo), "photo.png")
    assert (document.text, [figure.page for figure in document.figures]) == ("", [1])
    with pytest.raises(Empty):
        read(encode_picture(photo), "photo.png", OFF)


def test_pages_of_a_fax_are_text_and_not_offered() -> None:
    page = draw_lines(["The tenant gives notice in writing, three months ahead of the end."] * 14, (1240, 1000), 32)
    document = read(encode_picture(page, "TIFF", save_all=True, append_images=[page]), "fax.tiff")
    assert len(document.pages) == 2
    assert document.figures == ()
