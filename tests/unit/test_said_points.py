"""What somebody said about a thing, what a document asks for, who leads what, and numbers of what nobody counts."""

from __future__ import annotations

import pytest

from core.answers import OTHER_KIND
from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text


def parts(*texts: str, kind: BlockKind = BlockKind.PARAGRAPH) -> tuple[str, list[tuple[BlockKind, int, int]]]:
    """The texts with a blank line between each two, and the block that each is."""
    starts = [sum(len(text) + 2 for text in texts[:place]) for place in range(len(texts))]
    return "\n\n".join(texts), [(kind, start, start + len(text)) for start, text in zip(starts, texts, strict=True)]


SAID, SAID_BLOCKS = parts(
    "Jon spoke of a storm in June. Nobody was hurt by it.",
    "Jon reported on the survey of 4 May. The ferry may carry nine cars until its ramp is mended.",
    "Mia asked for a new bell.",
)
MINUTES = evidence(SAID, document="minutes", title="Harbour meeting", section=("Harbour meeting", "2. Ferry Tern"), blocks=SAID_BLOCKS)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        (
            "What did Jon Ake report about the ferry?",
            ["Jon reported on the survey of 4 May.", "The ferry may carry nine cars until its ramp is mended."],
        ),
        ("What did Mia say about Tern?", ["Mia asked for a new bell."]),
    ],
)
async def test_what_somebody_said_is_what_begins_with_the_name_and_what_follows(question: str, told: list[str]) -> None:
    assert [sentence.text for sentence in (await compose_answer(question, [MINUTES])).sentences] == told


async def test_who_said_nothing_is_not_told() -> None:
    answer = await compose_answer("What did Bo Berg say about the ferry?", [MINUTES])
    assert all("Mia asked" not in sentence.text for sentence in answer.sentences[:1])


HEADING = "Delivery, payment and warranty"
TERMS = (
    "• The boat is built to order and delivered in ten weeks.",
    "• Half of the price is paid with the order.",
    "• The hull is covered for two years.",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What payment terms does Tern ask for?", "Half of the price is paid with the order."),
        ("What does the Tern quote say about payment?", "Half of the price is paid with the order."),
        ("What delivery does Tern offer?", "The boat is built to order and delivered in ten weeks."),
    ],
)
async def test_of_a_heading_of_several_things_the_one_that_is_asked_for(question: str, told: str) -> None:
    text, (heading, *items) = parts(HEADING, *TERMS, kind=BlockKind.LIST_ITEM)
    quote = evidence(text, document="Tern", title="Tern quote", blocks=[(BlockKind.HEADING, *heading[1:]), *items])
    other = evidence("Payment terms of the ferry are asked for in May. A quote is paid by the board.", document="note", title="Note")
    answer = await compose_answer(question, [other, quote])
    assert [sentence.text for sentence in answer.sentences if sentence.text.endswith(told)]
    assert not any("hull" in sentence.text for sentence in answer.sentences)


async def test_a_letters_reply_is_read_without_what_it_quotes() -> None:
    mail = evidence(
        "From: Ann Low <a@low.example>\n\nHello Jon,\n\nthe ramp of the ferry is the harbour's affair.\n\nKind regards\nAnn Low\n"
        "Low & Holt, agents for the harbour\n\nOn 4 May Jon Ake wrote:\n> Dear Ann, we saw it. The ramp of the ferry is broken in two places.",
        document="mail",
        title="Re: ramp",
    ).model_copy(update={"doc_type": "email"})
    for question in ("What was the reply of the agent about the ramp?", "What was the agent's answer on the ramp of the ferry?"):
        texts = [sentence.text for sentence in (await compose_answer(question, [mail])).sentences]
        assert any("harbour's affair" in text for text in texts), question
        assert not any("two places" in text for text in texts), question


PEOPLE = (
    "Name | Role | Site\nAda Holm | Ferry Supervisor | North pier\nJon Ake | Deputy Ferry Supervisor | North pier\nBo Berg | Harbour clerk | Hall 2"
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is responsible for the ferry?", "Ada Holm"),
        ("Who is in charge of the ferry?", "Ada Holm"),
        ("Who is responsible for the bell?", ""),
    ],
)
async def test_who_leads_a_thing_is_who_is_called_so(question: str, name: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(PEOPLE, blocks=[(BlockKind.TABLE, 0, len(PEOPLE))])])) == name


async def test_both_names_below_signed_are_told() -> None:
    text, blocks = parts(
        "Signed as a deed on the date at its head.", "For Elver Mills LLP Ada Holm, partner", "For Marl Ltd Jon Ake, managing director"
    )
    answer = await compose_answer("Who signed the lease?", [evidence(text, document="lease", title="Mill lease", blocks=blocks)])
    assert [sentence.text for sentence in answer.sentences] == ["For Elver Mills LLP Ada Holm, partner", "For Marl Ltd Jon Ake, managing director"]


@pytest.mark.parametrize(
    ("question", "is_other"), [("How many crates can the shed hold?", True), ("How many litres of oil can the shed hold?", False)]
)
async def test_a_number_of_something_that_is_not_spoken_of_is_weak(question: str, *, is_other: bool) -> None:
    answer = await compose_answer(question, [evidence("The shed at the pier can hold 600 litres of oil in its tank, and no more.")])
    assert (OTHER_KIND in answer.signals) is is_other


CARDS = (
    "Ada Holm, Tern Yards, a.holm@tern.example, 01632 960 377",
    "From: Ada Holm <a.holm@tern.example> To: Jon Ake <jon@marl.example>",
    "Jon Ake writes for Marl Ltd.",
    "Who needs a ramp should contact the Harbour Office at (408) 252-3000, ext. 61200 two days before.",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the email address of Ada Holm?", "a.holm@tern.example"),
        ("What is Ada Holm's phone number?", "01632 960 377"),
        ("What phone number does the Harbour Office have?", "(408) 252-3000, ext. 61200"),
        ("How can I reach Ada Holm?", "a.holm@tern.example, 01632 960 377"),
        ("Give me the contact details of Ada Holm", "a.holm@tern.example, 01632 960 377"),
        ("What is the email address of Jon Ake?", "jon@marl.example"),
        ("What is the phone number of Jon Ake?", ""),
        ("What is the email address of Mia Lund?", ""),
    ],
)
async def test_how_somebody_is_reached(question: str, told: str) -> None:
    cards = [evidence(text, document=f"card{place}") for place, text in enumerate(CARDS)]
    assert lead_text(await compose_answer(question, cards)) == told


async def test_the_old_rules_are_those_of_the_earlier_day() -> None:
    old = evidence("The speed limit in the yard is 9 km/h.", document="rules1", title="Yard rules").model_copy(update={"dated": "2021-04-01"})
    new = evidence("The speed limit in the yard is 6 km/h.", document="rules2", title="Yard rules").model_copy(update={"dated": "2025-04-01"})
    for question, told in (("What did the old rules say about speed?", "9 km/h"), ("What do the new yard rules say about speed?", "6 km/h")):
        assert [told in sentence.text for sentence in (await compose_answer(question, [new, old])).sentences] == [True], question
