"""What is told whole: decisions of a meeting, the changes of a version, what a section of that name covers; and who was at a meeting."""

from __future__ import annotations

import pytest

from core.answers import Evidence
from core.documents import BlockKind
from core.language.decision_wording import decision_topic
from core.language.quarters import quarter_of, without_quarter
from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

MINUTES = "Harbour meeting, 4 May 2026"


def part(heading: str, text: str, start: int) -> Evidence:
    whole = f"{heading}\n\n{text}"
    blocks = ((BlockKind.HEADING, 0, len(heading)), (BlockKind.PARAGRAPH, len(heading) + 2, len(whole)))
    return evidence(whole, document="minutes", title=MINUTES, start=start, blocks=blocks, section=(MINUTES, heading))


RECORD = [
    part(
        "1. Ferry",
        "Jon told of the survey of the ferry. The ferry may sail with forty guests until the pump is mended. The pump will be fitted on 9 May.",
        100,
    ),
    part("2. Kiosk lease", "Two firms want the kiosk. Decision: the kiosk goes to Ada Holm for two years. She has sold ices since 2019.", 400),
    part("3. Parking", "It was agreed to close the north gate at night. The guards were told.", 700),
    evidence("The ferry was decided by the yard. It was decided to paint the ferry blue.", document="letter", title="Letter of the yard"),
]


@pytest.mark.parametrize(
    ("question", "told", "untold"),
    [
        ("What was decided about the kiosk lease?", ["goes to Ada Holm"], ["north gate", "Two firms"]),
        ("What did we agree on parking?", ["close the north gate"], ["guards", "kiosk"]),
        ("What was decided about the ferry?", ["may sail", "will be fitted"], ["survey", "blue"]),
        ("What was decided at the harbour meeting?", ["goes to Ada Holm", "close the north gate"], ["blue", "survey"]),
        ("Was wurde zum Kiosk beschlossen?", ["goes to Ada Holm"], ["north gate"]),
    ],
)
async def test_what_a_meeting_decided_about_a_thing(question: str, told: list[str], untold: list[str]) -> None:
    answer = await compose_answer(question, RECORD)
    assert [words for words in told if words not in answer.text] == []
    assert [words for words in untold if words in answer.text] == []


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("What was decided about the cold store alarms?", {"cold", "stor", "alarm"}),
        ("What was decided at the operations meeting of 6 October?", set()),
        ("Which decisions were taken on parking?", {"park"}),
        ("Who decides about purchases?", None),
        ("What is decided by an expert?", None),
    ],
)
def test_the_topic_of_a_question_for_decisions(question: str, topic: set[str] | None) -> None:
    found = decision_topic(question)
    assert (found is None) is (topic is None)
    assert topic is None or len(found or ()) == len(topic)


HEADINGS = ("Yard rules", "What is new in this version")
LISTED = "What is new in this version\n\nThe gate was moved in May. The main changes are:\n- lower speed in the yard,\n- a check of the brakes."
RULES = [
    evidence(
        LISTED,
        document="Yard rules v2",
        title="Yard rules",
        section=HEADINGS,
        blocks=(
            (BlockKind.HEADING, 0, 27),
            (BlockKind.PARAGRAPH, 29, LISTED.index("\n- lower")),
            (BlockKind.LIST_ITEM, LISTED.index("- lower"), LISTED.index("\n- a check")),
            (BlockKind.LIST_ITEM, LISTED.index("- a check"), len(LISTED)),
        ),
    ),
    evidence("Yard rules\n\nTrucks keep to the marked lanes in the yard.", document="Yard rules v1", title="Yard rules"),
]


async def test_the_changes_of_a_version_stand_under_their_heading() -> None:
    for question in ("What changed in version 2 of the yard rules?", "What is new in the yard rules?"):
        answer = await compose_answer(question, RULES)
        assert [sentence.text for sentence in answer.sentences] == [
            "The main changes are:",
            "lower speed in the yard,",
            "a check of the brakes.",
        ], question
    other = await compose_answer("What changed in version 1 of the yard rules?", RULES)
    assert other.sentences[0].text != "The main changes are:"


async def test_of_changes_in_parts_the_beginning_of_each_is_told() -> None:
    title, under = "Amendment of the mill lease", "What changes"
    parts = {
        "Clause 2": "Clause 2 is replaced. The rent is £400 from May. It is paid by bank.",
        "Clause 9": "In clause 9 the date 1 May is replaced by 1 June.",
    }
    items, start = list[Evidence](), 0
    for heading, text in parts.items():
        whole = f"{heading}\n\n{text}"
        blocks = ((BlockKind.HEADING, 0, len(heading)), (BlockKind.PARAGRAPH, len(heading) + 2, len(whole)))
        items.append(evidence(whole, document="amendment", title=title, start=start, section=(title, under, heading), blocks=blocks))
        start += 500
    items.append(evidence("The mill lease was amended before. Changes are rare.", document="lease", title="Mill lease"))
    answer = await compose_answer("What does the amendment change?", items)
    assert "Clause 2 is replaced. [1] The rent is £400 from May. [2]" in answer.text
    assert "1 June" in answer.text
    assert "paid by bank" not in answer.text


async def test_what_a_thing_covers_is_its_section() -> None:
    whole = "5 Service charge\n\n5.1 The tenant pays for roads, drains and lights. 5.2 The landlord sends an account each May."
    blocks = ((BlockKind.HEADING, 0, 16), (BlockKind.PARAGRAPH, 18, len(whole)))
    lease = evidence(whole, document="lease", title="Mill lease", section=("Mill lease", "5 Service charge"), blocks=blocks)
    budget = evidence("Service charge of the mill: budget 20,400, service charge of the kiosk: 300.", document="budget", title="Budget")
    answer = await compose_answer("What does the service charge cover?", [budget, lease])
    assert "roads, drains and lights" in answer.text
    assert "20,400" not in answer.text


RECORD_HEAD = "Place: Hall 2 Present: Ada Holm (chair), Jon Ake, Mia Lund (minutes) Apologies: Bo Berg\nThe ferry was discussed."


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who attended the harbour meeting?", "Ada Holm (chair), Jon Ake, Mia Lund (minutes)"),
        ("Who was present at the meeting?", "Ada Holm (chair), Jon Ake, Mia Lund (minutes)"),
        ("Who was absent from the meeting?", "Bo Berg"),
        ("Who missed the harbour meeting?", "Bo Berg"),
        ("Who attended the wedding?", ""),
    ],
)
async def test_who_was_at_a_meeting(question: str, names: str) -> None:
    head = evidence(RECORD_HEAD, document="minutes", title="Harbour meeting")
    assert lead_text(await compose_answer(question, [head])) == names


async def test_of_two_meetings_the_one_that_is_named() -> None:
    may = evidence("Present: Ada Holm, Jon Ake", document="may", title="Meeting of 4 May 2026")
    june = evidence("Present: Mia Lund, Bo Berg", document="june", title="Meeting of 8 June 2026")
    assert lead_text(await compose_answer("Who attended the meeting on 8 June?", [may, june])) == "Mia Lund, Bo Berg"
    assert lead_text(await compose_answer("Who attended the meeting on 4 May?", [june, may])) == "Ada Holm, Jon Ake"


@pytest.mark.parametrize(
    ("text", "quarter"),
    [
        ("freight in Q3", 3),
        ("the third quarter of 2026", 3),
        ("July to September", 3),
        ("Jan–Mar", 1),
        ("2. Quartal", 2),
        ("im vierten Quartal", 4),
        ("February to April", None),
        ("Q1 and Q2", None),
        ("a quarter of the rent", None),
        ("RFQ-118", None),
    ],
)
def test_the_quarter_of_a_text(text: str, quarter: int | None) -> None:
    assert quarter_of(text) == quarter
    if quarter is not None:
        assert quarter_of(without_quarter(text)) is None


TABLE = "Freight by quarter\nQuarter | Budget £ | Actual £\nApril to June | 178,500 | 187,300\nJuly to September | 179,500 | 208,300"
YEAR = "Cost line | Budget 2026 | Actual\nFreight | 714,000 | 572,750\nRent | 334,920 | 249,545"


async def test_the_cell_of_a_quarter_and_not_that_of_the_year() -> None:
    quarters, year = evidence(TABLE, document="quarters", title="Review"), evidence(YEAR, document="year", title="Costs")
    assert lead_text(await compose_answer("What was the budget in Q3?", [year, quarters])) == "179,500"
    assert lead_text(await compose_answer("What was the budget of the second quarter?", [year, quarters])) == "178,500"
    assert lead_text(await compose_answer("What was the freight budget for Q3?", [year])) != "714,000"
    assert lead_text(await compose_answer("What was the freight budget?", [year])) == "714,000"


async def test_hours_lead_where_they_are_asked_for() -> None:
    text = "The tenant has access from 05:00 to 23:00 on every day of the week. Lorries wait from 06:00 to 07:00 or from 19:00 to 20:00."
    assert (
        lead_text(await compose_answer("What are the access hours of the tenant?", [evidence(text)]))
        == "from 05:00 to 23:00 on every day of the week"
    )
    assert lead_text(await compose_answer("What are the waiting hours of lorries?", [evidence(text)])) == ""


async def test_a_sum_that_is_called_otherwise_is_not_the_one_that_is_asked_for() -> None:
    text = "Air freight of £21,000 in the third quarter was mostly avoidable."
    spans = {"£21,000": 6.0}
    assert lead_text(await compose_answer("What was the revenue in the third quarter?", [evidence(text)], spans)) == ""
    sold = "Sales of £91,000 were made in the third quarter."
    assert lead_text(await compose_answer("What was the revenue in the third quarter?", [evidence(sold)], {"£91,000": 6.0})) == "£91,000"
    headed = evidence("The mill had £91,000 in the third quarter.", section=("Turnover",))
    assert lead_text(await compose_answer("What was the revenue in the third quarter?", [headed], {"£91,000": 6.0})) == "£91,000"


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("Did Ada Holm attend the harbour meeting?", "Yes"),
        ("Was Jon Ake at the meeting?", "Yes"),
        ("Did Bo Berg attend the meeting?", "No"),
        ("Was Bo Berg absent from the meeting?", "Yes"),
        ("Was Mia Lund absent from the meeting?", "No"),
        ("Did Ole Vik attend the meeting?", ""),
        ("Did Ada Holm attend the wedding?", ""),
    ],
)
async def test_whether_somebody_was_at_a_meeting(question: str, verdict: str) -> None:
    head = evidence(RECORD_HEAD, document="minutes", title="Harbour meeting")
    assert lead_text(await compose_answer(question, [head], {"Ada Holm": 6.0})) == verdict


def clause_texts(first: str, *sentences: str, document: str, title: str) -> Evidence:
    text = f"{first}\n\n{' '.join(sentences)}"
    blocks = ((BlockKind.HEADING, 0, len(first)), (BlockKind.PARAGRAPH, len(first) + 2, len(text)))
    return evidence(text, document=document, title=title, section=(title, first), blocks=blocks)


LEASE_EXIT = clause_texts(
    "12 Tenant's exit option",
    "12.1 The tenant may end the mill lease on 30 April 2027. 12.2 The keys are given back on that day.",
    document="lease",
    title="Mill lease of Elver",
)
CHANGE_EXIT = clause_texts(
    "Clause 12: exit option",
    "In clause 12.1 the date 30 April 2027 is replaced by 30 April 2028.",
    document="change",
    title="Mill lease of Elver, change 2",
)


@pytest.mark.parametrize("question", ["Explain the exit clause", "What does the exit option say?", "What does the exit clause of the lease say?"])
async def test_a_clause_is_explained_by_what_stands_under_its_heading_with_what_changes_it(question: str) -> None:
    texts = [sentence.text for sentence in (await compose_answer(question, [LEASE_EXIT, CHANGE_EXIT])).sentences]
    assert texts[0] == "In clause 12.1 the date 30 April 2027 is replaced by 30 April 2028."
    assert any("may end the mill lease" in text for text in texts)


def _table(caption: str, rows: list[str], document: str = "scales") -> Evidence:
    whole = "\n".join([caption, "", *rows])
    start = len(caption) + 2
    return evidence(
        whole,
        document=document,
        title=caption,
        blocks=((BlockKind.HEADING, 0, len(caption)), (BlockKind.TABLE, start, len(whole))),
        section=(caption,),
    )


LONG = "is told in so many words that eight of them would never find room in one answer of the usual length, whatever else is left out of it"
SCALES = [f"{name} scale for responses | {LONG}" for name in ("Visual", "Anchored", "Likert", "Rating", "Event", "Pictorial", "Checklist", "Diary")]


@pytest.mark.parametrize("question", ["Which types of response scales are there?", "What are the kinds of response scales?"])
async def test_kinds_are_told_by_the_rows_of_a_column_that_is_called_so(question: str) -> None:
    answer = await compose_answer(question, [_table("Annex 3", ["Type | Description", *SCALES])])
    assert [sentence.text for sentence in answer.sentences] == [line.partition(" |")[0] for line in SCALES]
    assert len({(each.start, each.end) for each in answer.citations}) == len(SCALES)


async def test_a_list_that_fits_is_told_with_all_of_its_columns() -> None:
    rows = [f"Action {number} | Person {number} | {number} May 2026" for number in range(1, 9)]
    answer = await compose_answer("What are the agreed actions?", [_table("Agreed actions", ["Action | Who | Until", *rows])])
    assert [row for row in rows if row not in answer.text] == []


async def test_a_column_of_article_numbers_says_no_kinds() -> None:
    rows = ["Art. no. | Description", *(f"A{number} response scale | {LONG}" for number in range(1, 9))]
    answer = await compose_answer("Which types of response scales are there?", [_table("Annex 3", rows)])
    assert [sentence.text for sentence in answer.sentences] != [f"A{number} response scale" for number in range(1, 9)]
