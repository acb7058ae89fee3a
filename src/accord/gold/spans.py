"""Units without overlap: a reference by a sequence model that knows how reliable each annotator is."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from accord.data import Units
from accord.data.choose import some
from accord.errors import UsageError
from accord.gold.atoms import Index, Sequences, overlap, runs, sequences_of
from accord.gold.chain import run_probability
from accord.gold.consensus import Consensus
from accord.gold.dawid_skene import Progress
from accord.gold.sequence import MODELS, Tagging
from accord.result import Row, signature

#: a unit of the reference: (document, first, end, label, probability that it is exactly this)
Found = tuple[int, float, float, int, float]


def span_consensus(
    data: Units,
    method: str = "bsc",
    *,
    name: str = "reference",
    progress: Progress | None = None,
    **options: Any,
) -> Consensus:
    """Units by `method` (bsc, hmm-crowd or token-dawid-skene) on atoms cut at the annotators' borders.

    All labels are one layer when nobody's units overlap; otherwise each label is a layer of its own,
    and units of one label that overlap are refused. An annotator who saw a document and marked nothing
    says so. The confidence of a unit is the posterior probability of exactly this unit (of its least
    certain atom for the model without a chain), before calibration.
    """
    if method not in MODELS:
        raise UsageError(f"the method must be one of {', '.join(MODELS)} for units, got {method!r}")
    found: list[Found] = []
    rows: list[dict[str, Any]] = []
    accuracy = np.zeros(len(data.annotators))
    weight = np.zeros(len(data.annotators))
    converged = True
    layers = _layers(data)
    for labels in layers:
        atoms = sequences_of(data, labels)
        if not atoms.n_atoms:
            continue
        tagged = MODELS[method](atoms, progress=progress, **options)
        converged &= tagged.converged
        units = _decoded(atoms, tagged, labels)
        found += units
        rows += _rows(data, atoms, tagged, units, labels)
        given = np.bincount(atoms.annotator, minlength=len(data.annotators))
        accuracy += np.nan_to_num(tagged.accuracy) * given
        weight += given
    rows.sort(key=lambda r: (str(r["document"]), r["start"], r["end"], str(r["label"])))
    covered = [d for i, d in enumerate(data.documents) if data.coverage[i].any()]
    reference = Units.from_rows(
        [(data.documents[d], name, s, e, _label(data, code)) for d, s, e, code, _ in found],
        lengths={
            d: float(data.lengths[i])
            for i, d in enumerate(data.documents)
            if d in set(covered) and np.isfinite(data.lengths[i])
        },
        coverage=[(d, name) for d in covered],
        categories=list(data.categories),
    )
    alone = [d for i, d in enumerate(data.documents) if data.coverage[i].sum() == 1]
    warnings = []
    if alone:
        warnings.append(f"{len(alone)} documents were seen by one annotator only: {some(alone)}")
    if not converged:
        warnings.append(f"{method} stopped before it settled; raise rounds")
    if len(layers) > 1:
        warnings.append("units of different labels overlap: each label is a layer of its own")
    with np.errstate(invalid="ignore"):
        share = np.where(weight > 0, accuracy / np.maximum(weight, 1), np.nan)
    return Consensus(
        method=method,
        data=data,
        reference=reference,
        rows=tuple(rows),
        annotators=_annotators(data, share, reference),
        terms={"units": len(found), "considered": len(rows), "layers": len(layers)},
        warnings=tuple(warnings),
        signature=signature(f"gold:{method}", len(covered), **options),
    )


def _layers(data: Units) -> list[Index]:
    """All labels together when nobody's units overlap, else each label by itself."""
    labels = np.unique(data.label).astype(np.int64)
    clash = _overlaps(data, by_label=False)
    if clash is None:
        return [labels]
    twice = _overlaps(data, by_label=True)
    if twice is not None:
        raise overlap(data, *twice)
    return [labels[i : i + 1] for i in range(len(labels))]


def _overlaps(data: Units, *, by_label: bool) -> tuple[int, int, float] | None:
    """Document, annotator and start of a unit that begins before another of its layer has ended."""
    layer = data.label if by_label else np.zeros(len(data), dtype=np.int64)
    order = np.lexsort((data.start, layer, data.annotator, data.document))
    d, a, x = data.document[order], data.annotator[order], layer[order]
    start, end = data.start[order], data.end[order]
    same = (d[1:] == d[:-1]) & (a[1:] == a[:-1]) & (x[1:] == x[:-1])
    # sorted by start, a unit overlaps an earlier one exactly when some neighbour pair does
    clash = np.flatnonzero(same & (start[1:] < end[:-1]))
    if not len(clash):
        return None
    i = int(clash[0]) + 1
    return int(d[i]), int(a[i]), float(start[i])


def _decoded(atoms: Sequences, tagged: Tagging, labels: Index) -> list[Found]:
    found = []
    for s, d in enumerate(atoms.document.tolist()):
        low, high = int(atoms.indptr[s]), int(atoms.indptr[s + 1])
        for first, end, j in runs(tagged.path[low:high]):
            p = _probability(atoms, tagged, s, low + first, low + end, j)
            found.append(
                (
                    d,
                    float(atoms.start[low + first]),
                    float(atoms.end[low + end - 1]),
                    int(labels[j]),
                    p,
                )
            )
    return found


def _probability(atoms: Sequences, tagged: Tagging, s: int, first: int, end: int, j: int) -> float:
    low, high = int(atoms.indptr[s]), int(atoms.indptr[s + 1])
    if tagged.smoothed is None or tagged.transition is None:
        inside = tagged.posterior[first:end, [1 + 2 * j, 2 + 2 * j]].sum(axis=1)
        return float(inside.min())
    return run_probability(
        tagged.smoothed, tagged.transition, first, end, j, first == low, end == high
    )


def _rows(
    data: Units, atoms: Sequences, tagged: Tagging, units: list[Found], labels: Index
) -> list[dict[str, Any]]:
    """Every unit of the reference, and every unit somebody marked that is not in it."""
    marked = Counter[tuple[int, float, float, int]]()
    for i in np.flatnonzero(np.isin(data.label, labels)).tolist():
        marked[
            int(data.document[i]), float(data.start[i]), float(data.end[i]), int(data.label[i])
        ] += 1
    held = {u[:4]: u[4] for u in units}
    number = {int(code): j for j, code in enumerate(labels)}
    place = {d: s for s, d in enumerate(atoms.document.tolist())}
    rows = []
    for key in {**dict.fromkeys(held), **dict.fromkeys(marked)}:
        d, start, end, code = key
        kept = key in held
        if kept:
            p = held[key]
        else:
            s = place[d]
            low, high = int(atoms.indptr[s]), int(atoms.indptr[s + 1])
            first = low + int(np.searchsorted(atoms.start[low:high], start))
            stop = low + int(np.searchsorted(atoms.end[low:high], end)) + 1
            p = _probability(atoms, tagged, s, first, stop, number[code])
        n = int(data.coverage[d].sum())
        rows.append(
            {
                "item": f"{data.documents[d]}:{start:.15g}-{end:.15g}",
                "document": data.documents[d],
                "start": start,
                "end": end,
                "label": _label(data, code),
                "support": marked[key],
                "annotators": n,
                "label_share": marked[key] / n if n else 0.0,
                "tie": False,
                "kept": kept,
                "confidence": p if kept else 1 - p,
                "source": "rule",
            }
        )
    return rows


def _annotators(data: Units, share: Any, reference: Units) -> tuple[Row, ...]:
    """Share of right tags, and exact precision and recall of each annotator's units."""
    held = {
        (reference.documents[d], s, e, _label(reference, int(c)))
        for d, s, e, c in zip(
            reference.document.tolist(), reference.start.tolist(), reference.end.tolist(),
            reference.label.tolist(), strict=True,
        )
    }  # fmt: skip
    rows = []
    for a, who in enumerate(data.annotators):
        own = [
            (
                data.documents[int(data.document[i])],
                float(data.start[i]),
                float(data.end[i]),
                _label(data, int(data.label[i])),
            )
            for i in np.flatnonzero(data.annotator == a)
        ]
        asked = sum(1 for u in held if data.coverage[data.documents.index(u[0]), a])
        right = sum(u in held for u in own)
        rows.append(
            {
                "annotator": who,
                "n": len(own),
                "accuracy": float(share[a]),
                "precision": right / len(own) if own else np.nan,
                "recall": right / asked if asked else np.nan,
            }
        )
    return tuple(rows)


def _label(data: Units, code: int) -> str | None:
    return None if code < 0 else data.categories[code]
