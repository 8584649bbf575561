"""Errors become RFC 9457 problem documents: one table from the error tree to HTTP, and what to do about each."""

from __future__ import annotations

import logging

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from core import errors
from server.schemas import Problem

logger = logging.getLogger(__name__)

# The first class that matches decides, so subclasses stand before their parents.
STATUS: tuple[tuple[type[errors.VantageError], int, str], ...] = (
    (errors.PathNotAllowed, 403, "Path not allowed"),
    (errors.TooLarge, 413, "Too large"),
    (errors.InvalidInput, 422, "The request is not valid"),
    (errors.NotFound, 404, "Not found"),
    (errors.Conflict, 409, "Conflict"),
    (errors.Unauthorized, 401, "Not authorised"),
    (errors.OtherAccount, 403, "Another account's server"),
    (errors.TooManyTries, 429, "Too many wrong keys"),
    (errors.Forbidden, 403, "Not allowed"),
    (errors.TooMany, 429, "Too many at the same time"),
    (errors.Sealed, 422, "The file cannot be read"),
    (errors.Encrypted, 422, "The file is locked"),
    (errors.ExtractionError, 422, "The file cannot be read"),
    (errors.StorageFull, 507, "No space left"),
    (errors.Overloaded, 503, "Too much at the same time"),
    (errors.Unavailable, 503, "A part does not answer"),
    (errors.Cancelled, 409, "Stopped"),
    (errors.ConfigurationError, 500, "The settings cannot work"),
)

FIXES = {
    "not_found": "Check the id: it may have been deleted, or belong to another person.",
    "unauthorized": "Send the key as `Authorization: Bearer KEY`.",
    "other_account": "Ask the person whose server it is to set `server.api_keys`, and send your key as `Authorization: Bearer KEY`.",
    "forbidden": "Ask an administrator of this server.",
    "path_not_allowed": "Use a folder under `ingestion.roots` of config.yaml, or add it there.",
    "storage_full": "Free some space; nothing that was stored is lost.",
    "encrypted": "Send its password: POST to the same address, as the form field `password`.",
    "too_large": "Send less, or raise the limit in config.yaml.",
    "too_many": "Wait for one of yours to end, or raise the limit per person in section `server` of config.yaml.",
    "too_many_tries": "Wait the seconds in Retry-After, then send the right key. Browsers that are signed in go on.",
    "overloaded": "Try again after the seconds in Retry-After, or raise the limit in section `server` of config.yaml.",
}

MEDIA_TYPE = "application/problem+json"


def make_problem(request: Request, status: int, title: str, detail: str, code: str) -> Problem:
    return Problem(
        type=f"urn:vantage:problem:{code}", title=title, status=status, detail=detail, code=code, fix=FIXES.get(code, ""), instance=request.url.path
    )


def problem_response(body: Problem, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse(body.model_dump(mode="json"), status_code=body.status, media_type=MEDIA_TYPE, headers=headers)


async def handle_vantage_error(request: Request, error: Exception) -> Response:
    for kind, status, title in STATUS:
        if isinstance(error, kind):
            return problem_response(make_problem(request, status, title, str(error), kind.code), _headers_of(error, status))
    return await handle_unexpected(request, error)


def _headers_of(error: errors.VantageError, status: int) -> dict[str, str] | None:
    if isinstance(error, errors.TooMany | errors.Overloaded):
        return {"Retry-After": str(error.retry_after)}
    return {"WWW-Authenticate": "Bearer"} if status == 401 else None


async def handle_http_exception(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        return await handle_unexpected(request, error)
    body = make_problem(request, error.status_code, "HTTP error", str(error.detail), f"http_{error.status_code}")
    return problem_response(body, dict(error.headers or {}))


async def handle_validation_error(request: Request, error: Exception) -> Response:
    if not isinstance(error, RequestValidationError):
        return await handle_unexpected(request, error)
    items = [{"loc": [str(part) for part in item["loc"]], "msg": item["msg"], "type": item["type"]} for item in error.errors()]
    detail = "; ".join(f"{'.'.join(item['loc'][1:]) or 'body'}: {item['msg']}" for item in items[:5])
    body = make_problem(request, 422, "The request does not fit", detail, "validation")
    return problem_response(body.model_copy(update={"errors": items}))


async def handle_unexpected(request: Request, error: Exception) -> Response:
    """Return the response to a fault of ours: the log has the traceback, the person gets a sentence without internals."""
    logger.error("unexpected error at %s %s", request.method, request.url.path, exc_info=error)
    return problem_response(make_problem(request, 500, "Internal error", "Something went wrong here; the server's log has the details.", "internal"))


def install_handlers(app: FastAPI) -> None:
    """Register the handlers."""
    app.add_exception_handler(errors.VantageError, handle_vantage_error)
    app.add_exception_handler(HTTPException, handle_http_exception)
    app.add_exception_handler(RequestValidationError, handle_validation_error)
    app.add_exception_handler(Exception, handle_unexpected)
