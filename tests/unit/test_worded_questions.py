"""A question in another language that the reader is asked in English: a lead, a confidence of its own, and what is left unread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from answers.calibration.answerability import OTHER_KIND_AT_MOST, WITHOUT_LEAD, WITHOUT_LEAD_AT_MOST, WORDED, probability
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.cross_language_units import CrossLanguageScorer, has_own_words
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import OTHER_KIND, Answer, Evidence
from core.ports import Translation
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.languages import FakeLanguages, FakeMultilingual, language_guess
from tests.support.word_reader import WordsReader

COMBIEN = "Combien de wagons le port de Halden loue-t-il ?"
NEAR = {"wagons": (("wagons", 0.95),), "port": (("port", 0.9),), "loue": (("rents", 0.8),)}
PORT = "The port of Halden rents fourteen wagons from the railway. Its crane is painted every spring. Dogs are forbidden on the quay."


@dataclass
class Asking:
    """A composer that is asked COMBIEN in French, with a reader that finds `words`."""

    words: Mapping[str, float] = field(default_factory=lambda: {"fourteen": 6.0})
    translation: Translation = field(default_factory=lambda: Translation("wagons port rents Halden", 3, NEAR))

    def __post_init__(self) -> None:
        self.reader = WordsReader(self.words)

    async def compose(self, items: Sequence[Evidence], *, sure: bool = True) -> Answer:
        multilingual = FakeMultilingual()
        multilingual.told[COMBIEN] = self.translation
        crossing = CrossLanguageScorer(FakeLanguages({COMBIEN: language_guess("fr", sure=sure)}), multilingual)
        parts = OptionalParts(crossing, self.reader)
        return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), parts).compose("default", COMBIEN, items)


def passage(text: str, language: str = "en", document: str = "port") -> Evidence:
    return evidence(text, document=document).model_copy(update={"language": language})


async def test_the_reader_is_asked_in_english_and_its_answer_leads() -> None:
    asking = Asking()
    answer = await asking.compose([passage(PORT)])
    assert [question for question, _ in asking.reader.asked] == ["How many wagons the port of Halden rents?"]
    assert answer.lead is not None
    assert answer.lead.text == "fourteen"
    assert answer.sentences[0].text == "The port of Halden rents fourteen wagons from the railway."
    assert answer.signals[WORDED] == 1.0


async def test_a_question_that_is_translated_whole_is_asked_as_that() -> None:
    asking = Asking(translation=Translation("wagons port", 2, NEAR, "How many wagons does the port rent?"))
    await asking.compose([passage(PORT)])
    assert [question for question, _ in asking.reader.asked] == ["How many wagons does the port rent?"]


async def test_passages_in_other_languages_are_not_read() -> None:
    french = passage("Le port de Halden loue neuf wagons. Sa grue est peinte au printemps.", "fr", "bail")
    asking = Asking()
    answer = await asking.compose([french, passage(PORT)])  # the nearest one is French
    assert (asking.reader.asked, answer.lead, answer.signals) == ([], None, {WITHOUT_LEAD: 1.0})
    answer = await asking.compose([passage(PORT), french])
    assert all("neuf" not in text for _, texts in asking.reader.asked for text in texts)
    assert answer.lead is not None


async def test_a_question_that_only_may_be_in_another_language_is_not_put_in_english() -> None:
    asking = Asking()
    await asking.compose([passage(PORT)], sure=False)
    assert all("How many" not in question for question, _ in asking.reader.asked)


async def test_what_holds_no_figure_where_one_is_asked_for_is_weak() -> None:
    answer = await Asking(words={}).compose([passage("The port of Halden rents wagons from the railway. Its crane is painted every spring.")])
    assert answer.signals[OTHER_KIND] == 1.0
    assert probability({"multilingual_top1": 0.9, "coverage": 1.0, **answer.signals}) <= OTHER_KIND_AT_MOST


def test_what_has_no_lead_is_never_sure() -> None:
    strong = {"multilingual_top1": 1.0, "lexical_ratio": 1.0, "coverage": 1.0}
    assert probability(strong) > 0.9
    assert probability({**strong, WITHOUT_LEAD: 1.0}) == WITHOUT_LEAD_AT_MOST
    weak = {"multilingual_top1": 0.2}
    assert probability({**weak, WITHOUT_LEAD: 1.0}) == probability(weak)


def test_an_english_wording_has_coefficients_of_its_own() -> None:
    read = {"multilingual_top1": 0.6, "coverage": 0.5, "reader_answerable": 0.95, "lead": 0.45, "words_held": 0.4, "meaning_held": 0.6}
    assert probability({**read, WORDED: 1.0}) > 0.75 > probability(read)
    assert probability({**read, "lead": 0.02, "reader_answerable": 0.05, WORDED: 1.0}) < 0.2


@pytest.mark.parametrize(
    ("question", "text", "own"),
    [
        ("¿Cómo deben comportarse los barcos con otros?", "All boats are alike. Los barcos deben comportarse bien con otros barcos.", True),
        ("¿Cómo deben comportarse los barcos con otros?", "Boats should behave well towards each other.", False),
        ("Was soll der Hafenmeister Halden Port prüfen?", "The Hafenmeister of Halden Port checks the quay.", False),
        ("Combien de wagons le port de Halden loue-t-il ?", PORT, False),
    ],
)
def test_a_text_with_the_questions_own_words_is_in_its_language(question: str, text: str, *, own: bool) -> None:
    assert has_own_words(question, text) is own
