"""γ by document and by category; by pair and by annotator it is computed on their units alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from accord.data.corpus import Corpus, corpus_of
from accord.data.progress import stepwise
from accord.data.units import Units
from accord.errors import UsageError
from accord.result import Result, Row
from accord.study import Study


def by_document(study: Study) -> Sequence[Row]:
    """Each document's own value, against the expected disorder of the whole computation."""
    corpus = corpus_of(_located(study))
    return rows_of(study.result, dict(zip(corpus.documents, corpus.sizes.tolist(), strict=True)))


def rows_of(result: Result, counts: Mapping[str, int]) -> Sequence[Row]:
    """The documents that a ratio of sums was made from, and what each holds."""
    if result.sample is None or result.sample.rows is None or result.sample.keys is None:
        return []
    rows = []
    for name, (observed, chance, weight) in zip(
        result.sample.keys, result.sample.rows.tolist(), strict=True
    ):
        row: dict[str, Any] = {
            "document": name,
            "value": 1 - observed / chance if chance > 0 else float("nan"),
            "observed": observed / weight if weight > 0 else None,
            "expected": chance / weight if weight > 0 else None,
            "n": counts[str(name)],
        }
        if chance == 0:
            row["undefined"] = "nothing to compare in this document"
        rows.append(row)
    return rows


def by_category(study: Study) -> Sequence[Row]:
    """The measure on the units of one category alone: how well that category is located."""
    units = _units(study)
    counts = corpus_of(units).label_counts.tolist()
    # (a category takes its time, however few its units are)
    work = [n + len(units) / (1 + len(counts)) for n in counts]
    return [
        {"category": name, **study.of(units.select(categories=[name])).row(), "n": n}
        for name, n in stepwise(list(zip(units.categories, counts, strict=True)), work)
    ]


def _units(study: Study) -> Units:
    found = _located(study)
    if not isinstance(found, Units):
        raise UsageError("this breakdown is for units in memory: read them with accord.read")
    return found


def _located(study: Study) -> Units | Corpus:
    if not isinstance(study.data, (Units, Corpus)):
        raise UsageError(f"this breakdown is for units, the data are {study.data.shape}")
    return study.data
