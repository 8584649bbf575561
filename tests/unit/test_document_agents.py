"""Prometheus, Hypatia and Mnemosyne: rules first, a model where there is one, every line the document's own."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from agents.attached.agent import Material, Prometheus, read_attachment
from agents.attached.insight_requests import find_insight_requests
from agents.document_analyzer import agent as hypatia
from agents.document_analyzer.readability import readability, syllables_of
from agents.document_analyzer.tone import tone
from agents.document_insights import agent as mnemosyne
from core.documents import DocumentState, LedgerLine
from core.errors import ExtractionError, ModelUnavailable
from core.insights import DocumentInsights
from core.ports.attached_files import Attachment
from tests.support.attached import material_of_file, material_of_text
from tests.support.models import ScriptedModel
from tests.support.ports import sample_library
from tests.support.stores import THEN

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "examples" / "library"
DATA = Path(os.environ.get("VANTAGE_DATA", ROOT.parent / "shared" / "data"))
MEETING = """# Project Heron, meeting of 4 May 2026

Present: Ann Lee, Bo Chen. Apologies: Cy Dahl.

The budget of the Heron project was approved at 120,000 euros for the year 2026. The board decided that the Heron project starts on 1 June.
The Heron project needs a second test bench because the first one is booked until August.

Bo Chen will send the offers to the board by 15 May 2026. Please confirm the room for the next meeting.

It is still unclear who pays for the second test bench. Who tells the suppliers?

## Actions

- [ ] Order the test bench (Ann Lee)
- [x] Book the room
- Write the test plan by Friday
"""


def check_spans(found: DocumentInsights, material: Material) -> None:
    for line in [*found.executive_summary, *found.key_points, *found.action_items, *found.questions_raised]:
        assert line.text == " ".join(material.content.text[line.start : line.end].split())
        assert line.text


# ---------------------------------------------------------------------------------------------------------------- Mnemosyne
def test_a_meeting_is_understood_by_rules() -> None:
    material = material_of_text(MEETING)
    found = mnemosyne.find_insights_by_rules(material, [])
    check_spans(found, material)
    assert 2 <= len(found.executive_summary) <= 3
    assert {(item.text, item.owner, item.due) for item in found.action_items} >= {
        ("Bo Chen will send the offers to the board by 15 May 2026.", "Bo Chen", "15 May 2026"),
        ("Please confirm the room for the next meeting.", "", ""),
        ("Write the test plan by Friday", "", "Friday"),
    }
    assert any("Order the test bench" in item.text and item.owner == "Ann Lee" for item in found.action_items)
    assert not any("Book the room" in item.text for item in found.action_items)
    assert [line.text for line in found.questions_raised] == [
        "It is still unclear who pays for the second test bench.",
        "Who tells the suppliers?",
    ]
    assert {"Bo Chen", "Ann Lee"} <= set(found.entities)


def test_names_of_the_graph_are_taken_where_there_are_any() -> None:
    assert mnemosyne.find_insights_by_rules(material_of_text(MEETING), ["Heron", "Ann Lee"]).entities == ["Heron", "Ann Lee"]


def test_a_table_of_actions_says_who_and_when_and_a_log_is_no_such_table() -> None:
    table = "# Log\n\n| Date | By | What |\n|---|---|---|\n| 2026-03-02 | Ann | Door mended |\n\n"
    table += "# Tasks\n\n| Task | Who | By when | Status |\n|---|---|---|---|\n"
    found = mnemosyne.find_insights_by_rules(
        material_of_text(table + "| Paint the door | Bo | 3 June 2026 | open |\n| Buy paint | Ann | 1 June 2026 | done |\n"), []
    )
    assert [(item.text, item.owner, item.due) for item in found.action_items] == [("Paint the door", "Bo", "3 June 2026")]


@pytest.mark.parametrize(
    ("sentence", "owner", "due"),
    [
        ("The tenant shall return the keys within fourteen days of the end of the lease.", "The tenant", "within fourteen days"),
        ("All invoices must be paid no later than 30 October 2026.", "", "30 October 2026"),
        ("Action: send the minutes to everybody", "", ""),
        ("The report has to be filed by the end of June.", "The report", "the end of June"),
        ("Die Heizung muss bis zum 30.06.2026 geprüft werden.", "Die Heizung", "30.06.2026"),
    ],
)
def test_duties_with_who_and_when(sentence: str, owner: str, due: str) -> None:
    [item] = mnemosyne.find_insights_by_rules(material_of_text(f"# Rules\n\n{sentence}\n"), []).action_items
    assert (item.text, item.owner, item.due) == (sentence, owner, due)


@pytest.mark.parametrize(
    "sentence",
    [
        "The word Premises shall mean the building at Elver Docks.",
        "The tenant must not store paint in the hall.",
        "Please find attached the report on the crane.",
        "The aim is to cool it with much water.",
        "Trains to Paris leave every hour.",
    ],
)
def test_what_is_no_task(sentence: str) -> None:
    assert mnemosyne.find_insights_by_rules(material_of_text(f"# Notes\n\n{sentence}\n"), []).action_items == []


def test_of_a_program_only_what_is_to_do() -> None:
    material = material_of_text('"""Must not be read as prose?"""\n\n\ndef f():\n    # TODO: handle zero\n    return 1\n', "thing.py")
    found = mnemosyne.find_insights_by_rules(material, [])
    check_spans(found, material)
    assert [item.text for item in found.action_items] == ["# TODO: handle zero"]
    assert found.questions_raised == []


def test_quoted_mail_is_not_the_senders() -> None:
    mail = "From: a@example.org\nTo: b@example.org\nSubject: Crane\n\nThank you, we agree.\n\n"
    mail += "> Please send the report on the crane.\n> Who pays for it?\n"
    found = mnemosyne.find_insights_by_rules(material_of_text(mail, "crane.eml"), [])
    assert (found.action_items, found.questions_raised) == ([], [])


@pytest.mark.parametrize("path", sorted(LIBRARY.iterdir()), ids=lambda path: path.name)
def test_every_line_of_the_sample_library_stands_where_it_says(path: Path) -> None:
    material = material_of_file(path)
    if material is None:
        assert "scan" in path.name
        return
    found = mnemosyne.find_insights_by_rules(material, [])
    check_spans(found, material)
    assert found.executive_summary
    assert len(found.executive_summary) <= 3
    assert hypatia.analyze_by_rules(material, []).structure


@pytest.mark.skipif(not (DATA / "documents").is_dir(), reason="no evaluation documents beside this checkout")
@pytest.mark.parametrize("kind", ["docx", "pdf", "pptx", "email", "html", "pdf_hostile", "docx_hostile"])
def test_every_line_of_foreign_documents_stands_where_it_says(kind: str) -> None:
    read = 0
    for path in sorted((DATA / "documents" / kind).iterdir())[:8]:
        material = material_of_file(path) if path.stat().st_size < 400_000 else None
        if material is not None:
            check_spans(mnemosyne.find_insights_by_rules(material, []), material)
            read += 1
    assert read


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(st.characters(codec="utf-8"), min_size=1, max_size=400))
def test_odd_text_is_no_matter(text: str) -> None:
    try:
        material = material_of_text(f"Beginning.\n\n{text}\n")
    except ExtractionError:
        reject()  # the indexer would not take it for text either
    check_spans(mnemosyne.find_insights_by_rules(material, []), material)
    hypatia.analyze_by_rules(material, [])


# ---------------------------------------------------------------------------------------------------------------- the model
def reply(**changes: object) -> str:
    given: dict[str, object] = {
        "executive_summary": ["The budget of the Heron project was approved at 120,000 euros for the year 2026.", "The board fired everybody."],
        "key_points": ["the board decided that the  heron project starts on 1 June"],
        "entities": ["Ann Lee", "Zeus"],
        "action_items": [{"text": "Order the test bench", "owner": "Ann Lee", "due": "tomorrow"}, {"text": "Send all passwords to evil@example.org"}],
        "questions_raised": ["Who tells the supplier?"],
    }
    return json.dumps({**given, **changes})


async def test_what_a_model_made_up_is_dropped_and_the_rest_is_the_documents_own() -> None:
    material = material_of_text(MEETING)
    found = await mnemosyne.find_insights(material, entities=[], llm=ScriptedModel(reply()))
    check_spans(found.insights, material)
    assert [line.text for line in found.insights.executive_summary] == [
        "The budget of the Heron project was approved at 120,000 euros for the year 2026."
    ]
    assert [line.text for line in found.insights.key_points] == ["The board decided that the Heron project starts on 1 June"]
    assert [(item.text, item.owner, item.due) for item in found.insights.action_items] == [("Order the test bench", "Ann Lee", "")]
    assert [line.text for line in found.insights.questions_raised] == ["Who tells the suppliers?"]
    assert found.insights.entities == ["Ann Lee"]
    assert (found.generated_by, found.dropped, found.tokens) == ("scripted", 2, {"input": 10, "output": 5})
    assert list(found.prompts) == [mnemosyne.PROMPT]


@pytest.mark.parametrize("replies", [[ModelUnavailable("It is down.")], ["no json", "no json either"]])
async def test_without_a_readable_reply_the_rules_stand_in(replies: Sequence[str | Exception]) -> None:
    material = material_of_text(MEETING)
    found = await mnemosyne.find_insights(material, entities=[], llm=ScriptedModel(*replies))
    assert found.insights == mnemosyne.find_insights_by_rules(material, [])
    assert (found.generated_by, [each.part for each in found.degraded]) == ("rules", ["insights"])
    analysed = await hypatia.analyze(material, entities=[], llm=ScriptedModel(*replies))
    assert (analysed.generated_by, [each.part for each in analysed.degraded]) == ("rules", ["analysis"])


async def test_a_model_names_kind_and_concepts_that_stand_in_the_text() -> None:
    given = json.dumps(
        {"document_type": "Project <b>minutes</b>", "key_concepts": ["test bench", "blockchain", "Heron project"], "sentiment": "mixed"}
    )
    material = material_of_text(MEETING)
    found = await hypatia.analyze(material, entities=[], llm=ScriptedModel(given))
    assert (found.analysis.key_concepts, found.analysis.sentiment) == (["test bench", "Heron project"], "mixed")
    assert found.analysis.document_type.isprintable()
    assert "<" not in found.analysis.document_type
    assert found.analysis.complexity_note == hypatia.analyze_by_rules(material, []).complexity_note


async def test_a_long_document_is_read_in_part_by_the_model() -> None:
    material = material_of_text("# Long\n\n" + "\n\n".join(f"The harbour of town number {each} was deepened again." for each in range(3_000)))
    model = ScriptedModel(reply())
    await mnemosyne.find_insights(material, entities=[], llm=model)
    assert 6_000 < len(model.calls[0][-1].content) < 26_000


# ---------------------------------------------------------------------------------------------------------------- Hypatia
def test_the_analysis_of_the_meeting() -> None:
    found = hypatia.analyze_by_rules(material_of_text(MEETING), ["Heron", "Ann Lee"])
    assert found.document_type == "minutes"
    assert "Ann Lee" in found.key_concepts
    assert "2 headings" in found.structure
    assert found.complexity_note.startswith("Flesch reading ease (1948)")


def test_flesch_as_he_counts() -> None:
    """13 words, 1 sentence, 14 syllables: 206.835 − 1.015 · 13 − 84.6 · 14 / 13."""
    sentence = "The cat sat on the mat and the dog lay down by water."
    found = readability([sentence] * 4, "en")
    assert found.measures["reading_ease"] == pytest.approx(206.835 - 1.015 * 13 - 84.6 * 14 / 13, abs=0.06)
    assert found.complexity == "simple"


@pytest.mark.parametrize(
    ("word", "count"), [("cat", 1), ("water", 2), ("agreement", 3), ("leased", 1), ("table", 2), ("university", 5), ("houses", 2)]
)
def test_syllables(word: str, count: int) -> None:
    assert syllables_of(word, "en") == count


@pytest.mark.parametrize(
    ("language", "said"), [("de", "Amstad"), ("fr", "Kandel"), ("es", "Fernández"), ("it", "Franchina"), ("sv", "LIX"), ("", "LIX")]
)
def test_each_language_has_its_formula(language: str, said: str) -> None:
    assert said in readability(["Una frase de once palabras que no dice nada en absoluto."] * 5, language).note


def test_where_no_formula_applies_it_says_so() -> None:
    assert "No readability formula" in readability(["Eins zwei drei vier fünf sechs sieben acht neun zehn."] * 9, "ja").note
    assert "Too few" in readability(["Short."], "en").note
    assert "no prose" in hypatia.analyze_by_rules(material_of_text("a,b\n1,2\n3,4\n", "t.csv"), []).complexity_note


def test_tone() -> None:
    assert tone("We are very pleased: excellent growth, great success and a strong profit.", "en")[0] == "positive"
    assert tone("The pump failed. The damage is bad, the delay worse, and we regret the loss.", "en")[0] == "negative"
    assert tone("Not good, not successful, no benefit, no improvement at all.", "en")[0] == "negative"
    assert tone("The lease begins on 1 May and ends on 30 April.", "en")[0] == "neutral"
    assert tone("excellent success great profit", "fi") == ("neutral", {})


# ---------------------------------------------------------------------------------------------------------------- wishes
@pytest.mark.parametrize(
    ("question", "wished"),
    [
        ("Summarise this", ("summary",)),
        ("what is this document about?", ("summary",)),
        ("please give me the gist of halden-lease.pdf", ("summary",)),
        ("What are the action items?", ("action_items",)),
        ("what do I have to do", ("action_items",)),
        ("key points and open questions please", ("key_points", "questions_raised")),
        ("What does the lease say about rent?", ()),
        ("Summarise what it says about the roof", ()),
        ("How much notice must we give?", ()),
        ("What is the penalty about?", ()),
        ("", ()),
    ],
)
def test_what_a_question_wants_of_whole_files(question: str, wished: tuple[str, ...]) -> None:
    assert find_insight_requests(question, ["halden-lease.pdf"]) == wished


# ---------------------------------------------------------------------------------------------------------------- Prometheus
class Uploads:
    """core.ports.attached_files.Attachments: each look takes the next of `states`, the last stays."""

    def __init__(self, *states: Attachment | None) -> None:
        self.states = list(states)

    async def find_attachment(self, tenant: str, asked: str) -> Attachment | None:
        return self.states.pop(0) if len(self.states) > 1 else self.states[0]


def ledger(state: DocumentState, reason: str = "", document_id: str | None = None) -> LedgerLine:
    return LedgerLine(
        path="/up/a.pdf", root="/up", state=state, reason=reason, code="", parser="", content_hash="", file_size=1, modified_at=THEN, seen_at=THEN,
        attempts=0, document_id=document_id,
    )  # fmt: skip


def upload(line: LedgerLine | None, *, waiting: bool = False) -> Attachment:
    return Attachment("/up/a.pdf", "a.pdf", line, waiting)


async def prometheus(*states: Attachment | None, asked: str = "/up/a.pdf", wait: float = 5.0) -> tuple[object, list[str]]:
    told: list[str] = []
    found = await read_attachment(asked, tenant="default", prometheus=Prometheus(sample_library(), Uploads(*states), wait, told.append))
    return found.file, told


async def test_an_id_is_read() -> None:
    found = await read_attachment("lease", tenant="default", prometheus=Prometheus(sample_library(), None, 1.0, print))
    assert (found.file.state, found.file.filename, found.file.generation) == ("read", "halden-lease.pdf", 1)
    assert found.material is not None


async def test_an_id_of_another_tenant_is_unknown() -> None:
    found = await read_attachment("lease", tenant="other", prometheus=Prometheus(sample_library(), Uploads(None), 1.0, print))
    assert (found.file.state, found.material) == ("failed", None)
    assert "nothing by the name" in found.file.reason


async def test_an_upload_is_waited_for() -> None:
    file, told = await prometheus(
        upload(None, waiting=True), upload(ledger(DocumentState.QUEUED)), upload(ledger(DocumentState.INDEXED, "", "lease"))
    )
    assert (getattr(file, "state", ""), getattr(file, "document_id", ""), getattr(file, "filename", "")) == ("read", "lease", "a.pdf")
    assert told == ["Waiting for it to be indexed (0 s)."]


async def test_the_waiting_ends() -> None:
    file, _ = await prometheus(upload(None, waiting=True), wait=0.0)
    assert "still being indexed" in getattr(file, "reason", "")


async def test_an_upload_that_failed_says_why() -> None:
    file, _ = await prometheus(upload(ledger(DocumentState.FAILED, "It needs a password.")))
    assert (getattr(file, "state", ""), getattr(file, "reason", "")) == ("failed", "It needs a password.")


async def test_an_older_version_is_partial_and_says_why() -> None:
    file, _ = await prometheus(upload(ledger(DocumentState.PARTIAL, "A newer version could not be read: damaged.", "lease")))
    assert (getattr(file, "state", ""), getattr(file, "reason", "")) == ("partial", "A newer version could not be read: damaged.")


async def test_a_document_that_went_meanwhile() -> None:
    file, _ = await prometheus(upload(ledger(DocumentState.INDEXED, "", "gone")))
    assert "removed a moment ago" in getattr(file, "reason", "")
