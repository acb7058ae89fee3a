"""Would chance do as much? A permutation test within documents.

What independent annotators would have given is drawn again and again: of ratings, the values of each
annotator in another order among the items of each document that they rated; of units, the units of
each annotator turned to another place of the document (:mod:`accord.chance.rotation`). Everybody keeps
their habits and every document its own, so that agreement on them is no evidence. p is the share of
the draws, and of the campaign itself, that agree at least as much. An interval over few documents
answers another question, and is wide because they are few.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from accord.alignment.align import align
from accord.audit.case import Case
from accord.chance.atom import atom_of
from accord.chance.rotation import Manner
from accord.data import Annotations, Ratings, Units
from accord.data.continuum import Document, documents_of
from accord.errors import AccordError
from accord.study import Study

#: draws, of much data fewer, and never fewer than can show p under 5 %
_DRAWS, _LEAST = 199, 39
#: ratings, and units, that are drawn again in all
_RATINGS, _UNITS = 20_000_000, 60_000


def chance_p(case: Case) -> float | None:
    """p of as much agreement among independent annotators; None where it is not tested."""
    return case.once("chance_p", lambda: _tested(case.data, case.recommended, case.seed))


def _tested(given: Any, study: Study, seed: int) -> float | None:
    data: Annotations = given
    drawn: Callable[[np.random.Generator], Any]
    measured: Callable[[Any, Study], float]
    if isinstance(data, Ratings) and _has_people(data):
        drawn, measured, size, most = _ratings(data), _value, len(data.code), _RATINGS
    elif isinstance(data, Units) and len(data):
        drawn, measured, size, most = _units(data), _order, len(data), _UNITS
    else:
        return None
    rng = np.random.default_rng(seed)
    draws = int(np.clip(most // max(1, size), _LEAST, _DRAWS))
    try:
        here = measured(given, study)
        values = np.array([measured(drawn(rng), study) for _ in range(draws)])
    except AccordError:
        return None
    if not np.isfinite(here):
        return None
    return float((1 + np.sum(~(values < here - 1e-12))) / (1 + draws))


def _has_people(data: Ratings) -> bool:
    return not data.anonymous and data.sums is None and data.multiplicity is None


def _ratings(data: Ratings) -> Callable[[np.random.Generator], Ratings]:
    """Draws of the same ratings, each annotator's values in another order within each document."""
    document = np.zeros(len(data.code), dtype=np.int64)
    if data.document is not None:
        document = data.document[data.item].astype(np.int64)
    group = document * len(data.annotators) + data.annotator
    place = np.argsort(group, kind="stable")
    plain = replace(data, probabilities=None, repeats=(), engine=None)

    def drawn(rng: np.random.Generator) -> Ratings:
        code = np.empty_like(data.code)
        code[place] = data.code[np.lexsort((rng.random(len(group)), group))]
        return replace(plain, code=code, _profiles={})

    return drawn


def _units(data: Units) -> Callable[[np.random.Generator], Units]:
    """Draws of the same units, each annotator's turned within each document."""
    documents = [d for d in documents_of(data) if len(d.annotators) >= 2]
    atom = atom_of([d.continuum for d in documents])
    manners = [(d, Manner.of(d.continuum, atom)) for d in documents]
    lengths = {d.name: d.continuum.high for d in documents if d.continuum.known}

    def drawn(rng: np.random.Generator) -> Units:
        rows = [row for d, manner in manners for row in _rows(data, d, manner.turned(rng))]
        seen = [(d.name, who) for d in documents for who in d.annotators]
        return Units.from_rows(rows, lengths=lengths, coverage=seen, duplicates="keep", points=True)

    return drawn


def _rows(data: Units, document: Document, turned: Any) -> list[tuple[Any, ...]]:
    return [
        (document.name, document.annotators[a], s, e, None if c < 0 else data.categories[c])
        for a, s, e, c in zip(turned.annotator, turned.start, turned.end, turned.label, strict=True)
    ]


def _value(data: Any, study: Study) -> float:
    return float(study.of(data).result.value)


def _order(units: Any, study: Study) -> float:
    """How little disorder the best alignments leave, under the options of the measure."""
    known = signature(align).parameters
    options = {k: v for k, v in study.options.items() if k in known}
    return -float(sum(a.disorders.sum() for a in align(units, **options)))
