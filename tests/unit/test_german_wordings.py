"""The English of two hundred German questions beside a good wording of each: floors, and the orders that readers stumbled over."""

from __future__ import annotations

import pytest

from agents.german.translation import translate_question
from tests.support.german_wordings import WordingScore, read_wordings, score_wordings


@pytest.mark.parametrize(
    ("half", "floor"), [("working", WordingScore(known=0.98, words=0.91, order=0.83)), ("judged", WordingScore(known=0.95, words=0.85, order=0.76))]
)
def test_wordings_stay_near(half: str, floor: WordingScore) -> None:
    pairs = read_wordings(half)
    assert len(pairs) == 100
    found = score_wordings(pairs)
    assert all(score >= least for score, least in zip(found, floor, strict=True)), found


@pytest.mark.parametrize(
    ("german", "english"),
    [
        # separable and reflexive verbs
        ("Was löst den Alarm aus?", "What sets off the alarm?"),
        ("Wann kamen die Motoren an?", "When did the engines arrive?"),
        ("Wie lange läuft der Mietvertrag?", "How long does the lease run?"),
        ("Ist die Kaution zurückgezahlt worden?", "Has the deposit been returned?"),
        ("An wen muss ich mich wegen der Genehmigung wenden?", "Who must I contact because of the approval?"),
        ("Wer kümmert sich um den Garten?", "Who looks after the garden?"),
        ("Wann befand sich das Lager in Hull?", "When was the warehouse in Hull?"),
        # order
        ("Wer ist für die Wartung der Krane zuständig?", "Who is responsible for the maintenance of the cranes?"),
        ("Was muss ich bei einem Unfall tun?", "What must I do in case of an accident?"),
        ("Welche Lieferanten haben ein Angebot gemacht?", "Which suppliers have done an offer?"),
        ("Warum gab die Anlage Fehlalarme?", "Why did the schedule give false alarms?"),
        ("Darf ich rauchen?", "May I smoke?"),
        ("Welche Risse hat ein Träger?", "Which cracks does a beam have?"),
        ("Wo werden Lithium-Ionen-Batterien geladen?", "Where are lithium ion batteries charged?"),
        ("Von wem wurde der Kran geprüft?", "By whom was the crane examined?"),
        ("Was ist zu beachten, wenn das Lager abbrennt?", "What is to be observed, when the warehouse burns down?"),
        ("Wer ersetzt den Belag, der abgenutzt ist?", "Who replaces the lining that is worn?"),
        # number
        ("Wie viele Fahrer gibt es?", "How many drivers are there?"),
        ("Welche Frist gilt?", "Which period applies?"),
        ("Welche Fristen gelten?", "Which periods apply?"),
        ("Gab es im Mai Unfälle?", "Were there accidents in May?"),
        # requests, clauses behind commas
        ("Nenne alle Lieferanten mit einer Garantie über zwei Jahre.", "Name all suppliers with a warranty above two years."),
        ("Wie lange dauert es, bis die Ware ankommt?", "How long does it take, until the goods arrive?"),
        (
            "Darf die Person, die den Kran genehmigt hat, eine Bestellung genehmigen?",
            "May the person that has approved the crane approve an order?",
        ),
        ("Welche Firma wurde beauftragt, die Tore zu reparieren?", "Which firm was commissioned, to repair the gates?"),
        # prepositions before amounts
        ("Wer darf Bestellungen über 40.000 Pfund genehmigen?", "Who may approve orders above 40,000 pounds?"),
        ("Wer genehmigt Kosten bis zu 500 Euro?", "Who approves costs up to 500 euros?"),
        # small letters, and no sentence
        ("wann läuft der mietvertrag aus", "When does the lease expire"),
        ("Urlaubstage in Teilzeit", "Days of holiday in part time"),
    ],
)
def test_questions_are_read_in_english_order(german: str, english: str) -> None:
    read = translate_question(german, own=frozenset({"hull"}))
    assert (read.text, read.unknown_words) == (english, ())


def test_a_name_that_looks_like_german_words_stays_where_the_library_has_it() -> None:
    assert translate_question("Wer ist Goldberg?", own=frozenset({"goldberg"})).text == "Who is Goldberg?"
    assert (
        translate_question("Was sagt Herr Bauer zum Kestrelvertrag?", own=frozenset({"kestrel"})).text
        == "What does Mr Bauer say to the Kestrel contract?"
    )
