"""Questions about a mail: who wrote it, to whom and when, which day its event is on, and an address out of it."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

CRANE = evidence(
    'From: "Wren Halloran" <wren@marl.example>\nTo: Ada Orme <ada@marl.example>\nDate: Tue, 04 May 2021 09:12:00 +0000\n'
    "Subject: Repair of the north crane\n\nThe brake of the crane slips. Please order a new one.",
    document="crane",
    title="Repair of the north crane",
)
SUMMIT = evidence(
    "From: Elver Events <events@elver.example>\nTo: ada@marl.example\nDate: Mon, 03 May 2021 06:59:28 +0000\n"
    "Subject: Last places at the Tide Summit\n\n"
    "October 06, 2021 | Online\n\nReady when you are. The Tide Summit shows how harbours measure tides.",
    document="summit",
    title="Last places at the Tide Summit",
)
LOCKED = evidence(
    "From: no-reply@elver.example\nTo: tides@mail.example\n\nThe mail account jon@mail.example was locked on Monday by Elver.", document="locked"
)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who sent the mail about the crane's brake?", "Wren Halloran"),
        ("Who wrote the email about the repair of the north crane?", "Wren Halloran"),
        ("Who is the mail about the crane from?", "Wren Halloran"),
        ("Who was the mail about the crane sent to?", "Ada Orme"),
        ("Who received the message about the crane repair?", "Ada Orme"),
        ("When was the mail about the crane repair sent?", "Tue, 04 May 2021 09:12:00 +0000"),
        ("What is the subject of the mail from Wren Halloran?", "Repair of the north crane"),
        ("Von wem ist die Mail zum north crane?", "Wren Halloran"),
    ],
)
async def test_the_head_of_the_mail_that_is_spoken_of(question: str, lead: str) -> None:
    answer = await compose_answer(question, [SUMMIT, CRANE])
    assert lead_text(answer) == lead
    assert answer.citations[answer.sentences[0].citations[0] - 1].document_id == "crane"


TWO_MAILS = [
    evidence(
        "From: Alice Holm <alice@marl.example>\nTo: Bob Brand <bob@marl.example>\nCc: Tom Lund <tom@marl.example>\nBcc: Jon Ake, Mary Orme\n"
        "Subject: Plans\n\nHere are the plans.\n\nAttachments: plan.txt, quay.pdf",
        document="plans",
        title="Plans",
    ),
    evidence(
        "From: Bob Brand <bob@marl.example>\nTo: Alice Holm <alice@marl.example>\nSubject: Thanks\n\nThank you.\n\nAttachments: photo.png",
        document="thanks",
        title="Thanks",
    ),
]


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Which files were attached to Alice Holm's mail to Bob?", "plan.txt, quay.pdf"),
        ("files attached to the mail from Bob Brand to Alice", "photo.png"),
        ("Who was blind-copied on the mail about the plans?", "Jon Ake, Mary Orme"),
        ("Which people got a copy of the mail about the plans?", "Tom Lund"),
    ],
)
async def test_who_got_copies_and_what_is_attached(question: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, TWO_MAILS)) == lead


SHEET = evidence(
    "Crane test sheets\n\nThis is a template for preparing crane tests offline. The shop sells it at shop@elver.example.\n\n"
    "Contact\ncranes@elver.example\n\nVersion\n1.0",
    document="sheet",
    title="Crane test sheets",
)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("Who can I write to with questions about the template for crane tests?", "cranes@elver.example"),
        ("Whom should we ask about preparing crane tests offline?", "cranes@elver.example"),
        ("Who can I write to about the lease of the lighthouse keeper's cottage?", ""),
        ("Alice Holm mail address", "alice@marl.example"),
    ],
)
async def test_whom_to_ask(question: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [SHEET, TWO_MAILS[0]])) == lead


@pytest.mark.parametrize(
    "question",
    [
        "Who sent the mail about the budget of the lighthouse?",
        "Who sent the crane to Marl?",
        "Who is the mail about the crane for?",
    ],
)
async def test_no_head_where_no_mail_speaks_of_it(question: str) -> None:
    assert lead_text(await compose_answer(question, [SUMMIT, CRANE])) not in {"Wren Halloran", "Elver Events"}


async def test_an_event_is_on_the_day_of_its_invitation_not_of_the_mail() -> None:
    answer = await compose_answer("When does the Tide Summit take place?", [SUMMIT, CRANE], {"Mon, 03 May 2021": 8.0})
    assert lead_text(answer) == "October 06, 2021"


async def test_of_two_days_none_is_the_event() -> None:
    other = evidence("Tide Summit\n\nNovember 9, 2022 | Elver\n\nBe there.", document="next", title="Tide Summit")
    assert lead_text(await compose_answer("When does the Tide Summit take place?", [SUMMIT, other])) == ""


async def test_an_address_is_told_whole_and_only_where_one_is_asked_for() -> None:
    assert lead_text(await compose_answer("Which mail account was locked on Monday?", [LOCKED])) == "jon@mail.example"
    assert lead_text(await compose_answer("From which IP address was the account locked?", [LOCKED], {"jon@mail.example": 8.0})) == ""
    assert lead_text(await compose_answer("Whose account was locked on Monday?", [LOCKED], {"jon@mail": 8.0})) == "jon@mail.example"


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("What date is on the text “Night watch”?", "14 October 1998"),
        ("Which day does the night watch notice bear?", ""),  # nothing is called a notice
        ("What date is on the tide table?", ""),
    ],
)
async def test_the_day_that_a_text_bears(question: str, lead: str) -> None:
    watch = evidence("Night watch\n\n14 October 1998\n\nHere is to those who watch at night.", document="watch", title="Night watch")
    assert lead_text(await compose_answer(question, [watch])) == lead
