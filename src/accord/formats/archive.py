"""What a path holds: one file, a folder, a zip, or zips within a zip, never written to disk.

Everything is read in memory under a budget, so that an archive can neither write outside its folder
nor fill the machine. Refused: names that climb out of the archive, encrypted entries, archives that
expand beyond all measure or are nested too deep. Left out with a note: symbolic links.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from accord.errors import InputError

#: bytes that all entries of an archive may expand to, together
BUDGET = 4 << 30
#: an entry that expands more than this many times, to more than a megabyte, is a bomb
RATIO = 400
ENTRIES = 2_000_000
DEPTH = 4

#: system files that say nothing about annotations
_CLUTTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its name relative to the root, with slashes, and how to read it."""

    name: str
    #: how people find it, for error messages
    path: str
    size: int
    _open: Callable[[int | None], bytes]

    def read(self) -> bytes:
        return self._open(None)

    def head(self, size: int) -> bytes:
        """At most the first `size` bytes."""
        return self._open(size)

    @property
    def suffix(self) -> str:
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def parts(self) -> tuple[str, ...]:
        return PurePosixPath(self.name).parts

    def without_suffix(self) -> str:
        """The name without its ending: the pair of `a/b.ann` is found under `a/b`.

        >>> Entry("a/b.ann", "", 0, lambda _: b"").without_suffix()
        'a/b'
        """
        head, dot, tail = self.name.rpartition(".")
        return head if dot and "/" not in tail and not head.endswith("/") and head else self.name


@dataclass(slots=True)
class Tree:
    """The files under a path, sorted by name, and what was left out."""

    path: Path
    entries: list[Entry] = field(default_factory=list)
    #: sentences about what was left out
    notes: list[str] = field(default_factory=list)
    single: bool = False
    _names: dict[str, Entry] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def find(self, name: str) -> Entry | None:
        """The entry of this name."""
        if not self._names:
            self._names = {entry.name: entry for entry in self.entries}
        return self._names.get(name)

    def ending(self, *suffixes: str) -> list[Entry]:
        """The entries whose names end so (in lower case)."""
        return [e for e in self.entries if e.name.lower().endswith(suffixes)]


def is_zip(head: bytes) -> bool:
    """A zip archive, even an empty one, whatever its name."""
    return head[:4] in (b"PK\x03\x04", b"PK\x05\x06")


def open_tree(path: Path, *, beside: tuple[str, ...] = ()) -> Tree:
    """The files of a folder or archive; of a single file, itself and its neighbours.

    `beside` lists the endings under which the other half of a single file may stand next to it
    (the `.txt` of an `.ann`).
    """
    tree = Tree(path=path)
    try:
        if path.is_dir():
            _walk(path, tree)
        else:
            with path.open("rb") as file:
                zipped = is_zip(file.read(4))
            if zipped:
                _unzip(path.read_bytes(), str(path), "", tree, [BUDGET], 1)
            else:
                tree.single = True
                _add_file(path, path.name, tree)
                for suffix in beside:
                    neighbour = path.with_suffix(suffix)
                    if neighbour != path and neighbour.is_file():
                        _add_file(neighbour, neighbour.name, tree)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    tree.entries.sort(key=lambda entry: entry.name)
    return tree


def _walk(root: Path, tree: Tree) -> None:
    links = 0
    budget = [BUDGET]
    for folder, folders, files in os.walk(root, followlinks=False):
        here = Path(folder)
        kept = [f for f in folders if f != "__MACOSX" and not (here / f).is_symlink()]
        links += sum((here / f).is_symlink() for f in folders)
        folders[:] = sorted(kept)
        for name in files:
            path = here / name
            mode = path.lstat().st_mode
            if stat.S_ISLNK(mode):
                links += 1
            elif name not in _CLUTTER and stat.S_ISREG(mode):
                _add_file(path, path.relative_to(root).as_posix(), tree)
                if name.lower().endswith(".zip"):
                    inner = tree.entries.pop()
                    prefix = inner.without_suffix() + "/"
                    _unzip(inner.read(), inner.path, prefix, tree, budget, 1)
        if len(tree.entries) > ENTRIES:
            raise InputError(
                f"holds more than {ENTRIES} files", path=root, hint="read a part of it"
            )
    if links:
        tree.notes.append(f"{root}: {links} symbolic link(s) were not followed")


def _add_file(path: Path, name: str, tree: Tree) -> None:
    def load(size: int | None) -> bytes:
        try:
            with path.open("rb") as file:
                return file.read() if size is None else file.read(size)
        except OSError as problem:
            raise InputError(f"cannot be read ({problem.strerror})", path=path) from None

    tree.entries.append(Entry(_printable(name), str(path), path.stat().st_size, load))


def _unzip(data: bytes, where: str, prefix: str, tree: Tree, budget: list[int], depth: int) -> None:
    if depth > DEPTH:
        raise InputError(f"has archives nested more than {DEPTH} deep", path=where)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError) as problem:
        raise InputError(f"is not a sound zip archive ({problem})", path=where) from None
    if len(members) + len(tree.entries) > ENTRIES:
        raise InputError(
            f"holds more than {ENTRIES} entries", path=where, hint="unpack it yourself"
        )
    links = 0
    for member in members:
        name = member.filename.replace("\\", "/")
        parts = PurePosixPath(name).parts
        if name.startswith("/") or ".." in parts or (parts and parts[0].endswith(":")):
            raise InputError(f"has an entry that climbs out of the archive: {name!r}", path=where)
        if member.is_dir() or not parts or parts[0] == "__MACOSX" or parts[-1] in _CLUTTER:
            continue
        if stat.S_ISLNK(member.external_attr >> 16):
            links += 1
            continue
        if member.flag_bits & 1:
            raise InputError(f"is encrypted (entry {name!r})", path=where, hint="unpack it first")
        if member.file_size > (1 << 20) and member.file_size > RATIO * max(member.compress_size, 1):
            raise InputError(
                f"has an entry that expands {member.file_size // max(member.compress_size, 1)} "
                f"times, like a zip bomb: {name!r}",
                path=where,
                hint="unpack it yourself if you trust it",
            )
        budget[0] -= member.file_size
        if budget[0] < 0:
            raise InputError(
                f"expands to more than {BUDGET >> 30} GB", path=where, hint="unpack it yourself"
            )
        entry = _zip_entry(archive, member, prefix + "/".join(parts), where)
        if name.lower().endswith(".zip") or is_zip(entry.head(4)):
            inner = entry.without_suffix() + "/"
            _unzip(entry.read(), entry.path, inner, tree, budget, depth + 1)
        else:
            tree.entries.append(entry)
    if links:
        tree.notes.append(f"{where}: {links} symbolic link(s) were left out")


def _zip_entry(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, where: str) -> Entry:
    label = f"{where}!{_printable(member.filename)}"

    def load(size: int | None) -> bytes:
        # a zip reader never gives more than the declared size, which the budget has counted
        try:
            with archive.open(member) as file:
                return file.read() if size is None else file.read(size)
        except (
            zipfile.BadZipFile,
            zlib.error,
            EOFError,
            OSError,
            NotImplementedError,
            RuntimeError,
            ValueError,
        ) as problem:
            raise InputError(f"cannot be unpacked ({problem})", path=label) from None

    return Entry(_printable(name), label, member.file_size, load)


def _printable(name: str) -> str:
    """A file name may hold bytes that are no text; they must not break the output."""
    return name.encode("utf-8", "replace").decode("utf-8")
