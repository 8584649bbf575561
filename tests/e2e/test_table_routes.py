"""The tables of documents over HTTP: listed, read in pages, taken out as files, and answered from with the rows cited."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.serving import ServedVantage, index_and_wait

SHIPMENTS = "Shipments Q3 2026.csv"


def document_id(client: httpx.Client, name: str) -> str:
    (found,) = client.get("/documents", params={"text": name}).raise_for_status().json()["documents"]
    return str(found["id"])


def test_the_tables_of_a_document_and_their_rows(client: httpx.Client) -> None:
    found = document_id(client, SHIPMENTS)
    listed = client.get(f"/documents/{found}/tables").raise_for_status().json()
    (table,) = listed["tables"]
    assert (listed["document_id"], table["ordinal"], table["rows"], table["kept"]) == (found, 0, 60, 60)
    types = {each["name"]: (each["type"], each["unit"]) for each in table["columns"]}
    assert (types["sent"], types["weight_kg"], types["freight_gbp"], types["carrier"]) == (
        ("date", ""),
        ("integer", "kg"),
        ("amount", "GBP"),
        ("text", ""),
    )
    page = client.get(f"/documents/{found}/tables/0", params={"first": 50, "limit": 4}).raise_for_status().json()
    assert (page["first_row"], [row["ordinal"] for row in page["body"]]) == (50, [50, 51, 52, 53])
    row = page["body"][0]
    text = client.get(f"/documents/{found}/content", params={"start": row["start"], "end": row["end"]}).json()["text"]
    assert text.split(" | ") == row["cells"]
    assert client.get(f"/documents/{found}/tables/1").status_code == 404
    assert client.get("/documents/unknown/tables").status_code == 404
    assert client.get(f"/documents/{found}/tables/0", params={"format": "xls"}).status_code == 422


@pytest.fixture
def odd_server(tmp_path: Path) -> Iterator[httpx.Client]:
    folder = tmp_path / "docs"
    folder.mkdir()
    rows = [
        "Name;Formula;Change;Note",
        'Möwe;"=HYPERLINK(""http://x"";""y"")";-1.234,50;a|b',
        "@HYPER(A1);+1+cmd|' /C calc'!A0;+5,25;<i>x</i>",
        "Total;;1;",
    ]
    rows += [f"row {place};text;{place};" for place in range(1100)]
    (folder / "odd - ünïcode.csv").write_text("\n".join(rows), encoding="utf-8")
    served = ServedVantage(tmp_path / "home").start()
    try:
        with served.client() as made:
            index_and_wait(made, str(folder))
            yield made
    finally:
        served.stop()


def test_a_table_as_a_file_is_whole_and_runs_nothing(odd_server: httpx.Client) -> None:
    found = document_id(odd_server, "odd")
    answer = odd_server.get(f"/documents/{found}/tables/0", params={"format": "csv"})
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "odd%20-%20%C3%BCn%C3%AFcode%20-%20table%201.csv" in answer.headers["content-disposition"]
    rows = list(csv.reader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert rows[0] == ["Name", "Formula", "Change", "Note"]
    assert len(rows) == 1104
    assert rows[1][:3] == ["Möwe", '\'=HYPERLINK("http://x";"y")', "-1.234,50"]
    assert rows[2][0].startswith("'@")
    assert rows[2][1].startswith("'+")
    assert rows[2][2] == "+5,25"
    part = odd_server.get(f"/documents/{found}/tables/0", params={"format": "csv", "first": 3, "limit": 2})
    assert [row[0] for row in csv.reader(io.StringIO(part.content.decode("utf-8-sig")))] == ["Name", "row 0", "row 1"]
    written = odd_server.get(f"/documents/{found}/tables/0", params={"format": "markdown", "limit": 3})
    assert written.headers["content-type"] == "text/markdown; charset=utf-8"
    lines = written.text.splitlines()
    assert lines[:2] == ["| Name | Formula | Change | Note |", "| --- | --- | ---: | --- |"]
    assert lines[2].endswith("| a\\|b |")
    assert lines[3].endswith("| &lt;i>x&lt;/i> |")
    assert lines[4] == "| **Total** |  | **1** |  |"


@pytest.mark.parametrize(
    ("question", "value", "operation", "rows"),
    [
        ("How many shipments went by sea?", "24", "count", 24),
        ("What is the average weight of the shipments to Vessen?", "3,287.8", "average", 10),
        ("What is the total budget for 2026?", "2,939,720", "sum", 9),
        ("Which month had the highest sea actual?", "39,250", "highest", 9),
        ("What is the alarm delay in chamber 2?", "25", "lookup", 1),
    ],
)
def test_a_question_over_a_table_is_computed_and_its_rows_are_cited(
    client: httpx.Client, question: str, value: str, operation: str, rows: int
) -> None:
    answer = client.post("/search", json={"query": question, "use_memory": False}).raise_for_status().json()
    (computed,) = answer["calculations"]
    assert (computed["value"], computed["operation"], computed["rows_used"]) == (value, operation, rows)
    assert (answer["status"], answer["generated_by"]) == ("success", "extractive")
    assert answer["answer"].startswith(computed["sentence"])
    first = answer["answer_sentences"][0]
    assert first["text"][slice(*first["highlight"])] == value
    assert 1 <= len(answer["citations"]) <= 9
    for cited in answer["citations"]:
        where = {"start": cited["start"], "end": cited["end"]}
        content = client.get(f"/documents/{cited['document_id']}/content", params=where).json()
        assert (content["text"], content["generation"], cited["document_id"]) == (cited["quote"], cited["generation"], computed["document_id"])
    trace = client.get(f"/traces/{answer['trace_id']}").raise_for_status().json()
    (step,) = [node for node in trace["nodes"] if node["node"] == "document_search"]
    assert computed["sentence"] in step["details"]


def test_a_question_that_no_table_answers_alone_is_not_computed(client: httpx.Client) -> None:
    for question in ("How large is the deposit for Quay 7 and who holds it?", "Who feeds the zebras of the Averton zoo on Sundays?"):
        assert client.post("/search", json={"query": question, "use_memory": False}).json()["calculations"] is None
    unclear = client.post("/search", json={"query": "Which carrier is the most expensive?", "use_memory": False}).json()
    assert unclear["calculations"] is None
    assert "“carrier” has several rows each: say whether the total or the average of “freight_gbp” is meant" in unclear["answer"]


def test_of_several_days_the_first_is_taken_and_said(client: httpx.Client) -> None:
    """The question of the README's tour."""
    answer = client.post("/search", json={"query": "what is the average freight in September?", "use_memory": False}).json()
    (computed,) = answer["calculations"]
    assert (computed["value"], computed["rows_used"], computed["conditions"]) == ("1,253.08", 12, ["“sent” is in September"])
    assert "The time is taken by “sent”; other days of the table are “promised”, “delivered”." in answer["answer"]


def test_all_rows_that_match_are_listed_and_counted(client: httpx.Client) -> None:
    answer = client.post("/search", json={"query": "List all shipments to Karlshavn", "use_memory": False}).json()
    assert "(10 rows of 60)" in answer["answer"]
    assert len(answer["citations"]) == 10
    assert all("Karlshavn" in citation["quote"] for citation in answer["citations"])


def test_a_misspelt_word_is_read_as_the_library_has_it_and_can_be_undone(client: httpx.Client) -> None:
    answer = client.post("/search", json={"query": "wat is the depozit for Quay 7", "use_memory": False}).json()
    assert answer["spelling"] == [{"written": "depozit", "meant": "deposit"}]
    assert "£80,000" in answer["answer"]
    as_written = client.post("/search", json={"query": "wat is the depozit for Quay 7", "use_memory": False, "correct_spelling": False}).json()
    assert as_written["spelling"] == []
