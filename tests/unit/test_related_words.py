"""Words that say the same, and what they hold of a question."""

from __future__ import annotations

import pytest

from answers.scoring.unit_scores import RELATED_WEIGHT, prepare_question
from core.language.related_words import other_forms, similar_words
from tests.support.evidence import WordIndex


@pytest.mark.parametrize(("word", "other"), [("wear", "worn"), ("paid", "pay"), ("men", "man"), ("writes", "written")])
def test_irregular_forms(word: str, other: str) -> None:
    assert other in other_forms(word)
    assert word not in other_forms(word)


@pytest.mark.parametrize(("word", "other"), [("coming", "arrive"), ("pay", "payment"), ("bought", "purchase"), ("allowed", "permit")])
def test_words_that_mean_nearly_the_same(word: str, other: str) -> None:
    assert other in similar_words(word)


def test_words_that_nothing_is_known_of() -> None:
    assert not other_forms("harbour")
    assert not similar_words("zymurgy")


async def test_another_form_holds_all_and_a_synonym_a_part_of_a_word() -> None:
    question = await prepare_question(WordIndex(), "default", "who wrote reports")
    whole = question.share(frozenset({"wrote", "report"}))
    assert question.share(frozenset({"written", "report"})) == whole == 1.0
    other = await prepare_question(WordIndex(), "default", "trucks coming")
    held = other.share(frozenset({"truck", "arrive"}))
    assert held == pytest.approx(1 - (1 - RELATED_WEIGHT) * other.idf["coming"] / other.total)


async def test_a_name_has_no_synonyms() -> None:
    question = await prepare_question(WordIndex(), "default", "where is Come")
    assert question.share(frozenset({"arrive"})) == 0.0


async def test_what_is_asked_of_somebody_is_asked_in_these_words() -> None:
    question = await prepare_question(WordIndex(), "default", "salary of Holm")
    assert question.share(frozenset({"wage"})) > 0 == question.share_of_asked(frozenset({"wage"}))
