"""The watcher's soak, small: a real server, a hundred and fifty random changes, two stops (at least one of them `kill -9`), and a fresh index to
compare with."""

from __future__ import annotations

import os
import random
import zipfile
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from scripts.soak_library import LibraryContents, differences, title_changes
from scripts.soak_operations import RandomFolders
from scripts.soak_watcher import SoakPlan, soak


@pytest.mark.slow
def test_in_the_end_the_library_is_what_a_fresh_index_makes(tmp_path: Path) -> None:
    seed = int(os.environ.get("VANTAGE_TEST_SEED", "1"))
    report = soak(tmp_path, SoakPlan(operations=150, seed=seed, kills=2, probes=2))
    assert report.differences == []
    assert report.starts == 3
    assert sum(report.operations.values()) >= 150
    assert report.documents > 20
    assert report.lines > report.documents // 2
    assert len(report.probes) == 2


def test_the_comparison_sees_what_differs() -> None:
    """A soak that cannot fail would say nothing."""
    row, document = ("/docs", "indexed", "", "hash"), {"text": "One.", "rows of chunks": 1}
    want = LibraryContents({"/docs/a": row}, {("/docs/a",): document}, {("/docs/a",): _vectors()})
    assert differences(LibraryContents({"/docs/a": row}, {("/docs/a",): dict(document)}, {("/docs/a",): _vectors()}), want) == []
    assert len(differences(LibraryContents({}, want.documents, want.vectors), want)) == 1
    assert len(differences(LibraryContents(want.ledger, {}, {}), want)) == 1
    assert len(differences(LibraryContents(want.ledger, {("/docs/a",): {**document, "text": "Two."}}, want.vectors), want)) == 1
    assert len(differences(LibraryContents(want.ledger, want.documents, {("/docs/a",): -_vectors()}), want)) == 1
    assert len(differences(LibraryContents(want.ledger, want.documents, want.vectors, ["a fault"]), want)) == 1


def test_a_title_may_be_the_name_of_any_path_but_of_no_other() -> None:
    paths = ("/docs/a.csv", "/docs/b-c.csv")

    def titled(title: str) -> LibraryContents:
        return LibraryContents(documents={paths: {"title": title}})

    assert title_changes(titled("b c"), titled("a")) == ["/docs/b-c.csv"]
    assert title_changes(titled("a"), titled("a")) == []
    assert title_changes(titled("gone"), titled("a")) == []


def test_an_archive_is_made_again_with_some_of_its_members(tmp_path: Path) -> None:
    folders = RandomFolders([tmp_path / "first"], tmp_path / "outside", random.Random(5))
    folders.prepare()
    for _ in range(400):
        folders.step()
    archives = list((tmp_path / "first").rglob("*.zip"))
    assert archives
    for path in archives:
        with zipfile.ZipFile(path) as archive:
            assert 2 <= len(archive.namelist()) <= 3
            assert archive.testzip() is None


def _vectors() -> NDArray[np.float32]:
    return np.eye(2, 4, dtype=np.float32)


def test_the_operations_are_the_same_for_a_seed(tmp_path: Path) -> None:
    done = []
    for name in ("one", "two"):
        folders = RandomFolders([tmp_path / name / "first", tmp_path / name / "second"], tmp_path / name / "outside", random.Random(3))
        folders.prepare()
        done.append([folders.step() for _ in range(120)])
    assert done[0] == done[1]
    assert len(set(done[0])) > 8
