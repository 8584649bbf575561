"""The language of questions, measured: `python -m benchmarks.question_language [--develop] [--all]`

English sets in several forms (as written, in lower case, two to five keywords) must not be taken for another language; xquad's German, Spanish
and Chinese questions, the questions written here and the messages of this machine's programs in twelve languages should be recognised. Rules
were made while looking at the even lines of each set (`--develop`); what is printed otherwise is of the odd lines. `--all` lists all wrong ones.
"""

from __future__ import annotations

import gettext
import gzip
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from agents.text.language_rules import QuestionVocabulary, question_language
from benchmarks.machine import data_folder, describe, percentile, print_table
from benchmarks.routing_phrasings import PHRASINGS
from benchmarks.routing_questions import HELD_OUT, QUESTIONS
from core.language.language_clues import LanguageGuess, own_words_of, strip_accents, words_of
from core.language.stop_words import SEARCH_STOP_WORDS
from core.language.telling_words import function_words, particles
from retrieval.analysis import prepare_document_text, text_analyser
from retrieval.language_identification import LanguageIdentification

MESSAGES = Path("/usr/share/locale")
MOST_MESSAGES = 800  # of each language
MAX_SHOWN = 10
ANALYSER = text_analyser()
ENGLISH_SETS = ("scifact", "cranfield", "squad2_500", "hipporag_hotpotqa_train100", "hipporag_musique_train100", "chunking_eval", "locomo")
READER_SETS = ("nq_qed", "canard_dev_rewrite", "wikitablequestions", "medquad_relevance")  # looked at once, at the end: five words came of it
# Questions as people type them over contracts, invoices and handbooks; by language, one on a line.
WRITTEN_QUESTIONS: dict[str, str] = {
    "de": """Kaution Quay 7
wie hoch ist die miete
Wie hoch ist die Kaution fuer Quay 7?
Mietvertrag kuendigen
Wer darf den Stapler fahren?
urlaubstage probezeit
Bis wann muss die Rechnung von Norvik bezahlt werden?
was kostet die reparatur vom kran
Garantie Batterie wie lange
Nebenkosten 2023 im vergleich zu 2024
ansprechpartner brandschutz
Fasse das Protokoll vom 6. Oktober zusammen""",
    "es": """cuanto es el deposito
fianza del local
¿Quién firma el contrato de alquiler?
cuando vence el seguro
plazo de entrega bateria
que dice el manual sobre los frenos
Resumen de la reunión de octubre
numero de factura norvik
vacaciones periodo de prueba
donde se guardan las llaves""",
    "fr": """montant du loyer
quel est le délai de préavis
qui paie les réparations de la grue
date de livraison des chariots
Résume le compte rendu du 6 octobre
conges payes periode d'essai
combien coute l'assurance
où sont rangées les clés
taux d'interet du pret
facture norvik impayee""",
    "it": """quanto è la cauzione
affitto magazzino 2024
chi paga la manutenzione della gru
termine di disdetta
quando scade l'assicurazione
giorni di ferie in prova
dove sono le chiavi del capannone
riassumi il verbale di ottobre
prezzo della batteria di ricambio
fattura norvik scaduta""",
    "nl": """wat is de huur
opzegtermijn huurcontract
wie betaalt de reparatie van de kraan
hoeveel vakantiedagen tijdens de proeftijd
levertijd batterij
waar liggen de sleutels
wanneer loopt de verzekering af
vat de notulen van 6 oktober samen
borgsom quay 7
openstaande factuur norvik""",
    "pl": """ile wynosi kaucja
okres wypowiedzenia umowy
kto płaci za naprawę dźwigu
ile dni urlopu w okresie próbnym
kiedy wygasa ubezpieczenie
gdzie sa klucze do magazynu
cena zapasowej baterii
podsumuj protokół z 6 października
niezaplacona faktura norvik
wysokosc czynszu""",
    "pt": """qual é o valor do aluguel
prazo de aviso prévio
quem paga a reparação do guindaste
quantos dias de férias no período experimental
quando vence o seguro
onde estão as chaves do armazém
preço da bateria sobressalente
resuma a ata de 6 de outubro
fatura norvik em atraso
quanto e a caucao""",
    "tr": """depozito ne kadar
kira sözleşmesi fesih süresi
vincin tamirini kim öder
deneme süresinde kaç gün izin var
sigorta ne zaman bitiyor
deponun anahtarları nerede
yedek batarya fiyatı
6 ekim toplantısını özetle
ödenmemiş norvik faturası
kira artis orani""",
    "ru": "какова сумма залога\nсрок расторжения договора\nкто платит за ремонт крана\nарендная плата\nгде ключи от склада\nитоги собрания 6 октября",
    "ar": "كم مبلغ التأمين\nمدة الإشعار في عقد الإيجار\nمن يدفع تكاليف إصلاح الرافعة\nأين مفاتيح المستودع\nسعر البطارية\nملخص اجتماع أكتوبر",
    "ja": "保証金はいくらですか\n解約通知期間\nクレーンの修理費は誰が払う\n倉庫の鍵\n電池の価格\n10月の会議の要約",
    "ko": "보증금은 얼마입니까\n계약 해지 통지 기간\n크레인 수리비는 누가 내나요\n창고 열쇠\n배터리 가격\n10월 회의 요약",
    "th": "เงินมัดจำเท่าไร\nระยะเวลาบอกเลิกสัญญา\nใครจ่ายค่าซ่อมเครน\nกุญแจโกดัง\nราคาแบตเตอรี่\nสรุปการประชุมเดือนตุลาคม",
    "zh": "押金是多少\n解约通知期\n谁支付起重机的维修费\n仓库钥匙在哪里\n电池价格\n十月会议摘要",
    "sv": "hur hög är hyran\nuppsägningstid\nvem betalar för reparationen av kranen\nnär går försäkringen ut\nvar finns nycklarna till lagret",
    "ro": "cât este chiria\nperioada de preaviz\ncine plătește reparația macaralei\ncând expiră asigurarea\nunde sunt cheile depozitului",
    "vi": "tiền thuê là bao nhiêu\nthời hạn báo trước\nai trả tiền sửa cần cẩu\nbảo hiểm hết hạn khi nào\nchìa khóa kho ở đâu",
    "el": "πόσο είναι το ενοίκιο\nπροθεσμία καταγγελίας\nποιος πληρώνει την επισκευή\nπού είναι τα κλειδιά",
    "hi": "किराया कितना है\nनोटिस अवधि\nमरम्मत का खर्च कौन देगा\nचाबियाँ कहाँ हैं",
    "he": "כמה שכר הדירה\nתקופת הודעה מוקדמת\nמי משלם על התיקון\nאיפה המפתחות",
}
# Nothing tells the language of these, or it is English: no sure guess of another may be made.
BARE_QUERIES = """Schneider GmbH|Quay 7|norvik|Blue Anchor Lines|Halden|Zürich office rent|São Paulo branch revenue|Müller invoice|naïve Bayes
café opening hours|L'Oréal revenue 2020|Rio de Janeiro|Los Angeles|Las Vegas hotel|Le Mans 1966|El Niño|Der Spiegel|Die Hard|La La Land|Halle 3
Ludwig van Beethoven|Leonardo da Vinci|Crane C2|S26-4128|budget_v3.xlsx|clause 8.2|force majeure|pro rata|ad hoc committee|status quo|in situ
per diem rates|de facto owner|vis-à-vis|What does 'Kaution' mean?|What is "Mietvertrag" in English?|who wrote Die Verwandlung|résumé of Anna Müller
translate Kündigungsfrist|Beyoncé contract|Giovanni Rossi salary|Jean-Pierre Dupont|Hans Zimmer fee|Van Gogh insurance value|kestrel vs pallas
q3 p&l|7|a|😀|...|OK|hi|PDF|2024-10-06|SELECT * FROM rent|def rent(x): return x|https://example.de/miete|c:\\mieten\\liste.xlsx
anna.mueller@firma.de""".replace("\n", "|").split("|")


@dataclass(frozen=True)
class QuestionSet:
    """Questions of one language; `terms` are the analysed words of an English library to ask over, None for no library."""

    name: str
    language: str
    questions: tuple[str, ...]
    terms: frozenset[str] | None = None


@dataclass(frozen=True)
class JudgedQuestion:
    text: str
    guess: LanguageGuess


# -- forms of a question -------------------------------------------------------------------------------------------------------------------


def _keyword_form(count: int, language: str) -> Callable[[str], str]:
    """The first so many words that carry a topic, in lower case, as people type them into a search box."""
    stops = SEARCH_STOP_WORDS if language == "en" else frozenset(f"{function_words().get(language, '')} {particles().get(language, '')}".split())

    def short(text: str) -> str:
        return " ".join([word for word in words_of(text.lower()) if word not in stops][:count])

    return short


def _keep_form(text: str) -> str:
    return text


def _plain_form(text: str) -> str:
    """Lower case, without accents and marks, as on a keyboard that lacks them."""
    return re.sub(r"[¿?¡!.]", "", strip_accents(text.lower()))


def _question_forms(language: str) -> dict[str, Callable[[str], str]]:
    written: dict[str, Callable[[str], str]] = {"as written": _keep_form}
    if language in {"zh", "ja", "th"}:
        return written | {"8 signs": lambda text: text[:8], "4 signs": lambda text: text[:4]}
    if language == "en":
        return written | {"lower case": str.lower} | {f"{count} keywords": _keyword_form(count, "en") for count in (2, 3, 5)}
    four, three = _keyword_form(4, language), _keyword_form(3, language)
    return written | {"plain": _plain_form, "4 keywords": four, "4 keywords, plain": lambda text: _plain_form(four(text)), "3 keywords": three}


# -- sets ----------------------------------------------------------------------------------------------------------------------------------


def _read_lines(path: Path, key: str = "text") -> Iterator[str]:
    for line in path.read_text(encoding="utf-8").splitlines():
        yield str(json.loads(line)[key])


def _read_terms(path: Path) -> frozenset[str]:
    return frozenset(term for text in _read_lines(path) for term in ANALYSER.analyze(prepare_document_text(text)))


def _public_sets() -> Iterator[QuestionSet]:
    for name in ENGLISH_SETS:
        folder = data_folder() / name
        if not (folder / "queries.jsonl").is_file():
            sys.stderr.write(f"{name}: skipped, {folder} is not there (set VANTAGE_DATA)\n")
            continue
        questions = tuple(_read_lines(folder / "queries.jsonl"))
        yield QuestionSet(name, "en", questions)
        yield QuestionSet(f"{name}, library", "en", questions, _read_terms(folder / "corpus.jsonl"))
        yield QuestionSet(f"{name}, foreign library", "en", questions, frozenset())
    folder = data_folder() / "xquad"
    if not (folder / "corpus.en.jsonl").is_file():
        sys.stderr.write(f"xquad: skipped, {folder} is not there (set VANTAGE_DATA)\n")
        return
    terms = _read_terms(folder / "corpus.en.jsonl")
    for language in ("en", "de", "es", "zh"):
        questions = tuple(_read_lines(folder / f"queries.{language}.jsonl"))
        yield QuestionSet(f"xquad {language}", language, questions)
        yield QuestionSet(f"xquad {language}, library", language, questions, terms)
    yield QuestionSet("xquad en, foreign library", "en", tuple(_read_lines(folder / "queries.en.jsonl")), frozenset())


def _reader_sets() -> Iterator[QuestionSet]:
    for name in READER_SETS:
        path = data_folder() / "reader" / f"{name}.jsonl.gz"
        if not path.is_file():
            sys.stderr.write(f"{name}: skipped, {path} is not there (set VANTAGE_DATA)\n")
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        yield QuestionSet(name, "en", tuple(dict.fromkeys(str(row.get("question") or row.get("query") or "") for row in rows)))


def _own_sets() -> Iterator[QuestionSet]:
    examples = json.loads((Path(__file__).resolve().parents[1] / "examples" / "questions.json").read_text(encoding="utf-8"))["questions"]
    yield QuestionSet("examples", "en", tuple(str(each["question"]) for each in examples))
    yield QuestionSet("routing", "en", tuple(each.question for each in (*QUESTIONS, *HELD_OUT, *PHRASINGS)))
    yield QuestionSet("bare", "", tuple(BARE_QUERIES))
    for language, questions in WRITTEN_QUESTIONS.items():
        yield QuestionSet(f"written {language}", language, tuple(questions.splitlines()))


def _message_sets() -> Iterator[QuestionSet]:
    """Messages of programs, three to eight words: no questions, but short, and by many hands."""
    if not list(MESSAGES.glob("de/LC_MESSAGES/*.mo")):
        sys.stderr.write(f"messages: skipped, {MESSAGES} has no translations\n")
        return
    english: set[str] = set()
    for folder in ("de", "es", "fr", "it", "nl", "pl", "pt_BR", "tr", "ru", "ja", "ko", "zh_CN", "sv", "ro"):
        pairs = sorted(_read_messages(folder))
        english |= {original for original, _ in pairs}
        yield QuestionSet(f"messages {folder}", folder[:2], tuple(_spread_texts([message for _, message in pairs])))
    yield QuestionSet("messages en", "en", tuple(_spread_texts(sorted(english), 3 * MOST_MESSAGES)))


def _read_messages(folder: str) -> Iterator[tuple[str, str]]:
    plain = re.compile(r"[^\W\d_][\w ,.'’?!:;]*")
    spaced = folder not in {"ja", "zh_CN"}
    for path in sorted(MESSAGES.glob(f"{folder}/LC_MESSAGES/*.mo")):
        for original, message in _read_catalogue(path).items():
            if not (isinstance(original, str) and isinstance(message, str) and plain.fullmatch(original) and plain.fullmatch(message)):
                continue
            if original != message and 3 <= len(original.split()) <= 8 and (3 <= len(message.split()) <= 8 or not spaced):
                yield original, message


def _read_catalogue(path: Path) -> dict[object, object]:
    with path.open("rb") as file, suppress(UnicodeDecodeError, LookupError):
        found: dict[object, object] = gettext.GNUTranslations(file)._catalog  # type: ignore[attr-defined]
        return found
    return {}


def _spread_texts(texts: Sequence[str], most: int = MOST_MESSAGES) -> list[str]:
    return list(texts[:: max(1, len(texts) // most)])[:most]


# -- judging -------------------------------------------------------------------------------------------------------------------------------


def _vocabulary(text: str, terms: frozenset[str] | None) -> QuestionVocabulary | None:
    """As `agents.text.language_rules.question_vocabulary` gives it of an index of English documents."""
    if terms is None:
        return None
    analysed = {word: _analyse_word(word) for word in {each.lower() for each in words_of(own_words_of(text))}}
    return QuestionVocabulary(frozenset(word for word, parts in analysed.items() if parts and not set(parts) & terms), english=True)


@lru_cache(maxsize=100_000)
def _analyse_word(word: str) -> tuple[str, ...]:
    return tuple(ANALYSER.analyze(prepare_document_text(word)))


def judge(given: QuestionSet, form: Callable[[str], str], odd: bool, identify: LanguageIdentification) -> list[JudgedQuestion]:
    texts = list(dict.fromkeys(filter(None, map(form, given.questions[odd::2]))))
    return [JudgedQuestion(text, question_language(text, vocabulary=_vocabulary(text, given.terms), identify=identify)) for text in texts]


def is_right(language: str, guess: LanguageGuess) -> bool:
    """For English, "" is as right as "en": the caller does the same with both."""
    return guess.language in {"", "en"} if language in {"", "en"} else guess.language == language


def _make_row(given: QuestionSet, form: str, judged: Sequence[JudgedQuestion]) -> list[object]:
    guesses = [each.guess for each in judged]
    right = [guess for guess in guesses if is_right(given.language, guess)]
    none = sum(guess.language in {"", "en"} for guess in guesses) if given.language not in {"", "en"} else 0
    wrong = [guess for guess in guesses if not is_right(given.language, guess) and guess.language not in {"", "en"}]
    counted = Counter(guess.language or "-" for guess in guesses).most_common(5)
    return [
        given.name,
        form,
        len(judged),
        f"{len(right) / len(judged):.3f}",
        f"{sum(guess.sure for guess in right) / len(judged):.3f}",
        none,
        len(wrong),
        sum(guess.sure for guess in wrong),
        " ".join(f"{code} {count}" for code, count in counted),
    ]


def _print_report(title: str, sets: Sequence[QuestionSet], odd: bool, identify: LanguageIdentification) -> list[str]:
    """Prints one table; gives the wrong guesses, as lines."""
    rows, wrong = [], []
    for given in sets:
        for name, form in _question_forms(given.language if given.language else "en").items():
            if (given.language == "" or given.name.startswith("messages")) and name != "as written":
                continue
            judged = judge(given, form, odd, identify)
            rows.append(_make_row(given, name, judged))
            missed = [each for each in judged if not is_right(given.language, each.guess)]
            wrong += [f"{given.name}, {name}: {_describe_judged(each)}" for each in _first_missed(missed, given.language)]
    sys.stdout.write(f"\n{title}\n\n")
    print_table(("set", "form", "questions", "right", "right and sure", "as English", "wrong language", "wrong and sure", "judged"), rows)
    return wrong


def _first_missed(missed: Sequence[JudgedQuestion], language: str) -> Sequence[JudgedQuestion]:
    """All that an English set has, of the others the first, those that are sure before the rest."""
    ordered = sorted(missed, key=lambda each: not each.guess.sure)
    return ordered if language in {"", "en"} or "--all" in sys.argv else ordered[:MAX_SHOWN]


def _describe_judged(each: JudgedQuestion) -> str:
    guess = each.guess
    return f"{guess.language or '-'} {guess.confidence:.2f}{' SURE' if guess.sure else ''} «{each.text}» ({guess.reason})"


def _print_speed(texts: Sequence[str], identify: LanguageIdentification) -> None:
    taken = []
    for _ in range(5):
        for text in texts:
            start = time.perf_counter()
            question_language(text, vocabulary=None, identify=identify)
            taken.append((time.perf_counter() - start) * 1e6)
    sys.stdout.write(f"\none question: median {percentile(taken, 0.5):.0f} µs, of 100 the slowest {percentile(taken, 0.99):.0f} µs\n")


def main() -> None:
    odd = "--develop" not in sys.argv
    identify = LanguageIdentification()
    start = time.perf_counter()
    identify("where is the lease")
    sys.stdout.write(f"{describe()}\nreading the statistics: {time.perf_counter() - start:.2f} s\n")
    public, own, messages = [*_public_sets(), *_reader_sets()], list(_own_sets()), list(_message_sets())
    wrong = _print_report("Public sets", public, odd, identify)
    wrong += _print_report("Own questions", own, odd, identify)
    wrong += _print_report("Messages of programs", messages, odd, identify)
    sys.stdout.write("\nWrong:\n" + "".join(f"- {line}\n" for line in wrong))
    _print_speed([text for given in (*public, *own) if given.terms is None for text in given.questions[odd::10]], identify)


if __name__ == "__main__":
    main()
