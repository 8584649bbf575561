"""Archives, mailboxes and messages made in a line, and a reader that walks through them in this process."""

from __future__ import annotations

import io
import tarfile
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from email.message import EmailMessage
from pathlib import Path

import anyio.to_thread

from core import errors
from ingestion.indexing.indexing_run import OnMember, OnProgress
from ingestion.readers.base.source import ExtractionLimits
from ingestion.workers.file_walk import FileWalk
from ingestion.workers.worker_protocol import Demand, Extraction, Failure, MemberRead, ReadResult
from tests.support.ingestion import FileReader

LIMITS = ExtractionLimits()
WHOLE_DEMAND = Demand()


def zip_bytes(members: Mapping[str, bytes | str], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP archive, the same bytes for the same members."""
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return output.getvalue()


def tar_bytes(members: Mapping[str, bytes | str], mode: str = "w:gz") -> bytes:
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in members.items():
            content = data.encode() if isinstance(data, str) else data
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return output.getvalue()


def mail(subject: str, text: str, attached: Mapping[str, bytes] | None = None, forwarded: Sequence[bytes] = ()) -> bytes:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "ada@example.org", "ben@example.org", subject
    message["Date"], message["Message-ID"] = "Mon, 04 May 2026 09:00:00 +0000", f"<{zlib.crc32(subject.encode())}@example.org>"
    message.set_content(text)
    for name, data in (attached or {}).items():
        message.add_attachment(data, maintype="application", subtype="octet-stream", filename=name)
    for data in forwarded:
        import email
        import email.policy

        message.add_attachment(email.message_from_bytes(data, policy=email.policy.default))
    return message.as_bytes()


def mailbox(messages: Sequence[bytes]) -> bytes:
    return b"".join(b"From ada@example.org Mon May  4 09:00:00 2026\n" + data.rstrip(b"\n") + b"\n\n" for data in messages)


class RecordingListener:
    """A listener that remembers."""

    def __init__(self) -> None:
        self.members: list[MemberRead] = []
        self.visited: list[str] = []
        self.pages: list[tuple[int, int]] = []

    def pass_over(self) -> None:
        pass

    def begin_member(self, inner: str) -> None:
        self.visited.append(inner)

    def end_member(self, read: MemberRead) -> None:
        self.members.append(read)

    def report_progress(self, done: int, of: int) -> None:
        self.pages.append((done, of))


def walk_file(path: Path, demand: Demand = WHOLE_DEMAND, limits: ExtractionLimits = LIMITS) -> tuple[ReadResult, dict[str, MemberRead]]:
    """What became of a file, and its members by their inner path."""
    heard = RecordingListener()
    result = FileWalk(demand, limits, heard).read_file(path)
    return result, {read.path: read for read in heard.members}


def text_or_reason(outcome: ReadResult | None) -> str:
    """The text, or the reason why there is none."""
    if isinstance(outcome, Failure):
        return outcome.message
    return outcome.document.text if isinstance(outcome, Extraction) else ""


class WalkingReader(FileReader):
    """Reads files and what they hold with the product's own readers, in this process. `visited` are the members that were read."""

    def __init__(self, limits: ExtractionLimits = LIMITS) -> None:
        super().__init__()
        self.limits = limits
        self.visited: list[str] = []

    async def extract(
        self,
        path: Path,
        demand: Demand = WHOLE_DEMAND,
        *,
        on_member: OnMember | None = None,
        on_progress: OnProgress | None = None,
    ) -> Extraction:
        self.read.append(path.name)
        result = await self._walk(path, demand, on_member)
        assert isinstance(result, Extraction)
        return result

    async def read_members(self, path: Path, demand: Demand, on_member: OnMember, on_progress: OnProgress | None = None) -> None:
        await self._walk(path, demand, on_member)

    async def _walk(self, path: Path, demand: Demand, on_member: OnMember | None) -> ReadResult:
        heard = RecordingListener()
        result = await anyio.to_thread.run_sync(FileWalk(demand, self.limits, heard).read_file, path)
        self.visited += heard.visited
        for read in heard.members:
            if on_member is not None:
                await on_member(read)
        if isinstance(result, Failure):
            error: type[Exception] = getattr(errors, result.error)
            raise error(result.message)
        return result


# "lease.txt" with one sentence, locked with the password Halden7!: by Info-ZIP (ZipCrypto), and by pyzipper (AES, 256 bits).
PASSWORD = "Halden7!"
LOCKED_ZIP = bytes.fromhex(
    "504b03041400090008000000a45ce545dded4a0000003f000000090000006c656173652e747874f33f190ffd4f18382c4c4b81bdc184d47b3967191f"
    "56d5a5ae48ce9754daf613a8da7fae10c73ad0f9eb8d9e3907280415c71ad09af41235170a0eb089fee1abfaa043954de9447f587e504b0708e545dd"
    "ed4a0000003f000000504b01021e031400090008000000a45ce545dded4a0000003f000000090000000000000001000000a481000000006c65617365"
    "2e747874504b0506000000000100010037000000810000000000"
)
LOCKED_AES_ZIP = bytes.fromhex(
    "504b03041400010063000000a45c000000005a0000003f00000009000b006c656173652e74787401990700020041450308006289c30ca57c64afdd86"
    "eee1c27f2d5c61e87cc81b0b9f203181b6e41643b95aab7a33ecd4032ba855241e4c4d18fd52230c5b489a6e7c6df48143f852f684b0faf041812ffe"
    "65a0e8d41ab25cf4e0050f7a39a2fd819d5b8f5d504b010214031400010063000000a45c000000005a0000003f00000009000b000000000000000000"
    "a481000000006c656173652e7478740199070002004145030800504b05060000000001000100420000008c0000000000"
)
