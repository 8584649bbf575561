"""The flags of `vantage eval`."""

from __future__ import annotations

import argparse
import re
from typing import Protocol

from commands.search_choices import PIPELINES, STAGES, STRATEGIES


class AddAction(Protocol):
    """Function that adds an action of a command."""

    def __call__(self, name: str, text: str) -> argparse.ArgumentParser: ...


def add_evaluation(top: argparse.ArgumentParser) -> None:
    """Add the actions of `vantage eval`."""
    action = make_adder(top)
    run = action("run", "measure the search with a set of questions")
    run.add_argument("path", metavar="SET", help="folder (BEIR's layout), CSV file about the own library, or the name of a set that `eval make` made")
    run.add_argument("--strategy", choices=STRATEGIES, default="auto", help="search every question with this one (default: as the question asks)")
    run.add_argument("--pipeline", choices=PIPELINES, default="auto", help="which searches are made (default: as you are served)")
    run.add_argument("--ablate", action="append", default=[], choices=STAGES, help="measure again without this stage (may be given several times)")
    run.add_argument("--k", type=positive_number, default=10, help="how many documents the measures look at (default 10, at most 50)")
    run.add_argument("--answers", action="store_true", help="make the answers, too, and count what is refused")
    run.add_argument("--queries", metavar="FILE", default="queries.jsonl", help="in the folder (default queries.jsonl)")
    run.add_argument("--corpus", metavar="FILE", default="corpus.jsonl", help="in the folder (default corpus.jsonl)")
    run.add_argument("--cache", metavar="FOLDER", help="where the libraries of sets with documents are kept (default: the user's cache folder)")
    compare = action("compare", "say what differs between two runs, with an interval, and which questions moved most")
    compare.add_argument("before", help="a run, as `eval list` names it, the end of its name, or previous")
    compare.add_argument("after", help="another, or last")
    action("diversity", "say how many different texts a run retrieved").add_argument("run", nargs="?", default="last", help="default: the last")
    action("list", "list the runs that are kept")
    make = action("make", "make a set of questions from the library's own documents, by rules")
    make.add_argument("--n", type=any_number, default=100, help="how many questions (default 100)")
    make.add_argument("--seed", type=int, default=0, help="the same seed and documents make the same set (default 0)")
    make.add_argument("--name", type=set_name, default="silver", help="what `eval run` calls it (default silver)")
    make.add_argument("--force", action="store_true", help="make a set of that name anew")


def add_tuning(tune: argparse.ArgumentParser) -> None:
    """Add the flags of `vantage tune`."""
    tune.add_argument("--set", dest="path", metavar="SET", default="", help="a set as of `eval run` (default: one that is made of the library now)")
    tune.add_argument("--n", type=any_number, default=100, help="how many questions are made (default 100)")
    tune.add_argument("--seed", type=int, default=0, help="draws the questions and the halves (default 0)")
    tune.add_argument("--cache", metavar="FOLDER", help="where the libraries of sets with documents are kept (default: the user's cache folder)")
    done = tune.add_mutually_exclusive_group()
    done.add_argument("--apply", action="store_true", help="keep what was accepted")
    done.add_argument("--undo", action="store_true", help="take back what was kept")
    done.add_argument("--show", action="store_true", help="show what was kept, and how it was chosen")


def make_adder(top: argparse.ArgumentParser) -> AddAction:
    """Return the function that adds an action, each with --json."""
    actions = top.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=text, description=text)
        made.add_argument("--json", action="store_true", help="print JSON for programs")
        return made

    return action


def any_number(text: str) -> int:
    """Return a number from 1 to 10,000. Raises ArgumentTypeError for anything else."""
    if not text.isdecimal() or not 1 <= int(text) <= 10_000:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to 10,000")
    return int(text)


def set_name(text: str) -> str:
    """Return a name that may be a folder's. Raises ArgumentTypeError for anything else."""
    if not re.fullmatch(r"[A-Za-z0-9][\w-]{0,60}", text):
        raise argparse.ArgumentTypeError(f"{text} is no name: letters, digits, - and _ are expected")
    return text


def positive_number(text: str) -> int:
    """Return a number from 1 to 50. Raises ArgumentTypeError for anything else."""
    if not text.isdecimal() or not 1 <= int(text) <= 50:
        raise argparse.ArgumentTypeError(f"{text} is not a number from 1 to 50")
    return int(text)
