"""Behind a real nginx with TLS, configured by the text of docs/deploy.md: streams, uploads, the session's cookie and whose address counts."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from server.session_cookies import COOKIE
from tests.support.nginx import Proxy, find_nginx, run_nginx
from tests.support.serving import ServedVantage, parse_events, wait_for_job

ANN = "a" * 20
HEADERS = {"Authorization": f"Bearer {ANN}"}


@pytest.fixture(scope="module", autouse=True)
def nginx() -> str:
    try:
        return find_nginx()
    except FileNotFoundError as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="module")
def docs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("proxied") / "docs"
    folder.mkdir()
    for number in range(1500):
        (folder / f"{number}.txt").write_text(f"Crate {number} stands in hall {number % 7}. It holds {number * 3} bolts.", encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def proxy(docs: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    settings = {
        "VANTAGE_SERVER__API_KEYS": f"['{ANN}:acme:ann']",
        "VANTAGE_SERVER__TRUSTED_PROXIES": "['127.0.0.1']",
        "VANTAGE_SERVER__FAILED_TRIES": "2",
        "VANTAGE_SERVER__FAILED_TRIES_SECONDS": "3600",
        "VANTAGE_INGESTION__ROOTS": f"['{docs}']",
    }
    served = ServedVantage(docs.parent / "home", settings).start()
    try:
        with run_nginx(served.url, tmp_path_factory.mktemp("nginx")) as made:
            yield made
    finally:
        served.stop()


def browser(proxy: Proxy, address: str = "127.0.0.1", headers: dict[str, str] | None = None) -> httpx.Client:
    """A client whose own address is this one; a network of loopback has many."""
    transport = httpx.HTTPTransport(verify=proxy.trust, local_address=address)
    return httpx.Client(base_url=proxy.url, headers=headers or {}, transport=transport, timeout=120.0)


def test_the_session_s_cookie_is_secure_and_the_page_s_own_origin_is_known(proxy: Proxy) -> None:
    with browser(proxy, headers={"Origin": proxy.url}) as page:
        assert page.get("/").status_code in {200, 503}  # 503: the page is not built here
        answer = page.post("/session", json={"api_key": ANN})
        assert answer.status_code == 204
        morsel = SimpleCookie(answer.headers["set-cookie"])[COOKIE]
        assert (morsel["secure"], morsel["httponly"], morsel["samesite"].lower()) == (True, True, "strict")
        assert page.get("/session").json()["signed_in"] is True
        assert page.delete("/session").status_code == 204
        assert page.get("/session").status_code == 401
        assert page.get("/session", headers={"Origin": "https://elsewhere.example"}).status_code == 403


def test_an_upload_arrives_and_is_asked_about(proxy: Proxy) -> None:
    with browser(proxy, headers=HEADERS) as ann:
        text, large = b"The gate of the yard is closed at nine in the evening.", os.urandom(8_000_000)  # nginx takes 1 MB unless it is told more
        sent = ann.post("/upload", files=[("files", ("gate.txt", text)), ("files", ("large.bin", large))]).raise_for_status().json()
        wait_for_job(ann, sent["job"]["id"])
        stream = ann.post("/search/stream", json={"query": "When is the gate of the yard closed?"}).raise_for_status()
        events = parse_events(stream.text)
    assert [name for _, name, _ in events][-1] == "done"
    assert "nine" in str(next(data for _, name, data in events if name == "answer"))


def test_a_stream_is_not_held_back(proxy: Proxy, docs: Path) -> None:
    """The stream of a job that waits for another one says one line and then nothing: held back, the line would come when the job is over."""
    with browser(proxy, headers=HEADERS) as ann, browser(proxy, headers=HEADERS) as other:
        large, waiting = (ann.post("/index", json={"path": str(path)}).raise_for_status().json()["id"] for path in (docs, docs / "0.txt"))
        with ann.stream("GET", f"/jobs/{waiting}/events") as stream:
            lines = stream.iter_lines()
            next(line for line in lines if line.startswith("data:"))
            assert other.get(f"/jobs/{waiting}").json()["state"] in {"queued", "running"}
            for job in (waiting, large):
                assert other.post(f"/jobs/{job}/cancel").is_success
            assert '"state":"cancelled"' in "".join(lines).replace(" ", "")


def test_wrong_keys_count_for_the_address_that_sent_them_whatever_it_says(proxy: Proxy) -> None:
    claimed = {"X-Forwarded-For": "127.0.0.1"}
    with browser(proxy, "127.0.0.2", claimed) as guessing, browser(proxy, "127.0.0.3") as other:
        guesses = [guessing.get("/health", headers={"X-API-Key": f"guess {number}"}).status_code for number in range(3)]
        assert guesses == [401, 401, 429]
        assert int(guessing.get("/health", headers=HEADERS).headers["retry-after"]) > 0
        assert other.get("/health", params={"thorough": "true"}, headers=HEADERS).status_code == 200


def test_without_keys_a_proxy_of_another_account_is_refused() -> None:
    if os.geteuid() != 0:
        pytest.skip("only root may become another account")
    folder = Path(tempfile.mkdtemp(prefix="vantage-nginx-"))
    folder.chmod(0o755)  # its workers are another account's
    served = ServedVantage(folder / "home").start()
    try:
        with run_nginx(served.url, folder, user="www-data") as proxy, browser(proxy) as anybody:
            refused = anybody.get("/health")
            assert refused.status_code == 403
            assert refused.json()["code"] == "other_account"
    finally:
        served.stop()
        shutil.rmtree(folder)
