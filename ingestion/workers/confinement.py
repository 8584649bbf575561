"""Confines a worker before it opens a file: it gives up the network, writing outside of its own folder, and a hold on other processes.

Linux only, by the kernel's own means and for good: Landlock (`man 7 landlock`) for files, signals and abstract sockets, a seccomp filter (`man 2
seccomp`) for sockets and for what Landlock leaves open, such as modes and times of files. Programs that a worker starts inherit both. Reading
stays allowed: it is what a worker is for. Where the kernel has neither, `Confinement` says so, and so does `vantage doctor`.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from dataclasses import dataclass
from pathlib import Path

from ingestion.libc import check_result

_NO_NEW_PRIVILEGES = 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # the same on every architecture
_VERSION_FLAG = 1
_PATH_BENEATH = 1
# Rights to files by the version of Landlock that brought them: writing, removing and making files of each kind; REFER; TRUNCATE.
_WRITES = {1: 0b1_1111_1111_0000 | 0b10, 2: 1 << 13, 3: 1 << 14}
_WRITE_FILE = 1 << 1
_SCOPES = {6: 0b11}  # abstract UNIX sockets, signals
_WRITABLE_DEVICES = ("/dev/null",)

_SECCOMP_SET_FILTER, _ALL_THREADS = 1, 1
_LOAD, _JUMP, _EQUALS, _AT_LEAST, _RETURN = 0x20, 0x05, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 13  # EACCES
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_UNIX = 1
_X32 = 0x40000000


@dataclass(frozen=True, slots=True)
class _Machine:
    """An architecture as seccomp names it, and its numbers of system calls."""

    audit: int
    seccomp: int
    socket: int
    sendto: int
    access: tuple[tuple[int, int], ...]  # access, faccessat and faccessat2, with the place of the mode among their arguments
    calls: tuple[int, ...]
    changes: tuple[int, ...]


# Refused are connect, sendmsg and sendmmsg, a hold on other processes (ptrace, process_vm_*, pidfd_getfd), ways round this filter (io_uring_setup,
# bpf), what only attacks on the kernel need (perf_event_open, userfaultfd, mount, unshare, setns, keyrings, open_by_handle_at, modules, kexec), and
# changes of modes, owners, attributes and times of files and emptying them by name (Landlock refuses that from version 3 on).
_MACHINES = {
    "x86_64": _Machine(
        audit=0xC000003E,
        seccomp=317,
        socket=41,
        sendto=44,
        access=((21, 1), (269, 2), (439, 2)),
        calls=(42, 46, 307, 101, 310, 311, 425, 438, 321, 298, 323, 165, 272, 308, 248, 249, 250, 304, 246, 320, 175, 313),
        changes=(90, 91, 268, 452, 92, 93, 94, 260, 188, 189, 190, 463, 197, 198, 199, 466, 132, 235, 261, 280, 76),
    ),
    "aarch64": _Machine(
        audit=0xC00000B7,
        seccomp=277,
        socket=198,
        sendto=206,
        access=((48, 2), (439, 2)),
        calls=(203, 211, 269, 117, 270, 271, 425, 438, 280, 241, 282, 40, 97, 268, 217, 218, 219, 265, 104, 294, 105, 273),
        changes=(52, 53, 452, 54, 55, 5, 6, 7, 463, 14, 15, 16, 466, 88, 45),
    ),
}


@dataclass(frozen=True, slots=True)
class Confinement:
    """What the kernel here can take from a worker. `landlock` is the version of its interface, 0 where it has none."""

    landlock: int
    seccomp: bool

    @property
    def is_complete(self) -> bool:
        """True where a worker can neither reach the network nor write elsewhere."""
        return self.landlock > 0 and self.seccomp

    @property
    def summary(self) -> str:
        """The confinement in a sentence."""
        given_up = [*(["no writing outside their folder"] if self.landlock else []), *(["no network"] if self.seccomp else [])]
        by = [*([f"Landlock {self.landlock}"] if self.landlock else []), *(["seccomp"] if self.seccomp else [])]
        return f"{', '.join(given_up)} ({', '.join(by)})" if given_up else "this kernel has neither Landlock nor seccomp: they may do what you may"


def available_confinement() -> Confinement:
    """Return what the kernel has; changes nothing."""
    if sys.platform != "linux":
        return Confinement(0, seccomp=False)
    version = _library().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return Confinement(max(0, version), platform.machine() in _MACHINES and Path("/proc/sys/kernel/seccomp/actions_avail").exists())


def confine(folder: Path) -> Confinement:
    """Give up what this process does not need, for good, and return what was given up. `folder` is where it may go on writing.

    Raises:
        OSError: the kernel has the means and refuses them.
        RuntimeError: there is more than one thread. Landlock binds the thread that asks for it and those that come later, no others.
    """
    found = available_confinement()
    if found.landlock and len(os.listdir("/proc/self/task")) > 1:  # noqa: PTH208  (they are numbers)
        raise RuntimeError("a process is confined before it starts a thread")
    if found.landlock or found.seccomp:
        check_result(_library().prctl(_NO_NEW_PRIVILEGES, *map(ctypes.c_ulong, (1, 0, 0, 0))))
    if found.landlock:
        _restrict_files(folder, found.landlock)
    if found.seccomp:
        _filter_calls(_MACHINES[platform.machine()])
    return found


def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _restrict_files(folder: Path, version: int) -> None:
    writes = sum(rights for since, rights in _WRITES.items() if since <= version)
    scopes = sum(each for since, each in _SCOPES.items() if since <= version)
    attributes = struct.pack("QQQ", writes, 0, scopes) if version >= 6 else struct.pack("Q", writes)
    library = _library()
    ruleset = check_result(library.syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0))
    try:
        _allow(ruleset, folder, writes)
        for device in _WRITABLE_DEVICES:
            _allow(ruleset, Path(device), _WRITE_FILE)
        check_result(library.syscall(_RESTRICT_SELF, ruleset, 0))
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        check_result(_library().syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, descriptor), 0))
    finally:
        os.close(descriptor)


def _filter_calls(machine: _Machine) -> None:
    program = filter_program(machine)
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *step) for step in program))
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    check_result(_library().syscall(machine.seccomp, _SECCOMP_SET_FILTER, _ALL_THREADS, header))


FilterStep = tuple[int, int, int, int]  # the code, where to jump if so and if not, and the number


def filter_program(machine: _Machine) -> list[FilterStep]:
    """Build the filter.

    It refuses a list of calls; allows `socket` for UNIX sockets alone (LibreOffice makes one, and nobody can connect to another) and `sendto`
    without an address; and says "no" to whoever asks for leave to write alone (W_OK): LibreOffice then makes its socket where it is told to.
    """
    calls = [*((_EQUALS, number) for number in (*machine.calls, *machine.changes)), (_AT_LEAST, _X32)]
    refused: list[FilterStep] = [(code, len(calls) - place, 0, number) for place, (code, number) in enumerate(calls)]  # to the refusal after the jump
    return [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUALS, 1, 0, machine.audit),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, _NUMBER_AT),
        *refused,
        (_JUMP, 0, 0, 1),
        (_RETURN, 0, 0, _REFUSE),
        *_argument_step(machine.socket, ((_argument_at(0), _UNIX),), (_ALLOW, _REFUSE)),
        *_argument_step(machine.sendto, ((_argument_at(4), 0), (_argument_at(4) + 4, 0)), (_ALLOW, _REFUSE)),
        *(step for number, place in machine.access for step in _argument_step(number, ((_argument_at(place), os.W_OK),), (_REFUSE, _ALLOW))),
        (_RETURN, 0, 0, _ALLOW),
    ]


def _argument_at(place: int) -> int:
    """Return the offset of the lower half of an argument; its upper half follows."""
    return _ARGUMENTS_AT + 8 * place


def _argument_step(number: int, values: tuple[tuple[int, int], ...], outcomes: tuple[int, int]) -> list[FilterStep]:
    """Return the steps for one call: the first outcome where these halves of arguments have these values, else the second. Other calls go past it."""
    tests: list[FilterStep] = []
    for place, (at, value) in enumerate(values):
        tests += [(_LOAD, 0, 0, at), (_EQUALS, 0, 2 * (len(values) - place - 1) + 1, value)]
    ends: list[FilterStep] = [(_RETURN, 0, 0, outcome) for outcome in outcomes]
    return [(_EQUALS, 0, len(tests) + len(ends), number), *tests, *ends]
