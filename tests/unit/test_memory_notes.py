"""What sentences say, and what becomes of a draft beside the notes that are there."""

from __future__ import annotations

from datetime import timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory import Note
from core.ports import MemoryVector, StoredNote
from memory.consolidation import NoteVectors, tidy_notes
from memory.notes import EDIT_REASON, NeighbourNote, NoteDraft, NoteOptions, best_sentence, edit_note, keywords_of, settle_draft
from memory.statements import describe_change, is_same_statement, parse_statement
from tests.support.memory_world import NOON, terms

OPTIONS = NoteOptions()


def note(content: str, number: int = 1, **more: object) -> Note:
    fields = {"id": f"n{number}", "user_id": "ann", "content": content, "source": "high_confidence", "created_at": NOON, "updated_at": NOON}
    return Note.model_validate({**fields, **more})


def draft(content: str, context: str = "", **more: object) -> NoteDraft:
    return NoteDraft(**{"user_id": "ann", "content": content, "context": context, "source": "high_confidence", **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("The yearly rent is 48,000 euros.", "The yearly rent is 52,000 euros.", "48,000 became 52,000"),
        ("Notice is six months.", "Notice is three months.", "six became three"),
        ("The lease ends on 3 May 2026.", "The lease ends on 3 June 2026.", "May became June"),
        ("The landlord is Anna Holt.", "The landlord is Mark Reed.", "Anna Holt became Mark Reed"),
        ("Unit 3 costs 900 euros.", "Unit 3 costs 950 euros.", "900 became 950"),
        ("My desk is 4.12.", "Now my desk is 5.01.", "4.12 became 5.01"),
        ("my desk is 4.12", "my desk is 5.01 now", "4.12 became 5.01"),
        ("Die Miete beträgt 900 Euro.", "Die Miete beträgt 950 Euro.", "900 became 950"),
    ],
)
def test_another_value_of_the_same_thing_is_a_change(old: str, new: str, reason: str) -> None:
    assert describe_change(parse_statement(old, terms), parse_statement(new, terms)) == reason


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Anna's favourite colour is blue.", "Mark's favourite colour is blue."),
        ("The rent of Unit 3 is 900.", "The rent of Unit 4 is 950."),
        ("The monthly rent of the hall at Unit 3 on the quay is 900.", "The monthly rent of the hall at Unit 4 on the quay is 950."),
        ("I met Anna in the office.", "I met Mark in the office."),
        ("The rent is 900 euros.", "The rent is 900 euros."),
        ("The rent is 900 euros.", "Trains leave at 9:00."),
        ("", "The rent is 900."),
    ],
)
def test_other_things_and_the_same_words_are_none(old: str, new: str) -> None:
    assert describe_change(parse_statement(old, terms), parse_statement(new, terms)) == ""


@given(st.text(max_size=200))
def test_any_text_is_a_statement_that_says_the_same_as_itself(text: str) -> None:
    said = parse_statement(text, terms)
    assert is_same_statement(said, said)
    assert describe_change(said, said) == ""


def test_a_new_note_has_keywords_tags_and_links_both_ways() -> None:
    near = [NeighbourNote(note("The roof was mended.", 1), 0.8), NeighbourNote(note("Trains are cheap.", 2), 0.4)]
    settled = settle_draft(draft("The roof of the hall is of slate.", "What is the roof of?"), near, terms, OPTIONS, NOON)
    made, other = settled.notes
    assert made.links == ["n1"]
    assert other.links == [made.id]
    assert "roof" in made.keywords
    assert len(made.keywords) <= 5
    assert made.tags[0] == "answer"
    assert settled.message == "A note was made, linked to 1 like it."


def test_a_note_never_has_more_links_than_the_settings_say() -> None:
    full = note("Full.", 0, links=[f"x{number}" for number in range(10)])
    near = [NeighbourNote(full, 0.9), *(NeighbourNote(note(f"Words {number}.", number), 0.8) for number in range(1, 15))]
    made, *others = settle_draft(draft("Something that is new here."), near, terms, OPTIONS, NOON).notes
    assert len(made.links) == 10
    assert full.id not in made.links
    assert all(len(each.links) <= 10 for each in others)


@pytest.mark.parametrize(("content", "cosine"), [("the  ROOF was mended in 2021.", 0.2), ("In 2021 the roof was mended.", 0.96)])
def test_what_is_known_is_not_stored_again(content: str, cosine: float) -> None:
    settled = settle_draft(draft(content), [NeighbourNote(note("The roof was mended in 2021."), cosine)], terms, OPTIONS, NOON)
    assert settled.notes == ()
    assert settled.message == ""


def test_a_person_who_says_it_in_other_words_is_taken_at_these() -> None:
    near = [NeighbourNote(note("The hall has a roof of slate.", source="remember"), 0.97)]
    settled = settle_draft(draft("The hall has a roof of slate and copper.", source="remember"), near, terms, OPTIONS, NOON)
    assert [(each.id, each.content) for each in settled.notes] == [("n1", "The hall has a roof of slate and copper.")]


def test_the_same_from_a_stronger_source_confirms_the_note() -> None:
    near = [NeighbourNote(note("The roof was mended.", document_ids=["d"]), 1.0)]
    liked = settle_draft(draft("The roof was mended.", source="positive_feedback", document_ids=("e",)), near, terms, OPTIONS, NOON)
    assert (liked.notes[0].source, liked.notes[0].document_ids) == ("positive_feedback", ["d", "e"])
    told = settle_draft(draft("The roof was mended.", source="remember"), near, terms, OPTIONS, NOON)
    assert (told.notes[0].source, told.notes[0].document_ids) == ("remember", [])


def test_a_change_keeps_the_old_words_with_the_reason() -> None:
    old = note("The rent is 48,000 euros.", document_ids=["d"], session_id="s1", trace_id="r1")
    settled = settle_draft(draft("The rent is 52,000 euros.", document_ids=("e",), session_id="s2"), [NeighbourNote(old, 0.9)], terms, OPTIONS, NOON)
    (new,) = settled.notes
    assert (new.id, new.content, new.document_ids, new.session_id) == ("n1", "The rent is 52,000 euros.", ["e"], "s2")
    (version,) = new.history
    assert (version.content, version.reason, version.document_ids, version.session_id) == (old.content, "48,000 became 52,000", ["d"], "s1")
    assert settled.message == "A note was changed: 48,000 became 52,000."


def test_another_answer_to_the_same_question_from_the_same_document_changes_the_note() -> None:
    old = note("Written notice of six months.", context="How much notice?", document_ids=["d"])
    here = settle_draft(draft("By hand to the agent.", "How much notice?", document_ids=("d",)), [NeighbourNote(old, 0.1)], terms, OPTIONS, NOON)
    elsewhere = settle_draft(draft("By hand to the agent.", "How much notice?", document_ids=("e",)), [NeighbourNote(old, 0.1)], terms, OPTIONS, NOON)
    assert here.notes[0].id == old.id
    assert elsewhere.notes[0].id != old.id


@pytest.mark.parametrize(
    "mine", [note("The rent is 10 euros.", source="remember"), edit_note(note("It is 9."), "The rent is 10 euros.", terms, OPTIONS, NOON)]
)
def test_what_a_person_said_is_changed_by_a_person_alone(mine: Note) -> None:
    assert settle_draft(draft("The rent is 12 euros."), [NeighbourNote(mine, 0.9)], terms, OPTIONS, NOON).notes == ()
    said = settle_draft(draft("The rent is 12 euros.", source="remember"), [NeighbourNote(mine, 0.9)], terms, OPTIONS, NOON)
    assert said.notes[0].content == "The rent is 12 euros."
    assert said.notes[0].id == mine.id


def test_an_edit_keeps_the_words_before_it() -> None:
    changed_note = edit_note(note("Old words."), "New words.", terms, OPTIONS, NOON + timedelta(days=1))
    assert changed_note.content == "New words."
    assert [(each.content, each.reason) for each in changed_note.history] == [("Old words.", EDIT_REASON)]


def test_keywords_are_words_of_the_note_and_no_function_words() -> None:
    assert keywords_of("The rent of the hall is due in May.", "When is the rent due?", terms, 3) == ["rent", "due", "hall"]
    assert keywords_of("", "", terms, 5) == []


def test_a_note_of_an_answer_is_its_first_sentence_within_bounds() -> None:
    assert best_sentence([]) == ""
    assert len(best_sentence(["word " * 300])) <= 403
    assert best_sentence(["The rent is 48,000 euros a year, due in May.", "More."]) == "The rent is 48,000 euros a year, due in May."


# ---------------------------------------------------------------------------------------------------------------- merging and pruning
def kept(*notes: Note) -> list[StoredNote]:
    return [StoredNote(each, MemoryVector("words", np.zeros(0, np.float16))) for each in notes]


def apart(count: int) -> NoteVectors:
    return NoteVectors(np.eye(count, dtype=np.float32))


def test_notes_that_say_the_same_are_merged_into_the_persons_own_and_links_follow() -> None:
    answer = note("The rent is 900.", 1, updated_at=NOON + timedelta(days=2), document_ids=["d"])
    told = note("the rent  is 900.", 2, source="remember")
    other = note("Something else.", 3, links=["n1"])
    tidied = tidy_notes(kept(answer, told, other), apart(3), terms, OPTIONS)
    assert (tidied.removed_ids, tidied.merged_count, tidied.pruned_count) == (["n1"], 1, 0)
    assert [each.note.links for each in tidied.notes if each.note.id == "n3"] == [["n2"]]
    assert all(each.note.document_ids == [] for each in tidied.notes if each.note.id == "n2")


def test_meaning_merges_only_what_has_the_same_values() -> None:
    vectors = NoteVectors(np.ones((2, 1), np.float32))
    assert tidy_notes(kept(note("It opens at 8.", 1), note("Opening is at 8.", 2)), vectors, terms, OPTIONS).merged_count == 1
    assert tidy_notes(kept(note("It opens at 8.", 1), note("Opening is at 9.", 2)), vectors, terms, OPTIONS).merged_count == 0


def test_pruning_takes_answers_that_nobody_confirmed_and_never_a_persons_words() -> None:
    mine = [note(f"Mine {number}.", number, source="remember") for number in range(3)]
    answers = [note(f"Answer {number}.", 10 + number, updated_at=NOON + timedelta(days=number)) for number in range(3)]
    liked = note("Liked.", 20, source="positive_feedback")
    tidied = tidy_notes(kept(*mine, *answers, liked), apart(7), terms, NoteOptions(most=5))
    assert sorted(tidied.removed_ids) == ["n10", "n11"]
    assert len(tidy_notes(kept(*mine), apart(3), terms, NoteOptions(most=1)).removed_ids) == 0


def test_tidying_what_is_tidy_changes_nothing() -> None:
    notes = kept(note("The rent is 900.", 1, links=["n9"]), note("The rent is 900.", 2), note("Else.", 3))
    once = tidy_notes(notes, apart(3), terms, OPTIONS)
    after = {each.note.id: each for each in notes if each.note.id not in once.removed_ids} | {each.note.id: each for each in once.notes}
    twice = tidy_notes(list(after.values()), apart(len(after)), terms, OPTIONS)
    assert (twice.notes, twice.removed_ids) == ([], [])
