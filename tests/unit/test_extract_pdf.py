"""PDF: headings, paragraphs, running heads, page numbers, locked, damaged and empty files."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader, PdfWriter

from core.documents import BlockKind, ExtractedDocument
from core.errors import Empty, Encrypted, Malformed, NeedsRecognition
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.pdf.repair import extract_damaged
from ingestion.readers.registry import extract
from tests.support.office_files import paragraph_lines, pdf_bytes

BODY = [
    "The tenant may end this lease by giving notice in writing to the land-",
    "lord at least three months before the day on which it is to end. Notice",
    "by electronic mail is not enough.",
]


def read(data: bytes, name: str = "a.pdf", *, password: str = "", pages: int = 5_000) -> ExtractedDocument:
    return extract(Source(data, name, ExtractionLimits(pages=pages), password=password, recognize=False))


def of_kind(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def _page(number: int, *, heading: str = "") -> list[tuple[float, float, float, str]]:
    lines = [(72, 770, 9, "Halden lease 2024"), (300, 30, 9, str(number))]
    lines += [(72, 730, 16, heading)] if heading else []
    return lines + paragraph_lines([*BODY, f"This is clause {number}."])


def _lease() -> bytes:
    return pdf_bytes([_page(1, heading="1. Termination"), _page(2, heading="2. Rent"), _page(3)], title="Halden lease", bold=True)


def test_paragraphs_are_joined_and_divided_words_mended() -> None:
    document = read(_lease())
    assert of_kind(document, BlockKind.PARAGRAPH)[0] == " ".join(BODY).replace("land- lord", "landlord")


def test_running_heads_and_page_numbers_are_furniture() -> None:
    document = read(_lease())
    assert of_kind(document, BlockKind.FURNITURE) == ["Halden lease 2024", "1", "Halden lease 2024", "2", "Halden lease 2024", "3"]


def test_large_lines_are_headings_and_pages_are_known() -> None:
    document = read(_lease())
    assert of_kind(document, BlockKind.HEADING) == ["1. Termination", "2. Rent"]
    assert [(section.path, section.page) for section in document.sections] == [((), 1), (("1. Termination",), 1), (("2. Rent",), 2)]
    assert [page.number for page in document.pages] == [1, 2, 3]
    assert all("landlord" in document.text[page.start : page.end] for page in document.pages)


def test_bookmarks_give_headings_their_levels() -> None:
    writer = PdfWriter(PdfReader(io.BytesIO(pdf_bytes([[*paragraph_lines(["Scope"], top=740), *paragraph_lines(BODY)]]))))
    parent = writer.add_outline_item(title="Part A", page_number=0)
    writer.add_outline_item(title="Scope", page_number=0, parent=parent)
    output = io.BytesIO()
    writer.write(output)
    document = read(output.getvalue())
    assert [(document.text[b.start : b.end], b.level) for b in document.blocks if b.kind is BlockKind.HEADING] == [("Scope", 2)]


def test_what_the_file_says_about_itself() -> None:
    metadata = read(_lease()).metadata
    assert metadata.title == "Halden lease"
    assert str(metadata.created_at) == "2024-03-05 09:15:00+00:00"


def _encrypted(user_password: str, owner_password: str = "owner", algorithm: str = "AES-256") -> bytes:
    writer = PdfWriter(PdfReader(io.BytesIO(_lease())))
    writer.encrypt(user_password, owner_password, algorithm=algorithm)
    output = io.BytesIO()
    writer.write(output)
    return output.getvalue()


def test_an_empty_password_is_tried_and_any_other_is_asked_for() -> None:
    assert "landlord" in read(_encrypted("")).text
    with pytest.raises(Encrypted, match="password"):
        read(_encrypted("secret"))


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256-R5", "AES-256"])
def test_the_password_of_the_user_or_of_the_owner_opens_it(algorithm: str) -> None:
    data = _encrypted("secret", "owner", algorithm)
    assert "landlord" in read(data, password="secret").text
    assert "landlord" in read(data, password="owner").text
    with pytest.raises(Encrypted, match="does not open it"):
        read(data, password="guess")
    with pytest.raises(Encrypted, match="needs a password"):
        read(data)


def test_an_empty_password_of_the_owner_opens_it() -> None:
    nothing = "\u00ad"  # SASLprep maps a soft hyphen to nothing; an empty string would make the writer take the user's password
    assert "landlord" in read(_encrypted("secret", nothing)).text


def test_a_password_that_nothing_asks_for_is_no_matter() -> None:
    assert "landlord" in read(_lease(), password="secret").text


def test_pages_without_text_are_said() -> None:
    writer = PdfWriter(PdfReader(io.BytesIO(_lease())))
    drawn = pdf_bytes([[(72, 700, 11, " ")]]).replace(b"BT /F1 11 Tf 72 700 Td ( ) Tj ET", b"72 700 100 100 re f 10 10 m 20 20 l S")
    writer.append(PdfReader(io.BytesIO(drawn)))
    output = io.BytesIO()
    writer.write(output)
    document = read(output.getvalue())
    assert document.unread_pages == (4,)
    assert document.warnings == ("1 of 4 pages have no text: scanned?",)
    with pytest.raises(NeedsRecognition, match="text recognition"):
        read(drawn)


def test_a_page_that_is_blank_is_not_missing() -> None:
    assert read(pdf_bytes([_page(1), [], _page(3)])).warnings == ()


def test_more_pages_than_the_limit_are_cut_with_a_warning() -> None:
    document = read(_lease(), pages=2)
    assert len(document.pages) == 2
    assert document.warnings == ("Only the first 2 of 3 pages were read.",)


def test_a_damaged_file_gives_its_text_or_a_reason() -> None:
    data = _lease()
    assert "landlord" in read(data[: data.index(b"xref")]).text
    assert "landlord" in read(b"garbage\n" + data).text
    for stump in (b"%PDF-1.4", b"%PDF-1.7\n1 0 obj\n<<", data[:200]):
        with pytest.raises((Malformed, Empty)):
            read(stump)


def test_the_reason_of_a_damaged_file_is_one_sentence_that_holds_for_any_number_of_pages() -> None:
    with pytest.raises((Malformed, Empty)) as caught:
        extract_damaged(
            Source(b"%PDF-1.4\ntrailer << /Root << /Type /Catalog /Pages << /Type /Pages /Kids [] /Count 0 >> >> >>\n", "a.pdf"), "It ends."
        )
    assert "0 pages" not in str(caught.value)
    assert ".)" not in str(caught.value)


def test_a_damaged_file_without_text_says_what_to_do() -> None:
    with pytest.raises(Empty, match="print it to a new PDF"):
        extract_damaged(Source(pdf_bytes([[]]), "a.pdf"), "It ends.")


def test_a_text_under_the_name_of_a_pdf_is_read_as_text() -> None:
    assert read(b"These are plain words, and there are enough of them to read.").parser == "text"


def test_rows_of_figures_keep_their_lines() -> None:
    rows = ["Year Ducks Swans", "2019 120 80", "2020 135 95", "2021 150 110"]
    assert "2019 120 80\n2020 135 95\n2021 150 110" in read(pdf_bytes([paragraph_lines(rows)])).text


def test_lines_that_are_all_alike_are_content_not_furniture() -> None:
    document = read(pdf_bytes([[(72, 760, 11, f"Ticket {number}")] for number in range(5)]))
    assert not of_kind(document, BlockKind.FURNITURE)


def test_lines_with_room_between_them_make_up_a_paragraph_too() -> None:
    wide = [(72.0, 700.0 - 26 * number, 11.0, line) for number, line in enumerate([*BODY, *BODY])]
    assert of_kind(read(pdf_bytes([wide])), BlockKind.PARAGRAPH)[0].startswith(" ".join(BODY).replace("land- lord", "landlord"))
    labels = [(72.0, 400.0 - 26 * number, 11.0, label) for number, label in enumerate(["Name", "Town", "Rent a month"])]
    assert [label for label in ("Name", "Town", "Rent a month") if label in of_kind(read(pdf_bytes([[*wide, *labels]])), BlockKind.PARAGRAPH)]
