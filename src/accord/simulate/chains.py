"""How coreference scores react to entity size, number of entities and singletons, all else equal.

The study that Lion-Bouton et al. (2020, §6) announce: a key is drawn with one property under
control, the response makes the same errors at the same rate everywhere, and the curve of each score
shows what the score owes to the property rather than to the errors.

>>> curves = influence("singletons", levels=[0, 0.8], measures=["muc", "b3"], repetitions=20)
>>> b3 = curves.values["b3"]
>>> bool(b3[1].mean > b3[0].mean)
True
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError
from accord.measures.coreference.contingency import Table, tabulate
from accord.measures.coreference.enrolment import SPECIFICATIONS
from accord.registry import find
from accord.version import __version__

Codes = NDArray[np.int64]
Generator = np.random.Generator

#: what is varied, and the levels shown by default
FACTORS: Mapping[str, tuple[float, ...]] = {
    "size": (2, 3, 4, 6, 8, 12, 20, 40),
    "entities": (2, 5, 10, 20, 50, 100),
    "singletons": (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
}
#: the scores drawn by default
SHOWN = ("muc", "b3", "ceaf-m", "ceaf-e", "blanc", "lea", "conll", "ceaf-m-jaccard")


class Point(NamedTuple):
    """Mean of a score over the repetitions, and the middle 95 % of them."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class InfluenceCurves:
    """One curve per score."""

    factor: str
    levels: tuple[float, ...]
    values: Mapping[str, tuple[Point, ...]]
    error: str
    rate: float
    sentence: str
    signature: str

    def rows(self) -> list[dict[str, Any]]:
        """One row per level and score."""
        return [
            {self.factor: level, "measure": name, **point._asdict()}
            for name, points in self.values.items()
            for level, point in zip(self.levels, points, strict=True)
        ]

    def to_dict(self) -> dict[str, object]:
        return {
            "factor": self.factor,
            "levels": list(self.levels),
            "error": self.error,
            "rate": self.rate,
            "curves": {
                name: [point._asdict() for point in points] for name, points in self.values.items()
            },
            "setting": self.sentence,
            "signature": self.signature,
        }


def influence(
    factor: str,
    *,
    levels: Sequence[float] | None = None,
    measures: Sequence[str] = SHOWN,
    error: str = "move",
    rate: float = 0.2,
    mentions: int = 200,
    size: float = 4.0,
    singletons: float = 0.0,
    repetitions: int = 200,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> InfluenceCurves:
    """Curves of scores against one property of the key, the errors of the response being equal.

    Parameters
    ----------
    factor : "size" (mentions per entity, the number of mentions fixed), "entities" (their number,
        their size fixed) or "singletons" (share of the mentions that are alone)
    error : what the response does to each mention or entity with probability `rate`: "move" a
        mention to another entity, "isolate" it, "omit" it, "split" an entity in two, "merge" it
        with another; or "all-singletons", "one-entity": a response that does not try
    mentions, size, singletons : the properties that stay fixed
    """
    if factor not in FACTORS:
        raise UsageError(f"the factor must be one of {', '.join(FACTORS)}, got {factor!r}")
    if error not in ERRORS:
        raise UsageError(f"the error must be one of {', '.join(ERRORS)}, got {error!r}")
    if not 0 <= rate <= 1:
        raise UsageError(f"the rate must be between 0 and 1, got {rate}")
    chosen = tuple(levels if levels is not None else FACTORS[factor])
    specifications = [SPECIFICATIONS[coreference_score(name)] for name in measures]
    values: dict[str, list[Point]] = {s.name: [] for s in specifications}
    for i, level in enumerate(chosen):
        rng = np.random.default_rng([seed, i])
        fixed = {"mentions": mentions, "size": size, "singletons": singletons}
        keys = [_key(rng, **_at(factor, level, fixed)) for _ in range(repetitions)]
        responses = [ERRORS[error](rng, key, rate) for key in keys]
        table = tabulated(keys, responses)
        for specification in specifications:
            found = specification.values(table)
            low, high = np.nanquantile(found, [0.025, 0.975])
            values[specification.name].append(
                Point(float(np.nanmean(found)), float(low), float(high))
            )
        if progress is not None:
            progress(i + 1, len(chosen))
    others = {"size": f"{mentions} mentions", "entities": f"{size:g} mentions per entity",
              "singletons": f"{mentions} mentions, other entities of {size:g}"}  # fmt: skip
    return InfluenceCurves(
        factor=factor,
        levels=chosen,
        values={name: tuple(points) for name, points in values.items()},
        error=error,
        rate=rate,
        sentence=f"{repetitions} documents per level, {others[factor]}, error {error} at {rate:g}",
        signature=f"influence|{factor}|error:{error}|rate:{rate:g}|mentions:{mentions}|size:{size:g}"
        f"|singletons:{singletons:g}|repetitions:{repetitions}|seed:{seed}|v:{__version__}",
    )


def coreference_score(name: str) -> str:
    found = find(name).name
    if found not in SPECIFICATIONS:
        raise UsageError(f"{found} is not a score of chains")
    return found


def _at(factor: str, level: float, fixed: Mapping[str, float]) -> dict[str, Any]:
    """The setting at one level of the factor."""
    mentions, size, singletons = (fixed[k] for k in ("mentions", "size", "singletons"))
    if factor == "size":
        size = level
    elif factor == "entities":
        mentions = level * size
    else:
        singletons = level
    if size < 1 or mentions < 1 or not 0 <= singletons <= 1:
        raise UsageError(f"there is no document with {factor} = {level:g}")
    return {"mentions": round(mentions), "size": size, "singletons": singletons}


def _key(rng: Generator, *, mentions: int, size: float, singletons: float) -> Codes:
    """Entity of each mention: singletons, then entities of `size` mentions on average, at least 2."""
    alone = round(singletons * mentions)
    rest = mentions - alone
    entities = min(max(1, round(rest / size)), max(1, rest // 2)) if rest else 0
    sure = np.repeat(np.arange(entities), 2)[:rest]
    drawn = rng.integers(0, max(1, entities), rest - len(sure))
    return np.concatenate([sure, drawn, entities + np.arange(alone)]).astype(np.int64)


def tabulated(keys: Sequence[Codes], responses: Sequence[Codes]) -> Table:
    """All documents in one table; -1 is a mention that a side lacks."""
    document = np.repeat(np.arange(len(keys)), [len(k) for k in keys])
    key, response = np.concatenate(keys), np.concatenate(responses)
    ours, theirs = key >= 0, response >= 0
    both = ours & theirs
    return tabulate(
        ("",) * len(keys),
        (document[ours], key[ours]),
        (document[theirs], response[theirs]),
        ((np.cumsum(ours) - 1)[both], (np.cumsum(theirs) - 1)[both]),
    )


def _move(rng: Generator, key: Codes, rate: float) -> Codes:
    entities = int(key.max()) + 1
    if entities < 2:
        return key
    # another entity than its own, each as likely
    other = (key + rng.integers(1, entities, len(key))) % entities
    return np.where(rng.random(len(key)) < rate, other, key)


def _isolate(rng: Generator, key: Codes, rate: float) -> Codes:
    return np.where(rng.random(len(key)) < rate, int(key.max()) + 1 + np.arange(len(key)), key)


def _omit(rng: Generator, key: Codes, rate: float) -> Codes:
    return np.where(rng.random(len(key)) < rate, -1, key)


def _split(rng: Generator, key: Codes, rate: float) -> Codes:
    entities = int(key.max()) + 1
    chosen = rng.random(entities) < rate
    half = rng.random(len(key)) < 0.5
    return np.where(chosen[key] & half, key + entities, key)


def _merge(rng: Generator, key: Codes, rate: float) -> Codes:
    entities = int(key.max()) + 1
    into = np.where(rng.random(entities) < rate, rng.integers(0, entities, entities), -1)
    target = np.where(into < 0, np.arange(entities), into)
    return target[key]


ERRORS: Mapping[str, Callable[[Generator, Codes, float], Codes]] = {
    "move": _move,
    "isolate": _isolate,
    "omit": _omit,
    "split": _split,
    "merge": _merge,
    "all-singletons": lambda rng, key, rate: np.arange(len(key)),
    "one-entity": lambda rng, key, rate: np.zeros(len(key), dtype=np.int64),
}
