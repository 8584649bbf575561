"""A question and a passage cut into windows."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from retrieval.readers.token_windows import WindowLayout, cut_windows, special_ids, split_pieces

LAYOUT = WindowLayout((1,), (2,), (3,), window=32, question_tokens=8, overlap=5)


@given(st.integers(0, 400), st.integers(2, 60), st.integers(0, 59))
def test_pieces_cover_every_token_and_overlap_as_asked(tokens: int, room: int, overlap: int) -> None:
    overlap = min(overlap, room - 1)
    found = split_pieces(tokens, room, overlap)
    assert [number for piece in found for number in piece][:1] == ([0] if tokens else [])
    assert {number for piece in found for number in piece} == set(range(tokens))
    assert all(len(piece) <= room for piece in found)
    assert all(len(piece) == room for piece in found[:-1])
    assert all(earlier.stop - later.start == overlap for earlier, later in pairwise(found))
    assert all(later.stop > earlier.stop for earlier, later in pairwise(found))


def test_a_short_passage_is_one_window() -> None:
    (window,) = cut_windows(LAYOUT, [10, 11], [20, 21, 22], 7)
    assert window.ids == [1, 10, 11, 2, 20, 21, 22, 3]
    assert (window.passage, window.first, window.begin, window.end) == (7, 0, 4, 7)


def test_a_long_question_leaves_the_passage_its_room() -> None:
    found = cut_windows(LAYOUT, range(100, 400), range(1000, 1050), 0)
    assert all(window.ids[:10] == [1, *range(100, 108), 2] for window in found)
    assert all(len(window.ids) <= LAYOUT.window for window in found)
    for window in found:
        assert window.ids[window.begin : window.end] == list(range(1000 + window.first, 1000 + window.first + window.end - window.begin))
    assert found[-1].ids[-2:] == [1049, 3]


def test_a_passage_without_tokens_is_one_empty_window() -> None:
    (window,) = cut_windows(LAYOUT, [10], [], 0)
    assert window.ids == [1, 10, 2, 3]
    assert window.begin == window.end == 3


def test_special_ids_are_those_round_two_empty_texts() -> None:
    assert special_ids([101, 102, 102]) == ((101,), (102,), (102,))
    assert special_ids([0, 2, 2, 2]) == ((0,), (2, 2), (2,))
