"""The wording of questions: their politeness, those that ask what a document says about a topic, and those that only name something."""

from __future__ import annotations

import re

_POLITE = re.compile(
    r"^\W*(?:(?:hi|hello|hey|hallo|please|bitte)\b[\s,!]*)*(?:(?:could|can|would|will)\s+you\s+(?:please\s+|kindly\s+)?)?(?:please\s+)?"
    r"(?:(?:tell|show)\s+me\s+)?(?=(?:who|whom|whose|what|which|when|where|why|how|if|whether)\b)",
    re.IGNORECASE,
)
_POLITE_END = re.compile(r"(?:(?<=[?!.])\s+|\s*[,;:–—-]+\s*)(?:please|pls|thanks|thank\s+you|bitte|danke)\W*$", re.IGNORECASE)


_CONTRACTED = re.compile(r"^\W*(what|who|where|when|how)['’]?s\b", re.IGNORECASE)  # also typed without its apostrophe


def strip_politeness(question: str) -> str:
    """Return a question without its greeting, please and thanks, its "what's" written out; itself where nothing else stands in it."""
    return _CONTRACTED.sub(r"\1 is", _POLITE_END.sub("", _POLITE.sub("", question, count=1)) or question, count=1)


_PLACE_IN_FRONT = re.compile(
    r"^\W*(?P<place>(?:in|on|at|for|under|from|within|during|among|according\s+to|(?:as\s+)?per)\s+[^,?]{3,80}),\s+"
    r"(?=(?:who|whom|whose|what|which|where|when|why|how)\b)",
    re.IGNORECASE,
)


def split_place(question: str) -> tuple[str, str]:
    """Return what stands in front of a question word, "" for nothing, and the question from that word on: "In the lease" and "how large is the
    deposit?"."""
    found = _PLACE_IN_FRONT.match(question)
    return (found["place"], question[found.end() :]) if found is not None else ("", question)


_SAID_ABOUT = re.compile(
    r"^\W*(?:and\s+)?what\s+(?:does|do|did)\s+(?P<document>[^?]+?)\s+(?:say|state|tell\s+us|write|answer|reply|respond|explain|report)\s+(?:about|on|of|to|regarding|concerning)\s+(?P<topic>[^?]+?)\W*$|"
    r"^\W*(?:und\s+)?was\s+(?:sagt|steht\s+in|schreibt|antwortet(?:e)?|erklärt)\s+(?P<dokument>[^?]+?)\s+(?:über|zu|zur|zum)\s+(?P<thema>[^?]+?)\W*$",
    re.IGNORECASE,
)


_REPLY = r"(?:response|answer|reply|reaction|position|opinion|view|statement)"
_REPLY_ABOUT = re.compile(
    rf"^\W*(?:and\s+)?what\s+(?:was|is)\s+(?:the\s+{_REPLY}\s+(?:of|from)\s+(?P<of>[^?]+?)|(?P<whose>[^?]+?)['’]s?\s+{_REPLY})\s+"
    r"(?:about|on|to|regarding|concerning)\s+(?P<topic>[^?]+?)\W*$",
    re.IGNORECASE,
)


def document_and_topic(question: str) -> tuple[str, str]:
    """Return the document, or the person, and the topic of "What does Kestrel's quote say about delivery?" and "What was the agent's answer on the
    crane?"; two empty texts for any other question."""
    bare = strip_politeness(question)
    if (found := _SAID_ABOUT.match(bare)) is not None:
        return found["document"] or found["dokument"], found["topic"] or found["thema"]
    if (found := _REPLY_ABOUT.match(bare)) is not None:
        return found["of"] or found["whose"], found["topic"]
    return "", ""


_SAID_BY = re.compile(
    r"^\W*(?:and\s+)?what\s+(?:does|do|did)\s+(?P<who>[^?,]{2,40}?)\s+(?:say|says|said|write|think|want|ask\s+for|ask|tell\s+us|suggest|propose|recommend)\s+"
    r"(?:that\s+)?(?P<what>(?:must|may|should|has\s+to|have\s+to|needs?\s+to|will|would|can|is|are|was|were|happens?|happened)\s+[^?]{8,})\W*$",
    re.IGNORECASE,
)


def speaker_and_question(question: str) -> tuple[str, str]:
    """Return who is asked about and what, of "What does the agent say must happen before work starts?": ("the agent", "What must happen before work
    starts?"); two empty texts for any other question."""
    found = _SAID_BY.match(strip_politeness(question))
    return (found["who"], f"What {found['what'].strip()}?") if found is not None else ("", "")


_NAMED_ALONE = re.compile(
    r"^\W*(?i:(?:please\s+)?(?:tell\s+(?:me|us)\s+)?(?:something\s+|more\s+)?about|(?:who|what)(?:['’]s|\s+(?:is|are|was|were))|what\s+do(?:es)?(?=.*\bdo\W*$)|"
    r"(?:wer|was)\s+(?:ist|sind|war|macht))\s+(?P<name>[A-ZÀ-Þ][\w’'&.-]*(?:\s+(?:&|and|of|de|von|[A-ZÀ-Þ][\w’'&.-]*))*)(?:\s+do)?\s*\??\W*$"
)


def name_alone(question: str) -> str:
    """Return the name in a question of nothing else ("Who is Ada Holm?", "Tell me about Ada Holm"); "" in any other question."""
    match = _NAMED_ALONE.match(question)
    return " ".join(match["name"].split()) if match is not None else ""
