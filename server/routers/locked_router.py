"""Files that lie in a locked archive, opened with the password: it comes in the body, never in an address, and is kept nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import IO, Annotated

from fastapi import APIRouter, Form
from fastapi.responses import FileResponse

from core.errors import NotFound
from server.auth import AppServices, Caller
from server.file_responses import MemberFiles, stored_file_response
from server.routers.ledger_router import file_of_line

router = APIRouter()

PasswordField = Annotated[str, Form(max_length=1024, description="opens what is locked; used for this answer alone")]
_NO_STORE = "no-store"


@dataclass(frozen=True, slots=True)
class _UnlockedMembers:
    """Gives out members under one password."""

    members: MemberFiles
    password: str

    async def fetch(self, path: Path, inner: str, target: IO[bytes], password: str = "") -> None:
        await self.members.fetch(path, inner, target, password or self.password)

    async def draw_page(self, path: Path, inner: str, page: int, target: IO[bytes]) -> None:
        await self.members.draw_page(path, inner, page, target)


@router.post("/documents/{document_id}/file", response_class=FileResponse, tags=["documents"])
async def open_file(document_id: str, caller: Caller, services: AppServices, password: PasswordField = "") -> FileResponse:
    """The file itself, as GET gives it, also where it lies in an archive that is locked."""
    document = await services.library.document(caller.library, document_id)
    response = await stored_file_response(document.paths, document.filename, _UnlockedMembers(services.members, password))
    if response is None:
        raise NotFound(f"{document.filename} is no longer at {document.file_path}. Its text is still at /documents/{document_id}/content.")
    response.headers["Cache-Control"] = _NO_STORE
    return response


@router.post("/ledger/file", response_class=FileResponse, tags=["library"])
async def open_file_of_line(
    caller: Caller, services: AppServices, path: Annotated[str, Form(min_length=1, max_length=4096)], password: PasswordField = ""
) -> FileResponse:
    """The file of a line of the ledger, as GET gives it, also where it lies in an archive that is locked."""
    response = await file_of_line(path, caller, services, _UnlockedMembers(services.members, password))
    response.headers["Cache-Control"] = _NO_STORE
    return response
