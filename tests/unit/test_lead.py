"""The lead: which span it is, how it is trimmed, and how an answer begins with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.calibration.answerability import UNSAID
from answers.extractive.answer_sentences import build_answer
from answers.extractive.composer import ExtractiveComposer, OptionalParts
from answers.extractive.current_statements import CurrentAnswer
from answers.extractive.decontextualization import AnswerLine
from answers.extractive.read_evidence import ReadEvidence
from answers.reading.evidence_reading import EvidenceReading, FoundSpan
from answers.reading.lead import FEATURES, LEAST_LEAD, ChosenLead, chance_of, choose_lead, features_of
from answers.scoring.definitions import may_describe
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from core.documents import BlockKind, description_heading
from tests.support.evidence import CountingEmbedder, WordIndex, evidence
from tests.support.word_reader import WordsReader

MILL = "The mill of Harrow Bridge was sold to Ada Holm (Brewster & Sons) in June 2021. Its wheel turns no more."
BUYER = "Who was the mill of Harrow Bridge sold to?"


def composer(words: Mapping[str, float]) -> ExtractiveComposer:
    return ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), Bounds(), OptionalParts(reader=WordsReader(words)))


async def read(question: str, items: Sequence[Evidence], words: Mapping[str, float]) -> ReadEvidence:
    found = await composer(words).score_and_read("default", question, items)
    assert found is not None
    return found


async def composed(question: str, items: Sequence[Evidence], words: Mapping[str, float]) -> Answer:
    return await composer(words).compose("default", question, items)


def features(found: ReadEvidence, words: str, source: int = 0) -> dict[str, float]:
    span = next(span for span in found.reading.spans if span.text == words and span.source == source)
    return dict(zip(FEATURES, features_of(found.question, found.evidence, found.units, found.reading, span), strict=True))


# ---------------------------------------------------------------------------------------------------------------------- choice
async def test_the_span_with_the_greatest_chance_leads() -> None:
    found = await read(BUYER, [evidence(MILL, start=30)], {"Ada Holm": 6.0, "June 2021": -5.0, "Its wheel": -6.0})
    assert found.lead is not None
    assert found.lead.span.text == "Ada Holm"
    chances = [chance_of(features_of(found.question, found.evidence, found.units, found.reading, span)) for span in found.reading.spans]
    assert found.lead.chance == max(chances)
    assert MILL[found.lead.span.start - 30 : found.lead.span.end - 30] == "Ada Holm"
    assert found.units[found.lead.unit].unit.text.startswith("The mill")


async def test_a_duration_is_the_same_one_with_other_words_around_it() -> None:
    items = [
        evidence("The tenant ends the lease of the mill by giving six months' written notice.", title="Lease of the mill"),
        evidence("With six months’ notice the letter must be there in May.", document="d2", title="Minutes"),
    ]
    found = await read("How much notice ends the lease of the mill?", items, {"six months' written notice": 1.0, "six months’": 1.5})
    assert features(found, "six months’", 1)["agreed"] == 1.0
    assert found.lead is not None
    assert found.lead.span.source == 0  # the document that the question names, though the other's span is the likelier one


async def test_within_one_unit_only_its_spans_count() -> None:
    found = await read(BUYER, [evidence(MILL)], {"Ada Holm": 6.0, "Its wheel": -6.0})
    inside = choose_lead(found.question, found.evidence, found.units, found.reading, within=1)
    assert inside is not None
    assert (inside.span.text, inside.unit) == ("Its wheel", 1)
    without = EvidenceReading(tuple(span for span in found.reading.spans if span.unit == 0))
    assert choose_lead(found.question, found.evidence, found.units, without, within=1) is None


@pytest.mark.parametrize("words", ["Who oils it", "…", "( ["])
async def test_a_question_or_a_mark_is_no_lead(words: str) -> None:
    items = [evidence("Who oils it all? Nobody knows that … ( [ is all that there is.")]
    found = await read("Who oils the crane?", items, {words: 9.0})
    if words == "…":  # a mark of its own kind: it may be read, but a word is always preferred
        found = replace(found, reading=EvidenceReading())
    assert choose_lead(found.question, found.evidence, found.units, found.reading) is None


async def test_a_tables_header_is_no_lead() -> None:
    items = [evidence("Pump | Oil | Pressure\nNorth | 4 litres | 8 bar\nSouth | 5 litres | 9 bar")]
    found = await read("How much oil has the pump South?", items, {"Oil": 9.0, "5 litres": 4.0})
    assert found.lead is not None
    assert (found.lead.span.text, found.lead.kind) == ("5 litres", "cell")


async def test_the_kind_is_that_of_the_question_or_a_cell() -> None:
    named = await read(BUYER, [evidence(MILL)], {"Ada Holm": 6.0})
    dated = await read("When was the mill of Harrow Bridge sold?", [evidence(MILL)], {"June 2021": 6.0})
    assert [each.lead.kind for each in (named, dated) if each.lead is not None] == ["name", "span"]


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        ("(Brewster & Sons", "Brewster & Sons"),
        ("Brewster & Sons)", "Brewster & Sons"),
        ("Ada Holm (Brewster & Sons)", "Ada Holm (Brewster & Sons)"),
        (" Ada Holm ", "Ada Holm"),
        ("in June 2021.", "in June 2021"),
        ("9 p.m.", "9 p.m."),
        ("(9 p.m.,", "9 p.m."),
        ("the house.)", "the house"),
        ("das alte Haus“", "das alte Haus"),
        ("„das alte Haus“", "„das alte Haus“"),
        ("«la maison", "la maison"),
        ("“the old mill", "the old mill"),
        ("the old mill”", "the old mill"),
        ('"Halt"', '"Halt"'),
        ('Halt"', "Halt"),
        ('("Halt', "Halt"),
        ("( the gate", "the gate"),
        ("; | 12 kg,", "12 kg"),
        ("*12 kg*", "12 kg"),
        ("[4", "4"),
        ("4]", "4"),
    ],
)
async def test_a_lead_stands_without_what_it_stands_between(found: str, shown: str) -> None:
    text = f"Somebody wrote {found} on the wall of the house by the river in those days."
    reading = await read("What did somebody write in those days?", [evidence(text, start=17)], {found: 8.0})
    assert reading.lead is not None
    span = reading.lead.span
    assert span.text == text[span.start - 17 : span.end - 17] == shown


# ---------------------------------------------------------------------------------------------------------------------- features
async def test_other_passages_with_the_same_words_agree() -> None:
    one = evidence("The mill was sold to Ada Holm long ago.", document="a")
    two = evidence("It is told that the mill was sold to ADA  HOLM of the bridge.", document="b")
    found = await read(BUYER, [one, two], {"Ada Holm": 3.0, "ADA  HOLM": 2.0})
    assert [features(found, "Ada Holm")["agreed"], features(found, "ADA  HOLM", 1)["agreed"]] == [1.0, 1.0]
    alone = await read(BUYER, [one], {"Ada Holm": 3.0})
    assert features(alone, "Ada Holm")["agreed"] == 0.0


async def test_the_rival_is_the_best_span_of_other_words() -> None:
    words = {"Ada Holm (Brewster & Sons)": 4.0, "Ada Holm": 3.0, "June 2021": 1.5, "Its wheel": -2.0}
    found = await read(BUYER, [evidence(MILL)], words)
    assert features(found, "Ada Holm")["rival"] == 1.5  # what holds it says the same
    assert features(found, "June 2021")["rival"] == 4.0
    alone = await read(BUYER, [evidence(MILL)], {"Ada Holm": 3.0})
    assert features(alone, "Ada Holm")["rival"] < -5  # as if there were a hopeless one


async def test_the_kind_that_is_asked_for_counts() -> None:
    words = {"Ada Holm": 2.0, "June 2021": 1.0, "no more": 0.0, "Harrow Bridge": 0.5}
    named = await read(BUYER, [evidence(MILL)], words)
    assert [features(named, each)["wanted"] for each in words] == [1.0, 1.0, -1.0, -1.0]  # a month is written like a name
    dated = await read("When was the mill sold?", [evidence(MILL)], words)
    assert [features(dated, each)["wanted"] for each in words] == [-1.0, 1.0, -1.0, -1.0]
    anything = await read("Tell me of the mill", [evidence(MILL)], words)
    assert {features(anything, each)["wanted"] for each in words} == {0.0}


@given(
    score=st.floats(allow_nan=False),
    other=st.floats(allow_nan=False),
    passage=st.floats(0, 1),
    cosine=st.none() | st.floats(0, 1),
    lex=st.floats(0, 1),
)
async def test_features_are_shares_or_cut(score: float, other: float, passage: float, cosine: float | None, lex: float) -> None:
    items = [evidence(MILL, score=passage)]
    found = await read(BUYER, items, {"Ada Holm": 1.0, "June 2021": 0.0})
    units = [replace(unit, lex=lex, cosine=cosine) for unit in found.units]
    spans = tuple(replace(span, score=logit) for span, logit in zip(found.reading.spans, (score, other), strict=True))
    made = features_of(found.question, items, units, EvidenceReading(spans), spans[0])
    values = dict(zip(FEATURES, made, strict=True))
    assert all(abs(values[name]) < 100 for name in ("read", "rival"))
    assert all(0 <= values[name] <= 1 for name in ("agreed", "words", "meaning", "passage"))
    assert values["wanted"] in {-1.0, 0.0, 1.0}
    assert 0 < chance_of(made) < 1


# ---------------------------------------------------------------------------------------------------------------------- telling
async def told(items: Sequence[Evidence], lines: Sequence[AnswerLine], current: CurrentAnswer) -> Answer:
    found = await read(BUYER, items, {})
    return build_answer(found.question, items, lines, current)


def line_of(items: Sequence[Evidence], words: str, prefix: str = "", told: str = "") -> AnswerLine:
    passage = items[0].passage
    start = passage.start + passage.content.index(words)
    return AnswerLine(0, start, start + len(words), prefix, BlockKind.PARAGRAPH, 1.0, lex=0.5, wording=told)


def lead_of(items: Sequence[Evidence], words: str, chance: float = 1.0, nth: int = 0) -> ChosenLead:
    passage, place = items[0].passage, -1
    for _ in range(nth + 1):
        place = passage.content.index(words, place + 1)
    start = passage.start + place
    return ChosenLead(FoundSpan(0, start, start + len(words), words, 0, 1.0), 0, "span", chance)


def current(lead: ChosenLead | None, words: str = "", conflict: tuple[str, ...] = ()) -> CurrentAnswer:
    return CurrentAnswer([], lead, words, conflict)


async def test_the_answer_begins_with_the_lead_and_its_citation() -> None:
    answer = await composed(BUYER, [evidence(MILL, start=12)], {"Ada Holm": 12.0})
    assert answer.lead is not None
    assert answer.text.startswith("Ada Holm [1]\n\nThe mill of Harrow Bridge was sold to Ada Holm")
    assert (answer.lead.text, answer.lead.citation) == ("Ada Holm", 1)
    assert MILL[answer.lead.start - 12 : answer.lead.end - 12] == "Ada Holm"
    first = answer.sentences[0]
    assert first.highlight is not None
    assert first.text[slice(*first.highlight)] == "Ada Holm"
    assert answer.lead.chance == pytest.approx(answer.signals["lead"], abs=1e-4)


async def test_a_lead_that_is_most_of_its_sentence_is_not_told_twice() -> None:
    items = [evidence("Ada Holm bought it.")]
    lead = lead_of(items, "Ada Holm bought it")
    answer = await told(items, [line_of(items, "Ada Holm bought it.")], current(lead))
    assert answer.text == "Ada Holm bought it. [1]"
    assert answer.lead is not None
    assert answer.lead.text == "Ada Holm bought it"
    assert answer.sentences[0].highlight == (0, 18)


@pytest.mark.parametrize(
    ("read_as", "shown"),
    [
        ("Ada Holm (Brewster & Sons", "Ada Holm (Brewster & Sons)"),
        ("Ada Holm (Brewster", "Ada Holm"),  # what it stands beside is no bracket
        ("Ada Holm (Brewster & Sons)", "Ada Holm (Brewster & Sons)"),
        ("Brewster & Sons) in June", "(Brewster & Sons) in June"),
        ("Ada Holm", "Ada Holm"),
    ],
)
async def test_a_bracket_is_told_with_its_other_half_or_not_at_all(read_as: str, shown: str) -> None:
    found = await read("What about the mill of Harrow Bridge?", [evidence(MILL, start=7)], {read_as: 6.0})
    assert found.lead is not None
    assert found.lead.span.text == shown
    assert MILL[found.lead.span.start - 7 : found.lead.span.end - 7] == shown


async def test_where_to_get_a_thing_is_led_by_its_address() -> None:
    items = [evidence("Mill is an open tool for grain. The Mill tool is published at https://mill.example.org/get. Mill runs on two horses.")]
    readings = {"open": 4.0, "example.org": 2.5, "two horses": 1.0}
    where = await read("Where can I get the Mill tool?", items, readings)
    assert where.lead is not None
    assert where.lead.span.text == "https://mill.example.org/get"
    what = await read("What is the Mill tool?", items, readings)
    assert what.lead is None or "example" not in what.lead.span.text


async def test_a_firms_legal_form_adds_nothing_to_its_name() -> None:
    items = [evidence("Marl Ferry, Inc. runs boats. The symbol of it is MRLF.")]
    found = await read("What is Marl Ferry's symbol?", items, {"Marl Ferry, Inc.": 9.0, "MRLF": 1.0})
    assert found.lead is not None
    assert found.lead.span.text == "MRLF"


async def test_a_lead_that_is_unlikely_is_not_shown() -> None:
    items = [evidence(MILL)]
    line = line_of(items, MILL)
    below = await told(items, [line], current(lead_of(items, "Ada Holm", LEAST_LEAD - 1e-6)))
    assert below.lead is None
    assert below.text.startswith("The mill")
    assert (await told(items, [line], current(lead_of(items, "Ada Holm", LEAST_LEAD)))).lead is not None


async def test_the_composer_shows_no_lead_that_is_hardly_one() -> None:
    found = await read(BUYER, [evidence(MILL)], {"no more": -30.0})
    assert found.lead is not None
    assert found.lead.chance < LEAST_LEAD
    assert found.sure_lead is None
    answer = await composed(BUYER, [evidence(MILL)], {"no more": -30.0})
    assert answer.lead is None
    assert answer.text.startswith("The mill of Harrow Bridge")
    assert answer.signals["lead"] < LEAST_LEAD  # the signal says how unlikely it is


async def test_a_lead_that_no_line_holds_is_not_told() -> None:
    items = [evidence(MILL)]
    answer = await told(items, [line_of(items, "Its wheel turns no more.")], current(lead_of(items, "Ada Holm")))
    assert answer.lead is None
    assert answer.text == "Its wheel turns no more. [1]"


@pytest.mark.parametrize("prefix", ["", "Site 4: ", "The 4 and the 4 of 4: "])
@pytest.mark.parametrize("nth", [0, 1, 2])
async def test_of_equal_words_the_ones_that_were_found_are_marked(prefix: str, nth: int) -> None:
    text = "Gate 4 has\n4 locks and 4 keys, all of them of brass."
    items = [evidence(text, start=90)]
    answer = await told(items, [line_of(items, text, prefix)], current(lead_of(items, "4", nth=nth)))
    shown = answer.sentences[0].text
    assert shown == prefix + text.replace("\n", " ")
    place = [shown.index("Gate 4") + 5, shown.index("4 locks"), shown.index("4 keys")][nth]
    assert answer.sentences[0].highlight == (place, place + 1)


async def test_the_describer_in_front_moves_the_mark_along() -> None:
    text = "A sign with 8 arrows stands by the gate, which has 8 bars."
    item = evidence(text)
    passage = item.passage.model_copy(update={"section": [description_heading("Picture 1", "llava 8 of 8")]})
    items = [item.model_copy(update={"passage": passage})]
    line = replace(line_of(items, text), kind=BlockKind.DESCRIPTION)
    for nth, behind in enumerate(["8 arrows", "8 bars"]):
        sentence = (await told(items, [line], current(lead_of(items, "8", nth=nth)))).sentences[0]
        assert sentence.text.startswith("A picture as llava 8 of 8 describes it: ")
        assert sentence.highlight is not None
        assert sentence.text[sentence.highlight[0] :].startswith(behind)


async def test_what_has_a_capital_now_is_marked_where_it_stands() -> None:
    text = "However, the mill was sold with all that the mill owned."
    items = [evidence(text)]
    quote = "the mill was sold with all that the mill owned."
    line = line_of(items, quote, told="T" + quote[1:])
    first, second = [(await told(items, [line], current(lead_of(items, "the mill", nth=nth)))).sentences[0] for nth in (0, 1)]
    assert first.highlight in {None, (0, 8)}
    assert second.highlight == (quote.rindex("the mill"), quote.rindex("the mill") + 8)


async def test_a_wrapped_lead_is_told_on_one_line() -> None:
    text = "The mill was sold to the widow\nof Ada's brother in those days by the town of Harrow Bridge itself."
    items = [evidence(text)]
    answer = await told(items, [line_of(items, text)], current(lead_of(items, "the widow\nof Ada's brother")))
    assert answer.text.startswith("the widow of Ada's brother [1]\n\n")
    highlight = answer.sentences[0].highlight
    assert highlight is not None
    assert answer.sentences[0].text[slice(*highlight)] == "the widow of Ada's brother"


async def test_what_changed_is_told_in_its_words() -> None:
    items = [evidence(MILL)]
    answer = await told(items, [line_of(items, MILL)], current(lead_of(items, "Ada Holm"), words="Ada Holm since 2021 (before: Jon Berg)"))
    assert answer.text.startswith("Ada Holm since 2021 (before: Jon Berg) [1]\n\n")
    assert answer.lead is not None
    assert MILL[answer.lead.start : answer.lead.end] == "Ada Holm"


async def test_of_a_conflict_nothing_leads_and_a_note_says_so() -> None:
    items = [evidence(MILL)]
    answer = await told(items, [line_of(items, MILL)], current(None, conflict=("2020", "2021")))
    assert answer.lead is None
    assert answer.text.startswith("The mill")
    assert len(answer.notes) == 1
    assert "2020 · 2021" in answer.notes[0]
    assert all(sentence.highlight is None for sentence in answer.sentences)
    assert (await told(items, [line_of(items, MILL)], current(None))).notes == []


async def test_the_question_s_own_words_are_no_answer() -> None:
    said = [evidence("The Harrow mill is used as the Harrow mill of flour and of paper.")]
    found = await read("What is the Harrow mill used for?", said, {"Harrow mill": 7.0, "flour": 2.0})
    assert found.lead is not None
    assert found.lead.span.text == "flour"


async def test_of_two_that_the_question_names_one_may_lead() -> None:
    found = await read("Is the mill older or the bridge?", [evidence("The bridge is older than the mill by ten years.")], {"bridge": 7.0})
    assert found.lead is not None
    assert found.lead.span.text == "bridge"


async def test_where_only_the_names_are_found_nothing_is_said_of_what_is_asked() -> None:
    staff = [evidence("Hanna Lind is the Finance Director of the yard. Hanna Lind may approve orders up to £20,000.", document="staff")]
    for question in ("What is the salary of Hanna Lind?", "How old is Hanna Lind?", "What percentage of orders may Hanna Lind approve?"):
        assert (await read(question, staff, {"Finance Director": -3.0})).signals.get(UNSAID) == 1.0, question
    dated = [*staff, evidence("The lease of the yard was signed in March 2021.", document="lease")]
    assert (await read("How old is Hanna Lind?", dated, {"Finance Director": -3.0})).signals.get(UNSAID) == 1.0  # the year is not hers
    for question in ("What orders may Hanna Lind approve?", "Who is the director?", "Who is Hanna Lind?"):
        assert UNSAID not in (await read(question, staff, {"Finance Director": -3.0})).signals, question
    assert UNSAID not in (await read("What does Hanna Lind earn?", staff, {"£20,000": 6.0})).signals  # the reader is sure that other words say it


@pytest.mark.parametrize(
    ("question", "text", "said", "describes"),
    [
        ("Who is Ada Holm?", "Ada Holm is the harbour master of Varde.", "harbour master", True),
        ("Who is Ada Holm?", "Ada Holm, engineer, wrote it.", "engineer", True),
        ("Tell me about Skua Yards", "Skua Yards Ltd: boats and repairs", "boats", True),
        ("What is Skua Yards?", "This says what Skua Yards expects of everyone who sails.", "everyone", False),
        ("What does Skua Yards do?", "This says what Skua Yards expects of everyone who sails.", "sails", False),
        ("Who is Skua Yards?", "Skua Yards Ltd, Ms Ada Holm, 3 Quay Row", "Ms Ada", False),
        ("What is the rent of Skua Yards?", "Skua Yards pays a rent of £900.", "£900", True),
        ("What is the rent?", "The yard pays £900.", "£900", True),
    ],
)
def test_who_asks_of_a_name_alone_gets_what_is_said_of_it(question: str, text: str, said: str, *, describes: bool) -> None:
    assert may_describe(question, text, text.index(said)) is describes
