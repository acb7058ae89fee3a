"""Tables to the four shapes: which columns there are decides which shape it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.data import Annotations, Chains, Ratings, Segments, Units
from accord.data.choose import some
from accord.data.protocol import Shape
from accord.data.ratings import label_of
from accord.data.tables import ratings_from_long, ratings_from_wide
from accord.data.values import Column, is_number
from accord.errors import InputError
from accord.formats.cells import Cells
from accord.formats.format import ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Named columns and where they came from."""

    columns: Mapping[str, Column]
    path: str | None = None
    line: Callable[[int], int | None] = lambda row: None
    #: annotator to use when the table names none
    source: str = "annotator"

    @property
    def height(self) -> int:
        return len(next(iter(self.columns.values()))) if self.columns else 0


#: our name → names people use, compared in lower case with spaces, dots and hyphens as underscores
SYNONYMS: Mapping[str, tuple[str, ...]] = {
    "document": ("document", "doc", "document_id", "doc_id", "file", "filename", "text_id"),
    "annotator": ("annotator", "coder", "rater", "judge", "worker", "user", "annotator_id",
                  "worker_id", "coder_id", "rater_id", "user_id", "annotatorid", "workerid"),
    "item": ("item", "item_id", "id", "unit", "unit_id", "task", "task_id", "example", "sentence",
             "question", "subject", "case"),
    "value": ("value", "label", "category", "rating", "score", "answer", "class", "code", "judgement",
              "judgment", "annotation", "response"),
    "label": ("label", "category", "type", "tag", "value", "class", "annotation"),
    "start": ("start", "begin", "from", "onset", "start_offset", "start_time"),
    "end": ("end", "stop", "to", "offset", "end_offset", "end_time"),
    "masses": ("masses", "mass"),
    "boundary": ("boundary", "boundaries", "position"),
    "mention": ("mention", "mention_id"),
    "entity": ("entity", "entity_id", "chain", "cluster", "chain_id", "cluster_id"),
    "time": ("time", "batch", "round", "date", "timestamp"),
    "weight": ("weight", "item_weight"),
    "type": ("type", "boundary_type"),
}  # fmt: skip

_NEEDED: Mapping[Shape, tuple[tuple[str, ...], ...]] = {
    "chains": (("entity", "mention"), ("entity", "start", "end")),
    "units": (("start", "end"),),
    "segments": (("masses",), ("boundary", "annotator")),
    "ratings": (("item", "annotator", "value"), ("item", "value")),
}


def from_table(table: Table, options: ReadOptions) -> Annotations:
    """Find the columns, decide the shape, and build it."""
    if not table.columns:
        raise InputError("has no columns", path=table.path, hint="give it a header row")
    if options.wide:
        return _wide(table, options)
    found = find_columns(table, options)
    shape = options.shape or shape_of(table, found)
    if not any(all(c in found for c in needed) for needed in _NEEDED[shape]):
        needed = _NEEDED[shape][0]
        lacking = [c for c in needed if c not in found]
        raise InputError(
            f"has no column for {' and '.join(lacking)}; it has {some(list(table.columns))}",
            path=table.path,
            hint=f"name it with --column {lacking[0]}=NAME",
        )
    if table.height == 0:
        raise InputError("has a header and no rows", path=table.path, hint="check the export")
    return _BUILDERS[shape](table, found, options)


def find_columns(table: Table, options: ReadOptions) -> dict[str, str]:
    """Our column names → the table's, by option first, then by the names people use."""
    found: dict[str, str] = {}
    for ours, theirs in options.columns.items():
        if ours not in SYNONYMS:
            raise InputError(
                f"there is no column {ours!r} to name; ours are {some(list(SYNONYMS), 20)}"
            )
        if theirs not in table.columns:
            raise InputError(
                f"has no column {theirs!r}; it has {some(list(table.columns))}", path=table.path
            )
        found[ours] = theirs
    plain = {_plain(name): name for name in reversed(list(table.columns))}
    for ours, names in SYNONYMS.items():
        if ours not in found:
            match = next((plain[n] for n in names if n in plain), None)
            if match is not None:
                found[ours] = match
    return found


def _plain(name: str) -> str:
    text = str(name).strip().lower().lstrip("\ufeff")
    return "".join("_" if c in " .-" else c for c in text)


def shape_of(table: Table, found: Mapping[str, str]) -> Shape:
    """The shape whose columns are there; the most telling first."""
    for shape, ways in _NEEDED.items():
        if any(all(c in found for c in needed) for needed in ways):
            return shape
    names = list(table.columns)
    hint = "name them with --column item=NAME, or pass --wide for one column per annotator"
    if len(names) == 1:
        hint = "is the delimiter a comma, a tab, a semicolon or a bar? " + hint
    raise InputError(
        f"has columns {some(names)}, which do not say who rated what", path=table.path, hint=hint
    )


# --- builders ------------------------------------------------------------------------------------


def _ratings(table: Table, found: Mapping[str, str], options: ReadOptions) -> Ratings:
    who = found.get("annotator")
    name = options.annotator or table.source
    annotators: Column = table.columns[who] if who else [name] * table.height
    _named(table, "item", table.columns[found["item"]])
    _named(table, "annotator", annotators)
    return ratings_from_long(
        table.columns[found["item"]],
        annotators,
        table.columns[found["value"]],
        **_ratings_options(table, found, options),
    )


def _wide(table: Table, options: ReadOptions) -> Ratings:
    if table.height == 0:
        raise InputError("has a header and no rows", path=table.path, hint="check the export")
    found = find_columns(table, options)
    apart = {found[c] for c in ("item", "document", "time", "weight") if c in found}
    raters = {name: column for name, column in table.columns.items() if name not in apart}
    if len(raters) < 1:
        raise InputError("has no column of ratings", path=table.path, hint="check --wide")
    return ratings_from_wide(
        dict(raters),
        items=table.columns[found["item"]] if "item" in found else None,
        **_ratings_options(table, found, options),
    )


def _ratings_options(
    table: Table, found: Mapping[str, str], options: ReadOptions
) -> dict[str, Any]:
    def column(name: str) -> Column | None:
        return table.columns[found[name]] if name in found else None

    return {
        "documents": column("document"),
        "times": column("time"),
        "weights": column("weight"),
        "kind": options.values,
        "categories": options.categories,
        "missing": options.missing,
        "separator": options.separator,
        "duplicates": options.duplicates,
        "path": table.path,
        "line": table.line,
    }


def _units(table: Table, found: Mapping[str, str], options: ReadOptions) -> Units:
    height = table.height
    documents = _texts(table, found.get("document"), ["document"] * height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * height)
    _named(table, "document", documents)
    _named(table, "annotator", who)
    labels = _texts(table, found.get("label"), [None] * height)
    start, end = (_numbers(table, found[c]) for c in ("start", "end"))
    lengths = None
    if options.length is not None:
        lengths = dict.fromkeys(documents, options.length)
    from accord.formats.sidecars import coverage_of, lengths_of

    if options.documents is not None:
        lengths = lengths_of(options.documents)
    coverage = None if options.coverage is None else coverage_of(options.coverage)
    missing = set(options.missing)
    if missing:
        labels = [None if c in missing else c for c in labels]
    beside = {p.name for p in (options.documents, options.coverage) if p is not None}
    return Units.from_columns(
        documents,
        who,
        start,
        end,
        labels,
        lengths=lengths,
        coverage=coverage,
        notes=[f"lengths or coverage taken from {name}" for name in sorted(beside)],
        categories=options.categories,
        points=options.points,
        duplicates=options.duplicates,
        path=table.path,
        lines=_Lines(table),
    )


def _segments(table: Table, found: Mapping[str, str], options: ReadOptions) -> Segments:
    documents = _texts(table, found.get("document"), ["document"] * table.height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * table.height)
    if "masses" not in found:
        return _boundaries(table, found, options, documents, who)
    rows = []
    for i, text in enumerate(table.columns[found["masses"]]):
        parts = text if isinstance(text, (list, tuple)) else str(text).replace(",", " ").split()
        try:
            masses = [int(p) for p in parts]
        except (ValueError, TypeError, OverflowError):
            raise InputError(
                f"the masses must be whole numbers, got {text!r}",
                path=table.path,
                line=table.line(i),
            ) from None
        rows.append((documents[i], who[i], masses))
    return Segments.from_masses(rows, path=table.path, lines=_Lines(table))


def _boundaries(
    table: Table,
    found: Mapping[str, str],
    options: ReadOptions,
    documents: Sequence[str],
    who: Sequence[str],
) -> Segments:
    """One boundary (or several, separated by spaces) a row, with a type when there is a column."""
    from accord.formats.sidecars import lengths_of

    if options.documents is not None:
        lengths = {d: int(n) for d, n in lengths_of(options.documents).items()}
    elif options.length is not None:
        lengths = dict.fromkeys(documents, int(options.length))
    else:
        raise InputError(
            "lists boundaries without the length of the documents",
            path=table.path,
            hint="give it with --length or --documents, or give masses (segment lengths)",
        )
    types = _texts(table, found.get("type"), [None] * table.height)
    rows: list[tuple[str, str, int, str | None]] = []
    lines: list[int] = []
    for i, text in enumerate(table.columns[found["boundary"]]):
        for part in ("" if text is None else str(text)).replace(",", " ").split():
            if not part.isdecimal():
                raise InputError(
                    f"a boundary must be a whole number, got {part!r}",
                    path=table.path,
                    line=table.line(i),
                )
            rows.append((documents[i], who[i], int(part), types[i]))
            lines.append(table.line(i) or 0)
    return Segments.from_boundaries(
        rows,
        lengths=lengths,
        coverage=list(zip(documents, who, strict=True)),
        categories=options.categories,
        path=table.path,
        lines=lines,
    )


def _chains(table: Table, found: Mapping[str, str], options: ReadOptions) -> Chains:
    height = table.height
    documents = _texts(table, found.get("document"), ["document"] * height)
    who = _texts(table, found.get("annotator"), [options.annotator or table.source] * height)
    entities = _texts(table, found["entity"], [])
    if "mention" in found:
        mentions: Sequence[Any] = _texts(table, found["mention"], [])
    else:
        start, end = (_numbers(table, found[c]) for c in ("start", "end"))
        mentions = [(int(s), int(e)) for s, e in zip(start, end, strict=True)]
    clusters: dict[tuple[str, str], dict[str, list[Any]]] = {}
    for d, a, m, e in zip(documents, who, mentions, entities, strict=True):
        clusters.setdefault((d, a), {}).setdefault(e, []).append(m)
    return Chains.from_clusters({key: list(found.values()) for key, found in clusters.items()})


_BUILDERS: Mapping[Shape, Callable[[Table, Mapping[str, str], ReadOptions], Annotations]] = {
    "ratings": _ratings,
    "units": _units,
    "segments": _segments,
    "chains": _chains,
}


# --- columns -------------------------------------------------------------------------------------


class _Lines(Sequence[int]):
    """Line numbers looked up only when an error needs one."""

    def __init__(self, table: Table) -> None:
        self._table = table

    def __len__(self) -> int:
        return self._table.height

    def __getitem__(self, row: Any) -> Any:
        return self._table.line(row)


def _texts(table: Table, name: str | None, default: Sequence[Any]) -> Sequence[Any]:
    if name is None:
        return list(default)
    column = table.columns[name]
    if isinstance(column, Cells):
        return column
    listed = column.tolist() if isinstance(column, np.ndarray) else column
    if set(map(type, listed)) == {str} and "" not in listed:
        return list(listed)
    return [
        None if v is None or v == "" or v != v else (v if isinstance(v, str) else label_of(v))
        for v in listed
    ]


def _numbers(table: Table, name: str) -> NDArray[np.float64]:
    column = table.columns[name]
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        return column.astype(np.float64)
    if isinstance(column, Cells):
        numbers = column.numbers()
        if numbers is not None:
            return numbers
    out = []
    for i, value in enumerate(column):
        if isinstance(value, str) and not is_number(value.strip()):
            raise InputError(
                f"the {name} must be a number, got {value!r}", path=table.path, line=table.line(i)
            )
        try:
            out.append(float(value))
        except (TypeError, ValueError, OverflowError):
            raise InputError(
                f"the {name} must be a number, got {value!r}", path=table.path, line=table.line(i)
            ) from None
    return np.array(out, dtype=np.float64)


def _named(table: Table, what: str, column: Column) -> None:
    """Every row must name its item and its annotator."""
    if isinstance(column, np.ndarray):
        column = (
            [None if v != v else v for v in column.tolist()] if column.dtype.kind == "f" else [0]
        )
    if None in column or "" in column:
        row = next(i for i, v in enumerate(column) if v is None or v == "")
        raise InputError(
            f"the {what} is empty",
            path=table.path,
            line=table.line(row),
            hint="name it or drop the row",
        )
