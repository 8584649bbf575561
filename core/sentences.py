"""Where sentences begin and end, as spans. Rules only: no model, no language data beyond a list of abbreviations."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof sr jr st vs etc e.g i.e eg ie cf al fig figs eq no nos vol vols pp p ed eds inc ltd co corp dept est approx art sec ch "
    "jan feb mar apr jun jul aug sep sept oct nov dec u.s u.k a.m p.m z.b bzw ca nr str usw abs vgl sra srta ud uds núm pág".split()
)
# A terminator with its closing quotes and brackets, then white space. CJK full stops need no space.
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s)|[。！？]+[」』”’）]*|\n")
_OPENERS = "\"'“‘«([¿¡—–-•*"


def split_sentences(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of the sentences of `text`, without surrounding white space; a line break ends a sentence.

    Their text plus the white space between them is the whole of `text`.
    """
    spans: list[tuple[int, int]] = []
    begin = 0
    for match in _END.finditer(text):
        if text[match.start()] == "." and not _ends_sentence(text, begin, match.start(), match.end()):
            continue
        _append(spans, text, begin, match.end())
        begin = match.end()
    _append(spans, text, begin, len(text))
    return spans


def _append(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if end > start:
        spans.append((start, end))


def _ends_sentence(text: str, begin: int, stop: int, end: int) -> bool:
    """Whether the full stop at `stop` ends the sentence that began at `begin`; `end` is behind its closing marks."""
    word = re.search(r"[\w.]*$", text[max(begin, stop - 24) : stop])
    before = word.group().lower() if word else ""
    after = text[end : end + 40].lstrip(" \t")
    if before in _ABBREVIATIONS:
        return before in {"etc", "a.m", "p.m", "usw"} and bool(after[:1].isupper())
    if len(before) == 1 and before.isalpha() and text[stop - 1].isupper():
        return False  # an initial: "J. Smith"
    if re.fullmatch(r"\d{1,3}|[ivxlc]{1,4}", before) and not text[begin : stop - len(before)].strip():
        return False  # an item's number: "3. The tenant …"
    return not (after[:1].islower() or (after[:1] in ",;:" and after != ""))


def word_count(text: str) -> int:
    """Words as white space separates them; each run of CJK characters counts as one word for every two characters."""
    cjk = len(re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]", text))
    return len(text.split()) + cjk // 2


def opens_mid_thought(text: str) -> bool:
    """Whether a sentence starts in lower case, as a piece cut out of a longer one does."""
    first = text.lstrip(_OPENERS + " ")[:1]
    return first.islower()
