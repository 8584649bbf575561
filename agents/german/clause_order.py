"""The order of German clauses, changed to that of English ones while the words are still German: the participle beside its subject, "does … have" for
a "hat" that stands alone, "be paid" for "bezahlt werden". What stands in ⟦⟧ is English already."""

from __future__ import annotations

import re

from agents.german.word_forms import translate_noun, translate_verb
from core.lazy_patterns import compile_when_used

_PRONOUN = r"(?:ich|wir|man|sie|er|es|du)"
_END = r"(?=\s*(?:[?.!,;]|und\b|oder\b|$))"
_THING_ASKED = r"(?:welche[nrsm]?\s+[^?.!,]*?|⟦(?:by\s+)?how\s+(?:many|much)⟧(?:\s+[^?.!,]*?)?|was|wen|wem)"
_OTHER_ASKED = r"(?:wann|warum|wieso|weshalb|wo|wohin|woher|wie|wofür|wozu|womit|wodurch|⟦(?:since|by|until|from)\s+when⟧|⟦how\s+(?!many|much)\w+⟧)"
# "Wann wurde der Vertrag in London unterschrieben?": something else than the subject stands in front.
_PARTICIPLE_LAST = compile_when_used(
    rf"^(?P<before>\s*(?:und\s+)?(?:{_OTHER_ASKED}|(?P<thing>{_THING_ASKED}))\s+)(?P<aux>ist|sind|war|waren|wurde|wurden|wird|werden|hat|haben|hatte|hatten)\s+(?P<rest>[^?.!,;]+?)\s+"
    rf"(?P<verb>[a-zäöüß]{{4,}}){_END}",
    re.IGNORECASE,
)
# Verbs that make their past with "ist": "ist gesunken" is "did drop".
_MOTION_PARTICIPLE = compile_when_used(
    r"(?:ge(?:sunken|stiegen|fallen|wachsen|kommen|gangen|storben|schehen|scheitert)|angekommen|eingetroffen|abgelaufen|ausgelaufen|ausgefallen|"
    r"entstanden|passiert|erschienen)"
)
_HAS_ALONE = compile_when_used(
    rf"^(?P<asked>\s*(?:und\s+)?(?P<which>welche[nrsm]?|⟦how\s+(?:many|much)⟧|⟦what kind of⟧)\s+(?P<noun>[^?.!,;]*?))\s+"
    rf"(?P<has>hat|haben|hatte|hatten)\s+(?P<who>[^?.!,;]+?){_END}",
    re.IGNORECASE,
)
_SURELY_SUBJECT = compile_when_used(rf"^(?:der|dieser|jeder|unser|mein|ein|diese\s+Person)\s|^{_PRONOUN}(?=\s|$)|^diese\s+Person$", re.IGNORECASE)
_PASSIVE = compile_when_used(rf"\b(?P<verb>[a-zäöüß]{{4,}})\s+werden{_END}")
_MODAL = compile_when_used(
    r"\b(?:kann|können|konnte|konnten|darf|dürfen|muss|müssen|soll|sollen|könnte|könnten|sollte|sollten|wird)\b", re.IGNORECASE
)
_ADVERBIAL = compile_when_used(
    r"\s(?:in|im|ins|an|am|auf|aus|bei|beim|mit|nach|zu|zum|zur|für|um|durch|gegen|ohne|bis|seit|über|unter|vor|während|wegen|laut|pro|ab|so|zuletzt|"
    r"bisher|schon|bereits|noch|nicht|insgesamt|gestern|heute|damals|jetzt)\s|(?<=\w)\s(?:den|einen|dem|einem|kein\w*)\s|(?<=[a-zäöüß])\s(?:die|das|eine)\s|\s⟦"
)


def reorder_clauses(text: str) -> str:
    """Return the German clause in the order of an English one; a text with no such clause stays."""
    text = _PASSIVE.sub(lambda match: _reorder_passive(match, text), text)
    text = _HAS_ALONE.sub(_reorder_has, text, count=1)
    return _PARTICIPLE_LAST.sub(_reorder_participle, text, count=1)


def _reorder_passive(match: re.Match[str], text: str) -> str:
    """ "muss … bezahlt werden" is "must … be paid"."""
    found = translate_verb(match["verb"], after_auxiliary=True)
    if found is None or found.kind != "participle" or _MODAL.search(text[: match.start()]) is None:
        return match.group()
    return f"⟦be {found.participle}⟧"


def _reorder_has(match: re.Match[str]) -> str:
    """ "Welche Mängel hat der Kran": which defects does the crane have. Where the article does not tell who has what the order stays."""
    asked, who = match["asked"], match["who"]
    last = who.split()[-1]
    if last.islower() and translate_verb(last, after_auxiliary=True) is not None:
        return match.group()
    wanted = match["which"].lower()
    named = who[0].isupper() and translate_noun(who.split()[0].lower()) is None
    many_of_one = match["has"].lower() in {"hat", "hatte"} and (wanted.startswith("⟦how many") or _is_plural_subject(wanted, match["noun"]))
    if not (wanted.endswith("en") or named or many_of_one or _SURELY_SUBJECT.match(who)):
        return match.group()
    past = match["has"].lower().startswith("hatte")
    do = "did" if past else "do" if re.match(r"(?:wir|ich|du)\b", who, re.IGNORECASE) or match["has"].lower() == "haben" else "does"
    head, behind = _split_subject(who)
    return f"{asked} ⟦{do}⟧ {head} ⟦have⟧{behind}"


def _is_plural_subject(which: str, thing: str) -> bool:
    """Return whether "welche Mängel" asks for several: then "hat" is not said of these."""
    found = translate_noun(thing.rsplit(maxsplit=1)[-1].lower()) if thing.split() else None
    return which == "welche" and found is not None and found.endswith("s") and not found.endswith("ss")


def _reorder_participle(match: re.Match[str]) -> str:
    word, aux = match["verb"].lower(), match["aux"].lower()
    found = translate_verb(word, after_auxiliary=True)
    if found is None or (aux in {"wird", "werden"} and found.kind == "base"):
        return match.group()
    subject, behind = _split_subject(match["rest"])
    if match["thing"] and aux.startswith("ha") and _SURELY_SUBJECT.match(match["rest"]) is None:
        return match.group()  # who has done it may be what is asked for
    if aux in {"ist", "sind", "war", "waren"} and _MOTION_PARTICIPLE.fullmatch(word):
        return f"{match['before']}⟦did⟧ {subject} ⟦{found.base}⟧{behind}"
    if found.kind != "participle" or not behind:
        return match.group()
    return f"{match['before']}{match['aux']} {f'{subject} ' if subject else ''}{match['verb']}{behind}"


def _split_subject(clause: str) -> tuple[str, str]:
    """ "die Kosten im August" is "die Kosten" and " im August"."""
    found = _ADVERBIAL.search(f" {clause} ")
    if found is None:
        return clause, ""
    start = max(0, found.start() - 1)
    return clause[:start], f" {clause[start:].strip()}"
