"""The `vantage` command. Every subcommand speaks HTTP: to the running server where there is one, else to the application in this process.

`vantage` alone prints the help and ends with 0, as `docker` and `kubectl` do: asking what there is, is no mistake.
"""

from __future__ import annotations

import argparse
import asyncio
import getpass
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from commands.argument_parser import ASK, build_parser
from commands.exit_codes import DONE, FAILED, STOPPED
from commands.garbage_collection import postpone_collections, resume_collections


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code. An error of ours is a sentence on standard error, never a traceback."""
    os.umask(0o077)  # whatever is written, by the server and by the processes that it starts, is for this account alone
    top = build_parser()
    options = top.parse_args(arguments)
    if options.command is None:
        top.print_help()
        return DONE
    postpone_collections()
    from core.errors import VantageError  # --help and a wrong flag answer before anything is imported

    try:
        return run_command(options)
    except VantageError as error:
        sys.stderr.write(f"vantage: {error}\n")
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("vantage: stopped\n")
        return STOPPED
    except BrokenPipeError:
        return FAILED
    finally:
        resume_collections()


def run_command(options: argparse.Namespace) -> int:
    """Call the subcommand; each imports what it needs and no more, so that `ask` beside a server stays quick."""
    config = Path(options.config) if options.config else None
    if options.command == "completion":
        from commands.shell_completion import completion_script

        sys.stdout.write(completion_script(options.shell, build_parser()))
        return DONE
    if options.command == "serve":
        from commands.serve_command import serve

        flags = {key: value for key, value in (("host", options.host), ("port", options.port)) if value is not None}
        return serve(config, {"server": flags}, with_sample=options.with_sample, as_json=options.json)
    if options.command == "worker":
        from commands.worker_command import work

        return work(config, as_json=options.json)
    if options.command == "migrate":
        from commands.migrate_command import migrate

        return migrate(config, options.url, dry_run=options.dry_run, as_json=options.json)
    return asyncio.run(_run_async(options, config))


async def _run_async(options: argparse.Namespace, config: Path | None) -> int:
    match options.command:
        case "index":
            from commands.index_command import index

            target = options.path if options.path == "sample" else os.path.abspath(os.path.expanduser(options.path))  # noqa: ASYNC240, PTH100, PTH111
            password = getpass.getpass("Password of the locked files: ") if options.password is ASK else options.password
            return await index(config, target, collection=options.collection, force=options.force, as_json=options.json, password=password)
        case "ask" | "search":
            from commands.question_commands import ask, make_output_options

            body = {"query": options.query, "top_k": options.top_k, "strategy": options.strategy, "pipeline": options.pipeline}
            if options.command == "search":
                body["offset"] = (options.page - 1) * options.top_k
            return await ask(
                config,
                body,
                make_output_options(
                    as_json=options.json, results_only=options.command == "search", attach=options.attach, skip=options.skip_questions
                ),
            )
        case "answer":
            from commands.question_commands import answer_run

            reply = {"skip": True} if options.skip else {"text": options.text} if options.text is not None else {"choice": options.choice - 1}
            return await answer_run(config, options.run_id, reply, as_json=options.json)
        case "memory":
            return await _run_memory_command(options, config)
        case "status" | "ledger" | "embedder" | "export" | "graph" | "ontology":
            return await _run_library_command(options, config)
        case "watch":
            return await _run_watch_command(options, config)
        case "eval" | "tune" | "rag":
            return await _run_evaluation_command(options, config)
        case _:
            from commands.doctor import doctor

            return await doctor(config, as_json=options.json)


async def _run_library_command(options: argparse.Namespace, config: Path | None) -> int:
    if options.command == "embedder":
        from commands.embedder_command import embedder

        return await embedder(config, options.model, as_json=options.json)
    if options.command == "export":
        from commands.export_command import export

        return await export(config, Path(os.path.expanduser(options.to)) if options.to else None, as_json=options.json)  # noqa: ASYNC240, PTH111
    if options.command == "graph":
        from commands.graph_command import print_costs

        return await print_costs(config, as_json=options.json)
    if options.command == "ontology":
        from commands.ontology_command import run_action

        return await run_action(config, options)
    from commands import report_commands

    if options.command == "ledger":
        return await report_commands.print_ledger(config, options.state, as_json=options.json)
    return await report_commands.print_status(config, as_json=options.json)


async def _run_watch_command(options: argparse.Namespace, config: Path | None) -> int:
    from commands import watch_command

    path = os.path.realpath(os.path.expanduser(options.path)) if options.path else None  # noqa: ASYNC240, PTH111
    if options.status:
        return await watch_command.print_watch_status(config, as_json=options.json)
    if options.off:
        return await watch_command.stop_watching(config, path, as_json=options.json)
    return await watch_command.follow_folders(config, path, as_json=options.json)


async def _run_tune_command(options: argparse.Namespace, config: Path | None) -> int:
    from commands import tune_command

    if options.undo:
        return await tune_command.undo_tuning(config, as_json=options.json)
    if options.show:
        return await tune_command.show_tuning(config, as_json=options.json)
    cache = Path(options.cache) if options.cache else None
    chosen = tune_command.TuneOptions(options.path, options.n, options.seed, options.apply, cache)
    return await tune_command.tune(config, chosen, as_json=options.json)


async def _run_rag_command(options: argparse.Namespace, config: Path | None) -> int:
    from dataclasses import replace

    from commands import rag_commands

    if options.action == "build-tree":
        from commands.tree_command import build_tree

        return await build_tree(config, as_json=options.json)
    cache = Path(options.cache) if options.cache else None
    common = rag_commands.RagOptions(named=options.path, k=options.k, count=options.num_queries, seed=options.seed, cache=cache)
    if options.action == "benchmark":
        given = replace(common, data=options.data, text_column=options.text_column, strategies=options.strategies)
        return await rag_commands.benchmark(config, given, as_json=options.json)
    return await rag_commands.analyze_diversity(config, replace(common, strategies=options.strategy[:1]), as_json=options.json)


async def _run_evaluation_command(options: argparse.Namespace, config: Path | None) -> int:
    if options.command != "eval":
        return await (_run_tune_command if options.command == "tune" else _run_rag_command)(options, config)
    from commands import evaluation_commands
    from commands.evaluation_measuring import MeasuringOptions

    match options.action:
        case "run":
            cache = Path(options.cache) if options.cache else None
            choice = evaluation_commands.SetChoice(options.path, options.queries, options.corpus, cache)
            how = MeasuringOptions(k=options.k, strategy=options.strategy, pipeline=options.pipeline, answers=options.answers)
            return await evaluation_commands.run_evaluation(config, choice, how, options.ablate, as_json=options.json)
        case "compare":
            return await evaluation_commands.compare_evaluations(config, options.before, options.after, as_json=options.json)
        case "make":
            from commands.silver_command import make_set

            return await make_set(config, options.name, count=options.n, seed=options.seed, force=options.force, as_json=options.json)
        case "diversity":
            return await evaluation_commands.show_diversity(config, options.run, as_json=options.json)
        case _:
            return await evaluation_commands.list_evaluations(config, as_json=options.json)


async def _run_memory_command(options: argparse.Namespace, config: Path | None) -> int:
    from commands import memory_commands

    match options.action:
        case "show":
            return await memory_commands.show_memory(config, options.person, limit=options.limit, as_json=options.json)
        case "forget":
            what = {"session": options.session, "document": options.document, "item": options.item}
            return await memory_commands.forget_memory(config, options.person, what, as_json=options.json)
        case _:
            return await memory_commands.consolidate_memory(config, options.person, as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
