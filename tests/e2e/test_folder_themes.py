"""The main topics of a share with three folders over HTTP: something of each, for one tenant only, and gone with the documents."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.serving import ServedVantage, index_and_wait

OURS, THEIRS = "key-of-the-harbour", "key-of-somebody-else"
PEOPLE = (
    "Marek Vondra", "Petra Lund", "Helena Marsh", "Karl Osten", "Gilda Rourke", "Nils Brandt", "Lotte Verhoeven", "Mara Ellison", "Otto Lindqvist",
    "Berit Holm", "Ines Okafor", "Yorick Dunmore", "Peter Alder",
)  # fmt: skip
FIRMS = (
    "Sollen Works", "Orme Boats", "Dunmoor Textiles", "Saxby Mills", "Ovenden Bakery", "Castlegate Cranes", "Brightwater Locks", "Tallow Pottery",
    "Kestrel Handling", "Norland Trucks", "Pallas Ropes", "Quarry Stone", "Vellum Paper",
)  # fmt: skip
# Folder -> how many documents each of its subjects has: nine of the contracts stand before all but one of the others.
SUBJECTS = {"contracts": [3] * 9, "minutes": [6], "recipes": [2, 2, 2]}


def write_share(share: Path) -> None:
    """Write a share whose documents are about a person, a firm and an order each, several about the same."""
    subjects = iter(enumerate(zip(PEOPLE, FIRMS, strict=True)))
    for folder, counts in SUBJECTS.items():
        (share / folder / "older").mkdir(parents=True)
        for count in counts:
            place, (person, firm) = next(subjects)
            order = f"order HB-44{place:02}1"
            for number in range(count):
                said = f"{firm} Ltd pays {person} under {order} in year {number}.\n\nFor {order} we heard from {person} and from {firm} Ltd."
                (share / folder / ("older" if number % 2 else "") / f"{firm} {number}.txt").write_text(said, encoding="utf-8")


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    write_share(folder)
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, share: Path) -> Iterator[ServedVantage]:
    settings = {
        "VANTAGE_SERVER__API_KEYS": f"['{OURS}:harbour', '{THEIRS}:others']",
        "VANTAGE_INGESTION__ROOTS": f"[{{path: {share}, tenant: '*'}}]",
        "VANTAGE_COMMUNITY__DETECTION_ENABLED": "on",
    }
    started = ServedVantage(tmp_path_factory.mktemp("home") / "home", settings).start()
    try:
        with reached(started, OURS) as ours, reached(started, THEIRS) as theirs:
            index_and_wait(ours, str(share))
            index_and_wait(theirs, str(share / "recipes"))
            for client in (ours, theirs):
                find_communities(client)
        yield started
    finally:
        started.stop()


def reached(served: ServedVantage, key: str) -> httpx.Client:
    return httpx.Client(base_url=served.url, headers={"Authorization": f"Bearer {key}"}, timeout=60.0, trust_env=False, verify=False)


def find_communities(client: httpx.Client) -> None:
    job = client.post("/graph/communities/refresh").raise_for_status().json()
    for _ in range(150):
        state = client.get(f"/jobs/{job['id']}").raise_for_status().json()
        if state["finished_at"]:
            assert state["state"] == "done"
            return
        time.sleep(0.2)
    raise AssertionError("the communities were not found within 30 seconds")


def ask_for_topics(client: httpx.Client, share: Path) -> tuple[dict[str, Any], list[str]]:
    """Return the answer, and the folder of each citation, all of which are checked."""
    given: dict[str, Any] = client.post("/search", json={"query": "What are the main topics?"}).raise_for_status().json()
    folders = []
    for each in given["citations"]:
        content = client.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert content["text"] == each["quote"]
        assert " ".join(each["quote"].split()) in given["answer"]
        path = Path(client.get(f"/documents/{each['document_id']}").raise_for_status().json()["file_path"])
        folders.append(path.relative_to(share).parts[0])
    assert len(folders) <= 8
    return given, folders


def test_something_of_each_folder_is_told(served: ServedVantage, share: Path) -> None:
    with reached(served, OURS) as client:
        given, folders = ask_for_topics(client, share)
        listed = client.get("/graph/communities", params={"themes": True}).raise_for_status().json()
        assert listed["total"] == sum(map(len, SUBJECTS.values()))
        assert [each["documents"] for each in listed["communities"]][:10] == [6, *[3] * 9]  # no recipe is among the first eight
    assert set(folders) == set(SUBJECTS)
    assert len(folders) == 8
    first, *lines = [line for line in given["answer"].splitlines() if line][:9]
    assert first == "Your documents have 13 themes, which cover 39 of 39 documents; 8 are told here:"
    assert all(f" documents in {folder}: “" in line for folder, line in zip(folders, lines, strict=True))
    assert lines[0].endswith("[1]")
    assert lines[7].endswith("[8]")


def test_another_tenant_is_told_of_its_own_folder_as_before(served: ServedVantage, share: Path) -> None:
    with reached(served, THEIRS) as client:
        given, folders = ask_for_topics(client, share)
    assert folders == ["recipes"] * 3
    assert "contracts" not in given["answer"]
    assert "in recipes" not in given["answer"]
    assert given["answer"].startswith("Your documents have 3 themes, which cover 6 of 6 documents:")


def test_a_folder_that_is_gone_is_told_no_more(served: ServedVantage, share: Path) -> None:
    with reached(served, OURS) as client:
        for each in client.get("/documents", params={"limit": 100}).raise_for_status().json()["documents"]:
            if Path(each["file_path"]).is_relative_to(share / "recipes"):
                client.delete(f"/documents/{each['id']}").raise_for_status()
        given, folders = ask_for_topics(client, share)
    assert set(folders) == {"contracts", "minutes"}
    assert "recipes" not in given["answer"]
