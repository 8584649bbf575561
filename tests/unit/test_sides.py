"""What a question sets side by side, and which documents it means."""

from __future__ import annotations

import pytest

from agents.analysis import Side, Text, attributes_of, differs, fill_row, resolve_sides, shared_labels
from agents.sides import Asked, read_sides, telling_names, version_of
from agents.statements import Statement, statements_of, stems
from core.documents import BlockKind, Document
from tests.support.graphs import paragraphs
from tests.support.ports import make_document


def named(document_id: str, filename: str, title: str, doc_type: str = "text") -> Document:
    return make_document(document_id, f"/library/{filename}", title, [("Heading", "Text.")])[0].model_copy(update={"doc_type": doc_type})


def said(*texts: str) -> list[Statement]:
    return statements_of(paragraphs(*texts))


@pytest.mark.parametrize(
    ("question", "names", "attributes"),
    [
        ("Alder vs Birch warranty", ("Alder", "Birch warranty"), ()),
        ("Compare Alder, Birch and Cedar", ("Alder", "Birch", "Cedar"), ()),
        ("Alder versus Birch: delivery time and service contract", ("Alder", "Birch"), ("delivery time", "service contract")),
        ("How does the lease differ from the amendment in the break date?", ("lease", "amendment"), ("break date",)),
        ("difference between the lease and the amendment regarding hours, rent and litres", ("lease", "amendment"), ("hours", "rent", "litres")),
        ("Which is cheaper, Alder or Birch?", ("Alder", "Birch"), ("cheaper",)),
        ("compare A and B", ("A", "B"), ()),
        ("", (), ()),
        ("compare", (), ()),
    ],
)
def test_named_sides_and_attributes(question: str, names: tuple[str, ...], attributes: tuple[str, ...]) -> None:
    found = read_sides(question)
    if names:
        assert (found.names, found.attributes) == (names, attributes)
    assert found.versions is None
    assert not found.group


def test_versions_and_groups() -> None:
    versions = read_sides("What is the difference between version 1 and version 2 of the travel policy about hotels?")
    assert (versions.versions, versions.topic, versions.attributes) == (("1", "2"), "travel policy", ("hotels",))
    old_new = read_sides("Compare the price limits for hotels in the old and the new policy.")
    assert (old_new.versions, old_new.attributes) == (("old", "new"), ("price limits for hotels",))
    group = read_sides("Compare the three offers for trucks: total price")
    assert (group.group, group.count, group.attributes) == ("offer", 3, ("total price",))
    assert read_sides("compare our contracts").group == "contract"


@pytest.mark.parametrize("text", ["vs " * 400, "compare " + "a, " * 500, "compare \x00 and \u202e", "🤖 vs 🤖", "x" * 5000])
def test_odd_questions_are_read(text: str) -> None:
    assert len(read_sides(text).names) <= 6


def test_names_find_their_documents_and_the_rest_is_asked() -> None:
    documents = [named("a", "Alder offer.pdf", "Alder Trucks"), named("b", "Birch offer.txt", "Birch Lifts"), named("m", "minutes.md", "Meeting")]
    sides = resolve_sides(read_sides("alder vs birch warranty"), documents, {})
    assert [side.document.id for side in sides if side.document] == ["a", "b"]
    assert attributes_of(read_sides("alder vs birch warranty"), sides, []) == ["warranty"]
    unknown = resolve_sides(read_sides("alder vs zebra"), documents, {})
    assert [side.document.id if side.document else None for side in unknown] == ["a", None]
    assert resolve_sides(Asked(), documents, {}) == []


def test_versions_of_one_title_are_ordered() -> None:
    documents = [
        named("2", "policy v2.md", "Travel policy"),
        named("x", "other.md", "Fire drill"),
        named("1", "policy v1.md", "Travel policy, version 1"),
    ]
    sides = resolve_sides(read_sides("compare the old and the new policy"), documents, {})
    assert [side.document.id for side in sides if side.document] == ["1", "2"]
    assert [side.name for side in sides] == ["Version 1", "Version 2"]
    assert version_of(documents[0])[0] == 2.0


def test_a_group_is_of_one_kind() -> None:
    documents = [named("a", "a.pdf", "Alder", "quote"), named("m", "offers seen.md", "Minutes"), named("b", "b.pdf", "Birch", "quote")]
    sides = resolve_sides(read_sides("compare the two offers"), documents, {})
    assert [side.document.id for side in sides if side.document] == ["a", "b"]
    assert resolve_sides(read_sides("compare the invoices"), documents, {}) == []


def test_given_documents_are_the_sides() -> None:
    documents = [named("a", "alder.pdf", "Alder"), named("b", "birch.pdf", "Birch")]
    assert [side.name for side in resolve_sides(read_sides("compare it with the second one"), documents, {}, ["b", "a"])] == ["birch", "alder"]
    assert telling_names([documents[0], documents[0]]) == ["alder.pdf", "alder.pdf"]


def test_rows_are_filled_with_the_same_matter_or_not_at_all() -> None:
    alder = said("# Terms", "The trucks carry a warranty of 36 months.", "The battery has a warranty of 60 months.", "Total net 82,720")
    birch = said("# Terms", "The battery is covered by a warranty of 50 months.", "The trucks have a warranty of 24 months.", "Total net 71,580")
    sides = [Side("Alder", named("a", "alder.txt", "Alder")), Side("Birch", named("b", "birch.txt", "Birch"))]
    texts = [Text("a", alder), Text("b", birch)]
    row = fill_row("truck warranty", sides, texts)
    assert [cell.statement.text if cell else "" for cell in row] == [
        "The trucks carry a warranty of 36 months.",
        "The trucks have a warranty of 24 months.",
    ]
    assert differs(row) is True
    price = fill_row("price", sides, texts)
    assert [cell.statement.text if cell else "" for cell in price] == ["Total net 82,720", "Total net 71,580"]
    assert fill_row("insurance of the crane", sides, texts) == [None, None]
    assert differs([None, None]) is None
    assert differs([row[0], row[0]]) is False
    assert "Total net" in shared_labels([alder, birch])


def test_table_rows_have_their_columns() -> None:
    statements = said("# Prices", "Item | Quantity | Amount\nTruck | 2 | 68,500\nTotal | | 71,580")
    assert [each.shown for each in statements if each.kind is BlockKind.TABLE] == ["Truck: Quantity 2, Amount 68,500", "Total | 71,580"]
    assert all(each.text for each in statements)
    assert said() == []


def test_stems_join_forms_of_a_word() -> None:
    assert stems("limits limited limiting limit") == {"limit"}
    assert stems("policies policy") == {"policy"}
