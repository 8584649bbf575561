"""Binary workbooks: sheets, formats, merged cells, and what must not be loaded."""

from __future__ import annotations

import contextlib
import io
import struct
import zipfile
from typing import Any

import pytest

from core.documents import ExtractedDocument, PageUnit
from core.errors import Encrypted, ExtractionError, LimitExceeded, Malformed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.legacy.biff import records
from ingestion.readers.registry import extract
from tests.support.ole_files import compound_bytes, record, workbook_stream

_ROWS: list[list[str | float]] = [["Area", "Share", "Cost"], ["North", 0.25, 1200.5], ["South", 0.755, 80]]


def _read(stream: bytes, **limits: Any) -> ExtractedDocument:
    return extract(Source(compound_bytes({"Workbook": stream}), "a.xls", ExtractionLimits(**limits)))


def test_sheets_with_their_formats_and_hidden_ones_marked() -> None:
    stream = workbook_stream(
        {"Costs": _ROWS, "Notes": [["Übergröße"]]},
        hidden=["Notes"],
        formats=["0.0%", "[$€-407] #,##0.00"],
        styles={(1, 1): 1, (2, 1): 1, (1, 2): 2, (2, 2): 2},
    )
    document = _read(stream)
    assert [page.label for page in document.pages] == ["Costs", "Notes (hidden)"]
    assert document.page_unit is PageUnit.SHEET
    assert document.tables[0].rows == (("Area", "Share", "Cost"), ("North", "25%", "€1200.5"), ("South", "75.5%", "€80"))
    assert document.tables[0].header_rows == 1
    assert document.text.endswith("Übergröße")


def test_merged_cells_are_spans() -> None:
    rows: list[list[str | float]] = [["", "Area", "Cost"], ["", "North", 1], ["", "", 2]]
    table = _read(workbook_stream({"A": rows}, merged=[(1, 2, 1, 1)])).tables[0]
    assert table.rows == (("Area", "Cost"), ("North", "1"), ("North", "2"))
    assert table.spans == ((1, 0, 2, 1),)
    assert (table.row_numbers, table.column_numbers) == ((1, 2, 3), (2, 3))


def test_cells_that_lie_far_apart_take_no_memory() -> None:
    stream = workbook_stream({"A": [["x"]]})
    far = record(0x0203, struct.pack("<HHHd", 65535, 255, 0, 1.0)) + record(0x000A)
    assert _read(stream[:-4] + far, memory_mb=64).text == "A\n\nx\n\n1"


def _with_cells(*cells: bytes, formats: tuple[str, ...] = (), shared: bytes = b"") -> bytes:
    """A workbook of one sheet with these records; `shared` are the records of shared strings."""
    plain = workbook_stream({"A": []}, formats=formats)
    head = bytearray(plain[:20] + shared + plain[20:])
    for kind, begin, _ in records(bytes(head)):
        if kind == 0x0085:
            struct.pack_into("<I", head, begin, struct.unpack_from("<I", head, begin)[0] + len(shared))
    return bytes(head[:-4]) + b"".join(cells) + record(0x000A)


def test_shared_strings_may_break_off_anywhere() -> None:
    first = struct.pack("<II", 3, 3) + struct.pack("<HB", 4, 0) + b"Area" + struct.pack("<HBH", 6, 8, 1) + b"Zur"
    second = b"\1" + "ich".encode("utf-16-le") + b"run!" + struct.pack("<HBI", 4, 5, 6) + "Öst".encode("utf-16-le")
    third = b"\0r" + b"extras"
    shared = record(0x00FC, first) + record(0x003C, second) + record(0x003C, third)
    cells = [record(0x00FD, struct.pack("<HHHI", row, 0, 0, row)) for row in range(4)]
    assert _read(_with_cells(*cells, shared=shared)).text == "A\n\nArea\nZurich\nÖstr"


def test_numbers_days_truths_errors_and_results_of_formulas() -> None:
    formula = struct.pack("<HHH", 4, 0, 0)
    cells = [
        record(0x027E, struct.pack("<HHHI", 0, 0, 0, 7 << 2 | 2)),  # whole
        record(0x027E, struct.pack("<HHHI", 0, 1, 0, (-5 << 2 | 3) & 0xFFFFFFFF)),  # in hundredths
        record(0x00BD, struct.pack("<HHHIHIH", 1, 0, 0, 1 << 2 | 2, 0, 2 << 2 | 2, 1)),
        record(0x0203, struct.pack("<HHHd", 2, 0, 1, 45413.0)),
        record(0x0203, struct.pack("<HHHd", 2, 1, 1, 1e300)),
        record(0x0205, struct.pack("<HHHBB", 3, 0, 0, 1, 0)),
        record(0x0205, struct.pack("<HHHBB", 3, 1, 0, 7, 1)),
        record(0x0006, formula + b"\0\0\0\0\0\0\xff\xff" + b"\0" * 6),
        record(0x0207, struct.pack("<HB", 4, 0) + b"word"),
        record(0x0006, struct.pack("<HHHd", 4, 1, 0, 2.5) + b"\0" * 6),
    ]
    (table,) = _read(_with_cells(*cells, formats=("dd/mm/yyyy",))).tables
    assert table.rows == (("7", "-0.05"), ("1", "2"), ("2024-05-01", "1e+300"), ("TRUE", "#DIV/0!"), ("word", "2.5"))


def test_comments_and_text_boxes_are_notes() -> None:
    def drawn(number: int, text: str) -> bytes:
        body = record(0x005D, struct.pack("<HHHH", 0x15, 0x12, 25, number) + b"\0" * 14)
        return body + record(0x01B6, struct.pack("<HH6xHH", 0, 0, len(text), 0)) + record(0x003C, b"\0" + text.encode())

    note = record(0x001C, struct.pack("<HHHHHB", 1, 27, 0, 1, 3, 0) + b"Ann")
    document = _read(_with_cells(drawn(1, "Ann:\nChecked twice"), drawn(2, "A box"), note))
    assert document.text == "A\n\nComment by Ann on AB2: Checked twice\n\nA box"


def test_a_workbook_of_excel_95_is_read_in_its_code_page() -> None:
    begin = record(0x0809, struct.pack("<HHHH", 0x0500, 5, 0, 0)) + record(0x0042, struct.pack("<H", 1251))
    sheet = record(0x0809, struct.pack("<HHHH", 0x0500, 0x10, 0, 0))
    sheet += record(0x0204, struct.pack("<HHHH", 0, 0, 0, 6) + "Привет".encode("cp1251")) + record(0x000A)
    name = "Лист".encode("cp1251")
    at = len(begin) + 4 + 7 + len(name) + 4
    stream = begin + record(0x0085, struct.pack("<IBBB", at, 0, 0, len(name)) + name) + record(0x000A) + sheet
    assert extract(Source(compound_bytes({"Book": stream}), "a.xls")).text == "Лист\n\nПривет"


def test_rows_over_the_limit_are_left_out_with_a_warning() -> None:
    document = _read(workbook_stream({"A": [["n", "m"], *[[float(n), 1.0] for n in range(100)]]}), cells=40)
    assert len(document.tables[0].rows) == 20
    assert "limits" in document.warnings[0]


def test_a_password_is_asked_for() -> None:
    stream = workbook_stream({"A": [["x"]]})
    begin = stream[:20]
    with pytest.raises(Encrypted, match="password"):
        _read(begin + record(0x002F, b"\1\0" + b"\0" * 52) + stream[20:])


@pytest.mark.parametrize("cut", [530, 600, 1024, 1500])
def test_truncated_workbooks_end_with_a_reason(cut: int) -> None:
    data = compound_bytes({"Workbook": workbook_stream({"A": _ROWS * 60})})
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        assert extract(Source(data[:cut], "a.xls")).text


def test_a_package_that_is_no_workbook_is_malformed() -> None:
    with pytest.raises(Malformed):
        _read(b"\0" * 5000)


# -- binary parts (.xlsb) ----------------------------------------------------------------------------------------------------------------


def _part(kind: int, body: bytes = b"") -> bytes:
    """A record of an .xlsb: type and length in seven bits a byte."""
    head = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = len(body)
    return head + (bytes([size]) if size < 0x80 else bytes([size & 0x7F | 0x80, size >> 7])) + body


def _wide(text: str) -> bytes:
    return struct.pack("<I", len(text)) + text.encode("utf-16-le")


def _xlsb(*cells: tuple[int, int, str | float]) -> bytes:
    rows = b"".join(
        _part(0, struct.pack("<I", row) + b"\0" * 13)
        + (_part(6, struct.pack("<II", column, 0) + _wide(value)) if isinstance(value, str) else _part(5, struct.pack("<IId", column, 0, value)))
        for row, column, value in cells
    )
    sheet = _part(129) + _part(148, struct.pack("<4I", 0, 9, 0, 9)) + _part(145) + rows + _part(146) + _part(130)
    listed = _part(143) + _part(156, struct.pack("<II", 1, 1) + _wide("rId1") + _wide("Costs")) + _part(144)
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"
    link = f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="{kind}" '
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as package:
        package.writestr("[Content_Types].xml", "<Types/>")
        package.writestr("xl/workbook.bin", _part(131) + listed + _part(132))
        package.writestr("xl/_rels/workbook.bin.rels", link + 'Target="worksheets/sheet1.bin"/></Relationships>')
        package.writestr("xl/worksheets/sheet1.bin", sheet)
    return output.getvalue()


def test_binary_parts_are_read_with_hidden_sheets_marked() -> None:
    document = extract(Source(_xlsb((1, 1, "Area"), (1, 2, "Cost"), (2, 1, "North"), (2, 2, 7.0)), "a.xlsb"))
    assert [page.label for page in document.pages] == ["Costs (hidden)"]
    assert document.tables[0].rows == (("Area", "Cost"), ("North", "7"))
    assert (document.tables[0].row_numbers, document.tables[0].column_numbers) == ((2, 3), (2, 3))


def test_binary_parts_whose_cells_lie_too_far_apart_are_not_loaded() -> None:
    with pytest.raises(LimitExceeded, match="too far apart"):
        extract(Source(_xlsb((0, 0, "a"), (1_000_000, 16_000, "b")), "a.xlsb"))


@pytest.mark.parametrize("seed", range(8))
def test_damaged_binary_parts_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    data = bytearray(_xlsb(*((row, 0, "x") for row in range(20))))
    for step in range(seed, len(data), 61 + 13 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        assert extract(Source(bytes(data), "a.xlsb")).text
