"""The JSON that goes over HTTP: SPEC's request and response shapes. The page's types are generated from these."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, SecretStr

from core.documents import BlockKind, Document
from core.ports import TurnState
from core.run_inspection import TraceLine
from core.search import Intent
from core.search_schemas import Identifier, Schema
from server.settings_schemas import FeatureOut

Password = Annotated[SecretStr, Field(max_length=1024)]
NO_PASSWORD = SecretStr("")


class IndexRequest(Schema):
    """POST /index: a folder or a file. On loopback the folder becomes a root; with API keys it must lie under a configured root. `password` is
    tried on locked files, and kept for this job alone."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    collection: Identifier = "default"
    force: bool = False
    password: Password = NO_PASSWORD


class JobOut(Schema):
    """A job and its progress. `rate` is chunks per second, `seconds_left` an estimate (None while unknown), `started_by` the person who asked for
    it ("" for a job of an earlier version)."""

    id: str
    kind: Literal["index", "upload", "communities", "tree", "ontology"]
    state: Literal["queued", "running", "done", "cancelled", "failed"]
    path: str
    created_at: datetime
    started_at: datetime | None
    finished_at: datetime | None
    files_total: int
    files_done: int
    files_indexed: int
    files_unchanged: int
    files_partial: int
    files_skipped: int
    files_failed: int
    files_removed: int
    chunks: int
    rate: float
    seconds_left: float | None
    current: str
    error: str | None
    started_by: str


class JobList(Schema):
    jobs: list[JobOut]


class UploadOut(Schema):
    """POST /upload: the files were saved and are being indexed by the job."""

    job: JobOut
    files: list[str]


class FeedbackRequest(Schema):
    trace_id: Identifier
    kind: Literal["click", "open_citation", "thumbs_up", "thumbs_down", "reask", "correction"]
    result_id: Identifier | None = None
    rank: Annotated[int, Field(ge=1, le=1000)] | None = None
    reason: Annotated[str, Field(max_length=4000)] | None = None
    correction: Annotated[str, Field(max_length=20000)] | None = None


class FeedbackOut(Schema):
    id: str
    stored: bool


class DocumentList(Schema):
    documents: list[Document]
    total: int
    next_cursor: str | None


class Outline(Schema):
    """A heading of the document, for the source pane. `language` is the section's where it is another than the document's, else ""."""

    path: list[str]
    start: int
    end: int
    level: int
    page: int | None
    language: str


class BlockOut(Schema):
    kind: BlockKind
    start: int
    end: int
    page: int | None
    level: int
    table: int | None


class PageOut(Schema):
    """`turned` is the clockwise turn in degrees that sets a page upright whose text was recognised in any other position."""

    number: int
    label: str
    start: int
    end: int
    turned: int


class TableOut(Schema):
    """`row_numbers` and `column_numbers` are the sheet's own, from 1 as a spreadsheet shows them; [] for no sheet, and where they are not known."""

    start: int
    end: int
    page: int | None
    caption: str
    header_rows: int
    rows: list[list[str]]
    row_spans: list[tuple[int, int]]
    spans: list[tuple[int, int, int, int]]
    last_page: int | None
    row_numbers: list[int]
    column_numbers: list[int]


class WordPlaceOut(Schema):
    """A word of a line: where it begins and ends along the line (0..1)."""

    start: int
    end: int
    left: float
    right: float


class LinePlaceOut(Schema):
    """A recognised line on its page (set upright by `PageOut.turned`): fractions of the page's width and height, as the line lies when it is turned
    level about its own middle; `angle` is the turn in degrees, clockwise, that brings it to where it stands."""

    start: int
    end: int
    left: float
    top: float
    width: float
    height: float
    angle: float
    words: list[WordPlaceOut]


class PagePlacesOut(Schema):
    page: int
    lines: list[LinePlaceOut]


class PlacesOut(Schema):
    """GET /documents/{id}/places?start=&end=. Where the recognised lines that reach into the range stand; only recognised pages have any."""

    document_id: str
    generation: int
    pages: list[PagePlacesOut]


class ContentOut(Schema):
    """GET /documents/{id}/content?start=&end=. `text` is the characters [start:end] (code points); structure is clipped to the range."""

    document_id: str
    generation: int
    start: int
    end: int
    total: int
    text: str
    blocks: list[BlockOut]
    sections: list[Outline]
    pages: list[PageOut]
    tables: list[TableOut]


class ConversationOut(Schema):
    id: str
    title: str
    created_at: datetime
    updated_at: datetime
    turns: int
    pinned: bool = False
    excerpt: Annotated[str, Field(description="Where a search found its words; empty without one.")] = ""


class TurnOut(Schema):
    """A question with the response that it got (as POST /search returned it), {} where it has none: while it runs, where it failed (`problem` says
    why), and where it was interrupted before anything was found. `request` is what was asked besides the words: attached files, filters, choices."""

    id: str
    query: str
    created_at: datetime
    trace_id: str
    response: dict[str, Any]
    state: TurnState = "answered"
    request: dict[str, Any] = Field(default_factory=dict)
    problem: dict[str, Any] = Field(default_factory=dict)


class ConversationDetail(ConversationOut):
    items: list[TurnOut]


class ConversationList(Schema):
    conversations: list[ConversationOut]


class ConversationCreate(Schema):
    title: Annotated[str, Field(max_length=200)] = ""


class HistoryDeleted(Schema):
    """DELETE /history: how much of the person went."""

    user_id: str
    conversations: int
    runs: int
    feedback: int
    remembered: int


class ConversationPatch(Schema):
    """Changes to a conversation: a field that is left out, or null, stays as it is."""

    title: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    pinned: bool | None = None


class BranchRequest(Schema):
    before: Annotated[Identifier, Field(description="The id of a turn: what stands before it is where the new conversation begins.")]


class ConversationsDeleted(Schema):
    conversations: int
    turns: int


class FolderChoice(Schema):
    path: str
    name: str


class FolderChoices(Schema):
    """GET /folders: the folders directly in `under` (None: where to begin), by name; `above` is the one that holds it, None at a root."""

    under: str | None
    above: str | None
    folders: list[FolderChoice]
    truncated: bool = False


class RetryRequest(Schema):
    """POST /ledger/retry: a path as the ledger shows it, and the password of a locked file; that is kept for this reading alone."""

    path: Annotated[str, Field(min_length=1, max_length=4096)]
    password: Password = NO_PASSWORD


class LiveOut(Schema):
    """GET /live."""

    live: Literal[True] = True


class SessionOut(Schema):
    """GET /session. `signed_in`: the caller is known by the session of a browser, which can be signed out."""

    signed_in: bool
    tenant: str
    user_id: str
    role: Literal["member", "admin"]


class SessionRequest(Schema):
    """POST /session: a key of `server.api_keys`, typed into the page."""

    api_key: Annotated[str, Field(min_length=1, max_length=500)]


class Part(Schema):
    """A part of the system. `state`: ok, degraded (works with less), down, off (not configured). `advice` is what a person can do, "" for nothing."""

    name: str
    state: Literal["ok", "degraded", "down", "off"]
    detail: str
    advice: str = ""


class EmbedderRequest(Schema):
    """POST /embedder: the embedding model that the library is to be searched by."""

    model: Annotated[str, Field(min_length=1, max_length=500)]


class EmbedderOut(Part):
    """GET and POST /embedder: the part of /health, and what it says as fields. `better` is a better model that POST can switch to now, "" for none.
    While one is `coming`, `filled` of `documents` have its vectors; `note` says what happens next, "" once all is over. POST switches to one of
    `choices`, those that are installed; there are none where the settings name the model."""

    model: str
    choices: list[str]
    better: str
    coming: str
    filled: int
    documents: int
    note: str


class LibraryCounts(Schema):
    documents: int
    files: int
    chunks: int
    vectors: int
    bytes_on_disk: int


class HealthOut(Schema):
    """GET /health. `ready` False while the index is loaded or replayed; `features` as the caller's tenant has them."""

    status: Literal["ok", "degraded", "starting"]
    live: bool
    ready: bool
    version: str
    uptime_seconds: float
    parts: list[Part]
    library: LibraryCounts
    jobs_running: list[str]
    features: list[FeatureOut] = Field(default_factory=list)


class TraceList(Schema):
    traces: list[TraceLine]
    next_cursor: str | None


class Starter(Schema):
    """A question that the index can answer, with the intent that it shows."""

    question: str
    intent: Intent
    document_id: str | None
    why: str


class StarterList(Schema):
    starters: list[Starter]


class MemoryPatch(Schema):
    """PATCH /memory/{user_id}/items/{id}: the new words."""

    text: Annotated[str, Field(min_length=1, max_length=4000)]


class RunAccepted(Schema):
    """An answer to a clarification was taken; the events go on at /runs/{run_id}/events."""

    run_id: str


class CancelOut(Schema):
    id: str
    state: Literal["cancelling", "already_over"]


class Deleted(Schema):
    """Counts of what was removed."""

    id: str
    chunks: int
    files: list[str]


class Problem(BaseModel):
    """RFC 9457 problem document, media type application/problem+json. `fix` says what to do."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    fix: str = ""
    instance: str = ""
    errors: list[dict[str, Any]] = Field(default_factory=list)
