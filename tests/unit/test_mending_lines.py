"""Lines of an answer: marks left out, subjects in front, rows and lists told; every span exact."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from answers.extractive.decontextualization import AnswerLine, Decontextualizer
from answers.scoring.unit_scores import prepare_question, score_units
from answers.scoring.unit_selection import Bounds
from answers.units.answer_units import Unit, split_units
from answers.units.leading_marks import mark_length
from answers.units.sentence_subjects import context_of, goes_on_from_heading, lacks_subject, title_of
from core.answers import Evidence
from core.documents import BlockKind
from tests.support.evidence import WordIndex, evidence

PARAGRAPH, ITEM, HEADING = BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.HEADING


async def mended(question: str, item: Evidence, *starts: str, lead: str = "") -> list[tuple[str, str]]:
    """(prefix, what is shown behind it) of the lines for the units that start so, best first."""
    index = WordIndex()
    prepared = await prepare_question(index, "default", question)
    units = score_units(prepared, index, [item], split_units([item]))
    chosen = [next(unit for unit in units if unit.unit.text.startswith(start)) for start in starts]
    place = item.passage.content.index(lead) + item.passage.start if lead else 0
    mender = Decontextualizer(prepared, [item], units, Bounds(), lead=(0, place, place + len(lead)) if lead else None)
    return [(line.prefix, line.wording or quote(line, item)) for line in mender.make_lines(chosen)]


def quote(line: AnswerLine, item: Evidence) -> str:
    return item.passage.content[line.start - item.passage.start : line.end - item.passage.start]


def paragraphs(*blocks: tuple[BlockKind, str], title: str = "") -> Evidence:
    text, placed = "", []
    for kind, block in blocks:
        placed.append((kind, len(text), len(text) + len(block)))
        text += block + "\n\n"
    return evidence(text, title=title, blocks=placed, start=11)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("8.4 The Tenant pays for repairs.", "8.4 "),
        ("(b) the deposit is returned", "(b) "),
        ("- the signed form", "- "),
        ("> please find it attached", "> "),
        ("> - 2. Lock the gate", "> - 2. "),
        ("§ 5.1 Der Mieter zahlt die Miete.", "§ 5.1 "),
        ("3.2 tonnes may be lifted", ""),
        ("8. Februar 2007 war ein Donnerstag.", ""),
        ("1.5 Million people live here.", ""),
        ("2.4 GHz is the band.", ""),
        ("8 km/h is the limit.", ""),
        ("I. Newton wrote it.", ""),
        ("1914 was a year of war.", ""),
        ("(b) ", ""),
    ],
)
def test_marks_are_not_words(text: str, mark: str) -> None:
    assert text[: mark_length(text)] == mark


@pytest.mark.parametrize(
    ("question", "stays"),
    [
        ("Explain clause 8.4", True),
        ("What does 8.4 say?", True),
        ("Explain clause 8.41", False),
        ("Explain clause 18.4", False),
        ("Who pays 8.4.1?", False),
    ],
)
def test_a_clause_number_that_is_asked_for_stays(question: str, stays: bool) -> None:
    assert (mark_length("8.4 The Tenant pays for repairs.", question) == 0) is stays


@pytest.mark.parametrize(
    "text",
    ["It has four floors.", "The company was sold.", "There is also a bar.", "Their name is short.", "The film won a prize.", "Er wohnt hier."],
)
def test_sentences_without_their_subject(text: str) -> None:
    assert lacks_subject(text)


@pytest.mark.parametrize(
    "text",
    [
        "The company of Henry Dale was sold.",
        "It is expected that the lake will dry up.",
        "Those who rent must pay.",
        "This Agreement ends in May.",
        "The Company pays the rent.",
        "There is a bar in the hall.",
        "Items are kept dry.",
    ],
)
def test_sentences_that_name_it(text: str) -> None:
    assert not lacks_subject(text)


def test_a_verb_whose_subject_is_the_heading() -> None:
    assert goes_on_from_heading("is a genus of moss.")
    assert goes_on_from_heading("(born 1962) is an actor.")
    assert not goes_on_from_heading("Is it a genus of moss?")
    assert not goes_on_from_heading("(see below) The moss grows.")


def test_a_title_is_not_a_files_name() -> None:
    assert title_of(evidence("x", title="Tower of Arle")) == "Tower of Arle"
    assert title_of(evidence("x", title="d1")) == ""
    assert title_of(evidence("x", title="scan_0041.pdf")) == ""
    assert title_of(evidence("x", title="2024-11")) == ""


def unit_of(item: Evidence, start: str) -> Unit:
    return next(unit for unit in split_units([item]) if unit.text.startswith(start))


def test_context_names_the_subject_of_those_without() -> None:
    item = evidence("The mill of Arle was built in 1702. It has four floors. It also has a wheel.", title="Mills")
    assert context_of(unit_of(item, "It also"), item) == "Mills The mill of Arle"
    assert context_of(unit_of(item, "The mill"), item) == ""


async def test_a_pronoun_is_quoted_with_the_sentence_that_names_it() -> None:
    item = evidence("The mill of Arle was built in 1702. It has four floors.", title="Minutes of May")
    assert await mended("How many floors are there?", item, "It has") == [("", "The mill of Arle was built in 1702. It has four floors.")]


async def test_the_best_sentence_does_not_part_from_its_subject() -> None:
    item = evidence("The mill of Arle was built in 1702. It has four floors.")
    found = await mended("How many floors are there in the mill?", item, "It has", "The mill")
    assert found == [("", "The mill of Arle was built in 1702. It has four floors.")]


async def test_a_title_that_is_the_subject_stands_in_front() -> None:
    item = evidence("Arle Mill was built in 1702. It has four floors.", title="Arle Mill")
    assert await mended("How many floors are there?", item, "It has") == [("Arle Mill: ", "It has four floors.")]


async def test_what_goes_on_from_its_heading_is_quoted_from_there() -> None:
    item = paragraphs((HEADING, "Dune fern"), (PARAGRAPH, "is a fern of the northern coasts. It smells of salt."))
    assert await mended("Where does the dune fern grow?", item, "is a fern") == [("", "Dune fern\n\nis a fern of the northern coasts.")]


async def test_a_label_names_what_is_described_under_it() -> None:
    item = paragraphs((PARAGRAPH, "Hollin & Pryce"), (PARAGRAPH, "Examine our lifts every March. They look after the slings too."))
    assert await mended("Who examines our lifts?", item, "Examine") == [("Hollin & Pryce: ", "Examine our lifts every March.")]
    assert await mended("Who looks after slings?", item, "They") == [("Hollin & Pryce: ", "They look after the slings too.")]


async def test_a_connective_goes_and_a_capital_comes() -> None:
    item = evidence("Dogs are forbidden. However, the tenant may keep two cats.")
    assert await mended("How many cats may the tenant keep?", item, "However") == [("", "The tenant may keep two cats.")]


async def test_the_list_under_a_label_that_is_asked_for_is_told_whole() -> None:
    item = paragraphs(
        (PARAGRAPH, "CURRENT TOOLS"), (ITEM, "1. Adze"), (ITEM, "2. Bow saw, small"), (ITEM, "3. Mallet"), (PARAGRAPH, "Nothing else is kept.")
    )
    found = await mended("Which current tools are there?", item, "1. Adze")
    assert found == [("CURRENT TOOLS: ", "Adze"), ("", "Bow saw, small"), ("", "Mallet")]
    assert await mended("How small is the bow saw?", item, "2. Bow") == [("CURRENT TOOLS: ", "Bow saw, small")]


async def test_a_value_is_told_with_its_label() -> None:
    item = paragraphs((PARAGRAPH, "Total\n£1,240"))
    assert await mended("What is the total?", item, "£1,240") == [("Total: ", "£1,240")]


async def test_one_row_is_told_with_the_cell_that_answers() -> None:
    item = evidence("Name | Works for | Reach\nMarta Quill | Hollin & Pryce | 0300 111\nJon Reed | Dunmore Inc. | 0300 222")
    assert await mended("Which firm does Marta work for?", item, "Marta") == [("", "Marta Quill: works for Hollin & Pryce")]
    assert await mended("Who is called there?", item, "Jon", lead="0300 222") == [("", "Jon Reed: reach 0300 222")]
    both = await mended("Which firms do they work for?", item, "Marta", "Jon")
    assert both == [("Name | Works for | Reach\n", "Marta Quill | Hollin & Pryce | 0300 111"), ("", "Jon Reed | Dunmore Inc. | 0300 222")]


@pytest.mark.parametrize("starts", [("It has", "The mill"), ("The mill",), ("It has",)])
async def test_nothing_is_told_twice(starts: Sequence[str]) -> None:
    item = evidence("The mill of Arle was built in 1702. It has four floors. The yard is shut.")
    shown = " ".join(text for _, text in await mended("How many floors are in the mill?", item, *starts))
    assert shown.count("It has four floors.") <= 1
    assert shown.count("The mill of Arle") <= 1
