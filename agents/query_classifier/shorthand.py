"""Short forms that people type, written out: "whats the rent" is "what is the rent", "5k" is "5,000". English alone; nothing else of the question is
touched."""

from __future__ import annotations

import re

from core.language.months import ENGLISH_MONTHS, short_months
from core.language.word_files import join_alternatives

_WORDS = {
    "whats": "what is", "whos": "who is", "wheres": "where is", "whens": "when is", "hows": "how is", "wat": "what", "wht": "what",
    "whn": "when", "wen": "when", "wich": "which", "whch": "which", "hw": "how", "gimme": "give me", "lemme": "let me", "wanna": "want to",
    "gonna": "going to", "gotta": "have to", "hafta": "have to", "pls": "please", "plz": "please", "thx": "thanks", "thnx": "thanks", "abt": "about",
    "dont": "don't", "doesnt": "doesn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't", "hasnt": "hasn't",
    "cant": "can't", "wont": "won't", "didnt": "didn't", "havent": "haven't", "shouldnt": "shouldn't", "wouldnt": "wouldn't",
    "couldnt": "couldn't", "im": "I am", "ive": "I have", "weve": "we have", "youve": "you have", "theyve": "they have", "hes": "he is",
    "shes": "she is", "theyre": "they are", "youre": "you are", "thats": "that is", "theres": "there is", "u": "you", "ur": "your", "r": "are",
    "docs": "documents", "til": "until", "thru": "through", "tho": "though", "cuz": "because", "coz": "because", "b4": "before", "rn": "right now",
    "ppl": "people", "w/": "with", "w/o": "without", "mgr": "manager", "mgmt": "management", "dept": "department", "amt": "amount",
    "qty": "quantity", "pymt": "payment", "svc": "service", "mtg": "meeting", "addr": "address", "acct": "account", "avg": "average",
    "yrs": "years", "hrs": "hours", "mins": "minutes", "wks": "weeks", "mths": "months", "approx": "approximately", "asap": "as soon as possible",
    "ops": "operations", "max": "maximum", "temp": "temperature", "temps": "temperatures", "val": "value", "vals": "values", "info": "information",
    "h&s": "health and safety", "t&c": "terms and conditions", "t&cs": "terms and conditions",
}  # fmt: skip
_SHORT_FORM = re.compile(rf"(?<![\w'’.@/&-])(?:{'|'.join(map(re.escape, sorted(_WORDS, key=len, reverse=True)))})(?![\w'’@/&_-]|\.\w)", re.IGNORECASE)
_OPENING = re.compile(r"^\W*$")
# Words of other languages, names of one letter, and short forms that are names and abbreviations where they have capitals.
_AMBIGUOUS = frozenset({"wen", "wat", "r", "u", "im", "max", "ops", "rn", "val", "vals", "temp", "temps", "til", "hes", "mins"})
_TEMPORARY = re.compile(r"\s+(?:workers?|agenc(?:y|ies)|staff|jobs?|contracts?|files?|folders?|dir)\b", re.IGNORECASE)  # "temp staff"
_FRENCH_TIME = re.compile(r"\b(?:de|du|le|quel|en)\s+$", re.IGNORECASE)  # "après combien de temps"
_MONTHS = {short: ENGLISH_MONTHS[number - 1] for short, number in short_months("en").items()}
_MONTH = re.compile(rf"\b({join_alternatives(_MONTHS)})\b\.?(?=\s+(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s+)?(?:19|20)\d\d\b)", re.IGNORECASE)
_NUMBERED = (
    r"(?:clause|section|chapter|version|page|figure|table|no\.?|number|step|defect|item|room|unit|schedule|phase|level|the|of|than|to|from|and|or)"
)
_THOUSANDS = re.compile(r"(?<![\w.,])([£€$]?)(\d{1,3})k\b(?!\s*(?:run|screen|monitor|video|tv|race))")
_PHRASES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), full)
    for pattern, full in (
        (r"\b(when|where|how|why|what)['’]d(?=\s+(?:we|you|they|i|he|she|it|the|our|this)\b)", r"\1 did"),
        (r"\b(how\s+(?:big|large|long|much|many|old|far|high|heavy|fast|thick|wide|deep|often))['’]s\b", r"\1 is"),
        # "how much 4 a spare?", "what is it 4?": no number stands before an article, or behind a verb
        (rf"\b(?!{_NUMBERED}\s)([a-z]+)\s+4(?=\s+(?:an?|the|my|our|this|that|us|me|it)\b)", r"\1 for"),
        (r"(?<=ing\s)4(?=\W*$)", "for"),
        (rf"(?<!\w)(?<!['’.])\bhow\s+(much|long|many\s+\w+)\s+2(?=\s+(?!{_NUMBERED}\b)[a-z]+\s+(?:an?|the|my|our|this|that|it|up)\b)", r"how \1 to"),
        (r"(?<=\s)w(?=\s+[a-z])", "with"),
        (r"\b(?:tel|phone)\s+no\b\.?", "telephone number"),
        # turns of speech for one plain verb
        (r"\b(did|do|will|should)\s+(we|they|you|i)\s+(?:end\s+up\s+)?go(?:ing)?\s+with\b", r"\1 \2 choose"),
        (r"\b((?:how\s+(?:many|much)|what)\b[^?,]*?)\s+did\s+(we|they|you|i)\s+get(?=\s+(?:for|from|in|at|with)\b|\W*$)", r"\1 did \2 receive"),
        (r"\b(how\s+much\s+(?:does|do|did)\s+[^?,]+?)\s+want\s+for\b", r"\1 charge for"),
        (r"\b((?:which|what)\s+(?:company|firm|organi[sz]ation|agency))\s+(?:is|are)\s+([^?,]+?)\s+with(?=\W*$)", r"\1 does \2 work for"),
        (r"^(\W*when)\s+(?:is|are)\s+([^?,]+?)\s+over(?=\W*$)", r"\1 does \2 end"),
        (
            r"\bhow\s+much\s+(?:do|does|did|will)\s+(?:we|they|you|i|the\s+tenant)\s+pay\s+for\s+(?:the|our|this)\s+(lease|flat|apartment|premises)\b"
            r"(?!\s+(?:of|to)\s+(?:the\s+)?(?:car|truck|van|lorry|machine|equipment))",
            r"what is the rent of the \1",
        ),
        (r"\bwhat\s+does\s+(?:the|our|this)\s+(lease|flat|apartment)\s+cost(?:\s+(?:us|me|them))?\b", r"what is the rent of the \1"),
        (r"\bgood\s+(?:until|till|til)\b", "valid until"),
        (r"\b(who(?:\s+is|['’]s|\s+will\s+be)?)\s+cover(?:s|ing)?\s+for\b", r"who stands in for"),
    )
)


def expand_shorthand(text: str) -> str:
    """Write short forms in full. Single letters and words that other languages have only in lower case, and "wen", "wat" only in front."""

    def full(match: re.Match[str]) -> str:
        word = match.group()
        lower = word.lower()
        behind = text[match.end() :]
        if lower in _AMBIGUOUS and (word != lower or (lower in {"wen", "wat"} and _OPENING.match(text[: match.start()]) is None)):
            return word
        if lower == "im" and not re.match(r"\s+(?:\w+ing|a|an|the|not|looking)\b", behind):
            return word
        if lower in {"temp", "temps"} and (_TEMPORARY.match(behind) or _FRENCH_TIME.search(text[: match.start()])):
            return word
        return _WORDS[lower][:1].upper() + _WORDS[lower][1:] if word[0].isupper() else _WORDS[lower]

    plain = _SHORT_FORM.sub(full, text)
    plain = _THOUSANDS.sub(lambda match: f"{match[1]}{match[2]},000", _MONTH.sub(lambda match: _MONTHS[match[1].lower()], plain))
    for pattern, said in _PHRASES:
        plain = pattern.sub(said, plain)
    return plain
