"""From one format to another, and the list of what was lost on the way, measured by reading back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from accord import formats
from accord.data import Annotations, Boxes, Chains, Ratings, Segments, Units
from accord.data.located import Located
from accord.data.statements import unsaid
from accord.errors import AccordError, UsageError, some
from accord.files.atomic import table, write_text
from accord.files.text import read_bytes
from accord.formats.positions import suited
from accord.formats.tables.long_rows import COVERAGE_HINT
from accord.options.kinds import refuses_other_kinds
from accord.reading import read
from accord.reading.given import Decided, Given, as_annotations
from accord.reading.keywords import Keywords
from accord.reading.sidecars import SIDECARS, lengths_in, sidecars_of


@refuses_other_kinds
def write(
    data: Annotations | Given,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
) -> list[str]:
    """Write annotations, or what :func:`accord.read` reads; returns what the format could not hold.

    A reference is written with all that it says of its items, also of those that have no value.
    """
    if isinstance(data, Decided):
        return data.write(path, format=format, overwrite=overwrite)
    return formats.write(as_annotations(data), path, format=format, overwrite=overwrite)


class Converted(NamedTuple):
    """What was written, and what the format could not hold, one sentence each."""

    files: tuple[Path, ...]
    lost: list[str]


def convert(
    data: Annotations,
    target: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    check: bool = True,
    overwrite: bool = False,
    blank_texts: bool = False,
) -> list[str]:
    """Write the data, read them back, and say what is no longer there, one sentence each.

    Folders are written only where there is nothing yet, so that two exports never mix, or take the
    place of what was there (`overwrite`). A format that shows units in their text needs the text:
    blanks are written only when that is asked for (`blank_texts`). Beside a table ``out.csv`` stand
    the lengths of documents (``out.documents.csv``) and who saw what (``out.coverage.csv``), where the
    table cannot say them.
    """
    return converted(
        data, target, format=format, check=check, overwrite=overwrite, blank_texts=blank_texts
    ).lost


def converted(
    data: Annotations,
    target: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    check: bool = True,
    overwrite: bool = False,
    blank_texts: bool = False,
    reference: str | None = None,
) -> Converted:
    """Write the data as :func:`convert` does, and say which files hold them.

    `reference` is the annotator who is no person.
    """
    path = Path(target)
    data = suited(data, format or ("textgrid" if path.suffix.lower() == ".textgrid" else ""))
    if isinstance(data, Units) and format in _ON_TEXT and not blank_texts:
        _require_texts(data, format)
    beside = _beside(data, path) if path.suffix.lower() in _TABLES else {}
    if not overwrite:
        _refuse_others(beside, path)
    files: list[Path] = []
    lost = formats.write(
        data, path, format=format, overwrite=overwrite, written=files, reference=reference
    )
    if beside:
        lost = [s for s in lost if not s.endswith(COVERAGE_HINT)]
    for own, text in beside.items():
        if text:
            write_text(own, text)
            files.append(own)
        else:
            own.unlink(missing_ok=True)
    if check and (path.is_file() or path.is_dir()):
        lost.extend(_lost_on_reading(data, path, format, reference))
    return Converted(tuple(files), list(dict.fromkeys(lost)))


#: formats that are files of text beside files of units
_ON_TEXT = frozenset({"brat", "doccano", "glozz", "webanno-tsv3", "uima", "label-studio"})
_TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".xlsx"})


def _require_texts(units: Units, name: str) -> None:
    known = _texts(units)
    unknown = [document for document in units.documents if document not in known]
    if unknown and units.integral:
        raise UsageError(
            f"{name} shows units in their text, and the text of {some(unknown)} is not known; "
            "give it with `texts`, or pass `blank_texts=True` to write blanks"
        )


def _beside(data: Annotations, path: Path) -> dict[Path, str]:
    """The tables beside a table, by their files: what it cannot hold; empty where there is nothing.

    One that has nothing to say is written all the same where it keeps another's from being read.
    """
    if not isinstance(data, (Located, Chains)):
        return {}
    header: tuple[str, ...] = ("document", "length")
    rows: list[tuple[str, ...]] = []
    if isinstance(data, Boxes):
        header = ("document", "width", "height", "image")
        files = dict(zip(data.documents, data.images or (), strict=False))
        rows = [
            (d, *(f"{side:.17g}" for side in size), files.get(d) or "")
            for d, size in _sizes(data).items()
        ]
    elif isinstance(data, Units):
        counted = () if data.unit is None else (data.unit,)
        header = (*header, "unit")[: 2 + len(counted)]
        rows = [(d, f"{n:.17g}", *counted) for d, n in sorted(lengths_in(data).items())]
    seen = sorted(data.seen_pairs())
    if isinstance(data, Chains):
        silent = len(set(zip(data.document, data.annotator, strict=True))) < len(seen)
    else:
        whole = len(seen) == data.coverage.size
        silent = data.told and (not whole or len(data.marked_pairs()) < len(seen))
    told = (
        (table(header, rows), bool(rows)),
        (table(("document", "annotator"), seen), silent),
    )
    return {
        own: text if needed or path.with_name(shared).is_file() else ""
        for own, shared, (text, needed) in zip(
            sidecars_of(path).values(), SIDECARS, told, strict=True
        )
    }


def _refuse_others(beside: Mapping[Path, str], path: Path) -> None:
    """What stands beside the table already would be read with it: it must say the same."""
    for own, text in beside.items():
        if own.is_file() and read_bytes(own) != text.encode():
            raise UsageError(
                f"{own} is there already and would be read with {path.name}; name another file, or pass "
                "`overwrite=True`"
            )


def differences(before: Annotations, after: Annotations) -> list[str]:
    """What the second does not hold of the first, or holds differently.

    >>> a = Units.from_rows([("d", "A", 0, 4, "x")], lengths={"d": 9})
    >>> differences(a, Units.from_rows([("d", "A", 0, 5, "x")]))
    ["1 of 1 units differ: ('d', 'A', 0.0, 4.0, 'x')", 'the lengths of 1 document(s) differ']
    """
    if before.shape != after.shape:
        return [f"the shape: {before.shape} come back as {after.shape}"]
    found = _counts(_rows(before), _rows(after), _NAMES[before.shape])
    if isinstance(before, Located) and isinstance(after, Located):
        missing = {*before.seen_pairs()} ^ {*after.seen_pairs()}
        if missing:
            found.append(
                f"who saw what differs for {len(missing)} image(s) of an annotator"
                if before.shape == "boxes"
                else f"who saw what differs for {len(missing)} document(s) of an annotator"
            )
        for facts, told in _FACTS:
            here, there = facts(before), facts(after)
            if unlike := [name for name, fact in here.items() if there.get(name) != fact]:
                found.append(told.format(len(unlike)))
        if isinstance(before, Units) and isinstance(after, Units):
            found.extend(unsaid(before, after))
        gone = [name for name in before.extras if name not in after.extras]
    elif isinstance(before, Ratings) and isinstance(after, Ratings):
        gone = [
            name for name, said in _cells(before).items() if said - _cells(after).get(name, set())
        ]
    else:
        return found
    if gone:
        found.append(f"the further column(s) {some(gone)} are not kept")
    if isinstance(before, Units) and isinstance(after, Units):
        unused = {*before.categories} - {*after.categories}
        found += [f"{len(unused)} categories without a unit are not kept"] if unused else []
    return found


def _cells(ratings: Ratings) -> dict[str, set[tuple[str, object]]]:
    """Column → the cells of items in it."""
    items = [str(item) for item in ratings.items]
    return {
        name: {pair for pair in zip(items, cells, strict=True) if pair[1] is not None}
        for name, cells in ratings.extras.items()
    }


_NAMES = {
    "ratings": "ratings",
    "segments": "segmentations",
    "chains": "chains",
    "units": "units",
    "relations": "relations",
    "boxes": "shapes",
}


def _lost_on_reading(
    data: Annotations, path: Path, name: str | None, reference: str | None
) -> list[str]:
    try:
        own: Keywords = {"shape": data.shape, "points": True, "curation": "include"}
        if name == "argilla" and reference is not None:
            # nobody's: a suggestion
            own["predictions"] = True
        if _written_in_tiers(path, name):
            own["annotator_from"] = "tier"
        back = read(path, format=name, **own)
    except AccordError as problem:
        return [f"what was written cannot be read back: {problem}"]
    renamed: list[str] = []
    if isinstance(data, (Units, Boxes)) and isinstance(back, (Units, Boxes)):
        # a single file is called after its document, or after its annotator, and cannot keep both
        for what in ("documents", "annotators"):
            ours, theirs = getattr(data, what), getattr(back, what)
            if len(ours) == len(theirs) == 1 and ours != theirs:
                if reference is None or what == "documents":
                    told = f"{what[:-1]} {ours[0]!r} is called {theirs[0]!r}, after the file"
                    renamed.append(told)
                back = replace(back, **{what: ours})
    return [f"read back, {sentence}" for sentence in [*renamed, *differences(data, back)]]


def _written_in_tiers(path: Path, name: str | None) -> bool:
    """We write a tier for each annotator, whatever else tiers may be in files of others."""
    return name == "textgrid" or path.suffix.lower() == ".textgrid"


def _sizes(data: Annotations) -> dict[str, tuple[float, float]]:
    """The sizes of images, as far as they are known."""
    if not isinstance(data, Boxes):
        return {}
    return {d: size for d in data.documents if (size := data.size_of(d)) is not None}


def _texts(data: Annotations) -> dict[str, str]:
    if not isinstance(data, Units) or data.texts is None:
        return {}
    return {d: t for d, t in zip(data.documents, data.texts, strict=True) if t is not None}


#: document → what is known of it, and what is said of those of which something else comes back
_FACTS: tuple[tuple[Callable[[Annotations], Mapping[str, object]], str], ...] = (
    (lengths_in, "the lengths of {} document(s) differ"),
    (_texts, "the texts of {} document(s) differ or are missing"),
    (_sizes, "the sizes of {} image(s) differ or are missing"),
)


def _rows(data: Annotations) -> Counter[Any]:
    if isinstance(data, Ratings):
        return Counter(
            (str(data.items[i]), data.annotators[a], data.labels[c])
            for i, a, c in zip(data.item.tolist(), data.annotator, data.code, strict=True)
        )
    if isinstance(data, Located):
        return Counter(tuple(row) for row in data)
    if isinstance(data, Segments):
        return Counter(
            (data.documents[d], data.annotators[a], tuple(data.masses(d, a).tolist()))
            for d, a in data.boundaries
        )
    if isinstance(data, Chains):
        return Counter(
            (
                data.documents[d],
                data.annotators[a],
                frozenset(frozenset(map(str, c)) for c in data.clusters(d, a)),
            )
            for d, a in data.coverage
        )
    raise TypeError(data)


def _counts(before: Mapping[Any, int], after: Mapping[Any, int], what: str) -> list[str]:
    gone = Counter(before)
    gone.subtract(after)
    lost = [row for row, n in gone.items() if n > 0]
    if not lost:
        added = -sum(n for n in gone.values() if n < 0)
        return [f"{added} {what} appear that were not there"] if added else []
    n = sum(gone[row] for row in lost)
    shown = str(lost[0])
    shown = shown if len(shown) < 120 else shown[:119] + "…"
    return [f"{n} of {sum(before.values())} {what} differ: {shown}"]
