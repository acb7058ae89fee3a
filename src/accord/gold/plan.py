"""`gold`: a reference from the annotators of a campaign of ratings."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.label_sets import label_names
from accord.data.progress import Progress, heard, hearing, stages
from accord.data.ratings import label_of
from accord.errors import InputError, UsageError, did_you_mean, some
from accord.gold import multilabel, numbers, ties, unanimity
from accord.gold.confidence import calibrated, refits
from accord.gold.dawid_skene import dawid_skene, one_coin
from accord.gold.decisions import Ledger
from accord.gold.decisions.ratings import of_ratings
from accord.gold.ebcc import ebcc
from accord.gold.given import as_set, clamped, weight_of, with_values
from accord.gold.glad import glad
from accord.gold.groups import Groups, correlated
from accord.gold.item_reference import ItemReference, distinct
from accord.gold.labels import Chunks, Estimate, Labels, refuse_nothing
from accord.gold.mace import mace
from accord.gold.minimax import minimax_entropy, published_minimax_entropy
from accord.gold.summary import annotator_rows, with_rejections, with_votes, with_warnings
from accord.gold.votes import majority, weighted
from accord.options import digest
from accord.result import signature

Model = Callable[..., Estimate]

#: methods on categories (and, one label at a time, on sets)
MODELS: Mapping[str, Model] = {
    "majority": majority,
    "unanimity": majority,
    "weighted": weighted,
    "dawid-skene": dawid_skene,
    "one-coin": one_coin,
    "glad": glad,
    "mace": mace,
    "ebcc": ebcc,
    "minimax-entropy": minimax_entropy,
    "minimax-entropy-published": published_minimax_entropy,
}
#: methods whose distributions are shares of votes, which claim no more than they show
VOTES = ("majority", "unanimity", "weighted")
#: methods on numbers
NUMERIC: Mapping[str, Callable[..., numbers.Numbers]] = {
    "mean": numbers.mean,
    "median": numbers.median,
    "bias-noise": numbers.bias_noise,
}
METHODS = (*MODELS, *NUMERIC, "consensus")


#: methods that take annotators as interchangeable
_COUNTED = ("majority", "unanimity")


#: how much a refit is, beside a first fit
_REFIT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a reference of ratings is to be built with."""

    #: what the reference is called
    name: str = "reference"
    method: str = "majority"
    ties: str = "abstain"
    threshold: float | None = None
    seed: int = 0
    #: item → value known beforehand
    known: Mapping[str, Any] = field(default_factory=dict)
    #: group → annotators whose errors are correlated
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)
    #: human decisions; these always win
    decisions: Ledger = field(default_factory=Ledger)
    #: annotator → weight of their votes
    weights: Mapping[str, float] | None = None
    #: how the posteriors of a model become confidences
    calibrate: str = "auto"
    options: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress | None = None


def from_ratings(data: Ratings, plan: Plan) -> ItemReference:
    """The reference of these ratings; human decisions win over everything, known values over rules."""
    with hearing(plan.progress or heard()):
        return _made(data, plan)


def _made(data: Ratings, plan: Plan) -> ItemReference:
    if plan.method not in (*MODELS, *NUMERIC):
        raise UsageError(
            f"the method must be one of {', '.join((*MODELS, *NUMERIC))} for ratings, "
            f"got {plan.method!r}" + did_you_mean(plan.method, (*MODELS, *NUMERIC))
        )
    data = data.single()
    if data.anonymous and plan.method not in _COUNTED:
        raise UsageError(
            f"{plan.method} needs to know who gave which rating, and these are counts per category; "
            f"use {', '.join(_COUNTED)}"
        )
    place = {label_of(item): i for i, item in enumerate(data.items)}
    absent = [name for name in plan.known if name not in place]
    if absent:
        raise InputError(
            f"the known values name {len(absent)} items that the data lack: {some(absent, 3)}",
            hint="check the item column",
        )
    decided = of_ratings(data, plan.decisions, place)
    ties.check_threshold(plan.threshold)
    groups = correlated(data, plan.groups)
    settled = dict(plan.known) | {
        item: d.value for item, d in decided.in_force.items() if d.kind == "label"
    }
    if plan.method in NUMERIC:
        reference = _numeric(data, plan, groups, settled, place)
    elif data.kind == "sets":
        reference = _sets(data, plan, groups, settled, place)
    else:
        reference = _classes(data, plan, groups, settled, place)
    reference = with_votes(reference)
    source = reference.source.copy()
    source[[place[item] for item in plan.known]] = 1
    source[[place[item] for item in decided.in_force]] = 2
    return with_warnings(
        replace(
            with_rejections(
                reference, decided.in_force, place, ties=plan.ties, threshold=plan.threshold
            ),
            name=plan.name,
            source=source,
            groups=groups.rows,
            effective_annotators=groups.effective,
            decisions={item: d.to_dict() for item, d in decided.in_force.items()},
            aside=decided.aside,
            changed=decided.changed,
            conflicts=decided.conflicts,
            warnings=(*reference.warnings, *decided.sentences),
            signature=signature(
                f"gold:{plan.method}",
                len(reference),
                **{k: v for k, v in plan.options.items() if not isinstance(v, Mapping)},
                ties=plan.ties if plan.method in MODELS else None,
                threshold=plan.threshold,
                calibrate=None if plan.method in (*VOTES, *NUMERIC) else plan.calibrate,
                known=_counted(plan.known),
                decided=_counted({k: d.value for k, d in decided.in_force.items()}),
                groups=_counted(plan.groups),
                weights=_counted(plan.weights or {}),
                seed=plan.seed
                if plan.method not in (*VOTES, *NUMERIC) or plan.ties == "random"
                else None,
            ),
        ),
        groups,
        numeric=plan.method in NUMERIC,
    )


def _counted(given: Mapping[str, object]) -> str | None:
    """How many were given, and a digest of what: two tables are two questions."""
    return f"{len(given)}@{digest(given)}" if given else None


def _classes(
    data: Ratings, plan: Plan, groups: Groups, settled: Mapping[str, Any], place: Mapping[str, int]
) -> ItemReference:
    data = with_values(data, settled.values())
    refuse_nothing(data)
    labels = Labels.of(
        data,
        weight=weight_of(data, plan.weights, groups.weight),
        clamp=clamped(data, settled, place),
    )
    model = inspect.signature(MODELS[plan.method]).parameters
    times = plan.options.get("restarts", model["restarts"].default) if "restarts" in model else 1
    # (weighed as they are drawn, annotators take more rounds)
    more = 0 if plan.method in VOTES else _REFIT * refits(labels, plan.calibrate)
    first, again = stages([times, more])
    with first:
        estimate = fitted(plan, labels)
    # ties of known items are no ties; the policy is applied to the others only
    free = np.flatnonzero((labels.clamp < 0) & (data.per_item > 0))
    code = labels.clamp.copy()
    tied = np.zeros(len(code), dtype=bool)
    code[free], tied[free] = ties.decide(
        estimate.posterior[free], [data.items[int(i)] for i in free],
        ties=plan.ties, threshold=plan.threshold if plan.method in VOTES else None, seed=plan.seed,
    )  # fmt: skip
    honest = estimate.posterior
    terms: dict[str, Any] = {}
    warnings: tuple[str, ...] = ()
    if plan.method not in VOTES:
        with again:
            made = calibrated(
                labels, estimate, lambda one: fitted(plan, one, once=True), method=plan.calibrate,
                seed=plan.seed,
            )  # fmt: skip
        honest = made.posterior
        terms |= made.terms()
        warnings = made.warnings
        if plan.threshold is not None:
            held = honest[np.arange(len(code)), np.maximum(code, 0)]
            code[ties.below(held, plan.threshold) & (labels.clamp < 0)] = -1
    if plan.method == "unanimity":
        code = np.where((labels.clamp >= 0) | unanimity.unanimous(labels), code, -1)
        code = code.astype(np.int32)
        terms["unanimity"] = unanimity.bias(data, labels)
    confidence = np.where(
        code >= 0,
        honest[np.arange(len(code)), np.maximum(code, 0)],
        honest.max(axis=1, initial=0.0),
    )
    return ItemReference(
        method=plan.method,
        data=data,
        values=data.values,
        kind=data.kind,
        code=code,
        confidence=confidence,
        source=np.zeros(len(code), dtype=np.int8),
        strength=np.empty(0),
        tied=tied,
        labels=data.labels,
        posterior=estimate.posterior,
        distribution=None if plan.method in VOTES else honest,
        calibrated=plan.method not in VOTES and plan.calibrate not in ("auto", "model"),
        estimate=estimate,
        annotators=annotator_rows(data, code, data.values, estimate),
        terms=terms,
        warnings=warnings,
    )


def _sets(
    data: Ratings, plan: Plan, groups: Groups, settled: Mapping[str, Any], place: Mapping[str, int]
) -> ItemReference:
    names = label_names(data.values)
    labels = Labels.of(data, weight=weight_of(data, plan.weights, groups.weight))
    known = np.full((labels.n_items, len(names)), np.nan)
    for item, value in settled.items():
        held = as_set(value)
        known[place[item]] = [float(name in held) for name in names]
    present, estimates = multilabel.per_label(data, labels, lambda one: fitted(plan, one), known)
    rated = data.per_item > 0
    chosen, tied, confidence = multilabel.chosen_sets(present, names, ties=plan.ties, rated=rated)
    if plan.ties == "error" and tied.any():
        ties.decide(np.where(tied[:, None], 0.5, [1.0, 0.0]), data.items, ties="error")
    if plan.method == "unanimity":
        same = unanimity.unanimous(labels)
        chosen = [c if ok else None for c, ok in zip(chosen, same, strict=True)]
    if plan.threshold is not None:
        low = confidence < plan.threshold
        chosen = [None if below else c for c, below in zip(chosen, low, strict=True)]
    for item, value in settled.items():
        chosen[place[item]], confidence[place[item]] = as_set(value), 1.0
        tied[place[item]] = False
    values, code = distinct(chosen)
    first = estimates[0] if estimates else Estimate(posterior=present)
    accuracies = [e.accuracy for e in estimates if e.accuracy is not None]
    merged = Estimate(
        posterior=present,
        accuracy=np.mean(accuracies, axis=0) if accuracies else None,
        objective=first.objective,
        converged=all(e.converged is not False for e in estimates) if first.objective else None,
        notes=("one binary model per label; the objective shown is that of the first label",),
    )
    return ItemReference(
        method=plan.method,
        data=data,
        values=values,
        kind="sets",
        code=code,
        confidence=confidence,
        source=np.zeros(len(code), dtype=np.int8),
        strength=np.empty(0),
        tied=tied,
        labels=names,
        posterior=present,
        estimate=merged,
        annotators=annotator_rows(data, code, values, merged),
        terms={"unanimity": unanimity.bias(data, labels)} if plan.method == "unanimity" else {},
    )


def _numeric(
    data: Ratings, plan: Plan, groups: Groups, settled: Mapping[str, Any], place: Mapping[str, int]
) -> ItemReference:
    known = np.full(len(data.indptr) - 1, np.nan)
    for item, value in settled.items():
        try:
            known[place[item]] = float(value)
        except (TypeError, ValueError):
            raise InputError(
                f"the value of item {item!r} must be a number, got {value!r}"
            ) from None
    options = _options_of(plan, NUMERIC[plan.method])
    found = NUMERIC[plan.method](
        data, weight=weight_of(data, plan.weights, groups.weight), known=known, **options
    )
    values, inverse = np.unique(found.value, return_inverse=True)
    code = inverse.astype(np.int32)
    code[np.isnan(found.value)] = -1
    rows: list[dict[str, Any]] = []
    given = np.bincount(data.annotator, minlength=len(data.annotators))
    for a, name in enumerate(data.annotators):
        mine = data.annotator == a
        gap = data.numbers[data.code[mine]] - found.value[data.item[mine]]
        row: dict[str, Any] = {
            "annotator": name,
            "n": int(given[a]),
            "rmse": float(np.sqrt(np.nanmean(gap**2))) if len(gap) else np.nan,
        }
        if found.bias is not None and found.noise is not None:
            row |= {"bias": float(found.bias[a]), "noise": float(found.noise[a])}
        rows.append(row)
    estimate = Estimate(
        posterior=np.empty((len(code), 0)), objective=found.objective, converged=found.converged
    )
    return ItemReference(
        method=plan.method,
        data=data,
        values=values[~np.isnan(values)].tolist(),
        kind="numbers",
        code=code,
        confidence=np.nan_to_num(found.reliability),
        source=np.zeros(len(code), dtype=np.int8),
        strength=np.empty(0),
        tied=np.zeros(len(code), dtype=bool),
        error=found.error,
        estimate=estimate,
        annotators=tuple(rows),
    )


def fitted(plan: Plan, labels: Labels | Chunks, *, once: bool = False) -> Estimate:
    """Fit the model; `once` without restarts, for refits that are averaged."""
    given = plan.method == "weighted" and plan.weights is not None
    model = majority if given else MODELS[plan.method]
    options = _options_of(plan, model)
    if once and "restarts" in inspect.signature(model).parameters:
        options["restarts"] = 1
    return model(labels, **options)


def _options_of(plan: Plan, function: Callable[..., Any]) -> dict[str, Any]:
    """The plan's options, which must be the method's own, with the seed it takes."""
    accepted = set(inspect.signature(function).parameters)
    for name in plan.options:
        if name not in accepted or name in ("labels", "data", "weight", "weights", "known"):
            own = sorted(
                accepted - {"labels", "data", "weight", "weights", "known", "seed", "progress"}
            )
            raise UsageError(
                f"{plan.method} has no option {name!r}; "
                + (f"its options are {', '.join(own)}" if own else "it takes none")
            )
    options = dict(plan.options)
    if "seed" in accepted:
        options["seed"] = plan.seed
    return options
