"""What is known of a leg of the search outside `retrieval`: its name, and the words that people read of it.

A leg is one way to look for chunks. The rows are written in `retrieval.leg_table`; `python -m scripts.write_legs` copies this part of them into
`core.leg_names`, for agents, orchestration and API, and into the page's table.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Bar = Literal["", "lexical", "dense", "links"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LegDescription:
    """A leg's name, which stages, traces and requests have for it, and its words.

    `title` names it as a part ("the search for words" failed), `found_by` says how it found a passage ("3rd by its words"), `criterion` what it
    orders by ("By its words it is at place 3"), `short` heads a column ("words"). `switch` and `without` are what the page calls it, and a run that
    leaves it out. `bar` is the bar of a result that shows its score, "" for none. Where `replaces` names another leg, this one's scores take the
    place of that one's for what it found.
    """

    name: str
    title: str
    found_by: str
    criterion: str
    short: str
    switch: str
    without: str
    bar: Bar = ""
    replaces: str = ""
