"""Plain text, Markdown, HTML, CSV, JSON, mail and code."""

from __future__ import annotations

from typing import Any

import pytest

from core.documents import BlockKind, ExtractedDocument
from core.errors import Empty
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract


def read(data: str | bytes, name: str, **limits: Any) -> ExtractedDocument:
    content = data.encode() if isinstance(data, str) else data
    return extract(Source(content, name, ExtractionLimits(**limits)))


def blocks(document: ExtractedDocument) -> list[tuple[str, str]]:
    return [(block.kind.value, document.text[block.start : block.end]) for block in document.blocks]


def paths(document: ExtractedDocument) -> list[tuple[str, ...]]:
    return [section.path for section in document.sections]


# -- plain text --------------------------------------------------------------------------------------------------------------------------


def test_plain_text_has_paragraphs_headings_and_lists() -> None:
    document = read(
        "Lease\n=====\n\nFirst line\nsecond line.\n\n2.1 Notice period\n\n- three months\n- in writing\n\nTERMINATION\n\nIt ends.", "a.txt"
    )
    assert blocks(document) == [
        ("heading", "Lease"),
        ("paragraph", "First line\nsecond line."),
        ("heading", "2.1 Notice period"),
        ("list_item", "- three months"),
        ("list_item", "- in writing"),
        ("heading", "TERMINATION"),
        ("paragraph", "It ends."),
    ]
    assert [block.level for block in document.blocks if block.kind is BlockKind.HEADING] == [1, 2, 1]


@pytest.mark.parametrize("line", ["3 apples and 2 pears were bought.", "Yes", "2024", "12 May", "- item", "A sentence that ends here."])
def test_ordinary_lines_are_no_headings(line: str) -> None:
    assert all(kind != "heading" for kind, _ in blocks(read(f"{line}\n\nmore text", "a.txt")))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252"])
def test_character_sets_are_found(encoding: str) -> None:
    text = "Die Kündigungsfrist beträgt drei Monate – größer als üblich."
    assert read(text.encode(encoding), "a.txt").text == text


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp932", "契約の解除通知期間は三か月です。東京都で署名された。"),
        ("cp1251", "Срок уведомления о расторжении договора составляет три месяца."),
        ("gb18030", "合同解除的通知期限为三个月。"),
    ],
)
def test_character_sets_without_marks_are_guessed(encoding: str, text: str) -> None:
    assert read(text.encode(encoding), "a.txt").text == text


def test_long_text_is_cut_with_a_warning() -> None:
    document = read("word " * 1000, "a.txt", characters=500)
    assert len(document.text) <= 500
    assert "cut after 500 characters" in document.warnings[0]


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.html", "a.json", "a.py"])
def test_white_space_alone_is_empty(name: str) -> None:
    with pytest.raises(Empty):
        read(" \n\t\n ", name)


# -- Markdown ----------------------------------------------------------------------------------------------------------------------------

MARKDOWN = """---
title: Field notes
author: Ada Byron
date: 2024-05-06
tags: [soil, water]
---
# Site

Some *emphasis*, `code` and a [link](https://example.org/x).
Second line.

1. one
2. two
   - deep

> quoted

| Item | Cost |
|------|-----:|
| Rent | 900  |

```python
def f():
    return 1
```
"""


def test_markdown_keeps_what_a_reader_sees() -> None:
    document = read(MARKDOWN, "a.md")
    assert blocks(document) == [
        ("heading", "Site"),
        ("paragraph", "Some emphasis, code and a link.\nSecond line."),
        ("list_item", "1. one"),
        ("list_item", "2. two"),
        ("list_item", "• deep"),
        ("quote", "quoted"),
        ("table", "Item | Cost\nRent | 900"),
        ("code", "def f():\n    return 1"),
    ]
    assert document.tables[0].header_rows == 1
    assert document.metadata.title == "Field notes"
    assert document.metadata.authors == ("Ada Byron",)
    assert str(document.metadata.created_at) == "2024-05-06 00:00:00+00:00"
    assert document.metadata.extra == {"tags": "soil, water"}


def test_front_matter_that_is_no_yaml_or_a_bomb_says_nothing() -> None:
    bomb = "a: &a [x,x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a,*a,*a]\n".replace("*a", f"*{'a' if not n else f'b{n - 1}'}") for n in range(30))
    assert read(f"---\n{bomb}---\ntext", "a.md").text == "text"
    assert read("---\n: [\n---\ntext", "a.md").text == "text"


# -- HTML --------------------------------------------------------------------------------------------------------------------------------

PAGE = """<!doctype html><html lang="de-DE"><head><title>Page title</title><meta name="author" content="J. Roe"><style>p {}</style></head><body>
<nav>Home Products</nav><script>var x = "hidden";</script>
<div>Bare text in a div<br>second line</div>
<main><h1>Rates</h1><p>A <b>bold</b> word.</p>
<dl><dt>Coffee</dt><dd>Black hot drink</dd></dl>
<ul><li>one<ul><li>deep</li></ul></li><li>two</li></ul>
<table><thead><tr><th>City</th><th colspan="2">Price</th></tr></thead>
<tr><td rowspan="2">Bonn</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr></table>
<pre>  keep
    this</pre><img src="x.png" alt="A map of the site"></main><footer>Imprint</footer></body></html>"""


def test_html_keeps_all_that_is_shown_and_sets_the_frame_apart() -> None:
    document = read(PAGE, "a.html")
    assert blocks(document) == [
        ("furniture", "Home Products"),
        ("paragraph", "Bare text in a div\nsecond line"),
        ("heading", "Rates"),
        ("paragraph", "A bold word."),
        ("paragraph", "Coffee: Black hot drink"),
        ("list_item", "• one"),
        ("list_item", "• deep"),
        ("list_item", "• two"),
        ("table", "City | Price | Price\nBonn | 1 | 2\nBonn | 3 | 4"),
        ("code", "  keep\n    this"),
        ("caption", "A map of the site"),
        ("furniture", "Imprint"),
    ]
    assert (document.metadata.title, document.metadata.authors, document.metadata.language) == ("Page title", ("J. Roe",), "de")
    assert document.tables[0].header_rows == 1


def test_a_page_that_is_all_frame_is_content() -> None:
    assert blocks(read("<html><body><header>Only this</header></body></html>", "a.html")) == [("paragraph", "Only this")]


def test_a_layout_table_is_read_as_blocks() -> None:
    document = read("<table><tr><td><h2>Left</h2><p>Text.</p></td><td>Right</td></tr></table>", "a.html")
    assert blocks(document) == [("heading", "Left"), ("paragraph", "Text."), ("paragraph", "Right")]


def test_the_declared_character_set_counts() -> None:
    page = '<html><head><meta charset="iso-8859-2"></head><body><p>Żółw i gęś</p></body></html>'
    assert read(page.encode("iso-8859-2"), "a.html").text == "Żółw i gęś"


def test_deep_nesting_ends() -> None:
    assert "core" in read("<div>" * 5000 + "core" + "</div>" * 5000, "a.html").text


# -- CSV ---------------------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiters_are_found(delimiter: str) -> None:
    rows = [["Name", "Town", "Age"], ["Ann", "Paris; France, EU", "30"], ["Bob", "Rome", "41"]]
    text = "\r\n".join(delimiter.join(f'"{cell}"' if set(cell) & {",", ";"} else cell for cell in row) for row in rows)
    (table,) = read(text, "a.csv").tables
    assert [list(row) for row in table.rows] == rows
    assert table.header_rows == 1


def test_cells_under_an_empty_header_and_ragged_rows_are_kept() -> None:
    (table,) = read("a,,c\n1,2,3\n4,5,6,7\n8\n", "a.csv").tables
    assert table.rows == (("a", "", "c", ""), ("1", "2", "3", ""), ("4", "5", "6", "7"), ("8", "", "", ""))


def test_a_large_csv_is_cut_and_says_how_many_rows() -> None:
    document = read("n,square\n" + "".join(f"{n},{n * n}\n" for n in range(1000)), "a.csv", cells=200)
    assert len(document.tables[0].rows) == 100
    assert document.warnings == ("Only the first 100 of 1,001 rows of 2 columns were read.",)


# -- JSON --------------------------------------------------------------------------------------------------------------------------------


def test_json_values_stand_under_their_keys() -> None:
    document = read('{"name": "Vale", "open": true, "owner": {"person": {"first": "Ann"}}, "rows": [{"a": 1, "b": "x"}, {"a": 2}]}', "a.json")
    assert blocks(document) == [
        ("paragraph", "name: Vale\nopen: true"),
        ("heading", "owner"),
        ("paragraph", "owner.person.first: Ann"),
        ("heading", "rows"),
        ("table", "a | b\n1 | x\n2"),
    ]


def test_json_lines_are_a_table_and_bad_lines_are_counted() -> None:
    document = read('{"a": 1}\n{"a": 2}\nnonsense\n', "a.jsonl")
    assert document.tables[0].rows == (("a",), ("1",), ("2",))
    assert document.warnings == ("1 of 3 lines are no valid JSON and were left out.",)


def test_broken_json_is_read_as_text_with_a_warning() -> None:
    document = read('{"a": 1, ', "a.json")
    assert document.text == '{"a": 1,'
    assert "no valid JSON" in document.warnings[0]


def test_deep_json_ends() -> None:
    assert read("[" * 100_000, "a.json").warnings


def test_a_notebook_is_prose_and_code() -> None:
    cells = '[{"cell_type": "markdown", "source": ["# Title\\n", "text"]}, {"cell_type": "code", "source": "1+1", "outputs": [{"text": ["2"]}]}]'
    assert blocks(read('{"nbformat": 4, "cells": ' + cells + "}", "a.ipynb")) == [
        ("heading", "Title"),
        ("paragraph", "text"),
        ("code", "1+1"),
        ("code", "2"),
    ]


# -- mail --------------------------------------------------------------------------------------------------------------------------------

MAIL = """From: Ann Lee <ann@example.org>
To: Bob <bob@example.org>
Subject: =?utf-8?q?K=C3=BCndigung?=
Date: Tue, 05 Mar 2024 10:15:00 +0100
Message-ID: <1@example.org>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=B

--B
Content-Type: multipart/alternative; boundary=C

--C
Content-Type: text/plain; charset=utf-8

The notice period is three months, as we agreed in the lease of last year.
--C
Content-Type: text/html; charset=utf-8

<p>The notice period is <b>three</b> months.</p>
--C--
--B
Content-Type: application/pdf; name="lease.pdf"
Content-Disposition: attachment; filename="lease.pdf"
Content-Transfer-Encoding: base64

AAAA
--B--
"""


def test_mail_is_headers_body_and_names_of_attachments() -> None:
    document = read(MAIL, "a.eml")
    assert blocks(document) == [
        ("paragraph", "From: Ann Lee <ann@example.org>\nTo: Bob <bob@example.org>\nDate: Tue, 05 Mar 2024 10:15:00 +0100\nSubject: Kündigung"),
        ("paragraph", "The notice period is three months, as we agreed in the lease of last year."),
        ("note", "Attachments: lease.pdf"),
    ]
    assert document.metadata.title == "Kündigung"
    assert str(document.metadata.created_at) == "2024-03-05 10:15:00+01:00"


def test_mail_is_known_by_its_content_and_in_utf_16() -> None:
    assert read(MAIL, "message").parser == "email"
    assert "Subject: Kündigung" in read(MAIL.encode("utf-16-be"), "a.eml").text


def test_mail_with_html_alone_is_read() -> None:
    document = read("From: a@b.c\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/html\n\n<h1>Offer</h1><p>Ten per cent.</p>", "a.eml")
    assert blocks(document)[1:] == [("heading", "Offer"), ("paragraph", "Ten per cent.")]


# -- code --------------------------------------------------------------------------------------------------------------------------------


def test_code_is_cut_at_definitions_and_keeps_its_indentation() -> None:
    document = read("import os\n\n# adds\ndef add(a, b):\n    return a + b\n\n\nclass Box:\n    def size(self):\n        return 1\n", "a.py")
    assert blocks(document) == [
        ("code", "import os"),
        ("code", "# adds\ndef add(a, b):\n    return a + b"),
        ("code", "class Box:\n    def size(self):\n        return 1"),
    ]
