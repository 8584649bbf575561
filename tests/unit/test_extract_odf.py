"""OpenDocument texts, sheets and slides, in packages and in one flat file."""

from __future__ import annotations

import contextlib
import io
import zipfile
from typing import Any

import pytest

from core.documents import ExtractedDocument, PageUnit
from core.errors import Encrypted, ExtractionError, LimitExceeded, Malformed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract

_NAMES = "office text table drawing style presentation meta chart".split()
_SPACES = " ".join(f'xmlns:{"draw" if name == "drawing" else name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in _NAMES)
_SPACES += (
    ' xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink"'
    ' xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"'
)
_MIME = "application/vnd.oasis.opendocument."


def package(kind: str, body: str, *, styles: str = "", head: str = "", extra: dict[str, str] | None = None) -> bytes:
    """A package whose body is `<office:kind>body</office:kind>`; `head` are the automatic styles, `styles` the master styles."""
    output = io.BytesIO()
    content = f"<office:automatic-styles>{head}</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", _MIME + kind)
        archive.writestr("content.xml", f"<office:document-content {_SPACES}>{content}</office:document-content>")
        archive.writestr("styles.xml", f"<office:document-styles {_SPACES}>{styles}</office:document-styles>")
        for name, part in (extra or {}).items():
            archive.writestr(name, part)
    return output.getvalue()


def read(data: bytes, name: str = "a.odt", **limits: Any) -> ExtractedDocument:
    return extract(Source(data, name, ExtractionLimits(**limits)))


def blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


# -- texts -------------------------------------------------------------------------------------------------------------------------------


def test_headings_lists_notes_and_comments() -> None:
    numbered = '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="1"/>'
    numbered += '<text:list-level-style-number text:level="2" style:num-format="a" style:num-prefix="(" style:num-suffix=")"/></text:list-style>'
    body = (
        '<text:h text:outline-level="1">Lease</text:h><text:h text:outline-level="2">Term</text:h>'
        '<text:p>Two<text:s text:c="3"/>years<text:note><text:note-citation>1</text:note-citation><text:note-body>'
        "<text:p>From May.</text:p></text:note-body>"
        "</text:note>.<office:annotation><dc:creator>Ann</dc:creator><text:p>Sure?</text:p></office:annotation></text:p>"
        '<text:list text:style-name="L1"><text:list-item><text:p>milk</text:p><text:list><text:list-item><text:p>fresh</text:p></text:list-item>'
        "</text:list></text:list-item><text:list-item><text:p>eggs</text:p></text:list-item></text:list>"
        "<text:list><text:list-item><text:p>tea</text:p></text:list-item></text:list>"
    )
    document = read(package("text", body, head=numbered))
    assert blocks(document) == [
        ("heading", "Lease"),
        ("heading", "Term"),
        ("paragraph", "Two years."),
        ("note", "Note 1: From May."),
        ("note", "Comment by Ann: Sure?"),
        ("list_item", "1. milk"),
        ("list_item", "(a) fresh"),
        ("list_item", "2. eggs"),
        ("list_item", "• tea"),
    ]
    assert document.sections[-1].path == ("Lease", "Term")


def test_deleted_text_is_left_out_and_page_frames_and_indexes_are_furniture() -> None:
    styles = (
        "<office:master-styles><style:master-page><style:header><text:p>Confidential</text:p></style:header>"
        "</style:master-page></office:master-styles>"
    )
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>two months</text:p></text:deletion>"
        "</text:changed-region></text:tracked-changes>"
        "<text:table-of-content><text:index-body><text:p>Term 1</text:p></text:index-body></text:table-of-content>"
        '<text:section><text:p>Notice: <text:change text:change-id="x"/>three months</text:p></text:section>'
    )
    assert blocks(read(package("text", body, styles=styles))) == [
        ("furniture", "Confidential"),
        ("furniture", "Term 1"),
        ("paragraph", "Notice: three months"),
    ]


def test_tables_with_spans_and_text_boxes_beside_the_body() -> None:
    body = (
        "<text:p>Body<draw:frame><draw:text-box><text:p>In the box</text:p></draw:text-box></draw:frame></text:p><table:table>"
        "<table:table-header-rows>"
        "<table:table-row><table:table-cell><text:p>Area</text:p></table:table-cell><table:table-cell><text:p>Cost</text:p></table:table-cell>"
        '</table:table-row></table:table-header-rows><table:table-row><table:table-cell table:number-rows-spanned="2"><text:p>North</text:p>'
        "</table:table-cell><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row><table:table-row><table:covered-table-cell/>"
        '<table:table-cell><table:table><table:table-row><table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell>'
        "</table:table-row></table:table></table:table-cell></table:table-row></table:table>"
    )
    document = read(package("text", body))
    assert blocks(document)[:2] == [("paragraph", "Body"), ("paragraph", "In the box")]
    table = document.tables[0]
    assert table.rows == (("Area", "Cost"), ("North", "1"), ("North", "x, x"))
    assert (table.header_rows, table.spans) == (1, ((1, 0, 2, 1),))


def test_embedded_formulas_and_charts_are_read() -> None:
    formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><msup><mi>x</mi><mn>2</mn></msup></math>'
    cell = "<table:table-cell><text:p>{}</text:p></table:table-cell>"
    rows = "".join(f"<table:table-row>{cell.format(a)}{cell.format(b)}</table:table-row>" for a, b in [("", "Sales"), ("May", "7")])
    chart = f"<office:document-content {_SPACES}><chart:chart><chart:title><text:p>Sales by month</text:p></chart:title>"
    chart += f"<table:table>{rows}</table:table></chart:chart></office:document-content>"
    frames = "".join(f'<draw:frame><draw:object xlink:href="./{name}"><text:p/></draw:object></draw:frame>' for name in ("Object 1", "Object 2"))
    document = read(package("text", f"<text:p>{frames}</text:p>", extra={"Object 1/content.xml": formula, "Object 2/content.xml": chart}))
    assert blocks(document) == [("paragraph", "x^2"), ("caption", "Sales by month"), ("table", "| Sales\nMay | 7")]


def test_metadata_and_the_flat_form() -> None:
    about = (
        "<office:meta><dc:title>Plan</dc:title><dc:creator>Ann</dc:creator><meta:creation-date>2024-05-01T10:00:00</meta:creation-date></office:meta>"
    )
    flat = f'<?xml version="1.0"?><office:document {_SPACES} office:mimetype="{_MIME}text">{about}<office:body><office:text><text:p>Hi</text:p>'
    document = read((flat + "</office:text></office:body></office:document>").encode(), "a.fodt")
    assert (document.text, document.metadata.title, document.metadata.authors) == ("Hi", "Plan", ("Ann",))
    assert document.metadata.created_at is not None
    assert document.metadata.created_at.isoformat() == "2024-05-01T10:00:00+00:00"


# -- sheets ------------------------------------------------------------------------------------------------------------------------------


def _cell(value: str, **attributes: str) -> str:
    written = " ".join(f'{name.replace("__", ":").replace("_", "-")}="{text}"' for name, text in attributes.items())
    return f"<table:table-cell {written}><text:p>{value}</text:p></table:table-cell>"


def _sheet(name: str, *rows: str, style: str = "") -> str:
    written = "".join(f"<table:table-row>{row}</table:table-row>" for row in rows)
    return f'<table:table table:name="{name}" table:style-name="{style}">{written}</table:table>'


def test_sheets_show_values_and_mark_hidden_ones() -> None:
    hidden = '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>'
    rows = [
        _cell("Day") + _cell("Share") + _cell("Cost") + _cell("Sum"),
        _cell("1 May 24", office__value_type="date", office__date_value="2024-05-01")
        + _cell("25 %", office__value_type="percentage", office__value="0.25")
        + _cell("1.200,50 €", office__value_type="currency", office__value="1200.5", office__currency="EUR")
        + _cell("3,0", office__value_type="float", office__value="3"),
    ]
    document = read(package("spreadsheet", _sheet("Costs", *rows) + _sheet("Old", _cell("x"), style="ta2"), head=hidden), "a.ods")
    assert [page.label for page in document.pages] == ["Costs", "Old (hidden)"]
    assert document.page_unit is PageUnit.SHEET
    assert document.tables[0].rows == (("Day", "Share", "Cost", "Sum"), ("2024-05-01", "25%", "1200.5 EUR", "3"))


def test_repetitions_of_cells_and_rows_are_bounded() -> None:
    many = 'table:number-columns-repeated="999999999"'
    body = (
        f'<table:table table:name="A"><table:table-row table:number-rows-repeated="1048000"><table:table-cell {many}/></table:table-row>'
        f'<table:table-row table:number-rows-repeated="1048576"><table:table-cell {many}><text:p>x</text:p></table:table-cell>'
        f"</table:table-row></table:table>"
    )
    document = read(package("spreadsheet", body), "a.ods", cells=5_000)
    assert len(document.tables[0].rows) == 5
    assert document.warnings


def test_merged_cells_of_sheets_are_spans_below_blank_rows() -> None:
    blank = '<table:table-row table:number-rows-repeated="30"><table:table-cell/></table:table-row>'
    rows = f"<table:table-row>{_cell('Area')}{_cell('Cost')}</table:table-row><table:table-row>{_cell('North', table__number_rows_spanned='2')}"
    rows += f"{_cell('1')}</table:table-row><table:table-row><table:covered-table-cell/>{_cell('2')}</table:table-row>"
    table = read(package("spreadsheet", f'<table:table table:name="A">{blank}{rows}</table:table>'), "a.ods").tables[0]
    assert table.rows == (("Area", "Cost"), ("North", "1"), ("North", "2"))
    assert table.spans == ((1, 0, 2, 1),)
    assert (table.row_numbers, table.column_numbers) == ((31, 32, 33), (1, 2))


# -- slides ------------------------------------------------------------------------------------------------------------------------------


def test_slides_in_order_with_notes_and_groups() -> None:
    box = "<draw:frame presentation:class='{}'><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    hidden = (
        '<style:style style:name="dp2" style:family="drawing-page"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    )
    body = (
        f"<draw:page>{box.format('outline', 'First point')}{box.format('title', 'Plan')}<draw:g><draw:custom-shape>"
        f"<text:p>In a group</text:p></draw:custom-shape>"
        f"</draw:g>{box.format('footer', 'ACME')}<presentation:notes>{box.format('notes', 'Say hello')}</presentation:notes></draw:page>"
        "<draw:page draw:style-name='dp2'><draw:custom-shape><text:p>Untitled</text:p></draw:custom-shape></draw:page>"
    )
    document = read(package("presentation", body, head=hidden), "a.odp")
    assert blocks(document) == [
        ("heading", "Plan"),
        ("paragraph", "First point"),
        ("paragraph", "In a group"),
        ("furniture", "ACME"),
        ("note", "Say hello"),
        ("paragraph", "Untitled"),
    ]
    assert [page.label for page in document.pages] == ["1", "2 (hidden)"]


# -- hostile -----------------------------------------------------------------------------------------------------------------------------


def test_encrypted_files_ask_for_a_password() -> None:
    manifest = '<manifest:manifest xmlns:manifest="urn:x"><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>'
    with pytest.raises(Encrypted, match="password"):
        read(package("text", "<text:p>x</text:p>", extra={"META-INF/manifest.xml": manifest}))


def test_bombs_are_refused_and_entities_are_not_expanded() -> None:
    with pytest.raises(LimitExceeded):
        read(package("text", f"<text:p>{'a' * 60_000_000}</text:p>"), decompressed_bytes=1 << 20)
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10 if n else "ha"}">' for n in range(9))
    flat = (
        f"<!DOCTYPE x [{entities}]><office:document {_SPACES}><office:body><office:text><text:p>seen &e8;</text:p>"
        f"</office:text></office:body></office:document>"
    )
    document = read(flat.encode(), "a.fodt")
    assert len(document.text) < 1000


def test_text_nested_without_end_ends() -> None:
    body = "<text:section>" * 200 + "<text:p>deep</text:p>" + "</text:section>" * 200
    with contextlib.suppress(ExtractionError):
        read(package("text", "<text:p>top</text:p>" + body))


@pytest.mark.parametrize("kind", ["text", "spreadsheet", "presentation"])
@pytest.mark.parametrize("seed", range(8))
def test_damaged_packages_end_as_text_or_as_one_of_our_errors(kind: str, seed: int) -> None:
    data = bytearray(package(kind, _sheet("A", _cell("x") * 40) + "<draw:page/><text:p>hello</text:p>" * 9))
    for step in range(seed, len(data), 61 + 13 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        read(bytes(data))


def test_a_package_without_content_is_malformed() -> None:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr("mimetype", _MIME + "text")
    with pytest.raises(Malformed, match="content"):
        read(output.getvalue())
