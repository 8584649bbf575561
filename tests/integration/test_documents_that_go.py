"""Documents that another process removes, or makes anew, while a question is answered: before each of the question's reads of the library, once."""

from __future__ import annotations

import shutil
import threading
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from core.answers import Citation
from core.ports import Library
from retrieval import retriever
from server.request_identity import Identity
from server.services import Services
from storage.database import Database, open_database
from storage.sql_library import SqlLibrary
from storage.sql_library_writer import SqlLibraryWriter
from tests.support.model_switch import ModelOpener, ask_question, index_folder, open_model_library

OFFERS = {
    "Alder": ("12,400", "24 months", "six weeks"),
    "Birch": ("11,900", "36 months", "nine weeks"),
    "Cedar": ("13,050", "12 months", "three weeks"),
}
NOTES = ["The gate opens at seven.", "Visitors sign the red book.", "The key hangs behind the stove.", "The dog is called Bruno."]
QUESTIONS = ("Where does the key hang?", "Compare the three offers: price and warranty.", "Summarise the rules of the mill.")


def write_library(folder: Path, foreword: str = "") -> None:
    folder.mkdir(exist_ok=True)
    for name, (price, warranty, delivery) in OFFERS.items():
        lines = [f"# {name} offer", foreword, f"Price: {price} euros", f"Warranty: {warranty}", f"Delivery: {delivery}", f"{name} offers a loom."]
        (folder / f"{name} offer.md").write_text("\n\n".join(filter(None, lines)))
    rules = [f"{note} It has been so for years, and nobody wants it otherwise. {'Rain or shine. ' * 30}" for note in NOTES]
    (folder / "Rules of the mill.md").write_text("\n\n".join(["# Rules of the mill", *filter(None, [foreword]), *rules]))


async def index_again(home: Path, folder: Path, models: ModelOpener) -> None:
    async with open_model_library(home, "alpha", models, reads=True) as services:
        assert (await index_folder(services, folder)).state == "done"


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[tuple[Services, dict[str, Database]]]:
    """Services over a library, and the same library as it is once all its documents are gone, and once all are made anew."""
    models, folder, home = ModelOpener({"alpha": 128}), tmp_path / "docs", tmp_path / "here"
    write_library(folder)
    await index_again(home, folder, models)
    for name in ("gone", "anew"):
        shutil.copytree(home, tmp_path / name)
    gone = open_database(tmp_path / "gone" / "home")
    for document_id in await SqlLibraryWriter(gone).live_documents():
        await SqlLibraryWriter(gone).delete_document("default", document_id)
    write_library(folder, foreword="All of this was copied by hand.")
    await index_again(tmp_path / "anew", folder, models)
    anew = open_database(tmp_path / "anew" / "home")
    async with open_model_library(home, "alpha", models, reads=True) as services:
        await services.preferences.switch(Identity("default", "local", has_key=False), {"reader": False})  # it reads no library, and takes its time
        yield services, {"gone": gone, "anew": anew}
    gone.close_sync()
    anew.close_sync()


class Reads:
    """Counts the reads of a database; from the one numbered `turn` on they see `other`."""

    def __init__(self, other: Database, read: Callable[[Callable[[Connection], Any]], Any]) -> None:
        self._other, self._read, self._lock = other, read, threading.Lock()
        self.count, self.turn = 0, 0

    def read_sync(self, work: Callable[[Connection], Any]) -> Any:
        with self._lock:
            self.count += 1
            is_other = 0 < self.turn <= self.count
        return self._other.read_sync(work) if is_other else self._read(work)


@contextmanager
def watch_reads(services: Services, other: Database) -> Iterator[Reads]:
    database: Database = services.library._database  # type: ignore[attr-defined]  # SqlLibrary's, which all stores share
    reads = Reads(other, database.read_sync)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database, "read_sync", reads.read_sync)
        yield reads


async def test_whatever_goes_while_a_question_is_answered_the_answer_goes_on(
    served: tuple[Services, dict[str, Database]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(retriever, "_BETWEEN_VERSIONS", (0.0, 0.0))  # the index here never learns of what is made anew
    services, others = served
    libraries = [services.library, *map(SqlLibrary, others.values())]
    for name, other in others.items():
        for question in QUESTIONS:
            with watch_reads(services, other) as reads:
                every = await count_reads(services, question, reads)
                seen = Counter[str]()
                for turn in range(every // 3, every + 1, 2):  # before that the question alone is read
                    reads.count, reads.turn = 0, turn
                    answered = await ask_question(services, question)
                    reads.turn = 0
                    seen[answered.status] += 1
                    assert all([await is_quoted(citation, libraries) for citation in answered.citations]), (name, question, turn, answered.answer)
            assert seen.keys() <= {"success", "not_found"}, (name, question, seen)
            assert seen["not_found" if name == "gone" else "success"] > 0, (name, question, seen)


async def count_reads(services: Services, question: str, reads: Reads) -> int:
    """Ask twice, so that what is remembered is remembered; return how often the second one read."""
    for _ in range(2):
        reads.count = 0
        assert (await ask_question(services, question)).status == "success", question
    return reads.count


async def is_quoted(citation: Citation, libraries: Sequence[Library]) -> bool:
    """Return whether the span of the citation says so in the document as it was, or as it is."""
    found = [(await each.contents("default", [citation.document_id])).get(citation.document_id) for each in libraries]
    return any(content is not None and content.text[citation.start : citation.end] == citation.quote for content in found)
