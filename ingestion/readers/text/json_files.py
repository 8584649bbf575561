"""JSON, JSON Lines and notebooks: readable paths of keys, and tables where objects are alike."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

from core.documents import ExtractedDocument
from core.errors import Empty
from core.formats import FileKind, Format, NameRole, Viewer
from ingestion.readers.base.charset import decode
from ingestion.readers.base.document_builder import DocumentBuilder
from ingestion.readers.base.source import Source
from ingestion.readers.text.plain_text import place_text

FORMATS = (
    Format(
        name="json",
        title="JSON",
        kind=FileKind.DATA,
        viewer=Viewer.TEXT,
        suffixes=(".json",),
        rare_suffixes=(".jsonl", ".ndjson", ".geojson", ".jsonld", ".ipynb"),
        name_role=NameRole.CHOOSES,
        spoken_with_files=("json",),
        doc_type="data",
        is_streamed=True,
    ),
)
_MAX_DEPTH = 60
_MAX_COLUMNS = 60


def extract(source: Source) -> ExtractedDocument:
    """Read values under their keys, top-level keys as headings. What is no valid JSON is read as plain text, with a warning.

    Raises:
        Empty: no value in it.
    """
    limit = 4 * source.limits.characters
    decoded = decode(source.read_beginning(limit + 1), limit=limit)
    builder = DocumentBuilder("json", limit=source.limits.characters)
    text = decoded.text.removeprefix("\ufeff")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        _place_lines(builder, text, source)
    else:
        place_value(builder, value, source)
    if decoded.truncated:
        builder.note_omitted_rows()
        builder.warn(f"Only the first {4 * source.limits.characters:,} bytes were read.")
    return builder.build()


def place_value(builder: DocumentBuilder, value: Any, source: Source) -> None:
    """Put a value of JSON (or of a format with the same values) into `builder`."""
    if isinstance(value, dict) and isinstance(value.get("cells"), list) and "nbformat" in value:
        _place_notebook(builder, value["cells"])
    elif isinstance(value, dict) and len(value) <= 200:
        _place_object(builder, value, source)
    elif isinstance(value, list):
        _place_list(builder, value, "", source)
    else:
        _place_values(builder, value, "", source)


def _place_lines(builder: DocumentBuilder, text: str, source: Source) -> None:
    """Place JSON Lines: one value in each line; lines that are none are counted."""
    values, bad, count, cells = [], 0, 0, 0
    for line in io.StringIO(text):
        if not line.strip():
            continue
        count += 1
        try:
            values.append(json.loads(line))
        except (ValueError, RecursionError):
            bad += 1
        cells += len(values[-1]) if values and isinstance(values[-1], dict | list) else 1
        if cells > source.limits.cells or (bad == count > 100):
            break
    if not values or bad > count / 2:
        builder.warn("This is no valid JSON: it was read as plain text.")
        place_text(builder, text)
        return
    _place_list(builder, values, "", source)
    if bad:
        builder.warn(f"{bad:,} of {count:,} lines are no valid JSON and were left out.")
    if cells > source.limits.cells:
        builder.note_omitted_rows()
        builder.warn(f"Only the first {count:,} lines were read: the limits are reached.")


def _place_object(builder: DocumentBuilder, value: dict[str, Any], source: Source) -> None:
    """Place scalars first, then each nested value under its key as a heading."""
    plain = {key: item for key, item in value.items() if not isinstance(item, dict | list)}
    if plain:
        _place_values(builder, plain, "", source)
    for key, item in value.items():
        if isinstance(item, dict | list) and item:
            builder.heading(str(key), 1)
            if isinstance(item, list):
                _place_list(builder, item, str(key), source)
            else:
                _place_values(builder, item, str(key), source)


def _place_list(builder: DocumentBuilder, values: list[Any], path: str, source: Source) -> None:
    """Place objects of scalars with few different keys as a table, anything else value by value."""
    keys = _shared_keys(values)
    if not keys:
        for number, value in enumerate(values):
            if builder.full:
                return
            _place_values(builder, value, f"{path}[{number}]" if path or len(values) > 1 else "", source)
        return
    limit = max(1, source.limits.cells // len(keys))
    rows = [[_scalar(value.get(key)) for key in keys] for value in values[:limit]]
    builder.table([keys, *rows], header_rows=1, caption=path)
    if len(values) > limit:
        builder.note_omitted_rows(len(values) - limit, counted=True)
        builder.warn(f"Only the first {limit:,} of {len(values):,} records were read.")


def _shared_keys(values: list[Any]) -> list[str]:
    """Return all keys of a list of flat objects, in the order of their first use; [] if they are no table."""
    if len(values) < 2:
        return []
    keys: dict[str, None] = {}
    for value in values:
        if not isinstance(value, dict) or any(isinstance(item, dict | list) and item for item in value.values()):
            return []
        keys.update(dict.fromkeys(value))
        if len(keys) > _MAX_COLUMNS:
            return []
    return list(keys)


def _place_values(builder: DocumentBuilder, value: Any, path: str, source: Source) -> None:
    lines = []
    for count, (key, text) in enumerate(_leaves(value, path, 0)):
        if count >= source.limits.cells:
            builder.warn(f"Only the first {count:,} values were read.")
            break
        lines.append(f"{key}: {text}" if key else text)
    if lines:
        builder.paragraph("\n".join(lines))


def _leaves(value: Any, path: str, depth: int) -> Iterator[tuple[str, str]]:
    """Yield (key path, value) of all scalars: "owner.name", "tags" (scalars of a list on one line), "items[2].price"."""
    if depth > _MAX_DEPTH:
        yield path, "…"
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _leaves(item, f"{path}.{key}" if path else str(key), depth + 1)
    elif isinstance(value, list):
        if all(not isinstance(item, dict | list) for item in value):
            if value:
                yield path, ", ".join(map(_scalar, value))
            return
        for number, item in enumerate(value):
            yield from _leaves(item, f"{path}[{number}]", depth + 1)
    elif value is not None and value != "":
        yield path, _scalar(value)


def _scalar(value: Any) -> str:
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def _place_notebook(builder: DocumentBuilder, cells: list[Any]) -> None:
    """Place the cells of a Jupyter notebook: prose, code and printed results."""
    from ingestion.readers.text.markdown import place_markdown

    for cell in cells:
        if not isinstance(cell, dict):
            continue
        text = _join_lines(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            place_markdown(builder, text)
        elif text:
            builder.code(text)
        for output in cell.get("outputs") or []:
            if isinstance(output, dict) and (printed := _join_lines(output.get("text") or (output.get("data") or {}).get("text/plain"))):
                builder.code(printed)
    if not builder.has_text:
        raise Empty("The notebook has no cells with text.")


def _join_lines(text: Any) -> str:
    return "".join(map(str, text)) if isinstance(text, list) else str(text or "")
