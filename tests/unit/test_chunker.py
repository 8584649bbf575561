from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from core.documents import BlockKind, Chunk, ExtractedDocument
from ingestion.chunking.chunker import ChunkLimits, chunk_document
from tests.support.ingestion import document, token_spans

LIMITS = ChunkLimits(tokens=64, characters=300)
WORDS = st.text(st.sampled_from("abcde éß漢字.,;:?!|“”-\n𝔘"), min_size=1, max_size=400).filter(lambda text: bool(text.strip()))
KINDS = st.sampled_from([kind for kind in BlockKind if kind is not BlockKind.TABLE])
BLOCKS = st.lists(st.tuples(st.sampled_from(list(BlockKind)), WORDS), max_size=12)


def one_line(text: str) -> str:
    return " ".join(text.split())


def made(blocks: list[tuple[BlockKind, str]], levels: list[int]) -> ExtractedDocument:
    return document([(kind, one_line(text) if kind is BlockKind.HEADING else text.strip()) for kind, text in blocks], levels)


@given(BLOCKS, st.lists(st.integers(1, 4), max_size=12), WORDS)
@settings(max_examples=300, deadline=None)
def test_every_character_is_in_exactly_one_chunk_of_at_most_the_window(blocks: list[tuple[BlockKind, str]], levels: list[int], title: str) -> None:
    source = made(blocks, levels)
    chunks = chunk_document(source, title, LIMITS, token_spans)
    covered = np.zeros(len(source.text), int)
    for number, piece in enumerate(chunks):
        text = source.text[piece.start : piece.end]
        assert piece.ordinal == number
        assert text.strip() == text != ""
        assert len(text) <= LIMITS.characters
        exact = len(token_spans(f"{piece.prefix}\n{text}")) + 2
        assert exact == piece.tokens <= LIMITS.tokens
        covered[piece.start : piece.end] += 1
    assert covered.max(initial=0) <= 1
    assert all(a.end <= b.start for a, b in pairwise(chunks))
    for block in source.blocks:
        if block.kind is not BlockKind.FURNITURE:
            assert all(covered[i] for i in range(block.start, block.end) if not source.text[i].isspace())


@given(BLOCKS, st.lists(st.integers(1, 4), max_size=12))
@settings(max_examples=200, deadline=None)
def test_a_chunk_stays_in_its_section_unless_the_section_before_is_only_headings(blocks: list[tuple[BlockKind, str]], levels: list[int]) -> None:
    source = made(blocks, levels)
    for piece in chunk_document(source, "Title", LIMITS, token_spans):
        inside = [block for block in source.blocks if block.start < piece.end and piece.start < block.end and block.kind is not BlockKind.FURNITURE]
        texts = [index for index, block in enumerate(inside) if block.kind is not BlockKind.HEADING]
        assert all(block.kind is not BlockKind.HEADING for block in inside[texts[0] :]) if texts else True
        furniture = [block for block in source.blocks if block.kind is BlockKind.FURNITURE]
        assert not any(block.start <= piece.start < block.end or block.start < piece.end <= block.end for block in furniture)


def sentences(count: int, words: int = 10) -> str:
    return " ".join("Sentence " + " ".join(f"w{n}x{m}" for m in range(words)) + "." for n in range(count))


def texts(source: ExtractedDocument, chunks: tuple[Chunk, ...]) -> list[str]:
    return [source.text[piece.start : piece.end] for piece in chunks]


def test_a_paragraph_is_cut_at_sentence_ends_into_even_chunks() -> None:
    source = document([(BlockKind.PARAGRAPH, sentences(9, 4))])
    chunks = chunk_document(source, "", ChunkLimits(tokens=30), token_spans)
    assert all(text.startswith("Sentence") and text.endswith(".") for text in texts(source, chunks))
    sizes = [piece.tokens for piece in chunks]
    assert len(sizes) == 3
    assert max(sizes) - min(sizes) == 0


def test_small_blocks_of_a_section_are_joined_and_the_heading_stays_with_its_text() -> None:
    source = document(
        [
            (BlockKind.HEADING, "Costs"),
            (BlockKind.PARAGRAPH, "One."),
            (BlockKind.LIST_ITEM, "• two"),
            (BlockKind.HEADING, "Next"),
            (BlockKind.PARAGRAPH, "X."),
        ]
    )
    chunks = chunk_document(source, "Budget", LIMITS, token_spans)
    assert texts(source, chunks) == ["Costs\n\nOne.\n\n• two", "Next\n\nX."]
    assert [piece.section for piece in chunks] == [("Costs",), ("Next",)]
    assert [piece.prefix for piece in chunks] == ["Budget", "Budget"]


def test_a_lone_heading_joins_the_section_below_it() -> None:
    source = document([(BlockKind.HEADING, "Part I"), (BlockKind.HEADING, "Rent"), (BlockKind.PARAGRAPH, "Due monthly.")], [1, 2])
    (only,) = chunk_document(source, "Lease", LIMITS, token_spans)
    assert (only.start, only.end) == (0, len(source.text))
    assert only.section == ("Part I", "Rent")
    assert only.prefix == "Lease"


def test_later_chunks_of_a_section_carry_its_headings() -> None:
    source = document([(BlockKind.HEADING, "Term"), (BlockKind.PARAGRAPH, sentences(12, 3))])
    chunks = chunk_document(source, "Lease", LIMITS, token_spans)
    assert len(chunks) > 1
    assert {piece.prefix for piece in chunks[1:]} == {"Lease › Term"}


def test_a_table_is_cut_between_rows_and_continues_with_its_column_names() -> None:
    rows = ["Item | Price", *(f"thing number {n} | {n}.00 EUR" for n in range(40))]
    source = document([(BlockKind.TABLE, "\n".join(rows))])
    chunks = chunk_document(source, "Prices", LIMITS, token_spans)
    assert [line for text in texts(source, chunks) for line in text.split("\n")] == rows
    assert chunks[0].prefix == "Prices"
    assert {piece.prefix for piece in chunks[1:]} == {"Prices\nItem | Price"}
    assert all(piece.kind is BlockKind.TABLE for piece in chunks)


def test_code_is_cut_between_lines_rather_at_blank_ones() -> None:
    functions = [f"def f{n}(a, b):\n    first = a + b\n    return first * {n}" for n in range(6)]
    source = document([(BlockKind.CODE, "\n\n".join(functions))])
    chunks = chunk_document(source, "", LIMITS, token_spans)
    assert "\n\n".join(texts(source, chunks)) == source.text
    assert all(text.startswith("def") for text in texts(source, chunks))


def test_furniture_is_left_at_the_edges_and_spanned_in_the_middle() -> None:
    head, foot = (BlockKind.FURNITURE, "ACME Ltd"), (BlockKind.FURNITURE, "page 2")
    source = document([head, (BlockKind.PARAGRAPH, "It begins"), foot, head, (BlockKind.PARAGRAPH, "and ends."), foot])
    assert texts(source, chunk_document(source, "", LIMITS, token_spans)) == ["It begins\n\npage 2\n\nACME Ltd\n\nand ends."]


@pytest.mark.parametrize("text", ["x" * 5000, "漢字" * 900, "word " * 900, "a;b " * 300, "\n".join("z" * 90 for _ in range(50))])
def test_text_without_sentences_is_cut_between_words_where_there_are_any(text: str) -> None:
    source = document([(BlockKind.PARAGRAPH, text.strip())])
    pieces = texts(source, chunk_document(source, "", LIMITS, token_spans))
    assert re.sub(r"\s", "", "".join(pieces)) == re.sub(r"\s", "", text)
    if " " in text:
        assert all(piece.split()[0] in text.split() for piece in pieces)


def test_long_headings_are_shortened_to_a_quarter_of_the_window() -> None:
    heading = sentences(5)
    source = document([(BlockKind.HEADING, heading), (BlockKind.PARAGRAPH, sentences(30))])
    chunks = chunk_document(source, "The title " * 30, LIMITS, token_spans)
    assert all(0 < len(token_spans(piece.prefix)) <= LIMITS.prefix for piece in chunks)
    assert " › Sentence" in chunks[-1].prefix


def test_a_heading_of_syllables_that_are_several_tokens_each_is_shortened() -> None:
    """A syllable that is taken apart gives tokens with one span: cutting at the last token's end leaves the text as long as it was."""

    def in_parts(text: str) -> NDArray[np.int32]:
        return np.array([(at, at + 1) for at, letter in enumerate(text) if not letter.isspace() for _ in range(3)], np.int32).reshape(-1, 2)

    source = document([(BlockKind.HEADING, "감염병의 예방"), (BlockKind.PARAGRAPH, sentences(3))])
    chunks = chunk_document(source, "", LIMITS, in_parts)
    assert all(len(in_parts(piece.prefix)) <= LIMITS.prefix for piece in chunks)
    assert any(piece.prefix for piece in chunks)


def test_no_text_gives_no_chunks() -> None:
    assert chunk_document(document([]), "Title", LIMITS, token_spans) == ()
    assert chunk_document(document([(BlockKind.FURNITURE, "page 1")]), "Title", LIMITS, token_spans) == ()


def test_a_huge_text_is_tokenised_in_slabs_and_nothing_is_lost() -> None:
    calls: list[int] = []

    def counting(text: str) -> NDArray[np.int32]:
        calls.append(len(text))
        return token_spans(text)

    source = document([(BlockKind.PARAGRAPH, sentences(40)) for _ in range(500)])
    chunks = chunk_document(source, "", ChunkLimits(), counting)
    assert max(calls) <= 200_000
    assert sum(len(text.replace("\n", "").replace(" ", "")) for text in texts(source, chunks)) == len(re.sub(r"\s", "", source.text))
