"""E-books: order, titles, metadata, and those that are locked or damaged."""

from __future__ import annotations

import contextlib
import io
import zipfile

import pytest

from core.documents import ExtractedDocument
from core.errors import Encrypted, ExtractionError, Malformed
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract

_CONTAINER = '<container xmlns="urn:x"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
_OPF = """<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>The Lake</dc:title>
<dc:creator>Ann Lee</dc:creator><dc:language>en-GB</dc:language><dc:date>2019</dc:date></metadata><manifest>
<item id="b" href="two%20b.xhtml" media-type="application/xhtml+xml"/><item id="a" href="one.xhtml" media-type="application/xhtml+xml"/>
<item id="n" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/><item id="c" href="gone.xhtml" media-type="application/xhtml+xml"/>
<item id="x" href="toc.ncx" media-type="application/x-dtbncx+xml"/></manifest><spine toc="x">
<itemref idref="a"/><itemref idref="b"/>{more}</spine></package>"""
_NAV = """<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol>
<li><a href="one.xhtml">Dawn</a></li><li><a href="two%20b.xhtml#x">Night</a></li></ol></nav></body></html>"""
_ONE = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title/>'
_ONE += '<script src="x"/></head><body><h1>Dawn<a id="n1"/></h1><p>It was early.</p></body></html>'
_TWO = '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>It was late.</p></body></html>'


def _book(more: str = "", **parts: str) -> bytes:
    output = io.BytesIO()
    members = {
        "mimetype": "application/epub+zip",
        "META-INF/container.xml": _CONTAINER,
        "OEBPS/book.opf": _OPF.replace("{more}", more),
        "OEBPS/nav.xhtml": _NAV,
        "OEBPS/one.xhtml": _ONE,
        "OEBPS/two b.xhtml": _TWO,
        **{name.replace("__", "/").replace("_xml", ".xml"): content for name, content in parts.items()},
    }
    with zipfile.ZipFile(output, "w") as package:
        for name, content in members.items():
            if content:
                package.writestr(name, content)
    return output.getvalue()


def _read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.epub"))


def test_chapters_stand_in_the_order_of_the_spine_under_their_titles() -> None:
    document = _read(_book())
    assert document.text == "Dawn\n\nIt was early.\n\nIt was late."
    assert [section.path for section in document.sections] == [("Dawn",), ("Night",)]
    assert (document.metadata.title, document.metadata.authors, document.metadata.language) == ("The Lake", ("Ann Lee",), "en")


def test_a_chapter_that_is_missing_is_told() -> None:
    assert _read(_book(more='<itemref idref="c"/>')).warnings == ("1 of 3 chapters could not be read: they are missing or damaged.",)


def test_protected_books_say_so_and_scrambled_fonts_do_not_matter() -> None:
    entry = (
        '<encryption xmlns:e="urn:e"><e:EncryptedData><e:EncryptionMethod Algorithm="{}"/><e:CipherData><e:CipherReference URI="{}"/></e:CipherData>'
    )
    entry += "</e:EncryptedData></encryption>"
    with pytest.raises(Encrypted, match="rights"):
        _read(_book(**{"META-INF__encryption_xml": entry.format("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/one.xhtml")}))
    assert _read(_book(**{"META-INF__encryption_xml": entry.format("http://www.idpf.org/2008/embedding", "OEBPS/font.otf")})).text


def test_without_its_package_document_a_book_is_malformed() -> None:
    with pytest.raises(Malformed):
        _read(_book(**{"OEBPS/book.opf": ""}))


@pytest.mark.parametrize("seed", range(8))
def test_damaged_books_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    data = bytearray(_book())
    for step in range(seed + 60, len(data), 61 + 13 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        _read(bytes(data))
