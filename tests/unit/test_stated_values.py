"""Values that need no reader: under their very label, alone in their sentence, in the clause that is asked about."""

from __future__ import annotations

import pytest

from core.documents import BlockKind
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

FORM = evidence("Registration number: 44-81-A\n\nCourt of registration: Marl\n\nNumber of boats: 7", document="form", title="Marl Ferry Ltd")
OTHER = evidence("Registration number: 99-10-B\n\nNumber of boats: 12", document="other", title="Tern Ferry Ltd")


async def test_the_value_under_the_very_label_that_is_asked_for() -> None:
    answer = await compose_answer("What is the registration number of Marl Ferry?", [OTHER, FORM])
    assert lead_text(answer) == "44-81-A"
    assert answer.citations[0].document_id == "form"


async def test_two_values_under_one_label_decide_nothing() -> None:
    assert lead_text(await compose_answer("What is the registration number?", [OTHER, FORM])) == ""


async def test_a_label_on_a_line_of_its_own_has_its_value_below() -> None:
    text = "Commission file number:\n\n000-30653\n\nMarl Ferry Ltd\n\n(Exact name as in its charter)"
    answer = await compose_answer("What is the commission file number of Marl Ferry?", [evidence(text, document="report")])
    assert lead_text(answer) == "000-30653"


async def test_a_label_of_one_word_is_shared_by_chance() -> None:
    assert lead_text(await compose_answer("What is the number?", [evidence("Number: 7\n\nColour: red")])) == ""


async def test_who_somebody_is_stands_under_one_word() -> None:
    text = "Landlord: Elver Estates LLP, Harbour Office, North Mole.\n\nLandlord's agent: Ms Ada Holm\n\nColour: dark red"
    answer = await compose_answer("Who is the landlord?", [evidence(text)])
    assert lead_text(answer) == "Elver Estates LLP"
    assert lead_text(await compose_answer("What is the colour?", [evidence(text)])) == ""


async def test_the_only_figure_of_a_sentence_that_says_all_of_the_question_leads() -> None:
    rule = "1.2 The deposit for the boathouse is £80,000 and is held by the agent."
    answer = await compose_answer("How much is the deposit for the boathouse?", [evidence(rule)])
    assert (lead_text(answer), answer.lead.chance if answer.lead else 0) == ("£80,000", 0.5)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When does the board of the school meet?", "The board of the school meets in 1309 Mary Avenue."),  # a house's number
        ("How much is the deposit for the boathouse?", "The deposit for the boathouse is £80,000, of which £20,000 are paid."),
        ("How much is the deposit for the boathouse?", "The boathouse costs £80,000 and is white, large and old, as boats are."),
    ],
)
async def test_a_figure_among_others_or_of_something_else_does_not_lead(question: str, text: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(text)])) == ""


CLAUSES = "In the year of the study Hungary found mould in 14 samples, and Germany found mould in none of its samples."


async def test_a_value_in_the_clause_of_another_thing_does_not_lead() -> None:
    assert (
        lead_text(await compose_answer("How many samples with mould did the study of Germany find?", [evidence(CLAUSES)], {"14 samples": 12.0})) == ""
    )
    assert (
        lead_text(await compose_answer("How many samples with mould did the study of Hungary find?", [evidence(CLAUSES)], {"14 samples": 12.0}))
        == "14 samples"
    )


async def test_of_a_span_over_several_cells_the_one_that_is_asked_for_leads() -> None:
    table = "Part | 2025 | 2026 | Limit\nBrake lining of the crane | 2.4 mm | 1.9 mm | 3.0 mm"
    item = evidence(table, blocks=[(BlockKind.TABLE, 0, len(table))])
    answer = await compose_answer("What is the limit of the brake lining of the crane?", [item], {"2.4 mm | 1.9 mm | 3.0 mm": 12.0})
    assert lead_text(answer) == "3.0 mm"


async def test_whom_a_sentence_says_to_do_it() -> None:
    rule = "The Tenant pays the deposit to the Agent, who holds it apart."
    answer = await compose_answer("Who holds the deposit apart?", [evidence(rule)], {"The Tenant": 12.0})
    assert lead_text(answer) == "the Agent"


async def test_what_a_document_says_of_a_topic_is_read_in_that_document() -> None:
    falke = evidence("Falke Pumps since 1987\n\nWe deliver the pumps in nine weeks after your order.", document="falke", title="Quotation of Falke")
    meva = evidence("Delivery of the pumps takes four weeks.", document="meva", title="Quotation of Meva")
    answer = await compose_answer("What does Falke's quotation say about delivery of pumps?", [meva, falke])
    assert {citation.document_id for citation in answer.citations} == {"falke"}
    assert "nine weeks" in answer.text


@pytest.mark.parametrize(
    "question",
    [
        "What does “Boathouse lease” say about insurance?",
        "What does the lease of the boathouse say about the insurance?",
        "And what does the lease say of insurance?",
    ],
)
async def test_a_topic_that_is_a_heading_is_answered_by_its_section(question: str) -> None:
    text = "9 Use\n\nIt is used for boats alone.\n\n10 Insurance\n\nThe owner insures the roof of the hall. The tenant pays for it in May."
    heads = [(BlockKind.HEADING, 0, 5), (BlockKind.HEADING, text.index("10 "), text.index("10 ") + 12)]
    lease = evidence(text, document="lease", title="Boathouse lease", blocks=heads)
    other = evidence("Insurance costs ten pounds at the harbour.", document="harbour", title="Harbour")
    answer = await compose_answer(question, [other, lease])
    assert [sentence.text for sentence in answer.sentences] == ["The owner insures the roof of the hall.", "The tenant pays for it in May."]


async def test_no_pronoun_is_the_name_that_is_asked_for() -> None:
    text = evidence("Nobody drives a truck alone in the hall after dark.")
    assert lead_text(await compose_answer("Who may drive a truck in the hall?", [text], {"Nobody": 12.0})) == ""


async def test_one_of_two_who_share_is_half_an_answer() -> None:
    rule = evidence("The cost of a repair is borne as to sixty per cent by the Landlord and as to forty per cent by the Tenant.")
    answer = await compose_answer("Who pays the cost of a repair?", [rule], {"Tenant": 12.0})
    assert lead_text(answer) == ""
    assert "the Landlord" in answer.text


async def test_the_document_that_is_asked_speaks_for_itself() -> None:
    """Its sentences do not repeat its name: they are read with it, before those of others that do."""
    falke = evidence("Payment is due thirty days after delivery.", document="falke", title="Offer of Falke Pumps")
    minutes = evidence("Falke asks for no payment in advance and has good pumps.", document="minutes", title="Minutes of May")
    answer = await compose_answer("When must we pay Falke?", [minutes, falke])
    assert answer.sentences[0].text == "Payment is due thirty days after delivery."


async def test_a_sentence_that_names_nobody_new_does_not_say_who_it_is() -> None:
    rule = evidence("The agent of the Owner remains the person that the old lease names.")
    answer = await compose_answer("Who is now the agent of the Owner?", [rule], {rule.passage.content: 12.0})
    assert lead_text(answer) == ""


COSTS = """Cost category | Total costs | Approval limit
Consultants | 26,000 | 9,000"""
BOOKS = evidence(COSTS, document="books", title="Books", blocks=[(BlockKind.TABLE, 0, len(COSTS))])


async def test_what_was_spent_may_stand_under_costs_and_no_salary_under_a_limit() -> None:
    assert lead_text(await compose_answer("How much was spent on consultants?", [BOOKS], {"26,000": 12.0})) == "26,000"
    assert lead_text(await compose_answer("What is the salary of the consultants?", [BOOKS], {"9,000": 12.0})) == ""


MAIL = (
    "From: Ada Holm <ada@holm.example>\nTo: Jon Ake\n\nHello Jon,\n\nPlease do not start on the roof before the gutter is dry.\n\n"
    "Kind regards\nAda Holm\nHolm & Sons, agents for the owner"
)
LETTER = evidence(MAIL, document="mail", title="Re: roof").model_copy(update={"doc_type": "email"})
RULES = evidence("Before work on the roof starts the price must be agreed, and the roof must be closed.", document="rules", title="Rules")


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What does the agent say must happen before work on the roof starts?", "gutter is dry"),
        ("What did Ada Holm say about the roof?", "gutter is dry"),
        ("What does the mayor say must happen before work on the roof starts?", "price must be agreed"),
    ],
)
async def test_what_somebody_says_stands_in_what_he_wrote(question: str, said: str) -> None:
    answer = await compose_answer(question, [RULES, LETTER])
    assert said in answer.sentences[0].text
