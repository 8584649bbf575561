"""Answers across languages: the encoder that knows both languages chooses the sentences, and where none is needed nothing changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.cross_language_units import MOST_ENCODED, CrossLanguageScorer, add_cosine, make_cross_language_bounds
from answers.scoring.unit_scores import ScoredUnit, prepare_question, score_units
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from answers.units.answer_units import split_units
from core.answers import Answer, Evidence
from core.language.language_clues import LanguageGuess
from core.ports import Translation
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.languages import ENGLISH, UNKNOWN, FakeLanguages, FakeMultilingual, language_guess

GEFRAGT, ASKED = "Endet der Mietvertrag im März?", "When does the lease end?"
ENGLISH_TEXT = "The rent is paid monthly by the tenant. The lease ends in March. Dogs are forbidden in the whole garden."
GERMAN_TEXT = "Die Miete wird monatlich bezahlt. Der Mietvertrag endet im Mai. Hunde sind im Garten verboten."


@dataclass
class Composing:
    """A composer with a crossing on fakes; `encoded` are the texts that the embedding model read."""

    told: dict[str, LanguageGuess] = field(default_factory=dict)
    otherwise: LanguageGuess = ENGLISH
    multilingual: FakeMultilingual = field(default_factory=FakeMultilingual)
    embedder: CountingEmbedder = field(default_factory=CountingEmbedder)

    async def compose(self, question: str, items: Sequence[Evidence], bounds: Bounds = Bounds()) -> Answer:  # noqa: B008
        crossing = CrossLanguageScorer(FakeLanguages(self.told, self.otherwise), self.multilingual)
        return await ExtractiveComposer(UnitVectors(self.embedder), WordIndex(), bounds, OptionalParts(crossing)).compose("default", question, items)

    async def plain(self, question: str, items: Sequence[Evidence]) -> Answer:
        return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds()).compose("default", question, items)


def asked_in_german(*, sure: bool = True) -> Composing:
    return Composing({GEFRAGT: language_guess("de", sure=sure)})


def english(text: str = ENGLISH_TEXT, title: str = "", document: str = "mill") -> Evidence:
    return evidence(text, document=document, title=title).model_copy(update={"language": "en"})


def german(text: str = GERMAN_TEXT, title: str = "", document: str = "vertrag") -> Evidence:
    return evidence(text, document=document, title=title).model_copy(update={"language": "de"})


def sentences(answer: Answer) -> list[str]:
    return [sentence.text for sentence in answer.sentences]


# ------------------------------------------------------------------------------------------------- a question in another language
async def test_a_german_question_is_answered_by_the_english_sentence_alone() -> None:
    composing = asked_in_german()
    answer = await composing.compose(GEFRAGT, [english()])
    assert sentences(answer) == ["The lease ends in March."]
    assert (answer.found, answer.degraded, answer.citations[0].quote) == (True, [], "The lease ends in March.")
    assert answer.sentences[0].score > 2.4  # the cosine counts in the place of the words, too
    assert composing.embedder.encoded == []  # the embedding model knows English alone: it has no say


async def test_a_second_sentence_is_added_only_where_it_is_nearly_as_near() -> None:
    asked = "Endet der Mietvertrag im März monatlich?"
    composing = Composing({asked: language_guess("de")})
    near, nearly = "The lease ends in March monthly.", "The lease ends in March 42."
    assert sentences(await composing.compose(asked, [english(f"{near} {nearly}")])) == [near]
    assert sentences(await composing.compose(asked, [english(f"{near} Monthly the lease in March ends 42.")])) == [
        near,
        "Monthly the lease in March ends 42.",
    ]
    assert composing.multilingual.compared[1] == nearly


async def test_no_title_stands_in_front_only_because_no_word_is_shared() -> None:
    items = [english(title="Old mill")]
    assert any(text.startswith("Old mill: ") for text in sentences(await asked_in_german().plain(GEFRAGT, items)))
    assert sentences(await asked_in_german().compose(GEFRAGT, items)) == ["The lease ends in March."]
    pronoun = [english("The mill stands in Halden. It ends in March the lease. Cats sleep in the garden.", title="Old mill")]
    assert sentences(await asked_in_german().compose(GEFRAGT, pronoun)) == ["Old mill: It ends in March the lease."]


async def test_passages_in_the_questions_own_language_are_compared_by_the_same_encoder() -> None:
    composing = asked_in_german()
    answer = await composing.compose(GEFRAGT, [german(), english("The pump needs oil every second month.", document="pump")])
    assert sentences(answer)[0] == "Der Mietvertrag endet im Mai."
    assert len(composing.multilingual.compared) == 4
    assert composing.embedder.encoded == []


async def test_the_librarys_words_for_it_count_as_the_questions_own() -> None:
    composing = asked_in_german()
    composing.multilingual.told[GEFRAGT] = Translation("lease ends March", 3)
    items = [english("Of the lease it is said below. The lease ends in March. The rent is due in March.", title="Old mill")]
    answer = await composing.compose(GEFRAGT, items)
    assert sentences(answer)[0] == "The lease ends in March."
    assert all(not text.startswith("Old mill: The lease") for text in sentences(answer))
    assert answer.degraded == []


async def test_a_question_that_may_be_in_another_language_counts_as_such_where_its_words_find_little() -> None:
    asked = "Mietvertrag lease March"
    composing = Composing({asked: language_guess("de", sure=False)})
    assert await composing.compose(asked, [english()]) == await composing.plain(asked, [english()])
    assert "similarities" not in composing.multilingual.calls
    composing.multilingual.told[asked] = Translation("rent", 0)  # the library has all its words itself
    assert await composing.compose(asked, [english()]) == await composing.plain(asked, [english()])
    composing = asked_in_german(sure=False)
    assert sentences(await composing.compose(GEFRAGT, [english()])) == ["The lease ends in March."]
    assert "similarities" in composing.multilingual.calls


async def test_so_many_sentences_are_compared_and_no_more() -> None:
    text = " ".join(f"Sentence {number} speaks of the garden and of house {number}." for number in range(MOST_ENCODED + 40))
    composing = asked_in_german()
    answer = await composing.compose(GEFRAGT, [english(text)])
    assert answer.found
    assert (len(composing.multilingual.compared), composing.embedder.encoded) == (MOST_ENCODED, [])


# ------------------------------------------------------------------------------------------- an English question, passages in others
@pytest.mark.parametrize("guess", [ENGLISH, UNKNOWN], ids=["english", "unknown"])
async def test_an_english_question_finds_the_sentence_in_a_german_passage(guess: LanguageGuess) -> None:
    composing = Composing(otherwise=guess)
    pump = english("The red pump needs oil every second month. The garden pump is old and green.", document="pump")
    answer = await composing.compose("The lease ends in May?", [pump, german()])
    assert sentences(answer)[0] == "Der Mietvertrag endet im Mai."
    assert answer.citations[0].document_id == "vertrag"
    german_sentences = {"Die Miete wird monatlich bezahlt.", "Der Mietvertrag endet im Mai.", "Hunde sind im Garten verboten."}
    assert set(composing.multilingual.compared) == german_sentences
    assert composing.embedder.encoded
    assert not german_sentences & set(composing.embedder.encoded)


async def test_english_sentences_keep_their_place_beside_a_passage_in_another_language() -> None:
    weather = german("Das Wetter bleibt bis zum Abend trocken. Am Morgen kommt Nebel auf.", document="wetter")
    answer = await Composing().compose("When does the lease end in March?", [weather, english()])
    assert sentences(answer)[0] == "The lease ends in March."
    assert {citation.document_id for citation in answer.citations} == {"mill"}


# --------------------------------------------------------------------------------------------------------- while it cannot be used
@pytest.mark.parametrize("failure", ["problem", "broken"])
async def test_without_the_encoder_there_is_an_answer_that_says_so(failure: str) -> None:
    for composing, question, items in [(asked_in_german(), GEFRAGT, [english()]), (Composing(), ASKED, [english(), german()])]:
        setattr(composing.multilingual, failure, "The model is missing.")
        answer = await composing.compose(question, items)
        assert [(each.part, "The model is missing." in each.reason) for each in answer.degraded] == [("multilingual", True)]
        assert answer.found
        assert answer.model_copy(update={"degraded": []}) == await composing.plain(question, items)


async def test_nothing_is_asked_for_where_nothing_can_be_quoted() -> None:
    composing = asked_in_german()
    for items in ([], [english("# A heading")], [english("Why? Who?")]):
        answer = await composing.compose(GEFRAGT, items)
        assert (answer.found, answer.degraded) == (False, [])
    assert "similarities" not in composing.multilingual.calls


# --------------------------------------------------------------------------------------------------------------------- all in English
_WORDS = "The lease notice ends month tenant March | ; : However, It 3 你好。 mill rent .\n .\n ?".split(" ")
_TEXT = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=40).map(" ".join)


@settings(max_examples=40)
@given(
    texts=st.lists(st.tuples(_TEXT, st.sampled_from(["en", "", "da"])), max_size=4),
    question=st.one_of(st.text(max_size=40), st.sampled_from([ASKED, "lease vs tenant", "the"])),
    guess=st.sampled_from([ENGLISH, UNKNOWN, language_guess("da")]),
)
async def test_between_english_questions_and_passages_nothing_changes(texts: list[tuple[str, str]], question: str, guess: LanguageGuess) -> None:
    """Danish is a language that the encoder was not made for."""
    items = [
        evidence(text, document=f"d{place}", title="Mill", start=place * 7).model_copy(update={"language": language})
        for place, (text, language) in enumerate(texts)
    ]
    composing = Composing(otherwise=guess)
    assert await composing.compose(question, items) == await composing.plain(question, items)
    assert composing.multilingual.calls == []


# ------------------------------------------------------------------------------------------------------------------------- the parts
async def scored(question: str, text: str) -> ScoredUnit:
    items = [english(text)]
    return score_units(await prepare_question(WordIndex(), "default", question), WordIndex(), items, split_units(items))[0]


async def test_a_cosine_counts_for_meaning_and_for_the_words_that_are_missing() -> None:
    bare, half = await scored(GEFRAGT, "The pump needs oil."), await scored("lease oil", "The pump needs oil.")
    assert add_cosine(bare, 0.6).score == pytest.approx(bare.score + 1.2)
    assert (add_cosine(bare, 0.6).lex, add_cosine(bare, 0.6).cosine) == (0.6, 0.6)
    assert 0.4 < half.lex < 0.6
    assert add_cosine(half, 0.9).score == pytest.approx(half.score - half.lex + 1.8)
    assert add_cosine(half, 0.2).score == pytest.approx(half.score + 0.2)
    assert add_cosine(bare, -0.3).score == pytest.approx(bare.score - 0.3)
    assert [add_cosine(half, 0.2).lex, add_cosine(bare, -0.3).lex, add_cosine(bare, 1.2).lex] == [half.lex, 0.0, 1.0]


def test_the_bounds_of_a_silent_question_ask_more_of_a_further_sentence() -> None:
    bounds = Bounds(max_words=60)
    silent = make_cross_language_bounds(bounds)
    assert silent.stop_gain > bounds.stop_gain
    assert (silent.max_words, silent.max_sentences, silent.least_score) == (60, bounds.max_sentences, bounds.least_score)
