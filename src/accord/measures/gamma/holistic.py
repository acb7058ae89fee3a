"""The holistic measure of 2011, the predecessor of γ."""

from __future__ import annotations

from accord.data.units import Units
from accord.measures.gamma.disorder import disorder_result
from accord.measures.gamma.options import DISTANCE, LABELS, SAMPLING, Settings
from accord.measures.gamma.parts import by_category, by_document
from accord.registry import measure
from accord.result import Result


@measure(
    "holistic",
    title="Holistic agreement (2011)",
    shape="units",
    question="agree",
    citation="Mathet and Widlöcher 2011, TALN",
    range=(-float("inf"), 1.0),
    aliases=("holistic-2011",),
    chance=True,
    by_parts=True,
    use="Units located and labelled freely, as for gamma, of which it is the predecessor: kept to "
    "compare with published values.",
    breakdowns={"document": by_document, "category": by_category},
    options=(*DISTANCE, *SAMPLING, LABELS),
    into=Settings,
)
def holistic(units: Units, how: Settings) -> Result:
    """(e_random − e_obs) / e_random, e the entropy of the ideal alignment.

    .. math:: \\frac{e_{random} - e_{obs}}{e_{random}}, \\quad
       e = \\frac{1}{|A|} \\sum_{K \\in A} \\delta(K), \\quad
       d_{pos} = \\left(\\frac{|s_u-s_v|+|e_u-e_v|}{(len_u+len_v)/2}\\right)^2, \\quad \\Delta = 4

    The alignment A minimises the mean of δ, a fractional objective solved exactly (Dinkelbach's
    iteration). :math:`e_{random}` is the entropy of random continua. A corpus: the mean over all
    unitary alignments of all documents. Options as for gamma.

    Mathet, Y. and Widlöcher, A. (2011). Une approche holiste et unifiée de l'alignement et de la
    mesure d'accord inter-annotateurs. *TALN*.

    Deviations: the paper's program aligned by its Algorithm 1, an approximation; here the alignment
    is ideal, and the terms say what Algorithm 1 would have given. The paper takes the least of its
    chance models (`chance` min), which is not 0 for independent annotators.

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> holistic(Units.from_rows(rows)).value
    1.0
    """
    return disorder_result(
        "holistic", units, *how.carried_out("holistic", units, objective="holistic")
    )
