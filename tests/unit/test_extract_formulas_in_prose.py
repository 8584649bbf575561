"""Formulas within pages, Markdown, Word and PowerPoint; charts and spans of Office files."""

from __future__ import annotations

from typing import Any

import docx
import pptx
import pytest
from docx.oxml import parse_xml
from lxml import etree
from pptx.util import Inches

from core.documents import ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.office.charts import read_chart
from ingestion.readers.registry import extract
from ingestion.readers.text.latex_text import write_out_formulas
from tests.support.office_files import docx_bytes, pptx_bytes, read_part, replace_parts

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_M = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_POWER = "<m:sSup><m:e><m:r><m:t>x</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup>"


def _read(data: bytes, name: str) -> ExtractedDocument:
    return extract(Source(data, name))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It costs $5 and $6 today", "It costs $5 and $6 today"),
        ("where $x^2 + y^2$ holds", "where x^2 + y^2 holds"),
        (r"$$\frac{a}{b}$$ and \(\alpha\)", "a/b and α"),
        ("set $HOME/bin and $PATH=x", "set $HOME/bin and $PATH=x"),
        ("the variable $n$.", "the variable n."),
    ],
)
def test_formulas_of_tex_in_prose_and_amounts_of_dollars(text: str, expected: str) -> None:
    assert write_out_formulas(text) == expected


def test_pages_show_mathml_and_tex_once() -> None:
    power = "<math><msup><mi>x</mi><mn>2</mn></msup></math>"
    page = f"<p>So {power}, <span class='katex'>{power}<span class='katex-html'>x2</span></span>"
    page += " and <script type='math/tex'>\\frac{a}{b}</script>.</p>"
    assert _read(page.encode(), "a.html").text == "So x^2 , x^2 and a/b ."
    table = f"<table><tr><th>name</th><th>form</th></tr><tr><td>square</td><td>{power}</td></tr></table>"
    assert _read(table.encode(), "a.html").tables[0].rows[1] == ("square", "x^2")


def test_markdown_writes_formulas_out_but_not_in_code() -> None:
    assert _read(b"# A\n\nwhere $x^2$ is `$x^2$`\n\nand $$\\alpha$$", "a.md").text == "A\n\nwhere $x^2$ is $x^2$\n\nand α"


def test_formulas_of_word_and_powerpoint() -> None:
    document = docx.Document()
    body = f"<w:p {_W} {_M}><w:r><w:t>So </w:t></w:r><m:oMath>{_POWER}</m:oMath><w:r><w:t> holds</w:t></w:r></w:p>"
    document.element.body.insert(0, parse_xml(body))
    assert _read(docx_bytes(document), "a.docx").text == "So x^2 holds"
    slides = pptx.Presentation()
    box = slides.slides.add_slide(slides.slide_layouts[6]).shapes.add_textbox(Inches(1), Inches(1), Inches(1), Inches(1))
    box.text_frame.text = "So"
    math = f'<a14:m xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" {_M}><m:oMath>{_POWER}</m:oMath></a14:m>'
    box.text_frame.paragraphs[0]._p.append(etree.fromstring(math))
    assert _read(pptx_bytes(slides), "a.pptx").text == "So x^2"


def test_spans_of_tables_in_word_powerpoint_and_pages() -> None:
    document = docx.Document()
    table = document.add_table(rows=3, cols=3)
    for row, texts in zip(table.rows, [("Area", "Costs", ""), ("North", "1", "2"), ("", "3", "4")], strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(0, 1).merge(table.cell(0, 2))
    table.cell(1, 0).merge(table.cell(2, 0))
    assert _read(docx_bytes(document), "a.docx").tables[0].spans == ((0, 1, 1, 2), (1, 0, 2, 1))

    slides = pptx.Presentation()
    frame: Any = slides.slides.add_slide(slides.slide_layouts[6]).shapes.add_table(2, 3, Inches(1), Inches(1), Inches(4), Inches(1))
    for place, text in enumerate(["Area", "Costs", ""]):
        frame.table.cell(0, place).text, frame.table.cell(1, place).text = text, str(place)
    frame.table.cell(0, 1).merge(frame.table.cell(0, 2))
    assert _read(pptx_bytes(slides), "a.pptx").tables[0].spans == ((0, 1, 1, 2),)

    page = b"<table><tr><th rowspan=2>Area<th colspan=2>Costs<tr><th>2023<th>2024<tr><td>North<td>1<td>2</table>"
    found = _read(page, "a.html").tables[0]
    assert (found.rows[0], found.header_rows, found.spans) == (("Area", "Costs", "Costs"), 2, ((0, 0, 2, 1), (0, 1, 1, 2)))


_CHART = """<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">
<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache>
<c:pt idx="0"><c:v>Rope</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>May</c:v></c:pt><c:pt idx="1">
<c:v>June</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="0"><c:v>7</c:v></c:pt><c:pt idx="1">
<c:v>0.30000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>"""


def test_a_chart_is_the_table_it_was_drawn_from() -> None:
    chart = read_chart(etree.fromstring(_CHART))
    assert (chart.title, chart.rows) == ("Sales", [["", "Rope"], ["May", "7"], ["June", "0.3"]])


def test_a_document_of_word_shows_its_charts_and_what_is_said_of_pictures() -> None:
    document = docx.Document()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/chart"
    drawing = (
        f'<w:p {_W}><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        '<wp:docPr id="1" name="x" descr="A duck on the lake"/><c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" '
        'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId90"/></wp:inline></w:drawing></w:r></w:p>'
    )
    document.element.body.insert(0, parse_xml(drawing))
    data = docx_bytes(document)
    links = read_part(data, "word/_rels/document.xml.rels").replace(
        b"</Relationships>", f'<Relationship Id="rId90" Type="{kind}" Target="charts/chart1.xml"/></Relationships>'.encode()
    )
    types = read_part(data, "[Content_Types].xml").replace(
        b"</Types>",
        b'<Override PartName="/word/charts/chart1.xml" ContentType="application/vnd.openxmlformats-officedocument.drawingml.chart+xml"/></Types>',
    )
    data = replace_parts(data, {"word/charts/chart1.xml": _CHART.encode(), "word/_rels/document.xml.rels": links, "[Content_Types].xml": types})
    assert _read(data, "a.docx").text == "Sales\n\n| Rope\nMay | 7\nJune | 0.3\n\nA duck on the lake"
