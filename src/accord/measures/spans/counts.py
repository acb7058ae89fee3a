"""From matched pairs to counts, precision, recall and F, in all and by label and document."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from accord.errors import UsageError
from accord.measures.ratio import ratio
from accord.measures.spans.sides import Floats, Index
from accord.result import NO_SPAN, Array, Result, Row, Rows, Sample, Score, signature

Average = Literal["micro", "macro", "weighted"]
#: outcome of a matched pair
CORRECT, PARTIAL, INCORRECT = 0, 1, 2


class Counted(Protocol):
    """What one side has: units or boxes, by document and label."""

    @property
    def document(self) -> Index: ...

    @property
    def label(self) -> Index: ...

    def __len__(self) -> int: ...


class Sides(Protocol):
    """Reference and system over the same documents and labels."""

    @property
    def documents(self) -> tuple[str, ...]: ...

    @property
    def labels(self) -> tuple[str | None, ...]: ...

    @property
    def reference(self) -> Counted: ...

    @property
    def system(self) -> Counted: ...

    @property
    def warnings(self) -> tuple[str, ...]: ...


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Matched:
    """Chosen pairs and what each is worth: an outcome in {CORRECT, PARTIAL, INCORRECT}."""

    first: Index
    second: Index
    outcome: NDArray[np.int64]


def tabulate(
    name: str,
    both: Sides,
    matched: Matched,
    within: Matched | None = None,
    *,
    average: Average = "micro",
    options: Mapping[str, object],
    by: Mapping[str, Callable[[], Sequence[Row]]],
) -> Result:
    """The result of a measure that counts spans.

    A scheme that pairs spans of different labels gives `within`: the same scheme on the spans of each
    label alone, for the rows by label and their mean.
    """
    ref, sys = both.reference, both.system
    D, L = len(both.documents), len(both.labels)

    def counted(pairs: Matched) -> Floats:
        return _table(ref.document[pairs.first], ref.label[pairs.first], pairs.outcome, D, L, 3)

    POS = _table(ref.document, ref.label, np.zeros(len(ref), dtype=np.int64), D, L, 1)[:, :, 0]
    ACT = _table(sys.document, sys.label, np.zeros(len(sys), dtype=np.int64), D, L, 1)[:, :, 0]
    return summarise(
        name,
        both,
        Counts(
            outcomes=counted(matched).sum(axis=1),
            by_label=counted(within or matched),
            POS=POS,
            ACT=ACT,
        ),
        average=average,
        options=options,
        by=by,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Counts:
    """Counts (or lengths) by document, label and outcome."""

    #: documents × (correct, partial, incorrect)
    outcomes: Floats
    #: documents × labels × (correct, partial, incorrect), among the spans of a label alone
    by_label: Floats
    #: documents × labels: spans of the reference, of the system
    POS: Floats
    ACT: Floats


def summarise(
    name: str,
    both: Sides,
    counts: Counts,
    *,
    average: Average,
    options: Mapping[str, object],
    by: Mapping[str, Callable[[], Sequence[Row]]],
) -> Result:
    """Precision, recall and F from counts, with breakdowns and a sample by document."""
    if average not in ("micro", "macro", "weighted"):
        raise UsageError(f"the average must be micro, macro or weighted, got {average!r}")
    outcomes, by_label, POS, ACT = counts.outcomes, counts.by_label, counts.POS, counts.ACT
    credit = by_label[:, :, CORRECT] + 0.5 * by_label[:, :, PARTIAL]
    if average == "micro":
        found = outcomes[:, CORRECT] + 0.5 * outcomes[:, PARTIAL]
        rows = np.column_stack([found, POS.sum(1), ACT.sum(1)])
        score: Score = _micro
    else:
        rows = np.concatenate([credit, POS, ACT], axis=1)
        score = _averaged(len(both.labels), average)
    value = float(score(rows.sum(axis=0)[None, :])["value"][0])
    labels: list[Row] = [
        {
            "category": label,
            **_line(by_label[:, i].sum(0), float(POS[:, i].sum()), float(ACT[:, i].sum())),
        }
        for i, label in enumerate(both.labels)
        if POS[:, i].any() or ACT[:, i].any()
    ]

    def documents() -> list[Row]:
        values = score(rows)["value"]
        pos, act = POS.sum(1), ACT.sum(1)
        return [
            # (the value is the average that was asked for, F that of all labels together)
            {
                "document": name_,
                **_line(outcomes[d], float(pos[d]), float(act[d])),
                "value": float(values[d]),
            }
            for d, name_ in enumerate(both.documents)
        ]

    terms = _line(outcomes.sum(0), float(POS.sum()), float(ACT.sum()))
    terms.pop("value")
    for key in ("P", "R", "F"):
        # (a label without an answer counts 0 in the mean, as conlleval and seqeval have it)
        means = [0.0 if math.isnan(row[key]) else row[key] for row in labels]
        terms[f"macro_{key}"] = float(np.mean(means)) if means else math.nan
    n = int(sum(len(side) for side in (both.reference,)))
    silent = _silent(float(POS.sum()), float(ACT.sum()))
    built = {k: Rows(make) for k, make in {"document": documents, **by}.items()}
    return Result(
        measure=name,
        value=value,
        terms=terms,
        by={"category": labels, **built},
        n=n,
        signature=signature(name, n, **options, average=average),
        undefined=NO_SPAN,
        warnings=(*silent, *both.warnings),
        sample=Sample(
            rows=rows,
            score=score,
            keys=both.documents,
            unit="document",
            weight=(POS + ACT).sum(axis=1),
            parts=partial(_parts, both, credit, POS, ACT),
        ),
    )


def _parts(
    both: Sides, credit: Floats, POS: Floats, ACT: Floats, by: str
) -> list[tuple[Hashable, Sample]]:
    """The sample of each label, by document."""
    if by not in ("category", "label"):
        return []
    return [
        (
            label,
            Sample(
                rows=np.column_stack([credit[:, i], POS[:, i], ACT[:, i]]),
                score=_micro,
                keys=both.documents,
                unit="document",
                weight=POS[:, i] + ACT[:, i],
            ),
        )
        for i, label in enumerate(both.labels)
    ]


def _silent(POS: float, ACT: float) -> tuple[str, ...]:
    """What is to be said where one side has nothing at all."""
    if POS and not ACT:
        return ("the system marks nothing: recall and F are 0, precision is undefined (0/0)",)
    if ACT and not POS:
        return ("the reference marks nothing: precision and F are 0, recall is undefined (0/0)",)
    return ()


def _table(document: Index, label: Index, cell: Index, D: int, L: int, outcomes: int) -> Floats:
    flat = (document * L + label) * outcomes + cell
    counts = np.bincount(flat, minlength=D * L * outcomes).astype(np.float64)
    return counts.reshape(D, L, outcomes)


def _line(outcomes: Floats, POS: float, ACT: float) -> dict[str, Any]:
    """COR, PAR, INC, MIS, SPU and the scores of one row; counts as whole numbers where they are."""
    COR, PAR, INC = (float(x) for x in outcomes)
    credit = COR + 0.5 * PAR
    P, R = (credit / size if size else math.nan for size in (ACT, POS))
    F = 2 * credit / (POS + ACT) if POS + ACT else math.nan
    whole = {
        "COR": COR,
        "INC": INC,
        "PAR": PAR,
        "MIS": POS - COR - PAR - INC,
        "SPU": ACT - COR - PAR - INC,
        "POS": POS,
        "ACT": ACT,
    }
    return {
        "value": F,
        **{k: int(v) if v.is_integer() else v for k, v in whole.items()},
        "P": P,
        "R": R,
        "F": F,
    }


def _micro(totals: Array) -> Mapping[str, Array]:
    credit, POS, ACT = totals[:, 0], totals[:, 1], totals[:, 2]
    return {
        "value": ratio(2 * credit, POS + ACT),
        "P": ratio(credit, ACT),
        "R": ratio(credit, POS),
    }


def _averaged(L: int, average: str) -> Callable[[Array], Mapping[str, Array]]:
    def score(totals: Array) -> Mapping[str, Array]:
        credit, POS, ACT = (totals[:, i * L : (i + 1) * L] for i in range(3))
        used = POS + ACT != 0
        F = ratio(2 * credit, POS + ACT, 0.0)
        weight = np.where(used, 1.0, 0.0) if average == "macro" else POS
        total = weight.sum(axis=1)
        # weighted by what the reference has: where it has nothing, what the system marks is wrong
        nothing = np.where(used.any(axis=1), 0.0, np.nan)
        return {"value": ratio((weight * F).sum(axis=1), total, nothing)}

    return score
