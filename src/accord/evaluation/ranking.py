"""Systems among the human judges: who is better than whom, measure by measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from accord.data import Ratings
from accord.data.progress import Progress
from accord.data.roles import signed
from accord.data.tabular import Backend, library_first
from accord.errors import InputError, UsageError, in_python
from accord.evaluation.comparison import compare_systems
from accord.evaluation.contest import (
    Entry,
    chosen_measures,
    enter,
    enter_without,
    field_of,
    replicate,
)
from accord.evaluation.entrants import NO_SYSTEM, Systems, key_of, people_and_systems, said_of
from accord.measures.validity.classes import of_accuracy
from accord.options import LEVEL, check_draws
from accord.options.kinds import refuses_other_kinds
from accord.printed import Bold, Printable, Printed, leading
from accord.reading.given import Given, Sides, of_kind
from accord.reading.keywords import KeywordsButSystems
from accord.registry import find
from accord.result import Result, Row, signature
from accord.uncertainty.weights import unit_weights

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Ranking(Printable):
    """Scores and ranks of judges and systems, one column per measure.

    `participants` has one row per judge and system; `systems` one row per system and measure, with
    the interval of its rank; `paired` the leave-one-out form; `breakdowns` where each system is right.
    """

    measures: tuple[str, ...]
    judges: tuple[str, ...]
    participants: tuple[Row, ...]
    systems: tuple[Row, ...]
    paired: tuple[Row, ...] = ()
    breakdowns: Mapping[str, Mapping[str, Sequence[Row]]] = field(default_factory=dict)
    comparisons: tuple[Row, ...] = ()
    terms: Mapping[str, Any] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    signature: str = ""

    def __repr__(self) -> str:
        best = [f"{r['system']} {r['rank']}/{r['of']} by {r['measure']}" for r in self.systems[:3]]
        more = f", and {len(self.systems) - 3} more" if len(self.systems) > 3 else ""
        return f"<Ranking: {', '.join(best)}{more}>"

    def _printed(self) -> Printed:
        """Everybody, the best first, by every measure; of systems the best and who is not told apart."""
        systems = [p["name"] for p in self.participants if p["role"] == "system"]
        first = {m: self._leading(m, systems) for m in self.measures}
        rows = [
            {
                "name": p["name"],
                "role": p["role"],
                "rank": p["ranks"][self.measures[0]],
                **{
                    m: Bold(p["scores"][m]) if p["name"] in first[m] else p["scores"][m]
                    for m in self.measures
                },
            }
            for p in sorted(
                self.participants, key=lambda p: (p["ranks"][self.measures[0]], p["name"])
            )
        ]
        bold = "Bold: the best system, and what no test tells apart from it (p ≥ 0.05 after Holm)."
        return Printed.of_rows(
            rows, notes=[f"Ranks by {self.measures[0]}.", *[bold] * (len(systems) > 1)]
        )

    def _leading(self, measure: str, systems: Sequence[str]) -> frozenset[str]:
        if len(systems) < 2:
            return frozenset()
        values = {
            p["name"]: p["scores"][measure] for p in self.participants if p["name"] in systems
        }
        rows = [row for row in self.comparisons if row["measure"] == measure]
        return leading(values, rows, similarity=find(measure, "score").similarity)

    @property
    def table(self) -> tuple[Row, ...]:
        """One row per measure and participant, the best first."""
        return tuple(
            {
                "measure": m,
                "name": p["name"],
                "role": p["role"],
                "n": p["n"],
                "value": p["scores"][m],
                "rank": p["ranks"][m],
                "rank_low": p["rank_low"][m],
                "rank_high": p["rank_high"][m],
                "of": len(self.participants),
                **({"others": p["others"][m]} if "others" in p else {}),
            }
            for m in self.measures
            for p in sorted(self.participants, key=lambda p: (p["ranks"][m], p["name"]))
        )

    @overload
    def to_frame(self, part: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, part: Literal["pyarrow"]) -> IntoDataFrame: ...
    @overload
    def to_frame(
        self, part: str | None = ..., backend: Literal["pandas"] = ...
    ) -> pd.DataFrame: ...
    @overload
    def to_frame(self, part: str | None, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, *, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, part: str | None = ..., *, backend: Backend) -> IntoDataFrame: ...
    @overload
    def to_frame(self, part: str | None, backend: Backend) -> IntoDataFrame: ...
    def to_frame(self, part: str | None = None, backend: Backend | None = None) -> IntoDataFrame:
        """The participants, the `table` of all ranks, the systems, the duels (`paired`) or the comparisons.

        ``to_frame("systems", "polars")`` is one of these parts of the library named,
        ``to_frame("polars")`` the participants.
        """
        from accord.data.frame import to_frame

        part, backend = library_first(part, backend)
        part = part or "participants"
        parts = {
            "participants": [
                {"name": r["name"], "role": r["role"], "n": r["n"]}
                | {m: r["scores"][m] for m in self.measures}
                | {f"rank by {m}": r["ranks"][m] for m in self.measures}
                for r in self.participants
            ],
            "table": self.table,
            "systems": self.systems,
            "paired": self.paired,
            "comparisons": self.comparisons,
        }
        if part not in parts:
            raise UsageError(f"`part` must be one of {', '.join(parts)}, got {part!r}")
        return to_frame(parts[part], backend)

    def _repr_html_(self) -> str:
        from accord.markup import block, folded, interval_bar, paragraph, table

        most = float(len(self.participants))
        lines = [
            f"<tr><td>{escape(str(r['system']))}</td><td>{escape(str(r['measure']))}</td>"
            f"<td>{r['value']:.3f}</td><td>{r['rank']} of {r['of']} "
            f"[{r['rank_low']}, {r['rank_high']}]</td><td>"
            + interval_bar(r["rank"], r["rank_low"], r["rank_high"], axis=(1.0, most), width=140)
            + "</td></tr>"
            for r in self.systems
        ]
        head = "<tr><th>system</th><th>measure</th><th>value</th><th>rank</th><th></th></tr>"
        everybody = [
            {"name": r["name"], "role": r["role"], **r["scores"]} for r in self.participants
        ]
        return block(
            f"{len(self.judges)} judges, ranks with their intervals (1 is best)",
            f"<table>{head}{''.join(lines)}</table>",
            folded("all participants", table(everybody)),
            folded("judge against system", table(self.paired)) if self.paired else "",
            *(paragraph(f"⚠ {in_python(w)}") for w in self.warnings),
            paragraph(self.signature, soft=True),
        )

    def to_dict(self) -> dict[str, object]:
        return {
            "measures": list(self.measures),
            "judges": len(self.judges),
            "of": len(self.participants),
            "participants": [dict(r) for r in self.participants],
            "systems": [dict(r) for r in self.systems],
            "paired": [dict(r) for r in self.paired],
            "breakdowns": {k: dict(v) for k, v in self.breakdowns.items()},
            "comparisons": [dict(r) for r in self.comparisons],
            "terms": dict(self.terms),
            "warnings": list(self.warnings),
            "signature": self.signature,
        }


@refuses_other_kinds
def rank(
    judges: Given,
    systems: Systems = None,
    *,
    reference: Given | None = None,
    measures: Sequence[str] = (),
    paired: bool = False,
    metric: str | None = None,
    ties: str = "split",
    level: float = LEVEL,
    resamples: int = 500,
    seed: int = 0,
    progress: Progress | None = None,
    system_annotator: str | None = None,
    each: bool = False,
    **reading: Unpack[KeywordsButSystems],
) -> Ranking:
    """Rank systems among the humans who made the reference, by every measure side by side.

    Every judge is scored like a system, on the items they judged, against the majority of all judges
    including their own vote, as in the paper; the rank is 1 + the number of judges and systems that
    are strictly better. Humans are thereby favoured, each having voted for the reference. With
    `paired`, judge h and the system are both scored against the other judges, on the items of h: the
    rank is 1 + the number of judges better than the system in their own duel.

    With a `reference` (or one that was chosen when the data were read, ``reference_annotator="expert"``)
    everybody is scored against it, judges on the items they judged; `others` of a participant are the
    scores against the majority of the other judges. It needs no system then.

    `systems` are data by name, or names of annotators who are systems, or files; without any, those
    that were set aside when the data were read (``accord.read(path, systems=["gpt"])``). A system's data
    are one annotator's: `system_annotator` names the one of several, and `each` enters them all. What is
    not read yet is read with the options of :func:`accord.read`.

    Intervals resample the items, the same for all.

    J.-Y. Antoine, M. Le Tallec and J. Villaneau (2011), TALN, §3.1.

    >>> judges = Ratings.from_matrix([list("AABB"), list("AABA"), list("ABBB")])
    >>> system = Ratings.from_matrix([list("AABB")], annotators=["s"])
    >>> found = rank(judges, {"s": system}, measures=["accuracy"])
    >>> found.systems[0]["value"], found.systems[0]["rank"], found.systems[0]["of"]
    (1.0, 1, 4)
    """
    check_draws(level=level, resamples=resamples, seed=seed)
    sides = Sides(reading)
    people, found = people_and_systems(
        judges, systems, system_annotator=system_annotator, each=each, sides=sides
    )
    if not isinstance(people, Ratings):
        raise UsageError(
            f"rank is for ratings, and these are {people.shape}: accord.rank_located ranks those"
        )
    judges = people.single()
    given = key_of(people, reference, sides)
    sides.settle("rank")
    key = None if given is None else of_kind(given, Ratings).single()
    entered = {name: of_kind(s, Ratings).single() for name, s in found.items()}
    if len(judges.annotators) < (2 if key is None else 1):
        raise InputError(
            f"ranking among judges needs at least two of them, got {len(judges.annotators)}",
            hint="give the long table with all judges, not one reference column",
        )
    if not entered and (key is None or len(judges.annotators) < 2):
        raise UsageError(NO_SYSTEM)
    clash = [name for name in entered if name in judges.annotators]
    if clash:
        raise InputError(
            f"the system {clash[0]!r} has the name of a judge", hint="rename one of them"
        )
    ground = field_of(judges, entered, ties=ties, seed=seed, key=key)
    names = chosen_measures(measures, ground)
    entries = enter(ground, judges, entered, names, metric)
    others = {} if key is None else _by_others(judges, entered, names, metric, ties, seed)
    weights = unit_weights(ground.n, ground.document, resamples, seed)
    values, ranks, low, high = _ranked(entries, names, weights, level)
    participants = tuple(
        {
            "name": e.name,
            "role": e.role,
            "n": len(e.rows),
            "scores": {m: values[m][p] for m in names},
            "ranks": {m: ranks[m][p] for m in names},
            "rank_low": {m: low[m][p] for m in names},
            "rank_high": {m: high[m][p] for m in names},
            **({} if key is None else {"others": others.get(e.name, dict.fromkeys(names))}),
        }
        for p, e in enumerate(entries)
    )
    rows: list[dict[str, Any]] = [
        {
            "system": e.name,
            "measure": m,
            "value": values[m][p],
            "rank": ranks[m][p],
            "of": len(entries),
            "rank_low": low[m][p],
            "rank_high": high[m][p],
            "better_judges": _better(p, entries, m),
        }
        for p, e in enumerate(entries)
        if e.role == "system"
        for m in names
    ]
    warnings = [w for e in entries for r in e.results.values() for w in r.warnings]
    duels: tuple[Row, ...] = ()
    if paired:
        duels = _duels(judges, entered, names, metric, resamples, level, ties, seed, progress)
    of_systems = {e.name: e for e in entries if e.role == "system"}
    return Ranking(
        measures=names,
        judges=judges.annotators,
        participants=participants,
        systems=tuple(rows),
        paired=duels,
        breakdowns={name: _breakdowns(e, voted=key is None) for name, e in of_systems.items()},
        comparisons=tuple(
            compare_systems(
                {name: e.results for name, e in of_systems.items()},
                level=level, resamples=max(200, resamples), seed=seed,
            )
        ),
        terms=_terms(ground, rows, voted=key is None),
        warnings=tuple(dict.fromkeys([*ground.warnings, *warnings])),
        signature=signed(
            signature(
                "rank", ground.n, judges=len(judges.annotators), of=len(entries),
                measures=",".join(names), paired=paired or None, metric=metric, ties=ties,
                level=level, resamples=resamples, seed=seed, reference=said_of(judges, key),
            ),
            judges,
            *entered.values(),
        ),
    )  # fmt: skip


def _ranked(
    entries: Sequence[Entry], names: Sequence[str], weights: NDArray[np.float64], level: float
) -> tuple[
    dict[str, list[float]], dict[str, list[int]], dict[str, list[int]], dict[str, list[int]]
]:
    values: dict[str, list[float]] = {}
    ranks: dict[str, list[int]] = {}
    low: dict[str, list[int]] = {}
    high: dict[str, list[int]] = {}
    tail = (1 - level) / 2
    for m in names:
        values[m] = [e.results[m].value for e in entries]
        ranks[m] = _ranks(np.array([[e.oriented(m) for e in entries]]))[0].tolist()
        drawn = np.stack([replicate(e, m, weights) for e in entries], axis=1)
        spread = _ranks(drawn)
        low[m] = np.quantile(spread, tail, axis=0, method="lower").astype(int).tolist()
        high[m] = np.quantile(spread, 1 - tail, axis=0, method="higher").astype(int).tolist()
    return values, ranks, low, high


def _ranks(scores: NDArray[np.float64]) -> NDArray[np.int64]:
    """1 + number strictly better, along each row; an undefined score is better than none."""
    safe = np.where(np.isnan(scores), -np.inf, np.round(scores, 12))
    out = np.empty(safe.shape, dtype=np.int64)
    for b, row in enumerate(safe):
        ordered = np.sort(row)
        out[b] = 1 + len(row) - np.searchsorted(ordered, row, side="right")
    return out


def _better(place: int, entries: Sequence[Entry], m: str) -> int:
    mine = entries[place].oriented(m)
    return sum(e.role == "judge" and e.oriented(m) > mine + 1e-12 for e in entries)


def _duels(
    judges: Ratings, systems: Mapping[str, Ratings], names: Sequence[str], metric: str | None,
    resamples: int, level: float, ties: str, seed: int, progress: Progress | None,
) -> tuple[Row, ...]:  # fmt: skip
    """Judge against system, both scored against the other judges."""
    ground = field_of(judges, systems, ties=ties, seed=seed)
    weights = unit_weights(ground.n, ground.document, resamples, seed)
    found: dict[tuple[str, str], list[tuple[float, NDArray[np.float64]]]] = {}
    for done, who in enumerate(judges.annotators, 1):
        human, machines = enter_without(ground, judges, systems, who, names, metric)
        for name, machine in machines.items():
            for m in names:
                gap = machine.oriented(m) - human.oriented(m)
                drawn = replicate(machine, m, weights) - replicate(human, m, weights)
                found.setdefault((name, m), []).append((gap, drawn))
        if progress is not None:
            progress(done, len(judges.annotators))
    rows: list[Row] = []
    tail = (1 - level) / 2
    for (name, m), duels in found.items():
        kept = [(g, d) for g, d in duels if np.isfinite(g)]
        if not kept:
            rows.append({"system": name, "measure": m, "duels": 0, "rank": None})
            continue
        gaps = np.array([g for g, _ in kept])
        drawn = np.stack([d for _, d in kept])
        with np.errstate(invalid="ignore"):
            means = np.nanmean(drawn, axis=0)
            lost = 1 + np.sum(drawn < -1e-12, axis=0)
        rows.append(
            {
                "system": name,
                "measure": m,
                "duels": len(kept),
                "rank": int(1 + np.sum(gaps < -1e-12)),
                "of": len(kept) + 1,
                "rank_low": int(np.quantile(lost, tail, method="lower")),
                "rank_high": int(np.quantile(lost, 1 - tail, method="higher")),
                "won": float(np.mean(gaps > 1e-12)),
                "tied": float(np.mean(np.abs(gaps) <= 1e-12)),
                "mean_difference": float(gaps.mean()),
                "low": float(np.nanquantile(means, tail)),
                "high": float(np.nanquantile(means, 1 - tail)),
            }
        )
    return tuple(rows)


def _by_others(
    judges: Ratings, systems: Mapping[str, Ratings], names: Sequence[str], metric: str | None,
    ties: str, seed: int,
) -> dict[str, dict[str, float]]:  # fmt: skip
    """Each judge against the majority of the others, each system against that of all."""
    if len(judges.annotators) < 2:
        return {}
    ground = field_of(judges, systems or {"": judges}, ties=ties, seed=seed)
    alone = [enter_without(ground, judges, {}, who, names, metric)[0] for who in judges.annotators]
    entries = [*alone, *enter(ground, judges, systems, names, metric)[len(alone) :]]
    return {e.name: {m: e.results[m].value for m in names} for e in entries if len(e.rows)}


def _breakdowns(entry: Entry, *, voted: bool) -> dict[str, Sequence[Row]]:
    """Accuracy per class; where judges voted, by difficulty and strength too, and unanimous items alone."""
    found: Result = of_accuracy(replace(entry.pairing))
    if not voted:
        return dict(found.showing("category").by)
    tables = dict(found.showing("category", "majority", "difficulty", "unanimous").by)
    easy = next((r for r in tables["unanimous"] if r["unanimous"] == "unanimous"), None)
    tables["unanimity_effect"] = [
        {
            "accuracy": found.value,
            "unanimous_only": None if easy is None else easy["value"],
            "inflation": None if easy is None else easy["value"] - found.value,
            "share_unanimous": 0.0 if easy is None else easy["n"] / found.n,
        }
    ]
    return tables


def _terms(ground: Any, rows: Sequence[Row], *, voted: bool) -> dict[str, Any]:
    strength = ground.shares.max(axis=1)[ground.index]
    spread = {}
    for name in dict.fromkeys(r["system"] for r in rows):
        own = [r["rank"] for r in rows if r["system"] == name]
        spread[name] = {"best_rank": min(own), "worst_rank": max(own)}
    if not voted:
        return {"rank_spread": spread}
    return {
        "weak_majority": float(np.mean(strength < 0.5)),
        "unanimous": float(np.mean(strength == 1)),
        "rank_spread": spread,
    }
