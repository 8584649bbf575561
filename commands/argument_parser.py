"""The subcommands of `vantage` and their flags."""

from __future__ import annotations

import argparse
from typing import Any, Protocol

from commands.evaluation_parser import add_evaluation, add_tuning
from commands.exit_codes import EXIT_CODES
from commands.ontology_parser import add_ontology
from commands.rag_parser import add_rag
from commands.search_choices import PIPELINES, STRATEGIES
from core.version import VERSION

ASK = "\0"  # a password that is to be asked for


class AddCommand(Protocol):
    """Function that adds a subcommand."""

    def __call__(self, name: str, text: str, *, json: bool = True) -> argparse.ArgumentParser: ...


class GuessingParser(argparse.ArgumentParser):
    """Parser that says which word was probably meant, instead of listing all that there are. Its subcommands are made of it, too."""

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            from difflib import get_close_matches  # for a mistake alone: the command starts often

            meant = get_close_matches(str(value), [str(choice) for choice in action.choices or ()], n=1)
            if not meant:
                raise
            raise argparse.ArgumentError(None, f"there is no {value!r} here. Did you mean {meant[0]!r}?") from error


def build_parser() -> argparse.ArgumentParser:
    """Return the commands and their flags."""
    top = GuessingParser(
        prog="vantage", description="Cited answers from your own documents.", epilog=EXIT_CODES, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"vantage {VERSION}")
    top.add_argument("--config", metavar="FILE", help="settings file (default: VANTAGE_CONFIG, ./config.yaml, VANTAGE_HOME/config.yaml)")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, text: str, *, json: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        if json:
            made.add_argument("--json", action="store_true", help="print JSON for programs")
        return made

    _add_library(command)
    _add_questions(command)
    _add_reports(command)
    _add_memory(command("memory", "show, forget or consolidate what is remembered of a person", json=False))
    add_evaluation(command("eval", "measure the search with questions whose answers are known", json=False))
    add_tuning(command("tune", "choose settings of the search on one half of a set, and keep them only where the other half improves"))
    add_rag(command("rag", "compare strategies of the search, and how different the texts are that they bring", json=False))
    graph = command("graph", "what the knowledge graph costs", json=False).add_subparsers(dest="action", required=True, metavar="ACTION")
    said = "say what summarising every level of communities with a language model would take, beside a lazy summary"
    graph.add_parser("cost", help=said, description=said).add_argument("--json", action="store_true", help="print JSON for programs")
    add_ontology(command("ontology", "load, list and remove ontologies", json=False))
    completion = command("completion", "print the completion script of a shell", json=False)
    completion.add_argument("shell", choices=("bash", "zsh", "fish"), help='for example: eval "$(vantage completion bash)"')
    return top


def _add_library(command: AddCommand) -> None:
    """Add the commands that serve, fill and follow the library."""
    serve = command("serve", "serve the page and the API; with --json its address is printed as JSON")
    serve.add_argument("--host", help="address (default 127.0.0.1; another one needs API keys)")
    serve.add_argument("--port", type=int, help="port (default 8000; 0 takes a free one)")
    serve.add_argument("--with-sample", action="store_true", help="index the sample library first if the library is empty")
    command("worker", "do the indexing jobs of a server whose workers.queue is postgres, on this host or another")
    index = command("index", "index a folder or a file")
    index.add_argument("path", help='folder or file; "sample" is the sample library')
    index.add_argument("--collection", default="default", help="collection to put it in")
    index.add_argument("--force", action="store_true", help="read every file again, changed or not")
    index.add_argument("--password", nargs="?", const=ASK, help="of locked files, for this run alone; without a value it is asked for")
    watch = command("watch", "follow the indexed folders and print each change")
    watch.add_argument("path", nargs="?", help="one folder (default: all that are indexed); a new one is indexed first")
    switched = watch.add_mutually_exclusive_group()
    switched.add_argument("--off", action="store_true", help="stop following it, for good")
    switched.add_argument("--status", action="store_true", help="say how each folder is followed")


def _add_questions(command: AddCommand) -> None:
    """Add the commands that ask."""
    for name, text in (("ask", "ask a question, print the cited answer"), ("search", "print the best documents for a query")):
        ask = command(name, text)
        ask.add_argument("query", help="the question")
        ask.add_argument("--top-k", type=int, default=5, help="how many documents (default 5)")
        ask.add_argument("--strategy", choices=STRATEGIES, default="auto")
        ask.add_argument("--pipeline", choices=PIPELINES, default="auto", help="which searches are made (default: as you are served)")
        ask.add_argument("--attach", action="append", default=[], metavar="FILE", help="ask of this file alone (may be given several times)")
        ask.add_argument("--skip-questions", action="store_true", help="when asked back, search the question as written")
        if name == "search":
            ask.add_argument("--page", type=_page_number, default=1, help="of a list of documents the page, of --top-k each (default 1)")
    answer = command("answer", "answer a run of the running server that asked back")
    answer.add_argument("run_id", help="the run, as `ask` printed it")
    given = answer.add_mutually_exclusive_group(required=True)
    given.add_argument("--choice", type=int, help="the number of the choice, from 1")
    given.add_argument("--text", help="words of your own")
    given.add_argument("--skip", action="store_true", help="search the question as written")


def _add_reports(command: AddCommand) -> None:
    """Add the commands that report."""
    command("status", "count documents by state, chunks, vectors and the size on disk")
    ledger = command("ledger", "list what became of every file")
    ledger.add_argument("--state", action="append", choices=("queued", "indexed", "partial", "skipped", "failed", "quarantined"), help="only these")
    embedder = command("embedder", "say by which embedding model the library is searched, or switch to another")
    embedder.add_argument("model", nargs="?", help="the model to switch to; questions are answered meanwhile")
    export = command("export", "write documents' text, conversations, memory and settings into a new folder as plain files")
    export.add_argument("--to", metavar="FOLDER", help="the folder to make (default: vantage-export- with date and time, in this folder)")
    migrate = command("migrate", "move the library from SQLite into an empty PostgreSQL database, and compare the two")
    migrate.add_argument("url", nargs="?", help="postgresql+psycopg://user@host/database (default: storage.url; a password is best in PGPASSWORD)")
    migrate.add_argument("--dry-run", action="store_true", help="say what would be moved, and write nothing into PostgreSQL")
    command("doctor", "say what is installed, configured and reachable, and what to do about the rest")


def _page_number(text: str) -> int:
    """Return a page's number, from 1. Raises ArgumentTypeError for anything else."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no page: they are counted from 1")
    return int(text)


def _add_memory(memory: argparse.ArgumentParser) -> None:
    """Add the subcommands of `vantage memory`."""
    actions = memory.add_subparsers(dest="action", required=True, metavar="ACTION")

    def action(name: str, text: str) -> argparse.ArgumentParser:
        made = actions.add_parser(name, help=text, description=text)
        made.add_argument("--person", default="local", help="whose memory (default local; with API keys the key's own person)")
        made.add_argument("--json", action="store_true", help="print JSON for programs")
        return made

    action("show", "print every tier, newest first").add_argument("--limit", type=int, default=20, help="lines of each tier (default 20)")
    what = action("forget", "forget a session, a document, one item or everything").add_mutually_exclusive_group(required=True)
    what.add_argument("--all", action="store_true", help="everything of the person")
    for name in ("session", "document", "item"):
        what.add_argument(f"--{name}", metavar="ID", help=f"this {name}" + (", by the id that `show` prints" if name == "item" else ""))
    action("consolidate", "consolidate now instead of at the next hour")
