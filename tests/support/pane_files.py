"""Files of every kind for the source pane: long, wide, with lines above their table, with soft hyphens, of many pages."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import docx
import openpyxl
import pptx
from pptx.util import Inches

from tests.support.office_files import docx_bytes, pptx_bytes, xlsx_bytes
from tests.support.pdf_files import PdfFile, line_operators

PAGES = 60


def write_files(folder: Path) -> None:
    """Write the files; `ui/e2e/pane.e2e.ts` knows what stands in them."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "dues.xlsx").write_bytes(_sheet())
    (folder / "berths.csv").write_text(_wide_table(), encoding="utf-8")
    (folder / "diary.txt").write_text(_diary(), encoding="utf-8")
    (folder / "deck.pptx").write_bytes(_deck())
    (folder / "chandlery.docx").write_bytes(_offer())
    (folder / "races.eml").write_bytes(_mail())
    (folder / "log.pdf").write_bytes(_log())
    (folder / "tides.py").write_text("".join(f"def tide_{n}():\n    return {n * 7 % 90} / 10  # metres\n\n" for n in range(400)), encoding="utf-8")


def _sheet() -> bytes:
    """The table begins at B4; row 6 is hidden, rows 7 and 8 are blank, and on the second sheet stands a long one."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Dues"
    for row, quay, dues in ((4, "Quay", "Dues"), (5, "North", "110"), (6, "West", "120"), (9, "South", "150")):
        sheet.cell(row, 2, quay)
        sheet.cell(row, 3, dues)
    sheet.row_dimensions[6].hidden = True
    ships = book.create_sheet("Ships")
    ships.append(["Ship", "Tons", "Master"])
    for number in range(1, 700):
        ships.append([f"Ship {number}", number * 3, f"Captain {number * 13 % 701}"])
    return xlsx_bytes(book)


def _wide_table() -> str:
    head = ";".join(["Berth", *(f"Measure of the harbour master {n}" for n in range(1, 16)), "Remark"])
    rows = (";".join([f"B-{row}", *(str(row * n) for n in range(1, 16)), f"Remark {row}"]) for row in range(1, 30))
    return "\n".join(["Berths of the year", "", head, *rows]) + "\n"


def _diary() -> str:
    days = [f"Day {n}. The wind came from the {('north', 'south', 'east', 'west')[n % 4]} and the log was kept by {n} hands." for n in range(1, 900)]
    days[699] = "The Hafen\u00adgebühr of the Café at the pier was raised to 41 crowns."
    return "\n\n".join(days) + "\n"


def _deck() -> bytes:
    deck = pptx.Presentation()
    for number in range(1, 9):
        slide = deck.slides.add_slide(deck.slide_layouts[5])
        assert slide.shapes.title is not None
        slide.shapes.title.text = f"Plan of the harbour {number}"
        frame = slide.shapes.add_textbox(Inches(1), Inches(2), Inches(8), Inches(4)).text_frame
        frame.text = "\n".join(f"Point {number}.{line} is about the mole and what it will cost us." for line in range(1, 31 if number == 7 else 4))
    return pptx_bytes(deck)


def _offer() -> bytes:
    document = docx.Document()
    document.add_heading("Offer of the chandlery", 1)
    for number in range(1, 120):
        document.add_paragraph(f"Item {number} is delivered within {number} days of the order.")
    table = document.add_table(rows=1, cols=3)
    for cell, name in zip(table.rows[0].cells, ("Rope", "Fathoms", "Price"), strict=True):
        cell.text = name
    for number in range(1, 40):
        for cell, value in zip(table.add_row().cells, (f"Rope {number}", str(number * 10), f"{number}.50"), strict=True):
            cell.text = value
    return docx_bytes(document)


def _mail() -> bytes:
    message = EmailMessage()
    message["From"], message["To"] = "Ada Quill <ada@example.org>", "crew@example.org"
    message["Subject"], message["Date"] = "The regatta of the spring", "Mon, 02 Mar 2026 09:30:00 +0000"
    message.set_content("\n\n".join(f"Race {n} starts at buoy {n * 3}." for n in range(1, 90)))
    return message.as_bytes()


def _log() -> bytes:
    """Sixty pages; the beacon is named on every tenth."""
    file = PdfFile()
    for page in range(1, PAGES + 1):
        said = [f"Page {page} of the log book.", f"The watch of day {page} was kept by hand {page * 7 % 61}."]
        said += ["The beacon of the mole was lit at dusk."] if page % 10 == 0 else []
        file.page(line_operators(72, 700, said))
    return file.bytes()
