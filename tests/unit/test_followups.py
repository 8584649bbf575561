"""Follow-ups against the conversation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.followups import resolve


@pytest.mark.parametrize(
    ("earlier", "text", "read_as"),
    [
        (["What was the revenue in 2022?"], "and in 2023?", "What was the revenue in 2023?"),
        (["What was the revenue in 2022?", "and in 2023?"], "and 2024?", "What was the revenue in 2024?"),
        (["How high were the costs in Q1 2024?"], "what about Q2?", "How high were the costs in Q2 2024?"),
        (["What happened in March 2024?"], "and in April?", "What happened in April 2024?"),
        (["Who manages the Berlin office?"], "What about the Lyon office?", "Who manages the Lyon office?"),
        (["Who manages the Berlin office?"], "what about that?", "Who manages the Berlin office?"),
        (["When does the Halden lease end?"], "who signed it?", "who signed it (Halden lease end)?"),
        (["Who signed the agreement with Norvik?"], "and its annex?", "its annex (Norvik)?"),
        (["What is the notice period of the lease?"], "how long has it been in force?", "how long has it been in force (notice period lease)?"),
        (["Who manages the Berlin office?"], "Is it possible to rent bikes?", "Is it possible to rent bikes?"),
        (["Who manages the Berlin office?"], "Which documents mention solar panels?", "Which documents mention solar panels?"),
        (["What does Dr Anna Weber work on?"], "where did she study?", "where did Dr Anna Weber study?"),
        (["What is the rent for Quay 7?", "and the deposit?"], "what about the service charge?", "the service charge (Quay 7)?"),
        (["What may hotels cost?"], "and trains?", "What may hotels cost, trains?"),
        ([], "and in 2023?", "and in 2023?"),
    ],
)
def test_reading(earlier: list[str], text: str, read_as: str) -> None:
    assert resolve(text, [(question, "an answer") for question in earlier]) == read_as


@given(st.lists(st.tuples(st.text(max_size=60), st.text(max_size=20)), max_size=12), st.text(max_size=100))
def test_any_history_is_read(history: list[tuple[str, str]], text: str) -> None:
    read = resolve(text, history)
    assert read or not text


@given(st.text(max_size=100))
def test_without_a_history_nothing_changes(text: str) -> None:
    assert resolve(text, []) == text
