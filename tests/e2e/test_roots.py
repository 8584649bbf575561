"""With keys a folder is one tenant's: by the settings, or because that tenant indexed it first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.test_owners import asking
from tests.support.serving import ServedVantage, index_and_wait

ACME, OTHER = ("a" * 20, "c" * 20)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("roots")
    for name in ("acme", "open/one", "open/two", "all"):
        (made / name).mkdir(parents=True)
        (made / name / "note.txt").write_text(f"A note about {name}.", encoding="utf-8")
    (made / "open" / "link").symlink_to(made / "acme")
    (made / "open" / "processes").symlink_to("/proc")
    return made


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[ServedVantage]:
    roots = f"[{folder}/open, {{path: {folder}/acme, tenant: acme}}, {{path: {folder}/all, tenant: '*'}}, {folder}/open/processes, {folder}/home]"
    keys = f"['{ACME}:acme:ann', '{OTHER}:other:cy']"
    started = ServedVantage(folder / "home", {"VANTAGE_SERVER__API_KEYS": keys, "VANTAGE_INGESTION__ROOTS": roots}).start()
    yield started
    started.stop()


def test_a_root_is_its_tenants(served: ServedVantage, folder: Path) -> None:
    with asking(served.url, ACME) as acme, asking(served.url, OTHER) as other:
        for path in ("acme", "acme/note.txt", "open/link"):  # before and after its tenant indexed it
            refused = other.post("/index", json={"path": str(folder / path)})
            assert refused.status_code == 403
            assert "another tenant" in refused.json()["detail"]
        index_and_wait(acme, str(folder / "acme"))
        index_and_wait(acme, str(folder / "all"))
        index_and_wait(other, str(folder / "all"))
        index_and_wait(acme, str(folder / "open" / "one"))
        for path in ("open/one", "open/one/note.txt", "open", "acme"):
            assert other.post("/index", json={"path": str(folder / path)}).status_code == 403, path
        index_and_wait(other, str(folder / "open" / "two"))
        assert {each["filename"] for each in other.get("/documents").json()["documents"]} == {"note.txt"}
        assert other.get("/documents").json()["total"] == 2


@pytest.mark.parametrize("path", ["open/processes", "open/processes/self/environ", "home", "home/library.db", ".."])
def test_the_system_the_home_and_what_is_not_configured_are_no_roots(served: ServedVantage, folder: Path, path: str) -> None:
    with asking(served.url, ACME) as acme:
        assert acme.post("/index", json={"path": str(folder / path)}).status_code == 403
