"""Draw README's picture from the code: `python -m scripts.draw_architecture` writes `docs/architecture.svg`.

On the left the way of a question: the steps of the compiled graph, each with its agent. On the right the way of a file: the folders of `ingestion/`
as they import each other, above what they fill. `tests/unit/test_architecture_picture.py` fails where the picture is older than the code.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from html import escape
from pathlib import Path

from orchestration.dependencies import Dependencies
from orchestration.nodes import ROWS
from orchestration.zeus import build_graph

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "architecture.svg"
# What the last stages of indexing hand their documents to: packages beside `ingestion`, which it knows by ports alone.
STORES = {"storage": "documents, tables, ledger", "retrieval": "search index, token vectors", "graph": "entities and relations"}

_BOX, _GAP, _ROW = (162, 34), 10, 56  # pixels: width and height of a box, between boxes, from row to row
_STYLE = """
  text { font: 10px system-ui, sans-serif; fill: #1c2733 } .name { font-size: 11px; font-weight: 600 } .title { font-size: 14px; font-weight: 600 }
  rect { fill: #f4f7fa; stroke: #8fa3b5 } .store { fill: #eef6ee; stroke: #86a886 }
  path { fill: none; stroke: #7e93a6 } .back { stroke-dasharray: 4 3 }
  .ground { fill: #ffffff; stroke: none }
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A thing on the way: its key in the edges, its name, what it does, and its class of style."""

    key: str
    name: str
    words: str
    style: str = ""


@dataclass(frozen=True, slots=True)
class Way:
    """A titled picture: boxes in the order of the code, and arrows between their keys. An arrow to an earlier box goes back, and is dashed."""

    title: str
    boxes: Sequence[Box]
    arrows: Sequence[tuple[str, str]]

    def forward(self) -> list[tuple[str, str]]:
        order = {box.key: place for place, box in enumerate(self.boxes)}
        return [(one, other) for one, other in self.arrows if order[one] < order[other]]

    def levels(self) -> dict[str, int]:
        """Return for each box its row: one below the lowest of those that lead to it, and the last one for stores."""
        levels = {box.key: 0 for box in self.boxes}
        sources = defaultdict(list)
        for one, other in self.forward():
            sources[other].append(one)
        for box in self.boxes:
            levels[box.key] = max((levels[each] + 1 for each in sources[box.key]), default=0)
        last = max(levels.values()) + 1
        return levels | {box.key: last for box in self.boxes if box.style == "store"}


def _no_dependencies() -> Dependencies:
    """What the nodes would be built from: a graph that is only drawn asks for nothing."""
    raise AssertionError("a graph that is drawn is not run")


def question_way() -> Way:
    """The steps of Zeus's graph, in an order in which each follows one that leads to it."""
    edges = [(edge.source, edge.target) for edge in build_graph(_no_dependencies).get_graph().edges]
    rows = {row.name: Box(row.name, row.agent.name, row.action) for row in ROWS}
    arrows = [(one, other) for one, other in edges if one in rows and other in rows]
    return Way("The way of a question", [rows[name] for name in rows], arrows)


def _folder_of(module: str) -> str:
    """The folder of `ingestion` that a module lies in; what all readers share counts apart, since archives and text recognition need it, too."""
    parts = module.split(".")
    return "readers.base" if parts[1:3] == ["readers", "base"] else parts[1]


def _imports() -> dict[str, set[str]]:
    """The folders of `ingestion`, each with those that it imports."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in sorted((ROOT / "ingestion").glob("*/**/*.py")):
        folder = _folder_of(".".join(path.relative_to(ROOT).parts))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            if module.count(".") > 1 and module.startswith("ingestion."):
                found[folder].add(_folder_of(module))
    return {folder: found[folder] - {folder} for folder in sorted({*found, *(each for needs in found.values() for each in needs)})}


def _purpose(folder: str) -> str:
    """The beginning of a package's docstring, as far as its first comma, colon or full stop."""
    path = ROOT.joinpath("ingestion", *folder.split("."), "__init__.py")
    return re.split(r"[,:]|\.(?:\s|$)", ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "")[0]


def file_way() -> Way:
    """The folders of `ingestion`, those that import before those that are imported, and what they fill."""
    needs = _imports()
    order = list(TopologicalSorter({one: {other for other in needs if one in needs[other]} for one in needs}).static_order())
    boxes = [Box(each, each.replace(".", "/"), _purpose(each)) for each in order] + [
        Box(name, name, words, "store") for name, words in STORES.items()
    ]
    arrows = [(one, other) for one in order for other in sorted(needs[one])]
    return Way("The way of a file", boxes, [*_shortest(arrows), *(("indexing", store) for store in STORES)])


def _shortest(arrows: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """The arrows without those that a longer way through others says as well."""
    below: Mapping[str, set[str]] = defaultdict(set)
    for one, other in arrows:
        below[one].add(other)

    def reaches(one: str, other: str) -> bool:
        return other in below[one] or any(reaches(each, other) for each in below[one])

    for one, other in arrows:
        if not any(reaches(each, other) for each in below[one] - {other}):
            yield one, other


def _places(way: Way, left: float) -> tuple[dict[str, tuple[float, float]], float, float]:
    """The left upper corner of each box, and the width and height of all."""
    rows: Mapping[int, list[str]] = defaultdict(list)
    for key, level in way.levels().items():
        rows[level].append(key)
    width = max(len(row) * (_BOX[0] + _GAP) - _GAP for row in rows.values())
    places = dict[str, tuple[float, float]]()
    for level, row in rows.items():
        start = left + (width - (len(row) * (_BOX[0] + _GAP) - _GAP)) / 2
        for number, key in enumerate(row):
            places[key] = (start + number * (_BOX[0] + _GAP), 40 + level * _ROW)
    return places, width, 40 + (max(rows) + 1) * _ROW


def _arrow(start: tuple[float, float], end: tuple[float, float], *, back: bool) -> str:
    """A curve from the foot of a box to the head of another; one that goes back leaves and enters at the right."""
    if back:
        (x, y), (u, v) = (start[0] + _BOX[0], start[1] + _BOX[1] / 2), (end[0] + _BOX[0], end[1] + _BOX[1] / 2)
        bend = max(x, u) + 26
        return f'<path class="back" marker-end="url(#head)" d="M{x:.0f} {y:.0f} C{bend:.0f} {y:.0f} {bend:.0f} {v:.0f} {u + 2:.0f} {v:.0f}"/>'
    (x, y), (u, v) = (start[0] + _BOX[0] / 2, start[1] + _BOX[1]), (end[0] + _BOX[0] / 2, end[1])
    middle = (v - y) / 2
    return f'<path marker-end="url(#head)" d="M{x:.0f} {y:.0f} C{x:.0f} {y + middle:.0f} {u:.0f} {v - middle:.0f} {u:.0f} {v - 2:.0f}"/>'


def _fit(words: str, most: int = 29) -> str:
    return words if len(words) <= most else words[: most - 1].rsplit(" ", 1)[0] + " …"


def _draw(way: Way, left: float) -> tuple[list[str], float, float]:
    places, width, height = _places(way, left)
    forward = set(way.forward())
    lines = [f'<text class="title" x="{left:.0f}" y="22">{escape(way.title)}</text>']
    lines += [_arrow(places[one], places[other], back=(one, other) not in forward) for one, other in way.arrows]
    for box in way.boxes:
        x, y = places[box.key]
        style = f' class="{box.style}"' if box.style else ""
        lines.append(f'<rect{style} x="{x:.0f}" y="{y:.0f}" width="{_BOX[0]}" height="{_BOX[1]}" rx="6"/>')
        lines.append(f'<text class="name" x="{x + 8:.0f}" y="{y + 14:.0f}">{escape(box.name)}</text>')
        lines.append(f'<text x="{x + 8:.0f}" y="{y + 27:.0f}">{escape(_fit(box.words))}</text>')
    return lines, width, height


def draw_picture(ways: Iterable[Way]) -> str:
    """Return an SVG with the ways side by side."""
    drawn, left, height = list[str](), 20.0, 0.0
    for way in ways:
        lines, width, high = _draw(way, left)
        drawn, left, height = [*drawn, *lines], left + width + 70, max(height, high)
    size = f"{left - 30:.0f} {height + 4:.0f}"
    head = '<marker id="head" markerWidth="7" markerHeight="7" refX="6" refY="3" orient="auto"><path d="M0 0 L6 3 L0 6" stroke="#7e93a6"/></marker>'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" role="img" aria-label="How a question and a file travel">'
    ground = '<rect class="ground" width="100%" height="100%"/>'
    return "\n".join([opening, f"<style>{_STYLE}</style>", f"<defs>{head}</defs>", ground, *drawn, "</svg>"]) + "\n"


def main() -> int:
    PICTURE.write_text(draw_picture((question_way(), file_way())), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
