"""Distances between values of any kind: texts, vectors, rankings, trees, or a function of one's own.

Distances are taken as they are, in [0, 1] but for `euclidean`; each pair of distinct values is compared once.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError

Array = NDArray[np.float64]
Index = NDArray[np.integer[Any]]
#: two values → how far they are apart
Distance = Callable[[Any, Any], float]

#: named distances of objects, in the order they are offered
OBJECTS = ("edit", "token-f1", "cosine", "euclidean", "kendall", "footrule", "bracket-f1")
#: pairs on which a function of one's own is tried before it is trusted
_TRIED = 50


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """The values of one data set under a distance, each pair compared once."""

    name: str
    values: tuple[Any, ...]
    distance: Distance
    _known: dict[tuple[int, int], float] = field(default_factory=dict)

    def between(self, first: Index, second: Index) -> Array:
        """Distances of pairs of values, given by their places."""
        first, second = np.broadcast_arrays(first, second)
        low = np.minimum(first, second).ravel().astype(np.int64)
        high = np.maximum(first, second).ravel().astype(np.int64)
        width = max(1, len(self.values))
        pairs, place = np.unique(low * width + high, return_inverse=True)
        found = np.array([self._one(int(p) // width, int(p) % width) for p in pairs])
        return found[place].reshape(first.shape) if len(pairs) else np.zeros(first.shape)

    def _one(self, i: int, j: int) -> float:
        if i == j:
            return 0.0
        known = self._known.get((i, j))
        if known is None:
            known = self._known[i, j] = _checked(
                self.distance(self.values[i], self.values[j]), self.values[i], self.values[j]
            )
        return known


def compared(metric: str | Distance, values: Sequence[Any]) -> Compared:
    """The values read as what the distance compares, ready to be compared.

    >>> texts = compared("edit", ["kitten", "sitting"])
    >>> texts.between(np.array([0]), np.array([1])).round(4).tolist()
    [0.4286]
    >>> compared(lambda a, b: a - b, [1, 2])
    Traceback (most recent call last):
    ...
    accord.errors.UsageError: the distance of 1 and 2 is -1: it must be a finite number from 0
    """
    if callable(metric):
        _try(metric, values)
        return Compared(getattr(metric, "__name__", "function"), tuple(values), metric)
    read, distance = _NAMED[metric]
    made = tuple(read(metric, value) for value in values)
    if metric in ("cosine", "euclidean"):
        _same_length(metric, values, made)
    return Compared(metric, made, distance)


def uniform_expectation(metric: str, rankings: Sequence[Any]) -> float:
    """Mean distance of two random orders of n objects: ½ by kendall, ((n²−1)/3)/⌊n²/2⌋ by footrule.

    >>> uniform_expectation("footrule", compared("footrule", ["a>b>c>d"]).values)
    0.625
    """
    sizes = {len(r) for r in rankings}
    if metric == "kendall":
        # the same whatever the number of objects
        sizes = {2}
    if any(len(set(r.values())) < len(r) for r in rankings):
        raise UsageError("chance uniform is for rankings without ties, and these have some")
    if len(sizes) != 1:
        raise UsageError("chance uniform needs rankings of the same number of objects")
    n = sizes.pop()
    return 0.5 if metric == "kendall" else ((n * n - 1) / 3) / (n * n // 2)


# --- texts ---------------------------------------------------------------------------------------


def edit(first: str, second: str) -> float:
    """Levenshtein's distance in code points over the length of the longer text.

    Bit-parallel (Myers 1999; Hyyrö 2003), on integers of any length.

    >>> edit("kitten", "sitting"), edit("", "")
    (0.42857142857142855, 0.0)
    """
    if first == second:
        return 0.0
    if len(first) < len(second):
        first, second = second, first
    if not second:
        return 1.0
    places: dict[str, int] = {}
    for i, letter in enumerate(second):
        places[letter] = places.get(letter, 0) | 1 << i
    width = len(second)
    every, last = (1 << width) - 1, 1 << (width - 1)
    up, down, score = every, 0, width
    for letter in first:
        here = places.get(letter, 0)
        diagonal = (((here & up) + up) ^ up) | here | down
        right, left = (down | ~(diagonal | up)) & every, up & diagonal
        score += bool(right & last) - bool(left & last)
        right, left = (right << 1 | 1) & every, (left << 1) & every
        up, down = (left | ~(diagonal | right)) & every, right & diagonal
    return score / len(first)


def multiset_f1(first: Counter[Any], second: Counter[Any]) -> float:
    """1 − 2|A∩B|/(|A|+|B|) of multisets; two empty ones are at distance 0."""
    total = first.total() + second.total()
    return 1 - 2 * (first & second).total() / total if total else 0.0


def _text(_: str, value: Any) -> str:
    return unicodedata.normalize("NFC", str(value))


def _tokens(name: str, value: Any) -> Counter[str]:
    return Counter(re.findall(r"\w+", _text(name, value).casefold()))


# --- vectors -------------------------------------------------------------------------------------


def cosine(first: Array, second: Array) -> float:
    """1 − cos of the angle."""
    return max(0.0, 1.0 - float(first @ second / math.sqrt((first @ first) * (second @ second))))


def euclidean(first: Array, second: Array) -> float:
    """The length of the difference."""
    return float(np.linalg.norm(first - second))


def _vector(name: str, value: Any) -> Array:
    numbers: Any = value
    if isinstance(value, str):
        try:
            numbers = (
                json.loads(value)
                if value.strip().startswith("[")
                else value.replace(",", " ").split()
            )
        except json.JSONDecodeError:
            numbers = None
    try:
        made = np.atleast_1d(np.asarray(numbers, dtype=np.float64))
    except (TypeError, ValueError):
        made = np.array([np.nan])
    if made.ndim != 1 or not np.isfinite(made).all():
        raise UsageError(
            f"the {name} distance compares vectors, and {value!r} is not a list of numbers"
        )
    if name == "cosine" and not made.any():
        raise UsageError(f"the vector {value!r} has no direction: cosine refuses zero vectors")
    return made


def _same_length(metric: str, values: Sequence[Any], made: Sequence[Array]) -> None:
    for value, vector in zip(values, made, strict=True):
        if len(vector) != len(made[0]):
            raise UsageError(
                f"the {metric} distance needs vectors of one length: {values[0]!r} has {len(made[0])} "
                f"numbers, {value!r} has {len(vector)}"
            )


# --- rankings ------------------------------------------------------------------------------------

#: object → its place, 0 for the first; equal for ties
Ranking = dict[str, int]


def kendall(first: Ranking, second: Ranking) -> float:
    """Pairs in opposite order, and half of those tied in one ranking only, over all pairs.

    Fagin et al. (2004) with p = ½; without ties (1 − τ)/2.
    """
    same_objects("kendall", (first, second))
    against = 0.0
    pairs = 0
    for a, b in combinations(first, 2):
        x, y = first[a] - first[b], second[a] - second[b]
        against += 1.0 if x * y < 0 else 0.5 if (x == 0) != (y == 0) else 0.0
        pairs += 1
    return against / pairs if pairs else 0.0


def footrule(first: Ranking, second: Ranking) -> float:
    """Σ|rank − rank′| on mid-ranks over ⌊n²/2⌋, its largest."""
    same_objects("footrule", (first, second))
    most = len(first) ** 2 // 2
    one, other = _mid_ranks(first), _mid_ranks(second)
    return sum(abs(one[o] - other[o]) for o in first) / most if most else 0.0


def _mid_ranks(ranking: Ranking) -> dict[str, float]:
    size = Counter(ranking.values())
    before, so_far = {}, 0
    for place in sorted(size):
        before[place] = so_far + (size[place] + 1) / 2
        so_far += size[place]
    return {o: before[place] for o, place in ranking.items()}


def _ranking(name: str, value: Any) -> Ranking:
    levels = (
        [level.split("=") for level in value.split(">")]
        if isinstance(value, str)
        else [[v] if isinstance(v, str) else list(v) for v in value]
        if isinstance(value, (list, tuple)) and all(isinstance(v, Iterable) for v in value)
        else [[""]]
    )
    objects = [str(o).strip() for level in levels for o in level]
    if not all(objects) or len(set(objects)) < len(objects):
        raise UsageError(f"the {name} distance compares rankings such as a>b=c>d, got {value!r}")
    return {str(o).strip(): place for place, level in enumerate(levels) for o in level}


def same_objects(metric: str, rankings: Sequence[Ranking]) -> None:
    """Refuse rankings of different objects: how far apart they are says nothing."""
    for ranking in rankings:
        if ranking.keys() != rankings[0].keys():
            one, other = (_written(r) for r in (rankings[0], ranking))
            raise UsageError(
                f"{metric} compares rankings of the same objects, and {one!r} and {other!r} rank others: "
                "chance would compare what cannot be compared; where every item has objects of its own, "
                "pass `chance=uniform`"
            )


def _written(ranking: Ranking) -> str:
    levels: dict[int, list[str]] = {}
    for name, place in ranking.items():
        levels.setdefault(place, []).append(name)
    return ">".join("=".join(levels[place]) for place in sorted(levels))


# --- trees ---------------------------------------------------------------------------------------


def _brackets(name: str, value: Any) -> Counter[tuple[str, int, int]]:
    """Labelled constituents (label, first leaf, last leaf + 1) of a tree in brackets, all of them."""
    found: Counter[tuple[str, int, int]] = Counter()
    open_: list[tuple[str, int]] = []
    leaf, fresh = 0, False
    for token in re.findall(r"\(|\)|[^\s()]+", str(value)):
        if token == "(":
            fresh = True
            open_.append(("", leaf))
        elif token == ")":
            if not open_:
                break
            label, start = open_.pop()
            found[label, start, leaf] += 1
            fresh = False
        elif fresh:
            open_[-1] = (token, leaf)
            fresh = False
        elif open_:
            leaf += 1
        else:
            break
    else:
        if found and not open_:
            return found
    raise UsageError(
        f"the {name} distance compares trees such as (S (NP they) (VP ran)), got {value!r}"
    )


_NAMED: dict[str, tuple[Callable[[str, Any], Any], Distance]] = {
    "edit": (_text, edit),
    "token-f1": (_tokens, multiset_f1),
    "cosine": (_vector, cosine),
    "euclidean": (_vector, euclidean),
    "kendall": (_ranking, kendall),
    "footrule": (_ranking, footrule),
    "bracket-f1": (_brackets, multiset_f1),
}


# --- a function of one's own ---------------------------------------------------------------------


def _try(distance: Distance, values: Sequence[Any]) -> None:
    """Refuse what is no distance on a few pairs: symmetric, 0 of a value to itself, finite, from 0."""
    rng = np.random.default_rng(0)
    for value in values[: _TRIED // 5]:
        own = _checked(distance(value, value), value, value)
        if own != 0:
            raise UsageError(f"the distance of {value!r} to itself is {own:g}: it must be 0")
    if len(values) < 2:
        return
    for _ in range(_TRIED):
        i, j = rng.choice(len(values), 2, replace=False).tolist()
        first, second = values[i], values[j]
        there, back = (
            _checked(distance(*pair), *pair) for pair in ((first, second), (second, first))
        )
        if not math.isclose(there, back, rel_tol=1e-9, abs_tol=1e-12):
            raise UsageError(
                f"the distance is not symmetric: {there:g} from {first!r} to {second!r}, {back:g} back"
            )


def _checked(distance: Any, first: Any, second: Any) -> float:
    try:
        number = float(distance)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise UsageError(
            f"the distance of {first!r} and {second!r} is {distance}: it must be a finite number from 0"
        )
    return number
