"""Yes and no over short documents of many kinds: a verdict that is shown is right, and what nothing decides gets none."""

from __future__ import annotations

from collections import Counter

import pytest

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import WordsReader
from tests.support.yes_no_cases import YesNoCase, read_cases

VERDICTS = {"Yes": "yes", "Ja": "yes", "Oui": "yes", "Sí": "yes", "No": "no", "Nein": "no", "Non": "no"}


async def _told(case: YesNoCase) -> str:
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader({})))
    lead = (await composer.compose("default", case.question, case.evidence)).lead
    return VERDICTS[lead.text] if lead is not None and lead.kind == "verdict" else "none"


def test_both_halves_have_every_kind_of_case() -> None:
    for half in ("developing", "judging"):
        rights = Counter(case.right for case in read_cases(half))
        assert set(rights) == {"yes", "no", "none"}
        assert rights.total() >= 50


@pytest.mark.parametrize("case", read_cases("developing"), ids=lambda case: case.question)
async def test_no_verdict_of_the_developing_half_is_wrong(case: YesNoCase) -> None:
    assert await _told(case) in {case.right, "none"}


# Of the questions that their document decides these shares get a verdict, measured .97 and .60; of the verdicts these are right, measured 1 and .97.
@pytest.mark.parametrize(("half", "decided", "right"), [("developing", 0.95, 1.0), ("judging", 0.55, 0.9)])
async def test_how_many_get_a_verdict_and_how_many_of_these_are_right(half: str, decided: float, right: float) -> None:
    told = [(case.right, await _told(case)) for case in read_cases(half)]
    shown = [pair for pair in told if pair[1] != "none"]
    assert len([pair for pair in shown if pair[0] == pair[1]]) >= right * len(shown)
    assert len([pair for pair in shown if pair[0] != "none"]) >= decided * len([pair for pair in told if pair[0] != "none"])


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Ist das Grillen auf dem Balkon erlaubt?", "Nein"),
        ("Dürfen Fahrräder im Keller abgestellt werden?", "Ja"),
        ("Est-il permis de fumer dans le gymnase ?", "Non"),
        ("¿Se pueden renovar los libros?", "Sí"),
    ],
)
async def test_a_verdict_is_told_in_the_language_of_the_question(question: str, said: str) -> None:
    case = next(case for case in read_cases("developing") if case.question == question)
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader({})))
    answer = await composer.compose("default", question, case.evidence)
    assert answer.text.startswith(f"{said} [1]\n\n")


_OTHERS = {
    "Crane inspection report": "The crane was sold in May. The crane lifts five tonnes. Its hook was replaced by Stannard in June.",
    "Lease of Quay 7": "The tenant paints the boat every year. The landlord insures the building. The deposit is returned after six weeks.",
    "Notice": "Minor repairs of the road are allowed at night. The board approved the purchase of two forklifts.",
}


@pytest.mark.parametrize(
    "question",
    [
        "Was the crane examined?",  # of the crane other things are said
        "Was the crane listed?",
        "Is the crane insured?",
        "Does the tenant own the boat?",
        "Does the landlord paint the boat?",
        "Is the boat returned after six weeks?",  # the deposit is
        "Is the building insured by the tenant?",
        "Are children allowed on the road at night?",
        "Did the board approve the purchase of a crane?",
        "Was the hook replaced by Ada Holm?",
    ],
)
async def test_no_verdict_by_what_is_said_of_something_else(question: str) -> None:
    passages = [evidence(text, document=title, title=title) for title, text in _OTHERS.items()]
    composer = ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader({})))
    answer = await composer.compose("default", question, passages)
    assert answer.lead is None or answer.lead.kind != "verdict"
