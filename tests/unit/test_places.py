"""Spans of recognised lines in the text that was made of them, and how they are packed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.recognized_lines import LinePlace, WordPlace, locate_lines, pack_lines, pack_page, unpack_lines
from ingestion.readers.base.document_builder import DocumentBuilder


def line(text: str) -> tuple[str, LinePlace]:
    words, at = [], 0
    for word in text.split(" "):
        words.append(WordPlace(at, at + len(word), at / len(text), (at + len(word)) / len(text)))
        at += len(word) + 1
    return text, LinePlace(0, len(text), 0.1, 0.2, 0.5, 0.02, 0.0, tuple(words))


def said(block: str, lines: list[LinePlace], start: int) -> list[list[str]]:
    return [[block[word.start - start : word.end - start] for word in each.words] for each in lines]


def test_words_are_found_where_lines_were_joined_and_a_divided_word_was_mended() -> None:
    block = "The rent of the Halden of\ufb01ce and its well-known resources."
    found = locate_lines(block, 100, [line("The rent of the Halden of\ufb01ce and"), line("its well-known re-"), line("sources.")])
    assert said(block, found, 100) == [["The", "rent", "of", "the", "Halden", "of\ufb01ce", "and"], ["its", "well-known", "re"], ["sources."]]
    assert [block[each.start - 100 : each.end - 100] for each in found] == ["The rent of the Halden of\ufb01ce and", "its well-known re", "sources."]


def test_characters_that_no_reader_wants_are_passed_over() -> None:
    found = locate_lines("Total due", 0, [line("Tot\u00adal \ue001due")])
    assert said("Total due", found, 0) == [["Total", "due"]]


def test_a_line_that_is_not_there_is_left_out() -> None:
    found = locate_lines("The end", 0, [line("Quite another sentence, which was cut off"), line("The end")])
    assert said("The end", found, 0) == [["The", "end"]]
    assert locate_lines("", 0, [line("word")]) == []
    assert locate_lines("word", 0, []) == []


@given(st.lists(st.text("abcde -é漢\u200b\n", min_size=1, max_size=30), max_size=6), st.text("abcde \n-", max_size=80), st.integers(0, 10_000))
def test_spans_always_lie_in_the_block_and_in_order(texts: list[str], block: str, start: int) -> None:
    found = locate_lines(block, start, [line(text) for text in texts])
    ends = [start, *[end for each in found for end in (each.start, each.end)], start + len(block)]
    assert ends == sorted(ends)
    for each in found:
        assert all(each.start <= word.start < word.end <= each.end for word in each.words)


def test_what_is_packed_comes_back_rounded() -> None:
    places = [
        LinePlace(40, 49, 0.123456, 0.5, 0.25, 0.0202, -2.34, (WordPlace(40, 45, 0.0, 0.55), WordPlace(46, 49, 0.61, 1.0))),
        LinePlace(60, 62, -0.002, 1.0, 0.1, 0.01, 90.0),
    ]
    assert unpack_lines(pack_lines(places)) == [
        LinePlace(40, 49, 0.1235, 0.5, 0.25, 0.0202, -2.3, (WordPlace(40, 45, 0.0, 0.55), WordPlace(46, 49, 0.61, 1.0))),
        LinePlace(60, 62, -0.002, 1.0, 0.1, 0.01, 90.0),
    ]
    assert (pack_page(3, places).page, pack_page(3, places).start, pack_page(3, places).end) == (3, 40, 62)
    with pytest.raises(ValueError, match="incorrect"):
        unpack_lines(b"no places")


def test_a_document_has_the_places_of_its_blocks_page_by_page() -> None:
    builder = DocumentBuilder("pdf")
    builder.page()
    builder.heading("Lease")
    builder.note_line_places([line("Lease")])
    builder.page()
    builder.note_turn(180)
    builder.paragraph("The rent is due.")
    builder.note_line_places([line("The rent"), line("is due.")])
    document = builder.build()
    assert [page.turned for page in document.pages] == [0, 180]
    first, second = document.places
    assert [document.text[each.start : each.end] for each in unpack_lines(first.packed)] == ["Lease"]
    assert (second.page, [document.text[each.start : each.end] for each in unpack_lines(second.packed)]) == (2, ["The rent", "is due."])
    assert (second.start, second.end) == (document.text.index("The rent"), len(document.text))
