"""A small load on the real server: everybody is answered or told to wait, nothing hangs, and all comes back. `benchmarks.load` is the large one."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator

import pytest

from tests.support.load_clients import Address, HalfOpen, HealthWatch, ask_all, exchange, request_bytes, retry_after, status_of
from tests.support.serving import ServedVantage, wait_for_job

KEYS = [f"load-test-person-{number}" for number in range(4)]
PERSONS = json.dumps([f"{key}:default:person-{number}" for number, key in enumerate(KEYS)])
QUESTIONS = ["Where is the spade?", "Who has the key of the shed?", "What colour is the door?"]
TEXT = "The spade is in the shed behind the house. Morwenna has the key of the shed. The door of the shed is green.\n"
LIMITS = {
    "VANTAGE_SERVER__API_KEYS": PERSONS,
    "VANTAGE_SERVER__MAX_CONNECTIONS": "60",
    "VANTAGE_SERVER__HEAD_SECONDS": "3",
    "VANTAGE_SERVER__MAX_QUESTIONS": "3",
    "VANTAGE_SERVER__MAX_QUESTIONS_PER_PERSON": "1",
    "VANTAGE_SERVER__MAX_STREAMS_PER_PERSON": "2",
}
FEW_FILES = 300  # leaves about 80 connections of any number that is wanted
SLACK = 16  # descriptors that the server may open for itself meanwhile: its pool of connections to the library
LONGEST = 90.0


@pytest.fixture(scope="module", params=[0, FEW_FILES], ids=["files as they are", "few files"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    settings = LIMITS if not request.param else {**LIMITS, "VANTAGE_SERVER__MAX_CONNECTIONS": "10000"}
    server = ServedVantage(tmp_path_factory.mktemp("load") / "home", settings, open_files=request.param).start()
    try:
        with server.client() as client:
            client.headers["Authorization"] = f"Bearer {KEYS[0]}"
            sent = client.post("/upload", files=[("files", ("shed.txt", TEXT.encode()))]).raise_for_status().json()
            wait_for_job(client, sent["job"]["id"])
            for _ in range(600):  # the first report of a start may take longer than anybody waits for it
                if client.get("/health").status_code == 200:
                    break
                time.sleep(0.1)
        yield server
    finally:
        server.stop()


async def descriptors_come_back(served: ServedVantage, before: int) -> int:
    """How many are open once they are few again, or after a while."""
    for _ in range(200):
        if (now := served.count_descriptors()) <= before + SLACK:
            return now
        await asyncio.sleep(0.1)
    return served.count_descriptors()


async def test_everybody_is_served_or_told_to_wait_and_nothing_is_left_behind(served: ServedVantage) -> None:
    address, sockets = Address.of(served.url), HalfOpen(Address.of(served.url))
    before = served.count_descriptors()
    with HealthWatch(address, KEYS[0]) as health:
        await asyncio.to_thread(sockets.open, 150)
        asked = await ask_all(address, [QUESTIONS[number % 3] for number in range(24)], KEYS, patience=LONGEST, seconds=LONGEST)
        await asyncio.to_thread(sockets.open, 50)
    assert (asked.served, asked.waiting, asked.dropped, asked.hung, asked.other) == (24, 0, 0, 0, {})
    assert asked.told[429] > 0  # six streams of a person at once, and one may ask
    assert health.statuses == {200: len(health.seconds)}
    assert await descriptors_come_back(served, before + 100) <= before + 100 + SLACK  # before the sockets are closed by their own side
    sockets.close()
    assert await descriptors_come_back(served, before) <= before + SLACK
    reply = await exchange(address, request_bytes("POST", "/search", {"query": QUESTIONS[0]}, KEYS[1]), LONGEST)
    assert status_of(reply) == 200


async def test_half_open_sockets_are_told_and_closed(served: ServedVantage) -> None:
    sockets = HalfOpen(Address.of(served.url))
    sockets.open(150)
    for _ in range(200):
        if not sockets.outcomes()["held"]:
            break
        await asyncio.sleep(0.1)
    assert sockets.outcomes() == {"told": 150}
    sockets.close()


async def test_all_persons_together_have_a_limit(served: ServedVantage) -> None:
    """Four persons ask at once, three questions may run: whoever is one too many gets 503, or was so late that one was over."""
    address = Address.of(served.url)
    requests = [request_bytes("POST", "/search", {"query": QUESTIONS[number % 3]}, KEYS[number % 4]) for number in range(16)]
    replies = await asyncio.gather(*(exchange(address, each, LONGEST) for each in requests))
    statuses = {status_of(reply) for reply in replies}
    assert 200 in statuses
    assert statuses <= {200, 429, 503}
    assert all(retry_after(reply) for reply in replies if status_of(reply) != 200)
