"""The sample library says what its questions expect. Read with the format libraries alone, so that a fault of ours cannot hide one of theirs."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from functools import cache
from pathlib import Path
from typing import Any

import docx
import openpyxl
import pptx
import pypdf
import pytest
from bs4 import BeautifulSoup

from core.search import Intent

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LIBRARY = EXAMPLES / "library"
SCAN = "Quay 7 handover protocol (scan).pdf"
QUESTIONS: list[dict[str, Any]] = json.loads((EXAMPLES / "questions.json").read_text(encoding="utf-8"))["questions"]
KINDS = {"lookup", "table", "comparison", "two_hop", "supersedes", "summary", "not_in_library", "system", "general"}
UNANSWERED = {"not_in_library", "system", "general"}


def read_pdf(path: Path) -> str:
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def read_docx(path: Path) -> str:
    document = docx.Document(str(path))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return "\n".join([paragraph.text for paragraph in document.paragraphs] + cells)


def read_xlsx(path: Path) -> str:
    book = openpyxl.load_workbook(path, data_only=True)
    return "\n".join(str(value) for sheet in book for row in sheet.iter_rows(values_only=True) for value in row if value is not None)


def read_pptx(path: Path) -> str:
    deck, found = pptx.Presentation(str(path)), list[str]()
    for slide in deck.slides:
        for shape in slide.shapes:
            if shape.has_table:
                found += [cell.text for row in shape.table.rows for cell in row.cells]
            elif shape.has_text_frame:
                found.append(shape.text_frame.text)
        if slide.has_notes_slide:
            found.append(slide.notes_slide.notes_text_frame.text)
    return "\n".join(found)


def read_html(path: Path) -> str:
    return BeautifulSoup(path.read_bytes(), "lxml").get_text("\n")


def read_eml(path: Path) -> str:
    message = message_from_bytes(path.read_bytes(), policy=default)
    assert isinstance(message, EmailMessage)
    body = message.get_body(("plain",))
    assert body is not None
    return f"{message['subject']}\n{body.get_content()}"


READERS: dict[str, Callable[[Path], str]] = {
    ".pdf": read_pdf,
    ".docx": read_docx,
    ".xlsx": read_xlsx,
    ".pptx": read_pptx,
    ".html": read_html,
    ".eml": read_eml,
}


@cache
def text_of(name: str) -> str:
    path = LIBRARY / name
    reader = READERS.get(path.suffix)
    return reader(path) if reader else path.read_text(encoding="utf-8")


def folded(text: str) -> str:
    """As questions.json defines a match: letter case, white space and thousands separators aside."""
    return re.sub(r"\s+", "", re.sub(r"(?<=\d),(?=\d{3})", "", text)).casefold()


def test_the_library_is_small_and_covers_the_formats() -> None:
    files = sorted(LIBRARY.iterdir())
    assert sum(path.stat().st_size for path in files) < 1_500_000
    assert {path.suffix for path in files} == {".csv", ".docx", ".eml", ".html", ".json", ".md", ".pdf", ".pptx", ".py", ".txt", ".xlsx"}
    assert 12 <= len(files) <= 20


def test_every_file_but_the_scan_has_text() -> None:
    lengths = {path.name: len(text_of(path.name).strip()) for path in LIBRARY.iterdir()}
    assert lengths.pop(SCAN) == 0
    assert min(lengths.values()) > 1000


def test_the_scan_is_one_picture() -> None:
    pages = pypdf.PdfReader(LIBRARY / SCAN).pages
    assert len(pages) == 1
    assert len(pages[0].images) == 1


def test_the_questions_are_well_formed() -> None:
    assert len(QUESTIONS) >= 40
    assert {entry["kind"] for entry in QUESTIONS} == KINDS
    assert len({entry["question"].casefold() for entry in QUESTIONS}) == len(QUESTIONS)
    for entry in QUESTIONS:
        assert set(entry) == {"kind", "intent", "question", "answer_contains", "documents"}
        assert entry["intent"] in set(Intent)
        assert bool(entry["answer_contains"]) == bool(entry["documents"]) == (entry["kind"] not in UNANSWERED)
        assert all((LIBRARY / name).is_file() for name in entry["documents"])


@pytest.mark.parametrize("entry", [entry for entry in QUESTIONS if entry["documents"]], ids=lambda entry: entry["question"][:40])
def test_each_answer_stands_in_the_documents_named(entry: dict[str, Any]) -> None:
    texts = [folded(text_of(name)) for name in entry["documents"]]
    for wanted in entry["answer_contains"]:
        assert any(folded(wanted) in text for text in texts), wanted
    if entry["kind"] in {"comparison"}:
        unused = [name for name, text in zip(entry["documents"], texts, strict=True) if not any(folded(w) in text for w in entry["answer_contains"])]
        assert not unused


def test_most_documents_are_asked_about() -> None:
    asked = {name for entry in QUESTIONS for name in entry["documents"]}
    assert {path.name for path in LIBRARY.iterdir()} - asked == {SCAN}


def test_amendment_and_lease_disagree_where_the_questions_say_so() -> None:
    lease, amendment = folded(text_of("Quay 7 warehouse lease.pdf")), folded(text_of("Quay 7 lease - Amendment No. 2.docx"))
    for old, new in (("600 litres", "1,500 litres"), ("06:00 to 20:00", "05:00 to 23:00"), ("end this lease on 30 April 2027", "30 April 2028")):
        assert folded(old) in lease
        assert folded(new) not in lease
        assert folded(new) in amendment


def test_figures_agree_across_documents() -> None:
    book = openpyxl.load_workbook(LIBRARY / "Budget 2026.xlsx", data_only=True)
    months: list[Any] = list(book["Freight"].iter_rows(min_row=4, max_row=12, values_only=True))
    quarters = [sum(row[column] for row in months[start : start + 3] for column in (2, 4, 6)) for start in (0, 3, 6)]
    assert quarters == [177_150, 187_300, 208_300]
    slides = text_of("Autumn review 2026.pptx")
    assert all(f"{value:,}" in slides for value in quarters)
    summary: dict[Any, Any] = {row[0]: row for row in book["Summary"].iter_rows(min_row=4, values_only=True)}
    assert summary["Freight"][2] == sum(quarters)
    assert summary["Total"][1] == sum(row[1] for name, row in summary.items() if name != "Total")


def test_the_consignments_are_sound() -> None:
    with (LIBRARY / "Shipments Q3 2026.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 60
    assert len({row["shipment"] for row in rows}) == 60
    assert all("2026-07-01" <= row["sent"] <= "2026-09-30" for row in rows)
    assert all((row["delivered"] > row["promised"]) == (row["status"] == "late") for row in rows)
    assert Counter(row["status"] for row in rows)["late"] == 3
