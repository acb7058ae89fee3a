"""From sums by document to the result of a measure of the 2016 family."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any

from accord.data import Units
from accord.measures.unitizing.coincidences import Coincidences
from accord.measures.unitizing.continua import Continua, Floats, length_warning
from accord.result import NO_SHARED_DOCUMENT, Array, Result, Row, Rows, Sample, Score, signature

#: values shown as a whole table of coincidences, at most
_MOST_SHOWN = 40


def unitizing_result(
    name: str,
    units: Units,
    found: Coincidences,
    rows: Array,
    score: Score,
    *,
    categories: list[Row],
    terms: Mapping[str, Any],
    undefined: str,
    options: Mapping[str, object] | None = None,
    guessed: bool = True,
    parts: Sequence[tuple[str | None, Array, Score]] = (),
) -> Result:
    """The result of all documents; `parts`: statistics by document and score of each category."""
    scored = {k: float(v[0]) for k, v in score(rows.sum(axis=0)[None, :]).items()}
    here = found.continua
    n = len(here)
    if "coverage" not in scored and found.total.sum() > 0:
        scored["coverage"] = float(found.valued.sum() / found.total.sum())
    return Result(
        measure=name,
        value=scored.pop("value"),
        observed=scored.get("D_o"),
        expected=scored.get("D_e"),
        terms={**scored, "length": float(found.total.sum()), **terms},
        by={
            **({"category": categories} if categories else {}),
            "document": Rows(lambda: _documents(found, rows, score)),
        },
        n=n,
        signature=signature(name, n, **(options or {}), seen=units.seen),
        undefined=undefined if here.documents else NO_SHARED_DOCUMENT,
        warnings=(*units.notes, *here.warnings, *(length_warning(here) if guessed else ())),
        annotators=units.annotators,
        sample=Sample(
            rows=rows,
            score=score,
            keys=here.documents,
            unit="document",
            weight=here.lengths,
            parts=of_categories(here, parts),
        ),
    )


def of_categories(
    here: Continua, parts: Sequence[tuple[str | None, Array, Score]]
) -> Callable[[str], list[tuple[Hashable, Sample]]]:
    """The sample of each category, by document."""

    def made(by: str) -> list[tuple[Hashable, Sample]]:
        return [
            (
                name,
                Sample(
                    rows=rows,
                    score=score,
                    keys=here.documents,
                    unit="document",
                    weight=here.lengths,
                ),
            )
            for name, rows, score in (parts if by == "category" else ())
        ]

    return made


def _documents(found: Coincidences, rows: Array, score: Score) -> list[Row]:
    """The measure on each document alone, from the sums already there."""
    scored = score(rows) if len(rows) else {}
    return [
        {"document": name, **{k: float(v[d]) for k, v in scored.items()}}
        for d, name in enumerate(found.continua.documents)
    ]


def tables(found: Coincidences, observed: Floats, chance: Floats, *, gaps: bool) -> dict[str, Any]:
    """The coincidence tables, when they are small enough to read."""
    names = [*found.values, "φ"] if gaps else list(found.values)
    if len(names) > _MOST_SHOWN:
        return {}
    return {
        "coincidences": {
            "values": names,
            "observed": observed.tolist(),
            "expected": chance.tolist(),
        }
    }


def totals_of(found: Coincidences) -> tuple[Floats, Floats]:
    return found.marginal.sum(0), found.squares.sum(0)
