"""Rules about models: those that count as people, and those that follow one of them."""

from __future__ import annotations

import numpy as np

from accord.audit.case import Case
from accord.audit.exchange import pairs
from accord.audit.finding import Finding, Skipped
from accord.audit.rule import rule
from accord.data import Ratings
from accord.data.model_names import looks_like_a_model, model_family
from accord.errors import some

#: fewer shared items than this do not show whom a model follows
_FEWEST = 50
#: models looked at: each is compared with all people
_MOST_MODELS = 20


@rule(
    "undeclared-models",
    looks_for="annotators whose names are those of models, counted as people",
    citation="Wong, Paritosh & Aroyo (2021), Cross-replication reliability, ACL; Kim et al. (2025), "
    "Correlated errors in large language models, ICML",
    people=True,
)
def undeclared_models(case: Case) -> Finding | None:
    """Models among the people, and whether several are of one family.

    Two models of one family are no two opinions: they share training data and errors. It goes by names
    alone, so it is a question where the names are not.
    """
    names = [a for a in case.data.annotators if looks_like_a_model(a) and a not in case.declared]
    if not names:
        return None
    families: dict[str, list[str]] = {}
    for name in names:
        family = model_family(name)
        if family is not None:
            families.setdefault(family, []).append(name)
    several = {family: members for family, members in families.items() if len(members) > 1}
    one = len(names) == 1
    statement = (
        f"{some(names)} {'looks like a model' if one else 'look like models'} and "
        f"{'counts as a person' if one else 'count as people'}."
    )
    if several:
        family, members = next(iter(several.items()))
        statement += (
            f" {some(members)} are of one family ({family}): their votes are not independent."
        )
    return Finding(
        severity="caution" if several else "note",
        statement=statement,
        evidence={"models": names, "families": several},
        advice="Name the models with `systems`, so that agreement is that of people; accord judge asks "
        "whether a model may stand in for one.",
    )


@rule(
    "model-follows-person",
    looks_for="a model that agrees with one person far more than with the others",
    citation="Veselovsky, Ribeiro & West (2023), Artificial artificial artificial intelligence; the "
    "one-factor model of Spearman (1904)",
    people=True,
    items=True,
)
def model_follows_person(case: Case) -> Finding | Skipped | None:
    """A model that was shown one person's labels, or a person who used the model.

    As for copies, annotators who err independently agree as κ_ab = κ_a· κ_b· / κ··; each model is put
    among the people alone (models share errors with each other), and a pair that exceeds this by .1 or
    more is told (binomial test at .001, Bonferroni over models and people).
    """
    data, models = case.together
    if data is None or not models:
        return None
    people = [a for a in data.annotators if a not in models]
    if len(people) < 3:
        return Skipped("fewer than three people beside the models")
    told = []
    for model in models[:_MOST_MODELS]:
        beside = data.select(annotators=[*people, model])
        told += _followed(beside, model, len(people) * min(len(models), _MOST_MODELS))
    if not told:
        return None
    model, person, kappa, expected, items = max(told, key=lambda t: t[2] - t[3])
    more = f" (and {len(told) - 1} more)" if len(told) > 1 else ""
    return Finding(
        severity="caution",
        statement=(
            f"{model} agrees with {person}{more} far more than with the others: κ is {kappa:.2f} on "
            f"{items} items, and {expected:.2f} is what their agreement with the others explains. Was "
            f"the model shown {person}'s labels, or did {person} use the model?"
        ),
        evidence={
            "pairs": [
                {"model": m, "person": p, "kappa": k, "expected": e, "items": n}
                for m, p, k, e, n in told
            ]
        },
        advice="Ask how both were made; judge the model by the other people, on items it was not "
        "shown.",
    )


def _followed(data: Ratings, model: str, tests: int) -> list[tuple[str, str, float, float, int]]:
    """(model, person, κ, expected κ, items) of the people it agrees with beyond its quality."""
    from scipy.special import bdtr

    found = pairs(data)
    if not len(found.first) or found.chance >= 1:
        return []
    me = data.annotators.index(model)
    mine = (found.first == me) | (found.second == me)
    quality = np.clip(found.expected, 0.0, 0.995)
    agreement = found.chance + (1 - found.chance) * quality
    apart = np.round(found.items - found.same)
    p = bdtr(apart, found.items.astype(int), 1 - agreement) * tests
    raised = mine & (found.items >= _FEWEST) & (found.kappa - quality >= 0.1) & (p < 0.001)
    other = np.where(found.first == me, found.second, found.first)
    return [
        (
            model,
            data.annotators[other[k]],
            float(found.kappa[k]),
            float(quality[k]),
            int(found.items[k]),
        )
        for k in np.flatnonzero(raised).tolist()
    ]
