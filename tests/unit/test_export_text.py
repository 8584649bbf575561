"""What stands in the files of an export, and what is kept out of them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commands.export_text import OMITTED_VALUE, conversation_text, file_name, strip_secrets


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("lease.pdf", "00007 lease.pdf.txt"),
        ("../../etc/passwd", "00007 etc passwd.txt"),
        ("a\nb\t|c?", "00007 a b c.txt"),
        ("", "00007.txt"),
        ("Straße – 契約", "00007 Straße – 契約.txt"),
    ],
)
def test_a_name_is_one_that_every_file_system_takes(title: str, name: str) -> None:
    assert file_name(7, title, ".txt") == name


@given(st.text())
def test_no_title_leaves_its_folder(title: str) -> None:
    name = file_name(1, title, ".json")
    assert name.startswith("00001")
    assert not set(name) & set("/\\\x00\n:")
    assert len(name.encode()) < 200


def test_a_conversation_is_read_with_its_sources() -> None:
    citation = {"number": 1, "filename": "lease.pdf", "page": 2, "quote": "The Tenant pays\na deposit."}
    turns = [
        {"query": "What is\nthe deposit?", "created_at": "2026-11-24T08:00:00Z", "response": {"answer": "£80,000 [1]", "citations": [citation]}},
        {"query": "And who holds it?", "created_at": "2026-11-24T08:01:00Z", "response": {"answer": "", "citations": []}},
    ]
    text = conversation_text({"title": "The deposit", "items": turns})
    assert text.startswith("# The deposit\n\n## What is the deposit?\n\n*2026-11-24 08:00*\n\n£80,000 [1]\n\nSources:\n\n")
    assert "- [1] lease.pdf, page 2: “The Tenant pays a deposit.”" in text
    assert text.endswith("## And who holds it?\n\n*2026-11-24 08:01*\n\n(no answer)\n")


def test_keys_passwords_and_logins_are_left_out() -> None:
    settings = {
        "server": {"api_keys": ["a-key-of-many-letters:acme:ann"], "port": 8000},
        "opensearch": {"auth": {"username": "ann", "password": "hunter2"}},
        "storage": {"url": "postgresql+psycopg://ann:hunter2@db.example/vantage?sslpassword=hunter2"},
        "memory": {"session": {"redis_url": "redis://:hunter2@cache:6379/0"}, "agentic_memory": {"generation": {"max_keywords": 5}}},
        "ollama": {"base_url": "http://localhost:11434"},
    }
    kept = strip_secrets(settings)
    assert "hunter2" not in json.dumps(kept)
    assert "many-letters" not in json.dumps(kept)
    assert kept["server"] == {"api_keys": OMITTED_VALUE, "port": 8000}
    assert kept["storage"]["url"].startswith(f"postgresql+psycopg://{OMITTED_VALUE}@db.example/vantage")
    assert kept["memory"]["agentic_memory"]["generation"]["max_keywords"] == 5
    assert kept["ollama"]["base_url"] == "http://localhost:11434"
