"""Word, Excel and PowerPoint: structure, and packages that are odd, damaged or hostile."""

from __future__ import annotations

import datetime as dt
import io
import re
import zipfile
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml
from openpyxl.comments import Comment
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

from core.documents import BlockKind, ExtractedDocument, PageUnit
from core.errors import Empty, Encrypted, LimitExceeded, Malformed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract
from tests.support.office_files import docx_bytes, pptx_bytes, read_part, replace_parts, xlsx_bytes

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

_LOST_PICTURE = b'<Relationship Id="rId99" Target="media/lost.png" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/image"/>'


def read(data: bytes, name: str, **limits: Any) -> ExtractedDocument:
    return extract(Source(data, name, ExtractionLimits(**limits)))


def blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def _append(document: Any, xml: str) -> None:
    document.element.body.insert(len(document.element.body) - 1, parse_xml(xml))


# -- Word --------------------------------------------------------------------------------------------------------------------------------


def _lease() -> Any:
    document = docx.Document()
    document.core_properties.title = "Halden lease"
    document.sections[0].header.paragraphs[0].text = "Confidential"
    document.add_heading("Lease", 0)
    document.add_heading("Term", 1)
    document.add_paragraph("Two years.")
    document.add_heading("Notice", 2)
    document.add_paragraph("in writing", style="List Bullet")
    table = document.add_table(rows=3, cols=2)
    for row, cells in zip(table.rows, [("Item", "Cost"), ("Rent", "900"), ("Heat", "80")], strict=True):
        for cell, text in zip(row.cells, cells, strict=True):
            cell.text = text
    return document


def test_word_headings_lists_tables_and_headers() -> None:
    document = read(docx_bytes(_lease()), "lease.docx")
    assert blocks(document) == [
        ("furniture", "Confidential"),
        ("heading", "Lease"),
        ("heading", "Term"),
        ("paragraph", "Two years."),
        ("heading", "Notice"),
        ("list_item", "• in writing"),
        ("table", "Item | Cost\nRent | 900\nHeat | 80"),
    ]
    assert [section.path for section in document.sections] == [(), ("Lease",), ("Term",), ("Term", "Notice")]
    assert document.tables[0].header_rows == 1
    assert document.metadata.title == "Halden lease"


def test_word_reads_as_if_all_changes_were_accepted() -> None:
    document = docx.Document()
    _append(
        document,
        f"<w:p {_W}><w:r><w:t>Notice is </w:t></w:r><w:del><w:r><w:delText>two</w:delText></w:r></w:del>"
        "<w:ins><w:r><w:t>three</w:t></w:r></w:ins><w:r><w:t xml:space='preserve'> months</w:t></w:r></w:p>",
    )
    assert read(docx_bytes(document), "a.docx").text == "Notice is three months"


def test_word_text_boxes_are_read_once_beside_the_body() -> None:
    box = f"<w:txbxContent {_W}><w:p><w:r><w:t>In the box</w:t></w:r></w:p></w:txbxContent>"
    document = docx.Document()
    _append(
        document,
        f'<w:p {_W} xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><w:r><w:t>Body text</w:t></w:r><w:r>'
        f'<mc:AlternateContent><mc:Choice Requires="wps"><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>'
        "</mc:AlternateContent></w:r></w:p>",
    )
    assert blocks(read(docx_bytes(document), "a.docx")) == [("paragraph", "Body text"), ("paragraph", "In the box")]


def test_word_numbers_that_stand_in_no_text_are_written() -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    levels = "".join(
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{style}"/><w:lvlText w:val="{text}"/></w:lvl>'
        for depth, (style, text) in enumerate([("decimal", "%1."), ("decimal", "%1.%2"), ("lowerLetter", "(%3)")])
    )
    numbering.insert(0, parse_xml(f'<w:abstractNum {_W} w:abstractNumId="77">{levels}</w:abstractNum>'))
    numbering.append(parse_xml(f'<w:num {_W} w:numId="78"><w:abstractNumId w:val="77"/></w:num>'))
    for depth, text in [(0, "Term"), (1, "Start"), (1, "End"), (2, "early"), (2, "late"), (0, "Rent"), (1, "Due")]:
        properties = f'<w:pPr><w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="78"/></w:numPr></w:pPr>'
        _append(document, f"<w:p {_W}>{properties}<w:r><w:t>{text}</w:t></w:r></w:p>")
    assert read(docx_bytes(document), "a.docx").text.split("\n") == ["1. Term", "1.1 Start", "1.2 End", "(a) early", "(b) late", "2. Rent", "2.1 Due"]


def test_word_merged_and_nested_tables() -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(table.rows, [("Area", "2023", "2024"), ("North", "1", "2"), ("", "3", "4")], strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(1, 0).merge(table.cell(2, 0))
    inner = table.cell(2, 2).add_table(rows=1, cols=2)
    inner.cell(0, 0).text, inner.cell(0, 1).text = "x", "y"
    assert read(docx_bytes(document), "a.docx").tables[0].rows == (("Area", "2023", "2024"), ("North", "1", "2"), ("North", "3", "4 x, y"))


def test_word_comments_and_their_authors_are_notes() -> None:
    document = docx.Document()
    run = document.add_paragraph("The rent is due.").runs[0]
    document.add_comment(run, text="Which day?", author="Ann")
    assert blocks(read(docx_bytes(document), "a.docx")) == [("paragraph", "The rent is due."), ("note", "Comment by Ann: Which day?")]


def test_bold_lines_are_headings_where_no_style_is() -> None:
    document = docx.Document()
    document.add_paragraph().add_run("Payment").bold = True
    document.add_paragraph("Within a month.")
    assert blocks(read(docx_bytes(document), "a.docx")) == [("heading", "Payment"), ("paragraph", "Within a month.")]


def _strict(package: bytes) -> bytes:
    """The package in the names of ISO 29500 strict."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(output, "w") as copy:
        for name in source.namelist():
            content = re.sub(
                rb"http://schemas\.openxmlformats\.org/(officeDocument|\w+ml)/2006", rb"http://purl.oclc.org/ooxml/\1", source.read(name)
            )
            copy.writestr(name, content)
    return output.getvalue()


def test_strict_packages_are_read() -> None:
    workbook: Any = openpyxl.Workbook()
    workbook.active.append(["Rent", 900])
    assert "Two years." in read(_strict(docx_bytes(_lease())), "a.docx").text
    assert "Rent | 900" in read(_strict(xlsx_bytes(workbook)), "a.xlsx").text
    slides = pptx.Presentation()
    slides.slides.add_slide(slides.slide_layouts[5]).shapes.title.text = "Plan"
    assert "Plan" in read(_strict(pptx_bytes(slides)), "a.pptx").text


def test_a_document_whose_picture_is_lost_is_read() -> None:
    package = docx_bytes(_lease())
    links = read_part(package, "word/_rels/document.xml.rels").replace(
        b"</Relationships>",
        _LOST_PICTURE + b"</Relationships>",
    )
    assert "Two years." in read(replace_parts(package, {"word/_rels/document.xml.rels": links}), "a.docx").text


def test_templates_and_files_with_macros_are_read() -> None:
    package = docx_bytes(_lease())
    types = read_part(package, "[Content_Types].xml").replace(
        b"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml", b"application/vnd.ms-word.document.macroEnabled.main+xml"
    )
    assert "Two years." in read(replace_parts(package, {"[Content_Types].xml": types}), "a.docm").text


def _with_doctype(package: bytes, doctype: bytes, reference: bytes) -> bytes:
    body = read_part(package, "word/document.xml")
    hostile = b'<?xml version="1.0"?><!DOCTYPE d [' + doctype + b"]>" + body[body.index(b"<w:document") :]
    return replace_parts(package, {"word/document.xml": hostile.replace(b"Two years.", b"Two years. " + reference)})


def test_external_entities_are_not_fetched(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("the secret", encoding="utf-8")
    doctype = f'<!ENTITY x SYSTEM "file://{tmp_path}/secret">'.encode()
    text = read(_with_doctype(docx_bytes(_lease()), doctype, b"&x;"), "a.docx").text
    assert "Two years." in text
    assert "secret" not in text


def test_an_entity_bomb_in_a_document_is_refused() -> None:
    entities = b"".join(b'<!ENTITY b%d "%s">' % (n, b"&b%d;" % (n - 1) * 10 if n else b"lol") for n in range(9))
    with pytest.raises(Malformed):
        read(_with_doctype(docx_bytes(_lease()), entities, b"&b8;"), "a.docx")


def test_what_is_no_document_is_refused_with_a_reason() -> None:
    with pytest.raises(Malformed, match="Word document is damaged"):
        read(docx_bytes(_lease())[:3000], "a.docx")
    with pytest.raises(Empty):
        read(docx_bytes(docx.Document()), "a.docx")


# -- bombs -------------------------------------------------------------------------------------------------------------------------------


def test_a_container_that_unpacks_to_too_much_is_refused_unopened() -> None:
    package = replace_parts(docx_bytes(_lease()), {"word/media/zeros.bin": b"\0" * (60 << 20)})
    with pytest.raises(LimitExceeded, match="archive bomb"):
        read(package, "a.docx")
    with pytest.raises(LimitExceeded, match="unpacks to"):
        read(package, "a.docx", decompressed_bytes=1 << 20)
    with pytest.raises(LimitExceeded, match="parts"):
        read(package, "a.docx", members=3)


def test_encrypted_members_are_locked_not_empty() -> None:
    data = bytearray(docx_bytes(_lease()))
    for match in re.finditer(b"PK\x01\x02|PK\x03\x04", bytes(data)):
        data[match.start() + (8 if match[0] == b"PK\x01\x02" else 6)] |= 1
    with pytest.raises((Encrypted, Malformed)):
        read(bytes(data), "a.docx")


def test_an_encrypted_office_file_is_locked() -> None:
    container = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "EncryptionInfo".encode("utf-16-le") + "EncryptedPackage".encode("utf-16-le")
    with pytest.raises(Encrypted, match="password"):
        read(container, "a.docx")


# -- Excel -------------------------------------------------------------------------------------------------------------------------------


def test_excel_sheets_are_pages_sections_and_tables() -> None:
    workbook: Any = openpyxl.Workbook()
    costs = workbook.active
    costs.title = "Q2 costs"
    costs.append(["Item", "Due", "Amount", "Share", "Paid"])
    costs.append(["Rent", dt.date(2024, 5, 1), 900.5, 0.125, True])
    costs.append(
        [
            "Heat",
            dt.datetime(2024, 5, 2, 8, 30),  # noqa: DTZ001  (Excel knows no zones)
            0.1 + 0.2,
            1,
            False,
        ]
    )
    costs["C2"].number_format = '"$"#,##0.00'
    costs["D2"].number_format = costs["D3"].number_format = "0.0%"
    workbook.create_sheet("Nothing")
    secret = workbook.create_sheet("Plan")
    secret["C5"] = "only cell"
    secret.sheet_state = "hidden"
    document = read(xlsx_bytes(workbook), "a.xlsx")
    assert document.page_unit is PageUnit.SHEET
    assert [page.label for page in document.pages] == ["Q2 costs", "Nothing", "Plan (hidden)"]
    assert blocks(document) == [
        ("heading", "Q2 costs"),
        ("table", "Item | Due | Amount | Share | Paid\nRent | 2024-05-01 | $900.5 | 12.5% | TRUE\nHeat | 2024-05-02 08:30:00 | 0.3 | 100% | FALSE"),
        ("heading", "Plan (hidden)"),
        ("paragraph", "only cell"),
    ]
    assert [block.page for block in document.blocks] == [1, 1, 3, 3]
    assert document.tables[0].header_rows == 1


def test_excel_titles_and_tables_below_each_other_are_told_apart() -> None:
    workbook: Any = openpyxl.Workbook()
    rows: list[list[Any]] = [["Ducks per year"], ["Year", "Ducks"], [2019, 120], [2020, 130], [], [], ["Town", "Swans"], ["Bonn", 3]]
    for row in rows:
        workbook.active.append(row)
    document = read(xlsx_bytes(workbook), "a.xlsx")
    assert blocks(document)[1:] == [
        ("paragraph", "Ducks per year"),
        ("table", "Year | Ducks\n2019 | 120\n2020 | 130"),
        ("table", "Town | Swans\nBonn | 3"),
    ]
    assert [table.caption for table in document.tables] == ["Ducks per year", ""]


def test_excel_comments_are_notes() -> None:
    workbook: Any = openpyxl.Workbook()
    workbook.active["B2"] = 5
    workbook.active["B2"].comment = Comment("Checked twice", "Ann")
    assert ("note", "Comment by Ann on B2: Checked twice") in blocks(read(xlsx_bytes(workbook), "a.xlsx"))


def test_formulas_that_were_never_computed_are_said() -> None:
    workbook: Any = openpyxl.Workbook()
    for row in (["Sum", 2], ["Total", "=B1*3"]):
        workbook.active.append(row)
    package = xlsx_bytes(workbook)
    assert "1 formulas of sheet “Sheet” hold no computed value" in read(package, "a.xlsx").warnings[0]
    sheet = read_part(package, "xl/worksheets/sheet1.xml")
    computed = replace_parts(package, {"xl/worksheets/sheet1.xml": re.sub(rb"</f><v\s*/>|</f><v></v>", b"</f><v>6</v>", sheet)})
    assert "Total | 6" in read(computed, "a.xlsx").text
    assert read(computed, "a.xlsx").warnings == ()


def test_excel_is_bounded_by_cells_that_hold_something() -> None:
    workbook: Any = openpyxl.Workbook()
    for number in range(500):
        workbook.active.append([f"row {number}", number])
    document = read(xlsx_bytes(workbook), "a.xlsx", cells=100)
    assert "row 49" in document.text
    assert "row 60" not in document.text
    assert "limits are reached" in document.warnings[0]


def test_a_declared_dimension_of_the_whole_grid_costs_nothing() -> None:
    workbook: Any = openpyxl.Workbook()
    workbook.active["A1"] = "here"
    package = xlsx_bytes(workbook)
    sheet = re.sub(rb'<dimension ref="[^"]*"\s*/>', b'<dimension ref="A1:XFD1048576"/>', read_part(package, "xl/worksheets/sheet1.xml"))
    assert "here" in read(replace_parts(package, {"xl/worksheets/sheet1.xml": sheet}), "a.xlsx").text


def test_an_entity_bomb_in_a_workbook_is_refused() -> None:
    workbook: Any = openpyxl.Workbook()
    workbook.active["A1"] = "here"
    package = xlsx_bytes(workbook)
    sheet = read_part(package, "xl/worksheets/sheet1.xml")
    hostile = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + sheet[sheet.index(b"<worksheet") :].replace(b"<v>0</v>", b"<v>&b;</v>")
    with pytest.raises(Malformed):
        read(replace_parts(package, {"xl/worksheets/sheet1.xml": hostile}), "a.xlsx")


# -- PowerPoint --------------------------------------------------------------------------------------------------------------------------


def _slides() -> Any:
    presentation = pptx.Presentation()
    first = presentation.slides.add_slide(presentation.slide_layouts[1])
    first.shapes.title.text = "Results"
    first.placeholders[1].text = "Sales grew\nCosts fell"
    first.notes_slide.notes_text_frame.text = "Thank the team"
    second = presentation.slides.add_slide(presentation.slide_layouts[6])
    box = second.shapes.add_textbox(Inches(1), Inches(1), Inches(3), Inches(1))
    box.text_frame.text = "No title here"
    group = second.shapes.add_group_shape()
    group.shapes.add_textbox(Inches(1), Inches(3), Inches(3), Inches(1)).text_frame.text = "In a group"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(4), Inches(4), Inches(1)).table
    for row, texts in enumerate([("Town", "Sales"), ("Bonn", "12")]):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    return presentation


def test_powerpoint_slides_titles_notes_groups_and_tables() -> None:
    document = read(pptx_bytes(_slides()), "a.pptx")
    assert document.page_unit is PageUnit.SLIDE
    assert [(block.page, *pair) for block, pair in zip(document.blocks, blocks(document), strict=True)] == [
        (1, "heading", "Results"),
        (1, "list_item", "Sales grew"),
        (1, "list_item", "Costs fell"),
        (1, "note", "Thank the team"),
        (2, "paragraph", "No title here"),
        (2, "paragraph", "In a group"),
        (2, "table", "Town | Sales\nBonn | 12"),
    ]
    assert [section.path for section in document.sections] == [("Results",), ()]


def test_powerpoint_charts_are_the_tables_they_show() -> None:
    presentation = pptx.Presentation()
    slide = presentation.slides.add_slide(presentation.slide_layouts[6])
    data: Any = CategoryChartData()  # type: ignore[no-untyped-call]  # python-pptx has no types here
    data.categories = ["2023", "2024"]
    data.add_series("Ducks", (12, 14.5))
    slide.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(4), Inches(3), data)
    assert read(pptx_bytes(presentation), "a.pptx").tables[0].rows == (("", "Ducks"), ("2023", "12"), ("2024", "14.5"))


def test_a_presentation_whose_picture_is_lost_keeps_its_slides() -> None:
    package = pptx_bytes(_slides())
    name = "ppt/slides/_rels/slide2.xml.rels"
    links = read_part(package, name).replace(
        b"</Relationships>",
        _LOST_PICTURE + b"</Relationships>",
    )
    assert len(read(replace_parts(package, {name: links}), "a.pptx").pages) == 2


def test_hidden_slides_are_marked() -> None:
    presentation = _slides()
    presentation.slides[1]._element.set("show", "0")
    assert [page.label for page in read(pptx_bytes(presentation), "a.pptx").pages] == ["1", "2 (hidden)"]


def test_kinds_of_blocks_are_those_of_the_model() -> None:
    kinds = {block.kind for block in read(pptx_bytes(_slides()), "a.pptx").blocks}
    assert kinds <= set(BlockKind)
