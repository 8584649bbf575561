"""The probability that the library answers: defined for every set of signals, rising with each of them."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.calibration.answerability import COEFFICIENTS, COVERAGE_SIGNALS, READER_SIGNALS, SIGNALS, UNSAID, not_found_answer, probability
from tests.support.evidence import evidence

# One encoder's cosine stands in the place of the other's: the two never come together.
_ALL_READ = (*READER_SIGNALS, *COVERAGE_SIGNALS)
_SUBSETS = [names for size in (1, 2, 3) for names in combinations(SIGNALS, size) if not {"dense_top1", "multilingual_top1"} <= set(names)]


def test_every_set_of_signals_has_its_coefficients() -> None:
    assert set(COEFFICIENTS) == set(_SUBSETS)
    assert all(len(weights) == len(names) + 1 for names, weights in COEFFICIENTS.items())


@pytest.mark.parametrize("names", _SUBSETS)
@given(values=st.lists(st.floats(0, 1), min_size=3, max_size=3), more=st.floats(0, 1))
def test_more_of_a_signal_is_never_less_likely(names: tuple[str, ...], values: list[float], more: float) -> None:
    signals = dict(zip(names, values, strict=False))
    likely = probability(signals)
    assert 0.0 <= likely <= 1.0
    for name in names:
        assert probability({**signals, name: min(1.0, signals[name] + more)}) >= likely


@given(
    search=st.floats(0, 1),
    read=st.fixed_dictionaries({name: st.floats(0, 1) for name in _ALL_READ}),
    more=st.floats(0, 1),
    names=st.sampled_from(_SUBSETS),
)
def test_the_more_the_reader_finds_the_likelier_an_answer(search: float, read: dict[str, float], more: float, names: tuple[str, ...]) -> None:
    signals = {**dict.fromkeys(names, search), **read}
    likely = probability(signals)
    assert 0.0 < likely < 1.0
    for name in (*names, *_ALL_READ):
        assert probability({**signals, name: min(1.0, signals[name] + more)}) >= likely


@pytest.mark.parametrize("names", _SUBSETS)
@pytest.mark.parametrize("absent", [(), READER_SIGNALS, COVERAGE_SIGNALS, _ALL_READ[1:]])
def test_where_nothing_was_read_the_search_alone_decides(names: tuple[str, ...], absent: tuple[str, ...]) -> None:
    signals = {name: 0.2 + 0.2 * place for place, name in enumerate(names)}
    assert probability({**signals, **dict.fromkeys(absent, 1.0)}) == probability(signals)


def test_names_alone_are_no_answer() -> None:
    signals = {"dense_top1": 0.6, "coverage": 0.7, **dict.fromkeys(_ALL_READ, 0.3)}
    assert probability({**signals, UNSAID: 1.0}) < 0.3 * probability(signals)
    assert probability({**signals, UNSAID: 0.0}) == probability(signals)


def test_a_reader_that_finds_it_outweighs_words_that_are_missing() -> None:
    signals = {"dense_top1": 0.4, "coverage": 0.3}
    found, nothing = dict.fromkeys(_ALL_READ, 0.97), dict.fromkeys(_ALL_READ, 0.02)
    assert probability({**signals, **nothing}) < probability(signals | found)
    assert probability({**signals, **found}) > 0.5
    assert probability({**signals, **nothing}) < 0.5
    assert probability(found) == 0.0  # of what was read alone nothing is said


def test_what_the_reader_is_sure_of_is_cut() -> None:
    signals = {"coverage": 0.5}
    certain, never = dict.fromkeys(_ALL_READ, 1.0), dict.fromkeys(_ALL_READ, 0.0)
    assert 0.0 < probability(signals | never) < probability(signals | certain) < 1.0
    assert probability(signals | dict.fromkeys(_ALL_READ, 7.0)) == probability(signals | certain)
    assert probability(signals | dict.fromkeys(_ALL_READ, -7.0)) == probability(signals | never)


def test_strong_and_weak_evidence_lie_on_both_sides_of_the_threshold() -> None:
    assert probability({"dense_top1": 0.65, "lexical_ratio": 0.8, "coverage": 0.9}) > 0.8
    assert probability({"dense_top1": 0.25, "lexical_ratio": 0.2, "coverage": 0.1}) < 0.1


def test_no_signal_is_no_answer_and_odd_values_are_cut() -> None:
    assert probability({}) == 0.0
    assert probability({"unknown": 1.0}) == 0.0
    assert probability({"coverage": 7.0}) == probability({"coverage": 1.0})
    assert probability({"dense_top1": 0.9, "multilingual_top1": 0.1}) == probability({"multilingual_top1": 0.1})
    assert probability({"coverage": -7.0, "other": 3.0}) == probability({"coverage": 0.0})


def test_the_not_found_answer_names_the_question_and_the_nearest_files() -> None:
    items = [evidence("Some text here.", document=name) for name in ("a", "b", "a", "c", "d")]
    answer = not_found_answer("Who\npaid?", items)
    assert not answer.found
    assert answer.generated_by == "none"
    assert answer.text == "I did not find an answer to “Who paid?” in your documents. The nearest passages are in a.txt, b.txt and c.txt."
    assert not answer.citations
    assert len(not_found_answer("x" * 10_000, []).text) < 400
