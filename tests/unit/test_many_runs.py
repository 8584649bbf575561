"""Very many runs at the same few files, with chance deciding who is slow: in the end the library holds what the folder holds."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Sequence
from pathlib import Path

import anyio
import pytest

from core.ports import EncodedPassages
from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.workers.worker_protocol import Demand, Extraction
from storage.sql_jobs import SqlJobs
from tests.support.containers import WHOLE_DEMAND, WalkingReader, mail, zip_bytes
from tests.support.indexing_bench import Bench, bench, library_contents, reindexed_contents
from tests.support.ingestion import HashEmbedder
from tests.unit.test_watch_follow import indexer

__all__ = ["bench"]

_NAMES = ("a.txt", "b.txt", "c.zip", "d.zip", "sub/e.txt", "sub/f.zip")
_TEXTS = [f"Text number {number} about the {word}." for number, word in enumerate(["roof", "lease", "bank", "shop"])]


class SlowReader(WalkingReader):
    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.chance = chance

    async def extract(
        self, path: Path, demand: Demand = WHOLE_DEMAND, *, on_member: OnMember | None = None, on_progress: OnProgress | None = None
    ) -> Extraction:
        await anyio.sleep(self.chance.choice([0, 0, 0.02, 0.08]))
        extraction = await super().extract(path, demand, on_member=on_member, on_progress=on_progress)
        await anyio.sleep(self.chance.choice([0, 0, 0.02, 0.15]))
        return extraction


class SlowEmbedder(HashEmbedder):
    def __init__(self, chance: random.Random) -> None:
        super().__init__()
        self.chance = chance

    async def embed_passages(self, texts: Sequence[str], *, with_tokens: bool = False) -> EncodedPassages:
        await anyio.sleep(self.chance.choice([0, 0, 0.01, 0.1]))
        return await super().embed_passages(texts, with_tokens=with_tokens)


class Person:
    """Does something at random in the folder, and names the paths that notices would come of."""

    def __init__(self, docs: Path, chance: random.Random) -> None:
        self.docs, self.chance, self.done = docs, chance, 0

    def step(self) -> list[Path]:
        self.done += 1
        path, other = (self.docs / name for name in self.chance.sample(_NAMES, 2))
        path.parent.mkdir(exist_ok=True)
        other.parent.mkdir(exist_ok=True)
        match self.chance.randrange(8):
            case 0 if path.exists():
                path.unlink()
                return [path]
            case 1 if path.exists() and path.suffix == other.suffix:
                path.rename(other)
                return [path, other]
            case 2 if path.exists() and other.exists() and path.suffix == other.suffix:
                aside = self.docs / ".aside"
                path.rename(aside)
                other.rename(path)
                aside.rename(other)
                return [path, other]
            case 3 if path.exists():
                os.utime(path)
                return [path]
            case 4:
                return [self.docs]
        path.write_bytes(self._content(path.suffix))
        return [path]

    def _content(self, suffix: str) -> bytes:
        text = self.chance.choice(_TEXTS)
        if suffix != ".zip":
            return text.encode()
        members: dict[str, bytes | str] = {name: self.chance.choice(_TEXTS) for name in self.chance.sample(["x.txt", "y.txt", "z.txt"], 2)}
        if self.chance.random() < 0.3:
            members["deep.zip"] = zip_bytes({"x.txt": text})
        if self.chance.random() < 0.3:
            members["one.eml"] = mail(text[:12], text, {"y.txt": self.chance.choice(_TEXTS).encode()})
        return zip_bytes(members)


@pytest.mark.parametrize("seed", [int(os.environ.get("VANTAGE_TEST_SEED", "1")) * 10 + number for number in range(2)])
async def test_whoever_stores_last_the_library_holds_what_the_folder_holds(bench: Bench, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    bench.reader = SlowReader(chance)
    (bench.docs / "keep.txt").write_text("Stays.")
    await bench.run()
    one = indexer(bench, SlowEmbedder(chance))
    jobs = IndexJobs(one, one._stores, SqlJobs(bench.database), bench.home)
    await jobs.open()
    person, following, lanes = Person(bench.docs, chance), set[asyncio.Task[object]](), asyncio.Semaphore(4)

    async def follow(paths: Sequence[Path]) -> None:
        async with lanes:
            await jobs.index_changes("t", [str(path) for path in paths])

    for number in range(60):
        following.add(asyncio.create_task(follow(person.step())))
        if number % 15 == 0:
            following.add(asyncio.create_task(jobs.compare("t", str(bench.docs))))
        await asyncio.sleep(chance.choice([0, 0, 0.01, 0.05, 0.2]))
    await asyncio.gather(*following)
    while jobs._busy_tenant or jobs._change_runs:  # noqa: ASYNC110  (the look after the last comparison)
        await asyncio.sleep(0.01)
    await jobs.close()
    await bench.check()
    assert await library_contents(bench) == await reindexed_contents(bench, tmp_path)
