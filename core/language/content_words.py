"""Words as they are compared: tokens, the words that carry nothing, and stems without the commonest English endings."""

from __future__ import annotations

import re

STOP_WORDS = frozenset(
    "a an the and or but nor so if then than as at by for from in into of off on onto out over per to up via with within "
    "without about against between "
    "is are was were be been being am do does did done doing have has had having can could may might must shall should will would "
    "i you he she it we they me him her us them my your his its our their mine yours hers ours theirs this that these those there here "
    "what which who whom whose when where why how whats whos hows wheres whens "
    "not no yes ok okay please pls plz thanks thank hi hello hey just also too very really again more some any all each every "
    "tell say says said show give find get let know want need like look see ask mean means thing things stuff something anything one ones".split()
)
_ENDINGS = ("ing", "ies", "ed", "es", "s")
_TOKEN = re.compile(r"\w+(?:['’.&-]\w+)*", re.UNICODE)


def tokens(text: str) -> list[str]:
    """Return the words of `text` in lower case, in order."""
    return [match.group().lower().replace("’", "'") for match in _TOKEN.finditer(text)]


_DESCRIBED = 3  # words


def stems(text: str) -> frozenset[str]:
    """Return the words that carry content without their commonest English endings ("limits", "limit"; "offers", "offer")."""
    return frozenset(stem(word) for word in tokens(text) if word not in STOP_WORDS)


def is_described(topic: str) -> bool:
    """Return whether a topic is described in several words ("shear buckling of thin plates") rather than named ("insurance"): one passage with all of
    them is about it, and others say it in other words."""
    return len(stems(topic)) >= _DESCRIBED


def stem(word: str) -> str:
    """Return a word, in lower case, without its commonest English ending."""
    word = word.removesuffix("'s")
    if word.endswith("ees"):  # "fees", "employees": the "e" is the word's own
        word = word.removesuffix("s")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            base = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            return base.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


def strip_thousands_marks(number: str) -> str:
    """Return a number without its thousands marks: 1,200 and 1200 are one number."""
    return re.sub(r",(?=\d{3}\b)", "", number)
