"""Small files of every format, made on the spot: what the tests of the extractors read."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

import docx
import openpyxl
import pptx


def pdf_bytes(pages: Sequence[Sequence[tuple[float, float, float, str]]], *, title: str = "", bold: bool = False) -> bytes:
    """A PDF 612 x 792 points large: each page is a list of (x, y from the bottom, size, text); text in Helvetica (Bold from 14 points, if `bold`)."""
    count = len(pages)
    kids = " ".join(f"{5 + 2 * number} 0 R" for number in range(count))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
    ]
    for number, lines in enumerate(pages):
        shown = "\n".join(f"BT /F{2 if bold and size >= 14 else 1} {size} Tf {x} {y} Td ({_escaped(text)}) Tj ET" for x, y, size, text in lines)
        fonts = "<< /Font << /F1 3 0 R /F2 4 0 R >> >>"
        objects.append(f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources {fonts} /Contents {6 + 2 * number} 0 R >>")
        objects.append(f"<< /Length {len(shown.encode('cp1252'))} >>\nstream\n{shown}\nendstream")
    objects.append(f"<< /Title ({_escaped(title)}) /CreationDate (D:20240305101500+01'00') >>")
    return _assemble(objects)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")


def _assemble(objects: Sequence[str]) -> bytes:
    output = bytearray(b"%PDF-1.4\n")
    offsets = []
    for number, content in enumerate(objects, start=1):
        offsets.append(len(output))
        output += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    start = len(output)
    output += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n".encode()
    output += b"".join(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    output += f"trailer\n<< /Size {len(objects) + 1} /Root 1 0 R /Info {len(objects)} 0 R >>\nstartxref\n{start}\n%%EOF\n".encode()
    return bytes(output)


def paragraph_lines(text: Sequence[str], *, top: float = 700, size: float = 11, left: float = 72) -> list[tuple[float, float, float, str]]:
    """Lines of a paragraph for `pdf_bytes`, one below the other."""
    return [(left, top - 1.2 * size * number, size, line) for number, line in enumerate(text)]


def docx_bytes(document: docx.document.Document) -> bytes:
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def xlsx_bytes(workbook: openpyxl.Workbook) -> bytes:
    output = io.BytesIO()
    workbook.save(output)
    return output.getvalue()


def pptx_bytes(presentation: pptx.presentation.Presentation) -> bytes:
    output = io.BytesIO()
    presentation.save(output)
    return output.getvalue()


def replace_parts(package: bytes, changes: Mapping[str, bytes | None]) -> bytes:
    """A zip container with some members replaced, added, or (None) left out."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as source, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in source.namelist():
            if name not in changes:
                copy.writestr(name, source.read(name))
        for name, content in changes.items():
            if content is not None:
                copy.writestr(name, content)
    return output.getvalue()


def read_part(package: bytes, name: str) -> bytes:
    """One member of a zip container."""
    with zipfile.ZipFile(io.BytesIO(package)) as source:
        return source.read(name)
