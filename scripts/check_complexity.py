"""Functions have few ways through them: `python -m scripts.check_complexity` lists those that have more than 15, and fails.

What is counted are the decisions of a function and of those inside it, as radon counts them: branches, loops, handlers, conditional expressions,
conditions of comprehensions, and each `and` and `or` (ruff's C901 leaves out the last three), but no assertions. `OVER_LIMIT` says how many
functions of a folder are still over the limit. A number there may only fall: with fewer left, the check asks for the lower number.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from radon.complexity import cc_visit
from radon.visitors import Class

from scripts.check_sizes import tracked_files

LIMIT = 15
OVER_LIMIT: Mapping[str, int] = {
    "agents/attached": 1,
    "agents/clarification": 2,
    "agents/comparison": 2,
    "agents/document_insights": 1,
    "agents/planner": 1,
    "agents/query_classifier": 5,
    "agents/strategy": 1,
    "agents/text": 1,
    "answers": 23,
    "benchmarks": 8,
    "graph": 8,
    "retrieval": 3,
    "tests": 1,
    "training": 2,
}


@dataclass(frozen=True, slots=True)
class ComplexFunction:
    path: Path
    line: int
    name: str
    complexity: int

    @property
    def folder(self) -> str:
        """Its package; of the agents the agent's folder."""
        depth = 2 if self.path.parts[0] == "agents" and len(self.path.parts) > 2 else 1
        return "/".join(self.path.parts[:depth])

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.name} has a complexity of {self.complexity}, at most {LIMIT}"


def complex_functions(path: Path, code: str) -> Iterator[ComplexFunction]:
    """Yield the functions and methods of a module that are over the limit."""
    for block in cc_visit(code, no_assert=True):
        if not isinstance(block, Class) and block.complexity > LIMIT:
            yield ComplexFunction(path, block.lineno, block.name, block.complexity)


def list_problems(found: Sequence[ComplexFunction], allowed: Mapping[str, int]) -> Iterator[str]:
    """Yield the functions of each folder that has more of them than are allowed, and what `allowed` has to say where it has fewer."""
    counts = Counter(each.folder for each in found)
    for folder in sorted({*counts, *allowed}):
        number, most = counts[folder], allowed.get(folder, 0)
        if number > most:
            yield from (str(each) for each in found if each.folder == folder)
            yield f"{folder}: {number} functions are over the limit, at most {most}"
        elif number < most:
            yield f"{folder}: only {number} functions are over the limit now: write that number into OVER_LIMIT of scripts/check_complexity.py"


def main() -> int:
    found = [each for path in tracked_files("*.py") for each in complex_functions(path, path.read_text(encoding="utf-8"))]
    problems = list(list_problems(found, OVER_LIMIT))
    for line in problems:
        sys.stdout.write(line + "\n")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
