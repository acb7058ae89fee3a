"""Right or wrong, class by class: accuracy, precision, recall, F."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from accord.data import Ratings
from accord.data.choose import some
from accord.errors import UsageError
from accord.measures.ratio import ratio_of_totals
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import AVERAGE, BETA, BY, NEUTRAL, SEED, TIES
from accord.measures.validity.pairing import Array, Pairing
from accord.measures.validity.result import used_classes, validity_result
from accord.registry import measure
from accord.result import Result, Row

Average = Literal["macro", "micro", "weighted"]
_MW = "Y. Mathet and A. Widlöcher (2016), TAL 57(2), §7.1"
_ANTOINE = "J.-Y. Antoine, M. Le Tallec and J. Villaneau (2011), TALN, §1"


@measure(
    "accuracy",
    right=True,
    title="Accuracy (robustesse)",
    shape="ratings",
    question="score",
    citation=_ANTOINE,
    range=(0.0, 1.0),
    aliases=("robustesse",),
    use="The share of right answers; read it beside its baseline. Says nothing of which classes fail.",
    options=(TIES, SEED, BY),
)
def accuracy(
    reference: Ratings,
    system: Ratings,
    *,
    ties: str,
    seed: int,
) -> Result:
    r"""Share of items on which the system gives the class of the reference.

    .. math:: A = \frac{1}{n} \sum_i [\hat y_i = y_i]

    With several judges the reference is their majority; an item on which m classes tie gives 1/m to
    each of them. An item the system does not answer is an error.

    >>> r = Ratings.from_matrix([["A", "A", "B", "B"]], annotators=["reference"])
    >>> s = Ratings.from_matrix([["A", "B", "B", "B"]], annotators=["system"])
    >>> accuracy(r, s).value
    0.75
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return of_accuracy(pairing)


def of_accuracy(pairing: Pairing) -> Result:
    p = pairing.mean(pairing.target)
    return validity_result(
        "accuracy", pairing, _credit, ratio_of_totals, options={}, ties=True, share=True,
        classes=used_classes(pairing),
        terms={"correct": float(pairing.total(_credit(pairing)[:, 0])), "baseline": float(p @ p),
               "majority_class": float(p.max(initial=0.0))},
    )  # fmt: skip


def _credit(pairing: Pairing) -> Array:
    credit = np.sum(pairing.target * pairing.choice, axis=1)
    return np.stack([credit, np.ones(pairing.height)], axis=1)


@measure(
    "precision",
    title="Precision",
    shape="ratings",
    question="score",
    citation=_ANTOINE,
    range=(0.0, 1.0),
    use="How far the system's answers can be trusted, class by class; read it with recall.",
    options=(AVERAGE, NEUTRAL, TIES, SEED, BY),
)
def precision(
    reference: Ratings, system: Ratings, *, average: str, neutral: str | None,
    ties: str, seed: int,
) -> Result:  # fmt: skip
    r"""Share of the system's answers that are right.

    .. math:: P_k = \frac{n(\hat y = y = k)}{n(\hat y = k)}

    `average`: *macro* (default) means the P_k over the classes of the reference or system, a class
    never answered counting 0; *weighted* weighs them by the reference; *micro* counts all classes
    together. With a `neutral` class, which means "no decision", P = C/(C+E) over the decided items
    (Antoine et al. 2011, §1).

    Deviations: the paper swaps the words micro and macro; these are the usual senses.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return _per_class("precision", pairing, "P", average, 1.0, neutral)


@measure(
    "recall",
    title="Recall",
    shape="ratings",
    question="score",
    citation=_ANTOINE,
    range=(0.0, 1.0),
    use="How much of each class the system finds; read it with precision.",
    options=(AVERAGE, NEUTRAL, TIES, SEED, BY),
)
def recall(
    reference: Ratings, system: Ratings, *, average: str, neutral: str | None,
    ties: str, seed: int,
) -> Result:  # fmt: skip
    r"""Share of the reference's items of a class that the system gives that class.

    .. math:: R_k = \frac{n(\hat y = y = k)}{n(y = k)}

    Averages as for precision. With a `neutral` class R = C/C_R, C_R the items that the reference
    decides (Antoine et al. 2011, §1).
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return _per_class("recall", pairing, "R", average, 1.0, neutral)


@measure(
    "f1-macro",
    title="F, mean over classes",
    shape="ratings",
    question="score",
    citation=_ANTOINE,
    range=(0.0, 1.0),
    aliases=("macro-f1",),
    use="When every class matters alike, rare ones too.",
    options=(BETA, NEUTRAL, TIES, SEED, BY),
)
def f1_macro(
    reference: Ratings, system: Ratings, *, beta: float, neutral: str | None,
    ties: str, seed: int,
) -> Result:  # fmt: skip
    r"""Mean over classes of the harmonic mean of precision and recall.

    .. math:: F_k = \frac{(1 + \beta^2) P_k R_k}{\beta^2 P_k + R_k}

    The mean is over the classes that the reference or the system uses; F_k is 0 where nothing is
    right. The neutral class, if there is one, is left out.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return of_f1_macro(pairing, beta=beta, neutral=neutral)


def of_f1_macro(pairing: Pairing, *, beta: float = 1.0, neutral: str | None = None) -> Result:
    return _per_class("f1-macro", pairing, "F", "macro", beta, neutral)


@measure(
    "f1-micro",
    title="F, all classes together",
    shape="ratings",
    question="score",
    citation=_ANTOINE,
    range=(0.0, 1.0),
    aliases=("micro-f1",),
    use="With a neutral class, the trade-off of deciding; without one it equals accuracy.",
    options=(BETA, NEUTRAL, TIES, SEED, BY),
)
def f1_micro(
    reference: Ratings, system: Ratings, *, beta: float, neutral: str | None,
    ties: str, seed: int,
) -> Result:  # fmt: skip
    """F of precision and recall over all classes together.

    Without a `neutral` class, and when every item is answered, it equals accuracy.
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return _per_class("f1-micro", pairing, "F", "micro", beta, neutral)


def _per_class(
    name: str, pairing: Pairing, wanted: str, average: str, beta: float, neutral: str | None,
) -> Result:  # fmt: skip
    if average not in ("macro", "micro", "weighted"):
        raise UsageError(f"the average must be macro, micro or weighted, got {average!r}")
    if not beta > 0:
        raise UsageError(f"beta must be above 0, got {beta}")
    if neutral is not None and neutral not in pairing.labels:
        raise UsageError(
            f"the neutral class {neutral!r} does not occur; the classes are {', '.join(pairing.labels)}"
        )
    rows = _by_class(pairing)
    counted = np.array([label != neutral for label in pairing.labels])
    classes = used_classes(pairing)
    score = _scorer(len(pairing.labels), counted, wanted, average, beta)
    table = _class_table(pairing, rows, counted, beta)
    totals = score(pairing.total(rows)[None, :])
    shown = {k: float(totals[k][0]) for k in ("P", "R", "F")}
    return validity_result(
        name, pairing, _by_class, lambda t: {"value": score(t)["value"]}, classes=classes,
        options={
            "average": average if name in ("precision", "recall") else None,
            "beta": beta if beta != 1 else None,
            "neutral": neutral,
        },
        ties=True, terms=shown, tables={"category": table},
        scores={"category": _of_each(pairing, beta)}, warnings=_rare(table, average),
        undefined="no class is both asked for and answered, so there is nothing to divide by (0/0)",
    )  # fmt: skip


def _by_class(pairing: Pairing) -> Array:
    """Right, answered and wanted, of each class: 3 K columns rather than K²."""
    target, choice = pairing.target, pairing.choice
    return np.concatenate([target * choice, choice, target], axis=1)


def _of_each(pairing: Pairing, beta: float) -> dict[str, Callable[[Array], Mapping[str, Array]]]:
    """F of one class, from the sums of all."""
    K, b2 = len(pairing.labels), beta * beta

    def score(k: int) -> Callable[[Array], Mapping[str, Array]]:
        def of(totals: Array) -> Mapping[str, Array]:
            tp, said, asked = (totals[:, i * K + k] for i in range(3))
            return {"value": _over((1 + b2) * tp, b2 * asked + said, np.nan)}

        return of

    return {label: score(k) for k, label in enumerate(pairing.labels)}


def _rare(table: Sequence[Row], average: str) -> tuple[str, ...]:
    """A mean over classes of a handful of items is biased itself, whatever its interval."""
    rare = [row["category"] for row in table if row["reference"] < 5]
    if average != "macro" or not rare:
        return ()
    return (
        f"{len(rare)} of {len(table)} classes have fewer than 5 items in the reference "
        f"({some(rare, 3)}): the mean over classes and its interval are not to be relied on",
    )


def _scorer(
    K: int, counted: Any, wanted: str, average: str, beta: float
) -> Callable[[Array], Mapping[str, Array]]:
    b2 = beta * beta

    def score(totals: Array) -> Mapping[str, Array]:
        tp, said, asked = (totals[:, i * K : (i + 1) * K][:, counted] for i in range(3))
        if average == "micro":
            tp, said, asked = (t.sum(axis=1, keepdims=True) for t in (tp, said, asked))
        used = np.real(said + asked) > 0
        P = _over(tp, said, 0.0)
        R = _over(tp, asked, 0.0)
        F = _over((1 + b2) * tp, b2 * asked + said, 0.0)
        weight = np.where(used, 1.0, 0.0) if average != "weighted" else asked
        total = weight.sum(axis=1)
        mean = {
            name: _over((weight * each).sum(axis=1), total, np.nan)
            for name, each in (("P", P), ("R", R), ("F", F))
        }
        return {"value": mean[wanted], **mean}

    return score


def _over(above: Array, below: Array, otherwise: float) -> Array:
    good = np.real(below) > 0
    return np.where(good, above / np.where(good, below, 1.0), otherwise)


def _class_table(pairing: Pairing, rows: Array, counted: Any, beta: float) -> list[Row]:
    K = len(pairing.labels)
    tp, said, asked = (pairing.total(rows)[i * K : (i + 1) * K] for i in range(3))
    P, R = _over(tp, said, np.nan), _over(tp, asked, np.nan)
    F = _over((1 + beta**2) * tp, beta**2 * asked + said, np.nan)
    return [
        {"category": label, "P": float(P[k]), "R": float(R[k]), "F": float(F[k]),
         "correct": float(tp[k]), "answered": float(said[k]), "reference": float(asked[k]),
         "value": float(F[k])}
        for k, label in enumerate(pairing.labels)
        if counted[k] and said[k] + asked[k] > 0
    ]  # fmt: skip


@measure(
    "baseline",
    title="Baseline A_e(reference, reference)",
    shape="ratings",
    question="score",
    citation=_MW + ", proposal 5",
    range=(0.0, 1.0),
    use="What the prevalences of the reference give for nothing; the same for all systems.",
    options=(TIES, SEED),
)
def baseline(reference: Ratings, system: Ratings, *, ties: str, seed: int) -> Result:
    r"""Expected agreement of the reference with itself, the naive score to beat.

    .. math:: A_e = \sum_c p_c^2

    p_c is the share of class c in the reference. Unlike the A_e of an agreement coefficient it does
    not depend on the system. Also in the terms: always answering the largest class, answering at
    random among the classes, and the system's own accuracy.

    >>> r = Ratings.from_matrix([list("AAAABBBB")], annotators=["reference"])
    >>> s = Ratings.from_matrix([list("AACCCCCC")], annotators=["system 1"])
    >>> baseline(r, s).value
    0.5
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    p = pairing.mean(pairing.target)
    used = p > 0
    largest = int(p.argmax())

    def score(totals: Array) -> Mapping[str, Array]:
        size = totals.sum(axis=1)
        return {"value": (totals**2).sum(axis=1) / size**2}

    own = float(pairing.mean(_credit(pairing)[:, 0]))
    return validity_result(
        "baseline", pairing, lambda p: p.target, score, options={}, ties=True, groups=(),
        terms={"majority_class": pairing.labels[largest], "majority_class_accuracy": float(p[largest]),
               "random_accuracy": float(1 / max(1, used.sum())), "system_accuracy": own,
               "gain": own - float(p @ p)},
    )  # fmt: skip
