"""PDF: tables take the place of their lines; nothing of a page is lost or stands there twice. Recognised lines beside those of the file."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from core.documents import BlockKind, ExtractedDocument
from core.errors import Empty, NeedsRecognition
from ingestion.readers.base.page_lines import PageLine, PageText
from ingestion.readers.base.source import ExtractionLimits, OcrLimits, Source
from ingestion.readers.pdf.pdf_reader import extract
from ingestion.readers.pdf.recognized_pages import merge_recognized
from ingestion.readers.pdf.table_placement import Box, insert_tables, upright_box
from tests.support.pdf_files import PdfFile, line_operators, one_page, text_operator


@dataclass(frozen=True)
class Found:
    """A table as the finder of tables gives it."""

    rows: list[list[str]]
    page: int = 1
    bbox: Box = (50, 100, 300, 200)
    boxes: list[tuple[int, Box]] = field(default_factory=list)
    rows_per_part: list[int] = field(default_factory=list)
    repeated_headings: dict[int, list[str]] = field(default_factory=dict)
    spans: list[tuple[int, int, int, int]] = field(default_factory=list)
    header_rows: int = 1
    caption: str = ""
    last_page: int | None = None


def line(words: str, left: float, y: float, *, page: int = 1, width: float | None = None) -> PageLine:
    return PageLine(words, page, left, left + (width or 6.0 * len(words)), y, 12.0, bold=False)


def placed(page_lines: list[PageLine], *tables: Found) -> list[str]:
    page = PageText(1, 612, 792, page_lines)
    insert_tables([page], tables)
    return [part.text if part.table is None else f"<{part.table}>" for part in page.lines]


TABLE = Found([["Year", "Ducks"], ["2019", "120"], ["2020", "135"]])


def test_a_table_stands_where_its_first_line_stood() -> None:
    before, after = line("Before it.", 60, 80), line("After it.", 60, 250)
    assert placed([before, line("Year Ducks", 60, 120), line("2019 120", 60, 140), line("2020 135", 60, 160), after], TABLE) == [
        "Before it.",
        "<0>",
        "After it.",
    ]


def test_words_inside_the_box_that_no_cell_holds_stay() -> None:
    assert placed([line("Year Ducks", 60, 120), line("2019 120 swans", 60, 140), line("2020 135", 60, 160)], TABLE) == ["<0>", "swans"]


def test_a_word_that_stands_there_once_more_than_in_the_cells_stays() -> None:
    assert placed([line("Year Ducks", 60, 120), line("2019 120", 60, 140), line("2020 135", 60, 160), line("2020", 200, 160)], TABLE) == [
        "<0>",
        "2020",
    ]


def test_short_words_and_signs_of_a_line_that_no_cell_holds_stay_with_it() -> None:
    table = Found([["Year", "Tonnes"], ["2019", "2.88"]])
    inside = [line("Year Tonnes", 60, 120), line("equal to 88% (@ 400 gms/day) !", 60, 140), line("2019 & 2.88", 60, 160)]
    assert placed(inside, table) == ["<0>", "equal to 88% (@ 400 gms/day) !"]


def test_words_that_the_cells_divide_otherwise_are_not_repeated() -> None:
    found = Found([["Yearof", "Ducks"], ["20 19", "120"]])
    assert placed([line("Year of Ducks", 60, 120), line("2019 120", 60, 140)], found) == ["<0>"]


def test_a_line_that_hangs_over_the_edge_is_divided() -> None:
    whole = line("2019 120" + " " * 40 + "beside the table", 60, 140)
    assert placed([line("Year Ducks", 60, 120), whole, line("2020 135", 60, 160)], TABLE) == ["<0>", "beside the table"]


def test_a_caption_stays_in_the_text() -> None:
    caption = line("Table 1: Birds", 60, 90)
    assert placed([caption, line("Year Ducks", 60, 120), line("2019 120", 60, 140), line("2020 135", 60, 160)], TABLE)[0] == "Table 1: Birds"


def test_a_table_over_two_pages_stands_on_the_first() -> None:
    first = PageText(1, 612, 792, [line("Year Ducks", 60, 120), line("2019 120", 60, 140)])
    second = PageText(2, 612, 792, [line("2020 135", 60, 60, page=2), line("The end.", 60, 300, page=2)])
    insert_tables([first, second], [Found(TABLE.rows, boxes=[(1, (50, 100, 300, 200)), (2, (50, 40, 300, 70))], last_page=2)])
    assert [part.table for part in first.lines] == [0]
    assert [part.text for part in second.lines] == ["The end."]


def test_a_heading_that_stands_again_on_the_next_page_is_a_running_head_there() -> None:
    first = PageText(1, 612, 792, [line("Year Ducks", 60, 120), line("2019 120", 60, 140)])
    second = PageText(2, 612, 792, [line("Year Ducks", 60, 50, page=2), line("2020 135", 60, 60, page=2)])
    boxes: list[tuple[int, Box]] = [(1, (50, 100, 300, 200)), (2, (50, 40, 300, 70))]
    table = Found(TABLE.rows, boxes=boxes, rows_per_part=[2, 1], last_page=2, repeated_headings={1: ["Year Ducks"]})
    insert_tables([first, second], [table])
    assert [part.table for part in first.lines] == [0]
    assert [(part.text, part.furniture, part.table) for part in second.lines] == [("Year Ducks", True, None), ("", False, 0)]


def test_a_table_of_recognised_pictures_has_a_place_too() -> None:
    assert placed([line("Before it.", 60, 80), line("After it.", 60, 250)], TABLE) == ["Before it.", "<0>", "After it."]


@pytest.mark.parametrize("turned", [0, 90, 180, 270])
def test_boxes_turn_with_the_page(turned: int) -> None:
    left, top, right, bottom = upright_box((10, 20, 40, 30), PageText(1, *((200, 100) if turned in (90, 270) else (100, 200)), [], turned))
    assert {(right - left, bottom - top)} == {(10, 30) if turned in (90, 270) else (30, 10)}
    assert (left, top) == {0: (10, 20), 90: (170, 10), 180: (60, 170), 270: (20, 60)}[turned]


def test_a_ruled_table_is_read_as_one() -> None:
    cells = [["Year", "Ducks", "Swans"], ["2019", "120", "80"], ["2020", "135", "95"], ["2021", "150", "110"]]
    drawn = [text_operator(80 + 120 * column, 606 - 24 * row, cell) for row, part in enumerate(cells) for column, cell in enumerate(part)]
    rules = [f"70 {624 - 24 * row} m 430 {624 - 24 * row} l S" for row in range(5)] + [
        f"{70 + 120 * column} 528 m {70 + 120 * column} 624 l S" for column in range(4)
    ]
    prose = line_operators(70, 700, ["The birds of the lake were counted in each year by the same people."])
    document = extract(
        Source(one_page([*prose, *rules, *drawn, *line_operators(70, 480, ["There are more of them each year."])]), "a.pdf", recognize=False)
    )
    assert [list(map(list, table.rows)) for table in document.tables] == [cells]
    assert [block.kind for block in document.blocks] == [BlockKind.PARAGRAPH, BlockKind.TABLE, BlockKind.PARAGRAPH]
    assert document.text.count("Ducks") == document.text.count("135") == 1


# -- recognition -------------------------------------------------------------------------------------------------------------------------


def scan(*, with_text: bool) -> bytes:
    file = PdfFile()
    file.picture("Im1")
    picture = "q 612 0 0 792 0 0 cm /Im1 Do Q"
    file.page([picture, text_operator(60, 30, "CamScanner", size=8)] if with_text else [picture])
    if with_text:
        file.page(line_operators(60, 700, ["This page has words of its own, and they can be read by everybody."]))
    return file.bytes()


def read(data: bytes, *, recognize: bool = False, enabled: bool = True) -> ExtractedDocument:
    return extract(Source(data, "a.pdf", ExtractionLimits(ocr=OcrLimits(enabled=enabled)), recognize=recognize))


def test_pages_with_hardly_a_word_on_a_picture_need_recognition() -> None:
    document = read(scan(with_text=True))
    assert document.unread_pages == (1,)
    assert document.warnings == ("1 of 2 pages have no text: scanned?",)


def test_a_scan_needs_recognition_and_says_so_where_it_is_switched_off() -> None:
    with pytest.raises(NeedsRecognition, match="text recognition"):
        read(scan(with_text=False))
    with pytest.raises(Empty, match="switched off"):
        read(scan(with_text=False), recognize=True, enabled=False)


def test_letters_without_a_meaning_need_recognition() -> None:
    file = PdfFile()
    file.cid_font("F9", {1: 600, 2: 600}, {1: "\ue001", 2: "\ue002"})
    file.page(["BT /F9 11 Tf 60 700 Td <" + "00010002" * 40 + "> Tj ET", *line_operators(60, 600, ["Words."])])
    document = read(file.bytes())
    assert document.unread_pages == (1,)
    assert "cannot be decoded" in document.warnings[0]


def test_recognised_lines_stand_beside_those_of_the_file_once() -> None:
    page = PageText(1, 612, 792, [line("CamScanner", 60, 780), line("Page 12 of 30", 300, 780)])
    recognized = PageText(1, 612, 792, [line("A letter from the landlord", 60, 100), line("CamScanmer", 60, 780)])
    assert [part.text for part in merge_recognized(page, recognized).lines] == ["CamScanner", "Page 12 of 30", "A letter from the landlord"]


def test_what_a_turned_scan_holds_of_the_files_words_is_not_repeated() -> None:
    page = PageText(1, 612, 792, [line("CamScanner", 60, 780)])
    recognized = PageText(1, 612, 792, [line("A letter", 60, 100), line("CamScanner", 400, 10)], rotation=180)
    assert [part.text for part in merge_recognized(page, recognized).lines] == ["A letter", "CamScanner"]


def test_letters_without_a_meaning_give_way_to_recognised_ones() -> None:
    page = PageText(1, 612, 792, [line("\x03\x04\x05", 60, 100)], undecoded_share=0.9)
    assert [part.text for part in merge_recognized(page, PageText(1, 612, 792, [line("Hello", 60, 100)])).lines] == ["Hello"]
    assert merge_recognized(page, PageText(1, 612, 792, [])) is page


def test_progress_is_told_while_a_long_file_is_read() -> None:
    file = PdfFile()
    for number in range(25):
        file.page(line_operators(60, 700, [f"This is page {number + 1} of the long file."]))
    told: list[tuple[int, int]] = []
    extract(Source(file.bytes(), "a.pdf", progress=lambda done, of: told.append((done, of))))
    assert told == [(10, 25), (20, 25)]
