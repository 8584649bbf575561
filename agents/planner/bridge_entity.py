"""The bridging entity: which name in the passages of one hop is what the next hop asks about. Where none stands out, none is guessed.

Every name in the passages' sentences that the question lacks is weighed: how much of the question its sentence (and the title above it) holds, by
the rarity of the words among these sentences; how near it stands to those words; whether it is the kind of thing that is wanted; where there is a
reader, whether that reads it as the answer; and, where there is a knowledge graph, whether that has it as such a thing, one step from what the
question names.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agents.planner.descriptions import KIND_OF_NOUN, DescribedKind
from agents.planner.wanted_names import WantedName, name_fit, wanted_name
from agents.text.question_words import content_words, find_names, tokens
from core.answers import Citation
from core.graph import EntityType
from core.language.months import ENGLISH_MONTH, full_months
from core.language.sentences import split_sentences
from core.language.stems import word_beginning
from core.language.stop_words import STOP_WORDS
from core.language.weekdays import weekdays
from core.lazy_patterns import compile_when_used
from core.ports import AnswerReader, KnowledgeGraph
from core.search import FrozenModel

LEAST_COVER = 0.4  # of the question's weight in the sentence, its title and its passage
LEAST_COVER_READ = 0.15  # of a name that the reader takes for the answer
LEAST_SCORE = 0.75
_READER_WEIGHT = 0.6  # of the reader's probability
_READ_CHARACTERS = 1200  # of a passage, so that it fits one window of the reader
_KIND_WEIGHT, _NEARNESS_WEIGHT, _RANK_WEIGHT, _GRAPH_WEIGHT = 0.3, 0.2, 0.2, 0.15
_DOER_WEIGHT = 0.3  # of a name that the sentence says to do what is described: "Mara … approved it", for "the person who approved …"
_TITLE_SHARE, _PASSAGE_SHARE = 0.8, 0.3  # what a word counts that stands only in the title, or only elsewhere in the passage
_MOST_SENTENCES = 60  # sentences a passage
_LONGEST_NAME = 100  # characters of a name
_MOST_LOOKUPS = 8  # names that the graph is asked for


class HopPassage(FrozenModel):
    """A passage that a hop found. `text` begins at `start` of the document; `score` in 0..1 relative to the best passage."""

    document_id: str
    generation: int
    filename: str
    title: str
    section: list[str]
    page: int | None
    start: int
    text: str
    score: float


class BridgeSearch(FrozenModel):
    """A search for a bridging entity: the hop's question as it was asked, and the passages that it found, best first."""

    tenant: str
    question: str
    passages: list[HopPassage]


class BridgeEntity(FrozenModel):
    """The name, the sentence that it stands in, and where that is (`citation.number` is 0: the answer gives the numbers)."""

    name: str
    sentence: str
    citation: Citation
    score: float


async def find_bridge(bridging: BridgeSearch, *, graph: KnowledgeGraph | None = None, reader: AnswerReader | None = None) -> BridgeEntity | None:
    """Return the bridging entity, None where no name stands out. A graph that knows nothing changes nothing. Raises Unavailable where graph or reader
    do."""
    sought = wanted_name(bridging.question)
    kind = sought.kind
    read = await _readings(bridging, reader) if reader is not None else {}
    found = _best_of_each(_score_candidates(bridging, sought, read))
    if graph is not None and found:
        found = await _rescore_by_graph(bridging, kind, found, graph)
    best = max(found, key=lambda each: each.score, default=None)
    if best is None or best.score < LEAST_SCORE:
        return None
    return BridgeEntity(name=best.name, sentence=_shorten(best.sentence), citation=_citation(best), score=round(best.score, 4))


async def _readings(bridging: BridgeSearch, reader: AnswerReader) -> dict[str, list[tuple[int, int, float]]]:
    """Return what the reader takes for the answer in each passage (by its text): [start:end] and the probability. The title in front says what it is
    of."""
    fronts = [f"{clue.title}. " if clue.title else "" for clue in bridging.passages]
    texts = [f"{front}{clue.text[:_READ_CHARACTERS]}" for front, clue in zip(fronts, bridging.passages, strict=True)]
    readings = await reader.read_passages(bridging.question, texts)
    return {
        clue.text: [(span.start - len(front), span.end - len(front), _probability(span.score)) for span in reading.spans if span.start >= len(front)]
        for clue, front, reading in zip(bridging.passages, fronts, readings, strict=True)
    }


def _probability(logit: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, logit))))


# -- names in sentences ------------------------------------------------------------------------------------------------------------------

_CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'’.&-]*\w|[^\W\d_a-z]\b\.?"
_NAME = compile_when_used(
    rf"(?:{_CAPITAL})(?:\s+(?:(?:of|the|and|&|de|del|der|van|von|du|la|le|bin|al)\s+){{0,2}}(?:{_CAPITAL}))*(?:\s+\d{{1,4}}\b)?"
)
_NO_NAMES = STOP_WORDS | frozenset("mr mrs ms miss dr prof sir".split()) | frozenset(weekdays("en")) | frozenset(full_months("en"))
_OPENS_CLAUSE = compile_when_used(  # "Depending on …"
    r"[A-Z][a-z]+(?:ing|ed)\s+(?:on|upon|to|in|at|by|for|from|with|of|the|an?|this|these|its|their|your)\b"
)
_LEGAL_FORM = compile_when_used(r"(\b(?:Ltd|Limited|Inc|LLC|LLP|plc|GmbH|AG|Corp)\b\.?)\s+(?:of|and)\s.*")  # "Trevanion & Holt LLP of Falmouth"
_DATE = compile_when_used(rf"\b(?:\d{{1,2}}\s+)?(?:{ENGLISH_MONTH})\s+(?:\d{{1,2}},?\s+)?\d{{4}}\b|\b\d{{4}}-\d\d-\d\d\b|\b(?:1[0-9]|20)\d\d\b")
_ENTITY_TYPES: dict[DescribedKind, frozenset[EntityType]] = {
    DescribedKind.PERSON: frozenset({EntityType.PERSON}),
    DescribedKind.ORGANISATION: frozenset({EntityType.ORGANIZATION}),
    DescribedKind.PLACE: frozenset({EntityType.LOCATION}),
    DescribedKind.DATE: frozenset({EntityType.DATE}),
    DescribedKind.WORK: frozenset({EntityType.CONCEPT}),
}


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A name with its sentence, [start, end) of the passage's text."""

    name: str
    passage: HopPassage
    start: int
    end: int
    score: float

    @property
    def sentence(self) -> str:
        return self.passage.text[self.start : self.end]


def _score_candidates(bridging: BridgeSearch, sought: WantedName, read: Mapping[str, Sequence[tuple[int, int, float]]]) -> Iterator[_Candidate]:
    wanted = {word_beginning(word) for word in content_words(bridging.question)}
    if not wanted:
        return
    sentences = [(clue, span) for clue in bridging.passages for span in split_sentences(clue.text)[:_MOST_SENTENCES]]
    weights = _weights(wanted, [clue.text[start:end] for clue, (start, end) in sentences])
    total = sum(weights.values())
    asked, described = _key(bridging.question), _described_verb(bridging.question)
    named = [_key(each) for each in find_names(bridging.question) if " " in each]  # "X's papers" are not what X has
    for clue, (start, end) in sentences:
        sentence = clue.text[start:end]
        inside, header = _stems(sentence), _header(clue.text, sentence)
        for name, place in _names(sentence, clue, sought.kind):
            if _repeats_question(_key(name), asked, named):
                continue
            column = _stems(header[sentence[:place].count("|")]) & wanted if header and place >= 0 else set[str]()
            cover = _coverage(weights, inside | column, clue) / total
            fit = name_fit(sought, name, sentence[:place] if place >= 0 else "", clue.title)
            likely = _reader_probability(read.get(clue.text, ()), start + place, start + place + len(name)) if place >= 0 else 0.0
            if fit > 0 and cover >= (LEAST_COVER_READ if likely >= 0.5 else LEAST_COVER):
                near = 1.0 if column else _nearness(sentence, name, place, wanted) if place >= 0 else 0.5
                does = place >= 0 and _is_doer(described, sentence, name, place)
                yield _Candidate(
                    name,
                    clue,
                    start,
                    end,
                    cover + _KIND_WEIGHT * fit + _NEARNESS_WEIGHT * near + _RANK_WEIGHT * clue.score + _READER_WEIGHT * likely + _DOER_WEIGHT * does,
                )


def _repeats_question(name: str, asked: str, named: Sequence[str]) -> bool:
    """Return whether a name says nothing new: it stands in the question, or it is only more words round what the question names."""
    return name in asked or any(each in name for each in named) or not set(name.split()) - set(asked.split())


_WHO_DOES = compile_when_used(
    r"\bwho\s+(?!(?:is|are|was|were|has|had|have|does|do|did|will|would|can|could|may|might|must|should)\b)(\w+)", re.IGNORECASE
)


def _described_verb(asked: str) -> str:
    """The stem of what somebody does who is only described: of "approved" in "the person who approved the plan"; "" where nobody is."""
    found = _WHO_DOES.search(asked)
    return word_beginning(found[1].lower()) if found is not None else ""


def _is_doer(verb: str, sentence: str, name: str, place: int) -> bool:
    """Return whether the sentence has the verb behind the name, or "by" and the name right behind the verb."""
    before, after = sentence[:place], sentence[place + len(name) :]
    by = re.search(r"(\w+)\s+by\s+(?:the\s+)?$", before, re.IGNORECASE)
    return bool(verb) and (verb in {word_beginning(word) for word in tokens(after)} or (by is not None and word_beginning(by[1].lower()) == verb))


def _reader_probability(spans: Sequence[tuple[int, int, float]], start: int, end: int) -> float:
    """The reader's probability for a name [start:end]: of the best span that it shares more than half of the longer one with."""
    return max(
        (chance for first, last, chance in spans if 2 * (min(end, last) - max(start, first)) > max(end - start, last - first)),
        default=0.0,
    )


def _weights(wanted: set[str], sentences: Sequence[str]) -> dict[str, float]:
    """idf of the question's stems among these sentences: ln(1 + N / df); a stem that none of them has weighs as the rarest."""
    df = Counter(each for sentence in sentences for each in _stems(sentence) & wanted)
    return {each: math.log(1 + max(len(sentences), 1) / max(df[each], 1)) for each in wanted}


def _coverage(weights: Mapping[str, float], inside: set[str], clue: HopPassage) -> float:
    title, passage = _stems(" ".join([clue.title, *clue.section])), _stems(clue.text)
    return sum(
        weight * (1.0 if each in inside else _TITLE_SHARE if each in title else _PASSAGE_SHARE if each in passage else 0.0)
        for each, weight in weights.items()
    )


def _header(text: str, row: str) -> list[str]:
    """The cells of a table's first line above the row: they say what stands in each column."""
    cells = row.count("|")
    line = next((line for line in text.split("\n") if line.count("|") == cells), "") if cells else ""
    return line.split("|") if line and line.strip() != row.strip() else []


def _stems(text: str) -> set[str]:
    return {word_beginning(word) for word in tokens(text)}


def _key(text: str) -> str:
    return " ".join(word.removesuffix("'s") for word in tokens(text))


def _names(sentence: str, clue: HopPassage, kind: DescribedKind) -> Iterator[tuple[str, int]]:
    """Names with where they begin in the sentence; -1 for the title of a passage that speaks of it by a pronoun."""
    if kind is DescribedKind.DATE:
        yield from ((match.group(), match.start()) for match in _DATE.finditer(sentence))
        return
    for match in _NAME.finditer(sentence):
        words = re.sub(r"['’]s?$", "", match.group()).split()
        place = match.start()
        while words and words[0].lower().rstrip(".") in _NO_NAMES:  # also "Ms Pascoe": others write her without
            place += len(words[0]) + 1
            words = words[1:]
        name = _LEGAL_FORM.sub(r"\1", " ".join(words)).strip(" .")
        opens_clause = place == 0 and len(words) == 1 and _OPENS_CLAUSE.match(sentence) is not None
        if _may_name(name) and not opens_clause:
            yield name, place
    title = re.sub(r"\s*[(\[].*?[)\]]", "", clue.title).strip()
    if title and _key(title) in _key(clue.text[:300]) and _key(title) not in _key(sentence):
        yield title, -1


def _may_name(name: str) -> bool:
    """Return whether a name is no number and not only what somebody is called in a contract ("the Landlord")."""
    return 2 < len(name) <= _LONGEST_NAME and not name.isdigit() and not all(word in KIND_OF_NOUN for word in _key(name).split())


def _nearness(sentence: str, name: str, place: int, wanted: set[str]) -> float:
    """1 beside a word of the question, falling with the characters between."""
    gaps = [
        max(match.start() - (place + len(name)), place - match.end(), 0)
        for match in re.finditer(r"\w[\w'’-]*", sentence)
        if word_beginning(match.group().lower()) in wanted
    ]
    return 1.0 / (1.0 + min(gaps) / 20.0) if gaps else 0.0


def _best_of_each(found: Iterator[_Candidate]) -> list[_Candidate]:
    """One for each name, the strongest."""
    best: dict[str, _Candidate] = {}
    for each in found:
        key = _key(each.name)
        if key not in best or each.score > best[key].score:
            best[key] = each
    return sorted(best.values(), key=lambda each: -each.score)


async def _rescore_by_graph(bridging: BridgeSearch, kind: DescribedKind, found: Sequence[_Candidate], graph: KnowledgeGraph) -> list[_Candidate]:
    """Return what the graph knows of the first names: of the wanted type, one step from what the question names."""
    head = found[:_MOST_LOOKUPS]
    matches = await graph.match(bridging.tenant, [each.name for each in head], "", limit=2 * _MOST_LOOKUPS)
    types = {_key(match.matched): match.entity.entity_type for match in matches if match.how != "fuzzy"}
    named = await graph.match(bridging.tenant, [], bridging.question, limit=4)
    near = await graph.walk(bridging.tenant, [match.entity.id for match in named], hops=1, limit=20) if named else []
    beside = {_key(each.entity.name) for each in near}
    out = []
    for each in head:
        known = types.get(_key(each.name))
        bonus = _GRAPH_WEIGHT if _key(each.name) in beside else 0.0
        if known is not None and kind in _ENTITY_TYPES and known is not EntityType.CONCEPT:
            bonus += _GRAPH_WEIGHT if known in _ENTITY_TYPES[kind] else -2 * _GRAPH_WEIGHT
        out.append(replace(each, score=each.score + bonus))
    return out


def _shorten(sentence: str) -> str:
    plain = " ".join(sentence.split())
    return plain if len(plain) <= 300 else f"{plain[:299].rstrip()}…"


def _citation(found: _Candidate) -> Citation:
    clue = found.passage
    return Citation(
        number=0,
        document_id=clue.document_id,
        generation=clue.generation,
        filename=clue.filename,
        page=clue.page,
        start=clue.start + found.start,
        end=clue.start + found.end,
        quote=found.sentence,
        section=clue.section,
        passage_start=clue.start,
        passage_end=clue.start + len(clue.text),
    )
