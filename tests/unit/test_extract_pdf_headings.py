"""PDF: what is a heading, and what only looks like one; figures' captions; footnotes."""

from __future__ import annotations

from core.documents import BlockKind, ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.pdf_reader import extract
from tests.support.pdf_files import PdfFile, line_operators, one_page, text_operator

BODY = [
    "The tenant may end this lease by giving notice three months before the day",
    "on which it is to end, and no later than on that day. Notice by electronic",
    "mail is not enough, and neither is a notice that nobody has signed.",
]


def read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.pdf", recognize=False))


def of_kind(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def headings(operators: list[str]) -> list[str]:
    return of_kind(read(one_page(operators)), BlockKind.HEADING)


def under(heading: str, *, font: str = "F1", size: float = 11) -> list[str]:
    """A paragraph, a line with room above it, and a paragraph right below that line."""
    return [
        *line_operators(60, 740, BODY),
        text_operator(60, 670, heading, font=font, size=size),
        *line_operators(60, 655, BODY),
        *line_operators(60, 560, BODY),
    ]


def test_a_line_in_another_face_over_a_text_is_a_heading() -> None:
    assert headings(under("Ending the lease", font="F3")) == ["Ending the lease"]


def test_a_line_of_the_bodys_face_over_a_text_is_none() -> None:
    assert headings(under("Ending the lease")) == []


def test_a_number_or_capitals_make_a_heading_of_it() -> None:
    assert headings(under("4.2 Ending the lease")) == ["4.2 Ending the lease"]
    assert headings(under("Article 7 Ending the lease")) == ["Article 7 Ending the lease"]
    assert headings(under("ENDING THE LEASE")) == ["ENDING THE LEASE"]


def test_a_long_number_does_not_stop_the_reading() -> None:
    assert headings(under("0" * 60, size=8)) == []
    assert headings(under("1.12.3 Ending the lease 4")) == []  # of a list of contents


def test_items_of_a_list_are_none() -> None:
    items = [text_operator(60, 640 - 14 * number, f"{number + 1}. Bring the keys") for number in range(5)]
    assert headings([*line_operators(60, 740, BODY), *items, *line_operators(60, 540, BODY)]) == []


def test_a_paragraph_that_begins_in_bold_is_none() -> None:
    operators = [
        *line_operators(60, 740, BODY),
        "BT /F2 11 Tf 60 660 Td (Ending the lease. ) Tj /F1 11 Tf (The tenant may end it by giving notice in time,) Tj ET",
        *line_operators(60, 646.8, BODY),
    ]
    assert headings(operators) == []


def test_an_emphasised_sentence_is_none() -> None:
    emphasised = [text_operator(60, 630 - 40 * number, "They agree on this as on all else.", font="F3") for number in range(4)]
    assert headings([*line_operators(60, 740, BODY), *emphasised, *line_operators(60, 460, BODY)]) == []


def test_a_lone_line_of_contents_is_none() -> None:
    assert headings(under("3 Ending the lease . . . . . . . . 12", font="F2")) == []


def test_a_heading_of_two_lines_is_one() -> None:
    title = line_operators(60, 760, ["The end of the lease and what", "the tenant has to do then"], size=18)
    assert headings([*title, *line_operators(60, 700, BODY), *line_operators(60, 600, BODY)]) == [
        "The end of the lease and what the tenant has to do then"
    ]


def test_captions_stand_apart() -> None:
    document = read(
        one_page([*line_operators(60, 740, BODY), text_operator(60, 640, "Figure 3: The house from the north"), *line_operators(60, 600, BODY)])
    )
    assert of_kind(document, BlockKind.CAPTION) == ["Figure 3: The house from the north"]


def test_footnotes_are_notes_below_the_text_that_goes_on() -> None:
    file = PdfFile()
    left = [
        "The lease of the house by the lake",
        "was made in the year of the flood1",
        "by two people who did not know of",
        "each other that they were to share",
    ]
    right = ["one kitchen and one garden, and as", "they found it out they laughed about", "it for a whole day and then cooked."]
    file.page(
        [
            *line_operators(60, 740, left),
            *line_operators(60, 120, ["1 The flood of the year 1927, which took the old", "bridge with it."], size=8),
            *line_operators(330, 740, right),
        ]
    )
    document = read(file.bytes())
    assert of_kind(document, BlockKind.NOTE) == ["1 The flood of the year 1927, which took the old bridge with it."]
    assert of_kind(document, BlockKind.PARAGRAPH) == [" ".join(left + right)]


def test_small_print_without_a_mark_is_no_footnote() -> None:
    document = read(one_page([*line_operators(60, 740, BODY), *line_operators(60, 120, ["Printed in Halden in the year of the flood."], size=8)]))
    assert of_kind(document, BlockKind.NOTE) == []


def test_a_line_that_goes_on_in_lower_case_below_is_the_beginning_of_a_sentence() -> None:
    rest = ["the gate until the water is level, and open it only when the lamp is green.", *BODY]
    begun = [*line_operators(60, 740, BODY), text_operator(60, 670, "To leave the lock simply close", size=14), *line_operators(60, 654, rest)]
    assert headings(begun) == []
    assert headings([*begun[:-4], *line_operators(60, 654, BODY)]) == ["To leave the lock simply close"]
