"""PDF forms whose pages say "please wait": the questions and answers stand in XML (XFA)."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, BooleanObject, DecodedStreamObject, DictionaryObject, NameObject, TextStringObject

from core.documents import ExtractedDocument
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract
from tests.support.office_files import paragraph_lines, pdf_bytes

_TEMPLATE = """<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form">
<pageSet><pageArea><draw><value><text>Page frame</text></value></draw></pageArea></pageSet>
<subform name="tenant">
<draw><value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml">
<p>Application for a</p><p>berth</p></body></exData></value></draw>
<field name="name"><ui><textEdit/></ui><caption><value><text>Name of the tenant:</text></value></caption></field>
<field name="street"><ui><textEdit/></ui><assist><toolTip>Street</toolTip></assist><value><text>Harbour Road</text></value></field>
<field name="secret" presence="hidden"><ui><textEdit/></ui><caption><value><text>Internal</text></value></caption></field>
<field name="agreed"><ui><checkButton/></ui><caption><value><text>Rules are agreed to</text></value></caption><items><text>Y</text></items></field>
<field name="size"><ui><choiceList/></ui><caption><value><text>Size</text></value></caption><items><text>Small</text><text>Large</text></items>
<items save="1"><text>S</text><text>L</text></items></field>
<field name="print"><ui><button/></ui><caption><value><text>Print</text></value></caption></field>
</subform>
<subform name="boat"><field name="b"><bind match="dataRef" ref="$.title"/><ui><textEdit/></ui>
<caption><value><text>Boat</text></value></caption></field></subform>
</subform></template>"""
_DATA = """<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form><tenant><name>Ada Halden</name><secret>x</secret>
<agreed>Y</agreed><size>L</size></tenant><boat><title>Gannet</title></boat><boat><title>Petrel</title></boat></form></xfa:data></xfa:datasets>"""


def form(template: str = _TEMPLATE, data: str = _DATA, *, alone: bool = True) -> bytes:
    """A PDF whose only page says "please wait", and that carries the form in XML."""
    page = pdf_bytes([paragraph_lines(["Please wait... If this message is not eventually replaced, your viewer cannot show this form."])])
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(page)))
    packets = ArrayObject()
    for name, content in (("template", template), ("datasets", data)):
        stream = DecodedStreamObject()
        stream.set_data(content.encode())
        packets += [TextStringObject(name), writer._add_object(stream)]
    writer.root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): ArrayObject(), NameObject("/XFA"): packets})
    if alone:
        writer.root_object[NameObject("/NeedsRendering")] = BooleanObject(True)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "form.pdf"))


def test_a_form_that_is_xml_alone_is_read_from_it() -> None:
    document = read(form())
    assert document.text.split("\n\n") == [
        "Application for a\nberth",
        "Name of the tenant: Ada Halden",
        "Street: Harbour Road",
        "☒ Rules are agreed to",
        "Size: Large",
        "Boat: Gannet",
        "Boat: Petrel",
    ]
    assert [page.label for page in document.pages] == ["1"]


@pytest.mark.parametrize("template", ["<template", "<template/>", "", f"<template>{'<subform>' * 3000}{'</subform>' * 3000}</template>"])
def test_a_form_without_a_template_is_read_by_its_pages(template: str) -> None:
    assert "Please wait" in read(form(template)).text


def test_without_data_the_questions_are_read() -> None:
    document = read(form(data="<x/>"))
    assert "Name of the tenant:" in document.text
    assert "☐ Rules are agreed to" in document.text


def test_a_form_with_pages_of_its_own_is_read_by_them() -> None:
    assert "Please wait" in read(form(alone=False)).text
