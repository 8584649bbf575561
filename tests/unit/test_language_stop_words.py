"""Words that are left out: each use has its own list, since a word that says nothing in one place may be what another looks for."""

from __future__ import annotations

from importlib.resources import files

from core.language import stop_words
from core.language.word_files import read_word_file

LISTS = {name: value for name, value in vars(stop_words).items() if isinstance(value, frozenset)}


def test_lists_are_in_lower_case_and_hold_no_word_twice() -> None:
    for file in files("core.language").joinpath("data").iterdir():
        if file.joinpath("stop_words.toml").is_file():
            for use, words in read_word_file(file.name, "stop_words").items():
                assert words == words.lower(), (file.name, use)
                assert len(words.split()) == len(set(words.split())), (file.name, use)


def test_each_use_has_words_of_its_own() -> None:
    assert len(LISTS) == 10
    assert all(LISTS.values())
    assert len(set(LISTS.values())) == 10


def test_what_a_question_leaves_out_a_search_may_look_for() -> None:
    assert {"please", "tell", "find"} <= stop_words.STOP_WORDS
    assert not {"please", "tell", "find"} & stop_words.SEARCH_STOP_WORDS


def test_keywords_leave_out_the_words_of_seven_languages() -> None:
    assert {"the", "nicht", "avec", "pero", "della", "pelo", "niet"} <= stop_words.KEYWORD_STOP_WORDS
    assert "nicht" not in stop_words.ENGLISH_KEYWORD_STOP_WORDS
    assert {"january", "sept", "friday", "document"} <= stop_words.COMMON_KEYWORDS


def test_an_english_word_is_left_out_of_no_table_question_for_being_foreign() -> None:
    assert not {"me", "on", "no", "so", "as", "men", "war"} & stop_words.FOREIGN_TABLE_STOP_WORDS
