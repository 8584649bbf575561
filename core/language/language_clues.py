"""Clues of a few words to their language: their script, letters, function words and content words. Data and pure functions, no statistics.

Made for questions, which are too short for the statistics that tell the language of a document. A word found here speaks for each language that has
it, so "die" and "was" decide nothing between English and German. Who weighs all this up is `agents.text.language_rules`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from core.language.telling_words import content_words, function_words, particles

# Languages that the multilingual encoder was made for, and others that are told apart so that they are not taken for one of these.
ENCODER_LANGUAGES = frozenset("ar de en es fr it ja ko nl pl pt ru th tr zh".split())
NEIGHBOUR_LANGUAGES = frozenset("af ca cs da fi hr hu id la no ro sv vi bg el fa he hi sr uk ur".split())
LANGUAGE_NAMES = {
    "ar": "Arabic", "de": "German", "en": "English", "es": "Spanish", "fr": "French", "it": "Italian", "ja": "Japanese", "ko": "Korean",
    "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian", "th": "Thai", "tr": "Turkish", "zh": "Chinese", "af": "Afrikaans",
    "ca": "Catalan", "cs": "Czech", "da": "Danish", "fi": "Finnish", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "la": "Latin",
    "no": "Norwegian", "ro": "Romanian", "sv": "Swedish", "vi": "Vietnamese", "bg": "Bulgarian", "el": "Greek", "fa": "Persian", "he": "Hebrew",
    "hi": "Hindi", "sr": "Serbian", "uk": "Ukrainian", "ur": "Urdu",
}  # fmt: skip

# Special letters of the languages in Latin letters. A name may bring them into any text ("Zürich", "café").
_LETTERS = {
    "ß": "de", "ä": "de fi sv", "ö": "de fi hu sv tr", "ü": "de hu tr", "ñ": "es", "œ": "fr", "ç": "ca fr pt tr", "è": "ca fr it", "ê": "fr pt vi",
    "ë": "fr nl", "î": "fr ro", "ï": "ca fr nl", "ô": "fr pt vi", "û": "fr", "ù": "fr it vi", "à": "ca fr it pt vi", "ò": "ca it vi", "ì": "it vi",
    "ã": "pt vi", "õ": "pt vi", "á": "cs es hu pt vi", "í": "ca cs es hu pt vi", "ó": "ca es hu pl pt vi", "ú": "ca cs es hu pt vi",
    "é": "ca cs es fr hu it nl pt vi", "â": "fr pt ro tr vi", "ą": "pl", "ć": "hr pl", "ę": "pl", "ł": "pl", "ń": "pl", "ś": "pl", "ź": "pl",
    "ż": "pl",
    "ğ": "tr", "ı": "tr", "ş": "ro tr", "å": "da no sv", "ø": "da no", "æ": "da no", "ő": "hu", "ű": "hu", "ě": "cs", "ř": "cs", "ů": "cs",
    "č": "cs hr", "š": "cs hr", "ž": "cs hr", "ý": "cs vi", "đ": "hr vi", "ă": "ro vi", "ș": "ro", "ț": "ro", "ţ": "ro", "ơ": "vi", "ư": "vi",
    "ạ": "vi", "ế": "vi", "ộ": "vi", "ệ": "vi", "ấ": "vi", "ề": "vi", "ả": "vi", "ờ": "vi", "ợ": "vi", "ồ": "vi", "ị": "vi",
}  # fmt: skip
LETTERS: dict[str, frozenset[str]] = {letter: frozenset(languages.split()) for letter, languages in _LETTERS.items()}

# Articles and pronouns that lose their vowel before another word: "l'appartement", "dell'affitto".
ELISIONS: dict[str, frozenset[str]] = {
    **dict.fromkeys(("j", "qu", "jusqu", "lorsqu", "puisqu", "aujourd"), frozenset({"fr"})),
    **dict.fromkeys(("d", "l", "s", "n", "m", "t", "c"), frozenset({"ca", "fr", "it"})),
    **dict.fromkeys(("dell", "all", "nell", "sull", "dall", "un", "quest", "quell", "dov", "com", "cos", "quant"), frozenset({"it"})),
}
_ENGLISH_ENDINGS = frozenset({"s", "t", "re", "ve", "ll", "d", "m", ""})  # "tenant's", "don't", "tenants'"

# Endings that the words of one language have and those of the others next to never. German and Dutch content words end compounds too
# ("Heizkostenabrechnung").
_ENDINGS = {
    "en": "ness ful fully less ship ships ated ized ised nded nted cted ously ings",
    "de": "ungen keit keiten heit heiten schaft schaften liche lichen licher liches ische ischen ischer isches ierung ierungen ierte ierten ieren",
    "es": "ción cion ciones dades miento mientos", "fr": "ité ités euse euses eaux", "it": "zione zioni aggio", "nl": "heid heden lijk lijke",
    "pl": "ość ości owych owego owej ania", "pt": "ção ções dade dades mentos", "tr": "ları leri ların lerin lığı liği",
}  # fmt: skip
ENDINGS: dict[str, frozenset[str]] = {
    ending: frozenset(code for code, endings in _ENDINGS.items() if ending in endings.split())
    for endings in _ENDINGS.values()
    for ending in endings.split()
}
_COMPOUNDING = frozenset({"de", "nl"})
_STEM, _COMPOUND = 3, 9  # letters before an ending at least; letters of a compound at least
_LONGEST_ENDING = 20

# Scripts by their code points; the language that most texts in them are in comes first.
_SCRIPTS: dict[str, tuple[str, str]] = {
    "Latin": ("A-Za-z\u00aa\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff", ""),
    "Japanese": ("\u3041-\u30ff\u31f0-\u31ff\uff66-\uff9f", "ja"),
    "Han": ("\u3005\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff", "zh ja"),
    "Hangul": ("\u1100-\u11ff\u3130-\u318f\uac00-\ud7af", "ko"),
    "Cyrillic": ("\u0400-\u052f", "ru uk bg sr"),
    "Arabic": ("\u0620-\u065f\u066e-\u06ef\u06fa-\u06ff\u0750-\u077f", "ar fa ur"),
    "Thai": ("\u0e01-\u0e4e", "th"),
    "Greek": ("\u0370-\u03ff\u1f00-\u1fff", "el"),
    "Hebrew": ("\u05d0-\u05ea\u05f0-\u05f2", "he"),
    "Devanagari": ("\u0900-\u0963\u0970-\u097f", "hi"),
    "Bengali": ("\u0980-\u09ff", "bn"),
    "Gurmukhi": ("\u0a00-\u0a7f", "pa"),
    "Gujarati": ("\u0a80-\u0aff", "gu"),
    "Tamil": ("\u0b80-\u0bff", "ta"),
    "Telugu": ("\u0c00-\u0c7f", "te"),
    "Kannada": ("\u0c80-\u0cff", "kn"),
    "Malayalam": ("\u0d00-\u0d7f", "ml"),
    "Sinhala": ("\u0d80-\u0dff", "si"),
    "Lao": ("\u0e80-\u0eff", "lo"),
    "Burmese": ("\u1000-\u109f", "my"),
    "Georgian": ("\u10a0-\u10ff", "ka"),
    "Armenian": ("\u0530-\u058f", "hy"),
    "Ethiopic": ("\u1200-\u137f", "am"),
    "Khmer": ("\u1780-\u17ff", "km"),
}
# Letters that one language alone has of those that share a script; of Han characters some that questions and documents are full of.
_OWN_LETTERS: dict[str, dict[str, frozenset[str]]] = {
    "Cyrillic": {"uk": frozenset("іїєґІЇЄҐ"), "be": frozenset("ўЎ"), "sr": frozenset("ђћџљњјЂЋЏЉЊЈ"), "ru": frozenset("ыэёЫЭЁ")},
    "Arabic": {"ur": frozenset("ٹڈڑںےہھیک"), "fa": frozenset("پچژگیک"), "ar": frozenset("ةىإأيك")},
    "Han": {
        "ja": frozenset(
            "々円図駅価対発単変険払検実広応気営戦読売続総帰済収従権込働畑峠枠囲関覧黒県労様転辺毎悪圧仮壊拡覚楽勧歓観亀戯拠挙駆恵掲継鶏撃剣圏"
            "顕厳効鉱砕剤桟賛児釈獣渋縦粛緒奨焼浄剰縄畳嬢譲醸粋酔髄斉摂専銭繊禅捜挿巣騒増蔵臓帯滞択団弾遅鋳聴逓鉄伝闘徳悩脳覇廃髪抜蛮仏舗穂豊褒翻黙訳薬揺謡頼霊齢暦録"
        ),
        "zh": frozenset(
            "的是了们这么为什哪谁吗呢几岁说请问时间个钱费约签应该货单报险赔偿税务业办让给从车门发动电话号码资产规则认证书优惠图钟过还没对关东马鸟"
        ),
    },
}
_LETTERS_PER_SIGN = {"Han": 3, "Japanese": 2, "Hangul": 2}  # one sign of these writes about as much as so many letters

_SCRIPT = re.compile("|".join(f"(?P<{script}>[{points}])" for script, (points, _) in _SCRIPTS.items()))
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*'?")
_APOSTROPHES = str.maketrans("’ʼ`´", "''''")
# What says nothing about the language of the one who asks: quotations, addresses, names of files, code.
_QUOTED = re.compile(
    r'"[^"\n]{1,200}"|“[^”\n]{1,200}”|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|»[^«\n]{1,200}«|「[^」\n]{1,200}」|『[^』\n]{1,200}』|`[^`\n]{1,200}`'
    r"|(?<![\w'’])['‘‚](?![\s'])[^'’‘\n]{1,200}(?<!\s)['’‘](?!\w)"
)
_CODE = re.compile(
    r"```.*?(?:```|$)|https?://\S+|www\.\S+|[\w.+-]+@[\w.-]+|[!-~]*[_{}<>=$|\\][!-~]*|\b[A-Za-z][\w.]*\([^)\n]*\)|/[!-~]*/[!-~]*"
    r"|\S+\.[A-Za-z]{2,4}\d?(?=[\s,;:?!.)]|$)|\b[a-z]+[A-Z][A-Za-z0-9]*",
    re.DOTALL,
)
_LONGEST = 600  # characters: what follows says nothing new about the language


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """`language` is an ISO 639-1 code, also of languages that the encoder was not made for; "" where nothing tells. `sure` is about English
    alone: that it is not (for "en": that it is). `confidence`, 0 to 1, is about this language against all others, so two relatives may share
    it where it is surely not English. `reason` is a phrase for the trace."""

    language: str
    confidence: float
    sure: bool
    reason: str

    @property
    def is_foreign(self) -> bool:
        """Return whether it is, or may be, another language than English that the multilingual encoder knows."""
        return self.language in ENCODER_LANGUAGES and self.language != "en"


class KnownWord(NamedTuple):
    """The languages that have a word, by what it is there."""

    function: frozenset[str]
    particle: frozenset[str]
    content: frozenset[str]


class ScriptShare(NamedTuple):
    """The script other than Latin with the most letters ("" for none), how many those are, the Latin ones, and the languages written in it."""

    script: str
    letters: int
    latin: int
    languages: tuple[str, ...]


def own_words_of(text: str) -> str:
    """Return the part of a question that its asker worded: without quotations, addresses, names of files and code; all of it where no word would be
    left."""
    text = unicodedata.normalize("NFC", text[:_LONGEST].encode("utf-8", "replace").decode("utf-8"))
    plain = _CODE.sub(" ", text)
    unquoted = _QUOTED.sub(" ", plain)
    return unquoted if _WORD.search(unquoted) else plain


def words_of(text: str) -> list[str]:
    """Return the words of letters, in the case in which they stand there; apostrophes and hyphens inside belong to them."""
    return [word.rstrip("'") for word in _WORD.findall(text.translate(_APOSTROPHES))]


def known_word(word: str) -> KnownWord | None:
    """Return what is known of a word in lower case, as it is written or as people type it who leave accents out; None for a word of no table."""
    return _known_words().get(word)


def languages_by_letters(word: str) -> frozenset[str]:
    """Return the languages that have all the special letters of a word; empty where it has none, or where no listed language has them all."""
    found = [LETTERS[letter] for letter in word if letter in LETTERS]
    return frozenset.intersection(*found) if found else frozenset()


def languages_by_ending(word: str) -> frozenset[str]:
    """Return the languages in which words end as this one does; empty for most words, and for nearly all English ones."""
    found: frozenset[str] = frozenset()
    for length in range(3, min(len(word) - _STEM, _LONGEST_ENDING) + 1):
        ending = word[-length:]
        found |= ENDINGS.get(ending, frozenset())
        known = known_word(ending) if length >= 5 and len(word) >= _COMPOUND else None
        if known and "en" not in known.content | known.function:
            found |= known.content & _COMPOUNDING
    return found


def apostrophe_parts(word: str) -> tuple[str, frozenset[str], str]:
    """Return (the bare word, the languages for which its apostrophe speaks, that apostrophe's part) of "l'affitto" or "tenant's"."""
    before, _, after = word.partition("'")
    if after in _ENGLISH_ENDINGS:
        return before, frozenset({"en"}), f"'{after}"
    return after.replace("'", ""), ELISIONS.get(before, frozenset()), f"{before}'"


def script_share(text: str) -> ScriptShare:
    """Return the letters by script, a sign that stands for a syllable or a word counted as the letters that it takes elsewhere. Han with kana is
    Japanese."""
    counts = Counter(match.lastgroup or "" for match in _SCRIPT.finditer(text) if match.group().isalpha())
    kana, han = counts["Japanese"], counts["Han"]
    if kana and han and kana * 10 >= han:
        counts["Japanese"] += counts.pop("Han")
    weighed = {script: count * _LETTERS_PER_SIGN.get(script, 1) for script, count in counts.items() if script != "Latin" and count}
    script = max(sorted(weighed), key=lambda each: weighed[each]) if weighed else ""
    return ScriptShare(script, weighed.get(script, 0), counts["Latin"], tuple(_SCRIPTS[script][1].split()) if script else ())


def language_of_letters(text: str, share: ScriptShare) -> str:
    """Return the one language of a script, or the one whose own letters stand in a text; "" where its languages cannot be told apart by letters."""
    if len(share.languages) == 1:
        return share.languages[0]
    found = Counter({code: sum(letter in own for letter in text) for code, own in _OWN_LETTERS.get(share.script, {}).items()})
    (first, most), *rest = found.most_common(2)
    return first if most and (not rest or most > rest[0][1]) else ""


def strip_accents(word: str) -> str:
    """Return a word in lower case as plain keyboards write it: "straße" is "strasse", "łódź" is "lodz"."""
    if word.isascii():  # most are, and the tables hold thousands
        return word
    plain = word.replace("ß", "ss").replace("ł", "l").replace("ı", "i").replace("ø", "o").replace("đ", "d").replace("œ", "oe").replace("æ", "ae")
    return "".join(letter for letter in unicodedata.normalize("NFD", plain) if not unicodedata.combining(letter))


def _typed_forms(word: str, language: str) -> set[str]:
    if word.isascii():
        return {word}
    forms = {word, strip_accents(word)}
    if language == "de":
        forms.add(strip_accents(word.replace("ä", "ae").replace("ö", "oe").replace("ü", "ue")))
    return forms


@lru_cache(maxsize=1)
def _known_words() -> dict[str, KnownWord]:
    function, particle, content = (_index_by_form(table()) for table in (function_words, particles, content_words))
    none: frozenset[str] = frozenset()
    words = {*function, *particle, *content}
    return {word: KnownWord(function.get(word, none), particle.get(word, none), content.get(word, none)) for word in words}


def _index_by_form(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """Return each form of a word with the languages that have it."""
    found: dict[str, set[str]] = {}
    for language, words in table.items():
        for word in words.split():
            for form in _typed_forms(word, language):
                found.setdefault(form, set()).add(language)
    return {form: frozenset(languages) for form, languages in found.items()}
