"""A whole use of Vantage in one process, for a test that watches what it does: index a folder with every kind of reader, then ask."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from bootstrap import open_services
from core.search_schemas import SearchRequest
from server.services import Services
from settings import load_settings


async def _index_folder(services: Services, folder: str) -> None:
    job = await services.jobs.queue_run("default", folder, "default")
    async for record in services.jobs.events("default", job.id):
        job = record
    if job.state != "done":
        raise SystemExit(f"indexing ended as {job.state}: {job.error}")


async def main(home: str, folder: str, question: str) -> None:
    settings = load_settings(environ={"VANTAGE_HOME": home, "VANTAGE_OLLAMA__ENABLED": "off"}, folder=Path(home))
    async with open_services(settings) as services:
        await _index_folder(services, folder)
        totals = await services.library.totals("default")
        sys.stdout.write(f"indexed {totals.documents}\n")
        run_id = await services.runs.start(SearchRequest(query=question))
        response = await services.runs.result("default", run_id)
        sys.stdout.write(f"answer {response.status}\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:4]))
