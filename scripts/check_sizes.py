"""Files stay under 400 lines and functions under 50: `python -m scripts.check_sizes` lists what is over, and fails.

Docstrings and signatures are not counted for a function; generated files and migrations are left out.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

FILE_LINES = 400
FUNCTION_LINES = 50
SKIPPED_FILES = ("storage/migrations/versions/", "core/format_table.py", "ui/src/api/schema", "examples/", "docs/")


def tracked_files(*patterns: str) -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", *patterns], capture_output=True, text=True, check=True)
    return [Path(line) for line in listed.stdout.splitlines() if not line.startswith(SKIPPED_FILES) and Path(line).is_file()]


def long_files() -> Iterator[str]:
    for path in tracked_files("*.py", "*.ts", "*.tsx"):
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > FILE_LINES:
            yield f"{path}: {lines} lines, at most {FILE_LINES}"


def body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def long_functions() -> Iterator[str]:
    for path in tracked_files("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"), str(path))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and body_lines(node) > FUNCTION_LINES:
                yield f"{path}:{node.lineno}: {node.name} has {body_lines(node)} lines, at most {FUNCTION_LINES}"


def main() -> int:
    found = [*long_files(), *long_functions()]
    for line in found:
        sys.stdout.write(line + "\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
