"""Files that come with a question, on the real application: uploads asked about at once, hostile ones among them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pypdf
import pytest

from tests.support.office_files import paragraph_lines, pdf_bytes
from tests.support.serving import ServedVantage, parse_events

LETTER = (
    "# Boiler at Mill House\n\nThe boiler at Mill House failed on 3 March 2026 because its pump was corroded. "
    "A new pump costs £1,240 and is in stock at Brightwater Heating.\n\n"
    "Mina Falk must order the pump by 10 March 2026.\n\nIt is still unclear who pays for the damaged ceiling.\n"
)
LEASE = ["The tenant of Mill House pays for repairs below £500.", "The landlord of Mill House pays for every larger repair."]


def locked() -> bytes:
    writer, out = pypdf.PdfWriter(clone_from=io.BytesIO(pdf_bytes([paragraph_lines(["A secret."])]))), io.BytesIO()
    writer.encrypt("a password", algorithm="AES-256")
    writer.write(out)
    return out.getvalue()


FILES = {
    "boiler.md": LETTER.encode(),
    "mill house lease.pdf": pdf_bytes([paragraph_lines(LEASE)]),
    "locked.pdf": locked(),
    "truncated.pdf": pdf_bytes([paragraph_lines(LEASE)])[:200],
    "noise.docx": bytes(range(256)) * 40,
    "empty.txt": b"",
}
HOSTILE = {"locked.pdf", "truncated.pdf", "noise.docx", "empty.txt"}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedVantage]:
    served = ServedVantage(tmp_path_factory.mktemp("attached") / "home").start()
    yield served
    served.stop()


@pytest.fixture(scope="module")
def uploaded(server: ServedVantage) -> dict[str, str]:
    """name -> path, from an upload whose indexing is not waited for."""
    with server.client() as client:
        sent = client.post("/upload", files=[("files", (name, data)) for name, data in FILES.items()]).raise_for_status().json()
    return dict(zip(FILES, sent["files"], strict=True))


@pytest.fixture
def own(server: ServedVantage, uploaded: dict[str, str]) -> Iterator[httpx.Client]:
    with server.client() as made:
        yield made


def ask(client: httpx.Client, query: str, attached: list[str], **more: object) -> dict[str, Any]:
    body = {"query": query, "attached_documents": attached, **more}
    found: dict[str, Any] = client.post("/search", json=body).raise_for_status().json()
    return found


def test_uploads_are_asked_about_at_once_and_hostile_ones_hurt_no_other(own: httpx.Client, uploaded: dict[str, str]) -> None:
    response = ask(own, "What does a new pump cost?", list(uploaded.values()))
    files = {file["filename"]: file for file in response["insights"]["files"]}
    assert {name for name, file in files.items() if file["state"] == "failed"} == HOSTILE
    assert all(files[name]["reason"] for name in HOSTILE)
    assert "password" in files["locked.pdf"]["reason"]
    assert {each["part"] for each in response["degraded"]} >= HOSTILE
    assert response["status"] == "success"
    assert "£1,240" in response["answer"]
    assert {each["filename"] for each in response["citations"]} <= {"boiler.md", "mill house lease.pdf"}
    assert response["routing_path"].startswith("Zeus → Daedalus")


def test_the_insights_are_the_files_own_words(own: httpx.Client, uploaded: dict[str, str]) -> None:
    response = ask(own, "Summarise the attached files", [uploaded["boiler.md"], uploaded["mill house lease.pdf"]])
    for file in response["insights"]["files"]:
        content = own.get(f"/documents/{file['document_id']}/content").json()["text"]
        for name in ("executive_summary", "key_points", "action_items", "questions_raised"):
            for line in file["insights"][name]:
                assert " ".join(content[line["start"] : line["end"]].split()) == line["text"]
    boiler = response["insights"]["files"][0]
    assert [(item["owner"], item["due"]) for item in boiler["insights"]["action_items"]] == [("Mina Falk", "10 March 2026")]
    assert "who pays for the damaged ceiling" in boiler["insights"]["questions_raised"][0]["text"]
    assert {each["filename"] for each in response["citations"]} == {"boiler.md", "mill house lease.pdf"}


@pytest.mark.parametrize(
    ("question", "said"), [("What are the action items?", "Mina Falk must order the pump"), ("What is still unclear?", "damaged ceiling")]
)
def test_tasks_and_open_questions_by_the_files_name_alone(own: httpx.Client, question: str, said: str) -> None:
    response = ask(own, question, ["boiler.md"])
    assert response["status"] == "success"
    assert said in response["answer"]


def test_the_second_question_knows_the_files_from_before(own: httpx.Client, uploaded: dict[str, str]) -> None:
    ask(own, "Who pays for repairs?", [uploaded["mill house lease.pdf"]])
    response = ask(own, "Who pays for repairs below £500?", [uploaded["mill house lease.pdf"]])
    assert [file["cached"] for file in response["insights"]["files"]] == [True]
    assert any("Known from before." in step["details"] for step in response["steps"])


def test_the_stream_shows_each_file_with_each_agent(own: httpx.Client, uploaded: dict[str, str]) -> None:
    body = {"query": "What failed?", "attached_documents": [uploaded["boiler.md"], uploaded["locked.pdf"]]}
    events = parse_events(own.post("/search/stream", json=body).raise_for_status().text)
    steps = [data for _, kind, data in events if kind == "step"]
    ended = {(str(step["agent"]).split(" ")[1], step["subject"], step["outcome"]) for step in steps if step["duration_ms"] is not None}
    assert ended >= {
        ("Prometheus", "boiler.md", "ok"),
        ("Hypatia", "boiler.md", "ok"),
        ("Mnemosyne", "boiler.md", "ok"),
        ("Prometheus", "locked.pdf", "degraded"),
        ("Daedalus", "", "ok"),
    }


def test_nothing_readable_says_why(own: httpx.Client, uploaded: dict[str, str]) -> None:
    response = ask(own, "What does it say?", [uploaded["locked.pdf"], "no such file.pdf"])
    assert (response["status"], response["citations"]) == ("not_found", [])
    assert "locked.pdf" in response["answer"]
    assert "no such file.pdf" in response["answer"]


def test_an_upload_of_a_name_that_is_taken_replaces_nothing(own: httpx.Client) -> None:
    texts = (b"The price of the gate is forty pounds at the moment.", b"The price of the gate is now sixty pounds and not less.")
    one, two = (own.post("/upload", files=[("files", ("price.txt", text))]).raise_for_status().json()["files"][0] for text in texts)
    assert (Path(one).name, Path(two).name) == ("price.txt", "price (2).txt")
    assert tuple(Path(each).read_bytes() for each in (one, two)) == texts
    for asked, price in ((one, "forty"), (two, "sixty"), ("price.txt", "forty"), ("price (2).txt", "sixty")):
        found = ask(own, "What is the price of the gate?", [asked])
        assert price in found["answer"], [(step["node"], step["details"]) for step in found["steps"]]


def test_a_file_that_was_changed_where_it_lies_is_read_as_it_is_now(own: httpx.Client) -> None:
    sent = own.post("/upload", files=[("files", ("fare.txt", b"The fare to the island is forty pounds at the moment."))]).raise_for_status().json()
    assert "forty" in ask(own, "What is the fare to the island?", ["fare.txt"])["answer"]
    Path(sent["files"][0]).write_bytes(b"The fare to the island is now sixty pounds and not less.")
    own.post("/upload", files=[("files", ("other.txt", b"Nothing of note."))]).raise_for_status()
    second = ask(own, "What is the fare to the island?", ["fare.txt"])
    assert "sixty" in second["answer"]
    assert second["insights"]["files"][0]["cached"] is False
