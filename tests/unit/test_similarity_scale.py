"""Cosines of any model on one scale: straight lines that keep their order, their end and the two means."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.ports import REFERENCE_SCALE, SimilarityScale

_MEAN = st.floats(-0.5, 0.95)
SCALES = st.tuples(_MEAN, _MEAN).filter(lambda pair: pair[1] - pair[0] > 0.02).map(lambda pair: SimilarityScale(unrelated=pair[0], related=pair[1]))
COSINES = st.floats(-1.0, 1.0)


@given(scale=SCALES, one=COSINES, other=COSINES)
def test_the_order_of_cosines_stays(scale: SimilarityScale, one: float, other: float) -> None:
    low, high = sorted((one, other))
    assert scale.rescale(low) <= scale.rescale(high) + 1e-12
    if high - low > 1e-6:
        assert scale.rescale(low) < scale.rescale(high)


@given(scale=SCALES)
def test_one_stays_one_and_nothing_is_above_it(scale: SimilarityScale) -> None:
    assert scale.rescale(1.0) == pytest.approx(1.0, abs=1e-12)


@given(scale=SCALES)
def test_the_two_means_become_those_of_the_reference(scale: SimilarityScale) -> None:
    assert scale.rescale(scale.unrelated) == pytest.approx(REFERENCE_SCALE.unrelated, abs=1e-9)
    assert scale.rescale(scale.related) == pytest.approx(REFERENCE_SCALE.related, abs=1e-9)
    assert scale.rescale(np.nextafter(scale.related, 2.0)) == pytest.approx(REFERENCE_SCALE.related, abs=1e-9)  # the two lines meet


@given(cosine=COSINES)
def test_the_reference_stays_as_it_is(cosine: float) -> None:
    assert REFERENCE_SCALE.rescale(cosine) == cosine
    assert SimilarityScale(REFERENCE_SCALE.unrelated, REFERENCE_SCALE.related).rescale(cosine) == cosine


@given(scale=SCALES, cosines=st.lists(st.floats(-1.0, 1.0, width=32), max_size=20))
def test_arrays_and_numbers_agree(scale: SimilarityScale, cosines: list[float]) -> None:
    row = np.array(cosines, np.float32)
    scaled = scale.rescale(row)
    assert scaled.shape == row.shape
    assert scaled.dtype == np.float32
    np.testing.assert_allclose(scaled, [scale.rescale(float(each)) for each in row], atol=1e-4)
    square = scale.rescale(np.stack([row, row]))
    np.testing.assert_array_equal(square, np.stack([scaled, scaled]))


def test_the_lines_by_hand() -> None:
    scale = SimilarityScale(unrelated=0.5, related=0.8)
    middle = (REFERENCE_SCALE.unrelated + REFERENCE_SCALE.related) / 2
    assert scale.rescale(0.65) == pytest.approx(middle)
    assert scale.rescale(0.9) == pytest.approx((REFERENCE_SCALE.related + 1) / 2)
    assert scale.rescale(0.2) == pytest.approx(2 * REFERENCE_SCALE.unrelated - REFERENCE_SCALE.related)
