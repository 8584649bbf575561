"""The seams: what the inside asks of the outside. One Protocol per concern; adapters live in the packages named after them.

Every method that may wait is `async`; an adapter that blocks hands its work to a thread of its own limiter.
`Vector` is float32 [dimension], `Matrix` float32 [rows, dimension]; rows are unit length unless said otherwise.
"""

from core.ports.answering import ChatModel, Composer, ModelMessage, ModelReply, Retriever, Writer
from core.ports.embedding import REFERENCE_SCALE, Embedder, Encoded, PieceEncoder, SentenceEncoder, SimilarityScale, TokenVectors
from core.ports.finding import Mention, MentionFinder, Mentions, NearTopic, TopicFinder
from core.ports.graph import GraphEnricher, GraphExtractor, KnowledgeGraph, OwnScores, PassageLinks
from core.ports.hierarchy import ChunkHierarchy, ChunkPlace
from core.ports.index import Hit, IndexCounts, IndexedChunk, IndexedDocument, LexicalResult, SearchIndex, TokenStore
from core.ports.library import Content, FileStamp, KnownFile, Library, LibraryTotals, LibraryWriter, NewDocument, Reason, Removed, Root, Written
from core.ports.listing import DocumentListing, DocumentLists, DocumentSort
from core.ports.memory import (
    Embedded,
    KeptEpisode,
    KeptNote,
    KeptObservation,
    KeptSession,
    Learned,
    MemoryChange,
    MemoryManager,
    MemoryQuestion,
    MemoryStore,
    PersonMemory,
    RunMemory,
)
from core.ports.multilingual import MultilingualSearch, QuestionLanguages, QuestionTranslator, Readiness, Translation
from core.ports.places import PlaceStore
from core.ports.reader import AnswerReader, AnswerSpan, PassageReading
from core.ports.records import (
    AS_USUAL,
    Conversation,
    Conversations,
    Deleted,
    Feedback,
    FeedbackRecord,
    History,
    IndexOrder,
    JobRecord,
    Jobs,
    SessionMemory,
    Traces,
    Turn,
    TurnState,
)
from core.ports.references import ReferenceStore
from core.ports.sessions import BrowserSession, SessionStore
from core.ports.spelling import Correction, Speller, with_corrections
from core.ports.tables import TableStore
from core.ports.vision import ImageDescriber, ShownPicture
from core.ports.watching import Exclusion, FolderCount, LedgerFilter, LedgerReports, ReasonCount, Watcher, WatchStore

__all__ = [
    "AS_USUAL",
    "REFERENCE_SCALE",
    "AnswerReader",
    "AnswerSpan",
    "BrowserSession",
    "ChatModel",
    "ChunkHierarchy",
    "ChunkPlace",
    "Composer",
    "Content",
    "Conversation",
    "Conversations",
    "Correction",
    "Deleted",
    "DocumentListing",
    "DocumentLists",
    "DocumentSort",
    "Embedded",
    "Embedder",
    "Encoded",
    "Exclusion",
    "Feedback",
    "FeedbackRecord",
    "FileStamp",
    "FolderCount",
    "GraphEnricher",
    "GraphExtractor",
    "History",
    "Hit",
    "ImageDescriber",
    "IndexCounts",
    "IndexOrder",
    "IndexedChunk",
    "IndexedDocument",
    "JobRecord",
    "Jobs",
    "KeptEpisode",
    "KeptNote",
    "KeptObservation",
    "KeptSession",
    "KnowledgeGraph",
    "KnownFile",
    "Learned",
    "LedgerFilter",
    "LedgerReports",
    "LexicalResult",
    "Library",
    "LibraryTotals",
    "LibraryWriter",
    "MemoryChange",
    "MemoryManager",
    "MemoryQuestion",
    "MemoryStore",
    "Mention",
    "MentionFinder",
    "Mentions",
    "ModelMessage",
    "ModelReply",
    "MultilingualSearch",
    "NearTopic",
    "NewDocument",
    "OwnScores",
    "PassageLinks",
    "PassageReading",
    "PersonMemory",
    "PieceEncoder",
    "PlaceStore",
    "QuestionLanguages",
    "QuestionTranslator",
    "Readiness",
    "Reason",
    "ReasonCount",
    "ReferenceStore",
    "Removed",
    "Retriever",
    "Root",
    "RunMemory",
    "SearchIndex",
    "SentenceEncoder",
    "SessionMemory",
    "SessionStore",
    "ShownPicture",
    "SimilarityScale",
    "Speller",
    "TableStore",
    "TokenStore",
    "TokenVectors",
    "TopicFinder",
    "Traces",
    "Translation",
    "Turn",
    "TurnState",
    "WatchStore",
    "Watcher",
    "Writer",
    "Written",
    "with_corrections",
]
