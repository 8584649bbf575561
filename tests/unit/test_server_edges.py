"""The edges of HTTP without the application behind them: keys, foreign pages, bodies, names, event streams, problem documents."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from core import errors
from core.runs import Event
from server.app import build_app
from server.auth import is_loopback, require_keys_beyond_loopback
from server.error_responses import STATUS, install_handlers
from server.request_guard import JSON_BYTES, RequestGuard
from server.request_identity import parse_key
from server.sse import encode_event
from server.uploads import safe_name
from settings import Settings
from settings_server import ServerSettings


def client(app: FastAPI | RequestGuard, host: str = "127.0.0.1:8000") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app, raise_app_exceptions=False), base_url=f"http://{host}")


async def echo(scope: object, receive: object, send: object) -> None:
    request = Request(scope, receive)  # type: ignore[arg-type]  # plain ASGI signatures
    body = await request.body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)  # type: ignore[arg-type]  # as above


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k" * 16, ("k" * 16, "default", "local", "member")),
        (f"{'k' * 20}:acme", ("k" * 20, "acme", "local", "member")),
        (f"{'k' * 20}:acme:ann", ("k" * 20, "acme", "ann", "member")),
        (f"{'k' * 20}:acme:ann:member", ("k" * 20, "acme", "ann", "member")),
        (f"{'k' * 20}:acme:eve:admin", ("k" * 20, "acme", "eve", "admin")),
        (f"{'k' * 20}:::admin", ("k" * 20, "default", "local", "admin")),
    ],
)
def test_a_key_names_its_tenant_person_and_role(text: str, expected: tuple[str, str, str, str]) -> None:
    found = parse_key(text)
    assert (found.key, found.tenant, found.user_id, found.role) == expected


@pytest.mark.parametrize("role", ["Admin", "root", "admin:", "secret-part"])
def test_an_unknown_role_is_refused_without_telling_the_key(role: str) -> None:
    with pytest.raises(errors.ConfigurationError, match=r"server\.api_keys") as refused:
        parse_key(f"{'k' * 20}:acme:ann:{role}")
    assert "member and admin" in str(refused.value)
    assert not any(part in str(refused.value) for part in ("kkk", "acme", "ann:", "secret-part"))


@pytest.mark.parametrize("text", ["", "short", ":acme"])
def test_a_short_key_is_refused(text: str) -> None:
    with pytest.raises(errors.ConfigurationError, match="16 characters"):
        parse_key(text)


@pytest.mark.parametrize(
    ("host", "expected"), [("127.0.0.1", True), ("127.9.9.9", True), ("::1", True), ("localhost", True), ("0.0.0.0", False), ("example.org", False)]
)
def test_what_is_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


def test_another_address_needs_keys(tmp_path: Path) -> None:
    open_to_all = Settings(home=tmp_path, server=ServerSettings(host="0.0.0.0"))
    with pytest.raises(errors.ConfigurationError, match="api_keys"):
        require_keys_beyond_loopback(open_to_all)
    require_keys_beyond_loopback(Settings(home=tmp_path, server=ServerSettings(host="0.0.0.0", api_keys=["k" * 20])))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Origin": "http://127.0.0.1:8000"}, 200),
        ({"Origin": "http://127.0.0.1:9999"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Host": "evil.example"}, 403),
        ({"Host": "[::1"}, 403),
        ({"Content-Length": str(JSON_BYTES + 1)}, 413),
    ],
)
async def test_the_guard_lets_only_our_own_page_in(headers: dict[str, str], status: int) -> None:
    async with client(RequestGuard(echo, upload_bytes=10, local_only=True)) as http:
        response = await http.post("/search", headers=headers)
    assert response.status_code == status
    if status == 200:
        assert response.headers["x-content-type-options"] == "nosniff"


async def test_a_body_without_a_length_is_bounded_too() -> None:
    async def pieces() -> AsyncIterator[bytes]:
        for _ in range(5):
            yield b"x" * (JSON_BYTES // 4)

    async with client(RequestGuard(echo, upload_bytes=10, local_only=True)) as http:
        response = await http.post("/search", content=pieces())
    assert response.status_code >= 400


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("a.pdf", "a.pdf"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\b.docx", "b.docx"),
        ("a?b*.txt", "a_b_.txt"),
        ("ü 漢字.md", "ü 漢字.md"),
        ("x\udc80.txt", "x_.txt"),
    ],
)
def test_an_uploaded_name_means_nothing_to_the_file_system(sent: str, kept: str) -> None:
    assert safe_name(sent) == kept


@pytest.mark.parametrize("sent", ["", "..", "/", "..."])
def test_a_name_must_remain(sent: str) -> None:
    with pytest.raises(errors.InvalidInput):
        safe_name(sent)


def test_a_long_name_is_shortened_and_keeps_its_type() -> None:
    kept = safe_name("ä" * 300 + ".pdf")
    assert len(kept.encode()) <= 200
    assert kept.endswith(".pdf")


def test_no_long_name_is_too_long_in_bytes_and_two_that_begin_alike_stay_two() -> None:
    names = ["\N{GRINNING FACE}" * 100 + ".txt", "a" * 300 + "." + "ä" * 100, "a" * 300 + "." + "ä" * 101, "b" * 201]
    kept = [safe_name(each) for each in names]
    assert max(len(each.encode()) for each in kept) <= 200
    assert len(set(kept)) == len(names)
    assert kept[0].endswith(".txt")


def all_errors(kind: type[errors.VantageError]) -> list[type[errors.VantageError]]:
    return [kind, *(inner for child in kind.__subclasses__() for inner in all_errors(child))]


@pytest.mark.parametrize("kind", all_errors(errors.VantageError)[1:])
async def test_every_error_of_ours_is_a_problem_document(kind: type[errors.VantageError]) -> None:
    app = FastAPI()
    install_handlers(app)

    @app.get("/")
    async def fail() -> Response:
        raise kind("What happened, and what to do.")

    async with client(app) as http:
        response = await http.get("/")
    expected = next(status for known, status, _ in STATUS if issubclass(kind, known))
    assert response.status_code == expected
    assert response.json()["detail"] == "What happened, and what to do."


async def test_a_mistake_of_ours_tells_nothing_of_the_inside() -> None:
    app = FastAPI()
    install_handlers(app)

    @app.get("/")
    async def fail() -> Response:
        raise KeyError("secret/path")

    async with client(app) as http:
        response = await http.get("/")
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert "secret" not in response.text


def test_an_event_carries_its_id_and_its_text_unharmed() -> None:
    text = encode_event(Event(id=7, kind="token", data={"text": "two\nlines\r\n and ü \u2028"})).encode().decode()
    assert text.startswith("id: 7\r\nevent: token\r\ndata: {")
    assert text.count("data:") == 1


async def test_the_applications_of_a_process_share_routes_and_nothing_else() -> None:
    """What a route takes and answers is worked out once; what is added to one application, or answered by it, is not the other's."""
    first, second = build_app(ServerSettings(max_upload_mb=1)), build_app()
    assert [id(route) for route in first.routes] == [id(route) for route in second.routes]
    first.add_api_route("/only-here", lambda: "here")
    first.state.name = "first"
    async with client(first) as one, client(second) as two:
        assert [(await each.get("/only-here")).status_code for each in (one, two)] == [200, 404]
        assert [(await each.get("/live")).json() for each in (one, two)] == [{"live": True}] * 2
    assert "/only-here" in first.openapi()["paths"]
    assert "/only-here" not in second.openapi()["paths"]
    assert not hasattr(second.state, "name")
