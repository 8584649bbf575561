"""German questions read in English: forms, compounds, order, and what stays as it is where a word is not known."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.german.translation import translate_question
from agents.german.verb_forms import translate_verb
from agents.german.word_forms import find_noun
from agents.query_classifier.agent import Athena, classify
from composition.question_translation import LibraryQuestionTranslator
from core.language.inflections import pluralize_english
from core.search import Intent, Query
from tests.support.languages import FakeLanguages, language_guess

NOW = datetime(2026, 5, 6, 9, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("german", "english"),
    [
        ("Wie hoch ist die Kaution und wer verwahrt sie?", "What is the deposit and who holds it?"),
        ("Könnten Sie mir bitte sagen, wann der Vertrag endet?", "When the contract ends?"),
        ("Wie lange braucht Kestrel für die Lieferung?", "How long does Kestrel need for the delivery?"),
        ("Welche Miete zahlen wir ab Mai 2026?", "Which rent do we pay from May 2026?"),
        ("Für welche Firma arbeitet die Verwalterin?", "Which firm does the agent work for?"),
        ("Wann läuft der Mietvertrag aus?", "When does the lease expire?"),
        ("Wie viele Liter Farbe dürfen wir lagern?", "How many litres paint may we keep?"),
        ("Wer hat das Protokoll geschrieben?", "Who has written the minutes?"),
        ("Wer vertritt Kestrel, wenn er im Urlaub ist?", "Who stands in for Kestrel, when he is on holiday?"),
        ("Kosten der Reparatur vom 6. Oktober", "Costs of the repair of 6 October"),
        ("Vergleiche die drei Angebote bei der Garantie", "Compare the three offers about the warranty"),
        ("Fasse das Protokoll zusammen.", "Summarise the minutes."),
        ("Wie viele Dokumente sind in meiner Bibliothek?", "How many documents are in my library?"),
        ("Was bedeutet ein Betrag von 7.900 £ oder 6,5 Prozent?", "What does an amount of £7,900 or 6.5 per cent mean?"),
        ("Zeig mir alle Verträge aus der letzten Woche", "Show me all contracts from last week"),
        ("Was hat die Luftfracht gekostet?", "What did the air freight cost?"),
        # who has what
        ("Welche Risse hat der Träger?", "Which cracks does the beam have?"),
        ("Welche Farbe hat Kestrel?", "Which paint does Kestrel have?"),
        ("Welcher Stapler hat die größte Höhe?", "Which truck has the largest height?"),
        ("Wie viele Besucher haben wir?", "How many visitors do we have?"),
        # participles beside their subject
        ("Warum sind die Preise im März gestiegen?", "Why did the prices rise in March?"),
        ("Welche Rechnungen wurden zu spät bezahlt?", "Which invoices were paid late?"),
        ("Wie viel haben wir für Türen ausgegeben?", "How much have we spent on doors?"),
        ("Welche Firma hat den Motor geprüft?", "Which firm has examined the engine?"),
        ("Wann muss die Rechnung bezahlt werden?", "When must the invoice be paid?"),
        # verbs with their own questions
        ("Bis wann gilt die Garantie von Kestrel?", "Until when is the warranty of Kestrel valid?"),
        ("Ab wann gilt die Regel?", "From when does the rule apply?"),
        ("Was empfiehlt der Prüfer?", "What does the examiner recommend?"),
        ("Was sagt das Protokoll über die Preise?", "What do the minutes say about the prices?"),
        ("Wem gehört das Gebäude?", "Who owns the building?"),
        ("An wen berichtet der Techniker und wer vertritt ihn?", "Who does the technician report to and who stands in for him?"),
        ("Wie lautet die Adresse von Kestrel?", "What is the address of Kestrel?"),
        ("Wer wird als Dritter gerufen?", "Who is called third?"),
        ("Um wie viel Prozent ist der Umsatz gestiegen?", "By how many per cent did the turnover rise?"),
    ],
)
def test_questions_in_english(german: str, english: str) -> None:
    read = translate_question(german, own=frozenset({"kestrel"}))
    assert (read.text, read.unknown_words) == (english, ())


def test_forms_and_compounds() -> None:
    found = [find_noun(word) for word in ("mietverträge", "frachtkosten", "beinaheunfälle", "lithium-akku", "angeboten", "vermieters")]
    assert [pluralize_english(noun.english) if noun.is_plural else noun.english for noun in found if noun is not None] == [
        "leases", "freight costs", "near misses", "lithium battery", "offers", "landlord",
    ]  # fmt: skip
    assert find_noun("quastenflosser") is None
    forms = [
        translate_verb("geprüft"),
        translate_verb("genehmigt", after_auxiliary=True),
        translate_verb("trägt"),
        translate_verb("ging"),
        translate_verb("berechnete"),
    ]
    assert [form.to_english if form else "" for form in forms] == ["examined", "approved", "bears", "went", "calculated"]
    assert translate_verb("kestrel") is None


def test_words_that_nobody_knows_are_named() -> None:
    assert translate_question("Wann wurde der Quastenflosser entdeckt?").unknown_words == ("Quastenflosser",)
    assert (
        translate_question("Wer half beim Schrottwichteln?", own=frozenset({"half", "schrottwichteln"})).text == "Who helped at the Schrottwichteln?"
    )
    assert translate_question("preis bei norland", own=frozenset({"norland"})).text == "Price at norland"


@given(st.text(max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    translate_question(text)


_WORDS = (
    "der die das den dem des ein einen wer was wen wem wie warum welche welchen wofür worauf an auf mit von vom zu zum bei beim über bis ab als und "
    ", , ? . ist wird wurde hat kann muss will wenn um sich mich nicht es sie wir Kran Mieter Kosten Angebote Firmen Kestrel 5 12.000 £ 3. März "
    "läuft aus ein löst geben festgestellt bezahlt werden worden wenden zuständig schwerer zustehen gibt Frau Heben abzugeben xyz viele drei ( )"
).split()


@given(st.lists(st.sampled_from(_WORDS), max_size=14))
def test_any_words_in_any_order_can_be_read(words: list[str]) -> None:
    assert isinstance(translate_question(" ".join(words)).text, str)


class _Index:
    """The words that a library has, and the languages of its documents."""

    def __init__(self, words: str, languages: dict[str, int]) -> None:
        self._words, self._languages = set(words.split()), languages

    def terms(self, text: str) -> list[str]:
        return text.lower().split()

    async def idf(self, tenant: str, text: str) -> dict[str, float]:
        return {word: 1.0 if word in self._words else 9.0 for word in text.split()}

    async def languages(self, tenant: str) -> dict[str, int]:
        return self._languages


QUESTION = "Wie schnell fährt die Kestrel?"


def translator(languages: dict[str, int], question: str = QUESTION) -> LibraryQuestionTranslator:
    index = _Index("kestrel zebra", languages)
    return LibraryQuestionTranslator(FakeLanguages({question: language_guess("de")}), lambda: index)  # type: ignore[arg-type,return-value]


async def test_only_german_over_english_documents() -> None:
    assert await translator({"en": 3, "": 1}).translate_to_english("default", QUESTION) == "How fast does the Kestrel drive?"
    assert await translator({"en": 3, "de": 1}).translate_to_english("default", QUESTION) == ""
    assert await translator({"en": 3}).translate_to_english("default", "How fast is it?") == ""


async def test_athena_reads_question_and_conversation_in_english() -> None:
    history = [("Was hat die Luftfracht im August 2026 gekostet?", "8,200")]
    languages = FakeLanguages(
        {history[0][0]: language_guess("de"), "Und im Juli?": language_guess("de"), "Vergleiche die drei Angebote": language_guess("de")}
    )
    index = _Index("", {"en": 1})
    athena = Athena(llm=None, now=NOW, translator=LibraryQuestionTranslator(languages, lambda: index))  # type: ignore[arg-type,return-value]
    found = await classify(Query(text="Und im Juli?", history=history), athena=athena)
    assert found.read_as == "What did the air freight in July 2026 cost?"
    compared = await classify(Query(text="Vergleiche die drei Angebote"), athena=athena)
    assert (compared.intent, compared.read_as) == (Intent.COMPARISON, "Compare the three offers")
