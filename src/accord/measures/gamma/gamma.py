"""γ: agreement as disorder below that of chance."""

from __future__ import annotations

from accord.data.units import Units
from accord.measures.gamma.disorder import disorder_result
from accord.measures.gamma.options import ALIGNMENT, DISTANCE, LABELS, SAMPLING, Settings
from accord.measures.gamma.parts import by_category, by_document
from accord.registry import measure
from accord.result import Result


@measure(
    "gamma",
    title="γ",
    usual=True,
    shape="units",
    question="agree",
    citation="Mathet, Widlöcher and Métivier 2015, Computational Linguistics 41(3)",
    range=(-float("inf"), 1.0),
    aliases=("γ",),
    chance=True,
    by_parts=True,
    use="Units that annotators locate and label freely on a text or recording (gaps, overlaps, "
    "nesting allowed). Not for items given in advance, nor for complete segmentations.",
    breakdowns={"document": by_document, "category": by_category},
    options=(*DISTANCE, *SAMPLING, ALIGNMENT, LABELS),
    into=Settings,
)
def gamma(units: Units, how: Settings) -> Result:
    """γ = 1 − observed disorder / expected disorder, both of ideal alignments.

    .. math:: \\gamma = 1 - \\frac{D_o}{D_e}, \\quad
       D = \\frac{1}{\\bar x} \\sum_K \\delta(K), \\quad
       \\delta(K) = \\Delta + \\frac{1}{C} \\sum_{u,v \\in K} (d(u,v) - \\Delta), \\quad
       d = \\alpha d_{pos} + \\beta d_{cat}

    over the unitary alignments K of the alignment with least disorder and their pairs of real
    units; :math:`C = n(n-1)/2` for n annotators, :math:`\\bar x` the units per annotator. The
    expected disorder is Σ total / Σ x̄ over random continua. A corpus has one value, 1 − Σ observed
    / Σ expected, each document weighted by its units per annotator. Annotators who work without
    looking at the text get 0 on average (``benchmarks/results/calibration.md``), unless all know where
    things usually stand: what is left then is in ``terms["beyond_layout"]``.

    * `alpha`, `beta`, `delta`, `matrix`, `positional`, `categorical`, `forbid`, `dissimilarity`: see
      :func:`accord.distance.units.unit_dissimilarity`.
    * `chance`: rotation, each annotator's own units turned to another place; documents, less what their
      units of other documents have in common; or the papers' models statistical, shuffle, random1,
      random2, and min, the severest of these.
    * `expected`: chance for each document by itself, or for the corpus (the default with several
      documents): then all documents with as many annotators share one expected disorder.
    * `samples`: so many random continua; by default 30, for several documents up to 300 while the
      expected disorder is known to worse than ± 2 %. `precision`: until the expected disorder of the
      corpus is known to this relative precision (0.02: within ± 2 % with 95 % confidence).
    * `ground_truth`: annotators that alone are imitated by chance.
    * `time_limit`: seconds per alignment; what is then missing of a proof is in the terms.
    * `alignment`: exact, or soft: a unit may serve more than once, in the data and by chance.

    Mathet, Y., Widlöcher, A. and Métivier, J.-P. (2015). The unified and holistic method gamma (γ)
    for inter-annotator agreement measure and alignment. *Computational Linguistics* 41(3).

    Deviations: `alpha` is 1, as in the paper; the authors' program uses 3. The paper's chance model is
    `shuffle`, which is not 0 for independent annotators where units are dense or documents short.

    >>> rows = [("d", a, s, s + 5, c) for a in "AB" for s, c in ((0, "x"), (20, "y"), (41, "x"))]
    >>> gamma(Units.from_rows(rows)).value
    1.0
    """
    return disorder_result("gamma", units, *how.carried_out("gamma", units))
