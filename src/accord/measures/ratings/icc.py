"""The intraclass correlations: numeric ratings.

σ²_i, σ²_a and σ²_e are the variances between items, between annotators and of the rest. Complete data:
by mean squares (Shrout & Fleiss 1979; McGraw & Wong 1996); with missing cells: by restricted maximum
likelihood.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from accord.data import Ratings
from accord.data.sums import Sums
from accord.errors import UsageError
from accord.measures.ratings.components import (
    Components,
    Incomplete,
    complete_sums,
    complete_tally,
    mean_squares,
    positions,
)
from accord.measures.ratings.disagreements import OF_NUMBERS
from accord.measures.ratings.options import K
from accord.measures.ratings.profiles import Profiles, named_profiles
from accord.measures.ratings.result import ratings_result, refuse_counts, refuse_one_annotator
from accord.registry import measure
from accord.result import Array, Result, Sample

_CITATION = (
    "Shrout, P. E. & Fleiss, J. L. (1979). Intraclass correlations: uses in assessing rater "
    "reliability. Psychological Bulletin 86(2); McGraw, K. O. & Wong, S. P. (1996). Forming "
    "inferences about some intraclass correlation coefficients. Psychological Methods 1(1)."
)
_RANGE = (-np.inf, 1.0)
#: annotators for whom two-way components with missing cells are fitted, at most
_MOST_ANNOTATORS = 60
#: statistics held of each item, at most
_MOST_COLUMNS = 40_000


@measure(
    "icc-1", title="ICC(1), one-way", aliases=("icc1", "icc(1)", "icc(1,1)"),
    shape="ratings", question="agree", range=_RANGE, citation=_CITATION,
    use="Numbers, other annotators for each item or not told apart: what one rating is worth.",
    breakdowns=OF_NUMBERS, of_sums=True, rests_on="everything",
)  # fmt: skip
def icc_1(ratings: Ratings) -> Result:
    """ICC(1): one rating, annotators not told apart, σ²_i/(σ²_i + σ²_w).

    .. math:: \\frac{MSB - MSW}{MSB + (k-1)\\, MSW}

    >>> print(icc_1(_example()))
    icc-1 = 0.1657
    """
    return _measured("icc-1", ratings, "1", None)


@measure(
    "icc-a", title="ICC(A,1), absolute agreement", aliases=("icc2", "icc(a,1)", "icc(2,1)", "icc-a1"),
    usual=True,
    shape="ratings", question="agree", range=_RANGE, citation=_CITATION,
    use="Numbers, the same annotators: a stricter annotator counts as error.",
    breakdowns=OF_NUMBERS, of_sums=True, rests_on="everything",
)  # fmt: skip
def icc_a(ratings: Ratings) -> Result:
    """ICC(A,1): agreement of one rating, σ²_i/(σ²_i + σ²_a + σ²_e).

    .. math:: \\frac{MSB - MSE}{MSB + (k-1)\\, MSE + \\frac{k}{n}(MSJ - MSE)}

    >>> print(icc_a(_example()))
    icc-a = 0.2898
    """
    return _measured("icc-a", ratings, "A", None)


@measure(
    "icc-c", title="ICC(C,1), consistency", aliases=("icc3", "icc(c,1)", "icc(3,1)", "icc-c1"),
    usual=True,
    shape="ratings", question="agree", range=_RANGE, citation=_CITATION,
    use="Numbers used to compare items only: the levels of the annotators do not count.",
    breakdowns=OF_NUMBERS, of_sums=True, rests_on="everything",
)  # fmt: skip
def icc_c(ratings: Ratings) -> Result:
    """ICC(C,1): consistency of one rating, σ²_i/(σ²_i + σ²_e).

    .. math:: \\frac{MSB - MSE}{MSB + (k-1)\\, MSE}

    >>> print(icc_c(_example()))
    icc-c = 0.7148
    """
    return _measured("icc-c", ratings, "C", None)


@measure(
    "icc-1k", title="ICC(k), one-way, mean of k", aliases=("icc1k", "icc(k)", "icc(1,k)"),
    shape="ratings", question="agree", range=_RANGE, citation=_CITATION,
    use="As icc-1, for the mean of k ratings: not what one rating is worth.",
    breakdowns=OF_NUMBERS, of_sums=True, rests_on="everything", options=(K,),
)  # fmt: skip
def icc_1k(ratings: Ratings, *, k: float | None) -> Result:
    """ICC(k): the mean of k ratings, annotators not told apart.

    .. math:: \\frac{MSB - MSW}{MSB}

    `k` is the number of ratings per item (with missing cells their harmonic mean), or any other
    number: then the single form is stepped up by Spearman and Brown.

    >>> print(icc_1k(_example()))
    icc-1k = 0.4428
    """
    return _measured("icc-1k", ratings, "1", k or 0.0)


@measure(
    "icc-ak", title="ICC(A,k), agreement, mean of k", aliases=("icc2k", "icc(a,k)", "icc(2,k)"),
    shape="ratings", question="agree", range=_RANGE, citation=_CITATION,
    use="As icc-a, for the mean of k ratings: not what one rating is worth.",
    breakdowns=OF_NUMBERS, of_sums=True, rests_on="everything", options=(K,),
)  # fmt: skip
def icc_ak(ratings: Ratings, *, k: float | None) -> Result:
    """ICC(A,k): agreement of the mean of k ratings.

    .. math:: \\frac{MSB - MSE}{MSB + (MSJ - MSE)/n}

    >>> print(icc_ak(_example()))
    icc-ak = 0.6201
    """
    return _measured("icc-ak", ratings, "A", k or 0.0)


@measure(
    "icc-ck", title="ICC(C,k) = Cronbach's α",
    aliases=("icc3k", "icc(c,k)", "icc(3,k)", "cronbach", "cronbach-alpha"),
    shape="ratings", question="agree", range=_RANGE, citation=_CITATION,
    use="As icc-c, for the mean of k ratings: not what one rating is worth.",
    breakdowns=OF_NUMBERS, of_sums=True, rests_on="everything", options=(K,),
)  # fmt: skip
def icc_ck(ratings: Ratings, *, k: float | None) -> Result:
    """ICC(C,k): consistency of the mean of k ratings, Cronbach's α.

    .. math:: \\frac{MSB - MSE}{MSB}

    >>> print(icc_ck(_example()))
    icc-ck = 0.9093
    """
    return _measured("icc-ck", ratings, "C", k or 0.0)


def _example() -> Ratings:
    """Shrout & Fleiss 1979, Table 2: six items, four judges."""
    return Ratings.from_matrix(
        [[9, 6, 8, 7, 10, 6], [2, 1, 4, 1, 5, 2], [5, 3, 6, 2, 6, 4], [8, 2, 8, 6, 9, 7]]
    )


# --- the family ----------------------------------------------------------------------------------


def _measured(name: str, ratings: Ratings, form: str, k: float | None) -> Result:
    """`k` None: the single form; 0: the mean of as many ratings as there are."""
    refuse_one_annotator(ratings, name)
    if ratings.sums is not None:
        return _of_sums(name, ratings, ratings.sums, form, k)
    if form != "1":
        refuse_counts(ratings, name)
    profiles = named_profiles(ratings)
    x = positions(ratings, name)
    # (of counted items, each as often as it was: the statistics are then those of single items)
    given = np.bincount(ratings.code, weights=ratings.times_each, minlength=len(x))
    x = x - float(given @ x) / max(1.0, float(given.sum()))
    sizes = np.unique(profiles.per_item[profiles.per_item > 0])
    complete = len(sizes) == 1 and sizes[0] == len(ratings.annotators)
    layout = Incomplete(sizes=sizes, annotators=len(ratings.annotators))
    if not complete:
        _check_width(name, layout, form)

    def tally(p: Profiles) -> Any:
        return complete_tally(p, x) if complete else layout.tally(p, x)

    # an item that nobody rated is none; the profile must be dropped before the cells are laid out
    sample = profiles.sample(
        tally, _score(layout, form, k, complete=complete), least=1, graded=True,
        scale_free=form == "C" or not complete, whole=not complete,
    )  # fmt: skip
    n = int(np.sum(ratings.per_item > 0))
    if ratings.multiplicity is not None:
        n = int(ratings.multiplicity[ratings.per_item > 0].sum())
    result = _scored(name, ratings, sample, form, k, n, complete=complete)
    notes = _notes(ratings, profiles, complete, form)
    return replace(result, warnings=(*result.warnings, *notes))


def _of_sums(name: str, ratings: Ratings, sums: Sums, form: str, k: float | None) -> Result:
    """The same of numbers that the engine summed: by document, or over all items."""
    alike, m = sums.alike, len(ratings.annotators)
    sizes = np.unique(alike.size)
    complete = len(sizes) == 1 and sizes[0] == m
    # one way, who is who does not matter
    named = alike.who is not None
    layout = Incomplete(sizes=sizes, annotators=m if named else 0)
    if not complete and form != "1":
        if not named:
            raise UsageError(
                f"{name} with missing cells needs to know which annotators share items, and these are "
                f"sums of numbers of {m} annotators (up to 60 are told apart); use icc-1 or alpha with "
                "the interval metric, or choose annotators"
            )
        _check_width(name, layout, form)
    rows = complete_sums(alike, m) if complete else layout.of_sums(alike)
    n = int(sums.items.sum())
    sample = Sample(
        # without documents the mean item stands for all
        rows=rows if sums.documents else rows / n,
        multiplicity=None if sums.documents else np.array([n]),
        score=_score(layout, form, k, complete=complete),
        keys=sums.documents or None,
        unit="document" if sums.documents else "item",
        weight=sums.items.astype(np.float64) if sums.documents else None,
        graded=True,
        whole=not complete,
        # (the formula of complete data needs no single item, documents can be left out)
        allowed=(
            *(("jackknife",) if sums.documents else ()),
            *(("analytic",) if complete else ()),
        )
        or ("none",),
    )
    return _scored(name, ratings, sample, form, k, n, complete=complete)


def _score(
    layout: Incomplete, form: str, k: float | None, *, complete: bool
) -> Callable[[Array], Mapping[str, Array]]:
    sizes = layout.sizes

    def score(totals: Array) -> Mapping[str, Array]:
        if len(sizes) == 0 or sizes[-1] < 2:
            return {"value": np.full(len(totals), np.nan)}
        two_way = form != "1"
        found = mean_squares(totals) if complete else layout.fit(np.real(totals), two_way=two_way)
        single, wanted = forms(found, form, k)
        shown = {
            "sigma2_items": found.items,
            "sigma2_annotators": found.annotators,
            "sigma2_error": found.error,
        }
        if form == "1" and complete:
            shown = {"sigma2_items": (found.squares["MSB"] - found.squares["MSW"]) / found.k,
                     "sigma2_within": found.squares["MSW"]}  # fmt: skip
        elif form == "1":
            shown = {"sigma2_items": found.items, "sigma2_within": found.error}
        return {
            "value": wanted, **found.squares, **shown,
            **({} if k is None else {"single": single, "k": found.k if k == 0 else np.full(len(single), k)}),
        }  # fmt: skip

    return score


def _scored(
    name: str,
    ratings: Ratings,
    sample: Sample,
    form: str,
    k: float | None,
    n: int,
    *,
    complete: bool,
) -> Result:
    """The result of a sample over n items, with its law where there is one."""
    result = ratings_result(
        name,
        ratings,
        sample,
        options={"missing": None if complete else "reml"},
        undefined=_why,
        n=n,
    )
    # one question for all data: who judged is drawn, too, whether or not a cell is missing
    if result.undefined is None and sample.unit == "item" and (complete or form != "C"):
        law = _law(result, form, k, ratings, n)
        result = replace(result, sample=replace(sample, law=law, law_of_others=form != "C"))
    return result


def forms(found: Components, form: str, k: float | None) -> tuple[Array, Array]:
    """The single form, and the one asked for; NaN where a denominator leaves nothing to divide."""
    with np.errstate(divide="ignore", invalid="ignore"):
        items, apart = found.items, found.error
        if form == "1" and found.squares:
            items = (found.squares["MSB"] - found.squares["MSW"]) / found.k
            apart = found.squares["MSW"]
        elif form == "A":
            apart = found.annotators + found.error
        single = _ratio(items, items + apart)
        if k is None:
            return single, single
        return single, _ratio(items, items + apart / (found.k if k == 0 else k))


def _ratio(above: Array, below: Array) -> Array:
    good = np.real(below) > 1e-14 * np.abs(above)
    return np.where(good, above / np.where(good, below, 1.0), np.nan)


def stepped_up(rho: float, k: float) -> float:
    """Spearman and Brown: the reliability of the mean of k from that of one.

    Below −1/(k − 1) the mean has no variance left: there is no lower limit.

    >>> round(stepped_up(0.5, 4), 3)
    0.8
    """
    below = 1 + (k - 1) * rho
    return k * rho / below if below > 0 else -np.inf


def _mean_size(ratings: Ratings) -> float:
    """The harmonic mean of the ratings per item."""
    if ratings.sums is None:
        rated = ratings.per_item > 0
        size = ratings.per_item[rated]
        items = np.ones(len(size)) if ratings.multiplicity is None else ratings.multiplicity[rated]
    else:
        kept = ratings.sums.alike.size > 0
        size, items = ratings.sums.alike.size[kept], ratings.sums.alike.items[kept]
    return float(items.sum() / (items / size).sum())


def _law(result: Result, form: str, k: float | None, ratings: Ratings, n: int) -> Any:
    """Quantiles by F (McGraw & Wong 1996, Table 7); None where the error is 0.

    With missing cells the mean squares are those that the components would have with the harmonic
    mean of the ratings per item.
    """
    from scipy.special import fdtri

    terms = result.terms
    if "MSB" in terms:
        MSB, MSJ, MSE, MSW = (terms[name] for name in ("MSB", "MSJ", "MSE", "MSW"))
        m = float(len(ratings.annotators))
    else:
        m = _mean_size(ratings)
        MSE = MSW = terms["sigma2_within" if form == "1" else "sigma2_error"]
        MSB = MSE + m * terms["sigma2_items"]
        MSJ = MSE + n * terms.get("sigma2_annotators", 0.0)
    if m <= 1:
        return None
    if ratings.weights is not None or n < 2 or (MSE if form == "C" else MSW) <= 0 or MSE <= 0:
        return None
    times = m if k == 0 else k
    if form == "A":
        rho = (MSB - MSE) / (MSB + (m - 1) * MSE + m * (MSJ - MSE) / n)
        a = m * rho / (n * (1 - rho))
        b = 1 + m * rho * (n - 1) / (n * (1 - rho))
        df = (a * MSJ + b * MSE) ** 2 / (
            (a * MSJ) ** 2 / (m - 1) + (b * MSE) ** 2 / ((n - 1) * (m - 1))
        )

        def single(p: float) -> float:
            F = float(fdtri(n - 1, df, 1 - p))
            return float(n * (MSB - F * MSE) / (F * (m * MSJ + (m * n - m - n) * MSE) + n * MSB))
    else:
        error, below = (MSE, (n - 1) * (m - 1)) if form == "C" else (MSW, n * (m - 1))

        def single(p: float) -> float:
            F = MSB / error / float(fdtri(n - 1, below, 1 - p))
            return float((F - 1) / (F + m - 1))

    if times is None:
        return single
    return lambda p: stepped_up(single(p), times)


def _why(ratings: Ratings) -> str | None:
    if ratings.per_item.max(initial=0) < 2 or len(np.unique(ratings.code)) < 2:
        return None
    return "items differ less than chance would make them: the mean of k has no variance (x/0)"


def _check_width(name: str, layout: Incomplete, form: str) -> None:
    if (form != "1" and layout.annotators > _MOST_ANNOTATORS) or layout.width > _MOST_COLUMNS:
        raise UsageError(
            f"{name} with missing cells fits {layout.annotators} annotators, which are too many "
            f"(at most {_MOST_ANNOTATORS}); use icc-1 or alpha with the interval metric, or choose "
            "annotators"
        )


def _notes(ratings: Ratings, profiles: Profiles, complete: bool, form: str) -> tuple[str, ...]:
    if complete or form == "1":
        return ()
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    m = len(ratings.annotators)
    graph = coo_array(
        (np.ones(len(profiles.row)), (profiles.annotator, m + profiles.row)),
        shape=(m + profiles.size, m + profiles.size),
    )
    label = connected_components(graph, directed=False)[1]
    parts = len(np.unique(label[profiles.annotator]))
    if parts == 1:
        return ()
    return (
        f"the items and annotators fall into {parts} parts that share nothing: they are compared "
        "through the model only",
    )
