"""Delete everything, and nothing is left: no row in any table, no vector, posting, token vector or uploaded file."""

from __future__ import annotations

import email.message
import sqlite3
import zipfile
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from commands.client import Client, open_in_process
from commands.index_command import job_states
from core.search import Filters
from retrieval.embedded_index import EmbeddedIndex
from settings import load_settings
from storage.database import open_database
from storage.home import Home
from storage.schema import metadata

# Of the library as a whole: the numbers that are never given twice, and for an hour the ids of what was deleted.
_NOT_OF_DOCUMENTS = {"meta", "counters", "deleted_documents"}
FILLED = {"documents", "document_texts", "chunks", "vectors", "files", "graph_entities", "roots", "jobs", "exclusions", "watch_switches"}


def write_documents(folder: Path) -> None:
    folder.mkdir()
    (folder / "report.md").write_text("# Report\n\nMaria Keller works at Contoso in Ostrava. See lease.txt and [the prices](prices.csv).\n")
    (folder / "lease.txt").write_text("The lease of Halden ends on 31 March 2025. It supersedes version 2.\n" * 40)
    (folder / "copy of lease.txt").write_bytes((folder / "lease.txt").read_bytes())
    (folder / "prices.csv").write_text("Article,Price\n" + "".join(f"Article {number},{number}.50\n" for number in range(50)))
    (folder / "page.html").write_text(
        "<html><body><h1>Terms</h1><table><tr><th>Year</th><th>Rent</th></tr><tr><td>2024</td><td>900</td></tr></table></body></html>"
    )
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4\nnot one")
    (folder / "empty.txt").write_text("")
    (folder / ".hidden").write_text("hidden")
    with zipfile.ZipFile(folder / "archive.zip", "w") as archive:
        archive.writestr("inner/note.txt", "A note of Contoso in an archive.")
        archive.writestr("mail.eml", mail().as_bytes())


def mail() -> email.message.EmailMessage:
    message = email.message.EmailMessage()
    message["From"], message["To"], message["Subject"] = "a@example.org", "b@example.org", "The offer"
    message.set_content("The offer of Contoso is attached.")
    message.add_attachment("The attached offer is 900 a month.", filename="offer.txt")
    return message


async def index(client: Client, body: dict[str, Any]) -> None:
    job = await client.post("/index", body)
    last = [state async for state in job_states(client, job["id"])][-1]
    assert last["state"] == "done", last


def rows_left(home: Path) -> dict[str, int]:
    """Rows of every table there is, whichever part it belongs to."""
    database = open_database(home)
    try:
        counted = database.read_sync(
            lambda connection: {
                table.name: int(connection.execute(select(func.count()).select_from(table)).scalar_one()) for table in metadata.sorted_tables
            }
        )
    finally:
        database.close_sync()
    return {name: count for name, count in counted.items() if count and name not in _NOT_OF_DOCUMENTS}


@pytest.mark.slow
async def test_delete_everything_leaves_nothing(tmp_path: Path) -> None:
    home, docs = tmp_path / "home", tmp_path / "docs"
    write_documents(docs)
    settings = load_settings(environ={"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WORKERS": "1"})
    sent = tmp_path / "sent.txt"
    sent.write_text("An uploaded file about the harbour of Halden.")
    async with open_in_process(settings) as client:
        await index(client, {"path": str(docs)})
        upload = await client.upload([sent])
        assert [state async for state in job_states(client, upload["job"]["id"])][-1]["state"] == "done"
        await client.post("/ledger/exclude", {"path": str(docs / "page.html")})
        await client.post("/watcher/disable", {"path": str(docs)})
        counts = (await client.get("/health", thorough=True))["library"]
        assert counts["documents"] >= 6
        before = await client.get("/ledger/summary")
        assert before["with_reasons"] >= 3
        assert rows_left(home).keys() >= FILLED
        for root in before["roots"]:
            await client.delete("/ledger/roots", path=root["path"])
        assert (await client.get("/health", thorough=True))["library"]["documents"] == 0
    assert rows_left(home) == {}
    assert list((home / "uploads").rglob("*.*")) == []
    with sqlite3.connect(home / "tokens.db") as tokens:
        assert tokens.execute("select count(*) from tokens").fetchone() == (0,)
    tokens.close()
    opened = await EmbeddedIndex.open(Home(home).index, dimension=384, document_weight=0.1, faiss_above=10**9)
    try:
        assert await opened.generations() == {}
        for word in ("lease", "contoso", "halden", "article"):
            assert (await opened.search_lexical("default", word, Filters(), 100)).hits == ()
    finally:
        await opened.close()
    assert b"Maria Keller" not in b"".join(path.read_bytes() for path in home.rglob("*") if path.is_file() and path.suffix != ".db-wal")
