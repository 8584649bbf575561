"""A question that has to be worked out, and an answer that only quotes: such an answer is not to be sure of."""

from __future__ import annotations

import pytest

from core.answers import OTHER_KIND, Answer, AnswerSentence, Lead, LeadKind
from orchestration.uncomputed_answers import UNCOMPUTED, mark_uncomputed


def quote(*sentences: str, lead: str = "", kind: LeadKind = "span", found: bool = True) -> Answer:
    return Answer(
        text=f"{lead} [1]\n\n{' '.join(sentences)}" if lead else " ".join(sentences),
        sentences=[AnswerSentence(text=text, citations=[number], support="quoted", highlight=(0, 2)) for number, text in enumerate(sentences, 1)],
        lead=Lead(text=lead, kind=kind, citation=1, start=0, end=len(lead)) if lead else None,
        signals={"lead": 0.8},
        found=found,
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        (
            "By how much did the cost at Quay 7 exceed the cost at Quay 9?",
            quote("The cost at Quay 7 was £8,467.", "Quay 9 cost £4,873.", lead="£8,467"),
        ),
        ("How many more cranes than forklifts are there?", quote("Cranes | 12", "Forklifts | 5")),
        ("What did the two stays of Ada Holm come to together?", quote("Ada Holm | Hotel | £94.67", "Ada Holm | Hotel | £70.83")),
        ("Which district had the largest surplus?", quote("1 | Marl | 0.17", "2 | Osyn | 1.30")),
        ("Which had more visitors, Marl or Osyn?", quote("Marl | 71,137", "Osyn | 80,100")),
        ("Um wie viel übersteigt die Miete in Marl mehr als die in Osyn?", quote("Die Miete in Marl: 500 EUR")),
    ],
)
def test_figures_that_were_to_be_compared_are_no_answer(question: str, answer: Answer) -> None:
    marked = mark_uncomputed(question, answer)
    assert marked.signals == {"lead": 0.8, OTHER_KIND: 1.0}
    assert marked.notes == [UNCOMPUTED]
    assert marked.lead is None
    assert marked.text.startswith(answer.sentences[0].text)
    assert not any(sentence.highlight for sentence in marked.sentences)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How much higher is the tower than the church?", quote("The tower is 12 m higher than the church.", lead="12 m")),
        ("Which is the longest bridge of Marl?", quote("The Osyn Bridge is the longest one in Marl.", lead="Osyn Bridge")),
        ("What did both stays come to together?", quote("Together the stays cost £165.50.", lead="£165.50")),
        ("What is the maximum term for neglect?", quote("Neglect: term 5 years", lead="5 years")),
        ("When was crane C2 last examined?", quote("Crane C2 was examined on 3 March 2026.", lead="3 March 2026")),
        ("What is the rent of Quay 7?", quote("The yearly rent is £321,760.", lead="£321,760")),
        ("Which district had the largest surplus?", quote("Osyn: surplus 1.30", lead="Osyn", kind="computed")),
        ("Is Marl larger than Osyn by more than 3 km?", quote("Marl | 7", lead="Yes", kind="verdict")),
        ("Which district had the largest surplus?", quote("Nothing.", found=False)),
        ("Which district had the largest surplus?", quote("Osyn | 1.30").model_copy(update={"generated_by": "a model"})),
    ],
)
def test_what_a_sentence_says_itself_and_what_was_computed_stay(question: str, answer: Answer) -> None:
    assert mark_uncomputed(question, answer) is answer
