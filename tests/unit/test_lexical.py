"""What is tantivy's alone: damage, a second writer, half commits, and the arithmetic of scores and bounds."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from core.errors import Conflict
from core.language.stop_words import SEARCH_STOP_WORDS
from core.search import Filters
from retrieval.analysis import fold, prepare_document_text, prepare_question_text
from retrieval.lexical_index import K1, LexicalIndex
from retrieval.lexical_schema import normalise_path, path_prefixes, to_microseconds
from tests.support.indexes import ORDINARY_ATTRIBUTES, document

NONE = Filters()


def opened(folder: Path, weight: float = 0.3) -> LexicalIndex:
    return LexicalIndex(folder, weight)


def filled(folder: Path, count: int = 30) -> LexicalIndex:
    index = opened(folder)
    for number in range(count):
        index.upsert(document(f"d{number}", f"lease number {number}", "pump"))
    index.commit()
    return index


def damage_everything(folder: Path) -> None:
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith("."):
            path.write_bytes(b"")


def damage_meta(folder: Path) -> None:
    for path in folder.rglob("meta.json"):
        path.write_text("{", encoding="utf-8")


def lose_segments(folder: Path) -> None:
    for ending in ("term", "store", "fast"):
        for path in folder.rglob(f"*.{ending}"):
            path.unlink()


def cut_segments(folder: Path) -> None:
    for path in folder.rglob("*.store"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def take_older_schema(folder: Path) -> None:
    for path in folder.rglob("meta.json"):
        path.write_text(path.read_text(encoding="utf-8").replace('"name": "text"', '"name": "headings"'), encoding="utf-8")


@pytest.mark.parametrize(
    "damage", [damage_everything, damage_meta, lose_segments, cut_segments, take_older_schema], ids=lambda damage: damage.__name__
)
def test_a_damaged_index_is_made_anew(tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: object) -> None:
    filled(tmp_path).close()
    assert callable(damage)
    damage(tmp_path)
    index = opened(tmp_path)
    assert index.was_rebuilt
    assert "made anew" in caplog.text
    assert index.generations() == {}
    index.upsert(document("a", "lease"))
    index.commit()
    assert len(index.search("default", "lease", NONE, 5).hits) == 1
    index.close()


def test_an_index_of_another_shape_is_made_anew(tmp_path: Path) -> None:
    import tantivy

    (tmp_path / "chunks").mkdir(parents=True)
    tantivy.Index(tantivy.SchemaBuilder().add_text_field("other").build(), path=str(tmp_path / "chunks"))
    index = opened(tmp_path)
    assert index.was_rebuilt
    index.close()


def test_a_sound_index_is_kept(tmp_path: Path) -> None:
    filled(tmp_path).close()
    index = opened(tmp_path)
    assert not index.was_rebuilt
    assert len(index.generations()) == 30
    index.close()


def test_a_second_writer_is_refused_and_harms_nothing(tmp_path: Path) -> None:
    index = filled(tmp_path)
    with pytest.raises(Conflict, match="another process"):
        opened(tmp_path)
    index.upsert(document("late", "lease"))
    index.commit()
    assert len(index.generations()) == 31
    index.close()


def test_chunks_committed_without_their_document_are_not_shown_and_are_replayed(tmp_path: Path) -> None:
    index = filled(tmp_path, 2)
    new = document("half", "lease half")
    index.upsert(new)
    index._chunk_writer.commit()  # the crash comes between the two commits
    index.close()
    index = opened(tmp_path)
    assert "half" not in index.generations()
    assert {hit.document_id for hit in index.search("default", "lease", NONE, 9).hits} == {"d0", "d1"}
    index.upsert(new)
    index.commit()
    found = [hit.document_id for hit in index.search("default", "half", NONE, 9).hits]
    assert found == ["half"]
    index.close()


def test_the_score_is_bm25_and_the_bound_holds(tmp_path: Path) -> None:
    index = opened(tmp_path, weight=0.0)
    texts = {"a": "alpha beta gamma", "b": "alpha alpha delta", "c": "delta gamma beta"}
    for name, text in texts.items():
        index.upsert(document(name, text))
    index.commit()
    result = index.search("default", "alpha", NONE, 5)
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = {"b": idf * 2 * (1 + K1) / (2 + K1), "a": idf * (1 + K1) / (1 + K1)}  # every text is as long as the average
    assert {hit.document_id: hit.score for hit in result.hits} == pytest.approx(expected, rel=1e-4)
    assert result.upper_bound == pytest.approx(idf * (1 + K1))
    assert result.terms == pytest.approx({"alpha": idf})
    absent = index.search("default", "alpha omega", NONE, 5)
    assert absent.upper_bound > 2 * result.upper_bound  # a word that is nowhere is the rarest of all
    assert absent.hits == result.hits
    index.close()


def test_a_document_named_by_the_question_brings_chunks_without_its_words(tmp_path: Path) -> None:
    index = opened(tmp_path)
    index.upsert(document("plan", *[f"part {n}" for n in range(9)], first_chunk=1, attributes=replace(ORDINARY_ATTRIBUTES, title="Zephyr plan")))
    index.upsert(document("other", "nothing to see", first_chunk=50))
    index.commit()
    hits = index.search("default", "zephyr", NONE, 50).hits
    assert [hit.chunk_id for hit in hits] == [1, 2, 3]  # its first few, not all of it
    assert all(hit.score > 0 for hit in hits)
    assert index.search("default", "zephyr part 7", NONE, 50).hits[0].chunk_id == 8
    index.close()


def test_many_matching_documents_are_scored_alike(tmp_path: Path) -> None:
    index = opened(tmp_path)
    for number in range(150):
        index.upsert(
            document(f"d{number:03}", f"harbour {'dues ' * (number % 7 + 1)}", attributes=replace(ORDINARY_ATTRIBUTES, title="Harbour rules"))
        )
    index.commit()
    hits = index.search("default", "harbour dues", NONE, 150).hits
    by_length: dict[int, set[float]] = {}
    for hit in hits:
        by_length.setdefault(int(hit.document_id[1:]) % 7, set()).add(round(hit.score, 4))
    assert all(len(scores) == 1 for scores in by_length.values())
    index.close()


def test_folding_and_pairs() -> None:
    assert fold("ﬁn Ⅻ ΆΛΦΑ") == "fin xii αλφα"
    assert fold("Plain ASCII stays") == "Plain ASCII stays"
    assert prepare_question_text("東京都") == " 東京 京都 "
    assert prepare_question_text("x京y") == "x 京 y"
    assert prepare_document_text("東京") == " 東 京 東京 "
    assert {"the", "what", "not"} <= SEARCH_STOP_WORDS


def test_paths_and_moments() -> None:
    assert set(path_prefixes(["/a/b/c.txt"])) == {"", "/a", "/a/b", "/a/b/c.txt"}
    assert set(path_prefixes(["C:\\x\\y.md"])) == {"C:", "C:/x", "C:/x/y.md"}
    assert normalise_path("/a/b/") == "/a/b"
    assert to_microseconds(datetime(2024, 5, 1, tzinfo=UTC)) == to_microseconds(datetime(2024, 5, 1)) == 1_714_521_600_000_000  # noqa: DTZ001 - naive is UTC
