"""PDF files of the sample library: Chromium prints the HTML sources, pypdf makes the result the same on every run."""

from __future__ import annotations

import io
import random
import subprocess
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pypdfium2
from PIL import Image, ImageFilter
from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, ByteStringObject

SCAN_DPI = 110
SCAN_QUALITY = 38


def print_html(source: Path, chromium: str) -> bytes:
    """The page as Chromium prints it. Raises CalledProcessError when it cannot."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "page.pdf"
        command = [
            chromium,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-pdf-header-footer",
            f"--user-data-dir={folder}/profile",
            f"--print-to-pdf={target}",
            source.resolve().as_uri(),
        ]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return target.read_bytes()


def normalised(pdf: bytes, *, title: str, author: str, created: datetime) -> bytes:
    """The same pages with fixed metadata and a fixed file identifier, so that a rebuild changes nothing."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    stamp = created.astimezone(UTC).strftime("D:%Y%m%d%H%M%S+00'00'")
    writer.metadata = {"/Title": title, "/Author": author, "/CreationDate": stamp, "/ModDate": stamp, "/Producer": "Chromium, pypdf"}
    writer._ID = ArrayObject([ByteStringObject(title.encode()[:16].ljust(16)), ByteStringObject(stamp.encode()[:16])])
    writer.compress_identical_objects(remove_unreferenced=True)
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def scanned(pdf: bytes, *, seed: int = 7) -> bytes:
    """The first page as a scanner delivers it: one grey picture, a little askew, no text layer."""
    page = pypdfium2.PdfDocument(pdf)[0]
    sheet = page.render(scale=SCAN_DPI / 72).to_pil().convert("L")
    askew = sheet.rotate(0.7, resample=Image.Resampling.BICUBIC, fillcolor=250).filter(ImageFilter.GaussianBlur(0.5))
    grey = _speckled(askew, random.Random(seed))  # noqa: S311 - dust on a scanner, no secret
    out = io.BytesIO()
    grey.save(out, format="PDF", resolution=SCAN_DPI, quality=SCAN_QUALITY)
    return out.getvalue()


def _speckled(image: Image.Image, dice: random.Random) -> Image.Image:
    """Greyer paper with a dark edge on the left and some dust."""
    paper = image.point([min(243, int(value * 0.93) + 8) for value in range(256)])
    width, height = paper.size
    for _ in range(260):
        x, y = dice.randrange(width), dice.randrange(height)
        paper.putpixel((x, y), dice.randrange(90, 200))
    for x in range(7):
        for y in range(height):
            paper.putpixel((x, y), 110 + 16 * x)
    return paper
