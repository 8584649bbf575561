"""Drawn lines put in order: pieces that belong together joined, those that touch gathered."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from ingestion.readers.pdf.tables.linked_groups import LinkedGroups
from ingestion.readers.pdf.tables.table_model import Rule

TOUCH = 3.0  # points: lines so near one another meet
_SHORTEST = 4.0
_SHORTEST_ACROSS = 10.0
_BREAK = 14.0  # points between the pieces of one line across a table (a line below each of its headings)
MAX_RULES = 1_200  # on each axis; the longest are kept


def merge_rules(rules: Sequence[Rule]) -> list[Rule]:
    """Join rules on (nearly) one line where they touch; the shortest are left out."""
    out = []
    for horizontal in (True, False):
        same = sorted((rule for rule in rules if rule.horizontal is horizontal), key=lambda rule: rule.position)
        found: list[Rule] = []
        for group in _group_neighbours(same):
            at = sum(rule.position for rule in group) / len(group)
            found += [Rule(horizontal, at, start, end) for start, end in _stretches(group, TOUCH) if end - start > _SHORTEST]
        if len(found) > MAX_RULES:
            found = sorted(found, key=lambda rule: -rule.length)[:MAX_RULES]
        out += found
    return out


def _group_neighbours(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Return rules in groups between which more than TOUCH points lie."""
    groups: list[list[Rule]] = []
    for rule in rules:
        if groups and rule.position - groups[-1][-1].position <= TOUCH:
            groups[-1].append(rule)
        else:
            groups.append([rule])
    return groups


def _stretches(rules: Sequence[Rule], gap: float) -> list[tuple[float, float]]:
    spans: list[list[float]] = []
    for rule in sorted(rules, key=lambda rule: rule.start):
        if spans and rule.start - spans[-1][1] <= gap:
            spans[-1][1] = max(spans[-1][1], rule.end)
        else:
            spans.append([rule.start, rule.end])
    return [(start, end) for start, end in spans]


@dataclass(frozen=True, slots=True)
class PageRules:
    """The rules of a page: horizontal `pieces` as drawn, `lines` with the pieces on one height joined over small gaps, and the `vertical` ones."""

    pieces: list[Rule]
    lines: list[Rule]
    vertical: list[Rule] = field(default_factory=list)


def arrange_rules(rules: Sequence[Rule]) -> PageRules:
    """Arrange merged rules from above."""
    pieces = sorted((rule for rule in rules if rule.horizontal and rule.length > _SHORTEST_ACROSS), key=lambda rule: (rule.position, rule.start))
    lines = []
    for group in _group_neighbours(pieces):
        lines += [Rule(True, group[0].position, start, end) for start, end in _stretches(group, _BREAK)]
    return PageRules(pieces, sorted(lines, key=lambda rule: rule.position), [rule for rule in rules if not rule.horizontal])


def group_touching_rules(rules: Sequence[Rule]) -> list[list[Rule]]:
    """Group merged rules that touch one another across the axes."""
    horizontal = [rule for rule in rules if rule.horizontal]
    vertical = sorted((rule for rule in rules if not rule.horizontal), key=lambda rule: rule.position)
    places = [rule.position for rule in vertical]
    groups = LinkedGroups(len(horizontal) + len(vertical))
    for index, rule in enumerate(horizontal):
        for other in range(bisect_left(places, rule.start - TOUCH), bisect_right(places, rule.end + TOUCH)):
            if vertical[other].start - TOUCH <= rule.position <= vertical[other].end + TOUCH:
                groups.link(index, len(horizontal) + other)
    return groups.split_items([*horizontal, *vertical])
