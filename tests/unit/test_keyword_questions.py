"""A few words that are searched as a question, thanks that are not searched, and the mark that was left out."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.query_classifier.agent import Athena, classify
from agents.query_classifier.keyword_questions import expand_keywords, strip_thanks
from core.search import Query

RULED = Athena(llm=None, now=datetime(2026, 5, 6, 9, 0, tzinfo=UTC))


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("Ada's badge", "What is Ada's badge?"),
        ("Ada Holm's mooring fee?", "What is Ada Holm's mooring fee?"),
        ("draught of the Skua", "What is the draught of the Skua?"),
        ("the draught of pier 2", "What is the draught of pier 2?"),
        ("draught of shallow barges .", "What is the draught of shallow barges?"),
        ("IBAN of Marl Yard", "What is IBAN of Marl Yard?"),
        ("who moors the Skua", "who moors the Skua?"),
        ("is the slipway open (in May)", "is the slipway open (in May)?"),
    ],
)
def test_a_few_words_as_a_question(typed: str, searched: str) -> None:
    assert expand_keywords(typed) == searched


@pytest.mark.parametrize(
    "text",
    [
        "What is Ada's badge?",
        "who moors the Skua, please!",
        "mooring fee harbour",  # which noun is whose is not said
        "It's closed",
        "let's go",
        "Explain Marl Yard's offer",
        "list of moorings",
        "most of the boats",
        "Ada's badge and Jon's fee",
        "berth 4",
        "Ada Holm",
        "",
    ],
)
def test_other_texts_stay(text: str) -> None:
    assert expand_keywords(text) == text


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Ada's badge please", "Ada's badge"),
        ("what is the fee pls thx", "what is the fee"),
        ("What is the fee, thank you very much!", "What is the fee"),
        ("what is the fee please?", "what is the fee?"),
        ("who said thanks?", "who said thanks?"),
        ("how do visitors say please?", "how do visitors say please?"),
        ("a letter of thanks", "a letter of thanks"),
        ("please", "please"),
    ],
)
def test_thanks_are_not_searched(text: str, left: str) -> None:
    assert strip_thanks(text) == left


@pytest.mark.parametrize(
    ("typed", "searched"),
    [
        ("adas badge", "adas badge"),
        ("Ada's badge please", "What is Ada's badge?"),
        ("fee of pier 2 thanks", "What is the fee of pier 2?"),
        ("my contracts", "my contracts"),  # documents are asked for
        ("summarise Ada's letter", "Ada's letter"),
    ],
)
async def test_what_is_searched(typed: str, searched: str) -> None:
    found = await classify(Query(text=typed), athena=RULED)
    assert found.search_text == searched
    assert found.read_as == ""


@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    expand_keywords(strip_thanks(text))
