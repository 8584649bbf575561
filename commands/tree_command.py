"""`vantage rag build-tree`: build the tree of summaries, show how far it is, and say what it holds."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from commands.client import Client, OpenOptions, connect
from commands.exit_codes import DONE, FAILED, STOPPED
from commands.index_command import job_states
from commands.progress_display import ProgressStep, show_states

_SHOWN = 5  # groups of the top level


async def build_tree(config: Path | None, *, as_json: bool) -> int:
    """Build the tree and wait for it; Ctrl+C stops it, and the earlier one stays."""
    async with connect(config, OpenOptions(resume_jobs=True)) as client:
        return await _build(client, as_json=as_json)


async def wait_for_tree(client: Client, *, quiet: bool) -> dict[str, Any]:
    """Build the tree; return the last state of its job. Cancelled, it stops the job. Raises Conflict where trees are switched off."""
    job = await client.post("/graph/tree/build", {})
    try:
        return await show_states(job_states(client, job["id"]), _step, quiet=quiet)
    except asyncio.CancelledError:
        await client.post(f"/jobs/{job['id']}/cancel", {})
        raise


async def _build(client: Client, *, as_json: bool) -> int:
    try:
        last = await wait_for_tree(client, quiet=as_json)
    except asyncio.CancelledError:
        sys.stderr.write("vantage: stopped. The tree is the one that was there before.\n")
        return STOPPED
    page = await client.get("/graph/tree", limit=_SHOWN)
    sys.stdout.write(json.dumps({"job": last, "tree": page}, ensure_ascii=False) + "\n" if as_json else format_tree(last, page))
    return {"done": DONE, "cancelled": STOPPED}.get(last["state"], FAILED)


def _step(job: dict[str, Any]) -> ProgressStep:
    return ProgressStep(job["chunks"], 0, "grouped", job["current"])


def format_tree(job: dict[str, Any], page: dict[str, Any]) -> str:
    """Return what the tree holds, with the first sentence of its largest groups; of a job that failed its error."""
    if job["state"] != "done" or page["reason"]:
        return f"{job['error'] or page['reason'] or 'The tree was not built: somebody stopped it.'}\n"
    lines = [f"{page['total']} groups on {page['levels']} levels over {page['passages']} passages."]
    for each in page["summaries"]:
        said = each["citations"][0] if each["citations"] else None
        lines.append(f"  level {each['level']}, {each['passages']} passages" + (f": {said['text']} ({said['filename']})" if said else ""))
    return "\n".join(lines) + "\n"
