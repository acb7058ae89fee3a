"""The section on models among the annotators: may they replace people, and the corrected rate."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from accord.data import Annotations, Ratings
from accord.errors import AccordError
from accord.evaluation.judges import JudgeAnswer, JudgeStudy, judge
from accord.evaluation.judges.agreement import Agreement
from accord.report.charts import Estimate, Series, curves, estimates
from accord.report.figure import Figure, Table
from accord.report.matrices import heat_map
from accord.report.section import Section, paragraph, section
from accord.result import Interval, Result
from accord.study import Certainty

#: classes of a confusion matrix that stay readable
_MOST_CLASSES = 20
_MOST_MISTAKES = 15
_TITLE = "May it replace people?"
_LEAD = (
    "A model counts as one more annotator only where it agrees with people as well as they agree among "
    "themselves; its rates are corrected by people's labels."
)


def systems_section(data: Annotations, texts: Mapping[str, str], how: Certainty) -> Section | None:
    """The section on the systems that stand by in the data; None when there are none."""
    names = () if data.roles is None else data.roles.systems
    if not names:
        return None
    positive = None
    if isinstance(data, Ratings) and data.kind == "categories":
        counts = np.bincount(data.code, minlength=len(data.labels))
        # several classes: the page shows the commonest; the command `judge` takes any
        positive = data.labels[int(np.argmax(counts))] if len(data.labels) > 2 else None
    try:
        study = judge(
            data, names, positive=positive, level=how.level, resamples=how.resamples, seed=how.seed
        )
    except AccordError as problem:
        return section("judges", _TITLE, _LEAD, [paragraph(str(problem), "aside")])
    return judges_section(study, texts)


def judges_section(study: JudgeStudy, texts: Mapping[str, str] | None = None) -> Section:
    """Verdict, curve over ε, the models among people, corrected rates, confusions, and mistakes."""
    parts: list[Figure | str] = [paragraph(a.verdict) for a in study.judges]
    tested = [(a.judge, a.alt_test) for a in study.judges if a.alt_test is not None]
    if tested:
        parts.append(
            curves(
                "judge-epsilon",
                "Winning rate ω by the price ε of a person",
                [Series(n, [e for e, _ in t.curve], [w for _, w in t.curve]) for n, t in tested],
                x_label="ε: what a person is worth",
                y_label="ω (passes at ½)",
                y_range=(0.0, 1.0),
                level=0.5,
            )
        )
    parts += _among_people(study)
    parts += _corrected(study)
    for answer in study.judges:
        parts += _confusion(answer)
        parts += _mistakes(answer, texts or {})
    return section(
        "judges",
        _TITLE,
        _LEAD,
        parts,
        judges=Table.of([_row(a) for a in study.judges]),
    )


def _among_people(study: JudgeStudy) -> list[Figure | str]:
    """Agreement of each model with people beside that of people among themselves."""
    rows = []
    for answer in study.judges:
        found, who = answer.agreement, f"{answer.judge} with people"
        if isinstance(found, Agreement):
            rows.append(_measured(who, found.with_humans))
        else:
            rows.append(Estimate(who, float(found["with_humans"])))
    first = study.judges[0].agreement
    overall = None
    if not isinstance(first, Agreement):
        overall = float(first["among_humans"])
        rows += [Estimate(name, value) for name, value in dict(first["each"]).items()]
    elif first.among_humans is not None:
        overall = first.among_humans.value
        rows.append(_measured("people among themselves", first.among_humans))
    label = (
        "mean share of people who agree" if isinstance(first, Agreement) else str(first["measure"])
    )
    return [
        estimates(
            "judge-agreement", "The models among people", rows, label="annotator", x_label=label,
            overall=overall,
        )
    ]  # fmt: skip


def _corrected(study: JudgeStudy) -> list[Figure | str]:
    rows = []
    for answer in study.judges:
        found = answer.corrected
        if found is None:
            return []
        rows.append(Estimate(f"{answer.judge} alone", float(answer.raw or 0.0)))
        rows.append(_estimate(f"{answer.judge} corrected", found.value, found.interval, None))
    alone = study.corrected.people_alone
    if alone.reason is None:
        rows.append(_estimate("people's labels alone", alone.value, alone.interval, None))
    target = study.judges[0].target
    ends = [v for r in rows for v in (r.value, r.low, r.high) if v is not None]
    return [
        estimates(
            "judge-corrected", f"The {target} over all items", rows, label="estimate", x_label=target,
            x_range=None if target != "mean" else (min(ends), max(ends)),
        )
    ]  # fmt: skip


def _confusion(answer: JudgeAnswer) -> list[Figure | str]:
    said = [r[side] for side in ("people", "judge") for r in answer.confusion]
    names = [str(name) for name in dict.fromkeys(said)]
    if not names or len(names) > _MOST_CLASSES:
        return []
    count = {(r["people"], r["judge"]): float(r["n"]) for r in answer.confusion}
    return [
        heat_map(
            f"judge-confusion-{answer.judge}",
            f"What people and {answer.judge} said (items, shared among their people)",
            names,
            names,
            [[count.get((a, b), 0.0) for b in names] for a in names],
            corner=f"people \\ {answer.judge}",
            decimals=1,
        )
    ]


def _mistakes(answer: JudgeAnswer, texts: Mapping[str, str]) -> list[Figure | str]:
    if not answer.mistakes:
        return []
    rows = [
        {
            "item": str(r["item"]),
            **({"text": texts[str(r["item"])]} if str(r["item"]) in texts else {}),
            answer.judge: r["judge"],
            "people": r["people"],
        }
        for r in answer.mistakes
    ]
    table = Table.of(rows)
    return [table.html(f"Where most people contradict {answer.judge}", most=_MOST_MISTAKES)]


def _measured(name: str, found: Result) -> Estimate:
    return _estimate(name, found.value, found.interval, found.n)


def _estimate(name: str, value: float, found: Interval | None, n: int | None) -> Estimate:
    if found is None:
        return Estimate(name, value, n=n)
    return Estimate(name, value, found.low, found.high, n)


def _row(answer: JudgeAnswer) -> dict[str, object]:
    found, test = answer.corrected, answer.alt_test
    ends = None if found is None else found.interval
    return {
        "judge": answer.judge,
        "target": answer.target,
        "raw": answer.raw,
        "corrected": None if found is None else found.value,
        "low": None if ends is None else ends.low,
        "high": None if ends is None else ends.high,
        "method": None if found is None else found.method,
        "omega": None if test is None else test.winning_rate,
        "smallest_epsilon": None if test is None else test.smallest_epsilon,
        "signature": answer.signature,
    }
