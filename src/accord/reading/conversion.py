"""From one format to another, and the list of what was lost on the way, measured by reading back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from accord import formats
from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.statements import unsaid
from accord.errors import AccordError, UsageError, some
from accord.files.atomic import table, write_text
from accord.files.text import read_bytes
from accord.formats.positions import suited
from accord.formats.tables.long_rows import COVERAGE_HINT
from accord.reading import read
from accord.reading.given import Given, as_annotations
from accord.reading.keywords import Keywords
from accord.reading.sidecars import SIDECARS, sidecars_of


def write(
    data: Annotations | Given,
    path: str | PathLike[str],
    *,
    format: str | None = None,  # noqa: A002
    overwrite: bool = False,
) -> list[str]:
    """Write annotations, or what :func:`accord.read` reads; returns what the format could not hold."""
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
) -> Converted:
    """Write the data as :func:`convert` does, and say which files hold them."""
    path = Path(target)
    data = suited(data, format or ("textgrid" if path.suffix.lower() == ".textgrid" else ""))
    if isinstance(data, Units) and format in _ON_TEXT and not blank_texts:
        _require_texts(data, format)
    beside = _beside(data, path) if path.suffix.lower() in _TABLES else {}
    if not overwrite:
        _refuse_others(beside, path)
    files: list[Path] = []
    lost = formats.write(data, path, format=format, overwrite=overwrite, written=files)
    if beside:
        lost = [s for s in lost if not s.endswith(COVERAGE_HINT)]
    for own, text in beside.items():
        if text:
            write_text(own, text)
            files.append(own)
        else:
            own.unlink(missing_ok=True)
    if check and (path.is_file() or path.is_dir()):
        lost.extend(_lost_on_reading(data, path, format))
    return Converted(tuple(files), list(dict.fromkeys(lost)))


#: formats that are files of text beside files of units
_ON_TEXT = frozenset({"brat", "doccano", "glozz", "webanno-tsv3", "uima", "label-studio"})
_TABLES = frozenset({".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".xlsx"})


def _require_texts(units: Units, name: str) -> None:
    unknown = [
        d
        for d, text in zip(
            units.documents, units.texts or [None] * len(units.documents), strict=True
        )
        if text is None
    ]
    if unknown and units.integral:
        raise UsageError(
            f"{name} shows units in their text, and the text of {some(unknown)} is not known; "
            "give it with `texts`, or pass `blank_texts=True` to write blanks"
        )


def _beside(data: Annotations, path: Path) -> dict[Path, str]:
    """The tables beside a table, by their files: what it cannot hold; empty where there is nothing.

    One that has nothing to say is written all the same where it keeps another's from being read.
    """
    if not isinstance(data, (Units, Relations, Boxes, Chains)):
        return {}
    header: tuple[str, ...] = ("document", "length")
    rows: list[tuple[str, ...]] = []
    if isinstance(data, Boxes):
        header, rows = _sizes(data)
    elif isinstance(data, Units):
        counted = () if data.unit is None else (data.unit,)
        header = (*header, "unit")[: 2 + len(counted)]
        rows = [(d, f"{n:.17g}", *counted) for d, n in sorted(_lengths(data).items())]
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
    if isinstance(before, Units) and isinstance(after, Units):
        return _units(before, after)
    found = _counts(_rows(before), _rows(after), _NAMES[before.shape])
    if isinstance(before, Relations) and isinstance(after, Relations):
        missing = {*before.seen_pairs()} ^ {*after.seen_pairs()}
        if missing:
            found.append(f"who saw what differs for {len(missing)} document(s) of an annotator")
    if isinstance(before, Boxes) and isinstance(after, Boxes):
        return [*found, *_about_images(before, after)]
    if isinstance(before, Ratings) and isinstance(after, Ratings):
        there = {name: set(zip(map(str, after.items), cells, strict=True))
                 for name, cells in after.extras.items()}  # fmt: skip
        gone = [
            name
            for name, cells in before.extras.items()
            if any(
                cell is not None and (str(item), cell) not in there.get(name, ())
                for item, cell in zip(before.items, cells, strict=True)
            )
        ]
        if gone:
            found.append(f"the further column(s) {some(gone)} are not kept")
    return found


_NAMES = {
    "ratings": "ratings",
    "segments": "segmentations",
    "chains": "chains",
    "units": "units",
    "relations": "relations",
    "boxes": "shapes",
}


def _lost_on_reading(data: Annotations, path: Path, name: str | None) -> list[str]:
    try:
        own: Keywords = {"shape": data.shape, "points": True, "curation": "include"}
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
                renamed.append(f"{what[:-1]} {ours[0]!r} is called {theirs[0]!r}, after the file")
                back = replace(back, **{what: ours})
    return [f"read back, {sentence}" for sentence in [*renamed, *differences(data, back)]]


def _written_in_tiers(path: Path, name: str | None) -> bool:
    """We write a tier for each annotator, whatever else tiers may be in files of others."""
    return name == "textgrid" or path.suffix.lower() == ".textgrid"


def _units(before: Units, after: Units) -> list[str]:
    found = _counts(
        Counter(tuple(u) for u in before), Counter(tuple(u) for u in after), _NAMES["units"]
    )
    covered = [{*u.seen_pairs()} for u in (before, after)]
    missing = covered[0] ^ covered[1]
    if missing:
        found.append(f"who saw what differs for {len(missing)} document(s) of an annotator")
    lengths = [_lengths(u) for u in (before, after)]
    changed = [d for d, n in lengths[0].items() if lengths[1].get(d) != n]
    if changed:
        found.append(f"the lengths of {len(changed)} document(s) differ")
    texts = [_texts(u) for u in (before, after)]
    changed = [d for d, t in texts[0].items() if texts[1].get(d) != t]
    if changed:
        found.append(f"the texts of {len(changed)} document(s) differ or are missing")
    found.extend(unsaid(before, after))
    gone = [name for name in before.extras if name not in after.extras]
    if gone:
        found.append(f"the further column(s) {some(gone)} are not kept")
    unused = set(before.categories) - set(after.categories)
    if unused:
        found.append(f"{len(unused)} categories without a unit are not kept")
    return found


def _sizes(boxes: Boxes) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The table of the sizes and files of images, as far as they are known."""
    files = boxes.images or (None,) * len(boxes.documents)
    rows: list[tuple[str, ...]] = [
        (name, f"{size[0]:.17g}", f"{size[1]:.17g}", file or "")
        for name, file in zip(boxes.documents, files, strict=True)
        if (size := boxes.size_of(name)) is not None
    ]
    return ("document", "width", "height", "image"), rows


def _about_images(before: Boxes, after: Boxes) -> list[str]:
    found = []
    if missing := {*before.seen_pairs()} ^ {*after.seen_pairs()}:
        found.append(f"who saw what differs for {len(missing)} image(s) of an annotator")
    unlike = [
        name
        for name in before.documents
        if (size := before.size_of(name)) is not None
        and (name not in after.documents or after.size_of(name) != size)
    ]
    if unlike:
        found.append(f"the sizes of {len(unlike)} image(s) differ or are missing")
    gone = [name for name in before.extras if name not in after.extras]
    if gone:
        found.append(f"the further column(s) {some(gone)} are not kept")
    return found


def _lengths(units: Units) -> dict[str, float]:
    pairs = zip(units.documents, units.lengths.tolist(), strict=True)
    return {d: n for d, n in pairs if np.isfinite(n)}


def _texts(units: Units) -> dict[str, str]:
    if units.texts is None:
        return {}
    return {d: t for d, t in zip(units.documents, units.texts, strict=True) if t is not None}


def _rows(data: Annotations) -> Counter[Any]:
    if isinstance(data, Ratings):
        return Counter(
            (str(data.items[i]), data.annotators[a], data.labels[c])
            for i, a, c in zip(data.item.tolist(), data.annotator, data.code, strict=True)
        )
    if isinstance(data, Relations):
        return Counter(tuple(r) for r in data)
    if isinstance(data, Boxes):
        return Counter(tuple(box) for box in data)
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
