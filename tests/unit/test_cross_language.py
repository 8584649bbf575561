"""The leg across languages in the retriever: what it replaces, what it leaves alone, and what happens while it cannot be used."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import Unavailable
from core.language.language_clues import LanguageGuess
from core.ports import IndexedDocument, Translation
from core.search import Filters, Retrieval, RetrievalRequest, Strategy
from retrieval.embedded_index import EmbeddedIndex
from retrieval.language_crossing import CrossLanguageSearch
from retrieval.retriever import HybridRetriever
from settings import SearchSettings
from tests.support.embedding import WordEmbedder
from tests.support.indexes import BACKENDS, ORDINARY_ATTRIBUTES, FailingIndex, chunk_library, document, vector_of
from tests.support.languages import UNKNOWN, FakeLanguages, FakeMultilingual, language_guess, translate_words

GERMAN = replace(ORDINARY_ATTRIBUTES, language="de")
HYBRID = Strategy(name="hybrid", lexical=0.4, dense=0.6, min_score=0.0)
WORDS_ALONE = Strategy(name="precise", lexical=1.0, dense=0.0, min_score=0.0)
LEASE = document("lease", "The lease ends in March.", first_chunk=1)
PUMP = document("pump", "The Kestrel pump needs oil.", "The pump is red.", first_chunk=20)
VERTRAG = document("vertrag", "Der Mietvertrag endet im Mai.", first_chunk=30, attributes=GERMAN)
BAIL = document("bail", "Le bail finit en mars.", first_chunk=40, attributes=replace(ORDINARY_ATTRIBUTES, language="fr"))
ENGLISH_LIBRARY = [LEASE, PUMP]
MIXED_LIBRARY = [LEASE, PUMP, VERTRAG, BAIL]
Make = Callable[..., Any]
ASKED = "When does the lease end?"
GEFRAGT = "Endet der Mietvertrag im Mai, Kestrel?"
IN_GERMAN = {GEFRAGT: language_guess("de")}


class Setting:
    """A retriever with the leg (`crossing`), one without (`plain`), and what stands behind the leg."""

    def __init__(self, index: EmbeddedIndex, documents: Sequence[IndexedDocument], told: dict[str, LanguageGuess], options: dict[str, Any]) -> None:
        self.languages, self.multilingual = FakeLanguages(told), FakeMultilingual(documents)
        self.index: Any = index
        self._documents, self._options = documents, options
        self.plain = self._retriever(None)
        self.crossing = self._retriever(CrossLanguageSearch(self.languages, self.multilingual))

    def _retriever(self, leg: CrossLanguageSearch | None) -> HybridRetriever:
        return HybridRetriever(self.index, chunk_library(self._documents), WordEmbedder(), None, SearchSettings(**self._options), cross_language=leg)

    def without(self, *failing: str) -> HybridRetriever:
        """The one with the leg, of whose index the other legs fail."""
        self.index = FailingIndex(self.index, failing)
        return self._retriever(CrossLanguageSearch(self.languages, self.multilingual))


@pytest.fixture
async def make(tmp_path: Path) -> AsyncIterator[Make]:
    opened: list[EmbeddedIndex] = []

    async def build(documents: Sequence[IndexedDocument], told: dict[str, LanguageGuess] | None = None, **options: Any) -> Setting:
        index = await filled(tmp_path / str(len(opened)), documents)
        opened.append(index)
        return Setting(index, documents, told or {}, options)

    yield build
    for index in opened:
        await index.close()


async def filled(folder: Path, documents: Sequence[IndexedDocument]) -> EmbeddedIndex:
    index = await BACKENDS[0].open(folder)
    assert isinstance(index, EmbeddedIndex)
    await index.upsert(documents)
    await index.commit()
    return index


def ask(text: str = ASKED, **changes: Any) -> RetrievalRequest:
    return RetrievalRequest(**{"text": text, "strategy": HYBRID, **changes})


def timeless(found: Retrieval, *, besides: str = "") -> Retrieval:
    """Without what differs from one time to the next, and without the report of one stage."""
    reports = [report.model_copy(update={"duration_ms": 0.0}) for report in found.reports if report.stage != besides]
    return found.model_copy(update={"reports": reports})


def cosines(found: Retrieval, stage: str) -> dict[int, float]:
    return {candidate.chunk_id: candidate.stages[stage].score for candidate in found.candidates if stage in candidate.stages}


def across(text: str, documents: Sequence[IndexedDocument]) -> dict[int, float]:
    """The fake encoder's cosine of each chunk."""
    return {chunk.id: float(vector_of(translate_words(text)) @ vector_of(translate_words(chunk.text))) for each in documents for chunk in each.chunks}


def within(text: str, documents: Sequence[IndexedDocument]) -> dict[int, float]:
    """The embedding model's."""
    return {chunk.id: float(vector_of(text) @ vector_of(chunk.text)) for each in documents for chunk in each.chunks}


async def recipe(setting: Setting, text: str, meaning: dict[int, float]) -> dict[int, float]:
    """The fused scores by hand."""
    lexical = {hit.chunk_id: hit.score for hit in (await setting.index.search_lexical("default", text, Filters(), 50)).hits}
    top, best = max(meaning.values()), max(lexical.values(), default=1.0)
    weight = 0.6 if lexical else 1.0
    return {number: (1 - weight) * lexical.get(number, 0.0) / best + weight * max(score, 0.0) / top for number, score in meaning.items()}


# --------------------------------------------------------------------------------------------------------------------- all in English
_WORD = st.sampled_from("the lease ends in march may pump needs oil rent Kestrel 42 what zzyzx".split())
_SENTENCE = st.lists(_WORD, min_size=1, max_size=6).map(" ".join)
_QUESTION = st.one_of(_SENTENCE, st.text(max_size=20))


@settings(max_examples=25, deadline=None)
@given(
    library=st.lists(st.lists(_SENTENCE, max_size=3), max_size=4),
    unknown=st.booleans(),
    questions=st.lists(_QUESTION, min_size=1, max_size=4),
    guess=st.sampled_from([language_guess("en"), UNKNOWN, language_guess("da"), language_guess("de", sure=False)]),
    strategy=st.sampled_from([HYBRID, WORDS_ALONE, HYBRID.model_copy(update={"min_score": 0.5, "prefer_recent": True})]),
)
async def test_an_english_question_to_an_english_library_is_searched_as_without_the_leg(
    library: list[list[str]], unknown: bool, questions: list[str], guess: LanguageGuess, strategy: Strategy
) -> None:
    attributes = replace(ORDINARY_ATTRIBUTES, language="" if unknown else "en")
    documents = [document(f"d{number}", *texts, first_chunk=10 + 10 * number, attributes=attributes) for number, texts in enumerate(library)]
    with TemporaryDirectory() as folder:
        index = await filled(Path(folder), documents)
        setting = Setting(index, documents, dict.fromkeys(questions, guess), {})
        for question in questions:
            request = ask(question, strategy=strategy)
            plain, crossing = await setting.plain.retrieve(request), await setting.crossing.retrieve(request)
            assert timeless(crossing) == timeless(plain)
            assert timeless(await setting.crossing.rerank(request, crossing)) == timeless(await setting.plain.rerank(request, plain))
            assert await passages_of(setting.crossing, request, crossing) == await passages_of(setting.plain, request, plain)
        await index.close()
    assert not {"search", "embed_query", "cosines", "similarities"} & set(setting.multilingual.calls)
    assert True not in setting.multilingual.started  # nobody has to open the encoder


async def passages_of(retriever: HybridRetriever, request: RetrievalRequest, found: Retrieval) -> tuple[Any, Retrieval]:
    passages, after = await retriever.assemble_passages(request, found, 5)
    return passages, timeless(after)


# ------------------------------------------------------------------------------------------------- a question in another language
@pytest.mark.parametrize("documents", [ENGLISH_LIBRARY, MIXED_LIBRARY], ids=["english", "mixed"])
async def test_of_a_question_in_another_language_every_passage_gets_the_multilingual_cosine(make: Make, documents: list[IndexedDocument]) -> None:
    setting = await make(documents, IN_GERMAN)
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    expected = across(GEFRAGT, documents)
    assert cosines(found, "multilingual") == pytest.approx(expected, abs=1e-3)
    assert {candidate.chunk_id: candidate.score for candidate in found.candidates} == pytest.approx(
        await recipe(setting, GEFRAGT, expected), abs=1e-3
    )
    nearest = next(candidate for candidate in found.candidates if candidate.stages["multilingual"].rank == 1)
    assert nearest.document_id == ("vertrag" if documents is MIXED_LIBRARY else "lease")
    assert found.signals["multilingual_top1"] == pytest.approx(max(expected.values()), abs=1e-3)
    assert "dense_top1" not in found.signals
    assert setting.multilingual.started == [True]
    assert (found.degraded, [report.stage for report in found.reports]) == ([], ["lexical", "dense", "multilingual", "fusion"])
    assert "The question is in German" in found.reports[2].note


async def test_what_other_legs_found_gets_its_cosine_too(make: Make) -> None:
    setting = await make(ENGLISH_LIBRARY, IN_GERMAN, recall_top_k=1)
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    by_words = next(candidate for candidate in found.candidates if "lexical" in candidate.stages)
    assert by_words.chunk_id == 20  # the name stands in it, while the encoder's only hit is the lease
    expected = across(GEFRAGT, ENGLISH_LIBRARY)
    assert found.reports[2].left == 1
    assert cosines(found, "multilingual") == pytest.approx({number: expected[number] for number in cosines(found, "fusion")}, abs=1e-3)


async def test_that_cosine_stands_in_the_place_of_the_one_that_was_made_up_for_a_missing_one(make: Make) -> None:
    quoted = document("quoted", "endet im mai,", first_chunk=50)  # all that the embedding model finds, while the words are the pump's
    setting = await make([*ENGLISH_LIBRARY, quoted], IN_GERMAN, recall_top_k=1)
    setting.multilingual.told[GEFRAGT] = Translation("oil", 1)
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    pump = next(candidate for candidate in found.candidates if candidate.chunk_id == 20)
    assert set(pump.stages) == {"lexical", "multilingual", "fusion"}
    known = cosines(found, "multilingual")
    assert pump.score == pytest.approx(0.4 + 0.6 * known[20] / max(known.values()), abs=1e-3)


async def test_the_order_of_a_crossed_search_is_left_by_the_rerank(make: Make) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    after = await setting.crossing.rerank(ask(GEFRAGT), found)
    assert after.candidates == found.candidates
    assert "the order stays" in after.reports[-1].note


async def test_without_words_of_the_library_the_words_say_nothing(make: Make) -> None:
    setting = await make(ENGLISH_LIBRARY, IN_GERMAN)
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    assert (set(found.signals), found.words) == ({"multilingual_top1"}, "")
    passages, after = await setting.crossing.assemble_passages(ask(GEFRAGT), found, 3)
    assert (len(passages), set(after.signals)) == (2, {"multilingual_top1"})


async def test_the_words_of_the_library_are_searched_for_in_the_place_of_the_questions(make: Make) -> None:
    setting = await make(ENGLISH_LIBRARY, IN_GERMAN)
    setting.multilingual.told[GEFRAGT] = Translation("ends lease Kestrel", 2)
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    assert {candidate.chunk_id for candidate in found.candidates if "lexical" in candidate.stages} == {1, 20}
    assert found.words == "ends lease Kestrel"
    by_words = (await setting.plain.retrieve(ask("ends lease Kestrel"))).signals
    assert found.signals["lexical_ratio"] == by_words["lexical_ratio"]
    passages, after = await setting.crossing.assemble_passages(ask(GEFRAGT), found, 3)
    assert passages[0].document_id == "lease"
    assert 0.5 < after.signals["coverage"] < 1.0
    assert "“ends lease Kestrel”" in found.reports[2].note


async def test_a_language_that_a_question_may_be_in_counts_where_a_word_was_translated(make: Make) -> None:
    text = "Mietvertrag Kestrel"
    setting = await make(ENGLISH_LIBRARY, {text: language_guess("de", sure=False)})
    setting.multilingual.told[text] = Translation("kestrel", 0)  # the library has the word itself
    found, plain = await setting.crossing.retrieve(ask(text)), await setting.plain.retrieve(ask(text))
    assert timeless(found) == timeless(plain)
    assert setting.multilingual.started == [False]
    setting.multilingual.told[text] = Translation("lease kestrel", 1)
    found = await setting.crossing.retrieve(ask(text))
    assert cosines(found, "multilingual").keys() == {1, 20, 21}
    assert "The question may be in German" in found.reports[2].note


async def test_the_question_itself_tells_its_language_and_its_rewording_what_is_searched(make: Make) -> None:
    setting = await make(ENGLISH_LIBRARY, IN_GERMAN)
    found = await setting.crossing.retrieve(ask("Mietvertrag endet", question=GEFRAGT))
    assert setting.languages.asked == [GEFRAGT]
    assert cosines(found, "multilingual") == pytest.approx(across("Mietvertrag endet", ENGLISH_LIBRARY), abs=1e-3)


# ------------------------------------------------------------------------------------------- an English question, passages in others
@pytest.mark.parametrize("guess", [language_guess("en"), UNKNOWN], ids=["english", "unknown"])
async def test_of_an_english_question_only_passages_in_other_languages_are_replaced(make: Make, guess: LanguageGuess) -> None:
    setting = await make(MIXED_LIBRARY, {ASKED: guess})
    found = await setting.crossing.retrieve(ask())
    foreign = across(ASKED, [VERTRAG, BAIL])
    assert cosines(found, "multilingual") == pytest.approx(foreign, abs=1e-3)
    english = {number: score for number, score in cosines(found, "dense").items() if number not in foreign}
    assert english == pytest.approx(within(ASKED, [LEASE, PUMP]), abs=1e-3)
    expected = await recipe(setting, ASKED, within(ASKED, [LEASE, PUMP]) | foreign)
    assert {candidate.chunk_id: candidate.score for candidate in found.candidates} == pytest.approx(expected, abs=1e-3)
    assert found.reports[2].note == "Passages in French, German are compared by the multilingual encoder."
    assert setting.multilingual.filters == [Filters(languages=["de", "fr"])]
    assert "translated" not in setting.multilingual.calls


async def test_an_english_first_passage_keeps_its_signals_and_one_in_another_language_does_not(make: Make) -> None:
    setting = await make(MIXED_LIBRARY)
    found = await setting.crossing.retrieve(ask("The lease ends in March."))
    assert found.candidates[0].document_id == "lease"
    assert set(found.signals) == {"dense_top1", "lexical_ratio"}
    _, after = await setting.crossing.assemble_passages(ask("The lease ends in March."), found, 3)
    assert after.signals["coverage"] == pytest.approx(1.0)
    only = Filters(document_ids=["vertrag", "pump"])
    found = await setting.crossing.retrieve(ask("The lease ends in May.", filters=only))
    assert found.candidates[0].document_id == "vertrag"
    assert set(found.signals) == {"multilingual_top1"}
    _, after = await setting.crossing.assemble_passages(ask("The lease ends in May.", filters=only), found, 3)
    assert "coverage" not in after.signals


async def test_the_rerank_leaves_crossed_passages_their_scores(make: Make) -> None:
    setting = await make(MIXED_LIBRARY)
    found = await setting.crossing.retrieve(ask())
    after = await setting.crossing.rerank(ask(), found)
    before = {candidate.chunk_id: candidate.score for candidate in found.candidates}
    scores = {candidate.chunk_id: candidate.score for candidate in after.candidates}
    assert {number: scores[number] for number in (30, 40)} == pytest.approx({number: before[number] for number in (30, 40)})
    alone = await setting.plain.rerank(ask(), found.model_copy(update={"candidates": [each for each in found.candidates if each.chunk_id < 30]}))
    assert {number: scores[number] for number in (1, 20, 21)} == pytest.approx({each.chunk_id: each.score for each in alone.candidates})
    assert after.reports[-1].parameters["encoded"] == 3
    assert list(scores.values()) == sorted(scores.values(), reverse=True)


@pytest.mark.parametrize(
    ("languages", "searched"),
    [(["en"], None), (["de"], ["de"]), (["DE", "en"], ["de"]), (["de", "fr", "ja"], ["de", "fr"]), (["ja"], None)],
)
async def test_a_filter_by_language_narrows_what_is_crossed(make: Make, languages: list[str], searched: list[str] | None) -> None:
    setting = await make(MIXED_LIBRARY)
    found = await setting.crossing.retrieve(ask(filters=Filters(languages=languages)))
    assert setting.multilingual.filters == ([] if searched is None else [Filters(languages=searched)])
    wanted = {each.lower() for each in languages}
    assert {candidate.document_id for candidate in found.candidates} == {each.id for each in MIXED_LIBRARY if each.language in wanted}


async def test_a_question_in_another_language_may_ask_for_passages_in_one(make: Make) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    found = await setting.crossing.retrieve(ask(GEFRAGT, filters=Filters(languages=["en"])))
    assert cosines(found, "multilingual") == pytest.approx(across(GEFRAGT, ENGLISH_LIBRARY), abs=1e-3)


async def test_another_tenants_languages_do_not_count(make: Make) -> None:
    theirs = document("theirs", "Der Mietvertrag.", first_chunk=90, attributes=replace(GERMAN, tenant="stranger"))
    setting = await make([*ENGLISH_LIBRARY, theirs])
    assert timeless(await setting.crossing.retrieve(ask())) == timeless(await setting.plain.retrieve(ask()))
    assert setting.multilingual.filters == []


# --------------------------------------------------------------------------------------------------------- while it cannot be used
async def test_what_is_not_prepared_yet_is_told_until_it_is(make: Make) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    setting.multilingual.unfilled = {"lease", "vertrag", "bail"}
    found = await setting.crossing.retrieve(ask(GEFRAGT))
    (degraded,) = found.degraded
    assert (degraded.part, "3 of 4 documents" in degraded.reason) == ("multilingual", True)
    assert set(cosines(found, "multilingual")) == {20, 21}
    assert cosines(found, "dense").keys() == {1, 20, 21, 30, 40}
    reranked = await setting.crossing.rerank(ask(GEFRAGT), found)
    assert reranked.reports[-1].parameters["encoded"] == 3  # those that it has not seen
    setting.multilingual.unfilled = set()
    assert (await setting.crossing.retrieve(ask(GEFRAGT))).degraded == []


@pytest.mark.parametrize("question", [ASKED, GEFRAGT])
async def test_while_nothing_is_prepared_the_other_legs_answer(make: Make, question: str) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    setting.multilingual.unfilled = {each.id for each in MIXED_LIBRARY}
    found, plain = await setting.crossing.retrieve(ask(question)), await setting.plain.retrieve(ask(question))
    assert "4 of 4 documents" in found.degraded[0].reason
    assert (found.candidates, found.signals) == (plain.candidates, plain.signals)


@pytest.mark.parametrize("failure", ["problem", "broken"])
@pytest.mark.parametrize("question", [ASKED, GEFRAGT])
async def test_an_encoder_that_cannot_be_used_is_a_degradation(make: Make, question: str, failure: str) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    setattr(setting.multilingual, failure, "The model is missing.")
    found, plain = await setting.crossing.retrieve(ask(question)), await setting.plain.retrieve(ask(question))
    assert [(each.part, "The model is missing." in each.reason) for each in found.degraded] == [("multilingual", True)]
    assert (found.candidates, found.signals) == (plain.candidates, plain.signals)
    assert timeless(found, besides="multilingual").reports == timeless(plain).reports


async def test_a_question_that_is_hardly_foreign_does_not_hear_of_a_missing_encoder(make: Make) -> None:
    setting = await make(ENGLISH_LIBRARY, {ASKED: language_guess("de", sure=False)})
    setting.multilingual.problem = "The model is missing."
    assert timeless(await setting.crossing.retrieve(ask())) == timeless(await setting.plain.retrieve(ask()))


async def test_it_answers_alone_where_all_others_fail_and_not_where_it_found_nothing(make: Make) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    broken = setting.without("search_lexical", "search_dense")
    found = await broken.retrieve(ask(GEFRAGT))
    assert found.candidates[0].chunk_id == 30
    assert {each.part for each in found.degraded} == {"dense", "lexical"}
    setting.multilingual.unfilled = {each.id for each in MIXED_LIBRARY}
    with pytest.raises(Unavailable, match="Nothing can be searched"):
        await broken.retrieve(ask(GEFRAGT))


# ---------------------------------------------------------------------------------------------------------------- what is left out
async def test_it_can_be_left_out(make: Make) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    found = await setting.crossing.retrieve(ask(GEFRAGT, without=["multilingual"]))
    assert timeless(found) == timeless(await setting.plain.retrieve(ask(GEFRAGT)))
    assert (setting.languages.asked, setting.multilingual.calls) == ([], [])
    found = await setting.crossing.retrieve(ask(GEFRAGT, without=["dense"]))
    assert [report.stage for report in found.reports] == ["lexical", "fusion"]
    found = await setting.crossing.retrieve(ask(GEFRAGT, without=["lexical"]))
    assert {candidate.chunk_id: candidate.score for candidate in found.candidates} == pytest.approx(
        {number: max(score, 0.0) / max(across(GEFRAGT, MIXED_LIBRARY).values()) for number, score in across(GEFRAGT, MIXED_LIBRARY).items()}, abs=1e-3
    )


async def test_without_words_wanted_it_stands_beside_the_dense_leg(make: Make) -> None:
    setting = await make(MIXED_LIBRARY, IN_GERMAN)
    found = await setting.crossing.retrieve(ask(use_hybrid=False))
    assert [report.stage for report in found.reports] == ["dense", "multilingual", "fusion"]
    meaning = within(ASKED, ENGLISH_LIBRARY) | across(ASKED, [VERTRAG, BAIL])
    top = max(meaning.values())
    expected = {number: max(score, 0.0) / top for number, score in meaning.items()}
    assert {candidate.chunk_id: candidate.score for candidate in found.candidates} == pytest.approx(expected, abs=1e-3)
    assert found.reports[-1].parameters["weights"] == {"dense": 1.0}
    found = await setting.crossing.retrieve(ask(GEFRAGT, use_hybrid=False))
    assert cosines(found, "multilingual") == pytest.approx(across(GEFRAGT, MIXED_LIBRARY), abs=1e-3)


async def test_a_strategy_of_words_alone_falls_back_on_it_where_no_document_has_the_words(make: Make) -> None:
    asked = "Endet der Mietvertrag?"
    setting = await make(ENGLISH_LIBRARY, {**IN_GERMAN, asked: language_guess("de")})
    found = await setting.crossing.retrieve(ask(GEFRAGT, strategy=WORDS_ALONE))
    assert [(candidate.chunk_id, candidate.score) for candidate in found.candidates] == [(20, 1.0)]  # the name
    found = await setting.crossing.retrieve(ask(asked, strategy=WORDS_ALONE))
    assert found.candidates[0].chunk_id == 1
    assert cosines(found, "multilingual") == pytest.approx(across(asked, ENGLISH_LIBRARY), abs=1e-3)
    assert "nearest in meaning" in found.reports[-1].note
