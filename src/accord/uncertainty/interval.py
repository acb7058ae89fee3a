"""Confidence intervals: which question they answer, and the method that covers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from accord.errors import RefusedError, UsageError
from accord.options import LEVEL, RESAMPLES, USUAL, check_draws, further
from accord.options.kinds import refuses_other_kinds
from accord.result import Interval, Result, Sample
from accord.uncertainty import dirichlet
from accord.uncertainty.analytic import linearised_error
from accord.uncertainty.jackknife import (
    effective_number,
    freedom,
    leave_one_out,
    satterthwaite,
    student,
)
from accord.uncertainty.krippendorff import pair_bootstrap
from accord.uncertainty.scale import Scale, scale_of
from accord.uncertainty.spread import Spread, hull, of_draws, of_error, of_few, of_law, of_share
from accord.uncertainty.unseen import with_tail, with_unseen_document
from accord.uncertainty.weights import bootstrap_weights

#: items from which the jackknife stands beside a formula that supposes normal numbers
_LEAST_BESIDE_LAW = 20
METHODS = (USUAL, "dirichlet", "bootstrap", "jackknife", "analytic", "krippendorff")
UNITS = ("item", "document", "annotator")
#: how the warning begins that says why a result has no interval
NO_INTERVAL = "no interval: "

#: the value without each annotator, in their order
Without = Callable[[], Sequence[float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _How:
    level: float
    resamples: int
    seed: int
    scale: Scale
    #: the jackknife as other software has it, as it was asked for
    plain: bool = False


@refuses_other_kinds
def interval(
    result: Result,
    method: str = USUAL,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
    unit: str | None = None,
    thresholds: Sequence[float] = (),
    without: Without | None = None,
    scale: Scale | None = None,
) -> Result:
    """Return the same result with a confidence interval.

    Parameters
    ----------
    method : {"auto", "dirichlet", "bootstrap", "jackknife", "analytic", "krippendorff"}
        *auto*: documents by the jackknife when there are at least two, else items by *dirichlet*.
        *dirichlet*: random weights of the items and of one and a half virtual ones.
        *bootstrap*: percentiles over resampled units. *jackknife*: leave one unit out, Student t.
        *analytic*: linearised variance (Gwet 2008), or the measure's own formula.
        *krippendorff*: his bootstrap of pair differences with the expected disagreement held fixed;
        too narrow (simulated coverage of a nominal 95 % interval: 86 % with 3 raters and 100 items,
        51 % with 10 raters), offered for comparison with older software only.
    unit : {"item", "document", "annotator"}, optional
        What would be other in another campaign. Documents when the data have at least two of them,
        else items: items of one document are not independent. *annotator*: items (or documents)
        and annotators; it needs `without`.
    thresholds :
        ``terms["p_below"]`` gets the probability that the campaign's true value lies below each
    without :
        gives the value without each annotator; :func:`accord.agree` passes it
    scale :
        where the value can lie, for a measure that is not enrolled

    An interval contains the value, stays in the range of the measure and has a width. When there
    are too few units to make one, the result is unchanged but for a warning that says so.

    >>> import accord
    >>> ratings = accord.Ratings.from_matrix([list("aabbaabb"), list("aabbabbb")])
    >>> alpha = accord.agree(ratings, "alpha")
    >>> made = interval(alpha).interval
    >>> made.low < alpha.value < made.high
    True
    """
    _check(result, method, unit)
    check_draws(level=level, resamples=resamples, seed=seed)
    result = result.plain
    if result.undefined is not None:
        return result
    sample = result.sample
    if sample is None:
        return _warned(result, f"{NO_INTERVAL}this measure keeps no sample to resample")
    if sample.allowed and (method not in sample.allowed or unit not in (None, sample.unit)):
        other = " or ".join(f"`ci={name}`" for name in sample.allowed)
        return _warned(
            result, f"{NO_INTERVAL}only sums over the {sample.unit}s are known: use {other}"
        )
    scale = scale or scale_of(result.measure)
    plain = method == "jackknife" and unit != "annotator"
    how = _How(level=level, resamples=resamples, seed=seed, scale=scale, plain=plain)
    if unit == "annotator":
        found = _new_annotators(result, sample, how, method, without)
    else:
        found = _these_annotators(result, sample, how, method, unit)
    if isinstance(found, str):
        return _warned(result, f"{NO_INTERVAL}{found}")
    made = found.around(result.value, how.scale)
    return _dressed(result, made, how, thresholds)


def _these_annotators(
    result: Result, sample: Sample, how: _How, method: str, unit: str | None
) -> Spread | str:
    documents = documents_of(sample, unit)
    if method == "auto":
        if documents is not None:
            return _by_documents(result.value, sample, documents, how)
        return _items(result.value, sample, how, alone=unit != "item")
    if method in ("dirichlet", "krippendorff"):
        if sample.unit == "document":
            return f"{method} weighs items, and this measure has documents only; use auto"
        # (a fit to all items has no weights of items to draw: its formula stays)
        drawn = sample if sample.whole else replace(sample, law=None)
        found = (
            _items(result.value, drawn, how)
            if method == "dirichlet"
            else pair_bootstrap(sample, how.level, how.resamples, how.seed)
        )
        if documents is not None and not isinstance(found, str):
            note = "documents are ignored: items of one document are taken as independent"
            found = replace(found, warnings=(*found.warnings, note))
        return found
    return _of_units(result.value, documents or sample, how, method)


# --- the methods ---------------------------------------------------------------------------------


def _items(value: float, sample: Sample, how: _How, *, alone: bool = False) -> Spread | str:
    """Dirichlet weights with virtual items; with the jackknife where differences are graded.

    Quantiles by a formula suppose normal numbers: the jackknife stands beside them as well, where there
    are items enough to show what the numbers are like.
    """
    n = int(sample.counts.sum())
    if n < 2:
        return f"it needs at least two {sample.unit}s, got {n}"
    warnings = []
    if n < 10:
        warnings.append(f"the interval rests on {n} items only")
    if alone and sample.cluster is not None:
        warnings.append(
            "there is one document only: how far others would move the value is not known"
        )
    found: Spread | None = None
    counted = dirichlet.binary_share(sample)
    if sample.law is not None:
        found = of_law(sample.law, how.level, "analytic")
    elif counted is not None:
        found = of_share(*counted, how.level, "dirichlet:item")
    elif not sample.whole:
        drawn = dirichlet.replicates(sample, how.resamples, how.seed)
        found = of_draws(drawn, how.level, "dirichlet:item")
        if found is None:
            lost = int(np.sum(~np.isfinite(drawn)))
            return f"the value is undefined on {lost} of {len(drawn)} resamples"
    by_law = sample.law is not None and n < _LEAST_BESIDE_LAW
    if by_law:
        warnings.append(
            f"the limits suppose normal numbers, and {n} items cannot show whether these are"
        )
    elif sample.graded or sample.whole or (sample.virtual is None and counted is None):
        left = leave_one_out(sample)
        if np.isfinite(left.error):
            error, df = _with_noise(sample, left.error)
            student = of_error(value, error, df, how.level, "jackknife:item")
            student = with_tail(student, value, how.scale, level=how.level)
            both = f"{'dirichlet' if sample.law is None else 'analytic'}+jackknife:item"
            found = student if found is None else hull(found, student, both)
        if n >= 20 and left.share_of_five > 0.5:
            warnings.append(
                "five items cause more than half of the uncertainty; the true interval may be wider; see "
                "them with `by=item`"
            )
    if found is None:
        return "the value is undefined without some item"
    if found.around(value, how.scale).flat:
        found = hull(found, of_few(value, n, how.level, how.scale, found.method), found.method)
        if found.around(value, how.scale).flat:
            return "all items count the same, and the measure has no worst value to weigh them with"
    return replace(found, warnings=(*found.warnings, *warnings))


def _by_documents(value: float, sample: Sample, documents: Sample, how: _How) -> Spread | str:
    """Jackknife-t over documents, never narrower than independent items would allow."""
    held = documents.counts if documents.weight is None else documents.weight
    D = int(np.count_nonzero(held))
    only = sample.unit == "document"
    if D < 2:
        if not only:
            return "no document holds an item"
        reason = "it takes several documents"
        if documents.noise is None:
            return reason
        half = student(documents.noise[1], (1 + how.level) / 2) * np.sqrt(documents.noise[0])
        return f"{reason}; another random seed would move the value by about {half:.2g}"
    left = leave_one_out(documents)
    error, df = _with_noise(documents, left.error)
    items = None if only else _items(value, sample, how)
    if not np.isfinite(error):
        if items is None or isinstance(items, str):
            return "the value is undefined without some document"
        note = (
            "documents are ignored: the value is undefined without some document, "
            "so that none can be left out"
        )
        return replace(items, warnings=(*items.warnings, note))
    found = of_error(value, error, df, how.level, "jackknife:document")
    found = with_unseen_document(
        found, value, how.scale, level=how.level, left=left, items=None if only else sample
    )
    if isinstance(items, Spread):
        found = hull(found, replace(items, warnings=()), "jackknife:document")
    elif _nearly_alike(documents):
        found = hull(
            found, of_few(value, D, how.level, how.scale, found.method), "jackknife:document"
        )
    if found.around(value, how.scale).flat:
        return "all documents count the same, and the measure has no worst value to weigh them with"
    return replace(found, warnings=(*found.warnings, *few_documents(D)))


def few_documents(D: int) -> tuple[str, ...]:
    """What a reader must know about an interval over few documents."""
    if D < 5:
        return (
            f"only {D} documents: the interval is wide, and they cannot show what another, bad one would do",
        )
    if D < 10:
        return (f"the interval rests on {D} documents only",)
    return ()


def _with_noise(sample: Sample, error: float) -> tuple[float, float]:
    """Standard error and degrees of freedom, with those of sampled chance."""
    df = freedom(sample)
    if sample.noise is None or not np.isfinite(error):
        return error, df
    variance, more = sample.noise
    return float(np.sqrt(error**2 + variance)), satterthwaite((error**2, df), (variance, more))


def _new_annotators(
    result: Result, sample: Sample, how: _How, method: str, without: Without | None
) -> Spread | str:
    """Items (or documents) and annotators left out: both variances, Satterthwaite's degrees."""
    m = len(result.annotators)
    if method not in ("auto", "jackknife"):
        raise UsageError(f"{method} cannot draw annotators again; with unit annotator use auto")
    if m == 0 or without is None:
        raise RefusedError(
            f"{result.measure} has no annotators to draw again: it speaks of one system; use item "
            "or document as the unit"
        )
    if m == 2:
        raise RefusedError(
            "two annotators say nothing about a third: unit annotator needs at least three"
        )
    units = documents_of(sample, None) or sample
    if int(units.counts.sum()) < 2:
        return f"it needs at least two {units.unit}s"
    left = leave_one_out(units)
    error, df = _with_noise(units, left.error)
    values = np.array(without(), dtype=np.float64)
    among = float((m - 1) / m * ((values - values.mean()) ** 2).sum())
    if not np.isfinite(error) or not np.isfinite(among):
        return f"the value is undefined without some {units.unit} or annotator"
    name = f"jackknife:{units.unit}*annotator"
    total = float(np.sqrt(error**2 + among))
    found = of_error(
        result.value, total, satterthwaite((error**2, df), (among, m - 1.0)), how.level, name
    )
    found = with_tail(found, result.value, how.scale, level=how.level)
    rest = (
        _items(result.value, sample, how)
        if sample.unit == "item"
        else _by_documents(result.value, sample, units, how)
    )
    if isinstance(rest, Spread):
        found = hull(found, replace(rest, warnings=()), name)
    note = (f"{m} annotators say little about others: the interval is wide",) if m < 5 else ()
    return replace(found, warnings=(*found.warnings, *note))


def _of_units(value: float, sample: Sample, how: _How, method: str) -> Spread | str:
    """The methods of other software, on the units asked for."""
    n = int(sample.counts.sum())
    name = f"{method}:{sample.unit}"
    if n < 2:
        return f"it needs at least two {sample.unit}s, got {n}"
    if method == "analytic" and sample.law is not None:
        return of_law(sample.law, how.level, "analytic")
    if method == "analytic" and sample.whole and sample.rows is not None:
        return "the value comes from a fit, which has no formula to derive; use `ci=jackknife`"
    if method == "bootstrap":
        drawn = replicates(sample, how.resamples, how.seed)
        if sample.noise is not None:
            # another campaign would have sampled its chance anew
            variance, more = sample.noise
            moved = np.random.default_rng([how.seed, 1]).standard_t(more, len(drawn))
            drawn = drawn + np.sqrt(variance) * moved
        found = of_draws(drawn, how.level, name)
        if found is None:
            lost = int(np.sum(~np.isfinite(drawn)))
            return f"the value is undefined on {lost} of {len(drawn)} resamples"
        return found
    error = leave_one_out(sample).error if method == "jackknife" else linearised_error(sample)
    if not np.isfinite(error):
        return f"the value is undefined without some {sample.unit}"
    error, df = _with_noise(sample, error)
    return of_error(value, error, df, how.level, name)


def replicates(
    sample: Sample, resamples: int, seed: int
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The value on each bootstrap replicate of the sample's units; NaN where undefined."""
    rng = np.random.default_rng(seed)
    order = dirichlet.canonical(sample)
    values = []
    for drawn in bootstrap_weights(sample.counts[order], resamples, rng, sample.width):
        weights = np.zeros((len(drawn), sample.size))
        weights[:, order] = drawn
        values.append(np.real(sample.value(weights)))
    return np.concatenate(values)


# --- the pieces ----------------------------------------------------------------------------------


def _check(result: Result, method: str, unit: str | None) -> None:
    if not isinstance(result, Result):
        raise UsageError(
            f"an interval is of a result, got {type(result).__name__}; pass `ci={method}` to accord.agree"
        )
    if method not in METHODS:
        raise UsageError(f"the interval method must be one of {', '.join(METHODS)}, got {method!r}")
    if unit not in (None, *UNITS):
        raise UsageError(f"the unit must be one of {', '.join(UNITS)}, got {unit!r}")


def documents_of(sample: Sample, unit: str | None) -> Sample | None:
    """The sample by documents, when they are what is drawn again."""
    if unit == "document" and sample.cluster is None and sample.unit != "document":
        raise UsageError("the data have no documents to resample; name the document column")
    if unit == "item" and sample.unit == "document":
        raise UsageError("this measure is resampled by document only")
    if sample.unit == "document":
        return sample
    if sample.cluster is None or unit == "item":
        return None
    grouped = sample.by_cluster()
    return grouped if unit == "document" or grouped.size > 1 else None


def _nearly_alike(documents: Sample) -> bool:
    """At most one document has another value than the others."""
    if documents.rows is None:
        return False
    held = documents.rows[np.flatnonzero(documents.counts)]
    values = np.real(documents.score(np.asarray(held))["value"])
    values = np.round(values[np.isfinite(values)], 12)
    if not len(values):
        return True
    return len(values) - int(np.unique(values, return_counts=True)[1].max()) <= 1


def _dressed(result: Result, made: Spread, how: _How, thresholds: Sequence[float]) -> Result:
    who = "these annotators, " if result.annotators else ""
    if "annotator" in made.method:
        claim = f"other annotators and {made.method.split(':')[1].split('*')[0]}s"
    elif (
        made.method in ("analytic", "analytic+jackknife:item")
        and result.sample is not None
        and result.sample.law_of_others
    ):
        claim = "other annotators and items"
    else:
        claim = f"{who}other {'documents' if 'document' in made.method else 'items'}"
    terms = {**result.terms, "interval_for": claim}
    if made.error is not None:
        terms["standard_error"] = made.error
    if thresholds:
        below = {f"{t:g}": probability_below(made, t) for t in thresholds}
        terms["p_below"] = next(iter(below.values())) if len(below) == 1 else below
    drawn = made.resamples is not None
    words = [f"ci:{made.method.replace(':', '-')}"]
    if drawn:
        words[0] += f"-{made.resamples}"
    if how.plain:
        words[0] += "-plain"
    if how.level != LEVEL:
        words.append(f"level:{how.level}")
    if drawn:
        words.append(f"seed:{how.seed}")
    return replace(
        result,
        interval=Interval(
            made.low,
            made.high,
            how.level,
            made.method,
            claim=claim,
            error=made.error,
            df=made.df,
            resamples=made.resamples,
            dropped=made.dropped,
        ),
        terms=terms,
        signature=further(result.signature, *words),
        warnings=tuple(dict.fromkeys((*result.warnings, *made.warnings))),
    )


def probability_below(made: Spread, threshold: float) -> float:
    """P(value < threshold), never quite 0 or 1: the resamples cannot show less than one of them."""
    least = 1 / (made.resamples or RESAMPLES)
    return float(min(max(made.below(threshold), least), 1 - least))


def _warned(result: Result, warning: str) -> Result:
    return replace(result, warnings=(*result.warnings, warning))


__all__ = [
    "METHODS",
    "NO_INTERVAL",
    "RESAMPLES",
    "UNITS",
    "effective_number",
    "interval",
    "replicates",
]
