"""How far a lead reaches: bounds of a figure, figures with a stroke, and all that is named side by side where several are asked for."""

from __future__ import annotations

import pytest

from tests.support.evidence import evidence
from tests.support.extractive_answers import compose_answer, lead_text

BLADES = "Blades of the mill are made of ash wood, galvanised steel, or glass fibre. The hub weighs 40 kg."
FERRIES = "The two kinds of ferry in use are the chain ferry and the rope ferry. The chain ferry and the rope ferry are slow."
LEAVING = "The ferryman may give up the lease on 30 April 2027 by giving the owner of the ferry at least six weeks' written notice."
SHARED = "The share of the repair that the owner bears under clause 8.4 was discussed and is not altered."
CREW = "The tide mill was served by Olaf Brand and his sister was the cook."

BREAD = "The pamphlet says that swans should not be fed with bread because it harms the young birds and fouls the moat.[25]"
BASE = "Several costs are left out of the base because their inclusion distorts the rate: deposits above £25,000; gifts to the crew."
BODIES = "Help with it came from the Tide Board and the Guild of the Coast, the Royal Office of Wrecks on the Northern Sea (ROW) and the owner."
SETS = "The ferries that were tested are called Elver (12 trips), Marl (3 trips) and Osyn (about 1 trip)."
PLAYS = "Three plays – “Low Water”, “Nine Oars” and “Rope, Chain and Tar” were given at the harbour."
GATES = "The gates were closed at noon to avoid a flood, because of the spring tide."


@pytest.mark.parametrize(
    ("question", "text", "read", "lead"),
    [
        ("What share of the harbour did the survey cover?", "The survey covered more than 7% of the harbour.", "7%", "more than 7%"),
        ("How many nets does the shed hold?", "The shed holds over 1,100 nets.", "1,100", "over 1,100"),
        ("How many nets does the shed hold?", "The shed holds ~1,100 nets.", "1,100", "~1,100"),
        ("When was the mill sold?", "The mill was sold over 1911 and 1912.", "1911", "1911"),
        ("What was the pressure of the boiler?", "Pressure of the boiler 142/88 bar, normal 120/80 bar", "142", "142/88"),
        ("What are the blades of the mill made of?", BLADES, "ash wood", "ash wood, galvanised steel, or glass fibre"),
        ("Which kinds of ferry are there?", FERRIES, "the chain ferry", "the chain ferry and the rope ferry"),
        ("Which ferry is slow?", FERRIES, "the chain ferry", "the chain ferry"),
        ("How long does the alarm stay on?", "The alarm stays on in area 3 for about 15 minutes.", "3 for about 15 minutes", "for about 15 minutes"),
        ("What was the salt content?", "Salt content 6.8% <5.7% HIGH", "6.8% <5.7% HIGH", "6.8%"),
        (
            "Who founded the ferry?",
            "The ferry was founded by Ada Holm, Ned Brock and Ole Lund in 1901.",
            "Ada Holm",
            "Ada Holm, Ned Brock and Ole Lund",
        ),
        ("Who founded the ferry?", "The ferry was founded by Ada Holm and sold in 1901.", "Ada Holm", "Ada Holm"),
        ("Which rule is replaced?", "Rule 2.3.59, dated May 2021, is replaced.", "", "Rule 2.3.59"),
        ("Which persons served the tide mill?", CREW, "Olaf Brand", "Olaf Brand"),
        ("How much notice must the ferryman give?", LEAVING, LEAVING, "six weeks"),  # and no day, whatever is said of that elsewhere
        ("How much notice must the ferryman give?", LEAVING, "30 April 2027", ""),
        ("What share of the repair does the owner bear?", SHARED, "under clause 8.4", ""),
        ("Which bodies help the inquiry?", BODIES, "the Tide Board", BODIES[BODIES.index("the Tide") : -1]),
        ("Welche drei Fähren wurden geprüft?", SETS, "Elver", "Elver (12 trips), Marl (3 trips) and Osyn (about 1 trip)"),
        ("What are the names of the three plays?", PLAYS, "Low Water", "“Low Water”, “Nine Oars” and “Rope, Chain and Tar”"),
        ("When did Ada send the plans?", "Ada sent the plans on 16 Dec 2022 at noon.", "2022", "16 Dec 2022"),
        ("In which year did Ada send the plans?", "Ada sent the plans on 16 Dec 2022 at noon.", "2022", "2022"),
        ("Which engine drives the ferry?", "The ferry is driven by a Marl TIDE 7763 engine.", "Marl TIDE", "Marl TIDE 7763"),
        ("Which engine drives the ferry?", "The ferry is driven by a Marl TIDE 20 times a day.", "Marl TIDE", "Marl TIDE"),
        ("Why should swans not be fed with bread?", BREAD, "it harms the young birds", "it harms the young birds and fouls the moat"),
        ("Why are several costs left out of the base?", BASE, "gifts to the crew", "their inclusion distorts the rate"),
        ("Why were the gates closed at noon?", GATES, "to avoid a flood", "to avoid a flood"),
        ("Why were the gates closed at noon?", GATES, "spring tide", "the spring tide"),
    ],
)
async def test_a_lead_is_whole(question: str, text: str, read: str, lead: str) -> None:
    assert lead_text(await compose_answer(question, [evidence(text)], {read: 7.0})) == lead


@pytest.mark.parametrize("question", ["What is Ada Holm's date of birth?", "When is Ada Holm’s date of birth?"])
async def test_a_label_is_asked_for_behind_its_owner(question: str) -> None:
    texts = ["Crew card\n\nName: Ada Holm\n\nDate of Birth: 3 May 1978 Harbour: Elver East", "The date of the fair is 4 June."]
    assert lead_text(await compose_answer(question, [evidence(text) for text in texts])) == "3 May 1978"
