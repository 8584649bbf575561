"""Ontologies over HTTP and by `vantage ontology`: loaded, listed, read, removed; refused where they are off or an administrator is needed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.serving import ServedVantage, run_vantage

ADMIN, MEMBER, OTHER = "a" * 20, "b" * 20, "c" * 20
KEYS = json.dumps([f"{ADMIN}:acme:eve:admin", f"{MEMBER}:acme:ann", f"{OTHER}:other:cy:admin"])
TERMS = b'@prefix o: <http://www.w3.org/2002/07/owl#> . <x:Tug> a o:Class ; <http://www.w3.org/2000/01/rdf-schema#label> "tug"@en .'
ON = "VANTAGE_ONTOLOGY__SUPPORT_ENABLED"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    server = ServedVantage(tmp_path_factory.mktemp("terms") / "home", {ON: "true", "VANTAGE_SERVER__API_KEYS": KEYS})
    server.start()
    yield server
    server.stop()


def test_an_administrator_loads_for_the_tenant_and_nobody_else_sees_it(served: ServedVantage) -> None:
    with served.client() as client:
        admin, member, other = ({"Authorization": f"Bearer {key}"} for key in (ADMIN, MEMBER, OTHER))
        files = {"file": ("terms.ttl", TERMS)}
        assert client.post("/ontologies", files=files, headers=member).status_code == 403
        refused = client.post("/ontologies", files={"file": ("a.owl", b'<Ontology xmlns="http://www.w3.org/2002/07/owl#"/>')}, headers=admin)
        assert refused.status_code in (400, 422)
        assert "robot convert" in refused.text
        made = client.post("/ontologies", files=files, headers=admin)
        assert (made.status_code, made.json()["class_count"]) == (201, 1)
        one = f"/ontologies/{made.json()['id']}"
        assert [each["id"] for each in client.get("/ontologies", headers=member).json()["ontologies"]] == [made.json()["id"]]
        assert client.get(one, headers=member).json()["classes"][0]["labels"] == {"en": ["tug"]}
        assert client.get("/ontologies", headers=other).json() == {"ontologies": []}
        assert [client.get(one, headers=other).status_code, client.delete(one, headers=other).status_code] == [404, 404]
        assert [client.delete(one, headers=each).status_code for each in (member, admin, admin)] == [403, 204, 404]


def test_the_command_loads_lists_and_removes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    file = tmp_path / "terms.ttl"
    file.write_bytes(TERMS)
    off = run_vantage(home, "ontology", "list")
    assert off.returncode != 0
    assert "ontology.support_enabled" in off.stderr
    loaded = json.loads(run_vantage(home, "ontology", "load", str(file), "--json", VANTAGE_ONTOLOGY__SUPPORT_ENABLED="true").stdout)
    listed = run_vantage(home, "ontology", "list", VANTAGE_ONTOLOGY__SUPPORT_ENABLED="true").stdout
    assert loaded["id"] in listed
    assert "terms.ttl" in listed
    assert "removed" in run_vantage(home, "ontology", "remove", loaded["id"], VANTAGE_ONTOLOGY__SUPPORT_ENABLED="true").stdout
    assert run_vantage(home, "ontology", "list", VANTAGE_ONTOLOGY__SUPPORT_ENABLED="true").stdout == "No ontology is loaded.\n"


RIVERS = (
    b"@prefix o: <http://www.w3.org/2002/07/owl#> . @prefix r: <http://www.w3.org/2000/01/rdf-schema#> . <https://x.example/Water> a o:Class . "
    b'<https://x.example/River> a o:Class ; r:label "river"@en ; r:subClassOf <https://x.example/Water> .'
)


def test_entities_are_typed_and_found_by_their_class(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "boat.txt").write_text("In May they sailed down the Severn River with forty barrels of tar.\n")
    (docs / "barn.txt").write_text("In May they stored forty barrels of tar in a barn near Elver.\n")
    file = tmp_path / "rivers.ttl"
    file.write_bytes(RIVERS)
    on = {ON: "true", "VANTAGE_ONTOLOGY__AUTO_TYPE": "true"}
    assert run_vantage(tmp_path / "home", "index", str(docs), VANTAGE_ONTOLOGY__SUPPORT_ENABLED="true").returncode == 0
    loaded = run_vantage(
        tmp_path / "home", "ontology", "load", str(file), VANTAGE_ONTOLOGY__SUPPORT_ENABLED="true", VANTAGE_ONTOLOGY__AUTO_TYPE="true"
    )
    assert "2 documents were typed" in loaded.stdout, loaded.stderr
    server = ServedVantage(tmp_path / "home", on).start()
    try:
        with server.client() as client:
            (river,) = client.get("/graph/entities", params={"type": "water"}).json()["entities"]
            assert [(each["name"], each["rule"]) for each in river["classes"]] == [("river", "head_noun")]
            assert "Severn River" in river["classes"][0]["evidence"]["text"]
            found = client.post("/search", json={"query": "Where are forty barrels of tar?", "filters": {"entity_class": "River"}}).json()
            assert {each["filename"] for each in found["results"]} == {"boat.txt"}
            assert client.post("/search", json={"query": "tar", "filters": {"entity_class": "Dragon"}}).status_code == 422
    finally:
        server.stop()


def test_typing_without_ontologies_is_refused_at_the_start(tmp_path: Path) -> None:
    refused = run_vantage(tmp_path / "home", "ontology", "list", VANTAGE_ONTOLOGY__AUTO_TYPE="true")
    assert refused.returncode != 0
    assert "support_enabled" in refused.stderr
