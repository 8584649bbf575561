"""Follow-ups read against the conversation: "and in 2023?" becomes the earlier question about 2023. Rules only, and only where they are sure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agents.wording import PRONOUNS, content_words, names, tokens

_OPENER = re.compile(r"^\s*(?:(?:ok|okay|so|well|hmm)[,\s]+)?(?:and|but|also)?[,\s]*(?:what|how)\s+about\b|^\s*(?:and|but|or|also)\b", re.IGNORECASE)
_KINDS = (
    re.compile(r"\bQ[1-4]\b", re.IGNORECASE),
    re.compile(r"\b(?:19|20)\d\d\b"),
    re.compile(r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"),
)
_IMPERSONAL = re.compile(r"\b(?:is|was|makes?|take[sn]?) it\b|\bit(?:'s| is| was) (?:true|possible|allowed|necessary|that)\b", re.IGNORECASE)
_PERSON = re.compile(r"\b(?:he|she|him)\b", re.IGNORECASE)
_REFERS = re.compile(r"\b(?:it|they|them|he|she|him|its|their|his|her)\b", re.IGNORECASE)
_DANGLING = re.compile(r"\b(?:that|this|those|these)\s*[?.!]*\s*$", re.IGNORECASE)
_LONGEST = 12


def resolve(text: str, history: Sequence[tuple[str, str]]) -> str:
    """`text` as a question that stands alone. `history` holds (question, answer) pairs, oldest first; unchanged where nothing is missing."""
    previous = ""
    for question, _ in history[-10:]:
        previous = _against(question, previous)
    return _against(text, previous)


def _against(text: str, previous: str) -> str:
    if not previous or len(tokens(text)) > _LONGEST:
        return text
    opener = _OPENER.match(text)
    if opener:
        return _substituted(text[opener.end() :].strip(" ,?!."), previous)
    if not content_words(text) and set(tokens(text)) & PRONOUNS:
        return previous
    return _with_subject(text, previous)


def _substituted(rest: str, previous: str) -> str:
    """The earlier question with the new time or name in the place of the old one of the same kind; otherwise the new topic with the earlier
    names, or behind the earlier question where that names nobody."""
    if not content_words(rest):
        return previous
    replaced = previous
    for kind in _KINDS:
        new, old = kind.findall(rest), kind.findall(replaced)
        if len(new) == 1 and old:
            replaced = _replace_last(replaced, old[-1], new[0])
    new_names, old_names = names(f"for {rest}"), names(previous)
    if len(new_names) == 1 and len(old_names) == 1 and replaced == previous:
        return previous.replace(old_names[0], new_names[0])
    if replaced != previous:
        return replaced
    if len(tokens(rest)) > 5:
        return rest  # long enough to stand alone
    return f"{rest} ({', '.join(old_names)})?" if old_names else f"{previous.rstrip(' ?.!')}, {rest}?"


def _with_subject(text: str, previous: str) -> str:
    """A pronoun without a name of its own: a person's takes the last name of the earlier question, another one brings its words along."""
    refers = _REFERS.search(text) or _DANGLING.search(text)
    if not refers or names(text) or _IMPERSONAL.search(text):
        return text
    known = names(previous)
    if known and _PERSON.search(text):
        return _PERSON.sub(known[-1], text, count=1)
    said = set(tokens(text))
    wanted = set(content_words(previous)) - said
    subject = [word for word in re.findall(r"[\w'’.&-]*\w", previous) if word.lower() in wanted]
    return f"{text.rstrip(' ?.!')} ({' '.join(subject[:8])})?" if subject else text


def _replace_last(text: str, old: str, new: str) -> str:
    head, _, tail = text.rpartition(old)
    return f"{head}{new}{tail}"


_ORDINALS = {
    word: number for number, words in enumerate(("first 1st top", "second 2nd", "third 3rd", "fourth 4th", "fifth 5th"), 1) for word in words.split()
}
_RANKED = re.compile(
    rf"\b(?:the\s+)?({'|'.join(_ORDINALS)}|last)\s+(?:one|result|document|file|hit|source|of\s+(?:them|these|those))\b|"
    r"\b(?:result|document|source)\s*#?\s*([1-9])\b(?!\s*[.,]?\d)",
    re.IGNORECASE,
)
_IT = re.compile(r"\b(?:it|this\s+one|that\s+one|this|that)\b(?=\s+(?:with|to|and|against|vs)\b)", re.IGNORECASE)
_THEM = re.compile(
    r"\b(?:compare|contrast|summari[sz]e)\s+(?:all\s+of\s+)?(?:them|these|those|both)\b\s*(?:results|documents|files)?\s*[?.!]*$", re.IGNORECASE
)


def referred(text: str, last_results: Sequence[str]) -> list[str]:
    """The results of the turn before that a question points at by their rank ("the second one", "compare it with the third"), [] for none."""
    if not last_results or len(tokens(text)) > _LONGEST:
        return []
    if _THEM.search(text):
        return list(last_results[: 2 if "both" in tokens(text) else 5])
    places = [len(last_results) if word.lower() == "last" else _ORDINALS.get(word.lower(), 0) or int(digit) for word, digit in _RANKED.findall(text)]
    if any(place > len(last_results) for place in places):
        return []
    if places and _IT.search(text):
        places = [1 if places[0] != 1 else 2, *places]
    return list(dict.fromkeys(last_results[place - 1] for place in places if place <= len(last_results)))
