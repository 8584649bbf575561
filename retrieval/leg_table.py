"""The legs of the search, a row for each: how it is run, its weight in the fusion, and the words for people.

Running, fusion, reports, explanations, traces and the page follow from these rows; their order is that of reports, columns and explanations. After
a change: `python -m scripts.write_legs` (docs/add-a-leg.md). Recency is no leg: it finds nothing, and weighs what they found.
"""

from __future__ import annotations

from retrieval.dense_leg import search_meaning
from retrieval.graph_leg import has_graph_hits, search_graph
from retrieval.leg import Leg
from retrieval.lexical_leg import search_words
from retrieval.multilingual_leg import add_others, crosses_languages, search_across_languages
from retrieval.tree_leg import TREE_WEIGHT, search_tree, wants_tree

LEGS = (
    Leg(
        name="lexical",
        search=search_words,
        weight=lambda strategy: strategy.lexical,
        title="the search for words",
        found_by="by its words",
        criterion="its words",
        short="words",
        switch="keyword search",
        without="no search by exact words",
        bar="lexical",
    ),
    Leg(
        name="dense",
        search=search_meaning,
        weight=lambda strategy: strategy.dense,
        in_dense_search=True,
        title="the search for meaning",
        found_by="by meaning",
        criterion="its meaning",
        short="meaning",
        switch="meaning search",
        without="no search by meaning",
        bar="dense",
    ),
    Leg(
        name="graph",
        search=search_graph,
        weight=lambda strategy: strategy.graph,
        runs=has_graph_hits,
        note_if_empty="The graph brought nothing: its weight is shared by the others.",
        title="the search along the knowledge graph",
        found_by="through the graph",
        criterion="the knowledge graph",
        short="graph",
        switch="graph",
        without="no related names and terms",
        bar="links",
    ),
    Leg(
        name="tree",
        search=search_tree,
        weight=lambda strategy: TREE_WEIGHT * strategy.dense,
        runs=wants_tree,
        title="the search along the tree of summaries",
        found_by="through a summary",
        criterion="the tree of summaries",
        short="tree",
        switch="tree of summaries",
        without="no search through summaries",
    ),
    Leg(
        name="multilingual",
        search=search_across_languages,
        weight=lambda strategy: strategy.dense,
        runs=crosses_languages,
        in_dense_search=True,
        complete=add_others,
        replaces="dense",
        title="the search across languages",
        found_by="by meaning across languages",
        criterion="its meaning across languages",
        short="other languages",
        switch="other languages",
        without="no search across languages",
        bar="dense",
    ),
)
