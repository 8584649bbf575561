"""No regular expression whose time may grow exponentially: `python -m scripts.check_patterns` lists those that are, and fails.

A repetition of a repetition, as in `(?:\\d+\\.?)+`, can split one run of digits in 2^n ways, and tries them all where what follows does not match: a
line of forty digits in a document then stops its reading for hours. Listed is each unbounded repetition whose body is an unbounded repetition with
nothing beside it that must be there.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from re import _constants as codes  # type: ignore[attr-defined]  # the parser of `re` has no public name
from re import _parser as parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any

from scripts.check_sizes import tracked_files

_MANY = 1000  # repetitions that are as bad as endless ones
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT)
_FUNCTIONS = {"compile", "search", "match", "fullmatch", "finditer", "findall", "sub", "subn", "split"}
_PRODUCT = ("agents", "answers", "composition", "core", "graph", "ingestion", "llm", "memory", "orchestration", "retrieval", "server", "storage")


def is_explosive(pattern: str, flags: int = 0) -> bool:
    """Return whether the time of a match may double with each letter. Raises `re.error` where `pattern` is none."""
    return any(_explodes(code, argument) for code, argument in _items(parser.parse(pattern, flags & ~re.DEBUG)))


def _items(sequence: Any) -> Iterator[tuple[Any, Any]]:
    """Yield all items of a parsed pattern, those inside others too."""
    for code, argument in sequence:
        yield code, argument
        for inner in _inner_sequences(code, argument):
            yield from _items(inner)


def _inner_sequences(code: Any, argument: Any) -> list[Any]:
    if code in _REPEATS:
        return [argument[2]]
    if code is codes.SUBPATTERN:
        return [argument[3]]
    if code is codes.BRANCH:
        return list(argument[1])
    return [argument[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


def _is_endless(code: Any, argument: Any) -> bool:
    return code in _REPEATS and argument[1] > _MANY


def _explodes(code: Any, argument: Any) -> bool:
    return _is_endless(code, argument) and any(_is_bare_repeat(body, argument[2].state) for body in _alternatives(list(argument[2])))


def _alternatives(items: list[tuple[Any, Any]]) -> list[list[tuple[Any, Any]]]:
    """Return what a body may be; a group or choice that stands alone is opened."""
    if len(items) == 1 and items[0][0] is codes.SUBPATTERN:
        return _alternatives(list(items[0][1][3]))
    if len(items) == 1 and items[0][0] is codes.BRANCH:
        return [each for branch in items[0][1][1] for each in _alternatives(list(branch))]
    return [items]


def _is_bare_repeat(items: list[tuple[Any, Any]], state: Any) -> bool:
    """Return whether there is an endless repetition beside which everything may be empty."""
    must = [item for item in items if _minimum_length(item, state) > 0]
    return any(_is_endless(*item) and all(other is item for other in must) for item in items)


def _minimum_length(item: tuple[Any, Any], state: Any) -> int:
    """Return the letters that an item takes at least; `state` knows the groups that it may refer to."""
    return int(parser.SubPattern(state, [item]).getwidth()[0])


def literal_patterns(path: Path) -> Iterator[tuple[str, str, int]]:
    """Yield place, text and flags of each pattern that is given to a function of `re` as it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FUNCTIONS and node.args):
            continue
        of, first = node.func.value, node.args[0]
        if isinstance(of, ast.Name) and of.id == "re" and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield f"{path}:{node.lineno}", first.value, 0


def compiled_patterns(module: ModuleType) -> Iterator[tuple[str, str, int]]:
    """Yield the same for what a module holds compiled, however it was put together, also in its collections."""
    for name, value in vars(module).items():
        held = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple | set | frozenset) else [value]
        for each in held:
            if isinstance(each, re.Pattern) and isinstance(each.pattern, str):
                yield f"{module.__name__}.{name}", each.pattern, each.flags


def import_modules() -> Iterator[ModuleType]:
    for path in tracked_files("*.py"):
        if path.parts[0] in _PRODUCT and path.name != "__init__.py" and "migrations" not in path.parts:  # those run when they are imported
            yield import_module(".".join(path.with_suffix("").parts))


def main() -> int:
    everywhere = [each for path in tracked_files("*.py") for each in literal_patterns(path)] + [
        each for module in import_modules() for each in compiled_patterns(module)
    ]
    found = {pattern: place for place, pattern, flags in everywhere if is_explosive(pattern, flags)}
    for pattern, place in found.items():
        sys.stdout.write(f"{place}: the time of this pattern may grow exponentially: {pattern!r}\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
