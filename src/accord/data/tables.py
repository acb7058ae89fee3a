"""Columns to ratings: long tables, wide tables; repeated judgements."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import (
    Codes,
    distinct_numbers,
    encode,
    encode_sorted,
    label_of,
    natural_key,
    order_of,
    picked,
)
from accord.data.label_sets import EMPTY, SEPARATOR, LabelSets, gathered
from accord.data.probabilities import Probabilities, shares_of
from accord.data.ratings import Kind, Ratings
from accord.data.reading import Answer, Decision, Record
from accord.data.values import (
    Column,
    Line,
    Scale,
    declared_as,
    encode_columns,
    frozen,
    listed,
    scale_of,
)
from accord.errors import InputError, UsageError


class CellOptions(TypedDict, total=False):
    """How the cells of ratings are read; :func:`ratings_from_long` says what each does."""

    kind: Kind | None
    categories: Sequence[object] | None
    ordered: bool
    missing: Sequence[str]
    separator: str | None
    multiple: bool
    none: str | None
    duplicates: str
    notes: Sequence[str]
    path: str | None


def ratings_from_long(
    items: Column,
    annotators: Column,
    values: Column,
    *,
    documents: Column | None = None,
    times: Column | None = None,
    weights: Column | None = None,
    kind: Kind | None = None,
    categories: Sequence[object] | None = None,
    ordered: bool = False,
    missing: Sequence[str] = (),
    separator: str | None = None,
    multiple: bool = False,
    none: str | None = None,
    duplicates: str = "error",
    probabilities: Mapping[str, Column] | None = None,
    extras: Mapping[str, Column] | None = None,
    notes: Sequence[str] = (),
    path: str | None = None,
    line: Line = lambda row: None,
) -> Ratings:
    """Build ratings from columns with one row per rating.

    None, NaN, an empty text and the words in `missing` are missing values; any other text is a label, "nan"
    and "NA" included. `categories` declares the categories, a set, and their order where `ordered` says so
    or they are typed ``a<b<c``. `separator` cuts a text value into a set of labels; with `multiple` an
    annotator's rows of an item are the labels of one set; `none` is the word for the empty set, which
    ``{}`` always is. `duplicates` says what to do when an annotator rates an item twice and differently;
    the same rating twice counts once. `probabilities` has a column for each label: an annotator
    names the value in every row, or in none, where it is then the most probable label. `extras` are
    further columns: an item has one cell of each, which says who wrote what where its rows differ.

    >>> r = ratings_from_long(["i", "i", "j"], ["A", "B", "A"], ["1", "2", "2"])
    >>> r.kind, r.labels, r.n_items
    ('numbers', ('1', '2'), 2)
    """
    categories, ordered = declared_as(categories, ordered=ordered)
    item, item_names = encode_names(items, sort=False)
    who, annotator_names = encode_names(annotators, sort=True)
    remarks, record = list(notes), Record()
    sets = cell_sets(kind, separator, multiple, none)
    cells, raw_values, sets = _read_cells(
        [values], kind, missing, none, sets, record, sets_told=bool(probabilities)
    )
    raw = cells.ravel()
    if multiple:
        key = item.astype(np.int64) * max(1, len(annotator_names)) + who
        rows, raw, raw_values = _gathered(
            key, raw, raw_values, (item, item_names, who, annotator_names), duplicates, path, line
        )
        item, who = item[rows], who[rows]
        documents, times, weights = (picked(c, rows) for c in (documents, times, weights))
        extras, line = picked(extras, rows), _lines_of(line, rows)
    soft: Probabilities | None = None
    if probabilities:
        share, said = shares_of(probabilities, items, path=path, line=line)
        named = raw >= 0
        _refuse_unnamed(named, said, who, path, line)
        raw, raw_values = _with_likely(raw, raw_values, list(probabilities), share, said)
        _say_soft(record, said, named)
    where = (path, line, raw)
    scale = scale_of(raw_values, kind, categories, where, record, ordered=ordered)
    code = scale.codes
    if scale.kind == "categories" and sets is None:
        _ask_of_sets(scale.values, record)
    if probabilities:
        if scale.kind == "sets":
            raise InputError(
                "has sets with probabilities; give each label its own items", path=path
            )
        held = _by_value(share, said, list(probabilities), raw, raw_values, code, len(scale.values))
        soft = Probabilities(held, named)
    present = raw >= 0
    rows = np.flatnonzero(present)
    coded = code[raw[rows]] if len(rows) else np.empty(0, dtype=np.int32)
    key = item[rows].astype(np.int64) * max(1, len(annotator_names)) + who[rows]
    if len(key) > 1 and not np.all(key[1:] > key[:-1]):
        order = order_of(key)
        key, coded, rows = key[order], coded[order], rows[order]
    repeated = np.flatnonzero(key[1:] == key[:-1])
    repeats: tuple[tuple[int, int, tuple[int, ...]], ...] = ()
    if len(repeated):
        alike = coded[repeated] == coded[repeated + 1]
        if soft is not None:
            alike &= soft.alike(rows[repeated], rows[repeated + 1])
        if duplicates == "error" and not alike.all():
            other = int(repeated[np.argmin(alike)])
            i = int(rows[other + 1])
            first = line(int(rows[other]))
            raise InputError(
                f"annotator {annotator_names[who[i]]!r} rates item {item_names[item[i]]!r} twice"
                + (f" (first on line {first})" if first is not None else ""),
                path=path,
                line=line(i),
                hint="drop a row, pass `multiple=True` if an item can have several labels, or "
                "`duplicates=first`, `duplicates=last` or `duplicates=mode`",
            )
        if duplicates == "keep":
            raise UsageError("an annotator has one rating of an item: duplicates cannot be kept")
        if soft is not None and duplicates == "mode":
            raise UsageError("distributions have no mode: pass `duplicates=first` or `last`")
        same = duplicates == "error"
        size = len(key)
        kept, key, coded, repeats = _resolve(
            key, coded, len(annotator_names), "first" if same else duplicates
        )
        rows, again = rows[kept], size - len(kept)
        chosen = f"of one item by one annotator, resolved by {duplicates!r}"
        record.repeated("ratings", again, why="the same again" if same else chosen)
    counts = np.bincount(key // max(1, len(annotator_names)), minlength=len(item_names))
    return Ratings(
        items=item_names,
        annotators=tuple(annotator_names),
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        annotator=(key % max(1, len(annotator_names))).astype(np.int32),
        code=coded.astype(np.int32),
        probabilities=None if soft is None else soft.take(rows),
        repeats=repeats,
        extras=_extras(extras, item, len(item_names), who, annotator_names),
        notes=tuple(remarks),
        provenance=record.own(),
        **_of_values(scale, categories),
        **of_items(item, item_names, (documents, times, weights), path, line),
    )


def cell_sets(
    kind: Kind | None, separator: str | None, multiple: bool, none: str | None
) -> LabelSets | None:
    """Tell how cells hold sets of labels; None when they hold values."""
    if separator is None and none is None and not multiple and kind != "sets":
        return None
    if kind not in (None, "sets"):
        raise UsageError(f"`values={kind}` has one value an item: leave out separator and multiple")
    if separator == "":
        raise UsageError("`separator` must not be empty")
    # where every label has its row, a cell is one label
    cut = SEPARATOR if separator is None and not multiple else separator
    return LabelSets(separator=cut, none=none)


def _read_cells(
    columns: Sequence[Column], kind: Kind | None, missing: Sequence[str], none: str | None,
    sets: LabelSets | None, record: Record, *, sets_told: bool = False,
) -> tuple[Codes, list[Any], LabelSets | None]:  # fmt: skip
    """Return rows × columns codes, their values, and how cells hold sets, which ``{}`` says too."""
    columns = [frozen(c) for c in columns] if kind == "objects" else columns
    words = [word for word in missing if word != none]
    codes, values = encode_columns(columns, words, sets)
    if sets is None and kind is None and not sets_told and EMPTY in values:
        record.assume(f"values are sets of labels, {SEPARATOR!r} between them; {EMPTY!r} is empty")
        sets = LabelSets()
        codes, values = encode_columns(columns, words, sets)
    return codes, values, sets


def _of_values(scale: Scale, categories: Sequence[str] | None) -> dict[str, Any]:
    """What ratings keep of their scale."""
    return {
        "values": scale.values,
        "kind": scale.kind,
        "universe": categories or () if scale.kind == "sets" else (),
        "declared": scale.declared,
        "ordered": scale.ordered,
    }


def of_items(
    item: Codes, items: Sequence[Any], columns: Sequence[Column | None],
    path: str | None, line: Line = lambda row: None,
) -> dict[str, Any]:  # fmt: skip
    """What ratings keep of their items: the columns are of documents, times and weights."""
    documents, times, weights = columns
    document, document_names = _per_item(documents, item, items, "document", path, line)
    time, time_names = _per_item(times, item, items, None, path, line)
    return {
        "documents": document_names,
        "document": document,
        "times": time_names,
        "time": time,
        "weights": None if weights is None else _weights(weights, item, len(items), path, line),
    }


def _ask_of_sets(labels: Sequence[str], record: Record) -> None:
    """Keep that a label which looks like several in one cell is read as one."""
    known = set(labels)
    for cut in ("|", ";", ","):
        for label in labels:
            parts = [p.strip() for p in label.split(cut)]
            if len(parts) > 1 and known.issuperset(parts):
                record.assume(f"{label!r} is one label", ("separator", cut))
                return


def _gathered(
    key: NDArray[np.int64], raw: Codes, values: list[Any],
    names: tuple[Codes, Sequence[Any], Codes, Sequence[Any]], duplicates: str, path: str | None,
    line: Line,
) -> tuple[NDArray[np.int64], Codes, list[Any]]:  # fmt: skip
    """One row of each annotator and item, with the set of the labels of its rows."""
    item, items, who, annotators = names
    rows, sets, again, against = gathered(key, raw, values)
    for row, what in (
        *((r, "no label and another") for r in against),
        *((r, "one label twice") for r in again if duplicates == "error"),
    ):
        raise InputError(
            f"annotator {annotators[who[row]]!r} gives item {items[item[row]]!r} {what}",
            path=path,
            line=line(row),
            hint="drop a row" + (" or pass `duplicates=first`" if "twice" in what else ""),
        )
    code, distinct = encode([s for s in sets if s is not None])
    out = np.full(len(sets), -1, dtype=np.int32)
    out[np.array([s is not None for s in sets], dtype=bool)] = code
    return rows, out, distinct


def _lines_of(line: Line, rows: NDArray[np.int64]) -> Line:
    return lambda row: line(int(rows[row]))


def _with_likely(
    raw: Codes, values: list[Any], labels: list[str], share: NDArray[np.float64], said: Any
) -> tuple[Codes, list[Any]]:
    """Every label among the values, and the most probable one where a row has none."""
    names = [label_of(v) for v in values]
    place = {name: i for i, name in enumerate(names)}
    for label in labels:
        if label not in place:
            place[label] = len(values)
            values = [*values, label]
    likely = np.array([place[label] for label in labels], dtype=np.int32)[share.argmax(axis=1)]
    return np.where((raw < 0) & said, likely, raw).astype(np.int32), values


def _by_value(
    share: NDArray[np.float64], said: Any, labels: list[str], raw: Codes, values: list[Any],
    code: Codes, size: int,
) -> NDArray[np.float64]:  # fmt: skip
    """Probabilities by value; all of it on the value where a row names one and says no more."""
    place = {label_of(v): i for i, v in enumerate(values)}
    out = np.zeros((len(share), size))
    for k, label in enumerate(labels):
        out[:, code[place[label]]] += share[:, k]
    plain = np.flatnonzero(~said & (raw >= 0))
    out[plain, code[raw[plain]]] = 1.0
    return out


def _refuse_unnamed(
    named: NDArray[np.bool_], said: NDArray[np.bool_], who: Codes, path: str | None, line: Line
) -> None:
    """Where an annotator names some values, an empty one is none, or the most probable: who knows."""
    empty = np.flatnonzero(said & ~named & np.isin(who, who[named & said]))
    if len(empty):
        raise InputError(
            "gives probabilities and no value, where other rows name theirs",
            path=path,
            line=line(int(empty[0])),
            hint="fill in the value, write why there is none into a column `reason` (undecided), or leave "
            "the column of values out: then the most probable label is the answer",
        )


def _say_soft(record: Record, said: NDArray[np.bool_], named: NDArray[np.bool_]) -> None:
    of = "all rows" if said.all() else f"{int(said.sum()):,} of {len(said):,} rows"
    answer = "their value" if (named & said).any() else "the most probable label"
    why = "brier, log-loss, ece and the soft scores use the probabilities"
    record.assume(f"{of} give probabilities; single answers are {answer}", why=why)


def ratings_from_wide(
    columns: Mapping[str, Column],
    *,
    items: Column | None = None,
    documents: Column | None = None,
    times: Column | None = None,
    weights: Column | None = None,
    extras: Mapping[str, Column] | None = None,
    line: Line = lambda row: None,
    **reading: Unpack[CellOptions],
) -> Ratings:
    """Build ratings from one column per annotator (name → values); rows are items.

    The options are those of :func:`ratings_from_long`.

    >>> ratings_from_wide({"A": ["x", "y"], "B": ["x", None]}).n_ratings
    3
    """
    names = sorted(columns, key=natural_key)
    height = len(columns[names[0]]) if names else 0
    item = np.arange(height, dtype=np.int32)
    item_names: Sequence[Any] = range(1, height + 1)
    if items is not None:
        item_codes, known = encode_names(items, sort=False)
        if len(known) < height:
            often = np.tile(item, len(names))
            return ratings_from_long(
                picked(items, often), [n for n in names for _ in range(height)],
                [v for n in names for v in columns[n]], documents=picked(documents, often),
                times=picked(times, often), weights=picked(weights, often),
                extras=picked(extras, often), line=lambda row: line(row % height), **reading,
            )  # fmt: skip
        item_names = [known[i] for i in item_codes.tolist()]
    kind, path = reading.get("kind"), reading.get("path")
    separator, none = reading.get("separator"), reading.get("none")
    categories, ordered = declared_as(
        reading.get("categories"), ordered=reading.get("ordered", False)
    )
    if reading.get("multiple"):
        raise UsageError("a wide table has one cell an item and annotator: use `separator`")
    remarks, record = list(reading.get("notes", ())), Record()
    sets = cell_sets(kind, separator, False, none)
    raw, raw_values, sets = _read_cells(
        [columns[n] for n in names], kind, reading.get("missing", ()), none, sets, record
    )
    flat = raw.ravel()
    where = (path, lambda row: line(row // max(1, len(names))), flat)
    scale = scale_of(raw_values, kind, categories, where, record, ordered=ordered)
    code = scale.codes
    present = flat >= 0
    whole = bool(present.all())
    if not np.array_equal(code, np.arange(len(code))):
        flat = np.append(code, np.int32(-1)).astype(np.int32)[flat]
    counts = np.full(height, len(names)) if whole else present.reshape(raw.shape).sum(axis=1)
    annotator = np.tile(np.arange(len(names), dtype=np.int32), height)
    if not whole:
        flat, annotator = flat[present], annotator[present]
    return Ratings(
        items=item_names,
        annotators=tuple(names),
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        annotator=annotator,
        code=flat,
        extras={name: [_said(v) for v in column] for name, column in (extras or {}).items()},
        notes=tuple(remarks),
        provenance=record.own(),
        **_of_values(scale, categories),
        **of_items(item, item_names, (documents, times, weights), path, line),
    )


def orientation_question(rows: Sequence[Sequence[object]], *others: Answer) -> Decision:
    """What a row of an array is: nothing in it says so; `others` are more ways to read it."""
    return Decision(
        about="orientation",
        others=(
            Answer("rows are items", ("orientation", "items")),
            Answer("rows are annotators", ("orientation", "annotators")),
            *others,
        ),
        why=f"an array of {len(rows)} × {len(rows[0])} values does not say what its rows are",
    )


def encode_names(column: Column, *, sort: bool) -> tuple[Codes, list[Any]]:
    """Number the names of a column, by appearance or in their order; numbers are written as people do."""
    if isinstance(column, np.ndarray) and column.dtype.kind in "iuf":
        distinct, codes = distinct_numbers(column)
        whole = column.dtype.kind in "iu"
        return codes, list(map(str if whole else label_of, distinct.tolist()))
    codes, names = (encode_sorted if sort else encode)(listed(column))
    return codes, [n if isinstance(n, str) else label_of(n) for n in names]


def _per_item(
    column: Column | None,
    item: Codes,
    items: Sequence[Any],
    what: str | None,
    path: str | None,
    line: Line,
) -> tuple[Codes | None, tuple[str, ...]]:
    """The document (or time) of each item, which must be the same in all its rows for `what`."""
    if column is None:
        return None, ()
    code, names = encode_names(column, sort=True)
    of_item = np.full(len(items), -1, dtype=np.int32)
    of_item[item[::-1]] = code[::-1]  # the first row of an item decides
    if what is not None and np.any(of_item[item] != code):
        i = int(np.argmax(of_item[item] != code))
        raise InputError(
            f"item {items[item[i]]!r} is in {what} {names[of_item[item[i]]]!r} and in {names[code[i]]!r}",
            path=path,
            line=line(i),
            hint="give items of different documents different names",
        )
    return of_item, tuple(names)


def _extras(
    columns: Mapping[str, Column] | None,
    item: Codes,
    size: int,
    who: Codes,
    annotators: Sequence[str],
) -> dict[str, list[str | None]]:
    """One cell per item: what all its rows say, or who says what where they differ."""
    found: dict[str, list[str | None]] = {}
    for name, column in (columns or {}).items():
        said = [_said(v) for v in column]
        code, words = encode(said)
        cells: list[str | None] = [None] * size
        first = np.full(size, -1, dtype=np.int64)
        spoken = np.flatnonzero(code != (words.index(None) if None in words else -1))
        first[item[spoken[::-1]]] = spoken[::-1]
        for i in np.flatnonzero(first >= 0).tolist():
            cells[i] = said[first[i]]
        unlike = spoken[code[spoken] != code[first[item[spoken]]]]
        several = set(item[unlike].tolist())
        each: dict[int, dict[str, None]] = {i: {} for i in several}
        for row in spoken.tolist() if several else ():
            if int(item[row]) in several:
                each[int(item[row])][f"{annotators[who[row]]}: {said[row]}"] = None
        for i, remarks in each.items():
            cells[i] = "; ".join(remarks)
        if any(cells):
            found[name] = cells
    return found


def _said(value: Any) -> str | None:
    if value is None or value == "" or value != value:
        return None
    return value if isinstance(value, str) else label_of(value)


def _weights(
    column: Column, item: Codes, size: int, path: str | None, line: Line
) -> NDArray[np.float64]:
    out = np.full(size, np.nan)
    for row, value in enumerate(listed(column)):
        try:
            number = float(value)
        except (TypeError, ValueError):
            number = math.nan
        if not (math.isfinite(number) and number >= 0):
            raise InputError(
                f"the weight must be a number from 0, got {value!r}", path=path, line=line(row)
            )
        if out[item[row]] == out[item[row]] and out[item[row]] != number:
            raise InputError(
                f"an item has the weights {out[item[row]]:g} and {number:g}",
                path=path,
                line=line(row),
                hint="give an item one weight",
            )
        out[item[row]] = number
    weights: NDArray[np.float64] = np.where(np.isnan(out), 0.0, out)
    return weights


def _resolve(
    key: NDArray[np.int64], code: Codes, width: int, policy: str
) -> tuple[
    NDArray[np.int64], NDArray[np.int64], Codes, tuple[tuple[int, int, tuple[int, ...]], ...]
]:
    """One code per (item, annotator), the first, the last, or the most frequent (then the first).

    Returns which rows stay, their keys and codes, and what was repeated.
    """
    begins = np.flatnonzero(np.append(True, key[1:] != key[:-1]))
    ends = np.append(begins[1:], len(key))
    kept = ends - 1 if policy == "last" else begins
    key, chosen = key[kept], code[kept]
    repeats: list[tuple[int, int, tuple[int, ...]]] = []
    for k in np.flatnonzero(ends - begins > 1).tolist():
        codes = tuple(code[begins[k] : ends[k]].tolist())
        repeats.append((*divmod(int(key[k]), width), codes))
        if policy == "mode":
            chosen[k] = Counter(codes).most_common(1)[0][0]
    return kept, key, chosen, tuple(repeats)
