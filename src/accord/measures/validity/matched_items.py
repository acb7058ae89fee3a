"""The items and classes that a reference and a system have in common, as one pairing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.names import names_of, places_among, same_names
from accord.data.ratings import label_of
from accord.data.slips import in_two_ways
from accord.errors import InputError, UsageError, some
from accord.measures.validity.pairing import (
    CELLS,
    TIES,
    Array,
    Pairing,
    Soft,
    subset,
    winners,
    with_warnings,
)


def pair(reference: Ratings, system: Ratings, *, ties: str = "split", seed: int = 0) -> Pairing:
    """Match the items and classes of a reference and a system.

    Items of the reference without any rating are left out. Those the system does not answer stay:
    skipping an item is no way to be right about it. What the system says of items that the reference
    lacks is left out, and counted in a warning.
    """
    if ties not in TIES:
        raise UsageError(f"ties must be one of {', '.join(TIES)}, got {ties!r}")
    reference, system = reference.single(), system.single()
    warnings: list[str] = []
    if "sets" in (reference.kind, system.kind):
        reference, system = reference.as_sets(), system.as_sets()
    labels, numbers, ref_code, sys_code = _classes(reference, system)
    rated = np.flatnonzero(reference.per_item > 0)
    row = np.full(len(reference.indptr) - 1, -1, dtype=np.int64)
    row[rated] = np.arange(len(rated))
    names = names_of(reference.items)
    keys = names if len(rated) == len(names) else [names[i] for i in rated.tolist()]
    if not len(keys):
        raise InputError("the reference has no rated item")
    same = same_names(reference.items, system.items)
    sys_row = row if same else places_among(names_of(system.items), keys)
    of_rating = sys_row[system.item] if len(sys_row) else np.empty(0, dtype=np.int64)
    known = of_rating >= 0
    answered = (of_rating[known], sys_code[system.code[known]])
    if not known.all():
        foreign = [label_of(system.items[int(i)]) for i in np.unique(system.item[~known])]
        warnings.append(
            f"{len(foreign)} items of the system are not in the reference: {some(foreign, 3)}"
        )
    silent = len(keys) - np.count_nonzero(np.bincount(answered[0], minlength=len(keys)))
    if silent == len(keys):
        pair = in_two_ways(keys, names_of(system.items))
        raise InputError(
            "the system answers none of the items of the reference",
            hint="check that both name their items in the same way"
            if pair is None
            else f"write names alike that mean one item, such as {pair[0]!r} and {pair[1]!r}",
        )
    if silent:
        warnings.append(f"the system gives no answer on {silent} of {len(keys)} items")
    ref_row = row[reference.item]
    pairing = Pairing(
        keys=keys,
        labels=labels,
        numbers=numbers,
        ordered=reference.ordered or numbers is not None,
        sets=_sets(labels, reference, system),
        judged=(ref_row, ref_code[reference.code]),
        answered=answered,
        judged_soft=soft_side(reference, ref_row, ref_code, len(keys), len(labels)),
        answered_soft=soft_side(system, of_rating, sys_code, len(keys), len(labels)),
        judges=reference.annotators,
        ties=ties,
        seed=seed,
        documents=reference.documents,
        document=None if reference.document is None else reference.document[rated],
        weights=None if reference.weights is None else reference.weights[rated],
    )
    pairing = _without_ties(pairing, warnings)
    return with_warnings(pairing, (*reference.notes, *system.notes, *warnings, *_solo(reference)))


def _sets(
    labels: tuple[str, ...], reference: Ratings, system: Ratings
) -> tuple[frozenset[str], ...] | None:
    if reference.kind != "sets":
        return None
    both = [*reference.values, *system.values]
    held = {label_of(value): frozenset(map(str, value)) for value in both}
    return tuple(held[label] for label in labels)


def soft_side(
    data: Ratings, row: NDArray[np.int64], code: NDArray[np.int64], n: int, K: int
) -> Soft | None:
    """The mean distribution of each item and what it decides for; None for plain answers.

    `row` is the item of each rating (-1 for none), `code` the class of each value.
    """
    if data.probabilities is None:
        return None
    if n * K > CELLS:
        raise UsageError(f"{n} items with {K} classes are too many probabilities to hold")
    held = row >= 0
    likely = data.probabilities.take(held)
    count = np.bincount(row[held], minlength=n)[:, None]

    def mean(values: Array) -> Array:
        total = np.zeros((n, K))
        for k, c in enumerate(code.tolist()):
            total[:, c] += np.bincount(row[held], weights=values[:, k], minlength=n)
        return np.divide(total, count, out=np.zeros((n, K)), where=count > 0)

    share = mean(likely.share)
    chosen = mean(likely.choice(data.code[held]))
    # several answers are an ensemble: what most of its mass says
    return Soft(share, np.where(count == 1, chosen, winners(share)))


def _without_ties(pairing: Pairing, warnings: list[str]) -> Pairing:
    if len(pairing.judges) < 2 or pairing.height * len(pairing.labels) > CELLS:
        return pairing
    tied = np.flatnonzero(pairing.tied[pairing.index])
    if not len(tied):
        return pairing
    names = [pairing.keys[i] for i in tied.tolist()]
    if pairing.ties == "error":
        raise InputError(
            f"the judges tie on {len(tied)} of {pairing.n} items: {some(names)}",
            hint="choose `ties=split`, abstain, first or random",
        )
    if pairing.ties == "abstain":
        warnings.append(f"{len(tied)} of {pairing.n} items on which the judges tie are left out")
        if len(tied) == pairing.n:
            raise InputError("the judges tie on every item", hint="choose `ties=split`")
        return subset(pairing, np.flatnonzero(~pairing.tied[pairing.index]))
    warnings.append(f"the judges tie on {len(tied)} of {pairing.n} items; ties: {pairing.ties}")
    return pairing


#: names that say a column is a reference, not a person
_BUILT = (
    "reference",
    "gold",
    "consensus",
    "adjudicat",
    "truth",
    "key",
    "majority",
    "expert",
    "ref",
)


def _solo(reference: Ratings) -> list[str]:
    """A reference of one annotator is one person's opinion unless it says it was validated."""
    if len(reference.annotators) != 1:
        return []
    name = reference.annotators[0]
    if any(word in name.lower() for word in _BUILT):
        return []
    return [
        f"the reference is one annotator ({name!r}): unless it was validated, the score is an "
        "agreement with that person, not a performance (Mathet & Widlöcher 2016, §7.2.1)"
    ]


def _classes(
    reference: Ratings, system: Ratings
) -> tuple[tuple[str, ...], Array | None, NDArray[np.int64], NDArray[np.int64]]:
    """One list of classes for both sides, and the place in it of each side's values."""
    if reference.kind == "numbers" and system.kind == "numbers":
        order = np.union1d(reference.numbers, system.numbers)
        return (
            tuple(label_of(v) for v in order.tolist()),
            order,
            np.searchsorted(order, reference.numbers),
            np.searchsorted(order, system.numbers),
        )
    names = list(reference.labels)
    place = {name: i for i, name in enumerate(names)}
    for name in system.labels:
        if name not in place:
            place[name] = len(names)
            names.append(name)
    return (
        tuple(names),
        None,
        np.arange(len(reference.labels)),
        np.array([place[name] for name in system.labels], dtype=np.int64),
    )
