"""Every route of the API, asked by the person whose it is, another of the same tenant, its administrator, one of another tenant and without a key;
with the key in a header, and by a browser that the key has signed in.

What each route is about is written down here; a route of the schema that is missing fails the test.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from evaluation.measured_questions import MeasuredQuestion
from evaluation.stored_runs import EvaluationRun, StoredRuns
from server.app import build_app
from server.session_cookies import COOKIE
from tests.support.serving import ServedVantage, wait_for_job

ANN, BOB, CY, EVE = ("a" * 20, "b" * 20, "c" * 20, "e" * 20)
UNKNOWN = 404

# A person's own: as unknown to everybody else as what never was. With the body that is sent.
PERSONS: dict[str, dict[str, Any] | None] = {
    "GET /conversations/{conversation_id}": None,
    "PATCH /conversations/{conversation_id}": {"title": "Renamed", "pinned": True},
    "GET /conversations/{conversation_id}/export": {"format": "json"},
    "POST /conversations/{conversation_id}/branch": {"before": "{turn_id}"},
    "POST /search": {"query": "And the spade?", "conversation_id": "{conversation_id}"},
    "POST /search/stream": {"query": "And the spade?", "conversation_id": "{conversation_id}"},
    "GET /runs/{run_id}/events": None,
    "POST /runs/{run_id}/cancel": None,
    "GET /traces/{trace_id}": None,
    "GET /traces/{trace_id}/events": None,
    "GET /traces/compare": {"left": "{trace_id}", "right": "{trace_id}"},
    "POST /traces/{trace_id}/replay": {"without": ["rerank"]},
    "POST /explain": {"trace_id": "{trace_id}", "document": "shed.txt"},
    "POST /feedback": {"trace_id": "{trace_id}", "kind": "thumbs_up"},
    "GET /evaluation/runs/{evaluation_id}": None,
    "GET /evaluation/runs/compare": {"before": "{evaluation_id}", "after": "{evaluation_id}"},
    "GET /memory/{user_id}": None,
    "POST /memory/{user_id}/consolidate": None,
    "DELETE /traces/{trace_id}": None,
    "DELETE /conversations/{conversation_id}": None,
    "DELETE /memory/{user_id}": None,
}
# The same, where the run does not wait for an answer and the note was never made: the owner is told so, the others learn nothing.
PERSONS_WITHOUT_A_THING: dict[str, dict[str, Any] | None] = {
    "POST /runs/{run_id}/answer": {"skip": True},
    "PATCH /memory/{user_id}/items/{item_id}": {"text": "Mine"},
    "DELETE /memory/{user_id}/items/{item_id}": None,
}
# What an administrator of the tenant may read of others, and what of it the run's record says then.
READ_BY_ADMIN = {"GET /traces/{trace_id}": "run", "GET /traces/{trace_id}/events": "events", "GET /traces/compare": "comparison"}
# Everybody's in the tenant: unknown to other tenants.
TENANTS = (
    "GET /documents/{document_id}",
    "GET /documents/{document_id}/content",
    "GET /documents/{document_id}/file",
    "POST /documents/{document_id}/file",
    "GET /documents/{document_id}/pages/{page}/picture",
    "GET /documents/{document_id}/places",
    "GET /documents/{document_id}/references",
    "GET /documents/{document_id}/entities",
    "GET /documents/{document_id}/tables",
    "GET /documents/{document_id}/tables/{ordinal}",
    "GET /graph/entities/{entity_id}/neighbourhood",
    "GET /graph/communities/{community_id}",
    "GET /ontologies/{ontology_id}",
    "DELETE /ontologies/{ontology_id}",
    "GET /jobs/{job_id}",
    "GET /jobs/{job_id}/events",
    "POST /jobs/{job_id}/cancel",
    "DELETE /documents/{document_id}",
)
# Nobody's thing is named in the address: each key sees its own tenant's or person's, and nobody without one.
KEYED = (
    *(
        "GET /conversations",
        "POST /conversations",
        "DELETE /conversations",
        "GET /documents",
        "GET /embedder",
        "POST /embedder",
        "GET /folders",
        "GET /graph/entities",
        "GET /graph/communities",
        "GET /graph/cost",
        "GET /ontologies",
        "POST /ontologies",
        "POST /graph/communities/refresh",
        "GET /graph/tree",
        "POST /graph/tree/build",
        "POST /evaluation/search",
        "POST /evaluation/test",
        "POST /evaluation/explain",
        "GET /evaluation/runs",
        "GET /evaluation/sets",
        "GET /health",
        "GET /settings",
        "PATCH /settings",
    ),
    *("GET /settings/models", "POST /settings/models/test", "GET /settings/features", "PATCH /settings/features"),
    *("POST /index", "GET /jobs", "GET /ledger", "POST /ledger/exclude", "DELETE /ledger/exclude", "GET /ledger/exclusions", "GET /ledger/file"),
    *(
        "POST /ledger/file",
        "GET /ledger/folders",
        "POST /ledger/retry",
        "DELETE /ledger/roots",
        "GET /ledger/summary",
        "GET /starters",
        "GET /metrics",
    ),
    *(
        "DELETE /history",
        "GET /session",
        "GET /traces",
        "GET /traces/graph",
        "POST /upload",
        "POST /watcher/disable",
        "POST /watcher/enable",
        "GET /watcher/status",
    ),
)
OPEN = ("POST /session", "DELETE /session", "GET /live")  # the way in, and out; that there is a server
# Beside the schema: the page, which tells nothing, and the schema itself.
PAGE = tuple(f"{method} {path}" for method in ("GET", "HEAD") for path in ("/", "/app", "/app/{path:path}", "/assets/{path:path}", "/favicon.svg"))
UNLISTED = ("GET /openapi.json",)


class Household(NamedTuple):
    """A server with a document of one tenant, and what ann of that tenant asked. `sessions`: by key, of browsers that are signed in; with none the
    keys go into a header."""

    url: str
    ids: dict[str, str]
    sessions: dict[str, str] = {}  # noqa: RUF012 - a tuple's default, never changed


@pytest.fixture(scope="module", params=["header", "session"])
def household(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Household]:
    folder = tmp_path_factory.mktemp("owners")
    (folder / "docs").mkdir()
    (folder / "docs" / "shed.txt").write_text("The spade hangs in the shed behind the pantry. The shed is painted green.", encoding="utf-8")
    keys = f"['{ANN}:acme:ann', '{BOB}:acme:bob', '{CY}:other:cy', '{EVE}:acme:eve:admin']"
    settings = {"VANTAGE_SERVER__API_KEYS": keys, "VANTAGE_INGESTION__ROOTS": f"['{folder / 'docs'}']"}
    served = ServedVantage(folder / "home", settings | {"VANTAGE_ONTOLOGY__SUPPORT_ENABLED": "true"}).start()
    try:
        with asking(served.url, ANN) as ann:
            job = ann.post("/index", json={"path": str(folder / "docs")}).raise_for_status().json()
            wait_for_job(ann, job["id"])
            conversation = ann.post("/conversations", json={"title": "Mine"}).raise_for_status().json()["id"]
            found = ann.post("/search", json={"query": "Where does the spade hang?", "conversation_id": conversation}).raise_for_status().json()
            assert "shed" in found["answer"]
            document = found["results"][0]["id"]
            turn = ann.get(f"/conversations/{conversation}").raise_for_status().json()["items"][0]["id"]
        ids = {"conversation_id": conversation, "run_id": found["trace_id"], "trace_id": found["trace_id"], "document_id": document, "turn_id": turn}
        ids |= {
            "job_id": job["id"],
            "user_id": "ann",
            "item_id": "1",
            "page": "1",
            "ordinal": "0",
            "entity_id": "1",
            "community_id": "1",
            "ontology_id": "1",
        }
        ids["evaluation_id"] = keep_run(folder / "home")
        sessions = {key: signed_in(served.url, key) for key in (ANN, BOB, CY, EVE)} if request.param == "session" else {}
        yield Household(served.url, ids, sessions)
    finally:
        served.stop()


def keep_run(home: Path) -> str:
    """Keep a run of a set that ann asked."""
    question = MeasuredQuestion(
        id="q1", text="Where does the spade hang?", ranking=[], texts=[], scores={"mrr": 1.0}, ms=1.0, stages={}, refused=None, asked_back=False
    )
    began = datetime(2026, 11, 25, tzinfo=UTC)
    run = EvaluationRun(
        id="20261125-1-shed", set_name="shed", started_at=began, k=10, strategy="auto", tenant="acme", person="ann", questions=[question]
    )
    StoredRuns(home / "evaluation" / "runs").save(run)
    return run.id


def signed_in(url: str, key: str) -> str:
    """The id in the cookie of a browser that this key let in."""
    with asking(url) as browser:
        browser.post("/session", json={"api_key": key}).raise_for_status()
        return browser.cookies[COOKIE]


def client_of(household: Household, key: str = "") -> httpx.Client:
    """As the person of this key; "" for nobody."""
    if key and household.sessions:
        return httpx.Client(base_url=household.url, cookies={COOKIE: household.sessions[key]}, timeout=60.0, trust_env=False, verify=False)
    return asking(household.url, key)


def asking(url: str, key: str = "") -> httpx.Client:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return httpx.Client(base_url=url, headers=headers, timeout=60.0, trust_env=False, verify=False)


def sent(household: Household, key: str, route: str, body: dict[str, Any] | None = None) -> int:
    """The status that a route answers with; `body` goes into the query string where the method has none."""
    method, path = route.split(" ")
    filled = {name: value.format(**household.ids) if isinstance(value, str) else value for name, value in (body or {}).items()}
    with client_of(household, key) as client:
        given: dict[str, Any] = {"params": filled} if method == "GET" else {"json": filled} if body is not None else {}
        return client.request(method, path.format(**household.ids), **given).status_code


def test_every_route_of_the_schema_is_in_one_of_the_lists() -> None:
    routes = {f"{method.upper()} {path}" for path, methods in build_app().openapi()["paths"].items() for method in methods}
    listed = [*PERSONS, *PERSONS_WITHOUT_A_THING, *TENANTS, *KEYED, *OPEN]
    assert len(listed) == len(set(listed))
    assert routes == set(listed)


def test_what_is_served_beside_the_schema_is_listed_too() -> None:
    routers = [getattr(included, "original_router", None) for included in build_app().routes]
    assert None not in routers  # a route of its own, beside the routers
    hidden = [route for router in routers for route in getattr(router, "routes", ()) if not route.include_in_schema]
    served = {f"{method} {route.path}" for route in hidden for method in route.methods}
    assert served == {*PAGE, *UNLISTED}


def test_without_a_key_there_is_the_page_and_a_sign_of_life(household: Household) -> None:
    assert not {sent(household, "", route) for route in PAGE if "{" not in route} & {401, 403}
    with client_of(household) as nobody:
        assert nobody.get("/live").json() == {"live": True}
        assert "paths" not in nobody.get("/openapi.json").text
    with client_of(household, BOB) as bob:
        assert bob.get("/openapi.json").json() == build_app().openapi()


def test_nobody_without_a_key_reaches_anything(household: Household) -> None:
    for route in (*PERSONS, *PERSONS_WITHOUT_A_THING, *TENANTS, *KEYED, *UNLISTED):
        assert sent(household, "", route, PERSONS.get(route)) == 401, route


def test_what_a_tenant_shares_is_unknown_to_others(household: Household) -> None:
    shared = [route for route in TENANTS if not route.startswith(("DELETE", "POST /jobs"))]
    for route in TENANTS:
        assert sent(household, CY, route) == UNKNOWN, route
    for route in shared:
        if not any(part in route for part in ("{page}", "{ordinal}", "{entity_id}", "{community_id}", "{ontology_id}")):  # the text has none of these
            assert sent(household, BOB, route) == 200, route


def test_an_administrator_reads_traces_and_nothing_else_of_others(household: Household) -> None:
    for route, body in (PERSONS | PERSONS_WITHOUT_A_THING).items():
        assert sent(household, EVE, route, body) == (200 if route in READ_BY_ADMIN else UNKNOWN), route
    with client_of(household, EVE) as eve:
        line = next(each for each in eve.get("/traces").json()["traces"] if each["id"] == household.ids["trace_id"])
        assert line["user_id"] == "ann"
        assert eve.get("/conversations").json()["conversations"] == []
        own = eve.post("/search", json={"query": "Where does the spade hang?"}).json()["trace_id"]
        assert eve.get(f"/traces/{own}").json()["viewed_by"] == []
    with client_of(household, ANN) as ann:
        looks = ann.get(f"/traces/{household.ids['trace_id']}").json()["viewed_by"]
    assert {look["user_id"] for look in looks} == {"eve"}
    assert [look["part"] for look in looks] == [*READ_BY_ADMIN.values(), "list"]


def test_what_is_a_person_s_own_is_unknown_to_everybody_else(household: Household) -> None:
    for route, body in (PERSONS | PERSONS_WITHOUT_A_THING).items():
        assert sent(household, CY, route, body) == UNKNOWN, route
        assert sent(household, BOB, route, body) == UNKNOWN, route
    for key in (CY, BOB, EVE):
        with client_of(household, key) as other:
            assert other.get("/evaluation/runs").json() == {"runs": [], "total": 0, "unreadable": []}
    with client_of(household, BOB) as bob:
        assert bob.get("/conversations").json()["conversations"] == []
        assert bob.get("/conversations", params={"text": "spade"}).json()["conversations"] == []
        own = bob.post("/conversations", json={"title": "Bob's"}).json()["id"]
        assert bob.delete("/conversations", params={"id": [own, household.ids["conversation_id"]]}).status_code == UNKNOWN
        assert bob.delete("/conversations", params={"id": own}).json() == {"conversations": 1, "turns": 0}
        assert bob.get("/traces").json()["traces"] == []
        assert bob.get("/traces", params={"conversation_id": household.ids["conversation_id"]}).json()["traces"] == []
    with client_of(household, ANN) as ann:
        assert [each["id"] for each in ann.get("/conversations", params={"text": "SPADE shed"}).json()["conversations"]] == [
            household.ids["conversation_id"]
        ]
        assert [each["id"] for each in ann.get("/conversations").json()["conversations"]] == [household.ids["conversation_id"]]
        assert household.ids["trace_id"] in [each["id"] for each in ann.get("/traces").json()["traces"]]
        assert [each["id"] for each in ann.get("/evaluation/runs").json()["runs"]] == [household.ids["evaluation_id"]]
    assert sent(household, ANN, "POST /runs/{run_id}/answer", {"skip": True}) == 409
    for route, body in PERSONS.items():
        assert sent(household, ANN, route, body) in {200, 201, 204}, route
