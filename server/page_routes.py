"""The built page: its assets, and one document for `/` and everything under `/app/`."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, Response

from server.page_files import CHECKED_CACHE, HASHED_CACHE, page_file

_MISSING_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Vantage</title>
<body style="font:16px/1.6 system-ui;max-width:34em;margin:12vh auto;padding:0 1.5em">
<h1>The page is not built yet</h1><p>Run <code>make run</code>, which builds it, or <code>cd ui &amp;&amp; npm ci &amp;&amp; npm run build</code>.
The API works meanwhile: its schema is at <a href="/openapi.json">/openapi.json</a>.</p></body></html>"""


_READ_METHODS = ["GET", "HEAD"]


def page_router(folder: Path) -> APIRouter:
    """Return the routes of the page built in `folder` (index.html and assets/); a page that is not built says how to build it."""
    router = APIRouter(include_in_schema=False)
    root = folder.resolve()

    @router.api_route("/", methods=_READ_METHODS)
    @router.api_route("/app", methods=_READ_METHODS)
    @router.api_route("/app/{path:path}", methods=_READ_METHODS)
    async def page(request: Request, path: str = "") -> Response:
        index = root / "index.html"
        # It names hashed assets and must be the one of this build.
        return page_file(index, request.headers, CHECKED_CACHE) if index.is_file() else HTMLResponse(_MISSING_PAGE, status_code=503)

    @router.api_route("/assets/{path:path}", methods=_READ_METHODS)
    async def asset(request: Request, path: str) -> Response:
        return _file_response(root / "assets", path, request, HASHED_CACHE)

    @router.api_route("/favicon.svg", methods=_READ_METHODS)
    async def icon(request: Request) -> Response:
        return _file_response(root, "favicon.svg", request, "max-age=3600")

    return router


def _file_response(folder: Path, path: str, request: Request, cache: str) -> Response:
    try:
        wanted = (folder / path).resolve()
        found = wanted.is_relative_to(folder) and wanted.is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        return Response("Not found", status_code=404, media_type="text/plain")
    return page_file(wanted, request.headers, cache)
