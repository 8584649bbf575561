"""The folder watcher from the settings."""

from __future__ import annotations

from ingestion.indexing.index_jobs import IndexJobs
from ingestion.indexing.index_writer import Stores
from ingestion.watching.watcher import FolderWatcher, WatchOptions
from settings import Settings
from storage.database import Database
from storage.sql_watch_store import SqlWatchStore


def make_watcher(settings: Settings, jobs: IndexJobs, stores: Stores, database: Database) -> FolderWatcher:
    watch = settings.ingestion.watch
    options = WatchOptions(
        home=settings.home,
        ignore=tuple(settings.ingestion.ignore),
        enabled=watch.enabled,
        settle_seconds=watch.settle_seconds,
        longest_wait_seconds=watch.longest_wait_seconds,
        poll_seconds=watch.poll_seconds,
        max_folders=watch.max_folders,
        compare_hours=watch.compare_hours,
    )
    return FolderWatcher(jobs, stores, SqlWatchStore(database), options)
