"""Rules about the shape: a continuum treated as items, a measure for another shape, who saw what."""

from __future__ import annotations

import re

import numpy as np

from accord.audit.case import Case
from accord.audit.finding import Finding, Skipped, percent
from accord.audit.rule import rule
from accord.audit.values import MATHET
from accord.data import Boxes, Chains, Ratings, Units
from accord.errors import AccordError
from accord.measures import agree
from accord.measures.coreference.unmatched import unmatched_mentions
from accord.registry import find

#: what people call "nothing here" when they cut a text into tokens
_OUTSIDE = {
    *(
        "o",
        "0",
        "none",
        "outside",
        "-",
        "_",
        "out",
        "other",
        "no",
        "nil",
        "null",
        "empty",
        "∅",
        "ø",
    ),
    *("vide", "rien", "aucun", "aucune", "néant", "leer", "kein", "nichts", "vuoto", "niente"),
    *("vacío", "nada", "ninguno"),
}
#: names of items that say they are places on a text or time line
_PLACE = re.compile(
    r"(?:^|[^a-z])(?:tok(?:en)?s?|words?|w|t|chars?|frames?|sec(?:onds?)?|ms)[\s:._#-]*\d+$",
    re.IGNORECASE,
)


@rule(
    "wrong-shape",
    looks_for="a measure meant for another shape of data",
    citation=f"{MATHET}, §4, Table 3",
)
def wrong_shape(case: Case) -> Finding | None:
    """The measure meant is for another shape of data."""
    if case.measure is None:
        return None
    record = find(case.measure)
    atomising = record.name.startswith("atomized")
    if record.shape == case.data.shape and not atomising:
        return None
    why = (
        "cuts the continuum into pieces and ignores how many units there are"
        if atomising
        else f"is for {record.shape}, these data are {case.data.shape}"
    )
    return Finding(
        severity="serious",
        statement=f"{record.name} {why}.",
        evidence={"measure": record.name, "shape": case.data.shape},
        advice=f"Use {case.usual.name}.",
    )


@rule(
    "atomised-continuum",
    looks_for="ratings that are really the tokens of a text (chunk tags, items named as places)",
    citation=f"{MATHET}, §4, Table 3",
    shapes=("ratings",),
)
def atomised(case: Case) -> Finding | None:
    """Ratings of tokens or moments: chunk tags, or items named as places and mostly outside.

    Labels such as 0 and 1 are evidence of nothing, nor are items that are numbered.
    """
    data = case.data
    if not isinstance(data, Ratings) or data.kind == "sets" or len(data.values) > 1000:
        return None
    counts = np.bincount(data.code, minlength=len(data.values))
    if not counts.sum():
        return None
    labels = data.labels
    chunked = _chunk_tags(set(labels))
    top = int(np.argmax(counts))
    label, share = labels[top], float(counts[top] / counts.sum())
    outside = label.strip().lower() in _OUTSIDE and share > 0.5
    if not chunked and not (outside and _places(data)):
        return None
    evidence = "their labels are chunk tags" if chunked else "their names are places"
    return Finding(
        severity="serious",
        statement=(
            f"The items are the tokens of a text or the moments of a recording ({evidence}; {percent(share)} "
            f"are {label!r}): a coefficient on tokens does not see units, and rewards agreement on "
            "where nothing is."
        ),
        evidence={"outside": label, "share": share, "chunk_tags": chunked},
        advice="Give the units with their positions and use gamma (`shape=units`).",
    )


def _chunk_tags(labels: set[str]) -> bool:
    """A type that both begins and goes on (B-X and I-X, S-X and E-X …)."""
    kinds = [(name[0], name[2:]) for name in labels if name[1:2] == "-" and name[0] in "BIESLU"]
    types = {kind for _, kind in kinds}
    return any(
        {p for p, kind in kinds if kind == t} & set("IEL") and ("B", t) in kinds for t in types
    ) or ("O" in labels and any(p in "BIS" for p, _ in kinds))


def _places(data: Ratings) -> bool:
    names = [str(name) for name in list(data.items)[:500]]
    return len(names) >= 20 and sum(bool(_PLACE.search(name)) for name in names) > 0.8 * len(names)


@rule(
    "low-coverage",
    looks_for="category agreement on units that rests on little of the continuum",
    citation="Krippendorff, Mathet, Bouvry & Widlöcher (2016), Quality & Quantity 50(6)",
    shapes=("units",),
)
def low_coverage(case: Case) -> Finding | Skipped | None:
    """Little of the continuum was marked by two annotators: category agreement rests on it."""
    data = case.data
    if not isinstance(data, Units) or len(data.annotators) < 2 or not len(data):
        return None
    if len(data.categories) < 2:
        return None
    try:
        result = agree(data, "cu-alpha", ci="none")
    except AccordError as problem:
        return Skipped(f"cu-α cannot be computed: {problem.sentence}")
    coverage = result.terms.get("coverage")
    if coverage is None or not np.isfinite(coverage) or coverage >= 0.2:
        return None
    return Finding(
        severity="note",
        statement=(
            f"Two annotators marked the same place on {coverage:.1%} of the continuum only: what is "
            "said about their categories (cu-α, γ-cat) rests on that part."
        ),
        evidence={"coverage": coverage, "cu_alpha": result.value},
        advice="Report the coverage beside cu-α or γ-cat, and γ for the whole.",
    )


@rule(
    "unknown-coverage",
    looks_for="annotators without a unit in documents where the others have many: did they see them?",
    citation="Mathet, Widlöcher & Métivier (2015), The unified and holistic method gamma, CL 41(3)",
    shapes=("units", "boxes"),
)
def unknown_coverage(case: Case) -> Finding | None:
    """Nobody said who saw what, and some left whole documents unmarked that others did not.

    Who saw a document in which the others marked u units on average leaves it empty with
    probability e^{−u} (Poisson); far more empty ones than that were hardly seen.
    """
    from scipy.special import pdtrc

    data = case.data
    if not isinstance(data, (Units, Boxes)) or len(data.annotators) < 2 or not data.assumed:
        return None
    marked = np.zeros(data.coverage.shape)
    np.add.at(marked, (data.document, data.annotator), 1)
    m = len(data.annotators)
    others = (marked.sum(axis=1, keepdims=True) - marked) / (m - 1)
    empty = (marked == 0) & (others > 0)
    busy = empty & (others >= 2)
    expected = float(np.exp(-others[others > 0]).sum())
    found = int(empty.sum())
    if busy.sum() < 2 or found < 2 * expected or float(pdtrc(found - 1, expected)) > 0.001:
        return None
    who = [
        data.annotators[a] for a in np.argsort(-busy.sum(axis=0), kind="stable") if busy[:, a].any()
    ]
    return Finding(
        severity="caution",
        statement=(
            f"{int(busy.sum())} times an annotator marked nothing in a document where the others marked "
            f"two {data.shape} or more ({', '.join(who[:5])}): if they never saw it, their silence is "
            "counted as disagreement."
        ),
        evidence={"empty": found, "expected": expected, "annotators": who},
        advice="Say who saw what: `seen=marked`, or `seen` with a table document,annotator.",
    )


@rule(
    "different-mentions",
    looks_for="chains whose annotators did not mark the same mentions",
    citation="Passonneau (2004), Computing reliability for coreference annotation, LREC",
    shapes=("chains",),
)
def different_mentions(case: Case) -> Finding | None:
    """α on chains compares entities of shared mentions: what is a mention is another question."""
    data = case.data
    if not isinstance(data, Chains) or len(data.annotators) < 2:
        return None
    seen = np.bincount([d for d, _ in data.coverage], minlength=len(data.documents))
    twice = seen[data.document] >= 2
    width = max(map(len, data.mentions), default=0) + 1
    key = data.document.astype(np.int64)[twice] * width + data.mention[twice]
    known, count = np.unique(key, return_counts=True)
    if len(known) < 20:
        return None
    alone = float((count == 1).sum() / len(known))
    if alone <= 0.2:
        return None
    apart = unmatched_mentions(data)
    near = sum(row["overlap"] >= 0.5 for row in apart)
    return Finding(
        severity="caution",
        statement=(
            f"{percent(alone)} of the mentions were marked by one annotator only: agreement on entities is "
            "measured on the others, and says nothing about what a mention is."
        ),
        evidence={
            "share_marked_once": alone,
            "marked_once": len(apart),
            "near_misses": near,
            "mentions": len(known),
        },
        advice=(
            f"{near} of these {len(apart)} overlap a mention of another annotator by half or more: take "
            "near misses as one mention (accord agree --mentions near), and see them (accord agree --by "
            "unmatched). "
            if near
            else ""
        )
        + "Measure mentions too (mention-gamma), or give the same mentions to all.",
    )
