"""Finds folders that the system's notices cannot follow: network file systems report no changes of others, very large trees cost too much."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from ingestion.scan.paths import is_within

_MOUNTS = Path("/proc/self/mountinfo")
_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "davfs", "ncpfs", "virtiofs", "vboxsf", "prl_fs"}
_LOCAL_FUSE = {"fuseblk", "fusectl"}  # NTFS and the like on a disk of this machine
_OCTAL = re.compile(r"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """A mounted file system: its folder, and its kind as the kernel names it."""

    path: str
    kind: str

    @property
    def is_remote(self) -> bool:
        """True where others may change files without this machine being told."""
        return self.kind in _NETWORK or (self.kind.startswith("fuse") and self.kind not in _LOCAL_FUSE)


def read_mounts(file: Path = _MOUNTS) -> list[Mount]:
    """Return the mounted file systems, later ones over earlier ones; none where the system does not tell (not Linux)."""
    try:
        lines = file.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        before, _, after = line.partition(" - ")
        fields, kind = before.split(" "), after.split(" ")[0]
        if len(fields) > 4 and kind:
            found.append(Mount(_OCTAL.sub(lambda match: chr(int(match.group(1), 8)), fields[4]), kind))
    return found


def remote_reason(folder: str, mounts: list[Mount]) -> str:
    """Return why `folder` must be polled, "" where notices come."""
    around = [mount for mount in mounts if is_within(folder, mount.path)]
    innermost = max(around, key=lambda mount: len(mount.path), default=None)
    inside = [mount for mount in mounts if is_within(mount.path, folder)]
    remote = next((mount for mount in ([innermost] if innermost else []) + inside if mount.is_remote), None)
    return f"polled: its file system ({remote.kind}) reports no changes" if remote else ""


def is_large(folder: str, limit: int) -> bool:
    """Return whether there are more than `limit` folders in `folder`. Blocks; stops at the limit."""
    count, waiting = 0, [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                inner = [entry.path for entry in entries if entry.is_dir(follow_symlinks=False)]
        except OSError:
            continue  # a folder that cannot be listed is not watched either; the scan says so
        count += len(inner)
        waiting += inner
        if count > limit:
            return True
    return False
