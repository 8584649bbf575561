"""Segments, cursors, path codes and states: the pure parts of the storage."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidInput, Unavailable
from storage import blobs
from storage.filters_sql import read_cursor, search_key, write_cursor
from storage.row_mapping import TextCache
from storage.storable_text import decode_path, encode_path, make_storable

ANYTHING = st.text(alphabet=st.characters())


@given(ANYTHING)
def test_what_is_storable_is_as_long_and_can_be_encoded(text: str) -> None:
    clean = make_storable(text)
    assert len(clean) == len(text)
    assert "\x00" not in clean
    clean.encode("utf-8")
    assert make_storable(clean) == clean


@given(ANYTHING)
def test_a_path_comes_back_whatever_it_holds(text: str) -> None:
    stored = encode_path(text)
    assert decode_path(stored) == text
    assert make_storable(stored) == stored


@given(st.text(max_size=200), st.integers(1, 400), st.data())
def test_a_span_is_cut_out_of_its_segments(body: str, repeats: int, data: st.DataObject) -> None:
    text = body * repeats
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    segments = dict(enumerate(map(blobs.segment_text, blobs.split_text(text))))
    touched = {ordinal: segments[ordinal] for ordinal in blobs.segment_range(start, end) if ordinal in segments}
    assert blobs.slice_segments(touched, start, end) == text[start:end]
    assert "".join(segments.values()) == text


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_comes_back(value: object) -> None:
    packed = blobs.unpack_json(blobs.pack_json(value))
    if "\\u0000" not in repr(value).replace("\\x00", "\\u0000"):
        assert packed == value
    assert blobs.unpack_json(blobs.pack_json(packed)) == packed


def test_damaged_bytes_are_a_sentence() -> None:
    with pytest.raises(Unavailable, match="damaged"):
        blobs.unpack_json(b"not compressed")


def test_vectors_come_back_bit_for_bit() -> None:
    vectors = np.random.default_rng(1).normal(size=(5, 7)).astype(np.float16)
    np.testing.assert_array_equal(blobs.unpack_vectors(blobs.pack_vectors(vectors), 5, 7), vectors)
    assert blobs.unpack_vectors(blobs.pack_vectors(vectors[::2]), 3, 7).shape == (3, 7)


@given(ANYTHING, st.integers(-(2**63) + 1, 2**63 - 1))
def test_a_cursor_comes_back(text: str, number: int) -> None:
    assert read_cursor(write_cursor(text, number), str, int) == [text, number]
    with pytest.raises(InvalidInput):
        read_cursor(write_cursor(text, number), int, str)


@given(st.text())
def test_any_text_is_a_cursor_or_refused(text: str) -> None:
    value: object = "refused"
    with suppress(InvalidInput):
        (value,) = read_cursor(text, str)
    assert isinstance(value, str)


def test_contains_compares_without_case_and_with_compatible_forms() -> None:
    assert search_key("ＡＢＣ ﬁle Straße") == "abc file strasse"


def test_the_text_cache_stays_within_its_bytes() -> None:
    cache = TextCache(limit=10_000)
    for number in range(50):
        cache._add_segments({("document", 1, number): "x" * 1000})
    assert cache._bytes <= 10_000
    assert 5 <= len(cache._segments) <= 10
    assert cache._cached_segments([("document", 1, 0), ("document", 1, 49)]) == {("document", 1, 49): "x" * 1000}
