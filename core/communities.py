"""Communities of the knowledge graph: entities that documents relate to each other more than to the rest, with what they are about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from pydantic import Field

from core.graph import EntityType
from core.search import FrozenModel


class CommunityCitation(FrozenModel):
    """A sentence of the summary: `text` is exactly [start, end) of the document's text at `generation`; `entity_ids` are members that it names."""

    document_id: str
    generation: int
    filename: str
    page: int | None
    start: int
    end: int
    text: str
    entity_ids: list[str] = Field(default_factory=list)


class CommunityMember(FrozenModel):
    """A member as it is shown."""

    id: str
    name: str
    entity_type: EntityType


class Community(FrozenModel):
    """A community. Its terms give it its name; the ids and members are its entities. `level` 0 is the finest; `parent_id` None is a theme of the
    library. The summary is its citations' sentences (`generated_by` is "rules"). `members` are the most central ones. `documents` relate two of its
    members. `stale`: the graph changed since it was found.
    """

    id: str
    name: str
    level: int
    entity_ids: list[str]
    entity_count: int
    members: list[CommunityMember]
    summary: str
    keywords: list[str]
    parent_id: str | None
    child_ids: list[str]
    citations: list[CommunityCitation]
    documents: int
    generated_by: str
    stale: bool


@dataclass(frozen=True, slots=True)
class CommunityQuery:
    """What communities are looked for by: members with what each counts, and stems of words in their names and keywords. `level` 1 and above also
    has the communities that are part of none; None takes any level.
    """

    weights: Mapping[str, float]
    words: frozenset[str] = frozenset()
    level: int | None = None
    limit: int = 5


class CommunityPage(FrozenModel):
    """The communities of a library, the largest first. `reason` says in a sentence why there are none. `smaller_groups` are groups of too few
    entities to be one, of `smaller_group_entities` in all. `covered_documents` of `documents` relate members of a theme.
    """

    communities: list[Community]
    total: int
    levels: int
    stale: bool
    refreshed_at: datetime | None
    smaller_groups: int
    smaller_group_entities: int
    covered_documents: int
    documents: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """A path of a document, with the root that it was indexed under and that one's collection. `is_member`: it lies in an archive or a message."""

    document_id: str
    path: str
    root: str
    collection: str
    is_member: bool = False


@dataclass(frozen=True, slots=True)
class LibraryFolder:
    """A folder, a root or a collection that holds a real share of a library's documents."""

    name: str
    document_ids: frozenset[str]


@dataclass(frozen=True, slots=True)
class FolderThemes:
    """What there is to tell of such a folder of `documents`: themes and finest communities that lie mostly in it, the largest first, with the
    sentences that its documents say.
    """

    name: str
    documents: int
    themes: tuple[Community, ...]


@dataclass(frozen=True, slots=True)
class ThemeSurvey:
    """The themes of a library, and what there is of each of its folders; `folders` is empty where the library lies in one. `held`: community id ->
    folder -> how many of its documents lie there; `folder_of`: the folder of each document that is cited. `note` says in a sentence how the themes of
    a part of the library were found otherwise than those of the whole.
    """

    page: CommunityPage
    folders: tuple[FolderThemes, ...] = ()
    held: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    folder_of: Mapping[str, str] = field(default_factory=dict)
    note: str = ""


class LevelCost(FrozenModel):
    """The cost of summarising the communities of a level with a language model: a call for each, over the sentences that relate its members."""

    level: int
    communities: int
    prompt_tokens: int
    completion_tokens: int


class SummaryCosts(FrozenModel):
    """GET /graph/cost: what summarising every level of a library would take while indexing, beside a lazy summary, which takes nothing then and one
    call for each question that is answered by it (none without a model). Tokens are estimated, four characters each.
    """

    levels: list[LevelCost]
    calls: int
    prompt_tokens: int
    completion_tokens: int
    lazy_calls: int
    lazy_prompt_tokens: int
    lazy_completion_tokens: int


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """A sentence of a document that speaks for a community: `order` in its summary, its span, and the members that it names."""

    order: int
    start: int
    end: int
    page: int | None
    entity_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CommunityShare:
    """The part of a community that one generation of a document gives: it goes with the document. `keywords` are (place in the list, word)."""

    document_id: str
    generation: int
    keywords: tuple[tuple[int, str], ...] = ()
    sentences: tuple[SentencePlace, ...] = ()


@dataclass(frozen=True, slots=True)
class StoredCommunity:
    """A community as it is kept: ids of entities and shares of documents. `central_ids` are members, the most central first. `part` is the
    fingerprint of the part of the graph that it was found in.
    """

    id: str
    level: int
    parent_id: str | None
    part: str
    entity_ids: tuple[str, ...]
    central_ids: tuple[str, ...]
    generated_by: str
    shares: tuple[CommunityShare, ...] = ()


@dataclass(frozen=True, slots=True)
class CommunityState:
    """A library's last refresh. `version` is that of the graph which was divided, `options` the settings by which."""

    version: tuple[int, int]
    options: str
    refreshed_at: datetime
    smaller_groups: int
    smaller_group_entities: int


@dataclass(frozen=True, slots=True)
class RefreshResult:
    """The outcome of a refresh. `parts_divided` of `parts` of the graph had changed; `reason` says why nothing was looked for."""

    communities: int
    parts: int
    parts_divided: int
    kept_ids: int
    reason: str = ""
