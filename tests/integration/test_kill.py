"""`kill -9` while indexing: nothing is lost, nothing is there twice, and the next start repairs what was left."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.support.indexing_child import TENANT, embedder_named, index_folder, open_library
from tests.support.ingestion import HashEmbedder
from tests.support.snapshots import Snapshot, assert_in_step, snapshot
from tests.support.warm_start import Reporting, start_reporting

FILES = 300
REAL_FILES = 120  # with the real embedder, of which 40 are stored before the kill
KILLS = 12
LARGEST = 6  # chunks of a document


def write_files(folder: Path, rounds: int, chance: random.Random, files: int = FILES) -> None:
    """First all files; later rounds change, add, move, copy and remove some, so that kills meet every kind of work."""
    folder.mkdir(exist_ok=True)
    if rounds == 0:
        for number in range(files):
            (folder / f"{number:03}.txt").write_text(text_of(number, 0, chance))
        (folder / "broken.txt").write_text("!malformed")
        (folder / "blank.txt").write_text(" ")
        return
    present = sorted(path for path in folder.iterdir() if path.stem[:3].isdigit())
    for path in chance.sample(present, 12):
        path.write_text(text_of(int(path.stem[:3]), rounds, chance))
    for path in chance.sample(present, 3):
        path.rename(folder / f"{path.stem}m.txt")
    for path in chance.sample([path for path in present if path.exists()], 3):
        (folder / f"{path.stem}-copy{rounds}.txt").write_bytes(path.read_bytes())
    for path in chance.sample([path for path in present if path.exists()], 3):
        path.unlink()


def text_of(number: int, version: int, chance: random.Random) -> str:
    parts = chance.choice([1, 1, 2, 6])
    return "\n\n".join(f"# Part {part}\n\nThe common text of {number} in version {version}. " + f"word{number} " * 60 for part in range(parts))


def child(home: Path, folder: Path, name: str = "") -> Reporting:
    started = start_reporting("tests.support.indexing_child", str(home), str(folder), *([name] if name else []))
    assert started.output.readline() == "started\n"
    return started


def finish(started: Reporting) -> dict[str, int]:
    code, output = started.finish()
    assert code == 0
    counts: dict[str, int] = json.loads(output.splitlines()[-1])
    return counts


def kill_after(started: Reporting, documents: int, seconds: float) -> bool:
    """Kill once `documents` were stored and `seconds` have passed. Whether it was still at work."""
    for _ in range(documents):
        started.output.readline()
    time.sleep(seconds)
    started.process.send_signal(signal.SIGKILL)
    code, _ = started.finish()
    return code == -signal.SIGKILL


@dataclass(frozen=True)
class State:
    """`bare` chunks have no token vectors: they are encoded when a question first meets them."""

    snapshot: Snapshot
    chunks: int
    bare: int


async def state_of(home: Path, name: str = "") -> State:
    """What is in `home` after a start, once it was checked that truth, index and token store agree."""
    opened = await open_library(home, embedder_named(name) if name else HashEmbedder())
    try:
        tokens = await opened.tokens.chunk_ids()
        chunks = await assert_in_step(TENANT, opened.writer, opened.index, tokens)
        return State(await snapshot(TENANT, opened.stores.library, opened.writer), chunks, chunks - len(tokens))
    finally:
        await opened.close()


@pytest.mark.slow
async def test_many_kills_lose_nothing_and_leave_nothing_twice(tmp_path: Path) -> None:
    chance = random.Random(os.environ.get("VANTAGE_TEST_SEED", "7"))
    home, folder = tmp_path / "home", tmp_path / "docs"
    write_files(folder, 0, chance)
    hits, before = 0, 0
    for number in range(KILLS):
        first = number < KILLS // 2  # these meet the first indexing, the others changes to what is indexed
        if not first:
            write_files(folder, number, chance)
        hits += kill_after(child(home, folder), chance.randrange(25 if first else 9), chance.choice([0.0, chance.uniform(0, 0.3)]))
        state = await state_of(home)
        assert state.bare <= LARGEST * (number + 1)  # at most the one document that was being written
        assert not first or state.chunks >= before  # what one run had written, the next kill does not take
        before = state.chunks
    assert hits >= KILLS * 3 // 4, "too few kills met a running process"
    counts = finish(child(home, folder))
    files = paths_in(folder)
    assert counts["files_done"] == counts["files_total"] == len(files)
    await index_folder(tmp_path / "fresh", folder, HashEmbedder())
    assert_equal(await state_of(home), await state_of(tmp_path / "fresh"), files)


def assert_equal(have: State, want: State, files: set[str]) -> None:
    """A library that was killed again and again is the one that was made in one go."""
    assert set(have.snapshot.ledger) == files
    assert have.snapshot.documents == want.snapshot.documents
    assert have.chunks == want.chunks
    for path in files:
        (state, code), (_, expected) = have.snapshot.ledger[path], want.snapshot.ledger[path]
        assert code == expected
        assert state == want.snapshot.ledger[path][0] or code == "malformed"  # by now it is quarantined


def paths_in(folder: Path) -> set[str]:
    return {str(path) for path in folder.iterdir()}


@pytest.mark.slow
async def test_a_kill_with_the_real_embedder_is_repaired(tmp_path: Path) -> None:
    chance = random.Random(3)
    home, folder = tmp_path / "home", tmp_path / "docs"
    write_files(folder, 0, chance, REAL_FILES)
    assert kill_after(child(home, folder, "real"), 40, 0.1)
    first = await state_of(home, "real")
    assert first.chunks > 0
    counts = finish(child(home, folder, "real"))
    assert counts["files_done"] == REAL_FILES + 2
    assert counts["files_unchanged"] > 0
    last = await state_of(home, "real")
    assert last.chunks >= first.chunks
    assert set(last.snapshot.ledger) == paths_in(folder)
