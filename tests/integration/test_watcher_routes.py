"""The ledger and the watcher over HTTP, with the real application in this process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest

from api import create_app
from commands.client import Client, OpenOptions, add_lifespan_state, open_in_process
from commands.index_command import job_states
from core.errors import InvalidInput, NotFound, PathNotAllowed
from settings import Settings, load_settings
from tests.support.indexing_bench import write_file

KEYS = "['0123456789abcdef-one:one:ann', '0123456789abcdef-two:two:bob']"


def settings_in(home: Path, **more: str) -> Settings:
    return load_settings(environ={"VANTAGE_HOME": str(home), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__WORKERS": "1", **more})


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[Client]:
    async with open_in_process(settings_in(tmp_path / "home"), OpenOptions(watch=True)) as made:
        yield made


@pytest.fixture
async def docs(client: Client, tmp_path: Path) -> Path:
    docs = tmp_path / "docs"
    write_file(docs / "2024" / "lease.txt", "The lease of Halden ends on 31 March 2025.")
    write_file(docs / "2024" / "q1" / "budget.csv", "Month,Sum\nJanuary,12\n")
    write_file(docs / "broken.pdf", "%PDF-1.4 not one")
    write_file(docs / ".hidden", "hidden")
    job = await client.post("/index", {"path": str(docs)})
    assert [state async for state in job_states(client, job["id"])][-1]["state"] == "done"
    return docs


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(60):
        while not await condition():  # noqa: ASYNC110  (over HTTP nobody is told)
            await asyncio.sleep(0.1)


async def paths(client: Client, **which: Any) -> list[str]:
    return [Path(line["path"]).name for line in (await client.get("/ledger", **which))["lines"]]


@pytest.mark.slow
async def test_the_ledger_answers_by_folder_reason_and_text(client: Client, docs: Path) -> None:
    summary = await client.get("/ledger/summary")
    assert summary["sentence"] == "2 of 4 files, 2 need attention"
    assert {each["code"]: (each["files"], each["examples"]) for each in summary["reasons"]} == {
        "ignored": (1, [str(docs / ".hidden")]),
        "malformed": (1, [str(docs / "broken.pdf")]),
    }
    (root,) = summary["roots"]
    assert (root["path"], root["files"], root["watch"] in {"watching", "scanning"}) == (str(docs), 4, True)
    assert await paths(client, under=str(docs / "2024")) == ["lease.txt", "budget.csv"]
    assert await paths(client, code="malformed") == await paths(client, state="failed") == ["broken.pdf"]
    assert await paths(client, text="BUDGET") == ["budget.csv"]
    (top,) = (await client.get("/ledger/folders"))["folders"]
    assert (top["path"], top["files"], top["askable"], top["with_reasons"]) == (str(docs), 4, 2, 2)
    inner = await client.get("/ledger/folders", under=str(docs))
    assert ([each["name"] for each in inner["folders"]], inner["folders"][0]["folders"], inner["files"]) == (["2024"], 1, 2)


@pytest.mark.slow
async def test_a_line_can_be_opened_and_excluded(client: Client, docs: Path) -> None:
    lease = docs / "2024" / "lease.txt"
    response = await client._http.get("/ledger/file", params={"path": str(docs / "broken.pdf")})
    assert (response.content, response.headers["content-security-policy"]) == (b"%PDF-1.4 not one", "sandbox; default-src 'none'")
    with pytest.raises(NotFound):
        await client.get("/ledger/file", path="/etc/passwd")
    with pytest.raises(PathNotAllowed):
        await client.get("/ledger/file", path=str(docs / ".hidden"))
    excluded = await client.post("/ledger/exclude", {"path": str(docs / "2024")})
    assert (excluded["documents"], excluded["files"]) == (2, 2)
    assert await paths(client, code="excluded") == ["2024"]
    assert [each["path"] for each in (await client.get("/ledger/exclusions"))["exclusions"]] == [str(docs / "2024")]
    lease.write_text("The lease was changed.")
    with pytest.raises(InvalidInput):
        await client.post("/ledger/exclude", {"path": str(docs)})
    with pytest.raises(NotFound):
        await client.post("/ledger/exclude", {"path": "/etc"})
    with pytest.raises(NotFound):
        await client.post("/ledger/exclude", {"path": f"{docs}/../outside"})
    (docs / "out").symlink_to(docs.parent / "home")
    await client.post("/ledger/exclude", {"path": f"{docs}/out/"})
    assert (await client.delete("/ledger/exclude", path=str(docs / "out")))["job_id"] is None
    (docs / "out").unlink()
    included = await client.delete("/ledger/exclude", path=str(docs / "2024"))
    assert [state async for state in job_states(client, included["job_id"])][-1]["state"] == "done"
    assert "2024" not in await paths(client, code="excluded")
    assert await paths(client, under=str(lease)) == ["lease.txt"]
    with pytest.raises(NotFound):
        await client.delete("/ledger/exclude", path=str(docs / "2024"))


@pytest.mark.slow
async def test_a_fresh_file_can_be_asked_about_and_the_switch_stops_that(client: Client, docs: Path) -> None:
    async def watching() -> bool:
        return all(folder["state"] == "watching" for folder in (await client.get("/watcher/status"))["folders"])

    async def known(name: str) -> bool:
        return name in await paths(client)

    await until(watching)
    write_file(docs / "walrus.txt", "The walrus of Ostrava weighs 1,200 kilograms.")
    await until(lambda: known("walrus.txt"))

    async def told() -> bool:
        return [event["change"] for event in (await client.get("/watcher/status"))["recent"] if event["path"].endswith("walrus.txt")] == ["added"]

    await until(told)
    found = await client.post("/search", {"query": "How much does the walrus weigh?"})
    assert "1,200" in found["answer"]
    off = await client.post("/watcher/disable", {"path": str(docs)})
    assert [folder["state"] for folder in off["folders"]] == ["off"]
    assert (await client.get("/ledger"))["roots"][0]["watch"] == "off"
    assert not (await client.post("/watcher/disable", {}))["enabled"]
    write_file(docs / "later.txt", "Nobody looks.")
    assert (await client.post("/watcher/enable", {}))["enabled"]
    await until(lambda: known("later.txt"))
    with pytest.raises(NotFound):
        await client.post("/watcher/enable", {"path": "/elsewhere"})


@pytest.mark.slow
async def test_each_key_sees_and_switches_its_own_folders_alone(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    write_file(docs / "a.txt", "Of the first tenant.")
    app = create_app(settings_in(tmp_path / "home", VANTAGE_SERVER__API_KEYS=KEYS, VANTAGE_INGESTION__ROOTS=f"['{docs}']"))
    async with app.router.lifespan_context(app) as state:
        transport = httpx.ASGITransport(app=add_lifespan_state(app, state or {}))

        def http(key: str) -> httpx.AsyncClient:
            return httpx.AsyncClient(transport=transport, base_url="http://localhost", headers={"X-API-Key": f"0123456789abcdef-{key}"})

        async with http("one") as one, http("two") as two, http("none") as nobody:
            assert (await one.post("/index", json={"path": str(docs)})).status_code == 202

            async def there() -> bool:
                return [folder["path"] for folder in (await one.get("/watcher/status")).json()["folders"]] == [str(docs)]

            await until(there)
            assert (await two.get("/watcher/status")).json()["folders"] == []
            assert (await two.post("/watcher/disable", json={"path": str(docs)})).status_code == 404
            assert (await two.post("/watcher/disable")).json()["enabled"] is False
            assert (await one.get("/watcher/status")).json()["enabled"] is True
            assert (await two.post("/ledger/exclude", json={"path": str(docs / "a.txt")})).status_code == 404
            assert (await two.get("/ledger/file", params={"path": str(docs / "a.txt")})).status_code == 404
            assert (await two.get("/ledger/folders", params={"under": str(docs)})).json()["files"] == 0
            assert (await nobody.get("/watcher/status")).status_code == 401


@pytest.mark.slow
async def test_what_others_uploaded_is_indexed_by_nobody_else(tmp_path: Path) -> None:
    home = tmp_path / "home"
    app = create_app(settings_in(home, VANTAGE_SERVER__API_KEYS=KEYS, VANTAGE_INGESTION__ROOTS=f"['{tmp_path}']"))
    async with app.router.lifespan_context(app) as state:
        transport = httpx.ASGITransport(app=add_lifespan_state(app, state or {}))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost", headers={"X-API-Key": "0123456789abcdef-two"}) as two:
            write_file(home / "uploads" / "one" / "a.txt", "Of the first tenant.")
            (tmp_path / "docs").symlink_to(home / "uploads" / "one")
            for path in (home / "uploads" / "one" / "a.txt", home / "uploads" / "one", home / "uploads", tmp_path / "docs"):
                assert (await two.post("/index", json={"path": str(path)})).status_code == 403
            write_file(home / "uploads" / "two" / "b.txt", "Of the second tenant.")
            assert (await two.post("/index", json={"path": str(home / "uploads" / "two")})).status_code == 202
