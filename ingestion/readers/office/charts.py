"""Charts of Office files as the tables that they were drawn from: the values that their part keeps, read without the workbook behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from core.documents import BlockKind
from ingestion.readers.base.cell_values import plain_number
from ingestion.readers.base.document_builder import DocumentBuilder, clean_line

_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_MAX_POINTS = 20_000
_MAX_SERIES = 200


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart: its title, the titles of its axes, and a table with a column for each series."""

    title: str
    axes: tuple[str, ...]
    rows: list[list[str]]


def read_chart(root: Any) -> Chart:
    """Read the chart of a chart part (its root element)."""
    title = root.find(f"{_C}chart/{_C}title")
    plots = root.findall(f".//{_C}ser")[:_MAX_SERIES]
    columns = [_points(series, "val", "yVal") for series in plots]
    names: dict[int, str] = {}
    for series in plots:
        for index, name in _points(series, "cat", "xVal").items():
            names.setdefault(index, name)
    indexes = sorted(set(names).union(*columns))[:_MAX_POINTS] if columns else []
    rows = [[names.get(index, ""), *(column.get(index, "") for column in columns)] for index in indexes]
    heads = [_words(head) if (head := series.find(f"{_C}tx")) is not None else "" for series in plots]
    axes = tuple(filter(None, (_words(axis) for axis in root.iterfind(f".//{_C}plotArea/*/{_C}title"))))
    return Chart(_words(title) if title is not None else "", axes, [["", *heads], *rows] if rows else [])


def place_chart(builder: DocumentBuilder, chart: Chart) -> None:
    """Put a chart into `builder`: its titles as a caption, its values as a table."""
    caption = " – ".join(filter(None, (chart.title, ", ".join(chart.axes))))
    builder.block(BlockKind.CAPTION, caption)
    builder.table(chart.rows, header_rows=1, caption=chart.title)


def _points(series: Any, *names: str) -> dict[int, str]:
    """Return the values of a series by their places."""
    holder = next((found for name in names if (found := series.find(f"{_C}{name}")) is not None), None)
    if holder is None:
        return {}
    levels = holder.findall(f".//{_C}lvl")
    points: dict[int, str] = {}
    for level in reversed(levels) if levels else (holder,):  # the outermost names first
        for point in level.iter(f"{_C}pt"):
            index = point.get("idx") or ""
            if index.isdecimal() and len(index) < 7:
                text = _figure(point.findtext(f"{_C}v") or "")
                points[int(index)] = f"{points[int(index)]} {text}" if int(index) in points else text
    return points


def _figure(text: str) -> str:
    """Return a number without what computing left at its end."""
    try:
        return plain_number(float(text)) if len(text) > 12 else clean_line(text).removesuffix(".0")
    except (ValueError, OverflowError):
        return clean_line(text)


def _words(element: Any) -> str:
    written = "".join(run.text or "" for run in element.iter(f"{_A}t"))
    return clean_line(written or " ".join(value.text or "" for value in element.iter(f"{_C}v")))
