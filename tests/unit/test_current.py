"""What holds now stands in front: rents, limits and offices of invented houses, through the composer with a scripted reader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

import pytest

from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from core.claim_precedence import Relation
from core.documents import ReferenceKind
from core.language.sentences import word_count
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import FixedRelations, WordsReader

TODAY = date(2026, 5, 6)
RENT = "What is the yearly rent of the boathouse?"
LIMIT = "What is the speed limit on the pontoons?"
DEPOSIT = "How much is the deposit for a mooring?"


def stated(text: str, document: str, title: str, dated: str = "", *, score: float = 1.0, language: str = "en") -> Evidence:
    return evidence(text, document=document, title=title, score=score, start=20).model_copy(update={"dated": dated, "language": language})


async def composed(
    question: str,
    items: Sequence[Evidence],
    words: Mapping[str, float] | None,
    *relations: Relation,
    today: date = TODAY,
    bounds: Bounds = Bounds(),  # noqa: B008
) -> Answer:
    """`words` None: without a reader."""
    reader = WordsReader(words) if words is not None else None
    parts = OptionalParts(reader=reader, references=FixedRelations(relations), today=lambda: today)
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), bounds, parts).compose("default", question, items)


def documents(answer: Answer) -> list[str]:
    return [citation.document_id for citation in answer.citations]


def quoted(answer: Answer, items: Sequence[Evidence]) -> str:
    """What stands where the lead says that it stands."""
    assert answer.lead is not None
    cited = answer.citations[answer.lead.citation - 1]
    assert cited.start <= answer.lead.start < answer.lead.end <= cited.end
    passage = next(item.passage for item in items if item.passage.document_id == cited.document_id)
    return passage.content[answer.lead.start - passage.start : answer.lead.end - passage.start]


def highlighted(answer: Answer) -> list[str]:
    return [sentence.text[slice(*sentence.highlight)] for sentence in answer.sentences if sentence.highlight is not None]


LEASE = stated(
    "The yearly rent of the boathouse is €9,600, payable in advance. The boathouse has two doors and a slipway.",
    "lease",
    "Lease of the boathouse",
    "2019-03-01",
)
AMENDMENT = stated(
    "The yearly rent of the boathouse is raised to €10,800 from 1 July 2024.",
    "amendment",
    "Amendment to the lease of the boathouse",
    "2024-05-02",
    score=0.6,
)
AMENDS = Relation("amendment", "lease", ReferenceKind.AMENDS)


@pytest.mark.parametrize("found", ["€9,600", "€10,800"])
async def test_an_amended_rent_leads_with_what_it_was_before(found: str) -> None:
    items = [LEASE, AMENDMENT]
    answer = await composed(RENT, items, {found: 12.0}, AMENDS)
    assert answer.text.startswith("€10,800 since 1 July 2024 (before: €9,600) [1]\n\n")
    assert documents(answer)[0] == "amendment"
    assert quoted(answer, items) == "€10,800"
    assert highlighted(answer) == ["€10,800"]
    assert answer.notes == []


async def test_the_old_rent_is_quoted_behind_where_it_was_found() -> None:
    answer = await composed(RENT, [LEASE, AMENDMENT], {"€9,600": 12.0}, AMENDS)
    assert documents(answer) == ["amendment", "lease"]
    assert [sentence.paragraph for sentence in answer.sentences] == [0, 1]


async def test_what_only_holds_from_a_later_day_on_does_not_lead_yet() -> None:
    items = [LEASE, AMENDMENT]
    answer = await composed(RENT, items, {"€9,600": 12.0}, AMENDS, today=date(2024, 6, 30))
    assert quoted(answer, items) == "€9,600"
    assert documents(answer)[0] == "lease"
    assert "10,800" not in answer.text.split("\n\n")[0]


async def test_without_a_reader_the_valid_rent_leads_as_the_only_figure_of_its_sentence() -> None:
    items = [LEASE, AMENDMENT]
    answer = await composed(RENT, items, None, AMENDS)
    assert documents(answer) == ["amendment", "lease"]
    assert answer.lead is not None
    assert answer.lead.text == "€10,800 since 1 July 2024 (before: €9,600)"
    assert answer.signals == {}
    assert "€9,600" not in highlighted(answer)


async def test_a_replaced_clause_has_no_lead_of_its_predecessor() -> None:
    old = stated("7.3 The Tenant may keep fires in the yard of the boathouse.", "lease", "Lease of the boathouse", "2019-03-01")
    new = stated(
        "Clause 7.3 is replaced by the following: The Tenant may burn nothing at all in the yard of the boathouse.",
        "amendment",
        "Amendment to the lease of the boathouse",
        "2024-05-02",
        score=0.4,
    )
    answer = await composed("What may the Tenant keep in the yard of the boathouse?", [old, new], {"fires": 12.0}, AMENDS)
    assert documents(answer)[0] == "amendment"
    assert answer.lead is None
    both = await composed("What may the Tenant keep in the yard of the boathouse?", [old, new], {"fires": 12.0, "nothing at all": 11.0}, AMENDS)
    assert documents(both)[0] == "amendment"
    assert both.lead is None or quoted(both, [old, new]) == "nothing at all"


async def test_a_withdrawn_limit_stands_behind() -> None:
    old = stated("The speed limit on the pontoons is 12 km/h.", "old", "Pontoon rules (withdrawn)")
    new = stated("The speed limit on the pontoons is 6 km/h.", "new", "Pontoon rules", score=0.5)
    for items in ([old, new], [new, old]):
        answer = await composed(LIMIT, items, {"12 km/h": 12.0})
        assert answer.text.startswith("6 km/h (before: 12 km/h) [1]\n\n")
        assert documents(answer) == ["new", "old"]
        assert quoted(answer, items) == "6 km/h"
        assert highlighted(answer) == ["6 km/h"]


async def test_where_nobody_can_tell_both_stand_in_front_and_nothing_leads() -> None:
    one = stated("The deposit for a mooring is £250.", "one", "Mooring guide")
    two = stated("The deposit for a mooring is £300.", "two", "Mooring guide", score=0.5)
    more = stated("A mooring is a place for one boat. The deposit for a mooring is paid at the office.", "three", "Glossary", score=0.9)
    for words in ({"£250": 12.0}, {"£300": 12.0}, {"£250": 12.0, "£300": 11.0}, {}, None):
        answer = await composed(DEPOSIT, [one, more, two], words)
        assert answer.lead is None
        assert set(documents(answer)[:2]) == {"one", "two"}
        assert highlighted(answer) == []
        assert len(answer.notes) == 1
        assert "£250" in answer.notes[0]
        assert "£300" in answer.notes[0]


@pytest.mark.parametrize("title", ["Mooring guide", "Handbook of the yard"])
async def test_equal_statements_move_nothing(title: str) -> None:
    one = stated("The deposit for a mooring is £250.", "one", "Mooring guide")
    two = stated("We ask for a deposit of £250 for a mooring.", "two", title, "2025-01-01", score=0.5)
    answer = await composed(DEPOSIT, [one, two], {"£250": 12.0})
    assert answer.text.startswith("£250 [1]\n\n")
    assert documents(answer)[0] == "one"
    assert answer.notes == []


async def test_what_changed_elsewhere_moves_nothing() -> None:
    """The rent was amended, and the doors are asked for."""
    answer = await composed("How many doors has the boathouse?", [LEASE, AMENDMENT], {"two doors": 12.0}, AMENDS)
    assert answer.text.startswith("two doors [1]\n\n")
    assert documents(answer)[0] == "lease"


async def test_of_a_sentence_with_two_figures_the_one_that_was_asked_for_decides() -> None:
    one = stated("The speed limit is 12 km/h on the pontoons and 20 km/h on the quay road.", "one", "Harbour rules, version 1", "2019-01-01")
    two = stated(
        "The speed limit is 6 km/h on the pontoons and 20 km/h on the quay road.", "two", "Harbour rules, version 2", "2023-01-01", score=0.5
    )
    items = [one, two]
    changed = await composed(LIMIT, items, {"12 km/h": 12.0})
    assert quoted(changed, items) == "6 km/h"
    kept = await composed("What is the speed limit on the quay road?", items, {"20 km/h": 12.0})
    assert kept.text.startswith("20 km/h [1]\n\n")


async def test_the_cell_of_a_newer_table_leads() -> None:
    one = stated("Service | Price\nDay ticket | £4.50\nWeek ticket | £19.00", "one", "Prices, version 1", "2024-01-02")
    two = stated("Service | Price\nDay ticket | £5.20\nWeek ticket | £19.00", "two", "Prices, version 2", "2025-01-03", score=0.5)
    items = [one, two]
    answer = await composed("What is the price of a day ticket?", items, {"£4.50": 12.0})
    assert answer.text.startswith("£5.20 since 3 January 2025 (before: £4.50) [1]\n\n")
    assert quoted(answer, items) == "£5.20"
    assert documents(answer)[0] == "two"


@pytest.mark.parametrize("found", ["9.600 Euro", "10.800 Euro"])
async def test_german(found: str) -> None:
    items = [
        stated("Die Jahresmiete für das Bootshaus beträgt 9.600 Euro.", "vertrag", "Mietvertrag Bootshaus", "2019-03-01", language="de"),
        stated(
            "Die Jahresmiete für das Bootshaus beträgt ab dem 1. Juli 2024 10.800 Euro.",
            "nachtrag",
            "Nachtrag zum Mietvertrag Bootshaus",
            "2024-05-02",
            score=0.6,
            language="de",
        ),
    ]
    relation = Relation("nachtrag", "vertrag", ReferenceKind.AMENDS)
    answer = await composed("Wie hoch ist die Jahresmiete für das Bootshaus?", items, {found: 12.0}, relation)
    assert answer.text.startswith("10.800 Euro seit 01.07.2024 (vorher: 9.600 Euro) [1]\n\n")
    assert quoted(answer, items) == "10.800 Euro"
    assert documents(answer)[0] == "nachtrag"


async def test_what_is_put_in_front_makes_the_answer_one_sentence_longer_at_most() -> None:
    boats = "dinghies kayaks rafts canoes oars sails ropes anchors".split()
    filler = " ".join(f"The yearly rent of the boathouse number {number} is paid for {boat} and more." for number, boat in enumerate(boats))
    lease = stated(f"{LEASE.passage.content} {filler}", "lease", LEASE.title, LEASE.dated)
    bounds = Bounds(max_words=40, stop_gain=0.0, lead_stop=0.0)
    answer = await composed(RENT, [lease, AMENDMENT], {"€9,600": 12.0}, AMENDS, bounds=bounds)
    assert documents(answer)[0] == "amendment"
    assert sum(word_count(sentence.text) for sentence in answer.sentences[1:]) <= 40


FORM = stated("Yearly rent of the boathouse: €9,600\n\nTerm of the lease: ten years", "lease", "Lease of the boathouse", "2019-03-01")


async def test_a_value_under_its_label_gives_way_to_the_later_one() -> None:
    question = "What is the yearly rent of the boathouse?"
    assert (await composed(question, [FORM], {})).text.startswith("€9,600 [1]")
    answer = await composed(question, [FORM, AMENDMENT], {}, AMENDS)
    assert answer.lead is not None
    assert answer.lead.text.startswith("€10,800 since 1 July 2024")
    assert documents(answer)[0] == "amendment"


async def test_a_verdict_does_not_rest_on_what_was_withdrawn() -> None:
    old = stated("The speed limit in the yard is 10 km/h.", "old", "Yard rules", "2020-01-01")
    new = stated("The speed limit in the yard is 8 km/h from 1 January 2025.", "new", "Yard rules, revised", "2024-11-01")
    question = "Is the speed limit in the yard 10 km/h?"
    said = await composed(question, [old], {})
    assert said.lead is not None
    assert said.lead.text == "Yes"
    answer = await composed(question, [old, new], {}, Relation("new", "old", ReferenceKind.SUPERSEDES))
    assert answer.lead is None or answer.lead.text != "Yes"
    assert documents(answer)[0] == "new"


FORMS = stated("Leaks are reported on the blue form within 48 hours.", "first", "Harbour rules, version 1", "2023-04-01")
TABLETS = stated("Leaks are reported on the tablet within 24 hours. Pumps are tested in May.", "second", "Harbour rules, version 2", "2026-01-15")
LEAKS = "Within how many hours are leaks reported?"


async def test_of_a_withdrawn_document_nothing_leads_however_the_two_are_worded() -> None:
    items = [FORMS, TABLETS]
    replaces = Relation("second", "first", ReferenceKind.SUPERSEDES)
    answer = await composed(LEAKS, items, {"48 hours": 14.0, "24 hours": 3.0}, replaces)
    assert answer.text.startswith("24 hours (before: 48 hours) [1]")
    assert documents(answer)[0] == "second"
    without = await composed(LEAKS, items, {"48 hours": 14.0, "24 hours": 3.0})
    assert "before:" not in without.text  # nobody says that one replaces the other


async def test_a_withdrawn_document_leads_where_the_newer_one_says_nothing_of_it() -> None:
    silent = stated("Pumps are tested in May.", "second", "Harbour rules, version 2", "2026-01-15")
    replaces = Relation("second", "first", ReferenceKind.SUPERSEDES)
    answer = await composed(LEAKS, [FORMS, silent], {"48 hours": 12.0}, replaces)
    assert documents(answer)[0] == "first"


async def test_who_asks_what_a_changed_document_says_is_told_that_it_was_changed() -> None:
    answer = await composed("What does the Lease of the boathouse say about the rent?", [LEASE, AMENDMENT], None, AMENDS)
    assert documents(answer) == ["lease"]
    assert answer.notes == ["amendment.txt changes this document: asked without its name, the question is answered by what holds now."]
    other = await composed("What does the Amendment to the lease of the boathouse say about the rent?", [LEASE, AMENDMENT], None, AMENDS)
    assert other.notes == []


async def test_a_replaced_day_of_the_same_sentence_is_no_answer_to_how_long() -> None:
    lease = stated("The Tenant may end this lease on 30 April 2027 by giving at least nine months' notice.", "lease", "Lease", "2019-03-01")
    amendment = stated("In clause 12.1 the date 30 April 2027 is replaced by 30 April 2028.", "amendment", "Amendment to the lease", "2024-05-02")
    read = {"30 April 2027 by giving at least nine months": 12.0}
    answer = await composed("How long is the notice period of the lease?", [lease, amendment], read, AMENDS)
    assert answer.lead is not None
    assert answer.lead.text == "nine months"
