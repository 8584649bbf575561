"""Documents by their names: kinds, versions, and names that tell documents apart."""

from __future__ import annotations

import pytest

from agents.text.document_names import distinct_names, is_named_by, is_of_kind, name_stems, singular, title_without_version, version_order
from core.documents import Document
from core.language.content_words import stems
from tests.support.ports import make_document


def named(filename: str, title: str, doc_type: str = "text") -> Document:
    return make_document(filename, f"/library/{filename}", title, [("Heading", "Text.")])[0].model_copy(update={"doc_type": doc_type})


ALDER, BIRCH = named("Alder offer.pdf", "Alder Trucks", "quote"), named("Birch offer 2.txt", "Birch Lifts")


@pytest.mark.parametrize(("noun", "one"), [("policies", "policy"), ("offers", "offer"), ("minutes", "minutes"), ("lease", "lease")])
def test_singular(noun: str, one: str) -> None:
    assert singular(noun) == one


def test_a_kind_is_known_or_stands_in_the_name() -> None:
    assert is_of_kind(ALDER, "quotation")  # known as a quote, though neither name says so
    assert is_of_kind(BIRCH, "offer")
    assert not is_of_kind(BIRCH, "quotation")


def test_a_topic_that_is_all_name_means_the_document() -> None:
    assert is_named_by("the Birch offer", BIRCH)
    assert is_named_by("quotations of Alder", ALDER)
    assert not is_named_by("the warranty of Birch", BIRCH)
    assert not is_named_by("", BIRCH)


def test_versions_of_one_thing_share_a_title_and_have_an_order() -> None:
    first, second = named("policy v1.md", "Travel policy, version 1"), named("policy v2.md", "Travel policy")
    assert title_without_version(first) == title_without_version(second)
    assert version_order(first)[0] == 1.0
    assert version_order(second)[0] == 2.0
    assert version_order(ALDER)[0] == 0.0


def test_short_names_tell_documents_apart() -> None:
    assert distinct_names([ALDER, BIRCH]) == ["Alder", "Birch 2"]
    assert distinct_names([ALDER, ALDER]) == ["Alder offer.pdf", "Alder offer.pdf"]
    assert "birch" in name_stems(BIRCH)


def test_stems_join_forms_of_a_word() -> None:
    assert stems("limits limited limiting limit") == {"limit"}
    assert stems("policies policy") == {"policy"}
