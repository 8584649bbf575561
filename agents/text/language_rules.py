"""The language of a question, told from a few words: rules and given statistics, no model of its own.

Each sign counts so many points (natural logarithms of odds) for every language that shows it, as in naive Bayes: function words, content
words, special letters and endings, letter statistics, and words that an English library knows. English starts ahead, because a wrong guess
must cost an English question nothing: about a bare name, a number or an even balance nothing is said.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from core.language.language_clues import (
    ENCODER_LANGUAGES,
    LANGUAGE_NAMES,
    LanguageGuess,
    ScriptShare,
    apostrophe_parts,
    known_word,
    language_of_letters,
    languages_by_ending,
    languages_by_letters,
    own_words_of,
    script_share,
    strip_accents,
    words_of,
)
from core.ports import SearchIndex

# (code, probability) for the languages that matter, best first; [] where there is nothing to go by.
Identify = Callable[[str], Sequence[tuple[str, float]]]

# Points. What English has before anything is read: ahead of the encoder's languages, and of all others.
AHEAD, FURTHER_AHEAD = 2.0, 3.0
# A function word, a particle that names have too, a content word; English content words are half the dictionary, so one says less.
FUNCTION, PARTICLE, CONTENT, ENGLISH_CONTENT = 2.5, 1.0, 4.0, 2.0
# Special letters of a word, its ending, the mark that opens a Spanish question, what an apostrophe left ("l'", "'s").
LETTER, ENDING, OPENING_MARK, APOSTROPHE = 1.5, 2.0, 4.0, 1.5
IN_A_NAME = 0.4  # the part of a word's points that is left where a capital letter makes it part of a name
STATISTICS_MOST = 5.0  # what letter statistics cost a language at most
STATISTICS_LEAST = 0.5  # the part of them that counts where all words are listed
KNOWN_WORD, KNOWN_MOST = 0.5, 3.9  # for English, for each word that an English library has; together at most
UNKNOWN_WORD, UNKNOWN_MOST = 0.3, 0.9  # against it: little, as most English words are unknown to a small library too
SCRIPT_WORD, SCRIPT_FIRST = 2.0, 2.0  # within a script: for a function word, and for the language that most texts in it are in

POSSIBLE, SURE = 0.7, 2.5  # points ahead of English that are asked for: odds of 2 to 1 and of 12 to 1
LETTERS_ALONE = 2.0  # the same where listed words, endings and letters give less than FUNCTION
SURE_BY_LETTERS = 3.5  # to be sure of these, or of one word; and only where an English library knows none of at least two words
MOST_ABBREVIATION_LETTERS = 2  # letters: such words are abbreviations in too many languages to tell much
_ABSENT_WORD = "qzxjvwkqzx"  # stands in no document, so its idf is that of every word that stands in none
_ENGLISH, _CAPITAL_NOUNS = frozenset({"en"}), frozenset({"de"})
_LATIN = frozenset("af ca cs da de en es fi fr hr hu id it la nl no pl pt ro sv tr vi".split())


@dataclass(frozen=True, slots=True)
class QuestionVocabulary:
    """Of a question's words (lower case) those that stand in no document of the library, and whether all its documents are English."""

    unknown_words: frozenset[str]
    english: bool


UNKNOWN_LANGUAGE = LanguageGuess("", 0.0, False, "no words that tell a language")


def _starting_points(code: str) -> float:
    return 0.0 if code == "en" else -AHEAD if code in ENCODER_LANGUAGES else -FURTHER_AHEAD


@dataclass(slots=True)
class _LanguagePoints:
    """Points by language; `word_points` are those that words and their letters gave, `signs` which words these were."""

    points: dict[str, float] = field(default_factory=lambda: {code: _starting_points(code) for code in _LATIN})
    word_points: dict[str, float] = field(default_factory=lambda: dict.fromkeys(_LATIN, 0.0))
    signs: dict[str, list[str]] = field(default_factory=lambda: {code: [] for code in _LATIN})

    def add(self, languages: frozenset[str], points: float, sign: str = "") -> None:
        for code in languages & _LATIN:
            self.points[code] += points
            if sign:
                self.word_points[code] += points
                self.signs[code].append(sign)

    def best(self) -> str:
        return max(sorted(self.points), key=lambda code: self.points[code])

    def share(self, code: str) -> float:
        return 1 / sum(math.exp(value - self.points[code]) for value in self.points.values())

    def lead_over_english(self) -> float:
        """Points between the best other language and English."""
        return max(value for code, value in self.points.items() if code != "en") - self.points["en"]


async def question_vocabulary(text: str, *, index: SearchIndex, tenant: str, english: bool) -> QuestionVocabulary:
    """Return which words of a question the tenant's library does not know; `english` says whether all its documents are in English."""
    words = {word.lower() for word in words_of(own_words_of(text))}
    idf = await index.idf(tenant, " ".join([*sorted(words), _ABSENT_WORD]))
    absent = min((idf.get(term, math.inf) for term in index.terms(_ABSENT_WORD)), default=math.inf)
    terms = {word: index.terms(word) for word in words}
    return QuestionVocabulary(frozenset(word for word in words if terms[word] and all(idf.get(term, 0.0) >= absent for term in terms[word])), english)


def question_language(text: str, *, vocabulary: QuestionVocabulary | None, identify: Identify) -> LanguageGuess:
    """Return the language in which a question is asked, whatever it quotes. Never raises; `UNKNOWN_LANGUAGE` where nothing tells."""
    asked = own_words_of(text)
    share = script_share(asked)
    if share.script and share.letters >= share.latin:
        return _guess_by_script(asked, share, identify)
    words = words_of(asked)
    guess = _guess_by_words(words, "¿" in asked, vocabulary, identify) if sum(map(len, words)) > MOST_ABBREVIATION_LETTERS else UNKNOWN_LANGUAGE
    return _guess_by_script(asked, share, identify) if share.script and not guess.language else guess


def _guess_by_script(asked: str, share: ScriptShare, identify: Identify) -> LanguageGuess:
    if share.letters <= MOST_ABBREVIATION_LETTERS:
        return UNKNOWN_LANGUAGE
    most = share.letters >= share.latin  # else the rest may be anything, English too
    reason = f"written in {share.script} letters"
    language = language_of_letters(asked, share)
    if language:
        return LanguageGuess(language, 0.98 if most else 0.8, most, reason)
    chances = dict(identify(asked))
    found = [known.function for word in words_of(asked.lower()) if (known := known_word(word))]
    points = {code: math.log(max(chances.get(code, 0.0), 1e-9)) + SCRIPT_WORD * sum(code in each for each in found) for code in share.languages}
    points[share.languages[0]] += SCRIPT_FIRST
    best = max(share.languages, key=lambda code: points[code])
    confidence = 1 / sum(math.exp(value - points[best]) for value in points.values())
    return LanguageGuess(best, confidence, most, f"{reason}, closest to {_name(best)}")


def _guess_by_words(words: Sequence[str], opening_mark: bool, vocabulary: QuestionVocabulary | None, identify: Identify) -> LanguageGuess:
    balance = _LanguagePoints()
    if opening_mark:
        balance.add(frozenset({"es", "ca"}), OPENING_MARK, "¿")
    shouted, titled = all(word.isupper() for word in words), _is_titled(words)
    for place, word in enumerate(words):
        if shouted or not word.isupper():  # else an abbreviation: "IT", "CI"
            in_a_name = word[0].isupper() and not shouted and (place > 0 or titled)
            _weigh_word(word.replace("İ", "i").lower(), IN_A_NAME if in_a_name else 1.0, balance)
    weight = _weight_of_statistics(words)
    if balance.lead_over_english() + STATISTICS_MOST * weight >= POSSIBLE:  # else they cannot turn it: most English questions do without their model
        _weigh_statistics(identify(" ".join(words)), weight, balance)
    all_unknown = _weigh_vocabulary(words, vocabulary, balance)
    return _verdict(balance, all_unknown, titled)


def _weigh_word(word: str, weight: float, balance: _LanguagePoints) -> None:
    """`weight` is less where the word may be part of a name; German writes all nouns so."""
    known = known_word(word)
    if known is None and "'" in word:
        word, languages, sign = apostrophe_parts(word)
        balance.add(languages, weight * APOSTROPHE, sign)
        known = known_word(word)
    if known is None:
        plain = known_word(strip_accents(word))
        balance.add(plain.content & _ENGLISH if plain else frozenset(), weight * ENGLISH_CONTENT, word)  # "résumé"
        balance.add(languages_by_letters(word), weight * LETTER, word)
        endings = languages_by_ending(word)
        balance.add(endings & _CAPITAL_NOUNS, ENDING, word)
        balance.add(endings - _CAPITAL_NOUNS, weight * ENDING, word)
        return
    if known.particle or len(word) <= MOST_ABBREVIATION_LETTERS:
        balance.add(known.particle | known.function | known.content, weight * PARTICLE, word)
        return
    balance.add(known.function, weight * FUNCTION, word)
    content = known.content - known.function
    balance.add(content & _ENGLISH, weight * ENGLISH_CONTENT, word)
    balance.add(content & _CAPITAL_NOUNS, CONTENT, word)
    balance.add(content - _ENGLISH - _CAPITAL_NOUNS, weight * CONTENT, word)


def _weigh_statistics(ranked: Sequence[tuple[str, float]], weight: float, balance: _LanguagePoints) -> None:
    if not ranked:
        return
    most = max(chance for _, chance in ranked)
    chances = dict(ranked)
    for code in _LATIN:
        balance.add(frozenset({code}), -weight * min(STATISTICS_MOST, math.log(most / max(chances.get(code, 0.0), 1e-9))))


def _weight_of_statistics(words: Sequence[str]) -> float:
    """Less where most letters are those of words that have already been weighed: the same sign would count twice."""
    letters = sum(map(len, words))
    return STATISTICS_LEAST + (1 - STATISTICS_LEAST) * sum(len(word) for word in words if known_word(word.lower()) is None) / letters


def _weigh_vocabulary(words: Sequence[str], vocabulary: QuestionVocabulary | None, balance: _LanguagePoints) -> bool:
    """Words that an English library has speak for English. Gives whether it has none of at least two words that carry a topic."""
    if vocabulary is None or not vocabulary.english:
        return False
    topical = {word.lower() for word in words if len(word) > MOST_ABBREVIATION_LETTERS and not word.isupper() and not _is_function_word(word.lower())}
    unknown = len(topical & vocabulary.unknown_words)
    known = len(topical) - unknown
    balance.add(_LATIN - _ENGLISH, min(UNKNOWN_MOST, UNKNOWN_WORD * unknown) - min(KNOWN_MOST, KNOWN_WORD * known))
    return unknown > 1 and not known


def _is_function_word(word: str) -> bool:
    known = known_word(word)
    return known is not None and bool(known.function | known.particle)


def _is_titled(words: Sequence[str]) -> bool:
    """Return whether every word has a capital but for particles, as names and titles are written: "Leonardo da Vinci"."""
    return len(words) > 1 and words[0][0].isupper() and words[-1][0].isupper() and all(word[0].isupper() or _is_particle(word) for word in words)


def _is_particle(word: str) -> bool:
    known = known_word(word)
    return known is not None and bool(known.particle)


def _verdict(balance: _LanguagePoints, all_unknown: bool, titled: bool) -> LanguageGuess:
    best = balance.best()
    confidence, ahead, told = balance.share(best), balance.lead_over_english(), balance.word_points[best]
    different = list(dict.fromkeys(balance.signs[best]))
    signs = ", ".join(different[:6])
    if best == "en":
        return LanguageGuess("en", confidence, ahead < -SURE, f"English: {signs}") if told >= ENGLISH_CONTENT else UNKNOWN_LANGUAGE
    by_words = told >= FUNCTION
    if ahead < (POSSIBLE if by_words else LETTERS_ALONE) or (titled and not by_words):
        return UNKNOWN_LANGUAGE
    reason = f"{_name(best)}: {signs}" if signs else f"letters as in {_name(best)}"
    if all_unknown:
        reason += "; the English library knows none of its words"
    if by_words and len(different) > 1:  # one word alone may be a name: the Medici's "Senet"
        return LanguageGuess(best, confidence, ahead >= SURE, reason)
    return LanguageGuess(best, confidence, all_unknown and ahead >= SURE_BY_LETTERS, reason)


def _name(code: str) -> str:
    return LANGUAGE_NAMES.get(code, code)
