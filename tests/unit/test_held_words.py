"""How much of the question the sentence of the answer holds, and that an answer is the likelier for it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from answers.calibration.answerability import COVERAGE_SIGNALS, MEANING_HELD, WORDS_HELD, probability
from answers.calibration.question_coverage import question_coverage
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_scores import ScoredUnit, prepare_question, score_units
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from answers.units.answer_units import split_units
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import WordsReader

ASKED = "Who repaired the eastern mill?"


async def held(text: str, asked: str = ASKED, decided: float = 0.0, cosines: tuple[float, ...] = ()) -> dict[str, float]:
    """The signals of the first sentence of a text; `cosines` are those of its sentences."""
    items = [evidence(text)]
    question = await prepare_question(WordIndex(), "default", asked)
    units: list[ScoredUnit] = score_units(question, WordIndex(), items, split_units(items))
    known = [replace(unit, cosine=cosines[place] if place < len(cosines) else None) for place, unit in enumerate(units)]
    return question_coverage(question, known, 0, decided)


async def test_a_sentence_about_another_thing_holds_less_of_the_question() -> None:
    own, other = await held("Ada Holm repaired the eastern mill."), await held("Ada Holm repaired the western mill.")
    assert own[WORDS_HELD] == 1.0
    assert other[WORDS_HELD] < 0.8


@pytest.mark.parametrize("told", ["Ada Holm must mend the eastern mill.", "Ada Holm had the eastern mill repaired."])
async def test_other_words_for_the_same_are_no_missing_words(told: str) -> None:
    asked = "Who must repair the eastern mill?"
    assert (await held(told, asked))[WORDS_HELD] > (await held("Ada Holm saw the eastern mill.", asked))[WORDS_HELD] + 0.1


async def test_of_the_meaning_the_nearest_sentence_counts() -> None:
    text = "Ada Holm repaired the eastern mill. It had stood still for years."
    assert (await held(text, cosines=(0.3, 0.7)))[MEANING_HELD] == 0.7
    assert (await held(text, cosines=(0.3,)))[MEANING_HELD] == 0.3
    assert (await held(text))[MEANING_HELD] == 0.0


async def test_of_a_table_the_row_that_is_told_counts() -> None:
    """The reader took the total for the answer; what is told is the row with the question's words."""
    text = "Mill | Work | Paid\nEastern | repaired | £40\nNorthern | painted | £50\nTotal | | £90"
    asked = "How much was paid to the eastern mill, repaired?"
    items = [evidence(text)]
    question = await prepare_question(WordIndex(), "default", asked)
    units = score_units(question, WordIndex(), items, split_units(items))
    total = next(place for place, unit in enumerate(units) if unit.unit.text.startswith("Total"))
    told = next(unit for unit in units if unit.unit.text.startswith("Eastern"))
    assert question_coverage(question, units, total, 0.0)[WORDS_HELD] == pytest.approx(question.share(told.terms | told.covered_terms), abs=1e-4)
    assert question.share(told.terms | told.covered_terms) > question.share(units[total].terms | units[total].covered_terms)


async def test_what_is_decided_by_a_rule_need_not_use_the_words() -> None:
    assert await held("Ada Holm.", decided=0.8) == {WORDS_HELD: 0.8, MEANING_HELD: 0.8}
    question = await prepare_question(WordIndex(), "default", ASKED)
    assert question_coverage(question, [], None, 0.0) == dict.fromkeys(COVERAGE_SIGNALS, 0.0)


async def test_a_near_miss_is_less_likely_though_the_reader_is_as_sure() -> None:
    search = {"dense_top1": 0.6, "coverage": 0.7}
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader({"Ada Holm": 4.0})))
    likely = []
    for mill in ("eastern", "western"):
        answer = await composer.compose("default", ASKED, [evidence(f"Ada Holm repaired the {mill} mill.")])
        assert answer.signals["reader_answerable"] > 0.9
        likely.append(probability({**search, **answer.signals}))
    assert likely[1] < likely[0]
