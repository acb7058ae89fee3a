"""`agree`: any agreement measure on any data, with its interval and breakdowns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, overload

from accord.options import LEVEL, RESAMPLES
from accord.options.kinds import refuses_other_kinds
from accord.reading.given import Given, Plain, read_with, takes_sequences
from accord.result import Result, Results
from accord.study.ask import Ask, breakdown_names, certainty_of, shape_asked

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


@overload
def agree(
    data: Plain,
    second: Plain,
    /,
    *others: Plain,
    measure: str | None = ...,
    ci: str | None = ...,
    level: float = ...,
    resamples: int = ...,
    seed: int = ...,
    by: str | Sequence[str] = ...,
    unit: str | None = ...,
    threshold: float | Sequence[float] = ...,
    **options: object,
) -> Result: ...


@takes_sequences(shape_asked)  # type: ignore[misc] # sequences become one argument on the way
@refuses_other_kinds
def agree(
    data: Given,
    measure: str | Sequence[str] | None = None,
    *,
    ci: str | None = None,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    by: str | Sequence[str] = (),
    unit: str | None = None,
    threshold: float | Sequence[float] = (),
    **options: object,
) -> Result | tuple[Result, ...] | Results:
    """Measure how far the annotators agree, beyond chance where the measure corrects for it.

    Parameters
    ----------
    data : what :func:`accord.read` returns, or what it reads: a path, a dataframe
    measure : name or alias (``accord measures`` lists them), or a list of them; by default the one
        recommended for the data (:func:`accord.study.choice.choose`), and a warning says what
        was assumed
    ci : "auto", "dirichlet", "bootstrap", "jackknife", "analytic" or "krippendorff", made at once, "none"
        for no interval; without it the same as "auto", made when it is first looked at (see
        :class:`Result`). See :func:`accord.interval`
    by : any of "category", "annotator", "item", "document", "pair", "time"
    unit : resample "item", "document" or "annotator"; see :func:`accord.interval`
    threshold : ``terms["p_below"]`` gets the probability that the true value lies below it; like `unit`,
        it asks for the interval at once
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
    source, options = read_with(data, options, meant=shape_asked({"measure": measure}))
    asked = Ask(
        question="agree",
        measures=measure,
        options=options,
        certainty=certainty_of(ci, level, resamples, seed, unit, threshold),
        by=breakdown_names(by),
    )
    return asked.answer(source).returned


@refuses_other_kinds
def agree_each(data: Given, measure: str, **options: object) -> tuple[Result, ...]:
    """Measure agreement as :func:`agree` does, always as a tuple: one result per category, or one alone.

    >>> from accord.data import Ratings
    >>> [str(r) for r in agree_each(Ratings.from_matrix([["a", "b"], ["a", "a"]]), "percent")]
    ['percent = 0.5000']
    """
    asked: dict[str, Any] = options
    found: Result | tuple[Result, ...] = agree(data, measure, **asked)
    return found if isinstance(found, tuple) else (found,)
