"""Words without their endings, and what comes of comparing them so."""

from __future__ import annotations

import pytest

from core.claim_words import label_words
from core.language.inflections import pluralize_english, singularize_english
from core.language.stems import stem, stem_of_either, word_beginning


@pytest.mark.parametrize(
    ("word", "bare"),
    [("limits", "limit"), ("policies", "policy"), ("offered", "offer"), ("closing", "clos"), ("close", "clos"),
     ("tenant's", "tenant"), ("fees", "fee"),
     ("employees", "employe"), ("employee", "employe"),
     ("address", "address"), ("bus", "bus"), ("the", "the")],
)  # fmt: skip
def test_english_endings(word: str, bare: str) -> None:
    assert stem(word) == bare


@pytest.mark.parametrize(("one", "other"), [("mieten", "miete"), ("vertrages", "vertrag"), ("limits", "limit")])
def test_endings_of_either_language(one: str, other: str) -> None:
    assert stem_of_either(one) == stem_of_either(other)


def test_a_family_of_words_shares_its_beginning() -> None:
    assert word_beginning("approved") == word_beginning("approval") == "appro"
    assert (word_beginning("works"), word_beginning("work"), word_beginning("anna's")) == ("work", "work", "anna")
    assert stem("approved") != stem("approval")  # so labels stay apart


def test_words_of_periods_are_one_in_labels() -> None:
    assert label_words("yearly rent") == label_words("annual rent")


@pytest.mark.parametrize(
    ("one", "many"), [("policy", "policies"), ("day", "days"), ("box", "boxes"), ("branch", "branches"), ("address", "addresses")]
)
def test_english_plurals(one: str, many: str) -> None:
    assert pluralize_english(one) == many
    assert pluralize_english("goods") == "goods"


def test_english_singulars() -> None:
    assert [singularize_english(word) for word in ("policies", "offers", "plan")] == ["policy", "offer", "plan"]
