"""Columns that no role has claimed: what they look like, and the question that follows.

A table of located annotations whose documents or labels go unread still gives a number: all documents
become one, all labels one. A column that is called like a document or a label is therefore taken for
it, and one whose cells look like it is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from accord.data.encode import Codes, encode
from accord.data.protocol import Shape
from accord.data.schema import SCHEMAS
from accord.data.values import Column, is_number, listed
from accord.reading.columns import LIKELY, SYNONYMS, is_comment, plain_name
from accord.reading.named import Named

#: the longest text that is a label or a name of a document
_LONGEST = 60
#: overlaps of an annotator with themselves that a column must take apart to look like documents
_OVERLAPS = 5
#: role → what a column of it does
_DOES = {"document": "names the documents", "label": "holds the labels"}
#: columns that are named, and neither a document nor a label
_ELSEWHERE = ("time", "weight", "text", "comment")


@dataclass(frozen=True, slots=True, eq=False)
class Rows:
    """Whose each row is, of which document, and where: as far as a table says it."""

    annotator: Codes
    document: Codes | None
    places: tuple[NDArray[np.float64], NDArray[np.float64]] | None


def claimed(named: Named, shape: Shape) -> Named:
    """The columns of a located shape by role, with the documents and labels that names or cells tell.

    Names are likely and can be said otherwise; cells alone are a question. A role that ``columns``
    names, or says that nothing has it, raises none.
    """
    record, own = named.record, SCHEMAS[shape].roles
    roles = [r for r in _DOES if r in own and r not in named.options.columns]
    known = dict(named.found)
    if shape == "boxes" and "image" in known:
        known.setdefault("document", known["image"])
    named = replace(named, found=known)
    if named.table.height:
        for role in roles:
            _by_name(role, named, known, shape)
        open_roles = [role for role in roles if role not in known]
        if open_roles:
            _ask(open_roles, named, shape)
    used = {role: known[role] for role in own if role in known}
    record.columns.clear()
    record.columns.update(used)
    record.unused.clear()
    others = [name for name in named.columns if name not in used.values()]
    record.unused.update({name: _like(name, known) for name in others})
    return named


def _by_name(role: str, named: Named, found: dict[str, str], shape: Shape) -> None:
    """Take the first column that is called like the role; others of such names stay a choice."""
    left = named.without(*SCHEMAS[shape].roles)
    plain = {plain_name(name): name for name in reversed(left)}
    called = list(dict.fromkeys(plain[n] for n in LIKELY[role] if n in plain))
    if not called:
        return
    rows = _rows(named)
    called = [name for name in called if _may_be(role, name, _codes(left[name]), rows)]
    sure = role in found
    if sure:
        document = rows.document if role == "document" else None
        called = [name for name in called if not _follows(_codes(left[name]), document)]
    if not called:
        return
    first = found[role] if sure else called[0]
    found[role] = first
    others = [n for n in called if n != first] + ([] if sure else [""])
    ways = [("columns", {role: name}) for name in others]
    named.record.assume(f"{first!r} {_DOES[role]}", *ways, why="by its name")


def _may_be(role: str, name: str, codes: Codes, rows: Rows) -> bool:
    """Whether the cells let a column be what its name says: numbers of rows are called like items."""
    if role == "label" or plain_name(name) not in SYNONYMS["item"]:
        return True
    pairs = _pair(rows.annotator, codes)
    return len(np.unique(pairs)) < len(pairs)


def _ask(roles: list[str], named: Named, shape: Shape) -> None:
    """Ask about the first column that looks like a document or a label and is called otherwise."""
    rows = _rows(named)
    looks = {"document": _is_document, "label": _is_label}
    for name, column in named.without(*SCHEMAS[shape].roles, *_ELSEWHERE).items():
        if is_comment(name) or not _is_text(column):
            continue
        codes = _codes(column)
        like = [role for role in roles if looks[role](codes, rows)]
        if like:
            looks_like, neither = _OPEN[tuple(like)]
            answers = {f"{name!r} {_DOES[role]}": ("columns", {role: name}) for role in like}
            none = {neither: ("columns", dict.fromkeys(like, ""))}
            named.record.ask(looks_like.format(name), answers | none)


#: roles that a column may have → the question, and what is so when it has none of them
_OPEN = {
    ("document",): (
        "column {!r} is not used and looks like names of documents",
        "all is one document",
    ),
    ("label",): ("column {!r} is not used and looks like labels", "units have no labels"),
    ("document", "label"): (
        "column {!r} is not used and looks like names of documents or labels",
        "it is neither",
    ),
}


def _is_text(column: Column) -> bool:
    """Whether the cells are short texts, most of them no numbers."""
    if isinstance(column, np.ndarray) and column.dtype.kind not in "OUST":
        return False
    _, names = encode(listed(column))
    texts = [n for n in names if n is not None]
    if not texts or not all(isinstance(n, str) for n in texts):
        return False
    numbers = sum(is_number(n) for n in texts)
    return 2 * numbers < len(texts) and max(map(len, texts)) <= _LONGEST


def _is_label(codes: Codes, rows: Rows) -> bool:
    """Few values, shared by the annotators, and more than one of an annotator in a document."""
    return _repeats(codes, rows.annotator) and not _follows(codes, rows.document)


def _is_document(codes: Codes, rows: Rows) -> bool:
    """Few values, shared by the annotators, each of which is one run of rows; places begin again in it.

    Without runs: units of one annotator overlap, and none does within a value.
    """
    if not _repeats(codes, rows.annotator):
        return False
    order = np.argsort(rows.annotator, kind="stable")
    who, what = rows.annotator[order], codes[order]
    same_person = who[1:] == who[:-1]
    new = ~same_person | (what[1:] != what[:-1])
    runs = int(new.sum()) + 1 == len(np.unique(_pair(who, what)))
    if rows.places is None:
        return runs
    start, end = (place[order] for place in rows.places)
    turns = same_person & new
    if runs and 2 * int((turns & (start[1:] < start[:-1])).sum()) >= max(1, int(turns.sum())):
        return True
    whole = _overlapping(who, start, end)
    return whole >= _OVERLAPS and not _overlapping(_pair(who, what), start, end)


def _repeats(codes: Codes, annotator: Codes) -> bool:
    """Two values or more, each twice or more on average, and most of them given by several people."""
    values = len(np.unique(codes))
    if values < 2 or 2 * values > len(codes) or _follows(codes, annotator):
        return False
    if len(np.unique(annotator)) < 2:
        return True
    pairs = np.unique(np.stack([codes, annotator]), axis=1)
    people = np.bincount(pairs[0])
    return 2 * int((people > 1).sum()) >= values


def _follows(codes: Codes, other: Codes | None) -> bool:
    """Whether one column follows from another that has several values."""
    if other is None:
        return False
    several = len(np.unique(other))
    return several > 1 and len(np.unique(_pair(other, codes))) == several


def _overlapping(
    group: NDArray[np.integer], start: NDArray[np.float64], end: NDArray[np.float64]
) -> int:
    """How many places begin before another of their group, which began no later, has ended."""
    order = np.lexsort((end, start, group))
    _, number = np.unique(group[order], return_inverse=True)
    span = float(max(end.max(initial=0) - start.min(initial=0), 1.0)) * 2
    reach = np.maximum.accumulate(end[order] + number * span)
    return int((start[order][1:] + number[1:] * span < reach[:-1]).sum())


def _rows(named: Named) -> Rows:
    who, document = named.column("annotator"), named.column("document")
    nobody = np.zeros(named.table.height, dtype=np.int32)
    start, end = (_places(named.column(role)) for role in ("start", "end"))
    return Rows(
        nobody if who is None else _codes(who),
        None if document is None else _codes(document),
        None if start is None or end is None else (start, end),
    )


def _places(column: Column | None) -> NDArray[np.float64] | None:
    """Numbers, or None where some are none: whoever builds the data says which."""
    if column is None:
        return None
    try:
        found = np.asarray(column if isinstance(column, np.ndarray) else list(column), np.float64)
    except (TypeError, ValueError):
        return None
    return found if np.isfinite(found).all() else None


def _codes(column: Column) -> Codes:
    return encode(listed(column))[0]


def _pair(first: Codes, second: Codes) -> NDArray[np.int64]:
    """One number for each pair of numbers."""
    pairs: NDArray[np.int64] = first.astype(np.int64) * (int(second.max(initial=0)) + 1) + second
    return pairs


def _like(name: str, found: Mapping[str, str]) -> str:
    """What an unused column is called like; nothing for most."""
    called = plain_name(name)
    if is_comment(name):
        return "text" if called in SYNONYMS["text"] else "comment"
    likely = next((role for role, names in LIKELY.items() if called in names), "")
    return next((role for role, own in found.items() if own == name), likely)
