"""Which of several statements about one thing holds: rents, limits, offices, hours and prices of invented houses."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.extractive.statement_versions import ClaimVersions, versions_of
from core.claim_precedence import Ground, Relation
from core.claims import DocumentStatement
from core.documents import ReferenceKind

Spoken = tuple[str, str, str, str]  # text, document, title, its own day ("" for none)


def stated(text: str, document: str, title: str = "", day: str = "", **more: tuple[str, ...]) -> DocumentStatement:
    return DocumentStatement(text, document, title, document_date=date.fromisoformat(day) if day else None, **more)


def only(*spoken: Spoken, relations: tuple[Relation, ...] = (), today: date | None = None) -> ClaimVersions:
    (version,) = versions_of([stated(*each) for each in spoken], relations, today)
    return version


RULES_1, RULES_2 = "Marina rules, version 1", "Marina rules, version 2"


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        # limits, the later own day of two versions
        (
            ("The speed limit is 6 knots; the limit for bicycles is 12 km/h on the pontoons.", "a", RULES_1, "2019-04-01"),
            ("The limit for bicycles is 9 km/h on the pontoons.", "b", RULES_2, "2023-06-15"),
            "9 km/h since 15 June 2023 (before: 12 km/h)",
        ),
        # a rent, by the words of the change
        (
            ("2.1 The yearly rent is €48,000, payable in advance.", "a", "Lease of Mill 3, Harrow Bridge", "2018-01-10"),
            (
                "Instead the yearly rent is €51,600 from 1 July 2024 until the end of the term.",
                "b",
                "Amendment No. 1 to the lease of Mill 3",
                "2024-03-02",
            ),
            "€51,600 since 1 July 2024 (before: €48,000)",
        ),
        # an office
        (
            ("The harbour master is Jon Bergset.", "a", "Contacts of the harbour", "2020-01-01"),
            ("The harbour master is Ms Ada Holm.", "b", "Contacts of the harbour", "2024-02-01"),
            "Ada Holm since 1 February 2024 (before: Jon Bergset)",
        ),
        # opening times
        (
            ("The chandlery is open from 8:00 to 16:00.", "a", "Guide to the marina", "2021-05-01"),
            ("The chandlery is open from 9 am to 5.30 pm.", "b", "Guide to the marina", "2025-05-01"),
            "9 am to 5.30 pm since 1 May 2025 (before: 8:00 to 16:00)",
        ),
        # a price under a label
        (
            ("Day ticket: £4.50", "a", "Price list 2024", "2024-01-02"),
            ("Day ticket: £5.20", "b", "Price list 2025", "2025-01-03"),
            "£5.20 since 3 January 2025 (before: £4.50)",
        ),
        # a row of two cells
        (
            ("Day ticket | £4.50", "a", "Prices, version 1", "2024-01-02"),
            ("Day ticket | £5.20", "b", "Prices, version 2", "2025-01-03"),
            "£5.20 since 3 January 2025 (before: £4.50)",
        ),
        # a numbered clause, whatever its words
        (
            ("7.3 The Tenant has access from 06:00 to 20:00 on working days.", "a", "Lease of Mill 3, Harrow Bridge", "2018-01-10"),
            ("Clause 7.3 is replaced: “The gates stand open from 04:00 to 22:00.”", "b", "Amendment No. 1 to the lease of Mill 3", "2024-03-02"),
            "04:00 to 22:00 since 2 March 2024 (before: 06:00 to 20:00)",
        ),
        # a day that is moved
        (
            ("9.1 The Tenant may leave on 31 May 2026 by notice.", "a", "Lease of Mill 3, Harrow Bridge", "2018-01-10"),
            ("In clause 9.1 the date 31 May 2026 is replaced by 31 May 2027.", "b", "Amendment No. 1 to the lease of Mill 3", "2024-03-02"),
            "31 May 2027 since 2 March 2024 (before: 31 May 2026)",
        ),
        # numbers in words
        (
            ("Refresher training for divers takes place every four years.", "a", RULES_1, "2019-04-01"),
            ("Refresher training for divers takes place every two years, or after an accident.", "b", RULES_2, "2023-06-15"),
            "two years since 15 June 2023 (before: four years)",
        ),
    ],
)
def test_of_two_versions_one_holds(old: Spoken, new: Spoken, words: str) -> None:
    version = only(old, new)
    assert version.describe() == words
    assert version.valid is not None
    assert (version.valid.statement.document_id, [each.statement.document_id for each in version.earlier]) == ("b", ["a"])
    assert not version.is_conflict


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (
            ("Die Höchstgeschwindigkeit in der Halle beträgt 12 km/h.", "a", "Hallenordnung, Fassung 1", "2020-03-01"),
            ("Die Höchstgeschwindigkeit in der Halle beträgt 8 km/h.", "b", "Hallenordnung, Fassung 2", "2024-09-01"),
            "8 km/h seit 01.09.2024 (vorher: 12 km/h)",
        ),
        (
            ("Die monatliche Miete für das Lager beträgt 2.400 Euro.", "a", "Mietvertrag Lager Nord", "2019-01-01"),
            (
                "Die monatliche Miete für das Lager beträgt ab 1. Juli 2024 nunmehr 2.650 Euro.",
                "b",
                "Nachtrag zum Mietvertrag Lager Nord",
                "2024-05-02",
            ),
            "2.650 Euro seit 01.07.2024 (vorher: 2.400 Euro)",
        ),
        (
            ("Das Museum ist von 10 bis 17 Uhr geöffnet.", "a", "Besucherinformation", "2021-04-01"),
            ("Das Museum ist von 9 bis 18 Uhr geöffnet.", "b", "Besucherinformation", "2025-04-01"),
            "9 bis 18 Uhr seit 01.04.2025 (vorher: 10 bis 17 Uhr)",
        ),
        (
            ("Vorsitzender ist Karl Brenner.", "a", "Satzung des Rudervereins", "2018-01-01"),
            ("Vorsitzender ist Jan Peter Vogt.", "b", "Satzung des Rudervereins", "2024-01-01"),
            "Jan Peter Vogt seit 01.01.2024 (vorher: Karl Brenner)",
        ),
    ],
)
def test_in_german(old: Spoken, new: Spoken, words: str) -> None:
    assert only(old, new).describe("de") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The delay of the door alarm is raised from 4 to 7 minutes.", "7 minutes (before: 4 minutes)"),
        ("The fee for a mooring increases from £120 to £135 from 1 April 2026.", "£135 since 1 April 2026 (before: £120)"),
        ("Filters are changed every three months instead of every six.", "three months (before: six months)"),
        ("The limit in the shed is 9 km/h (before: 12 km/h).", "9 km/h (before: 12 km/h)"),
        ("Ada Holm succeeded Jon Bergset as harbour master.", "Ada Holm (before: Jon Bergset)"),
        ("Die Frist wird von 14 auf 21 Tage verlängert.", "21 Tage (before: 14 Tage)"),
        ("Die Gebühr beträgt 35 Euro (bisher: 30 Euro).", "35 Euro (before: 30 Euro)"),
        ("Mooring | 120 | 135", ""),
    ],
)
def test_a_sentence_that_tells_its_own_change(text: str, words: str) -> None:
    assert [each.describe() for each in versions_of([stated(text, "a", "Notice")])] == ([words] if words else [])


def test_columns_of_a_table_that_say_since_when() -> None:
    row = stated("Boat shed | 3,400 | 3,650", "a", "Letter", header=("Area", "£ per year until 31 March 2025", "£ per year from 1 April 2025"))
    (version,) = versions_of([row])
    assert version.describe() == "£3,650 since 1 April 2025 (before: £3,400)"


def test_a_relation_found_at_ingestion_decides_between_documents_of_any_title() -> None:
    one = ("The berthing fee is €14.", "a", "Letter to members", "2025-01-01")
    other = ("The berthing fee is €19.", "b", "Notice on the board", "")
    assert only(one, other).is_conflict
    version = only(one, other, relations=(Relation("b", "a", ReferenceKind.SUPERSEDES),))
    assert (version.describe(), version.ground) == ("€19 (before: €14)", Ground.RELATION)


def test_what_is_withdrawn_gives_way() -> None:
    version = only(
        ("The berthing fee is €14.", "a", "Fees (withdrawn)", ""),
        ("The berthing fee is €19.", "b", "Notice on the board", ""),
    )
    assert (version.describe(), version.ground) == ("€19 (before: €14)", Ground.WITHDRAWN)


def test_three_versions_stand_in_their_order() -> None:
    version = only(
        ("The limit for bicycles is 12 km/h.", "b", RULES_1, "2019-04-01"),
        ("The limit for bicycles is 9 km/h.", "c", RULES_2, "2023-06-15"),
        ("The limit for bicycles is 7 km/h.", "a", "Marina rules, version 3", "2025-01-01"),
    )
    assert version.describe() == "7 km/h since 1 January 2025 (before: 9 km/h)"
    assert [each.claim.text for each in version.earlier] == ["9 km/h", "12 km/h"]


def test_what_comes_later_does_not_hold_yet() -> None:
    old = ("The yearly rent is €48,000.", "a", "Lease of Mill 3", "2018-01-10")
    new = ("Instead the yearly rent is €51,600 from 1 July 2030.", "b", "Amendment No. 1 to the lease of Mill 3", "2024-03-02")
    version = only(old, new, today=date(2026, 1, 1))
    assert version.valid is not None
    assert version.upcoming is not None
    assert (version.valid.claim.text, version.upcoming.claim.text, version.upcoming.claim.since) == ("€48,000", "€51,600", "2030-07-01")
    assert only(old, new, today=date(2031, 1, 1)).describe() == "€51,600 since 1 July 2030 (before: €48,000)"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # Nothing says which: two papers of different kinds, and two without days.
        (
            ("The repair of the slipway costs £7,900.", "a", "Survey", "2024-01-01"),
            ("Repair of the slipway: £8,400", "b", "Re: slipway", "2024-02-01"),
        ),
        (("The pool opens at 8:00.", "a", "House rules", ""), ("The pool opens at 9:00.", "b", "House rules", "")),
    ],
)
def test_where_nobody_can_tell_both_stand(one: Spoken, other: Spoken) -> None:
    version = only(one, other)
    assert (version.is_conflict, version.valid) == (True, None)
    assert [each.statement.document_id for each in version.sides] == ["a", "b"]
    assert " · " in version.describe()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # two rooms, halls, years, boats
        (("The limit for room 3 is 12 people.", "a", RULES_1, "2019-01-01"), ("The limit for room 4 is 20 people.", "b", RULES_2, "2023-01-01")),
        (
            ("The speed limit in the shed is 12 km/h.", "a", RULES_1, "2019-01-01"),
            ("The speed limit on the quay is 9 km/h.", "b", RULES_2, "2023-01-01"),
        ),
        (
            ("The budget for training is £12,000.", "a", "Budget 2025", "2025-01-01"),
            ("The budget for training is £14,000.", "b", "Budget 2026", "2026-01-01"),
        ),
        (
            ("The training budget of 2025 is £12,000.", "a", "Plan", "2025-01-01"),
            ("The training budget of 2026 is £14,000.", "b", "Plan", "2026-01-01"),
        ),
        (("Crane C1 lifts 5 tonnes.", "a", "Cranes", "2025-01-01"), ("Crane C2 lifts 3 tonnes.", "b", "Cranes", "2026-01-01")),
        (
            ("The yearly rent is €48,000.", "a", "Lease of Mill 3", "2018-01-10"),
            ("The yearly rent is €12,000.", "b", "Lease of Boathouse 9", "2020-01-10"),
        ),
        # a list price and a total, net and gross, a month and a year, the least and the most
        (("List price of the pump: £980", "a", "Offer", "2025-01-01"), ("Total price of the pump: £1,176", "b", "Offer", "2025-02-01")),
        (("The net price of the pump is £980.", "a", "Offer", "2025-01-01"), ("The price of the pump is £1,176.", "b", "Offer", "2025-02-01")),
        (("The monthly rent of the shed is £400.", "a", "Note", "2024-01-01"), ("The yearly rent of the shed is £4,800.", "b", "Note", "2025-01-01")),
        (("The crew is at least 3 people.", "a", "Rules", "2024-01-01"), ("The crew is at most 8 people.", "b", "Rules", "2025-01-01")),
        # other currencies, other labels, deputies
        (("The berthing fee is €14.", "a", "Fees", "2024-01-01"), ("The berthing fee is £12.", "b", "Fees", "2025-01-01")),
        (("The deposit of the shed is £500.", "a", "Note", "2024-01-01"), ("The insurance of the crane is £650.", "b", "Note", "2025-01-01")),
        (
            ("The harbour master is Jon Bergset.", "a", "Contacts", "2024-01-01"),
            ("The deputy harbour master is Ada Holm.", "b", "Contacts", "2025-01-01"),
        ),
        # the same, about the same, and in another spelling
        (("The fee is £1,200.", "a", "Fees", "2024-01-01"), ("The fee is GBP 1200.", "b", "Fees", "2025-01-01")),
        (
            ("Repairs of the slipway cost about £30,000.", "a", "Note", "2024-01-01"),
            ("Repairs of the slipway cost £29,800.", "b", "Note", "2025-01-01"),
        ),
        (("The term ends on 30 April.", "a", "Note", "2024-01-01"), ("The term ends on 30 April 2031.", "b", "Note", "2025-01-01")),
        # German
        (
            ("Der Eintritt für Kinder kostet 4 Euro.", "a", "Preise", "2024-01-01"),
            ("Der Eintritt für Erwachsene kostet 9 Euro.", "b", "Preise", "2025-01-01"),
        ),
        (("Raum 12 fasst 30 Personen.", "a", "Räume", "2024-01-01"), ("Raum 14 fasst 45 Personen.", "b", "Räume", "2025-01-01")),
    ],
)
def test_different_things_are_no_versions_of_each_other(one: Spoken, other: Spoken) -> None:
    assert versions_of([stated(*one), stated(*other)]) == []


_SUBJECTS = ("The berthing fee", "The speed limit", "The yearly rent", "The delay of the door alarm")
_STATED = st.builds(
    lambda subject, amount, unit, day, title, document: stated(f"{subject} is {amount} {unit}.", f"d{document}", title, day),
    st.sampled_from(_SUBJECTS),
    st.integers(1, 6),
    st.sampled_from(["euros", "km/h", "minutes"]),
    st.sampled_from(["", "2020-01-01", "2022-01-01", "2024-01-01"]),
    st.sampled_from(["Rules", "Rules, version 2", "Letter", "Lease of Mill 3"]),
    st.integers(1, 4),
)


@given(st.lists(_STATED, max_size=8).flatmap(lambda found: st.tuples(st.just(found), st.permutations(found))))
def test_the_order_of_the_statements_does_not_matter(given_orders: tuple[list[DocumentStatement], list[DocumentStatement]]) -> None:
    first, second = given_orders
    assert versions_of(first) == versions_of(second)
    for version in versions_of(first):
        assert version.valid is None or version.valid not in version.earlier
        assert (version.valid is None) == (len(version.sides) > 1)
