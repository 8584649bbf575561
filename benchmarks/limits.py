"""Very large input ends, and memory stays flat: `python -m benchmarks.limits [--csv-mb 1000] [--pages 5000] [--folder-mb 500] [--folder PATH]`

A CSV of a gigabyte, a PDF of 5,000 pages and a folder of 500 MB are made in a temporary place and indexed by a real server's services into an
empty library; `--folder` indexes one that is there, `--no-ocr` without text recognition. 0 leaves a part out. While it works, the run is asked
how far it is and a question is put to the library again and again. Then it begins anew and is cancelled once something is embedded. Printed:
what became of it, the seconds of the clock and of the processor, the most memory that the process and its workers had together (and each of
them), how often it was told how far it is and the longest wait between two, the slowest look at the library, and how long the cancelling took.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.machine import describe, print_table
from bootstrap import open_services
from core.documents import DocumentState
from server.services import Services
from settings import Settings, load_settings

_WORDS = "harbour quay lease notice crane warehouse invoice delivery contract insurance tenant rent deposit repair inspection report annex".split()
_GOAL_MIB = 1536


@dataclass
class MemoryPeak:
    """MiB that the process and its children held at most, pages that they share counted once where the system tells; and what each of the two
    held at most, which need not have been at the same time. `processor` are their seconds."""

    most: float = 0.0
    own: float = 0.0
    workers: float = 0.0
    processor: dict[int, float] = field(default_factory=dict)
    before: float = field(default_factory=time.process_time)

    def sample(self) -> None:
        own, *others = [self._held_mib(process) for process in (psutil.Process(), *psutil.Process().children(recursive=True))]
        self.own, self.workers, self.most = max(self.own, own), max(self.workers, sum(others)), max(self.most, own + sum(others))

    def _held_mib(self, process: psutil.Process) -> float:
        try:
            info, times = process.memory_full_info(), process.cpu_times()
        except psutil.Error:  # it ended meanwhile
            return 0.0
        self.processor[process.pid] = times.user + times.system
        return float(getattr(info, "pss", 0) or info.rss) / 2**20

    @property
    def seconds(self) -> float:
        return sum(self.processor.values()) - self.before


@dataclass
class Responsiveness:
    """What a person would notice meanwhile: the times between two signs of progress, and how long the library took to answer."""

    signs: int = 0
    longest: float = 0.0
    slowest: float = 0.0
    last: float = field(default_factory=time.perf_counter)

    def note_progress(self) -> None:
        now = time.perf_counter()
        self.signs, self.longest, self.last = self.signs + 1, max(self.longest, now - self.last), now

    async def probe_library(self, services: Services) -> None:
        while True:
            started = time.perf_counter()
            await services.library.totals("default")
            self.slowest = max(self.slowest, time.perf_counter() - started)
            await asyncio.sleep(0.5)


@contextmanager
def watch_memory() -> Iterator[MemoryPeak]:
    peak, over = MemoryPeak(), threading.Event()

    def watch() -> None:
        while not over.wait(0.5):
            peak.sample()

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield peak
    finally:
        over.set()
        thread.join()


def make_sentence(chance: random.Random) -> str:
    return " ".join(chance.choices(_WORDS, k=12)).capitalize() + f" {chance.randint(1, 9999)}."


def write_csv(path: Path, megabytes: int) -> None:
    chance = random.Random(1)
    with path.open("w", encoding="utf-8") as file:
        file.write("number,day,customer,amount,remark\n")
        block = "".join(
            f"{n},2024-{n % 12 + 1:02}-{n % 28 + 1:02},Customer {chance.randint(1, 5000)},{chance.random() * 1000:.2f},{make_sentence(chance)}\n"
            for n in range(10_000)
        )
        for _ in range(max(1, megabytes * 1_000_000 // len(block))):
            file.write(block)


def write_pdf(path: Path, pages: int) -> None:
    """A PDF of plain pages, written object by object so that it needs no library and no memory."""
    chance = random.Random(2)
    offsets: list[int] = []
    with path.open("wb") as file:

        def put(body: bytes) -> None:
            offsets.append(file.tell())
            file.write(b"%d 0 obj\n%s\nendobj\n" % (len(offsets), body))

        file.write(b"%PDF-1.4\n")
        put(b"<< /Type /Catalog /Pages 2 0 R >>")
        kids = b" ".join(b"%d 0 R" % (4 + 2 * number) for number in range(pages))
        put(b"<< /Type /Pages /Count %d /Kids [%s] >>" % (pages, kids))
        put(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
        for number in range(pages):
            put(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R >> >> /Contents %d 0 R >>" % (5 + 2 * number))
            lines = "".join(f"({make_sentence(chance)}) Tj 0 -14 Td\n" for _ in range(40))
            stream = f"BT /F1 10 Tf 50 780 Td (Page {number + 1} of the register) Tj 0 -20 Td\n{lines}ET".encode()
            put(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        start = file.tell()
        file.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1))
        file.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
        file.write(b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(offsets) + 1, start))


def write_folder(folder: Path, megabytes: int) -> None:
    """Files of many sizes whose bytes are mostly what documents are made of: pictures in them, and some text."""
    import docx

    chance = random.Random(3)
    folder.mkdir()
    left, number = megabytes * 1_000_000, 0
    while left > 0:
        number += 1
        kind = number % 4
        path = folder / f"{number:05}.{('md', 'pdf', 'docx', 'csv')[kind]}"
        if kind == 0:
            path.write_text("\n\n".join(f"## Part {part}\n\n{make_sentence(chance)} {make_sentence(chance)}" for part in range(12)), encoding="utf-8")
        elif kind == 1:
            write_pdf(path, 12)
            with path.open("ab") as file:  # as a picture weighs on a file: bytes behind its end that no reader needs
                file.write(chance.randbytes(2_500_000))
        elif kind == 2:
            document = docx.Document()
            for _ in range(40):
                document.add_paragraph(make_sentence(chance))
            document.save(str(path))
        else:
            rows = (f"{row},2024-05-{row % 28 + 1:02},Customer {chance.randint(1, 500)},{chance.random() * 1000:.2f}\n" for row in range(400))
            path.write_text("number,day,customer,amount\n" + "".join(rows), encoding="utf-8")
        left -= path.stat().st_size


def size_in_megabytes(target: Path) -> float:
    return sum(path.stat().st_size for path in ([target] if target.is_file() else target.rglob("*")) if path.is_file()) / 1e6


def make_settings(work: Path, name: str, *, ocr: bool) -> Settings:
    environ = {"VANTAGE_HOME": str(work / f"home-{name}"), "VANTAGE_OLLAMA__ENABLED": "off", "VANTAGE_INGESTION__OCR__ENABLED": str(ocr).lower()}
    return load_settings(environ=environ, folder=work)


async def measure_indexing(work: Path, target: Path, *, ocr: bool = True) -> list[object]:
    """One run into an empty library: what became of it, the seconds, the memory, and what a person noticed meanwhile."""
    started, answered = time.perf_counter(), Responsiveness()
    with watch_memory() as peak:
        async with open_services(make_settings(work, target.name, ocr=ocr)) as services:
            looking = asyncio.create_task(answered.probe_library(services))
            job = await services.jobs.queue_run("default", str(target), "default")
            answered.last = time.perf_counter()
            async for record in services.jobs.events("default", job.id):
                job = record
                answered.note_progress()
            looking.cancel()
            totals = await services.library.totals("default")
            lines, _, _ = await services.library.ledger("default", states=[state for state in DocumentState if state != "indexed"], limit=3)
    seconds = time.perf_counter() - started
    states = ", ".join(f"{state.value} {count}" for state, count in totals.by_state.items() if count)
    memory = [f"{peak.most:,.0f}", f"{peak.own:,.0f}", f"{peak.workers:,.0f}"]
    noticed = [f"{answered.signs:,}", f"{answered.longest:.1f}", f"{answered.slowest:.1f}", await measure_cancelling(work, target, ocr=ocr)]
    counted = [f"{size_in_megabytes(target):,.0f}", states, totals.chunks, f"{seconds:,.0f}", f"{peak.seconds:,.0f}"]
    return [target.name, *counted, *memory, *noticed, lines[0].reason if lines else job.error or ""]


async def measure_cancelling(work: Path, target: Path, *, ocr: bool) -> str:
    """The seconds until a run that embeds has stopped."""
    async with open_services(make_settings(work, f"{target.name}-cancelled", ocr=ocr)) as services:
        job = await services.jobs.queue_run("default", str(target), "default")
        started = 0.0
        async for record in services.jobs.events("default", job.id):
            if not started and record.progress.get("chunks"):
                started = time.perf_counter()
                await services.jobs.cancel("default", job.id)
            job = record
    return f"{time.perf_counter() - started:.1f}" if job.state == "cancelled" else job.state


async def main(arguments: argparse.Namespace) -> int:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if arguments.csv_mb:
            write_csv(work / "large.csv", arguments.csv_mb)
            rows.append(await measure_indexing(work, work / "large.csv"))
            (work / "large.csv").unlink()
        if arguments.pages:
            write_pdf(work / "long.pdf", arguments.pages)
            rows.append(await measure_indexing(work, work / "long.pdf"))
        if arguments.folder_mb:
            write_folder(work / "folder", arguments.folder_mb)
            rows.append(await measure_indexing(work, work / "folder"))
        if arguments.folder:
            rows.append(await measure_indexing(work, arguments.folder.resolve(), ocr=arguments.ocr))
    sys.stdout.write(f"{describe()}\nmemory of the process and its workers together; goal {_GOAL_MIB:,} MiB\n\n")
    counted = ["what", "MB", "files", "passages", "seconds", "processor s", "most MiB", "server", "workers"]
    print_table([*counted, "signs of progress", "longest wait s", "slowest look s", "cancelled in s", "said of it"], rows)
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--csv-mb", type=int, default=1000)
    parser.add_argument("--pages", type=int, default=5000)
    parser.add_argument("--folder-mb", type=int, default=500)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--ocr", action=argparse.BooleanOptionalAction, default=True)
    sys.exit(asyncio.run(main(parser.parse_args())))
