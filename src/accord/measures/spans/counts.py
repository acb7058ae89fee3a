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
    *,
    average: Average = "micro",
    options: Mapping[str, object],
    by: Mapping[str, Callable[[], Sequence[Row]]],
) -> Result:
    """The result of a measure that counts spans."""
    ref, sys = both.reference, both.system
    D, L = len(both.documents), len(both.labels)
    outcomes = 3
    cell = matched.outcome
    # a pair counts for its reference label in recall and for its system label in precision
    by_ref = _table(ref.document[matched.first], ref.label[matched.first], cell, D, L, outcomes)
    by_sys = _table(ref.document[matched.first], sys.label[matched.second], cell, D, L, outcomes)
    POS = _table(ref.document, ref.label, np.zeros(len(ref), dtype=np.int64), D, L, 1)[:, :, 0]
    ACT = _table(sys.document, sys.label, np.zeros(len(sys), dtype=np.int64), D, L, 1)[:, :, 0]
    return summarise(
        name,
        both,
        Counts(by_ref=by_ref, by_sys=by_sys, POS=POS, ACT=ACT),
        average=average,
        options=options,
        by=by,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Counts:
    """Counts (or lengths) by document, label and outcome."""

    #: documents × labels × (correct, partial, incorrect), by the label of each side
    by_ref: Floats
    by_sys: Floats
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
    by_ref, by_sys, POS, ACT = counts.by_ref, counts.by_sys, counts.POS, counts.ACT
    credit_ref = by_ref[:, :, CORRECT] + 0.5 * by_ref[:, :, PARTIAL]
    credit_sys = by_sys[:, :, CORRECT] + 0.5 * by_sys[:, :, PARTIAL]
    if average == "micro":
        rows = np.column_stack([credit_ref.sum(1), POS.sum(1), ACT.sum(1)])
        score: Score = _micro
    else:
        rows = np.concatenate([credit_ref, credit_sys, POS, ACT], axis=1)
        score = _averaged(len(both.labels), average)
    totals = rows.sum(axis=0)[None, :]
    value = float(score(totals)["value"][0])
    labels: list[Row] = [
        {
            "category": label,
            **_line(
                by_ref[:, i].sum(0),
                by_sys[:, i].sum(0),
                float(POS[:, i].sum()),
                float(ACT[:, i].sum()),
            ),
        }
        for i, label in enumerate(both.labels)
        if POS[:, i].any() or ACT[:, i].any()
    ]

    def documents() -> list[Row]:
        ref, sys, pos, act = by_ref.sum(1), by_sys.sum(1), POS.sum(1), ACT.sum(1)
        return [
            {"document": name_, **_line(ref[d], sys[d], float(pos[d]), float(act[d]))}
            for d, name_ in enumerate(both.documents)
        ]

    terms = _line(by_ref.sum((0, 1)), by_sys.sum((0, 1)), float(POS.sum()), float(ACT.sum()))
    terms.pop("value")
    for key in ("P", "R", "F"):
        found = [row[key] for row in labels]
        terms[f"macro_{key}"] = float(np.mean(found)) if found else math.nan
    n = int(sum(len(side) for side in (both.reference,)))
    silent = _silent(float(POS.sum()), float(ACT.sum()))
    if silent:
        terms["P" if not ACT.sum() else "R"] = math.nan
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
            parts=partial(_parts, both, credit_ref, credit_sys, POS, ACT),
        ),
    )


def _parts(
    both: Sides, credit_ref: Floats, credit_sys: Floats, POS: Floats, ACT: Floats, by: str
) -> list[tuple[Hashable, Sample]]:
    """The sample of each label, by document."""
    if by not in ("category", "label"):
        return []
    return [
        (
            label,
            Sample(
                rows=np.column_stack([credit_ref[:, i], credit_sys[:, i], POS[:, i], ACT[:, i]]),
                score=_averaged(1, "macro"),
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


def _line(ref: Floats, sys: Floats, POS: float, ACT: float) -> dict[str, Any]:
    """COR, PAR, INC, MIS, SPU and the scores of one row; counts as whole numbers where they are."""
    COR, PAR, INC = (float(x) for x in ref)
    over = COR + 0.5 * PAR
    under = float(sys[CORRECT] + 0.5 * sys[PARTIAL])
    P = under / ACT if ACT else (0.0 if POS else math.nan)
    R = over / POS if POS else (0.0 if ACT else math.nan)
    if POS + ACT == 0:
        F = math.nan
    elif over == under:
        F = 2 * over / (POS + ACT)
    else:
        F = 2 * P * R / (P + R) if P + R else 0.0
    whole = {
        "COR": COR,
        "INC": INC,
        "PAR": PAR,
        "MIS": POS - COR - PAR - INC,
        "SPU": ACT - float(sys.sum()),
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


def _over(over: Array, under: Array, empty: Array) -> Array:
    """over / under; where under is 0: 0, as conlleval and seqeval say, or NaN if `empty` is too."""
    safe = np.where(under == 0, 1, under)
    return np.where(under == 0, np.where(empty == 0, np.nan, 0.0), over / safe)


def _micro(totals: Array) -> Mapping[str, Array]:
    credit, POS, ACT = totals[:, 0], totals[:, 1], totals[:, 2]
    return {
        "value": _over(2 * credit, POS + ACT, POS + ACT),
        "P": _over(credit, ACT, POS),
        "R": _over(credit, POS, ACT),
    }


def _averaged(L: int, average: str) -> Callable[[Array], Mapping[str, Array]]:
    def score(totals: Array) -> Mapping[str, Array]:
        credit_ref, credit_sys, POS, ACT = (totals[:, i * L : (i + 1) * L] for i in range(4))
        P, R = _over(credit_sys, ACT, POS), _over(credit_ref, POS, ACT)
        used = POS + ACT != 0
        P, R = np.where(used, P, 0.0), np.where(used, R, 0.0)
        safe = np.where(P + R == 0, 1, P + R)
        F = 2 * P * R / safe
        weight = np.where(used, 1.0, 0.0) if average == "macro" else POS
        total = weight.sum(axis=1)
        return {"value": _over((weight * F).sum(axis=1), total, np.zeros_like(total))}

    return score
