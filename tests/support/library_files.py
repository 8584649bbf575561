"""A folder of the files that people complain about elsewhere: a locked one, a scan, a table over three pages, mails in an archive."""

from __future__ import annotations

import io
import zipfile
from email.message import EmailMessage
from pathlib import Path

import docx
from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter

from tests.support.office_files import docx_bytes, paragraph_lines, pdf_bytes

PASSWORD = "open sesame"
_ROWS = 34


def write_files(folder: Path) -> None:
    """Write the files. Each says one thing that stands nowhere else."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vault.pdf").write_bytes(locked_pdf(["The vault of the boathouse opens with the number 7921.", "Only the harbour master knows it."]))
    write_scan(["Inventory of the lighthouse", "", "The lamp was replaced on 4 June 2019", "by the firm of Ostrander and Sons."], folder / "scan.pdf")
    (folder / "berths.pdf").write_bytes(pdf_bytes(berth_pages()))
    (folder / "mails.zip").write_bytes(mail_archive())
    (folder / "notes").mkdir(exist_ok=True)
    (folder / "notes" / "gate.txt").write_text("The gate to the slipway is painted green.\n")


def locked_pdf(lines: list[str]) -> bytes:
    """A PDF that opens with PASSWORD."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf_bytes([paragraph_lines(lines)]))))
    writer.encrypt(PASSWORD, algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def write_scan(lines: list[str], path: Path) -> None:
    """A PDF whose only page is a picture of these lines, at 200 dots an inch."""
    page = Image.new("L", (1654, 1000), 255)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        draw.text((140, 120 + 90 * number), line, fill=0, font=ImageFont.load_default(48))
    page.save(path, "PDF", resolution=200)


def berth_pages() -> list[list[tuple[float, float, float, str]]]:
    """A table of 102 berths over three pages, its header on each of them, as (x, y, size, text)."""
    pages = []
    for number in range(3):
        rows = [("Berth", "Ship", "Length", "Fee")]
        rows += [(f"B-{n:03}", f"Gannet {n}", f"{10 + n % 7}.5", f"{400 + n}.00") for n in range(number * _ROWS + 1, (number + 1) * _ROWS + 1)]
        page = [(72.0, 780.0, 14.0, "Register of berths")] if number == 0 else []
        page += [
            (x, 740.0 - 19 * line, 10.0, cell) for line, row in enumerate(rows) for x, cell in zip((72.0, 170.0, 320.0, 430.0), row, strict=True)
        ]
        pages.append(page)
    return pages


def mail_archive() -> bytes:
    """An archive of two mails, one with a letter attached."""
    plain = EmailMessage()
    plain["From"], plain["To"], plain["Subject"] = "Ada Quill <ada@example.org>", "Bo Renn <bo@example.org>", "Regatta"
    plain["Date"], plain["Message-ID"] = "Tue, 03 Mar 2026 10:00:00 +0000", "<1@example.org>"
    plain.set_content("The regatta starts at the western mole at half past nine.")
    letter = docx.Document()
    letter.add_heading("Offer for the jetty", 1)
    letter.add_paragraph("The jetty is rebuilt in larch wood for 18,350 euros, delivery in the second week of May.")
    carrying = EmailMessage()
    carrying["From"], carrying["To"], carrying["Subject"] = "Carl Holt <carl@example.org>", "Bo Renn <bo@example.org>", "Our offer"
    carrying["Date"], carrying["Message-ID"] = "Wed, 04 Mar 2026 11:30:00 +0000", "<2@example.org>"
    carrying.set_content("Please find our offer attached.")
    kind = "vnd.openxmlformats-officedocument.wordprocessingml.document"
    carrying.add_attachment(docx_bytes(letter), maintype="application", subtype=kind, filename="offer.docx")
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("march/regatta.eml", plain.as_bytes())
        archive.writestr("march/offer.eml", carrying.as_bytes())
    return out.getvalue()
