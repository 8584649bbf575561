"""The multilingual service over a real library and index, with an encoder that needs no model: when it is opened, what it fills, what it says."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, cast

import anyio
import pytest

from composition.multilingual_service import MultilingualDependencies, MultilingualService, multilingual_part
from core.errors import Unavailable
from core.ports import Readiness, SearchIndex, Translation
from core.search import Filters, RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.language_crossing import CrossLanguageSearch
from storage.document_vectors import SqlDocumentVectors, multilingual_store
from tests.support.languages import FakeLanguages, language_guess
from tests.support.multilingual_library import (
    MEANINGS,
    MISSING,
    WAIT,
    MultilingualLibrary,
    T,
    find_documents,
    has_all_vectors,
    hold_after,
    library,
    looks_often,
    wait_for_readiness,
    wait_until_complete,
)
from tests.support.word_encoder import WordEncoder

__all__ = ["library", "looks_often"]


# ------------------------------------------------------------------------------------------------------------------------- when it is opened
async def test_nothing_is_opened_while_all_is_english_and_nobody_asks(library: MultilingualLibrary) -> None:
    await library.write_document("lease", "The deposit is high.")
    await library.write_document("note", "...", "")
    async with library.open_service() as service:
        await anyio.sleep(0.3)
        assert (library.tries, await service.check_readiness(T, start=False), await service.other_languages(T)) == (0, Readiness(), frozenset())
        part = await service.health_part()
        assert (part.name, part.state) == ("other languages", "off")
        with pytest.raises(Unavailable, match="still being opened"):
            await service.embed_query("Kaution")
    assert library.tries == 0
    assert (await multilingual_part(None)).state == "off"


@pytest.mark.parametrize("language", ["cs", "la", ""])
async def test_a_language_that_the_encoder_was_not_made_for_opens_nothing(library: MultilingualLibrary, language: str) -> None:
    await library.write_document("text", "Nájemní smlouva.", language)
    async with library.open_service() as service:
        await anyio.sleep(0.2)
        assert (library.tries, await service.other_languages(T)) == (0, frozenset())


async def test_a_document_in_german_opens_it_and_is_filled_first(library: MultilingualLibrary) -> None:
    await library.write_document("german", "Die Kaution ist hoch.", "de")
    for number in range(20):
        await library.write_document(f"english{number}", f"Deposits are numbered {number}.")
    async with library.open_service() as service:
        await wait_until_complete(service, 21)
        assert "Die Kaution ist hoch." in library.encoder.passages[0]
        assert await service.other_languages(T) == {"de"}
        assert (await service.health_part()).detail.startswith("words/1; 21 of 21 documents")
        assert await find_documents(service, "Die Kaution ist hoch") == [library.ids["german"]]
        assert (await service.health_part()).state == "ok"
    assert library.encoder.closed
    assert library.index.followers == []


async def test_a_command_that_answers_one_question_opens_it_only_for_that(library: MultilingualLibrary) -> None:
    await library.write_document("german", "Die Kaution ist hoch.", "de")
    async with library.open_service(unasked=False) as service:
        await anyio.sleep(0.2)
        assert library.tries == 0
        assert await service.check_readiness(T, start=True) == Readiness(1, 1)


async def test_with_always_it_is_open_from_the_start(library: MultilingualLibrary) -> None:
    await library.write_document("lease", "The deposit is high.")
    async with library.open_service(always=True) as service:
        await wait_until_complete(service, 1)


async def test_what_was_needed_once_is_open_after_a_restart(library: MultilingualLibrary) -> None:
    await library.write_document("lease", "The deposit is high.")
    async with library.open_service() as service:
        assert (await service.check_readiness(T, start=True)).is_complete
    async with library.open_service() as service:
        await wait_until_complete(service, 1)
    assert not any("The deposit is high." in text for text in library.encoder.passages)


# --------------------------------------------------------------------------------------------------------------------------------- asking
async def test_who_asks_waits_until_vectors_and_words_are_there(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._POLL_SECONDS", 60.0)
    monkeypatch.setattr("composition.multilingual_service._PAUSE_SHARE", 60.0)  # the background would take an hour
    for number in range(40):
        await library.write_document(f"lease{number}", f"Part {number} deposit rent pump.")
    async with library.open_service() as service:
        with anyio.fail_after(WAIT / 2):
            assert await service.check_readiness(T, start=True) == Readiness(40, 40)
        assert await service.translate_question(T, "Was ist die Kaution?", "de") == Translation("deposit", 1)
        await library.write_document("other", "Nothing.")
        with anyio.fail_after(WAIT / 2):
            assert await service.check_readiness(T, start=True) == Readiness(41, 41)
        assert await service.translate_question(T, "Was ist die Kaution für 7?", "de") == Translation("deposit 7", 1)


async def test_a_document_without_new_words_keeps_nobody_waiting(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._POLL_SECONDS", 60.0)
    await library.write_document("lease", "deposit rent")
    await library.write_document("note", "pump")
    async with library.open_service() as service:
        assert (await service.check_readiness(T, start=True)).is_complete
        await library.write_document("lease2", "rent and the pump")
        with anyio.fail_after(WAIT / 2):
            assert await service.check_readiness(T, start=True) == Readiness(3, 3)
        assert (await service.translate_question(T, "Was ist die Kaution?", "de")).words == "deposit"


class _Slow:
    """An index that thinks about one thing, the method `slow`, until it is let go."""

    def __init__(self, inner: EmbeddedIndex, slow: str) -> None:
        self._inner, self._slow, self.asked, self.go = inner, slow, asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._inner, name)
        if name != self._slow:
            return found

        async def later(*args: Any) -> Any:
            self.asked.set()
            await self.go.wait()
            return await found(*args)

        return later


async def test_who_asks_while_it_looks_is_not_overlooked(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._POLL_SECONDS", 60.0)
    await library.write_document("lease", "The deposit is high.")
    slow = _Slow(library.index, "all_languages")
    service = MultilingualService(MultilingualDependencies(library.database, library.open_encoder, lambda: cast(SearchIndex, slow), 1_000_000))
    service.start(lambda: False, unasked=True)
    await slow.asked.wait()
    asking = asyncio.create_task(service.check_readiness(T, start=True))
    await anyio.sleep(0.05)
    slow.go.set()
    try:
        with anyio.fail_after(WAIT / 2):
            assert await asking == Readiness(1, 1)
    finally:
        await service.close()


async def test_before_it_is_complete_a_search_says_how_many_are_missing(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service.WAIT_SECONDS", 0.2)
    monkeypatch.setattr("composition.multilingual_service._PAUSE_SHARE", 0.0)
    library.held = True
    for name in ("one", "two", "three"):
        await library.write_document(name, f"Die Kaution von {name}.", "de")
    question = "Wie hoch ist die Kaution von one?"
    request = RetrievalRequest(text=question, tenant=T, strategy=Strategy(name="hybrid", lexical=0.3, dense=0.7))
    async with library.open_service() as service:
        leg = CrossLanguageSearch(FakeLanguages({question: language_guess("de")}), service)
        crossing = await leg.plan_crossing(request)
        assert crossing is not None
        degraded = (await leg.search(request, crossing, 5)).degradation
        assert degraded is not None
        assert (degraded.part, degraded.reason[:37]) == ("multilingual", "3 of 3 documents are not prepared yet")
        hold_after(library.encoder, 1)
        library.encoder.go.set()
        await wait_for_readiness(service, Readiness(1, 3, has_words=False))
        crossing = await leg.plan_crossing(request)
        assert crossing is not None
        assert crossing.words == ""  # of half a vocabulary the nearest word would be a wrong one
        result = await leg.search(request, crossing, 5)
        assert result.degradation is not None
        assert (result.degradation.reason[:37], len(result.hits)) == ("2 of 3 documents are not prepared yet", 1)
        library.encoder.before = lambda _: None
        library.encoder.go.set()
        await wait_until_complete(service, 3)
        crossing = await leg.plan_crossing(request)
        assert crossing is not None
        result = await leg.search(request, crossing, 5)
        assert (result.degradation, len(result.hits)) == (None, 3)


async def test_a_question_that_comes_before_the_words_are_read_says_so(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    """All vectors are there, and no word can be translated yet: "not found" would be a wrong answer if nobody said why."""
    monkeypatch.setattr("composition.multilingual_service.WAIT_SECONDS", 0.5)
    library.held = True
    await library.write_document("lease", "The deposit is high.")
    question = "Wie hoch ist die Kaution?"
    request = RetrievalRequest(text=question, tenant=T, strategy=Strategy(name="hybrid", lexical=0.3, dense=0.7))
    async with library.open_service() as service:
        leg = CrossLanguageSearch(FakeLanguages({question: language_guess("de")}), service)
        await leg.plan_crossing(request)  # opens it
        hold_after(library.encoder, 1)  # the document, and not its words
        library.encoder.go.set()
        await wait_for_readiness(service, Readiness(1, 1, has_words=False))
        crossing = await leg.plan_crossing(request)
        assert crossing is not None
        degraded = (await leg.search(request, crossing, 5)).degradation
        assert degraded is not None
        assert degraded.reason.startswith("The library's words are still being read")
        library.encoder.before = lambda _: None
        library.encoder.go.set()
        await wait_until_complete(service, 1)
        crossing = await leg.plan_crossing(request)
        assert crossing is not None
        assert (crossing.words, (await leg.search(request, crossing, 5)).degradation) == ("deposit", None)


async def test_tenants_are_counted_and_searched_apart(library: MultilingualLibrary) -> None:
    mine, theirs = await library.write_document("mine", "Die Kaution."), await library.write_document("theirs", "Die Kaution.", "de", "stranger")
    async with library.open_service() as service:
        assert await service.check_readiness(T, start=True) == Readiness(1, 1)
        await wait_until_complete(service, 1, "stranger")
        assert (await service.check_readiness("nobody", start=True)) == Readiness(0, 0)
        assert await service.other_languages(T) == frozenset()
        assert await service.other_languages("stranger") == {"de"}
        assert (await find_documents(service, "Die Kaution"), await find_documents(service, "Die Kaution", "stranger")) == ([mine], [theirs])
        chunks = (await library.writer.indexed_documents("stranger", [theirs]))[0].chunks
        vector = await service.embed_query("Die Kaution")
        assert await service.cosines(T, vector, [chunk.id for chunk in chunks]) == {}
        assert len(await service.cosines("stranger", vector, [chunk.id for chunk in chunks])) == 1
        assert "2 of 2" in (await service.health_part()).detail


# --------------------------------------------------------------------------------------------------------------- what changes meanwhile
async def test_documents_are_counted_again_only_where_something_was_written(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    counts, asked = SqlDocumentVectors.counts, list[int]()

    async def counted(store: SqlDocumentVectors) -> tuple[int, int]:
        asked.append(1)
        return await counts(store)

    await library.write_document("german", "Die Kaution ist hoch.", "de")
    async with library.open_service() as service:
        await wait_until_complete(service, 1)
        monkeypatch.setattr(SqlDocumentVectors, "counts", counted)
        assert [await service.check_readiness(T, start=True) for _ in range(5)] == [Readiness(1, 1)] * 5
        assert len(asked) <= 1
        await library.write_document("another", "Die Miete ist hoch.", "de")
        await wait_until_complete(service, 2)
        assert await service.check_readiness(T, start=True) == Readiness(2, 2)


async def test_documents_that_change_go_and_move_while_it_fills(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._PAUSE_SHARE", 0.0)
    library.held = True
    for name in ("changed", "deleted", "renamed", "kept"):
        await library.write_document(name, f"Die Kaution {name}.", "de")
    async with library.open_service() as service:
        with anyio.fail_after(10):
            while not library.encoders:  # noqa: ASYNC110
                await anyio.sleep(0.01)
        hold_after(library.encoder, 2)
        library.encoder.go.set()
        await wait_for_readiness(service, Readiness(2, 4, has_words=False))  # two are there, one is being encoded, one waits: whichever they are
        await library.write_document("changed", "Jetzt ganz anderer Text.", "de")
        await library.delete_document("deleted")
        await library.rename_document("renamed", "moved")
        library.encoder.before = lambda _: None
        library.encoder.go.set()
        await wait_until_complete(service, 3)
        assert await find_documents(service, "Jetzt ganz anderer Text") == [library.ids["changed"]]
        assert await find_documents(service, "Die Kaution renamed") != []
        assert await find_documents(service, "Die Kaution changed", filters=Filters(document_ids=[library.ids["changed"]])) == []
        assert (await find_documents(service, "Die Kaution kept"))[0] == library.ids["kept"]
        assert {each.document_id for each in await multilingual_store(library.database, "words/1").list_filled()} == set(library.ids.values())
        assert await has_all_vectors(library, service)
        await library.write_document("late", "Die Pumpe.", "de")
        await library.rename_document("late", "later")
        await wait_until_complete(service, 4)
        assert await has_all_vectors(library, service)
        assert await find_documents(service, "Die pump") == [library.ids["later"]]


async def test_closed_in_the_middle_it_goes_on_where_it_was(library: MultilingualLibrary) -> None:
    names = [f"text{number}" for number in range(6)]
    for name in names:
        await library.write_document(name, f"Die Kaution {name}.", "de")
    library.held = True
    async with library.open_service() as service:
        await wait_for_readiness(service, Readiness(0, 6, has_words=False))
        hold_after(library.encoder, 2)
        library.encoder.go.set()
        await wait_for_readiness(service, Readiness(2, 6, has_words=False))
    first, library.held = library.encoder, False
    assert first.closed
    async with library.open_service() as service:
        await wait_until_complete(service, 6)
        assert await find_documents(service, "Die Kaution text1") != []
        assert await has_all_vectors(library, service)
        assert (await service.check_readiness(T, start=True)).is_complete
        assert (await service.translate_question(T, "Was ist text1 text2?", "de")).words == ""  # no word of letters alone
    texts = [[text for text in encoder.passages if "Die Kaution" in text] for encoder in library.encoders]
    assert [len(each) for each in texts] == [2, 4]
    assert not set(texts[0]) & set(texts[1])
    async with library.open_service() as service:
        await wait_until_complete(service, 6)
    assert not any("Die Kaution" in text for text in library.encoder.passages)


async def test_vectors_of_another_version_of_the_encoder_are_made_anew(library: MultilingualLibrary) -> None:
    await library.write_document("german", "Die Kaution.", "de")
    async with library.open_service() as service:
        await wait_until_complete(service, 1)
    other = WordEncoder(MEANINGS, "words/2")
    service = MultilingualService(MultilingualDependencies(library.database, lambda: other, lambda: library.index, 1_000_000))
    service.start(lambda: False, unasked=True)
    await wait_until_complete(service, 1)
    await service.close()
    assert await multilingual_store(library.database, "words/1").list_filled() == []
    assert any("Die Kaution." in text for text in other.passages)


# --------------------------------------------------------------------------------------------------------------------------- what fails
async def test_an_encoder_that_cannot_be_opened_is_named_and_tried_again(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    library.missing = MISSING
    await library.write_document("german", "Die Kaution.", "de")
    async with library.open_service() as service:
        assert await service.check_readiness(T, start=True) == Readiness(problem=MISSING)
        part = await service.health_part()
        assert (part.state, part.detail) == ("degraded", MISSING)
        with pytest.raises(Unavailable, match="pip install"):
            await service.embed_query("Kaution")
        monkeypatch.setattr("composition.multilingual_service._RETRY_SECONDS", 0.05)
        await service.check_readiness(T, start=True)  # who asks has it tried again
        tries = library.tries
        with anyio.fail_after(WAIT / 2):
            while library.tries <= tries:  # noqa: ASYNC110  (it tells nobody)
                await anyio.sleep(0.01)
        library.missing = ""
        await wait_until_complete(service, 1)
        assert (await service.health_part()).state == "ok"


async def test_a_problem_that_comes_up_while_documents_are_counted_is_named(library: MultilingualLibrary) -> None:
    library.missing = MISSING
    await library.write_document("german", "Die Kaution.", "de")
    slow = _Slow(library.index, "languages")
    service = MultilingualService(MultilingualDependencies(library.database, library.open_encoder, lambda: cast(SearchIndex, slow), 1_000_000))
    service.start(lambda: False, unasked=False)
    asking = asyncio.create_task(service.check_readiness(T, start=True))
    try:
        with anyio.fail_after(30):
            await slow.asked.wait()
            while (await service.health_part()).state != "degraded":  # noqa: ASYNC110  (it tells nobody)
                await anyio.sleep(0.01)
            slow.go.set()
            assert await asking == Readiness(problem=MISSING)
    finally:
        await service.close()


async def test_an_encoder_that_fails_in_between_goes_on_when_it_works_again(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._RETRY_SECONDS", 0.05)
    await library.write_document("german", "Die Kaution.", "de")
    async with library.open_service() as service:
        await wait_until_complete(service, 1)
        library.encoder.spoilt = "The network broke."
        await library.write_document("second", "Die Miete.", "de")
        await wait_for_readiness(service, Readiness(problem="The network broke."))
        assert (await service.health_part()).state == "degraded"
        library.encoder.spoilt = ""
        await wait_until_complete(service, 2)
    assert library.tries == 1


async def test_a_store_that_fails_while_it_is_opened_leaves_nothing_behind(library: MultilingualLibrary, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("composition.multilingual_service._RETRY_SECONDS", 0.05)
    failing = [True, True]

    async def filled(self: Any) -> AsyncIterator[Any]:
        if failing:
            failing.pop()
            raise Unavailable("The disk is away.")
        nothing: list[Any] = []
        for each in nothing:
            yield each

    monkeypatch.setattr("storage.document_vectors.SqlDocumentVectors.iterate_vectors", filled)
    await library.write_document("german", "Die Kaution.", "de")
    async with library.open_service() as service:
        await wait_until_complete(service, 1)
        assert [encoder.closed for encoder in library.encoders] == [True, True, False]
        assert len(library.index.followers) == 1
