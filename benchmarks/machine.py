"""What the figures were taken on, and a table to print them in."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil

from evaluation.percentiles import percentile

__all__ = ["data_folder", "describe", "percentile", "print_table"]


def describe() -> str:
    """Processor, cores that this process may use, memory and Python, in one line."""
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.is_file():
        text = info.read_text(encoding="utf-8", errors="replace")
        model = next((line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")), model)
        model += " with amx_bf16" if " amx_bf16" in text else " with avx512_bf16" if " avx512_bf16" in text else ""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return f"{model}, {cores} cores, {psutil.virtual_memory().total / 2**30:.0f} GiB, Python {platform.python_version()}, {platform.system()}"


def data_folder() -> Path:
    """Where the evaluation data lies: VANTAGE_DATA, else ../shared/data beside the checkout."""
    return Path(os.environ.get("VANTAGE_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


def print_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """A Markdown table on standard output, columns padded so that it can be read there."""
    cells = [[str(cell) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(head))]
    for number, row in enumerate(cells):
        sys.stdout.write("| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |\n")
        if number == 0:
            sys.stdout.write("|" + "|".join("-" * (width + 2) for width in widths) + "|\n")
