"""The contract of `core.ports.SearchIndex`: every back end passes this suite."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from core.errors import InvalidInput
from core.ports import SearchIndex
from core.search import Filters
from tests.support.indexes import BACKENDS, DIMENSION, ORDINARY_ATTRIBUTES, Backend, DocumentAttributes, document, fill, load, near, vector_of, words

NONE = Filters()


@pytest.fixture(params=BACKENDS, ids=[backend.name for backend in BACKENDS])
def backend(request: pytest.FixtureRequest) -> Backend:
    chosen: Backend = request.param
    return chosen


@pytest.fixture
async def index(backend: Backend, tmp_path: Path) -> AsyncIterator[SearchIndex]:
    opened = await backend.open(tmp_path / "index")
    yield opened
    await opened.close()


# ---------------------------------------------------------------------------------------------------------------------- finding
async def test_an_empty_index_finds_nothing(index: SearchIndex) -> None:
    assert (await index.search_lexical("default", "lease", NONE, 5)).hits == ()
    assert await index.search_dense("default", vector_of("lease"), NONE, 5) == ()
    assert await index.generations() == {}
    counts = await index.counts()
    assert (counts.documents, counts.chunks, counts.vectors) == (0, 0, 0)


async def test_both_legs_put_the_fitting_chunk_first(index: SearchIndex) -> None:
    await fill(index, document("lease", "The lease ends in March.", "Rent is due monthly."), document("pump", "The pump needs oil."))
    lexical = await index.search_lexical("default", "When does the lease end?", NONE, 5)
    dense = await index.search_dense("default", vector_of("The lease ends in March."), NONE, 5)
    assert lexical.hits[0].chunk_id == dense[0].chunk_id == document("lease", "").chunks[0].id
    assert dense[0].score == pytest.approx(1.0, abs=2e-3)
    assert [hit.score for hit in dense] == sorted((hit.score for hit in dense), reverse=True)
    assert 0 < lexical.hits[0].score <= lexical.upper_bound
    assert lexical.terms == await index.idf("default", "When does the lease end?")


async def test_words_are_stemmed_folded_and_stop_words_left_out(index: SearchIndex) -> None:
    await fill(index, document("a", "Running the café in Zürich"))
    assert await words(index, "runs") == ["a"]
    assert await words(index, "CAFE ZURICH") == ["a"]
    assert await words(index, "the in") == []
    assert index.terms("What is the Café running?") == ["cafe", "run"]


@pytest.mark.parametrize("question", ["东京", "京", "東京タワー", "서울특별시", "กรุงเทพ"])
async def test_scripts_without_spaces_are_found_inside_a_sentence(index: SearchIndex, question: str) -> None:
    text = {"京": "我住在东京附近。"}.get(question, f"あ{question}い。") if question not in ("东京",) else "我住在东京附近。"
    await fill(index, document("here", text), document("elsewhere", "月曜日 wednesday"))
    assert await words(index, question) == ["here"]


async def test_a_document_is_found_by_what_only_its_title_filename_keywords_or_summary_say(index: SearchIndex) -> None:
    await fill(
        index,
        document("t", "one", attributes=replace(ORDINARY_ATTRIBUTES, title="Halden lease")),
        document("f", "two", attributes=replace(ORDINARY_ATTRIBUTES, paths=("/library/turbine_report.pdf",))),
        document("k", "three", attributes=replace(ORDINARY_ATTRIBUTES, keywords=("hydraulics", "valves"))),
        document("s", "four", attributes=replace(ORDINARY_ATTRIBUTES, summary="Explains pension rules.")),
        document("h", "five", attributes=replace(ORDINARY_ATTRIBUTES, headings="Warranty > Exclusions")),
    )
    found = [await words(index, word) for word in ("halden", "turbine", "valve", "pension", "exclusion")]
    assert found == [["t"], ["f"], ["k"], ["s"], ["h"]]


async def test_the_document_lifts_its_chunks(index: SearchIndex) -> None:
    body = "The notice period is three months."
    await fill(index, document("plain", body), document("titled", body, attributes=replace(ORDINARY_ATTRIBUTES, title="Notice period")))
    assert (await words(index, "notice period"))[0] == "titled"


async def test_the_limit_holds_and_ties_keep_one_order(index: SearchIndex) -> None:
    await fill(index, *[document(f"d{n}", "same text here") for n in range(20)])
    first = await index.search_lexical("default", "same text", NONE, 7)
    again = await index.search_lexical("default", "same text", NONE, 7)
    assert len(first.hits) == 7
    assert first.hits == again.hits
    assert len(await index.search_dense("default", vector_of("same text here"), NONE, 7)) == 7


async def test_vectors_come_back_for_known_chunks_only(index: SearchIndex) -> None:
    one = document("one", "alpha", "beta")
    await fill(index, one)
    ids = [chunk.id for chunk in one.chunks]
    found = await index.vectors("default", [*ids, 999])
    assert set(found) == set(ids)
    np.testing.assert_allclose(found[ids[1]], vector_of("beta"), atol=2e-3)
    assert await index.vectors("stranger", ids) == {}


async def test_a_vector_of_another_model_is_refused(index: SearchIndex) -> None:
    with pytest.raises(InvalidInput):
        await index.search_dense("default", np.ones(DIMENSION + 1, np.float32), NONE, 5)


async def test_many_rows_agree_with_an_exhaustive_search(index: SearchIndex) -> None:
    generator = np.random.default_rng(7)
    matrix = generator.standard_normal((600, DIMENSION)).astype(np.float32)
    matrix /= np.linalg.norm(matrix, axis=1, keepdims=True)
    plain = document("many", *["x"] * 600, first_chunk=1)
    chunks = tuple(replace(chunk, vector=matrix[row]) for row, chunk in enumerate(plain.chunks))
    await fill(index, replace(plain, chunks=chunks[:50]))
    await fill(index, replace(plain, chunks=chunks))
    for query in matrix[:20]:
        expected = np.argsort(-(matrix.astype(np.float16).astype(np.float32) @ query), kind="stable")[:10] + 1
        found = [hit.chunk_id for hit in await index.search_dense("default", query, NONE, 10)]
        assert len(set(found) & set(expected.tolist())) >= 9  # float16 may swap neighbours at the edge
        assert found[0] == expected[0]


# ---------------------------------------------------------------------------------------------------------------------- filters
TEXT = "shared words everywhere"
SPRING_23, SPRING_24, SUMMER_24 = (datetime(year, month, 1, tzinfo=UTC) for year, month in ((2023, 3), (2024, 3), (2024, 6)))
A = DocumentAttributes(paths=("/lib/2023/a.pdf",), file_type=".pdf", doc_type="contract", modified_at=SPRING_23)
B = DocumentAttributes(paths=("/lib/2024/b.pdf", "/copy/b.pdf"), file_type=".pdf", language="de", modified_at=SPRING_24)
C = DocumentAttributes(paths=("/lib/2024/sub/c.md",), file_type=".md", collection="notes", modified_at=None)
D = DocumentAttributes(paths=("/library/d.md",), file_type=".md", language="de", doc_type="contract", modified_at=SUMMER_24)
SET = [document(name, TEXT, attributes=attributes) for name, attributes in zip("abcd", (A, B, C, D), strict=True)]
FILTERS = [
    (Filters(), "abcd"),
    (Filters(collection="notes"), "c"),
    (Filters(collection="absent"), ""),
    (Filters(path_prefix="/lib"), "abc"),
    (Filters(path_prefix="/lib/"), "abc"),
    (Filters(path_prefix="/lib/2024"), "bc"),
    (Filters(path_prefix="/copy"), "b"),
    (Filters(path_prefix="/lib/2024/sub/c.md"), "c"),
    (Filters(path_prefix="/lib/20"), ""),
    (Filters(path_prefix="/"), "abcd"),
    (Filters(file_types=[".pdf"]), "ab"),
    (Filters(file_types=[".PDF", ".md"]), "abcd"),
    (Filters(doc_types=["contract"]), "ad"),
    (Filters(languages=["de"]), "bd"),
    (Filters(document_ids=["a", "d", "zzz"]), "ad"),
    (Filters(document_ids=["zzz"]), ""),
    (Filters(entity_class="Firm", document_ids=["a", "c"]), "ac"),  # a class comes with the documents that mention one of it
    (Filters(modified_after=datetime(2024, 3, 1, tzinfo=UTC)), "bd"),
    (Filters(modified_before=datetime(2024, 3, 1, tzinfo=UTC)), "a"),
    (Filters(modified_after=datetime(2024, 1, 1, tzinfo=UTC), modified_before=datetime(2024, 6, 1, tzinfo=UTC)), "b"),
    (Filters(file_types=[".md"], languages=["de"]), "d"),
    (Filters(path_prefix="/lib", file_types=[".pdf"], languages=["en"], doc_types=["contract"]), "a"),
    (Filters(path_prefix="/lib", modified_after=datetime(2024, 1, 1, tzinfo=UTC)), "b"),
    (Filters(collection="papers", document_ids=["b", "c"], file_types=[".pdf", ".md"]), "b"),
    (Filters(file_types=[".pdf"], languages=["fr"]), ""),
]


async def test_a_class_that_nobody_turned_into_documents_is_refused(index: SearchIndex) -> None:
    await fill(index, *SET)
    for search in (words(index, "shared words", Filters(entity_class="Firm")), near(index, TEXT, Filters(entity_class="Firm", languages=["de"]))):
        with pytest.raises(InvalidInput, match="the class 'Firm'"):
            await search


async def test_filters_mean_the_same_in_both_legs(index: SearchIndex) -> None:
    await fill(index, *SET, document("other", TEXT, attributes=DocumentAttributes(tenant="stranger")))
    for filters, expected in FILTERS:
        assert sorted(await words(index, "shared words", filters)) == list(expected), filters
        assert sorted(await near(index, TEXT, filters)) == list(expected), filters


# ---------------------------------------------------------------------------------------------------------------------- writing
async def test_writes_are_seen_at_the_commit(index: SearchIndex) -> None:
    await index.upsert([document("a", "lease")])
    assert await words(index, "lease") == []
    assert await near(index, "lease") == []
    await index.commit()
    assert await words(index, "lease") == await near(index, "lease") == ["a"]


async def test_an_upsert_replaces_and_is_idempotent(index: SearchIndex) -> None:
    await fill(index, document("a", "old lease", "second"))
    new = document("a", "new contract", first_chunk=50, attributes=replace(ORDINARY_ATTRIBUTES, generation=2))
    for _ in range(3):
        await fill(index, new)
    await index.upsert([new, new])
    await index.commit()
    assert await words(index, "lease") == []
    assert [hit.chunk_id for hit in (await index.search_lexical("default", "contract", NONE, 10)).hits] == [50]
    assert [hit.chunk_id for hit in await index.search_dense("default", vector_of("old lease"), NONE, 10)] == [50]
    assert await index.generations() == {"a": 2}
    counts = await index.counts()
    assert (counts.documents, counts.chunks, counts.vectors) == (1, 1, 1)


async def test_delete_takes_exactly_the_document(index: SearchIndex) -> None:
    await fill(index, document("a", "lease one"), document("b", "lease two"))
    await index.delete("default", ["a", "never-there"])
    assert sorted(await words(index, "lease")) == ["a", "b"]
    await index.commit()
    assert await words(index, "lease") == await near(index, "lease one") == ["b"]
    assert await index.generations() == {"b": 1}
    await index.delete("default", ["a"])
    await index.commit()
    assert (await index.counts()).documents == 1


async def test_the_last_of_several_changes_counts(index: SearchIndex) -> None:
    await index.upsert([document("a", "lease"), document("b", "lease")])
    await index.delete("default", ["a"])
    await index.delete("default", ["b"])
    await index.upsert([document("b", "contract", first_chunk=5)])
    await index.commit()
    assert await words(index, "lease contract") == ["b"]
    assert await near(index, "lease") == ["b"]


async def test_index_and_delete_leave_what_was_never_indexed(index: SearchIndex) -> None:
    kept = [document(f"k{n}", f"lease number {n}", f"contract {n}") for n in range(5)]
    await fill(index, *kept)
    before = [await index.search_dense("default", vector_of("lease number 3"), NONE, 50), set(await words(index, "lease contract"))]
    await fill(index, *[document(f"x{n}", f"lease extra {n}") for n in range(30)])
    await index.delete("default", [f"x{n}" for n in range(30)])
    await index.commit()
    assert [await index.search_dense("default", vector_of("lease number 3"), NONE, 50), set(await words(index, "lease contract"))] == before


async def test_a_document_without_chunks_is_remembered(index: SearchIndex) -> None:
    await fill(index, document("empty"))
    assert await index.generations() == {"empty": 1}
    assert (await index.counts()).chunks == 0


async def test_tenants_do_not_see_or_delete_each_other(index: SearchIndex) -> None:
    other = replace(ORDINARY_ATTRIBUTES, tenant="stranger")
    await fill(index, document("mine", "secret lease"), document("theirs", "secret lease", "secret lease again", attributes=other))
    assert await words(index, "secret") == await near(index, "secret lease") == ["mine"]
    assert await words(index, "secret", tenant="stranger") == await near(index, "secret lease", tenant="stranger") == ["theirs"]
    assert await words(index, "secret", tenant="nobody") == await near(index, "secret lease", tenant="nobody") == []
    assert await words(index, "secret", Filters(document_ids=["theirs"])) == []
    await index.delete("default", ["theirs"])
    await index.commit()
    assert await words(index, "secret", tenant="stranger") == ["theirs"]
    alone = await index.idf("default", "lease")
    assert alone == pytest.approx({"leas": np.log(1 + 0.5 / 1.5)})


async def test_the_languages_of_each_tenants_documents_are_counted(index: SearchIndex) -> None:
    german, unknown, stranger = (
        replace(ORDINARY_ATTRIBUTES, language="de"),
        replace(ORDINARY_ATTRIBUTES, language=""),
        DocumentAttributes(tenant="stranger", language="fr"),
    )
    assert await index.languages("default") == {}
    await index.upsert([document("a", "one", "two"), document("b", "eins", attributes=german), document("empty", attributes=german)])
    assert await index.languages("default") == {}
    await index.commit()
    assert await index.languages("default") == {"en": 1, "de": 2}
    await fill(index, document("n", "42", attributes=unknown), document("f", "un", attributes=stranger))
    assert (await index.languages("default"), await index.languages("stranger")) == ({"en": 1, "de": 2, "": 1}, {"fr": 1})
    assert await index.languages("nobody") == {}
    await fill(index, document("b", "one", attributes=replace(ORDINARY_ATTRIBUTES, generation=2)))  # read again, it is told otherwise
    await fill(index, document("n", "42", attributes=replace(unknown, language="DE")))
    await index.delete("default", ["empty", "f"])
    await index.commit()
    assert (await index.languages("default"), await index.languages("stranger")) == ({"en": 2, "de": 1}, {"fr": 1})
    await index.delete("stranger", ["f"])
    await index.commit()
    assert await index.languages("stranger") == {}


# ---------------------------------------------------------------------------------------------------------------------- bad input
PLANES = "".join(chr((plane << 16) | low) for plane in range(17) for low in (0x41, 0x1234, 0xFFFD))
QUESTIONS = {
    "empty": "",
    "space": " \t\n",
    "punctuation": "\"unbalanced (AND OR NOT) +must -not field:value [a TO b] {x} ^2 ~ * ? \\ / && || ! 'quote",
    "one sign": '"',
    "control": "".join(map(chr, range(32))) + "\x7f\x80\x9f",
    "planes": PLANES,
    "surrogate": "lease \ud800 end",
    "long word": "a" * 200_000,
    "long question": "lease ends " * 18_000,
    "many words": " ".join(f"w{n}" for n in range(30_000)),
    "many signs": "☃" * 60_000,
}


@pytest.mark.parametrize("name", QUESTIONS)
async def test_any_text_may_be_asked_and_indexed(index: SearchIndex, name: str) -> None:
    text = QUESTIONS[name]
    await fill(
        index,
        document("a", "The lease ends in March."),
        document("odd", text, attributes=replace(ORDINARY_ATTRIBUTES, title=text, paths=(f"/x/{text[:99]}",))),
    )
    result = await index.search_lexical("default", text, Filters(), 5)
    assert all(np.isfinite(hit.score) for hit in result.hits)
    assert len(index.terms(text)) == len([term for term in index.terms(text) if term])
    assert (await index.search_lexical("default", "lease", Filters(collection=text, path_prefix=text, document_ids=[text]), 5)).hits == ()


async def test_a_file_name_that_is_no_unicode_can_be_filtered(index: SearchIndex) -> None:
    await fill(index, document("odd", "lease", attributes=replace(ORDINARY_ATTRIBUTES, paths=("/lib/b\udce9.txt",))))
    for leg in (words, near):
        assert await leg(index, "lease", Filters(path_prefix="/lib/b\udce9.txt")) == ["odd"]


# ---------------------------------------------------------------------------------------------------------------------- opening again
async def test_what_was_committed_is_there_after_opening_again(backend: Backend, tmp_path: Path) -> None:
    documents = [document("a", "lease one", "lease two"), document("b", "pump")]
    index = await backend.open(tmp_path)
    await fill(index, *documents)
    await index.upsert([document("late", "lease three")])
    await index.close()
    index = await backend.open(tmp_path)
    assert await index.generations() == ({"a": 1, "b": 1} if backend.keeps_words else {})
    await load(index, *documents)
    assert await index.languages("default") == {"en": 2}
    assert await words(index, "lease") == ["a"]
    assert (await near(index, "pump"))[0] == "b"
    await fill(index, document("a", "Café", attributes=replace(ORDINARY_ATTRIBUTES, generation=2)))
    assert await words(index, "cafe") == ["a"]
    assert await words(index, "lease") == []
    await index.close()


async def test_a_change_that_was_committed_but_not_marked_can_be_brought_again(backend: Backend, tmp_path: Path) -> None:
    index = await backend.open(tmp_path)
    new = document("a", "lease", attributes=replace(ORDINARY_ATTRIBUTES, generation=2))
    await fill(index, document("a", "old", first_chunk=7), document("gone", "lease"))
    await fill(index, new)  # the crash comes here: the truth has not heard of it
    await index.close()
    index = await backend.open(tmp_path)
    await load(index, new)
    await fill(index, new)
    await index.delete("default", ["gone"])
    await index.commit()
    assert await words(index, "lease old") == await near(index, "lease") == ["a"]
    assert len((await index.search_lexical("default", "lease", NONE, 10)).hits) == 1
    assert len(await index.search_dense("default", vector_of("lease"), NONE, 10)) == 1
    await index.close()


async def test_readers_and_the_writer_do_not_disturb_each_other(index: SearchIndex) -> None:
    import anyio

    await fill(index, document("fixed", "lease forever"))
    seen: list[bool] = []

    async def read() -> None:
        for _ in range(40):
            hits = await index.search_dense("default", vector_of("lease forever"), NONE, 3)
            lexical = await index.search_lexical("default", "lease forever", NONE, 3)
            seen.append(hits[0].document_id == lexical.hits[0].document_id == "fixed")

    async def write() -> None:
        for round_ in range(10):
            await fill(index, *[document(f"n{round_}-{n}", f"noise {n}") for n in range(20)])
            await index.delete("default", [f"n{round_}-{n}" for n in range(20)])

    async with anyio.create_task_group() as group:
        group.start_soon(read)
        group.start_soon(write)
    assert all(seen)
    assert len(seen) == 40


def test_every_filter_of_core_is_tested() -> None:
    used = {name for filters, _ in FILTERS for name in filters.model_fields_set}
    assert used == set(Filters.model_fields)
