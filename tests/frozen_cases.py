"""Small data of every shape, and all that is computed from them: what tests/frozen holds.

``python -m tests.frozen_cases`` writes the files anew; do so only for a number that changes on purpose,
and say so in the changelog.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

import accord
from accord.data import Annotations, Boxes, Chains, Ratings, Segments, Units
from accord.errors import AccordError
from accord.evaluation.located import rank_located
from accord.measures import enrolled
from accord.measures.ratings.proposals import propose_distances
from accord.plain import Plain, to_plain
from accord.registry import Measure
from accord.study import Study

FOLDER = Path(__file__).parent / "frozen"
EXAMPLES = Path(__file__).parents[1] / "examples"
#: they draw chance: their own tests say what may vary
DRAWN = ("gamma", "gamma-cat", "gamma-k", "holistic", "mention-gamma", "segmentation-gamma")
#: the methods of references without a start or a stop that could be chosen otherwise
STEADY = ("majority", "unanimity", "weighted", "dawid-skene", "one-coin", "mean", "median")
#: sentences have tests of their own, and may be said better one day
REFUSED = "refused"
#: of these the values only
BRIEF = ("ordered", "complete", "scale by people", "two by one", "complete by one", "files")
#: rows of a breakdown kept
_ROWS = 6


# --- the data -------------------------------------------------------------------------------------------


def boxes() -> Boxes:
    """Three people who draw two or three things in six images, rectangles and a few triangles."""
    rng = np.random.default_rng(9)
    rows: list[Any] = []
    for k in range(6):
        for label in ("cat", "dog", "owl")[: 2 + k % 2]:
            x, y = rng.uniform(0, 60, 2)
            for who in "ABC":
                if rng.random() < 0.85:
                    x0, y0, x1, y1 = np.round(
                        np.array([x, y, x + 20, y + 16]) + rng.normal(0, 1.5, 4), 1
                    )
                    said = label if rng.random() < 0.85 else "dog"
                    if label == "owl":
                        rows.append((f"p{k}", who, [(x0, y0), (x1, y0), (x0, y1)], said))
                    else:
                        rows.append((f"p{k}", who, x0, y0, x1, y1, said))
    sizes = {f"p{k}": (100.0, 90.0) for k in range(6)}
    return Boxes.from_rows(rows, sizes=sizes)


def _matrix(
    seed: int, people: int, items: int, values: list[Any], right: float, seen: float
) -> list:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, len(values), items)
    rows = []
    for _ in range(people):
        said = np.where(rng.random(items) < right, truth, rng.integers(0, len(values), items))
        rows.append([values[c] if rng.random() < seen else None for c in said])
    return rows


def _with_documents(data: Ratings, documents: int) -> Ratings:
    """The same ratings in documents of unequal sizes, through the door that people use."""
    import pandas as pd

    frame = data.to_frame(backend="pandas")
    number = frame["item"].map({label: i for i, label in enumerate(dict.fromkeys(frame["item"]))})
    frame["document"] = [f"d{int(math.sqrt(n)) % documents}" for n in number]
    found = accord.read(pd.DataFrame(frame))
    assert isinstance(found, Ratings)
    return found


def ratings() -> dict[str, Ratings]:
    return {
        "labels": _with_documents(
            Ratings.from_matrix(_matrix(1, 4, 24, list("abc"), 0.7, 0.85)), 4
        ),
        "two": Ratings.from_matrix(_matrix(2, 2, 20, ["no", "yes"], 0.75, 1.0)),
        "scale": _with_documents(
            Ratings.from_matrix(_matrix(3, 4, 22, [1.0, 2.0, 3.0, 4.0, 5.0], 0.6, 0.9)), 3
        ),
        "ordered": Ratings.from_matrix(
            _matrix(4, 3, 18, ["low", "mid", "high"], 0.65, 0.95), categories="low<mid<high"
        ),
        "complete": Ratings.from_matrix(_matrix(5, 3, 12, [1.0, 2.0, 4.0, 8.0], 0.6, 1.0)),
        "weighted": Ratings.from_frame(
            _weighted_frame(), item="item", annotator="who", value="value", weight="weight"
        ),
    }


def _weighted_frame() -> Any:
    import pandas as pd

    rows = _matrix(6, 3, 14, [1.0, 2.0, 4.0], 0.6, 0.9)
    return pd.DataFrame(
        [
            {"item": i, "who": "ABC"[a], "value": value, "weight": 1.0 + (i % 4) / 2}
            for a, row in enumerate(rows)
            for i, value in enumerate(row)
            if value is not None
        ]
    )


def units(seed: int = 7, people: str = "ABC", *, apart: bool = False) -> Units:
    rng = np.random.default_rng(seed)
    rows = []
    for d in range(4):
        places = np.sort(rng.choice(20, 6, replace=False)) * 10
        for who in people:
            if d == 3 and who == "C":
                continue
            for place in places[rng.random(6) < 0.8]:
                start = int(place + rng.integers(0, 1 if apart else 4))
                end = start + (int(rng.integers(4, 9)) if apart else int(rng.integers(4, 14)))
                rows.append((f"d{d}", who, start, end, "xyz"[int(rng.integers(0, 3))]))
    return Units.from_rows(
        rows, lengths={f"d{d}": 240 + 5 * d for d in range(4)}, duplicates="first"
    )


def segments(people: str = "ABC", *, typed: bool = False, seed: int = 8) -> Segments:
    rng = np.random.default_rng(seed)
    rows = []
    lengths = {"a": 30, "b": 17, "c": 44}
    for name, length in lengths.items():
        true = np.flatnonzero(rng.random(length - 1) < 0.15) + 1
        for who in people:
            moved = np.clip(true + rng.integers(-1, 2, len(true)), 1, length - 1)
            for place in np.unique(moved[rng.random(len(true)) < 0.85]):
                kind = "pt"[int(rng.integers(0, 2))] if typed else None
                rows.append((name, who, int(place), kind))
    every = [(d, who) for d in lengths for who in people]
    return Segments.from_boundaries(rows, lengths=lengths, coverage=every)


def chains(people: tuple[str, ...] = ("A", "B", "C"), seed: int = 9) -> Chains:
    rng = np.random.default_rng(seed)
    clusters = {}
    for d in range(3):
        true = rng.integers(0, 4, 10)
        for who in people:
            own = np.where(rng.random(10) < 0.25, rng.integers(0, 6, 10), true)
            held = rng.random(10) < 0.9
            groups: dict[int, list[tuple[int, int]]] = {}
            for m in range(10):
                if held[m]:
                    groups.setdefault(int(own[m]), []).append((3 * m, 3 * m + 2))
            clusters[f"d{d}", who] = list(groups.values())
    return Chains.from_clusters(clusters)


# --- what is computed -----------------------------------------------------------------------------------


def variants(record: Measure) -> Iterator[dict[str, Any]]:
    """The defaults, then every word of every choice, and every switch turned."""
    yield {}
    for option in record.options:
        if option.python_only or option.name in ("seed", "jobs", "ties", "preset"):
            continue
        for word in option.choices:
            if word != option.default:
                yield {option.name: word}
        if option.type is bool:
            yield {option.name: not option.default}
        if option.type in (int, float) and option.default not in (None, 0):
            yield {option.name: option.default + 1}
        elif option.name == "atom":
            yield {option.name: 2.0}


def everything(record: Measure, *data: Annotations, full: bool = True) -> dict[str, Any]:
    """Values under all variants of the options, and all breakdowns under the first."""
    found: dict[str, Any] = {}
    for options in variants(record):
        name = ",".join(f"{k}={v}" for k, v in options.items()) or "default"
        try:
            study = Study(record, *data, options=options)
            found[name] = [_told(r, brief=bool(options) or not full) for r in study.results]
        except AccordError:
            found[name] = REFUSED
            continue
        if options:
            found[name] = [r.value for r in study.results]
            if full and "metric" in options and record.name in ("alpha", "weighted-kappa"):
                found[f"{name} by item"] = _rows(study, "item")
        if full and not options and not isinstance(study.found, tuple):
            found["by"] = {by: _rows(study, by) for by in _breakdowns(study)}
    return found


def _breakdowns(study: Study) -> list[str]:
    generic = ("pair", "annotator", "document") if len(study.every) == 1 else ()
    names = [*study.record.breakdowns, *study.result.by, *study.result.offers, *generic]
    if study.data.shape == "chains" and len(study.every) == 2 and study.record.name != "b3":
        # what goes wrong in the entities is the same for every score
        names = ["document", "size"]
    return list(dict.fromkeys(names))


def _rows(study: Study, by: str) -> Any:
    try:
        return list(study.breakdown(by))[:_ROWS]
    except AccordError:
        return REFUSED


def _told(result: accord.Result, *, brief: bool) -> dict[str, Any]:
    told: dict[str, Any] = {"value": result.value}
    if not brief:
        told |= {"observed": result.observed, "expected": result.expected, "n": result.n}
        told |= {"undefined": result.undefined is not None, "terms": result.terms}
        told["signature"] = result.signature.rpartition("|v:")[0]
    if result.sample is not None and result.undefined is None:
        # what is resampled must be the value itself
        again = result.sample.score(result.sample.totals())["value"]
        assert np.isclose(np.real(again[0]), result.value, rtol=1e-9, atol=1e-12), result.measure
    return told


def agreement(shape: str, data: Mapping[str, Annotations]) -> dict[str, Any]:
    records = [m for m in enrolled(shape=shape, question="agree") if m.name not in DRAWN]
    return {
        f"{m.name} of {name}": everything(m, d, full=name not in BRIEF)
        for name, d in data.items()
        for m in records
    }


def scores(shape: str, sides: Mapping[str, tuple[Annotations, Annotations]]) -> dict[str, Any]:
    records = [m for m in enrolled(shape=shape, question="score") if m.name not in DRAWN]
    return {
        f"{m.name} of {name}": everything(m, *both, full=name not in BRIEF)
        for name, both in sides.items()
        for m in records
    }


def _split(data: Any) -> tuple[Any, Any]:
    *people, last = data.annotators
    return data.select(annotators=people), data.select(annotators=[last])


def _two(data: Any) -> tuple[Any, Any]:
    first, second = data.annotators[:2]
    return data.select(annotators=[first]), data.select(annotators=[second])


def references() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, data in ratings().items():
        for method in STEADY:
            try:
                made = accord.gold(data, method, ties="abstain")
            except AccordError:
                found[f"{method} of {name}"] = REFUSED
                continue
            found[f"{method} of {name}"] = {
                "values": [made.written(i) for i in range(len(made.code))],
                "tied": np.flatnonzero(made.tied).tolist(),
                "posterior": None if made.posterior is None else made.posterior[:_ROWS],
            }
    located = {
        "units": units(),
        "apart": units(apart=True),
        "segments": segments(),
        "chains": chains(),
    }
    for name, data in located.items():
        made = accord.gold(data)
        found[f"consensus of {name}"] = {
            "rows": list(made.considered)[:25],
            "data": _listed(made.data),
        }
    return found


def _listed(data: Any) -> Any:
    frame = data.to_frame(backend="polars")
    return frame.to_dicts()[:40]


def contests() -> dict[str, Any]:
    data = ratings()
    found: dict[str, Any] = {}
    for name in ("labels", "scale"):
        people, system = _split(data[name])
        ranking = accord.rank(people, {"s": system}, resamples=50)
        found[f"rank of {name}"] = {"systems": list(ranking.systems), "terms": ranking.terms}
        proposal = propose_distances(data[name])
        told = {"matrix": proposal.matrix, "without": proposal.without, "with": proposal.with_it}
        found[f"distances of {name}"] = told | proposal.summary("FILE")
        found[f"alt-test of {name}"] = accord.alt_test(people, system, least_items=5).to_dict()
    people, system = _split(units(people="ABCD"))
    located = rank_located(people, {"s": system}, resamples=20)
    found["rank of units"] = located.to_dict()
    return found


def alignments() -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, data in {"units": units(), "apart": units(apart=True)}.items():
        for options in (
            {}, {"method": "greedy"}, {"method": "soft"}, {"objective": "holistic"}, {"forbid": True},
            {"positional": "absolute"}, {"delta": 0.5}, {"alpha": 2.0, "beta": 0.5},
        ):  # fmt: skip
            key = f"{name} {','.join(f'{k}={v}' for k, v in options.items())}"
            try:
                found[key] = [
                    {
                        "members": a.members.tolist(),
                        "disorder": a.disorder,
                        "gap": a.gap,
                        "greedy": a.greedy,
                        "disorders": a.disorders.tolist(),
                    }
                    for a in accord.align(data, **options)
                ]
            except AccordError:
                found[key] = REFUSED
    return found


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "ratings": lambda: agreement("ratings", ratings()),
    "scores": lambda: scores(
        "ratings",
        {f"{k} by people": _split(ratings()[k]) for k in ("labels", "scale", "weighted")}
        | {f"{k} by one": _two(ratings()[k]) for k in ("two", "complete")},
    ),
    "units": lambda: agreement("units", {"units": units(), "apart": units(apart=True)}),
    "spans": lambda: scores("units", {"units": _two(units()), "apart": _two(units(apart=True))}),
    "segments": lambda: agreement(
        "segments", {"plain": segments(), "typed": segments(typed=True)}
    ) | scores("segments", {"plain": _two(segments()), "typed": _two(segments(typed=True))}),
    "chains": lambda: agreement("chains", {"people": chains()})
    | scores("chains", {"people": _two(chains()),
                        "files": (accord.read(EXAMPLES / "key.conll"),
                                  accord.read(EXAMPLES / "response.conll"))}),
    "boxes": lambda: agreement("boxes", {"people": boxes()})
    | scores("boxes", {"people": _two(boxes())}),
    "references": references,
    "contests": contests,
    "alignments": alignments,
}  # fmt: skip


def plain(value: object) -> Plain:
    """As JSON holds it, numbers to ten digits."""
    made = to_plain(value)
    if isinstance(made, float):
        return float(f"{made:.8g}")
    if isinstance(made, dict):
        return {k: plain(v) for k, v in made.items()}
    if isinstance(made, list):
        return [plain(v) for v in made]
    return made


def write() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, make in CASES.items():
        lines = [
            f"{json.dumps(key)}: {json.dumps(plain(found), ensure_ascii=False, sort_keys=True)}"
            for key, found in make().items()
        ]
        (FOLDER / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
