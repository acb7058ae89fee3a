"""The section on systems, when a reference is given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from accord.data import Annotations, Ratings
from accord.errors import AccordError, UsageError, in_command
from accord.evaluation import score
from accord.measures import find
from accord.report.charts import Estimate, estimates
from accord.report.figure import Figure, Table
from accord.report.scores import score_figures
from accord.report.section import Section, paragraph, section
from accord.result import Result
from accord.study import Certainty
from accord.study.ask import Ask

#: what is tried for each shape, in this order; what is not enrolled is left out
MEASURES: Mapping[str, Sequence[str]] = {
    "ratings": ("accuracy", "f1-macro", "weighted-accuracy", "baseline"),
    "units": ("f1", "overlap-f1", "token-f1", "semeval-partial", "ser"),
    "segments": ("boundary-similarity", "windowdiff", "pk", "ghd"),
    "relations": ("relation-f1",),
    "chains": ("conll", "muc", "b3", "ceaf-e", "lea"),
    "boxes": ("box-f1",),
}


#: breakdowns that are drawn
_DRAWN: Mapping[tuple[str, str], str] = {
    ("ratings", "accuracy"): "confusion",
    ("units", "f1"): "confusion",
    ("ratings", "ece"): "bin",
}
#: what probabilities allow
_PROBABLE = ("log-loss", "brier", "ece")


def _measures_of(reference: Annotations, system: Annotations) -> Sequence[str]:
    soft = isinstance(system, Ratings) and system.probabilities is not None
    usual = Ask(question="score").records(reference)[0].name
    return list(dict.fromkeys((usual, *MEASURES[reference.shape], *(_PROBABLE if soft else ()))))


def evaluation_section(
    reference: Annotations,
    systems: Mapping[str, Annotations],
    certainty: Certainty,
) -> Section:
    """Every system under the usual measures of the shape, with intervals."""
    results: list[tuple[str, Result]] = []
    problems: list[str] = []
    drawn: list[Figure] = []
    for name, system in systems.items():
        for measure in _measures_of(reference, system):
            try:
                find(measure, "score")
                several = score(
                    reference, system, [measure], ci=certainty.ci, level=certainty.level,
                    resamples=certainty.resamples, seed=certainty.seed,
                    by=_DRAWN.get((reference.shape, measure), ()),
                )  # fmt: skip
            except AccordError as problem:
                problems.append(f"{name}: {measure}: {in_command(problem.sentence)}")
                continue
            results.extend((name, r) for r in several)
            with suppress(UsageError):  # too many classes to draw
                drawn += score_figures([replace(r, system=name) for r in several])
    parts: list[Figure | str] = []
    for measure in dict.fromkeys(r.measure for _, r in results):
        own = [(n, r) for n, r in results if r.measure == measure]
        if any(math.isfinite(r.value) for _, r in own):
            better = "higher is better" if find(measure, "score").similarity else "lower is better"
            parts.append(
                estimates(
                    f"score-{measure}",
                    f"{find(measure, 'score').title} ({better})",
                    [
                        Estimate(
                            n,
                            r.value,
                            r.interval.low if r.interval else None,
                            r.interval.high if r.interval else None,
                        )
                        for n, r in own
                    ],
                    label="system",
                    x_label=measure,
                )
            )
    parts += drawn
    parts += [paragraph(p, "aside") for p in dict.fromkeys(problems)]
    rows = [
        {
            "system": n,
            "measure": r.measure,
            "value": r.value,
            "low": r.interval.low if r.interval else None,
            "high": r.interval.high if r.interval else None,
            "n": r.n,
            "undefined": r.undefined,
            "signature": r.signature,
        }
        for n, r in results
    ]
    return section(
        "systems",
        "Systems against the reference",
        "Scores against a reference are not corrected for chance: a system is compared with what is "
        "right, not with another annotator.",
        parts,
        scores=Table.of(rows),
    )
