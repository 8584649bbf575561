"""DOCX, XLSX and PPTX files of the sample library, written from Markdown and YAML and made the same on every run."""

from __future__ import annotations

import io
import re
import zipfile
from datetime import date, datetime, time
from typing import Any

import xlsxwriter
import yaml
from docx import Document
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from markdown_it import MarkdownIt
from markdown_it.tree import SyntaxTreeNode
from pptx import Presentation
from pptx.dml.color import RGBColor as SlideColor
from pptx.util import Emu, Inches
from pptx.util import Pt as SlidePt

INK = "1F3A4D"
SIZES = {1: 18, 2: 13, 3: 11}
ZIP_TIME = (2026, 1, 1, 0, 0, 0)


def moment(day: date) -> datetime:
    """Nine in the morning of a day: what the files name as their time of writing."""
    return datetime.combine(day, time(9, 0))


# Word


def front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The YAML head between two lines of dashes, and the rest."""
    _, head, body = text.split("---\n", 2)
    return yaml.safe_load(head), body


def word_file(source: str) -> bytes:
    """A DOCX from Markdown with a YAML head (title, author, created, subtitle)."""
    head, body = front_matter(source)
    document = Document()
    _page_layout(document, str(head["subtitle"]))
    tree = SyntaxTreeNode(MarkdownIt("commonmark").enable("table").parse(body))
    for node in tree.children:
        _add_block(document, node)
    core = document.core_properties
    core.title, core.author, core.last_modified_by = head["title"], head["author"], head["author"]
    core.created = core.modified = moment(head["created"])
    out = io.BytesIO()
    document.save(out)
    return stable_zip(out.getvalue())


def _page_layout(document: Any, foot: str) -> None:
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21.0), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.5)
    section.top_margin = section.bottom_margin = Cm(2.0)
    normal = document.styles["Normal"]
    normal.font.name, normal.font.size = "Liberation Serif", Pt(10.5)
    normal.paragraph_format.space_after = Pt(6)
    for level, size in SIZES.items():
        style = document.styles[f"Heading {level}"]
        style.font.name, style.font.size, style.font.color.rgb = "Liberation Sans", Pt(size), RGBColor.from_string(INK)
        style.paragraph_format.keep_with_next = True
        for name in ("w:asciiTheme", "w:hAnsiTheme"):
            style.element.rPr.rFonts.attrib.pop(qn(name), None)
    line = section.footer.paragraphs[0]
    line.alignment = WD_ALIGN_PARAGRAPH.CENTER
    line.add_run(f"{foot} · page ").font.size = Pt(9)
    _add_page_number(line)


def _add_page_number(paragraph: Any) -> None:
    run = paragraph.add_run()
    run.font.size = Pt(9)
    for kind, text in (("begin", None), (None, "PAGE"), ("end", None)):
        element = OxmlElement("w:instrText" if text else "w:fldChar")
        if text:
            element.text = text
        else:
            element.set(qn("w:fldCharType"), kind)
        run._r.append(element)


def _add_block(document: Any, node: SyntaxTreeNode) -> None:
    match node.type:
        case "heading":
            _add_inline(document.add_heading(level=int(node.tag[1])), node.children[0])
        case "paragraph":
            _add_inline(document.add_paragraph(), node.children[0])
        case "bullet_list":
            for item in node.children:
                _add_inline(document.add_paragraph(style="List Bullet"), item.children[0].children[0])
        case "table":
            _add_table(document, [row for part in node.children for row in part.children])
        case other:
            raise ValueError(f"no Word form for {other}")


def _add_inline(paragraph: Any, inline: SyntaxTreeNode, *, bold: bool = False) -> None:
    for child in inline.children:
        if child.type == "strong":
            _add_inline(paragraph, child, bold=True)
        elif child.type == "softbreak":
            paragraph.add_run(" ")
        else:
            paragraph.add_run(child.content).bold = bold or None


def _add_table(document: Any, rows: list[SyntaxTreeNode]) -> None:
    table = document.add_table(rows=0, cols=len(rows[0].children), style="Light Grid Accent 1")
    for index, row in enumerate(rows):
        for cell, node in zip(table.add_row().cells, row.children, strict=True):
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(2)
            if "right" in str(node.attrs.get("style", "")):
                paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
            _add_inline(paragraph, node.children[0], bold=index == 0)
    document.add_paragraph()


# Excel


def workbook(source: str) -> bytes:
    """An XLSX from YAML: one sheet for each entry, with a formula row where `total` is named."""
    spec = yaml.safe_load(source)
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    book.set_properties({"title": spec["title"], "author": spec["author"], "created": moment(spec["created"])})
    for sheet in spec["sheets"]:
        _add_sheet(book, sheet)
    book.close()
    return stable_zip(out.getvalue())


def _add_sheet(book: Any, spec: dict[str, Any]) -> None:
    sheet = book.add_worksheet(spec["name"])
    strong = book.add_format({"bold": True})
    head = book.add_format({"bold": True, "bottom": 1, "bg_color": "#E8EEF2", "text_wrap": True, "valign": "top"})
    money = book.add_format({"num_format": "#,##0"})
    total = book.add_format({"num_format": "#,##0", "bold": True, "top": 1})
    sheet.write(0, 0, spec["heading"], strong)
    sheet.write_row(2, 0, spec["columns"], head)
    for number, row in enumerate(spec["rows"], start=3):
        for column, value in enumerate(row):
            sheet.write(number, column, value, money if column in spec["money"] else None)
    if "total" in spec:
        last = 3 + len(spec["rows"])
        sheet.write(last, 0, spec["total"], total)
        for column in spec["money"]:
            letter = "ABCDEFGHIJ"[column]
            value = sum(row[column] for row in spec["rows"])
            sheet.write_formula(last, column, f"=SUM({letter}4:{letter}{last})", total, value)
    for column in range(len(spec["columns"])):
        longest = max(len(str(row[column])) for row in spec["rows"])
        sheet.set_column(column, column, min(60, max(13, longest + 2)))
    sheet.freeze_panes(3, 1)


# PowerPoint


def slides(source: str) -> bytes:
    """A PPTX from YAML: a title slide, then slides with bullets, a table or both, and speaker's notes."""
    spec = yaml.safe_load(source)
    deck = Presentation()
    deck.slide_width, deck.slide_height = Inches(13.333), Inches(7.5)
    first = deck.slides.add_slide(deck.slide_layouts[6])
    _add_band(first, deck.slide_width, Inches(7.5))
    _add_text(first, spec["title"], (1.0, 2.5, 11.3, 1.2), 44, "FFFFFF", bold=True)
    _add_text(first, spec["subtitle"], (1.0, 3.8, 11.3, 1.0), 20, "D5E2EA")
    for number, entry in enumerate(spec["slides"], start=2):
        _add_slide(deck, entry, number)
    core = deck.core_properties
    core.title, core.author, core.last_modified_by = spec["title"], spec["author"], spec["author"]
    core.created = core.modified = moment(spec["created"])
    out = io.BytesIO()
    deck.save(out)
    return stable_zip(out.getvalue())


def _add_slide(deck: Any, entry: dict[str, Any], number: int) -> None:
    slide = deck.slides.add_slide(deck.slide_layouts[1 if "bullets" in entry else 5])
    _add_band(slide, deck.slide_width, Inches(0.18))
    title = slide.shapes.title
    title.left, title.top, title.width, title.height = Inches(0.8), Inches(0.5), Inches(11.7), Inches(1.0)
    title.text = entry["title"]
    heading = title.text_frame.paragraphs[0]
    heading.alignment = 1
    heading.font.size, heading.font.bold, heading.font.color.rgb = SlidePt(32), True, SlideColor.from_string(INK)
    top = 1.8
    if "table" in entry:
        _add_slide_table(slide, entry["table"], top)
        top += 0.55 * len(entry["table"]) + 0.5
    if "bullets" in entry:
        _fill_bullets(slide.placeholders[1], entry["bullets"], top)
    _add_text(slide, f"Merrow Chandlers · {number}", (0.8, 6.9, 11.7, 0.4), 11, "6A737B")
    if "notes" in entry:
        slide.notes_slide.notes_text_frame.text = entry["notes"]


def _fill_bullets(body: Any, lines: list[str], top: float) -> None:
    body.left, body.top, body.width, body.height = Inches(0.8), Inches(top), Inches(11.7), Inches(6.6 - top)
    for index, line in enumerate(lines):
        paragraph = body.text_frame.paragraphs[0] if index == 0 else body.text_frame.add_paragraph()
        paragraph.text, paragraph.space_after = line, SlidePt(12)
        paragraph.font.size, paragraph.font.color.rgb = SlidePt(22), SlideColor.from_string("22282E")


def _add_band(slide: Any, width: int, height: int) -> None:
    band = slide.shapes.add_shape(1, 0, 0, width, Emu(height))
    band.fill.solid()
    band.fill.fore_color.rgb = SlideColor.from_string(INK)
    band.line.fill.background()


def _add_text(slide: Any, text: str, box: tuple[float, float, float, float], size: int, colour: str, *, bold: bool = False) -> None:
    frame = slide.shapes.add_textbox(*(Inches(value) for value in box)).text_frame
    frame.word_wrap = True
    for index, line in enumerate(text.split("\n")):
        paragraph = frame.paragraphs[0] if index == 0 else frame.add_paragraph()
        paragraph.text, paragraph.space_after = line, SlidePt(12)
        paragraph.font.size, paragraph.font.bold, paragraph.font.color.rgb = SlidePt(size), bold, SlideColor.from_string(colour)


def _add_slide_table(slide: Any, rows: list[list[str]], top: float) -> None:
    shape = slide.shapes.add_table(len(rows), len(rows[0]), Inches(0.8), Inches(top), Inches(11.7), Inches(0.55 * len(rows)))
    for y, row in enumerate(rows):
        for x, value in enumerate(row):
            cell = shape.table.cell(y, x)
            cell.text = value
            cell.text_frame.paragraphs[0].font.size = SlidePt(18)
            if x:
                cell.text_frame.paragraphs[0].alignment = 3


# Archives


def stable_zip(data: bytes) -> bytes:
    """The same members with a fixed time of day, so that two builds are the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for member in old.infolist():
            info = zipfile.ZipInfo(member.filename, ZIP_TIME)
            info.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(info, _with_time_of_writing(member.filename, old.read(member)))
    return out.getvalue()


def _with_time_of_writing(name: str, content: bytes) -> bytes:
    """xlsxwriter writes the time of the build as the time of the last change; the time of writing is the honest one here."""
    if name != "docProps/core.xml":
        return content
    text = content.decode()
    created = re.search(r"<dcterms:created[^>]*>([^<]*)<", text)
    if created is None:
        return content
    return re.sub(r"(<dcterms:modified[^>]*>)[^<]*", rf"\g<1>{created.group(1)}", text).encode()
