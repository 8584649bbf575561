"""How a quote is known: by words in a row, whatever stands between them."""

from __future__ import annotations

from storage.quoted_words import QuotedWords, capitalized_pairs


def test_words_in_a_row_are_a_quote_in_any_writing() -> None:
    quoted = QuotedWords(["The violet pelican keeps seventeen kettles."], 4)
    assert quoted.occur_in("…VIOLET pelican,\nkeeps — seventeen…")
    assert not quoted.occur_in("violet pelican keeps")
    assert not quoted.occur_in("The violet kettles keep seventeen pelicans")
    assert not quoted.occur_in("")


def test_a_short_text_is_quoted_as_a_whole() -> None:
    quoted = QuotedWords(["Door code 4711", ""], 8)
    assert quoted.occur_in("It says: door code 4711.")
    assert not quoted.occur_in("The door code is 4711")


def test_nothing_is_quoted_of_nothing() -> None:
    assert not QuotedWords([], 4).occur_in("a b c d")
    assert not QuotedWords(["…"], 4).occur_in("…")


def test_scripts_without_spaces_count_characters() -> None:
    quoted = QuotedWords(["租賃合同於五月底結束"], 4)
    assert quoted.occur_in("文件說合同於五月。")
    assert not quoted.occur_in("合同五月")


def test_names_are_two_words_with_capitals() -> None:
    assert capitalized_pairs("Door of Marta Oslund\nand Tom, Reed. The Pantry of Élodie Łaska is open") == {"Marta Oslund", "Élodie Łaska"}
