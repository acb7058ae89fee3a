"""The matrix of a score over a space of small objects: registered scores, and anybody's function."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import product
from typing import Any

import numpy as np

from accord.data import Chains, Segments, Units
from accord.errors import UsageError
from accord.measures.coreference.contingency import Table, tabulate
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.measures.coreference.specification import Specification
from accord.registry import Measure, enrolled, find
from accord.result import Array, Result
from accord.simulate.spaces import SPACES, Codes, partial_codes, partition_codes

#: pairs of partitions tabulated at once
_BLOCK = 150_000
#: space of each shape
_SPACE_OF_SHAPE = {"chains": "partitions", "segments": "segmentations", "units": "units"}


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """A score over all pairs on n places: NaN where it has no value."""

    matrix: Array
    #: pairs on which it has none, with the reason it gives, or the exception it raised
    why: Mapping[tuple[int, int], str] = field(default_factory=dict)
    raised: frozenset[tuple[int, int]] = frozenset()
    #: the first pair that the score changed
    changed: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Similarities:
    """A score by name, the space it is tried on, and its values over all pairs on n places."""

    name: str
    space: str
    values: Callable[[int], Values]


def resolve(
    measure: str | Callable[[Any, Any], Any],
    *,
    predicted_mentions: bool = False,
    space: str | None = None,
) -> Similarities:
    """The similarity that a name, ``module:function`` or function stands for."""
    if space is not None and space not in SPACES:
        raise UsageError(f"the space must be one of {', '.join(SPACES)}, got {space!r}")
    if predicted_mentions:
        if space not in (None, "partitions", "predicted"):
            raise UsageError("predicted mentions are a matter of partitions only")
        space = "predicted"
    if callable(measure):
        return _of_function(getattr(measure, "__name__", "function"), measure, space)
    if ":" in measure:
        return _of_function(measure, _imported(measure), space)
    record = find(measure, "score")
    if record.question != "score" or record.shape not in _SPACE_OF_SHAPE:
        known = [m.name for m in enrolled(question="score") if m.shape in _SPACE_OF_SHAPE]
        raise UsageError(
            f"{record.name} does not compare two annotations; choose one of {', '.join(known)}"
        )
    natural = _SPACE_OF_SHAPE[record.shape]
    chosen = space or natural
    if chosen != natural and not (natural == "partitions" and chosen == "predicted"):
        raise UsageError(f"{record.name} is for {record.shape}: its space is {natural}")
    if record.name in SPECIFICATIONS:
        specification = SPECIFICATIONS[record.name]
        codes = partial_codes if chosen == "predicted" else partition_codes
        return Similarities(
            record.name,
            chosen,
            lambda n: Values(partition_similarities([specification], codes(n))[0]),
        )
    return Similarities(record.name, chosen, lambda n: _of_record(record, chosen, n))


def partition_similarities(specifications: Sequence[Specification], codes: Codes) -> list[Array]:
    """The matrices of several scores over all ordered pairs of partitions.

    Every pair is a document of one large contingency table, so that the experiment runs the very
    code that scores corpora.
    """
    size = len(codes)
    out = [np.empty((size, size)) for _ in specifications]
    height = max(1, _BLOCK // size)
    for start in range(0, size, height):
        keys = np.arange(start, min(size, start + height))
        table = _pair_table(codes, keys)
        for matrix, specification in zip(out, specifications, strict=True):
            matrix[keys] = specification.similarities(table).reshape(len(keys), size)
    return out


def _pair_table(codes: Codes, keys: np.ndarray[Any, np.dtype[np.int64]]) -> Table:
    size, n = codes.shape
    pairs = len(keys) * size
    document = np.repeat(np.arange(pairs, dtype=np.int64), n)
    key = np.repeat(codes[keys], size, axis=0).reshape(-1)
    response = np.tile(codes, (len(keys), 1)).reshape(-1)
    in_key, in_response = key >= 0, response >= 0
    place_key, place_response = np.cumsum(in_key) - 1, np.cumsum(in_response) - 1
    both = in_key & in_response
    return tabulate(
        ("",) * pairs,
        (document[in_key], key[in_key]),
        (document[in_response], response[in_response]),
        (place_key[both], place_response[both]),
    )


def _of_function(name: str, function: Callable[[Any, Any], Any], space: str | None) -> Similarities:
    chosen = space or "partitions"
    sets = chosen in ("partitions", "predicted")

    def called(a: Any, b: Any) -> tuple[float, str | None]:
        found = function(a, b)
        # (R, P, F) as most scorers return
        return float(found[-1] if isinstance(found, (tuple, list)) else found), None

    def values(n: int) -> Values:
        given = [[set(x) for x in e] if sets else e for e in SPACES[chosen].elements(n)]
        places = range(len(given))

        def fresh(i: int) -> Any:
            return deepcopy(given[i])

        first = _over_pairs(called, fresh, places)
        # backwards: a score that remembers what it was asked before gives itself away
        again = _over_pairs(called, fresh, places[::-1])
        same = np.isclose(first.matrix, again.matrix, rtol=1e-9, atol=1e-12, equal_nan=True)
        if not same.all():
            i, j = (int(k) for k in np.argwhere(~same)[0])
            raise UsageError(
                f"{name} is not deterministic: s(a,b) is {first.matrix[i, j]:.6g}, then "
                f"{again.matrix[i, j]:.6g}, for a = {given[i]}, b = {given[j]}, so that no case "
                "proves anything; fix its seed, and let it keep nothing between calls"
            )
        return first

    return Similarities(name, chosen, values)


def _over_pairs(
    score: Callable[[Any, Any], tuple[float, str | None]],
    fresh: Callable[[int], Any],
    places: Sequence[int],
) -> Values:
    """The score on every pair: what it gives, or why it gives nothing."""
    S = np.full((len(places), len(places)), np.nan)
    why: dict[tuple[int, int], str] = {}
    raised = set()
    changed = None
    for i, j in product(places, places):
        a, b = fresh(i), fresh(j)
        try:
            S[i, j], said = score(a, b)
        except Exception as problem:  # a stranger's function may fail in any way
            raised.add((i, j))
            lines = [type(problem).__name__, *str(problem).splitlines()[:1]]
            said = ": ".join(lines)
        if said is not None:
            why[i, j] = said
        if changed is None and (a != fresh(i) or b != fresh(j)):
            changed = (i, j)
    return Values(S, why, frozenset(raised), changed)


def _imported(name: str) -> Callable[[Any, Any], Any]:
    import sys
    from pathlib import Path

    module, _, attribute = name.partition(":")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)  # a module beside the person who calls, as python -m does
    try:
        found: Any = import_module(module)
    except ImportError as problem:
        raise UsageError(f"cannot import {module!r} ({problem}); check the name") from None
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise UsageError(f"module {module!r} has no {attribute!r}")
        found = getattr(found, part)
    if not callable(found):
        raise UsageError(f"{name} is not a function of two lists of clusters")
    function: Callable[[Any, Any], Any] = found
    return function


def _of_record(record: Measure, space: str, n: int) -> Values:
    """A registered score that has no table of its own, one call per pair."""
    given = [_annotations(space, e, n) for e in SPACES[space].elements(n)]

    def called(a: Any, b: Any) -> tuple[float, str | None]:
        found = record.function(a, b)
        result: Result = found[0] if isinstance(found, (tuple, list)) else found
        return result.value, result.undefined

    found = _over_pairs(called, given.__getitem__, range(len(given)))
    if record.similarity:
        return found
    known = found.matrix[np.isfinite(found.matrix)]
    largest = record.range[1] if math.isfinite(record.range[1]) else known.max(initial=0.0)
    return replace(found, matrix=1 - found.matrix / (largest or 1.0))


def _annotations(space: str, element: Any, n: int) -> Chains | Segments | Units:
    if space == "segmentations":
        return Segments.from_masses([("d", "A", element)])
    if space == "units":
        return Units.from_rows(
            [("d", "A", float(s), float(e), "x") for s, e in element],
            lengths={"d": float(n)},
            coverage=[("d", "A")],
        )
    # each mention has a place, which scores of mentions that overlap need
    return Chains.from_clusters({("d", "A"): [[(m - 1, m) for m in entity] for entity in element]})
