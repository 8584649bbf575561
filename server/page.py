"""The built page: its assets, and one document for `/` and everything under `/app/`."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter
from fastapi.responses import FileResponse, HTMLResponse, Response

_MISSING = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Vantage</title>
<body style="font:16px/1.6 system-ui;max-width:34em;margin:12vh auto;padding:0 1.5em">
<h1>The page is not built yet</h1><p>Run <code>make run</code>, which builds it, or <code>cd ui &amp;&amp; npm ci &amp;&amp; npm run build</code>.
The API works meanwhile: its schema is at <a href="/openapi.json">/openapi.json</a>.</p></body></html>"""


def page_router(folder: Path) -> APIRouter:
    """Routes for the page built in `folder` (index.html and assets/); a page that is not built says how to build it."""
    router = APIRouter(include_in_schema=False)
    root = folder.resolve()

    def document() -> Response:
        index = root / "index.html"
        # no-cache: the document names hashed assets and must be the one of this build
        return FileResponse(index, headers={"Cache-Control": "no-cache"}) if index.is_file() else HTMLResponse(_MISSING, status_code=503)

    @router.get("/")
    @router.get("/app")
    @router.get("/app/{path:path}")
    async def page(path: str = "") -> Response:
        return document()

    @router.get("/assets/{path:path}")
    async def asset(path: str) -> Response:
        return _file(root / "assets", path, "public, max-age=31536000, immutable")

    @router.get("/favicon.svg")
    async def icon() -> Response:
        return _file(root, "favicon.svg", "max-age=3600")

    return router


def _file(folder: Path, path: str, cache: str) -> Response:
    try:
        wanted = (folder / path).resolve()
        found = wanted.is_relative_to(folder) and wanted.is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        return Response("Not found", status_code=404, media_type="text/plain")
    return FileResponse(wanted, headers={"Cache-Control": cache})
