"""Athena: what a question wants, whom and what it names, which files it is restricted to, and the words that are searched.

Rules first, the first match wins, with SPEC's confidences; a rule stands above .8. At the threshold or below the model is asked where there is
one. Two checks of ours come before SPEC's order because they are narrow: questions about the program or the library, and questions without content.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from pydantic import BaseModel, ConfigDict, Field

from agents.asking import ask
from agents.document_requests import DocumentRequest, read_document_request
from agents.followups import referred, resolve
from agents.query_filters import IMAGES_SOUGHT, FoundTime, FoundWords, find_files, find_time
from agents.remembering import remember_request
from agents.required_words import find_required
from agents.wording import content_words, names, quoted_phrases
from core.errors import ModelUnavailable
from core.ports import ChatModel
from core.prompts import load_prompt
from core.search import Classification, Degradation, Filters, Frozen, Intent, Query

PROMPT = "query_classifier"
_READ = 2000  # characters that the rules look at: what a person asks stands in the first lines, the rest is pasted text


class FolderFinder(Protocol):
    """The absolute path of a folder of the library by its name, None where there is none."""

    async def __call__(self, tenant: str, name: str) -> str | None: ...


class Classified(Classification):
    """A Classification with what it took: how the question was read, the documents that are asked for themselves, the parts that did not run,
    tokens and the prompt's sha."""

    read_as: str = ""
    documents: DocumentRequest | None = None
    notes: list[str] = Field(default_factory=list)
    degraded: list[Degradation] = Field(default_factory=list)
    tokens: dict[str, int] = Field(default_factory=dict)
    prompts: dict[str, str] = Field(default_factory=dict)


class ClassifierReply(BaseModel):
    """What the model is asked for."""

    model_config = ConfigDict(extra="ignore")
    intent: Intent
    confidence: float = Field(ge=0.0, le=1.0)
    reasoning: str = ""
    entities: list[str] = Field(default_factory=list, max_length=20)
    search_text: str = ""


class Ruling(Frozen):
    intent: Intent
    confidence: float
    rule: str
    reasoning: str


@dataclass(frozen=True, slots=True)
class _Rule:
    name: str
    intent: Intent
    confidence: float
    reasoning: str
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None


def _compiled(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_DOCUMENT = (
    r"(?:documents?|docs?|files?|pdfs?|reports?|contracts?|leases?|agreements?|invoices?|polic(?:y|ies)|notes?|e-?mails?|mails?|letters?|memos?|minutes|"
    r"spread\s?sheets?|slides|presentations?|decks?|manuals?|handbooks?|guides?|resum[eé]s?|cvs?|statements?|receipts?|budgets?|proposals?|plans?|papers?|"
    r"thesis|folders?|library|records?|certificates?|warrant(?:y|ies)|articles?|books?|chapters?|sections?|clauses?|schedules?|specs?|specifications?)"
)
_HELD = (
    r"(?:documents?|docs?|files?|pdfs?|spread\s?sheets?|presentations?|slides|slide\s?decks?|e-?mails?|mails?|images?|pictures?|photos?|folders?|"
    r"pages|chunks|passages)"
)
_TAIL = (
    r"(?:[\s,]+(?:right\s+now|currently|now|so\s+far|in\s+total|altogether|at\s+the\s+moment|please|available|there|exactly))*"
    r"\s*[?.!]*\s*$"
)
_PLACE = r"(?:in|inside)\s+(?:the|my|your|our|this)\s+(?:library|index|collection|system|database|knowledge\s+base|vantage)"
_COURTESY = (
    r"^\W*(?:(?:please|pls|hi|hello|hey|so|ok|well|um|hmm)[\s,]+)*(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|maybe\s+)?)?"
    r"(?:i\s+(?:want|need|would\s+like|'?d\s+like)\s+(?:you\s+)?to\s+)?(?:please\s+)?"
)

_META = _compiled(
    r"^\W*(?:help|hi|hello|hey|good\s+(?:morning|evening|afternoon))(?:\s+(?:there|vantage|please|me))*\W*$",
    r"\bwhat\s+(?:all\s+)?(?:can|could|do|are)\s+(?:you|u|vantage|this\s+(?:thing|app|program|tool))(?:\s+(?:able\s+to\s+)?(?:do|offer|answer|help\s+(?:me\s+)?with|capable\s+of))?(?:\s+for\s+me)?"
    + _TAIL,
    r"\b(?:who|what)\s+are\s+(?:you|u)" + _TAIL,
    r"\bwhat\s+is\s+(?:vantage|this\s+(?:app|program|tool))" + _TAIL,
    r"\bhow\s+(?:do|can)\s+i\s+use\s+(?:you|vantage|this)(?:\s+(?:app|program|tool|thing))?" + _TAIL,
    r"\bhow\s+do(?:es)?\s+(?:you|vantage|this\s+(?:app|program|tool|thing))\s+work" + _TAIL,
    r"\byour\s+(?:capabilities|features|functions|abilities)\b",
    rf"\b(?:how\s+many|number\s+of|count\s+(?:of\s+)?(?:the\s+|my\s+|all\s+)*|how\s+much)\s*{_HELD}\b.*\b(?:indexed|loaded|stored|searchable)\b",
    rf"\b(?:how\s+many|number\s+of|count\s+(?:of\s+)?(?:the\s+|my\s+|all\s+)*)\s*(?:\w+\s+)?{_HELD}\b.*\b{_PLACE}" + _TAIL,
    rf"\bhow\s+many\s+(?:\w+\s+)?{_HELD}\s+(?:are\s+there|do\s+(?:you|u|i|we)\s+have|have\s+(?:you|i|we)(?:\s+got)?|(?:can|did|have)\s+(?:you|u)\s+(?:read|see|search|know|indexed?))"
    + _TAIL,
    rf"^\W*(?:how\s+many|count|number\s+of)\s+(?:the\s+|my\s+|all\s+)*{_HELD}" + _TAIL,
    rf"\b(?:which|what)\s+(?:kinds?\s+of\s+|types?\s+of\s+)?{_HELD}\s+(?:are\s+(?:indexed|there|in\s+the\s+(?:library|index)|watched|available)|(?:do\s+)?(?:you|u|i|we)\s+have|have\s+(?:you|i)(?:\s+(?:read|got|indexed))?|can\s+(?:you|i)\s+(?:read|search|ask(?:\s+about)?|see))"
    + _TAIL,
    rf"{_COURTESY}(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+)?{_HELD}(?:\s+(?:you\s+have|i\s+have|that\s+are\s+indexed|{_PLACE}))?"
    + _TAIL,
    r"\bwhat(?:'?s|\s+is|\s+do\s+you\s+have)\s+(?:in|inside)\s+(?:the|my|your)\s+(?:library|index|collection)" + _TAIL,
    r"\bwhat(?:'?s|\s+is|\s+has\s+been|\s+have\s+you)\s+(?:been\s+)?indexed" + _TAIL,
    r"\b(?:status|state|size)\s+of\s+(?:the|my|your)\s+(?:index|library)\b",
    r"\bwhen\s+(?:was|were|did)\b.*\blast\s+index(?:ed|ing)?\b",
    r"\bwhich\s+(?:language\s+)?model\s+(?:do|are|is)\s+(?:you|vantage|it)\b",
)
_COMPARE = _compiled(
    r"\bcompar(?:e|es|ing|ison|isons)\b|^\W*compared\b",
    r"\bversus\b|\bvs\b\.?",
    r"\bdiff(?:erence|erences|erent|s)?\s+(?:\w+\s+)?(?:between|from|btw|betw)\b",
    r"\bhow\s+(?:do|does|did|are|is|r)\b.*\bdiffer(?:ent)?\b",
    r"\bwhat(?:'?s|\s+is|\s+are)?\s+(?:the\s+)?differ(?:ent|ence|ences)\b",
    r"\b(?:similarit(?:y|ies)|contrast)\s+(?:between|of|with)\b|\bcontrast\b.*\b(?:and|with)\b",
    r"\bside\s+by\s+side\b|\bwhich\s+(?:one\s+)?is\s+(?:\w+er|better|more\s+\w+)\b.*\bor\b",
)
_SUMMARY = _compiled(
    r"\bsumm?ari[sz]\w*\b",
    r"(?<!executive )\bsumm?ary\b|\bexecutive\s+summary\s+of\b",
    r"\bsum\s+(?:it\s+|this\s+|that\s+|them\s+)?up\b",
    r"\btl\s?;?\s?dr\b|\bgist\b|\brecap\b|\bin\s+a\s+nutshell\b",
    r"\b(?:an?|the|quick|brief|short)\s+overview\b",
    r"\b(?:key|main|most\s+important|important)\s+(?:points?|take-?aways?|ideas|messages)\b",
    r"\bboil\s+(?:\w+\s+)?down\b|\bbrief\s+me\b|\bthe\s+short\s+version\b",
)
_ANALYSE = _compiled(
    _COURTESY + r"(?:do\s+an?\s+|an?\s+|make\s+an?\s+|run\s+an?\s+)?(?:analy[sz]e|analysis\s+of|assess|evaluate|examine|break\s+down)\b",
    r"\b(?:do|make|run|give\s+me)\s+(?:me\s+)?an?\s+(?:\w+\s+)?analysis\b",
    r"\btrends?\s+(?:in|of|over|across|for)\b|\bpatterns?\s+(?:across|between)\b|\b(?:what|which|any|find|show|identify|spot)\s+(?:me\s+)?(?:the\s+)?patterns?\b|\broot\s+causes?\b",
    r"\b(?:strengths\s+and\s+weaknesses|pros\s+and\s+cons|swot|insights?\s+(?:from|into|about|can))\b",
    r"\bwhat\s+(?:can|could)\s+(?:we|i|be)\s+(?:learn|learned|conclude|concluded|infer)\b|\bcorrelations?\s+between\b",
)
_OWN = _compiled(
    rf"\b(?:my|our|your|their|his|her)\s+(?:\S+\s+){{0,3}}{_DOCUMENT}\b",
    rf"\b\w+(?:'s|s')\s+(?:\S+\s+){{0,2}}{_DOCUMENT}\b",
)
_GENERAL = _compiled(
    r"\bwhat(?:'?s|\s+is|\s+was)?\s+(?:the\s+)?(?:capital|currency|national\s+anthem)\s+(?:city\s+)?of\b",
    r"\bcapital\s+of\s+\w+\s*\??$",
    r"\bwho\s+(?:invented|discovered|painted|composed)\b",
    r"\bwho(?:'?s|\s+is|\s+was)\s+(?:the\s+)?(?:current\s+|first\s+)?(?:president|king|queen|prime\s+minister|chancellor|pope)(?:\s+of\s+(?:the\s+)?(?:us|usa|united\s+states|uk|united\s+kingdom|england|france|germany|china|india|russia|spain|italy|japan|canada))?\W*$",
    r"\b(?:write|tell|compose|make\s+up)\s+(?:me\s+)?(?:a|an|some)\s+(?:\w+\s+)?(?:poem|joke|story|song|haiku|limerick|riddle|fun\s+fact|rap)\b",
    _COURTESY + r"translate\b.*\b(?:to|into)\s+[a-z]+\W*$",
    r"\bwhat(?:'?s|\s+is|s)?\s+the\s+weather\b|\bweather\s+(?:in|today|tomorrow|forecast)\b",
    r"\bwhat\s+time\s+is\s+it\b|\bwhat(?:'?s|\s+is)\s+the\s+time(?:\s+now|\s+in\s+\w+)?\W*$",
    r"^\W*(?:(?:what(?:'?s|\s+is)|calculate|compute|how\s+much\s+is)\s+)?\d[\d\s.,]*(?:[-+*/x×÷^]|plus|minus|times|divided\s+by)[\d\s.,+*/x×÷^()=-]*\d\W*$",
    r"\bhow\s+(?:do|can|would|should|to)\s*(?:i|you|we|one)?\s+(?:cook|bake|fry|boil|roast|grill|brew|knit|juggle|whistle)\b",
    r"\b(?:highest|tallest|largest|longest|biggest|deepest|smallest)\s+(?:mountain|river|country|animal|building|ocean|lake|planet|city)\b.*\b(?:world|earth|universe|solar\s+system)\b",
    r"\bhow\s+(?:far|big|old|hot|heavy)\s+is\s+the\s+(?:sun|moon|earth|universe|milky\s+way)\b|\bspeed\s+of\s+light\b|\bmeaning\s+of\s+life\b",
    r"\bexplain\b.*\b(?:like\s+i'?\s?a?m\s+(?:five|5)|to\s+a\s+(?:child|kid|five|5))\b|\beli5\b",
    r"\bin\s+general\s*[?.!]*$|\bgenerally\s+speaking\b|\bgeneral\s+knowledge\b|\bfrom\s+your\s+own\s+knowledge\b|\b(?:not\s+from|without)\s+(?:my|the|any)\s+documents\b",
    _COURTESY + r"define\s+\w+(?:\s\w+)?\W*$",
)
_FROM_DOCUMENTS = _compiled(
    rf"\b(?:in|from|according\s+to|by|of|does|do|say|says|under)\s+(?:the|this|that|these|those|our|my|any)\s+(?:\S+\s+){{0,3}}{_DOCUMENT}\b",
    r"\w\.[a-z]{3,4}\b",
)

# "Who wrote the overview of …?", "When was the summary sent?" ask for a name or a day.
_FOR_ONE_THING = _compiled(r"^\W*(?:who|whom|whose|when|where|wer|wann|wo)\b(?!.*\b(?:summ?ari[sz]e|sum\s+(?:it|this|that|them)\s+up)\b)")

RULES: tuple[_Rule, ...] = (
    _Rule("system", Intent.SYSTEM_META, 0.9, "It asks about Vantage or about what is in the library.", _META),
    _Rule("image", Intent.DOCUMENT_SEARCH, 0.95, "It asks for images.", IMAGES_SOUGHT),
    _Rule("comparison", Intent.COMPARISON, 0.85, "It sets things side by side.", _COMPARE),
    _Rule("summarisation", Intent.SUMMARIZATION, 0.85, "It asks for the main points.", _SUMMARY, _FOR_ONE_THING),
    _Rule("analysis", Intent.ANALYSIS, 0.85, "It asks for an analysis.", _ANALYSE),
    _Rule("own documents", Intent.DOCUMENT_SEARCH, 0.85, "It speaks of somebody's own documents.", _OWN),
    _Rule("general knowledge", Intent.GENERAL_KNOWLEDGE, 0.85, "It is a question about the world, not about documents.", _GENERAL, _FROM_DOCUMENTS),
)
_REMEMBER = Ruling(intent=Intent.SYSTEM_META, confidence=0.95, rule="remember", reasoning="It asks to keep something in mind.")
_DOCUMENTS = Ruling(intent=Intent.DOCUMENT_SEARCH, confidence=0.9, rule="documents", reasoning="It asks for documents themselves.")
_DEFAULT = Ruling(intent=Intent.DOCUMENT_SEARCH, confidence=0.6, rule="default", reasoning="Nothing says otherwise, so the documents are searched.")
_NO_CONTENT = Ruling(intent=Intent.CLARIFICATION_NEEDED, confidence=0.9, rule="no content", reasoning="The question names nothing to search for.")


@dataclass(frozen=True, slots=True)
class Athena:
    """What Athena may reach and her bounds. `llm` None: rules alone."""

    llm: ChatModel | None
    now: datetime
    find_folder: FolderFinder | None = None
    threshold: float = 0.8


async def classify(query: Query, *, athena: Athena) -> Classified:
    """The intent with its confidence, entities, filters and the text to search. Never fails for want of a model: rules stand in and it says so."""
    text = resolve(query.text[:_READ], query.history) + query.text[_READ:]
    ruling, sought = apply_rules(text), read_document_request(text, athena.now)
    if sought is not None and (ruling.intent is Intent.DOCUMENT_SEARCH or (ruling.rule == "system" and sought.is_restricted)):
        ruling = _DOCUMENTS
    by_rules = (await _described(query, text, ruling, athena)).model_copy(update={"documents": sought if ruling is _DOCUMENTS else None})
    if athena.llm is None or ruling.confidence > athena.threshold:
        return by_rules
    return await _asked(query, by_rules, athena.llm)


def apply_rules(text: str) -> Ruling:
    """SPEC's rules in order; the default where none matches."""
    plain = re.sub(r"\s+", " ", text[:_READ].translate({0x2019: "'", 0x2018: "'"})).strip()
    if remember_request(plain):
        return _REMEMBER
    for rule in RULES:
        if rule.pattern.search(plain) and not (rule.unless and rule.unless.search(plain)):
            return Ruling(intent=rule.intent, confidence=rule.confidence, rule=rule.name, reasoning=rule.reasoning)
    return _DEFAULT if content_words(plain) or quoted_phrases(plain) else _NO_CONTENT


async def _described(query: Query, resolved: str, ruling: Ruling, athena: Athena) -> Classified:
    text, head = resolved, resolved[:_READ]
    required = find_required(head)
    text, head = required.text + text[_READ:], required.text
    files, time = find_files(head), find_time(head, athena.now)
    notes: list[str] = [f"Only passages with “{phrase}”" for phrase in required.must] + [
        f"No passages with “{phrase}”" for phrase in required.must_not
    ]
    folder = await _folder(query.tenant, files.folder, athena.find_folder, notes)
    filters = _merged(query.filters, files, time, folder)
    meant = referred(query.text[:_READ], query.last_results)
    if meant and not query.filters.document_ids:
        filters = filters.model_copy(update={"document_ids": meant})
        notes.append(
            f"“{query.text[:60].strip()}” is read as about {'that result' if len(meant) == 1 else f'{len(meant)} results'} of the turn before"
        )
    return Classified(
        intent=ruling.intent,
        confidence=ruling.confidence,
        rule=ruling.rule,
        reasoning=ruling.reasoning,
        entities=names(head),
        quoted=quoted_phrases(head),
        filters=filters,
        time=time.time if time else None,
        search_text=_search_text(text, files, time, keep_folder=folder is None),
        read_as=resolved if resolved != query.text else "",
        must=required.must,
        must_not=required.must_not,
        notes=notes,
    )


async def _folder(tenant: str, name: str, find: FolderFinder | None, notes: list[str]) -> str | None:
    if not name or find is None:
        return None
    path = await find(tenant, name)
    if path is None:
        notes.append(f"There is no folder “{name}” in the library, so all folders are searched")
    return path


def _merged(given: Filters, files: FoundWords, time: FoundTime | None, folder: str | None) -> Filters:
    """The request's own filters win over the words."""
    changes: dict[str, object] = {}
    if files.file_types and not given.file_types:
        changes["file_types"] = list(files.file_types)
    if folder and not given.path_prefix:
        changes["path_prefix"] = folder
    if time and time.of_files and given.modified_after is None and given.modified_before is None:
        changes |= {"modified_after": time.after, "modified_before": time.before}
    return given.model_copy(update=changes) if changes else given


_FLUFF = re.compile(
    r"^\W*(?:(?:please|pls|hi|hello|hey|so|ok|okay|well|um|hmm)\b[\s,]*)*(?:(?:can|could|would)\s+(?:you|u)\s+(?:please\s+|maybe\s+|kindly\s+)?"
    r"(?:tell|show|find|give)\s+(?:me|us)\s+(?:out\s+)?(?:please\s+)?|(?:please\s+)?tell\s+(?:me|us)\s+|i\s+(?:would\s+like|want|need|wanted)\s+to\s+know\s+|i'?d\s+like\s+to\s+know\s+)",
    re.IGNORECASE,
)


_TASK = re.compile(
    r"^\W*(?:(?:please|pls)\s+)?(?:(?:can|could|would|will)\s+(?:you|u)\s+(?:please\s+|maybe\s+|kindly\s+)?)?"
    r"(?:i(?:'d|\s+would)?\s+(?:want|need|like)\s+(?:you\s+to\s+)?)?(?:give\s+me\s+|do\s+(?:me\s+)?|make\s+)?"
    r"(?:compare|contrast|summ?ari[sz]e|sum\s+up|brief\s+me\s+on|analy[sz]e|assess|evaluate|examine|"
    r"(?:(?:an?|the)\s+)?(?:\w+\s+)?(?:comparison|summ?ary|overview|gist|recap|analysis)\s+of)\s+",
    re.IGNORECASE,
)


def _search_text(text: str, files: FoundWords, time: FoundTime | None, *, keep_folder: bool) -> str:
    """The question without courtesies, without the task ("compare …": no document says so) and without the words that became filters; the
    question itself where nothing would be left."""
    spans = [span for span in files.spans if not (keep_folder and "folder" in text[slice(*span)].lower())]
    if time and time.of_files:
        spans.append(time.span)
    kept = text
    for start, end in sorted(spans, reverse=True):
        kept = f"{kept[:start]} {kept[end:]}"
    kept = re.sub(r"\s+", " ", re.sub(r"\s+([?.!,])", r"\1", _FLUFF.sub("", _TASK.sub("", kept)))).strip(" ,")
    return kept if content_words(kept) else text.strip()


async def _asked(query: Query, by_rules: Classified, llm: ChatModel) -> Classified:
    prompt = load_prompt(PROMPT)
    history = "\n".join(f"- {question}" for question, _ in query.history[-5:])
    try:
        asked = await ask(llm, prompt, {"history": history or "(none)", "question": query.text}, ClassifierReply)
    except ModelUnavailable as error:
        return by_rules.model_copy(
            update={"degraded": [Degradation(part="classifier", reason=f"{error} The rules alone decided what the question wants.")]}
        )
    reply = asked.reply
    return by_rules.model_copy(
        update={
            "intent": reply.intent,
            "confidence": reply.confidence,
            "rule": "model",
            "by": llm.name,
            "reasoning": reply.reasoning[:300],
            "entities": list(dict.fromkeys([*by_rules.entities, *(name[:100] for name in reply.entities)])),
            "search_text": _grounded(reply.search_text, query, by_rules.search_text),
            "tokens": {"input": asked.input_tokens, "output": asked.output_tokens},
            "prompts": {prompt.name: prompt.sha},
        }
    )


def _grounded(proposed: str, query: Query, fallback: str) -> str:
    """The model's search text only where its words stand in the question or the conversation; a model that adds words is not followed."""
    known = set(content_words(" ".join([query.text, *(part for pair in query.history for part in pair)])))
    words = content_words(proposed)
    return proposed.strip() if words and sum(word in known for word in words) >= 0.8 * len(words) else fallback
