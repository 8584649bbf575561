"""The `run_vantage` command, with and without a server."""

from __future__ import annotations

import json
import socket
from pathlib import Path

import pytest

from commands.question_commands import OutputOptions, ask
from tests.support.serving import ServedVantage, run_vantage


def test_without_a_server_everything_works_in_the_process(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "notes"
    folder.mkdir()
    (folder / "key.md").write_text("# Keys\n\nThe archive key is kept by Ingrid Solheim on the second floor.\n")
    indexed = run_vantage(home, "index", str(folder), "--json", cold=True)
    assert indexed.returncode == 0, indexed.stderr
    assert json.loads(indexed.stdout)["files_indexed"] == 1
    asked = run_vantage(home, "ask", "Who keeps the archive key?")
    assert asked.returncode == 0, asked.stderr
    assert "Ingrid Solheim" in asked.stdout
    assert "[1] key.md" in asked.stdout
    assert run_vantage(home, "search", "archive key").stdout.startswith("1. key.md")
    counts = json.loads(run_vantage(home, "status", "--json").stdout)
    assert (counts["documents"], counts["by_state"]["indexed"], counts["server_running"]) == (1, 1, False)
    assert counts["chunks"] == counts["vectors"] == 1
    assert counts["bytes_on_disk"] > 0


def test_a_running_server_does_the_work(sample_server: ServedVantage) -> None:
    home = sample_server.home
    assert json.loads(run_vantage(home, "status", "--json").stdout)["server_running"] is True
    asked = run_vantage(home, "ask", "How many documents are indexed?", "--json")
    assert asked.returncode == 0, asked.stderr
    assert json.loads(asked.stdout)["intent"] == "system_meta"
    ledger = json.loads(run_vantage(home, "ledger", "--json").stdout)
    assert {"indexed"} <= {line["state"] for line in ledger}
    assert all(line["reason"] for line in ledger if line["state"] not in {"indexed"})


def test_the_command_says_what_was_not_found_and_how_a_word_was_read(sample_server: ServedVantage) -> None:
    asked = run_vantage(sample_server.home, "ask", "How large is the depozit for Quay 7 and who is the astronaut's surgeon?")
    assert asked.returncode == 0, asked.stderr
    assert "note: “depozit” was read as deposit." in asked.stdout
    assert "note: Nothing was found about “" in asked.stdout


def test_exit_codes(tmp_path: Path) -> None:
    home = tmp_path / "home"
    missing = run_vantage(home, "index", str(tmp_path / "nowhere"))
    assert missing.returncode == 1
    assert "nowhere" in missing.stderr
    assert "Traceback" not in missing.stderr
    assert run_vantage(home, "ask", "What is the meaning of the word in the empty library?").returncode == 3
    assert run_vantage(home, "unknown").returncode == 2
    broken = tmp_path / "docs"
    broken.mkdir()
    (broken / "bad.pdf").write_bytes(b"%PDF-1.4 garbage")
    assert run_vantage(home, "index", str(broken)).returncode == 4


def test_a_taken_port_and_a_second_server_are_sentences(sample_server: ServedVantage, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        refused = run_vantage(tmp_path / "home", "serve", "--port", str(taken.getsockname()[1]))
    assert (refused.returncode, "Traceback" in refused.stderr) == (1, False)
    assert "is taken" in refused.stderr
    second = run_vantage(sample_server.home, "serve", "--port", "0")
    assert (second.returncode, "Traceback" in second.stderr) == (1, False)
    assert str(sample_server.process.pid if sample_server.process else "") in second.stderr


def test_doctor_says_what_is_there(tmp_path: Path) -> None:
    done = run_vantage(tmp_path / "home", "doctor", "--json")
    assert done.returncode == 0, done.stdout
    findings = {item["name"]: item for item in json.loads(done.stdout)}
    assert findings["embedder"]["state"] == "ok"
    assert findings["language model"]["state"] == "off"


def test_an_older_library_is_switched_to_the_better_model(tmp_path: Path) -> None:
    """Without a server the command does it to its end."""
    home, folder = tmp_path / "home", tmp_path / "notes"
    folder.mkdir()
    (folder / "key.md").write_text("# Keys\n\nThe archive key is kept by Ingrid Solheim on the second floor.\n")
    assert run_vantage(home, "index", str(folder), VANTAGE_EMBEDDING__MODEL="all-MiniLM-L6-v2").returncode == 0
    findings = {item["name"]: item for item in json.loads(run_vantage(home, "doctor", "--json").stdout)}
    assert "vantage embedder granite-embedding-30m-english" in findings["embedder"]["advice"]
    switched = run_vantage(home, "embedder", "granite-embedding-30m-english")
    assert (switched.returncode, switched.stdout.startswith("granite-embedding-30m-english@")) == (0, True), switched.stderr
    assert json.loads(run_vantage(home, "embedder", "--json").stdout)["model"] == "granite-embedding-30m-english"
    assert "Ingrid Solheim" in run_vantage(home, "ask", "Who keeps the archive key?").stdout
    unknown = run_vantage(home, "embedder", "word2vec")
    assert (unknown.returncode, "Name one of these" in unknown.stderr, "Traceback" in unknown.stderr) == (1, True, False)


def test_a_question_that_says_too_little_is_asked_back(sample_server: ServedVantage) -> None:
    home = sample_server.home
    asked = run_vantage(home, "ask", "it?", "--json")
    assert asked.returncode == 3
    response = json.loads(asked.stdout)
    choices = response["clarification_questions"]
    assert choices
    told = run_vantage(home, "ask", "it?")
    assert f"  1. {choices[0]}" in told.stdout
    assert "vantage answer" in told.stdout
    answered = run_vantage(home, "answer", response["clarification_of"], "--choice", "1", "--json")
    assert answered.returncode == 0, answered.stderr
    assert json.loads(answered.stdout)["trace_id"] == response["trace_id"]
    again = run_vantage(home, "answer", response["clarification_of"], "--skip")
    assert again.returncode == 1
    assert "does not wait for an answer" in again.stderr
    assert json.loads(run_vantage(home, "ask", "it?", "--skip-questions", "--json").stdout)["status"] in {"success", "not_found"}


async def test_a_person_at_a_terminal_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "key.md").write_text("# Keys\n\nThe archive key is kept by Ingrid Solheim on the second floor.\n")
    home = tmp_path / "home"
    assert run_vantage(home, "index", str(folder)).returncode == 0
    monkeypatch.setenv("VANTAGE_HOME", str(home))
    monkeypatch.setenv("VANTAGE_OLLAMA__ENABLED", "off")
    body = {"query": "it?", "top_k": 5, "strategy": "auto"}
    assert await ask(None, body, OutputOptions(prompt=lambda _: "Who keeps the archive key?")) == 0
    shown = capsys.readouterr().out
    assert "  1. " in shown
    assert "Ingrid Solheim" in shown
