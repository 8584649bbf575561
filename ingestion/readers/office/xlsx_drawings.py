"""Parts of a sheet that openpyxl leaves out when it reads row by row: comments, text boxes, and formulas that were never computed."""

from __future__ import annotations

import io
import re
import zipfile
from posixpath import basename, dirname, join, normpath
from typing import Any

from ingestion.readers.base.document_builder import Span, clean_text
from ingestion.readers.base.office_package import FAILURES, parse_xml
from ingestion.readers.base.source import MEBIBYTE

_KINDS = ("/comments", "/drawing", "/threadedComment")
_LARGEST = 20 * MEBIBYTE
# A cell that ends right behind its formula holds no value.
_UNCOMPUTED = re.compile(rb"(?:</f>|<f\b[^>]*/>)\s*(?:<v\s*/>|<v></v>)?\s*</c>")

_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\b[^>]*?\bref=[\"']\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})[\"']")
_MOST_MERGED = 50_000


class SheetTexts:
    """Comments and text boxes by sheet."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def texts_of(self, sheet: Any) -> list[str]:
        """Return the texts of one openpyxl sheet; [] if there are none or their parts are damaged."""
        path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
        try:
            with zipfile.ZipFile(io.BytesIO(self._data)) as package:
                return [text for part in _parts(package, path) for text in _texts(package, part)]
        except FAILURES:
            return []

    def count_uncomputed(self, sheet: Any) -> int:
        """Count formulas of a sheet without a stored value: the program that wrote the file computed nothing."""
        path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
        try:
            with zipfile.ZipFile(io.BytesIO(self._data)) as package:
                return len(_UNCOMPUTED.findall(_content(package, path)))
        except FAILURES:
            return 0

    def merged_cells(self, sheet: Any) -> list[Span]:
        """Return the merged cells of a sheet as (row from 1, column from 0, rows, columns)."""
        path = str(getattr(sheet, "_worksheet_path", "")).lstrip("/")
        try:
            with zipfile.ZipFile(io.BytesIO(self._data)) as package:
                ranges = _MERGED.findall(_content(package, path))[:_MOST_MERGED]
        except FAILURES:
            return []
        return [_span(*map(bytes.decode, found)) for found in ranges]


def _span(left: str, top: str, right: str, bottom: str) -> Span:
    first, last = _column(left), _column(right)
    return int(top), first, max(1, int(bottom) - int(top) + 1), max(1, last - first + 1)


def _column(letters: str) -> int:
    """Return a column's number: 0 for "A", 26 for "AA"."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number - 1


def _parts(package: zipfile.ZipFile, path: str) -> list[str]:
    links = join(dirname(path), "_rels", basename(path) + ".rels")
    if links not in package.namelist():
        return []
    found = []
    for link in parse_xml(_content(package, links)):
        kind, target = str(link.get("Type", "")), str(link.get("Target", ""))
        if kind.endswith(_KINDS) and link.get("TargetMode") != "External":
            part = target.lstrip("/") if target.startswith("/") else normpath(join(dirname(path), target))
            if part in package.namelist():
                found.append(part)
    return found


def _content(package: zipfile.ZipFile, name: str) -> bytes:
    return package.read(name) if package.getinfo(name).file_size <= _LARGEST else b"<none/>"


def _texts(package: zipfile.ZipFile, part: str) -> list[str]:
    root = parse_xml(_content(package, part))
    if root is None:
        return []
    threaded = "threadedComment" in part
    kind = "threadedComment" if threaded else "comment" if "omment" in part else "txBody"
    names = _persons(package) if threaded else [author.text or "" for author in root.iter("{*}author")]
    found = [(holder, _text_of(holder)) for holder in root.iter(f"{{*}}{kind}")]
    return [_describe_text(holder, text, names) for holder, text in found if text and not text.startswith("[Threaded comment]")]


def _text_of(holder: Any) -> str:
    lines = ["".join(run.text or "" for run in line.iter("{*}t")) for line in holder.iter("{*}p")]
    return clean_text("\n".join(lines) or "".join(run.text or "" for run in holder.iter("{*}t", "{*}text")))


def _describe_text(holder: Any, text: str, names: list[str] | dict[str, str]) -> str:
    """Return the text of a shape, or a comment with its author and its cell."""
    reference = holder.get("ref")
    return f"Comment{_author(holder, names)} on {reference}: {text}" if reference else text


def _persons(package: zipfile.ZipFile) -> dict[str, str]:
    """Return the names of those who wrote threaded comments, by their identifiers."""
    found: dict[str, str] = {}
    for name in package.namelist():
        if name.startswith("xl/persons/") and (root := parse_xml(_content(package, name))) is not None:
            found |= {person.get("id") or "": person.get("displayName") or "" for person in root.iter("{*}person")}
    return found


def _author(comment: Any, names: list[str] | dict[str, str]) -> str:
    """Return " by Ann" where a name is known."""
    if isinstance(names, dict):
        name = names.get(comment.get("personId") or "", "")
    else:
        number = comment.get("authorId") or ""
        name = names[int(number)] if number.isdecimal() and len(number) < 6 and int(number) < len(names) else ""
    return f" by {clean_text(name)}" if name.strip() and not name.startswith("tc=") else ""
