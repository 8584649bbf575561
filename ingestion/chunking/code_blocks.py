"""Finds where code that is too long for a chunk may be cut, in any language that is indented."""

from __future__ import annotations

from itertools import pairwise

_CLOSERS = ("}", ")", "]", "end", "fi", "done", "esac", "#endif", "*/", '"""', "'''")


def split_code(code: str) -> list[tuple[int, int]]:
    """Split `code` into its functions, methods or paragraphs, the outermost of which there are several; return spans that cover it, [] where it has
    none.

    A piece begins with a line behind a blank one, at the least indentation at which that gives more than one piece: a function at the margin, then
    a method of the only class, then a paragraph of the only function.
    """
    starts = _starts(code)
    for depth in sorted({indent for _, indent in starts}):
        cuts = [place for place, indent in starts if indent <= depth and place]
        if cuts:
            edges = [0, *cuts, len(code)]
            return list(pairwise(edges))
    return []


def _starts(code: str) -> list[tuple[int, int]]:
    """Return (offset, indentation) of each line behind a blank one, and of the first; a line that only closes what is above begins nothing."""
    found, at, blank = [], 0, True
    for line in code.splitlines(keepends=True):
        bare = line.strip()
        if bare and blank and not bare.startswith(_CLOSERS):
            found.append((at, _indent(line)))
        blank = not bare
        at += len(line)
    return found


def _indent(line: str) -> int:
    """Return the columns in front of the text; a tab goes to the next multiple of eight."""
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())
