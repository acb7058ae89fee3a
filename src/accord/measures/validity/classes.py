"""Right or wrong, class by class: accuracy, precision, recall, F."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from accord.data import Ratings
from accord.data.label_sets import label_names, membership
from accord.errors import UsageError, some
from accord.measures.ratio import ratio_of_totals
from accord.measures.validity.matched_items import pair
from accord.measures.validity.options import AVERAGE, BETA, BY, NEUTRAL, SEED, TIES
from accord.measures.validity.pairing import Array, Pairing
from accord.measures.validity.result import used_classes, validity_result
from accord.measures.validity.strata import whole
from accord.registry import measure
from accord.result import Result, Row

Average = Literal["macro", "micro", "weighted"]
_MW = "Y. Mathet and A. Widlöcher (2016), TAL 57(2), §7.1"
_ANTOINE = "J.-Y. Antoine, M. Le Tallec and J. Villaneau (2011), TALN, §1"


@measure(
    "accuracy",
    right=True,
    title="Accuracy (robustesse)",
    usual=True,
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
    usual=True,
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
    usual=True,
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
    usual=True,
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
    right. The neutral class, if there is one, is left out. Of items with sets of labels, the classes
    are the labels, each given to an item or not.
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

    Without a `neutral` class, and when every item is answered, it equals accuracy. Of items with sets
    of labels, all labels of all items are counted together: 2 Σ TP / (Σ said + Σ asked).
    """
    pairing = pair(reference, system, ties=ties, seed=seed)
    return _per_class("f1-micro", pairing, "F", "micro", beta, neutral)


@dataclass(frozen=True, slots=True, eq=False)
class LabelView:
    """The labels behind the classes: the classes themselves, or what their sets hold."""

    labels: tuple[str, ...]
    #: classes × labels; None where each class is its own label
    members: Array | None = None

    def asked(self, pairing: Pairing) -> Array:
        """Whether the reference gives each label, row by row; parts where judges tie."""
        return pairing.target if self.members is None else pairing.target @ self.members

    def said(self, pairing: Pairing) -> Array:
        """Whether the system gives each label, row by row."""
        return pairing.choice if self.members is None else pairing.choice @ self.members

    def tally(self, pairing: Pairing) -> Array:
        """Right, answered and wanted, of each label: 3 L columns rather than L²."""
        asked, said = self.asked(pairing), self.said(pairing)
        return np.concatenate([asked * said, said, asked], axis=1)


def label_view(pairing: Pairing, *, declared: Sequence[str] = ()) -> LabelView:
    """The labels of a pairing; those of sets are counted one by one."""
    if pairing.sets is None:
        return LabelView(pairing.labels)
    used = label_names(pairing.sets)
    names = (*dict.fromkeys(declared), *(name for name in used if name not in declared))
    return LabelView(names, membership(pairing.sets, names).astype(np.float64))


def _per_class(
    name: str, pairing: Pairing, wanted: str, average: str, beta: float, neutral: str | None,
) -> Result:  # fmt: skip
    view = label_view(pairing)
    if neutral is not None and neutral not in view.labels:
        raise UsageError(
            f"the neutral class {neutral!r} does not occur; the classes are {', '.join(view.labels)}"
        )
    return of_labels(
        name, pairing, view, wanted, average, beta, neutral=neutral,
        options={"average": average if name in ("precision", "recall") else None},
    )  # fmt: skip


def of_labels(
    name: str, pairing: Pairing, view: LabelView, wanted: str, average: str, beta: float,
    *, neutral: str | None = None, options: Mapping[str, object],
) -> Result:  # fmt: skip
    """P, R or F of labels, put together by an average."""
    if average not in ("macro", "micro", "weighted"):
        raise UsageError(f"the average must be macro, micro or weighted, got {average!r}")
    if not beta > 0:
        raise UsageError(f"beta must be above 0, got {beta}")
    rows = view.tally(pairing)
    counted = np.array([label != neutral for label in view.labels], dtype=bool)
    score = _scorer(len(view.labels), counted, wanted, average, beta)
    table = _label_table(pairing, view, rows, counted, beta)
    totals = score(pairing.total(rows)[None, :])
    shown = {k: float(totals[k][0]) for k in ("P", "R", "F")}
    plain = view.members is None
    each = _of_each(view, beta)
    return validity_result(
        name, pairing, view.tally, lambda t: {"value": score(t)["value"]},
        # items that nobody has seen: one class each, which sets are too many for
        classes=used_classes(pairing) if plain else None,
        options={**options, "beta": beta if beta != 1 else None, "neutral": neutral,
                 "labels": None if plain else len(view.labels)},
        ties=True, terms=shown,
        tables={"category": [_as_category(row) for row in table], "label": table},
        scores={"category": each, "label": each}, warnings=_rare(table, average),
        undefined="no class is both asked for and answered, so there is nothing to divide by (0/0)",
    )  # fmt: skip


def _as_category(row: Row) -> Row:
    return {
        "category": row["label"], "P": row["P"], "R": row["R"], "F": row["value"],
        "correct": row["correct"], "answered": row["answered"], "reference": row["count"],
        "value": row["value"],
    }  # fmt: skip


def _of_each(view: LabelView, beta: float) -> dict[str, Callable[[Array], Mapping[str, Array]]]:
    """F of one label, from the sums of all."""
    L, b2 = len(view.labels), beta * beta

    def score(k: int) -> Callable[[Array], Mapping[str, Array]]:
        def of(totals: Array) -> Mapping[str, Array]:
            tp, said, asked = (totals[:, i * L + k] for i in range(3))
            return {"value": _over((1 + b2) * tp, b2 * asked + said, np.nan)}

        return of

    return {label: score(k) for k, label in enumerate(view.labels)}


def _rare(table: Sequence[Row], average: str) -> tuple[str, ...]:
    """A mean over classes of a handful of items is biased itself, whatever its interval."""
    rare = [row["label"] for row in table if row["count"] < 5]
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


def _label_table(
    pairing: Pairing, view: LabelView, rows: Array, counted: Any, beta: float
) -> list[Row]:
    """Each label that either side uses; its count and prevalence are those of the reference."""
    L, n = len(view.labels), float(pairing.times.sum())
    tp, said, asked = (pairing.total(rows)[i * L : (i + 1) * L] for i in range(3))
    P, R = _over(tp, said, np.nan), _over(tp, asked, np.nan)
    F = _over((1 + beta**2) * tp, beta**2 * asked + said, np.nan)
    return [
        {"label": label, "value": float(F[k]), "P": float(P[k]), "R": float(R[k]),
         "correct": whole(tp[k]), "answered": whole(said[k]), "count": whole(asked[k]),
         "prevalence": float(asked[k] / n)}
        for k, label in enumerate(view.labels)
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
