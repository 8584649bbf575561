"""The kind of short answer that a question promises (a person or place, a time, a number, a share, a price, a duration, a speed, a reason, a means),
and whether a text holds one."""

from __future__ import annotations

import re
from enum import StrEnum
from functools import lru_cache

from core.language.months import FULL_MONTH_BUT_MAY, MAY
from core.language.numbers import full_scales, number_words
from core.language.units import times
from core.language.weekdays import weekdays
from core.language.word_files import join_alternatives
from core.lazy_patterns import compile_when_used


class AnswerKind(StrEnum):
    """The kind of short answer that a question's first words promise."""

    NAME = "name"
    TIME = "time"
    CLOCK = "clock"
    NUMBER = "number"
    SHARE = "share"
    MONEY = "money"
    DURATION = "duration"
    FREQUENCY = "frequency"
    AGE = "age"
    SIZE = "size"
    SPEED = "speed"
    TEMPERATURE = "temperature"
    WEIGHT = "weight"
    REASON = "reason"
    MEANS = "means"
    ANYTHING = "anything"

    @property
    def is_figure(self) -> bool:
        return self in _FIGURES

    @property
    def is_value(self) -> bool:
        """Whether a figure, a time or hours are asked for."""
        return self in _FIGURES or self in {AnswerKind.TIME, AnswerKind.CLOCK}

    @property
    def is_particular(self) -> bool:
        """Whether few sentences hold something of the kind, so that one without it can hardly be the answer."""
        return self in _PARTICULAR


_PARTICULAR = frozenset({AnswerKind.CLOCK, AnswerKind.SHARE, AnswerKind.MONEY, AnswerKind.DURATION, AnswerKind.FREQUENCY, AnswerKind.AGE})
_MEASURED_KINDS = frozenset({AnswerKind.SPEED, AnswerKind.TEMPERATURE, AnswerKind.WEIGHT})  # a bare figure may be one: its unit may stand in a header
_FIGURES = _MEASURED_KINDS | frozenset(map(AnswerKind, "number share money duration frequency age size".split()))


_KIND_OPENINGS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    (
        AnswerKind.TIME,
        compile_when_used(
            # "when" in front asks; in "who acts when a state fails?" it does not
            r"(?:^\W*(?:(?:and|but|so|also)\s+)?|\b(?:since|until|till|by|from)\s+|[,;:]\s*)when\b|\bwhen\W*$|"
            r"\b((what|which) (year|month|day|date|century|decade|season)|wann|welche[ms]? (jahr|monat|tag|datum|jahrhundert)|cuándo|"
            r"qué (año|mes|día|fecha|siglo)|quand|quelle (année|date))\b|什么时候|何时|哪一?年|几年|いつ|何年",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerKind.CLOCK,
        compile_when_used(
            r"\b((?<!in )(what|which) (?:\w+ )?(hours|times?)"
            r"(?= (?:is|are|was|were|do|does|did|may|can|must|should|will|shall|has|have)\b)|"
            r"(opening|access|working|business|visiting|office) (hours|times)|"
            r"welche (uhr)?zeit(en)?|um wie ?viel uhr|öffnungszeiten|(a )?qué hora|horarios?|(à )?quelle heure|horaires?)\b",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerKind.NUMBER,
        compile_when_used(
            r"\b((?:with)?in (?:what|which) time|how (many|much|old|long|far|tall|high|large|big|often|heavy|deep|wide|thick|fast|hot|cold)|"
            r"(what|which) (number|percentage|percent|amount|fraction|proportion|share|price|cost|rent|fee|rate|sum|warranty|guarantee|"
            r"total|temperature|speed|weight|height|length|distance|depth|width|capacity|population)|"
            r"what(?:['’]?s| is| are| was| were) (?:the |our |my |its )?(?:[\w'’-]+ ){0,4}?(?:salary|wage|rent|price|cost|fee|charge|deposit|"
            r"notice period|period of notice|delivery time|lead time|duration|"
            r"budget|limit|percentage|estimate|rate|weight|height|length|width|depth|speed|distance|temperature|capacity|tax|fine|content|amount|sum|total|age|score|margin|"
            r"population|turnover|revenue|income|extension)s?(?= of| for| in| at| per|\W*$)|"
            r"what (?:do|does|did|would|will) [^?]{1,60}?\bcost(?=\W*$)|was kosten?|"
            r"wie hoch (?:ist|sind|war|waren)|"
            r"welche[rsmn]? (?:\w+e[rsmn]? )?\w*(?:temperatur|miete|gebühr|kosten|preis|gewicht|geschwindigkeit|frist|dauer|laufzeit|garantie|"
            r"gewährleistung|anzahl|menge|summe|betrag|anteil|prozentsatz|höhe|länge|breite|tiefe|kapazität|umsatz)(?:en|e|s)?|"
            r"wie ?(viele?|alt|lange|weit|hoch|groß|oft|schnell|schwer|warm|kalt|heiß)|cuánt[oa]s?|combien)\b|多少|几[个位次人年]|いくつ|いくら|何人",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerKind.NAME,
        compile_when_used(
            r"\b(who|whom|whose|where|"
            r"(what|which) (person|man|woman|city|country|state|company|team|place|town|river|university|school|organi[sz]ation)|"
            r"wer|wen|wem|wessen|wo|wohin|quién(es)?|d[óo]nde|qui|où)\b",
            re.IGNORECASE,
        ),
    ),
)
# What kind of figure a question asks for that asks for one; a length of time first: "How long is the price valid?".
_FINER_KINDS: tuple[tuple[AnswerKind, re.Pattern[str]], ...] = (
    (AnswerKind.AGE, compile_when_used(r"\b(?:how old|(?:what|which) (?:is|was) the age|at (?:what|which) age|wie alt)\b", re.IGNORECASE)),
    (AnswerKind.SHARE, compile_when_used(r"(?<!\d )\b(?:per ?cent(?:age)?s?|wh\w+ (?:share|fraction|proportion)|prozent\w*)\b", re.IGNORECASE)),
    (AnswerKind.FREQUENCY, compile_when_used(r"\b(?:how often|how frequently|at what intervals?|wie oft)\b", re.IGNORECASE)),
    (
        AnswerKind.DURATION,
        compile_when_used(
            r"\b(?:how long|wie lange?|(?:what|which) (?:warranty|guarantee)|"
            r"welche[rsmn]? (?:\w+e[rsmn]? )?\w*(?:frist|dauer|laufzeit|garantie|gewährleistung))",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerKind.MONEY,
        compile_when_used(
            r"\b(?:price|prices|rent|fee|fees|salary|wages?|budget|deposit|fine|revenue|turnover|premium|estimate|"
            r"kaution|\w*miete|\w*preise?|kosten|\w*gebühr(?:en)?|gehalt|lohn|umsatz|honorar)\b|"
            r"\btotal (?:price|costs?|amount|sum|to pay)\b|\btotals? of (?:the )?(?:\w+['’]?s? ){0,3}(?:quot\w+|offer|invoice|bill|order|receipt)\b|"
            r"\bhow much (?:\w+ ){0,12}?(?:costs?|pays?|paid|payable|charges?|charged|owes?|owed|earns?|earned|spends?|spent|worth)\b|"
            r"\bcosts?\b|\bkostet\b",
            re.IGNORECASE,
        ),
    ),
    (
        AnswerKind.DURATION,
        compile_when_used(
            r"\b(?:how long|how much (?:\w+ )?(?:notice|time)|(?:with)?in (?:what|which) time|wie lange?|"
            r"notice period|period of notice|kündigungsfrist|lead time|delivery time|duration)\b",
            re.IGNORECASE,
        ),
    ),
    (AnswerKind.SPEED, compile_when_used(r"\b(?:how fast|speed|wie schnell|\w*geschwindigkeit)\b", re.IGNORECASE)),
    (AnswerKind.TEMPERATURE, compile_when_used(r"\b(?:how (?:hot|cold|warm)|temperature|wie (?:warm|kalt|heiß)|\w*temperatur)\b", re.IGNORECASE)),
    (AnswerKind.WEIGHT, compile_when_used(r"\b(?:how heavy|how much (?:\w+ ){0,4}?weighs?|weight|wie schwer|\w*gewicht)\b", re.IGNORECASE)),
    (AnswerKind.SIZE, compile_when_used(r"\b(?:how (?:large|big|tall|wide|deep|thick)|wie (?:groß|breit|tief|dick))\b", re.IGNORECASE)),
)
_BARE_CELL = compile_when_used(r"(?:^|\|)\s*[-−–]?\d+(?:[.,]\d+)*\s*(?:\||$)")  # a figure whose unit stands in the header
_PERCENTAGE = compile_when_used(r"\b(?:percentages?|prozentsatz)\b", re.IGNORECASE)
_ASKS_REASON = compile_when_used(
    r"^\W*(?:(?:and|but|so)\s+)?(?:why|how come|for what reasons?|what (?:is|was|are|were) the (?:reasons?|cause)|"
    r"what (?:causes|caused|triggers|triggered|led to|leads to)|warum|weshalb|wieso)\b",
    re.IGNORECASE,
)
# How something reaches somebody: by post, in cash. Of other things "how" asks for too much to be recognised by a word.
_ASKS_MEANS = compile_when_used(
    r"^\W*(?:(?:and|but|so)\s+)?(?:how|wie|auf welchem wege?)\b"
    r"(?!\s+(?:many|much|long|old|often|far|soon|late|early|come|about|viele?|lange|oft|hoch)\b)"
    r"[^?]*?\b(?:send|sent|receiv(?:e|ed)|deliver(?:ed)?|pay|paid|served?|submit(?:ted)?|notif(?:y|ied)|contact(?:ed)?|reach(?:ed)?|"
    r"transmit(?:ted)?|transport(?:ed)?|ship(?:ped)?|communicat(?:e|ed)|(?:give|given) notice|hand(?:ed)? (?:in|over)|"
    r"(?:ge)?schickt?|gesendet|senden|zugestellt|zustellen|bezahlt|bezahlen|übermittelt|eingereicht|einreichen|erreich(?:t|en))\b",
    re.IGNORECASE,
)
_ASKING_WORDS = compile_when_used(
    r"\bhow\s+(?:many|much|old|long|far|tall|high|large|big|often|heavy|deep|wide|thick|fast|frequently)\b|"
    r"\b(?:what|which)\s+(?:kinds?|types?|sorts?|number|percentage|percent|share|fraction|proportion|amount)\b|\bpercentages?\b|\bwie\s+(?:lange|oft|viele?|hoch)\b",
    re.IGNORECASE,
)
_WEEKDAY = join_alternatives(weekdays("en"))
TIME = compile_when_used(
    rf"""
          \b(?:\d{{1,2}}\.?[ ])?(?:{FULL_MONTH_BUT_MAY}|{MAY})\b(?:[ ]\d{{1,2}}\b)?(?:,?[ ]\d{{4}})?
        | (?<!(?-i:[A-Z])[-–])\b(?:1[0-9]|20)\d\d(?:s\b|\b)(?!–\d{{1,3}}–\d)  # no year in "FAA–2020–0686" and "AD 2018–23–51"
        | \b(?:\d{{1,2}}(?:st|nd|rd|th)|[a-z]+(?:st|nd|rd|th))[ ](?:century|centuries)\b
        | \b\d{{1,2}}\.[ ]Jahrhundert|\bsiglo[ ][ivx]+\b|\d{{1,4}}\s?年|\d{{1,2}}\s?世纪
        | \b\d{{1,4}}[-/.]\d{{1,2}}[-/.]\d{{1,4}}\b|\b(?:{_WEEKDAY})\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
CLOCK = compile_when_used(
    r"\b(?:[01]?\d|2[0-4])[:h][0-5]\d\b|\b(?:1[0-2]|[1-9])\s?[ap]\.?m\b|\b\d{1,2}\s?(?:uhr|o['’]clock)\b|\b(?:noon|midnight)\b",
    re.IGNORECASE,
)
# "Ein" and "un" are articles, and "eins", "uno" say how many of nothing.
_NUMBER_WORDS = join_alternatives(
    (*number_words("en"), *number_words("de", "es", least=2), *full_scales("en", "de", "es"), "dozen", "half", "third", "quarter")
)
_SCALES = join_alternatives(full_scales("en", "de"))
NUMBER = compile_when_used(
    rf"""
        [$€£¥]?\d+(?:[.,]\d+)*(?:\s?(?:%|per[ ]?cent|percent|{_SCALES}))?|\b(?:{_NUMBER_WORDS})\b|[一二三四五六七八九十百千万两]+(?=[个位次人名])
    """,
    re.IGNORECASE | re.VERBOSE,
)
_UNITS_OF_TIME = f"(?:{join_alternatives(times('en', 'de'))})"
# "thirty days after delivery": when something is, counted from something else.
_AFTER = compile_when_used(
    rf"""
        (?:\d|\b(?:an?|one|{_NUMBER_WORDS}))[\s-]+(?:\w+\s+)?{_UNITS_OF_TIME}\s+
        (?:after|before|from|following|prior|of[ ](?:the|receipt|delivery)|nach|vor|ab)\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_KIND_PATTERNS: dict[AnswerKind, re.Pattern[str]] = {
    AnswerKind.AGE: compile_when_used(
        r"\b(?:aged?|years? old|[- ]year[- ]old|jahre? alt|born|geboren)\b|\b(?:\d{1,3}|"
        + _NUMBER_WORDS
        + r")\s+(?:years?|months?|weeks?|jahre|monate)\b|"
        r"\b(?:1[3-9]|20)\d\d\b",  # from the year of a birth or a building it can be worked out
        re.IGNORECASE,
    ),
    AnswerKind.SHARE: compile_when_used(
        r"\d\s?%|\bper ?cent\b|\bprozent\b|\b(?:half|halves|thirds?|quarters?|fifths?|tenths?|hälfte|drittel|viertel)\b|"
        r"\b\w+ (?:out )?of (?:every )?(?:two|three|four|five|ten|\d+)\b",
        re.IGNORECASE,
    ),
    AnswerKind.MONEY: compile_when_used(
        r"[$€£¥]\s?\d|\b(?:USD|EUR|GBP|CHF|Rs\.?)\s?\d|\d\s?(?:[$€£¥]|USD|EUR|GBP|CHF|euros?|dollars?|pounds?|cents?|pence|francs?|yen|rupees?)|"
        r"(?<![\d.,])\d{1,3}(?:[.,' ]\d{3})+\b|(?<![\d.,])\d+[.,]\d\d(?![\d.,])|\b(?!(?:1[89]|20)\d\d\b)\d{4,}\b|"
        r"\b(?:free|gratis|nothing is payable)\b",
        re.IGNORECASE,
    ),
    AnswerKind.DURATION: compile_when_used(
        rf"(?:\d|\b(?:an?|one|half an|several|few|some|many|{_NUMBER_WORDS})\b)[\s-]+"
        rf"(?:(?:more|full|whole|working|business|calendar|consecutive|further)\s+)?{_UNITS_OF_TIME}\b|"
        r"\b(?:until|since|forever|indefinitely|permanently|for life)\b|\bfrom\b.{1,40}\bto\b|"
        r"\d\s?(?:mm|cm|km|m|ft|feet|miles?|metres?|meters?)\b",  # "how long" may ask for a length
        re.IGNORECASE,
    ),
    AnswerKind.FREQUENCY: compile_when_used(
        r"\b(?:every|each|once|twice|daily|weekly|monthly|yearly|annual(?:ly)?|quarterly|hourly|nightly|biweekly|fortnightly|"
        r"(?:per|a) (?:day|week|month|year)|times|intervals?|rarely|seldom|often|jede[rsn]?|täglich|wöchentlich|monatlich|jährlich|einmal|zweimal)\b",
        re.IGNORECASE,
    ),
    AnswerKind.SPEED: compile_when_used(
        rf"\d\s?(?:km/h|kmh|kph|mph|knots?|m/s|kbps|[MG]bit/s|rpm)\b|"
        r"\b(?:miles|kilomet(?:re|er)s|met(?:re|er)s|feet|words|pages) (?:an|a|per) (?:hour|second|minute)\b|"
        rf"\bwalking (?:pace|speed)\b|(?:\d|\b(?:{_NUMBER_WORDS}))[\s-]+(?:\w+\s+)?{_UNITS_OF_TIME}\b",  # "how fast do they deliver?"
        re.IGNORECASE,
    ),
    AnswerKind.TEMPERATURE: compile_when_used(
        r"\d\s?(?:°|℃|K\b|[CF]\b|degrees|celsius|fahrenheit|grad)|\b(?:freezing|boiling) point\b", re.IGNORECASE
    ),
    AnswerKind.WEIGHT: compile_when_used(
        r"\d\s?(?:kg|g|mg|t|lbs?|oz|tons?|tonnes?|tonnen?|kilo\w*|grams?|gramm|pounds?|ounces?|stone)\b", re.IGNORECASE
    ),
    AnswerKind.REASON: compile_when_used(
        r"\b(?:because|due to|owing to|thanks to|caused?|causes|causing|reasons?|therefore|hence|so that|in order to|as a result|"
        r"result(?:s|ed|ing)? (?:of|from|in)|led to|leads to|explain(?:s|ed)?|attribut\w+|"
        r"to (?:avoid|prevent|ensure|allow|protect|reduce|save|make sure)|otherwise|since (?:it|he|she|they|we|there|the)|"
        r"weil|denn|wegen|aufgrund|deshalb|daher|damit)\b|,\s+(?:so|as|for)\b",
        re.IGNORECASE,
    ),
    AnswerKind.MEANS: compile_when_used(
        r"\bby (?:hand|post|phone|telephone|fax|letter|courier|message|text|e-?mail|(?:\w+[ -])?mail|(?:\w+ )?(?:delivery|transfer|debit|cheque|"
        r"check|order|card|post|letter)|cash|means of|sea|air|road|rail|ship|train|lorry|van)\b|"
        r"\bin (?:writing|person|cash|advance|arrears|full|(?:\w+ )?instal+ments?|triplicate|duplicate)\b|"
        r"\b(?:via|through|using|electronically|online|orally|verbally|"
        r"schriftlich|mündlich|persönlich|in bar|per (?:post|e-?mail|fax|brief|bote|kurier|einschreiben|überweisung|lastschrift|telefon))\b|"
        r"\b(?:on|with|at) (?:the|a|an) (?:\w+ )?(?:form|card|tablet|portal|app|hotline|number|desk|counter|website|page)\b",
        re.IGNORECASE,
    ),
}
# A figure that is plainly of one kind is none of another: 0.4 mm is no price, £ 400 no duration.
_UNITS = (
    rf"(?:per ?cent|prozent|mm|cm|km|m|ft|feet|miles?|metres?|meters?|square|cubic|sq|m²|hectares?|acres?|kg|g|t|tons?|tonnes?|lbs?|l|litres?|ml|"
    rf"°\s?[CF]|(?-i:K|V|A)|km/h|mph|k?Wh?|Hz|bar|{_UNITS_OF_TIME})"
)
_MEASURE = compile_when_used(
    rf"[$€£¥]\s?\d|\d\s?(?:[$€£¥%]|(?:{_UNITS}|euros?|dollars?|pounds?)\b)|\b(?:{_NUMBER_WORDS})[\s-]+(?:\w+\s+)?{_UNITS_OF_TIME}\b", re.IGNORECASE
)
_MEASURED = compile_when_used(rf"\d[\d.,']*\s?(?:%|{_UNITS}\b)", re.IGNORECASE)  # a figure that is no sum of money
_NO_SIZE = compile_when_used(  # a speed, a temperature and a time of day say nothing of how large something is
    rf"\d[\d.,]*\s?(?:km/h|kmh|kph|mph|knots?|m/s|°\s?[CF]|degrees|{_UNITS_OF_TIME}\b)|\b\d{{1,2}}:\d\d\b|\bmetres (?:a|per) second\b", re.IGNORECASE
)
# "01632 960 108", "+44 20 7946 0018": no figure of anything.
_TELEPHONE = compile_when_used(r"(?:\+\d{1,3}|(?<![\d.,:])0)\d*(?:[\s()/-]{1,2}\d{2,})+\b")
# A number that only says where something stands is no answer to "how many".
REFERENCE = compile_when_used(
    r"^\W*\d{1,3}(?:\.\d{1,3})+[.)]?\s|\b(?:clauses?|sections?|articles?|chapters?|pages?|no\.|version|figure|table|§)\s*\d+(?:\.\d+)*", re.IGNORECASE
)
_WORD = compile_when_used(r"[^\W\d_][\w'’-]*")


def answer_kind_of(question: str) -> AnswerKind:
    """Return the kind of short answer that the question promises: of what it asks first, "who … and by when?" for a name; of a figure the kind of
    figure."""
    if _ASKS_REASON.search(question):
        return AnswerKind.REASON
    found = [(match.start(), kind) for kind, pattern in _KIND_OPENINGS if (match := pattern.search(question)) is not None]
    kind = min(found, key=lambda pair: pair[0])[1] if found else AnswerKind.ANYTHING
    if kind is AnswerKind.NUMBER or (kind is AnswerKind.ANYTHING and _PERCENTAGE.search(question)):
        return next((finer for finer, pattern in _FINER_KINDS if pattern.search(question)), kind)
    return AnswerKind.MEANS if kind is AnswerKind.ANYTHING and _ASKS_MEANS.search(question) else kind


def strip_asking_words(question: str) -> str:
    """Return the question without the words that only say what kind of answer it wants: "how long", "which kind of", "percentage"."""
    return _ASKING_WORDS.sub(" ", question)


def capitalised_spans(text: str) -> list[tuple[int, int]]:
    """Return spans of the words that start with a capital letter."""
    return [match.span() for match in _WORD.finditer(text) if match.group()[0].isupper()]


def holds_kind(kind: AnswerKind, text: str, question_words: frozenset[str]) -> bool:
    """Return whether `text` holds something of the wanted kind; a name counts only when the question lacks it (`question_words` in lower case)."""
    if kind is AnswerKind.TIME:
        return TIME.search(text) is not None or _AFTER.search(text) is not None
    if kind is AnswerKind.CLOCK:
        return CLOCK.search(REFERENCE.sub(" ", text)) is not None
    if kind is AnswerKind.SIZE:
        return NUMBER.search(_NO_SIZE.sub(" ", REFERENCE.sub(" ", _TELEPHONE.sub(" ", text)))) is not None
    if kind is AnswerKind.NUMBER:
        return NUMBER.search(REFERENCE.sub(" ", text)) is not None
    if kind in _MEASURED_KINDS and _BARE_CELL.search(text) is not None:
        return True
    if kind in _KIND_PATTERNS:
        return _KIND_PATTERNS[kind].search(_MEASURED.sub(" ", _TELEPHONE.sub(" ", text)) if kind is AnswerKind.MONEY else text) is not None
    if kind is AnswerKind.NAME:
        names = [(start, text[start:end]) for start, end in capitalised_spans(text) if start > 0 or " " not in text]
        return any(name.lower() not in question_words and not _is_of_a_thing(name, text[:start]) for start, name in names)
    return False


_MODEL = compile_when_used(r"\d|^[A-Z]{1,2}$")  # "KR16", "NX"
_LONGEST_UNIT = 3  # letters
_LONG_FOR_A_VALUE, _LONG_FOR_A_DAY = 12, 7  # words
_BESIDE_A_VALUE = compile_when_used(rf"\band\b|[,;]\s|\b(?:{FULL_MONTH_BUT_MAY}|{MAY})\s+(?:19|20)\d\d\b", re.IGNORECASE)


def _is_of_a_thing(name: str, before: str) -> bool:
    """Return whether a capitalised word is a model's or a unit's, behind a figure ("48 V", "560 Ah"), and so names nobody and no place."""
    return _MODEL.search(name) is not None or (len(name) <= _LONGEST_UNIT and before.rstrip()[-1:].isdigit())


@lru_cache(maxsize=1024)  # every span of the reader's is asked about for every other one
def is_of_another_kind(kind: AnswerKind, text: str) -> bool:
    """Return whether a figure or a time is asked for and a short answer is none, or one of another kind ("0.4 mm" for a price). A name may be of any
    words."""
    if not kind.is_figure:
        return kind in {AnswerKind.TIME, AnswerKind.CLOCK} and not holds_kind(kind, text, frozenset())
    if kind is not AnswerKind.NUMBER and holds_kind(kind, text, frozenset()):
        return False
    if kind is AnswerKind.SIZE or NUMBER.search(REFERENCE.sub(" ", text) if " " in text.strip() else text) is None:
        return True  # "10.800 Euro" alone is a figure, not the number of a clause
    if kind in {AnswerKind.SHARE, AnswerKind.DURATION, *_MEASURED_KINDS} and (CLOCK.search(text) is not None or TIME.search(text) is not None):
        return True
    return kind in {AnswerKind.MONEY, AnswerKind.SHARE, AnswerKind.DURATION, *_MEASURED_KINDS} and _MEASURE.search(text) is not None


_UNIT_BEHIND = compile_when_used(rf"\s?(?:km/h|{_UNITS})(?!\w)", re.IGNORECASE)


def unit_behind(kind: AnswerKind, text: str, behind: str) -> int:
    """Return how many characters of what stands behind a bare figure are its unit: "60" of "60 months" alone says nothing of how long."""
    measured = kind is AnswerKind.DURATION or kind in _MEASURED_KINDS
    found = _UNIT_BEHIND.match(behind) if measured and text[-1:].isdigit() else None
    return found.end() if found is not None else 0


def sole_value(kind: AnswerKind, text: str) -> str:
    """Return the only share, price or duration in a text ("nine months" of "nine months' written notice"), else the text."""
    found = values_of(kind, text)
    return text[slice(*found[0])] if len(found) == 1 else text


def values_of(kind: AnswerKind, text: str) -> list[tuple[int, int]]:
    """Return [start:end] of the shares, prices or durations in a text, each with the whole of its number; none of another kind."""
    if kind not in {AnswerKind.SHARE, AnswerKind.MONEY, AnswerKind.DURATION}:
        return []
    found: list[tuple[int, int]] = []
    for match in (each for each in _KIND_PATTERNS[kind].finditer(text) if each.group().lower() not in {"until", "since"}):  # of what, they do not say
        start, end = _with_whole_number(text, *match.span())
        if found and start < found[-1][1]:
            start, end = found[-1][0], max(end, found.pop()[1])
        found.append((start, end))
    return found


_NUMBER_BEFORE = compile_when_used(r"[$€£¥]?\s?\d+(?:[.,'’]\d+)*[.,'’]?$")
_NUMBER_BEHIND = compile_when_used(r"[.,'’]?\d+(?:[.,'’]\d+)*")


def _with_whole_number(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span with the digits of its number that stand right before or behind it: the patterns of kinds look at one of them."""
    if text[start].isdigit() and (before := _NUMBER_BEFORE.search(text, 0, start)) is not None:
        start = before.start() + len(before.group()) - len(before.group().lstrip())
    if text[end - 1].isdigit() and (behind := _NUMBER_BEHIND.match(text, end)) is not None:
        end = behind.end()
    return start, end


def find_wanted_span(kind: AnswerKind, text: str) -> tuple[int, int]:
    """Return [start:end] of the share, price, duration or day in a short answer that says something else beside it ("30 September and nine weeks"),
    else all of it."""
    if kind is AnswerKind.TIME:
        found = [match.span() for match in TIME.finditer(text) if any(letter.isdigit() for letter in match.group())]
        apart = len(text.split()) >= _LONG_FOR_A_DAY
    else:
        found = values_of(kind, text)
        apart = _BESIDE_A_VALUE.search(text) is not None or len(text.split()) >= _LONG_FOR_A_VALUE
    return found[0] if len(found) == 1 and apart and found[0][1] - found[0][0] >= 3 else (0, len(text))
