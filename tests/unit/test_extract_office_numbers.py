"""Office files whose numbers and parts are not what they should be."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import docx
import openpyxl
import pytest
from docx.oxml import parse_xml

from core.documents import ExtractedDocument
from core.errors import Malformed
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from tests.support.office_files import docx_bytes, read_part, replace_parts, xlsx_bytes

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def read(data: bytes, name: str) -> ExtractedDocument:
    return extract(Source(data, name))


def test_lists_whose_numbers_are_no_numbers_or_too_large_are_read() -> None:
    document = docx.Document()
    numbering = document.part.numbering_part.element
    level = '<w:lvl w:ilvl="{}"><w:start w:val="{}"/><w:numFmt w:val="lowerLetter"/><w:lvlText w:val="%1)"/></w:lvl>'
    for number, start in ((77, "99999999999999999999"), (78, "²"), (79, "999999")):
        levels = level.format(0, start) + level.format("x", 1)
        numbering.insert(0, parse_xml(f'<w:abstractNum {_W} w:abstractNumId="{number}">{levels}</w:abstractNum>'))
        numbering.append(parse_xml(f'<w:num {_W} w:numId="{number}"><w:abstractNumId w:val="{number}"/></w:num>'))
        properties = f'<w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{number}"/></w:numPr></w:pPr>'
        document.element.body.insert(len(document.element.body) - 1, parse_xml(f"<w:p {_W}>{properties}<w:r><w:t>item</w:t></w:r></w:p>"))
    text = read(docx_bytes(document), "a.docx").text
    assert text.count("item") == 3
    assert len(text) < 200


def test_a_row_whose_number_is_beyond_every_sheet_ends() -> None:
    workbook: Any = openpyxl.Workbook()
    workbook.active.append(["Rent", 900])
    workbook.active.append(["Heat", 80])
    package = xlsx_bytes(workbook)
    sheet = read_part(package, "xl/worksheets/sheet1.xml").replace(b'<row r="2"', b'<row r="999999999"')
    assert "Rent | 900" in read(replace_parts(package, {"xl/worksheets/sheet1.xml": sheet}), "a.xlsx").text


def test_a_workbook_whose_list_of_sheets_is_no_xml_is_malformed() -> None:
    package = xlsx_bytes(openpyxl.Workbook())
    with pytest.raises(Malformed):
        read(replace_parts(package, {"xl/workbook.xml": b"<workbook"}), "a.xlsx")


def test_durations_read_as_hours() -> None:
    workbook = openpyxl.Workbook()
    sheet = workbook.worksheets[0]
    sheet.append(["Task", "Hours"])
    for name, hours in (("Digging", timedelta(hours=26, minutes=5)), ("Painting", timedelta(minutes=7, seconds=30))):
        sheet.append([name, hours])
        sheet.cell(sheet.max_row, 2).number_format = "[h]:mm:ss"
    assert read(xlsx_bytes(workbook), "a.xlsx").text.splitlines()[-2:] == ["Digging | 26:05:00", "Painting | 0:07:30"]
