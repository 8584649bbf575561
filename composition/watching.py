"""The folder watcher from the settings."""

from __future__ import annotations

from ingestion.bookkeeping import Stores
from ingestion.jobs import IndexJobs
from ingestion.watching.watcher import FolderWatcher, WatchOptions
from settings import Settings
from storage.engine import Database
from storage.watching import SqlWatchStore


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
