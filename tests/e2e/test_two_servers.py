"""Two `vantage serve` and a worker over one PostgreSQL, OpenSearch and Redis, as behind a load balancer that sends each request anywhere."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.databases import postgres_database, shared_postgres
from tests.support.ollama_server import OllamaServer, Script, served_in_a_thread
from tests.support.opensearch_server import NoOpenSearchError, options_of, request, shared_server
from tests.support.own_stores import OwnStore, own_redis
from tests.support.serving import ServedVantage, index_and_wait, make_environment, parse_events
from tests.support.warm_start import Command, Process, start_module

pytestmark = pytest.mark.integration
ANN, BOB = "key-of-ann-0123456789", "key-of-bob-0123456789"
HANGS = "What is photosynthesis?"  # the model takes ten minutes for a word
BEAT = 0.5


@dataclass
class Pair:
    """Both servers. `model` switches the language model of Ann's tenant on or off."""

    home: Path
    settings: dict[str, str]
    redis: OwnStore
    worker: Process
    servers: list[ServedVantage] = field(default_factory=list)

    def start(self) -> ServedVantage:
        """Start one more server over the same library."""
        (self.home / "server.json").unlink(missing_ok=True)
        self.servers.append(server := ServedVantage(self.home, self.settings).start())
        return server

    def client(self, place: int, key: str = ANN) -> httpx.Client:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        return httpx.Client(base_url=self.servers[place].url, timeout=60.0, trust_env=False, verify=False, headers=headers)

    def switch_model(self, *, on: bool) -> None:
        """At one server; until the other has it, too."""
        with self.client(0) as one, self.client(1) as other:
            one.patch("/settings/features", json={"features": {"language_model": on}}).raise_for_status()
            until(lambda: feature(other, "language_model") == on)

    def stop(self) -> None:
        for server in self.servers:
            server.stop()
        self.worker.kill()
        self.worker.wait(30)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    folder = tmp_path_factory.mktemp("pair")
    with ExitStack() as stack:
        try:
            reached = options_of(shared_server(), f"pair-{os.getpid()}")
            redis = stack.enter_context(own_redis())
            url = stack.enter_context(postgres_database(shared_postgres()))
        except (NoOpenSearchError, FileNotFoundError) as missing:
            pytest.skip(str(missing))
        stack.callback(request, reached, "DELETE", f"/{reached.index_name}-*")
        model = stack.enter_context(served_in_a_thread(OllamaServer(models=("qwen3-vl:8b",), scripts=[Script(first_delay=600.0)])))
        docs = folder / "docs"
        docs.mkdir()
        (docs / "ferry.md").write_text("# Ferry timetable\n\nThe ferry to Skarholm leaves at 06:40 from pier 3.\n")
        (docs / "bakery.md").write_text("# Bakery\n\nThe bakery on Mill Street closes at 14:00 on Sundays.\n")
        settings = {
            "VANTAGE_STORAGE__URL": url,
            "VANTAGE_SEARCH__ENGINE": "opensearch",
            "VANTAGE_OPENSEARCH__HOST": reached.host,
            "VANTAGE_OPENSEARCH__PORT": str(reached.port),
            "VANTAGE_OPENSEARCH__INDEX_NAME": reached.index_name,
            "VANTAGE_MEMORY__SESSION__REDIS_URL": redis.url,
            "VANTAGE_WORKERS__QUEUE": "postgres",
            "VANTAGE_WORKERS__HEARTBEAT_SECONDS": str(BEAT),
            "VANTAGE_OLLAMA__ENABLED": "auto",
            "VANTAGE_OLLAMA__BASE_URL": model,
            "VANTAGE_SERVER__API_KEYS": f"['{ANN}:acme:ann:admin', '{BOB}:acme:bob']",
            "VANTAGE_SERVER__MAX_QUESTIONS_PER_PERSON": "2",
            "VANTAGE_SERVER__FAILED_TRIES": "4",
            "VANTAGE_SERVER__TRUSTED_PROXIES": "[127.0.0.1]",
            "VANTAGE_INGESTION__ROOTS": f"[{docs}]",
        }
        home = folder / "home"
        home.mkdir()
        printed = stack.enter_context((folder / "worker.log").open("wb"))
        worker = start_module(Command(("worker",), make_environment(home, **settings), folder, printed, printed))
        made = Pair(home, settings, redis, worker)
        stack.callback(made.stop)
        made.start()
        made.start()
        with made.client(0) as client:
            assert index_and_wait(client, str(docs))["state"] == "done"
        yield made


def until(holds: Callable[[], object], seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.05)


def feature(client: httpx.Client, name: str) -> bool | None:
    listed = client.get("/health").json().get("features", [])
    return next((bool(each["enabled"]) for each in listed if each["name"] == name), None)


def servers_part(client: httpx.Client) -> dict[str, Any]:
    """What /health says of the servers, once it says anything: its parts may be too busy at first."""
    parts = client.get("/health").json().get("parts", [])
    return next((part for part in parts if part["name"] == "servers"), {"state": "", "detail": ""})


def tells(client: httpx.Client, words: str) -> bool:
    return words in servers_part(client)["detail"]


def answers(client: httpx.Client, question: str, word: str) -> bool:
    return word in client.post("/search", json={"query": question}).raise_for_status().json()["answer"]


def refuses(client: httpx.Client, headers: dict[str, str], status: int) -> bool:
    return client.get("/conversations", headers=headers).status_code == status


def new_conversation(client: httpx.Client) -> str:
    return str(client.post("/conversations", json={"title": ""}).raise_for_status().json()["id"])


def turns(client: httpx.Client, conversation: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get(f"/conversations/{conversation}").raise_for_status().json()["items"]
    return found


def begin(client: httpx.Client, question: str, conversation: str) -> tuple[str, int]:
    """Ask, and lose the connection once the stream has shown something; return the run, and the last event that was read."""
    last = 0
    with client.stream("POST", "/search/stream", json={"query": question, "conversation_id": conversation}) as response:
        assert response.status_code == 200, response.read()
        for line in response.iter_lines():
            if line.startswith("id: "):
                last = int(line.removeprefix("id: "))
            if last >= 3:
                break
    return str(turns(client, conversation)[-1]["trace_id"]), last


def follow(client: httpx.Client, run_id: str, after: int = 0) -> list[tuple[int, str, dict[str, Any]]]:
    """Read a run's events to its end."""
    read = client.get(f"/runs/{run_id}/events", headers={"Last-Event-ID": str(after)}).raise_for_status().text
    return [(int(number), kind, data) for number, kind, data in parse_events(read)]


class Reader(threading.Thread):
    """Reads a run to its end beside the test, at the second server."""

    def __init__(self, pair: Pair, run_id: str, after: int) -> None:
        super().__init__(daemon=True)
        self._asked = pair, run_id, after
        self.events: list[tuple[int, str, dict[str, Any]]] = []
        self.start()

    def run(self) -> None:
        pair, run_id, after = self._asked
        with pair.client(1) as client:
            self.events = follow(client, run_id, after)

    def wait(self, seconds: float = 30.0) -> list[tuple[int, str, dict[str, Any]]]:
        self.join(seconds)
        assert not self.is_alive(), "the reader waits for ever"
        return self.events


def test_both_answer_and_know_of_each_other(pair: Pair) -> None:
    pair.switch_model(on=False)
    for place in (0, 1):
        with pair.client(place) as client:
            until(partial(answers, client, "When does the ferry to Skarholm leave?", "06:40"))
            until(partial(tells, client, "2 at work. Notices by Redis"))
    with pair.client(0) as one, pair.client(1) as other:
        assert sorted(tells(client, "watches folders") for client in (one, other)) == [False, True]


def test_a_question_back_of_one_is_answered_at_the_other(pair: Pair) -> None:
    pair.switch_model(on=False)
    with pair.client(0) as one, pair.client(1) as other:
        talk = new_conversation(one)
        asked = one.post("/search", json={"query": "it?", "conversation_id": talk}).raise_for_status().json()
        assert asked["status"] == "clarification_needed"
        answered = other.post(f"/runs/{asked['trace_id']}/answer", json={"text": "When does the bakery close on Sundays?"}).raise_for_status().json()
        assert "14:00" in answered["answer"]
        events = follow(one, asked["trace_id"])
        assert [number for number, _, _ in events] == list(range(1, len(events) + 1))
        assert [data["status"] for _, kind, data in events if kind == "done"] == ["clarification_needed", "success"]
        assert one.post(f"/runs/{asked['trace_id']}/answer", json={"skip": True}).status_code == 409
        followed_up = one.post("/search", json={"query": "and on which street is it?", "conversation_id": talk}).raise_for_status().json()
        assert "Mill Street" in followed_up["answer"]
        assert [turn["state"] for turn in turns(other, talk)] == ["answered", "answered"]


def test_a_question_of_one_is_listed_read_on_and_stopped_at_the_other(pair: Pair) -> None:
    pair.switch_model(on=True)
    with pair.client(0) as one, pair.client(1) as other, pair.client(1, BOB) as bob:
        talk = new_conversation(one)
        run_id, last = begin(one, HANGS, talk)
        assert [(turn["state"], turn["trace_id"]) for turn in turns(other, talk)] == [("running", run_id)]
        for path in (f"/runs/{run_id}/events", f"/conversations/{talk}"):
            assert bob.get(path).status_code == 404
        assert bob.post(f"/runs/{run_id}/cancel").status_code == 404
        reader = Reader(pair, run_id, last)
        assert other.post(f"/runs/{run_id}/cancel").raise_for_status().json()["state"] == "cancelling"
        events = reader.wait()
        assert events[0][0] == last + 1
        assert (events[-1][1], events[-1][2]["status"]) == ("done", "stopped")
        assert events == [each for each in follow(one, run_id) if each[0] > last]
        trace = other.get(f"/traces/{run_id}").raise_for_status().json()
        assert (trace["status"], trace["nodes"][-1]["outcome"]) == ("stopped", "cancelled")
        assert turns(other, talk)[0]["response"]["status"] == "stopped"
        assert other.post(f"/runs/{run_id}/cancel").json()["state"] == "already_over"


def test_what_one_person_may_do_at_once_is_counted_over_both(pair: Pair) -> None:
    pair.switch_model(on=True)
    with pair.client(0) as one, pair.client(1) as other, pair.client(1, BOB) as bob:
        runs = [begin(client, HANGS, new_conversation(client))[0] for client in (one, other)]
        for client in (one, other):
            assert client.post("/search", json={"query": HANGS}).status_code == 429
        bobs = begin(bob, HANGS, new_conversation(bob))[0]
        bob.post(f"/runs/{bobs}/cancel").raise_for_status()
        for run_id in runs:
            one.post(f"/runs/{run_id}/cancel").raise_for_status()
            follow(other, run_id)
        run_id = begin(other, HANGS, new_conversation(other))[0]
        one.post(f"/runs/{run_id}/cancel").raise_for_status()
        follow(one, run_id)


def test_wrong_keys_are_counted_over_both(pair: Pair) -> None:
    wrong = {"Authorization": "Bearer wrong", "X-Forwarded-For": "203.0.113.9"}
    with pair.client(0, "") as one, pair.client(1, "") as other:
        said = [client.get("/conversations", headers=wrong).status_code for client in (one, one, other, other)]
        assert said == [401] * 4
        right = {**wrong, "Authorization": f"Bearer {ANN}"}
        for client in (one, other):
            until(partial(refuses, client, right, 429), 5.0)
        assert other.get("/conversations", headers={**right, "X-Forwarded-For": "203.0.113.10"}).status_code == 200


def test_a_browser_is_signed_in_and_out_at_both(pair: Pair) -> None:
    with pair.client(0, "") as one, pair.client(1, "") as other:
        one.post("/session", json={"api_key": ANN}).raise_for_status()
        shown = {"Cookie": f"vantage_session={one.cookies['vantage_session']}"}
        assert other.get("/conversations", headers=shown).status_code == 200
        one.request("DELETE", "/session").raise_for_status()
        assert one.get("/conversations", headers=shown).status_code == 401
        until(lambda: other.get("/conversations", headers=shown).status_code == 401, 20.0)  # it is believed for some seconds


def test_a_redis_that_dies_is_said_and_costs_nothing_else(pair: Pair) -> None:
    pair.switch_model(on=True)
    with pair.client(0) as one, pair.client(1) as other:
        pair.redis.kill()
        try:
            talk = new_conversation(one)
            run_id, last = begin(one, HANGS, talk)
            until(lambda: servers_part(other)["state"] == "degraded")
            assert "Notices go by PostgreSQL meanwhile" in servers_part(other)["detail"]
            reader = Reader(pair, run_id, last)
            other.post(f"/runs/{run_id}/cancel").raise_for_status()
            assert reader.wait()[-1][2]["status"] == "stopped"
        finally:
            pair.redis.start()
        until(lambda: servers_part(other)["state"] == servers_part(one)["state"] == "ok")


def test_a_server_that_is_killed_leaves_nobody_waiting(pair: Pair) -> None:
    pair.switch_model(on=True)
    with pair.client(0) as one, pair.client(1) as other:
        talk = new_conversation(one)
        run_id, last = begin(one, HANGS, talk)
        reader = Reader(pair, run_id, last)
        pair.servers[0].stop(signal.SIGKILL)
        events = reader.wait()
        assert [kind for _, kind, _ in events[-2:]] == ["error", "done"]
        assert "is gone" in events[-2][2]["detail"]
        (turn,) = turns(other, talk)
        assert (turn["state"], turn["query"]) == ("interrupted", HANGS)
        trace = other.get(f"/traces/{run_id}").raise_for_status().json()
        assert (trace["status"], trace["degraded"][0]["part"]) == ("failed", "server")
        until(partial(tells, other, "1 at work"))
        until(partial(tells, other, "watches folders"))  # what one does for all, it does now
        other.patch("/settings/features", json={"features": {"language_model": False}}).raise_for_status()
        asked = {"query": "When does the ferry to Skarholm leave?", "conversation_id": talk, "replaces": run_id}
        assert "06:40" in other.post("/search", json=asked).raise_for_status().json()["answer"]
        assert [turn["state"] for turn in turns(other, talk)] == ["answered"]
    pair.start()  # and another takes its place
    pair.servers.append(pair.servers.pop(0))
    with pair.client(1) as client:
        until(partial(tells, client, "2 at work"))
