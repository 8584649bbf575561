"""Tables drawn on pages of `pdf_files`: what tests of the table reader look at."""

from __future__ import annotations

from collections.abc import Sequence

import pypdfium2

from ingestion.readers.pdf.line_extraction import read_page
from ingestion.readers.pdf.tables import FoundTable, find_tables
from tests.support.pdf_files import PdfFile, text_operator

PITCH = 16.0
PROSE = "The committee met in the town hall and heard the reports of all four working groups before it adjourned."


def row_operators(xs: Sequence[float], y: float, cells: Sequence[str], *, font: str = "F1", size: float = 11) -> list[str]:
    """Cells of one row, each beginning at its x; empty ones are left out."""
    return [text_operator(x, y, cell, font=font, size=size) for x, cell in zip(xs, cells, strict=True) if cell]


def rows_operators(xs: Sequence[float], top: float, cells: Sequence[Sequence[str]], pitch: float = PITCH) -> list[str]:
    """Rows one below the other; `top` is the baseline of the first."""
    return [operator for index, own in enumerate(cells) for operator in row_operators(xs, top - pitch * index, own)]


def rule_operator(x0: float, y0: float, x1: float, y1: float) -> str:
    return f"{x0} {y0} m {x1} {y1} l S"


def grid_operators(xs: Sequence[float], ys: Sequence[float]) -> list[str]:
    """All lines of a ruled table; `ys` from the bottom."""
    across = [rule_operator(xs[0], y, xs[-1], y) for y in ys]
    return across + [rule_operator(x, ys[0], x, ys[-1]) for x in xs]


def ruled_table(xs: Sequence[float], top: float, cells: Sequence[Sequence[str]], pitch: float = 20.0) -> list[str]:
    """A ruled table; `xs` has one side more than there are columns, `top` is its upper side."""
    ys = [top - pitch * index for index in range(len(cells) + 1)]
    texts = [op for index, own in enumerate(cells) for op in row_operators([x + 4 for x in xs[:-1]], ys[index + 1] + 6, own)]
    return grid_operators(xs, ys[::-1]) + texts


def find_page_tables(*pages: Sequence[str], entries: str = "", warnings: list[str] | None = None) -> list[FoundTable]:
    """The tables of a file with these pages."""
    file = PdfFile()
    for operators in pages:
        file.page(operators, entries)
    return find_file_tables(file.bytes(), warnings)


def find_file_tables(data: bytes, warnings: list[str] | None = None) -> list[FoundTable]:
    document = pypdfium2.PdfDocument(data)
    try:
        pages = [read_page(document, number) for number in range(1, len(document) + 1)]
        return find_tables(document, pages, None if warnings is None else warnings.append)
    finally:
        document.close()
