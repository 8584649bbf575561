"""Types are found by content, then by name; what has no reader is refused by its type's name."""

from __future__ import annotations

import contextlib
import io
import zipfile

import docx
import openpyxl
import pytest

from core.errors import Empty, ExtractionError, Malformed, Unsupported
from core.format_table import FileType
from ingestion.readers.base.source import Source
from ingestion.readers.detection import detect
from ingestion.readers.registry import EXTRACTORS, extract
from tests.support.office_files import docx_bytes, xlsx_bytes
from tests.support.ole_files import compound_bytes


def _zip(**members: str) -> bytes:
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as package:
        for name, content in members.items():
            package.writestr(name.replace("__", "."), content)
    return output.getvalue()


@pytest.mark.parametrize(
    ("data", "name", "expected"),
    [
        (b"%PDF-1.7\n", "a.txt", FileType.PDF),
        (b"  \n%PDF-1.7\n", "a", FileType.PDF),
        (docx_bytes(docx.Document()), "a.pdf", FileType.DOCX),
        (xlsx_bytes(openpyxl.Workbook()), "report", FileType.XLSX),
        (b"<!DOCTYPE html><p>x", "a.txt", FileType.HTML),
        (b"<?xml version='1.0'?><!-- c --><html xmlns='x'>", "a.docx.html", FileType.HTML),
        (b"# Title\n\nabout %PDF-1.7 files", "a.md", FileType.MARKDOWN),
        (b"a;b\n1;2", "a.csv", FileType.CSV),
        (b'{"a": [1, 2]}', "data", FileType.JSON),
        (b"{curly} prose", "a.txt", FileType.TEXT),
        (b"#!/bin/sh\necho hi", "run", FileType.CODE),
        (b"all:\n\tcc x.c", "Makefile", FileType.CODE),
        (b"plain words", "notes", FileType.TEXT),
        (b"plain words", "notes.unknown", FileType.TEXT),
        ("übergröße".encode("utf-16"), "a.txt", FileType.TEXT),
        (_zip(mimetype="application/epub+zip"), "a.zip", FileType.EPUB),
        (_zip(mimetype="application/vnd.oasis.opendocument.text-template"), "a.ott", FileType.ODF),
        (_zip(mimetype="application/vnd.sun.xml.calc"), "a.sxc", FileType.ODF),
        (compound_bytes({"WordDocument": b"x", "1Table": b"y"}), "a.xls", FileType.DOC),
        (compound_bytes({"PowerPoint Document": b"x"}), "a", FileType.PPT),
        (compound_bytes({"WordDocument": "in Book Antiqua".encode("utf-16-le"), "1Table": b"y"}), "letter.doc", FileType.DOC),
        (compound_bytes({"ObjectPool": {"_1": {"Workbook": b"x", "EncryptedPackage": b"x"}}, "WordDocument": b"x"}), "a.doc", FileType.DOC),
        (compound_bytes({"__substg1.0_0037001F": b"x", "__attach_version1.0_#00000000": {"WordDocument": b"x"}}), "a.msg", FileType.MSG),
        (b"{\\rtf1 hello}", "a.doc", FileType.RTF),
        (b"<?xml version='1.0'?><note/>", "note", FileType.XML),
        (b"a: 1", "a.yml", FileType.YAML),
        (b"[a]", "a.toml", FileType.TOML),
        (b"\\section{x}", "a.tex", FileType.LATEX),
        (b"\x89PNG\r\n\x1a\n\0\0", "a.png", FileType.IMAGE),
        (b"\xff\xd8\xff\xe0\0\0", "a.txt", FileType.IMAGE),
        (b"BM\x46\0\0\0\0\0\0\0\x36\0\0\0\x28\0\0\0", "a.bmp", FileType.IMAGE),
    ],
)
def test_types_by_content_then_by_name(data: bytes, name: str, expected: FileType) -> None:
    assert detect(Source(data, name)) is expected


@pytest.mark.parametrize(
    ("data", "name", "reason"),
    [
        (b"\0\0\0\x18ftypheic\0\0\0\0", "a.heic", r"save it as \.png or \.jpg"),
        (b"II*\0\x10\0\0\0CR\x02\0", "a.cr2", r"\.cr2"),
        (b"AC1032\0\0\0", "plan.dwg", "AutoCAD"),
        (b"\x7fELF\x02\x01\0\0", "a", "program"),
        (bytes(range(256)) * 8, "plan.xyz", r"no reader for \.xyz"),
    ],
)
def test_what_has_no_reader_is_named(data: bytes, name: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason):
        detect(Source(data, name))


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.xlsx", "a.pptx"])
def test_binary_garbage_under_a_good_name_is_malformed(name: str) -> None:
    with pytest.raises(Malformed, match="The name says"):
        extract(Source(b"\x00\x01\x02\xfe" * 500, name))


def test_no_bytes_are_empty() -> None:
    with pytest.raises(Empty, match="0 bytes"):
        extract(Source(b"", "a.pdf"))


def test_each_type_has_a_reader() -> None:
    assert set(EXTRACTORS) == set(FileType)


@pytest.mark.parametrize("name", ["a.pdf", "a.docx", "a.xlsx", "a.pptx", "a.html", "a.eml", "a.json", "a.csv", "a.md", "a.txt", "a.py", "a"])
@pytest.mark.parametrize("seed", range(6))
def test_damaged_bytes_end_as_text_or_as_one_of_our_errors(name: str, seed: int) -> None:
    good = {"a.docx": docx_bytes(docx.Document()), "a.xlsx": xlsx_bytes(openpyxl.Workbook())}.get(name, b"%PDF-1.4 <html> From: x\n\n{1,2}" * 20)
    data = bytearray(good)
    for step in range(seed, len(data), 97 + 13 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        assert extract(Source(bytes(data), name)).text
