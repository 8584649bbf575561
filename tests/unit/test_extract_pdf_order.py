"""PDF: the order of columns, turned and hidden text, right-to-left writing."""

from __future__ import annotations

from core.documents import BlockKind, ExtractedDocument
from ingestion.readers.base.page_lines import PageLine
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.paragraphs import LineJoiner
from ingestion.readers.pdf.pdf_reader import extract
from tests.support.pdf_files import PdfFile, line_operators, one_page, text_operator, turned_text

LEFT = [
    "The first column begins here and it",
    "goes on for a number of lines, as in",
    "a newspaper, until the foot of the",
    "page is reached by its last sentence",
    "which ends with the word waterfall.",
]
RIGHT = [
    "The second column takes up the tale",
    "where the first has left it, and it",
    "tells of the mountains in the north",
    "and of the people that live there in",
    "houses of stone beside the glacier.",
]


def read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.pdf", recognize=False))


def of_kind(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def in_order(document: ExtractedDocument, *parts: str) -> bool:
    flat = " ".join(document.text.split())
    places = [flat.find(part) for part in parts]
    return -1 not in places and places == sorted(places)


def test_columns_that_come_column_by_column_stay_so() -> None:
    assert in_order(read(one_page([*line_operators(60, 700, LEFT), *line_operators(330, 700, RIGHT)])), "waterfall", "The second column", "glacier")


def test_columns_that_come_line_by_line_are_read_one_after_the_other() -> None:
    rows = zip(line_operators(60, 700, LEFT), line_operators(330, 698, RIGHT), strict=True)
    document = read(one_page([operator for row in rows for operator in row]))
    assert in_order(document, "The first column", "foot of the page", "waterfall", "The second column", "glacier")


def test_columns_that_share_one_line_of_the_file_are_divided() -> None:
    shared = [
        f"BT /F1 11 Tf 60 {700 - 14 * row} Td ({left}) Tj 270 0 Td ({right}) Tj ET" for row, (left, right) in enumerate(zip(LEFT, RIGHT, strict=True))
    ]
    assert in_order(read(one_page(shared)), "The first column", "foot of the page", "waterfall", "The second column", "glacier")


def test_a_title_that_the_file_holds_last_is_read_first() -> None:
    title = text_operator(60, 740, "A tale of the mountains in the north and their people", size=18)
    document = read(one_page([*line_operators(60, 700, LEFT), *line_operators(330, 700, RIGHT), title]))
    assert in_order(document, "A tale of the mountains", "The first column", "waterfall", "The second column", "glacier")


def test_right_column_first_in_the_file_is_read_second() -> None:
    document = read(one_page([*line_operators(330, 700, RIGHT), *line_operators(60, 700, LEFT)]))
    assert in_order(document, "The first column", "waterfall", "The second column", "glacier")


def test_three_columns_below_a_title_and_above_a_foot_across() -> None:
    columns = [[f"Column {number} line {line} of the story" for line in range(1, 7)] for number in (1, 2, 3)]
    drawn = [operator for number in (2, 0, 1) for operator in line_operators(50 + 180 * number, 700, columns[number])]
    across = text_operator(50, 500, "Below the columns one more sentence goes across the whole of the page to its end.")
    document = read(one_page([across, *drawn, text_operator(50, 740, "The title of it all goes across the columns", size=16)]))
    assert in_order(document, "The title", "Column 1 line 6", "Column 2 line 1", "Column 2 line 6", "Column 3 line 1", "Column 3 line 6", "Below the")


def test_labels_and_values_stay_side_by_side() -> None:
    form = [part for row, (label, value) in enumerate([("Name", "Anna"), ("Town", "Halden"), ("Rent", "900")]) for part in
            (text_operator(60, 700 - 20 * row, label), text_operator(200, 700 - 20 * row, value))]  # fmt: skip
    assert in_order(read(one_page(form)), "Name", "Anna", "Town", "Halden", "Rent", "900")


def test_a_page_whose_text_stands_on_its_side_is_read_upright() -> None:
    for degrees, places in (
        (90, [(100 + 14 * row, 60) for row in range(5)]),
        (270, [(500 - 14 * row, 700) for row in range(5)]),
        (180, [(500, 100 + 14 * row) for row in range(5)]),
    ):
        document = read(one_page([turned_text(degrees, x, y, line) for (x, y), line in zip(places, LEFT, strict=True)]))
        assert of_kind(document, BlockKind.PARAGRAPH) == [" ".join(LEFT)]


def test_a_turned_page_is_read_as_it_is_shown() -> None:
    drawn = [turned_text(90, 100 + 14 * row, 60, line) for row, line in enumerate(LEFT)]
    assert of_kind(read(one_page(drawn, "/Rotate 90")), BlockKind.PARAGRAPH) == [" ".join(LEFT)]


def test_words_at_the_side_of_a_page_come_behind_its_text() -> None:
    document = read(one_page([turned_text(90, 30, 300, "arXiv:2401.00001 [cs.DL] 3 Jan 2024"), *line_operators(60, 700, LEFT)]))
    assert in_order(document, "The first column", "waterfall", "arXiv:2401.00001")


def test_text_that_nobody_sees_is_no_content() -> None:
    hidden = [
        text_operator(60, 500, "Ignore all other offers.", before="3 Tr"),
        text_operator(60, 480, "White as snow on snow.", before="1 1 1 rg"),
        text_operator(900, 460, "Far beside the paper."),
    ]
    document = read(one_page([*line_operators(60, 700, LEFT), *hidden]))
    assert of_kind(document, BlockKind.PARAGRAPH) == [" ".join(LEFT)]
    assert of_kind(document, BlockKind.FURNITURE) == ["Ignore all other offers.", "White as snow on snow.", "Far beside the paper."]


def test_white_text_on_a_dark_ground_is_content() -> None:
    document = read(
        one_page(
            [*line_operators(60, 700, LEFT), "0.1 0.2 0.5 rg 50 470 300 30 re f", text_operator(60, 480, "White on blue is seen.", before="1 1 1 rg")]
        )
    )
    assert "White on blue is seen." in of_kind(document, BlockKind.PARAGRAPH)


def test_recognised_text_below_a_scan_is_content() -> None:
    file = PdfFile()
    file.picture("Im1")
    file.page(["q 612 0 0 792 0 0 cm /Im1 Do Q", *(text_operator(60, 700 - 14 * row, line, before="3 Tr") for row, line in enumerate(LEFT))])
    assert of_kind(read(file.bytes()), BlockKind.PARAGRAPH) == [" ".join(LEFT)]


def test_ligatures_are_letters_and_words_divided_at_the_end_of_a_line_are_whole() -> None:
    file = PdfFile()
    file.cid_font("F9", {1: 600, 2: 300}, {1: "o", 2: "ﬃ", 3: "ce"})
    file.page(
        [
            "BT /F9 11 Tf 60 700 Td <000100020003> Tj ET",
            *line_operators(60, 650, ["It is a matter of inter-", "national law, and of inter-", "national trade."]),
        ]
    )
    document = read(file.bytes())
    assert in_order(document, "office", "a matter of international law, and of international trade")


ARABIC = {1: "ب", 2: "ا", 3: "ل", 4: "\u064e", 5: "لا", 6: "م", 7: " "}


def _arabic(codes: list[int], letters: dict[int, str], widths: dict[int, int] | None = None) -> str:
    """What is read of glyphs that are drawn from left to right."""
    file = PdfFile()
    file.cid_font("F9", widths or dict.fromkeys(letters, 600), letters)
    file.page([f"BT /F9 20 Tf 60 700 Td <{''.join(f'{code:04x}' for code in codes)}> Tj ET"])
    return read(file.bytes()).text


def test_arabic_is_read_from_right_to_left() -> None:
    assert _arabic([3, 2, 1], ARABIC) == "بال"


def test_the_letters_of_a_ligature_keep_their_order() -> None:
    assert _arabic([6, 5, 1], ARABIC) == "بلام"


def test_a_mark_follows_its_letter() -> None:
    widths = {1: 600, 3: 600, 4: 0}
    assert _arabic([3, 1, 4], ARABIC, widths) in ("بَل", "بلَ")  # drawn behind ba, without a width: it stands at its right edge
    assert not _arabic([4, 3, 1], ARABIC, widths).startswith("\u064e")


def test_a_word_that_the_font_gives_to_its_first_glyph_is_read_once() -> None:
    letters = {1: "سلام", 2: "", 3: "", 4: ""}
    assert _arabic([1, 2, 3, 4], letters) == "سلام"


def test_hebrew_is_read_from_right_to_left() -> None:
    assert _arabic([3, 2, 1, 4], {1: "ש", 2: "ל", 3: "ם", 4: "א"}) == "אשלם"


def test_text_that_is_drawn_twice_at_one_place_is_read_once() -> None:
    shadow = [
        text_operator(60.5, 559.5, "A word with a shadow stands here"),
        text_operator(60, 560, "A word with a shadow stands here", before="0.3 g"),
    ]
    document = read(
        one_page([*line_operators(60, 700, LEFT), *shadow, text_operator(60, 500, "Harvest of 2012"), text_operator(60, 480, "Harvest of 2012")])
    )
    assert document.text.count("A word with a shadow") == 1
    assert document.text.count("Harvest of 2012") == 2


def test_a_line_that_lies_upon_itself_is_read_once() -> None:
    layers = "BT /F1 11 Tf 60 560 Td (Doug Toreen, Renville ) Tj (County) Tj ET BT /F1 11 Tf 60.1 560 Td (Doug) Tj ( Toreen, Renville County) Tj ET"
    assert read(one_page([*line_operators(60, 700, LEFT), layers])).text.count("Toreen") == 1


def test_entries_of_a_table_of_contents_stand_on_their_own_without_their_dots() -> None:
    entries = [
        "1 The harbour 2",
        f"1.1 Moorings of the outer basin {'.' * 30} 2",
        f"1.2 Cranes {'. ' * 30} 14",
        f"1.3 Dues for a vessel {'…' * 9} 120",
    ]
    said = ["1 The harbour 2", "1.1 Moorings of the outer basin … 2", "1.2 Cranes … 14", "1.3 Dues for a vessel … 120"]
    document = read(one_page([*line_operators(60, 700, entries[:3]), text_operator(60, 400, "And so on ...")]))
    assert document.text.split("\n") == [*said[:3], "", "And so on ..."]
    wrapped = [*entries, "1.4 History of the quay: part 2", f"{'.' * 20} 131"]
    recognized = [PageLine(entry, 1, 60, 500, 100 + 14 * place, 12, bold=False) for place, entry in enumerate(wrapped)]
    assert LineJoiner(recognized).join_lines(recognized).split("\n") == [*said, "1.4 History of the quay: part 2 … 131"]


YIELDS = ["Kruger 56.4 7.6 and 126.3 of it", "Stine 55.3 7.6 and 120.0 of it", "Hefty 53.7 7.7 and 124.4 of it", "Asgrow 52.9 7.7 and 122.0 of it"]


def test_a_layer_without_signs_below_the_text_does_not_tear_its_numbers() -> None:
    lower = [text_operator(72, 700 - 20 * index, line.replace(".", " ")) for index, line in enumerate(YIELDS)]
    upper = [text_operator(72, 700 - 20 * index, line) for index, line in enumerate(YIELDS)]
    orders = [
        [drawn for pair in zip(lower, upper, strict=True) for drawn in pair],
        [drawn for pair in zip(upper, lower, strict=True) for drawn in pair],
        lower + upper,
        upper + lower,
    ]
    for drawn in orders:
        assert " ".join(read(one_page(drawn)).text.split()) == " ".join(YIELDS)


def test_words_that_are_said_twice_stay_so() -> None:
    assert "Never again Never again" in read(one_page([*line_operators(60, 700, LEFT), text_operator(60, 500, "Never again Never again")])).text


def test_the_numbers_of_lines_beside_a_text_are_set_apart() -> None:
    said = [*LEFT, *RIGHT]
    numbers = [text_operator(40, 700 - 24 * row, str(row + 1)) for row in range(len(said))]
    document = read(one_page([*numbers, *(text_operator(70, 700 - 24 * row, line) for row, line in enumerate(said))]))
    assert len(of_kind(document, BlockKind.FURNITURE)) == 10
    assert of_kind(document, BlockKind.PARAGRAPH) == [" ".join(LEFT), " ".join(RIGHT)] or of_kind(document, BlockKind.PARAGRAPH) == [" ".join(said)]
