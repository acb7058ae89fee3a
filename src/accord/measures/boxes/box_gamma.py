"""box-gamma and box-cat: agreement on shapes drawn in images, beyond what other images give."""

from __future__ import annotations

from dataclasses import replace

from accord.data.boxes import Boxes
from accord.measures.boxes.beside import beside
from accord.measures.boxes.campaign import bench_of, sign
from accord.measures.boxes.options import OPTIONS, Settings
from accord.measures.boxes.parts import BREAKDOWNS
from accord.measures.gamma.disorder import disorder_result, ratio_result
from accord.registry import measure
from accord.result import Result

#: aligned pairs below which the ratio of box-cat is not to be read (benchmarks/results/boxes.md)
_FEW_PAIRS = 10
_CITATION = (
    "Mathet, Widlöcher and Métivier 2015, Computational Linguistics 41(3), with Dice's coefficient of "
    "areas for the distance of positions"
)


@measure(
    "box-gamma",
    title="γ of boxes",
    usual=True,
    shape="boxes",
    question="agree",
    citation=_CITATION,
    range=(-float("inf"), 1.0),
    aliases=("boxgamma", "γ-box"),
    chance=True,
    use="Boxes and polygons that annotators draw and label freely in images. It tells apart what is in an "
    "image from where people always draw. Not for scores of a system: use box-f1.",
    breakdowns=BREAKDOWNS,
    options=OPTIONS,
    into=Settings,
)
def box_gamma(boxes: Boxes, how: Settings) -> Result:
    """γ of boxes = 1 − observed disorder / disorder of the same annotators in different images.

    .. math:: d = \\alpha \\Delta (1 - Dice)^2 + \\beta d_{cat}, \\quad
       Dice = \\frac{2 |A \\cap B|}{|A| + |B|} = \\frac{2\\,IoU}{1 + IoU}

    δ(K), the disorder and the exact alignment are those of :func:`accord.gamma`; shapes that share no
    area are never aligned. Boxes of one height are units on a line and have γ's disorder there, while
    counterparts overlap. IoU ½ costs 1/9 of a missing shape, IoU ⅔ .04.

    Chance *images*: the shapes of each annotator come from a different image,

    .. math:: S_e = m \\cdot \\mathrm{mean}\\; S(i_1, \\dots, i_n), \\quad
       \\text{value} = 1 - \\sum S_o / \\sum S_e, \\quad S = \\sum_K \\delta(K)

    over the ordered tuples of n distinct images of m: all of them where there are at most `samples`, so
    that small data have an exact value, else a seeded sample. This is what shows that everybody draws
    the middle. Where annotators differ from image to image (crowds), images are grouped by their number
    of annotators, any annotator of a drawn image stands in, and the signature says ``slots``. Images are
    scaled to the unit square when all sizes are known. *uniform*: each shape anywhere in its own image.

    ``terms`` also hold the share of shapes ``without_counterpart``, the ``mean_iou`` of aligned pairs and
    ``label_alpha``, Krippendorff's α of the labels of aligned groups: three faults, three cures.

    Mathet, Y., Widlöcher, A. and Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for
    inter-annotator agreement measure and alignment. *Computational Linguistics* 41(3).

    Deviations: 1 − IoU and GIoU order pairs alike and are not used: Dice is γ's own distance in one
    dimension. α on 1 − IoU over all pairs saturates, since boxes of different images hardly meet.

    >>> rows = [("p1", "A", 0, 0, 10, 10, "cat"), ("p1", "B", 2, 0, 12, 10, "cat"),
    ...         ("p2", "A", 50, 50, 70, 90, "dog"), ("p2", "B", 50, 50, 70, 90, "dog")]
    >>> round(box_gamma(Boxes.from_rows(rows)).value, 4)
    0.99
    """
    made = bench_of(boxes, how)
    mark = sign("box-gamma", boxes, how, made)
    return disorder_result("box-gamma", boxes, made.campaign, mark, terms=beside(boxes, made))


@measure(
    "box-cat",
    title="γ-cat of boxes",
    shape="boxes",
    question="agree",
    citation="Mathet 2017, Computational Linguistics 43(3), for shapes in a plane",
    range=(-float("inf"), 1.0),
    aliases=("boxcat",),
    chance=True,
    use="How far the labels of aligned boxes agree, whatever their outlines; read beside box-gamma.",
    breakdowns={k: v for k, v in BREAKDOWNS.items() if k not in ("label", "category")},
    options=OPTIONS,
    into=Settings,
)
def box_cat(boxes: Boxes, how: Settings) -> Result:
    """1 − observed/expected disagreement on the labels of aligned shapes.

    .. math:: D = \\frac{\\sum w\\, d_{cat}}{\\sum w}, \\quad
       w = \\frac{\\max(0, 1 - d_{pos}/\\Delta)}{n_v - 1}

    over the pairs aligned as for :func:`accord.box_gamma`, :math:`n_v` the number of shapes of their
    unitary alignment; expected is the same over the alignments of chance. Options as for box-gamma.

    Mathet, Y. (2017). The agreement measure γcat, a complement to γ focused on categorization of a
    continuum. *Computational Linguistics* 43(3).

    >>> rows = [(p, a, x, 0, x + 10, 10, c) for p in "pq" for a in "AB" for x, c in ((0, "x"), (20, "y"))]
    >>> box_cat(Boxes.from_rows(rows)).undefined
    'chance alone gives no disagreement on labels'
    >>> rows += [("r", a, x, 0, x + 10, 10, c) for a in "AB" for x, c in ((0, "y"), (20, "x"))]
    >>> box_cat(Boxes.from_rows(rows)).value
    1.0
    """
    made = bench_of(boxes, how)
    result = ratio_result(
        "box-cat",
        boxes,
        made.campaign,
        sign("box-cat", boxes, how, made),
        column=1 + len(boxes.categories),
        undefined=lambda weight: (
            "chance alone gives no disagreement on labels"
            if weight
            else "no two shapes are aligned"
        ),
    )
    pairs = sum(len(one.row) for one in made.aligned)
    if result.undefined is None and pairs < _FEW_PAIRS:
        told = (
            f"the labels of {pairs} aligned pairs of shapes are too few for this value to be read; read "
            "box-gamma, or annotate more images"
        )
        result = replace(result, warnings=(*result.warnings, told))
    return result
