"""Sentences that speak of another thing than the one that the question names."""

from __future__ import annotations

from answers.questions.named_things import called_documents, named_things, speaks_of_another_number
from answers.questions.owners import find_documents_of_others
from answers.questions.question_parts import normalise_text
from core.answers import Evidence
from tests.support.evidence import evidence

FALKE = evidence("Falke delivers in nine weeks.", document="falke", title="Offer of Falke Pumps")
MEVA = evidence("We deliver in four weeks. Meva pumps are light. mail: info@meva.example", document="meva", title="Offer of Meva Pumps")
MINUTES = evidence(
    "Falke is slow. Meva can deliver in four weeks. Hansen spoke. Then pumps were ordered by Hansen.", document="minutes", title="Minutes of May"
)
HARBOUR = evidence("The price of mooring rises.", document="harbour", title="Harbour news")
ALL = [FALKE, MEVA, MINUTES]


def left(question: str, text: str, item: Evidence, items: list[Evidence] = ALL) -> bool:
    return named_things(normalise_text(question), items).is_about_another(text, item)


def test_a_sentence_about_another_offer_is_left_out() -> None:
    assert left("How fast does Falke deliver?", "Meva can deliver in four weeks.", MINUTES)


def test_its_own_document_may_name_its_own_thing() -> None:
    assert not left("How fast does Falke deliver?", "Meva pumps are light.", MEVA)


def test_a_sentence_that_names_what_is_asked_stays() -> None:
    assert not left("How fast does Falke deliver?", "Meva is faster than Falke.", MINUTES)


def test_a_name_without_a_document_beside_what_is_asked_is_another_thing_too() -> None:
    assert left("How fast does Falke deliver?", "Hansen spoke.", MINUTES)
    assert not left("How fast does Falke deliver?", "Then pumps were ordered by Hansen.", MINUTES)


def test_a_question_that_names_no_document_leaves_nothing_out() -> None:
    assert not left("How fast is delivery?", "Meva can deliver in four weeks.", MINUTES)


def test_another_firms_offer_is_about_that_firm() -> None:
    falke, meva = (each.model_copy(update={"doc_type": "quote"}) for each in (FALKE, MEVA))
    assert left("How fast does Falke deliver?", "We deliver in four weeks.", meva, [falke, meva])
    assert not left("How fast does Falke deliver?", "We deliver in four weeks.", MEVA, [FALKE, MEVA])  # of no kind that has one party


def test_another_one_of_numbered_things() -> None:
    assert speaks_of_another_number("When was crane C2 examined?", "The second crane, C1, was examined in May.")
    assert speaks_of_another_number("How warm is chamber 1?", "Chamber 2 is at 4 degrees.")
    assert not speaks_of_another_number("When was crane C2 examined?", "Unlike C1 the crane C2 was examined in June.")
    assert not speaks_of_another_number("When was crane C2 examined?", "The crane was examined in 2026, on 3 May.")
    assert not speaks_of_another_number("What costs 500 pounds?", "A berth costs 900 pounds.")
    assert not speaks_of_another_number("When was the crane examined?", "C1 was examined in May.")


def test_documents_are_called_by_a_word_of_their_own_or_by_all_words_of_their_name() -> None:
    minutes = MINUTES.model_copy(update={"title": "Works council, 3 May", "doc_type": "minutes"})
    lease, amendment = (
        evidence("Text.", document="lease", title="Lease of Quay 7 warehouse"),
        evidence("Text.", document="amendment", title="Amendment to the lease of Quay 7"),
    )
    items = [FALKE, MEVA, minutes, lease, amendment]
    asked = ("Falke", "the minutes", "the lease of Quay 7", "the amendment", "the pension policy", "the")
    found = [called_documents(name, items) for name in asked]
    assert found == [{"falke"}, {"minutes"}, {"lease", "amendment"}, {"amendment"}, set(), set()]


def test_documents_that_never_name_the_owner_are_of_others() -> None:
    assert find_documents_of_others("What is Falke's delivery time?", ALL) == {"meva"}
    assert find_documents_of_others("What is Meva’s price?", [*ALL, HARBOUR]) == {"falke", "harbour"}


def test_without_an_owner_or_a_document_that_names_him_none_is_of_others() -> None:
    assert not find_documents_of_others("What's the delivery time?", ALL)
    assert not find_documents_of_others("What is the firm's delivery time?", ALL)
    assert not find_documents_of_others("What is Rotor's delivery time?", ALL)
    assert not find_documents_of_others("What is Hansen's order?", ALL)  # the minutes mention him, and are not called after him
