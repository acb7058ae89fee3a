"""Other names for labels: ``recode`` gives one another name, ``merge`` one name to several.

Labels are named anew as they are read, before anything is decided about them: what is merged to
numbers is numbers, and a dash that is recoded is a value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Annotations, Boxes, Relations, Units
from accord.data.encode import natural_key
from accord.data.label_sets import label_names
from accord.data.protocol import changed
from accord.data.ratings import Ratings, label_of
from accord.data.reading import Provenance, Record
from accord.data.values import is_number, is_numeric
from accord.errors import InputError, UsageError, did_you_mean, some
from accord.formats.format import ReadOptions
from accord.options import bare, written
from accord.options.reading import READING

#: options of reading that other values may come from: they stand in signatures
ASKED = (
    *(
        "columns",
        "rows",
        "counts",
        "path",
        "categories",
        "ordered",
        "missing_values",
        "keep_values",
    ),
    *("recode", "merge", "values", "separator", "multiple", "none", "duplicates", "lengths"),
    *("coverage", "units", "seen", "length", "annotator_from", "layer", "feature", "offsets"),
    *("discontinuous", "points", "predictions", "curation"),
)
_USUAL = {option.name: option.default for option in READING if option.name in ASKED}


def new_names(recode: Mapping[str, str], merge: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Return old → new label: what is recoded may be merged under its new name.

    >>> new_names({"pos": "positive"}, {"clear": ["positive", "negative"]})
    {'pos': 'clear', 'positive': 'clear', 'negative': 'clear'}
    """
    merged: dict[str, str] = {}
    for new, olds in merge.items():
        for old in olds:
            if merged.setdefault(old, new) != new:
                raise UsageError(f"the label {old!r} is merged twice")
            if old in recode:
                raise UsageError(f"the label {old!r} is in `recode` and in `merge`: name it once")
    return {**{old: merged.get(new, new) for old, new in recode.items()}, **merged}


def recoded(counts: Mapping[Any, int], options: ReadOptions, record: Record) -> dict[Any, Any]:
    """Return value → its new name, of the distinct values that get one; the record counts them.

    Numbers are told by their value, however they are written.
    """
    new = new_names(options.recode, options.merge)
    if not new:
        return {}
    numbers: dict[float, str] = {}
    if all(is_numeric(v) for v in counts if not isinstance(v, frozenset)):
        numbers = {float(old): old for old in new if is_number(old)}
    found: dict[Any, Any] = {}

    def named(label: Any, n: int) -> Any:
        old = label_of(label)
        if old not in new and numbers and is_numeric(label):
            old = numbers.get(float(label), old)
        if old not in new:
            return label
        record.recoded[old] += n
        return new[old]

    for value, n in counts.items():
        if not isinstance(value, frozenset):
            called = named(value, n)
        else:
            called = frozenset([named(label, n) for label in sorted(value, key=str)])
        if called != value:
            found[value] = called
    return found


def categories_recoded(
    categories: Sequence[str] | None, options: ReadOptions, record: Record
) -> tuple[tuple[str, ...] | None, bool]:
    """Return declared categories under their new names; merged neighbours keep their order."""
    new, ordered = new_names(options.recode, options.merge), options.ordered
    if categories is None or not new:
        return None if categories is None else tuple(categories), ordered
    for old in categories:
        if old in new:
            record.recoded[old] += 0
    names = [new.get(c, c) for c in categories]
    distinct = tuple(dict.fromkeys(names))
    places = [distinct.index(name) for name in names]
    if ordered and places != sorted(places):
        between = next(names[i - 1] for i in range(1, len(names)) if places[i] < places[i - 1])
        record.leave_out(
            "the order of the categories", why=f"{between!r} stands between labels that are merged"
        )
        ordered = False
    return distinct, ordered


def with_new_categories(options: ReadOptions, record: Record) -> ReadOptions:
    """Return the options with the declared categories under their new names."""
    categories, ordered = categories_recoded(options.categories, options, record)
    return replace(options, categories=categories, ordered=ordered)


def refuse_unknown(
    options: ReadOptions, data: Sequence[Annotations], path: str | None = None
) -> None:
    """A label that was to be named anew and is nowhere is a slip."""
    met = {old for one in data if one.provenance is not None for old in one.provenance.recoded}
    reached = {*met, *(new for old, new in options.recode.items() if old in met)}
    unknown = [old for old in new_names(options.recode, options.merge) if old not in reached]
    if not unknown:
        return
    known = sorted({*met, *(label for one in data for label in labels_of(one))}, key=natural_key)
    raise InputError(
        f"no label is called {unknown[0]!r}" + did_you_mean(unknown[0], known, "{!r}"),
        path=path,
        hint=f"the data have {some(known)}" if known else "the data have no labels",
    )


def asked(data: Annotations, options: ReadOptions) -> Annotations:
    """Return the data that know what was asked of their values, as signatures name it."""
    given = {name: getattr(options, name) for name in ASKED}
    if options.empty:  # of a record of both sides, the system's
        del given["predictions"]
    said = {
        name: _signed(value) for name, value in given.items() if value and value != _USUAL[name]
    }
    if options.missing_values == ():
        said["missing_values"] = ""
    if not said:
        return data
    kept = data.provenance or Provenance()
    return changed(data, provenance=replace(kept, asked={**kept.asked, **said}))


def _signed(value: object) -> str:
    """A value as signatures have it: names with commas, a mapping as OLD=NEW."""
    if isinstance(value, Mapping):
        return ";".join(f"{bare(old, *_SIGNS)}={_signed(new)}" for old, new in value.items())
    if isinstance(value, (tuple, list)) and all(isinstance(one, str) for one in value):
        return ",".join(bare(one, *_SIGNS) for one in value)
    return bare(value, *_SIGNS) if isinstance(value, str) else written(value)


#: signs between the parts of a value
_SIGNS = (",", ";", "=")


def labels_of(data: Annotations) -> Sequence[str]:
    """Every label that occurs in data of any shape."""
    if isinstance(data, Ratings):
        return label_names(data.values) if data.kind == "sets" else data.labels
    return getattr(data, "categories", ())


def relabelled(data: Annotations, options: ReadOptions, record: Record) -> Annotations:
    """Return the data of a file that leaves nothing to decide, their labels under their new names."""
    if not (options.recode or options.merge or options.missing_values) or not isinstance(
        data, (Units, Boxes, Relations)
    ):
        return data
    held = np.bincount(data.label[data.label >= 0], minlength=len(data.categories)).tolist()
    counts = {name: n for name, n in zip(data.categories, held, strict=True) if n}
    new = recoded(counts, options, record)
    absent = [name for name in counts if name in (options.missing_values or ())]
    for name in absent:
        record.missing[name] += counts[name]
    names = [new.get(name, name) for name in data.categories if name not in absent]
    distinct = sorted(dict.fromkeys(names), key=natural_key)
    place = {name: i for i, name in enumerate(distinct)}
    codes = [place.get(new.get(name, name), -1) for name in data.categories]
    label = np.array([*codes, -1], dtype=data.label.dtype)[data.label]
    return changed(data, categories=tuple(distinct), label=label)
