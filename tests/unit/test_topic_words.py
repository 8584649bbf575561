"""The words of a topic: those that the first passages say most often, each passage by its weight and for its length."""

from __future__ import annotations

import pytest

from retrieval.topic_words import find_topic_words, mix_topic_scores, score_topic_words

STEMS = {"ducks": "duck", "duck": "duck", "ponds": "pond", "pond": "pond", "reeds": "reed", "the": ""}


def analyse(text: str) -> list[str]:
    return [stem for word in text.lower().replace(".", "").split() if (stem := STEMS.get(word, word))]


def test_a_term_counts_by_its_share_of_each_passage_and_the_passages_weight() -> None:
    topic = find_topic_words([("Ducks duck pond", 3.0), ("reeds", 1.0)], analyse, 10)
    assert topic.shares == pytest.approx({"duck": 0.75 * 2 / 3, "pond": 0.75 / 3, "reed": 0.25})
    assert topic.words == {"duck": "Ducks", "pond": "pond", "reed": "reeds"}, "each with a word that the index can be asked about"


def test_the_likeliest_are_kept_and_add_up_to_one() -> None:
    topic = find_topic_words([("duck duck duck pond pond reeds", 1.0)], analyse, 2)
    assert topic.shares == pytest.approx({"duck": 0.6, "pond": 0.4})
    assert list(find_topic_words([("pond duck", 1.0)], analyse, 1).shares) == ["duck"], "of equal ones the first in the alphabet"


def test_nothing_is_the_topic_of_passages_without_words() -> None:
    assert not find_topic_words([("the the", 1.0)], analyse, 5).shares
    assert not find_topic_words([], analyse, 5).shares


def test_a_text_scores_by_the_topics_words_that_it_holds() -> None:
    topic = find_topic_words([("duck duck duck pond", 1.0)], analyse, 5)
    texts = {1: "a duck swims", 2: "a pond lies", 3: "a fox runs", 4: "a duck " + "swims " * 30}
    scores = score_topic_words(topic, {"duck": 1.0, "pond": 1.0}, texts, analyse)
    assert scores[1] > scores[2] > scores[3] == 0.0
    assert scores[1] > scores[4] > 0, "the same word in a longer text counts less"
    rare = score_topic_words(topic, {"duck": 1.0, "pond": 9.0}, texts, analyse)
    assert rare[2] > rare[1], "a rare word counts more"


def test_the_question_and_its_topic_are_mixed_by_weight() -> None:
    assert mix_topic_scores({1: 6.0}, 3, {1: 1.0, 2: 4.0}, 0.25) == pytest.approx({1: 0.75 * 2 + 0.25, 2: 1.0})
    assert mix_topic_scores({1: 6.0}, 3, {1: 1.0, 2: 4.0}, 0.0) == pytest.approx({1: 2.0, 2: 0.0})
