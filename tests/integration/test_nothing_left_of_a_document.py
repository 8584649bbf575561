"""A document is deleted, and no file of the home holds a phrase of it: neither the database with its log, nor the index, nor what quoted it.

In `tests/support/leftovers.py` every file is read as bytes and every table row by row, compressed values unpacked.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from commands.client import Client, OpenOptions, open_in_process
from commands.index_command import job_states
from core.errors import NotFound
from settings import Settings, load_settings
from tests.support.leftovers import find_leftovers

PHRASE = "seventeen copper kettles"
OTHER = "forty barrels of cider"
SECRETS = (PHRASE, OTHER, "violet pelican", "Marta Oslund", "Oslund", "pelican", "Sorrel Joinery")
PANTRY = (
    "# The pantry of Brindlemoor\n\nThe violet pelican keeps seventeen copper kettles under the stairs, beside the door that Marta Oslund painted "
    "green. Marta Oslund also painted the shelves.\n\n"
    "The cellar holds forty barrels of cider for the autumn feast of the village.\n\nIlka Brandt works at Sorrel Joinery in "
    "the lane behind the church.\n"
)
GARDEN = "The garden has two apple trees and a bench. The bench was made by Tom Reed in the spring of 1999, and stands beside the pond.\n"
QUESTIONS = (
    "How many kettles are under the stairs?",
    "And who painted the door beside it?",
    "What does the cellar hold for the feast?",
    "Summarise the document about the pantry",
    "Compare the pantry and the garden: what do they hold?",
    "What are the main themes?",
)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    chosen = {"VANTAGE_HOME": str(tmp_path / "home"), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WORKERS": "1"}
    chosen |= {"VANTAGE_INGESTION__WATCH__SETTLE_SECONDS": "0.05", "VANTAGE_COMMUNITY__DETECTION_ENABLED": "on", "VANTAGE_COMMUNITY__MIN_SIZE": "2"}
    return load_settings(environ=chosen, folder=tmp_path)


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder of the person's own; one document of it is to go, the other stays."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "pantry.md").write_text(PANTRY, encoding="utf-8")
    (folder / "garden.txt").write_text(GARDEN, encoding="utf-8")
    return folder


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with open_in_process(settings, OpenOptions(watch=True)) as opened:
        yield opened


async def over(client: Client, job: dict[str, Any]) -> None:
    last = [state async for state in job_states(client, job["id"])][-1]
    assert last["state"] == "done", last


async def document_of(client: Client, name: str) -> str:
    found = [each["id"] for each in (await client.get("/documents", text=name))["documents"]]
    assert len(found) == 1
    return str(found[0])


async def use(client: Client, document: str) -> list[dict[str, Any]]:
    """Ask about the document in a conversation with a session, attach it, praise and correct an answer, and note what it says; the answers."""
    await over(client, await client.post("/graph/communities/refresh", {}))
    assert "Sorrel Joinery" in str(await client.get("/graph/communities"))
    talk = (await client.post("/conversations", {"title": ""}))["id"]
    asked = [{"query": each, "conversation_id": talk, "session_id": "s"} for each in QUESTIONS]
    asked.append({"query": "What are the key points?", "attached_documents": [document], "conversation_id": talk})
    asked.append({"query": "remember that the cellar holds forty barrels of cider for the autumn feast", "conversation_id": talk})
    asked.append({"query": "What did I tell you about the cellar?", "session_id": "s"})
    answers = [await client.post("/search", each) for each in asked]
    first = answers[0]["trace_id"]
    await client.post("/feedback", {"trace_id": first, "kind": "thumbs_up", "result_id": document})
    said = "The violet pelican keeps seventeen copper kettles under the stairs, not sixteen."
    await client.post("/feedback", {"trace_id": first, "kind": "correction", "correction": said})
    await client.post(f"/traces/{first}/replay", {"without": ["rerank"]})
    return answers


def assert_nothing_left(home: Path) -> None:
    found = [place for words in SECRETS for place in find_leftovers(home, words)]
    assert not found, "\n".join(found)


async def assert_the_rest_is_whole(client: Client, answers: list[dict[str, Any]]) -> None:
    """Every run and conversation still opens, and says that a source was deleted."""
    assert "this source was deleted" in str(await client.get(f"/traces/{answers[0]['trace_id']}"))
    for each in answers:
        await client.get(f"/traces/{each['trace_id']}/events")
    for talk in (await client.get("/conversations"))["conversations"]:
        opened = await client.get(f"/conversations/{talk['id']}")
        assert len(opened["items"]) == talk["turns"] > 0
        assert "this source was deleted" in opened["items"][0]["response"]["answer"]
    assert "Tom Reed" in (await client.post("/search", {"query": "Who made the bench?"}))["answer"]


async def test_a_deleted_document_leaves_nothing(client: Client, settings: Settings, docs: Path) -> None:
    await over(client, await client.post("/index", {"path": str(docs)}))
    document = await document_of(client, "pantry")
    answers = await use(client, document)
    assert len(find_leftovers(settings.home, PHRASE)) >= 4  # or the search for it would show nothing
    await client.delete(f"/documents/{document}")
    await assert_the_rest_is_whole(client, answers)
    assert_nothing_left(settings.home)
    assert (docs / "pantry.md").read_text(encoding="utf-8") == PANTRY


async def test_an_upload_goes_with_its_document(client: Client, settings: Settings, docs: Path) -> None:
    sent = await client.upload([docs / "pantry.md", docs / "garden.txt"])
    await over(client, sent["job"])
    answers = await use(client, await document_of(client, "pantry"))
    await client.delete(f"/documents/{await document_of(client, 'pantry')}")
    await assert_the_rest_is_whole(client, answers)
    assert_nothing_left(settings.home)
    assert [path.name for path in (settings.home / "uploads").rglob("*.*")] == ["garden.txt"]
    assert [line["path"] for line in (await client.get("/ledger"))["lines"]] == [sent["files"][1]]


async def test_a_folder_that_is_removed_leaves_nothing(client: Client, settings: Settings, docs: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (docs / "garden.txt").rename(other / "garden.txt")
    for folder in (docs, other):
        await over(client, await client.post("/index", {"path": str(folder)}))
    answers = await use(client, await document_of(client, "pantry"))
    await client.delete("/ledger/roots", path=str(docs))
    await assert_the_rest_is_whole(client, answers)
    assert_nothing_left(settings.home)


async def test_a_file_that_vanishes_from_a_followed_folder_leaves_nothing(client: Client, settings: Settings, docs: Path) -> None:
    await over(client, await client.post("/index", {"path": str(docs)}))
    answers = await use(client, await document_of(client, "pantry"))
    (docs / "pantry.md").unlink()
    with anyio.fail_after(60):
        while (await client.get("/documents"))["total"] == 2 or (await client.get("/watcher/status"))["waiting"]:  # noqa: ASYNC110  (as a person looks)
            await anyio.sleep(0.1)
    await assert_the_rest_is_whole(client, answers)
    assert_nothing_left(settings.home)


async def test_a_deleted_history_leaves_nothing(client: Client, settings: Settings, docs: Path) -> None:
    await over(client, await client.post("/index", {"path": str(docs)}))
    await use(client, await document_of(client, "pantry"))
    asked = {"query": "Does the amber walrus own the bench?", "user_id": "bob"}
    theirs = await client.post("/search", {**asked, "conversation_id": (await client.post("/conversations", {"title": ""}))["id"]})
    assert find_leftovers(settings.home, "amber walrus")
    single = await client.post("/search", {"query": "Is the crimson badger in the garden?", "session_id": "s"})
    assert find_leftovers(settings.home, "crimson badger")
    await client.delete(f"/traces/{single['trace_id']}")
    assert find_leftovers(settings.home, "crimson badger") == []
    with pytest.raises(NotFound):
        await client.get(f"/traces/{single['trace_id']}")
    deleted = await client.delete("/history", user_id="bob")
    assert (deleted["user_id"], deleted["conversations"], deleted["runs"]) == ("bob", 0, 1)
    assert (await client.get("/memory/bob"))["episodic"]["total"] == 0
    with pytest.raises(NotFound):
        await client.get(f"/traces/{theirs['trace_id']}")
    deleted = await client.delete("/history")
    assert deleted["conversations"] == 2
    assert deleted["remembered"] > 0
    assert (await client.get("/conversations"))["conversations"] == (await client.get("/traces"))["traces"] == []
    memory = await client.get("/memory/me")
    assert [memory[tier]["total"] for tier in ("session", "episodic", "procedural", "profile", "notes")] == [0] * 5
    for words in ("amber walrus", "kettles are under", "I tell you about the cellar"):
        assert find_leftovers(settings.home, words) == []
    assert (await client.get("/documents"))["total"] == 2
