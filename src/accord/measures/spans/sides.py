"""A reference and a system side by side: the same documents, the same labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from accord.data import Boxes, Units
from accord.data.encode import encode_sorted
from accord.data.texts import agreed_texts, same_places
from accord.errors import InputError, UsageError, some

Missing = Literal["empty", "error"]
Index = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Side:
    """Spans of one side, sorted by document, start, end, label."""

    document: Index
    start: Floats
    end: Floats
    #: index into the common labels; the last one stands for "no label" when that occurs
    label: Index

    def __len__(self) -> int:
        return len(self.start)

    @property
    def length(self) -> Floats:
        return self.end - self.start


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Both:
    """Reference and system over the documents of either."""

    documents: tuple[str, ...]
    labels: tuple[str | None, ...]
    reference: Side
    system: Side
    integral: bool
    warnings: tuple[str, ...]


def pair_up(reference: Units, system: Units, *, missing_documents: Missing = "empty") -> Both:
    """Put both sides over the same documents and labels.

    A document without any span on one side is empty there, with a warning that names it: a file of
    spans cannot say that it was read and nothing was found. A document that the reference's
    annotator did not see (its coverage says so) is left out, with a warning. With
    ``missing_documents="error"`` a document on one side only is an error. A single document of the
    same text on both sides is one document, whatever the two files call it.
    """
    _refuse_several(reference, system)
    warnings = []
    if _one_text(reference, system):
        ours, theirs = reference.documents[0], system.documents[0]
        warnings.append(f"document {theirs!r} of the system has the text of {ours!r}: paired")
        system = replace(system, documents=reference.documents)
    agreed_texts([reference, system])
    documents, told = shared_documents(reference, system, missing_documents)
    names = shared_labels(reference, system)
    return Both(
        documents=tuple(documents),
        labels=tuple(names),
        reference=_side(reference, documents, names),
        system=_side(system, documents, names),
        integral=reference.integral and system.integral,
        warnings=(*warnings, *told),
    )


def _refuse_several(reference: Units | Boxes, system: Units | Boxes) -> None:
    for data, side in ((reference, "reference"), (system, "system")):
        if len(data.annotators) > 1:
            raise InputError(
                f"the {side} has {len(data.annotators)} annotators: {some(data.annotators)}",
                hint=f"choose one: {side}.select(annotators=[{data.annotators[0]!r}])",
            )


def shared_documents(
    reference: Units | Boxes, system: Units | Boxes, missing_documents: Missing
) -> tuple[list[str], list[str]]:
    """The documents of either side that the reference's annotator saw, and what is to be said of them."""
    if missing_documents not in ("empty", "error"):
        raise UsageError(f"missing documents must be empty or error, got {missing_documents!r}")
    _refuse_several(reference, system)
    warnings: list[str] = []
    what = {"units": "spans", "boxes": "shapes"}[reference.shape]
    documents = encode_sorted([*reference.documents, *system.documents])[1]
    unseen = (
        {reference.documents[d] for d in np.flatnonzero(~reference.coverage.any(axis=1)).tolist()}
        if len(reference.annotators)
        else set()
    )
    if unseen:
        documents = [d for d in documents if d not in unseen]
        warnings.append(
            f"{len(unseen)} documents were not annotated in the reference and are left out: "
            f"{some(sorted(unseen))}"
        )
    for data, side, then in (
        (reference, "reference", f"the system's {what} there are spurious"),
        (system, "system", f"the reference's {what} there are missed"),
    ):
        absent = sorted(set(documents) - set(data.documents))
        if absent and missing_documents == "error":
            raise InputError(
                f"document {absent[0]!r} is missing in the {side}",
                hint='count it as empty with missing_documents="empty"',
            )
        if absent:
            warnings.append(
                f"{len(absent)} of {len(documents)} documents have nothing in the {side} "
                f"({then}): {some(absent)}"
            )
    return documents, warnings


def shared_labels(reference: Units | Boxes, system: Units | Boxes) -> list[str | None]:
    """The labels of both sides; None last where something has no label."""
    names: list[str | None] = list(encode_sorted([*reference.categories, *system.categories])[1])
    if (reference.label < 0).any() or (system.label < 0).any():
        names.append(None)
    return names


def _one_text(reference: Units, system: Units) -> bool:
    """Both sides are the same single text under two names."""
    if not len(reference.documents) == len(system.documents) == 1:
        return False
    ours, theirs = reference.texts or (None,), system.texts or (None,)
    return (
        reference.documents != system.documents
        and bool(ours[0] and theirs[0])
        and same_places(ours[0] or "", theirs[0] or "")
    )


def _side(data: Units, documents: Sequence[str], labels: Sequence[str | None]) -> Side:
    place = {name: i for i, name in enumerate(documents)}
    number = np.array([place.get(name, -1) for name in data.documents], dtype=np.int64)
    at = {name: i for i, name in enumerate(labels)}
    # the entry after the last category is where label -1 (none) lands
    code = np.array([*(at[c] for c in data.categories), at.get(None, -1)], dtype=np.int64)
    document = number[data.document]
    start, end, label = data.start, data.end, code[data.label]
    kept = (np.diff(number) > 0).all() and (np.diff(code[:-1]) > 0).all() and (number >= 0).all()
    if kept and data.label.min(initial=0) >= 0:
        # units come sorted, and their new numbers keep the order
        return Side(document=document, start=start, end=end, label=label)
    order = np.lexsort((label, end, start, document))
    order = order[document[order] >= 0]
    return Side(document=document[order], start=start[order], end=end[order], label=label[order])
