"""Worker processes: their limits, their death, cancellation, and the end of their parent."""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
import resource
import signal
import subprocess
import sys
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import anyio
import anyio.to_thread
import psutil
import pytest

from core.errors import Cancelled, Empty, LimitExceeded, Malformed, NotFound, Unavailable, Unsupported, Vanished, VantageError
from ingestion.workers.pool import ExtractionLimits, ExtractionPool
from ingestion.workers.worker_protocol import Demand, Extraction, MemberRead
from tests.support.containers import WHOLE_DEMAND, mail, mailbox, text_or_reason, zip_bytes

ROOT = Path(__file__).resolve().parents[2]
LEASE = "The notice period is three months. It must be given in writing."


@pytest.fixture
async def pool() -> AsyncIterator[ExtractionPool]:
    pool = ExtractionPool(1)
    yield pool
    await pool.close()


@pytest.fixture
def lease(tmp_path: Path) -> Path:
    path = tmp_path / "lease.txt"
    path.write_text(LEASE, encoding="utf-8")
    return path


def _slow_file(folder: Path, *, rows: int = 2_000_000) -> Path:
    """A valid file that takes long to read: a large CSV."""
    path = folder / "slow.csv"
    path.write_text("a,b,c\n" + "1,2,3\n" * rows, encoding="utf-8")
    return path


async def _until_at_work(process: psutil.Process) -> None:
    """Wait until an idle worker has computed for some time: it reads what it was given last."""
    before = process.cpu_times().user
    while process.cpu_times().user < before + 0.05:  # noqa: ASYNC110  (another process)
        await asyncio.sleep(0.01)


async def test_a_file_comes_back_with_its_profile_and_hash(pool: ExtractionPool, lease: Path) -> None:
    extraction = await pool.extract(lease)
    assert extraction.document.text == LEASE
    assert extraction.content_hash == hashlib.sha256(LEASE.encode()).hexdigest()
    assert extraction.file_size == len(LEASE)
    assert extraction.profile.language == "en"


async def test_one_worker_reads_many_files(pool: ExtractionPool, lease: Path) -> None:
    await pool.extract(lease)
    first = pool.process_ids
    await asyncio.gather(*(pool.extract(lease) for _ in range(20)))
    assert pool.process_ids == first


async def test_errors_keep_their_class_and_sentence(pool: ExtractionPool, tmp_path: Path) -> None:
    (tmp_path / "nothing.txt").touch()
    (tmp_path / "song.ogg").write_bytes(b"OggS\0\0\0")
    with pytest.raises(Empty, match="0 bytes"):
        await pool.extract(tmp_path / "nothing.txt")
    with pytest.raises(Unsupported, match="sound"):
        await pool.extract(tmp_path / "song.ogg")
    with pytest.raises(Vanished, match="is gone"):
        await pool.extract(tmp_path / "absent.txt")


async def test_a_reader_that_cannot_be_started_is_no_file_s_fault(tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text("The lease ends in May.")
    pool = ExtractionPool(1, graph_reader="nowhere:nothing", pauses=(0.0, 0.0))
    try:
        with pytest.raises(Unavailable, match="No reader could be started"):
            await pool.extract(tmp_path / "lease.txt")
    finally:
        await pool.close()


async def test_a_reader_is_tried_again_until_it_can_be_started(tmp_path: Path) -> None:
    (tmp_path / "lease.txt").write_text("The lease ends in May.")
    pool = ExtractionPool(1, pauses=(0.0, 0.2, 60.0))
    await anyio.to_thread.run_sync(os.getpid)  # its thread has what it needs
    open_files, limits = os.dup(0), resource.getrlimit(resource.RLIMIT_NOFILE)
    os.close(open_files)
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, limits[1]))  # not one more
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(raise_after, 0.1, limits)
            assert "May" in (await pool.extract(tmp_path / "lease.txt")).document.text
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        await pool.close()


async def raise_after(seconds: float, limits: tuple[int, int]) -> None:
    await anyio.sleep(seconds)
    resource.setrlimit(resource.RLIMIT_NOFILE, limits)


async def test_pipes_and_devices_do_not_hang(pool: ExtractionPool, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.txt")
    for path in (tmp_path / "pipe.txt", Path("/dev/zero"), tmp_path):
        with pytest.raises(Malformed):
            await pool.extract(path)


async def test_what_is_urgent_does_not_wait_for_a_long_reading(pool: ExtractionPool, tmp_path: Path, lease: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(zip_bytes({"lease.txt": LEASE.encode()}))
    begun, go_on = anyio.Event(), anyio.Event()

    async def hold(_: MemberRead) -> None:
        begun.set()
        await go_on.wait()

    async with anyio.create_task_group() as group:
        group.start_soon(lambda: pool.extract(archive, on_member=hold))
        await begun.wait()
        assert (await pool.extract(lease, Demand(urgent=True))).document.text == LEASE
        target = io.BytesIO()
        await pool.fetch(archive, "lease.txt", target)
        assert target.getvalue() == LEASE.encode()
        assert len(pool.process_ids) == 2
        patient = asyncio.create_task(pool.extract(lease))
        await asyncio.sleep(0.05)
        assert not patient.done()
        go_on.set()
    assert (await patient).document.text == LEASE


async def test_a_file_that_takes_too_long_costs_one_worker(tmp_path: Path, lease: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(seconds=2))
    try:
        await pool.extract(lease)
        (first,) = pool.process_ids
        with pytest.raises(LimitExceeded, match=r"longer than 2 s"):
            await pool.extract(_slow_file(tmp_path, rows=12_000_000))
        assert not psutil.pid_exists(first)
        assert (await pool.extract(lease)).document.text
    finally:
        await pool.close()


async def test_a_file_that_takes_too_much_memory_is_refused(tmp_path: Path, lease: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(memory_mb=256))
    path = tmp_path / "large.json"
    path.write_text("[" + ",".join(f'{{"k{n}": {{"v": [{n}]}}}}' for n in range(900_000)) + "]", encoding="utf-8")
    try:
        with pytest.raises(LimitExceeded, match="memory"):
            await pool.extract(path)
        assert (await pool.extract(lease)).document.text
    finally:
        await pool.close()


async def test_a_file_over_the_size_limit_is_not_read(tmp_path: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(file_bytes=1 << 20))
    path = tmp_path / "sparse.txt"
    with path.open("wb") as file:
        file.truncate(1 << 34)
    try:
        with pytest.raises(LimitExceeded, match="limit is 1 MiB"):
            await pool.extract(path)
    finally:
        await pool.close()


async def test_a_worker_that_dies_is_replaced(pool: ExtractionPool, tmp_path: Path, lease: Path) -> None:
    await pool.extract(lease)
    (first,) = pool.process_ids
    reading = asyncio.create_task(pool.extract(_slow_file(tmp_path)))
    await _until_at_work(psutil.Process(first))
    os.kill(first, signal.SIGSEGV)
    with pytest.raises(Malformed, match="SIGSEGV"):
        await reading
    assert (await pool.extract(lease)).document.text
    idle = psutil.Process(pool.process_ids[0])
    idle.kill()
    while idle.is_running() and idle.status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110  (another process)
        await asyncio.sleep(0.01)
    assert (await pool.extract(lease)).document.text


async def test_an_idle_worker_gives_its_memory_back(lease: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(idle_seconds=0.1))
    try:
        await pool.extract(lease)
        worker = psutil.Process(pool.process_ids[0])
        while worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE:  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.01)
        assert (await pool.extract(lease)).document.text
        assert pool.process_ids != [worker.pid]
    finally:
        await pool.close()


async def test_cancelling_ends_the_worker_and_frees_its_place(pool: ExtractionPool, tmp_path: Path, lease: Path) -> None:
    await pool.extract(lease)
    (first,) = pool.process_ids
    with anyio.move_on_after(0.3) as scope:
        await pool.extract(_slow_file(tmp_path))
    assert scope.cancelled_caught
    assert not psutil.pid_exists(first)
    assert (await pool.extract(lease)).document.text


async def test_closing_ends_what_runs(tmp_path: Path, lease: Path) -> None:
    pool = ExtractionPool(2)
    await pool.extract(lease)
    reading = asyncio.create_task(pool.extract(_slow_file(tmp_path)))
    await _until_at_work(psutil.Process(pool.process_ids[0]))
    pids = pool.process_ids
    await pool.close()
    with pytest.raises(Cancelled):
        await reading
    assert not any(psutil.pid_exists(pid) for pid in pids if pid)
    with pytest.raises(VantageError):
        await pool.extract(lease)


_PARENT = """
import asyncio, sys
from pathlib import Path
from ingestion.workers.pool import ExtractionPool

async def main():
    pool = ExtractionPool(2)
    await pool.extract(Path(sys.argv[1]))
    reading = asyncio.create_task(pool.extract(Path(sys.argv[2])))
    await asyncio.sleep(0.3)
    await pool.extract(Path(sys.argv[1]))
    print(*pool.process_ids, flush=True)
    await reading
    await asyncio.sleep(60)

asyncio.run(main())
"""


def test_no_worker_survives_its_parent(tmp_path: Path, lease: Path) -> None:
    command = [sys.executable, "-c", _PARENT, str(lease), str(_slow_file(tmp_path))]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout
        workers = [psutil.Process(int(pid)) for pid in parent.stdout.readline().split()]
        assert len(workers) == 2
        parent.kill()
    _, alive = psutil.wait_procs(workers, timeout=20)
    assert not [worker for worker in alive if worker.status() != psutil.STATUS_ZOMBIE]


def test_a_worker_imports_nothing_of_the_server() -> None:
    program = "import sys, ingestion.workers.process; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    heavy = {"openvino", "langgraph", "langchain_core", "fastapi", "sqlalchemy", "tantivy", "torch", "numpy"}
    assert not heavy & {module.split(".")[0] for module in modules}


# -- members -------------------------------------------------------------------------------------------------------------------------


async def members_of(pool: ExtractionPool, path: Path, demand: Demand = WHOLE_DEMAND) -> tuple[Extraction, dict[str, str]]:
    said: dict[str, str] = {}

    async def take(read: MemberRead) -> None:
        said[read.path] = text_or_reason(read.outcome)

    return await pool.extract(path, demand, on_member=take), said


async def test_members_come_one_by_one_before_their_archive(pool: ExtractionPool, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zip_bytes({"lease.txt": LEASE, "one.eml": mail("S", "Body text.", {"x.txt": LEASE.encode()})}))
    extraction, said = await members_of(pool, path)
    assert list(said) == ["lease.txt", "one.eml!/x.txt", "one.eml"]
    assert said["one.eml!/x.txt"] == LEASE
    assert "ZIP archive with 2 files" in extraction.document.text


async def test_a_slow_taker_holds_the_worker_back_and_costs_no_time(tmp_path: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(seconds=6))
    path = tmp_path / "a.zip"
    path.write_bytes(zip_bytes({f"{number}.txt": f"{LEASE} {number} " * 500 for number in range(4)}))
    taken: list[str] = []

    async def take(read: MemberRead) -> None:
        await anyio.sleep(2)
        taken.append(read.path)

    try:
        await pool.extract(path, on_member=take)
        assert len(taken) == 4
    finally:
        await pool.close()


async def test_a_member_that_kills_or_hangs_its_worker_is_one_line(tmp_path: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(seconds=2))
    slow = "a,b,c\n" + "1,2,3\n" * 12_000_000
    path = tmp_path / "a.zip"
    path.write_bytes(zip_bytes({"before.txt": LEASE, "slow.csv": slow, "behind.txt": LEASE}, method=zipfile.ZIP_STORED))
    try:
        extraction, said = await members_of(pool, path)
        assert said["before.txt"] == said["behind.txt"] == LEASE
        assert "longer than 2 s" in said["slow.csv"]
        assert "ZIP archive with 3 files" in extraction.document.text
    finally:
        await pool.close()


async def test_a_worker_that_dies_in_an_archive_is_replaced_behind_the_member(pool: ExtractionPool, tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zip_bytes({"before.txt": LEASE, "slow.csv": "a,b,c\n" + "1,2,3\n" * 2_000_000, "behind.txt": LEASE}))
    said: dict[str, str] = {}

    async def take(read: MemberRead) -> None:
        said[read.path] = text_or_reason(read.outcome)

    def kill(inner: str, done: int, of: int) -> None:
        if inner == "slow.csv":
            os.kill(pool.process_ids[0], signal.SIGSEGV)

    await pool.extract(path, on_member=take, on_progress=kill)
    assert said["before.txt"] == said["behind.txt"] == LEASE
    assert "SIGSEGV" in said["slow.csv"]


async def test_an_archive_of_thousands_of_mails_leaves_the_workers_memory_flat(tmp_path: Path) -> None:
    pool = ExtractionPool(1, ExtractionLimits(memory_mb=512))
    path = tmp_path / "inbox.mbox"
    path.write_bytes(mailbox([mail(f"Subject {number}", f"{LEASE} {number}") for number in range(1000)]))
    seen: list[int] = []
    count = 0

    async def take(read: MemberRead) -> None:
        nonlocal count
        count += 1
        if count % 200 == 0:
            seen.append(psutil.Process(pool.process_ids[0]).memory_info().rss)

    try:
        await pool.extract(path, on_member=take)
        assert count == 1000
        assert max(seen) - min(seen) < 60 << 20
    finally:
        await pool.close()


async def test_the_bytes_of_a_member_come_in_pieces(pool: ExtractionPool, tmp_path: Path) -> None:
    path, data = tmp_path / "a.zip", os.urandom(5 << 20)
    path.write_bytes(zip_bytes({"noise.bin": data}))
    target = io.BytesIO()
    await pool.fetch(path, "noise.bin", target)
    assert target.getvalue() == data
    with pytest.raises(NotFound):
        await pool.fetch(path, "gone.bin", io.BytesIO())
