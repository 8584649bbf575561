"""What a person's choices teach: slowly at first, surely by thirty searches, and as surely back again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.strategy import agent as strategy_agent
from agents.strategy.agent import STRATEGIES, personalise
from core.memory import Observation, UserPreferences
from memory import procedural
from memory.procedural import MINIMUM_VOTES, PRIOR_SHARE, learn_preferences

NOW = datetime(2026, 5, 6, 9, 0, tzinfo=UTC)


def seen(number: int, lexical: int | None, dense: int | None, reward: float = 0.5, **fields: object) -> Observation:
    at = NOW - timedelta(hours=1000 - number)
    known = {"user_id": "ann", "trace_id": f"t{number}", "kind": "open_citation", "strategy": "hybrid", "document_id": "d"}
    return Observation.model_validate({**known, "lexical_rank": lexical, "dense_rank": dense, "reward": reward, "observed_at": at, **fields})


def by_words(count: int, start: int = 0, reward: float = 0.5) -> list[Observation]:
    return [seen(start + number, 1, 12, reward) for number in range(count)]


def by_meaning(count: int, start: int = 0) -> list[Observation]:
    return [seen(start + number, 12, 1) for number in range(count)]


def share(observations: Sequence[Observation]) -> float:
    weights = learn_preferences(observations, NOW).optimal_weights
    assert weights is not None
    assert weights["lexical"] + weights["dense"] == pytest.approx(1.0)
    return weights["lexical"]


def test_three_clicks_swing_nothing() -> None:
    assert learn_preferences(by_words(3, reward=1.0), NOW).optimal_weights is None
    assert "before there are" in learn_preferences(by_words(3), NOW).reason
    assert learn_preferences([], NOW) == UserPreferences(reason="Nothing has been learned yet.")


def test_thirty_searches_are_enough_in_both_directions_and_back_again() -> None:
    towards_words = share(by_words(30))
    assert towards_words >= PRIOR_SHARE + 0.1
    back = share([*by_words(30), *by_meaning(30, start=30)])
    assert back < PRIOR_SHARE - 0.02
    assert share(by_meaning(30)) <= back


def test_the_first_telling_choices_move_little() -> None:
    assert share(by_words(MINIMUM_VOTES)) - PRIOR_SHARE < share(by_words(30)) - PRIOR_SHARE


def test_a_result_that_is_turned_away_speaks_for_the_other_leg() -> None:
    assert share([seen(number, 1, 12, -1.0) for number in range(20)]) < PRIOR_SHARE


def test_where_both_legs_agree_nothing_is_learned() -> None:
    assert learn_preferences([seen(number, 2, 2) for number in range(50)], NOW).optimal_weights is None
    assert learn_preferences([seen(number, None, None) for number in range(50)], NOW).optimal_weights is None


def test_random_choices_do_not_drift() -> None:
    chance = random.Random(5)
    shares = [share([seen(number, *chance.choice([(1, 12), (12, 1)])) for number in range(60)]) for _ in range(20)]
    assert abs(sum(shares) / len(shares) - PRIOR_SHARE) < 0.03
    assert max(abs(each - PRIOR_SHARE) for each in shares) < 0.1


def test_old_choices_fade() -> None:
    old = [each.model_copy(update={"observed_at": NOW - timedelta(days=400)}) for each in by_words(30)]
    assert abs(share(old) - PRIOR_SHARE) < 0.02


def test_the_strategy_and_the_documents_that_worked() -> None:
    good = [seen(number, 1, 1, 1.0, strategy="precise", document_id="lease") for number in range(12)]
    bad = [seen(20 + number, 1, 1, -0.5, strategy="hybrid", document_id="notes") for number in range(12)]
    found = learn_preferences([*good, *bad], NOW)
    assert (found.best_strategy, found.frequently_accessed) == ("precise", ["lease"])
    assert learn_preferences(good[:3], NOW).best_strategy is None


def test_whether_the_rerank_helps() -> None:
    assert learn_preferences([seen(number, 1, 1, fusion_rank=6, rerank_rank=1) for number in range(10)], NOW).should_rerank is True
    assert learn_preferences([seen(number, 1, 1, fusion_rank=1, rerank_rank=6) for number in range(10)], NOW).should_rerank is False
    assert learn_preferences([seen(number, 1, 1, fusion_rank=1, rerank_rank=6) for number in range(3)], NOW).should_rerank is None


ranks = st.one_of(st.none(), st.integers(1, 200))


@given(st.lists(st.tuples(ranks, ranks, st.floats(-1, 1)), max_size=60))
def test_weights_stay_in_their_bounds_in_any_order(given_ranks: list[tuple[int | None, int | None, float]]) -> None:
    observations = [seen(number, lexical, dense, reward) for number, (lexical, dense, reward) in enumerate(given_ranks)]
    found = learn_preferences(observations, NOW)
    assert found == learn_preferences(observations[::-1], NOW)
    if found.optimal_weights is not None:
        assert 0.1 <= found.optimal_weights["lexical"] <= 0.9


# ------------------------------------------------------------------------------------------------------------------ Proteus
LEARNED = UserPreferences(optimal_weights={"lexical": 0.55, "dense": 0.45}, reason="30 choices")


def test_the_prior_is_one_number() -> None:
    assert strategy_agent.PRIOR_SHARE == procedural.PRIOR_SHARE


def test_proteus_is_moved_and_says_so() -> None:
    moved, used = personalise(STRATEGIES["semantic"], LEARNED)
    assert (moved.lexical, moved.dense) == (0.45, 0.55)
    assert used is not None
    assert used.change == {"lexical": [0.3, 0.45], "dense": [0.7, 0.55]}
    assert "0.30 → 0.45" in used.used_for
    assert used.used_for in moved.reason


def test_other_legs_keep_their_weights() -> None:
    moved, _ = personalise(STRATEGIES["exploratory"], LEARNED)
    assert moved.graph == STRATEGIES["exploratory"].graph
    assert moved.lexical + moved.dense == pytest.approx(0.7)


@pytest.mark.parametrize("learned", [UserPreferences(), UserPreferences(optimal_weights={"lexical": 0.41, "dense": 0.59})])
def test_little_or_nothing_learned_moves_nothing(learned: UserPreferences) -> None:
    assert personalise(STRATEGIES["hybrid"], learned) == (STRATEGIES["hybrid"], None)


def test_a_precise_search_stays_exact() -> None:
    assert personalise(STRATEGIES["precise"], LEARNED) == (STRATEGIES["precise"], None)
