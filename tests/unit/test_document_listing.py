"""Which documents a request means, why, and in what order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from agents.document_requests.document_selection import list_documents, list_heading
from agents.document_requests.request_parser import read_document_request
from core.documents import Document, DocumentState, PageUnit
from core.ports import Mention

NOW = datetime(2026, 11, 23, tzinfo=UTC)


def document(
    name: str, doc_type: str = "report", *, year: int = 2025, title: str = "", language: str = "en", keywords: Sequence[str] = ()
) -> Document:
    day = datetime(year, 5, 4, tzinfo=UTC)
    return Document(
        id=name, filename=name, file_path=f"/docs/{name}", paths=[f"/docs/{name}"], file_type=f".{name.rpartition('.')[2]}", doc_type=doc_type,
        title=title, summary="", detailed_summary="", keywords=list(keywords), entities=[], topics=[], language=language, created_at=day,
        modified_at=datetime(2026, 11, 20, tzinfo=UTC), indexed_at=NOW, file_size=1, pages=1, page_unit=PageUnit.PAGE, chunks=1, characters=100,
        state=DocumentState.INDEXED, reason="", parser="text", content_hash="", generation=1, collection="default",
    )  # fmt: skip


LEASE = document("boathouse-lease.pdf", "contract", year=2021)
REPORT = document("annual.pdf", year=2024, title="Annual report of the harbour")
BUDGET = document("budget 2026.xlsx", "spreadsheet", year=2026, keywords=["harbour fees"])
BRIEF = document("brief.txt", "letter", year=2026, language="de")
ALL = [LEASE, REPORT, BUDGET, BRIEF]


def listed(text: str, places: Mapping[str, int] = {}, documents: Sequence[Document] = ALL, ranked: Sequence[str] = ()) -> list[str]:  # not changed
    request = read_document_request(text, NOW)
    assert request is not None
    mentions = {name: Mention(name, count, 0, 5) for name, count in places.items()}
    return [each.document.id for each in list_documents(request, documents, mentions, ranked)]


def test_a_kind_is_known_by_type_by_file_and_by_name() -> None:
    assert listed("my contracts") == [LEASE.id]
    assert listed("show me the spreadsheets") == [BUDGET.id]
    assert listed("find the leases") == [LEASE.id]


def test_a_time_bounds_the_documents_own_day() -> None:
    assert set(listed("documents from 2026")) == {BUDGET.id, BRIEF.id}
    assert listed("contracts from last week") == []


def test_a_language_and_an_order() -> None:
    assert listed("which documents are in German?") == [BRIEF.id]
    assert listed("oldest document") == [LEASE.id]
    assert listed("latest report") == [REPORT.id]


def test_words_that_must_stand_there_are_counted() -> None:
    assert listed("which documents mention tar?", {LEASE.id: 1, REPORT.id: 4}) == [REPORT.id, LEASE.id]
    assert listed("which documents mention tar?") == []


def test_what_must_not_stand_there_is_left_out_and_said() -> None:
    request = read_document_request("which documents mention tar but not rope?", NOW)
    assert request is not None
    mentions = {each.id: Mention(each.id, 1, 0, 5) for each in (LEASE, REPORT, BRIEF)}
    found = list_documents(request, ALL, mentions, (), denied={REPORT.id})
    assert {each.document.id for each in found} == {LEASE.id, BRIEF.id}
    assert list_heading(request, len(found)) == "2 documents with “tar” and without “rope”."


def test_a_name_that_says_so_comes_before_passages_that_touch_it() -> None:
    assert listed("documents about the budget", {LEASE.id: 1, REPORT.id: 2}) == [BUDGET.id, REPORT.id]


def test_without_such_a_name_those_that_say_far_less_are_left_out() -> None:
    assert listed("documents about herring", {LEASE.id: 1, REPORT.id: 8, BRIEF.id: 2}) == [REPORT.id, BRIEF.id]


def test_equals_stand_in_the_order_of_the_search() -> None:
    assert listed("documents about herring", {LEASE.id: 2, REPORT.id: 2}, ranked=[REPORT.id, LEASE.id]) == [REPORT.id, LEASE.id]


ROPES = document("ropes.txt", "note", title="On the wear of wire ropes over small sheaves")
WINCH = document("winch.txt", "document", title="Winches on quays")
SHEAVES = document("sheaves.txt", "paper", title="Sheaves")


def test_of_a_topic_in_many_words_all_that_speak_of_it_are_listed_in_the_order_of_the_search() -> None:
    writings = [ROPES, WINCH, SHEAVES, LEASE]
    places = {ROPES.id: 1, WINCH.id: 1, SHEAVES.id: 9, LEASE.id: 1}
    ranked = [WINCH.id, ROPES.id, LEASE.id, SHEAVES.id]
    assert listed("documents about the wear of wire ropes", places, writings, ranked) == ranked
    assert listed("documents about ropes", places, writings, ranked)[0] == ROPES.id


def test_papers_about_something_are_all_writings_of_no_other_kind() -> None:
    writings, places = [ROPES, WINCH, SHEAVES, LEASE, REPORT], {each.id: 1 for each in (ROPES, WINCH, SHEAVES, LEASE, REPORT)}
    ranked = [SHEAVES.id, WINCH.id, ROPES.id]
    assert listed("papers on the wear of wire ropes", places, writings, ranked) == ranked
    assert listed("papers on ropes", places, [WINCH, LEASE]) == [WINCH.id]
    assert listed("show me my papers", {}, writings) == [SHEAVES.id]


def test_a_name_is_known_by_its_words_its_run_and_its_ending() -> None:
    assert listed("which file is called boathouse lease") == [LEASE.id]
    assert listed("do I have a file called budget2026?") == [BUDGET.id]
    assert listed("show me annual.pdf") == [REPORT.id]
    assert listed("show me annual.docx") == []
    assert listed("which file is called herring") == []


def test_a_name_that_is_asked_for_in_passing_must_be_all_of_one() -> None:
    assert listed("find the boathouse lease") == [LEASE.id]
    assert listed("find the boathouse") == []
    assert listed("where did I put the budget") == [BUDGET.id]
    assert listed("where is the annual report of the harbour") == [REPORT.id]


def test_the_document_of_just_that_name_is_the_only_one_that_is_meant() -> None:
    sample, other = document("sample-presentation.pptx", "presentation"), document("sample of slides.pptx", "presentation")
    assert listed("show me the sample presentation", documents=[sample, other]) == [sample.id]
    assert set(listed("sample presentations", documents=[sample, other])) == {sample.id, other.id}


def test_the_last_change_is_meant_only_where_it_is_said() -> None:
    assert listed("documents from November 2026") == []
    assert set(listed("documents changed in November 2026")) == {each.id for each in ALL}


def test_resumed_is_no_resume() -> None:
    assert listed("all CVs", documents=[document("list resumed.docx"), document("cv.docx")]) == ["cv.docx"]
