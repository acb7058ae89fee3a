"""What a path holds: one file, a folder, an archive, or archives within one, never written to disk.

Archives are zip, tar and tar.gz (or bz2, xz); a single file may be packed with gzip (`notes.csv.gz`).

Everything is read in memory under a budget, so that an archive can neither write outside its folder
nor fill the machine. Refused: names that climb out of the archive, encrypted entries, archives that
expand beyond all measure or are nested too deep. Left out with a note: symbolic links.
"""

from __future__ import annotations

import io
import os
import stat
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from accord.errors import InputError, UnreadableError, some
from accord.files.limits import refuse_long_lines_of
from accord.files.packed import (
    BUDGET,
    ZSTANDARD,
    charge,
    gunzip,
    packing,
    safe_parts,
    zstandard_member,
)
from accord.files.text import decode

ENTRIES = 2_000_000
DEPTH = 4
#: (what it holds may be annotations: whoever knows that it does not takes it out)
_DAMAGED = "copy or export it again, or take it out of the folder"

#: system files that say nothing about annotations
_CLUTTER = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
#: zips that are files of their own format: their endings, and how their first entry is called
_DOCUMENTS = (
    *(".xlsx", ".xlsm", ".xlsb", ".docx", ".docm", ".pptx", ".odt", ".ods", ".odp"),
    *(".numbers", ".pages", ".npz"),
)
_PARTS = (b"[Content_Types].xml", b"mimetypeapplication/vnd.")
_TARRED = (".tar.gz", ".tar.bz2", ".tar.xz")
#: endings of archives that are opened wherever they stand
_PACKED = (".zip", ".qdpx", ".eval", ".gz", ".tgz", ".tar", ".bz2", ".tbz2", ".xz", ".txz")


@dataclass(frozen=True, slots=True)
class Entry:
    """One file: its name relative to the root, with slashes, and how to read it."""

    name: str
    #: how people find it, for error messages
    path: str
    size: int
    _open: Callable[[int | None], bytes]
    #: the file itself, where it is one and not a part of an archive
    file: Path | None = None
    #: remembers that the file was read
    _seen: set[str] = field(default_factory=set, compare=False)

    def read(self) -> bytes:
        self._seen.add(self.name)
        return self._open(None)

    @property
    def was_read(self) -> bool:
        """Whether somebody read the file, not its first bytes alone."""
        return self.name in self._seen

    def head(self, size: int) -> bytes:
        """At most the first `size` bytes."""
        return self._open(size)

    def text(self, encoding: str | None = None) -> str:
        """The whole file, decoded."""
        return decode(self.read(), self.path, encoding=encoding)

    def wrong(
        self, problem: str, line: int | None = None, *, hint: str | None = None
    ) -> InputError:
        """What is wrong with the file, to be raised."""
        return InputError(problem, path=self.path, line=line, hint=hint)

    def unreadable(
        self, problem: str, line: int | None = None, *, hint: str | None = None
    ) -> UnreadableError:
        """Why nothing can be read of the file, to be raised."""
        return UnreadableError(problem, path=self.path, line=line, hint=hint)

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
    #: what an archive begins with
    head: bytes = b""
    _names: dict[str, Entry] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __enter__(self) -> Tree:
        return self

    def __exit__(self, *_: object) -> None:
        for entry in self.entries:
            if isinstance(entry._open, _OnDisk):
                entry._open.close()

    def add_beside(self, suffixes: tuple[str, ...]) -> None:
        """Add the other half of a single file: what stands next to it under one of these endings."""
        for suffix in suffixes if self.single else ():
            neighbour = self.path.with_suffix(suffix)
            if neighbour != self.path and neighbour.is_file():
                _add_file(neighbour, neighbour.name, self)
        self.entries.sort(key=lambda entry: entry.name)

    def recoded(self, encoding: str | None) -> Tree:
        """The same files as UTF-8, where text files are in another encoding."""
        if encoding is None:
            return self
        again = [replace(entry, _open=_recoding(entry, encoding)) for entry in self.entries]
        return replace(self, entries=again, _names={})

    def leave(self, path: str) -> str | None:
        """Leave a file out and return its name; None where it is the only one of its kind."""
        found = next((e for e in self.entries if e.path == path), None)
        if found is None or self.single:
            return None
        others = [e for e in self.entries if e is not found]
        if all(e.suffix != found.suffix for e in others):
            return None
        self.entries, self._names = others, {}
        return found.name

    def forget(self) -> None:
        """Count nothing as read: what was looked at to recognise a format is not."""
        for entry in self.entries:
            entry._seen.clear()

    def find(self, name: str) -> Entry | None:
        """The entry of this name."""
        if not self._names:
            self._names = {entry.name: entry for entry in self.entries}
        return self._names.get(name)

    def ending(self, *suffixes: str) -> list[Entry]:
        """The entries whose names end so (in lower case)."""
        return [e for e in self.entries if e.name.lower().endswith(suffixes)]


def _recoding(entry: Entry, encoding: str) -> Callable[[int | None], bytes]:
    def load(size: int | None) -> bytes:
        raw = entry.read() if size is None else entry.head(size)
        # XML names its encoding itself
        if raw.lstrip()[:5] == b"<?xml" or b"\0\0\0" in raw[:64]:
            return raw
        if size is not None:
            return raw.decode(encoding, "replace").encode()
        return decode(raw, entry.path, keep_mark=True, encoding=encoding).encode()

    return load


def is_archive(name: str, head: bytes) -> bool:
    """Something packed, whatever its name: zip, gzip, tar; not a workbook or document, which looks so.

    >>> is_archive("a.zip", b"PK\\x03\\x04"), is_archive("a.xlsx", b"PK\\x03\\x04")
    (True, False)
    """
    if packing(head) is None or name.lower().endswith(_DOCUMENTS):
        return False
    return not head[30:].startswith(_PARTS)


def refuse_zip_bomb(data: bytes, where: str) -> None:
    """Refuse a zip that expands beyond all measure, for readers that unpack by other means."""
    _unzip(data, where, "", Tree(path=Path(where)), [BUDGET], 1)


def archive_stem(name: str) -> str | None:
    """The name of an archive of files without its ending; None for a single file.

    >>> archive_stem("batch.tar.gz"), archive_stem("notes.csv.gz")
    ('batch', None)
    """
    lower = name.lower()
    for ending in (".zip", ".qdpx", ".eval", ".tgz", ".tbz2", ".txz", ".tar", *_TARRED):
        if lower.endswith(ending):
            return name[: -len(ending)]
    return None


def open_tree(path: Path) -> Tree:
    """The files of a folder or archive, or a single file, which stays open until it is read."""
    tree = Tree(path=path)
    try:
        if path.is_dir():
            _walk(path, tree)
        else:
            _add_file(path, path.name, tree, kept=True)
            head = tree.entries[0].head(512)
            tree.single = not is_archive(path.name, head)
            if not tree.single:
                data, tree.head = tree.entries.pop().read(), head
                _unpack(data, str(path), path.name, "", tree, [BUDGET], 1)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None
    tree.entries.sort(key=lambda entry: entry.name)
    return tree


def _walk(root: Path, tree: Tree) -> None:
    left: dict[str, list[str]] = {}
    budget = [BUDGET]
    top = root.resolve()

    def unreadable(problem: OSError) -> None:
        where = Path(problem.filename or root).relative_to(root).as_posix()
        left.setdefault(f"cannot be read ({problem.strerror})", []).append(where)

    for folder, folders, files in os.walk(root, followlinks=True, onerror=unreadable):
        here = Path(folder)
        kept = []
        for name in folders:
            why = _astray(here / name, top)
            if why is not None:
                left.setdefault(why, []).append((here / name).relative_to(root).as_posix())
            elif name != "__MACOSX":
                kept.append(name)
        folders[:] = sorted(kept)
        for name in files:
            path = here / name
            why = _astray(path, top)
            if why is None and not stat.S_ISREG(path.stat().st_mode):
                why = "no file but a device or a pipe"
            if why is not None:
                left.setdefault(why, []).append(path.relative_to(root).as_posix())
            elif name not in _CLUTTER:
                _add_file(path, path.relative_to(root).as_posix(), tree)
                if name.lower().endswith(_PACKED):
                    inner = tree.entries.pop()
                    prefix = inner.without_suffix() + "/"
                    _unpack(inner.read(), inner.path, inner.name, prefix, tree, budget, 1)
        if len(tree.entries) > ENTRIES:
            raise InputError(
                f"holds more than {ENTRIES} files", path=root, hint="read a part of it"
            )
    for why, names in left.items():
        what = "not read"
        if why.startswith("a symbolic link"):
            what = f"{len(names)} symbolic link(s) were not followed"
        tree.notes.append(f"{root}: {what}: {some(names)} ({why})")


def _astray(path: Path, top: Path) -> str | None:
    """Why a symbolic link is not followed; None for one that stays in the folder, or for no link."""
    if not path.is_symlink():
        return None
    try:
        real = path.resolve(strict=True)
    except OSError:
        return "a symbolic link that leads nowhere"
    if real != top and top not in real.parents:
        return "a symbolic link that leads out of the folder"
    if real in (top, *path.parent.resolve().parents, path.parent.resolve()):
        return "a symbolic link that leads in a circle"
    return None


class _OnDisk:
    """A file that is opened when it is looked at; one that is kept open is read on by what reads it."""

    def __init__(self, path: Path, *, kept: bool) -> None:
        self._path, self._kept = path, kept
        self._file: BinaryIO | None = None

    def __call__(self, size: int | None) -> bytes:
        try:
            if self._file is None:
                self._file = self._path.open("rb")
                refuse_long_lines_of(self._file, self._path)
            self._file.seek(0)
            data = self._file.read(-1 if size is None else size)
        except OSError as problem:
            why = f"cannot be read ({problem.strerror})"
            raise UnreadableError(why, path=self._path) from None
        finally:
            if size is None or not self._kept:
                self.close()
        return data

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def _add_file(path: Path, name: str, tree: Tree, *, kept: bool = False) -> None:
    load = _OnDisk(path, kept=kept)
    tree.entries.append(Entry(_printable(name), str(path), path.stat().st_size, load, path))


def _unpack(
    data: bytes, where: str, name: str, prefix: str, tree: Tree, budget: list[int], depth: int
) -> None:
    """The files of an archive under `prefix`; the one file of a gzip under its own name."""
    if depth > DEPTH:
        raise InputError(f"has archives nested more than {DEPTH} deep", path=where)
    kind = packing(data[:512])
    if kind == "gzip":
        plain = gunzip(data, where, budget)
        bare = name[:-3] if name.lower().endswith(".gz") else name
        if packing(plain[:512]) is not None:
            _unpack(plain, where, bare, prefix, tree, budget, depth + 1)
        else:
            tree.entries.append(_held(bare, where, plain))
    elif kind == "tar":
        _untar(data, where, prefix, tree, budget, depth)
    elif kind == "zip" or name.lower().endswith(".zip"):
        _unzip(data, where, prefix, tree, budget, depth)
    else:
        raise InputError("is called an archive and is none", path=where, hint="check the file")


def _held(name: str, path: str, data: bytes) -> Entry:
    """An entry whose content is in memory already."""
    return Entry(_printable(name), path, len(data), lambda size: data[:size])


def _untar(data: bytes, where: str, prefix: str, tree: Tree, budget: list[int], depth: int) -> None:
    links = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            for member in archive:
                parts = safe_parts(member.name, where)
                if member.issym() or member.islnk():
                    links += 1
                if not member.isreg() or not parts or _is_clutter(parts):
                    continue
                charge(budget, member.size, len(data), member.name, where)
                file = archive.extractfile(member)
                content = b"" if file is None else file.read()
                entry = _held(
                    prefix + "/".join(parts), f"{where}!{_printable(member.name)}", content
                )
                _add_or_unpack(entry, tree, budget, depth)
                if len(tree.entries) > ENTRIES:
                    raise InputError(f"holds more than {ENTRIES} entries", path=where)
    # a damaged archive inside bz2 or xz raises what its own module likes
    except (tarfile.TarError, OSError, EOFError, ValueError, zlib.error) as problem:
        raise UnreadableError(
            f"is not a sound tar archive ({problem})", path=where, hint=_DAMAGED
        ) from None
    if links:
        tree.notes.append(f"{where}: {links} link(s) were left out")


def _add_or_unpack(entry: Entry, tree: Tree, budget: list[int], depth: int) -> None:
    head = entry.head(512)
    if entry.name.lower().endswith(".zip") or is_archive(entry.name, head):
        inner = entry.without_suffix() + "/"
        _unpack(entry.read(), entry.path, entry.name, inner, tree, budget, depth + 1)
    else:
        tree.entries.append(entry)


def _is_clutter(parts: tuple[str, ...]) -> bool:
    return parts[0] == "__MACOSX" or parts[-1] in _CLUTTER


def _unzip(data: bytes, where: str, prefix: str, tree: Tree, budget: list[int], depth: int) -> None:
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, UnicodeDecodeError) as problem:
        raise UnreadableError(
            f"is not a sound zip archive ({problem})", path=where, hint=_DAMAGED
        ) from None
    if len(members) + len(tree.entries) > ENTRIES:
        raise InputError(
            f"holds more than {ENTRIES} entries", path=where, hint="unpack it yourself"
        )
    links = 0
    for member in members:
        name = member.filename.replace("\\", "/")
        parts = safe_parts(name, where)
        if not parts or member.is_dir() or _is_clutter(parts):
            continue
        if stat.S_ISLNK(member.external_attr >> 16):
            links += 1
            continue
        if member.flag_bits & 1:
            raise InputError(f"is encrypted (entry {name!r})", path=where, hint="unpack it first")
        charge(budget, member.file_size, member.compress_size, name, where)
        entry = _zip_entry(archive, member, prefix + "/".join(parts), where)
        _add_or_unpack(entry, tree, budget, depth)
    if links:
        tree.notes.append(f"{where}: {links} symbolic link(s) were left out")


def _zip_entry(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, where: str) -> Entry:
    label = f"{where}!{_printable(member.filename)}"

    def load(size: int | None) -> bytes:
        # a zip reader never gives more than the declared size, which the budget has counted
        try:
            if member.compress_type == ZSTANDARD:
                return zstandard_member(archive, member)[:size]
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
            raise UnreadableError(f"cannot be unpacked ({problem})", path=label) from None

    return Entry(_printable(name), label, member.file_size, load)


def _printable(name: str) -> str:
    """A file name may hold bytes that are no text; they must not break the output."""
    return name.encode("utf-8", "replace").decode("utf-8")
