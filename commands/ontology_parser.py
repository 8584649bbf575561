"""The actions of `vantage ontology` and their arguments."""

from __future__ import annotations

import argparse


def add_ontology(top: argparse.ArgumentParser) -> None:
    """Add the actions of `vantage ontology`."""
    actions = top.add_subparsers(dest="action", required=True, metavar="ACTION")
    for name, said in (
        ("load", "load an ontology: RDF/XML, Turtle, N-Triples or JSON-LD"),
        ("list", "list the ontologies that are loaded"),
        ("remove", "remove an ontology"),
    ):
        action = actions.add_parser(name, help=said, description=said)
        action.add_argument("--json", action="store_true", help="print JSON for programs")
        if name == "load":
            action.add_argument("path", metavar="FILE")
        elif name == "remove":
            action.add_argument("ontology_id", metavar="ID", help="as `ontology list` shows it")
