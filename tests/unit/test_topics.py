"""Documents about a topic in other words: by a translation's words, by meaning, across languages; never by a passage of a few words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from composition.question_translation import translate_topic
from core.documents import BlockKind, StoredChunk
from core.errors import Unavailable
from core.ports import Hit, Mention, Mentions, Readiness
from core.search import Filters
from retrieval.topic_search import NEAR_COSINE, TopicSearch
from tests.support.languages import ENGLISH, FakeLanguages, language_guess
from tests.support.word_encoder import WordEncoder

LONG = "about the towers and walls of a place on a hill"


class _Index:
    """`search_dense` and `search` give these hits, whatever is asked; `asked` lists the filters."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self.hits = tuple(hits)
        self.asked: list[Filters] = []

    async def search_dense(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        self.asked.append(filters)
        return self.hits[:limit]


class _Library:
    def __init__(self, texts: dict[int, str]) -> None:
        self.texts = texts

    async def chunks(self, tenant: str, chunk_ids: Sequence[int]) -> dict[int, StoredChunk]:
        return {number: _chunk(number, self.texts[number]) for number in chunk_ids if number in self.texts}


def _chunk(number: int, text: str) -> StoredChunk:
    place: dict[str, object] = {"start": number * 100, "end": number * 100 + len(text), "page": None, "section": [], "kind": BlockKind.PARAGRAPH}
    return StoredChunk.model_validate(
        {"id": number, "document_id": "", "generation": 1, "ordinal": 0, "tokens": 9, "prefix": "", "text": text, **place}
    )


class _Mentions:
    def __init__(self, known: dict[str, dict[str, Mention]]) -> None:
        self.known = known
        self.asked: list[str] = []

    async def find_mentions(self, tenant: str, words: str, filters: Filters, *, together: bool) -> Mentions:
        self.asked.append(words)
        return Mentions(self.known.get(words, {}), is_complete=True)


class _Multilingual:
    def __init__(self, hits: Sequence[Hit] = (), *, filled: int = 1, broken: bool = False) -> None:
        self.hits, self.filled, self.broken = tuple(hits), filled, broken

    async def check_readiness(self, tenant: str, *, start: bool) -> Readiness:
        return Readiness(self.filled, 1)

    async def embed_query(self, text: str) -> NDArray[np.float32]:
        if self.broken:
            raise Unavailable("The encoder is gone.")
        return np.zeros(4, np.float32)

    async def search(self, tenant: str, vector: NDArray[np.float32], filters: Filters, limit: int) -> tuple[Hit, ...]:
        return self.hits


def search(hits: Sequence[Hit], texts: dict[int, str], **parts: object) -> TopicSearch:
    languages, multilingual = parts.get("languages", FakeLanguages({}, ENGLISH)), parts.get("multilingual", _Multilingual())
    return TopicSearch(
        _Index(hits),  # type: ignore[arg-type] # only what is searched by
        _Library(texts),  # type: ignore[arg-type]
        WordEncoder(),  # type: ignore[arg-type]
        parts.get("mentions", _Mentions({})),  # type: ignore[arg-type]
        translate_topic,
        (languages, multilingual),  # type: ignore[arg-type]
    )


async def test_documents_whose_passages_lie_near_the_topic_are_found_with_their_nearest_passage() -> None:
    hits = [Hit(1, "castle", NEAR_COSINE + 0.2), Hit(2, "castle", NEAR_COSINE + 0.1), Hit(3, "hall", NEAR_COSINE), Hit(4, "mail", NEAR_COSINE - 0.01)]
    found = await search(hits, dict.fromkeys((1, 2, 3, 4), LONG)).find_near("t", "fortresses", Filters(), question="files about fortresses")
    assert found.words == ""
    assert found.mentions == {
        "castle": Mention("castle", 2, 100, 100 + len(LONG), is_near=True),
        "hall": Mention("hall", 1, 300, 300 + len(LONG), is_near=True),
    }


async def test_a_passage_of_a_few_words_is_about_nothing_and_one_that_went_is_left_out() -> None:
    found = await search([Hit(1, "logo", 0.9), Hit(9, "gone", 0.9)], {1: "Google"}).find_near("t", "ducks", Filters(), question="files about ducks")
    assert found.mentions == {}


@pytest.mark.parametrize("topic", ["", "one two three four five six seven eight nine ten eleven twelve thirteen"])
async def test_a_topic_without_words_or_with_a_whole_question_is_not_looked_for(topic: str) -> None:
    found = await search([Hit(1, "castle", 0.9)], {1: LONG}).find_near("t", topic, Filters(), question=topic)
    assert found.mentions == {}


async def test_a_german_topic_is_looked_for_by_its_english_words_and_by_their_meaning_where_these_stand_nowhere() -> None:
    question = "Welche Dateien handeln von Burgen und Brücken?"
    german = FakeLanguages({question: language_guess("de")})
    ducks = {"pond": Mention("pond", 1, 0, 9)}
    mentions = _Mentions({"ducks": ducks})
    parts = search([Hit(1, "farm", 0.8)], {1: LONG}, languages=german, mentions=mentions)
    by_words = await parts.find_near("t", "Enten", Filters(), question=question)
    assert (by_words.words, by_words.mentions) == ("ducks", ducks)
    by_meaning = await parts.find_near("t", "Gänse", Filters(), question=question)
    assert (by_meaning.words, list(by_meaning.mentions)) == ("", ["farm"])
    assert mentions.asked[-1] != "Gänse"


async def test_a_topic_that_the_list_of_words_lacks_is_compared_by_the_multilingual_encoder() -> None:
    question = "documents sur les châteaux forts"
    texts = {1: LONG, 2: LONG}
    french = FakeLanguages({question: language_guess("fr")})
    parts = search([Hit(1, "farm", 0.9)], texts, languages=french, multilingual=_Multilingual([Hit(2, "castle", NEAR_COSINE)]))
    assert list((await parts.find_near("t", "châteaux forts", Filters(), question=question)).mentions) == ["castle"]
    unready = search([Hit(1, "farm", 0.9)], texts, languages=french, multilingual=_Multilingual([Hit(2, "castle", NEAR_COSINE)], filled=0))
    assert (await unready.find_near("t", "châteaux forts", Filters(), question=question)).mentions == {}
    broken = search([Hit(1, "farm", 0.9)], texts, languages=french, multilingual=_Multilingual(broken=True))
    assert (await broken.find_near("t", "châteaux forts", Filters(), question=question)).mentions == {}


def test_a_topic_is_put_into_english_by_the_list_alone() -> None:
    assert translate_topic("Enten", "de") == "ducks"
    assert translate_topic("Flurbereinigung", "de") == ""
    assert translate_topic("canards", "fr") == ""
