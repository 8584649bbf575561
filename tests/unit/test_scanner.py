from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from core.documents import DocumentState
from ingestion.scan.scanner import ScannedEntry, ScanRules, scan

RULES = ScanRules((".*", "node_modules", "*.tmp", "drafts/*.txt"), Path("/nowhere"))


def scanned(root: Path, rules: ScanRules = RULES) -> dict[str, str]:
    """Path below the root -> "" for a file to read, else the code of the refusal."""
    return {os.path.relpath(seen.stamp.path, root): code(seen) for seen in scan(root, root, rules)}


def code(seen: ScannedEntry) -> str:
    return seen.refusal.reason.code if seen.refusal else ""


def put(path: Path, text: str = "text") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_every_entry_is_met_once_in_order(tmp_path: Path) -> None:
    for name in ("b.txt", "a.txt", "sub/c.txt", "sub/deep/d.txt", "z.txt"):
        put(tmp_path / name)
    assert list(scanned(tmp_path)) == ["a.txt", "b.txt", "z.txt", "sub/c.txt", "sub/deep/d.txt"]


def test_a_stamp_is_what_stat_says(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt", "12345")
    (seen,) = scan(tmp_path, tmp_path, RULES)
    status = path.stat()
    assert (seen.stamp.path, seen.stamp.size) == (str(path), 5)
    assert (seen.stamp.mtime_ns, seen.stamp.inode) == (status.st_mtime_ns, status.st_ino)


def test_ignored_names_are_met_with_their_rule_and_not_entered(tmp_path: Path) -> None:
    for name in (".git/config", "node_modules/x/y.js", "a.tmp", "drafts/a.txt", "drafts/a.md"):
        put(tmp_path / name)
    expected = {".git": "ignored", "node_modules": "ignored", "a.tmp": "ignored", "drafts/a.txt": "ignored", "drafts/a.md": ""}
    assert scanned(tmp_path) == expected
    (first, *_) = scan(tmp_path, tmp_path, RULES)
    assert first.refusal is not None
    assert "“.*”" in first.refusal.reason.text


def test_pipes_and_sockets_are_skipped_with_a_reason(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        assert scanned(tmp_path) == {"pipe": "special_file", "socket": "special_file"}


def test_links_are_followed_to_files_in_the_root_alone(tmp_path: Path) -> None:
    root = tmp_path / "docs"
    put(root / "real.txt")
    put(tmp_path / "secret.txt")
    (root / "same").symlink_to("real.txt")
    (root / "out").symlink_to(tmp_path / "secret.txt")
    (root / "up").symlink_to("..")
    (root / "loop").symlink_to(root)
    (root / "broken").symlink_to("missing")
    assert scanned(root) == {
        "broken": "broken_link",
        "loop": "link_to_folder",
        "out": "link_outside",
        "real.txt": "",
        "same": "",
        "up": "link_outside",
    }


def test_a_name_that_is_not_utf8_is_a_line_that_can_be_stored(tmp_path: Path) -> None:
    Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.txt")).write_text("x")
    assert scanned(tmp_path) == {"caf\\xe9.txt": "name_not_utf8"}


def test_vantages_own_folder_is_skipped_and_uploads_in_it_can_be_a_root(tmp_path: Path) -> None:
    home = tmp_path / "home"
    put(home / "library.db")
    put(home / "uploads" / "sub" / "a.txt")
    rules = ScanRules((), home)
    assert scanned(tmp_path, rules) == {"home": "vantage_home"}
    assert scanned(home / "uploads", rules) == {"sub/a.txt": ""}


def test_a_folder_that_cannot_be_listed_is_said_and_marked_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "closed" / "a.txt")
    put(tmp_path / "open" / "b.txt")
    listing = os.scandir

    def refusing(folder: str) -> object:
        if folder.endswith("closed"):
            raise PermissionError(13, "Permission denied", folder)
        return listing(folder)

    monkeypatch.setattr(os, "scandir", refusing)  # the tests may run as root, whom nothing is denied
    found = {os.path.relpath(seen.stamp.path, tmp_path): seen for seen in scan(tmp_path, tmp_path, RULES)}
    refusal = found["closed"].refusal
    assert refusal is not None
    assert (refusal.state, refusal.reason.code, refusal.unknown) == (DocumentState.FAILED, "permission_denied", True)
    assert code(found["open/b.txt"]) == ""


def test_a_single_file_can_be_scanned(tmp_path: Path) -> None:
    path = put(tmp_path / "a.txt")
    assert [seen.stamp.path for seen in scan(path, path, RULES)] == [str(path)]


def test_what_does_not_exist_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(scan(tmp_path / "missing", tmp_path, RULES))


def test_deep_folders_are_no_recursion(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(300):
        folder = folder / "d"
    folder.mkdir(parents=True)
    put(folder / "a.txt")
    assert len(scanned(tmp_path)) == 1
