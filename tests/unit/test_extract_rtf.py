"""Rich Text Format: structure, character sets, and groups that are no text."""

from __future__ import annotations

import contextlib

import pytest

from core.documents import ExtractedDocument
from core.errors import Empty, ExtractionError, LimitExceeded
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract

_HEAD = r"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\froman\fcharset0 Times;}{\f1\fcharset2 Symbol;}"
_HEAD += r"{\f2\fcharset204 Arial Cyr;}{\f3\fcharset128 MS Mincho;}}"
_HEAD += r"{\colortbl;\red1\green2\blue3;}{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}{\s7 heading 2;}{\*\cs9 Strong;}}"


def _read(body: str) -> ExtractedDocument:
    return extract(Source((_HEAD + body + "}").encode("latin-1"), "a.rtf"))


def _blocks(body: str) -> list[tuple[str, str]]:
    document = _read(body)
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def test_headings_lists_and_metadata() -> None:
    document = _read(
        r"{\info{\title Lease of Halden}{\author Ann Lee}{\creatim\yr2024\mo5\dy2\hr10}{\version3}}"
        r"\pard\s1 Lease\par\pard\s7 Term\par\pard Two\~years.\par{\listtext\f1\'b7\tab}\pard\ilvl0 milk\par{\pntext 2.\tab}\ilvl1 eggs\par"
    )
    kinds = [(block.kind.value, block.level, document.text[block.start : block.end]) for block in document.blocks]
    assert kinds == [
        ("heading", 1, "Lease"),
        ("heading", 2, "Term"),
        ("paragraph", 0, "Two years."),
        ("list_item", 1, "• milk"),
        ("list_item", 2, "2. eggs"),
    ]
    assert (document.metadata.title, document.metadata.authors) == ("Lease of Halden", ("Ann Lee",))
    assert document.metadata.created_at is not None
    assert document.metadata.created_at.isoformat() == "2024-05-02T10:00:00+00:00"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (r"\'dcbergr\'f6\'dfe", "Übergröße"),
        (r"\f2 \'cf\'f0\'e8\'e2\'e5\'f2", "Привет"),
        (r"\f3 \'93\'fa\'96\'7b", "日本"),
        (r"\u1055 ?\u1088\'f0", "Пр"),
        (r"\uc2\u8364 EU\uc0\u8364 50", "€€50"),
        (r"\u-10179 ?\u-8704 ?", "😀"),
        (r"{\f1 a\'b7}", "α•"),
        (r"a\{b\}\\c", r"a{b}\c"),
        (r"one\bin5 {{{{{two", "onetwo"),
        (r"a{\v hidden}{\deleted gone}b", "ab"),
        (r"{\field{\*\fldinst HYPERLINK x}{\fldrslt link}}", "link"),
        (r"{\upr{old}{\*\ud{new}}}", "new"),
        (r"{\*\unknown text}seen", "seen"),
        (r"{\pict\wmetafile8 0102{\*\blipuid aa}0304}seen", "seen"),
        ("split\r\nline", "splitline"),
    ],
)
def test_characters_and_groups_that_are_no_text(body: str, text: str) -> None:
    assert _read(body + r"\par").text == text


def test_footnotes_comments_boxes_and_page_frames_are_kept_apart() -> None:
    body = (
        r"{\header\pard Confidential\par}\pard The rent{\footnote \pard See annex.\par} is due.{\*\atnid A}{\*\atnauthor Ann}"
        r"{\*\annotation{\*\atndate 1}\pard Which day?\par}{\shp"
        r"{\*\shpinst\shpleft1{\sp{\sn a}{\sv b}}{\shptxt\pard In the box\par}}{\shprslt\par again}}\par"
    )
    assert _blocks(body) == [
        ("furniture", "Confidential"),
        ("paragraph", "The rent is due."),
        ("note", "Note: See annex."),
        ("note", "Comment by Ann: Which day?"),
        ("paragraph", "In the box"),
    ]


def test_tables_with_merged_cells() -> None:
    row = r"\trowd\clvmgf\cellx1000\clmgf\cellx2000\clmrg\cellx3000 \pard\intbl Area\cell Costs\cell\cell\row"
    row += r"\trowd\clvmrg\cellx1000\cellx2000\cellx3000 \pard\intbl\cell 2023\cell 2024\cell\row"
    row += r"\trowd\cellx1000\cellx2000\cellx3000 \pard\intbl North\cell 1\par one\cell 2\cell\row\pard After\par"
    document = _read(row)
    (table,) = document.tables
    assert table.rows == (("Area", "Costs", ""), ("Area", "2023", "2024"), ("North", "1 one", "2"))
    assert table.spans == ((0, 0, 2, 1), (0, 1, 1, 2))
    assert document.text.endswith("After")


def test_columns_are_found_by_their_edges_and_declared_headers_count() -> None:
    body = r"\trowd\trhdr\cellx1000\cellx2000\cellx3000\pard\intbl a\cell b\cell c\cell\row"
    body += r"\trowd\cellx2000\cellx3010\pard\intbl wide\cell x\cell\row\pard"
    (table,) = _read(body).tables
    assert table.rows == (("a", "b", "c"), ("wide", "", "x"))
    assert (table.header_rows, table.spans) == (1, ((1, 0, 1, 2),))


def test_a_table_in_a_cell_is_written_row_by_row() -> None:
    inner = r"\pard\intbl\itap2 x\nestcell y\nestcell{\*\nesttableprops\trowd\cellx500\cellx900\nestrow}{\nonesttables\par}"
    body = rf"\trowd\cellx1000\cellx2000\pard\intbl\itap1 A\cell {inner}\pard\intbl\itap1 end\cell\row"
    body += r"\trowd\cellx1000\cellx2000\pard\intbl 1\cell 2\cell\row"
    assert _read(body).tables[0].rows == (("A", "x, y end"), ("1", "2"))


def test_groups_without_end_are_refused() -> None:
    with pytest.raises(LimitExceeded, match="nested"):
        _read("{" * 100_000)
    with pytest.raises(Empty):
        _read(r"{\pict " + "00" * 1000)


@pytest.mark.parametrize("seed", range(12))
def test_damaged_files_end_as_text_or_as_one_of_our_errors(seed: int) -> None:
    body = _HEAD + r"{\info{\title T}{\creatim\yr99999\mo99}}\trowd\cellx10\intbl a\cell\row\pard\u-99999999 ?{\footnote x}\par}" * 9
    data = bytearray(body.encode("latin-1"))
    for step in range(seed + 6, len(data), 11 + 7 * seed):
        data[step] = (data[step] * 7 + seed) % 256
    with contextlib.suppress(ExtractionError):  # any other error fails the test
        extract(Source(bytes(data), "a.rtf"))
