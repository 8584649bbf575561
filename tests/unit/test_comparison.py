"""A comparison step by step: the question, the documents of the sides, the attributes, and the cells of a row."""

from __future__ import annotations

import pytest

from agents.comparison.attributes import attributes_of, shared_labels
from agents.comparison.cell_selection import differs, fill_row
from agents.comparison.comparison_request import ComparisonRequest, parse_comparison
from agents.comparison.comparison_table import sets_side_by_side
from agents.comparison.sides import Side, SideText, resolve_sides
from agents.sources.quotable_units import ChosenUnit, QuotableUnit, quotable_units
from core.documents import Document
from tests.support.graphs import make_paragraphs
from tests.support.ports import make_document


def named(document_id: str, filename: str, title: str, doc_type: str = "text") -> Document:
    return make_document(document_id, f"/library/{filename}", title, [("Heading", "Text.")])[0].model_copy(update={"doc_type": doc_type})


def said(*texts: str) -> list[QuotableUnit]:
    return quotable_units(make_paragraphs(*texts))


@pytest.mark.parametrize(
    ("question", "names", "attributes"),
    [
        ("Alder vs Birch warranty", ("Alder", "Birch warranty"), ()),
        ("Compare Alder, Birch and Cedar", ("Alder", "Birch", "Cedar"), ()),
        ("Alder versus Birch: delivery time and service contract", ("Alder", "Birch"), ("delivery time", "service contract")),
        ("How does the lease differ from the amendment in the break date?", ("lease", "amendment"), ("break date",)),
        ("difference between the lease and the amendment regarding hours, rent and litres", ("lease", "amendment"), ("hours", "rent", "litres")),
        ("Which is cheaper, Alder or Birch?", ("Alder", "Birch"), ("total price",)),
        ("compare A and B", ("A", "B"), ()),
        ("", (), ()),
        ("compare", (), ()),
    ],
)
def test_named_sides_and_attributes(question: str, names: tuple[str, ...], attributes: tuple[str, ...]) -> None:
    found = parse_comparison(question)
    if names:
        assert (found.names, found.attributes) == (names, attributes)
    assert found.versions is None
    assert not found.group


def test_versions_and_groups() -> None:
    versions = parse_comparison("What is the difference between version 1 and version 2 of the travel policy about hotels?")
    assert (versions.versions, versions.topic, versions.attributes) == (("1", "2"), "travel policy", ("hotels",))
    old_new = parse_comparison("Compare the price limits for hotels in the old and the new policy.")
    assert (old_new.versions, old_new.attributes) == (("old", "new"), ("price limits for hotels",))
    group = parse_comparison("Compare the three offers for trucks: total price")
    assert (group.group, group.count, group.attributes) == ("offer", 3, ("total price",))
    assert parse_comparison("compare our contracts").group == "contract"


@pytest.mark.parametrize("text", ["vs " * 400, "compare " + "a, " * 500, "compare \x00 and \u202e", "🤖 vs 🤖", "x" * 5000])
def test_odd_questions_are_read(text: str) -> None:
    assert len(parse_comparison(text).names) <= 6


def test_names_find_their_documents_and_the_rest_is_asked() -> None:
    documents = [named("a", "Alder offer.pdf", "Alder Trucks"), named("b", "Birch offer.txt", "Birch Lifts"), named("m", "minutes.md", "Meeting")]
    sides = resolve_sides(parse_comparison("alder vs birch warranty"), documents, {})
    assert [side.document.id for side in sides if side.document] == ["a", "b"]
    assert attributes_of(parse_comparison("alder vs birch warranty"), sides, []) == ["warranty"]
    unknown = resolve_sides(parse_comparison("alder vs zebra"), documents, {})
    assert [side.document.id if side.document else None for side in unknown] == ["a", None]
    assert resolve_sides(ComparisonRequest(), documents, {}) == []


def test_versions_of_one_title_are_ordered() -> None:
    documents = [
        named("2", "policy v2.md", "Travel policy"),
        named("x", "other.md", "Fire drill"),
        named("1", "policy v1.md", "Travel policy, version 1"),
    ]
    sides = resolve_sides(parse_comparison("compare the old and the new policy"), documents, {})
    assert [side.document.id for side in sides if side.document] == ["1", "2"]
    assert [side.name for side in sides] == ["Version 1", "Version 2"]


def test_a_group_is_of_one_kind() -> None:
    documents = [named("a", "a.pdf", "Alder", "quote"), named("m", "offers seen.md", "Minutes"), named("b", "b.pdf", "Birch", "quote")]
    sides = resolve_sides(parse_comparison("compare the two offers"), documents, {})
    assert [side.document.id for side in sides if side.document] == ["a", "b"]
    assert resolve_sides(parse_comparison("compare the invoices"), documents, {}) == []


def test_given_documents_are_the_sides() -> None:
    documents = [named("a", "alder.pdf", "Alder"), named("b", "birch.pdf", "Birch")]
    assert [side.name for side in resolve_sides(parse_comparison("compare it with the second one"), documents, {}, ["b", "a"])] == ["birch", "alder"]


def test_rows_are_filled_with_the_same_matter_or_not_at_all() -> None:
    alder = said("# Terms", "The trucks carry a warranty of 36 months.", "The battery has a warranty of 60 months.", "Total net 82,720")
    birch = said("# Terms", "The battery is covered by a warranty of 50 months.", "The trucks have a warranty of 24 months.", "Total net 71,580")
    sides = [Side("Alder", named("a", "alder.txt", "Alder")), Side("Birch", named("b", "birch.txt", "Birch"))]
    texts = [SideText("a", alder), SideText("b", birch)]
    row = fill_row("truck warranty", sides, texts)
    assert [cell.unit.text if cell else "" for cell in row] == [
        "The trucks carry a warranty of 36 months.",
        "The trucks have a warranty of 24 months.",
    ]
    assert differs(row) is True
    price = fill_row("price", sides, texts)
    assert [cell.unit.text if cell else "" for cell in price] == ["Total net 82,720", "Total net 71,580"]
    assert fill_row("insurance of the crane", sides, texts) == [None, None]
    assert differs([None, None]) is None
    assert differs([row[0], row[0]]) is False
    assert "Total net" in shared_labels([alder, birch])


def test_fewer_than_two_sides_that_are_told_are_no_comparison() -> None:
    alder, birch = Side("Alder", named("a", "alder.txt", "Alder")), Side("females", None)
    told, elsewhere = ChosenUnit("a", said("The trucks carry a warranty.")[0]), ChosenUnit("b", said("Dragons grow slowly.")[0])
    assert sets_side_by_side([alder, birch], [[told, None]])  # the question names that document
    assert not sets_side_by_side([alder, birch], [[None, elsewhere]])
    assert not sets_side_by_side([alder, birch], [[told, elsewhere]])  # nothing is said of females there
    assert not sets_side_by_side([alder, birch], [[None, None]])
