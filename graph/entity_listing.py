"""The listing of all entities, page by page, and the search in their names and aliases."""

from __future__ import annotations

import base64
import json
from array import array
from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from core.errors import InvalidInput
from core.graph import EntityPage, EntityType
from core.typings import SurfaceName
from graph.entity_views import show_entity, spellings
from graph.graph_arrays import KINDS, GraphArrays
from graph.normalisation import fold_name
from graph.tenant_graph import TenantGraph
from graph.top_relations import name_order

_ENCODING = ("utf-8", "surrogatepass")
_Order = tuple[int, str, str]


class ListingRequest(NamedTuple):
    """`among` None: whatever names an entity has; else it has one of these."""

    text: str
    entity_type: EntityType | None
    limit: int
    cursor: str | None
    among: Collection[SurfaceName] | None = None

    def includes(self, arrays: GraphArrays, centre: int) -> bool:
        if self.entity_type not in (None, KINDS[arrays.kinds[centre]]):
            return False
        return self.among is None or any((arrays.keys.text(each), KINDS[arrays.kinds[each]]) in self.among for each in arrays.members(centre))


@dataclass(frozen=True, slots=True)
class EntityListing:
    """All entities, most mentioned first: the numbers of their best supported surfaces, how often they are mentioned, and where in `text` the words
    begin that a search in names and aliases looks at.
    """

    centres: array[int]
    mentions: array[int]
    starts: array[int]  # and the end of the last
    text: bytes


def list_entities(graph: TenantGraph) -> EntityListing:
    """Return the listing as the graph is now."""
    arrays = graph.arrays
    found = [(-sum(map(arrays.mentions, arrays.members(each))), *name_order(arrays, each), each) for each in arrays.find_centres().tolist()]
    found.sort()
    centres, text, starts = array("i", [each for *_, each in found]), bytearray(), array("I", [0])
    for each in centres:
        text += "\n".join(map(fold_name, spellings(arrays, arrays.entity_places(each)))).encode(*_ENCODING)
        starts.append(len(text))
    return EntityListing(centres, array("i", [-order for order, *_ in found]), starts, bytes(text))


def listing_page(graph: TenantGraph, listing: EntityListing, request: ListingRequest) -> EntityPage:
    """Return one page. Raises InvalidInput for a cursor of another listing."""
    arrays, centres = graph.arrays, listing.centres

    def order(place: int) -> _Order:
        return -listing.mentions[place], *name_order(arrays, centres[place])

    searched = fold_name(request.text.strip()).encode(*_ENCODING)
    places = _find_places(listing, searched) if searched else range(len(centres))
    kept = [each for each in places if request.includes(arrays, centres[each])]
    after = _read_cursor(request.cursor)
    start = bisect_right(kept, after, key=order) if after is not None else 0
    rows = kept[start : start + request.limit]
    following = _write_cursor(order(rows[-1])) if start + request.limit < len(kept) and rows else None
    return EntityPage(entities=[show_entity(graph, graph.graph.surface(centres[each])) for each in rows], total=len(kept), next_cursor=following)


def _find_places(listing: EntityListing, searched: bytes) -> Iterator[int]:
    """Yield the places of the entities in whose words something stands."""
    found = listing.text.find(searched)
    while found >= 0:
        place = bisect_right(listing.starts, found) - 1
        is_whole = found + len(searched) <= listing.starts[place + 1]  # not across two entities
        if is_whole:
            yield place
        found = listing.text.find(searched, listing.starts[place + 1] if is_whole else found + 1)


def _write_cursor(order: _Order) -> str:
    return base64.urlsafe_b64encode(json.dumps(order, ensure_ascii=False).encode("utf-8", "replace")).decode()


def _read_cursor(cursor: str | None) -> _Order | None:
    if cursor is None:
        return None
    try:
        count, key, kind = json.loads(base64.urlsafe_b64decode(cursor.encode()))
        return int(count), str(key), str(kind)
    except (ValueError, TypeError) as error:
        raise InvalidInput("This cursor is not one of this listing. Start again without a cursor.") from error
