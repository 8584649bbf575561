"""Word 97: the reader of our own, and LibreOffice where it is there (here a script in its place)."""

from __future__ import annotations

import contextlib
import struct
import sys
from pathlib import Path

import docx
import pytest

from core.documents import ExtractedDocument
from core.errors import Encrypted, ExtractionError, Malformed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.legacy import soffice
from ingestion.readers.registry import extract
from tests.support.office_files import docx_bytes
from tests.support.ole_files import compound_bytes
from tests.support.word_files import doc_bytes, row_end, sprm

_CELL = sprm(0x2416, b"\1")


@pytest.fixture(autouse=True)
def no_office(monkeypatch: pytest.MonkeyPatch) -> None:
    """LibreOffice is not installed, whatever this machine has."""
    monkeypatch.setattr(soffice, "_PROGRAMS", ())
    monkeypatch.setattr(soffice, "_PLACES", ())


def _read(data: bytes) -> ExtractedDocument:
    return extract(Source(data, "a.doc", ExtractionLimits(seconds=20)))


def _blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_headings_lists_fields_and_hidden_text() -> None:
    document = _read(
        doc_bytes(
            [
                ("Lease\r", 1, b""),
                ("Term\r", 0, sprm(0x2640, b"\1")),
                ("See \x13 HYPERLINK x \x14the annex\x15, secret part\x0band more.\r", 0, b""),
                ("milk\r", 0, sprm(0x460B, b"\1\0") + sprm(0x260A, b"\1")),
            ],
            hidden=[" secret part"],
        )
    )
    assert _blocks(document) == [
        ("heading", "Lease"),
        ("heading", "Term"),
        ("paragraph", "See the annex,\nand more."),
        ("list_item", "• milk"),
    ]
    assert [block.level for block in document.blocks] == [1, 2, 0, 2]
    assert "install LibreOffice" in document.warnings[0]


def test_tables_with_merged_cells_notes_comments_and_headers() -> None:
    cells = [("Area\x07", 0, _CELL), ("Costs\x07", 0, _CELL), ("\x07", 0, _CELL), ("\x07", 0, row_end([1000, 2000, 3000], [0, 1, 2]))]
    cells += [("North\x07", 0, _CELL), ("1\r", 0, _CELL), ("one\x07", 0, _CELL), ("2\x07", 0, _CELL), ("\x07", 0, row_end([1000, 2000, 3000]))]
    stories = {"headers": "Confidential\r\r", "footnotes": "\x02 See annex.\r", "comments": "\x05Which day?\r"}
    document = _read(doc_bytes([("Costs\r", 0, b""), *cells, ("After\r", 0, b"")], stories=stories))
    assert _blocks(document) == [
        ("furniture", "Confidential"),
        ("paragraph", "Costs"),
        ("table", "Area | Costs\nNorth | 1 one | 2"),
        ("paragraph", "After"),
        ("note", "Note: See annex."),
        ("note", "Comment: Which day?"),
    ]
    assert document.tables[0].spans == ((0, 1, 1, 2),)


def test_an_encrypted_document_asks_for_a_password() -> None:
    with pytest.raises(Encrypted, match="password"):
        _read(doc_bytes([("x\r", 0, b"")], flags=0x0300))


def test_word_95_is_read_as_plain_text_with_its_tables() -> None:
    text = "Summer in Z\xfcrich\rArea\x07Cost\x07\x07North\x071\x07\x07After\r".encode("cp1252")
    document = bytearray(0x800)
    struct.pack_into("<HH", document, 0, 0xA5DC, 104)
    struct.pack_into("<II", document, 0x18, 0x800, 0x800 + len(text))
    struct.pack_into("<I", document, 0x34, len(text))
    found = _read(compound_bytes({"WordDocument": bytes(document) + text}))
    assert _blocks(found) == [("paragraph", "Summer in Zürich"), ("table", "Area | Cost\nNorth | 1"), ("paragraph", "After")]


def _office(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    """A script stands for LibreOffice: it finds where to put the result among its arguments."""
    program = tmp_path / "soffice"
    head = f"#!{sys.executable}\nimport sys, pathlib, time\nout = pathlib.Path(sys.argv[sys.argv.index('--outdir') + 1])\nout.mkdir()\n"
    program.write_text(head + script)
    program.chmod(0o755)
    monkeypatch.setattr(soffice, "_PROGRAMS", (str(program),))


def test_what_libreoffice_converts_is_read_as_the_new_format(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    document = docx.Document()
    document.add_heading("Lease", 1)
    (tmp_path / "good.docx").write_bytes(docx_bytes(document))
    _office(monkeypatch, tmp_path, f"(out / 'document.docx').write_bytes(pathlib.Path({str(tmp_path / 'good.docx')!r}).read_bytes())")
    found = _read(doc_bytes([("x\r", 0, b"")]))
    assert (found.parser, found.text, found.warnings) == ("doc+libreoffice", "Lease", ())


@pytest.mark.parametrize("script", ["sys.exit(1)", "", "(out / 'document.docx').write_text('no package')", "time.sleep(600)"])
def test_where_libreoffice_fails_the_text_is_read_all_the_same(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    _office(monkeypatch, tmp_path, script)
    found = extract(Source(doc_bytes([("Two years.\r", 0, b"")]), "a.doc", ExtractionLimits(seconds=3)))
    assert found.text == "Two years."
    assert "could not convert" in found.warnings[0]


def test_a_document_without_its_text_is_malformed() -> None:
    with pytest.raises(Malformed):
        _read(compound_bytes({"WordDocument": b"\xec\xa5" + b"\0" * 600}))


@pytest.mark.parametrize("seed", range(16))
def test_damaged_documents_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    cells = [("Area\x07", 0, _CELL), ("\x07", 0, row_end([1000]))]
    data = bytearray(doc_bytes([("Lease\r", 1, b""), *cells * 5, ("After\r", 0, b"")], hidden=["After"]))
    for step in range(seed + 512, len(data), 31 + 17 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        _read(bytes(data))
