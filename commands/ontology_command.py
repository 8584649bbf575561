"""`vantage ontology`: load an ontology from a file, list those that are loaded, remove one."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from commands.client import OpenOptions, connect
from commands.evaluation_reports import format_table
from commands.exit_codes import DONE
from commands.index_command import job_states, show_progress


async def run_action(config: Path | None, options: argparse.Namespace) -> int:
    async with connect(config, OpenOptions(routers=("ontology", "library"))) as client:
        match options.action:
            case "load":
                answer = await client.upload([Path(os.path.expanduser(options.path))], "/ontologies", "file")  # noqa: ASYNC240, PTH111
                text = _describe(answer)
                if answer["typing_job"]:
                    last = await show_progress(job_states(client, answer["typing_job"]), quiet=options.json)
                    text += last["error"] or f"Entities of {last['files_done']:,} documents were typed."
                    text = text.rstrip("\n") + "\n"
            case "remove":
                answer, text = await client.delete(f"/ontologies/{options.ontology_id}"), f"{options.ontology_id} is removed.\n"
            case _:
                answer = await client.get("/ontologies")
                text = _list(answer["ontologies"])
    sys.stdout.write(f"{json.dumps(answer, ensure_ascii=False)}\n" if options.json else text)
    return DONE


def _describe(loaded: dict[str, Any]) -> str:
    lines = [f"{loaded['name']} ({loaded['id']}): {loaded['class_count']:,} classes, {loaded['property_count']:,} properties."]
    if loaded["imports"]:
        lines.append(f"It names {len(loaded['imports'])} others, which are not fetched: load their files where you want them.")
    return "\n".join([*lines, *loaded["notes"]]) + "\n"


def _list(found: list[dict[str, Any]]) -> str:
    if not found:
        return "No ontology is loaded.\n"
    rows = [(each["id"], each["name"], each["filename"], f"{each['class_count']:,}", f"{each['property_count']:,}") for each in found]
    return format_table(("id", "name", "file", "classes", "properties"), rows)
