"""OpenDocument files under a password: the right one opens them, a wrong one is said to be wrong, none is asked for, never an empty text."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Callable

import pytest

from core.errors import Encrypted, ExtractionError, LimitExceeded, Malformed, Sealed
from ingestion.readers.base.source import ExtractionLimits, Source
from ingestion.readers.registry import extract
from tests.support.odf_files import locked_parts, locked_whole
from tests.unit.test_extract_odf import package

_BODIES = {
    "text": "<text:h text:outline-level='1'>Lease</text:h><text:p>Two years at Halden.</text:p>",
    "spreadsheet": "<table:table table:name='Rents'><table:table-row><table:table-cell office:value-type='string'><text:p>Halden 42</text:p>"
    "</table:table-cell></table:table-row></table:table>",
    "presentation": "<draw:page><draw:frame><draw:text-box><text:p>Talk about Halden</text:p></draw:text-box></draw:frame></draw:page>",
}
_WAYS: dict[str, Callable[[bytes, bytes], bytes]] = {
    "aes": lambda data, password: locked_parts(data, password, "aes"),
    "blowfish": lambda data, password: locked_parts(data, password, "blowfish"),
    "whole": locked_whole,
    "whole, vector in the manifest alone": lambda data, password: locked_whole(data, password, before=False),
    "whole, packed": lambda data, password: locked_whole(data, password, packed=True),
}
_NAMES = {"text": "a.odt", "spreadsheet": "a.ods", "presentation": "a.odp"}


def _read(data: bytes, password: str = "", name: str = "a.odt", limits: ExtractionLimits | None = None) -> str:
    return extract(Source(data, name, limits or ExtractionLimits(), password=password)).text


@pytest.mark.parametrize("way", _WAYS)
@pytest.mark.parametrize("kind", _BODIES)
def test_the_password_opens_texts_sheets_and_slides(kind: str, way: str) -> None:
    data = _WAYS[way](package(kind, _BODIES[kind]), b"Halden7!")
    assert "Halden" in _read(data, "Halden7!", _NAMES[kind])
    with pytest.raises(Encrypted, match="does not open"):
        _read(data, "another", _NAMES[kind])
    with pytest.raises(Encrypted, match="needs a password") as caught:
        _read(data, "", _NAMES[kind])
    assert not isinstance(caught.value, Sealed)


@pytest.mark.parametrize(("way", "encoding"), [("aes", "utf-8"), ("blowfish", "utf-8"), ("blowfish", "cp1252"), ("whole", "utf-8")])
def test_passwords_with_other_letters(way: str, encoding: str) -> None:
    data = _WAYS[way](package("text", _BODIES["text"]), "Grüße€".encode(encoding))
    assert "Two years" in _read(data, "Grüße€")


def _with_manifest(data: bytes, old: str, new: str) -> bytes:
    """The same package with other words in its manifest."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(output, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == "META-INF/manifest.xml":
                changed = re.sub(old, new, content.decode())
                assert changed != content.decode()
                content = changed.encode()
            after.writestr(name, content)
    return output.getvalue()


def test_names_of_the_standard_for_the_new_way_are_known() -> None:
    data = _with_manifest(
        locked_whole(package("text", _BODIES["text"]), b"x"), 'urn:org:[^"]*argon2id', "urn:oasis:names:tc:opendocument:manifest:1.5#argon2id"
    )
    assert "Two years" in _read(_with_manifest(data, "loext:argon2", "manifest:argon2"), "x")


@pytest.mark.parametrize(
    ("way", "old", "new", "error"),
    [
        ("aes", "aes256-cbc", "serpent", Sealed),
        ("aes", "PBKDF2", "scrypt", Sealed),
        ("aes", 'iteration-count="1000"', 'iteration-count="2000000000"', LimitExceeded),
        ("aes", 'iteration-count="1000"', 'iteration-count="-1"', Sealed),
        ("aes", "sha256-1k", "sha1-1k", Encrypted),
        ("aes", 'initialisation-vector="[^"]*"', 'initialisation-vector="AAA="', Sealed),
        ("whole", 'argon2-memory="64"', 'argon2-memory="2000000000"', LimitExceeded),
        ("whole", 'argon2-iterations="1"', 'argon2-iterations="2000000000"', LimitExceeded),
        ("whole", 'argon2-lanes="2"', 'argon2-lanes="1000000"', Sealed),
        ("whole", "<manifest:encryption-data .*</manifest:encryption-data>", "<loext:keyinfo><loext:encrypted-key/></loext:keyinfo>", Sealed),
        ("whole", "(?s)<manifest:manifest.*", "<manifest", Sealed),
    ],
)
def test_hostile_and_unknown_ways_end_with_a_reason(way: str, old: str, new: str, error: type[ExtractionError]) -> None:
    data = _with_manifest(_WAYS[way](package("text", _BODIES["text"]), b"x"), old, new)
    with pytest.raises(error):
        _read(data, "x")


def test_a_bomb_under_a_password_is_refused() -> None:
    data = locked_parts(package("spreadsheet", f"<table:table>{'<text:p>a</text:p>' * 200_000}</table:table>"), b"x")
    with pytest.raises(LimitExceeded):
        _read(data, "x", "a.ods", ExtractionLimits(decompressed_bytes=1 << 20))
    data = locked_whole(package("text", f"<text:p>{'a' * 3_000_000}</text:p>"), b"x")
    with pytest.raises(LimitExceeded):
        _read(data, "x", limits=ExtractionLimits(decompressed_bytes=1 << 20))


def test_what_is_encrypted_may_be_no_package() -> None:
    whole = locked_whole(package("text", _BODIES["text"]), b"x")
    with pytest.raises(Encrypted):
        _read(locked_whole(whole, b"x"), "x")  # one in the other: the inner one is not opened
    flat = package("text", _BODIES["text"])
    with zipfile.ZipFile(io.BytesIO(flat)) as archive:
        content = archive.read("content.xml")
    damaged = _with_manifest(whole, 'manifest:salt="[^"]*"', f'manifest:salt="{base64.b64encode(content[:16]).decode()}"')
    with pytest.raises(Encrypted, match="does not open"):
        _read(damaged, "x")


@pytest.mark.parametrize("cut", [60, 200, 700])
def test_damaged_bytes_end_as_one_of_our_errors(cut: int) -> None:
    data = locked_parts(package("text", _BODIES["text"]), b"x")
    with pytest.raises((Malformed, Encrypted)):
        _read(data[:cut] + bytes(40) + data[cut + 40 :], "x")
