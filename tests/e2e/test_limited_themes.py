"""The main topics of a part of a library over HTTP: by each filter of a question, for one person, and nothing of any other document."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from agents.general_answer.agent import NOTHING_WITHIN_LIMITS
from core.search import Filters
from tests.e2e.test_folder_themes import FIRMS, PEOPLE, find_communities, reached
from tests.support.serving import ServedVantage, index_and_wait, wait_for_job

ANN, BOB, EVE, THEIRS = "a" * 20, "b" * 20, "e" * 20, "key-of-somebody-else"
APRIL = datetime(2026, 4, 1, tzinfo=UTC)
RIVERS = b"""@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> .
<https://x.example/Water> a o:Class . <https://x.example/River> a o:Class ; r:label "river"@en ; r:subClassOf <https://x.example/Water> ."""
SUBJECTS = {"contracts": 3, "minutes": 3, "briefe": 2}
QUESTION = "What are the main topics?"


class Told(NamedTuple):
    """What was asked of and told: the names of the files that are cited, the answer and the whole response."""

    files: set[str]
    text: str
    given: dict[str, Any]


def write_share(share: Path) -> None:
    """Write three folders of a subject each, which differ in everything that a question can be limited by."""
    for place, (folder, count) in enumerate(SUBJECTS.items()):
        (share / folder).mkdir(parents=True)
        person, firm, order = PEOPLE[place], FIRMS[place], f"order HB-44{place:02}1"
        for number in range(count):
            file = share / folder / f"{folder} {number}{'.md' if folder == 'minutes' else '.txt'}"
            file.write_text(_text(folder, person, firm, order, number), encoding="utf-8")
            day = APRIL.timestamp() + (86400 if folder == "briefe" else -86400)
            os.utime(file, (day, day))


def _text(folder: str, person: str, firm: str, order: str, number: int) -> str:
    if folder == "briefe":
        return (
            f"Sehr geehrte Frau {person}, die {firm} GmbH schickt Ihnen die Rechnung zu {order} aus dem Jahr {number}.\n\n"
            f"Für {order} haben wir von {person} und von der {firm} GmbH gehört, und wir danken Ihnen sehr für die gute Zusammenarbeit."
        )
    opening = f"Minutes of the meeting of {person} and {firm} Ltd\n\nAttendees: {person}\n\nAction items: none." if folder == "minutes" else ""
    river = f" They sailed down the Severn River with {person} under {order}." if folder == "contracts" else ""
    return f"{opening}\n\n{firm} Ltd pays {person} under {order} in year {number}.{river}\n\nFor {order} we heard from {person} and from {firm} Ltd."


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    write_share(folder)
    return folder


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory, share: Path) -> Iterator[ServedVantage]:
    settings = {
        "VANTAGE_SERVER__API_KEYS": f"['{ANN}:harbour:ann', '{BOB}:harbour:bob', '{EVE}:harbour:eve:admin', '{THEIRS}:others']",
        "VANTAGE_INGESTION__ROOTS": f"[{{path: {share}, tenant: '*'}}]",
        "VANTAGE_COMMUNITY__DETECTION_ENABLED": "on",
        "VANTAGE_ONTOLOGY__SUPPORT_ENABLED": "true",
        "VANTAGE_ONTOLOGY__AUTO_TYPE": "true",
    }
    started = ServedVantage(tmp_path_factory.mktemp("home") / "home", settings).start()
    try:
        with reached(started, EVE) as eve, reached(started, BOB) as bob, reached(started, THEIRS) as theirs:
            for folder in SUBJECTS:
                body = {"path": str(share / folder), "collection": "letters" if folder == "briefe" else "default"}
                assert wait_for_job(eve, eve.post("/index", json=body).raise_for_status().json()["id"])["state"] == "done"
            index_and_wait(theirs, str(share / "contracts"))
            sent = bob.post("/upload", files=[("files", (f"own {place}.txt", _own(place).encode())) for place in range(3)]).raise_for_status().json()
            assert wait_for_job(bob, sent["job"]["id"])["state"] == "done"
            eve.post("/ontologies", files={"file": ("rivers.ttl", RIVERS)}).raise_for_status()
            for client in (eve, theirs):
                find_communities(client)
        yield started
    finally:
        started.stop()


def _own(place: int) -> str:
    return f"Zimmerlein Ltd pays Barnaby Oakwhistle under order QX-77{place}1. For order QX-77{place}1 Barnaby Oakwhistle thanked Zimmerlein Ltd."


def ask(client: httpx.Client, question: str = QUESTION, **filters: Any) -> Told:
    given: dict[str, Any] = client.post("/search", json={"query": question, "filters": filters}).raise_for_status().json()
    for each in given["citations"]:
        content = client.get(f"/documents/{each['document_id']}/content", params={"start": each["start"], "end": each["end"]}).json()
        assert content["text"] == each["quote"]
    return Told({each["filename"] for each in given["citations"]}, given["answer"], given)


CONTRACTS, MINUTES, LETTERS = (
    {f"{folder} {number}{suffix}" for number in range(SUBJECTS[folder])}
    for folder, suffix in (("contracts", ".txt"), ("minutes", ".md"), ("briefe", ".txt"))
)
# Each filter of a question, and the files that it lets through; folders are completed, and ids found, when they are asked for.
LIMITS: tuple[tuple[dict[str, Any], set[str]], ...] = (
    ({"collection": "letters"}, LETTERS),
    ({"path_prefix": "minutes"}, MINUTES),
    ({"file_types": [".md"]}, MINUTES),
    ({"file_types": [".txt"], "languages": ["en"]}, CONTRACTS),
    ({"doc_types": ["contract", "minutes"]}, CONTRACTS | MINUTES),
    ({"languages": ["de"]}, LETTERS),
    ({"modified_after": APRIL.isoformat()}, LETTERS),
    ({"modified_before": APRIL.isoformat()}, CONTRACTS | MINUTES),
    ({"document_ids": ["minutes 0.md", "briefe 1.txt"]}, {"minutes 0.md", "briefe 1.txt"}),
    ({"entity_class": "Water"}, CONTRACTS),
)


def complete(client: httpx.Client, share: Path, limits: dict[str, Any]) -> dict[str, Any]:
    ids = {each["filename"]: each["id"] for each in client.get("/documents", params={"limit": 100}).raise_for_status().json()["documents"]}
    changed = {"document_ids": [ids[name] for name in limits["document_ids"]]} if "document_ids" in limits else {}
    return {**limits, **changed, **({"path_prefix": str(share / limits["path_prefix"])} if "path_prefix" in limits else {})}


@pytest.mark.parametrize(("limits", "passing"), LIMITS, ids=["-".join(limits) for limits, _ in LIMITS])
def test_themes_counts_and_sentences_are_of_documents_within_the_limits(
    served: ServedVantage, share: Path, limits: dict[str, Any], passing: set[str]
) -> None:
    with reached(served, ANN) as client:
        told = ask(client, **complete(client, share, limits))
    folders = {name.split()[0] for name in passing}
    assert told.given["status"] == "success"
    assert told.files
    assert told.files <= passing
    assert {name.split()[0] for name in told.files} == folders
    themes = f"{len(folders)} {'theme, which covers' if len(folders) == 1 else 'themes, which cover'}"
    assert told.text.startswith(f"The documents within your limits have {themes} {len(passing)} of {len(passing)} documents:")
    assert f"\n{len(passing)} document" in told.text  # the kinds below are theirs, too
    for place, folder in enumerate(SUBJECTS):
        assert any(name in told.text for name in (PEOPLE[place], FIRMS[place])) == (folder in folders)
    (step,) = (each for each in told.given["steps"] if each["node"] == "general_answer")
    assert step["details"].startswith("Answered from ")
    assert step["details"].endswith(" alone.")


@pytest.mark.parametrize(("limits", "passing"), LIMITS, ids=["-".join(limits) for limits, _ in LIMITS])
def test_counts_and_what_is_related_are_of_documents_within_the_limits(
    served: ServedVantage, share: Path, limits: dict[str, Any], passing: set[str]
) -> None:
    with reached(served, ANN) as client:
        asked = complete(client, share, limits)
        counted = ask(client, "How many documents are there?", **asked)
        related = [ask(client, f"What is related to {person}?", **asked) for person in PEOPLE]
    assert counted.text.startswith(f"{len(passing)} documents within your limits are searchable")
    for folder, firm, told in zip(SUBJECTS, FIRMS, related, strict=False):
        own = {name for name in passing if name.startswith(folder)}
        assert told.files <= own
        assert (firm in told.text, bool(told.files)) == (bool(own), bool(own)), told.text


def test_every_filter_of_core_is_asked_with() -> None:
    assert {name for limits, _ in LIMITS for name in limits} == set(Filters.model_fields)


def test_without_limits_the_whole_library_is_told(served: ServedVantage) -> None:
    with reached(served, ANN) as client:
        told = ask(client)
    assert told.text.startswith("Your documents have 3 themes, which cover 8 of 8 documents:")
    assert {name.split()[0] for name in told.files} == set(SUBJECTS)


@pytest.mark.parametrize("question", [QUESTION, "What are the main risks?", "List all deadlines"])
def test_where_nothing_is_within_the_limits_that_is_said_as_by_a_search(served: ServedVantage, question: str) -> None:
    with reached(served, ANN) as client:
        told, searched = (ask(client, each, collection="nobodys") for each in (question, "Who pays Marek Vondra?"))
    assert (told.given["status"], told.given["citations"]) == (searched.given["status"], []) == ("not_found", [])
    assert told.text == NOTHING_WITHIN_LIMITS
    for each in (told, searched):
        assert "I looked only at files of the collection nobodys; ask without that limit" in each.given["response_message"]


def test_what_another_person_uploaded_is_told_in_no_theme_and_no_folder(served: ServedVantage) -> None:
    with reached(served, BOB) as bob:
        own = [each["id"] for each in bob.get("/documents", params={"text": "own"}).raise_for_status().json()["documents"]]
        assert len(own) == 3
        mine = ask(bob, document_ids=own)
    assert mine.text.startswith("3 documents of 1 kind:")  # they are in no theme, but the person's own, and so told by kinds
    for key in (ANN, EVE, THEIRS):
        with reached(served, key) as other:
            told = [ask(other), ask(other, file_types=[".txt"]), ask(other, document_ids=own), ask(other, modified_after="2020-01-01T00:00:00Z")]
        assert told[2].given["status"] == "not_found"
        for each in told:
            assert not any(word in str(each.given) for word in ("Zimmerlein", "Oakwhistle", "QX-77", "own 0", "uploads"))


def test_another_tenant_is_told_of_its_own_documents_within_the_same_limits(served: ServedVantage, share: Path) -> None:
    with reached(served, THEIRS) as client:
        told = ask(client, path_prefix=str(share))
        assert told.files
        assert told.files <= CONTRACTS
        assert told.text.startswith("The documents within your limits have 1 theme, which covers 3 of 3 documents:")
        assert ask(client, path_prefix=str(share / "minutes")).given["status"] == "not_found"
