"""Binary workbooks: sheets, formats, merged cells, and what must not be loaded."""

from __future__ import annotations

import contextlib
import struct
from typing import Any

import pytest

from core.documents import ExtractedDocument, PageUnit
from core.errors import Encrypted, ExtractionError, LimitExceeded, Malformed
from ingestion.extractors.registry import extract
from ingestion.extractors.source import ExtractionLimits, Source
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


def test_cells_that_lie_too_far_apart_are_not_loaded() -> None:
    stream = workbook_stream({"A": [["x"]]})
    far = record(0x0203, struct.pack("<HHHd", 65535, 255, 0, 1.0)) + record(0x000A)
    with pytest.raises(LimitExceeded, match="too far apart"):
        _read(stream[:-4] + far, memory_mb=64)


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
