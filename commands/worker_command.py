"""`vantage worker`: do indexing jobs of a library that a server serves, on this host or another."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path

from commands.exit_codes import DONE
from commands.garbage_collection import resume_collections
from settings import Settings, load_settings


def work(config: Path | None, *, as_json: bool) -> int:
    """Work until SIGTERM or Ctrl+C. Raises ConfigurationError where the settings have no place for workers."""
    asyncio.run(_work(load_settings(config), as_json=as_json))
    return DONE


async def _work(settings: Settings, *, as_json: bool) -> None:
    from composition.worker_process import open_worker

    stopping = asyncio.Event()
    async with open_worker(settings) as worker:
        resume_collections()
        for each in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(each, stopping.set)
        ready = f"Worker {worker.name} takes jobs of {worker.place}. Press Ctrl+C to stop."
        _say({"worker": worker.name, "library": worker.place}, ready, as_json=as_json)
        await worker.serve(stopping)
    _say({"stopped": worker.name}, "Stopped; a job that was not done goes on with another worker.", as_json=as_json)


def _say(value: dict[str, str], text: str, *, as_json: bool) -> None:
    sys.stdout.write((json.dumps(value) if as_json else text) + "\n")
    sys.stdout.flush()
