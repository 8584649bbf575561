"""A worker whose reader a hostile file took over: it reaches no network, changes nothing outside its folder and runs nothing in the server."""

from __future__ import annotations

import socket
import sys
import tempfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import docx
import pptx
import pytest

from core.errors import ExtractionError, LimitExceeded, Malformed
from ingestion.readers.base.source import ExtractionLimits
from ingestion.readers.legacy import soffice
from ingestion.workers.confinement import Confinement, available_confinement
from ingestion.workers.pool import ExtractionPool
from ingestion.workers.worker_protocol import FrameKind
from tests.support.hostile_reader import text_telling
from tests.support.office_files import docx_bytes, pptx_bytes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="workers are confined by means of Linux")
HOSTILE = "tests.support.hostile_reader:"
OPEN = ExtractionLimits(confined=False)
MakePool = Callable[..., ExtractionPool]


@pytest.fixture
async def make_pool() -> AsyncIterator[MakePool]:
    made: list[ExtractionPool] = []

    def make(function: str, limits: ExtractionLimits = ExtractionLimits()) -> ExtractionPool:  # noqa: B008  (frozen)
        made.append(ExtractionPool(1, limits, HOSTILE + function))
        return made[-1]

    yield make
    for pool in made:
        await pool.close()


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def outcomes(pool: ExtractionPool, folder: Path) -> dict[str, str]:
    """How each try of a worker went, with somebody who listens and a file of somebody's."""
    kept = folder / "kept.txt"
    kept.write_text("kept")
    with socket.create_server(("127.0.0.1", 0)) as server, socket.socket(socket.AF_UNIX) as local:
        local.bind(str(folder / "socket"))
        local.listen()
        told = {"port": server.getsockname()[1], "socket": str(folder / "socket"), "file": str(kept)}
        (folder / "hostile.txt").write_text(text_telling(told))
        extraction = await pool.extract(folder / "hostile.txt")
    assert extraction.graph_error == ""
    assert extraction.graph is not None
    return {entity.key: entity.name for entity in extraction.graph.entities}


@pytest.mark.skipif(not available_confinement().is_complete, reason="the kernel has no Landlock or no seccomp")
async def test_a_confined_worker_is_refused_everything_but_its_folder(make_pool: MakePool, tmp_path: Path) -> None:
    found = await outcomes(make_pool("try_everything"), tmp_path)
    allowed = {"own folder", "own program"}
    assert {what for what, outcome in found.items() if outcome == "done"} - {"signal"} == allowed
    assert found["signal"] == "done" if available_confinement().landlock < 6 else found["signal"] == "PermissionError"
    assert (tmp_path / "kept.txt").read_text() == "kept"
    assert names_in(tmp_path) == ["hostile.txt", "kept.txt", "socket"]


@pytest.mark.skipif(not available_confinement().is_complete, reason="the kernel has no Landlock or no seccomp")
@pytest.mark.skipif(soffice.program() is None, reason="LibreOffice is not installed")
@pytest.mark.parametrize(("new", "old"), [("docx", "doc"), ("pptx", "ppt")])
async def test_libreoffice_converts_in_a_confined_worker(tmp_path: Path, new: str, old: str) -> None:
    data = soffice.convert_document(_office_file(new), f".{new}", old, ExtractionLimits())  # here, where nothing is confined
    assert data is not None
    (tmp_path / f"lease.{old}").write_bytes(data)
    pool = ExtractionPool(1, ExtractionLimits())
    try:
        extraction = await pool.extract(tmp_path / f"lease.{old}")
    finally:
        await pool.close()
    assert extraction.document.parser == f"{old}+libreoffice", extraction.document.warnings
    assert "The deposit for Quay 7" in extraction.document.text


def _office_file(suffix: str) -> bytes:
    if suffix == "docx":
        document = docx.Document()
        document.add_paragraph("The deposit for Quay 7")
        return docx_bytes(document)
    presentation = pptx.Presentation()
    presentation.slides.add_slide(presentation.slide_layouts[0]).shapes.title.text = "The deposit for Quay 7"
    return pptx_bytes(presentation)


async def test_one_that_is_not_confined_could_do_all_that(make_pool: MakePool, tmp_path: Path) -> None:
    """That the tries are tries: without confinement those that another one does not undo go well."""
    found = await outcomes(make_pool("try_everything", OPEN), tmp_path)
    assert {
        found[what] for what in ("connect", "connect in the file system", "write", "change", "leave to write", "delete", "signal", "own folder")
    } == {"done"}


async def test_a_pickle_is_not_read(make_pool: MakePool, tmp_path: Path) -> None:
    made = tmp_path / "made-by-a-pickle"
    (tmp_path / "hostile.txt").write_text(text_telling(str(made)))
    with pytest.raises(Malformed, match="damaged"):
        await make_pool("send_a_pickle", OPEN).extract(tmp_path / "hostile.txt")
    assert not made.exists()


@pytest.mark.parametrize(
    ("kind", "size", "error"),
    [
        (200, 10, Malformed),
        (FrameKind.DEATH, 10, Malformed),
        (FrameKind.REPLY, 1 << 40, LimitExceeded),
        (FrameKind.REPLY, 0, Malformed),
        (FrameKind.PROGRESS, 3, Malformed),
        (FrameKind.VISITING, 50, Malformed),
        (FrameKind.MEMBER, 50, Malformed),
    ],
)
async def test_what_no_reader_says_is_the_files_failure(make_pool: MakePool, tmp_path: Path, kind: int, size: int, error: type[Exception]) -> None:
    (tmp_path / "hostile.txt").write_text(text_telling([kind, size]))
    pool = make_pool("send_no_frame")
    with pytest.raises(error):
        await pool.extract(tmp_path / "hostile.txt")
    (tmp_path / "other.txt").write_text(text_telling([FrameKind.PASSING, 0]))
    assert (await pool.extract(tmp_path / "other.txt")).document.text  # the pool goes on, with another worker


async def test_nothing_is_left_of_a_workers_folder(make_pool: MakePool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "a.txt").write_text(text_telling([FrameKind.PASSING, 0]))
    pool = make_pool("send_no_frame")
    await pool.extract(tmp_path / "a.txt")
    assert [name.partition("-reader-")[0] for name in names_in(tmp_path)] == ["a.txt", "vantage"]
    await pool.close()
    assert names_in(tmp_path) == ["a.txt"]


async def test_a_file_that_is_not_there_is_no_reader_that_could_not_start(make_pool: MakePool, tmp_path: Path) -> None:
    with pytest.raises(ExtractionError, match="is gone"):
        await make_pool("send_no_frame").extract(tmp_path / "none.txt")


def test_what_is_taken_is_told() -> None:
    assert Confinement(7, seccomp=True).summary == "no writing outside their folder, no network (Landlock 7, seccomp)"
    assert Confinement(0, seccomp=True).summary == "no network (seccomp)"
    assert "neither" in Confinement(0, seccomp=False).summary
    assert [Confinement(version, seccomp=well).is_complete for version, well in ((1, True), (0, True), (1, False))] == [True, False, False]
