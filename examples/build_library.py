"""Builds examples/library from examples/sources.

    python examples/build_library.py [--chromium PATH] [--check]

The results are committed; nobody needs this script to use Vantage. It is for those who change the sample documents, and it needs what a
development checkout has: Chromium for the PDF files, Pillow and xlsxwriter (both come with python-pptx), and the product's own
dependencies. Two builds on one machine give the same bytes; another version of Chromium may set the pages differently.
"""

from __future__ import annotations

import argparse
import csv
import io
import random
import shutil
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path

from office_files import slides, word_file, workbook
from pdf_files import normalised, print_html, scanned

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "sources"
LIBRARY = HERE / "library"

PDFS = {
    "Quay 7 warehouse lease.pdf": ("lease.html", "Lease of Quay 7 warehouse, Elver Docks", "Trevanion & Holt", datetime(2021, 3, 22, 9, tzinfo=UTC)),
    "Crane C2 examination report.pdf": (
        "crane-report.html",
        "Report of thorough examination: overhead crane C2",
        "Callum Ferris",
        datetime(2026, 9, 16, 9, tzinfo=UTC),
    ),
    "Quote Kestrel Handling Q-20417.pdf": ("quote-kestrel.html", "Quotation Q-20417", "Ruaridh Sloane", datetime(2026, 8, 19, 9, tzinfo=UTC)),
}
SCAN = "Quay 7 handover protocol (scan).pdf"
WORDS = {
    "Quay 7 lease - Amendment No. 2.docx": "amendment-2.md",
    "Quote Norland Lift Trucks N-2291.docx": "quote-norland.md",
    "Forklift and lifting safety policy v1.docx": "policy-v1.md",
}
COPIES = {
    "Quote Pallas Materials Handling.txt": "quote-pallas.txt",
    "Forklift and lifting safety policy v2.md": "policy-v2.md",
    "Operations meeting 2026-10-06.md": "minutes.md",
    "People and organisations.html": "directory.html",
    "cold-store-alerts.json": "cold-store-alerts.json",
    "reorder_points.py": "reorder_points.py.txt",
}
DESTINATIONS = {
    "Vessen": ("sea", 9, 305),
    "Port Aldis": ("sea", 6, 240),
    "Karlshavn": ("sea", 5, 215),
    "Averton": ("road", 2, 62),
    "Dunmere": ("road", 1, 48),
    "Saint Osyn": ("road", 3, 85),
    "Lomar": ("air", 2, 1180),
}
LATE_SHARE = 0.07
CARRIERS = {"sea": "Blue Anchor Lines", "road": "Ardent Road Freight", "air": "Corvid Air Cargo"}
CUSTOMERS = ("Hesper Trawlers", "Noordzicht Ferries", "Calloway Dredging", "Fairlead Pilots", "Brisling Fisheries", "Tern Island Supply")
VESSELS = ("Hesper Dawn", "Noordzicht III", "Calloway Spade", "Fairlead", "Silver Brisling", "Tern Runner")


def _text(name: str) -> str:
    return (SOURCES / name).read_text(encoding="utf-8")


def mail() -> bytes:
    """The answer of the landlord's agent with the thread below it."""
    message = EmailMessage(policy=SMTP)
    message["From"] = "Morwenna Pascoe <m.pascoe@trevanion-holt.example>"
    message["To"] = "Tobias Renn <t.renn@merrow.example>"
    message["Cc"] = "Ines Okafor <i.okafor@merrow.example>"
    message["Subject"] = "Re: Crane C2 at Quay 7: runway joint and who pays"
    message["Date"] = "Mon, 28 Sep 2026 10:26:00 +0100"
    message["Message-ID"] = "<20260928.1026.c2@trevanion-holt.example>"
    message["In-Reply-To"] = "<20260922.1512.c2@merrow.example>"
    message.set_content(_text("thread.eml.txt"), cte="quoted-printable")
    return bytes(message)


def shipments() -> bytes:
    """Sixty consignments of the third quarter of 2026, drawn with a fixed seed."""
    dice = random.Random(2026)  # noqa: S311 - invented consignments, no secret
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    columns = "shipment,sent,customer,vessel,destination,mode,carrier,pallets,weight_kg,freight_gbp,promised,delivered,status"
    writer.writerow(columns.split(","))
    day = date(2026, 7, 1)
    for number in range(60):
        writer.writerow([f"S26-{4101 + number}", *_consignment(dice, day)])
        day += timedelta(days=dice.choice((1, 1, 2, 2, 1)))
    return out.getvalue().encode()


def _consignment(dice: random.Random, sent: date) -> list[object]:
    who = dice.randrange(len(CUSTOMERS))
    place = dice.choice(tuple(DESTINATIONS))
    mode, days, price = DESTINATIONS[place]
    pallets = 1 if mode == "air" else dice.randint(2, 14)
    weight = pallets * dice.randint(180, 520)
    freight = round(pallets * price * dice.uniform(0.9, 1.2), 2)
    late = dice.choice((1, 2, 4)) if dice.random() < LATE_SHARE else 0
    promised = sent + timedelta(days=days)
    status = "late" if late else "on time"
    route = [place, mode, CARRIERS[mode], pallets, weight, f"{freight:.2f}"]
    return [sent, CUSTOMERS[who], VESSELS[who], *route, promised, promised + timedelta(days=late), status]


def _pdf(chromium: str, name: str) -> bytes:
    source, title, author, created = PDFS[name]
    return normalised(print_html(SOURCES / source, chromium), title=title, author=author, created=created)


def _scan(chromium: str) -> bytes:
    picture = scanned(print_html(SOURCES / "scan.html", chromium))
    return normalised(picture, title="Scan 20210503-0914", author="", created=datetime(2021, 5, 3, 9, 14, tzinfo=UTC))


def recipes(chromium: str) -> dict[str, Callable[[], bytes]]:
    """How each file of the library is made."""
    made: dict[str, Callable[[], bytes]] = {name: (lambda name=name: _pdf(chromium, name)) for name in PDFS}
    made[SCAN] = lambda: _scan(chromium)
    made |= {name: (lambda source=source: word_file(_text(source))) for name, source in WORDS.items()}
    made |= {name: (lambda source=source: (SOURCES / source).read_bytes()) for name, source in COPIES.items()}
    made["Budget 2026.xlsx"] = lambda: workbook(_text("budget.yaml"))
    made["Autumn review 2026.pptx"] = lambda: slides(_text("review.yaml"))
    made["Re - Crane C2 at Quay 7.eml"] = mail
    made["Shipments Q3 2026.csv"] = shipments
    return made


def main() -> int:
    """Writes the files, or with --check says which would change."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome") or "chromium")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when a file would change")
    arguments = parser.parse_args()
    LIBRARY.mkdir(exist_ok=True)
    changed = 0
    for name, make in sorted(recipes(arguments.chromium).items()):
        target, content = LIBRARY / name, make()
        same = target.is_file() and target.read_bytes() == content
        changed += not same
        if not (same or arguments.check):
            target.write_bytes(content)
        sys.stdout.write(f"{'same   ' if same else 'changed'} {len(content):8,} {name}\n")
    return 1 if arguments.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
