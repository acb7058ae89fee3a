"""Readers and writers, one module per format, and the choice among them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from os import PathLike
from pathlib import Path

from accord.data import Annotations
from accord.errors import InputError, UsageError
from accord.files.archive import Entry, Tree, open_tree
from accord.files.text import first_sign
from accord.formats.format import Format, Head, Origin, ReadOptions, Regex, Sniff
from accord.formats.index import Listed, listed, refuse

__all__ = [
    "Format", "ReadOptions", "Regex", "Sniff", "detect", "formats", "head_of", "listed", "recognised",
    "write",
]  # fmt: skip

#: bytes of a file that a format sees to recognise it
_HEAD = 1 << 18
#: files of a folder or archive that are looked at to recognise it
_SAMPLED = 64
_RUN = 4
#: bytes of a JSON file that are looked through when its first record is longer than a head
_LONG = 1 << 26
_LONG_STRING = re.compile(rb'"(?:[^"\\]|\\.){400,}+(?:"|\\?\Z)', re.DOTALL)


def formats() -> tuple[Format, ...]:
    """All formats, the most specific first."""
    return tuple(f.load() for f in listed())


def detect(place: Path | Tree, name: str | None = None) -> Format:
    """The format called `name`, or the one that the files at a place are in."""
    if name is not None:
        return _called(name).load()
    if isinstance(place, Path):
        with open_tree(place) as tree:
            return detect(tree)
    head = head_of(place.entries[0]) if place.single else place.head
    if place.single:
        found = recognised(place.path, head)
        doubtful = [(place.path, head)] if found is None or found.fallback else []
    else:
        found = _of_tree(place)
        place.forget()
        doubtful = [(Path(e.path), e.head(_HEAD)) for e in place.entries[:_SAMPLED] if not found]
    for file, begin in doubtful:
        refuse(file, begin)
    if found is not None:
        return found.load()
    from accord.formats.unreadable import unknown

    raise unknown(place.path, head)


def recognised(path: Path, head: bytes) -> Listed | None:
    """The format of a file, if any knows it."""
    return _one(_candidates(path, head), path)


def _one(found: list[Listed], path: Path) -> Listed | None:
    """The one that knows it, or the first of another package; refused where several do."""
    if len(found) > 1 and ":" not in found[0].module:
        names = [f"`format={f.name}`" for f in found]
        raise InputError(
            f"may be {' or '.join(f.title for f in found)}",
            path=path,
            hint=f"say which it is: {' or '.join(names)}",
        )
    return found[0] if found else None


def _candidates(path: Path, head: bytes) -> list[Listed]:
    """The formats that know a file by its first bytes, less those that others are over."""
    seen = Head(path.name, head)
    found = [f for f in listed() if f.recognises(path, seen)]
    found = [f for f in found if not f.fallback] or found
    return [f for f in found if not any(f.name in other.over for other in found)]


def write(
    data: Annotations,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
    written: list[Path] | None = None,
    reference: str | None = None,
) -> list[str]:
    """Write annotations; returns what the format could not hold.

    The file or folder appears when it is complete (:mod:`accord.files.atomic`). A folder that is
    not empty is replaced only with `overwrite`. `written` receives every file. `reference` is the
    annotator who is no person. Platforms get back the records that the data were read from.
    """
    target = Path(path)
    if format is not None:
        candidates = [_called(format)]
    else:
        # the longest ending first: notes.labelstudio.json is no plain .json
        endings = sorted(
            ((s, f) for f in listed() for s in f.suffixes if target.name.endswith(s)),
            # .conll is coreference for chains and tags for units
            key=lambda pair: (-len(pair[0]), data.shape not in pair[1].holds),
        )
        candidates = [f for _, f in endings]
    for candidate in candidates:
        if candidate.writes:
            from accord.files.atomic import staged
            from accord.formats.positions import suited

            known, held = candidate.load(), suited(data, candidate.name)
            with (
                _origin(data, known, reference) as origin,
                staged(target, overwrite=overwrite, written=written) as stage,
            ):
                if known.write_back is not None:
                    lost = known.write_back(held, stage, origin)
                else:
                    assert known.write is not None
                    lost = known.write(held, stage)
                return list(dict.fromkeys(lost))
    writable = ", ".join(f.name for f in listed() if f.writes)
    raise UsageError(
        f"cannot write {format or target.suffix or target.name!r}; formats: {writable}"
    )


@contextmanager
def _origin(data: Annotations, known: Format, reference: str | None) -> Iterator[Origin]:
    """The files that the data were read from, where they are of the format that is written."""
    sources = data.provenance.sources if data.provenance else ()
    own = [s for s in sources if s.format == known.title and Path(s.path).exists()]
    with ExitStack() as held:
        entries = []
        for source in own if known.write_back is not None else ():
            entries += known.among(held.enter_context(open_tree(Path(source.path))))
        layers = frozenset(name for s in own if s.layer for name in s.layer.split(","))
        yield Origin(entries=tuple(entries), layers=layers, reference=reference)


def _of_tree(tree: Tree) -> Listed | None:
    """The format of a folder or archive: by its files together, else that of most of its files."""
    whole = _one([f for f in listed() if f.recognises_tree(tree)], tree.path)
    if whole is not None:
        return whole
    # runs of neighbours, from everywhere: a text and its annotations stand side by side
    stride = max(_RUN, len(tree.entries) * _RUN // _SAMPLED)
    votes: Counter[str] = Counter()
    for entry in (e for i, e in enumerate(tree.entries) if i % stride < _RUN):
        votes.update(f.name for f in _candidates(Path(entry.name), head_of(entry))[:1])
    # a text or a table of document lengths may stand beside every annotation file
    known = [f for f in listed() if votes[f.name]]
    return max(known, key=lambda f: (not f.fallback, votes[f.name]), default=None)


def head_of(entry: Entry) -> bytes:
    """The first bytes of a file, as far as they may tell its format."""
    return _telling(entry.head)


def _telling(first: Callable[[int], bytes]) -> bytes:
    """The beginning of a file; of a JSON file with long texts, the beginning with those cut out.

    What tells a platform may stand after the text of its first record, however long that is.
    """
    head = first(_HEAD)
    if len(head) < _HEAD or first_sign(head) not in (b"{", b"["):
        return head
    size, short = _HEAD, _LONG_STRING.sub(b'"..."', head)
    while len(short) < _HEAD // 16 and len(head) == size < _LONG:
        size *= 8
        head = first(size)
        short = _LONG_STRING.sub(b'"..."', head)
    return short[:_HEAD]


def _called(name: str) -> Listed:
    found = next((f for f in listed() if f.name == name), None)
    if found is None:
        raise UsageError(f"unknown format {name!r}; it must be one of {_names()}")
    return found


def _names() -> str:
    return ", ".join(f.name for f in listed())
