"""The page of scored chains: the scores, and every response beside the key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data import Annotations, Chains
from accord.data.reading import Reading
from accord.errors import UsageError, in_command
from accord.report.chain_explorer import Compared, chains_html, compared
from accord.report.figure import Table
from accord.result import Result

#: options of a score that decide which mentions are the same
_PAIRING = (
    *("drop_singletons", "matching", "min_spans", "zeros", "preset"),
    *("words", "missing_documents", "across"),
)


def compared_sides(
    sides: Sequence[tuple[Annotations, Annotations, str]],
    results: Sequence[Result],
    options: Mapping[str, Any],
) -> list[Compared]:
    """Each response (with its name) beside its key, paired as it was scored."""
    chosen = {name: options[name] for name in _PAIRING if name in options}
    pairs = []
    for key, response, name in sides:
        if not isinstance(key, Chains) or not isinstance(response, Chains):
            raise UsageError(f"a page of entities needs chains, these data are {key.shape}")
        own = next((r for r in results if r.system == name), None)
        values = None if own is None else _by_document(own)
        pairs.append(compared(key, response, names=("reference", name), values=values, **chosen))
    return pairs


def scored_chains_html(
    sides: Sequence[tuple[Annotations, Annotations, str]],
    results: Sequence[Result],
    options: Mapping[str, Any],
    reading: Reading | None = None,
) -> str:
    """A page with the scores, the texts with the entities of both sides, and their differences."""
    rows = [
        {
            "system": r.system,
            "measure": r.measure,
            "value": r.value,
            "low": r.interval.low if r.interval else None,
            "high": r.interval.high if r.interval else None,
            "P": r.terms.get("P"),
            "R": r.terms.get("R"),
        }
        for r in results
    ]
    shown = [c for c in rows[0] if any(row[c] is not None for row in rows)] if rows else []
    return chains_html(
        compared_sides(sides, results, options),
        title="Entities of reference and system",
        measure=next((r.measure for r in results), ""),
        notes=[in_command(w) for w in dict.fromkeys(w for r in results for w in r.warnings)],
        scores=Table.of(rows, shown).html("Scores") if rows else "",
        reading=reading,
    )


def _by_document(result: Result) -> dict[str, float]:
    """The score of each document alone."""
    sample = result.sample
    if sample is None or sample.rows is None or sample.keys is None:
        return {}
    values = sample.score(sample.rows)["value"]
    return {str(name): float(v) for name, v in zip(sample.keys, values, strict=True)}
