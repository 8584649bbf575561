"""Signing in and out over HTTP: what the cookie is, what ends a session, and what too many wrong keys come to. One home for all."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from http.cookies import SimpleCookie
from pathlib import Path

import httpx
import pytest

from server.session_cookies import COOKIE
from tests.support.serving import ServedVantage

ANN, BOB = "a" * 20, "b" * 20
KEYS = {"VANTAGE_SERVER__API_KEYS": f"['{ANN}:acme:ann', '{BOB}:acme:bob:admin']", "VANTAGE_SERVER__FAILED_TRIES": "3"}
# A wrong key is remembered for longer than any test takes. The proxy that is trusted is the test itself.
LIMITED = {**KEYS, "VANTAGE_SERVER__FAILED_TRIES_SECONDS": "3600", "VANTAGE_SERVER__TRUSTED_PROXIES": "['127.0.0.1']"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sessions") / "home"


@pytest.fixture(scope="module")
def served(home: Path) -> Iterator[ServedVantage]:
    made = ServedVantage(home, LIMITED).start()
    yield made
    made.stop()


def browser(served: ServedVantage, address: str, scheme: str = "http") -> httpx.Client:
    """Behind the proxy that is trusted."""
    headers = {"X-Forwarded-For": f"198.51.100.66, {address}", "X-Forwarded-Proto": scheme}
    return httpx.Client(base_url=served.url, headers=headers, timeout=60.0, trust_env=False, verify=False)


def cookie_of(response: httpx.Response) -> str:
    return response.headers["set-cookie"]


def test_the_cookie_holds_no_key_and_no_script_reads_it(served: ServedVantage) -> None:
    with browser(served, "203.0.113.1") as ann:
        response = ann.post("/session", json={"api_key": ANN})
        written = cookie_of(response)
        assert ANN not in written
        morsel = SimpleCookie(written)[COOKIE]
        assert (morsel["httponly"], morsel["samesite"].lower(), morsel["path"], morsel["secure"]) == (True, "strict", "/", "")
        assert 0 < int(morsel["max-age"]) <= 720 * 3600
        assert ann.get("/session").json() == {"signed_in": True, "tenant": "acme", "user_id": "ann", "role": "member"}


def test_behind_tls_the_cookie_goes_over_tls_alone(served: ServedVantage) -> None:
    with browser(served, "203.0.113.1", "https") as ann:
        assert SimpleCookie(cookie_of(ann.post("/session", json={"api_key": ANN})))[COOKIE]["secure"] is True


def test_nothing_in_the_library_opens_a_session(served: ServedVantage, home: Path) -> None:
    with browser(served, "203.0.113.1") as ann:
        ann.post("/session", json={"api_key": ANN}).raise_for_status()
        session_id = ann.cookies[COOKIE]
    with sqlite3.connect(f"file:{home / 'library.db'}?mode=ro", uri=True) as connection:
        stored = [str(value) for row in connection.execute("SELECT * FROM browser_sessions") for value in row]
    connection.close()
    assert stored
    assert not any(ANN in value or session_id in value for value in stored)
    with browser(served, "203.0.113.1") as thief:
        for value in stored:
            assert thief.get("/session", headers={"Cookie": f"{COOKIE}={value}"}).status_code == 401


def test_signing_out_ends_the_session_whoever_still_has_its_id(served: ServedVantage) -> None:
    with browser(served, "203.0.113.1") as ann, browser(served, "203.0.113.1") as copy:
        ann.post("/session", json={"api_key": ANN}).raise_for_status()
        copy.cookies.set(COOKIE, ann.cookies[COOKIE])
        assert copy.get("/conversations").status_code == 200
        out = ann.delete("/session")
        assert out.status_code == 204
        assert "Max-Age=0" in cookie_of(out)
        assert [each.get("/conversations").status_code for each in (ann, copy)] == [401, 401]


def test_signing_in_again_ends_the_session_before(served: ServedVantage) -> None:
    with browser(served, "203.0.113.1") as one:
        one.post("/session", json={"api_key": ANN}).raise_for_status()
        first = one.cookies[COOKIE]
        one.post("/session", json={"api_key": BOB}).raise_for_status()
        assert one.get("/session").json()["user_id"] == "bob"
    with browser(served, "203.0.113.1") as copy:
        assert copy.get("/session", headers={"Cookie": f"{COOKIE}={first}"}).status_code == 401


def test_a_key_in_a_cookie_is_no_session(served: ServedVantage) -> None:
    with browser(served, "203.0.113.1") as older:
        for name in (COOKIE, "vantage_key"):
            assert older.get("/session", headers={"Cookie": f"{name}={ANN}"}).status_code == 401
        older.cookies.set("vantage_key", ANN)
        assert 'vantage_key=""' in str(older.post("/session", json={"api_key": ANN}).headers.get_list("set-cookie"))


def test_with_a_key_in_a_header_there_is_nothing_to_sign_out_of(served: ServedVantage) -> None:
    with browser(served, "203.0.113.1") as bob:
        seen = bob.get("/session", headers={"X-API-Key": BOB}).json()
        assert seen == {"signed_in": False, "tenant": "acme", "user_id": "bob", "role": "admin"}


def test_too_many_wrong_keys_of_an_address_wait(served: ServedVantage) -> None:
    with browser(served, "203.0.113.7") as signed_in:
        signed_in.post("/session", json={"api_key": ANN}).raise_for_status()
        with browser(served, "203.0.113.7") as guessing:
            assert guessing.post("/session", json={"api_key": "guess"}).status_code == 401
            assert guessing.get("/health", headers={"Authorization": "Bearer guess 2"}).status_code == 401
            assert guessing.get("/health", headers={"X-API-Key": "guess 3"}).status_code == 401
            for refused in (
                guessing.get("/health", headers={"X-API-Key": ANN}),  # the right one, too: an answer would tell that it is
                guessing.post("/session", json={"api_key": ANN}),
            ):
                assert refused.status_code == 429
                assert refused.json()["code"] == "too_many_tries"
                assert 0 < int(refused.headers["retry-after"]) <= 3600
            assert guessing.get("/live").status_code == 200
        assert signed_in.get("/session").status_code == 200  # a browser that is signed in goes on
    with browser(served, "203.0.113.8") as other:
        assert other.get("/health", params={"thorough": "true"}, headers={"X-API-Key": ANN}).status_code == 200


def test_no_key_and_an_old_session_are_no_tries(served: ServedVantage) -> None:
    with browser(served, "203.0.113.9") as old:
        old.cookies.set(COOKIE, "gone")
        assert {old.get("/health").status_code for _ in range(5)} == {401}
        assert old.get("/health", params={"thorough": "true"}, headers={"X-API-Key": ANN}).status_code == 200


def test_after_a_restart_a_session_is_still_one_unless_its_key_was_taken_out(served: ServedVantage, home: Path) -> None:
    """Last: it takes the server away. The next one trusts no proxy."""
    with browser(served, "203.0.113.1") as ann, browser(served, "203.0.113.1") as bob:
        ann.post("/session", json={"api_key": ANN}).raise_for_status()
        bob.post("/session", json={"api_key": BOB}).raise_for_status()
        ids = ann.cookies[COOKIE], bob.cookies[COOKIE]
    served.stop()
    again = ServedVantage(home, {**KEYS, "VANTAGE_SERVER__API_KEYS": f"['{BOB}:acme:bob']"}).start()
    try:
        with httpx.Client(base_url=again.url, timeout=60.0, trust_env=False, verify=False) as client:
            seen = [client.get("/session", headers={"Cookie": f"{COOKIE}={each}"}) for each in ids]
            assert [each.status_code for each in seen] == [401, 200]
            assert seen[1].json()["role"] == "member"  # as the settings say now
            forged = client.post("/session", json={"api_key": BOB}, headers={"X-Forwarded-Proto": "https"})
            assert "Secure" not in cookie_of(forged)
            for number in range(3):
                client.get("/health", headers={"X-API-Key": "guess", "X-Forwarded-For": f"203.0.113.{number}"})
            assert client.get("/health", headers={"X-API-Key": BOB, "X-Forwarded-For": "203.0.113.99"}).status_code == 429
    finally:
        again.stop()
