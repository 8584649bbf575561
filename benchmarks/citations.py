"""Every citation over at least 200 answers on real documents: is the quote exactly the cited span? `python -m benchmarks.citations`

Indexes the evaluation documents into a home of its own, asks questions made from phrases of the documents themselves (headings, keywords,
summaries' sentences: real words, none chosen by hand), and compares each quote with the characters that the API gives for its span.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.machine import data_folder, describe, percentile, print_table
from commands.client import Client, open_in_process
from commands.index_command import job_states, show_progress
from settings import load_settings

ANSWERS = 240


async def questions(client: Client) -> list[str]:
    """One question a document, from its longest heading or its keywords, in the order of the file names."""
    found: list[str] = []
    cursor: str | None = None
    while True:
        page = await client.get("/documents", limit=500, cursor=cursor)
        for document in page["documents"]:
            words = " ".join(document["keywords"][:4])
            found += [f"What does it say about {words}?"] if words else []
            if document["summary"]:
                found.append(" ".join(document["summary"].split()[:14]))
        cursor = page["next_cursor"]
        if cursor is None:
            return found


async def is_exact(client: Client, citation: dict[str, Any]) -> bool:
    content = await client.get(f"/documents/{citation['document_id']}/content", start=citation["start"], end=citation["end"])
    return bool(content["text"] == citation["quote"] and content["generation"] == citation["generation"])


async def measure(folder: Path, home: Path) -> None:
    settings = load_settings(environ={"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off"}, folder=home)
    async with open_in_process(settings) as client:
        started = time.perf_counter()
        job = await client.post("/index", {"path": str(folder)})
        last = await show_progress(job_states(client, job["id"]))
        indexing = time.perf_counter() - started
        asked = (await questions(client))[:ANSWERS]
        cited = total = right = 0
        status: dict[str, int] = {}
        times: list[float] = []
        for question in asked:
            begun = time.perf_counter()
            response = await client.post("/search", {"query": question})
            times.append((time.perf_counter() - begun) * 1000)
            status[response["status"]] = status.get(response["status"], 0) + 1
            cited += bool(response["citations"])
            total += len(response["citations"])
            right += sum([await is_exact(client, citation) for citation in response["citations"]])
        health = (await client.get("/health"))["library"]
    sys.stdout.write(describe() + "\n\n")
    rows = [
        ["files seen / askable documents / passages", f"{last['files_total']} / {health['documents']} / {health['chunks']}"],
        ["indexing", f"{indexing:.0f} s"],
        ["answers", str(len(asked))],
        ["answers by status", ", ".join(f"{name} {count}" for name, count in sorted(status.items()))],
        ["answers that cite", f"{cited / max(1, len(asked)):.1%}"],
        ["citations", str(total)],
        ["quotes equal to the cited span", f"{right / max(1, total):.2%} ({right} of {total})"],
        ["ms a question, p50 / p95", f"{percentile(times, 0.5):.0f} / {percentile(times, 0.95):.0f}"],
    ]
    print_table(["what", "figure"], rows)
    if right != total:
        sys.exit("some quotes differ from their spans")


def main() -> None:
    folder = data_folder() / "documents"
    if not folder.is_dir():
        sys.stdout.write(f"skipped: {folder} is not there (set VANTAGE_DATA)\n")
        return
    with tempfile.TemporaryDirectory() as home:
        asyncio.run(measure(folder, Path(home)))


if __name__ == "__main__":
    main()
