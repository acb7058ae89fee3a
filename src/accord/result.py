"""What a measure returns: one frozen record."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    SupportsFloat,
    SupportsIndex,
    cast,
    overload,
)

from accord.data.tabular import Backend, Tabular, library_first
from accord.errors import UsageError, did_you_mean, some
from accord.options import signature
from accord.plain import Plain, to_plain
from accord.printed import Bold, Printable, Printed, leading
from accord.sample import Array, Sample, Score, Virtual

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    from narwhals.typing import IntoDataFrame

    from accord.data.reading import Reading

__all__ = [
    "NOTHING_COUNTED",
    "NO_MENTION",
    "NO_SHARED_DOCUMENT",
    "NO_SPAN",
    "NO_UNIT",
    "Array",
    "Interval",
    "Result",
    "Results",
    "Row",
    "Rows",
    "Sample",
    "Score",
    "Virtual",
    "signature",
    "to_plain",
]

Row = Mapping[str, Any]

# sentences that several measures give for a value that is undefined
NOTHING_COUNTED = "nothing was counted (0/0)"
NO_SHARED_DOCUMENT = "no document was annotated by two people"
NO_UNIT = "there is no unit"
NO_SPAN = "neither side has a span"
NO_MENTION = "neither side has a mention"


_METHODS = {
    "dirichlet": "Bayesian bootstrap",
    "dirichlet+jackknife": "Bayesian bootstrap and jackknife",
    "analytic": "exact formula",
    "krippendorff": "Krippendorff's bootstrap",
}


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval and how it was made."""

    low: float
    high: float
    level: float
    #: what was drawn again or left out: ``dirichlet:item``, ``jackknife:document``, …
    method: str
    #: whom and what it speaks about, in words
    claim: str = field(default="", repr=False)
    #: standard error and degrees of freedom, where Student's t was used
    error: float | None = field(default=None, repr=False)
    df: float | None = field(default=None, repr=False)
    #: resamples drawn, and those of them on which the value is undefined
    resamples: int | None = field(default=None, repr=False)
    dropped: int = field(default=0, repr=False)

    def __iter__(self) -> Iterator[float]:
        """Low and high, to be taken apart: ``low, high = result.interval``."""
        return iter((self.low, self.high))

    @property
    def words(self) -> str:
        """The method as a statistician names it.

        >>> Interval(0.4, 0.6, 0.95, "dirichlet:item").words
        'Bayesian bootstrap over items'
        """
        name, _, units = self.method.partition(":")
        over = " and ".join(f"{unit}s" for unit in units.split("*") if unit)
        return _METHODS.get(name, name) + (f" over {over}" if over else "")

    def to_dict(self) -> dict[str, Plain]:
        """Return the limits, their level and how they were made."""
        return {"low": self.low, "high": self.high, "level": self.level, "method": self.method}


class Rows(Sequence[Row]):
    """The rows of a breakdown, made when they are first looked at."""

    def __init__(self, make: Callable[[], Sequence[Row]]) -> None:
        self._make = make
        self._rows: Sequence[Row] | None = None

    def _made(self) -> Sequence[Row]:
        if self._rows is None:
            self._rows = self._make()
        return self._rows

    def __len__(self) -> int:
        return len(self._made())

    def __getitem__(self, index: Any) -> Any:
        return self._made()[index]

    def __eq__(self, other: object) -> bool:
        return list(self) == list(other) if isinstance(other, Sequence) else NotImplemented

    def __repr__(self) -> str:
        return repr(self._made())

    __hash__ = None  # type: ignore[assignment]


#: what an interval says beside its limits: how it was made and for whom, what to know about it
_OF_INTERVAL = ("interval", "terms", "signature", "warnings")


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """A result whose interval nobody has looked at yet."""

    plain: Result
    #: makes the same result with its interval
    look: Callable[[], Result]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Result(Printable):
    """One number, and everything needed to read, check and reproduce it.

    `agree` and `score` make the interval when it is first looked at, and keep it. Until then the value,
    what it was made of (`observed`, `expected`, `n`) and how it is printed cost nothing more. The
    `interval`, `low` and `high`, the `signature`, `terms` and `warnings`, in which it has its words, and
    all that is written (`to_dict`, `to_frame`, `summary`, pickles) are of the value with its interval,
    whenever they are asked for. Only the printed form shows whether it was made.

    >>> import accord
    >>> found = accord.agree(accord.Ratings.from_matrix([[*"abababab"], [*"abbbabab"]]), "kappa")
    >>> found
    <kappa = 0.7500; n = 8>
    >>> round(found.low, 1), found > 0.7, f"{found:.2f}"
    (0.3, True, '0.75')
    >>> found
    <kappa = 0.7500 [...] (95% dirichlet:item) for these annotators, other items; n = 8>
    """

    measure: str
    value: float
    observed: float | None = None
    expected: float | None = None
    #: the formula's own names
    terms: Mapping[str, Any] = field(default_factory=dict)
    interval: Interval | None = None
    #: breakdowns: name → rows
    by: Mapping[str, Sequence[Row]] = field(default_factory=dict)
    #: number of items (or documents, units, mentions: the measure says) it rests on
    n: int = 0
    signature: str = ""
    #: why the value is NaN, in a sentence; None when it is defined. A measure gives the sentence that
    #: would hold; it is kept only where there is no value (see `__post_init__`)
    undefined: str | None = None
    warnings: tuple[str, ...] = ()
    annotators: tuple[str, ...] = ()
    document: str | None = None
    system: str | None = None
    sample: Sample | None = field(default=None, repr=False)
    #: what was read, of which this much entered the value; the verbs say it
    reading: Reading | None = field(default=None, repr=False)
    #: breakdowns of the measure's own that are made when they are asked for, and shown in `by` then
    offers: Mapping[str, Callable[[], Sequence[Row]]] = field(default_factory=dict, repr=False)
    #: how the interval is made, until it is looked at
    later: Later | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """A finite value, or NaN and the sentence that says why: never both, never neither."""
        if self.later is not None:
            for name in _OF_INTERVAL:
                # (an attribute that is not there is asked of `__getattr__`)
                object.__delattr__(self, name)
        if math.isfinite(self.value):
            object.__setattr__(self, "undefined", None)
        else:
            object.__setattr__(self, "value", math.nan)
            object.__setattr__(self, "undefined", self.undefined or NOTHING_COUNTED)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What belongs to the interval, which is made now and kept."""
            if name in _OF_INTERVAL and (later := self.later) is not None:
                made = later.look()
                for one in _OF_INTERVAL:
                    object.__setattr__(self, one, getattr(made, one))
                object.__setattr__(self, "later", None)
            return object.__getattribute__(self, name)

    def awaiting(self, look: Callable[[], Result], by: Mapping[str, Sequence[Row]]) -> Result:
        """Return the same result, to which `look` gives its interval and `by` rows, once looked at."""
        return replace(self, by=by, later=Later(self, look))

    def of_system(self, name: str) -> Result:
        """Return the same result under the name of a system; its interval is still to be made."""
        later = self.later
        if later is None:
            return replace(self, system=name)
        named = replace(later.plain, system=name)
        return named.awaiting(later.look, self.by)

    @property
    def plain(self) -> Result:
        """The result as far as it is made: without the interval that nobody looked at."""
        return self if self.later is None else self.later.plain

    @property
    def low(self) -> float | None:
        """The lower end of the interval; None where there is none."""
        return None if self.interval is None else self.interval.low

    @property
    def high(self) -> float | None:
        """The upper end of the interval; None where there is none."""
        return None if self.interval is None else self.interval.high

    @property
    def confidence_interval(self) -> Interval | None:
        """The interval, by the name that SciPy gives it."""
        return self.interval

    def _printed(self) -> Printed:
        return Results([self])._printed()

    def __copy__(self) -> Result:
        return self

    def __deepcopy__(self, memo: object) -> Result:
        return self

    def __reduce__(self) -> tuple[Callable[[dict[str, Any]], Result], tuple[dict[str, Any]]]:
        """With its interval, and without what it could be counted from again."""
        kept = {f.name: getattr(self, f.name) for f in fields(self)}
        kept |= {"sample": None, "offers": {}, "later": None}
        kept["by"] = {name: [*rows] for name, rows in self.by.items()}
        return _unpickled, (kept,)

    def __float__(self) -> float:
        return self.value

    def __lt__(self, other: object) -> bool:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> bool:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> bool:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> bool:
        return self._compared(other, operator.ge)

    def _compared(self, other: object, how: Callable[[float, float], bool]) -> bool:
        if not isinstance(other, (Result, SupportsFloat)):
            return cast(bool, NotImplemented)
        for one in (self, other):
            if isinstance(one, Result) and one.undefined is not None:
                raise UsageError(
                    f"{str(one).partition(';')[0]}: it is above no number and below none"
                )
        return how(self.value, float(other))

    def __format__(self, spec: str) -> str:
        return format(self.value, spec) if spec else str(self)

    def __str__(self) -> str:
        if self.undefined is not None:
            return f"{self.measure} is undefined: {self.undefined}"
        text = f"{self.measure} = {self.value:.4f}"
        i = self.plain.interval
        if i is not None:
            text += f" [{i.low:.4f}, {i.high:.4f}] ({i.level:.0%} {i.method})"
            text += f" for {i.claim}" if i.claim else ""
        return text

    def summary(self) -> str:
        """Sum up: the value with its interval, what was read, what to know about it, how it was made."""
        from accord.errors import in_python

        warned = self.warnings
        return "\n".join(
            [
                str(self),
                *_header(self.reading),
                *(f"⚠ {in_python(w)}" for w in warned),
                self.signature,
            ]
        )

    def showing(self, *names: str) -> Result:
        """Return the same result with these of its own breakdowns in `by`."""
        for name in names:
            if name not in self.offers:
                there = f"; it has {', '.join(self.offers)}" if self.offers else ""
                raise UsageError(f"{self.measure} has no breakdown by {name!r}{there}")
        return replace(self, by={**self.by, **{name: self.offers[name]() for name in names}})

    def to_dict(self) -> dict[str, Plain]:
        """Return the result as plain JSON data: NaN becomes None, arrays become lists."""
        out: dict[str, Any] = {
            "measure": self.measure,
            "value": self.value,
            "observed": self.observed,
            "expected": self.expected,
            "interval": None if self.interval is None else self.interval.to_dict(),
            "terms": self.terms,
            "by": self.by,
            "n": self.n,
            "signature": self.signature,
            "undefined": self.undefined,
            "warnings": list(self.warnings),
        }
        for name in ("document", "system"):
            if getattr(self, name) is not None:
                out[name] = getattr(self, name)
        if self.annotators:
            out["annotators"] = list(self.annotators)
        return {name: to_plain(value) for name, value in out.items()}

    @overload
    def to_frame(self, breakdown: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, breakdown: Literal["pyarrow"]) -> IntoDataFrame: ...
    @overload
    def to_frame(
        self, breakdown: str | None = ..., backend: Literal["pandas"] = ...
    ) -> pd.DataFrame: ...
    @overload
    def to_frame(self, breakdown: str | None, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, *, backend: Literal["polars"]) -> pl.DataFrame: ...
    @overload
    def to_frame(self, breakdown: str | None = ..., *, backend: Backend) -> IntoDataFrame: ...
    @overload
    def to_frame(self, breakdown: str | None, backend: Backend) -> IntoDataFrame: ...
    def to_frame(
        self, breakdown: str | None = None, backend: Backend | None = None
    ) -> IntoDataFrame:
        """Return the result (one row) or one of its breakdowns, as a dataframe of the library named.

        ``to_frame("pair", "polars")`` is a breakdown, ``to_frame("polars")`` the result itself.
        """
        from accord.data.frame import to_frame

        breakdown, backend = library_first(breakdown, backend)
        if breakdown is None:
            return to_frame([self.row()], backend)
        if breakdown not in self.by:
            raise UsageError(
                f"this result has no breakdown by {breakdown!r}; "
                + (f"it has {', '.join(self.by)}" if self.by else f"pass `by={breakdown}` first")
            )
        return to_frame(self.by[breakdown], backend)

    def row(self) -> Row:
        """Return the result as one row of a table."""
        return {
            "measure": self.measure,
            "value": self.value,
            "low": self.low,
            "high": self.high,
            "observed": self.observed,
            "expected": self.expected,
            "n": self.n,
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        # (what to do instead may list all other measures)
        said = str(self) if self.undefined is None else str(self).partition(";")[0]
        return f"<{said}; n = {self.n}>"

    def _repr_html_(self) -> str:
        from accord.errors import in_python
        from accord.markup import axis_of, block, folded, interval_bar, number, paragraph, table

        if self.later is not None:
            return self.later.plain._repr_html_()
        read = [paragraph(line, soft=True) for line in _header(self.reading)]
        if self.undefined is not None:
            why = paragraph(in_python(self.undefined))
            return block(f"{self.measure} is undefined", *read, why)
        made = self.interval
        limits = (None, None) if made is None else (made.low, made.high)
        heading = f"{self.measure} = {number(self.value)}"
        claim = ""
        if made is not None:
            heading += f" [{number(made.low)}, {number(made.high)}]"
            claim = f"{made.level:.0%} interval ({made.method})"
            claim += f" for {made.claim}" if made.claim else ""
        parts = [
            *read,
            interval_bar(self.value, *limits, axis=axis_of([self.value, *limits])),
            paragraph(claim, soft=True),
            *(
                folded(f"by {name.replace('_', ' ')}", table(rows), unfolded=len(rows) <= 12)
                for name, rows in self.by.items()
            ),
            *(paragraph(f"⚠ {in_python(w)}") for w in self.warnings),
            paragraph(self.signature, soft=True),
        ]
        return block(heading, *parts)


class Results(list[Result], Tabular):
    """The results of a list of measures: a list that is also a table.

    >>> both = Results([Result(measure="s", value=0.5, n=4), Result(measure="pi", value=0.4, n=4)])
    >>> both.to_frame(backend="polars").get_column("value").to_list()
    [0.5, 0.4]
    """

    @overload
    def __getitem__(self, index: SupportsIndex | str) -> Result: ...
    @overload
    def __getitem__(self, index: slice) -> Results: ...
    def __getitem__(self, index: SupportsIndex | slice | str) -> Result | Results:
        """The result at a place, or of the measure of that name; of a slice, those in it."""
        if isinstance(index, slice):
            return Results(super().__getitem__(index))
        if not isinstance(index, str):
            return super().__getitem__(index)
        found = [r for r in self if r.measure == index]
        if len(found) == 1:
            return found[0]
        there = list(dict.fromkeys(r.measure for r in self))
        raise UsageError(
            f"{len(found)} results are {index}: choose one by its place, its system or its category"
            if found
            else f"there is no result of {index!r}; there is {some(there)}{did_you_mean(index, there)}"
        )

    #: the comparisons of systems on each measure, and whether larger is better: what compares stands
    #: above (:mod:`accord.uncertainty.family` sets it)
    _told_apart: ClassVar[Callable[[Sequence[Result]], tuple[Sequence[Row], bool]]]

    def _printed(self) -> Printed:
        """Systems by measures with what is best, or one row per result."""
        systems = list(dict.fromkeys(r.system for r in self if r.system is not None))
        cells = {(r.system, r.measure): r for r in self}
        if len(systems) < 2 or len(cells) < len(self):
            left_out = ("observed", "expected", "signature")
            rows = [{k: v for k, v in row.items() if k not in left_out} for row in self._table()[0]]
            return Printed.of_rows(rows, notes=self._intervals())
        rows, tests = [{"system": name} for name in systems], set()
        for measure in dict.fromkeys(r.measure for r in self):
            own = [r for r in self if r.measure == measure]
            comparisons, similarity = Results._told_apart(own)
            tests |= {row["test"] for row in comparisons if row["test"]}
            first = leading(
                {str(r.system): r.value for r in own}, comparisons, similarity=similarity
            )
            for row in rows:
                found = cells.get((row["system"], measure))
                cell = None if found is None else (found.value, found.low, found.high)
                row[measure] = Bold(cell) if row["system"] in first else cell
        named = ", ".join(sorted(tests))
        told = (
            f"Bold: the best, and what no test tells apart from it (p ≥ 0.05 after Holm; {named})."
        )
        return Printed.of_rows(rows, notes=[*([told] if tests else []), *self._intervals()])

    def _intervals(self) -> list[str]:
        """What the intervals are, in a sentence."""
        made = [r.interval for r in self if r.interval is not None]
        said = dict.fromkeys(f"{i.words}, for {i.claim}" if i.claim else i.words for i in made)
        return [f"Intervals of {made[0].level:.0%}: {'; '.join(said)}."] if made else []

    def _table(self) -> tuple[Sequence[Row], Sequence[str]]:
        """One row per result; what tells results of one measure apart has a column of its own."""
        columns = {
            "system": [r.system for r in self],
            "document": [r.document for r in self],
            "category": [r.terms.get("category") for r in self],
        }
        apart = {name: c for name, c in columns.items() if any(v is not None for v in c)}
        rows = [
            {"measure": r.measure, **{name: c[i] for name, c in apart.items()}, **r.row()}
            for i, r in enumerate(self)
        ]
        return rows, ("measure", "value", "low", "high", "observed", "expected", "n", "signature")

    def _repr_html_(self) -> str:
        from accord.errors import in_python
        from accord.markup import block, paragraph, table

        if any(r.later for r in self):
            return Results(r.plain for r in self)._repr_html_()
        rows = [{k: v for k, v in row.items() if k != "signature"} for row in self._table()[0]]
        why = [f"{r.measure} is undefined: {r.undefined}" for r in self if r.undefined is not None]
        warned = dict.fromkeys(f"⚠ {w}" for r in self for w in r.warnings)
        return block(
            f"{len(self)} results",
            *(paragraph(line, soft=True) for line in _header(self[0].reading if self else None)),
            table(rows, most=50),
            *(paragraph(in_python(sentence)) for sentence in (*why, *warned)),
            *(paragraph(r.signature, soft=True) for r in self),
        )


def _unpickled(kept: dict[str, Any]) -> Result:
    return Result(**kept)


def _header(reading: Reading | None) -> list[str]:
    """What was read, as a notebook has it above the value."""
    if reading is None:
        return []
    from accord.data.header import header

    return header(reading, width=None)
