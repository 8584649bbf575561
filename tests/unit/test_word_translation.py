"""A question's words in those of the library: the nearest ones, what stays as it is, and that no tenant reads another's words."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.ports import Translation
from retrieval import word_translation
from retrieval.embedded_index import EmbeddedIndex
from retrieval.word_translation import CLOSE, MOST, NEAR, NEARBY, SURELY, TRANSLATIONS, WordTranslator, topic_words, translate_question, translations
from tests.support.indexes import DIMENSION, DocumentAttributes, document
from tests.support.word_encoder import WordEncoder, leaning_direction

MEANINGS = {"Kaution": "deposit", "Miete": "rent", "miete": "rent", "Mietvertrag": "lease", "Kran": "crane", "Angebot": "quotation"}
LEASE = "The deposit is held by the agent. The rent is due on the lease. The crane lifts. See the quotation."


async def learned(*texts: str, meanings: Mapping[str, str | NDArray[np.float32]] | None = None, most: int = MOST) -> WordTranslator:
    translator = WordTranslator(WordEncoder(MEANINGS if meanings is None else meanings), most)
    await translator.learn_texts(texts)
    while await translator.encode_learned():
        pass
    return translator


async def told(translator: WordTranslator, word: str) -> list[str]:
    return translations(word.lower(), (await translator.nearest_words([word])).get(word, []))


@pytest.fixture
async def index(tmp_path: Path) -> AsyncIterator[EmbeddedIndex]:
    opened = await EmbeddedIndex.open(tmp_path / "index", dimension=DIMENSION, document_weight=0.3, faiss_above=1_000_000)
    yield opened
    await opened.close()


async def put(index: EmbeddedIndex, texts: Mapping[str, Sequence[str]]) -> None:
    """Tenant -> texts, each a document. A document of other words stands beside them: a word that is in every passage tells nothing."""
    for tenant, own in texts.items():
        for number, text in enumerate([*own, "Something else altogether."]):
            await index.upsert([document(f"{tenant}{number}", text, attributes=DocumentAttributes(tenant=tenant))])
    await index.commit()


# ------------------------------------------------------------------------------------------------------------------------ nearest words
async def test_a_word_is_told_by_the_nearest_that_was_learned() -> None:
    translator = await learned(LEASE)
    assert [await told(translator, word) for word in ("Kaution", "Miete", "Kran")] == [["deposit"], ["rent"], ["crane"]]
    found = await translator.nearest_words(["Kaution", "Zebra", "Miete"])
    assert list(found) == ["Kaution", "Miete"]  # nothing is near to a zebra
    word, cosine = found["Kaution"][0]
    assert (word, cosine > 0.99) == ("deposit", True)


async def test_a_noun_is_found_as_people_type_it() -> None:
    translator = await learned(LEASE)  # the encoder knows "Kaution" and not "kaution"
    assert await told(translator, "kaution") == ["deposit"]
    assert await told(translator, "KAUTION") == []  # an abbreviation, perhaps: no other form of it is tried


async def test_what_was_learned_stays_itself() -> None:
    translator = await learned("The Kaution and the deposit.")
    assert await told(translator, "kaution") == ["kaution", "deposit"]
    assert await told(translator, "deposit") == ["deposit"]
    assert (await learned("Lease."))._words == ["lease"]


@pytest.mark.parametrize(("cosine", "is_told"), [(NEAR - 0.02, False), (NEAR + 0.02, True)])
async def test_how_near_a_translation_must_be(cosine: float, is_told: bool) -> None:
    translator = await learned("deposit", meanings={"Pfand": leaning_direction("Pfand", "deposit", cosine)})
    assert await told(translator, "Pfand") == (["deposit"] if is_told else [])


@pytest.mark.parametrize(("cosine", "is_told"), [(NEAR + 0.02, False), (SURELY - 0.02, False), (SURELY + 0.02, True)])
async def test_a_word_that_the_library_has_needs_a_nearer_one(cosine: float, is_told: bool) -> None:
    vector = leaning_direction("pfand", "deposit", cosine)
    translator = await learned("deposit pfand", meanings={"pfand": vector, "Pfand": vector})
    assert await told(translator, "pfand") == ["pfand", *(["deposit"] if is_told else [])]


def test_several_are_told_where_they_are_as_near_as_the_first() -> None:
    assert translations("pfand", [("deposit", 0.9), ("pledge", 0.9 - CLOSE + 0.01), ("bottle", 0.9 - CLOSE - 0.01)]) == ["deposit", "pledge"]
    assert translations("pfand", [("a", 0.9), ("b", 0.9), ("c", 0.9)]) == ["a", "b"]
    assert len(translations("pfand", [(each, 0.8) for each in "abcdef"])) == TRANSLATIONS
    assert translations("pfand", [("pfand", 1.0), ("a", 0.9), ("b", 0.89), ("c", 0.88)]) == ["pfand", "a", "b"]
    assert translations("pfand", []) == []


@given(st.lists(st.tuples(st.text("abc", min_size=1, max_size=3), st.floats(NEAR, 1)), max_size=NEARBY, unique_by=lambda each: each[0]))
def test_what_is_told_is_always_of_what_is_near(near: list[tuple[str, float]]) -> None:
    near = sorted(near, key=lambda each: -each[1])
    found = translations("abc", near)
    others = [each for each in found if each != "abc"]
    assert set(found) <= {each for each, _ in near}
    assert len(found) == len(set(found))
    assert len(others) <= TRANSLATIONS
    assert ("abc" in found) == any(each == "abc" for each, _ in near)
    assert others == [each for each, _ in near if each in others]


async def test_an_empty_vocabulary_tells_nothing_and_asks_nobody(index: EmbeddedIndex) -> None:
    encoder = WordEncoder(MEANINGS)
    translator = WordTranslator(encoder)
    assert (len(translator), await translator.encode_learned()) == (0, 0)
    assert await translator.nearest_words(["Kaution"]) == {}
    assert await translate_question(translator, index, "default", "Wie hoch ist die Kaution?", "de") == Translation()
    assert encoder.calls == []
    assert await (await learned(LEASE)).nearest_words([]) == {}


# --------------------------------------------------------------------------------------------------------------------- the vocabulary
async def test_it_settles_in_slices_until_nothing_is_left() -> None:
    encoder = WordEncoder()
    translator = WordTranslator(encoder)
    words = [f"w{letter}{other}x" for letter in "abcdefghijklmno" for other in "abcdefghij"]
    await translator.learn_texts([" ".join(words)])
    slices = [await translator.encode_learned() for _ in range(4)]
    assert (slices, encoder.calls, len(translator)) == ([64, 64, 22, 0], [64, 64, 22], 150)
    await translator.learn_texts(["fresh " + words[0]])
    assert [await translator.encode_learned() for _ in range(2)] == [1, 0]
    assert encoder.passages.count(words[0]) == 1


async def test_the_most_frequent_words_are_kept_each_counted_once_a_text() -> None:
    texts = ["common rare rare rare rare", "common crane", "common crane"]
    translator = await learned(*texts, most=2)
    assert translator._words == ["common", "crane"]
    await translator.learn_texts(["new " * 3] * 10)
    assert await translator.encode_learned() == 0  # it is full


async def test_what_is_no_word_or_tells_nothing_is_not_learned() -> None:
    translator = await learned("The of ab x1y 2024 snake_case " + "l" * 31 + " Straße 賃貸契約 don't")
    assert set(translator._words) == {"snake", "case", "straße", "賃貸契約"}


async def test_beyond_a_bound_words_that_were_seen_once_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_translation, "COUNTED", 20)
    translator = WordTranslator(WordEncoder())
    await translator.learn_texts(["lease crane", "lease crane"])
    await translator.learn_texts([" ".join(f"once{letter}" for letter in "abcdefghijklmnopqrst")])
    while await translator.encode_learned():
        pass
    assert sorted(translator._words) == ["crane", "lease"]


# -------------------------------------------------------------------------------------------------------------------- telling words
def test_function_words_and_quotations_are_left_out() -> None:
    assert topic_words("Wie hoch ist die Kaution für Quay 7?", "de") == ["Kaution", "Quay"]
    assert topic_words("¿Cuál es el importe del depósito de Quay 7?", "es") == ["importe", "depósito", "Quay"]
    assert topic_words("Wer hat „the deposit“ bezahlt?", "de") == ["bezahlt"]
    assert topic_words("Kaution Kaution kaution", "de") == ["Kaution", "kaution"]
    assert topic_words("die war was", "en") != topic_words("die war was", "de")
    assert topic_words("", "de") == topic_words("?! 7 🙂", "de") == []


# ------------------------------------------------------------------------------------------------------------------------ a question
async def test_a_question_is_told_in_the_librarys_words_with_its_numbers(index: EmbeddedIndex) -> None:
    await put(index, {"default": [LEASE, "Quay is a place."]})
    translator = await learned(LEASE, "Quay is a place.")
    assert await translate_question(translator, index, "default", "Wie hoch ist die Kaution für Quay 7?", "de") == Translation("deposit quay 7", 1)
    found = await translate_question(translator, index, "default", "Was kostet Kran C2 im Angebot Q-20417 vom 31.03.2026 (1,5 t)?", "de")
    assert found == Translation("crane quotation C2 Q-20417 31.03.2026 1,5", 2)
    assert await translate_question(translator, index, "default", "Wo schlafen Zebras 7?", "de") == Translation()
    assert await translate_question(translator, index, "nobody", "Wie hoch ist die Kaution?", "de") == Translation()


async def test_a_word_of_the_library_counts_as_itself_and_not_as_translated(index: EmbeddedIndex) -> None:
    await put(index, {"default": ["Die Kaution ist hoch.", LEASE]})
    translator = await learned("Die Kaution ist hoch.", LEASE)
    assert await translate_question(translator, index, "default", "Wo steht die Kaution?", "de") == Translation("kaution deposit", 0)


async def test_no_word_of_another_tenant_is_told(index: EmbeddedIndex) -> None:
    secret = "The escrow of Nightjar."
    await put(index, {"mine": [LEASE], "theirs": [secret]})
    meanings = MEANINGS | {"Treuhand": "escrow", "Nachtschwalbe": "nightjar"}
    translator = await learned(LEASE, secret, meanings=meanings)
    question = "Wie hoch sind Treuhand, Nachtschwalbe und Kaution?"
    assert await translate_question(translator, index, "theirs", question, "de") == Translation("escrow nightjar", 2)
    assert await translate_question(translator, index, "mine", question, "de") == Translation("deposit", 1)
    assert await translate_question(translator, index, "mine", "Treuhand Nachtschwalbe escrow", "de") == Translation()


async def test_another_tenants_words_take_no_place_from_ones_own(index: EmbeddedIndex) -> None:
    """The stranger's library is in German and has nearer words than "deposit", the question's own among them."""
    theirs = "Die Kaution, Mietkaution, Kautionen, Sicherheit und Kautionssumme."
    near = {word: leaning_direction(word, "Kaution", 0.95) for word in ("mietkaution", "kautionen", "sicherheit", "kautionssumme")}
    meanings: dict[str, str | NDArray[np.float32]] = {**near, "kaution": "Kaution", "deposit": leaning_direction("deposit", "Kaution", 0.6)}
    await put(index, {"mine": [LEASE], "theirs": [theirs]})
    translator = await learned(LEASE, theirs, meanings=meanings)
    assert await translate_question(translator, index, "mine", "Wie hoch ist die Kaution?", "de") == Translation("deposit", 1)
    found = await translate_question(translator, index, "theirs", "Wie hoch ist die Kaution?", "de")
    assert found.words.split()[0] == "kaution"
    assert "deposit" not in found.words


async def test_words_of_a_deleted_document_are_told_no_longer(index: EmbeddedIndex) -> None:
    await put(index, {"default": [LEASE, "Quay is a place."], "theirs": [LEASE]})
    translator = await learned(LEASE)
    assert (await translate_question(translator, index, "default", "Kaution und Miete", "de")).translated_words == 2
    await index.delete("default", ["default0"])
    await index.commit()
    assert await translate_question(translator, index, "default", "Kaution und Miete", "de") == Translation()


@pytest.mark.parametrize("text", ["水" * 20_000, "a" * 20_000, "a-" * 10_000, "ab1-" * 5_000, "Kaution 7 " * 2_000])
async def test_a_long_text_holds_nobody_up(index: EmbeddedIndex, text: str) -> None:
    """The loop is not stopped for seconds: the pattern of numbers went through a text without spaces once for each letter."""
    await put(index, {"default": [LEASE]})
    translator = await learned(LEASE)
    began = time.process_time()
    await translate_question(translator, index, "default", text, "de")
    assert time.process_time() - began < 2.0  # 6 s before; some ms now


PIECES = ["Kaution", "C2", "'", "Q-1", "die", "🙂", "\x00", '"', "ﬁ", "\ud800", "*:^", "AND"]
TYPED = st.text(max_size=80) | st.text(st.characters(), max_size=40) | st.lists(st.sampled_from(PIECES), max_size=12).map(" ".join)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TYPED, language=st.sampled_from(["de", "zh", "", "xx"]))
def test_any_text_is_told_or_not_but_never_fails(tmp_path: Path, text: str, language: str) -> None:
    asyncio.run(_told_of(tmp_path / "any", text, language))


async def _told_of(folder: Path, text: str, language: str) -> None:
    fresh = not await asyncio.to_thread(folder.exists)
    index = await EmbeddedIndex.open(folder, dimension=DIMENSION, document_weight=0.3, faiss_above=1_000_000)
    try:
        if fresh:
            await put(index, {"default": [LEASE], "theirs": ["Nightjar."]})
        translator = await learned(LEASE, "Nightjar.")
        found = await translate_question(translator, index, "default", text, language)
    finally:
        await index.close()
    assert found.translated_words <= len(found.words.split())
    assert "nightjar" not in found.words


async def test_a_chinese_question_is_told_word_by_word(index: EmbeddedIndex) -> None:
    meanings = {"押金": "deposit", "码头": "quay", "起重机": "crane"}
    await put(index, {"default": [LEASE, "Quay is a place."]})
    translator = await learned(LEASE, "Quay is a place.", meanings=meanings)
    assert await translate_question(translator, index, "default", "2026年码头的押金是多少？", "zh") == Translation("quay deposit 2026", 2)
    assert await translate_question(translator, index, "default", "什么时候？", "zh") == Translation()


async def test_a_chinese_library_is_searched_for_the_run_as_it_stands(index: EmbeddedIndex) -> None:
    text = "押金由代理人保管"
    await put(index, {"default": [text]})
    found = await translate_question(await learned(text, meanings={"押金": "押金"}), index, "default", text, "zh")
    assert found.words.split()[0] == text
