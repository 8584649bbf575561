"""PDF: form fields, comments, highlights, attached files, page labels, and the limits of each."""

from __future__ import annotations

import io

from pypdf import PdfReader, PdfWriter

from core.documents import BlockKind, ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.pdf.pdf_reader import extract
from tests.support.pdf_files import PdfFile, line_operators, text_operator

BODY = ["The tenant may end this lease by giving notice three months before", "the day on which it is to end, and no later than on that day."]


def read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.pdf", recognize=False))


def of_kind(document: ExtractedDocument, kind: BlockKind) -> list[str]:
    return [document.text[block.start : block.end] for block in document.blocks if block.kind is kind]


def form() -> bytes:
    file = PdfFile()
    look = file.stream("", "/Type /XObject /Subtype /Form /BBox [0 0 9 9]")
    states = f"/AP << /N << /Yes {look} 0 R /Off {look} 0 R >> >>"
    widget = "/Type /Annot /Subtype /Widget /Rect [60 {0} 260 {1}]"
    fields = [
        file.add(f"<< {widget.format(600, 620)} /FT /Tx /T (tenant) /TU (Name of the tenant) /V (Anna Berg) >>"),
        file.add(f"<< {widget.format(570, 590)} /FT /Tx /T (town) /V () >>"),
        file.add(f"<< {widget.format(540, 560)} /FT /Btn /T (pets) /V /Yes /AS /Yes {states} >>"),
        file.add(f"<< {widget.format(510, 530)} /FT /Btn /T (smoker) /V /Off /AS /Off {states} >>"),
        file.add(f"<< {widget.format(480, 500)} /FT /Ch /Ff 131072 /T (rent) /Opt [(monthly) (yearly)] /V (yearly) >>"),
        file.add(f"<< {widget.format(450, 470)} /FT /Btn /Ff 65536 /T (send) >>"),
    ]
    listed = " ".join(f"{number} 0 R" for number in fields)
    file.page(line_operators(60, 700, BODY), f"/Annots [{listed}]")
    file.catalogue(f"/AcroForm << /Fields [{listed}] /DA (/Helv 0 Tf) >>")
    return file.bytes()


def test_filled_fields_boxes_and_choices_are_read() -> None:
    assert of_kind(read(form()), BlockKind.LIST_ITEM) == ["Name of the tenant: Anna Berg", "☒ pets", "☐ smoker", "rent: yearly"]


def annotated(*annotations: str) -> ExtractedDocument:
    file = PdfFile()
    numbers = [file.add(f"<< /Type /Annot {entries} >>") for entries in annotations]
    file.page(line_operators(60, 700, BODY), "/Annots [" + " ".join(f"{number} 0 R" for number in numbers) + "]")
    file.page(line_operators(60, 700, ["The second page has no notes."]))
    return read(file.bytes())


def test_comments_and_highlights_are_notes_of_their_page() -> None:
    quads = "/QuadPoints [122 712 335 712 122 698 335 698]"
    document = annotated(
        "/Subtype /Text /Rect [20 700 40 720] /T (Anna) /Contents (Is this too late?)",
        f"/Subtype /Highlight /Rect [122 698 335 712] {quads} /Contents (ask)",
        "/Subtype /FreeText /Rect [60 300 200 340] /Contents (Draft of May)",
        "/Subtype /Link /Rect [60 300 200 340] /A << /S /URI /URI (https://example.org) >>",
        "/Subtype /Text /F 2 /Rect [20 700 40 720] /Contents (hidden)",
    )
    notes = of_kind(document, BlockKind.NOTE)
    assert notes[0] == "Comment by Anna: Is this too late?"
    assert notes[1].startswith("Highlighted: “")
    assert "end this lease by giving notice" in notes[1]
    assert notes[1].endswith("(ask)")
    assert notes[2:] == ["Text box: Draft of May"]
    assert {block.page for block in document.blocks if block.kind is BlockKind.NOTE} == {1}


def test_a_page_with_very_many_notes_is_cut_with_a_warning() -> None:
    document = annotated(*(f"/Subtype /Text /Rect [20 700 40 720] /Contents (Note {number})" for number in range(1_200)))
    assert len(of_kind(document, BlockKind.NOTE)) == 1_000
    assert any("more form fields and notes" in warning for warning in document.warnings)


def test_attached_files_are_named() -> None:
    file = PdfFile()
    file.page(line_operators(60, 700, BODY))
    writer = PdfWriter(PdfReader(io.BytesIO(file.bytes())))
    writer.add_attachment("rent.csv", b"year,rent\n2024,900\n")
    writer.add_attachment("keys.txt", b"two keys")
    output = io.BytesIO()
    writer.write(output)
    assert "Attached files: keys.txt, rent.csv" in of_kind(read(output.getvalue()), BlockKind.NOTE)


def test_page_labels_are_those_of_the_file_and_short() -> None:
    file = PdfFile()
    for number in range(3):
        file.page(line_operators(60, 700, [f"Words of page {number}."]))
    file.catalogue(f"/PageLabels << /Nums [0 << /S /r >> 1 << /S /D /P (A-) >> 2 << /P ({'long ' * 5_000}) >>] >>")
    labels = [page.label for page in read(file.bytes()).pages]
    assert labels[:2] == ["i", "A-1"]
    assert len(labels[2]) <= 40


def test_what_the_file_says_of_itself_is_bounded() -> None:
    file = PdfFile()
    file.page(line_operators(60, 700, BODY))
    writer = PdfWriter(PdfReader(io.BytesIO(file.bytes())))
    writer.add_metadata({"/Title": "T" * 100_000, "/Author": "A" * 100_000, "/Keywords": "K, " * 100_000})
    output = io.BytesIO()
    writer.write(output)
    metadata = read(output.getvalue()).metadata
    assert len(metadata.title) <= 1_000
    assert len(metadata.authors[0]) <= 1_000
    assert len(metadata.extra["keywords"]) <= 5_000


def test_the_first_of_very_many_bookmarks_count() -> None:
    file = PdfFile()
    page = file.page([text_operator(60, 740, "1 Termination"), *line_operators(60, 700, BODY)])
    count = 20_000
    root = page + 1
    file.add(f"<< /Type /Outlines /First {root + 1} 0 R /Last {root + count} 0 R /Count {count} >>")
    for number in range(1, count + 1):
        following = f"/Next {root + number + 1} 0 R" if number < count else ""
        file.add(f"<< /Title ({'Termination' if number == 1 else 'Notice'}) /Parent {root} 0 R {following} /Dest [{page} 0 R /Fit] >>")
    file.catalogue(f"/Outlines {root} 0 R")
    assert of_kind(read(file.bytes()), BlockKind.HEADING) == ["1 Termination"]


def test_links_lead_from_the_words_that_carry_them() -> None:
    file = PdfFile()
    uri = file.add("<< /Type /Annot /Subtype /Link /Rect [60 698 138 712] /A << /S /URI /URI (https://example.org/lease) >> >>")
    remote = file.add("<< /Type /Annot /Subtype /Link /Rect [60 598 200 612] /A << /S /GoToR /F (annex.pdf) /D [0 /Fit] >> >>")
    file.page([*line_operators(60, 700, BODY), text_operator(60, 600, "See the annex")], f"/Annots [{uri} 0 R {remote} 0 R]")
    document = read(file.bytes())
    assert [(document.text[link.start : link.end], link.target) for link in document.links] == [
        ("The tenant may", "https://example.org/lease"),
        ("See the annex", "annex.pdf"),
    ]


def test_the_language_is_that_of_the_catalogue() -> None:
    file = PdfFile()
    file.page(line_operators(60, 700, BODY))
    file.catalogue("/Lang (de-CH)")
    assert read(file.bytes()).metadata.language == "de"
