"""relation-gamma: disorder of aligned relations below that of chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from accord.alignment.relations import Costs, Network
from accord.chance.documents import too_few_others
from accord.data.progress import Course
from accord.data.relations import Relations
from accord.errors import TooLittleError, UsageError
from accord.measures.gamma.disorder import disorder_ratio
from accord.measures.gamma.expected import Z
from accord.measures.relations.expected import Expected, expected
from accord.measures.relations.layout import REARRANGED, beyond_layout
from accord.measures.relations.options import DISTANCE, SAMPLING, Settings
from accord.measures.relations.parts import by_document, by_errors, by_label
from accord.registry import measure
from accord.result import NO_SHARED_DOCUMENT, Array, Result, Sample, signature

NO_RELATION = "nobody linked anything"
#: chance known worse than this is said
_IMPRECISE = 0.1


@measure(
    "relation-gamma",
    title="γ of relations",
    usual=True,
    shape="relations",
    question="agree",
    citation="Mathet, Widlöcher and Métivier 2015, Computational Linguistics 41(3), for the alignment and "
    "the disorder; the distance between relations and their chance are accord's",
    range=(-float("inf"), 1.0),
    aliases=("relations-gamma",),
    chance=True,
    use="Links between units or given items: replies, dependencies, discourse, events, causes. It is "
    "agreement on the links, given the units: report gamma of the units beside it.",
    breakdowns={
        "document": by_document,
        "label": by_label,
        "category": by_label,
        "errors": by_errors,
    },
    options=(*DISTANCE, *SAMPLING),
    into=Settings,
)
def relation_gamma(relations: Relations, how: Settings) -> Result:
    """γ = 1 − Σ S_o / Σ S_e, S the disorder of the ideal alignment of a document's relations.

    .. math:: S = \\sum_K \\delta(K), \\quad
       \\delta(K) = \\Delta + \\frac{1}{C} \\sum_{r,r' \\in K} (d(r,r') - \\Delta), \\quad
       d(r,r') = \\alpha \\tfrac{1}{2} (e(s,s') + e(t,t')) + \\beta \\Delta M[\\ell,\\ell']

    over the unitary alignments K of the alignment with the least S; s and t are the ends of a relation,
    ℓ its label. e = min(Δ, Δ(1 − Dice)²) for located ends, Dice being twice what they share over the sum
    of their lengths, and Δ[u ≠ v] for given items. Relations may be aligned only if an end corresponds
    (e < Δ). Labels of the ends do not count: that is the agreement on the units. When every item has
    exactly one head and labels are alike, two annotators get 1 − (share of different heads)/(that share by
    chance).

    * `undirected`: the better of the two ways to pair the ends; `symmetric`: for these labels only.
    * `chance`: the number of relations and the labels of each annotator in each document stay.
      *endpoints* shuffles its targets and, by themselves, its labels, so that a hub stays a hub (a loop is
      drawn only for annotators who have one); *units* draws as many different pairs of its units, with the
      labels of the relations' ends where units have some; *min* is the severer; *documents* is endpoints,
      less what the relations of other documents have in common (each answers the one before). Where two
      annotators of a document have loops, chance keeps how many each of them has.
    * `samples`: draws. Where the arrangements of a document are few, all of them are taken instead.

    Mathet, Y., Widlöcher, A. and Métivier, J.-P. (2015). The unified and holistic method gamma (γ) for
    inter-annotator agreement measure and alignment. *Computational Linguistics* 41(3).

    >>> rows = [("d", "A", 2, 1, "r"), ("d", "A", 3, 2, "r"), ("d", "A", 4, 4, "s"), ("d", "A", 5, 4, "r"),
    ...         ("d", "B", 2, 1, "r"), ("d", "B", 3, 1, "r"), ("d", "B", 4, 2, "r"), ("d", "B", 5, 4, "r")]
    >>> result = relation_gamma(Relations.from_rows(rows))
    >>> result.observed, result.expected, round(result.value, 6)
    (0.5, 0.59375, 0.157895)
    """
    d, costs = how.between(relations)
    mark = signature(
        "relation-gamma",
        relations.compared,
        **how.words(d),
        chance=how.chance,
        samples=how.samples or "auto",
        seen=relations.seen,
        seed=how.seed,
    )
    common: dict[str, Any] = {
        "measure": "relation-gamma",
        "n": relations.compared,
        "signature": mark,
        "annotators": relations.annotators,
    }
    network = Network.of(relations)
    shared = network.shared
    notes = list(relations.notes)
    if 0 < len(shared) < len(relations.documents):
        left = len(relations.documents) - len(shared)
        notes.append(f"documents left out because fewer than two people annotated them: {left}")
    counts = _counts(network)
    if not counts.sum():
        return Result(
            value=float("nan"),
            undefined=NO_RELATION if len(shared) else NO_SHARED_DOCUMENT,
            warnings=tuple(notes),
            terms={"documents": len(shared)},
            **common,
        )
    notes += _refused_or_warned(relations, counts, how.chance)
    observed, gap = _observed(network, costs, how.time_limit)
    chance = _expected(network, costs, how)
    if chance is None:
        return Result(
            value=float("nan"),
            undefined=too_few_others(relations.coverage[shared]),
            warnings=tuple(notes),
            terms={"documents": len(shared)},
            **common,
        )
    weight = counts.sum(axis=1) / relations.coverage[shared].sum(axis=1)
    rows = np.column_stack([observed, chance.mean, weight])
    total, by_chance, weights = rows.sum(axis=0).tolist()
    terms: dict[str, Any] = {
        "documents": len(shared),
        "proven": gap == 0,
        "gap": gap / total if total > 0 else 0.0,
        "chance_bounded": chance.gap > 0,
        "chance": chance.model,
        "samples": chance.samples,
        "exact_documents": chance.exact,
    }
    if by_chance == 0:
        return Result(
            value=float("nan"),
            observed=total / weights,
            expected=0.0,
            undefined="chance alone gives no disorder",
            terms=terms,
            warnings=tuple(notes),
            **common,
        )
    value = 1 - total / by_chance
    error = (1 - value) * chance.error / by_chance
    precision = Z * chance.error / by_chance
    low, high = by_chance - Z * chance.error, by_chance + Z * chance.error
    terms |= {
        "sampling": {
            "low": 1 - total / low if low > 0 else float("-inf"),
            "high": 1 - total / high,
            "level": 0.95,
            "error": error,
        },
        "precision": precision,
    }
    if precision > _IMPRECISE:
        notes.append(f"chance is known to ± {precision:.0%} only: draw more, with `samples=1000`")
    if not terms["proven"]:
        notes.append(
            f"some alignments may not be the best (up to {terms['gap']:.1%} of the disorder may be "
            "missing); a longer `time_limit` may prove them"
        )
    if terms["chance_bounded"]:
        notes.append(
            "the alignments of some random relations are bounded from below (linear programme), not "
            "found: the value can only be too low, as a rule by less than a hundredth of what is left to 1"
        )
    notes += _forced(chance)
    return Result(
        value=value,
        observed=total / weights,
        expected=by_chance / weights,
        terms=terms,
        warnings=tuple(notes),
        sample=Sample(
            rows=rows,
            score=disorder_ratio,
            keys=tuple(relations.documents[d] for d in shared.tolist()),
            unit="document",
            weight=weight,
            noise=(error**2, float(chance.freedom)) if chance.samples else None,
        ),
        **common,
    )


@dataclass(frozen=True, slots=True)
class _Key:
    """What an expectation depends on."""

    costs: tuple[object, ...]
    chance: str
    samples: int | None
    seed: int
    time_limit: float | None


def _counts(network: Network) -> Array:
    """Relations of each annotator in each document that two or more saw."""
    own = network.own[network.shared]
    return np.asarray(own[:, 1:] - own[:, :-1], dtype=np.float64)


def _observed(
    network: Network, costs: Costs, time_limit: float | None = None
) -> tuple[Array, float]:
    """S of each document, and what may be missing of proofs."""
    found = np.zeros(len(network.shared))
    place = {d: i for i, d in enumerate(network.shared.tolist())}
    gap = 0.0
    for work in network.works(network.shared.tolist()):
        totals, more = work.totals(costs, time_limit=time_limit)
        found[[place[d] for d in work.documents]] = totals
        gap += more
    return found, gap


def _expected(network: Network, costs: Costs, how: Settings) -> Expected | None:
    """What chance gives; kept with the data. `min` is the model that expects the least."""
    models = {"min": ("endpoints", "units"), "documents": ("endpoints",)}.get(
        how.chance, (how.chance,)
    )
    found = []
    course = Course(how.progress)
    memo = network.relations.memo
    for model in models:
        own = (costs.alpha, costs.delta, costs.labels.tobytes(), costs.unordered.tobytes())
        key = _Key(own, model, how.samples, how.seed, how.time_limit)
        if key not in memo:
            memo[key] = expected(
                network,
                costs,
                model,
                samples=how.samples,
                seed=how.seed,
                jobs=how.jobs,
                time_limit=how.time_limit,
                course=course,
            )
        found.append(memo[key])
    course.end()
    least: Expected = min(found, key=lambda e: e.total)
    return least if how.chance != "documents" else _beyond_layout(network, costs, how, least)


def _beyond_layout(
    network: Network, costs: Costs, how: Settings, chance: Expected
) -> Expected | None:
    """The same less what relations of other documents have in common."""

    def disorders(other: Network) -> tuple[Array, Array]:
        total, _ = _observed(other, costs, how.time_limit)
        again = expected(
            other,
            costs,
            "endpoints",
            samples=REARRANGED,
            seed=how.seed,
            jobs=how.jobs,
            time_limit=how.time_limit,
            course=Course(None),
        )
        return total, again.mean

    return beyond_layout(network, chance, disorders, samples=how.samples, seed=how.seed)


def _refused_or_warned(relations: Relations, counts: Array, chance: str) -> list[str]:
    """Where nothing can be rearranged there is no chance; where little can, it is said."""
    if chance in ("units", "min") and relations.units is None and not relations.given:
        raise UsageError(
            f"chance {chance} draws pairs of the annotators' units: give them with `units`"
        )
    if chance == "units":
        return []
    if counts.max() < 2:
        raise TooLittleError(
            "relation-gamma: no annotator has two relations in any document, so that nothing can be "
            "rearranged; give the units with `units` and pass `chance=units`"
        )
    alone = int((counts == 1).any(axis=1).sum())
    if not alone:
        return []
    return [
        f"in {alone} of {len(counts)} documents an annotator has one relation, which nothing "
        "rearranges: there chance is what was observed, and the value is pulled to 0; "
        "`chance=units` has no such limit"
    ]


def _forced(chance: Expected) -> list[str]:
    if not chance.forced:
        return []
    what = (
        "kept a loop after 1 000 tries"
        if chance.model == "endpoints"
        else "repeated a pair of units: there are too few of them"
    )
    return [f"{chance.forced} random sets of an annotator's relations {what}"]
