"""How unlike two units are: in position, in category, and both together.

Symmetric, 0 for equal units; the triangle inequality is not required (Mathet and Widlöcher 2011,
§4.2). Two forms of the same thing: the 2011 one, where two touching units of equal length cost
Δ = 4, and γ's (2015), rescaled by Δ/4 with Δ = 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from accord.data.continuum import Continuum
from accord.distance.features import feature_distances
from accord.distance.matrices import square
from accord.distance.objects import edit
from accord.distance.taxonomy import KINDS, taxonomy_distances
from accord.errors import UsageError
from accord.kernels.dissimilarity import positions, set_positions

Array = NDArray[np.float64]
Objective = Literal["gamma", "holistic"]
#: (start, end, label) of one unit, as a user's own function sees it
Located = tuple[float, float, str | None]
OwnFunction = Callable[[Located, Located], float]

POSITIONAL = ("sporadic", "hamming")
CATEGORICAL = ("nominal", "ordinal", "numerical", "edit", "features", *KINDS)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Dissimilarity:
    """d = α·d_pos + β·d_cat, and Δ, the cost of the empty unit.

    d_cat = M·Δ; M has one row and column per category and a last one for units without a label.

    * sporadic, 2011: ``((|s_u−s_v|+|e_u−e_v|)/((len_u+len_v)/2))²``;
      γ: ``Δ·((|s_u−s_v|+|e_u−e_v|)/(len_u+len_v))²``
    * hamming, 2011: ``|e_u−e_v|/(k/2)``, k the mean length of the units; γ: the same times Δ/4
    """

    objective: Objective
    positional: str
    alpha: float
    beta: float
    delta: float
    matrix: Array
    #: β·d_cat for the same rows and columns; infinite where a pair is banned
    costs: Array
    categories: tuple[str, ...]
    forbid: bool = False
    own: OwnFunction | None = None
    #: what the signature says of M and of a user's function
    name: str = "nominal"
    #: discontinuous units are sets of their fragments; else from their first to their last place
    fragments: bool = True
    #: in γ-cat a unit and nobody are a pair that differs
    alone: bool = False

    def position_scale(self, continuum: Continuum) -> float:
        """What multiplies the plain positional formula: (x/(len_u+len_v))² or |e_u−e_v|."""
        form = 4.0 if self.objective == "holistic" else self.delta
        if self.positional == "sporadic":
            return form
        k = float((continuum.end - continuum.start).mean()) if len(continuum) else 1.0
        return form / (2.0 * k) if k > 0 else np.inf

    @property
    def kind(self) -> int:
        """The positional formula, as the kernels number it."""
        return POSITIONAL.index(self.positional)

    def position(
        self, start: Array, end: Array, other_start: Array, other_end: Array, scale: float
    ) -> Array:
        """d_pos of pairs of units, without its weight α."""
        found: Array = positions(start, end, other_start, other_end, self.kind, scale)
        return found

    def by_sets(self, continuum: Continuum) -> bool:
        """Whether some units are to be compared by the fragments that they cover."""
        return (
            continuum.pieces is not None
            and self.fragments
            and self.positional == "sporadic"
            and self.own is None
        )

    def apart(
        self, continuum: Continuum, first: NDArray[np.int64], second: NDArray[np.int64]
    ) -> Array:
        """d_pos of pairs of units of a continuum, without its weight α."""
        scale = self.position_scale(continuum)
        if continuum.pieces is not None and self.by_sets(continuum):
            pieces = continuum.pieces
            found: Array = set_positions(
                first, second, pieces.offsets, pieces.start, pieces.end, scale
            )
            return found
        start, end = continuum.start, continuum.end
        return self.position(start[first], end[first], start[second], end[second], scale)

    def located(self, continuum: Continuum) -> list[Located]:
        """The units as a user's function sees them."""
        names: list[str | None] = [*self.categories, None]
        columns = continuum.start.tolist(), continuum.end.tolist(), continuum.label.tolist()
        return [(s, e, names[c]) for s, e, c in zip(*columns, strict=True)]

    def own_value(self, one: Located, two: Located) -> float:
        """What a user's function says of two units; an error when that is no dissimilarity."""
        assert self.own is not None
        said = self.own(one, two), self.own(two, one)
        try:
            value, back = (float(x) for x in said)
        except (TypeError, ValueError):
            name = getattr(self.own, "__name__", "own")
            raise UsageError(
                f"the dissimilarity {name} must be a number from 0, got {said[0]!r} for {one} and {two}"
            ) from None
        if value == back and value >= 0:
            return value
        name = getattr(self.own, "__name__", "own")
        if not (value >= 0 and back >= 0):
            raise UsageError(
                f"the dissimilarity {name} must be a number from 0, got "
                f"{back if value >= 0 else value} for {one} and {two}"
            )
        raise UsageError(
            f"the dissimilarity {name} must be symmetric, got {value} for {one} and {two}, {back} the "
            "other way round"
        )

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for dissimilarities that are the same."""
        return (self.objective, self.positional, self.alpha, self.beta, self.delta,
                self.categories, self.costs.tobytes(), self.matrix.tobytes(), self.own,
                self.fragments, self.alone)  # fmt: skip

    def words(self) -> dict[str, object]:
        """The options, as the signature shows them."""
        return {
            "alpha": f"{self.alpha:g}",
            "beta": f"{self.beta:g}",
            "delta": f"{self.delta:g}",
            "positional": self.positional,
            "categorical": self.name,
            "forbid": "yes" if self.forbid else None,
            "fragments": None if self.fragments else "hull",
            "alone": "differs" if self.alone else None,
        }


def unit_dissimilarity(
    categories: Sequence[str],
    *,
    objective: str = "gamma",
    alpha: float | None = None,
    beta: float | None = None,
    delta: float | None = None,
    positional: str = "sporadic",
    categorical: str = "nominal",
    matrix: str | Path | Array | None = None,
    forbid: bool = False,
    own: OwnFunction | None = None,
    taxonomy: str | Path | None = None,
    feature_weights: Sequence[float] | None = None,
    fragments: str = "sets",
) -> Dissimilarity:
    """Check the options and make the dissimilarity.

    Δ is 4 for the holistic objective and 1 for γ unless given. M is nominal (0/1) by default;
    *ordinal* |rank difference|/(V−1) in the order of `categories`, *numerical* |difference| of
    numeric labels over their range, *edit* Levenshtein distance over the longer label's length;
    *features*, labels such as ``PER|sg`` with `feature_weights`; *path* and *wu-palmer*, labels of a
    tree (paths such as ``animal/bird``, or `taxonomy`, a table ``label,parent``), path divided by the
    largest among the labels; or a square `matrix` (file or array) with entries in [0, 1]. `own`
    replaces the whole formula. Discontinuous units are compared as *sets* of their fragments: d_pos =
    Δ·(D/(|A|+|B|))² with D what only one of them covers, where they share something, and else the larger
    of |A|+|B| and |s_u−s_v|+|e_u−e_v|, so that intervals keep their formula; or `fragments` is *hull*.

    >>> d = unit_dissimilarity(["a", "b"], objective="holistic")
    >>> d.delta, d.position(*np.array([[0.0], [2.0], [2.0], [4.0]]), scale=4.0).tolist()
    (4.0, [4.0])
    """
    if objective not in ("gamma", "holistic"):
        raise UsageError(f"the objective must be gamma or holistic, got {objective!r}")
    if positional not in POSITIONAL:
        raise UsageError(f"positional must be sporadic or hamming, got {positional!r}")
    if fragments not in ("sets", "hull"):
        raise UsageError(f"`fragments` must be sets or hull, got {fragments!r}")
    alpha, beta = 1.0 if alpha is None else alpha, 1.0 if beta is None else beta
    delta = (4.0 if objective == "holistic" else 1.0) if delta is None else delta
    for option, value in (("alpha", alpha), ("beta", beta)):
        if not (np.isfinite(value) and value >= 0):
            raise UsageError(f"{option} must be a number from 0, got {value}")
    if not (np.isfinite(delta) and delta > 0):
        raise UsageError(f"delta must be a number above 0, got {delta}")
    if alpha == 0 and beta == 0:
        raise UsageError("alpha and beta must not both be 0: nothing would be compared")
    if taxonomy is not None and categorical not in KINDS:
        raise UsageError(
            f"a taxonomy goes with categorical {' or '.join(KINDS)}, got categorical={categorical!r}"
        )
    if feature_weights is not None and categorical != "features":
        raise UsageError(
            f"feature_weights go with categorical features, got categorical={categorical!r}"
        )
    table, name = _category_matrix(
        tuple(categories), categorical, matrix, taxonomy, feature_weights
    )
    costs = beta * delta * table
    if forbid:
        costs = np.where(table >= 1.0, np.inf, costs)
    if own is not None:
        name = f"function:{getattr(own, '__name__', 'own')}"
    return Dissimilarity(
        objective=objective,  # type: ignore[arg-type]
        positional=positional,
        alpha=alpha,
        beta=beta,
        delta=delta,
        matrix=table,
        costs=costs,
        categories=tuple(categories),
        forbid=forbid,
        own=own,
        name=name,
        fragments=fragments == "sets",
    )


def _category_matrix(
    categories: tuple[str, ...],
    categorical: str,
    matrix: str | Path | Array | None,
    taxonomy: str | Path | None,
    feature_weights: Sequence[float] | None,
) -> tuple[Array, str]:
    """M over the categories, with a last row and column for units without a label: 1 from all."""
    size = len(categories)
    if matrix is not None:
        if categorical != "nominal":
            raise UsageError(f"give either a matrix or categorical={categorical!r}, not both")
        found = square(matrix, categories, "distances", most=1.0)
        name = f"matrix:{Path(matrix).name}" if isinstance(matrix, (str, PathLike)) else "matrix"
    elif categorical not in CATEGORICAL:
        raise UsageError(
            f"categorical must be one of {', '.join(CATEGORICAL)}, got {categorical!r}"
        )
    elif categorical in KINDS:
        found = taxonomy_distances(categories, tree=taxonomy, kind=categorical)
        name = categorical if taxonomy is None else f"{categorical}:{Path(taxonomy).name}"
        if categorical == "path":
            found /= max(1.0, float(found.max(initial=0.0)))
    elif categorical == "features":
        found, name = feature_distances(categories, feature_weights), "features"
        if feature_weights is not None:
            name += ":" + "+".join(f"{w:g}" for w in feature_weights)
    else:
        found, name = _MATRICES[categorical](categories), categorical
    full = np.ones((size + 1, size + 1))
    full[:size, :size] = found
    full[size, size] = 0.0
    return full, name


def _nominal(categories: tuple[str, ...]) -> Array:
    return 1.0 - np.eye(len(categories))


def _ordinal(categories: tuple[str, ...]) -> Array:
    rank = np.arange(len(categories), dtype=np.float64)
    return np.abs(rank[:, None] - rank[None, :]) / max(1, len(categories) - 1)


def _numerical(categories: tuple[str, ...]) -> Array:
    try:
        value = np.array([float(c) for c in categories])
    except ValueError:
        wrong = next(c for c in categories if not _is_float(c))
        raise UsageError(
            f"categorical=numerical needs numeric labels, got {wrong!r}; use ordinal or nominal"
        ) from None
    reach = float(np.ptp(value)) if len(value) else 0.0
    return np.asarray(np.abs(value[:, None] - value[None, :]) / (reach if reach > 0 else 1.0))


def _edit(categories: tuple[str, ...]) -> Array:
    size = len(categories)
    found = np.zeros((size, size))
    for i in range(size):
        for j in range(i + 1, size):
            found[i, j] = found[j, i] = edit(categories[i], categories[j])
    return found


_MATRICES: dict[str, Callable[[tuple[str, ...]], Array]] = {
    "nominal": _nominal,
    "ordinal": _ordinal,
    "numerical": _numerical,
    "edit": _edit,
}


def _is_float(text: Any) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
