"""The extractive composer: what it quotes is exact, what it chooses answers, what it shows can be read alone."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.extractive.answer_sentences import unfold_quote
from answers.extractive.composer import MOST_ENCODED, ExtractiveComposer
from answers.scoring.unit_selection import Bounds
from answers.scoring.unit_vectors import UnitVectors
from core.answers import Answer, Evidence
from core.documents import BlockKind
from core.language.sentences import word_count
from tests.support.evidence import CountingEmbedder, WordIndex, evidence


async def compose(question: str, items: Sequence[Evidence], bounds: Bounds = Bounds()) -> Answer:  # noqa: B008
    return await ExtractiveComposer(UnitVectors(CountingEmbedder()), WordIndex(), bounds).compose("default", question, items)


def assert_exact(answer: Answer, items: Sequence[Evidence]) -> None:
    assert [citation.number for citation in answer.citations] == list(range(1, len(answer.citations) + 1))
    for citation in answer.citations:
        item = next(
            item
            for item in items
            if item.passage.document_id == citation.document_id and item.passage.start <= citation.start < citation.end <= item.passage.end
        )
        assert citation.quote == item.passage.content[citation.start - item.passage.start : citation.end - item.passage.start]
    for sentence in answer.sentences:
        assert sentence.support == "quoted"
        quote = answer.citations[sentence.citations[0] - 1].quote
        told = "|" in quote and sentence.kind is not BlockKind.TABLE  # a row as a sentence: its cells, in the document's own words
        shown = sentence.text.casefold()  # what stood behind "However, " has a capital now
        assert told or shown.endswith((quote if sentence.kind is BlockKind.CODE else unfold_quote(quote)).casefold())
        assert sentence.text in answer.text


_DOCUMENT = st.text(alphabet=st.sampled_from("lease notice month tenant .\n|;:?However, He 3 你好。"), min_size=1, max_size=300)


@settings(max_examples=60)
@given(texts=st.lists(_DOCUMENT, min_size=1, max_size=4), question=st.text(max_size=60))
async def test_every_quote_is_exactly_its_span(texts: list[str], question: str) -> None:
    items = [evidence(text, document=f"d{place}", title="Lease", start=place * 7) for place, text in enumerate(texts)]
    answer = await compose(question, items)
    assert answer.found == bool(answer.sentences)
    if answer.found:
        assert_exact(answer, items)


async def test_the_sentence_that_answers_comes_first() -> None:
    items = [
        evidence(
            "The lease of the mill began in May 2019. The rent is paid monthly. Cats are allowed in the garden.", document="lease", title="Mill lease"
        ),
        evidence("The harbour was rebuilt after the storm by the town council.", document="port", title="Port", score=0.4),
    ]
    answer = await compose("When did the lease of the mill begin?", items)
    assert answer.sentences[0].text == "The lease of the mill began in May 2019."
    assert answer.citations[0].page == 3
    assert answer.citations[0].generation == 7
    assert answer.text.startswith("May 2019 [1]\n\nThe lease of the mill began in May 2019. [1]")
    assert "harbour" not in answer.text
    assert_exact(answer, items)


async def test_a_bridge_brings_the_second_document() -> None:
    items = [
        evidence("Hello Stranger was performed by Hank Snow.", document="song", title="Hello Stranger"),
        evidence("The birth place of Hank Snow is Brooklyn, Nova Scotia.", document="man", title="Hank Snow", score=0.5),
        evidence("Madison County has many small farms and some shops.", document="else", title="Madison County", score=0.5),
    ]
    answer = await compose("What is the birth place of the performer of Hello Stranger?", items)
    assert [citation.document_id for citation in answer.citations][:2] == ["song", "man"]
    assert "Madison County" not in answer.text
    assert "\n\n" in answer.text  # a paragraph for each document


async def test_a_comparison_quotes_each_named_document() -> None:
    items = [
        evidence("The Halden lease ends with three months of notice.", document="a", title="Halden lease"),
        evidence("The Morrow lease ends with six months of notice.", document="b", title="Morrow lease", score=0.6),
        evidence("Notice of a lease means a letter.", document="c", title="Glossary", score=0.9),
    ]
    answer = await compose("What is the difference in notice between the Halden lease and the Morrow lease?", items)
    assert {"a", "b"} <= {citation.document_id for citation in answer.citations}


async def test_a_comparison_takes_a_distinctive_word_for_the_name() -> None:
    items = [
        evidence("We give a warranty of 5,000 operating hours.", document="a", title="Quote Kestrel Handling"),
        evidence("Warranty: two years or 6,000 operating hours.", document="b", title="Quote Pallas Trucks", score=0.5),
        evidence("A warranty is a promise about the operating hours of a truck.", document="c", title="Quote of the week", score=0.9),
    ]
    answer = await compose("kestrel vs pallas warranty", items)
    assert {"a", "b"} <= {citation.document_id for citation in answer.citations}


async def test_rows_that_only_look_alike_are_left_out_and_equal_ones_are_not() -> None:
    rows = "\n".join(
        f"S26-41{number} | {town} | {state}" for number, town, state in [(15, "Averton", "late"), (28, "Vessen", "late"), (30, "Varde", "in time")]
    )
    items = [evidence(f"shipment | destination | status\n{rows}")]
    one = await compose("What is the destination of shipment 4128?", [evidence(items[0].passage.content.replace("-", " "))])
    assert "Vessen" in one.text
    assert "Averton" not in one.text
    late = await compose("Which shipments were late?", items)
    assert "Averton" in late.text
    assert "Vessen" in late.text
    assert "Varde" not in late.text


async def test_a_quoted_mail_is_shown_without_its_marks() -> None:
    items = [evidence("> please find attached the report on crane C2 of the north hall, which we\n> received on 18 September.", start=5)]
    answer = await compose("When did we receive the report on crane C2?", items)
    assert answer.sentences[0].text == "please find attached the report on crane C2 of the north hall, which we received on 18 September."
    assert_exact(answer, items)


async def test_a_connective_is_left_out_of_the_span() -> None:
    items = [evidence("Dogs are not allowed. However, the tenant may keep two cats in the flat.")]
    answer = await compose("How many cats may the tenant keep in the flat?", items)
    assert answer.sentences[0].text == "The tenant may keep two cats in the flat."
    assert answer.citations[0].quote == "the tenant may keep two cats in the flat."
    assert_exact(answer, items)


async def test_a_pronoun_gets_the_title_or_else_the_sentence_before() -> None:
    text = "Ada Lovelace lived in London for years. She wrote the first program for the analytical engine."
    question = "Which program for the analytical engine was written?"
    titled = [evidence(text, title="Ada Byron King")]
    answer = await compose(question, titled)
    assert answer.sentences[0].text == "Ada Byron King: She wrote the first program for the analytical engine."
    assert answer.citations[0].quote == "She wrote the first program for the analytical engine."
    untitled = [evidence(text)]
    answer = await compose(question, untitled)
    assert answer.citations[0].quote == text
    assert_exact(answer, untitled)


async def test_one_row_is_told_and_several_bring_their_header_once() -> None:
    items = [evidence("Site | Rent | Deposit\nHalden | 400 | 800\nMorrow | 420 | 840\nVarde | 390 | 700")]
    one = await compose(
        "What is the deposit of Morrow?", [evidence("Site | Rent | Deposit\nHalden | 400 | 800\nMorrow | 420 | 840")], Bounds(max_sentences=1)
    )
    assert [(sentence.text, sentence.kind) for sentence in one.sentences] == [("Morrow: deposit 840", BlockKind.PARAGRAPH)]
    assert [citation.quote for citation in one.citations] == ["Morrow | 420 | 840"]
    answer = await compose("What are the deposits of Halden and Morrow?", items)
    rows = [sentence.text for sentence in answer.sentences if sentence.kind is BlockKind.TABLE]
    assert rows[0] == "Site | Rent | Deposit\nHalden | 400 | 800"
    assert "Morrow | 420 | 840" in rows
    assert "Site | Rent | Deposit" not in [citation.quote for citation in answer.citations]
    assert_exact(answer, items)


async def test_a_colon_brings_what_it_announces() -> None:
    items = [
        evidence("To end the lease the tenant must send these papers:\n- the signed notice form\n- the meter reading of the last day\n\nCats sleep.")
    ]
    answer = await compose("Which papers must the tenant send to end the lease?", items)
    assert [sentence.text for sentence in answer.sentences[:3]] == [
        "To end the lease the tenant must send these papers:",
        "the signed notice form",
        "the meter reading of the last day",
    ]
    assert "\nthe signed notice form [2]" in answer.text


async def test_the_answer_keeps_its_bounds_and_says_nothing_twice() -> None:
    text = " ".join(f"The tenant pays the rent of the mill to owner number {number} every single month without delay." for number in range(30))
    answer = await compose(
        "Who does the tenant pay the rent of the mill to?", [evidence(text), evidence(text, document="copy")], Bounds(max_words=60)
    )
    assert sum(word_count(sentence.text) for sentence in answer.sentences) <= 60
    assert len({sentence.text for sentence in answer.sentences}) == len(answer.sentences)


async def test_one_candidate_is_highlighted_and_two_are_not() -> None:
    question = "When was the mill sold?"
    one = (await compose(question, [evidence("The mill was sold on 3 May 2021 to the town.")])).sentences[0]
    assert one.highlight is not None
    assert one.text[slice(*one.highlight)] == "3 May 2021"
    two = (await compose(question, [evidence("The mill was sold in 1990 and in 2021 to the town.")])).sentences[0]
    assert two.highlight is None


@pytest.mark.parametrize("text", ["", "   \n ", "Why? Who?", "# A heading"])
async def test_nothing_to_quote_is_not_found(text: str) -> None:
    answer = await compose("What is the rent?", [evidence(text)])
    assert not answer.found
    assert answer.generated_by == "none"
    assert not answer.sentences
    assert not answer.citations
    assert "What is the rent?" in answer.text
    assert "d1.txt" in answer.text


async def test_no_evidence_is_not_found() -> None:
    answer = await compose("x" * 5000, [])
    assert not answer.found
    assert len(answer.text) < 400


async def test_chinese_is_quoted_whole() -> None:
    items = [evidence("租约于三月结束。房东必须在三个月前通知租户。猫可以住在花园里。")]
    answer = await compose("房东必须什么时候通知租户？", items)
    assert "房东必须在三个月前通知租户。" in [sentence.text for sentence in answer.sentences]
    assert_exact(answer, items)


async def test_few_units_are_encoded_and_none_twice() -> None:
    embedder = CountingEmbedder()
    composer = ExtractiveComposer(UnitVectors(embedder), WordIndex(), Bounds())
    items = [evidence(" ".join(f"Sentence {number} speaks of the rent of house {number}." for number in range(80)))]
    first = await composer.compose("default", "What is the rent of house 7?", items)
    assert 0 < len(embedder.encoded) <= MOST_ENCODED
    again = await composer.compose("default", "What is the rent of house 7?", items)
    assert again == first
    assert len(embedder.encoded) == len(set(embedder.encoded)) <= MOST_ENCODED


async def test_the_memory_of_vectors_forgets_the_oldest() -> None:
    embedder = CountingEmbedder()
    vectors = UnitVectors(embedder, capacity=2)
    for text in ("one", "two", "three", "two", "one"):
        await vectors.encode([text])
    assert embedder.encoded == ["one", "two", "three", "one"]
