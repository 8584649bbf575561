"""Who holds an office and who did a thing, by rows of directories, labels and sentences."""

from __future__ import annotations

import pytest

from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

PEOPLE = """Name | Role | Reports to | Site
Ada Holm | Deputy Harbour Master | Jon Ake | Pier 4
Jon Ake | Harbour Master, Pier 4 | Mia Lund | Pier 4
Mia Lund | Managing Director | the board | Head office"""
DIRECTORY = evidence(PEOPLE, document="people", title="People", blocks=[(BlockKind.TABLE, 0, len(PEOPLE))])


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is the harbour master?", "Jon Ake"),
        ("Who is the harbour master of Pier 4?", "Jon Ake"),
        ("who's our Pier 4 harbour master", "Jon Ake"),
        ("Who is the deputy harbour master?", "Ada Holm"),
        ("Who is the managing director?", "Mia Lund"),
    ],
)
async def test_the_row_says_the_office_and_no_more(question: str, name: str) -> None:
    assert lead_text(await compose_answer(question, [DIRECTORY])) == name


@pytest.mark.parametrize("question", ["Who is the harbour master of Pier 9?", "Who is the director?", "Who is the master?"])
async def test_another_place_and_half_an_office_name_nobody(question: str) -> None:
    assert lead_text(await compose_answer(question, [DIRECTORY])) == ""


@pytest.mark.parametrize(
    ("question", "text", "name"),
    [
        ("Who stands in for Jon Ake?", "When Jon Ake is away, Ada Holm stands in for him at the pier.", "Ada Holm"),
        ("Who looks after the slipway contract?", "The slipway contract ends in May and is looked after by Ada Holm.", "Ada Holm"),
        ("Who examined the slipway crane?", "I examined the slipway crane in May.", ""),
        ("Who wrote the slipway lease?", "Ada Holm wrote the letter and Jon Ake signed the slipway lease.", ""),
        ("Who repaired the slipway crane?", "The slipway crane was examined by Ada Holm.", ""),
    ],
)
async def test_whom_a_sentence_says_to_do_it(question: str, text: str, name: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(text)])) == name


async def test_the_label_that_is_made_of_the_verb() -> None:
    report = evidence(
        "Examiner: Callum Ferris, surveyor of cranes at Marl\n\nApproved by: Mia Lund, director, on 9 May 2026\n\nCrane: C2",
        title="Report on crane C2",
    )
    assert lead_text(await compose_answer("Who examined crane C2?", [report])) == "Callum Ferris"
    assert lead_text(await compose_answer("Who approved the report?", [report])) == "Mia Lund"
    other = evidence("Examiner: Mona Falk, surveyor of cranes at Marl", document="d2", title="Report on crane C2, 2025")
    assert lead_text(await compose_answer("Who examined crane C2?", [report, other])) == ""


PRESENT = evidence(
    "Present: Mia Lund (chair), Jon Ake, Ada Holm (minutes)\n\nThe minutes of May were approved.", document="minutes", title="Meeting of June"
)


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who chaired the meeting?", "Mia Lund"),
        ("Who was the chair?", "Mia Lund"),
        ("Who wrote the minutes?", "Ada Holm"),
        ("Who took the minutes of the meeting?", "Ada Holm"),
        ("Who approved the minutes?", ""),
    ],
)
async def test_what_somebody_does_may_stand_in_brackets(question: str, name: str) -> None:
    assert lead_text(await compose_answer(question, [PRESENT])) == name


async def test_the_agent_of_the_owner_is_the_owners_agent() -> None:
    lease = evidence("Owner: Elver Estates LLP\n\nOwner's agent: Ms Ada Holm, North Mole", document="lease", title="Lease")
    assert lead_text(await compose_answer("Who is the agent of the owner?", [lease])) == "Ms Ada Holm"
    assert lead_text(await compose_answer("Who is the owner?", [lease])) == "Elver Estates LLP"


CALLS = """step | after minutes | call | note
1 | 0 | Mia Lund | by telephone
2 | 15 | Jon Ake | by telephone
3 | 30 | Ada Holm | she lives next door"""
CALL_LIST = evidence(CALLS, document="calls", title="Fire alarm", blocks=[(BlockKind.TABLE, 0, len(CALLS))])


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Who is called second when the fire alarm goes off?", "Jon Ake"),
        ("Whom do we call third?", "Ada Holm"),
        ("What is the note of step 3?", "she lives next door"),
        ("Who is called fifth?", ""),
    ],
)
async def test_a_row_by_its_number(question: str, name: str) -> None:
    answer = await compose_answer(question, [CALL_LIST])
    assert lead_text(answer) == name
    assert not name or name in answer.citations[0].quote


DEFECTS = """No. | Defect | To be made good by | Estimate £
1 | Brake worn to 2.1 mm | 14 October 2026 | 2,350
2 | Buffers cracked | before further use | 1,180"""
REPORT = evidence(DEFECTS, document="report", title="Crane report", blocks=[(BlockKind.TABLE, 0, len(DEFECTS))])


@pytest.mark.parametrize(
    ("question", "cell"),
    [("When must defect 1 be made good?", "14 October 2026"), ("What does defect 2 cost?", "1,180"), ("What does defect 7 cost?", "")],
)
async def test_a_row_by_the_number_of_what_it_tells(question: str, cell: str) -> None:
    assert lead_text(await compose_answer(question, [REPORT])) == cell


STORES = """name | goods | target_celsius | alarm_above_celsius | alarm_delay_minutes
Room 1 | fish | -21.0 | -18.0 | 20
Room 2 | bread | -20.0 | -17.0 | 25"""
ALARMS = evidence(STORES, document="alarms", title="Alarms", blocks=[(BlockKind.TABLE, 0, len(STORES))])


@pytest.mark.parametrize(
    ("question", "cell"),
    [
        ("At what temperature does the alarm of Room 1 go off?", "-18.0"),
        ("What is the target of Room 2?", "-20.0"),
        ("What is the alarm delay of Room 2?", "25"),
        ("What is the alarm delay of Room 9?", ""),
        ("What is the alarm of Room 1?", ""),  # two columns are called so
    ],
)
async def test_a_cell_by_its_row_and_its_column(question: str, cell: str) -> None:
    assert lead_text(await compose_answer(question, [ALARMS])) == cell


async def test_months_of_a_column_may_be_short() -> None:
    costs = "Cost line | Budget | Actual Jan to Sep\nTraining | 21500 | 17640\nRent | 9000 | 7000"
    book = evidence(costs, document="book", title="Costs", blocks=[(BlockKind.TABLE, 0, len(costs))])
    assert lead_text(await compose_answer("What did training cost from January to September?", [book])) == "17640"


async def test_several_roles_in_brackets() -> None:
    people = evidence("Key people: Ada Holm (Chairman & CEO), Jon Ake (Vice Chairman & President). CEO Mia Lund at the fair of 2008.")
    assert lead_text(await compose_answer("Who is the CEO of Marl?", [people], {"Mia Lund": 12.0})) == "Ada Holm"
    assert lead_text(await compose_answer("Who is the president of Marl?", [people])) == "Jon Ake"


LETTER = evidence("The pump is repaired for £9,000. Sixty per cent would be £5,400 for the owner and £3,600 for you, as the lease says.")


@pytest.mark.parametrize(
    ("question", "amount"),
    [
        ("How much of the repair of the pump does the owner pay?", "£5,400"),
        ("How much do we pay for the repair of the pump?", "£3,600"),
        ("How much does the mayor pay for the pump?", ""),
        ("How much does the owner pay for the new harbour wall?", ""),
    ],
)
async def test_what_one_of_several_pays(question: str, amount: str) -> None:
    assert lead_text(await compose_answer(question, [LETTER])) == amount


async def test_of_several_things_with_their_amounts_the_one_that_is_asked_for() -> None:
    letter = evidence(
        "Three things cost money: the brake lining (£2,350), the north buffers (£1,180, already replaced) and the bolted joint of the beam (£7,900)."
    )
    assert lead_text(await compose_answer("What does the bolted joint of the beam cost?", [letter])) == "£7,900"
    assert lead_text(await compose_answer("How much are the north buffers?", [letter])) == "£1,180"
    assert lead_text(await compose_answer("What do the north buffers cost?", [letter])) == "£1,180"
    assert lead_text(await compose_answer("What does the roof cost?", [letter])) == ""
