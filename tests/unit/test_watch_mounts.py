from __future__ import annotations

from pathlib import Path

from ingestion.watching.change_notices import WatchPlace, drop_covered_places
from ingestion.watching.mounts import is_large, read_mounts, remote_reason

MOUNTINFO = r"""22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
40 22 0:35 / /mnt/team\040disk rw,relatime shared:20 - nfs4 server:/export rw,vers=4.2
41 22 0:36 / /home/me/cloud rw - fuse.sshfs me@host:/ rw
42 22 0:37 / /mnt/usb rw - fuseblk /dev/sdb1 rw
43 40 8:2 / /mnt/team\040disk/local rw - ext4 /dev/sdc1 rw
broken line
"""


def test_network_file_systems_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "mountinfo"
    file.write_text(MOUNTINFO)
    mounts = read_mounts(file)
    assert len(mounts) == 5
    assert "nfs4" in remote_reason("/mnt/team disk/docs", mounts)
    assert "sshfs" in remote_reason("/home/me", mounts)  # a part of it
    assert remote_reason("/home/me/cloudy", mounts) == ""
    assert remote_reason("/mnt/usb/docs", mounts) == ""
    assert remote_reason("/mnt/team disk/local/docs", mounts) == ""
    assert remote_reason("/docs", mounts) == ""
    assert read_mounts(tmp_path / "missing") == []
    assert remote_reason("/docs", []) == ""


def test_a_large_tree_is_counted_no_further_than_needed(tmp_path: Path) -> None:
    for number in range(6):
        (tmp_path / "docs" / f"f{number}" / "inner").mkdir(parents=True)
    assert not is_large(str(tmp_path / "docs"), 12)
    assert is_large(str(tmp_path / "docs"), 11)
    assert not is_large(str(tmp_path / "missing"), 1)


def test_what_is_behind_a_link_does_not_count(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    for number in range(20):
        (tmp_path / "elsewhere" / f"f{number}").mkdir(parents=True)
    (tmp_path / "docs" / "link").symlink_to(tmp_path / "elsewhere")
    assert not is_large(str(tmp_path / "docs"), 1)


def test_a_folder_in_a_watched_folder_needs_no_watch_of_its_own() -> None:
    places = [
        WatchPlace("/docs/inner"),
        WatchPlace("/docs"),
        WatchPlace("/docs", deep=False),
        WatchPlace("/docsy"),
        WatchPlace("/mail", deep=False),
        WatchPlace("/mail/a"),
    ]
    assert drop_covered_places(places) == {WatchPlace("/docs"), WatchPlace("/docsy"), WatchPlace("/mail", deep=False), WatchPlace("/mail/a")}
