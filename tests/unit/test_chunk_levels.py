"""Larger chunks above the small ones, overlap, the confidence of boundaries, and code that is kept whole."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.documents import BlockKind, Chunk, ExtractedDocument, LargerChunk
from ingestion.chunking.chunker import ChunkLimits, DocumentChunks, chunk_document, chunk_with_levels
from ingestion.chunking.code_blocks import split_code
from tests.support.ingestion import document, token_spans
from tests.unit.test_chunker import BLOCKS, WORDS, made, sentences

LIMITS = ChunkLimits(tokens=64, characters=300, levels=(128, 256, 512))
OVERLAPPING = ChunkLimits(tokens=64, characters=300, overlap=0.2)


def by_level(cutting: DocumentChunks) -> list[list[LargerChunk]]:
    return [list(group) for _, group in groupby(cutting.larger_chunks, key=lambda each: each.level)]


def tokens(source: ExtractedDocument, start: int, end: int) -> int:
    return len(token_spans(source.text[start:end]))


def text(source: ExtractedDocument, piece: Chunk | LargerChunk) -> str:
    return source.text[piece.start : piece.end]


@given(BLOCKS, st.lists(st.integers(1, 4), max_size=12), WORDS)
@settings(max_examples=200, deadline=None)
def test_each_level_has_every_chunk_once_and_is_made_of_the_level_below(blocks: list[tuple[BlockKind, str]], levels: list[int], title: str) -> None:
    source = made(blocks, levels)
    cutting = chunk_with_levels(source, title, LIMITS, token_spans)
    below: list[Chunk] | list[LargerChunk] = list(cutting.chunks)
    found = by_level(cutting)
    assert len(found) == (3 if cutting.chunks else 0)
    for level, nodes in enumerate(found, start=1):
        assert [node.ordinal for node in nodes] == list(range(len(nodes)))
        assert [place for node in nodes for place in range(node.first_child, node.last_child + 1)] == list(range(len(below)))
        assert [place for node in nodes for place in range(node.first_chunk, node.last_chunk + 1)] == list(range(len(cutting.chunks)))
        for node in nodes:
            assert node.end == below[node.last_child].end == cutting.chunks[node.last_chunk].end
            assert node.start <= cutting.chunks[node.first_chunk].start
            assert text(source, node).strip() == text(source, node) != ""
            assert node.confidence == cutting.chunks[node.last_chunk].confidence
            assert len({cutting.chunks[place].section for place in range(node.first_chunk, node.last_chunk + 1)}) == 1
            if node.first_chunk < node.last_chunk:
                assert node.tokens <= LIMITS.levels[level - 1]
        below = nodes


@given(BLOCKS, st.lists(st.integers(1, 4), max_size=12))
@settings(max_examples=200, deadline=None)
def test_a_larger_chunk_begins_at_most_the_overlap_earlier_and_in_its_section(blocks: list[tuple[BlockKind, str]], levels: list[int]) -> None:
    source = made(blocks, levels)
    cutting = chunk_with_levels(source, "Title", LIMITS, token_spans)
    for node in cutting.larger_chunks:
        own = cutting.chunks[node.first_chunk]
        assert tokens(source, node.start, own.start) <= LIMITS.levels[node.level - 1] * LIMITS.larger_overlap
        if node.start < own.start:
            before = cutting.chunks[node.first_chunk - 1]
            assert before.section == own.section
            assert before.start <= node.start


@given(BLOCKS, st.lists(st.integers(1, 4), max_size=12), WORDS)
@settings(max_examples=200, deadline=None)
def test_with_an_overlap_all_is_covered_and_at_most_the_overlap_is_repeated(
    blocks: list[tuple[BlockKind, str]], levels: list[int], title: str
) -> None:
    source = made(blocks, levels)
    chunks = chunk_document(source, title, OVERLAPPING, token_spans)
    covered = np.zeros(len(source.text), int)
    for piece in chunks:
        covered[piece.start : piece.end] += 1
        assert piece.tokens == tokens(source, piece.start, piece.end) + len(token_spans(piece.prefix)) + 2 <= OVERLAPPING.tokens
    assert covered.max(initial=0) <= 2
    for before, after in pairwise(chunks):
        assert before.start < after.start
        assert before.end < after.end
        if after.start < before.end:
            assert before.section == after.section
            assert tokens(source, after.start, before.end) <= OVERLAPPING.tokens * OVERLAPPING.overlap
    for block in source.blocks:
        if block.kind is not BlockKind.FURNITURE:
            assert all(covered[i] for i in range(block.start, block.end) if not source.text[i].isspace())


def test_an_overlap_repeats_whole_sentences() -> None:
    source = document([(BlockKind.PARAGRAPH, sentences(30, 2))])
    chunks = chunk_document(source, "", OVERLAPPING, token_spans)
    plain = chunk_document(source, "", ChunkLimits(tokens=64, characters=300), token_spans)
    assert len(chunks) > 2
    assert all(before.end <= after.start for before, after in pairwise(plain))
    assert all(text(source, after).startswith("Sentence") and after.start < before.end for before, after in pairwise(chunks))


def test_the_sections_end_is_surer_than_a_paragraphs_than_a_sentences_than_a_forced_cut() -> None:
    source = document(
        [
            (BlockKind.HEADING, "One"),
            (BlockKind.PARAGRAPH, sentences(12, 6)),
            (BlockKind.PARAGRAPH, "x" * 1500),
            (BlockKind.HEADING, "Two"),
            (BlockKind.PARAGRAPH, "End."),
        ]
    )
    chunks = chunk_document(source, "", LIMITS, token_spans)
    behind = {text(source, piece)[-10:]: piece.confidence for piece in chunks}
    paragraph_ends = [piece.confidence for piece in chunks if piece.end == source.blocks[1].end]
    sentence_ends = [piece.confidence for piece in chunks if piece.end < source.blocks[1].end]
    forced = [piece.confidence for piece in chunks if source.blocks[2].start < piece.end < source.blocks[2].end]
    assert behind[text(source, chunks[-1])[-10:]] == 1.0
    assert [piece.confidence for piece in chunks if piece.end == source.blocks[2].end] == [1.0]
    assert forced
    assert sentence_ends
    assert max(forced) == 0.0 < min(sentence_ends) <= max(sentence_ends) < paragraph_ends[0] < 1.0


def function(name: str, lines: int) -> str:
    return f"def {name}(a):\n" + "\n".join(f"    step_{n} = a + {n}" + ("\n" if n % 4 == 3 else "") for n in range(lines))


def test_a_function_is_whole_in_the_first_level_that_holds_it() -> None:
    names = {"one": 3, "two": 8, "three": 2, "four": 19, "five": 3, "six": 6}
    functions = [function(name, lines).rstrip() for name, lines in names.items()]
    source = document([(BlockKind.CODE, "\n\n\n".join(functions))])
    cutting = chunk_with_levels(source, "", LIMITS, token_spans)
    for body in functions:
        start = source.text.index(body)
        end, size = start + len(body), tokens(source, start, start + len(body))
        pieces: list[Chunk | LargerChunk] = [*cutting.chunks, *cutting.larger_chunks]
        sizes: list[tuple[int, Sequence[Chunk | LargerChunk]]] = [(LIMITS.tokens - 2, cutting.chunks)]
        sizes += [(int(most * 0.9), nodes) for most, nodes in zip(LIMITS.levels, by_level(cutting), strict=True)]
        for most, nodes in sizes:
            holders = [node for node in nodes if node.start < end and start < node.end]
            if size <= most:
                assert len([node for node in holders if node.start <= start and end <= node.end]) >= 1, (body[:12], size, most)
        assert any(node.start <= start and end <= node.end for node in pieces)


def test_a_method_of_a_long_class_is_not_cut() -> None:
    methods = ["\n".join("    " + line for line in function(f"method_{n}", 3).split("\n")) for n in range(6)]
    source = document([(BlockKind.CODE, "class Account:\n" + "\n\n".join(methods))])
    chunks = chunk_document(source, "", LIMITS, token_spans)
    assert len(chunks) > 2
    assert sum(text(source, piece).count("def ") for piece in chunks) == 6
    assert all(text(source, piece).startswith(("class", "def")) and "step_2 = a + 2" in text(source, piece)[-20:] for piece in chunks)


@pytest.mark.parametrize("code", ["", "x = 1", "{\n}\n", "\n\n\n", "if a:\n    b\n\n}\n", "\t\n" * 50])
def test_code_without_several_parts_has_no_inner_pieces(code: str) -> None:
    assert split_code(code) == []


@given(st.text("ab{}() \t\n#", max_size=300))
def test_inner_pieces_cover_the_code(code: str) -> None:
    pieces = split_code(code)
    assert "".join(code[start:end] for start, end in pieces) == (code if pieces else "")
    assert len(pieces) != 1


def test_a_table_row_that_is_too_long_for_a_chunk_is_whole_above_it() -> None:
    rows = ["Item | Note", *(f"thing {n} | {'word ' * (60 if n == 3 else 3)}end" for n in range(8))]
    source = document([(BlockKind.TABLE, "\n".join(rows))])
    cutting = chunk_with_levels(source, "", LIMITS, token_spans)
    start, end = source.tables[0].row_spans[4]
    assert not any(piece.start <= start and end <= piece.end for piece in cutting.chunks)
    assert any(node.start <= start and end <= node.end for node in by_level(cutting)[0])
    for node in cutting.larger_chunks:
        if node.last_chunk + 1 < len(cutting.chunks):
            assert node.end in {row_end for _, row_end in source.tables[0].row_spans}


def test_text_in_lower_case_is_cut_behind_its_full_stops() -> None:
    source = document([(BlockKind.PARAGRAPH, " ".join(f"the rate of year {n} rose to nine and it fell later on." for n in range(40)))])
    assert all(
        text(source, piece).startswith("the rate") and text(source, piece).endswith("on.")
        for piece in chunk_document(source, "", LIMITS, token_spans)
    )


def test_code_that_is_nested_without_end_is_cut_in_time() -> None:
    deep = "\n\n".join(" " * depth + f"if a{depth}:" for depth in range(1500))
    source = document([(BlockKind.CODE, deep)])
    cutting = chunk_with_levels(source, "", LIMITS, token_spans)
    assert "".join("".join(text(source, piece).split()) for piece in cutting.chunks) == "".join(deep.split())
