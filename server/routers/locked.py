"""Files that lie in a locked archive, opened with the password: it comes in the body, never in an address, and is kept nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated

from fastapi import APIRouter, Form
from fastapi.responses import FileResponse

from core.errors import NotFound
from server.auth import Caller, Reach
from server.files import MemberFiles, stored_response
from server.routers.ledger import file_of_line

router = APIRouter()

Password = Annotated[str, Form(max_length=1024, description="opens what is locked; used for this answer alone")]
_NOT_KEPT = "no-store"


@dataclass(frozen=True, slots=True)
class _Unlocking:
    """Gives out members under one password."""

    members: MemberFiles
    password: str

    async def fetch(self, path: Path, inner: str, target: IO[bytes], password: str = "") -> None:
        await self.members.fetch(path, inner, target, password or self.password)

    async def draw(self, path: Path, inner: str, page: int, target: IO[bytes]) -> None:
        await self.members.draw(path, inner, page, target)


@router.post("/documents/{document_id}/file", response_class=FileResponse, tags=["documents"])
async def open_file(document_id: str, caller: Caller, services: Reach, password: Password = "") -> FileResponse:
    """The file itself, as GET gives it, also where it lies in an archive that is locked."""
    document = await services.library.document(caller.library, document_id)
    response = await stored_response(document.paths, document.filename, _Unlocking(services.members, password))
    if response is None:
        raise NotFound(f"{document.filename} is no longer at {document.file_path}. Its text is still at /documents/{document_id}/content.")
    response.headers["Cache-Control"] = _NOT_KEPT
    return response


@router.post("/ledger/file", response_class=FileResponse, tags=["library"])
async def open_file_of_line(
    caller: Caller, services: Reach, path: Annotated[str, Form(min_length=1, max_length=4096)], password: Password = ""
) -> FileResponse:
    """The file of a line of the ledger, as GET gives it, also where it lies in an archive that is locked."""
    response = await file_of_line(path, caller, services, _Unlocking(services.members, password))
    response.headers["Cache-Control"] = _NOT_KEPT
    return response
