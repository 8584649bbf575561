"""Yes or no, which of two, and the day of a document: each with the sentences that it rests on, and none where nothing decides."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.questions.question_parts import asks_yes_or_no
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from core.documents import BlockKind
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import WordsReader

ORLA = evidence(
    "Orla Venn (born 4 March 1951) is an Irish film director. She lives on an island in Clare county.", document="orla", title="Orla Venn"
)
TOMAS = evidence("Tomas Reef (born 2 May 1948) is a Chilean singer. He grew up in Maule county.", document="tomas", title="Tomas Reef")
HUGO = evidence("Hugo Lind was an Irish director and painter. He settled in Clare county.", document="hugo", title="Hugo Lind")
LIGHT = evidence("Lighthouse Weekly is a magazine for keepers, published since 1922.", document="light", title="Lighthouse Weekly")
BUOY = evidence("Buoy is a magazine that appeared first in July 1980.", document="buoy", title="Buoy (magazine)")


async def composed(question: str, items: Sequence[Evidence], words: dict[str, float] | None = None) -> Answer:
    parts = OptionalParts(reader=WordsReader(words or {}))
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), parts).compose("default", question, items)


@pytest.mark.parametrize(
    ("question", "items", "verdict"),
    [
        ("Who is older, Orla Venn or Tomas Reef?", [ORLA, TOMAS], "Tomas Reef (2 May 1948; Orla Venn: 4 March 1951)"),
        ("Who is younger, Orla Venn or Tomas Reef?", [ORLA, TOMAS], "Orla Venn (4 March 1951; Tomas Reef: 2 May 1948)"),
        (
            "Which magazine was published first, Buoy (magazine) or the weekly Lighthouse Weekly?",
            [LIGHT, BUOY],
            "Lighthouse Weekly (1922; Buoy: July 1980)",
        ),
        ("Which magazine was published first, Buoy or Lighthouse Weekly?", [LIGHT, BUOY], "Lighthouse Weekly (1922; Buoy: July 1980)"),
        ("Which singer is Chilean, Orla Venn or Tomas Reef?", [ORLA, TOMAS], "Tomas Reef"),
        ("Are Orla Venn and Hugo Lind both Irish directors?", [ORLA, HUGO], "Yes"),
        ("Are Orla Venn and Tomas Reef both Irish directors?", [ORLA, TOMAS], "No"),
        ("Are Orla Venn and Hugo Lind of the same nationality?", [ORLA, HUGO], "Yes"),
        ("Are Orla Venn and Tomas Reef of the same nationality?", [ORLA, TOMAS], "No"),
        ("Do Orla Venn and Tomas Reef come from the same county?", [ORLA, TOMAS], "No"),
        ("Do Orla Venn and Hugo Lind come from the same county?", [ORLA, HUGO], "Yes"),
    ],
)
async def test_two_things_are_judged_by_what_their_documents_say(question: str, items: list[Evidence], verdict: str) -> None:
    answer = await composed(question, items)
    assert answer.lead is not None
    assert (answer.lead.kind, answer.lead.text) == ("verdict", verdict)
    assert answer.text.startswith(f"{verdict} [1]\n\n")
    assert {citation.document_id for citation in answer.citations} == {item.passage.document_id for item in items}


@pytest.mark.parametrize(
    ("question", "items"),
    [
        ("Who is older, Orla Venn or Hugo Lind?", [ORLA, HUGO]),  # one of the days is not known
        ("Which magazine is larger, Buoy or Lighthouse Weekly?", [LIGHT, BUOY]),
        ("Do Orla Venn and Tomas Reef know each other since when?", [ORLA, TOMAS]),
        ("Does Orla Venn, of whom Tomas Reef sings, live on an island or first in a town?", [ORLA, TOMAS]),  # not which of the two
        ("Did Orla Venn direct while Tomas Reef sang and Chilean boats sailed?", [ORLA, TOMAS]),
    ],
)
async def test_what_nothing_decides_gets_no_verdict(question: str, items: list[Evidence]) -> None:
    answer = await composed(question, items)
    assert answer.lead is None or answer.lead.kind != "verdict"


LEASE = (
    "The Landlord insures the boathouse against fire.\n\nThe Tenant does not light fires in the yard.\n\n"
    "The Tenant keeps boats in the hall unless the harbour master objects."
)


@pytest.mark.parametrize(
    ("question", "verdict", "sentence"),
    [
        ("Does the Landlord insures the boathouse against fire?", "Yes", "The Landlord insures the boathouse against fire."),
        ("Does the Tenant light fires in the yard?", "No", "The Tenant does not light fires in the yard."),
    ],
)
async def test_a_sentence_that_says_all_of_the_question_says_yes_or_no(question: str, verdict: str, sentence: str) -> None:
    answer = await composed(question, [evidence(LEASE)])
    assert answer.lead is not None
    assert (answer.lead.text, answer.lead.kind) == (verdict, "verdict")
    assert answer.sentences[0].text == sentence


@pytest.mark.parametrize("question", ["Does the Tenant keeps boats in the hall?", "Does the Tenant light the stove in the yard?", "Is the yard lit?"])
async def test_a_condition_or_another_thing_is_no_yes(question: str) -> None:
    answer = await composed(question, [evidence(LEASE)], {"boats": 9.0})
    assert answer.lead is None
    assert answer.sentences


@pytest.mark.parametrize(
    ("question", "is_one"),
    [
        ("Does the landlord insure the hall?", True),
        ("Ist der Kran geprüft?", True),
        ("Is it red or green?", False),
        ("Can you say who signed?", False),
        ("What is red?", False),
    ],
)
def test_questions_for_yes_or_no(question: str, *, is_one: bool) -> None:
    assert asks_yes_or_no(question) is is_one


async def test_when_a_document_was_signed_is_its_date_line() -> None:
    lease = evidence("Dated 22 March 2021\n\nThe Tenant signs a protocol of entry on 1 May 2021.", document="lease", title="Boathouse lease")
    change = evidence("Dated 1 June 2023\n\nClause 4 of the lease is replaced.", document="change", title="Boathouse lease, first amendment")
    answer = await composed("When was the lease signed?", [change, lease])
    assert answer.lead is not None
    assert (answer.lead.text, answer.lead.kind, answer.citations[0].document_id) == ("22 March 2021", "span", "lease")
    assert (await composed("When was the amendment signed?", [change, lease])).citations[0].document_id == "change"
    active = await composed("When did we sign the lease?", [change, lease])
    assert active.lead is not None
    assert active.lead.text == "22 March 2021"


MINUTES = evidence(
    "Ada presented the three offers for the new boat. Tern is the cheapest, but ten weeks are too long. Skua can deliver in six weeks.\n\n"
    "Decision: the order goes to Skua Yards for one boat at £9,300.",
    document="minutes",
    title="Meeting about the new boat",
)
OFFERS = evidence("The Tern offer for a new boat was chosen by nobody yet. Offers are sent to the board.", document="offer", title="Tern offer")


async def test_what_was_chosen_is_what_the_decision_says_with_its_reason_where_that_is_asked() -> None:
    chosen = await composed("Which offer for the new boat was chosen?", [OFFERS, MINUTES])
    assert chosen.lead is not None
    assert (chosen.lead.text, chosen.citations[0].document_id) == ("Skua Yards", "minutes")
    assert [sentence.text for sentence in chosen.sentences] == ["Decision: the order goes to Skua Yards for one boat at £9,300."]
    priced = await composed("Which offer for the new boat was chosen, and at what price?", [OFFERS, MINUTES])
    assert [sentence.text for sentence in priced.sentences] == [sentence.text for sentence in chosen.sentences]
    why = await composed("Which offer for the new boat was chosen and why?", [OFFERS, MINUTES])
    assert [sentence.text for sentence in why.sentences][1:] == ["Skua can deliver in six weeks."]
    named = await composed("Why was Skua chosen?", [OFFERS, MINUTES])
    assert named.lead is not None
    assert (named.lead.text, len(named.sentences)) == ("Skua can deliver in six weeks", 2)
    assert (await composed("Why was Tern chosen?", [OFFERS, MINUTES])).lead is None
    award = [evidence("In 1911 the prize for the new boat was awarded to Ada Holm. It was a silver bell.", document="prize", title="Boat prize")]
    assert (await composed("Who was awarded the prize for the new boat?", award)).text.startswith("Ada Holm")
    for other in ("What was awarded to Ada Holm for the new boat?", "In what year was the prize for the new boat awarded?"):
        lead = (await composed(other, award)).lead
        assert lead is None or lead.text != "Ada Holm", other
    assert (await composed("Which offer is the cheapest?", [MINUTES])).citations[0].quote != chosen.citations[0].quote


@pytest.mark.parametrize(
    "question",
    [
        "Why was Tern's offer not chosen?",
        "Why not Tern?",
        "Why was Tern rejected?",
        "Why didn't we choose Tern?",
        "Why did we not take the offer from Tern?",
    ],
)
async def test_why_another_was_not_chosen_is_what_is_said_of_it_beside_the_decision(question: str) -> None:
    answer = await composed(question, [OFFERS, MINUTES])
    assert answer.lead is not None
    assert answer.lead.text == "Tern is the cheapest, but ten weeks are too long"
    assert answer.sentences[-1].text.endswith("goes to Skua Yards for one boat at £9,300.")


async def test_why_the_chosen_one_was_not_chosen_is_not_said() -> None:
    assert (await composed("Why was Skua not chosen?", [OFFERS, MINUTES])).lead is None


@pytest.mark.parametrize("question", ["Why was Tern not repaired?", "Why did Tern not sail?", "Why not Tern in June?"])
async def test_what_else_was_not_so_is_no_choice(question: str) -> None:
    answer = await composed(question, [OFFERS, MINUTES])
    assert answer.lead is None or answer.lead.text != "Tern is the cheapest, but ten weeks are too long"


NUTS = evidence(
    "Tern clamp\n\nThe Tern clamp is of one piece. A spring joins its halves. The clamp can be removed and reused without harm to the rope.\n\n"
    "Skua clamp\n\nThe Skua clamp is of two pieces. It holds wet ropes.",
    document="clamps",
    title="Clamps",
    blocks=[(BlockKind.HEADING, 0, 10), (BlockKind.PARAGRAPH, 12, 126), (BlockKind.HEADING, 128, 138), (BlockKind.PARAGRAPH, 140, 199)],
)
QUOTE = evidence(
    "Training is not included in it. The boat is new, and no mast is needed.", document="Tern quote", title="Quote of Tern Yards for a boat"
)


@pytest.mark.parametrize(
    ("question", "item", "verdict"),
    [
        ("Can the clamp be removed and reused?", NUTS, "Yes"),  # "without harm" denies nothing that is asked
        ("Can a Tern clamp be reused?", NUTS, "Yes"),
        ("Can a Skua clamp be reused?", NUTS, None),
        ("Can a Skua clamp be reused?", evidence("The Skua clamp is heavy. The Tern clamp can be reused at sea.", document="both"), None),
        ("Is training included in the Tern quote?", QUOTE, "No"),
        ("Is the boat of Tern new?", QUOTE, "Yes"),  # of another thing it says what is not needed
    ],
)
async def test_what_is_denied_and_what_is_spoken_of(question: str, item: Evidence, verdict: str | None) -> None:
    answer = await composed(question, [item])
    assert (answer.lead.text if answer.lead is not None and answer.lead.kind == "verdict" else None) == verdict
