"""`vantage index`: start a job, show its progress, end with an exit code that says how it went."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from commands.client import Client, OpenOptions, connect
from commands.exit_codes import DONE, FAILED, PARTLY, STOPPED
from commands.progress_display import ProgressStep, show_states

Job = dict[str, Any]
_FINAL_STATES = {"done", "cancelled", "failed"}
_WAITING = "queued"
_BEFORE = "before"  # beside a waiting job's own fields: the job that runs
_POLL_SECONDS = 0.2


async def index(config: Path | None, target: str, *, collection: str, force: bool, as_json: bool, password: str | None = None) -> int:
    """Index a folder or a file and wait for the end; Ctrl+C stops the job and keeps what was done. `password` None gives none."""
    async with connect(config, OpenOptions(resume_jobs=True, serve_as="index")) as client:
        job = await client.post("/index", {"path": target, "collection": collection, "force": force, "password": password or ""})
        try:
            last = await show_progress(job_states(client, job["id"]), quiet=as_json)
        except asyncio.CancelledError:
            last = await client.post(f"/jobs/{job['id']}/cancel", {})
            sys.stderr.write("vantage: stopped. What was indexed is kept; run the command again to go on.\n")
            return STOPPED
        if as_json:
            sys.stdout.write(json.dumps(last, ensure_ascii=False) + "\n")
        else:
            print_report(last)
        sys.stdout.flush()
        if not client.is_remote:
            await _finish_others(client)
    return exit_code(last)


async def _finish_others(client: Client) -> None:
    """Finish the jobs that other commands sent to this process; what Ctrl+C leaves of them the next process continues."""
    said = False
    while left := [job for job in (await client.get("/jobs"))["jobs"] if job["state"] not in _FINAL_STATES]:
        if not said:
            sys.stderr.write(f"vantage: finishing {len(left)} more that other commands started; press Ctrl+C to leave them for later\n")
            said = True
        await asyncio.sleep(_POLL_SECONDS)


async def job_states(client: Client, job_id: str) -> AsyncIterator[Job]:
    """Yield the job's states until it is over, one that waits with the job that runs before it. Polled: the in-process transport delivers no
    streams."""
    while True:
        job: Job = await client.get(f"/jobs/{job_id}")
        yield {**job, _BEFORE: await _find_running(client)} if job["state"] == _WAITING else job
        if job["state"] in _FINAL_STATES:
            return
        await asyncio.sleep(_POLL_SECONDS)


async def _find_running(client: Client) -> Job | None:
    return next((job for job in (await client.get("/jobs"))["jobs"] if job["state"] == "running"), None)


async def show_progress(states: AsyncIterator[Job], *, quiet: bool = False) -> Job:
    """Show how far the job is until it is over; returns its last state."""
    return await show_states(states, describe_job, quiet=quiet)


def describe_job(job: Job) -> ProgressStep:
    """Return how far a job is; of one that waits how far that one is which runs before it."""
    if job["state"] == _WAITING:
        before = job.get(_BEFORE)
        if before is None:
            return ProgressStep(0, 0, "files", "waiting to begin")
        return ProgressStep(
            before["files_done"], before["files_total"], "files", f"of {before['path'] or before['kind']}, begun before this one, which waits"
        )
    left = f" · {job['seconds_left']:.0f} s left" if job["seconds_left"] else ""
    return ProgressStep(job["files_done"], job["files_total"], "files", f"{job['chunks']} passages · {job['rate']:.0f}/s{left}")


def print_report(job: Job) -> None:
    """Print one or two sentences about how it went; of a job that failed before it began its error alone."""
    if job["state"] != "failed" or job["files_done"]:
        _print_file_counts(job)
    if job["error"]:
        sys.stderr.write(f"vantage: {job['error']}\n")


def _print_file_counts(job: Job) -> None:
    parts = [("indexed", "files_indexed"), ("unchanged", "files_unchanged"), ("partly read", "files_partial"), ("skipped", "files_skipped")]
    parts += [("not readable", "files_failed"), ("removed", "files_removed")]
    said = ", ".join(f"{job[key]} {name}" for name, key in parts if job[key]) or "nothing to do"
    sys.stdout.write(f"{job['files_done']} of {job['files_total']} files: {said}; {job['chunks']} passages written.\n")
    states = ["failed", "quarantined"] if job["files_failed"] else []
    states += [state for state in ("partial", "skipped") if job[f"files_{state}"]]
    if states:
        sys.stdout.write(f"`vantage ledger {' '.join(f'--state {state}' for state in states)}` says why.\n")


def exit_code(job: Job) -> int:
    if job["state"] == "failed":
        return FAILED
    if job["state"] == "cancelled":
        return STOPPED
    return PARTLY if job["files_failed"] else DONE
