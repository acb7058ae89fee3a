"""Units without overlap: a reference by a sequence model that knows how reliable each annotator is."""

from __future__ import annotations

from typing import Any

import numpy as np

from accord.data import Units
from accord.data.progress import Progress
from accord.errors import UsageError, some
from accord.gold.aligned import quality
from accord.gold.atoms import Index, Sequences, overlap, runs, sequences_of
from accord.gold.chain import run_probability
from accord.gold.decisions.element import Element, unit_name, versions_of
from accord.gold.decisions.ledger import Ledger
from accord.gold.placed_reference import PlacedReference
from accord.gold.sequence import MODELS, Tagging
from accord.gold.unit_reference import Candidate, Settled, settle
from accord.result import Row, signature

#: a unit of the reference: (document, first, end, label, probability that it is exactly this)
Found = tuple[int, float, float, int, float]


def span_consensus(
    data: Units,
    method: str = "bsc",
    *,
    name: str = "reference",
    decisions: Ledger | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> PlacedReference:
    """Units by `method` (bsc, hmm-crowd or token-dawid-skene) on atoms cut at the annotators' borders.

    All labels are one layer when nobody's units overlap; otherwise each label is a layer of its own,
    and units of one label that overlap are refused. An annotator who saw a document and marked nothing
    says so. The confidence of a unit is the posterior probability of exactly this unit (of its least
    certain atom for the model without a chain), before calibration.
    """
    if method not in MODELS:
        raise UsageError(f"the method must be one of {', '.join(MODELS)} for units, got {method!r}")
    candidates: list[Candidate] = []
    accuracy, weight = np.zeros(len(data.annotators)), np.zeros(len(data.annotators))
    converged = True
    layers = _layers(data)
    for labels in layers:
        atoms = sequences_of(data, labels)
        if not atoms.n_atoms:
            continue
        tagged = MODELS[method](atoms, progress=progress, **options)
        converged &= tagged.converged
        candidates += _candidates(data, atoms, tagged, labels)
        given = np.bincount(atoms.annotator, minlength=len(data.annotators))
        accuracy += np.nan_to_num(tagged.accuracy) * given
        weight += given
    candidates.sort(key=lambda c: (str(c[0]["document"]), c[0]["start"], c[0]["end"]))
    covered = [d for i, d in enumerate(data.documents) if data.coverage[i].any()]
    settled = settle(data, candidates, covered, name, decisions or Ledger())
    alone = [d for i, d in enumerate(data.documents) if data.coverage[i].sum() == 1]
    warnings = []
    if alone:
        warnings.append(f"{len(alone)} documents were annotated by one person only: {some(alone)}")
    if not converged:
        warnings.append(f"{method} stopped before it settled; raise rounds")
    if len(layers) > 1:
        warnings.append("units of different labels overlap: each label is a layer of its own")
    with np.errstate(invalid="ignore"):
        share = np.where(weight > 0, accuracy / np.maximum(weight, 1), np.nan)
    return PlacedReference(
        method=method,
        data=data,
        name=name,
        reference=settled.reference,
        considered=settled.rows,
        elements=settled.elements,
        resolution=settled.resolution,
        annotators=_annotators(data, share, settled),
        terms={
            "units": len(settled.reference),
            "considered": len(settled.rows),
            "layers": len(layers),
        },
        warnings=(*warnings, *settled.warnings),
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


def _candidates(data: Units, atoms: Sequences, tagged: Tagging, labels: Index) -> list[Candidate]:
    """Every unit that the model reads, and every unit somebody marked that it does not."""
    held = {u[:4]: u[4] for u in _decoded(atoms, tagged, labels)}
    number = {int(code): j for j, code in enumerate(labels)}
    place = {d: s for s, d in enumerate(atoms.document.tolist())}
    own = np.flatnonzero(np.isin(data.label, labels))
    by_document: dict[int, list[int]] = {}
    for i in own.tolist():
        by_document.setdefault(int(data.document[i]), []).append(i)
    wanted: dict[tuple[int, float, float, int], None] = dict.fromkeys(held)
    for i in own.tolist():
        key = int(data.document[i]), float(data.start[i]), float(data.end[i]), int(data.label[i])
        wanted.setdefault(key)
    out = []
    for key in wanted:
        d, start, end, code = key
        p = held.get(key)
        if p is None:
            s = place[d]
            low, high = int(atoms.indptr[s]), int(atoms.indptr[s + 1])
            first = low + int(np.searchsorted(atoms.start[low:high], start))
            stop = low + int(np.searchsorted(atoms.end[low:high], end)) + 1
            p = _probability(atoms, tagged, s, first, stop, number[code])
        out.append(_candidate(data, key, p, key in held, by_document[d]))
    return out


def _candidate(
    data: Units, key: tuple[int, float, float, int], p: float, kept: bool, units: list[int]
) -> Candidate:
    """A unit with what each annotator who saw the place says of it: the unit they have there."""
    d, start, end, code = key
    label = None if code < 0 else data.categories[code]
    said: dict[int, dict[str, Any]] = {}
    exact = []
    for i in units:
        a = int(data.annotator[i])
        if data.start[i] < end and data.end[i] > start:
            name = int(data.label[i])
            said.setdefault(
                a,
                {
                    "start": float(data.start[i]),
                    "end": float(data.end[i]),
                    "label": None if name < 0 else data.categories[name],
                },
            )
        if (data.start[i], data.end[i], data.label[i]) == (start, end, code):
            exact.append(data.annotators[a])
    seen = np.flatnonzero(data.coverage[d]).tolist()
    document = data.documents[d]
    item = unit_name(document, start, end)
    row = {
        "item": item,
        "document": document,
        "start": start,
        "end": end,
        "label": label,
        "support": len(exact),
        "annotators": len(seen),
        "label_share": len(exact) / len(seen) if seen else 0.0,
        "tie": False,
        "kept": kept,
        "confidence": p if kept else 1 - p,
        "source": "rule",
        "dissent": ";".join(
            data.annotators[a] for a in seen if (data.annotators[a] in exact) != kept
        ),
    }
    versions = versions_of((data.annotators[a], said.get(a)) for a in seen)
    where = {"document": document, "start": start, "end": end, "label": label}
    element = Element(item=item, document=document, place=where, versions=versions)
    return row, element, exact if kept else []


def _annotators(data: Units, share: Any, settled: Settled) -> tuple[Row, ...]:
    """Share of right tags, and how each annotator's units meet those of the reference."""
    rows = quality(data, settled.reference, settled.reference.documents, settled.matched)
    return tuple(
        {"annotator": row["annotator"], "n": row["n"], "accuracy": float(share[a]), **row}
        for a, row in enumerate(rows)
    )
