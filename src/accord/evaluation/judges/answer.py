"""What `judge` answers: one record per judge, and the sentences people read."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from accord.data.brief import brief
from accord.data.tabular import Tabular
from accord.evaluation.alternative import AltTest
from accord.evaluation.judges.agreement import Agreement
from accord.evaluation.judges.estimate import Estimate
from accord.evaluation.judges.needed import Needed
from accord.result import Interval, Row


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Corrected:
    """The rate or mean over all items, corrected for the judge's errors."""

    method: str
    value: float
    interval: Interval | None
    #: for humans like these, not only these; None with one human
    interval_people: Interval | None = field(repr=False)
    #: what the people's labels alone would say
    people_alone: Estimate = field(repr=False)
    terms: Mapping[str, float] = field(repr=False)
    #: why there is no value or no interval
    reason: str | None = field(default=None, repr=False)

    def to_dict(self) -> dict[str, object]:
        return {
            "method": self.method,
            "value": self.value,
            "interval": _ends(self.interval),
            "interval_people": _ends(self.interval_people),
            "people_alone": {
                "value": self.people_alone.value,
                "interval": _ends(self.people_alone.interval),
                "reason": self.people_alone.reason,
            },
            "terms": dict(self.terms),
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JudgeAnswer:
    """All that is said of one judge."""

    judge: str
    #: what the judge alone would have reported; None for located annotations
    raw: float | None
    #: "rate of yes", "mean", or the measure that scores documents
    target: str
    corrected: Corrected | None
    classes: tuple[Row, ...] = ()
    confusion: tuple[Row, ...] = ()
    #: items on which most people contradict the judge
    mistakes: tuple[Row, ...] = ()
    alt_test: AltTest | None = None
    agreement: Agreement | Row
    rank: tuple[Row, ...] = ()
    needed: Needed | None = None
    next_items: tuple[Hashable, ...] = ()
    calibration: Mapping[str, Any] | None = None
    bias: tuple[Row, ...] = ()
    drift: Row | None = None
    repeats: Row | None = None
    #: how much better than another annotator, with its test
    difference: Row | None = None
    #: p of the test that the labelled items look like the others
    selection: Row | None = None
    verdict: str = ""
    sentence: str = ""
    signature: str = ""
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        found = None if self.corrected is None else self.corrected.value
        return brief(
            self,
            self.judge,
            self.target,
            "" if self.raw is None else f"raw {self.raw:.4f}",
            "" if found is None else f"corrected {found:.4f}",
        )

    def to_dict(self) -> dict[str, object]:
        agreement = self.agreement
        test = self.alt_test
        return {
            "judge": self.judge,
            "target": self.target,
            "raw": self.raw,
            "corrected": None if self.corrected is None else self.corrected.to_dict(),
            "classes": [dict(r) for r in self.classes],
            "confusion": [dict(r) for r in self.confusion],
            "mistakes": [dict(r) for r in self.mistakes],
            "alt_test": None if test is None else {**test.to_dict(), "passes": test.passed},
            "agreement": agreement.to_dict()
            if isinstance(agreement, Agreement)
            else dict(agreement),
            "rank": [dict(r) for r in self.rank],
            "needed": None if self.needed is None else asdict(self.needed),
            "next_items": list(self.next_items),
            "calibration": self.calibration,
            "bias": [dict(r) for r in self.bias],
            "drift": self.drift,
            "repeats": self.repeats,
            **({} if self.difference is None else {"difference": dict(self.difference)}),
            "selection": self.selection,
            "verdict": self.verdict,
            "sentence": self.sentence,
            "signature": self.signature,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JudgeStudy(Tabular):
    """The answer for every judge, and what is said of all of them together."""

    judges: tuple[JudgeAnswer, ...]
    people: tuple[str, ...]
    #: correlation of the judges' errors and their effective number; None with one judge
    panel: Mapping[str, Any] | None = None
    comparisons: tuple[Row, ...] = ()
    warnings: tuple[str, ...] = field(default=())

    @property
    def corrected(self) -> Corrected:
        """The corrected value of the first judge named."""
        found = self.judges[0].corrected
        if found is None:
            raise AttributeError("located annotations have no corrected rate")
        return found

    @property
    def difference(self) -> Row | None:
        """How much better than `against` the first judge named is; None where none was given."""
        return self.judges[0].difference

    def __str__(self) -> str:
        return "\n".join(a.verdict for a in self.judges)

    def __repr__(self) -> str:
        return (
            f"<JudgeStudy of {', '.join(a.judge for a in self.judges)}: {self.judges[0].verdict}>"
        )

    def _table(self) -> tuple[Sequence[Mapping[str, Any]], Sequence[str]]:
        """One row per judge: what it said, and the corrected value with its limits."""
        return self._rows(), ()

    def _rows(self) -> list[dict[str, Any]]:
        rows = []
        for answer in self.judges:
            found = answer.corrected
            made = None if found is None else found.interval
            rows.append(
                {
                    "judge": answer.judge,
                    "raw": answer.raw,
                    "value": None if found is None else found.value,
                    "low": None if made is None else made.low,
                    "high": None if made is None else made.high,
                    "method": None if found is None else found.method,
                }
            )
        return rows

    def _repr_html_(self) -> str:
        from accord.markup import block, paragraph, table

        said = [paragraph(line) for a in self.judges for line in (a.verdict, a.sentence) if line]
        return block(f"{len(self.people)} people", table(self._rows()), *said)

    def to_dict(self) -> dict[str, object]:
        return {
            "judges": [a.to_dict() for a in self.judges],
            "people": list(self.people),
            "panel": self.panel,
            "comparisons": [dict(r) for r in self.comparisons],
            **({} if self.difference is None else {"difference": dict(self.difference)}),
            "warnings": list(self.warnings),
        }


def _ends(found: Interval | None) -> dict[str, float] | None:
    return None if found is None else {"low": found.low, "high": found.high, "level": found.level}
