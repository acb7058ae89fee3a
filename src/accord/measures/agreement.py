"""`agree`: any agreement measure on any data, with its interval and breakdowns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, overload

from accord.data import Annotations
from accord.errors import RefusedError, UsageError
from accord.measures.choice import choose, usual
from accord.options import filled
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, read_with
from accord.registry import Measure, Question, enrolled, find
from accord.result import Result, Results
from accord.study import Certainty, Study
from accord.study.several import answers_of_each
from accord.uncertainty import RESAMPLES

#: measures with one value per category, by all their names
PerCategory = Literal["gamma-k", "γ-k", "gammak", "ku-alpha", "(k)u-alpha", "k-u-alpha", "kualpha"]


@overload
def agree(  # type: ignore[overload-overlap] # a literal is a str; the narrower one comes first
    data: Given,
    measure: PerCategory,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    **options: object,
) -> tuple[Result, ...]: ...


@overload
def agree(
    data: Given,
    measure: str | None = ...,
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    **options: object,
) -> Result: ...


@overload
def agree(
    data: Given,
    measure: list[str] | tuple[str, ...],
    *,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    **options: object,
) -> Results: ...


@refuses_other_kinds
def agree(
    data: Given,
    measure: str | Sequence[str] | None = None,
    *,
    ci: str | None = None,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    by: str | Sequence[str] = (),
    unit: str | None = None,
    threshold: float | Sequence[float] = (),
    **options: object,
) -> Result | tuple[Result, ...] | Results:
    """How far the annotators agree, beyond chance where the measure corrects for it.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads: a path, a dataframe
    measure : name or alias (``accord measures`` lists them), or a list of them; by default the one
        recommended for the data (:func:`accord.measures.choice.choose`), and a warning says what
        was assumed
    ci : "auto", "dirichlet", "bootstrap", "jackknife", "analytic", "krippendorff" or None for no
        interval; see :func:`accord.interval`
    by : any of "category", "annotator", "item", "document", "pair", "time"
    unit : resample "item", "document" or "annotator"; see :func:`accord.interval`
    threshold : ``terms["p_below"]`` gets the probability that the true value lies below it
    **options : those of the measure, and those of :func:`accord.read` where data are not read yet

    Returns
    -------
    A :class:`Result`; a list of them, which is also a table, for a list of measures; a tuple for a
    measure with one value per category.

    >>> from accord.data import Ratings
    >>> data = Ratings.from_matrix([["a", "b", "a", "b"], ["a", "b", "b", "b"]])
    >>> print(agree(data, "alpha"))
    alpha = 0.5333
    >>> [round(r.value, 3) for r in agree(data, ["percent", "ac1"])]
    [0.75, 0.529]
    """
    source, options = read_with(data, options)
    certainty = Certainty(
        ci=None if ci == "none" else ci,
        level=level,
        resamples=resamples,
        seed=seed,
        unit=unit,
        thresholds=thresholds_of(threshold),
    )
    names = breakdown_names(by)
    if measure is None or isinstance(measure, str):
        return studied(source, measure, options, certainty).answer(names)
    listed, _ = answers_of_each(
        options_of_each(measure, options, "agree"),
        lambda name, own: studied(source, name, own, certainty).answer(names),
    )
    return listed


@refuses_other_kinds
def agree_each(data: Given, measure: str, **options: object) -> tuple[Result, ...]:
    """:func:`agree` for a measure with one value per category, whatever its name: always a tuple."""
    asked: dict[str, Any] = options
    found: Result | tuple[Result, ...] = agree(data, measure, **asked)
    return found if isinstance(found, tuple) else (found,)


def options_of_each(
    measures: Sequence[str], options: Mapping[str, Any], question: Question
) -> list[tuple[str, Mapping[str, Any]]]:
    """Each measure with the options it takes; an option that none of them takes is refused."""
    if not isinstance(measures, Sequence):
        raise UsageError(
            f"measures are named by words such as 'alpha', or by a list of them, got {measures!r}"
        )
    records = [find(name, question) for name in measures]
    for name in options:
        if not any(record.takes(name) for record in records):
            raise UsageError(f"`{name}` is not an option of {', '.join(r.name for r in records)}")
    return [(r.name, {k: v for k, v in options.items() if r.takes(k)}) for r in records]


def studied(
    data: Annotations, measure: str | None, options: Mapping[str, Any], certainty: Certainty
) -> Study:
    """The study of a measure, or of the recommended one with the options it is recommended with."""
    if measure is not None:
        record = find(measure, "agree")
        check(record, data.shape, options, question="agree")
        return Study(record, data, options=options, certainty=certainty)
    choice = choose(data)
    record = find(choice.measure, "agree")
    # who gives an option has read the data otherwise: nothing is assumed for them
    assumed = choice.assumed and not choice.options.keys() & options.keys()
    return Study(
        record,
        data,
        options={**choice.options, **options},
        certainty=certainty,
        notes=(choice.why,) if assumed else (),
    )


def breakdown_names(by: str | Sequence[str] | None) -> tuple[str, ...]:
    """Breakdowns as a list, or as one word (or a,b,c)."""
    listed = by.split(",") if isinstance(by, str) else () if by is None else by
    if not isinstance(listed, Sequence) or not all(isinstance(name, str) for name in listed):
        raise UsageError(f"`by` must be the name of a breakdown, or a list of them, got {by!r}")
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def thresholds_of(threshold: float | Sequence[float] | None) -> tuple[float, ...]:
    """Thresholds as a list, or as one number."""
    if threshold is None:
        return ()
    listed = (threshold,) if isinstance(threshold, (int, float)) else threshold
    if isinstance(listed, Sequence) and all(isinstance(x, (int, float)) for x in listed):
        return tuple(listed)
    raise UsageError(f"`threshold` must be a number, or a list of them, got {threshold!r}")


def _refuse_reading(record: Measure, options: Mapping[str, Any]) -> None:
    """An option that says how data are read, or which of them, has come too late."""
    from accord.options.reading import KEYWORDS

    of_reading = {option.name for option in KEYWORDS}
    for name in options:
        if name in of_reading and not record.takes(name):
            raise UsageError(
                f"{record.name} has no option `{name}`: it says what is read; pass it to accord.read and "
                f"give accord.{record.question} what that returns"
            )


def check(record: Measure, shape: str, options: Mapping[str, Any], *, question: Question) -> None:
    """Refuse a measure on the wrong shape, for the wrong question, or with a foreign option."""
    if record.shape != shape:
        there = [m.name for m in enrolled(shape=shape, question=question)]  # type: ignore[arg-type]
        first = usual(shape, question)
        rest = ", ".join(name for name in there if name != first)
        raise RefusedError(
            f"{record.name} is for {record.shape}, these data are {shape}; use {first}"
            + (f", or one of {rest}" if rest else "")
        )
    if record.question != question:
        meant = {
            "score": "scores a system against a reference",
            "agree": "measures the agreement among annotators",
        }[record.question]
        raise UsageError(f"{record.name} {meant}; use accord {record.question}")
    _refuse_reading(record, options)
    filled(record.name, record.options, options)
