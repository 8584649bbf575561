"""The flags of `vantage rag`."""

from __future__ import annotations

import argparse

from commands.evaluation_parser import any_number, make_adder, positive_number
from commands.search_choices import RAG_STRATEGIES

_SET_HELP = "a set as of `eval run` (default: questions that are made of the library now)"


def add_rag(top: argparse.ArgumentParser) -> None:
    """Add the actions of `vantage rag`."""
    action = make_adder(top)
    benchmark = action("benchmark", "ask the same questions with several strategies and print one table")
    benchmark.add_argument("--data", metavar="FILE", default="", help="CSV file, a document in each row (default: your library)")
    benchmark.add_argument("--text-column", default="text", help="its column with the documents (default text)")
    benchmark.add_argument("--set", metavar="SET", default="", dest="path", help=_SET_HELP)
    benchmark.add_argument("--strategies", type=strategy_names, default=strategy_names("basic,hybrid,graphrag"), help=", ".join(RAG_STRATEGIES))
    diversity = action("analyze-diversity", "say how many of the texts that questions bring are different")
    diversity.add_argument("--set", metavar="SET", default="", dest="path", help=_SET_HELP)
    diversity.add_argument("--strategy", type=strategy_names, default=("auto",), help="one of those of `rag benchmark` (default auto)")
    action("build-tree", "build the tree of summaries that the pipeline raptor searches, where raptor.enabled is on")
    for each in (benchmark, diversity):
        each.add_argument("--num-queries", type=any_number, default=50, help="how many questions at most (default 50)")
        each.add_argument("--k", type=positive_number, default=5, help="how many documents the measures look at (default 5, at most 50)")
        each.add_argument("--seed", type=int, default=0, help="draws the questions that are made (default 0)")
        each.add_argument("--cache", metavar="FOLDER", help="where the libraries of sets with documents are kept (default: the user's cache folder)")


def strategy_names(text: str) -> tuple[str, ...]:
    """Return the names, each once. Raises ArgumentTypeError for an unknown one."""
    names = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
    known = ", ".join(RAG_STRATEGIES)
    unknown = [name for name in names if name not in RAG_STRATEGIES]
    if unknown or not names:
        raise argparse.ArgumentTypeError(f"there is no strategy {', '.join(unknown or [text])!r}. There are {known}")
    return names
