"""What is aimed at in a table before its rows are chosen: the operation and the column, as far as the question names them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agents.statements import stem
from agents.table_conditions import Unclear
from agents.table_matching import Matching, Named
from agents.table_question import Operation

# What is taken from a confidence of 1 for a column that is named in part or not at all.
PARTIAL, INFERRED = 0.1, 0.15
ROWS = frozenset(stem(word) for word in "row entry entries record line".split())


@dataclass(frozen=True, slots=True)
class Aim:
    """What is aimed at before the conditions are known; `doubt` is taken from the confidence."""

    operation: Operation
    target: int | None = None
    inner: Operation | None = None
    group: int | None = None
    label: int | None = None
    distinct: bool = False
    doubt: float = 0.0
    named: int = 0


def one(matching: Matching, found: Sequence[Named], what: str) -> Named | None:
    """The only one; None for none. Raises Unclear where several columns fit equally."""
    if len(found) > 1:
        names = " and ".join(f"“{each.column.name}”" for each in found[:4])
        raise Unclear(f"{'Two' if len(found) == 2 else len(found)} columns fit “{what}” equally: {names}. Say which is meant.")
    if found:
        matching.takes(found[0].places)
    return found[0] if found else None


def said(matching: Matching, found: Sequence[Named]) -> str:
    return (" ".join(matching.words[at].text for at in found[0].places) if found else "") or matching.asked.extreme


def doubt_of(named: Named) -> float:
    return 0.0 if named.share == 1 or named.implied else PARTIAL


def basic(matching: Matching, found: list[Named]) -> list[Named]:
    chosen = matching.basic([each.place for each in found]) if len(found) > 1 else [each.place for each in found]
    return [each for each in found if each.place in chosen]


def is_about(matching: Matching) -> bool:
    """Whether the question names the table."""
    return any(matching.words[at].stem in matching.context for at in matching.free)
