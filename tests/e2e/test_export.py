"""`vantage export`, beside a server and alone."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.serving import ServedVantage, run_vantage

PHRASE = "The archive key is kept by Ingrid Solheim on the second floor."


def test_alone_all_that_is_known_becomes_plain_files(tmp_path: Path) -> None:
    home, notes, out = tmp_path / "home", tmp_path / "notes", tmp_path / "out"
    notes.mkdir()
    (notes / "key.md").write_text(f"# Keys\n\n{PHRASE}\n")
    assert run_vantage(home, "index", str(notes)).returncode == 0
    done = run_vantage(home, "export", "--to", str(out), "--json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["folder"], report["documents"], report["left_out"]) == (str(out), 1, [])
    assert PHRASE in (out / "documents" / "00001 key.md.txt").read_text()
    [document] = json.loads((out / "documents.json").read_text())
    assert (document["filename"], document["exported_as"]) == ("key.md", "documents/00001 key.md.txt")
    assert {"session", "notes"} <= json.loads((out / "memory.json").read_text()).keys()
    assert json.loads((out / "export.json").read_text()) == report
    assert (out.stat().st_mode & 0o077) == 0
    again = run_vantage(home, "export", "--to", str(out))
    assert again.returncode == 1
    assert "there already" in again.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "notes", "out"]  # nothing half-done is left


KEYS = {"local": "a-key-of-the-commands-person", "ann": "a-key-of-somebody-else-here"}


def asked_by(server: ServedVantage, person: str, query: str) -> None:
    """A question in a conversation of that person."""
    headers = {"Authorization": f"Bearer {KEYS[person]}"}
    with server.client() as http:
        made = http.post("/conversations", json={"title": query}, headers=headers).raise_for_status().json()
        http.post("/search", json={"query": query, "conversation_id": made["id"]}, headers=headers).raise_for_status()


def test_beside_a_server_only_what_is_the_persons_own_goes_out(tmp_path: Path) -> None:
    keys = json.dumps([f"{key}:default:{person}" for person, key in KEYS.items()])
    server = ServedVantage(tmp_path / "home", {"VANTAGE_SERVER__API_KEYS": keys}).start()
    out = tmp_path / "out"
    try:
        asked_by(server, "local", "How many documents are indexed?")
        asked_by(server, "ann", "What is remembered of Ann?")
        done = run_vantage(server.home, "export", "--to", str(out), VANTAGE_SERVER__API_KEYS=keys)
    finally:
        server.stop()
    assert done.returncode == 0, done.stderr
    assert f"Exported to {out}: 0 documents, 1 conversation," in done.stdout
    [text] = [path.read_text() for path in (out / "conversations").glob("*.md")]
    assert "## How many documents are indexed?" in text
    everything = "".join(path.read_text() for path in out.rglob("*") if path.is_file())
    assert "Ann?" not in everything
    assert not [key for key in KEYS.values() if key in everything]
    assert json.loads((out / "settings.json").read_text())["server"]["api_keys"] == "(left out)"
