"""Rules about single annotators: habits, one who stands apart, guessers and spammers."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np

from accord.audit.case import Case
from accord.audit.exchange import Standing, same_answers, standing
from accord.audit.finding import Finding, Skipped, percent
from accord.audit.rule import rule
from accord.audit.values import MATHET
from accord.data import Annotations, Boxes, Ratings, Units
from accord.errors import AccordError
from accord.measures.ratings.coincidences import confusion
from accord.measures.ratings.diagnostics import two_annotators

#: more annotators than this are not compared pair by pair
_MOST = 40
#: fewer answers than this say nothing about who gave them
_FEWEST = 10
#: level of a test over all annotators (Bonferroni)
_LEVEL = 0.01


@rule(
    "asymmetric-confusions",
    looks_for="two annotators who disagree in one direction, which κ rewards",
    citation=f"{MATHET}, §3.3.2, Table 1",
    shapes=("ratings",),
    people=True,
)
def asymmetric_confusions(case: Case) -> Finding | Skipped | None:
    """Two annotators disagree in one direction: κ is flattered over π (Table 1)."""
    data = case.ratings
    if data is None or data.kind == "sets":
        return None
    if len(data.annotators) > _MOST:
        return Skipped(f"more than {_MOST} annotators")
    if len(data.values) > 50:
        return Skipped("more than 50 different values")
    pairs = list(combinations(range(len(data.annotators)), 2))
    worst: tuple[float, dict[str, Any]] | None = None
    for first, second in pairs:
        table = confusion(data, first, second)
        if table.sum() < 20:
            continue
        found = two_annotators(table)
        p = _asymmetry(table) * len(pairs)  # Bonferroni: one test per pair
        if p < _LEVEL and found["kappa_minus_pi"] > 0.01 and (worst is None or p < worst[0]):
            apart = np.unravel_index(np.argmax(table - table.T), table.shape)
            worst = (
                p,
                {
                    **found,
                    "asymmetry_p": p,
                    "first": data.annotators[first],
                    "second": data.annotators[second],
                    "first_says": data.labels[int(apart[0])],
                    "second_says": data.labels[int(apart[1])],
                    "items": int(table[apart]),
                    "items_reversed": int(table.T[apart]),
                },
            )
    if worst is None:
        return None
    e = worst[1]
    return Finding(
        severity="caution",
        statement=(
            f"{e['first']} says {e['first_says']!r} where {e['second']} says {e['second_says']!r} "
            f"{_times(e['items'])}, and {_times(e['items_reversed'])} the other way round: a difference "
            f"of habits that κ rewards ({e['kappa']:.2f}, against π = {e['pi']:.2f})."
        ),
        evidence=e,
        advice="Settle the guideline between these two categories; report alpha or π, not κ.",
    )


def _asymmetry(table: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """p that confusions go both ways alike: exact binomial of the most unequal cell, Bonferroni.

    Bowker's χ² of all cells together is not to be trusted when most of them hold a few items.
    """
    from scipy.special import bdtr

    upper = np.triu_indices(len(table), k=1)
    there, back = table[upper], table.T[upper]
    total = (there + back).round()
    used = total > 0
    if not used.any():
        return 1.0
    tail = 2 * bdtr(np.minimum(there, back)[used].round(), total[used].astype(int), 0.5)
    return float(min(1.0, tail.min() * used.sum()))


@rule(
    "annotator-apart",
    looks_for="an annotator who agrees less with the others than they do, by a test",
    citation=f"{MATHET}, §6.1",
    people=True,
    items=True,
)
def annotator_apart(case: Case) -> Finding | Skipped | None:
    """Agreement would be clearly higher without one annotator, and chance does not explain it."""
    found = _stands(case)
    if not isinstance(found, Standing):
        return found
    low = _significant(found)
    if not low.any():
        return None
    worst = int(np.argmin(np.where(low, found.z, 0)))
    data = case.data
    if _too_large(data):
        return Skipped("too many units to measure again without one annotator")
    study = case.recommended
    name, who = study.record.name, data.annotators[worst]
    try:
        whole, without = study.result, study.without(who).result
    except AccordError as problem:
        return Skipped(f"{name} cannot be computed without one annotator: {problem.sentence}")
    gain = without.value - whole.value
    if not gain >= 0.05:
        return None
    return Finding(
        severity="caution",
        statement=(
            f"{who} stands apart: without them {name} goes from {whole.value:.2f} to "
            f"{without.value:.2f}, more than interchangeable annotators would differ."
        ),
        evidence={
            "measure": name,
            "annotator": who,
            "value": whole.value,
            "without": without.value,
            "gain": gain,
            "z": float(found.z[worst]),
            "items": int(found.items[worst]),
        },
        advice="Talk to them before leaving them out: being alone is not being wrong.",
    )


@rule(
    "guessers",
    looks_for="annotators whose answers hardly depend on the item, in teams and crowds of any size",
    citation="Hovy et al. (2013), Learning whom to trust with MACE, NAACL",
    shapes=("ratings",),
    people=True,
    items=True,
)
def guessers(case: Case) -> Finding | Skipped | None:
    """Answers that agree with the others hardly more than the same answers shuffled would."""
    found = _stands(case)
    if not isinstance(found, Standing):
        return found
    usual = found.usual
    if usual <= 0:
        return None  # the whole crowd is at chance: low-agreement says it
    # a quarter of what is usual, and surely less than half of it
    guess = _significant(found) & (
        (found.skill < usual / 4) & (found.skill + 2 * found.error < usual / 2)
    )
    if not guess.any():
        return None
    data = case.ratings
    if data is None:
        return None
    who = [data.annotators[a] for a in np.argsort(found.z, kind="stable") if guess[a]]
    share = float(guess[data.annotator].mean())
    one = len(who) == 1
    return Finding(
        severity="serious" if share >= 0.1 else "caution",
        statement=(
            f"{_listed(who)} {'answers' if one else 'answer'} as if by chance: skill "
            f"{float(found.skill[guess].mean()):.2f} on a scale where the usual is {usual:.2f}, "
            f"{percent(share)} of all ratings."
        ),
        evidence={
            "annotators": who,
            "share_of_ratings": share,
            "usual_skill": usual,
            "skill": {n: float(found.skill[a]) for a, n in enumerate(data.annotators) if guess[a]},
        },
        advice=(
            "Look at their answers; leave them out, or let accord gold --method mace or dawid-skene "
            "weigh everybody by what they know."
        ),
    )


@rule(
    "spammers",
    looks_for="annotators who give one answer to everything where others do not",
    citation="Raykar & Yu (2012), Eliminating spammers and ranking annotators, JMLR 13",
    shapes=("ratings",),
    people=True,
    items=True,
)
def spammers(case: Case) -> Finding | None:
    """One answer to nearly everything, where the others' answers to the same items vary.

    On an item where a share s of the answers are this one, an interchangeable annotator gives it
    with probability s: the product over the items is the chance to give nothing else.
    """
    from scipy.special import erfc

    data = case.ratings
    if data is None or len(data.annotators) < 3 or len(data.values) < 2:
        return None
    m, q = len(data.annotators), len(data.values)
    share = same_answers(data) / data.per_item[data.item]
    key = data.annotator.astype(np.int64) * q + data.code
    cells, where, count = np.unique(key, return_inverse=True, return_counts=True)
    total = np.bincount(data.annotator, minlength=m)
    found = []
    for cell in np.flatnonzero(
        (count >= 0.95 * total[cells // q]) & (total[cells // q] >= _FEWEST)
    ):
        a, value = int(cells[cell] // q), int(cells[cell] % q)
        mine = np.flatnonzero(data.annotator == a)
        p_i = _share_of(data, mine, value)
        usual = float(
            (p_i * data.per_item[data.item[mine]] - 1).clip(0).sum()
            / max(1.0, float((data.per_item[data.item[mine]] - 1).sum()))
        )
        said = int(count[cell])
        if said == len(mine):
            log_p = float(np.log(share[where == cell]).sum())
        else:
            spread = math.sqrt(float((p_i * (1 - p_i)).sum())) or 1.0
            z = (said - 0.5 - float(p_i.sum())) / spread
            log_p = math.log(max(1e-300, float(erfc(z / math.sqrt(2))) / 2))
        if log_p < math.log(0.001 / m) and usual <= 0.8:
            found.append((data.annotators[a], data.labels[value], said / len(mine), usual))
    if not found:
        return None
    names = [name for name, *_ in found]
    first = found[0]
    return Finding(
        severity="serious",
        statement=(
            f"{_listed(names)} {'gives' if len(found) == 1 else 'give'} one answer to everything: "
            f"{first[0]} says {first[1]!r} {percent(first[2])} of the time, where others say it on "
            f"{percent(first[3])} of the same items."
        ),
        evidence={
            "annotators": names,
            "answers": [
                {"annotator": n, "answer": v, "share": s, "share_of_others": o}
                for n, v, s, o in found
            ],
        },
        advice="Leave them out, and look for others who were paid by the piece.",
    )


def _share_of(
    data: Ratings, mine: np.ndarray[Any, np.dtype[np.int64]], value: int
) -> np.ndarray[Any, np.dtype[np.float64]]:
    """On each item of these ratings, the share of the answers that are this value."""
    hits = np.bincount(data.item[data.code == value], minlength=len(data.indptr) - 1)
    items = data.item[mine]
    shares: np.ndarray[Any, np.dtype[np.float64]] = hits[items] / data.per_item[items]
    return shares


def _stands(case: Case) -> Standing | Skipped | None:
    if len(case.data.annotators) < 3:
        return None
    data = case.decisions
    if data is None:
        return Skipped("too many marks to compare the annotators one by one")
    if data is not case.data and len(data.documents) < 5:
        return Skipped("fewer than five documents to compare the annotators on")
    return case.once("standing", lambda: standing(data))


def _significant(found: Standing) -> np.ndarray[Any, np.dtype[np.bool_]]:
    """Annotators who agree less than interchangeable ones would, corrected for their number."""
    from scipy.special import ndtr

    counted = found.items >= _FEWEST
    low: np.ndarray[Any, np.dtype[np.bool_]] = counted & (
        ndtr(found.z) < _LEVEL / max(1, int(counted.sum()))
    )
    return low


def _too_large(data: Annotations) -> bool:
    """Aligning a large corpus of units again takes minutes: not in an audit."""
    return isinstance(data, (Units, Boxes)) and len(data) * len(data.annotators) > 20_000


def _listed(names: list[str], most: int = 5) -> str:
    if len(names) > most:
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _times(n: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(n, f"{n} times")
