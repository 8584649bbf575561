"""Questions that a text all but answers, made by rule."""

from __future__ import annotations

import random

from training.reader.near_misses import NearMiss, near_miss

CONTEXT = (
    "Ada Holm bought the largest mill of Harrow Bridge in 1921. Jon Bergset sold it to her for 4500 crowns. "
    "Its wheel was mended in 1934 by Otto Lind. The town council paid 120 crowns for the work."
)


def span(words: str, text: str = CONTEXT) -> tuple[int, int]:
    return text.index(words), text.index(words) + len(words)


def made(question: str, answer: str, rule: str, context: str = CONTEXT) -> set[NearMiss]:
    """All near misses by one rule that forty dice make."""
    found = [near_miss(question, context, [span(answer, context)], random.Random(seed)) for seed in range(40)]
    return {each for each in found if each is not None and each.rule.removesuffix("_again") == rule}


def test_another_name_of_the_text_takes_the_place_of_one() -> None:
    found = made("When did Ada Holm buy the mill?", "1921", "name")
    assert {each.question for each in found} <= {f"When did {name} buy the mill?" for name in ("Jon Bergset", "Otto Lind", "Harrow Bridge")}
    assert found
    assert {each.context for each in found} == {CONTEXT}


def test_the_answers_own_name_is_never_put_into_the_question() -> None:
    assert all("Otto Lind" not in each.question for each in made("Who mended the wheel that Ada Holm bought?", "Otto Lind", "name"))


def test_another_number_of_the_text_takes_the_place_of_one() -> None:
    years = {each.question for each in made("Who mended the wheel in 1934?", "Otto Lind", "number")}
    assert years == {"Who mended the wheel in 1921?"}
    sums = {each.question for each in made("Who sold the mill for 4500 crowns?", "Jon Bergset", "number")}
    assert sums == {"Who sold the mill for 120 crowns?"}
    assert made("Who sold the mill for 4500 crowns?", "120", "number") == set()  # the only other one is the answer


def test_a_negation_an_antonym_a_condition() -> None:
    question = "What was the largest mill sold for?"
    assert {each.question for each in made(question, "4500 crowns", "negation")} == {"What was not the largest mill sold for?"}
    assert {each.question for each in made(question, "4500 crowns", "opposite")} == {"What was the smallest mill sold for?"}
    conditions = {each.question for each in made(question, "4500 crowns", "condition")}
    assert len(conditions) > 2
    assert all(each.startswith("What was the largest mill sold for ") and each.endswith("?") for each in conditions)


def test_an_antonym_that_the_text_holds_makes_no_near_miss() -> None:
    text = f"{CONTEXT} The smallest mill was never sold."
    assert made("What was the largest mill sold for?", "4500 crowns", "opposite", text) == set()


def test_the_text_loses_every_sentence_that_holds_the_answer() -> None:
    [found] = made("Who mended the wheel?", "Otto Lind", "sentence")
    assert found.question == "Who mended the wheel?"
    assert "Otto Lind" not in found.context
    assert "Ada Holm bought" in found.context
    assert "The town council paid" in found.context


def test_a_near_miss_differs_from_its_row_and_is_the_same_for_the_same_dice() -> None:
    question, answers = "When did Ada Holm buy the largest mill?", [span("1921")]
    for seed in range(60):
        one, other = (near_miss(question, CONTEXT, answers, random.Random(seed)) for _ in range(2))
        assert one is not None
        assert one == other
        assert (one.question, one.context) != (question, CONTEXT)


def test_where_no_rule_applies_there_is_none() -> None:
    context = "law children private night year paper winter Canada 1850 2015"
    assert all(near_miss("who paid", context, [(0, 3)], random.Random(seed)) is None for seed in range(5))
