"""Rules about the values: order, spelling, unused and rare categories, prevalence."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped, percent
from accord.audit.rule import rule
from accord.data import Annotations, Boxes, Ratings, Segments, Units
from accord.data.contents import is_free_text
from accord.data.slips import alike
from accord.errors import some
from accord.measures import agree
from accord.measures.ratings.coincidences import coincidences
from accord.measures.ratings.diagnostics import prevalence
from accord.registry import find

MATHET = "Mathet & Widlöcher (2016), Évaluation des annotations, TAL 57(2)"

#: nominal and ordered α apart by more than this matter
_APART = 0.05
#: measures of numbers and ranks, which have the order in them
_OF_NUMBERS = (
    *(
        "icc-1",
        "icc-a",
        "icc-c",
        "icc-1k",
        "icc-ak",
        "icc-ck",
        "ccc",
        "kendall-w",
        "pearson",
        "spearman",
    ),
)
#: coefficients of ratings that are not 0/0 where one category was used
_SURE = ("s", "ac1", "ac2", "pabak")
#: a category with more than this share of the ratings dominates
_DOMINANT = 0.8
#: a category used on fewer items than this says little about itself
_RARE = 10
#: integer codes of at most this many categories may be names
_MOST_CODES = 12


@rule(
    "ordered-as-nominal",
    looks_for="ordered values treated as names, with both values of α",
    citation=f"{MATHET}, §5.1, Table 4",
    shapes=("ratings",),
)
def ordered_as_nominal(case: Case) -> Finding | None:
    """Values with an order, which the nominal distance ignores (Table 4)."""
    data = case.ratings
    if data is None or not data.ordered or len(np.unique(data.code)) < 3:
        return None
    ordered = "interval" if data.kind == "numbers" else "ordinal"
    nominal, better = case.agree("alpha", metric="nominal"), case.agree("alpha", metric=ordered)
    if nominal.undefined or better.undefined or abs(better.value - nominal.value) <= _APART:
        return None
    severity, advice = "note", f"Report alpha with the {ordered} metric (or weighted κ, AC2)."
    if case.measure is not None:
        record = find(case.measure)
        name = record.name
        how = [record.option(o).default for o in ("metric", "weights") if record.takes(o)]
        if record.shape == "ratings" and not how and name not in _OF_NUMBERS:
            severity, advice = "serious", f"{record.name} ignores the order. {advice}"
        elif {*how} & {"nominal", "identity"}:
            advice = f"Give {record.name} a metric or weights that respect the order. {advice}"
    return Finding(
        severity=severity,  # type: ignore[arg-type]
        statement=(
            f"The values have an order. A measure that ignores it sees α = {nominal.value:.2f}; one "
            f"that respects it sees {better.value:.2f}."
        ),
        evidence={"alpha_nominal": nominal.value, f"alpha_{ordered}": better.value},
        advice=advice,
    )


@rule(
    "numbers-or-names",
    looks_for="numeric codes whose confusions do not follow their order: they may be names",
    citation="Stevens (1946), On the theory of scales of measurement, Science 103",
    shapes=("ratings",),
)
def numbers_or_names(case: Case) -> Finding | None:
    """A question: codes 1, 2, 3 … are read as numbers; do the confusions know about the order?

    On a scale neighbours are confused more often than ends, so that the interval disagreement is
    smaller than under nearly any other order of the same codes.
    """
    data = case.ratings
    if data is None or data.kind != "numbers" or data.declared:
        return None
    x = data.numbers
    if not 3 <= len(x) <= _MOST_CODES or np.any(x != np.round(x)):
        return None
    confused = coincidences(data)
    np.fill_diagonal(confused, 0.0)
    if confused.sum() < 20:
        return None
    beaten, better = _better_orders(confused, x, case.seed)
    allowed = 0.05 if better > 20 else 0.0
    if beaten / better <= allowed:
        return None
    nominal = case.agree("alpha", metric="nominal")
    interval = case.agree("alpha", metric="interval")
    if nominal.undefined or interval.undefined:
        return None
    return Finding(
        severity="note",
        statement=(
            f"Are {some(data.labels)} numbers or names? They are read as numbers, but neighbours are "
            f"not confused more often than others. As names α = {nominal.value:.2f}, as numbers "
            f"{interval.value:.2f}."
        ),
        evidence={
            "alpha_nominal": nominal.value,
            "alpha_interval": interval.value,
            "orders_that_fit_better": beaten / better,
            "values": list(data.labels),
        },
        advice="If they are names, read them with `values=categories`; if numbers, with `values=numbers`.",
    )


def _better_orders(
    confused: NDArray[np.float64], x: NDArray[np.float64], seed: int
) -> tuple[int, int]:
    """Of how many other orders of the codes, how many make the confusions smaller."""
    q = len(x)
    if q <= 6:
        orders = np.array([p for p in permutations(range(q)) if p[0] < p[-1]][1:])
    else:
        rng = np.random.default_rng(seed)
        orders = np.array([rng.permutation(q) for _ in range(999)])
    distance = (x[:, None] - x[None, :]) ** 2
    given = float((confused * distance).sum())
    found = np.array([(confused * distance[np.ix_(o, o)]).sum() for o in orders])
    return int((found < given * (1 - 1e-9)).sum()), len(orders)


@rule(
    "spelling-variants",
    looks_for="labels or annotators that differ only by case or blanks",
    citation="Ide & Pustejovsky (eds., 2017), Handbook of Linguistic Annotation, ch. 8",
)
def spelling_variants(case: Case) -> Finding | None:
    """`Person`, `person ` and `PERSON` are counted as three categories, `Ann` and `ann` as two people."""
    data = case.data
    labels = alike(_labels(data))
    people = alike(data.annotators)
    if not labels and not people:
        return None
    said: list[str] = []
    evidence: dict[str, Any] = {"labels": labels, "annotators": people}
    if labels:
        said.append(f"Labels differ only by case or blanks: {_groups(labels)}.")
    if people:
        said.append(f"Annotators' names do: {_groups(people)}.")
    severity = "caution"
    if labels and isinstance(data, Ratings) and len(data.annotators) > 1:
        before, after = case.agree("alpha", metric="nominal"), _merged(data, labels)
        if not before.undefined and not after.undefined:
            evidence |= {"alpha": before.value, "alpha_merged": after.value}
            said.append(f"Taken as one, α goes from {before.value:.2f} to {after.value:.2f}.")
            severity = "serious" if abs(after.value - before.value) >= 0.02 else "caution"
    return Finding(
        severity=severity,  # type: ignore[arg-type]
        statement=" ".join(said),
        evidence=evidence,
        advice="Write each in one way, then measure again.",
    )


def _labels(data: Annotations) -> Sequence[str]:
    if isinstance(data, Ratings):
        if data.kind == "sets":
            return sorted({str(v) for value in data.values for v in value})
        return data.labels if data.kind == "categories" and not is_free_text(data) else ()
    return data.categories if isinstance(data, (Units, Segments, Boxes)) else ()


def _groups(groups: list[list[str]], most: int = 3) -> str:
    shown = "; ".join(" = ".join(map(repr, group)) for group in groups[:most])
    return shown + (f"; and {len(groups) - most} more" if len(groups) > most else "")


def _merged(data: Ratings, groups: list[list[str]]) -> Any:
    first = {name: group[0] for group in groups for name in group}
    if data.kind == "sets":
        values: list[Any] = [
            frozenset(first.get(str(v), str(v)) for v in value) for value in data.values
        ]
    else:
        values = [first.get(name, name) for name in data.labels]
    kept = list(dict.fromkeys(values))
    codes = np.array([kept.index(v) for v in values], dtype=np.int32)
    return agree(data.recoded(codes, tuple(kept), data.kind), "alpha", metric="nominal")


@rule(
    "unused-categories",
    looks_for="declared categories that nobody used",
    citation=f"{MATHET}, §3.3.1",
    shapes=("ratings",),
)
def unused_categories(case: Case) -> Finding | None:
    """Declared categories that nobody used: S, AC1 and Brennan–Prediger count them."""
    data = case.ratings
    if data is None or not data.declared:
        return None
    used = set(np.unique(data.code).tolist())
    unused = [label for k, label in enumerate(data.labels) if k not in used]
    if not unused:
        return None
    one = len(unused) == 1
    return Finding(
        severity="note",
        statement=(
            f"{'One declared category was' if one else f'{len(unused)} declared categories were'} "
            f"never used: {some(unused)}."
        ),
        evidence={"unused": unused, "declared": len(data.labels)},
        advice=(
            f"S, AC1 and PABAK rise with every unused category: report alpha, or drop "
            f"{'it' if one else 'them'}."
        ),
    )


@rule(
    "rare-categories",
    looks_for="categories used too seldom for their agreement to be known",
    citation=f"{MATHET}, §3.4",
    shapes=("ratings", "units", "boxes"),
)
def rare_categories(case: Case) -> Finding | Skipped | None:
    """Categories that fewer than ten items (or units) have: nothing can be said of each."""
    data = case.data
    if isinstance(data, (Units, Boxes)):
        if not data.categories or len(data.annotators) < 2:
            return None
        labelled = data.label >= 0
        marked = np.bincount(data.label[labelled], minlength=len(data.categories))
        # a unit that everybody found is counted once
        counts = marked / max(1.0, float(data.coverage.sum(axis=1).max(initial=1)))
        names, what = data.categories, str(data.shape)
    else:
        rated = case.categories
        if rated is None or len(rated.values) < 2:
            return None
        if len(rated.values) > 1000:
            return Skipped("more than 1 000 categories")
        q = len(rated.values)
        key = np.unique(rated.item * q + rated.code)
        times = None if rated.multiplicity is None else rated.multiplicity[key // q]
        counts = np.bincount(key % q, times, minlength=q).astype(np.float64)
        names, what = rated.labels, "items"
    rare = [(names[k], float(counts[k])) for k in np.argsort(counts) if 0 < counts[k] < _RARE]
    if not rare:
        return None
    one = len(rare) == 1
    return Finding(
        severity="note",
        statement=(
            f"{'One category has' if one else f'{len(rare)} of {len(names)} categories have'} fewer "
            f"than {_RARE} {what}: {some([name for name, _ in rare])}. How far annotators agree on "
            f"{'it' if one else 'each of them'} cannot be known from these data."
        ),
        evidence={"rare": dict(rare), "categories": len(names)},
        advice=(
            f"Look for {'it' if one else 'them'} on purpose and annotate more, or merge; do not report "
            "a macro average as if it were known."
        ),
    )


@rule(
    "skewed-prevalence",
    looks_for="one category that dominates, so that raw agreement is high for nothing",
    citation=f"{MATHET}, §3.4, Table 2",
    shapes=("ratings",),
)
def skewed_prevalence(case: Case) -> Finding | None:
    """One category dominates: raw agreement is high for nothing and κ depends on the rare ones."""
    data = case.categories
    if data is None or len(data.values) < 2:
        return None
    shares = prevalence(data)
    label, share = next(iter(shares.items()))
    if share < _DOMINANT:
        return None
    observed, value = case.agree("percent"), case.agree("alpha", metric="nominal")
    ac1 = case.agree("ac1")
    if value.undefined or observed.undefined:
        return None
    return Finding(
        severity="caution",
        statement=(
            f"{percent(share)} of the ratings are {label!r}: two annotators who only guessed by these "
            f"shares would agree on {percent(_chance(shares))} of the items. The raw agreement of "
            f"{percent(observed.value)} corresponds to α = {value.value:.2f} (AC1 = {ac1.value:.2f})."
        ),
        evidence={
            "prevalence": shares,
            "percent": observed.value,
            "alpha": value.value,
            "ac1": ac1.value,
        },
        advice="Report agreement per category (accord agree --by category), and the rare ones first.",
    )


def _chance(shares: dict[str, float]) -> float:
    return sum(p * p for p in shares.values())


@rule(
    "uncorrected-agreement",
    looks_for="raw agreement as the measure that is reported, or one that calls a single category agreement",
    citation=f"{MATHET}, §3",
)
def uncorrected_agreement(case: Case) -> Finding | None:
    """A measure that knows no chance, or is sure where everybody always says the same."""
    if case.measure is None or len(case.data.annotators) < 2:
        return None
    record = find(case.measure)
    if record.question != "agree" or record.shape != case.data.shape:
        return None
    if not record.chance and case.usual.chance:
        return Finding(
            severity="caution",
            statement=f"{record.name} is not corrected for chance: people who guess reach more than 0.",
            evidence={"measure": record.name},
            advice=f"Report {case.usual.name} beside it.",
        )
    data = case.ratings
    if data is None or record.name not in _SURE or len(np.unique(data.code)) > 1:
        return None
    said = data.labels[int(data.code[0])] if len(data.code) else ""
    return Finding(
        severity="serious",
        statement=(
            f"Everybody always says {said!r}: {record.name} is high by its own definition of chance, and "
            "nothing shows that the annotators would see another category."
        ),
        evidence={"measure": record.name, "category": said},
        advice="Have items annotated of which some are otherwise.",
    )
