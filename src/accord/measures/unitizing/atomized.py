"""Coefficients for ratings on a continuum cut into atoms: by name only, with their warning."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from accord.data import Ratings, Units
from accord.errors import InputError
from accord.measures.ratings.alpha import alpha
from accord.measures.ratings.annotator_urns import conger, kappa
from accord.measures.unitizing.continua import Floats, Index
from accord.measures.unitizing.options import ATOM, BESIDE, LENGTH, METRIC, OVERLAPPING_ATOMS, SEED
from accord.measures.unitizing.overlap import left_out, without_overlap
from accord.measures.unitizing.resolution import atom_of
from accord.options import exact
from accord.registry import measure
from accord.result import Result, signature

_WARNING = (
    "pieces of the continuum are not what the annotators decided on: long units weigh more, "
    "cutting a unit in two goes unnoticed and neighbouring pieces are not independent; read gamma instead"
)
_RECORD: dict[str, Any] = {
    "shape": "units",
    "question": "agree",
    "chance": True,
    "explicit": True,
    "origin_free": False,
    "use": "Only to compare with studies that did so; the result carries a warning, and gamma "
    "beside it.",
}


@measure(
    "atomized-alpha",
    title="Krippendorff's α on characters, tokens or frames",
    aliases=("atomised-alpha",),
    citation="Krippendorff (2013), Content Analysis; warned against in Mathet, Widlöcher & Métivier "
    "(2015), Computational Linguistics 41(3)",
    range=(-float("inf"), 1.0),
    **_RECORD,
    options=(ATOM, METRIC, LENGTH, OVERLAPPING_ATOMS, BESIDE, SEED),
)
def atomized_alpha(
    units: Units,
    *,
    atom: float | None,
    metric: str | Path,
    length: float | None,
    overlaps: str,
    beside: bool,
    seed: int,
) -> Result:
    """α over atoms (characters, tokens, frames of `atom`), each rated by the labels that cover it.

    An atom bears the set of labels of the units that cover its middle, so overlapping units are
    legal; no unit is a value like any other. `metric` may be jaccard or masi to credit sets that
    share a label; `overlap` keeps only the outermost or innermost of overlapping units. γ of the
    same data is in ``terms["gamma"]`` unless `beside` is false.

    >>> rows = [("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")]
    >>> print(atomized_alpha(Units.from_rows(rows, lengths={"d": 10}), beside=False))
    atomized-alpha = 0.7912
    """
    kept, said, atom = _layer(units, overlaps, "atomized-alpha", atom, length)
    ratings = atomize(kept, atom=atom, length=length)
    if metric in ("jaccard", "masi"):
        result = alpha(ratings, metric=metric)
    else:
        result = alpha(_named(ratings), metric=metric)
    return _told("atomized-alpha", units, result, said, atom, beside, seed, metric=str(metric))


@measure(
    "atomized-kappa",
    title="Cohen's κ (Conger's for several annotators) on characters, tokens or frames",
    aliases=("atomised-kappa",),
    citation="Cohen (1960); Conger (1980); warned against in Mathet, Widlöcher & Métivier (2015), "
    "Computational Linguistics 41(3)",
    range=(-1.0, 1.0),
    **_RECORD,
    options=(ATOM, LENGTH, OVERLAPPING_ATOMS, BESIDE, SEED),
)
def atomized_kappa(
    units: Units,
    *,
    atom: float | None,
    length: float | None,
    overlaps: str,
    beside: bool,
    seed: int,
) -> Result:
    """κ over atoms, each rated by the set of labels that cover it; see :func:`atomized_alpha`.

    >>> rows = [("d", "A", 0, 4, "x"), ("d", "B", 1, 4, "x")]
    >>> print(atomized_kappa(Units.from_rows(rows, lengths={"d": 10}), beside=False))
    atomized-kappa = 0.7826
    """
    kept, said, atom = _layer(units, overlaps, "atomized-kappa", atom, length)
    ratings = _named(atomize(kept, atom=atom, length=length))
    # (documents that one annotator alone has seen are left out, as everywhere in units)
    coefficient = kappa if len(units.annotators) == 2 else conger
    result = coefficient(ratings, missing="pairable")
    return _told("atomized-kappa", units, result, said, atom, beside, seed)


def _layer(
    units: Units, rule: str, name: str, atom: float | None, length: float | None
) -> tuple[Units, tuple[str, ...], float]:
    """The units that count, what is said of those that do not, and the size of an atom."""
    offsets = np.concatenate([units.start, units.end, units.lengths, [length or np.nan]])
    size, told = atom_of(offsets, atom, name, needed=True)
    if rule == "all":
        return units, told, size
    kept, lost = without_overlap(units, rule)
    return kept, (*told, *left_out(lost, rule)), size


def atomize(units: Units, *, atom: float = 1.0, length: float | None = None) -> Ratings:
    """Ratings with one item for each stretch of atoms that all annotators cover alike.

    The value is the set of labels covering an atom's middle; an item stands for as many atoms as
    its stretch has (`multiplicity`).
    """
    # atom k has its middle in [s, e) for ceil(s/atom - ½) ≤ k < ceil(e/atom - ½)
    first = np.ceil(units.start / atom - 0.5).astype(np.int64)
    last = np.ceil(units.end / atom - 0.5).astype(np.int64)
    extent = np.zeros(len(units.documents), dtype=np.int64)
    np.maximum.at(extent, units.document, last)
    known = np.where(np.isfinite(units.lengths), units.lengths, length or np.nan)
    given = np.isfinite(known)
    size = np.ceil(known[given] / atom - 0.5).astype(np.int64)
    if (size < extent[given]).any():
        raise InputError("a unit ends past the end of its document", hint="check the length")
    extent[given] = size
    values: dict[frozenset[str], int] = {}
    ratings: list[tuple[Index, Index]] = []
    names: list[str] = []
    sizes: list[Floats] = []
    places: list[Index] = []
    bounds = np.searchsorted(units.document, np.arange(len(units.documents) + 1))
    for d, name in enumerate(units.documents):
        here = np.arange(bounds[d], bounds[d + 1])
        here = here[first[here] < last[here]]
        edges = np.unique(np.concatenate([[0, extent[d]], first[here], last[here]]))
        who = np.flatnonzero(units.coverage[d])
        table = _label_sets(units, here, first, last, edges, who, values)
        kept = np.diff(edges) > 0
        ratings.extend((who.astype(np.int64), column) for column in table[kept])
        names.extend(f"{name}:{p}" for p in edges[:-1][kept].tolist())
        sizes.append(np.diff(edges)[kept])
        places.append(np.full(int(kept.sum()), d))
    counts = np.array([len(w) for w, _ in ratings], dtype=np.int64)
    code = [c for _, c in ratings]
    return Ratings(
        items=names,
        annotators=units.annotators,
        values=tuple(values),
        kind="sets",
        indptr=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        annotator=_flat([w for w, _ in ratings]).astype(np.int32),
        code=_flat(code).astype(np.int32),
        documents=units.documents,
        document=_flat(places).astype(np.int32),
        multiplicity=_flat(sizes),
        notes=units.notes,
    )


def _label_sets(
    units: Units,
    here: Index,
    first: Index,
    last: Index,
    edges: Index,
    who: Index,
    values: dict[frozenset[str], int],
) -> Index:
    """Stretches × annotators: the code of the set of labels."""
    place = {int(a): i for i, a in enumerate(who)}
    covering: list[list[set[str]]] = [[set() for _ in who] for _ in edges[:-1]]
    for u in here.tolist():
        name = "(no label)" if units.label[u] < 0 else units.categories[units.label[u]]
        low, high = np.searchsorted(edges, [first[u], last[u]]).tolist()
        column = place[int(units.annotator[u])]
        for stretch in range(low, high):
            covering[stretch][column].add(name)
    table = np.empty((len(covering), len(who)), dtype=np.int64)
    for i, stretch_sets in enumerate(covering):
        for j, labels in enumerate(stretch_sets):
            table[i, j] = values.setdefault(frozenset(labels), len(values))
    return table


def _flat(parts: list[Any]) -> Any:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _named(ratings: Ratings) -> Ratings:
    """Sets of labels as plain categories; one label is itself, so that matrices can name it."""
    labels = tuple(
        "(gap)" if not v else next(iter(v)) if len(v) == 1 else "+".join(sorted(v))
        for v in ratings.values
    )
    return replace(ratings, values=labels, kind="categories", _profiles={})


def _told(
    name: str,
    units: Units,
    result: Result,
    said: Sequence[str],
    atom: float,
    beside: bool,
    seed: int,
    **options: object,
) -> Result:
    terms = dict(result.terms)
    warnings = [*units.notes, *said, *result.warnings, _WARNING]
    if beside:
        terms["gamma"], said = _gamma_beside(units, seed)
        warnings += said
    return replace(
        result,
        measure=name,
        terms=terms,
        signature=signature(name, result.n, atom=exact(atom), **options, seen=units.seen),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _gamma_beside(units: Units, seed: int) -> tuple[float | None, list[str]]:
    from accord.errors import AccordError
    from accord.registry import find

    try:
        gamma: Callable[..., Result] = find("gamma").function
        found = gamma(units, seed=seed)
    except AccordError as problem:
        return None, [f"gamma could not be put beside it: {problem.sentence}"]
    return found.value, [f"gamma of the same data is {found.value:.4f}"]
