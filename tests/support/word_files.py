"""Documents of Word 97 (MS-DOC), made on the spot: text in one piece, properties of paragraphs and characters in one page each."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from tests.support.ole_files import compound_bytes

_TEXT_AT = 0x800
_STORIES = ("footnotes", "headers", "macros", "comments", "endnotes", "boxes", "header boxes")


def sprm(code: int, operand: bytes) -> bytes:
    return struct.pack("<H", code) + operand


def row_end(edges: Sequence[int], cells: Sequence[int] = ()) -> bytes:
    """Properties of the mark that ends a row: right edges of its cells, and their flags (1 first of several columns, 2 goes on …)."""
    body = struct.pack("<B", len(edges)) + struct.pack(f"<{len(edges) + 1}h", 0, *edges)
    body += b"".join(struct.pack("<H", flags) + b"\0" * 18 for flags in (cells or [0] * len(edges)))
    return sprm(0x2416, b"\1") + sprm(0x2417, b"\1") + sprm(0xD608, struct.pack("<H", len(body) + 1) + body)


def doc_bytes(
    paragraphs: Sequence[tuple[str, int, bytes]],
    *,
    hidden: Sequence[str] = (),
    stories: Mapping[str, str] | None = None,
    flags: int = 0x0200,
    before_table: bytes = b"",
) -> bytes:
    """A .doc: paragraphs as (text with its mark, number of the style, properties); `hidden` texts are marked so where they stand first.

    `before_table` stands in front of its tables, as what says how it is encrypted does.
    """
    body = "".join(text for text, _, _ in paragraphs)
    others = [(stories or {}).get(name, "") for name in _STORIES]
    text = body + "".join(others)
    runs, at = [], _TEXT_AT
    for written, style, properties in paragraphs:
        runs.append((at, at + 2 * len(written), struct.pack("<H", style) + properties))
        at += 2 * len(written)
    marked = sorted((_TEXT_AT + 2 * body.index(part), _TEXT_AT + 2 * (body.index(part) + len(part))) for part in hidden)
    pages = [_page([(begin, end, sprm(0x083C, b"\1")) for begin, end in marked], 1), _page(runs, 13)]
    content = text.encode("utf-16-le")
    first = -(-(_TEXT_AT + len(content)) // 512)
    tables = [struct.pack("<III", _TEXT_AT, at, first + number) for number in range(2)]
    pieces = struct.pack("<II", 0, len(text)) + struct.pack("<HIH", 0, _TEXT_AT, 0)
    pieces = b"\2" + struct.pack("<I", len(pieces)) + pieces
    fib = bytearray(_TEXT_AT)
    struct.pack_into("<HH", fib, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", fib, 0x0A, flags)
    struct.pack_into("<8i", fib, 0x4C, len(body), *map(len, others))
    base = len(before_table)
    struct.pack_into("<I", fib, 0x0E, base)
    struct.pack_into("<II", fib, 0xFA, base, 12)
    struct.pack_into("<II", fib, 0x102, base + 12, 12)
    struct.pack_into("<II", fib, 0x1A2, base + 24, len(pieces))
    document = (bytes(fib) + content).ljust(512 * first, b"\0") + b"".join(pages)
    return compound_bytes({"WordDocument": document, "1Table": before_table + b"".join(tables) + pieces})


def _page(runs: Sequence[tuple[int, int, bytes]], width: int) -> bytes:
    """A formatted page: bounds of runs, places of their properties, the properties from the end on."""
    page = bytearray(512)
    page[-1] = len(runs)
    bounds = [begin for begin, _, _ in runs] + [runs[-1][1] if runs else 0]
    struct.pack_into(f"<{len(bounds)}I", page, 0, *bounds)
    top = 510
    for number, (_, _, properties) in enumerate(runs):
        padded = properties + b"\0" * ((len(properties) + 1) % 2)
        written = (bytes([(len(padded) + 1) // 2]) if width == 13 else bytes([len(padded)])) + padded
        top -= len(written) + len(written) % 2
        page[top : top + len(written)] = written
        page[4 * len(bounds) + width * number] = top // 2
    return bytes(page)
