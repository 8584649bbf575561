"""German questions in English: for a library whose documents are all in English, where an English question finds, reads and computes far more.

Word by word (`agents.german.word_forms`), with the phrases of questions and the few changes of order that matter: the verb beside its subject, "does"
where English needs it. No translation to show to anybody, but one that says what was asked, and only where each word that carries the topic is
known: by the list, or by the library itself (names). Words that nobody knows are named, and the question stays as it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.german.clause_order import reorder_clauses
from agents.german.question_phrases import COMPARISON_PHRASE, COURTESY, GREETING, LEADING_QUESTION_WORD, PHRASES
from agents.german.word_forms import function_words, gerund, is_listed, translate_noun, translate_verb
from core.language.months import ENGLISH_MONTH
from core.lazy_patterns import compile_when_used

_WORD = r"[^\W\d_]\w*(?:[-'’]\w+)*"
_TOKEN = compile_when_used(rf"⟦[^⟧]*⟧|\d+(?:[.,:/-]\d+)*\w*|{_WORD}|[^\w\s]|\s+")
_MODALS = "kann|können|konnte|konnten|darf|dürfen|muss|müssen|soll|sollen|könnte|könnten|sollte|sollten|will|wollen"
_AUXILIARY = compile_when_used(r"ist|sind|war|waren|wird|werden|wurde|wurden|hat|haben|hatte|hatten|worden", re.IGNORECASE)
_PRONOUN = r"(?:ich|wir|man|sie|er|es|du|niemand|jemand)"
_END = r"(?=\s*(?:[?.!,;]|und\b|oder\b|$))"
# "können wir … kündigen": the verb stands beside its subject in English.
_MODAL = compile_when_used(
    rf"\b(?P<modal>{_MODALS})\s+(?P<who>{_PRONOUN}|(?:der|die|das|ein|eine)\s+[A-ZÄÖÜ]\w+)\s+(?P<rest>[^?.!,;]*?)\s*(?P<verb>\b[a-zäöüß]+(?:en|ern|eln|tun)){_END}",
    re.IGNORECASE,
)
# "Wer hat das Protokoll geschrieben?": where the subject is asked for.
_PERFECT = compile_when_used(
    r"\b(?P<aux>hat|haben|hatte|hatten|muss|müssen|darf|dürfen|kann|können|soll|sollen)\s+(?P<rest>[^?.!,;]+?)\s+(?P<verb>[a-zäöüß]{4,})" + _END
)
_HAS_AUXILIARY = compile_when_used(rf"{_AUXILIARY.pattern}|{_MODALS}|⟦(?:does|do|did|is there|what is[^⟧]*)⟧", re.IGNORECASE)
_SUBJECT_ASKED = compile_when_used(r"^\W*(?:wer|welcher?\s+\w+)\s*$", re.IGNORECASE)
# ", wenn er im Urlaub ist", ", die die Stapler genehmigt hat": the verb stands last.
_LAST_VERB = compile_when_used(
    rf"""
        \b(?P<joins>wenn|falls|dass|ob|weil|bevor|nachdem|sobald|solange)\s+
        (?P<who>{_PRONOUN}|(?:der|die|das)\s+(?-i:[A-ZÄÖÜ])\w+)\s+(?P<rest>[^?.!,;]+?)\s+(?P<verb>[a-zäöüß]+){_END}
    """,
    re.IGNORECASE | re.VERBOSE,
)
_RELATIVE = compile_when_used(
    rf",\s*(?:der|die|das)\s+(?P<rest>[^?.!,;]+?)\s+(?P<verb>[a-zäöüß]+(?:t|en))\s+(?P<aux>hat|haben|wurde|wurden|ist|sind)\s*(?P<end>,|{_END})"
)
# "Was sagt der Bericht?": who says it stands behind the verb.
_REPORTING_VERBS = frozenset({"say", "write", "recommend", "ask", "propose", "need", "report", "offer", "mean", "contain", "cover"})
_PARTS_OF_SUBJECT = compile_when_used(r"von|vom|des|der", re.IGNORECASE)
_PREPOSITION = compile_when_used(
    r"""
          in|im|ins|an|am|auf|aus|bei|beim|mit|nach|zu|zum|zur|für|um|durch|gegen|ohne|bis|seit|über|unter|vor|während
        | wegen|laut|gemäß|pro|je|ab|innerhalb|außerhalb|neben|hinter|per|wenn|falls|jetzt|heute|derzeit|zurzeit|oft
        | nicht|noch|schon|bereits|zuletzt
    """,
    re.IGNORECASE | re.VERBOSE,
)
_NUMBER = compile_when_used(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?|\d+,\d+")
_SIGNS = str.maketrans(".,", ",.")
_ENGLISH_CORRECTIONS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (compile_when_used(pattern), told)
    for pattern, told in (
        (rf"\b(\d{{1,2}})\. ?((?:{ENGLISH_MONTH}))", r"\1 \2"),
        (rf"\b(?P<word>in|on|of|from|until|since) the ((?:\d{{1,2}} )?(?:{ENGLISH_MONTH}))", r"\g<word> \2"),
        (r"\s+([?.!,;:])", r"\1"),
        (r",(?=\s*[?.!]*$)", ""),
        (r"\b(of the|the|in the)(?: the| a)\b", r"\1"),
        (r"(\d[\d,.]*) ([£€$])", r"\2\1"),
        (r"\ba (?=[aeio])", "an "),
        # "am günstigsten"
        (
            r"\bon (?=(?:(?:cheap|low|high|short|long|larg|small|fast|old|new|young|heavi|light|bigg|great)est|most (?:expensive|important))\b)",
            "the ",
        ),
        (
            r"\b(?i:how many) (?!people|staff|goods|men|women)([a-z]*(?:[^sy\W]|ey))(?= (?:do|does|did|is|are|was|were|have|has|may|can|must)\b)",
            r"how many \1s",
        ),
        (r"\bdoes (the|our|these) minutes\b", r"do \1 minutes"),
        (r"\b(is|are|was|were) (first|second|third|last) ([a-z]+(?:ed|en|ld|ught))\b", r"\1 \3 \2"),
        (r"^(?i:for|at|with) (?:which|what) ([a-z]+) (do|does|did) (.+?) work(?=\W*$)", r"Which \1 \2 \3 work for"),
        (
            r"\bthe ((?:\w+ )?\w+) of the (landlord|tenant|owner|customer|supplier|buyer|seller|manager|director|employee|driver)\b(?!')",
            r"the \2's \1",
        ),
        (r"\b(holds?|keeps?|has|bears?|uses?|wrote|owns?|pays?|signed|approved|checks?|manages?) they(?=\W*$)", r"\1 it"),
    )
)


@dataclass(frozen=True, slots=True)
class QuestionTranslation:
    """`text` in English, `unknown_words` the words that nobody knows: with one of them the question stays as it is."""

    text: str
    unknown_words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _KnownWords:
    own_words: frozenset[str]
    is_lower_case: bool = False  # then a name may be written small, too; else "half" is a German verb that nobody knows


def translate_question(text: str, *, own: frozenset[str] = frozenset()) -> QuestionTranslation:
    """Return the German question in English. `own` are words (lower case) that the library has itself, which stay."""
    body = GREETING.sub("", COURTESY.sub("", text, count=1), count=1)
    for german, english in PHRASES:
        body = german.sub(english, body)
    if COMPARISON_PHRASE.search(body):
        body = re.sub(r"\b(?:bei|beim)\b", "⟦about⟧", body)
    tokens = _insert_do(_TOKEN.findall(_reorder_verbs(body)))
    known = _KnownWords(own, text == text.lower())
    missing: list[str] = []
    out = [_translate_token(tokens, place, known, missing) for place in range(len(tokens))]
    plain = re.sub(r"\s+", " ", "".join(out)).strip()
    for pattern, told in _ENGLISH_CORRECTIONS:
        plain = pattern.sub(told, plain)
    plain = plain.strip()
    return QuestionTranslation(plain[:1].upper() + plain[1:], tuple(dict.fromkeys(missing)))


def _reorder_verbs(text: str) -> str:
    """Verbs beside their subjects."""

    def perfect(match: re.Match[str]) -> str:
        moves = _SUBJECT_ASKED.match(text[: match.start()]) and translate_verb(match["verb"].lower()) is not None
        return f"{match['aux']} {match['verb']} {match['rest']}" if moves else match.group()

    text = reorder_clauses(text)
    text = _RELATIVE.sub(r", ⟦that⟧ \g<aux> \g<verb> \g<rest>\g<end>", text)
    text = _LAST_VERB.sub(
        lambda match: f"{match['joins']} {match['who']} {match['verb']} {match['rest']}" if _is_verb(match["verb"]) else match.group(), text
    )
    text = _MODAL.sub(lambda match: f"{match['modal']} {match['who']} {match['verb']} {match['rest']}", text)
    return _PERFECT.sub(perfect, text, count=1)


def _is_verb(word: str) -> bool:
    lower = word.lower()
    return translate_verb(lower) is not None or _AUXILIARY.fullmatch(lower) is not None or lower in {"kann", "darf", "muss", "soll", "will"}


def _insert_do(tokens: list[str]) -> list[str]:
    """ "Wie lange braucht Kestrel für …": "how long does Kestrel need for …", where something else than the subject is asked for."""
    places = [place for place, token in enumerate(tokens) if token.strip()]
    for at, place in enumerate(places[:-1]):
        found = translate_verb(tokens[place].lower()) if tokens[place][:1].islower() else None
        if found is None or found.kind not in {"third", "past", "base"}:
            continue
        before, after = "".join(tokens[:place]), tokens[places[at + 1]]
        if not after[0].isalnum() or any(_HAS_AUXILIARY.fullmatch(token) for token in tokens[:place]) or before.strip().lower().endswith("wer"):
            return tokens
        says = before.strip().lower() == "was" and found.base in _REPORTING_VERBS
        inverted = re.fullmatch(_PRONOUN, after, re.IGNORECASE) is not None or LEADING_QUESTION_WORD.match(before) is not None or says
        if not inverted:
            return tokens
        end = next((other for other in places[at + 1 :] if _ends_subject(tokens, other)), len(tokens))
        do = "did" if found.kind == "past" else "do" if after.lower() in {"wir", "ich", "sie", "du"} else "does"
        return [*tokens[:place], f"⟦{do}⟧", *tokens[place + 1 : end], " ", f"⟦{found.base}⟧", " ", *tokens[end:]]
    return tokens


def _ends_subject(tokens: list[str], place: int) -> bool:
    token = tokens[place]
    if _PARTS_OF_SUBJECT.fullmatch(token):
        return False
    before = next((each for each in reversed(tokens[:place]) if each.strip()), "")
    if token.lower() == "und":
        behind = next((each for each in tokens[place + 1 :] if each.strip()), "")
        return behind.islower() and function_words().get(behind, "") not in {"the", "our", "my", "their"}
    article_again = token.lower() in {"den", "die", "das", "einen", "eine", "dem", "einem"} and (before[:1].isupper() or _is_pronoun(before))
    return _PREPOSITION.fullmatch(token) is not None or token in {"?", ".", ",", "!", ";"} or article_again or token.startswith("⟦")


def _is_pronoun(word: str) -> bool:
    return re.fullmatch(_PRONOUN, word, re.IGNORECASE) is not None


def _translate_token(tokens: list[str], place: int, known: _KnownWords, missing: list[str]) -> str:
    """One token; what is not known stays as it is, and is added to `missing`."""
    token = tokens[place]
    if token.startswith("⟦"):
        return token[1:-1]
    if not token[0].isalpha() or any(letter.isdigit() for letter in token):
        return token.translate(_SIGNS) if _NUMBER.fullmatch(token) else token
    lower = token.lower()
    inside = token[0].isupper() and any(each.strip() for each in tokens[:place])
    if lower in {"der", "des", "eines", "einer"} and _follows_noun(tokens, place):  # "die Kosten der Reparatur"
        return "of the" if lower in {"der", "des"} else "of a"
    if inside and lower in known.own_words and translate_noun(lower) is None:
        return token
    found = (translate_noun(lower) if inside else None) or function_words().get(lower)
    if found is None:
        found = _content_word(tokens, place, inside=inside)
    if found is None:
        found = token if lower in known.own_words and (token != lower or known.is_lower_case) else None
    if found is None:
        missing.append(token)
    return token if found is None else found


def _content_word(tokens: list[str], place: int, *, inside: bool) -> str | None:
    """German writes nouns with a capital; where people write all small, what is no form of a verb is one."""
    lower = tokens[place].lower()
    form = translate_verb(lower, after_auxiliary=any(_AUXILIARY.fullmatch(token) for token in _clause_before(tokens, place)))
    if inside and form is not None:
        return gerund(form) if form.kind == "base" else form.to_english
    if form is not None and not is_listed(lower):
        return form.to_english
    return translate_noun(lower)


def _clause_before(tokens: list[str], place: int) -> list[str]:
    """Return what stands in front of a token in its own clause."""
    ends = [at for at, token in enumerate(tokens[:place]) if token in {",", ";"} or token.lower() == "und"]
    return tokens[ends[-1] + 1 if ends else 0 : place]


def _follows_noun(tokens: list[str], place: int) -> bool:
    """Return whether a noun, or a noun with its number ("Version 2"), stands right before an article."""
    before = [token for token in tokens[:place] if token.strip()][-2:]
    if before and before[-1].isdigit():
        before = before[:-1]
    return bool(before) and before[-1][0].isupper() and before[-1].lower() not in function_words() and translate_noun(before[-1].lower()) is not None
