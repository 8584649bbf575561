"""What the rules read out of a text, type by type, with what they must not take for a name; and texts that mean harm."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from core.documents import BlockKind
from core.graph import DocumentGraph, EntityType, FoundEntity
from core.language.numbers import parse_digits
from tests.support.graphs import graph_of, make_paragraphs, names_of
from tests.support.ingestion import document


def only(graph: DocumentGraph, kind: EntityType) -> set[str]:
    return {each.name for each in graph.entities if each.entity_type is kind}


def one(graph: DocumentGraph, name: str) -> FoundEntity:
    (found,) = [each for each in graph.entities if each.name == name and each.entity_type is not EntityType.TERM]
    return found


def stated(graph: DocumentGraph) -> set[tuple[str, str, str]]:
    return {
        (graph.entities[each.source].name, each.relationship_type, graph.entities[each.target].name)
        for each in graph.relationships
        if each.relationship_type != "RELATED_TO"
    }


# ---------------------------------------------------------------------------------------------------------------- patterns
@pytest.mark.parametrize(
    ("text", "name", "iso"),
    [
        ("Signed on 6 October 2026 there.", "6 October 2026", "2026-10-06"),
        ("Signed on October 6th, 2026 there.", "October 6th, 2026", "2026-10-06"),
        ("Unterschrieben am 6. Oktober 2026 dort.", "6. Oktober 2026", "2026-10-06"),
        ("Firmado el 6 de octubre de 2026 allí.", "6 de octubre de 2026", "2026-10-06"),
        ("Signed 2026-10-06 there.", "2026-10-06", "2026-10-06"),
        ("Signed 06.10.2026 there.", "06.10.2026", "2026-10-06"),
        ("Signed 25/12/2026 there.", "25/12/2026", "2026-12-25"),
        ("It begins in March 2024 there.", "March 2024", "2024-03"),
        ("The figures of Q3 2026 are in.", "Q3 2026", "2026-Q3"),
        ("It was built in 1987 there.", "1987", "1987"),
    ],
)
def test_dates(text: str, name: str, iso: str) -> None:
    found = one(graph_of(text), name)
    assert (found.entity_type, found.properties) == (EntityType.DATE, {"iso": iso})


@pytest.mark.parametrize(
    "text",
    [
        "It may be so.", "We march on.", "May I ask?", "They may 3 times.", "Version 1.2.3 of it.", "Call 14:30 please.", "Room 2024 is closed.",
        "Between 10/12 and 11/12 of it.", "the 31/31/2024 edition",
    ],
)  # fmt: skip
def test_no_dates(text: str) -> None:
    assert only(graph_of(text), EntityType.DATE) == set()


def test_a_date_that_may_be_day_or_month_first_has_no_iso() -> None:
    assert one(graph_of("Due 03/04/2024 there."), "03/04/2024").properties == {}


@pytest.mark.parametrize(
    ("text", "name", "value", "unit"),
    [
        ("It costs £7,900 net.", "£7,900", 7900, "GBP"),
        ("Es kostet 1.250,50 € netto.", "1.250,50 €", 1250.5, "EUR"),
        ("It costs USD 12 a day.", "USD 12", 12, "USD"),
        ("They paid $3.5 million for it.", "$3.5 million", 3_500_000, "USD"),
        ("A share of 6.5 per cent is kept.", "6.5 per cent", 6.5, "%"),
        ("A share of 20 % is kept.", "20 %", 20, "%"),
        ("They paid 80 000 euros for it.", "80 000 euros", 80_000, "EUR"),
    ],
)
def test_amounts(text: str, name: str, value: float, unit: str) -> None:
    found = one(graph_of(text), name)
    assert (found.entity_type, found.properties) == (EntityType.AMOUNT, {"value": value, "unit": unit})


@pytest.mark.parametrize(
    ("written", "value"),
    [("1,234", 1234), ("1.234", 1234), ("1,234.5", 1234.5), ("1.234,5", 1234.5), ("0.125", 0.125), ("12,5", 12.5), ("1'000", 1000)],
)
def test_numbers_as_people_write_them(written: str, value: float) -> None:
    assert parse_digits(written) == value


def test_addresses_and_identifiers() -> None:
    graph = graph_of(
        "Write to M.Pascoe@Holt.example, or see https://holt.example/A-12/b-3. Report SLS-26-3318 on crane C2, version 2.1, "
        "invoice no. 4711-88 and IBAN DE89 3704 0044 0532 0130 00 are attached."
    )
    assert only(graph, EntityType.EMAIL) == {"M.Pascoe@Holt.example"}
    assert only(graph, EntityType.IDENTIFIER) == {"SLS-26-3318", "C2", "version 2.1", "invoice no. 4711-88", "DE89 3704 0044 0532 0130 00"}
    assert {each.key for each in graph.entities if each.entity_type is EntityType.IDENTIFIER} >= {"4711-88", "de89370400440532013000", "version 2.1"}


def test_defined_terms() -> None:
    graph = graph_of(
        '“Landlord” means Elver Estates. The quay (the “Premises”) is let. Der Mieter (nachfolgend „Mieter“) zahlt. He said "maybe" to it.'
    )
    assert {each.name for each in graph.entities if each.properties.get("defined")} == {"Landlord", "Premises", "Mieter"}


# ---------------------------------------------------------------------------------------------------------------- names
def test_people_organisations_and_places() -> None:
    graph = graph_of(
        "A letter from Margaret Fenwick and Dr Osei reached us.",
        "The order went to Brackwater Logistics Ltd and to the Ministry of Harbours.",
        "Their office is in Rotterdam, near Harbour Street.",
    )
    assert only(graph, EntityType.PERSON) == {"Margaret Fenwick", "Osei"}
    assert only(graph, EntityType.ORGANIZATION) == {"Brackwater Logistics Ltd", "Ministry of Harbours"}
    assert only(graph, EntityType.LOCATION) == {"Rotterdam", "Harbour Street"}


def test_the_start_of_a_sentence_is_no_name_unless_the_text_names_it_elsewhere() -> None:
    graph = graph_of("Paints are kept here. However, nobody looks. Norland asks for more. We wrote to Norland about it.")
    assert names_of(graph) == {("CONCEPT", "Norland")}
    assert len(one(graph, "Norland").mentions) == 2


def test_a_word_that_is_mostly_written_small_is_no_name() -> None:
    assert names_of(graph_of("The Crane moved. One crane stood, another crane fell, and the Crane was late.")) == set()


def test_short_forms_belong_to_the_name_they_shorten() -> None:
    graph = graph_of("We met Margaret Fenwick. Later Fenwick wrote to Brackwater Logistics Ltd. We think that Brackwater agreed with Fenwick.")
    fenwick = one(graph, "Margaret Fenwick")
    assert (len(fenwick.mentions), fenwick.aliases) == (3, ("Fenwick",))
    assert one(graph, "Brackwater Logistics Ltd").aliases == ("Brackwater",)


def test_two_of_one_family_keep_their_surname_apart() -> None:
    graph = graph_of("We met Margaret Fenwick and Peter Fenwick. They say that Fenwick wrote it.")
    assert len(one(graph, "Margaret Fenwick").mentions) == len(one(graph, "Peter Fenwick").mentions) == 1


def test_a_person_of_a_firm_is_two_names() -> None:
    graph = graph_of("We met Mr Kwame Osei of Brackwater Logistics Ltd there, and Joan of Arc.")
    assert names_of(graph) == {("PERSON", "Kwame Osei"), ("ORGANIZATION", "Brackwater Logistics Ltd"), ("CONCEPT", "Joan of Arc")}


def test_an_acronym_in_brackets_names_the_same() -> None:
    graph = graph_of("The Northern Harbour Authority (NHA) wrote. We think the NHA is right.")
    assert len(one(graph, "Northern Harbour Authority").mentions) == 3


def test_months_weekdays_and_courtesies_are_no_names() -> None:
    graph = graph_of("We meet on Monday in May. On Mondays in August the Regards are sent. They said Yes on Friday.")
    assert names_of(graph) == set()


def test_capitals_as_style_say_nothing_but_known_names_are_found_there() -> None:
    graph = graph_of("WE WROTE TO MARGARET FENWICK ABOUT THE CRANE IN THE NORTH HALL", "We met Margaret Fenwick there.")
    assert names_of(graph) == {("PERSON", "Margaret Fenwick")}
    assert len(one(graph, "Margaret Fenwick").mentions) == 2


def test_german_nouns_are_no_names() -> None:
    graph = graph_of(
        "Der Vertrag wird von dem Mieter und der Firma Brackwasser Logistik GmbH mit einem Datum versehen.",
        "Die Wohnung ist nicht mit dem Keller und der Garage zu vermieten, und das Haus wird von Frau Margarete Lindner verwaltet.",
    )
    assert only(graph, EntityType.CONCEPT) == set()
    assert only(graph, EntityType.PERSON) == {"Margarete Lindner"}
    assert only(graph, EntityType.ORGANIZATION) == {"Firma Brackwasser Logistik GmbH"}


def test_numbers_belong_to_the_name_and_quantities_do_not() -> None:
    graph = graph_of("They let Quay 7 and signed Amendment No. 2, while Schedule 1,150 is a yard.")
    assert {"Quay 7", "Amendment No. 2"} <= {each.name for each in graph.entities}
    assert "Schedule 1" not in {each.name for each in graph.entities}


def test_headings_and_the_title() -> None:
    graph = graph_of("# 8.2 Rent review", "# Introduction", "The rent is reviewed. See the lease of Quay 7 for it.", title="Lease of Quay 7")
    assert one(graph, "Rent review").properties == {"heading": True}
    assert "Introduction" not in {each.name for each in graph.entities}
    title = one(graph, "Lease of Quay 7")
    assert title.properties["title_of"] is True
    assert len(title.mentions) == 1


def test_a_title_that_names_a_person_of_the_text_is_that_person() -> None:
    graph = graph_of("We met Margaret Fenwick there.", title="Margaret Fenwick")
    assert names_of(graph) == {("PERSON", "Margaret Fenwick")}
    assert graph.entities[0].properties == {"title_of": True}


def test_running_heads_and_code_are_not_read() -> None:
    made = document(
        [(BlockKind.FURNITURE, "Seen by Margaret Fenwick"), (BlockKind.CODE, "Margaret Fenwick = Rotterdam"), (BlockKind.PARAGRAPH, "Nothing.")]
    )
    from graph.extraction import extract_graph

    assert [each for each in extract_graph(made, "a.txt", "").entities if each.entity_type is not EntityType.CONCEPT] == []
    program = replace(make_paragraphs("We met Margaret Fenwick in Rotterdam on 6 October 2026."), parser="code")
    assert extract_graph(program, "a.py", "a").entities == extract_graph(program, "a.py", "a").entities
    assert only(extract_graph(program, "a.py", "a"), EntityType.PERSON) == set()


# ---------------------------------------------------------------------------------------------------------------- relationships
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Margaret Fenwick works for Brackwater Logistics Ltd.", ("Margaret Fenwick", "WORKS_AT", "Brackwater Logistics Ltd")),
        ("Margaret Fenwick joined Brackwater Logistics Ltd in May.", ("Margaret Fenwick", "WORKS_AT", "Brackwater Logistics Ltd")),
        ("We asked Margaret Fenwick, Finance Director of the group.", ("Margaret Fenwick", "HAS_ROLE", "Finance Director")),
        ("We asked Margaret Fenwick <m.f@holt.example> about it.", ("Margaret Fenwick", "HAS_EMAIL", "m.f@holt.example")),
        ("We know that Brackwater Logistics Ltd is based in Rotterdam.", ("Brackwater Logistics Ltd", "LOCATED_IN", "Rotterdam")),
        ("We know that Brackwater Logistics Ltd is part of Elver Group.", ("Brackwater Logistics Ltd", "PART_OF", "Elver Group")),
        ("We see that Amendment No. 2 supersedes Amendment No. 1 now.", ("Amendment No. 2", "SUPERSEDES", "Amendment No. 1")),
        ("We see that Amendment No. 1 was replaced by Amendment No. 2 now.", ("Amendment No. 2", "SUPERSEDES", "Amendment No. 1")),
        ("We see that Amendment No. 1 was signed by Margaret Fenwick.", ("Margaret Fenwick", "SIGNED", "Amendment No. 1")),
        ("We hear that Brackwater Logistics Ltd acquired Elver Group.", ("Brackwater Logistics Ltd", "OWNS", "Elver Group")),
        ("We hear that Elver Group is owned by Brackwater Logistics Ltd.", ("Brackwater Logistics Ltd", "OWNS", "Elver Group")),
    ],
)
def test_relationships_with_their_sentence(text: str, expected: tuple[str, str, str]) -> None:
    made = make_paragraphs("Nothing here.", text)
    graph = graph_of("Nothing here.", text)
    assert expected in stated(graph)
    (found,) = [each for each in graph.relationships if each.relationship_type == expected[1]]
    assert made.text[found.start : found.end] == text
    assert 0 < found.weight <= 1


def test_a_sentence_that_denies_nothing_states_nothing() -> None:
    graph = graph_of(
        "Margaret Fenwick was told of it. Brackwater Logistics Ltd was examined by Elver Group, and Margaret Fenwick flew over Rotterdam."
    )
    assert stated(graph) == set()


def test_a_table_of_people() -> None:
    graph = graph_of(
        "Name | Role | Works for | E-mail\nAnouk Daalder | Harbour Master | Brackwater | a.d@b.example\nIlse Kortman | Clerk | Brackwater | -"
    )
    assert only(graph, EntityType.PERSON) == {"Anouk Daalder", "Ilse Kortman"}
    assert ("Anouk Daalder", "HAS_EMAIL", "a.d@b.example") in stated(graph)


def test_what_is_named_together_more_often_than_chance_is_related_more_strongly() -> None:
    graph = graph_of(
        "We saw Quay 7 with Margaret Fenwick. Then Quay 7 was sold by Margaret Fenwick. We saw Quay 7 in Rotterdam. We were in Rotterdam. "
        "We left Rotterdam. We love Rotterdam."
    )
    weights = {
        frozenset((graph.entities[each.source].name, graph.entities[each.target].name)): each.weight
        for each in graph.relationships
        if each.relationship_type == "RELATED_TO"
    }
    assert weights[frozenset(("Quay 7", "Margaret Fenwick"))] > weights[frozenset(("Quay 7", "Rotterdam"))] > 0
    assert all(0 < weight <= 1 for weight in weights.values())


# ---------------------------------------------------------------------------------------------------------------- hostile texts
_RANDOM = random.Random(7)
HOSTILE = {
    "nothing": "",
    "a megabyte of one letter": "A" * 1_000_000,
    "a megabyte in one line": "Peter Marsh met Anna Weber, C-1 at 3 EUR on 1 May 2020; " * 18_000,
    "only capitals": "PETER MARSH MET ANNA WEBER AND THE HARBOUR AUTHORITY. " * 5_000,
    "digits": "1" * 300_000,
    "codes": "A1-" * 100_000,
    "dots": "a." * 200_000,
    "at signs": "a@" * 200_000,
    "quotes": "“" * 200_000,
    "brackets": "(the " * 50_000,
    "names without end": "Anna " * 100_000,
    "right to left": "\u202eפגישה עם דני כהן ב-12.3.2024 בתל אביב\u202c. التقى أحمد بسارة في القاهرة. " * 2_000,
    "emoji": "👩🏽‍🚀 Anna Weber 🏴󠁧󠁢󠁥󠁮󠁧󠁿 met 🇩🇪 Peter Marsh 👨‍👩‍👧‍👦. " * 3_000,
    "combining marks": ("Z" + "\u0301" * 50 + "algo ") * 3_000,
    "lone surrogates and NUL": "Anna \ud800Weber met \x00Peter Marsh in \udfffRotterdam. " * 100,
    "noise": "".join(_RANDOM.choice("Aa1 .,-/@“”()&'\n€%\u0130ǅß") for _ in range(200_000)),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_texts_yield_a_graph_that_holds_together(name: str) -> None:
    text = HOSTILE[name]
    made = document([(BlockKind.PARAGRAPH, text)]) if text else make_paragraphs("x")
    from graph.extraction import extract_graph

    graph = extract_graph(made, "a.txt", text[:5_000])
    assert len(graph.entities) <= 10_000
    assert len({(each.key, each.entity_type) for each in graph.entities}) == len(graph.entities)
    for each in graph.entities:
        assert each.key
        assert len(each.mentions) <= 1_000
        assert all(0 <= start < end <= len(made.text) for start, end in each.mentions)
    for relationship in graph.relationships:
        assert relationship.source != relationship.target
        assert 0 <= relationship.start < relationship.end <= len(made.text)
        assert relationship.end - relationship.start <= 5_000
        assert 0 < relationship.weight <= 1
