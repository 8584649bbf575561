"""Socrates before a search: he asks only where several documents answer and nothing in the question tells them apart."""

from __future__ import annotations

import pytest

from agents.clarification.agent import Ambiguity, Clarification, find_ambiguity
from agents.clarification.stated_attributes import asked_attribute, find_stated_values
from core.documents import Document
from core.ports import DocumentContent
from core.search import Filters, Intent
from tests.support.ports import FakeLibrary, make_document


def library() -> FakeLibrary:
    return FakeLibrary(
        [
            make_document("1", "/library/travel lyon.md", "Travel policy, Lyon", [("Hotels", "Hotels are paid up to 120 euros a night.")]),
            make_document("2", "/library/travel oslo.md", "Travel policy, Oslo", [("Hotels", "Hotels are paid up to 140 euros a night.")]),
            make_document("f", "/library/fire.md", "Fire policy", [("Alarm", "The alarm is tested every Monday.")]),
            make_document("l", "/library/lease.pdf", "Lease of Quay 7", [("Term", "The lease ends in 2031.")]),
            make_document("a", "/library/amendment.pdf", "Amendment to the lease of Quay 7", [("Term", "The lease now ends in 2032.")]),
        ]
    )


async def asked(question: str, intent: Intent = Intent.DOCUMENT_SEARCH, filters: Filters | None = None) -> list[str]:
    found = await find_ambiguity(Ambiguity(question=question, intent=intent, filters=filters or Filters()), tenant="default", library=library())
    return found.questions if found else []


async def test_a_kind_that_several_documents_are() -> None:
    assert await asked("What does the policy say about hotels at night?") == [
        "What does the policy “Travel policy, Lyon” say about hotels at night?",
        "What does the policy “Travel policy, Oslo” say about hotels at night?",
    ]


@pytest.mark.parametrize(
    "question",
    [
        "What does the fire policy say about the alarm?",
        "What does the policy say about the alarm?",
        "When does the lease end?",
        "Which policy is the newest?",
        "What does the pension policy say about hotels at night?",
        "How much is paid for hotels?",
        "What does the policy say?",
        "",
        "the " * 500,
    ],
)
async def test_what_can_be_answered_is_not_interrupted(question: str) -> None:
    assert await asked(question) == []


async def test_of_two_editions_the_valid_one_answers() -> None:
    hotels = [("Hotels", "Hotels are paid up to 120 euros a night.")]
    editions = [
        make_document("1", "/library/v1.md", "Travel policy, version 1", hotels),
        make_document("2", "/library/v2.md", "Travel policy", hotels),
    ]
    about = Ambiguity(question="What does the policy say about hotels at night?", intent=Intent.DOCUMENT_SEARCH)
    assert await find_ambiguity(about, tenant="default", library=FakeLibrary(editions)) is None


async def test_comparisons_filters_and_other_tenants_are_left_alone() -> None:
    question = "What does the policy say about hotels at night?"
    assert await asked(question, Intent.COMPARISON) == []
    assert await asked(question, filters=Filters(document_ids=["2"])) == []
    other = await find_ambiguity(Ambiguity(question=question, intent=Intent.DOCUMENT_SEARCH), tenant="other", library=library())
    assert other is None


def of_kind(kind: str, made: tuple[Document, DocumentContent]) -> tuple[Document, DocumentContent]:
    return made[0].model_copy(update={"doc_type": kind}), made[1]


def offers() -> FakeLibrary:
    kestrel = [("Prices", "Total net 82,720\nThe trucks carry a warranty of 36 months."), ("Delivery", "We deliver nine weeks after your order.")]
    norland = [("Prices", "Total net 71,580\nThe warranty runs for 24 months."), ("Delivery", "The trucks arrive fourteen weeks after your order.")]
    pallas = [("Prices", "Total net 79,930\nThe truck has a warranty of 36 months."), ("Delivery", "Delivery is six weeks after your order.")]
    lease = [("Rent", "The yearly rent is £321,760.")]
    amendment = [("Rent", "Instead the yearly rent is £341,500.")]
    return FakeLibrary(
        [
            of_kind("quote", make_document("k", "/library/Quote Kestrel.pdf", "Quotation Q-20417", kestrel)),
            of_kind("quote", make_document("n", "/library/Quote Norland.docx", "Offer N-2291", norland)),
            of_kind("quote", make_document("p", "/library/Quote Pallas.txt", "Two trucks P-TR 16", pallas)),
            of_kind("contract", make_document("l", "/library/lease.pdf", "Lease of Quay 7", lease)),
            of_kind("contract", make_document("a", "/library/amendment.pdf", "Amendment to the lease of Quay 7", amendment)),
        ]
    )


async def asked_of_offers(question: str, before: str = "", filters: Filters | None = None) -> Clarification | None:
    about = Ambiguity(question=question, intent=Intent.DOCUMENT_SEARCH, filters=filters or Filters(), earlier_text=before)
    return await find_ambiguity(about, tenant="default", library=offers())


@pytest.mark.parametrize(
    "question", ["What is the price?", "what is the total net price", "What's the delivery time?", "So what is the delivery time, please?"]
)
async def test_an_attribute_that_several_offers_state_otherwise(question: str) -> None:
    found = await asked_of_offers(question)
    assert found is not None
    assert found.documents == ["k", "n", "p"]
    assert [choice.partition("“")[2] for choice in found.questions] == ["Quote Kestrel”?", "Quote Norland”?", "Quote Pallas”?"]


@pytest.mark.parametrize(
    "question",
    [
        "What is the price of the Pallas truck?",
        "What is the price of Kestrel?",
        "What is the rent?",  # the amendment says what holds
        "How long is the warranty?",  # two of three say the same
        "What is the weather?",
        "What is the deposit?",
        "price",
    ],
)
async def test_attributes_that_can_be_answered(question: str) -> None:
    assert await asked_of_offers(question) is None


async def test_what_was_spoken_of_or_filtered_is_not_asked() -> None:
    assert await asked_of_offers("What is the price?", before="How long does Pallas need to deliver? Six weeks") is None
    assert await asked_of_offers("What is the price?", filters=Filters(document_ids=["p"])) is None


def test_values_in_the_sentences_that_speak_of_them() -> None:
    price = asked_attribute("What is the price?")
    assert price is not None
    assert find_stated_values(price, "Total to pay 95,916. It weighs 3,640 kg.\nOther 1,000") == {"95,916"}
    assert asked_attribute("What is the " + "a " * 400 + "?") is None
