"""What each coreference score would owe to entity size and singletons on one's own data.

The documents stay as they are annotated. A response is made from each by the same error at the same rate,
once within the entities of one size only, once everywhere with singletons kept and dropped: what a wrong
mention costs should not depend on either, and the tables show how far it does.

>>> from accord.data import Chains
>>> data = Chains.from_clusters({("d", "A"): [["a"], ["b"], list("cdefgh"), list("ijkl")]})
>>> found = own_bias(data, measures=["b3", "ceaf-e"], error="isolate", rate=1, repetitions=1)
>>> [(row["size"], row["mentions"], round(row["ceaf-e"], 2)) for row in found.sizes]
[('1', 2, nan), ('3–4', 4, 1.15), ('5–8', 6, 0.99)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.data import Chains
from accord.errors import InputError, UsageError
from accord.measures.coreference.corrections import size_class, size_name
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.measures.coreference.specification import Specification
from accord.simulate.chains import ERRORS, SHOWN, Codes, coreference_score, tabulated
from accord.version import __version__


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnBias:
    """What a wrong mention costs in each score, by the size of its entity and with singletons."""

    #: one row per size of entity: its entities and mentions, then for each score the loss per share of
    #: mentions that are wrong (1: a mention costs a mention)
    sizes: Sequence[Mapping[str, Any]]
    #: one row per score: the same errors with singletons kept, dropped, and the difference
    singletons: Sequence[Mapping[str, Any]]
    sentence: str
    signature: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "size": [dict(row) for row in self.sizes],
            "singletons": [dict(row) for row in self.singletons],
            "setting": self.sentence,
            "signature": self.signature,
        }


def own_bias(
    data: Chains,
    *,
    measures: Sequence[str] = SHOWN,
    error: str = "move",
    rate: float = 0.2,
    repetitions: int = 20,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> OwnBias:
    """The bias of scores on one's own documents; every annotator's version of a document is one.

    `error` and `rate` are those of :func:`accord.simulate.chains.influence`. The loss is the fall of the
    score from a perfect response divided by the share of mentions that the error changed; scores are
    summed over the documents, as in evaluation, and averaged over the repetitions.
    """
    if error not in ERRORS:
        raise UsageError(f"the error must be one of {', '.join(ERRORS)}, got {error!r}")
    if not 0 < rate <= 1:
        raise UsageError(f"the rate must be above 0 and at most 1, got {rate}")
    specifications = [SPECIFICATIONS[coreference_score(name)] for name in measures]
    keys = _partitions(data)
    if not keys:
        raise InputError("there is no mention in the data to learn from")
    sizes = [np.bincount(key)[key] for key in keys]
    classes = [np.array([size_class(int(n)) for n in own]) for own in sizes]
    present = sorted({int(c) for own in classes for c in own})
    rows: list[dict[str, Any]] = []
    for done, c in enumerate(present):
        masks = [own == c for own in classes]
        entities = sum(len(np.unique(k[m])) for k, m in zip(keys, masks, strict=True))
        mentions = sum(int(m.sum()) for m in masks)
        loss = _losses(specifications, keys, masks, error, rate, repetitions, (seed, c))
        rows.append({"size": size_name(c), "entities": entities, "mentions": mentions, **loss})
        if progress is not None:
            progress(done + 1, len(present) + 1)
    beside = _with_singletons(specifications, keys, sizes, error, rate, repetitions, seed)
    if progress is not None:
        progress(len(present) + 1, len(present) + 1)
    total = sum(map(len, keys))
    alone = sum(int((own == 1).sum()) for own in sizes)
    return OwnBias(
        sizes=rows,
        singletons=beside,
        sentence=f"{len(keys)} documents, {total} mentions, {alone / total:.0%} of them singletons; error "
        f"{error} at {rate:g}, {repetitions} times",
        signature=f"own-bias|error:{error}|rate:{rate:g}|repetitions:{repetitions}|seed:{seed}"
        f"|documents:{len(keys)}|n:{total}|v:{__version__}",
    )


def _partitions(data: Chains) -> list[Codes]:
    """Entity of each mention, numbered from 0, for each document and annotator."""
    keys = []
    for d, a in sorted(data.coverage):
        own = data.entity[(data.document == d) & (data.annotator == a)]
        if len(own):
            keys.append(np.unique(own, return_inverse=True)[1].reshape(-1).astype(np.int64))
    return keys


def _losses(
    specifications: Sequence[Specification],
    keys: Sequence[Codes],
    masks: Sequence[np.ndarray[Any, np.dtype[np.bool_]]],
    error: str,
    rate: float,
    repetitions: int,
    seed: tuple[int, int],
) -> dict[str, float]:
    """Loss of each score per share of mentions that are wrong, errors in the masks only."""
    perfect = _scores(specifications, keys, keys)
    falls: dict[str, list[float]] = {s.name: [] for s in specifications}
    for i in range(repetitions):
        rng = np.random.default_rng([*seed, i])
        responses = [
            np.where(mask, ERRORS[error](rng, key, rate), key)
            for key, mask in zip(keys, masks, strict=True)
        ]
        wrong = sum(_wrong(k, r) for k, r in zip(keys, responses, strict=True))
        share = wrong / sum(map(len, keys))
        found = _scores(specifications, keys, responses)
        for name, value in found.items():
            # a singleton set apart is the singleton it was: nothing is wrong, and nothing lost
            falls[name].append(abs(perfect[name] - value) / share if share else np.nan)
    return {name: _mean(own) for name, own in falls.items()}


def _wrong(key: Codes, response: Codes) -> int:
    """Mentions that are elsewhere: not those that are alone on both sides, whatever their number."""
    size = [np.bincount(side[side >= 0]) for side in (key, response)]
    alone = (size[0][key] == 1) & (response >= 0)
    alone &= size[1][np.maximum(response, 0)] == 1
    return int(((response != key) & ~alone).sum())


def _with_singletons(
    specifications: Sequence[Specification],
    keys: Sequence[Codes],
    sizes: Sequence[Codes],
    error: str,
    rate: float,
    repetitions: int,
    seed: int,
) -> list[dict[str, Any]]:
    """The same responses scored with the singletons of both sides and without."""
    kept: dict[str, list[float]] = {s.name: [] for s in specifications}
    dropped: dict[str, list[float]] = {s.name: [] for s in specifications}
    for i in range(repetitions):
        rng = np.random.default_rng([seed, 1000, i])
        responses = [ERRORS[error](rng, key, rate) for key in keys]
        for name, value in _scores(specifications, keys, responses).items():
            kept[name].append(value)
        pairs = [_linked(k, r) for k, r in zip(keys, responses, strict=True)]
        if any(len(k) for k, _ in pairs):
            for name, value in _scores(specifications, *zip(*pairs, strict=True)).items():
                dropped[name].append(value)
    return [
        {
            "measure": name,
            "with_singletons": _mean(own),
            "without": _mean(dropped[name]),
            "difference": _mean(own) - _mean(dropped[name]),
        }
        for name, own in kept.items()
    ]


def _linked(key: Codes, response: Codes) -> tuple[Codes, Codes]:
    """Both sides without their singletons; −1 is a mention that a side lacks."""
    sides = []
    for side in (key, response):
        size = np.bincount(side[side >= 0], minlength=int(side.max(initial=-1)) + 1)
        sides.append(np.where((side >= 0) & (size[np.maximum(side, 0)] > 1), side, -1))
    return sides[0], sides[1]


def _scores(
    specifications: Sequence[Specification], keys: Sequence[Codes], responses: Sequence[Codes]
) -> dict[str, float]:
    """Each score over all documents together."""
    table = tabulated(keys, responses)
    out = {}
    for specification in specifications:
        totals = specification.tally(table).sum(axis=0, keepdims=True)
        out[specification.name] = float(specification.score(totals)["value"][0])
    return out


def _mean(values: Sequence[float]) -> float:
    known = [v for v in values if np.isfinite(v)]
    return sum(known) / len(known) if known else float("nan")
