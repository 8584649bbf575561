"""Two tenants index and ask at once, through two servers and two workers over one PostgreSQL, OpenSearch and Redis: no leak, no deadlock.

    python -m benchmarks.two_tenants --minutes 10

Each tenant has a folder whose files are written, changed and deleted while questions are asked; each request goes to either server. Every answer is
searched for the other tenant's marks. A client that gets nowhere for two minutes, a leak, or an answer of 5xx ends the run with code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from sqlalchemy import create_engine, text

from tests.support.databases import postgres_database, postgres_server
from tests.support.opensearch_server import options_of, own_server
from tests.support.redis_server import redis_server
from tests.support.serving import ServedVantage, make_environment, parse_events
from tests.support.warm_start import Command, Process, start_module

STUCK_SECONDS = 120.0
FILES = 12  # of a tenant
TENANTS = {"acme": "QUARTZ", "beta": "OBSIDIAN"}  # each with the mark that is in all of its files
_WAITING = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype <> 'advisory'")


@dataclass
class Soak:
    """What all clients share: where the servers are, what was done, and what went wrong."""

    urls: list[str]
    docs: Path
    ends_at: float
    done: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    moved: dict[str, float] = field(default_factory=dict)
    memory: list[list[int]] = field(default_factory=list)  # MB of each process, a row a minute

    @property
    def goes_on(self) -> bool:
        return time.monotonic() < self.ends_at and not self.wrong

    def client(self, tenant: str, person: str) -> httpx.Client:
        """A client of either server."""
        headers = {"Authorization": f"Bearer {key_of(tenant, person)}"}
        return httpx.Client(base_url=random.choice(self.urls), timeout=STUCK_SECONDS, trust_env=False, headers=headers)

    def note(self, what: str, tenant: str, response: httpx.Response) -> str:
        """Count a response and look for the other tenant's mark in it; return its text."""
        other = next(mark for name, mark in TENANTS.items() if name != tenant)
        if other in response.text:
            self.wrong.append(f"LEAK: {what} of {tenant} holds {other}: {response.text[:300]}")
        if response.status_code >= 500 and response.status_code != 503:
            self.wrong.append(f"{what} of {tenant}: {response.status_code} {response.text[:300]}")
        self.done[what if response.is_success else f"{what}: {response.status_code}"] += 1
        self.moved[threading.current_thread().name] = time.monotonic()
        return response.text


def key_of(tenant: str, person: str) -> str:
    return f"key-of-{person}-at-{tenant}-0123"


def write_files(soak: Soak, tenant: str, turn: int) -> None:
    """Write, change and delete files of a tenant."""
    folder, mark = soak.docs / tenant, TENANTS[tenant]
    folder.mkdir(exist_ok=True)
    for number in range(FILES):
        file = folder / f"{number}.md"
        if random.random() < 0.1:
            file.unlink(missing_ok=True)
        elif random.random() < 0.5 or not turn:
            file.write_text(f"# Store {number}\n\nThe code of store {number} is {mark}-{turn}-{number}. Its keeper came in {1990 + number}.\n")


def index(soak: Soak, tenant: str) -> None:
    """Index again and again, and follow each job at another server."""
    for turn in range(10**6):
        if not soak.goes_on:
            return
        write_files(soak, tenant, turn)
        with soak.client(tenant, "ann") as client:
            begun = client.post("/index", json={"path": str(soak.docs / tenant)})
            soak.note("index", tenant, begun)
        while begun.is_success and soak.goes_on:
            with soak.client(tenant, "ann") as client:
                job = json.loads(soak.note("job", tenant, client.get(f"/jobs/{begun.json()['id']}")))
            if job["state"] in ("done", "failed", "cancelled"):
                soak.done[f"jobs {job['state']}"] += 1
                break
            time.sleep(0.5)


def ask(soak: Soak, tenant: str, person: str) -> None:
    """Ask in one piece, or begin at one server and read or stop at another; in a conversation, which is read at another."""
    while soak.goes_on:
        with soak.client(tenant, person) as one, soak.client(tenant, person) as other:
            talk = json.loads(soak.note("conversation", tenant, one.post("/conversations", json={"title": ""}))).get("id")
            question = {"query": f"What is the code of store {random.randrange(FILES)}?", "conversation_id": talk}
            if random.random() < 0.5:
                soak.note("answer", tenant, one.post("/search", json=question))
                soak.note("documents", tenant, other.get("/documents"))
            else:
                stream_and_follow(soak, tenant, (one, other), question)
            soak.note("turns", tenant, other.get(f"/conversations/{talk}"))
            if random.random() < 0.2:
                soak.note("deletion", tenant, other.delete(f"/conversations/{talk}"))


def stream_and_follow(soak: Soak, tenant: str, clients: tuple[httpx.Client, httpx.Client], question: dict[str, Any]) -> None:
    one, other = clients
    run_id = ""
    with one.stream("POST", "/search/stream", json=question) as response:
        for line in response.iter_lines():
            if line.startswith("data: ") and "run_id" in line:
                run_id = json.loads(line.removeprefix("data: "))["run_id"]
                break
    if not run_id:
        soak.done["stream refused"] += 1
        return
    if random.random() < 0.3:
        soak.note("stop", tenant, other.post(f"/runs/{run_id}/cancel"))
    read = soak.note("followed", tenant, other.get(f"/runs/{run_id}/events"))
    events = parse_events(read)
    if not events or events[-1][1] != "done":
        soak.wrong.append(f"The events of {run_id} end with {events[-1:]}")


def watch(soak: Soak) -> None:
    """See that every client gets on."""
    while soak.goes_on:
        for name, at in list(soak.moved.items()):
            if time.monotonic() - at > STUCK_SECONDS:
                soak.wrong.append(f"DEADLOCK: {name} got nowhere for {STUCK_SECONDS:.0f} s")
        time.sleep(1.0)


@contextmanager
def processes(folder: Path) -> Iterator[tuple[list[ServedVantage], list[Process], str]]:
    """Two servers and two workers over a library of their own."""
    with ExitStack() as stack:
        url = stack.enter_context(postgres_database(stack.enter_context(postgres_server())))
        reached = options_of(stack.enter_context(own_server()).url, "soak")
        settings = {
            "VANTAGE_STORAGE__URL": url,
            "VANTAGE_SEARCH__ENGINE": "opensearch",
            "VANTAGE_OPENSEARCH__HOST": reached.host,
            "VANTAGE_OPENSEARCH__PORT": str(reached.port),
            "VANTAGE_OPENSEARCH__INDEX_NAME": reached.index_name,
            "VANTAGE_MEMORY__SESSION__REDIS_URL": stack.enter_context(redis_server()),
            "VANTAGE_WORKERS__QUEUE": "postgres",
            "VANTAGE_INGESTION__WORKERS": "1",
            "VANTAGE_SERVER__API_KEYS": str([f"{key_of(tenant, person)}:{tenant}:{person}" for tenant in TENANTS for person in ("ann", "bob")]),
            "VANTAGE_INGESTION__ROOTS": json.dumps([{"path": str(folder / "docs" / tenant), "tenant": tenant} for tenant in TENANTS]),
        }
        for tenant in TENANTS:
            (folder / "docs" / tenant).mkdir(parents=True)
        home = folder / "home"
        home.mkdir()
        printed = stack.enter_context((folder / "workers.log").open("wb"))
        workers = [start_module(Command(("worker",), make_environment(home, **settings), folder, printed, printed)) for _ in range(2)]
        for worker in workers:
            stack.callback(worker.wait, 30)
            stack.callback(worker.kill)
        servers = []
        for _ in range(2):
            (home / "server.json").unlink(missing_ok=True)
            servers.append(ServedVantage(home, settings).start())
            stack.callback(servers[-1].stop)
        yield servers, workers, url


def megabytes(pids: list[int]) -> list[int]:
    return [round(psutil.Process(pid).memory_info().rss / 1e6) for pid in pids]


def note_memory(soak: Soak, pids: list[int]) -> None:
    """Note what each process takes, once a minute."""
    due = time.monotonic()
    while soak.goes_on:
        if time.monotonic() >= due:
            soak.memory.append(megabytes(pids))
            due += 60.0
        time.sleep(1.0)
    soak.memory.append(megabytes(pids))


def last_errors(folder: Path) -> str:
    """Return what servers and workers logged from the last exception on."""
    logged = [file.read_text(errors="replace").rpartition("Traceback") for file in folder.glob("**/*.log")]
    return "\n".join(f"{before[-500:]}{word}{after}" for before, word, after in logged if word)


def run_clients(soak: Soak, pids: list[int]) -> None:
    work: list[tuple[Callable[..., None], tuple[Any, ...]]] = [(watch, (soak,)), (note_memory, (soak, pids))]
    for tenant in TENANTS:
        work += [(index, (soak, tenant)), (ask, (soak, tenant, "ann")), (ask, (soak, tenant, "bob"))]

    def guarded(begin: Callable[..., None], given: tuple[Any, ...]) -> None:
        try:
            begin(*given)
        except Exception as error:  # noqa: BLE001  (whatever ends a client is what was looked for)
            soak.wrong.append(f"{begin.__name__} {given[1:]}: {error!r}")

    threads = [threading.Thread(target=guarded, args=each, name=f"{each[0].__name__} {each[1][1:]}") for each in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10.0)
    minutes = parser.parse_args().minutes
    os.environ.pop("VANTAGE_TEST_OPENSEARCH_URL", None)
    with tempfile.TemporaryDirectory(prefix="vantage-soak-") as made, processes(Path(made)) as (servers, workers, url):
        pids = [each.process.pid for each in servers if each.process is not None] + [worker.pid for worker in workers]
        soak = Soak([server.url for server in servers], Path(made) / "docs", time.monotonic() + 60 * minutes)
        run_clients(soak, pids)
        engine = create_engine(url)
        with engine.connect() as connection:
            waiting = connection.execute(_WAITING).scalar_one()
        engine.dispose()
        print(f"{minutes:g} minutes, two tenants, two servers, two workers")
        for what, count in sorted(soak.done.items()):
            print(f"  {count:6} {what}")
        print(f"  locks that wait in PostgreSQL: {waiting}; MB of each server and worker, a line a minute:")
        for row in soak.memory:
            print(f"    {' '.join(f'{each:5}' for each in row)}")
        for line in soak.wrong[:10]:
            print(f"  WRONG: {line}")
        if soak.wrong:
            print(last_errors(Path(made)))
    return 1 if soak.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
