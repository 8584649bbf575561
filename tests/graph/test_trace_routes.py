"""The routes about stored runs, over HTTP, on the real graph: what they give, and that another tenant's runs are not there."""

from __future__ import annotations

from types import SimpleNamespace

import httpx
import pytest
from fastapi import FastAPI

from core.search_schemas import STAGES, SearchRequest
from orchestration.nodes import ROWS
from orchestration.run_registry import Runs
from orchestration.trace_inspector import TraceInspector
from orchestration.zeus import Zeus
from server.auth import identify, services_of
from server.error_responses import install_handlers
from server.request_identity import Identity
from server.routers import traces_router
from tests.support.ports import make_dependencies

QUESTION = "How much notice must the tenant give?"


class Bench:
    """The application's routes about traces; `caller` is the tenant that asks."""

    def __init__(self) -> None:
        self.deps = make_dependencies()
        zeus = Zeus(self.deps)
        self.runs = Runs(zeus)
        self.caller = "default"
        app = FastAPI()
        install_handlers(app)
        app.include_router(traces_router.router)
        app.include_router(traces_router.explain_router)
        services = SimpleNamespace(traces=self.deps.traces, inspector=TraceInspector(zeus, self.runs))
        app.dependency_overrides[services_of] = lambda: services
        app.dependency_overrides[identify] = lambda: Identity(self.caller, "ann", has_key=True)
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://127.0.0.1:8000")

    async def ask(self, query: str = QUESTION) -> str:
        run_id = await self.runs.start(SearchRequest(query=query), "default", "ann")
        await self.runs.result("default", run_id)
        return run_id


async def test_what_the_routes_give() -> None:
    bench = Bench()
    run, other = await bench.ask(), await bench.ask("Who feeds the zebras?")
    graph = (await bench.client.get("/traces/graph")).json()
    assert {row.name for row in ROWS} <= {node["id"] for node in graph["nodes"]}
    events = (await bench.client.get(f"/traces/{run}/events")).json()["events"]
    assert (events[0]["kind"], events[-1]["kind"]) == ("run", "done")
    compared = (await bench.client.get("/traces/compare", params={"left": run, "right": other})).json()
    assert any("The questions differ" in each for each in compared["differences"])
    assert compared["same_answer"] is False
    again = (await bench.client.post(f"/traces/{run}/replay", json={"without": ["rerank"]})).json()
    stored = (await bench.client.get(f"/traces/{again['trace_id']}")).json()
    assert stored["replay_of"] == run
    assert next(node["outcome"] for node in stored["nodes"] if node["node"] == "rerank") == "skipped"
    first = (await bench.client.get(f"/traces/{run}")).json()["response"]["results"][0]
    for named in (first["id"], first["filename"], first["file_path"]):
        told = (await bench.client.post("/explain", json={"trace_id": run, "document": named})).json()
        assert (told["shown"], told["rank"], told["document_id"]) == (True, 1, first["id"])
    nowhere = (await bench.client.post("/explain", json={"trace_id": run, "document": "no such file.pdf"})).json()
    assert (nowhere["shown"], nowhere["fell_at"]) == (False, "not_indexed")


async def test_another_tenants_runs_are_not_there() -> None:
    bench = Bench()
    run = await bench.ask()
    bench.caller = "other"
    for method, path, body in (
        ("GET", f"/traces/{run}", None),
        ("GET", f"/traces/{run}/events", None),
        ("GET", f"/traces/compare?left={run}&right={run}", None),
        ("POST", f"/traces/{run}/replay", {"without": ["rerank"]}),
        ("POST", "/explain", {"trace_id": run, "document": "lease.pdf"}),
    ):
        assert (await bench.client.request(method, path, json=body)).status_code == 404, path
    assert (await bench.client.get("/traces")).json()["traces"] == []


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/traces/x/replay", {"without": []}),
        ("/traces/x/replay", {"without": ["everything"]}),
        ("/traces/x/replay", {"without": ["rerank"] * (len(STAGES) + 1)}),
        ("/explain", {"trace_id": "x", "document": ""}),
        ("/explain", {"trace_id": "x", "document": "d" * 5000}),
        ("/explain", {"trace_id": "", "document": "d"}),
    ],
)
async def test_what_cannot_be_asked_is_refused(path: str, body: dict[str, object]) -> None:
    assert (await Bench().client.post(path, json=body)).status_code == 422


@pytest.mark.parametrize("name", ["\x00", "🏛️" * 1000, "../../etc/passwd", "%' OR 1=1 --", "\u202egpj.pdf"])
async def test_odd_names_are_files_that_are_not_there(name: str) -> None:
    bench = Bench()
    told = (await bench.client.post("/explain", json={"trace_id": await bench.ask(), "document": name})).json()
    assert (told["fell_at"], told["document_id"]) == ("not_indexed", None)


async def test_texts_are_not_copied_at_every_step() -> None:
    """A large state stands once in the trace: in the response. What nodes read and wrote are counts, ids and beginnings."""
    bench = Bench()
    trace = await bench.deps.traces.get("default", await bench.ask())

    def longest(value: object) -> int:
        if isinstance(value, dict):
            return max(map(longest, value.values()), default=0)
        if isinstance(value, list):
            return max(len(value), *map(longest, value)) if value else 0
        return len(value) if isinstance(value, str) else 0

    assert len(trace.nodes) > 8
    assert all(longest([node.reads, node.writes]) <= 200 for node in trace.nodes)
