"""A library of four documents about a harbour with its knowledge graph, for answers that are made of the graph."""

from __future__ import annotations

from graph.graph_view import GraphView
from tests.support.graphs import MemoryGraphStore
from tests.support.ports import FakeLibrary, make_document

TEXTS = {
    "audit": "Mara Ellison found a crack in the gate of Elver Lock. The crack grew by two millimetres in May.",
    "letter": "Mara Ellison works at Trevanion & Holt. The firm repairs gates and sluices for the harbour.",
    "minutes": "Trevanion & Holt was late with the pump of Elver Lock. The delay cost the harbour a week of traffic.",
    "menu": "On Mondays the kitchen of Saltmere Hall serves soup with bread. Peter Marsh bakes the bread himself.",
}
QUESTION = "Which problems with Elver Lock come up across all documents?"


def harbour_library() -> tuple[FakeLibrary, GraphView]:
    documents = [make_document(name, f"/library/{name}.txt", name.title(), [("Notes", text)]) for name, text in TEXTS.items()]
    store = MemoryGraphStore()
    for document, content in documents:
        store.put_document(document.id, content.document, title=document.title)
    library = FakeLibrary(documents)  # a chunk for each section, where the graph has one for its heading and one for its paragraph
    library.chunk_list = [chunk.model_copy(update={"id": 2 * place}) for place, chunk in enumerate(library.chunk_list, 1)]
    return library, GraphView(store)
