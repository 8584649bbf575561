"""`vantage eval` as a person types it: a set with documents of its own, and a CSV file about the library of a running server."""

from __future__ import annotations

import json
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path

from commands.search_choices import STAGES, STRATEGIES
from core.search_schemas import STAGES as SERVED_STAGES
from core.search_schemas import SearchRequest
from tests.support.serving import ServedVantage, make_environment, run_vantage
from tests.support.warm_start import Command, start_module

POND = {
    "a": ("Herons", "Grey herons nest in the tops of alders and stand for hours in shallow water, waiting for fish."),
    "b": ("Newts", "In spring the great crested newt returns to the pond in which it hatched and lays its eggs on leaves."),
    "c": ("Dragonflies", "The larva of a dragonfly lives for two years under water before it climbs a stem and sheds its skin."),
    "d": ("Voles", "Water voles dig burrows into the bank and eat the stalks of rushes."),
}
QUESTIONS = {
    "1": ("Where do grey herons nest?", "a"),
    "2": ("When does the crested newt come back to its pond?", "b"),
    "3": ("How long does a dragonfly live under water?", "c"),
    "4": ("What do voles eat?", "d"),
}


def write_set(folder: Path) -> Path:
    """A set in BEIR's layout; its last question is judged with a document that does not answer it."""
    (folder / "qrels").mkdir(parents=True)
    rows = [{"_id": name, "title": title, "text": text} for name, (title, text) in POND.items()]
    (folder / "corpus.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "queries.jsonl").write_text("".join(json.dumps({"_id": name, "text": text}) + "\n" for name, (text, _) in QUESTIONS.items()))
    judged = "".join(f"{name}\t{document}\t1\n" for name, (_, document) in QUESTIONS.items())
    (folder / "qrels" / "test.tsv").write_text(f"query-id\tcorpus-id\tscore\n{judged}")
    return folder


def test_the_flags_have_the_words_of_the_api() -> None:
    assert set(STAGES) == set(SERVED_STAGES)
    for strategy in STRATEGIES:
        assert SearchRequest.model_validate({"query": "?", "strategy": strategy}).strategy == strategy


def test_a_set_is_measured_in_a_library_of_its_own_that_is_kept(tmp_path: Path) -> None:
    folder, home, cache = write_set(tmp_path / "pond"), tmp_path / "home", tmp_path / "cache"
    first = run_vantage(home, "eval", "run", str(folder), "--cache", str(cache), "--k", "3", "--ablate", "dense", "--json")
    assert first.returncode == 0, first.stderr
    shown = json.loads(first.stdout)
    assert (shown["questions"], shown["judged"], shown["documents"], shown["k"]) == (4, 4, 4, 3)
    assert shown["metrics"]["ndcg@3"] == shown["metrics"]["recall@3"] == shown["metrics"]["mrr"] == 1.0
    assert shown["diversity"]["unique"] == 4
    assert {"retrieve", "rerank", "whole question"} <= shown["times_ms"].keys()
    assert shown["ablations"]["dense"]["questions"] == 4
    assert sorted(path.name for path in home.iterdir()) == ["evaluation"]  # the runs, and nothing of a library
    kept = {path: path.stat().st_mtime_ns for path in cache.glob("*/indexed")}
    again = run_vantage(home, "eval", "run", str(folder), "--cache", str(cache), "--strategy", "precise")
    assert again.returncode == 0, again.stderr
    assert "pond: 4 questions, 4 judged, 4 documents · strategy precise" in again.stdout
    assert {path: path.stat().st_mtime_ns for path in cache.glob("*/indexed")} == kept
    compared = run_vantage(home, "eval", "compare", "previous", "last")
    assert (compared.returncode, "4 questions in common" in compared.stdout) == (0, True)
    listed = json.loads(run_vantage(home, "eval", "list", "--json").stdout)
    assert [(run["strategy"], run["without"]) for run in listed] == [("auto", []), ("auto", ["dense"]), ("precise", [])]


def test_a_csv_file_is_asked_of_the_running_server_and_nothing_of_it_is_stored(sample_server: ServedVantage, tmp_path: Path) -> None:
    path = tmp_path / "own.csv"
    path.write_text("question,file\nHow large is the deposit for Quay 7?,Quay 7 warehouse lease.pdf\nWho feeds the zebras of the Averton zoo?,\n")
    with sample_server.client() as client:
        before = client.get("/traces").json()["traces"]
        done = run_vantage(sample_server.home, "eval", "run", str(path), "--json")
        assert done.returncode == 0, done.stderr
        shown = json.loads(done.stdout)
        assert (shown["judged"], shown["metrics"]["mrr"]) == (1, 1.0)
        assert shown["refusals"] == {"unanswerable_questions": 1, "unanswerable_refused": 1.0, "answerable_questions": 1, "answerable_refused": 0.0}
        assert client.get("/traces").json()["traces"] == before
        assert client.get("/conversations").json()["conversations"] == []
        refused = client.post("/evaluation/search", json={"query": "Quay 7", "settings": {"server.port": 1}})
        assert (refused.status_code, "cannot be set for one question" in refused.json()["detail"]) == (422, True)
        wrong = client.post("/evaluation/search", json={"query": "Quay 7", "settings": {"search.fusion": "best"}})
        assert (wrong.status_code, "fusion" in wrong.json()["detail"]) == (422, True)
    diverse = json.loads(run_vantage(sample_server.home, "eval", "diversity", "--json").stdout)
    assert 0 < diverse["unique"] <= diverse["total"]


def test_what_is_wrong_is_a_sentence(tmp_path: Path) -> None:
    missing = run_vantage(tmp_path / "home", "eval", "run", str(tmp_path / "nothing"))
    assert (missing.returncode, "does not exist. Name a folder" in missing.stderr) == (1, True)
    assert run_vantage(tmp_path / "home", "eval", "list").returncode == 3
    unknown = run_vantage(tmp_path / "home", "eval", "run", "x", "--ablate", "rerun")
    assert (unknown.returncode, "Did you mean 'rerank'?" in unknown.stderr) == (2, True)


def count_documents(cache: Path) -> int:
    """How many documents of a set are in its library by now; 0 before there is one."""
    try:
        with closing(sqlite3.connect(f"file:{next(cache.glob('*/home/library.db'))}?mode=ro", uri=True)) as library:
            return int(library.execute("SELECT count(*) FROM documents").fetchone()[0])
    except (StopIteration, sqlite3.OperationalError):
        return 0


def test_ctrl_c_stops_the_indexing_of_a_set_and_the_next_run_goes_on(tmp_path: Path) -> None:
    folder, home, cache = tmp_path / "many", tmp_path / "home", tmp_path / "cache"
    write_set(folder)
    with (folder / "corpus.jsonl").open("a") as corpus:
        for number in range(400):
            corpus.write(json.dumps({"_id": f"x{number}", "text": f"Page {number} of the ledger of the mill. " * 40}) + "\n")
    with (tmp_path / "said").open("w+b") as said:
        command = Command(("eval", "run", str(folder), "--cache", str(cache)), make_environment(home), tmp_path, said, said)
        running = start_module(command)
        deadline = time.monotonic() + 60
        while not count_documents(cache) and time.monotonic() < deadline:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        assert running.wait(60) == 130
        assert "stopped" in (tmp_path / "said").read_text()
    assert list(cache.glob("*/indexed")) == []
    assert not (home / "evaluation").exists()
