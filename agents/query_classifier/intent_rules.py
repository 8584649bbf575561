"""The rules by which Athena tells what a question wants, tried in order: the first match wins, with SPEC's confidences."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agents.overview.related_names import related_name
from agents.query_classifier.memory_requests import remember_request
from agents.text.query_filters import IMAGES_SOUGHT
from agents.text.question_words import content_words, quoted_phrases
from agents.text.superlative_questions import SUPERLATIVE_FIRST, SUPERLATIVE_QUESTION
from core.query_routes import Aspect
from core.search import FrozenModel, Intent

MOST_CHARACTERS = 2000  # characters that the rules look at: what a person asks stands in the first lines, the rest is pasted text


class IntentRuling(FrozenModel):
    """The intent that a rule gives a question, with the rule's name and its reason in words."""

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


def _compile(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)


_DOCUMENT = (
    r"(?:documents?|docs?|files?|pdfs?|reports?|contracts?|leases?|agreements?|invoices?|polic(?:y|ies)|notes?|e-?mails?|mails?|letters?|memos?|minutes|"
    r"spread\s?sheets?|slides|presentations?|decks?|manuals?|handbooks?|guides?|resum[eé]s?|cvs?|statements?|receipts?|budgets?|proposals?|plans?|papers?|"
    r"thesis|folders?|library|records?|certificates?|warrant(?:y|ies)|articles?|books?|chapters?|sections?|clauses?|schedules?|specs?|specifications?)"
)
_LIBRARY_CONTENT = (
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

_META = _compile(
    r"^\W*(?:help|hi|hello|hey|good\s+(?:morning|evening|afternoon))(?:\s+(?:there|vantage|please|me))*\W*$",
    r"\bwhat\s+(?:all\s+)?(?:can|could|do|are)\s+(?:you|u|vantage|this\s+(?:thing|app|program|tool))(?:\s+(?:able\s+to\s+)?(?:do|offer|answer|help\s+(?:me\s+)?with|capable\s+of))?(?:\s+for\s+me)?"
    + _TAIL,
    r"\b(?:who|what)\s+are\s+(?:you|u)" + _TAIL,
    r"\bwhat\s+is\s+(?:vantage|this\s+(?:app|program|tool))" + _TAIL,
    r"\bhow\s+(?:do|can)\s+i\s+use\s+(?:you|vantage|this)(?:\s+(?:app|program|tool|thing))?" + _TAIL,
    r"\bhow\s+do(?:es)?\s+(?:you|vantage|this\s+(?:app|program|tool|thing))\s+work" + _TAIL,
    r"\byour\s+(?:capabilities|features|functions|abilities)\b",
    rf"\b(?:how\s+many|number\s+of|count\s+(?:of\s+)?(?:the\s+|my\s+|all\s+)*|how\s+much)\s*{_LIBRARY_CONTENT}\b.*\b(?:indexed|loaded|stored|searchable)\b",
    rf"\b(?:how\s+many|number\s+of|count\s+(?:of\s+)?(?:the\s+|my\s+|all\s+)*)\s*(?:\w+\s+)?{_LIBRARY_CONTENT}\b.*\b{_PLACE}" + _TAIL,
    rf"\bhow\s+many\s+(?:\w+\s+)?{_LIBRARY_CONTENT}\s+(?:are\s+there|do\s+(?:you|u|i|we)\s+have|have\s+(?:you|i|we)(?:\s+got)?|(?:can|did|have)\s+(?:you|u)\s+(?:read|see|search|know|indexed?))"
    + _TAIL,
    rf"^\W*(?:how\s+many|count|number\s+of)\s+(?:the\s+|my\s+|all\s+)*{_LIBRARY_CONTENT}" + _TAIL,
    rf"\b(?:which|what)\s+(?:kinds?\s+of\s+|types?\s+of\s+)?{_LIBRARY_CONTENT}\s+(?:are\s+(?:indexed|there|in\s+the\s+(?:library|index)|watched|available)|(?:do\s+)?(?:you|u|i|we)\s+have|have\s+(?:you|i)(?:\s+(?:read|got|indexed))?|can\s+(?:you|i)\s+(?:read|search|ask(?:\s+about)?|see))"
    + _TAIL,
    rf"{_COURTESY}(?:list|show)\s+(?:me\s+)?(?:all\s+)?(?:of\s+)?(?:the\s+|my\s+)?{_LIBRARY_CONTENT}(?:\s+(?:you\s+have|i\s+have|that\s+are\s+indexed|{_PLACE}))?"
    + _TAIL,
    r"\bwhat(?:'?s|\s+is|\s+do\s+you\s+have)\s+(?:in|inside)\s+(?:the|my|your)\s+(?:library|index|collection)" + _TAIL,
    r"\bwhat(?:'?s|\s+is|\s+has\s+been|\s+have\s+you)\s+(?:been\s+)?indexed" + _TAIL,
    r"\b(?:status|state|size)\s+of\s+(?:the|my|your)\s+(?:index|library)\b",
    r"\bwhen\s+(?:was|were|did)\b.*\blast\s+index(?:ed|ing)?\b",
    r"\bwhich\s+(?:language\s+)?model\s+(?:do|are|is)\s+(?:you|vantage|it)\b",
)
_COMPARE = _compile(
    r"\bcompar(?:e|es|ing|ison|isons)\b|^\W*compared\b",
    r"\bversus\b|\bvs\b\.?",
    r"\bdiff(?:erence|erences|erent|s)?\s+(?:\w+\s+)?(?:between|from|btw|betw)\b",
    r"\bhow\s+(?:do|does|did|are|is|r)\b.*\bdiffer(?:ent)?\b",
    r"\bwhat(?:'?s|\s+is|\s+are)?\s+(?:the\s+)?differ(?:ent|ence|ences|s)?\b",
    r"\b(?:similarit(?:y|ies)|contrast)\s+(?:between|of|with)\b|\bcontrast\b.*\b(?:and|with)\b",
    r"\bside\s+by\s+side\b|\bwhich\s+(?:one\s+)?is\s+(?:\w+er|better|more\s+\w+)\b.*\bor\b",
)
_SUMMARY = _compile(
    r"(?<!\bin )(?<!\bof )\bsumm?ari[sz]ing\b|\bsumm?ari[sz](?!ing\b)\w*\b",  # "in summarising …, is it possible …?" asks for no summary
    r"(?<!executive )\bsumm?ary\b|\bexecutive\s+summary\s+of\b",
    r"\bsum\s+(?:it\s+|this\s+|that\s+|them\s+)?up\b",
    r"\btl\s?;?\s?dr\b|\bgist\b|\brecap\b|\bin\s+a\s+nutshell\b",
    r"\b(?:an?|the|quick|brief|short)\s+overview\b",
    r"\b(?:key|main|most\s+important|important)\s+(?:points?|take-?aways?|ideas|messages)\b",
    r"\bboil\s+(?:\w+\s+)?down\b|\bbrief\s+me\b|\bthe\s+short\s+version\b",
)
_ANALYSE = _compile(
    _COURTESY + r"(?:do\s+an?\s+|an?\s+|make\s+an?\s+|run\s+an?\s+)?(?:analy[sz]e|analysis\s+of|assess|evaluate|examine|break\s+down)\b",
    r"\b(?:do|make|run|give\s+me)\s+(?:me\s+)?an?\s+(?:\w+\s+)?analysis\b",
    r"\btrends?\s+(?:in|of|over|across|for)\b|\bpatterns?\s+(?:across|between)\b|\b(?:what|which|any|find|show|identify|spot)\s+(?:me\s+)?(?:the\s+)?patterns?\b|\broot\s+causes?\b",
    r"\b(?:strengths\s+and\s+weaknesses|pros\s+and\s+cons|swot|insights?\s+(?:from|into|about|can))\b",
    r"\bwhat\s+(?:can|could)\s+(?:we|i|be)\s+(?:learn|learned|conclude|concluded|infer)\b|\bcorrelations?\s+between\b",
)
_OWN_DOCUMENT = _compile(
    rf"\b(?:my|our|your|their|his|her)\s+(?:\S+\s+){{0,3}}{_DOCUMENT}\b",
    rf"\b\w+(?:'s|s')\s+(?:\S+\s+){{0,2}}{_DOCUMENT}\b",
)
_GENERAL = _compile(
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
_FROM_DOCUMENTS = _compile(
    rf"\b(?:in|from|according\s+to|by|of|does|do|say|says|under)\s+(?:the|this|that|these|those|our|my|any)\s+(?:\S+\s+){{0,3}}{_DOCUMENT}\b",
    r"\w\.[a-z]{3,4}\b",
)

# "Who wrote the overview of …?", "When was the summary sent?" ask for a name or a day, "What are the next steps in the Q3 summary?" for what a
# document of that name says.
_FOR_ONE_THING = _compile(
    r"^\W*(?:who|whom|whose|when|where|wer|wann|wo)\b(?!.*\b(?:summ?ari[sz]e|sum\s+(?:it|this|that|them)\s+up)\b)",
    r"^\W*(?:what|which|how)\b(?!.*\b(?:points?|take-?aways?|ideas|messages)\b).*\b(?:in|on|from|according\s+to)\s+(?:the|our|this|that|its)\s+"
    r"(?:[\w-]+\s+){0,4}(?:summary|overview|recap)\W*$",
)

_ASKS_SUPERLATIVE = "It asks which of several documents has the most or the least of something."
RULES: tuple[_Rule, ...] = (
    _Rule("system", Intent.SYSTEM_META, 0.9, "It asks about Vantage or about what is in the library.", _META),
    _Rule("image", Intent.DOCUMENT_SEARCH, 0.95, "It asks for images.", IMAGES_SOUGHT),
    _Rule("comparison", Intent.COMPARISON, 0.85, "It sets things side by side.", _COMPARE),
    _Rule("superlative", Intent.COMPARISON, 0.85, _ASKS_SUPERLATIVE, SUPERLATIVE_QUESTION),
    _Rule("superlative", Intent.COMPARISON, 0.85, _ASKS_SUPERLATIVE, SUPERLATIVE_FIRST),
    _Rule("summarisation", Intent.SUMMARIZATION, 0.85, "It asks for the main points.", _SUMMARY, _FOR_ONE_THING),
    _Rule("analysis", Intent.ANALYSIS, 0.85, "It asks for an analysis.", _ANALYSE),
    _Rule("own documents", Intent.DOCUMENT_SEARCH, 0.85, "It speaks of somebody's own documents.", _OWN_DOCUMENT),
    _Rule("general knowledge", Intent.GENERAL_KNOWLEDGE, 0.85, "It is a question about the world, not about documents.", _GENERAL, _FROM_DOCUMENTS),
)
REMEMBER_RULING = IntentRuling(intent=Intent.SYSTEM_META, confidence=0.95, rule="remember", reasoning="It asks to keep something in mind.")
OVERVIEW_RULING = IntentRuling(intent=Intent.SYSTEM_META, confidence=0.9, rule="overview", reasoning="It asks what the library holds as a whole.")
RELATIONS_RULING = IntentRuling(intent=Intent.SYSTEM_META, confidence=0.9, rule="relations", reasoning="It asks what is related to a name.")
DOCUMENTS_RULING = IntentRuling(intent=Intent.DOCUMENT_SEARCH, confidence=0.9, rule="documents", reasoning="It asks for documents themselves.")
DEFAULT_RULING = IntentRuling(
    intent=Intent.DOCUMENT_SEARCH, confidence=0.6, rule="default", reasoning="Nothing says otherwise, so the documents are searched."
)
NO_CONTENT_RULING = IntentRuling(
    intent=Intent.CLARIFICATION_NEEDED, confidence=0.9, rule="no content", reasoning="The question names nothing to search for."
)


def follow_route(ruling: IntentRuling, aspect: Aspect) -> IntentRuling:
    """Return the ruling of a question that the router sees answered by an overview; what is to be remembered, or related to a name, comes first."""
    return OVERVIEW_RULING if aspect in ("themes", "risks", "deadlines") and ruling not in (REMEMBER_RULING, RELATIONS_RULING) else ruling


def apply_rules(text: str) -> IntentRuling:
    """Try SPEC's rules in order; the default where none matches."""
    plain = re.sub(r"\s+", " ", text[:MOST_CHARACTERS].translate({0x2019: "'", 0x2018: "'"})).strip()
    if remember_request(plain):
        return REMEMBER_RULING
    if related_name(plain):
        return RELATIONS_RULING
    for rule in RULES:
        if rule.pattern.search(plain) and not (rule.unless and rule.unless.search(plain)):
            return IntentRuling(intent=rule.intent, confidence=rule.confidence, rule=rule.name, reasoning=rule.reasoning)
    return DEFAULT_RULING if content_words(plain) or quoted_phrases(plain) else NO_CONTENT_RULING
