"""A folder of files whose citations must open at the right place: a scan and a fax with pages that do not stand upright, a table over three pages
that is drawn column by column, a locked file, an archive of mails."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from tests.support.library_files import locked_pdf, mail_archive
from tests.support.pdf_files import PdfFile, text_operator
from tests.support.table_pages import grid_operators

SHEET = (1240, 1754)  # A4 at 150 dpi
_ROWS = 32


def write_files(folder: Path) -> None:
    """Write the files. On each sheet the title stands at (120, 140) and the lines below each other from (120, 260) on, 44 pixels apart."""
    folder.mkdir(parents=True, exist_ok=True)
    fees = draw_sheet("Fees", ["Ships under forty metres pay half of it.", "The fee for the narrows is raised to 615 crowns."]).rotate(180)
    minutes = draw_sheet("Minutes of the pilots guild", ["The guild met in the old customs house.", "The pilot boat Kestrel is laid up for repairs."])
    minutes.save(folder / "guild.pdf", "PDF", save_all=True, append_images=[fees], resolution=150)
    offer = draw_sheet("Fax from the chandlery", ["We can deliver ninety fathoms of rope by the twelfth."])
    prices = draw_sheet("Price list", ["Tar is 11.50 a barrel.", "Manila rope costs 4.20 a fathom."]).rotate(90, expand=True)
    pages = [page.convert("1") for page in (offer, prices)]
    pages[0].save(folder / "fax.tiff", "TIFF", save_all=True, append_images=pages[1:], compression="group4")
    draw_sheet("Tide table", ["High water at the pier is at 04:52 on Saturday."]).rotate(180).save(folder / "tide.png")
    (folder / "cargo.pdf").write_bytes(table_by_columns())
    (folder / "vault.pdf").write_bytes(locked_pdf(["The vault of the boathouse opens with the number 7921."]))
    (folder / "mails.zip").write_bytes(mail_archive())


def draw_sheet(title: str, lines: list[str]) -> Image.Image:
    page = Image.new("L", SHEET, 255)
    draw = ImageDraw.Draw(page)
    draw.text((120, 140), title, fill=0, font=ImageFont.load_default(44))
    for number, line in enumerate(lines):
        draw.text((120, 260 + 44 * number), line, fill=0, font=ImageFont.load_default(27))
    return page


def table_by_columns() -> bytes:
    """A ruled table of 96 crates over three pages; the letters of each page are drawn one column after the other."""
    rows = [("Crate", "Goods", "Weight", "Shelf")]
    rows += [(f"Q-{n:03}", f"Cargo {n * 7 % 97}", f"{n * 3 % 50}.25 kg", f"S{n % 9}-{n}") for n in range(1, 3 * _ROWS + 1)]
    file, xs = PdfFile(), [60, 160, 300, 420, 540]
    for page in range(3):
        part = [rows[0], *rows[1 + _ROWS * page : 1 + _ROWS * (page + 1)]]
        ys = [740 - 20 * line for line in range(len(part) + 1)]
        cells = [text_operator(xs[column] + 4, ys[line + 1] + 6, row[column]) for column in range(4) for line, row in enumerate(part)]
        file.page([*grid_operators(xs, ys[::-1]), *cells])
    return file.bytes()
