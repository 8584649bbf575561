"""How the files of the page are sent: compressed where the browser takes it, not at all where it has them, whole or in ranges, to GET and HEAD."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from server.page_routes import page_router

SCRIPT = b"console.log('the page');\n" * 200
PACKED = gzip.compress(SCRIPT, mtime=0)
SMALLER = b"as brotli packs it"
FOREVER = "public, max-age=31536000, immutable"


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html><title>Vantage</title>")
    (folder / "favicon.svg").write_text("<svg/>")
    (folder / "assets" / "index-a1b2.js").write_bytes(SCRIPT)
    (folder / "assets" / "index-a1b2.js.gz").write_bytes(PACKED)
    (folder / "assets" / "index-a1b2.js.br").write_bytes(SMALLER)
    (folder / "assets" / "letters-c3d4.woff2").write_bytes(b"wOF2 letters")
    (tmp_path / "secret.txt").write_text("not for the page")
    return folder


@pytest.fixture
def client(dist: Path) -> Iterator[TestClient]:
    app = FastAPI()
    app.include_router(page_router(dist))
    with TestClient(app, headers={"accept-encoding": "identity"}) as opened:
        yield opened


def raw(client: TestClient, encodings: str, **headers: str) -> tuple[dict[str, str], bytes]:
    """Headers and the bytes as they were sent; the client would unpack them."""
    with client.stream("GET", "/assets/index-a1b2.js", headers={"accept-encoding": encodings, **headers}) as response:
        return {"status": str(response.status_code), **response.headers}, b"".join(response.iter_raw())


@pytest.mark.parametrize(
    ("asked", "encoding", "body"),
    [
        ("gzip, deflate, br, zstd", "br", SMALLER),
        ("gzip, deflate", "gzip", PACKED),
        ("GZIP;q=0.5, br;q=0", "gzip", PACKED),
        ("*", "br", SMALLER),
        ("*;q=0", "", SCRIPT),
        ("br;q=nonsense", "", SCRIPT),
        ("identity", "", SCRIPT),
        ("", "", SCRIPT),
    ],
)
def test_the_smallest_form_that_the_browser_takes_is_sent(client: TestClient, asked: str, encoding: str, body: bytes) -> None:
    headers, sent = raw(client, asked)
    assert headers["status"] == "200"
    assert sent == body
    assert headers.get("content-encoding", "") == encoding
    assert headers["content-length"] == str(len(body))
    assert headers["vary"] == "Accept-Encoding"
    assert headers["cache-control"] == FOREVER
    assert "javascript" in headers["content-type"]


def test_what_the_build_did_not_pack_is_sent_as_it_is(client: TestClient) -> None:
    answer = client.get("/assets/letters-c3d4.woff2", headers={"accept-encoding": "br, gzip"})
    assert answer.content == b"wOF2 letters"
    assert "content-encoding" not in answer.headers


def test_each_form_has_an_etag_of_its_own_and_is_not_sent_twice(client: TestClient) -> None:
    tags = [raw(client, encodings)[0]["etag"] for encodings in ("br", "gzip", "identity")]
    assert len(set(tags)) == 3
    headers, body = raw(client, "br", **{"if-none-match": f'"other", W/{tags[0]}'})
    assert (headers["status"], body) == ("304", b"")
    assert (headers["etag"], headers["vary"], headers["cache-control"]) == (tags[0], "Accept-Encoding", FOREVER)
    assert raw(client, "gzip", **{"if-none-match": tags[0]})[0]["status"] == "200"


def test_a_range_is_one_of_the_file_itself(client: TestClient) -> None:
    headers, body = raw(client, "br, gzip", range="bytes=8-11")
    assert (headers["status"], body) == ("206", SCRIPT[8:12])
    assert headers["content-range"] == f"bytes 8-11/{len(SCRIPT)}"
    assert "content-encoding" not in headers
    whole, body = raw(client, "br", range="bytes=8-11", **{"if-range": raw(client, "br")[0]["etag"]})
    assert (whole["status"], body) == ("200", SCRIPT)


@pytest.mark.parametrize("path", ["/", "/app", "/app/library", "/favicon.svg", "/assets/index-a1b2.js"])
def test_head_says_what_get_would_send(client: TestClient, path: str) -> None:
    asked = {"accept-encoding": "gzip"}
    head, get = client.head(path, headers=asked), client.get(path, headers=asked)
    assert (head.status_code, head.content) == (200, b"")
    for name in ("content-length", "content-type", "etag", "cache-control", "vary"):
        assert head.headers[name] == get.headers[name]


def test_the_document_is_asked_about_each_time_and_changes_with_its_content(client: TestClient, dist: Path) -> None:
    first = client.get("/app/traces/7")
    assert first.headers["cache-control"] == "no-cache"
    assert client.get("/", headers={"if-none-match": first.headers["etag"]}).status_code == 304
    index = dist / "index.html"
    times = index.stat()
    index.write_text("<!doctype html><title>VANTAGE</title>")  # of the same size
    os.utime(index, ns=(times.st_atime_ns, times.st_mtime_ns + 1))
    second = client.get("/", headers={"if-none-match": first.headers["etag"]})
    assert (second.status_code, "VANTAGE" in second.text) == (200, True)


@pytest.mark.parametrize("path", ["/assets/nothing.js", "/assets/..%2f..%2fsecret.txt", "/assets/%00", "/assets/"])
def test_nothing_outside_the_assets_is_sent(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


def test_a_page_that_is_not_built_says_how_to_build_it(tmp_path: Path) -> None:
    app = FastAPI()
    app.include_router(page_router(tmp_path))
    answer = TestClient(app).get("/")
    assert answer.status_code == 503
    assert "npm run build" in answer.text
