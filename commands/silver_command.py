"""`vantage eval make`: a set of questions from the library's own documents."""

from __future__ import annotations

import json
import random
import shutil
import sys
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio.to_thread

from commands.client import Client, OpenOptions, connect
from commands.evaluation_commands import sets_folder
from commands.exit_codes import DONE
from commands.progress_display import ProgressStep, State, show_states
from core.errors import Conflict, NotFound
from core.version import VERSION
from evaluation.evaluation_sets import QUERIES, EvaluationSet
from evaluation.silver_set import make_silver_set, write_silver_set
from evaluation.silver_sources import SourceDocument
from settings import load_settings

MOST_READ = 400  # documents of a large library: enough for a few hundred questions
_PAGE = 500
_READ_CHARACTERS = 60_000


async def make_set(config: Path | None, name: str, *, count: int, seed: int, force: bool, as_json: bool) -> int:
    """Make a set and keep it in VANTAGE_HOME/evaluation/sets, where `eval run` finds it by its name."""
    folder = sets_folder(load_settings(config)) / name
    if folder.exists() and not force:
        raise Conflict(f"There is a set {name!r} already, in {folder}. Name another with --name, or make it anew with --force.")
    async with connect(config, OpenOptions(routers=("documents",))) as client:
        made = await make_from_library(client, name, count=count, seed=seed, quiet=as_json)
    about = {"seed": seed, "asked_for": count, "version": VERSION, "rules": dict(Counter(question.rule for question in made.questions))}
    shutil.rmtree(folder, ignore_errors=True)
    await anyio.to_thread.run_sync(write_silver_set, folder, made, about)
    if as_json:
        sys.stdout.write(json.dumps({"name": name, "folder": str(folder), "questions": len(made.questions), **about}, ensure_ascii=False) + "\n")
    else:
        _print_set(made, about, folder)
    return DONE


async def make_from_library(client: Client, name: str, *, count: int, seed: int, quiet: bool) -> EvaluationSet:
    """Read the library's documents (of many, some that the seed draws) and make the questions."""
    documents: list[SourceDocument] = []
    listed = await _choose_documents(client, seed)

    async def states() -> AsyncIterator[State]:
        for each in listed:
            documents.append(await _read_document(client, each))
            yield {"done": len(documents), "total": len(listed)}

    await show_states(states(), lambda state: ProgressStep(state["done"], state["total"], "documents read"), quiet=quiet)
    return await anyio.to_thread.run_sync(make_silver_set, name, documents, count, seed)


async def _choose_documents(client: Client, seed: int) -> list[dict[str, Any]]:
    """Return the documents that can be asked of, in the order of their names. Raises NotFound for an empty library."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    while True:
        page = await client.get("/documents", limit=_PAGE, cursor=cursor, state=["indexed", "partial"])
        found += page["documents"]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    if not found:
        raise NotFound("The library is empty: there is nothing to ask about. `vantage index FOLDER` fills it.")
    ordered = sorted(found, key=lambda each: (each["file_path"], each["id"]))
    return ordered if len(ordered) <= MOST_READ else random.Random(seed).sample(ordered, MOST_READ)  # noqa: S311 # no secret


async def _read_document(client: Client, listed: dict[str, Any]) -> SourceDocument:
    content = await client.get(f"/documents/{listed['id']}/content", start=0, end=min(listed["characters"], _READ_CHARACTERS))
    return SourceDocument(listed["id"], listed["filename"], listed["title"], content["text"], listed["language"])


def _print_set(made: EvaluationSet, about: dict[str, Any], folder: Path) -> None:
    sys.stdout.write(f"{len(made.questions)} questions, made by rule: {', '.join(f'{rule} {count}' for rule, count in about['rules'].items())}\n\n")
    shown: set[str] = set()
    for question in made.questions:
        if question.rule not in shown:
            sys.stdout.write(f"  {question.rule:13} {question.text}\n")
            shown.add(question.rule)
    sys.stdout.write(f"\nKept in {folder}: {QUERIES} says of each what it was made from. Ask it with `vantage eval run {made.name}`.\n")
