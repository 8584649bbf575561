"""Follow-ups that leave out what the question before them said, completed by its clause."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.query_classifier.elliptical_questions import complete_question
from agents.query_classifier.followups import resolve_followup


@pytest.mark.parametrize(
    ("question", "answer", "text", "read_as"),
    [
        (
            "At what hour does the siren of pier 2 sound?",
            "noon [1]",
            "After how many minutes?",
            "After how many minutes does the siren of pier 2 sound?",
        ),
        ("Who painted the hall?", "Ada Holm [1]", "When?", "When was the hall painted?"),
        ("Which offer for the boats was chosen?", "Marl Yard [1]\n\nDecision: …", "Why?", "Why was Marl Yard chosen?"),
        ("Which offer for the boats was chosen?", "It goes to whom it was given. [1]", "Why?", "Why was the offer for the boats chosen?"),
        ("Why was Marl Yard chosen?", "It is near. [1]", "At what price?", "At what price was Marl Yard chosen?"),
        ("When can we end the lease?", "in May [1]", "Why?", "Why can we end the lease?"),
        ("How much does the landlord pay?", "60 % [1]", "And we?", "How much do we pay?"),
        ("What may the tenant keep?", "boats [1]", "and I?", "What may I keep?"),
        ("How long is the warranty of the Skua?", "a year [1]", "And of its engine?", "How long is the warranty of the Skua's engine?"),
        ("Summarise the spring meeting", "Ada Holm spoke. [1]", "Who took part?", "Who took part in the spring meeting?"),
        ("Show me the harbour policy", "", "Who signed?", "Who signed the harbour policy?"),
        (
            "How much was budgeted for paint in May 2026?",
            "£900 [1]",
            "And what was actually spent?",
            "And what was actually spent for paint in May 2026?",
        ),
        ("What is the budget for paint?", "£900 [1]", "How much has been spent so far?", "How much has been spent so far for paint?"),
        ("How many boats may we keep?", "9 [1]", "What was it before?", "How many boats may we keep before?"),
        (
            "What does the repair of the roof cost?",
            "£10 [1]",
            "How much of that does the owner pay?",
            "How much of the repair of the roof does the owner pay?",
        ),
        (
            "What are the hours of the ferry to Skua Island?",
            "6 to 8 [1]",
            "What were they before June?",
            "What were the hours of the ferry to Skua Island before June?",
        ),
        ("What is the harbour levy rate?", "3 % [1]", "how much do we pay in advance?", "how much do we pay in advance for the harbour levy?"),
        ("What is the price of the boat?", "£9 [1]", "How much did we actually pay?", "How much did we actually pay for the boat?"),
        ("Who moors here?", "Ada [1]", "How much do we pay?", "How much do we pay?"),
        ("What is the levy of pier 2?", "£9 [1]", "And before that?", "What was the levy of pier 2 before?"),
        ("Who does Ada Holm report to?", "Jon Ake [1]", "And who does he report to?", "And who does Jon Ake report to?"),
    ],
)
def test_the_clause_of_the_question_before(question: str, answer: str, text: str, read_as: str) -> None:
    assert resolve_followup(text, [(question, answer)]) == read_as


def test_before_that_goes_behind_since_when() -> None:
    turns = [("What is the levy of pier 2?", "£9 [1]"), ("Since when?", "May [1]")]
    assert resolve_followup("And before that?", turns) == "What was the levy of pier 2 before?"


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How large is the deposit?", "What is the rent of the boathouse?"),
        ("How large is the deposit?", "And who is Ada Holm?"),
        ("Show me the invoices", "At what price?"),
        ("Who may moor here?", "When?"),
        ("", "Why?"),
        ("How large is the deposit?", "Who signed the lease?"),
    ],
)
def test_what_says_what_it_asks_is_left(question: str, text: str) -> None:
    assert complete_question(text, question, "") is None


@given(text=st.text(max_size=80), question=st.text(max_size=80), answer=st.text(max_size=80))
def test_any_text(text: str, question: str, answer: str) -> None:
    found = complete_question(text, question, answer)
    assert found is None or found.strip()
