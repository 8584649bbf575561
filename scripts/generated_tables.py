"""What the scripts that generate a table of the product share: rows with what differs from the defaults, and the format that `make check` wants."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


def format_row(row: DataclassInstance, kind: type[DataclassInstance]) -> str:
    """Return the code that makes `row`, as a `kind` (its class, or one that it extends), with those fields that differ from their defaults."""
    given = ((each.name, getattr(row, each.name)) for each in fields(kind) if getattr(row, each.name) != each.default)
    return f"{kind.__name__}({', '.join(f'{name}={_format_value(value)}' for name, value in given)})"


def _format_value(value: object) -> str:
    return f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value)


def format_python(text: str, path: Path) -> str:
    """Return the text of a module that will stand at `path`, formatted by ruff. Raises CalledProcessError where it is no Python."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(path), "-"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1]).stdout
