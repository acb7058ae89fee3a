"""Readers and writers, one module per format, and the choice among them."""

from __future__ import annotations

import gc
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from os import PathLike
from pathlib import Path
from typing import Unpack

from accord.data import Annotations, Units
from accord.data.roles import Choice
from accord.errors import InputError, UsageError, some
from accord.files.archive import Tree, is_archive, open_tree
from accord.files.limits import refuse_long_lines_of
from accord.files.pipe import as_file, is_piped, named_after
from accord.formats.format import Format, ReadOptions, Source
from accord.formats.keywords import Keywords
from accord.plugins import plugged_in

__all__ = ["Format", "ReadOptions", "detect", "formats", "read", "read_many", "write"]

#: formats without places that have a way of their own with `annotator_from`
_TOLD = frozenset({"promptfoo", "inspect", "deepeval", "langfuse", "mlflow", "lm-eval"})
#: bytes of a file that a format sees to recognise it
_HEAD = 1 << 18
#: files of a folder or archive that are looked at to recognise it
_SAMPLED = 64
_RUN = 4
#: bytes of a JSON file that are looked through when its first record is longer than a head
_LONG = 1 << 26
_LONG_STRING = re.compile(rb'"(?:[^"\\]|\\.){400,}+(?:"|\\?\Z)', re.DOTALL)

#: the most specific first: the first that recognises a file reads it
_MODULES = (
    "corpora.brat",
    "corpora.glozz",
    "corpora.inception",
    "corpora.webanno_tsv3",
    "corpora.webanno_tsv2",
    "corpora.uima",
    "speech.elan",
    "speech.textgrid",
    "corpora.gate_xml",
    "corpora.gate_json",
    "corpora.tei",
    "platforms.refi_qda",
    "platforms.qualcoder",
    "platforms.taguette",
    "corpora.bioc",
    "speech.exmaralda",
    "corpora.tcf",
    "corpora.xces",
    "speech.chat",
    "speech.subtitles",
    "speech.audacity",
    "speech.rttm",
    "platforms.argilla",
    "platforms.argilla1",
    "platforms.label_studio.tasks",
    "platforms.label_studio.csv",
    "platforms.lighttag",
    "platforms.tagtog",
    "platforms.prodigy",
    "platforms.potato",
    "platforms.doccano",
    "platforms.doccano_csv",
    "platforms.fasttext",
    "platforms.docbin",
    "logs.promptfoo",
    "logs.inspect_log",
    "logs.lm_eval",
    "logs.deepeval",
    "logs.mlflow",
    "logs.langfuse",
    "images.coco",
    "images.cvat",
    "coreference.conll2012",
    "coreference.corefud",
    "translation.mqm",
    "translation.esa",
    "tags.germeval",
    "tags.conll2003",
    "coreference.clusters_json",
    "platforms.hugging_face",
    "tables.pygamma",
    "tables.excel",
)


def formats() -> tuple[Format, ...]:
    """All formats, the most specific first: the first that recognises a file reads it."""
    from accord.formats.tables import table

    rich = (import_module(f"accord.formats.{name}").FORMAT for name in _MODULES)
    return (*_plugged_in(), *rich, *table.FORMATS)


def _plugged_in() -> tuple[Format, ...]:
    """The formats of other packages, which know their files best."""
    found = []
    for source, brought in plugged_in("accord.formats"):
        if not isinstance(brought, Format):
            raise UsageError(
                f"the format {source} must be an accord.formats.Format, "
                f"got {type(brought).__name__}"
            )
        found.append(brought)
    return tuple(found)


def detect(path: Path, name: str | None = None) -> Format:
    """The format called `name`, or the first that recognises the path."""
    from accord.formats.tables import table
    from accord.formats.unreadable import refuse

    known = formats()
    if name is not None:
        for candidate in known:
            if candidate.name == name:
                return candidate
        raise UsageError(f"unknown format {name!r}; it must be one of {_names(known)}")
    head = _head(path)
    if path.is_dir() or is_archive(path.name, head):
        tree = open_tree(path)
        found = _detect_tree(tree, known)
        for entry in tree.entries[:_SAMPLED] if found is None else ():
            refuse(Path(entry.path), entry.head(_HEAD))
    else:
        found = next((f for f in known if f.recognise(path, head)), None)
        if found is None or found in table.FORMATS:
            refuse(path, head)
    if found is not None:
        return found
    raise InputError(
        "is not in a format that accord recognises",
        path=path,
        hint=f"name it with `format`, one of {_names(known)}",
    )


def read(
    source: Source,
    *,
    format: str | None = None,  # noqa: A002
    **options: Unpack[Keywords],
) -> Annotations:
    """Read annotations from a file, a folder, an archive or any dataframe.

    Parameters
    ----------
    source : path, or a pandas, polars, pyarrow, DuckDB or other dataframe (lazy ones too)
    format : name of the format; recognised from the content when not given
    **options : the fields of :class:`accord.formats.ReadOptions`, among them who is who:
        ``annotators``, ``without``, ``documents``, ``systems``, ``reference_annotator``, ``rename``

    >>> import polars as pl
    >>> read(pl.DataFrame({"item": [1, 1], "annotator": ["A", "B"], "value": ["x", "y"]})).n_items
    1
    """
    return read_many([source], format=format, **options)


def _read_one(source: Source, format: str | None, chosen: ReadOptions) -> Annotations:  # noqa: A002
    if isinstance(source, (str, PathLike)):
        if not str(source):
            raise UsageError("the path is empty; name a file or a folder")
        path = Path(source)
        if is_piped(path):
            with as_file(path) as copy, named_after(copy, path):
                return _read_one(copy, format, chosen)
        if not path.exists():
            raise InputError("does not exist", path=path, hint="check the path")
        found = detect(path, format)
        chosen.check_annotator_from(found.keyed)
        if chosen.annotator_from is not None and not found.placed and found.name not in _TOLD:
            raise UsageError(
                f"{found.title} names its annotators in its records or by one file each: "
                "`annotator_from` has no say there; leave it out, or use `path` or `rename`"
            )
        if chosen.path is not None and not found.placed:
            from accord.formats.each import read_by_pattern

            with _collector_asleep():
                return read_by_pattern(path, found, chosen)
        if found.collect is None and (path.is_dir() or is_archive(path.name, _head(path))):
            from accord.formats.each import read_each

            with _collector_asleep():
                return read_each(path, found, chosen)
        with _collector_asleep():
            return found.read(path, chosen)
    from accord.formats.frame import read_frame

    return read_frame(source, chosen, path="the dataframe")


@contextmanager
def _collector_asleep() -> Iterator[None]:
    """Readers make millions of small objects and no cycles: searching for some doubles the time."""
    awake = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if awake:
            gc.enable()


def read_many(
    sources: Sequence[Source],
    *,
    format: str | None = None,  # noqa: A002
    **options: Unpack[Keywords],
) -> Annotations:
    """Read several sources as one campaign; each must bring annotations of the same shape.

    Files that name no annotator are taken to be one annotator each, called after the file.
    """
    from accord.data.join import joined
    from accord.data.roles import assign, changed, rename
    from accord.formats.relations import lists_items
    from accord.formats.request import options_of
    from accord.formats.scanned import addresses, at_home, read_scanned
    from accord.formats.sidecars import with_coverage

    chosen, said = options_of(options)
    if not sources:
        raise UsageError("there is nothing to read")
    sources = [at_home(source) for source in sources]
    if isinstance(chosen.units, Path) and not lists_items(chosen.units):
        own = ReadOptions(shape="units", duplicates="first", curation="include")
        beside = _read_one(chosen.units, None, own)
        chosen = replace(chosen, units=beside if isinstance(beside, Units) else None)
    scanned = addresses(sources, format, chosen)
    together = (
        _read_as_one(sources, format, chosen)
        if scanned is None
        else rename(read_scanned(scanned, chosen), _renaming(chosen, sources[0]))
    )
    parts = (
        [together]
        if together is not None
        else [
            rename(_read_one(source, format, chosen), _renaming(chosen, source))
            for source in sources
        ]
    )

    files = [
        str(s) if isinstance(s, (str, PathLike)) else f"source {i}"
        for i, s in enumerate(sources, 1)
    ]
    whole = joined(parts, sources=files[: len(parts)])
    if chosen.seen is not None:
        whole = with_coverage(whole, chosen.seen, chosen.rename)
    _refuse_unknown_names(whole, chosen)
    found = assign(
        whole,
        _with_groups(chosen, parts),
        kind=chosen.values,
        declared=chosen.categories is not None,
    )
    return changed(found, notes=tuple(dict.fromkeys([*found.notes, *said]))) if said else found


def _read_as_one(
    sources: Sequence[Source],
    format: str | None,  # noqa: A002
    options: ReadOptions,
) -> Annotations | None:
    """Several tables read as one; None when they are not all tables."""
    paths = [Path(s) for s in sources if isinstance(s, (str, PathLike))]
    if len(paths) < len(sources) or len(paths) < 2 or not all(p.is_file() for p in paths):
        return None
    found = {detect(path, format).name: detect(path, format) for path in paths}
    if len(found) > 1 or options.path is not None:
        return None
    from accord.formats.concatenation import read_as_one

    return read_as_one(paths, next(iter(found.values())), options)


def _renaming(options: ReadOptions, source: Source) -> dict[str, str]:
    """Old → new name for one source; ``file:old`` speaks of that file alone."""
    found: dict[str, str] = {}
    own: dict[str, str] = {}
    path = Path(source) if isinstance(source, (str, PathLike)) else None
    places = () if path is None else (str(path), path.name, path.stem)
    for old, new in options.rename.items():
        where, colon, who = old.rpartition(":")
        if colon and where in places:
            own[who] = new
        found[old] = new
    return found | own


def _refuse_unknown_names(data: Annotations, options: ReadOptions) -> None:
    """A name that was to be changed and is not there is a slip."""
    for old, new in options.rename.items():
        if new not in data.annotators:
            raise InputError(
                f"no annotator is called {old!r}", hint=f"the data have {some(data.annotators)}"
            )


def _with_groups(options: ReadOptions, parts: Sequence[Annotations]) -> Choice:
    choice = options.choice()
    if isinstance(options.groups, str):
        held: dict[str, str] = {}
        for roles in (part.roles for part in parts):
            held |= {} if roles is None else roles.groups
        if not held:
            raise InputError(f"no file and no column is called {options.groups!r}")
        return replace(choice, groups=held)
    return choice


def write(
    data: Annotations | Source,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
) -> list[str]:
    """Write annotations, or what :func:`read` reads; returns what the format could not hold.

    The file or folder appears when it is complete (:mod:`accord.files.atomic`). A folder that is
    not empty is replaced only with `overwrite`.
    """
    if isinstance(data, type) or not isinstance(data, Annotations):
        data = read(data)
    target = Path(path)
    known = formats()
    if format is not None:
        candidates = [f for f in known if f.name == format]
    else:
        # the longest ending first: notes.labelstudio.json is no plain .json
        endings = sorted(
            ((s, f) for f in known for s in f.suffixes if target.name.endswith(s)),
            # .conll is coreference for chains and tags for units
            key=lambda pair: (-len(pair[0]), data.shape not in pair[1].holds),
        )
        candidates = [f for _, f in endings]
    for candidate in candidates:
        if candidate.write is not None:
            from accord.files.atomic import staged
            from accord.formats.positions import suited

            with staged(target, overwrite=overwrite) as stage:
                return list(candidate.write(suited(data, candidate.name), stage))
    writable = ", ".join(f.name for f in known if f.write is not None)
    raise UsageError(
        f"cannot write {format or target.suffix or target.name!r}; formats: {writable}"
    )


def _detect_tree(tree: Tree, known: tuple[Format, ...]) -> Format | None:
    """The format of a folder or archive: by its files together, else that of most of its files."""
    for candidate in known:
        if candidate.recognise_tree is not None and candidate.recognise_tree(tree):
            return candidate
    # runs of neighbours, from everywhere: a text and its annotations stand side by side
    stride = max(_RUN, len(tree.entries) * _RUN // _SAMPLED)
    votes: Counter[str] = Counter()
    for entry in (e for i, e in enumerate(tree.entries) if i % stride < _RUN):
        head = _telling(entry.head)
        name = next((f.name for f in known if f.recognise(Path(entry.name), head)), None)
        if name is not None:
            votes[name] += 1
    # a text or a table of document lengths may stand beside every annotation file
    from accord.formats.tables import table

    tables = {f.name for f in table.FORMATS}
    telling = {n: v for n, v in votes.items() if n not in tables} or votes
    if not telling:
        return None
    best = max(telling.values())
    return next(f for f in known if telling.get(f.name) == best)


def _head(path: Path) -> bytes:
    if path.is_dir():
        return b""
    try:
        refuse_long_lines_of(path)
        with path.open("rb") as file:

            def first(size: int) -> bytes:
                file.seek(0)
                return file.read(size)

            return _telling(first)
    except OSError as problem:
        raise InputError(f"cannot be read ({problem.strerror})", path=path) from None


def _telling(first: Callable[[int], bytes]) -> bytes:
    """The beginning of a file; of a JSON file with long texts, the beginning with those cut out.

    What tells a platform may stand after the text of its first record, however long that is.
    """
    head = first(_HEAD)
    if len(head) < _HEAD or head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in (b"{", b"["):
        return head
    size, short = _HEAD, _LONG_STRING.sub(b'"..."', head)
    while len(short) < _HEAD // 16 and len(head) == size < _LONG:
        size *= 8
        head = first(size)
        short = _LONG_STRING.sub(b'"..."', head)
    return short[:_HEAD]


def _names(known: tuple[Format, ...]) -> str:
    return ", ".join(f.name for f in known)
