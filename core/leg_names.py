"""The names and words of all legs of the search. Generated from `retrieval.leg_table` by `python -m scripts.write_legs`: do not edit."""

from __future__ import annotations

from typing import Literal

from core.legs import LegDescription

LegName = Literal["lexical", "dense", "graph", "tree", "multilingual"]

LEGS: tuple[LegDescription, ...] = (
    LegDescription(
        name="lexical",
        title="the search for words",
        found_by="by its words",
        criterion="its words",
        short="words",
        switch="keyword search",
        without="no search by exact words",
        bar="lexical",
    ),
    LegDescription(
        name="dense",
        title="the search for meaning",
        found_by="by meaning",
        criterion="its meaning",
        short="meaning",
        switch="meaning search",
        without="no search by meaning",
        bar="dense",
    ),
    LegDescription(
        name="graph",
        title="the search along the knowledge graph",
        found_by="through the graph",
        criterion="the knowledge graph",
        short="graph",
        switch="graph",
        without="no related names and terms",
        bar="links",
    ),
    LegDescription(
        name="tree",
        title="the search along the tree of summaries",
        found_by="through a summary",
        criterion="the tree of summaries",
        short="tree",
        switch="tree of summaries",
        without="no search through summaries",
    ),
    LegDescription(
        name="multilingual",
        title="the search across languages",
        found_by="by meaning across languages",
        criterion="its meaning across languages",
        short="other languages",
        switch="other languages",
        without="no search across languages",
        bar="dense",
        replaces="dense",
    ),
)
