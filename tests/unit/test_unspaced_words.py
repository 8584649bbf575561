"""Chinese words out of pieces: pieces of several characters, single ones taken together, and nothing across what is grammar or another script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from retrieval.unspaced_words import blank_unspaced, is_unspaced, join_pieces


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        (["押金", "由", "谁", "保管", "?"], ["押金", "保管"]),  # pieces of two characters are words
        (["伊", "丽", "莎", "白", "住", "在"], ["伊丽", "丽莎", "莎白", "白住"]),  # more than a name's length: pairs
        (["防", "守", "的", "起", "重", "机"], ["防守", "起重机"]),  # grammar parts what stands round it
        (["吊", "C", "机"], []),  # and so does another script; a character alone tells nothing
        (["码头", "码头", "7"], ["码头"]),
        ([], []),
    ],
)
def test_pieces_become_words(pieces: list[str], words: list[str]) -> None:
    assert join_pieces(pieces) == words


@given(st.lists(st.text("押金由谁保管的在Ca7", min_size=1, max_size=4), max_size=12))
def test_every_word_stands_in_the_text_once(pieces: list[str]) -> None:
    found = join_pieces(pieces)
    assert len(found) == len(set(found))
    assert all(word in "".join(pieces) and len(word) > 1 for word in found)


def test_what_has_no_spaces() -> None:
    assert is_unspaced("押金由谁保管")
    assert is_unspaced("采用C模式学校")
    assert not is_unspaced("東京の人口")  # Japanese: its pieces hold words and endings in one
    assert not is_unspaced("Kaution")


def test_a_number_between_chinese_characters_stands_alone() -> None:
    assert blank_unspaced("女王于1981年在纽卡斯尔").split() == ["1981"]
    assert blank_unspaced("Kran C2") == "Kran C2"
