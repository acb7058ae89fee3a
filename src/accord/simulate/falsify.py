"""Is this score a metric? Eight properties tried on everything small, and a counterexample each.

A method that can only refute: what is not falsified up to n may still be false beyond it, but a
counterexample is a proof (Lion-Bouton et al. 2020, *Comment arpenter sans mètre*, TALN).

>>> found = falsify("ceaf-m", max_n=4, max_n_triples=4)
>>> found.violated
()
>>> found = falsify("blanc", max_n=3, max_n_triples=3)
>>> found.violated
('1', '4')
>>> print(found.findings["1"].counterexample)
a = {1,2 | 3}, b = {1 | 2 | 3}: s(a,b) = 0.4 ≠ 0.8 = s(b,a)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError
from accord.result import Array
from accord.simulate.similarity import Values, resolve
from accord.simulate.spaces import SPACES, Space
from accord.version import __version__

#: the properties of a normalised similarity metric (Chen, Ma & Zhang 2009), as the paper has them
PROPERTIES: Mapping[str, str] = {
    "1": "s(a,b) = s(b,a)",
    "2": "s(a,a) ≥ 0",
    "3": "s(a,b) ≤ s(a,a)",
    "4": "s(a,b) + s(b,c) ≤ s(b,b) + s(a,c)",
    "5": "s(a,a) = s(b,b) = s(a,b) if and only if a = b",
    "6": "s(a,b) ≤ 1",
    "7": "s(a,a) = 1",
    "8": "s(a,b) ≥ 0",
}
#: what a score may give instead of a finite number. An infinite value is larger than 1: it has its
#: place in the cases; where there is no value at all there is nothing to compare
WITHOUT = ("nan", "infinite", "exception")
#: exact ties of rational scores differ by rounding: CEAF_m shows false violations at 0
TOLERANCE = 1e-9

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """The smallest case found: fewest places, then the clearest violation."""

    n: int
    elements: Mapping[str, Any]
    values: Mapping[str, float]
    text: str

    def __str__(self) -> str:
        return self.text

    def to_dict(self) -> dict[str, object]:
        values = {k: v if np.isfinite(v) else str(v) for k, v in self.values.items()}
        return {"n": self.n, **self.elements, "values": values, "text": self.text}


@dataclass(frozen=True, slots=True)
class Finding:
    """What became of one property."""

    cases: int
    violations: int
    #: (n, cases, violations)
    by_n: tuple[tuple[int, int, int], ...]
    counterexample: Counterexample | None

    @property
    def verdict(self) -> str:
        """What the cases say."""
        if not self.cases:
            return "nothing was tried"
        return "falsified" if self.violations else "not falsified"


@dataclass(frozen=True, slots=True)
class Failing:
    """Pairs on which the score gives no finite number, and the smallest of them."""

    pairs: int
    first: Counterexample


@dataclass(frozen=True, slots=True)
class Falsification:
    """The eight properties of one score over one space."""

    measure: str
    space: str
    findings: Mapping[str, Finding]
    max_n: int
    max_n_triples: int
    tolerance: float
    #: by what was given instead of a finite number: nan, infinite, exception
    failing: Mapping[str, Failing] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()

    @property
    def undefined(self) -> int:
        """Number of pairs on which the score has no value; they count as no case."""
        return sum(f.pairs for kind, f in self.failing.items() if kind != "infinite")

    @property
    def verdict(self) -> str:
        """What all cases say: "falsified", "not falsified", or "nothing was tried"."""
        all_of_them = {f.verdict for f in self.findings.values()}
        return next(
            (v for v in ("falsified", "not falsified") if v in all_of_them), "nothing was tried"
        )

    @property
    def untried(self) -> tuple[str, ...]:
        """Numbers of the properties that had no case."""
        return tuple(p for p, f in self.findings.items() if not f.cases)

    @property
    def violated(self) -> tuple[str, ...]:
        """Numbers of the properties that do not hold."""
        return tuple(p for p, f in self.findings.items() if f.violations)

    def to_dict(self) -> dict[str, object]:
        return {
            "measure": self.measure,
            "space": self.space,
            "predicted_mentions": self.space == "predicted",
            "properties": {
                p: {
                    "property": PROPERTIES[p],
                    "verdict": f.verdict,
                    "cases": f.cases,
                    "violations": f.violations,
                    "counterexample": None
                    if f.counterexample is None
                    else f.counterexample.to_dict(),
                    "by_n": [
                        {"n": n, "cases": cases, "violations": bad} for n, cases, bad in f.by_n
                    ],
                }
                for p, f in self.findings.items()
            },
            "verdict": self.verdict,
            "violated": list(self.violated),
            "untried": list(self.untried),
            "undefined": self.undefined,
            "failing": {
                kind: {"pairs": f.pairs, "first": f.first.to_dict()}
                for kind, f in self.failing.items()
            },
            "warnings": list(self.warnings),
            "signature": f"falsify|{self.measure}|space:{self.space}|n:{self.max_n}"
            f"|triples:{self.max_n_triples}|tolerance:{self.tolerance:g}|v:{__version__}",
        }


def falsify(
    measure: str | Callable[[Any, Any], Any],
    *,
    max_n: int | None = None,
    max_n_triples: int | None = None,
    predicted_mentions: bool = False,
    space: str | None = None,
    tolerance: float = TOLERANCE,
    progress: Callable[[int, int], None] | None = None,
) -> Falsification:
    """Try the eight properties of a similarity metric on everything small.

    Parameters
    ----------
    measure : a registered score, ``"module:function"``, or a function of two lists of clusters
        (sets of mentions) that returns a number, or (R, P, F). Every call gets copies of its own,
        and every pair is asked twice: a function that gives two values is refused
    max_n, max_n_triples : largest number of mentions for pairs and for triples (property 4)
    predicted_mentions : the two sides may have different mentions
    space : "partitions", "segmentations" or "units"; taken from the measure when not given
    tolerance : differences up to this are taken as rounding

    A distance d is tried as the similarity 1 − d / d_max.
    """
    similarities = resolve(measure, predicted_mentions=predicted_mentions, space=space)
    where = SPACES[similarities.space]
    most, most_triples = (
        where.default[0] if max_n is None else max_n,
        where.default[1] if max_n_triples is None else max_n_triples,
    )
    if min(most, most_triples) < 1:
        raise UsageError("the largest n must be at least 1")
    top = max(most, most_triples)
    trials = {p: _Trial() for p in PROPERTIES}
    failing: dict[str, Failing] = {}
    warnings: tuple[str, ...] = ()
    for n in range(1, top + 1):
        values = similarities.values(n)
        _try_all(
            trials,
            values.matrix,
            where,
            n,
            pairs=n <= most,
            triples=n <= most_triples,
            tol=tolerance,
        )
        _count_failing(failing, values, where, n)
        if values.changed is not None and not warnings:
            a, b = (where.show(where.elements(n)[k]) for k in values.changed)
            warnings = (
                f"{similarities.name} changes what it is given, first for a = {a}, b = {b}; "
                "each call got copies of its own",
            )
        if progress is not None:
            progress(n, top)
    return Falsification(
        measure=similarities.name,
        space=similarities.space,
        findings={p: t.finding() for p, t in trials.items()},
        max_n=most,
        max_n_triples=most_triples,
        tolerance=tolerance,
        failing=failing,
        warnings=warnings,
    )


class _Trial:
    """Counts of one property, and its smallest counterexample so far."""

    def __init__(self) -> None:
        self.by_n: list[tuple[int, int, int]] = []
        self.counterexample: Counterexample | None = None

    def add(self, n: int, cases: int, violations: int) -> bool:
        """Count; True when a counterexample is wanted."""
        self.by_n.append((n, cases, violations))
        return violations > 0 and self.counterexample is None

    def finding(self) -> Finding:
        return Finding(
            cases=sum(c for _, c, _ in self.by_n),
            violations=sum(v for _, _, v in self.by_n),
            by_n=tuple(self.by_n),
            counterexample=self.counterexample,
        )


def _count_failing(failing: dict[str, Failing], values: Values, space: Space, n: int) -> None:
    """Add the pairs on n places that have no finite value to those on fewer places."""
    S, elements = values.matrix, space.elements(n)
    used = _used(elements, space, n)
    new = (used[:, None] | used[None, :]) == (1 << n) - 1
    raised = np.zeros(S.shape, dtype=bool)
    for pair in values.raised:
        raised[pair] = True
    kinds = (np.isnan(S) & ~raised, np.isinf(S), raised)
    for kind, found in zip(WITHOUT, kinds, strict=True):
        places = np.argwhere(found & new)
        if not len(places):
            continue
        if kind in failing:
            failing[kind] = replace(failing[kind], pairs=failing[kind].pairs + len(places))
            continue
        i, j = (int(k) for k in places[0])
        shown = ", ".join(f"{x} = {space.show(elements[k])}" for x, k in (("a", i), ("b", j)))
        text = f"{shown}: {values.why.get((i, j), f's(a,b) = {S[i, j]:g}')}"
        first = Counterexample(n, {"a": elements[i], "b": elements[j]}, {}, text)
        failing[kind] = Failing(len(places), first)


def _used(elements: Sequence[Any], space: Space, n: int) -> NDArray[np.int64]:
    """Which of the n places each element uses, as bits."""
    return np.array(
        [(1 << n) - 1 if space.used is None else space.used(e) for e in elements], dtype=np.int64
    )


def _try_all(
    trials: Mapping[str, _Trial],
    S: Array,
    space: Space,
    n: int,
    *,
    pairs: bool,
    triples: bool,
    tol: float,
) -> None:
    elements = space.elements(n)
    # with subsets of n mentions, smaller n have tried what does not use them all
    used = _used(elements, space, n)
    full = (1 << n) - 1
    known = ~np.isnan(S)
    diagonal = np.diagonal(S)
    if pairs:
        measured = known.diagonal()
        one = (used == full) & measured
        two = ((used[:, None] | used[None, :]) == full) & known
        both = two & measured[:, None]
        # how far beyond the bound; a violation is more than the tolerance
        apart = np.maximum(np.abs(_gap(S, diagonal[:, None])), np.abs(_gap(S, diagonal[None, :])))
        np.fill_diagonal(apart, np.inf)
        same = np.where(apart <= tol, 1.0, 0.0)
        excess: dict[str, tuple[Array, Mask]] = {
            "1": (np.abs(_gap(S, S.T)), two & known.T),
            "2": (-diagonal, one),
            "3": (_gap(S, diagonal[:, None]), both),
            "5": (same, both & measured[None, :]),
            "6": (S - 1, two),
            "7": (np.abs(diagonal - 1), one),
            "8": (-S, two),
        }
        for p, (beyond, cases) in excess.items():
            beyond = np.where(cases, beyond, -np.inf)
            if trials[p].add(n, int(cases.sum()), int((beyond > tol).sum())):
                place = np.unravel_index(int(np.argmax(beyond)), beyond.shape)
                trials[p].counterexample = _example(p, S, elements, space, n, place)
    if triples:
        _try_triangles(trials["4"], S, elements, space, n, used, full, tol)


def _gap(x: Array, y: Array) -> Array:
    """x − y; equal infinities are not apart."""
    with np.errstate(invalid="ignore"):
        return np.where(x == y, 0.0, x - y)


def _try_triangles(
    trial: _Trial,
    S: Array,
    elements: list[Any],
    space: Space,
    n: int,
    used: NDArray[np.int64],
    full: int,
    tol: float,
) -> None:
    cases = violations = 0
    worst, place = -np.inf, (0, 0, 0)
    union = used[:, None] | used[None, :]
    finite = bool(np.isfinite(S).all())
    everywhere = finite and bool((used == full).all())
    for b in range(len(S)):
        if finite:
            beyond = S[:, b][:, None] + (S[b] - S[b, b])[None, :] - S
        else:
            with np.errstate(invalid="ignore"):
                beyond = _gap(S[:, b][:, None] + S[b][None, :], S[b, b] + S)
        if not everywhere:
            wanted = ((union | used[b]) == full) & ~np.isnan(beyond)
            beyond = np.where(wanted, beyond, -np.inf)
            cases += int(wanted.sum())
        else:
            cases += beyond.size
        found = int((beyond > tol).sum())
        if found:
            violations += found
            best = int(np.argmax(beyond))
            if beyond.flat[best] > worst + tol:
                worst = float(beyond.flat[best])
                a, c = divmod(best, len(S))
                place = (a, b, c)
    if trial.add(n, cases, violations):
        trial.counterexample = _example("4", S, elements, space, n, place)


def _example(
    p: str, S: Array, elements: list[Any], space: Space, n: int, place: tuple[Any, ...]
) -> Counterexample:
    names = dict(zip("abc", place, strict=False))
    values = {
        f"s({pair[0]},{pair[1]})": float(S[names[pair[0]], names[pair[1]]]) for pair in _VALUES[p]
    }
    shown = ", ".join(f"{x} = {space.show(elements[i])}" for x, i in names.items())
    v = {name: f"{value:.4g}" for name, value in values.items()}
    text = f"{shown}: {_SENTENCES[p](v)}"
    return Counterexample(n, {x: elements[i] for x, i in names.items()}, values, text)


_VALUES: Mapping[str, tuple[str, ...]] = {
    "1": ("ab", "ba"),
    "2": ("aa",),
    "3": ("ab", "aa"),
    "4": ("ab", "bc", "bb", "ac"),
    "5": ("aa", "bb", "ab"),
    "6": ("ab",),
    "7": ("aa",),
    "8": ("ab",),
}
_SENTENCES: Mapping[str, Callable[[Mapping[str, str]], str]] = {
    "1": lambda v: f"s(a,b) = {v['s(a,b)']} ≠ {v['s(b,a)']} = s(b,a)",
    "2": lambda v: f"s(a,a) = {v['s(a,a)']} < 0",
    "3": lambda v: f"s(a,b) = {v['s(a,b)']} > {v['s(a,a)']} = s(a,a)",
    "4": lambda v: (
        f"s(a,b) + s(b,c) = {v['s(a,b)']} + {v['s(b,c)']} > "
        f"{v['s(b,b)']} + {v['s(a,c)']} = s(b,b) + s(a,c)"
    ),
    "5": lambda v: f"s(a,a) = s(b,b) = s(a,b) = {v['s(a,b)']} though a ≠ b",
    "6": lambda v: f"s(a,b) = {v['s(a,b)']} > 1",
    "7": lambda v: f"s(a,a) = {v['s(a,a)']} ≠ 1",
    "8": lambda v: f"s(a,b) = {v['s(a,b)']} < 0",
}
