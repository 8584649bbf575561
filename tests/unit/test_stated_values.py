"""A figure leads without the reader where its sentence leaves no doubt; a second question is answered behind the first; a name that no document has
is said to be unknown."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from answers.calibration.unknown_names import find_unknown_names
from answers.questions.answer_kinds import AnswerKind, answer_kind_of
from answers.questions.question_parts import bare_second_question
from answers.scoring.unit_scores import prepare_question, score_units
from answers.units.answer_units import split_units
from core.answers import Evidence
from core.documents import BlockKind
from tests.support.evidence import WordIndex, evidence
from tests.support.extractive_answers import compose_answer, lead_text

LEASE = "The Tenant may leave the mill on 1 May by giving the owner at least nine months' written notice. The notice is posted within two weeks."


@pytest.mark.parametrize(
    ("question", "text", "lead"),
    [
        ("What is the notice period for the mill?", LEASE, "nine months"),
        ("What is the notice period for the mill?", "The period of notice for the mill is unchanged. The mill closes for two weeks in May.", ""),
        ("What is the speed limit in the yard?", "The speed limit is 8 km/h inside the hall and 15 km/h in the yard.", "15 km/h"),
        ("What is the speed limit inside the hall?", "The speed limit is 8 km/h inside the hall and 15 km/h in the yard.", "8 km/h"),
        ("What is the speed limit?", "The speed limit is 8 km/h inside the hall and 15 km/h in the yard.", ""),
    ],
)
async def test_a_figure_beside_what_is_asked_for_leads(question: str, text: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(text)])) == lead


@pytest.mark.parametrize(
    ("question", "second"),
    [
        ("Who examined the crane and when?", "when"),
        ("Which offer was chosen, and at what price?", "at what price"),
        ("Who is Ada Holm and when did she buy the mill in the north?", ""),  # a question of its own
        ("Who examined the crane?", ""),
    ],
)
def test_a_second_question_without_words_of_its_own(question: str, second: str) -> None:
    assert bare_second_question(question) == second


async def test_a_second_question_is_answered_too() -> None:
    report = evidence(
        "Examiner: Callum Dunn\nThe gantry stands in hall 4.\nI examined the gantry described above on 14 September 2026.", title="Gantry report"
    )
    answer = await compose_answer("Who examined the gantry and when?", [report])
    assert lead_text(answer) == "Callum Dunn"
    assert "14 September 2026" in answer.text
    assert "14 September 2026" not in (await compose_answer("Who examined the gantry?", [report])).text


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("Welche Temperatur löst den Alarm aus?", AnswerKind.TEMPERATURE),
        ("Welche jährliche Miete zahlen wir?", AnswerKind.MONEY),
        ("Welche Kündigungsfrist gilt?", AnswerKind.DURATION),
        ("Welches Gewicht trägt der Boden?", AnswerKind.WEIGHT),
        ("Welche Firma prüft den Kran?", AnswerKind.ANYTHING),
    ],
)
def test_german_questions_for_a_figure(question: str, kind: AnswerKind) -> None:
    assert answer_kind_of(question) is kind


class _Vocabulary(WordIndex):
    """Words of the library weigh less than those that stand nowhere."""

    def __init__(self, *words: str) -> None:
        self._held = frozenset(words)

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return {term: 1.0 if term in self._held else 6.0 for term in self.terms(text)}


SHIPMENTS = [evidence("Twelve shipments went to Karlshavn in July, one to Québec.", document="s")]


@pytest.mark.parametrize(
    ("question", "unknown"),
    [
        ("How many shipments went to Rotterdam?", ["Rotterdam"]),
        ("How many shipments went to Karlshaven?", []),  # spelt otherwise
        ("How many shipments went to Quebec?", []),
        ("How many shipments went to Dunmere?", []),  # another passage has it
        ("Rotterdam, how many shipments?", []),  # it begins the question: any word would have a capital there
        ("How Many Shipments Went To Rotterdam?", []),
        ("How many shipments went out in October?", []),
        ("How many shipments went to ELV2?", []),
        ("I have to tell a colleague on the phone: Which shipments were late? Nobody knows it. Thanks for looking.", []),
        ("I have to tell a colleague: Which shipments went to Rotterdam?", ["Rotterdam"]),
    ],
)
async def test_names_that_no_document_has(question: str, unknown: Sequence[str]) -> None:
    index = _Vocabulary("karlshavn", "dunmere", "shipment", "july", "quebec")
    units = score_units(await prepare_question(index, "default", question), index, SHIPMENTS, split_units(SHIPMENTS))
    assert await find_unknown_names(index, "default", question, units) == unknown


def letter(text: str) -> Evidence:
    return evidence(text, document="letter", title="Letter")


async def test_whom_a_letter_greets_is_no_sentence_of_an_answer() -> None:
    quoted = letter("On 22 May Tobias Lund wrote:\n> Dear Ms Holm,\n> the gantry is repaired in June by Marl Cranes.\n> Kind regards\n> Tobias Lund")
    answer = await compose_answer("Who wrote about the gantry?", [quoted])
    assert "Dear Ms Holm" not in answer.text


async def test_a_part_of_a_whole_is_told_with_the_whole() -> None:
    said = evidence("Training is complete for 31 of 38 drivers.")
    assert lead_text(await compose_answer("How many drivers have completed the training?", [said], {"31 of 38": 6.0})) == "31 of 38"


async def test_who_is_asked_of_by_his_letter_is_not_answered_by_what_it_quotes() -> None:
    mail = letter(
        "From: Morwenna Pask <m.pask@marl.example>\nSubject: The runway joint\n\nI regard the terms as met for the runway joint.\n\n"
        "Kind regards\nMorwenna Pask, agent\n\n"
        "On 22 May Tobias Lund wrote:\n> The runway joint costs £7,900."
    ).model_copy(update={"doc_type": "email"})
    answer = await compose_answer("What did the agent answer about the runway joint?", [mail])
    assert [sentence.text for sentence in answer.sentences] == ["I regard the terms as met for the runway joint."]


@pytest.mark.parametrize(
    ("question", "text", "lead"),
    [
        ("Which aisle had most accidents?", "Seven accidents were told in May, most of them at aisle 6.", "aisle 6"),
        ("Which aisle had most accidents?", "Seven accidents were told in May, most of them at aisle 6 and aisle 7.", ""),
        ("Which aisle had most accidents beside aisle 6?", "Seven accidents were told in May, most of them at aisle 6.", ""),
        ("How many tablets were bought for the guards?", "Scanners: 24 new tablets, also used for 3 checks.", "24 new tablets"),
        ("How many defects were found on the ferry?", "The ferry was examined in May; no defects were found on it.", "no defects"),
    ],
)
async def test_the_noun_of_the_question_with_its_number_leads(question: str, text: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(text)])) == lead


async def test_a_bare_number_is_no_thing_that_is_asked_for() -> None:
    text = "Seven accidents were told in May, most of them at the north market."
    assert lead_text(await compose_answer("Which market had most accidents?", [evidence(text)], {"Seven": 6.0})) == ""
    year = "Most accidents were told in 2019."
    assert lead_text(await compose_answer("Which year had most accidents?", [evidence(year)], {"2019": 6.0})) == "2019"


async def test_what_another_version_says_does_not_lead() -> None:
    old = evidence("The yard rules were approved by Ada Holm in May.", document="rules v1", title="Yard rules")
    new = evidence("Version 2\nApproved by: Jon Ake", document="rules v2", title="Yard rules")
    for question, name in (("Who approved version 1 of the yard rules?", "Ada Holm"), ("Who approved version 2 of the yard rules?", "Jon Ake")):
        assert lead_text(await compose_answer(question, [new, old])) == name


@pytest.mark.parametrize(
    ("question", "lead"),
    [("How often are chains examined?", "six months"), ("How often are cranes examined?", "twelve months")],
)
async def test_the_value_of_the_clause_that_has_what_is_asked(question: str, lead: str) -> None:
    text = "Cranes are examined by a surveyor at least every twelve months, and chains and slings every six months."
    assert lead_text(await compose_answer(question, [evidence(text)], {"twelve months": 6.0})) == lead


GROUPS = (
    "Approximately 60 percent of the crews took the course, with 13.8 percent of the 4-day-crews and 17.8 percent of the 3-day-crews at sea then."
)


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("What percentage of the 3-day-crews was at sea during the course?", "17.8 percent"),
        ("What percentage of the 4-day-crews was at sea during the course?", "13.8 percent"),
        ("What percentage of the crews took the course?", "Approximately 60 percent"),
    ],
)
async def test_the_figure_of_the_group_that_is_named(question: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(GROUPS)], {"60 percent": 7.0})) == lead


async def test_what_another_number_of_a_document_says_does_not_lead() -> None:
    second = evidence(
        "This amendment is made on 3 May 2025 between Holm and Marl. Amendment No. 1 of 9 June 2022 stays in force.", title="Amendment No. 2"
    )
    assert lead_text(await compose_answer("When was amendment no. 1 made?", [second])) != "3 May 2025"
    assert lead_text(await compose_answer("When was amendment no. 2 made?", [second])) == "3 May 2025"


async def test_the_members_of_a_list_that_belong_to_the_one_who_is_named() -> None:
    rows = "Actions\n\nNo. | Action | Who\n1 | Order the pumps | Ada Holm\n2 | Paint the ferry | Jon Ake\n3 | Ask for a rate | Ada Holm"
    answer = await compose_answer("What are the actions of Ada Holm?", [evidence(rows, title="Minutes")])
    assert "Order the pumps" in answer.text
    assert "Ask for a rate" in answer.text
    assert "Paint the ferry" not in answer.text


async def test_who_signed_a_document() -> None:
    lease = evidence(
        "The tenant pays rent for the mill.\nSigned as a deed on the date at its head.\nAda Holm, partner of Holm Ltd\nJon Ake, director of Marl Ltd",
        document="lease",
        title="Mill lease",
    )
    answer = await compose_answer("Who signed the mill lease?", [lease])
    assert "Ada Holm" in answer.text
    assert "Jon Ake" in answer.text
    assert "pays rent" not in answer.text


LEASE_TERM = "2.1 The term is ten years, beginning on 1 May 2021 and ending on 30 April 2031. The first three months are free of rent."


@pytest.mark.parametrize(
    ("question", "length"),
    [
        ("How long does the mill lease run?", "ten years"),
        ("How long is the mill lease?", "ten years"),
        ("What is the term of the mill lease?", "ten years"),
        ("How long does the ferry contract run?", ""),
    ],
)
async def test_how_long_a_document_runs(question: str, length: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(LEASE_TERM, document="lease", title="Mill lease")])) == length


async def test_who_may_approve_more_than_a_limit() -> None:
    limits = "Approver | Limit for one order\nTeam leads | £2,500\nOperations Director | £40,000\nFinance Director | £100,000"
    item = evidence(limits, title="Limits")
    assert lead_text(await compose_answer("Who may approve orders over £40,000?", [item])) == "Finance Director"
    assert lead_text(await compose_answer("Who may approve an order of £40,000?", [item])) == "Operations Director"


async def test_what_is_done_is_more_than_the_value_in_it() -> None:
    old = evidence("Drivers stop when a walker is within two metres.", document="rules v1", title="Yard rules (withdrawn)")
    new = evidence("Drivers stop when a walker is within three metres. This version replaces version 1.", document="rules v2", title="Yard rules")
    spans = {"stop when a walker is within three metres": 6.0, "stop when a walker is within two metres": 5.0}
    answer = await compose_answer("What must drivers do when a walker is near?", [new, old], spans)
    assert lead_text(answer).startswith(("stop when", "Drivers stop"))


async def test_the_hours_that_hold_now_lead_with_those_before() -> None:
    old = evidence("The tenant has access to the mill from 06:00 to 20:00 on each day of the week.", document="old", title="Mill lease (withdrawn)")
    new = evidence("The tenant has access to the mill from 05:00 to 23:00 on each day of the week.", document="new", title="Mill lease")
    lead = lead_text(await compose_answer("What are the access hours of the tenant?", [old, new]))
    assert lead.startswith("05:00 to 23:00")
    assert "06:00 to 20:00" in lead


@pytest.mark.parametrize(
    ("question", "lead"),
    [
        ("What accuracy does Gannet get?", "50.0"),
        ("What accuracy do Skua and Gannet get, respectively?", ""),
        ("What accuracy do both of Gannet's get?", ""),
    ],
)
async def test_no_single_cell_answers_for_several(question: str, lead: str) -> None:
    rows = "Method | Accuracy\nGannet | 50.0\nTern | 61.5"
    assert lead_text(await compose_answer(question, [evidence(rows, title="Methods", blocks=((BlockKind.TABLE, 0, len(rows)),))])) == lead
