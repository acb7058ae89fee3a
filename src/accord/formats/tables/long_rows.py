"""The long table of any shape: its header and its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from accord.data import Annotations, Chains, Ratings, Relations, Segments, Units
from accord.data.label_sets import SEPARATOR, written
from accord.data.located import Located
from accord.data.probabilities import PREFIX
from accord.data.ratings import label_of

#: how a sentence about what a table of units cannot say ends
COVERAGE_HINT = "write a coverage table as well"


def long_rows(
    data: Annotations, lost: list[str], *, plain: bool = True
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    """Header and rows of the long table; `lost` receives what it cannot hold. `plain`: text cells."""
    if isinstance(data, Ratings):
        return _ratings_rows(data, lost, plain)
    if isinstance(data, Located):
        lost += _lost(data)
        return list(data.columns), _whole_places(data)
    if isinstance(data, Segments):
        if data.types is not None:
            lost.append("the types of the boundaries")
        return list(data.columns), (tuple(row.values()) for row in data.rows())
    if isinstance(data, Chains):
        if data.facts is not None:
            lost.append("what is known about mentions (heads, types)")
        silent = len(data.coverage) - len(set(zip(data.document, data.annotator, strict=True)))
        if silent:
            lost.append(f"{silent} documents annotated without any mention: {COVERAGE_HINT}")
        spans = all(
            isinstance(m, tuple) and len(m) == 2 for mentions in data.mentions for m in mentions
        )
        return ["document", "annotator", *(["start", "end"] if spans else ["mention"]), "entity"], (
            (
                data.documents[d],
                data.annotators[a],
                *(data.mentions[d][m] if spans else (label_of(data.mentions[d][m]),)),
                int(e),
            )
            for d, a, m, e in zip(
                data.document, data.annotator, data.mention, data.entity, strict=True
            )
        )
    raise TypeError(f"not annotations: {type(data).__name__}")


def _lost(data: Located) -> Iterator[str]:
    """What a table of places does not say."""
    if isinstance(data, Units) and data.texts is not None:
        yield "the texts of the documents"
    silent = int(data.coverage.sum()) - len(data.marked_pairs())
    if silent:
        yield {
            "units": f"{silent} documents annotated without any unit: {COVERAGE_HINT}",
            "relations": f"{silent} documents annotated without any relation: {COVERAGE_HINT}",
            "boxes": f"{silent} images annotated without any shape: {COVERAGE_HINT}",
        }[data.shape]
    if isinstance(data, Relations) and data.units is not None and len(data.units):
        yield f"{len(data.units)} units, in a relation or not: write a table of units as well"


def _whole_places(data: Located) -> Iterator[tuple[Any, ...]]:
    """The rows, with places as whole numbers where all are.

    Beyond 2⁵³ a double is no longer told from its neighbours, and few formats hold such integers.
    """
    whole = all(((p % 1 == 0) & (abs(p) < 2**53)).all() for p in data.places)
    for row in data.rows():
        yield tuple(int(v) if whole and isinstance(v, float) else v for v in row.values())


def _ratings_rows(
    data: Ratings, lost: list[str], plain: bool
) -> tuple[list[str], Iterator[tuple[Any, ...]]]:
    data = data.fetched()
    if data.declared:
        lost.append("the declared categories and their order: keep them in a file")
    if data.multiplicity is not None:
        lost.append("the single items: only counts of identical items are known")
    values: Sequence[Any] = data.labels
    if not plain:
        values = [
            sorted(v) if isinstance(v, frozenset) else float(v) if data.kind == "numbers" else v
            for v in data.values
        ]
    elif data.kind == "sets":
        values = [written(v) for v in data.values]
        if any(SEPARATOR in str(label) for value in data.values for label in value):
            lost.append(f"which labels hold a {SEPARATOR!r}: it separates the labels of a set")
    header = ["item", "annotator", "value"]
    likely = data.probabilities
    if likely is not None:
        header += [f"{PREFIX}{label}" for label in data.labels]
    extra: list[Any] = []
    for name, names, codes in (
        ("document", data.documents, data.document),
        ("time", data.times, data.time),
    ):
        if codes is not None:
            header.append(name)
            extra.append((names, codes))
    # what the item's text and remarks were called; a name that means something else here stays out
    kept = {name: cells for name, cells in data.extras.items() if name not in header}
    header += kept
    return header, (
        (
            data.items[i],
            data.annotators[a],
            values[c] if likely is None or likely.named[j] else None,
            *(() if likely is None else likely.share[j].tolist()),
            *(names[codes[i]] for names, codes in extra),
            *(cells[i] for cells in kept.values()),
        )
        for j, (i, a, c) in enumerate(
            zip(data.item.tolist(), data.annotator, data.code, strict=True)
        )
    )
