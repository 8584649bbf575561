"""Lazy summaries: what they are found from, which sentences are told, and what is missing."""

from __future__ import annotations

import pytest

from agents.lazy_rag.agent import GraphPorts, LazyOptions, SummaryQuestion, summarize_lazily
from agents.lazy_rag.graph_sentences import GraphSentence, choose_sentences
from agents.lazy_rag.subject_words import SubjectWords
from core.communities import CommunityCitation
from core.search import Candidate, Filters
from tests.support.graph_answers import QUESTION, harbour_library
from tests.unit.test_overview_answer import FakeCommunities, theme


def ask(text: str = QUESTION, filters: Filters | None = None, candidates: list[Candidate] | None = None) -> SummaryQuestion:
    return SummaryQuestion(text=text, tenant="default", names=[], filters=filters or Filters(), candidates=candidates or [])


def ports(communities: FakeCommunities | None = None) -> GraphPorts:
    library, view = harbour_library()
    return GraphPorts(view, library, communities)


async def test_the_sentences_that_speak_of_it_are_told_each_cited() -> None:
    library, _ = harbour_library()
    made = await summarize_lazily(ask(), ports=ports(), options=LazyOptions())
    assert made is not None
    assert [each.name for each in made.entities if each.hops == 0] == ["Elver Lock"]
    assert {"Mara Ellison", "Trevanion & Holt"} <= {each.name for each in made.entities}
    assert "Mara Ellison found a crack in the gate of Elver Lock." in made.answer.text
    assert "was late with the pump" in made.answer.text
    assert "soup" not in made.answer.text
    assert made.answer.text.startswith("4 sentences of 2 documents, found from Elver Lock:")
    for each in made.answer.citations:
        assert library.texts[each.document_id].text[each.start : each.end] == each.quote
    assert all(sentence.citations for sentence in made.answer.sentences[1:])
    assert made.missing == []
    assert 4 <= made.sentences_read <= 150


async def test_a_question_that_names_nothing_begins_at_what_its_passages_mention() -> None:
    library, view = harbour_library()
    found = [Candidate(chunk_id=2, document_id="audit", score=1.0)]
    made = await summarize_lazily(
        ask("Which cracks do all the files speak of?", candidates=found), ports=GraphPorts(view, library), options=LazyOptions()
    )
    assert made is not None
    assert {each.name for each in made.entities if each.hops == 0} == {"Mara Ellison", "Elver Lock"}
    assert {each.document_id for each in made.answer.citations} == {"audit"}


@pytest.mark.parametrize(("hops", "entities", "reached"), [(1, 50, 1), (2, 50, 2), (2, 1, 1)])
async def test_the_walk_is_bounded(hops: int, entities: int, reached: int) -> None:
    made = await summarize_lazily(ask(), ports=ports(), options=LazyOptions(max_entities=entities, max_hops=hops))
    assert made is not None
    assert max(each.hops for each in made.entities) <= min(hops, reached)
    assert len(made.facts) <= entities


async def test_limits_of_the_search_hold() -> None:
    limited = ask(filters=Filters(document_ids=["minutes"]), candidates=[])
    made = await summarize_lazily(limited, ports=ports(FakeCommunities([theme("Gates", 2, "A gate is shut.")])), options=LazyOptions())
    assert made is not None
    assert {each.document_id for each in made.answer.citations} == {"minutes"}  # and no community, which is of the whole library


async def test_communities_add_their_sentences_unless_they_are_left_out() -> None:
    said = "The lock is closed for repairs of all its defects."
    for use, told in ((True, True), (False, False)):
        made = await summarize_lazily(ask(), ports=ports(FakeCommunities([theme("Gates", 2, said)])), options=LazyOptions(use_communities=use))
        assert made is not None
        assert (said in made.answer.text) == told


async def test_what_no_sentence_has_is_said_and_where_none_has_any_there_is_no_summary() -> None:
    made = await summarize_lazily(ask("Which cracks and unicorns do all documents see in Elver Lock?"), ports=ports(), options=LazyOptions())
    assert made is not None
    assert made.missing == ["unicorns"]
    assert made.answer.notes == ["No sentence that was read has: unicorns."]
    for thing in ("unicorns", "unicorns at Elver Lock"):
        assert await summarize_lazily(ask(f"What do all documents say about {thing}?"), ports=ports(), options=LazyOptions()) is None


def test_words_are_found_in_other_words() -> None:
    words = SubjectWords.read("Which problems with the repairs come up across all documents?")
    assert words.find_in("A crack was seen.") == {"problem"}
    assert words.list_missing("The pump was repaired.") == ["problems"]
    assert len(SubjectWords.read("What do all the documents say together?")) == 0
    assert SubjectWords.read("unicorns at Elver Lock").without_names(["Elver Lock"]).stems == {"unicorn"}
    assert SubjectWords.read("Elver Lock").without_names(["Elver Lock"]).stems == {"elver", "lock"}


def sentence(text: str, document: str, place: int) -> GraphSentence:
    said = CommunityCitation(document_id=document, generation=1, filename=document, page=None, start=place, end=place + len(text), text=text)
    return GraphSentence(said, 1.0)


def test_rows_only_make_up_three_and_no_two_are_alike() -> None:
    whole = [
        sentence("The gate of the lock is cracked on its left side.", "a", 0),
        sentence("The gate of the lock is cracked on its right side.", "a", 60),
    ]
    rows = [sentence(text, text, 0) for text in ("Averton | road", "Osyn | pier", "Vessen | dock", "Merrow | yard")]
    chosen = choose_sentences([(1.0 - place / 10, each) for place, each in enumerate([*rows, *whole])], 8)
    assert [each.text[:3] for _, each in chosen] == ["Ave", "Osy", "The"]
