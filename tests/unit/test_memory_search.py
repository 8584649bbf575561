"""One person's lines: ranking, neighbours, removal, and a ranking that does not depend on how the index came about."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.line_index import LineIndex, MemoryLine, spoken_date
from tests.support.indexes import DIMENSION, vector_of
from tests.support.memory_world import NOON, terms


def line(number: int, text: str, group: str = "s", speaker: str = "") -> MemoryLine:
    return MemoryLine(f"l{number}", group, text, NOON + timedelta(minutes=number), speaker)


def index_of(*lines: MemoryLine) -> LineIndex:
    made = LineIndex(DIMENSION, terms)
    for each in lines:
        made.put_line(each, vector_of(each.text))
    return made


def ids(index: LineIndex, question: str, limit: int = 10) -> list[str]:
    return [found.id for found in index.search(question, vector_of(question), limit)]


def test_an_empty_index_finds_nothing() -> None:
    assert ids(index_of(), "anything") == []
    assert index_of().nearest_lines(vector_of("x"), 3) == []


def test_words_and_meaning_find_the_line() -> None:
    index = index_of(line(1, "The rent is due in May", "a"), line(2, "The roof was mended", "b"), line(3, "Trains are booked in second class", "c"))
    assert ids(index, "When was the roof mended?")[0] == "l2"
    best = index.search("roof mended", vector_of("roof mended"), 1)[0]
    assert best.coverage == 1.0
    assert 0 < best.cosine <= 1.0


def test_among_few_lines_a_word_that_is_in_all_of_them_still_counts() -> None:
    index = index_of(line(1, "my desk is 4.12", "a"))
    (found,) = index.search("What is the number of my desk?", vector_of("desk"), 5)
    assert 0.3 < found.coverage < 0.5


def test_a_line_gains_from_its_neighbours_in_the_session_alone() -> None:
    asked = line(2, "The roof of the hall", "a")
    index = index_of(line(1, "Yes, in spring", "a"), asked, line(3, "Yes, in autumn", "b"))
    found = {each.id: each.score for each in index.search("roof hall", vector_of("roof hall"), 10)}
    assert found["l1"] > found.get("l3", 0.0)


def test_the_named_speaker_and_the_date_count() -> None:
    said = "we went swimming"
    index = index_of(line(1, said, "a", "Caroline"), line(2, said, "b", "Melanie"))
    assert ids(index, "What did Melanie say about swimming?")[0] == "l2"
    dated = index_of(line(1, said, "a"), MemoryLine("l9", "b", said, NOON + timedelta(days=40)))
    assert ids(dated, f"swimming on {spoken_date(NOON + timedelta(days=40))}")[0] == "l9"


def test_what_is_removed_is_never_found_and_its_place_is_given_back() -> None:
    index = index_of(*(line(number, f"word{number} roof", f"s{number % 7}") for number in range(700)))
    index.remove_lines([f"l{number}" for number in range(0, 700, 2)])
    assert len(index) == 350
    assert not {f"l{number}" for number in range(0, 700, 2)} & set(ids(index, "roof word10", 700))
    assert ids(index, "word11", 1) == ["l11"]
    assert index.vector("l10") is None
    index.put_line(line(10, "the cellar"), None)
    assert [each.id for each in index.search("cellar", np.zeros(DIMENSION, np.float32), 1)] == ["l10"]


def test_a_line_that_is_put_again_has_its_new_words_only() -> None:
    index = index_of(line(1, "The roof"), line(2, "The rent", "b"))
    index.put_line(line(1, "The cellar"), vector_of("The cellar"))
    assert len(index) == 2
    assert ids(index, "cellar", 1) == ["l1"]
    assert index.search("roof", np.zeros(DIMENSION, np.float32), 5) == []


def test_the_line_before_is_of_the_same_session() -> None:
    first, second, third = line(1, "a", "x"), line(2, "b", "y"), line(3, "c", "x")
    index = index_of(first, second, third)
    assert index.previous_line(third) == first
    assert index.previous_line(first) is None
    assert index.previous_line(line(9, "d", "y")) == second


WORDS = st.lists(st.sampled_from("roof rent cellar train hotel notice lease crane".split()), min_size=1, max_size=5).map(" ".join)


@settings(deadline=None)
@given(st.lists(st.tuples(st.integers(0, 12), WORDS, st.sampled_from("abc"), st.booleans()), max_size=40), WORDS)
def test_an_index_that_changed_equals_one_that_was_made_so(steps: list[tuple[int, str, str, bool]], question: str) -> None:
    changed = LineIndex(DIMENSION, terms)
    kept: dict[str, MemoryLine] = {}
    for number, text, group, removed in steps:
        each = line(number, text, group)
        if removed:
            changed.remove_lines([each.id])
            kept.pop(each.id, None)
        else:
            changed.put_line(each, vector_of(text))
            kept[each.id] = each
    fresh = index_of(*kept.values())
    assert set(ids(changed, question, 50)) == set(ids(fresh, question, 50))
    assert len(changed) == len(kept)
