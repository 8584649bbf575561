"""The `vantage` command. Every subcommand speaks HTTP: to the running server where there is one, else to the application in this process.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 nothing found, 4 some files could not be read, 130 stopped.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from commands.exits import FAILED, STOPPED

ASK = "\0"  # a password that is to be asked for


def parser() -> argparse.ArgumentParser:
    """The commands and their flags."""
    top = argparse.ArgumentParser(prog="vantage", description="Cited answers from your own documents.")
    top.add_argument("--config", metavar="FILE", help="settings file (default: VANTAGE_CONFIG, ./config.yaml, VANTAGE_HOME/config.yaml)")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str, *, json: bool = True) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        if json:
            made.add_argument("--json", action="store_true", help="print JSON for programs")
        return made

    serve = command("serve", "serve the page and the API", json=False)
    serve.add_argument("--host", help="address (default 127.0.0.1; another one needs API keys)")
    serve.add_argument("--port", type=int, help="port (default 8000; 0 takes a free one)")
    serve.add_argument("--with-sample", action="store_true", help="index the sample library first if the library is empty")
    index = command("index", "index a folder or a file")
    index.add_argument("path", help='folder or file; "sample" is the sample library')
    index.add_argument("--collection", default="default", help="collection to put it in")
    index.add_argument("--force", action="store_true", help="read every file again, changed or not")
    index.add_argument("--password", nargs="?", const=ASK, help="of locked files, for this run alone; without a value it is asked for")
    for name, text in (("ask", "ask a question, print the cited answer"), ("search", "print the best documents for a query")):
        ask = command(name, text)
        ask.add_argument("query", help="the question")
        ask.add_argument("--top-k", type=int, default=5, help="how many documents (default 5)")
        ask.add_argument("--strategy", choices=("auto", "precise", "semantic", "exploratory", "temporal", "hybrid"), default="auto")
        ask.add_argument("--attach", action="append", default=[], metavar="FILE", help="ask of this file alone (may be given several times)")
        ask.add_argument("--skip-questions", action="store_true", help="when asked back, search the question as it stands")
        if name == "search":
            ask.add_argument("--page", type=_page, default=1, help="of a list of documents the page, of --top-k each (default 1)")
    answer = command("answer", "answer a run of the running server that asked back")
    answer.add_argument("run_id", help="the run, as `ask` printed it")
    given = answer.add_mutually_exclusive_group(required=True)
    given.add_argument("--choice", type=int, help="the number of the choice, from 1")
    given.add_argument("--text", help="words of your own")
    given.add_argument("--skip", action="store_true", help="search the question as it stands")
    command("status", "count documents by state, chunks, vectors and the size on disk")
    ledger = command("ledger", "list what became of every file")
    ledger.add_argument("--state", action="append", choices=("queued", "indexed", "partial", "skipped", "failed", "quarantined"), help="only these")
    watch = command("watch", "follow the indexed folders and print each change")
    watch.add_argument("path", nargs="?", help="one folder (default: all that are indexed); a new one is indexed first")
    switched = watch.add_mutually_exclusive_group()
    switched.add_argument("--off", action="store_true", help="stop following it, for good")
    switched.add_argument("--status", action="store_true", help="say how each folder is followed")
    _add_memory(command("memory", "show, forget or consolidate what is remembered of a person", json=False))
    embedder = command("embedder", "say by which embedding model the library is searched, or switch to another")
    embedder.add_argument("model", nargs="?", help="the model to switch to; questions are answered meanwhile")
    command("doctor", "say what is installed, configured and reachable, and what to do about the rest")
    return top


def _page(text: str) -> int:
    """A page's number, from 1. ArgumentTypeError for anything else."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text} is no page: they are counted from 1")
    return int(text)


def _add_memory(memory: argparse.ArgumentParser) -> None:
    """The subcommands of `vantage memory`."""
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


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. An error of ours is a sentence on standard error, never a traceback."""
    options = parser().parse_args(arguments)
    from core.errors import VantageError  # --help and a wrong flag answer before anything is imported

    try:
        return run(options)
    except VantageError as error:
        sys.stderr.write(f"vantage: {error}\n")
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("vantage: stopped\n")
        return STOPPED
    except BrokenPipeError:
        return FAILED


def run(options: argparse.Namespace) -> int:
    """Call the subcommand; each imports what it needs and no more, so that `ask` beside a server stays quick."""
    config = Path(options.config) if options.config else None
    if options.command == "serve":
        from commands.serve import serve

        flags = {key: value for key, value in (("host", options.host), ("port", options.port)) if value is not None}
        return serve(config, {"server": flags}, with_sample=options.with_sample)
    return asyncio.run(_call(options, config))


async def _call(options: argparse.Namespace, config: Path | None) -> int:
    match options.command:
        case "index":
            from commands.indexing import index

            target = options.path if options.path == "sample" else os.path.abspath(os.path.expanduser(options.path))  # noqa: ASYNC240, PTH100, PTH111
            password = getpass.getpass("Password of the locked files: ") if options.password is ASK else options.password
            return await index(config, target, collection=options.collection, force=options.force, as_json=options.json, password=password)
        case "ask" | "search":
            from commands.asking import ask, manner_of

            body = {"query": options.query, "top_k": options.top_k, "strategy": options.strategy}
            if options.command == "search":
                body["offset"] = (options.page - 1) * options.top_k
            return await ask(
                config,
                body,
                manner_of(as_json=options.json, results_only=options.command == "search", attach=options.attach, skip=options.skip_questions),
            )
        case "answer":
            from commands.asking import answer

            reply = {"skip": True} if options.skip else {"text": options.text} if options.text is not None else {"choice": options.choice - 1}
            return await answer(config, options.run_id, reply, as_json=options.json)
        case "memory":
            return await _memory(options, config)
        case "status" | "ledger" | "embedder":
            return await _library(options, config)
        case "watch":
            return await _watch(options, config)
        case _:
            from commands.doctor import doctor

            return await doctor(config, as_json=options.json)


async def _library(options: argparse.Namespace, config: Path | None) -> int:
    if options.command == "embedder":
        from commands.embedder import embedder

        return await embedder(config, options.model, as_json=options.json)
    from commands import reports

    if options.command == "ledger":
        return await reports.ledger(config, options.state, as_json=options.json)
    return await reports.status(config, as_json=options.json)


async def _watch(options: argparse.Namespace, config: Path | None) -> int:
    from commands import watching

    path = os.path.realpath(os.path.expanduser(options.path)) if options.path else None  # noqa: ASYNC240, PTH111
    if options.status:
        return await watching.status(config, as_json=options.json)
    if options.off:
        return await watching.switch_off(config, path, as_json=options.json)
    return await watching.watch(config, path, as_json=options.json)


async def _memory(options: argparse.Namespace, config: Path | None) -> int:
    from commands import memory

    match options.action:
        case "show":
            return await memory.show(config, options.person, limit=options.limit, as_json=options.json)
        case "forget":
            what = {"session": options.session, "document": options.document, "item": options.item}
            return await memory.forget(config, options.person, what, as_json=options.json)
        case _:
            return await memory.consolidate(config, options.person, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
