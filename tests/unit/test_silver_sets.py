"""Questions that rules make of documents: repeatable, in other words than the documents', and true of where they come from."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from core.errors import InvalidInput
from core.language.content_words import tokens
from evaluation.evaluation_sets import EvaluationSet, load_set
from evaluation.silver_set import make_silver_set, write_silver_set
from evaluation.silver_sources import SourceDocument, copies_phrase, find_fields, find_sentences

TEXTS = {
    "mill.md": "Warden: Ida Quist\nOpening hours: Tuesday to Friday\n\nThe waterwheel of the mill begins to turn when the sluice above the weir is "
    "lifted. Ida Quist buys the millstones from a quarry near Fontaine. Two apprentices repair the flour sifter every winter.",
    "orchard.md": "Owner: Jonas Feld\nAcreage: eleven hectares\n\nThe russet apples of the orchard are picked in the last week of September. "
    "In spring Ida Quist lends the orchard forty beehives for the blossom. A hailstorm damaged the espaliers along the northern wall.",
    "ferry.md": "Captain: Mara Oduya\nFare: three crowns\n\nThe ferry crosses the estuary on a chain because the current is strong there. "
    "Passengers pay the ferryman on the far landing stage. The winch of the ferry was replaced after the flood of 1997.",
    "bakery.md": "Keeper: Paul Lindqvist\n\nThe bakery fires its brick oven with beechwood and alder shavings. "
    "Rye loaves rest for eighteen hours before they are baked. Jonas Feld delivers windfall apples for the cakes on Saturdays.",
}
DOCUMENTS = [SourceDocument(f"id-{name}", name, name.removesuffix(".md").title(), text) for name, text in TEXTS.items()]


@pytest.fixture(scope="module")
def made() -> EvaluationSet:
    return make_silver_set("town", DOCUMENTS, 20, seed=3)


def test_the_same_seed_makes_the_same_set_whatever_the_order_of_the_documents(made: EvaluationSet) -> None:
    assert make_silver_set("town", DOCUMENTS[::-1], 20, seed=3) == made
    assert make_silver_set("town", DOCUMENTS, 20, seed=4).questions != made.questions
    assert len({question.text for question in made.questions}) == len(made.questions)


def test_every_kind_is_made_and_says_its_rule(made: EvaluationSet) -> None:
    assert {question.rule for question in made.questions} >= {"known_item", "field", "paraphrase", "pair"}
    assert any(question.rule.startswith("absent") for question in made.questions)


def test_a_question_comes_from_where_it_says_and_copies_no_phrase(made: EvaluationSet) -> None:
    texts = {document.id: document.text for document in DOCUMENTS}
    for question in made.questions:
        for span, passage in zip(question.source["spans"], question.passages, strict=True):
            assert texts[span["document"]][span["start"] : span["end"]] == passage
            assert question.grades[span["document"]] == 1.0
            assert not copies_phrase(question.text, passage), question.text
        assert question.answerable is bool(question.grades)


def test_a_paraphrase_has_words_that_its_document_does_not(made: EvaluationSet) -> None:
    texts = {document.id: document.text for document in DOCUMENTS}
    for question in made.questions:
        if question.rule == "paraphrase":
            asked = {
                word
                for word in tokens(question.text)
                if word not in tokens("where can i read something on and tell me what we know of am looking for")
            }
            own = set(tokens(texts[question.source["spans"][0]["document"]]))
            assert asked - own
            assert asked & own


def test_a_pair_is_linked_by_a_name_that_both_have(made: EvaluationSet) -> None:
    pairs = [question for question in made.questions if question.rule == "pair"]
    assert pairs
    for question in pairs:
        assert len(question.grades) == 2
        assert all(question.source["name"] in passage for passage in question.passages)


def test_what_has_no_answer_names_what_is_not_there(made: EvaluationSet) -> None:
    words = {word for text in TEXTS.values() for word in tokens(text)}
    for question in made.questions:
        if question.rule == "absent_name":
            assert not set(tokens(question.source["name"])) & words
        if question.rule == "absent_field":
            asked = next(document for document in DOCUMENTS if document.id == question.source["asked_of"]["document"])
            assert question.source["label"] not in {span.label for span in find_fields(asked)}


def test_a_set_is_written_as_it_is_read(made: EvaluationSet, tmp_path: Path) -> None:
    write_silver_set(tmp_path / "town", made, {"seed": 3})
    assert load_set(tmp_path / "town") == made
    assert json.loads((tmp_path / "town" / "made.json").read_text()) == {"seed": 3}


def test_a_library_without_sentences_is_refused() -> None:
    with pytest.raises(InvalidInput, match="too few whole sentences"):
        make_silver_set("empty", [SourceDocument("a", "a.csv", "", "1;2;3\n4;5;6\n")], 10, seed=0)


def test_sentences_and_fields_are_spans_of_the_text() -> None:
    mill = DOCUMENTS[0]
    assert [(span.label, span.text) for span in find_fields(mill)] == [("Warden", "Ida Quist"), ("Opening hours", "Tuesday to Friday")]
    assert [span.text.split()[0] for span in find_sentences(mill)] == ["The", "Ida", "Two"]
    assert copies_phrase("when the sluice above the weir", mill.text)
    assert not copies_phrase("weir, sluice, mill and wheel", mill.text)
