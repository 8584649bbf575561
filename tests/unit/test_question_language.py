"""The language of a question: told from few words, never wrongly for English, and nothing said where nothing tells."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.text.language_rules import UNKNOWN_LANGUAGE, QuestionVocabulary, question_language, question_vocabulary
from core.language.language_clues import (
    ENCODER_LANGUAGES,
    LANGUAGE_NAMES,
    NEIGHBOUR_LANGUAGES,
    LanguageGuess,
    known_word,
    languages_by_ending,
    own_words_of,
    strip_accents,
    words_of,
)
from core.language.telling_words import content_words, function_words, particles
from retrieval.language_identification import LanguageIdentification
from tests.support.indexes import BACKENDS, DocumentAttributes, document

IDENTIFY = LanguageIdentification()
EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "questions.json"


def guess(text: str, vocabulary: QuestionVocabulary | None = None) -> LanguageGuess:
    return question_language(text, vocabulary=vocabulary, identify=IDENTIFY)


def no_statistics(text: str) -> list[tuple[str, float]]:
    return []


# ---------------------------------------------------------------------------------------------------------------------- recognised
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("de", "Wie hoch ist die Kaution für Quay 7?"),
        ("de", "Wie hoch ist die Kaution fuer Quay 7?"),
        ("de", "wie hoch ist die miete"),
        ("de", "Mietvertrag kuendigen"),
        ("de", "WIE LANGE GILT DIE GARANTIE"),
        ("de", "Kündigungsfristen im Arbeitsvertrag"),
        ("es", "cuanto es el deposito"),
        ("es", "¿Quién firma el contrato de alquiler?"),
        ("fr", "quel est le montant du loyer"),
        ("fr", "date d'échéance de l'assurance"),
        ("it", "quanto è la cauzione"),
        ("it", "quando scade l'assicurazione"),
        ("nl", "wat is de huur"),
        ("nl", "opzegtermijn huurcontract"),
        ("pl", "ile wynosi kaucja"),
        ("pl", "gdzie sa klucze do magazynu"),
        ("pt", "qual é o valor do aluguel"),
        ("pt", "quantos dias de férias tenho"),
        ("tr", "depozito ne kadar"),
        ("tr", "İşten çıkış için ihbar süresi kaç gün?"),
        ("ru", "какова сумма залога"),
        ("ar", "كم مبلغ التأمين"),
        ("ja", "保証金はいくらですか"),
        ("ko", "보증금은 얼마입니까"),
        ("th", "เงินมัดจำเท่าไร"),
        ("zh", "押金是多少"),
        ("zh", "iPhone 15 的价格"),
    ],
)
def test_short_questions_are_recognised_and_surely_not_english(language: str, question: str) -> None:
    found = guess(question)
    assert (found.language, found.sure) == (language, True)
    assert 0.5 < found.confidence <= 1.0
    assert found.reason


def test_one_german_word_beside_a_name_is_possible() -> None:
    found = guess("Kaution Quay 7")
    assert (found.language, found.sure) == ("de", False)
    assert found.reason == "German: kaution"


@pytest.mark.parametrize("question", ["wie hoch ist die miete", "cuanto es el deposito", "quel est le loyer", "wat is de huur", "押金是多少"])
def test_words_and_script_are_enough_without_statistics(question: str) -> None:
    with_statistics = guess(question)
    without = question_language(question, vocabulary=None, identify=no_statistics)
    assert (without.language, without.sure) == (with_statistics.language, True)


# ---------------------------------------------------------------------------------------------------------------------- English
@pytest.mark.parametrize(
    "question",
    [
        "What does 'Kaution' mean?",
        'What is "Mietvertrag" in English?',
        "what does 契約 mean",
        "Zürich office rent",
        "who wrote Die Verwandlung",
        "São Paulo branch revenue",
        "résumé of Anna Müller",
        "Was the lease signed?",
        "How are Ergänzungsschulen funded?",
        "Las Vegas hotel invoice",
        "notice period lease",
        "WHAT IS THE NOTICE PERIOD",
        "Where is Der Spiegel printed?",
        "force majeure",
        '"force majeure"',
        "status quo",
        "de facto owner",
    ],
)
def test_english_stays_english_whatever_it_names(question: str) -> None:
    assert guess(question).language in {"", "en"}


@pytest.mark.parametrize(
    ("language", "question"),
    [("de", "Was bedeutet 'break clause'?"), ("de", "Was heißt „break clause“ im Mietvertrag?"), ("es", "qué significa «break clause»")],
)
def test_what_is_quoted_is_not_the_askers_language(language: str, question: str) -> None:
    assert guess(question).language == language


def test_no_question_over_the_sample_library_is_taken_for_another_language() -> None:
    questions = [str(each["question"]) for each in json.loads(EXAMPLES.read_text(encoding="utf-8"))["questions"]]
    forms = [form for question in questions for form in (question, question.lower(), question.upper(), " ".join(question.split()[-3:]))]
    assert [form for form in forms if guess(form).language not in {"", "en"}] == []


# ---------------------------------------------------------------------------------------------------------------------- nothing tells
@pytest.mark.parametrize(
    "text",
    [*("", " ", "7", "2024-10-06", "😀", "👍🏽 🎉", "?", "...", "a", "é", "x y", "ß", "Quay 7", "Schneider GmbH", "S26-4128", "OK", "PDF"),
     *("Leonardo da Vinci", "Der Spiegel", "Le Mans 1966", "Santa María La Alta", "Jean-Pierre Dupont", "Halden")],
)  # fmt: skip
def test_of_a_name_a_number_or_a_picture_nothing_is_said(text: str) -> None:
    found = guess(text)
    assert found.language == ""
    assert not found.sure


@pytest.mark.parametrize(
    "text",
    [*("https://example.de/miete/kaution", "anna.mueller@firma.de", r"c:\mieten\liste.xlsx", "mietvertrag_2024.pdf", "Mietvertrag.docx"),
     *("SELECT miete FROM vertrag_2024;", "def miete(x): return x", "kuendigungsFrist = 3", "git commit -m 'Miete'")],
)  # fmt: skip
def test_code_and_addresses_are_never_surely_another_language(text: str) -> None:
    found = guess(text)
    assert found.language in {"", "en"} or not found.sure


@given(st.text(max_size=120))
@settings(max_examples=300, deadline=None)
def test_any_text_gets_an_answer(text: str) -> None:
    found = guess(text)
    assert 0.0 <= found.confidence <= 1.0
    assert found.language == "" or len(found.language) == 2
    assert found.reason
    assert bool(found.language) or found == UNKNOWN_LANGUAGE


@given(st.text(st.characters(categories=["Nd", "So", "Po", "Zs", "Sm", "Sc", "Cs"]), max_size=60))
@settings(max_examples=200, deadline=None)
def test_without_letters_nothing_is_said(text: str) -> None:
    assert guess(text) == UNKNOWN_LANGUAGE


@given(st.characters())
@settings(max_examples=200, deadline=None)
def test_one_letter_says_nothing(letter: str) -> None:
    found = guess(letter)
    assert found.language in {"", "zh", "ja"}  # a sign of these is a word
    assert found.language or found == UNKNOWN_LANGUAGE


@given(st.lists(st.sampled_from("what is the notice period of our lease and who signed it when does insurance end".split()), min_size=2, max_size=9))
@settings(max_examples=200, deadline=None)
def test_english_words_in_any_order_stay_english(words: list[str]) -> None:
    assert guess(" ".join(words)).language in {"", "en"}


# ---------------------------------------------------------------------------------------------------------------------- other languages
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("el", "πόσο είναι το ενοίκιο"),
        ("hi", "किराया कितना है"),
        ("he", "כמה שכר הדירה"),
        ("vi", "tiền thuê là bao nhiêu"),
        ("ro", "cât este chiria"),
        ("sv", "vem betalar för reparationen av kranen"),
        ("cs", "kolik je nájemné"),
        ("hu", "mennyi a bérleti díj"),
        ("uk", "яка сума застави і хто її має"),
        ("bg", "какъв е размерът на наема и кога се плаща"),
        ("fa", "اجاره چقدر است"),
        ("ka", "რამდენია ქირა"),
    ],
)
def test_other_languages_are_not_taken_for_those_of_the_encoder(language: str, question: str) -> None:
    found = guess(question)
    assert found.language == language
    assert found.language not in ENCODER_LANGUAGES


# ---------------------------------------------------------------------------------------------------------------------- the library
def test_words_that_an_english_library_knows_speak_for_english() -> None:
    words = frozenset({"ergänzungsschulen", "funded"})
    assert guess("ergänzungsschulen funded").language == "de"
    known = guess("ergänzungsschulen funded", QuestionVocabulary(frozenset(), english=True))
    unknown = guess("ergänzungsschulen funded", QuestionVocabulary(words, english=True))
    assert known.confidence < unknown.confidence
    assert not known.sure


def test_words_that_no_document_has_make_a_possible_guess_sure() -> None:
    question = "verteidigung punkte gegner"
    assert (guess(question).language, guess(question).sure) == ("de", False)
    unknown = QuestionVocabulary(frozenset(question.split()), english=True)
    assert (guess(question, unknown).language, guess(question, unknown).sure) == ("de", True)


@pytest.mark.parametrize(
    "question", ["febrile seizures", "split amazon drainage", "honda toyota nissan", "notice period lease", "possible relate available"]
)
def test_english_words_that_a_small_library_lacks_are_still_english(question: str) -> None:
    assert guess(question, QuestionVocabulary(frozenset(question.split()), english=True)).language in {"", "en"}


@pytest.mark.parametrize("question", ["wie hoch ist die miete", "verteidigung punkte gegner", "lease end date"])
def test_a_library_of_several_languages_says_nothing(question: str) -> None:
    assert guess(question, QuestionVocabulary(frozenset(question.split()), english=False)) == guess(question)


async def test_the_index_tells_which_words_no_document_has(tmp_path: Path) -> None:
    index = await BACKENDS[0].open(tmp_path / "index")
    await index.upsert(
        [
            document("lease", "The deposits for Quay 7 are due in Zürich."),
            document("other", "Kaution", attributes=DocumentAttributes(tenant="another")),
        ]
    )
    await index.commit()
    found = await question_vocabulary("Wie hoch ist die Kaution, deposit, Zuerich, Zürich, the Quay?", index=index, tenant="default", english=True)
    assert found == QuestionVocabulary(frozenset({"wie", "hoch", "ist", "die", "kaution", "zuerich"}), english=True)
    await index.close()


async def test_an_empty_index_has_no_word(tmp_path: Path) -> None:
    index = await BACKENDS[0].open(tmp_path / "index")
    assert (await question_vocabulary("lease of Quay 7", index=index, tenant="default", english=True)).unknown_words == {"lease", "quay"}
    assert (await question_vocabulary("😀 7", index=index, tenant="default", english=True)).unknown_words == frozenset()
    await index.close()


# ---------------------------------------------------------------------------------------------------------------------- statistics
def test_the_adapter_ranks_the_languages_that_matter() -> None:
    ranked = IDENTIFY("wie hoch ist die Miete")
    assert ranked[0][0] == "de"
    assert {code for code, _ in ranked} <= ENCODER_LANGUAGES | NEIGHBOUR_LANGUAGES
    assert {code for code, _ in ranked} >= ENCODER_LANGUAGES
    assert [chance for _, chance in ranked] == sorted((chance for _, chance in ranked), reverse=True)
    assert sum(chance for _, chance in ranked) == pytest.approx(1.0, abs=1e-3)
    assert IDENTIFY("") == IDENTIFY("\x00") == []


def test_the_adapter_may_be_asked_from_many_threads_at_once() -> None:
    identify, texts = LanguageIdentification(), ["wie hoch ist die Miete", "where is the lease", "dónde está el contrato", ""] * 25
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(identify, texts))
    assert found == [IDENTIFY(text) for text in texts]


# ---------------------------------------------------------------------------------------------------------------------- words
@pytest.mark.parametrize("table", [function_words(), particles(), content_words()])
def test_the_tables_hold_lower_case_words_of_known_languages(table: dict[str, str]) -> None:
    assert set(table) <= ENCODER_LANGUAGES | NEIGHBOUR_LANGUAGES
    assert set(LANGUAGE_NAMES) == ENCODER_LANGUAGES | NEIGHBOUR_LANGUAGES
    words = [word for listed in table.values() for word in listed.split()]
    assert [word for word in words if word != word.lower()] == []
    assert {language: len(listed.split()) - len(set(listed.split())) for language, listed in table.items()} == dict.fromkeys(table, 0)


def test_no_content_word_of_another_language_is_an_english_function_word() -> None:
    english = set(function_words()["en"].split())
    assert {code: both for code, listed in content_words().items() if code != "en" and (both := english & set(listed.split()))} == {}


@pytest.mark.parametrize(
    ("typed", "language"),
    [
        ("fuer", "de"),
        ("fur", "de"),
        ("koennen", "de"),
        ("cuanto", "es"),
        ("regle", ""),
        ("perche", "it"),
        ("nao", "pt"),
        ("sozlesme", "tr"),
        ("platnosc", "pl"),
    ],
)
def test_words_are_known_without_their_accents(typed: str, language: str) -> None:
    known = known_word(typed)
    assert language in (known.function | known.content if known else {""})


@pytest.mark.parametrize(
    ("word", "languages"),
    [*(("heizkostenabrechnung", {"de"}), ("verpflichtungen", {"de"}), ("amministrazione", {"it"}), ("veiligheid", {"nl"}), ("facturación", {"es"})),
     *(("happiness", {"en"}), ("station", set()), ("young", set()), ("ción", set()))],
)  # fmt: skip
def test_endings(word: str, languages: set[str]) -> None:
    assert languages_by_ending(word) == languages


def test_own_words_leave_out_what_is_quoted_and_code() -> None:
    assert words_of(own_words_of("Was heißt „break clause“ in lease_2024.pdf, siehe https://a.example/die/der?")) == ["Was", "heißt", "in", "siehe"]
    assert (
        words_of(own_words_of("the tenants' keys and the landlord's 'Hauptschlüssel' at Quay 7"))
        == "the tenants keys and the landlord's at Quay".split()
    )
    assert words_of(own_words_of('"force majeure"')) == ["force", "majeure"]
    assert words_of(own_words_of("阿波罗（如果有）?")) == ["阿波罗", "如果有"]
    assert own_words_of("a\ud800b").isprintable()


def test_plain_letters() -> None:
    assert [strip_accents(word) for word in ("straße", "łódź", "çıkış", "señor", "œuvre")] == ["strasse", "lodz", "cikis", "senor", "oeuvre"]
