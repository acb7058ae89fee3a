"""Building references: votes, models of annotators, consensus of located annotations, adjudication.

The package is also the function: ``accord.gold(data, "dawid-skene")``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from os import PathLike
from typing import Any, overload

from accord.data import Annotations, Boxes, Chains, Ratings, Relations, Segments, Units
from accord.data.roles import signed
from accord.errors import UsageError, did_you_mean
from accord.gold.decisions import Decision, Ledger, Store
from accord.gold.decisions.exchange import ledger_of
from accord.gold.item_reference import ItemReference
from accord.gold.placed_reference import PlacedReference
from accord.gold.plan import METHODS, MODELS, NUMERIC, Plan, from_ratings
from accord.gold.reference import Reference
from accord.gold.worklist import worklist
from accord.options import check_draws, digest, further
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, read_with, takes_sequences
from accord.verbs import is_verb

__all__ = [
    "METHODS", "MODELS", "NUMERIC", "Decision", "ItemReference", "Ledger", "PlacedReference", "Plan",
    "Reference", "Store",
    "as_reference", "gold", "worklist",
]  # fmt: skip


#: methods on units that do not overlap, beside the consensus
SPAN_MODELS = ("bsc", "hmm-crowd", "token-dawid-skene")

#: where human decisions come from
Decisions = Store | Ledger | str | PathLike[str] | Mapping[str, object] | None


@overload
def gold(
    data: Ratings,
    method: str | None = ...,
    *,
    ties: str = ...,
    threshold: float | None = ...,
    known: Mapping[str, object] | None = ...,
    groups: Mapping[str, Sequence[str]] | None = ...,
    weights: Mapping[str, float] | None = ...,
    decisions: Decisions = ...,
    calibrate: str = ...,
    seed: int = ...,
    name: str = ...,
    progress: Callable[[int, int], None] | None = ...,
    **options: object,
) -> ItemReference: ...


@overload
def gold(
    data: Units | Segments | Chains | Boxes | Relations,
    method: str | None = ...,
    *,
    ties: str = ...,
    threshold: float | None = ...,
    known: Mapping[str, object] | None = ...,
    groups: Mapping[str, Sequence[str]] | None = ...,
    weights: Mapping[str, float] | None = ...,
    decisions: Decisions = ...,
    calibrate: str = ...,
    seed: int = ...,
    name: str = ...,
    progress: Callable[[int, int], None] | None = ...,
    **options: object,
) -> PlacedReference: ...


@overload
def gold(
    data: Given,
    method: str | None = ...,
    *,
    ties: str = ...,
    threshold: float | None = ...,
    known: Mapping[str, object] | None = ...,
    groups: Mapping[str, Sequence[str]] | None = ...,
    weights: Mapping[str, float] | None = ...,
    decisions: Decisions = ...,
    calibrate: str = ...,
    seed: int = ...,
    name: str = ...,
    progress: Callable[[int, int], None] | None = ...,
    **options: object,
) -> Reference: ...


@takes_sequences()
@refuses_other_kinds
def gold(
    data: Given,
    method: str | None = None,
    *,
    ties: str = "abstain",
    threshold: float | None = None,
    known: Mapping[str, object] | None = None,
    groups: Mapping[str, Sequence[str]] | None = None,
    weights: Mapping[str, float] | None = None,
    decisions: Decisions = None,
    calibrate: str = "auto",
    seed: int = 0,
    name: str = "reference",
    progress: Callable[[int, int], None] | None = None,
    **options: object,
) -> Reference:
    """Build a reference.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads: a path, a dataframe
    method : for ratings majority (default), unanimity, weighted, dawid-skene, one-coin, glad, mace,
        ebcc, minimax-entropy, mean, median or bias-noise; for units, segments, chains, relations and
        boxes consensus, for units without overlap also bsc, hmm-crowd and token-dawid-skene
    ties : error, abstain (default), first or random
    threshold : an item whose best label has less than this probability gets none
    known : item → value known beforehand; models learn from it
    groups : name → annotators whose errors are correlated, for example language models
    weights : annotator → weight of their votes
    decisions : the human decisions, which always win: a store or its file (.db), a ledger, or
        item → label, or item → record (kind, value, who, …)
    calibrate : how the posteriors of a model become confidences: auto, known, bagged, held-out or
        model (as they are); see :func:`accord.gold.confidence.calibrated`
    **options : those of the method (smoothing, rounds, restarts, ordered, window, keep, …), and those of
        :func:`accord.read` where data are not read yet

    Returns
    -------
    A :class:`Reference`: of items for ratings, of places for the other shapes.

    >>> data = Ratings.from_matrix([["a", "b", "a"], ["a", "b", "b"], ["a", "a", "b"]])
    >>> reference = gold(data, "majority")
    >>> [reference.written(i) for i in range(3)], reference.confidence.round(2).tolist()
    (['a', 'b', 'b'], [1.0, 0.67, 0.67])
    """
    check_draws(seed=seed)
    for word, mapping in (("known", known), ("groups", groups), ("weights", weights)):
        if mapping is not None and not isinstance(mapping, Mapping):
            raise UsageError(f"`{word}` must be a mapping, got {type(mapping).__name__}")
    ledger = ledger_of(decisions)
    data, options = read_with(data, options, but=("ordered",))
    if isinstance(data, Ratings):
        plan = Plan(
            name=name,
            method=method or "majority",
            ties=ties,
            threshold=threshold,
            seed=seed,
            known=known or {},
            groups=groups or {},
            decisions=ledger,
            weights=weights,
            calibrate=calibrate,
            options=options,
            progress=progress,
        )
        made = from_ratings(data, plan)
        return replace(made, signature=signed(made.signature, data))
    if known or groups or weights or threshold is not None:
        raise UsageError("known values, groups, weights and thresholds are for ratings")
    found = _consensus(data, method, ledger, name, progress, options)
    said = {item: str(decision.says) for item, decision in ledger.in_force.items()}
    words = [f"decided:{len(said)}@{digest(said)}"] if said else []
    return replace(found, signature=signed(further(found.signature, *words), data))


def _consensus(
    data: Annotations,
    method: str | None,
    ledger: Ledger,
    name: str,
    progress: Callable[[int, int], None] | None,
    options: Mapping[str, Any],
) -> PlacedReference:
    """The reference of anything but ratings."""
    models = SPAN_MODELS if isinstance(data, Units) else ()
    if method not in (None, "consensus", *models):
        raise UsageError(
            f"{method} is for ratings; for {data.shape} use {', '.join(('consensus', *models))}"
        )
    if isinstance(data, Segments):
        from accord.gold.boundaries import segment_consensus

        return segment_consensus(
            data, name=name, decisions=ledger, **_own(segment_consensus, options)
        )
    if isinstance(data, Chains):
        from accord.gold.partitions import chain_consensus

        return chain_consensus(data, name=name, decisions=ledger, **_own(chain_consensus, options))
    if isinstance(data, Boxes):
        from accord.gold.box_consensus import box_consensus

        return box_consensus(data, name=name, decisions=ledger, **_own(box_consensus, options))
    if isinstance(data, Units) and method in SPAN_MODELS:
        from accord.gold.spans import span_consensus

        return span_consensus(
            data,
            method,
            name=name,
            decisions=ledger,
            progress=progress,
            **_own(span_consensus, options),
        )
    if isinstance(data, Relations):
        from accord.gold.relation_consensus import relation_consensus

        return relation_consensus(
            data,
            name=name,
            decisions=ledger,
            progress=progress,
            **_own(relation_consensus, options),
        )
    if isinstance(data, Units):
        from accord.gold.unit_consensus import unit_consensus

        return unit_consensus(
            data, name=name, decisions=ledger, progress=progress, **_own(unit_consensus, options)
        )
    raise UsageError(f"cannot build a reference for {type(data).__name__}")


def as_reference(given: Given, **options: object) -> Reference:
    """The reference that a file, a dataframe or annotations hold, whole: also what has no value.

    >>> made = gold(Ratings.from_matrix([["a", "b"], ["a", "a"]]))
    >>> [(row["value"], row["reason"]) for row in as_reference(made.to_frame()).rows()]
    [('a', ''), (None, 'tie')]
    """
    if isinstance(given, Reference):
        return given
    data, unknown = read_with(given, options, annotator="reference")
    if unknown:
        raise UsageError(f"reading has no option `{next(iter(unknown))}`")
    return (ItemReference if isinstance(data, Ratings) else PlacedReference).of(data)  # type: ignore[arg-type]


def _own(
    consensus: Callable[..., PlacedReference], options: Mapping[str, object]
) -> dict[str, Any]:
    """The options of a consensus, some of which are those of an alignment."""
    from accord.alignment.align import align

    known = dict(signature(consensus).parameters)
    if any(p.kind is p.VAR_KEYWORD for p in known.values()):
        known |= signature(align).parameters
    for word in options:
        if word not in known:
            raise UsageError(
                f"a consensus has no option `{word}`" + did_you_mean(word, known, "`{}`")
            )
    return dict(options)


is_verb(__name__)
