"""Random operations on folders, as of a busy person: creates, edits, renames, moves, copies, links and deletes, of files and of whole folders."""

from __future__ import annotations

import os
import random
import shutil
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

COMMON = "soakword"  # stands in every document
_SUFFIXES = (".txt", ".txt", ".txt", ".md", ".csv", ".html", ".eml", ".zip")
_MEMBERS = (".txt", ".csv", ".eml", ".md")
_WORDS = ("lease", "harbour", "granite", "invoice", "walrus", "meadow", "contract", "orchard", "ledger", "quarry", "Halden", "Ostrava", "Contoso")
_MOST_FILES = 250
_KEPT = "keep.txt"  # of each root: one that is empty counts as a missing disk
_BROKEN = "broken"  # such files stay unreadable: an older version of them would rightly be kept


@dataclass
class RandomFolders:
    """Random operations in `roots`, each with its own weight. The same seed and state of the disk give the same operation."""

    roots: Sequence[Path]
    outside: Path
    chance: random.Random
    done: int = 0
    names: dict[str, int] = field(default_factory=dict)

    def prepare(self) -> None:
        for root in (*self.roots, self.outside):
            root.mkdir(parents=True, exist_ok=True)
            (root / _KEPT).write_text(f"This file of {root.name} stays. {COMMON}\n")

    def step(self) -> str:
        """Do one thing; returns what it was. What cannot be done just now becomes a new file."""
        self.done += 1
        kinds: list[tuple[int, Callable[[], bool]]] = [
            (26, self._create),
            (22, self._edit),
            (10, self._rename),
            (9, self._move),
            (12, self._delete),
            (4, self._copy),
            (3, self._make_folder),
            (3, self._rename_folder),
            (2, self._move_folder),
            (2, self._delete_folder),
            (2, self._replace),
            (2, self._swap),
            (2, self._touch),
            (1, self._link),
            (1, self._ignore),
            (1, self._write_slowly),
        ]
        if len(self._files()) > _MOST_FILES:
            kinds += [(60, self._delete), (3, self._delete_folder)]
        work = self.chance.choices([work for _, work in kinds], [weight for weight, _ in kinds])[0]
        if not work():
            work = self._create
            work()
        name = work.__name__.strip("_")
        self.names[name] = self.names.get(name, 0) + 1
        return name

    # -- files -----------------------------------------------------------------------------------------------------------------------

    def _create(self) -> bool:
        folder = self.chance.choice(self._folders())
        kind = self.chance.random()
        if kind < 0.03:
            (folder / f".hidden{self.done}").write_text("not seen")
        elif kind < 0.05:
            (folder / f"work{self.done}.tmp").write_text("not seen either")
        elif kind < 0.07:
            (folder / f"empty{self.done}.txt").write_text("")
        elif kind < 0.09:
            (folder / f"{_BROKEN}{self.done}.pdf").write_bytes(b"%PDF-1.4\n" + self.chance.randbytes(200))
        elif kind < 0.11:
            (folder / f"binary{self.done}.bin").write_bytes(b"\0\1\2" + self.chance.randbytes(50))
        else:
            suffix = self.chance.choice(_SUFFIXES)
            self._fill(folder / f"file {self.done}{suffix}")
        return True

    def _edit(self) -> bool:
        path = self._any_document()
        if path is None:
            return False
        if self.chance.random() < 0.4 and path.suffix in {".txt", ".md"}:
            with path.open("a") as file:
                file.write(f"\n\nMore of it at {self.done}.\n")
        else:
            self._fill(path)
        return True

    def _replace(self) -> bool:
        """Replace a file as an editor saves: a new file beside it, then in its place."""
        path = self._any_document()
        if path is None:
            return False
        beside = path.with_name(f".{path.name}.swp")
        self._fill(beside, path.suffix)
        beside.rename(path)
        return True

    def _rename(self) -> bool:
        path = self._any_file()
        return path is not None and self._move_into(path, path.parent)

    def _move(self) -> bool:
        path = self._any_file()
        return path is not None and self._move_into(path, self.chance.choice(self._folders()))

    def _move_into(self, path: Path, folder: Path) -> bool:
        stem = path.stem.split("-")[0]
        target = folder / f"{stem}-{self.done}{path.suffix}"
        path.rename(target)
        return True

    def _swap(self) -> bool:
        one, two = self._any_document(), self._any_document()
        if one is None or two is None or one == two or one.suffix != two.suffix:
            return False
        aside = one.with_name(f".swap{self.done}")
        one.rename(aside)
        two.rename(one)
        aside.rename(two)
        return True

    def _copy(self) -> bool:
        path = self._any_document()
        if path is None:
            return False
        copy = shutil.copy2 if self.chance.random() < 0.5 else shutil.copyfile
        copy(path, self.chance.choice(self._folders()) / f"copy-{self.done}{path.suffix}")
        return True

    def _delete(self) -> bool:
        path = self._any_file()
        if path is None:
            return False
        path.unlink()
        return True

    def _touch(self) -> bool:
        path = self._any_document()
        if path is None:
            return False
        path.touch()
        return True

    def _link(self) -> bool:
        path, folder = self._any_document(), self.chance.choice(self._folders())
        target = self.chance.choice([path, self.outside / _KEPT, self.outside, folder.parent])
        if target is None:
            return False
        (folder / f"link-{self.done}{target.suffix}").symlink_to(target)
        return True

    def _ignore(self) -> bool:
        file = self.chance.choice(self._folders()) / self.chance.choice([".gitignore", ".vantageignore"])
        if file.exists() and self.chance.random() < 0.6:
            file.unlink()
        else:
            file.write_text(self.chance.choice(["*.csv\n", "copy-*\n!copy-*1.txt\n", "folder*/\n", "/*.md\n# nothing else\n", "file*5.txt\n"]))
        return True

    def _write_slowly(self) -> bool:
        path = self.chance.choice(self._folders()) / f"slow {self.done}.txt"
        with path.open("w") as file:
            for part in range(3):
                file.write(f"Part {part} of {self.done}. {COMMON}\n\n")
                file.flush()
                time.sleep(0.05)
        return True

    # -- folders ---------------------------------------------------------------------------------------------------------------------

    def _make_folder(self) -> bool:
        parent = self.chance.choice(self._folders())
        if len(parent.parts) - len(self.roots[0].parts) > 5:
            return False
        made = parent / f"folder {self.done}"
        made.mkdir()
        for number in range(self.chance.randrange(4)):
            (made / f"inner {self.done} {number}.txt").write_text(self._text(".txt"))
        return True

    def _rename_folder(self) -> bool:
        folder = self._inner_folder()
        if folder is None:
            return False
        folder.rename(folder.parent / f"folder {self.done}")
        return True

    def _move_folder(self) -> bool:
        folder = self._inner_folder()
        target = self.chance.choice(self._folders())
        if folder is None or target.is_relative_to(folder):
            return False
        folder.rename(target / f"folder {self.done}")
        return True

    def _delete_folder(self) -> bool:
        folder = self._inner_folder()
        if folder is None:
            return False
        shutil.rmtree(folder)
        return True

    # -- choosing --------------------------------------------------------------------------------------------------------------------

    def _folders(self) -> list[Path]:
        return [Path(place) for root in self.roots for place, _, _ in sorted(os.walk(root))]

    def _inner_folder(self) -> Path | None:
        inner = [folder for folder in self._folders() if folder not in self.roots]
        return self.chance.choice(inner) if inner else None

    def _files(self) -> list[Path]:
        found = [Path(place) / name for root in self.roots for place, _, names in sorted(os.walk(root)) for name in sorted(names)]
        return [path for path in found if path.name != _KEPT]

    def _any_file(self) -> Path | None:
        files = [path for path in self._files() if not path.name.startswith(".")]
        return self.chance.choice(files) if files else None

    def _any_document(self) -> Path | None:
        files = [path for path in self._files() if path.suffix in _SUFFIXES and not path.is_symlink() and not path.name.startswith(".")]
        return self.chance.choice(files) if files else None

    def _fill(self, path: Path, suffix: str = "") -> None:
        """Write a new content, of the kind that `suffix` (default: that of the path) says."""
        suffix = suffix or path.suffix
        if suffix == ".zip":
            self._pack(path)
        else:
            path.write_text(self._text(suffix))

    def _pack(self, path: Path) -> None:
        """Pack an archive. Some members stay as they were, some are files that also lie in a folder."""
        held: dict[str, str | bytes] = {}
        if path.exists():
            with zipfile.ZipFile(path) as before:
                held = {name: before.read(name) for name in before.namelist() if self.chance.random() < 0.5}
        while len(held) < 2 or (len(held) < 3 and self.chance.random() < 0.5):
            suffix = self.chance.choice(_MEMBERS)
            twin = self._any_document() if self.chance.random() < 0.2 else None
            name = f"{self.chance.choice(['', 'inner/'])}member {self.done} {len(held)}"
            if twin is not None and twin.suffix in _MEMBERS:
                held[f"{name}{twin.suffix}"] = twin.read_bytes()
            else:
                held[f"{name}{suffix}"] = self._text(suffix)
        with zipfile.ZipFile(path, "w") as archive:
            for name, content in held.items():
                archive.writestr(zipfile.ZipInfo(name), content)

    def _text(self, suffix: str) -> str:
        said = " ".join(self.chance.choices(_WORDS, k=self.chance.randrange(5, 40)))
        mark = f"number{self.done} {COMMON}"
        match suffix:
            case ".csv":
                return "Name,Town,Note\n" + "".join(f"{word},Halden,{mark}\n" for word in said.split())
            case ".html":
                return f"<html><head><title>Page {self.done}</title></head><body><h1>Page {self.done}</h1><p>{said} {mark}.</p></body></html>"
            case ".md":
                return f"# Note {self.done}\n\n{said} {mark}.\n\n## Further\n\nMaria Keller of Contoso signed it. {mark}\n"
            case ".eml":
                return f"From: a@example.org\nTo: b@example.org\nSubject: Mail {self.done}\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\n{said} {mark}.\n"
            case _:
                return f"Report {self.done}\n\n{said} {mark}.\n\nMaria Keller works at Contoso in Ostrava. {mark}\n"
