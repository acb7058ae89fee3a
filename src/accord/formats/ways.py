"""The ways to read what files are called: which name is the annotator's, and which the document's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import NamedTuple

from accord.data.reading import Answer, Decision, Record
from accord.errors import UsageError
from accord.files.archive import Entry

_FIELD = re.compile(r"\{(\w+)\}")


class Named(NamedTuple):
    """What a path says; None where the pattern has no such field."""

    annotator: str | None
    document: str | None
    #: the other fields, such as a batch, joined by slashes
    rest: str


def named_by(pattern: str, name: str) -> Named | None:
    """Read a path (with slashes) by a pattern of its last parts; None when it does not fit.

    Fields hold no slash; the first of two in one part is as long as can be.

    >>> named_by("{annotator}/{document}.ann", "round1/ann/doc1.ann")
    Named(annotator='ann', document='doc1', rest='')
    >>> named_by("{document}_{annotator}.ann", "x/a_b_ann.ann")
    Named(annotator='ann', document='a_b', rest='')
    >>> named_by("{batch}/{annotator}/{document}.ann", "ann/doc1.ann") is None
    True
    """
    fields = _FIELD.findall(pattern)
    if not {"annotator", "document"} & set(fields):
        raise UsageError(
            f"the path pattern {pattern!r} names neither {{annotator}} nor {{document}}"
        )
    if len(set(fields)) < len(fields):
        raise UsageError(f"the path pattern {pattern!r} has a field twice")
    parts = pattern.strip("/").split("/")
    tail = "/".join(name.split("/")[-len(parts) :])
    match = _compiled(pattern.strip("/")).fullmatch(tail)
    if match is None:
        return None
    held = match.groupdict()
    rest = "/".join(held[f] for f in fields if f not in ("annotator", "document"))
    return Named(held.get("annotator"), held.get("document"), rest)


def _compiled(pattern: str) -> re.Pattern[str]:
    pieces: list[str] = []
    place = 0
    for match in _FIELD.finditer(pattern):
        pieces.append(_literal(pattern[place : match.start()]))
        pieces.append(f"(?P<{match[1]}>[^/]+)")
        place = match.end()
    return re.compile("".join([*pieces, _literal(pattern[place:])]))


def _literal(text: str) -> str:
    """Plain text, in which a star stands for anything but a slash."""
    return "[^/]*".join(map(re.escape, text.split("*")))


#: what stands between a document and its annotator in one name
_BETWEEN = ("__", "_", "-", ".", " ")
FOLDER, FILE = "folder", "file"


@dataclass(frozen=True, slots=True)
class Way:
    """One way to read the names of some files: annotator and document of each."""

    #: `folder` or `file` names the annotator, or "" where both stand in the file's name
    name: str
    #: (annotator, document) of each file
    said: tuple[tuple[str, str], ...]
    #: the same as `path` says it; "" where no pattern does
    pattern: str

    @property
    def nested(self) -> bool:
        """Whether folders and files say one thing each."""
        return "/" in self.pattern

    @property
    def shares(self) -> bool:
        """Whether people share a document."""
        return len({document for _, document in self.said}) < len(set(self.said))

    @property
    def answer(self) -> Answer:
        """The way as an option."""
        return Answer(_MEANS[self.name], ("path", self.pattern))

    @property
    def grouping(self) -> tuple[tuple[int, int], ...]:
        """Which files are of one person, and which of one document, whatever their names."""
        first: dict[tuple[int, str], int] = {}
        return tuple(
            [
                (first.setdefault((0, who), i), first.setdefault((1, document), i))
                for i, (who, document) in enumerate(self.said)
            ]
        )


_MEANS = {
    FOLDER: "folders are annotators and files are documents",
    FILE: "folders are documents and files are annotators",
    "": "files are called after both",
}


def choose(
    consistent: Sequence[Way],
    record: Record,
    *,
    likely: str | None = None,
    more: tuple[Answer, ...] = (),
) -> Way | None:
    """The way that the contents leave, of those that nothing contradicts; None without any.

    Ways that take the same files together are one reading. Several readings are open, unless one of
    this name is `likely`. `more` are readings that are no way to read names.
    """
    readings = {way.grouping: way for way in consistent}
    if consistent and len(readings) + len(more) > 1:
        taken = next((w for w in consistent if w.name == likely or len(readings) == 1), None)
        record.take(
            Decision(
                about="path",
                taken=None if taken is None else taken.answer,
                others=(*(w.answer for w in readings.values() if w is not taken), *more),
                why="holds files of which nothing tells whether folders or files are called after "
                "annotators"
                if taken is None
                else "as this format is written"
                if taken.name == likely
                else "so people share what they annotated",
            )
        )
        if taken is not None:
            return taken
    return consistent[-1] if consistent else None


def nested_pattern(named: Sequence[tuple[Entry, tuple[str, ...]]], name: str) -> str:
    """The pattern of paths whose outermost folder, or whose file, is called after the annotator.

    `named` are files and the parts of their names below the folders that all share.
    """
    depth = max(len(parts) for _, parts in named)
    between = [f"{{folder{i}}}" for i in range(1, depth - 1)]
    first, last = ("annotator", "document") if name == FOLDER else ("document", "annotator")
    ends = _ending(entry for entry, _ in named)
    return "/".join([f"{{{first}}}", *between, f"{{{last}}}{ends}"])


def nested_ways(named: Sequence[tuple[Entry, tuple[str, ...]]]) -> list[Way]:
    """Folder is annotator and file document, and the other way round, for files that are all as deep.

    >>> def entry(name): return Entry(name, name, 0, lambda _: b""), tuple(name[:-4].split("/"))
    >>> first, second = nested_ways([entry("ana/X.tsv"), entry("ben/X.tsv")])
    >>> first.pattern, first.said, second.said
    ('{annotator}/{document}.tsv', (('ana', 'X'), ('ben', 'X')), (('X', 'ana'), ('X', 'ben')))
    """
    if len({len(parts) for _, parts in named}) != 1 or len(named[0][1]) < 2:
        return []
    return [
        Way(name, tuple([split(parts, name) for _, parts in named]), nested_pattern(named, name))
        for name in (FOLDER, FILE)
    ]


def split(parts: Sequence[str], name: str) -> tuple[str, str]:
    """Annotator and document of a file whose outermost folder, or which itself, is the annotator's."""
    if name == FOLDER:
        return parts[0], "/".join(parts[1:])
    return parts[-1], "/".join(parts[:-1])


def flat_ways(named: Sequence[tuple[Entry, tuple[str, ...]]]) -> list[Way]:
    """Names that hold document and annotator, where people share some of several documents.

    >>> def entries(*names): return [(Entry(n, n, 0, lambda _: b""), (n[:-4],)) for n in names]
    >>> found = flat_ways(entries("X_ana.tsv", "X_ben.tsv", "Y_ana.tsv", "Y_ben.tsv"))
    >>> [way.pattern for way in found]
    ['{document}_{annotator}.tsv', '{annotator}_{document}.tsv']
    """
    if len(named) < 2 or any(len(parts) != 1 for _, parts in named):
        return []
    ends = _ending(entry for entry, _ in named)
    for sign in _BETWEEN:
        if not all(sign in parts[0].strip(sign) for _, parts in named):
            continue
        found = []
        for first, second in (("document", "annotator"), ("annotator", "document")):
            pattern = f"{{{first}}}{sign}{{{second}}}{ends}"
            read = [named_by(pattern, entry.name) for entry, _ in named]
            said = [(r.annotator, r.document) for r in read if r is not None]
            if len(said) == len(named) and len({who for who, _ in said}) < len(said):
                found.append(Way("", tuple([(str(a), str(d)) for a, d in said]), pattern))
        return [way for way in found if way.shares and len({d for _, d in way.said}) > 1]
    return []


def _ending(entries: Iterable[Entry]) -> str:
    """The ending that all files have, else whatever ends them."""
    found = {PurePosixPath(entry.name).suffix for entry in entries}
    return found.pop() if len(found) == 1 else ".*"
