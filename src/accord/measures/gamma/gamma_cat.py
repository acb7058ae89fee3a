"""γ-cat and γ-k: agreement on the categories of aligned units."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from accord.data.corpus import corpus_of
from accord.data.units import Units
from accord.measures.gamma.disorder import ratio_result
from accord.measures.gamma.options import ALIGNMENT, ALONE, DISTANCE, LABELS, SAMPLING, Settings
from accord.measures.gamma.parts import by_document
from accord.registry import find, measure
from accord.result import Result, Row
from accord.study import Study, brief

_CITATION = "Mathet 2017, Computational Linguistics 43(3)"


def _by_category(study: Study) -> Sequence[Row]:
    """γ-k of each category."""
    of_each = Study(find("gamma-k"), study.data, options=study.options, certainty=study.certainty)
    return [{"category": r.terms["category"], **brief(r)} for r in of_each.estimates]


@measure(
    "gamma-cat",
    title="γ-cat",
    usual=True,
    shape="units",
    question="agree",
    citation=_CITATION,
    range=(-float("inf"), 1.0),
    aliases=("γ-cat", "gammacat"),
    chance=True,
    by_parts=True,
    use="How far the labels of aligned units agree, whatever their positions; read beside gamma.",
    breakdowns={"document": by_document, "category": _by_category},
    options=(*DISTANCE, *SAMPLING, ALIGNMENT, LABELS, ALONE),
    into=Settings,
)
def gamma_cat(units: Units, how: Settings) -> Result:
    """γ-cat = 1 − observed/expected disagreement on the categories of aligned units.

    .. math:: D = \\frac{\\sum w\\, d_{cat}}{\\sum w}, \\quad
       w = \\frac{\\max(0, 1 - d_{pos}/\\Delta)}{n_v - 1}

    over the pairs of real units aligned by γ, :math:`n_v` the number of real units of their unitary
    alignment; expected is the same over the ideal alignments of all random continua. Options as for
    gamma; a dissimilarity of one's own decides what is aligned, w and d_cat stay as they are.
    ``alone="differs"`` adds each unit that an annotator has and another has not as a pair of w = 1 and
    d_cat = 1, as pygamma-agreement does since 0.5.0: then γ-cat falls with what is missed, too.

    Mathet, Y. (2017). The agreement measure γcat, a complement to γ focused on categorization of a
    continuum. *Computational Linguistics* 43(3).

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> gamma_cat(Units.from_rows(rows)).value
    1.0
    """
    found, mark = how.carried_out("gamma-cat", units, by_category=True)
    return ratio_result(
        "gamma-cat",
        units,
        found,
        mark,
        column=1 + len(units.categories),
        undefined=partial(_no_value, "no aligned pair overlaps"),
    )


@measure(
    "gamma-k",
    several=True,
    title="γ-k",
    shape="units",
    question="agree",
    citation=_CITATION,
    range=(-float("inf"), 1.0),
    aliases=("γ-k", "gammak"),
    chance=True,
    by_parts=True,
    use="Which categories the annotators of aligned units agree on: one value for each.",
    options=(*DISTANCE, *SAMPLING, ALIGNMENT, LABELS, ALONE),
    into=Settings,
)
def gamma_k(units: Units, how: Settings) -> tuple[Result, ...]:
    """γ-k of each category k: γ-cat over the pairs with at least one unit of category k.

    One result per category, named in ``terms["category"]``, with its number of units. Options as
    for gamma (Mathet 2017).

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> [(r.terms["category"], r.value) for r in gamma_k(Units.from_rows(rows))]
    [('x', 1.0), ('y', 1.0)]
    """
    found, mark = how.carried_out("gamma-k", units, by_category=True)
    counts = corpus_of(units).label_counts
    return tuple(
        ratio_result(
            "gamma-k",
            units,
            found,
            mark,
            column=1 + k,
            n=int(counts[k]),
            terms={"category": name},
            undefined=partial(_no_value, f"no aligned pair has category {name!r}"),
        )
        for k, name in enumerate(units.categories)
    )


def _no_value(nothing: str, weight: float) -> str:
    """Why chance gives 0: nothing was compared, or nothing could differ."""
    return "chance alone gives no disagreement on categories" if weight else nothing
