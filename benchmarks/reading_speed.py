"""Pages a second for each format beside the bare library that reads it: `python -m benchmarks.reading_speed [ROUNDS]`

Each sound file of the evaluation documents is read twice in this process, by Vantage's reader (structure, tables, spans, cleaning) and by the
bare library asked for nothing but its text. Files alternate, each read counts with the processor seconds of its fastest round. A page is a page,
a sheet or a slide; where a format has none, 3,000 characters. Text recognition is left out: `benchmarks.recognition` has it.
"""

from __future__ import annotations

import csv
import email
import email.policy
import io
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.machine import data_folder, describe, print_table
from core.documents import ExtractedDocument
from core.errors import ExtractionError
from ingestion.readers.base.source import Source
from ingestion.readers.registry import extract

_PAGE = 3_000
_LARGEST = 20_000_000


def bare_pdf(data: bytes) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(data)
    texts = [page.get_textpage().get_text_range() for page in document]
    document.close()
    return "".join(texts)


def bare_docx(data: bytes) -> str:
    import docx

    document = docx.Document(io.BytesIO(data))
    cells = (cell.text for table in document.tables for row in table.rows for cell in row.cells)
    return "\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])


def bare_xlsx(data: bytes) -> str:
    import openpyxl

    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    return "\n".join(str(value) for sheet in book.worksheets for row in sheet.iter_rows(values_only=True) for value in row if value is not None)


def bare_pptx(data: bytes) -> str:
    import pptx

    slides = pptx.Presentation(io.BytesIO(data)).slides
    return "\n".join(shape.text_frame.text for slide in slides for shape in slide.shapes if shape.has_text_frame)


def bare_html(data: bytes) -> str:
    from lxml.html import document_fromstring

    return str(document_fromstring(data).text_content())


def bare_csv(data: bytes) -> str:
    return "\n".join(" ".join(row) for row in csv.reader(io.StringIO(data.decode("utf-8", errors="replace"))))


def bare_mail(data: bytes) -> str:
    body = email.message_from_bytes(data, policy=email.policy.default).get_body(("plain", "html"))
    return str(body.get_content()) if body is not None else ""


# The suffix, the library's name, and how it gives a text.
BARE_READERS: dict[str, tuple[str, Callable[[bytes], str]]] = {
    ".pdf": ("pypdfium2", bare_pdf),
    ".docx": ("python-docx", bare_docx),
    ".xlsx": ("openpyxl", bare_xlsx),
    ".pptx": ("python-pptx", bare_pptx),
    ".html": ("lxml", bare_html),
    ".csv": ("csv", bare_csv),
    ".eml": ("email", bare_mail),
}


@dataclass(slots=True)
class FormatTally:
    """One format: files that both could read, their pages, and the processor seconds of either."""

    files: int = 0
    pages: int = 0
    ours: float = 0.0
    theirs: float = 0.0
    slowest: list[tuple[float, str]] = field(default_factory=list)


def sound_files(folder: Path) -> Iterator[Path]:
    """Files of the manifest that are not hostile, need no password and have a library here."""
    with (folder / "manifest.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            path = folder / row["file"]
            if not row["hostile"] and not row["password"] and path.suffix.lower() in BARE_READERS and int(row["bytes"]) < _LARGEST:
                yield path


def fastest_seconds(work: Callable[[], object], rounds: int) -> float:
    """Processor seconds of the fastest round."""
    taken = []
    for _ in range(rounds):
        started = time.process_time()
        work()
        taken.append(time.process_time() - started)
    return min(taken)


def count_pages(document: ExtractedDocument) -> int:
    return len(document.pages) or max(1, round(len(document.text) / _PAGE))


def measure_formats(folder: Path, rounds: int) -> tuple[dict[str, FormatTally], int]:
    """The tallies by suffix, and how many files either side could not read."""
    tallies: dict[str, FormatTally] = defaultdict(FormatTally)
    unread = 0
    for path in sound_files(folder):
        data, suffix = path.read_bytes(), path.suffix.lower()
        source = Source(data, path.name, recognize=False)
        try:
            document = extract(source)
            BARE_READERS[suffix][1](data)
        except ExtractionError:
            unread += 1
            continue
        except Exception:  # noqa: BLE001  (what the bare library cannot read is no comparison)
            unread += 1
            continue
        tally = tallies[suffix]
        ours = fastest_seconds(lambda source=source: extract(source), rounds)  # type: ignore[misc]
        tally.theirs += fastest_seconds(lambda data=data, read=BARE_READERS[suffix][1]: read(data), rounds)  # type: ignore[misc]
        tally.ours += ours
        tally.files += 1
        tally.pages += count_pages(document)
        tally.slowest.append((ours, path.name))
    return tallies, unread


def main(rounds: int) -> int:
    folder = data_folder() / "documents"
    if not (folder / "manifest.csv").is_file():
        sys.stdout.write(f"skipped: no documents at {folder} (set VANTAGE_DATA)\n")
        return 0
    tallies, unread = measure_formats(folder, rounds)
    sys.stdout.write(f"{describe()}\nprocessor seconds, best of {rounds}; {unread} files left out that one side cannot read\n\n")
    rows = []
    for suffix, tally in sorted(tallies.items()):
        slow, name = max(tally.slowest)
        rates = [f"{tally.pages / max(1e-9, each):,.0f}" for each in (tally.ours, tally.theirs)]
        share = f"{tally.theirs / max(1e-9, tally.ours):.2f}"
        rows.append([suffix, tally.files, tally.pages, *rates, BARE_READERS[suffix][0], share, f"{name} {1000 * slow:,.0f} ms"])
    head = ["format", "files", "pages", "Vantage, pages/s", "bare, pages/s", "bare library", "ratio", "slowest"]
    print_table(head, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]) if sys.argv[1:] else 3))
